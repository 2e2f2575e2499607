"""Pictures of paths with their faults."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.draw.geometry import curve
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.picture import (
    SQUARE,
    Mark,
    Picture,
    Points,
    disc_mark,
    move_mark,
    polygon_mark,
    square_mark,
    svg_path,
)
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.tour import tour_picture
from kt_cp.tour.report import FaultKind, PathReport, Report, on_board
from kt_cp.tour.tour import Tour

_MAX_MESSAGES = 5  # in the text for those who cannot see the picture
_MAX_STEPS = 2  # written into one square
_FAULT_RADIUS = 0.44  # in squares
_BEND = 0.12  # how far the middle of an illegal move is aside, in its length
_CURVE_LINES = 12  # that draw an illegal move

# A fault of a move is a dashed curve, a fault of a square a mark on it.
_DASHES = {FaultKind.ILLEGAL_MOVE: (7.0, 6.0), FaultKind.NOT_CLOSED: (1.0, 6.0)}
_CROSS = [(-0.6, -0.6), (0.6, 0.6), (0, 0), (0.6, -0.6), (-0.6, 0.6), (0, 0)]
_MARKS: dict[FaultKind, Mark] = {
    FaultKind.HOLE: polygon_mark(_CROSS, "fault", 0.15),
    FaultKind.REPEAT: disc_mark(None, "fault", 0.12),
    FaultKind.ILLEGAL_MOVE: disc_mark(None, "fault", 0.12),  # of a move that stays in its place
    FaultKind.SAME_STEP: polygon_mark(SQUARE * 0.9, "fault", 0.12),
    FaultKind.NO_STEP: polygon_mark([(-0.8, 0.9), (0.8, 0.9)], "fault", 0.15),
    FaultKind.SPLIT: polygon_mark([(0, -1), (1, 0), (0, 1), (-1, 0)], "fault", 0.12),
    FaultKind.NOT_CLOSED: polygon_mark([(0, -1), (1, 1), (-1, 1)], "fault", 0.12),
    FaultKind.MISSING: square_mark("missing"),
}


def report_picture(report: Report, look: Look = USUAL) -> Picture:
    """Return the picture of a report, with the legal parts faint.

    The caption is the verdict unless given; each faulty square has one mark of a kind.
    """
    if isinstance(report, PathReport) and report.valid:
        return tour_picture(tour_of(report), with_own_steps(look, report))
    sheet = Sheet(report.graph, report.verdict, look)
    sheet.fill("missing", report.missing)
    sheet.draw_moves(report.legal_moves, "faint", thickness=0.75)
    placed = _squares_of_faults(report)
    curved = _draw_curves(sheet, placed)
    if isinstance(report, PathReport):
        faulty = {int(square) for rows in placed.values() for square in rows.flat}
        _write_steps(sheet, report, faulty)
    _mark_faults(sheet, report, placed, curved)
    sheet.write_words(report.missing, "?" * len(report.missing))
    messages = [fault.message for fault in itertools.islice(report.iter_faults(), _MAX_MESSAGES)]
    return sheet.finish(f"{report.verdict}: {'; '.join(messages)}")


def _draw_curves(sheet: Sheet, placed: Mapping[FaultKind, Ints]) -> list[FaultKind]:
    """Draw the faults that are moves from one square to another, and return their kinds."""
    curved = [kind for kind in _DASHES if kind in placed and np.ptp(placed[kind], axis=1).any()]
    for kind in curved:
        curves = _curves(sheet.frame.pixel_centers(placed[kind]))
        width = 1.4 * sheet.line_width
        sheet.draw(svg_path("fault", curves, "fault", width, dashes=_DASHES[kind]))
    return curved


def _mark_faults(
    sheet: Sheet, report: Report, placed: Mapping[FaultKind, Ints], curved: Collection[FaultKind]
) -> None:
    """Mark the faults that are not curves, where they have squares, and explain all of them."""
    for kind, phrase in report.phrases.items():
        if kind in curved:
            sheet.add_legend(phrase, move_mark("fault", 0.5, _DASHES[kind]))
        elif kind in placed:
            squares = np.unique(placed[kind])
            sheet.draw_mark(_MARKS[kind], squares, radius=_FAULT_RADIUS, text=phrase)
        else:
            sheet.add_legend(phrase, _MARKS.get(kind))


def tour_of(report: PathReport) -> Tour:
    """Return the tour that a valid report is about."""
    return Tour.from_ids(report.graph, report.path, report.closed, report.allows_partial)


def with_own_steps(look: Look, report: PathReport) -> Look:
    """Return a look whose first step has the number that it has in the path of a report."""
    return replace(look, first=int(report.steps[0]))


def _squares_of_faults(report: Report) -> dict[FaultKind, Ints]:
    """Return for each kind of fault the squares where it is: rows of two, which may be the same."""
    found: dict[FaultKind, list[Ints]] = {}
    for kind, rows in report.places.items():
        if kind is FaultKind.NO_STEP:
            rows = _around_gaps(rows)
        if rows.size and kind is not FaultKind.OFF_BOARD:
            pairs = report.entries[rows]
            found[kind] = [pairs[on_board(report.graph, pairs).all(axis=1)].astype(np.int64)]
    for fault in report.joint_faults:
        square = fault.squares[0]
        found.setdefault(fault.kind, []).append(np.array([[square, square]]))
    return {kind: np.concatenate(parts) for kind, parts in found.items()}


def _around_gaps(rows: Ints) -> Ints:
    """Return the entries before and after each gap in the steps, which has no square of its own.

    A gap is a row that begins with the entry after it; one before the first entry is left out.
    """
    after = rows[rows[:, 0] > 0, :1]
    return np.concatenate([after - 1, after], axis=1)


def _curves(ends: Points) -> Points:
    """Return curves as chains of lines; the more moves join two squares, the more one bends."""
    seen: dict[frozenset[tuple[float, float]], int] = {}
    chains: list[Points] = []
    for tail, head in ends:
        pair = frozenset([tuple(tail), tuple(head)])
        seen[pair] = seen.get(pair, 0) + 1
        aside = (head - tail)[::-1] * [1, -1] * _BEND * seen[pair]
        chains.append(curve(tail, head, aside, _CURVE_LINES))
    return np.concatenate(chains)


def _write_steps(sheet: Sheet, report: PathReport, faulty: set[int]) -> None:
    """Write into each square the steps at which it is visited, where there is room."""
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.graph:
            visits.setdefault(square, []).append(step)
    length = max((len(str(steps[-1])) for steps in visits.values()), default=0)
    words_in: dict[str, dict[int, str]] = {"muted": {}, "ink": {}}
    for square, steps in visits.items():
        fill = "ink" if square in faulty else "muted"
        is_short = len(steps) <= _MAX_STEPS
        words_in[fill][square] = ",".join(map(str, steps)) if is_short else f"{len(steps)}×"
    for fill, words in words_in.items():
        sheet.write_words(
            list(words), words.values(), share=0.9, fill=fill, word_length=length, blank=True
        )
