"""The picture of a validation report: the path, with the faults marked where they are."""

from __future__ import annotations

import itertools

import numpy as np

from kt_cp.board import Squares
from kt_cp.draw import palette
from kt_cp.draw.moves import NODE, line_width, node_layers, segments
from kt_cp.draw.picture import Discs, Layer, Lines, Picture, Points, Texts
from kt_cp.draw.sheet import (
    Entry,
    Mark,
    Sheet,
    empty,
    finish,
    lay_out,
    stroke,
    swatch,
    tiles,
)
from kt_cp.draw.tour import tour_picture
from kt_cp.tour.report import FaultKind, Report
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import PathReport

Visits = dict[int, list[int]]

_MOST_MESSAGES = 5
_MOST_STEPS = 2  # named in one square
_DASHES, _DOTS = (7.0, 6.0), (1.0, 6.0)
_RING = 0.42  # radius of a mark, in squares


def report_picture(report: Report, title: str | None = None) -> Picture:
    """Describe the picture of a report; the title is its verdict unless given.

    A valid path is drawn as the tour it is. What has no place on the board, such as a step off it,
    is counted in the legend.

    >>> from kt_cp.board import Board
    >>> from kt_cp.tour.validator import validate
    >>> report_picture(validate(Board(2, 2), [0, 1])).description
    "not a tour: 1 illegal move, 2 squares missing: step 1 to 2: 0 (a2) to 1 (b2) is no \
knight's move; square 2 (a1) is not visited; square 3 (b1) is not visited"
    """
    title = report.verdict if title is None else title
    if report.valid:
        return tour_picture(Tour(report.board, report.path, report.closed), title=title)
    sheet = lay_out(report.board, title)
    missing = report.missing
    colours = empty(sheet)
    colours[missing] = palette.rgb(palette.MISSING)
    marked = _marked(report)
    layers = [
        tiles(sheet, colours),
        Lines("move", segments(sheet, report.legal_moves), palette.MOVE, line_width(sheet)),
        *_wrong_moves(sheet, marked),
        *_steps(sheet, report),
        *_square_marks(sheet, marked),
    ]
    if sheet.fine:
        query = ("?",) * len(missing)
        centres = sheet.centres(missing)
        layers.append(Texts(centres, query, 0.5 * sheet.cell, palette.INK, bold=True))
    phrases = report.phrases.items()
    legend: list[Entry] = [(_legend_mark(kind, marked), phrase) for kind, phrase in phrases]
    return finish(sheet, layers, legend, _description(report))


def _marked(report: Report) -> dict[FaultKind, Squares]:
    """Return for each kind of fault that has a place its squares: a row each, of one or two ids."""
    squares: dict[FaultKind, list[tuple[int, ...]]] = {}
    faults = report.iter_faults()
    for fault in itertools.takewhile(lambda fault: fault.kind is not FaultKind.MISSING, faults):
        if fault.kind is not FaultKind.OFF_BOARD and fault.squares:
            squares.setdefault(fault.kind, []).append(fault.squares)
    return {kind: np.array(rows) for kind, rows in squares.items()}


def _steps(sheet: Sheet, report: Report) -> list[Layer]:
    """Write into each square the steps at which it is visited, where there is room."""
    if not isinstance(report, PathReport) or not sheet.font_size(
        len(str(len(report.path))), 2 * NODE
    ):
        return []
    visits: Visits = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.board:
            visits.setdefault(square, []).append(step)
    once = {square: steps for square, steps in visits.items() if len(steps) == 1}
    again = {square: steps for square, steps in visits.items() if len(steps) > 1}
    layers = node_layers(sheet, np.array(list(once), dtype=np.int64))
    centres = sheet.centres(np.array(list(again), dtype=np.int64))
    layers.append(Discs(centres, _RING * sheet.cell, palette.LIGHT))
    return [*layers, *_numbers(sheet, once, 2 * NODE), *_numbers(sheet, again, 2 * _RING)]


def _numbers(sheet: Sheet, visits: Visits, room: float) -> list[Layer]:
    words = tuple(
        ",".join(map(str, steps[:_MOST_STEPS])) + "…" * (len(steps) > _MOST_STEPS)
        for steps in visits.values()
    )
    size = sheet.font_size(max(map(len, words), default=1), room)
    if not size:
        return []
    points = sheet.centres(np.array(list(visits), dtype=np.int64))
    return [Texts(points, words, size, palette.INK)]


def _is_move(kind: FaultKind, marked: dict[FaultKind, Squares]) -> bool:
    return kind in _STROKES and kind in marked and marked[kind].shape[1] == 2


def _wrong_moves(sheet: Sheet, marked: dict[FaultKind, Squares]) -> list[Layer]:
    width = 1.6 * line_width(sheet)
    return [
        Lines("fault", sheet.centres(squares), palette.FAULT, width, _STROKES[kind])
        for kind, squares in marked.items()
        if _is_move(kind, marked)
    ]


def _square_marks(sheet: Sheet, marked: dict[FaultKind, Squares]) -> list[Layer]:
    radius = max(_RING * sheet.cell, 4 * sheet.zoom)
    return [
        layer
        for kind, squares in marked.items()
        if not _is_move(kind, marked)
        for layer in _MARKS[kind](sheet.centres(np.unique(squares)), radius)
    ]


def _legend_mark(kind: FaultKind, marked: dict[FaultKind, Squares]) -> Mark:
    return stroke(palette.FAULT, 4, _STROKES[kind]) if _is_move(kind, marked) else _MARKS[kind]


def _nothing(points: Points, radius: float) -> list[Layer]:
    return []


def _ring(points: Points, radius: float) -> list[Layer]:
    return [Discs(points, radius, palette.FAULT, hollow=True)]


def _cross(points: Points, radius: float) -> list[Layer]:
    arms = 0.8 * radius * np.array([[(-1, -1), (1, 1)], [(-1, 1), (1, -1)]])
    ends = (points[:, None, None] + arms).reshape(-1, 2, 2)
    return [Lines("mark", ends, palette.FAULT, 0.25 * radius)]


def _outline(*corners: tuple[float, float]) -> Mark:
    shape = np.array(corners)
    sides = np.stack([shape, np.roll(shape, -1, axis=0)], axis=1)

    def draw(points: Points, radius: float) -> list[Layer]:
        ends = (points[:, None, None] + radius * sides).reshape(-1, 2, 2)
        return [Lines("mark", ends, palette.FAULT, 0.2 * radius)]

    return draw


def _description(report: Report) -> str:
    messages = [fault.message for fault in itertools.islice(report.iter_faults(), _MOST_MESSAGES)]
    more = "; …" if sum(report.counts.values()) > _MOST_MESSAGES else ""
    return f"{report.verdict}: {'; '.join(messages)}{more}"


_STROKES = {FaultKind.ILLEGAL_MOVE: _DASHES, FaultKind.NOT_CLOSED: _DOTS}

_MARKS: dict[FaultKind, Mark] = {
    FaultKind.OFF_BOARD: _nothing,
    FaultKind.HOLE: _cross,
    FaultKind.REPEAT: _ring,
    FaultKind.SAME_STEP: _outline((-1, -1), (1, -1), (1, 1), (-1, 1)),
    FaultKind.NO_STEP: _nothing,
    FaultKind.SPLIT: _outline((0, -1), (1, 0), (0, 1), (-1, 0)),
    FaultKind.NOT_CLOSED: _outline((0, -1), (1, 1), (-1, 1)),
    FaultKind.MISSING: swatch(palette.rgb(palette.MISSING)),
}
