"""Checks of pasted and drawn paths: their faults, in words and in a picture."""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import replace

import numpy as np

from kt_cp.board import Board
from kt_cp.draw.faults import cover_picture, report_picture
from kt_cp.draw.picture import Picture
from kt_cp.messages import InputError, join_words, pluralize
from kt_cp.notation.covers import is_cover, parse_cover
from kt_cp.notation.detect import parse_path, validate
from kt_cp.notation.reading import Reading
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.pictures import BARE_LOOK, position_picture
from kt_cp.play.position import MAX_TEXT, Position
from kt_cp.play.scene import Scene, scene_of
from kt_cp.problem.instance import Instance
from kt_cp.tour.features import described_features, feature_named
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import Fault, FaultKind, PathReport, Report, validate_ids

_MAX_NAMED = 3  # faults in the message
_MAX_LISTED = 20  # faults, and missing squares, in the details


def check_path(position: Position, text: str) -> Scene:
    """Check a pasted path, or the drawn one if the text is empty; show its part before a fault.

    A size, or a map on which some steps are missing, replaces the board; edges replace it by a
    graph. Raises `InputError` for other texts.
    """
    if len(text) > MAX_TEXT:
        raise InputError(f"a text here has at most {MAX_TEXT:,} characters")
    try:
        return _check_as_path(position, text)
    except InputError:
        graph = _try_graph(text)
        if graph is None:
            raise
        return scene_of(graph, f"graph: {graph.instance.summary}")


def _try_graph(text: str) -> GraphPosition | None:
    """Return the graph whose edges a text has, or None if it has none."""
    try:
        return GraphPosition.parse(text)
    except InputError:
        return None


def _try_board(text: str) -> BoardPosition | None:
    """Return the board of a size or a map, or None for other text."""
    try:
        return BoardPosition.parse(text)
    except InputError:
        return None


def _check_as_path(position: Position, text: str) -> Scene:
    """Check a cover, the drawn path or a path, or show a board.

    The text is read as the first of these that it is: a cover, a path on the graph that is shown,
    no text, for which the drawn path is checked, a size or an incomplete map, a path on a board.
    Raises `InputError` for other texts.
    """
    if is_cover(text):
        return _check_cover(position, text)
    if not isinstance(position, BoardPosition):
        return _check_on_graph(position, text)
    if not text.strip():
        report = validate(position.board, position.path, position.instance.closed)
        return _checked_scene(position, report)
    pasted = _try_board(text)
    if pasted is not None and len(pasted.steps) < len(pasted.board):
        return scene_of(pasted, f"board: {pasted.instance.summary}")
    reading = _read_path(text, position.board)
    return _checked_scene(position, reading.report, reading.read_as)


def _check_cover(position: Position, text: str) -> Scene:
    """Check paths that together visit every square, on the board that the text names, if any."""
    try:
        report = parse_cover(text)
    except InputError:
        report = parse_cover(text, position.graph)
    graph = report.graph
    if not isinstance(graph, Board):
        return scene_of(position, report.verdict)
    if not isinstance(position, BoardPosition) or graph != position.board:
        position = BoardPosition(Instance(graph))
    return scene_of(position, report.verdict, picture=cover_picture(report, BARE_LOOK))


def _check_on_graph(position: Position, text: str) -> Scene:
    """Check a path on a graph; its part before the first fault becomes the drawn path."""
    if not text.strip():
        ids = np.array(position.path, dtype=np.int64)
        report = validate_ids(position.graph, ids, position.instance.closed)
        return scene_of(position, _verdict(report), details=_details(report))
    reading = parse_path(text, position.graph, closed=position.instance.closed)
    details = _details(reading.report, reading.read_as)
    if not isinstance(reading.report, PathReport):
        return scene_of(position, reading.report.verdict, details=details)
    vertices = [int(vertex) for vertex in reading.report.path]
    shown = replace(position, path=position.legal_prefix(vertices))
    return scene_of(shown, _verdict(reading.report), details=details)


def _read_path(text: str, board: Board) -> Reading:
    """Read a path on this board, or on a detected board if it has fewer faults there.

    Raises `InputError` if it can be read on neither.
    """
    on_board = _try_read(text, board)
    on_detected = _try_read(text, None)
    readings = [each for each in (on_board, on_detected) if isinstance(each, Reading)]
    if readings:
        return min(readings, key=_rank_of)  # if both have as many: on this board
    assert isinstance(on_board, InputError)
    raise on_board


def _try_read(text: str, board: Board | None) -> Reading | InputError:
    """Return a path as read on a board, or on a detected one, or why it cannot be read."""
    try:
        return parse_path(text, board)
    except InputError as error:
        return error


def _rank_of(reading: Reading) -> tuple[bool, int]:
    """Return the sort key of a reading: tours first, then by faults besides missing squares."""
    missing = reading.counts.get(FaultKind.MISSING, 0)
    return not reading.valid, sum(reading.counts.values()) - missing


def _checked_scene(position: BoardPosition, report: Report, read_as: str = "") -> Scene:
    """Return the scene of a checked path; the drawn path becomes its part before a fault.

    Raises `InputError` for a path on a graph that is not a board.
    """
    details = _details(report, read_as)
    graph = report.graph
    if not isinstance(graph, Board):
        raise InputError("this is a path on a graph: show the graph first")
    if graph != position.board:
        position = BoardPosition(Instance(graph, report.closed))
    if not isinstance(report, PathReport):
        picture = report_picture(report, BARE_LOOK)
        return scene_of(position, report.verdict, picture=picture, details=details)
    squares = [int(square) for square in report.path]
    shown = replace(position, path=position.legal_prefix(squares))
    has_illegal_visits = bool(_faults_of_visits(report)) and not report.valid
    marked = _faulty_picture(shown, report) if has_illegal_visits else None
    return scene_of(shown, _verdict(report), picture=marked, has_legend=False, details=details)


def _faulty_picture(position: BoardPosition, report: PathReport) -> Picture:
    """Return the picture of a path with faults: its squares on the board, illegal moves dashed."""
    squares = [int(square) for square in report.path if int(square) in position.board]
    illegal_moves = [
        (fault.squares[0], fault.squares[1])
        for fault in report.faults
        if fault.kind in (FaultKind.ILLEGAL_MOVE, FaultKind.NOT_CLOSED)
    ]
    return position_picture(position, squares, illegal_moves)


def _verdict(report: PathReport) -> str:
    """Return that a path is a tour, or its first faults."""
    return f"valid: {report.summary}" if report.valid else _describe_faults(report)


def _faults_of_visits(report: PathReport) -> list[Fault]:
    """Return the faults of a path, except the vertices that it leaves out."""
    return [fault for fault in report.faults if fault.kind is not FaultKind.MISSING]


def _describe_faults(report: PathReport) -> str:
    """Return the first faults of a path that is no tour, and the number of the others."""
    missing = report.graph.vocabulary.count_vertices(len(report.missing))
    faults = _faults_of_visits(report)
    if not faults:
        legal = f"every {report.graph.move_name} is legal; {missing} left"
        if report.visit_count < 2:
            return f"not a tour yet: {legal}"
        return f"not a tour yet, but a {report.summary}: {legal}"
    named = join_words([fault.message for fault in faults[:_MAX_NAMED]])
    more = len(faults) - _MAX_NAMED
    if more > 0:
        named += f", and {pluralize(more, 'more fault')}"
    if len(report.missing):
        named += f"; {missing} left"
    return f"not a tour: {named}"


def _details(report: Report, read_as: str = "") -> tuple[str, ...]:
    """Return lines on how a text was read, its moves and first faults, and a tour's features."""
    lines: list[str] = []
    if read_as:
        lines.append(f"Read as {read_as}.")
    lines.append(f"{pluralize(report.move_count, 'move')}, {len(report.legal_moves):,} legal.")
    if report.valid:
        return (*lines, *_feature_lines(report))
    missing = report.counts.get(FaultKind.MISSING, 0)
    faults = sum(report.counts.values()) - missing
    count = min(faults, _MAX_LISTED)  # missing vertices come after all other faults
    listed = itertools.islice(report.iter_faults(), count)
    lines += [f"{fault.message[:1].upper()}{fault.message[1:]}." for fault in listed]
    if faults > _MAX_LISTED:
        lines.append(f"{faults - _MAX_LISTED:,} more faults.")
    if missing:
        lines.append(_missing_line(report))
    return tuple(lines)


def _missing_line(report: Report) -> str:
    """Return the number and the first names of the vertices that a path leaves out."""
    names = [report.graph.name(int(vertex)) for vertex in report.missing[:_MAX_LISTED]]
    count = len(report.missing)
    if count > _MAX_LISTED:
        names.append(f"and {count - _MAX_LISTED:,} more")
    return f"{report.graph.vocabulary.count_vertices(count)} left: {' '.join(names)}."


def _feature_lines(report: Report) -> list[str]:
    """Return the features of a tour of a board, those that are defined for every piece."""
    if not isinstance(report, PathReport) or not isinstance(report.graph, Board):
        return []
    with suppress(InputError):  # boards with glued edges have no features
        tour = Tour.from_ids(report.graph, report.path, report.closed, report.allows_partial)
        values = described_features(tour)
        general = [each for each in map(feature_named, values) if each.is_general]
        return [f"{each.name}: {values[each.name]}, {each.summary}." for each in general]
    return []
