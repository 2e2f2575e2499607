"""Checks of pasted and drawn paths: what is wrong with them, in words and in a picture."""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import replace

import numpy as np

from kt_cp.board import Board
from kt_cp.draw.cover import cover_picture
from kt_cp.draw.faults import report_picture
from kt_cp.errors import InputError
from kt_cp.notation.covers import is_cover, parse_cover
from kt_cp.notation.detect import parse_path, validate
from kt_cp.notation.reading import Reading
from kt_cp.phrases import join_words, pluralize
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.position import MAX_TEXT, Position
from kt_cp.play.scene import BARE, Scene, position_picture, show
from kt_cp.problem.instance import Instance
from kt_cp.tour.feature_table import described_features, feature_named
from kt_cp.tour.report import Fault, FaultKind, PathReport, Report
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import validate_ids

_NAMED_FAULTS = 3  # in the sentence
_LISTED = 20  # faults, and squares left out, in the details


def check_path(now: Position, text: str) -> Scene:
    """Check a pasted path, or the drawn one if the text is empty; show it up to its first fault.

    A size or a map, on which not all steps are given, is put onto the board; edges become a graph.
    """
    if len(text) > MAX_TEXT:
        raise InputError(f"a text here has at most {MAX_TEXT:,} characters")
    try:
        return _check_as_path(now, text)
    except InputError:
        with suppress(InputError):
            given = GraphPosition.parse(text)
            return show(given, f"graph: {given.instance.summary}")
        raise


def _check_as_path(now: Position, text: str) -> Scene:
    """Check a path, or put a size or a map onto the board. Raises `InputError` for other texts."""
    if is_cover(text):
        return _check_cover(now, text)
    if not isinstance(now, BoardPosition):
        return _check_on_graph(now, text)
    if not text.strip():
        return _show_checked(now, validate(now.board, now.path, now.instance.closed))
    with suppress(InputError):
        given = BoardPosition.parse(text)
        if len(given.steps) < len(given.board):
            return show(given, f"board: {given.instance.summary}")
    reading = _read_on(text, now.board)
    return _show_checked(now, reading.report, reading.read_as)


def _check_cover(now: Position, text: str) -> Scene:
    """Show paths that together visit every square, on the board that the text states, if any."""
    try:
        report = parse_cover(text)
    except InputError:
        report = parse_cover(text, now.graph)
    board = report.graph
    if not isinstance(board, Board):
        return show(now, report.verdict)
    if not isinstance(now, BoardPosition) or board != now.board:
        now = BoardPosition(Instance(board))
    return show(now, report.verdict, picture=cover_picture(report, BARE))


def _check_on_graph(now: Position, text: str) -> Scene:
    """Put a path onto a graph and tell its faults; the part before the first becomes the path."""
    if text.strip():
        reading = parse_path(text, now.graph, closed=now.instance.closed)
        report, details = reading.report, _details(reading.report, reading.read_as)
        if not isinstance(report, PathReport):
            return show(now, report.verdict, details=details)
        now = replace(now, path=now.legal_part([int(vertex) for vertex in report.path]))
    else:
        report = validate_ids(now.graph, np.array(now.path, dtype=np.int64), now.instance.closed)
        details = _details(report)
    words = f"valid: {report.summary}" if report.valid else _describe_faults(report)
    return show(now, words, details=details)


def _read_on(text: str, board: Board) -> Reading:
    """Read a path on the board, or on the board that fits it where it fits that one better."""
    readings: list[Reading] = []
    problem: InputError | None = None
    for asked in (board, None):
        try:
            readings.append(parse_path(text, asked))
        except InputError as error:
            problem = problem or error
    if not readings:
        raise problem or InputError("this is no path")
    return min(readings, key=_count_faults)  # the first, on the board, if they are as good


def _count_faults(reading: Reading) -> tuple[bool, int]:
    """Return whether a path is no tour, and its number of faults but for what it leaves out."""
    missing = reading.counts.get(FaultKind.MISSING, 0)
    return not reading.valid, sum(reading.counts.values()) - missing


def _show_checked(now: BoardPosition, report: Report, read_as: str = "") -> Scene:
    """Show a path with its faults; the part before its first fault becomes the path."""
    details = _details(report, read_as)
    board = report.graph
    if not isinstance(board, Board):
        raise InputError("this is a path on a graph: show the graph first")
    if board != now.board:
        now = BoardPosition(Instance(board, report.closed))
    if not isinstance(report, PathReport):
        picture = report_picture(report, BARE)
        return show(now, report.verdict, picture=picture, details=details)
    squares = [int(square) for square in report.path]
    on_board = [square for square in squares if square in board]
    wrong = {
        fault.squares
        for fault in report.faults
        if fault.kind in (FaultKind.ILLEGAL_MOVE, FaultKind.NOT_CLOSED)
    }
    begun = replace(now, path=now.legal_part(squares))
    if report.valid:
        return show(begun, f"valid: {report.summary}", details=details)
    told = _describe_faults(report)
    if not _faults_of_visits(report):
        return show(begun, told, details=details)
    drawn = position_picture(begun, on_board, [(a, b) for a, b in wrong])
    return show(begun, told, picture=drawn, has_legend=False, details=details)


def _faults_of_visits(report: PathReport) -> list[Fault]:
    """Return the faults of a path but for the vertices that it leaves out."""
    return [fault for fault in report.faults if fault.kind is not FaultKind.MISSING]


def _describe_faults(report: PathReport) -> str:
    """Name the first faults of a path that is no tour, and count the rest."""
    missing = report.graph.vocabulary.count_vertices(len(report.missing))
    faults = _faults_of_visits(report)
    if not faults:
        legal = f"every {report.graph.move_name} is legal; {missing} left"
        if report.visit_count < 2:
            return f"not a tour yet: {legal}"
        return f"not a tour yet, but a {report.summary}: {legal}"
    told = join_words([fault.message for fault in faults[:_NAMED_FAULTS]])
    more = len(faults) - _NAMED_FAULTS
    if more > 0:
        told += f", and {pluralize(more, 'more fault')}"
    if len(report.missing):
        told += f"; {missing} left"
    return f"not a tour: {told}"


def _details(report: Report, read_as: str = "") -> tuple[str, ...]:
    """Return how a text was read, its moves, its first faults, and the features of a tour."""
    lines: list[str] = []
    if read_as:
        lines.append(f"Read as {read_as}.")
    lines.append(f"{pluralize(report.move_count, 'move')}, {len(report.legal_moves):,} legal.")
    if report.valid:
        return (*lines, *_feature_lines(report))
    missing = report.counts.get(FaultKind.MISSING, 0)
    faults = sum(report.counts.values()) - missing
    listed = itertools.islice(report.iter_faults(), min(faults, _LISTED))  # missing ones come last
    lines += [f"{fault.message[:1].upper()}{fault.message[1:]}." for fault in listed]
    if faults > _LISTED:
        lines.append(f"{faults - _LISTED:,} more faults.")
    if missing:
        lines.append(_missing_line(report))
    return tuple(lines)


def _missing_line(report: Report) -> str:
    """Name the first vertices that a path leaves out."""
    names = [report.graph.name(int(vertex)) for vertex in report.missing[:_LISTED]]
    count = len(report.missing)
    if count > _LISTED:
        names.append(f"and {count - _LISTED:,} more")
    return f"{report.graph.vocabulary.count_vertices(count)} left: {' '.join(names)}."


def _feature_lines(report: Report) -> list[str]:
    """Return the features of a tour of a board that are defined for every piece."""
    if not isinstance(report, PathReport) or not isinstance(report.graph, Board):
        return []
    with suppress(InputError):  # boards with joined edges have no such features
        tour = Tour.from_ids(report.graph, report.path, report.closed, report.allows_partial)
        values = described_features(tour)
        general = [each for each in map(feature_named, values) if each.is_general]
        return [f"{each.name}: {values[each.name]}, {each.summary}." for each in general]
    return []
