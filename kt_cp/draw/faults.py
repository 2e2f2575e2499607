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
    SQUARE_CORNERS,
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
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind, PathReport, Report, on_board

_MAX_MESSAGES = 5  # in the description for screen readers
_MAX_STEPS = 2  # written into one square
_FAULT_RADIUS = 0.44  # in squares
_CURVE_OFFSET = 0.12  # of the middle of an illegal move, relative to its length
_LINES_IN_CURVE = 12
_CASING = 4.0  # how much wider the casing of an illegal move is, in pixels

# A fault between two squares is a dashed curve, a fault of one square is a mark on it.
_DASHES = {FaultKind.ILLEGAL_MOVE: (7.0, 6.0), FaultKind.NOT_CLOSED: (1.0, 6.0)}
_CROSS = [(-0.6, -0.6), (0.6, 0.6), (0, 0), (0.6, -0.6), (-0.6, 0.6), (0, 0)]
_MARKS: dict[FaultKind, Mark] = {
    FaultKind.HOLE: polygon_mark(_CROSS, "fault", 0.15),
    FaultKind.REPEAT: disc_mark(None, "fault", 0.06),
    FaultKind.ILLEGAL_MOVE: disc_mark(None, "fault", 0.12),  # from a square to itself
    FaultKind.SAME_STEP: polygon_mark(SQUARE_CORNERS * 0.9, "fault", 0.12),
    FaultKind.NO_STEP: polygon_mark([(-0.8, 0.9), (0.8, 0.9)], "fault", 0.15),
    FaultKind.SPLIT: polygon_mark([(0, -1), (1, 0), (0, 1), (-1, 0)], "fault", 0.12),
    FaultKind.NOT_CLOSED: polygon_mark([(0, -1), (1, 1), (-1, 1)], "fault", 0.12),
    FaultKind.MISSING: square_mark("missing"),
}


def report_picture(report: Report, look: Look = USUAL) -> Picture:
    """Return the picture of a report: the faults are marked, and the legal moves faint.

    The caption is the verdict unless the look has a title. Each kind of fault has a mark of its
    own, drawn once on a square. The picture of a valid path is that of its tour.
    """
    if isinstance(report, PathReport) and report.valid:
        return tour_picture(tour_of(report), with_own_steps(look, report))
    sheet = Sheet(report.graph, report.verdict, look)
    sheet.fill("missing", report.missing)
    sheet.draw_moves(report.legal_moves, "faint", thickness=0.75)
    squares_by_kind = _squares_by_kind(report)
    # A kind is drawn as curves if any of its faults is between two different squares.
    curved_kinds = [
        kind
        for kind, pairs in squares_by_kind.items()
        if kind in _DASHES and (pairs[:, 0] != pairs[:, 1]).any()
    ]
    _mark_faults(sheet, report, squares_by_kind, curved_kinds)
    for kind in curved_kinds:
        _draw_curves(sheet, squares_by_kind[kind], _DASHES[kind])
    if isinstance(report, PathReport):
        faulty = {int(square) for pairs in squares_by_kind.values() for square in pairs.flat}
        _write_steps(sheet, report, faulty)
    sheet.write_words(report.missing, ["?"] * len(report.missing))
    messages = [fault.message for fault in itertools.islice(report.iter_faults(), _MAX_MESSAGES)]
    return sheet.finish(f"{report.verdict}: {'; '.join(messages)}")


def _draw_curves(sheet: Sheet, pairs: Ints, dashes: tuple[float, float]) -> None:
    """Draw faults between two squares, given as rows of two ids, as dashed curves.

    A casing separates them from rings and lines below them.
    """
    curves = _curves(sheet.frame.pixel_centers(pairs))
    width = 1.4 * sheet.line_width
    sheet.draw(svg_path("casing", curves, "paper", width + _CASING))
    sheet.draw(svg_path("fault", curves, "fault", width, dashes=dashes))


def _mark_faults(
    sheet: Sheet,
    report: Report,
    squares_by_kind: Mapping[FaultKind, Ints],
    curved_kinds: Collection[FaultKind],
) -> None:
    """Mark the faults that are not curves on their squares, if any, and explain all faults."""
    for kind, phrase in report.phrases.items():
        if kind in curved_kinds:
            sheet.add_legend(phrase, move_mark("fault", 1.4, _DASHES[kind]))
        elif kind in squares_by_kind:
            squares = np.unique(squares_by_kind[kind])
            sheet.draw_mark(_MARKS[kind], squares, radius=_FAULT_RADIUS, legend=phrase)
        else:
            sheet.add_legend(phrase, _MARKS.get(kind))


def tour_of(report: PathReport) -> Tour:
    """Return the tour that a valid report describes."""
    return Tour.from_ids(report.graph, report.path, report.closed, report.allows_partial)


def with_own_steps(look: Look, report: PathReport) -> Look:
    """Return a look that numbers the first step as the path of a report does."""
    return replace(look, first=int(report.steps[0]))


def _squares_by_kind(report: Report) -> dict[FaultKind, Ints]:
    """Return the squares of the faults of each kind as pairs of ids.

    A fault of one square repeats it. Faults off the board are omitted. Each row of the report's
    places has the indices in its entries of the squares of one fault: one or two.
    """
    found: dict[FaultKind, list[Ints]] = {}
    for kind, rows in report.places.items():
        indices = _around_gaps(rows) if kind is FaultKind.NO_STEP else rows
        if indices.size and kind is not FaultKind.OFF_BOARD:
            found[kind] = [_pairs_on_board(report, indices)]
    for fault in report.joint_faults:
        square = fault.squares[0]
        found.setdefault(fault.kind, []).append(np.array([[square, square]]))
    return {kind: np.concatenate(pairs) for kind, pairs in found.items()}


def _pairs_on_board(report: Report, indices: Ints) -> Ints:
    """Return the pairs of squares of faults, given by the indices of two entries of the report."""
    pairs = report.entries[indices]
    return np.asarray(pairs[on_board(report.graph, pairs).all(axis=1)].astype(np.int64))


def _around_gaps(rows: Ints) -> Ints:
    """Return the indices of the entries before and after each gap in the steps, as pairs.

    A gap has no square. Its row begins with the index of the entry after it; a gap before the first
    entry is omitted.
    """
    after = rows[rows[:, 0] > 0, :1]
    return np.concatenate([after - 1, after], axis=1)


def _curves(ends: Points) -> Points:
    """Return curves as chains of lines, so that several between the same squares do not overlap.

    ``ends`` are n x 2 ends x (x, y), in pixels; the lines are m x 2 ends x (x, y).
    """
    counts: dict[frozenset[tuple[float, float]], int] = {}  # of the curves between two points
    chains: list[Points] = []
    for tail, head in ends:
        pair = frozenset([tuple(tail), tuple(head)])
        counts[pair] = counts.get(pair, 0) + 1
        across = (head - tail)[::-1] * [1, -1]
        chains.append(curve(tail, head, across * _CURVE_OFFSET * counts[pair], _LINES_IN_CURVE))
    return np.concatenate(chains)


def _write_steps(sheet: Sheet, report: PathReport, faulty: set[int]) -> None:
    """Write into each square the steps at which it is visited, if they are legible.

    Of a square with more than two steps, their number is written. Steps in ``faulty`` squares are
    darker than others.
    """
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.graph:
            visits.setdefault(square, []).append(step)
    length = max((len(str(steps[-1])) for steps in visits.values()), default=0)
    if any(len(steps) > _MAX_STEPS for steps in visits.values()):
        sheet.add_legend("3× in a square: visited three times")
    words_in: dict[str, dict[int, str]] = {"muted": {}, "ink": {}}
    for square, steps in visits.items():
        fill = "ink" if square in faulty else "muted"
        word = "·".join(map(str, steps)) if len(steps) <= _MAX_STEPS else f"{len(steps)}×"
        words_in[fill][square] = word
    for fill, words in words_in.items():
        sheet.write_words(
            list(words), words.values(), share=0.9, fill=fill, word_length=length, on_disc=True
        )
