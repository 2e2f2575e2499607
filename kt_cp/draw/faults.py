"""The picture of a validation report: the path, with the faults marked where they are."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from kt_cp.draw.picture import Picture, Points, shapes
from kt_cp.draw.sheet import SQUARE, USUAL, Ids, Look, Mark, Sheet, disc, filled, line, shape
from kt_cp.draw.tour import tour_picture
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind, Report, on_board

_MOST_MESSAGES = 5
_MOST_STEPS = 2  # written into one square
_RING = 0.44  # radius of a mark, in squares
_BEND, _CURVE = 0.12, 12  # of an illegal move, in its length; lines that draw it

# A fault of a move is a dashed curve, a fault of a square a mark on it.
_DASHES = {FaultKind.ILLEGAL_MOVE: (7.0, 6.0), FaultKind.NOT_CLOSED: (1.0, 6.0)}
_CROSS = [(-0.6, -0.6), (0.6, 0.6), (0, 0), (0.6, -0.6), (-0.6, 0.6), (0, 0)]
_MARKS: dict[FaultKind, Mark] = {
    FaultKind.HOLE: shape(_CROSS, "fault", 0.15),
    FaultKind.REPEAT: disc(None, "fault", 0.12),
    FaultKind.ILLEGAL_MOVE: disc(None, "fault", 0.12),  # of a move that stays in its place
    FaultKind.SAME_STEP: shape(SQUARE * 0.9, "fault", 0.12),
    FaultKind.NO_STEP: shape([(-0.8, 0.9), (0.8, 0.9)], "fault", 0.15),
    FaultKind.SPLIT: shape([(0, -1), (1, 0), (0, 1), (-1, 0)], "fault", 0.12),
    FaultKind.NOT_CLOSED: shape([(0, -1), (1, 1), (-1, 1)], "fault", 0.12),
    FaultKind.MISSING: filled("missing"),
}


def report_picture(report: Report, look: Look = USUAL) -> Picture:
    """Describe the picture of a report, in which what is right is faint.

    The caption is the verdict unless given; each faulty square has one mark of a kind.
    """
    if report.valid:
        return tour_picture(*as_tour(report, look))
    sheet = Sheet(report.graph, report.verdict, look)
    sheet.fill("missing", report.missing)
    sheet.moves(report.legal_moves, "faint", 0.75)
    placed = _placed(report)
    curved = [kind for kind in _DASHES if kind in placed and np.ptp(placed[kind], axis=1).any()]
    for kind in curved:
        curves, width = _curves(sheet.centers(placed[kind])), 1.4 * sheet.line_width
        sheet.elements.append(shapes("fault", curves, "fault", width, dashes=_DASHES[kind]))
    _write_steps(sheet, report, {int(square) for rows in placed.values() for square in rows.flat})
    for kind, phrase in report.phrases.items():
        if kind in curved:
            sheet.tell(phrase, line("fault", 0.5, _DASHES[kind]))
        elif kind in placed:
            sheet.mark(_MARKS[kind], np.unique(placed[kind]), _RING, phrase)
        else:
            sheet.tell(phrase, _MARKS.get(kind))
    sheet.words(report.missing, "?" * len(report.missing))
    messages = [fault.message for fault in itertools.islice(report.iter_faults(), _MOST_MESSAGES)]
    return sheet.finish(f"{report.verdict}: {'; '.join(messages)}")


def as_tour(report: Report, look: Look = USUAL) -> tuple[Tour, Look]:
    """Return the tour that a valid report is about, and the look with the steps' own numbers."""
    if report.steps is not None:
        look = replace(look, first=int(report.steps[0]))
    return Tour.of_ids(report.graph, report.path, report.closed), look


def _placed(report: Report) -> dict[FaultKind, Ids]:
    """Return for each kind of fault the squares where it is: rows of two, which may be the same."""
    entries = report.path if report.moves is None else report.moves.ravel()
    found: dict[FaultKind, list[Ids]] = {}
    for kind, rows in report.places.items():
        if kind is FaultKind.NO_STEP:  # a gap has no square, but those before and after it
            rows = rows[rows[:, 0] > 0, :1] + np.array([-1, 0])
        if rows.size and kind is not FaultKind.OFF_BOARD:
            pairs = entries[rows]
            found[kind] = [pairs[on_board(report.graph, pairs).all(axis=1)].astype(np.int64)]
    for kind, _, squares in report.apart:
        if squares:
            found.setdefault(kind, []).append(np.array([squares[:1] * 2]))
    return {kind: np.concatenate(parts) for kind, parts in found.items()}


def _curves(ends: Points) -> Points:
    """Return curves as chains of lines, bent aside the more, the more moves join two squares."""
    seen: dict[frozenset[tuple[float, float]], int] = {}
    chains: list[Points] = []
    part = np.linspace(0, 1, _CURVE + 1)[:, None]
    for tail, head in ends:
        pair = frozenset([tuple(tail), tuple(head)])
        seen[pair] = seen.get(pair, 0) + 1
        aside = (head - tail)[::-1] * [1, -1] * _BEND * seen[pair]
        control = (tail + head) / 2 + 2 * aside
        points = (1 - part) ** 2 * tail + 2 * part * (1 - part) * control + part**2 * head
        chains.append(np.stack([points[:-1], points[1:]], axis=1))
    return np.concatenate(chains)


def _write_steps(sheet: Sheet, report: Report, faulty: set[int]) -> None:
    """Write into each square the steps at which it is visited, where there is room."""
    if report.steps is None:
        return
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.graph:
            visits.setdefault(square, []).append(step)
    letters = max((len(str(steps[-1])) for steps in visits.values()), default=0)
    for fill, is_chosen in (("muted", False), ("ink", True)):
        words = {
            square: ",".join(map(str, steps)) if len(steps) <= _MOST_STEPS else f"{len(steps)}×"
            for square, steps in visits.items()
            if (square in faulty) is is_chosen
        }
        sheet.words([*words], words.values(), 0.9, fill, letters=letters, blank=True)
