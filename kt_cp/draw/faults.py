"""The picture of a validation report: the path, with the faults marked where they are."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from kt_cp.draw import palette
from kt_cp.draw.picture import Discs, Layer, Picture, Shapes
from kt_cp.draw.sheet import (
    SQUARE,
    USUAL,
    Entry,
    Ids,
    Look,
    Mark,
    Sheet,
    disc,
    empty,
    finish,
    lay_out,
    shape,
    swatch,
    tiles,
    unmarked,
)
from kt_cp.draw.tour import NODE, line_width, nodes, segments, tour_picture
from kt_cp.tour.report import FaultKind, Report
from kt_cp.tour.tour import Tour

_MOST_MESSAGES = 5
_MOST_STEPS = 2  # written into one square
_RING = 0.42  # radius of a mark, in squares

# A fault of a move is a dashed line, a fault of a square a mark on it.
_DASHES = {FaultKind.ILLEGAL_MOVE: (7.0, 6.0), FaultKind.NOT_CLOSED: (1.0, 6.0)}
_MARKS: dict[FaultKind, Mark] = {
    FaultKind.OFF_BOARD: unmarked,
    FaultKind.HOLE: shape(
        [(-0.8, -0.8), (0.8, 0.8), (0, 0), (0.8, -0.8), (-0.8, 0.8), (0, 0)], palette.FAULT, 0.25
    ),
    FaultKind.REPEAT: disc(None, palette.FAULT, 0.25),
    FaultKind.SAME_STEP: shape(SQUARE, palette.FAULT, 0.2),
    FaultKind.NO_STEP: shape([(-0.8, 0.9), (0.8, 0.9)], palette.FAULT, 0.25),
    FaultKind.SPLIT: shape([(0, -1), (1, 0), (0, 1), (-1, 0)], palette.FAULT, 0.2),
    FaultKind.NOT_CLOSED: shape([(0, -1), (1, 1), (-1, 1)], palette.FAULT, 0.2),
    FaultKind.MISSING: swatch(palette.rgb(palette.MISSING)),
}


def report_picture(report: Report, look: Look = USUAL) -> Picture:
    """Describe the picture of a report; the title is its verdict unless given.

    A valid path is drawn as the tour that it is. What has no place on the board, such as a step
    off it, is counted in the legend.

    >>> from kt_cp import Board, validate
    >>> report_picture(validate(Board(2, 2), [0, 1])).description
    "not a tour: 1 illegal move, 2 squares missing: step 1 to 2: 0 (a2) to 1 (b2) is not a \
knight's move; square 2 (a1) is not visited; square 3 (b1) is not visited"
    """
    if report.valid:
        return tour_picture(*as_tour(report, look))
    sheet = lay_out(report.board, report.verdict, look)
    missing = report.missing
    colours = empty(sheet)
    colours[missing] = palette.rgb(palette.MISSING)
    lines = [Shapes("move", segments(sheet, report.legal_moves), palette.MOVE, line_width(sheet))]
    marks: list[Layer] = []
    legend: list[Entry] = []
    placed = _placed(report)
    radius = max(_RING * sheet.cell, 4 * sheet.zoom)
    for kind, phrase in report.phrases.items():
        squares, dashes = placed.get(kind, np.empty((0, 1), dtype=np.int64)), _DASHES.get(kind)
        if dashes and squares.shape[1] == 2:
            width = 1.6 * line_width(sheet)
            ends = sheet.centres(squares)
            lines.append(Shapes("fault", ends, palette.FAULT, width, dashes=dashes))
            mark = shape([(-1.5, 0), (1.5, 0)], palette.FAULT, 2 / 3, dashes=dashes)
        else:
            mark = _MARKS[kind]
            marks += mark(sheet.centres(np.unique(squares)), radius)
        legend.append((mark, phrase))
    unknown = sheet.words(missing, "?" * len(missing))
    layers = [tiles(sheet, colours), *lines, *_steps(sheet, report), *marks, *unknown]
    return finish(sheet, layers, legend, _description(report))


def as_tour(report: Report, look: Look = USUAL) -> tuple[Tour, Look]:
    """Return the tour that a valid report is about, and the look with the steps' own numbers."""
    if report.steps is not None:
        look = replace(look, first=int(report.steps[0]))
    return Tour(report.board, report.path, report.closed), look


def _placed(report: Report) -> dict[FaultKind, Ids]:
    """Return for each kind of fault that has a place its squares: a row each, of one or two ids."""
    squares: dict[FaultKind, list[tuple[int, ...]]] = {}
    faults = report.iter_faults()
    for fault in itertools.takewhile(lambda fault: fault.kind is not FaultKind.MISSING, faults):
        if fault.kind is not FaultKind.OFF_BOARD and fault.squares:
            squares.setdefault(fault.kind, []).append(fault.squares)
    if report.steps is not None:  # a gap has no square, but those before and after it
        for gap in np.flatnonzero(np.diff(report.steps) > 1).tolist():
            around = tuple(report.path[gap : gap + 2].tolist())
            if all(square in report.board for square in around):
                squares.setdefault(FaultKind.NO_STEP, []).append(around)
    return {kind: np.array(rows) for kind, rows in squares.items()}


def _steps(sheet: Sheet, report: Report) -> list[Layer]:
    """Write into each square the steps at which it is visited, where there is room."""
    letters = len(str(len(report.path)))
    if report.steps is None or not sheet.font_size(letters, 2 * NODE):
        return []
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.board:
            visits.setdefault(square, []).append(step)
    layers: list[Layer] = []
    for once, room in ((True, 2 * NODE), (False, 1.5 * _RING)):
        chosen = {square: s for square, s in visits.items() if (len(s) == 1) is once}
        squares = np.array(list(chosen), dtype=np.int64)
        blank = Discs(sheet.centres(squares), _RING * sheet.cell, palette.LIGHT)
        layers.append(nodes(sheet, squares) if once else blank)
        layers += sheet.words(squares, map(_shortened, chosen.values()), room)
    return layers


def _shortened(steps: list[int]) -> str:
    return ",".join(map(str, steps[:_MOST_STEPS])) + "…" * (len(steps) > _MOST_STEPS)


def _description(report: Report) -> str:
    messages = [fault.message for fault in itertools.islice(report.iter_faults(), _MOST_MESSAGES)]
    more = "; …" if sum(report.counts.values()) > _MOST_MESSAGES else ""
    return f"{report.verdict}: {'; '.join(messages)}{more}"
