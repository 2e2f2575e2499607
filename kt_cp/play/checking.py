"""Checks of pasted and drawn paths: what is wrong with them, in words and in a picture."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from kt_cp.board import Board
from kt_cp.draw.tour import report_picture
from kt_cp.errors import InputError, join_words, pluralize
from kt_cp.notation.detect import parse_path, validate
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.position import MAX_TEXT, Position
from kt_cp.play.scene import BARE, Scene, position_picture, show
from kt_cp.problem.instance import Instance
from kt_cp.tour.report import Fault, FaultKind, PathReport, Report
from kt_cp.tour.validator import validate_ids

_NAMED_FAULTS = 3


def check_path(now: Position, text: str) -> Scene:
    """Put a path onto the board and tell its faults; of the path there, if nothing was pasted.

    A size or a map, on which not all steps are given, is put onto the board.
    """
    if len(text) > MAX_TEXT:
        raise InputError(f"a text here has at most {MAX_TEXT:,} characters")
    if not isinstance(now, BoardPosition):
        return _check_on_graph(now, text)
    if not text.strip():
        return _show_checked(now, validate(now.board, now.path, now.instance.closed))
    with suppress(InputError):
        given = BoardPosition.parse(text)
        if len(given.steps) < len(given.board):
            return show(given, f"board: {given.instance.summary}")
    return _show_checked(now, _report_on(text, now.board))


def _check_on_graph(now: Position, text: str) -> Scene:
    """Put a path onto a graph and tell its faults; the part before the first becomes the path."""
    if text.strip():
        report = parse_path(text, now.graph, closed=now.instance.closed).report
        if not isinstance(report, PathReport):
            return show(now, report.verdict)
        now = replace(now, path=now.legal_part([int(vertex) for vertex in report.path]))
    else:
        report = validate_ids(now.graph, np.array(now.path, dtype=np.int64), now.instance.closed)
    if report.valid:
        return show(now, f"valid: {report.verdict}")
    return show(now, _describe_faults(report))


def _report_on(text: str, board: Board) -> Report:
    """Read a path on the board, or on the board that fits it where it fits that one better."""
    reports: list[Report] = []
    problem: InputError | None = None
    for asked in (board, None):
        try:
            reports.append(parse_path(text, asked).report)
        except InputError as error:
            problem = problem or error
    if not reports:
        raise problem or InputError("this is no path")
    return min(reports, key=_count_faults)  # the first, on the board, if they are as good


def _count_faults(report: Report) -> tuple[bool, int]:
    """Return whether a path is no tour, and its number of faults but for what it leaves out."""
    missing = report.counts.get(FaultKind.MISSING, 0)
    return not report.valid, sum(report.counts.values()) - missing


def _show_checked(now: BoardPosition, report: Report) -> Scene:
    """Show a path with its faults; the part before its first fault becomes the path."""
    board = report.graph
    if not isinstance(board, Board):
        raise InputError("this is a path on a graph: show the graph first")
    if board != now.board:
        now = BoardPosition(Instance(board, report.closed))
    if not isinstance(report, PathReport):
        return show(now, report.verdict, picture=report_picture(report, BARE))
    squares = [int(square) for square in report.path]
    on_board = [square for square in squares if square in board]
    wrong = {
        fault.squares
        for fault in report.faults
        if fault.kind in (FaultKind.ILLEGAL_MOVE, FaultKind.NOT_CLOSED)
    }
    begun = replace(now, path=now.legal_part(squares))
    if report.valid:
        return show(begun, f"valid: {report.verdict}")
    told = _describe_faults(report)
    if not _faults_of_visits(report):
        return show(begun, told)
    drawn = position_picture(begun, on_board, [(a, b) for a, b in wrong])
    return show(begun, told, picture=drawn, has_legend=False)


def _faults_of_visits(report: PathReport) -> list[Fault]:
    """Return the faults of a path but for the vertices that it leaves out."""
    return [fault for fault in report.faults if fault.kind is not FaultKind.MISSING]


def _describe_faults(report: PathReport) -> str:
    """Name the first faults of a path that is no tour, and count the rest."""
    missing = report.graph.vocabulary.count_vertices(len(report.missing))
    faults = _faults_of_visits(report)
    if not faults:
        return f"not a tour yet: every {report.graph.move_name} is legal; {missing} left"
    told = join_words([fault.message for fault in faults[:_NAMED_FAULTS]])
    more = len(faults) - _NAMED_FAULTS
    if more > 0:
        told += f", and {pluralize(more, 'more fault')}"
    if len(report.missing):
        told += f"; {missing} left"
    return f"not a tour: {told}"
