"""The picture of a validation report: the path, with the faults marked where they are."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from kt_cp.draw.picture import Discs, Layer, Picture, Points, Shapes
from kt_cp.draw.sheet import (
    DISC,
    SQUARE,
    USUAL,
    Entry,
    Ids,
    Look,
    Mark,
    Sheet,
    board_layers,
    disc,
    filled,
    finish,
    lay_out,
    line,
    shape,
    unmarked,
)
from kt_cp.draw.tour import segments, tour_picture
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind, Report, on_board

_MOST_MESSAGES = 5
_MOST_STEPS = 2  # written into one square
_RING = 0.44  # radius of a mark, in squares
_BEND, _CURVE = 0.12, 12  # of an illegal move, in its length; lines that draw it

# A fault of a move is a dashed curve, a fault of a square a mark on it.
_DASHES = {FaultKind.ILLEGAL_MOVE: (7.0, 6.0), FaultKind.NOT_CLOSED: (1.0, 6.0)}
_MARKS: dict[FaultKind, Mark] = {
    FaultKind.OFF_BOARD: unmarked,
    FaultKind.HOLE: shape(
        [(-0.6, -0.6), (0.6, 0.6), (0, 0), (0.6, -0.6), (-0.6, 0.6), (0, 0)], "fault", 0.15
    ),
    FaultKind.REPEAT: disc(None, "fault", 0.12),
    FaultKind.SAME_STEP: shape(SQUARE * 0.9, "fault", 0.12),
    FaultKind.NO_STEP: shape([(-0.8, 0.9), (0.8, 0.9)], "fault", 0.15),
    FaultKind.SPLIT: shape([(0, -1), (1, 0), (0, 1), (-1, 0)], "fault", 0.12),
    FaultKind.NOT_CLOSED: shape([(0, -1), (1, 1), (-1, 1)], "fault", 0.12),
    FaultKind.MISSING: filled("missing"),
}


def report_picture(report: Report, look: Look = USUAL) -> Picture:
    """Describe the picture of a report; the caption is its verdict unless given.

    A valid path is drawn as the tour that it is. What is right is faint, and each faulty square has
    one mark of a kind. What has no place on the board, such as a step off it, is counted in the
    legend.

    >>> from kt_cp import Board, validate
    >>> report_picture(validate(Board(2, 2), [0, 1])).description
    "not a tour: 1 illegal move, 2 squares missing: step 1 to 2: 0 (a2) to 1 (b2) is not a \
knight's move; square 2 (a1) is not visited; square 3 (b1) is not visited"
    """
    if report.valid:
        return tour_picture(*as_tour(report, look))
    sheet = lay_out(report.board, report.verdict, look)
    lines = [Shapes("move", segments(sheet, report.legal_moves), "faint", 0.75 * sheet.line_width)]
    marks: list[Layer] = []
    legend: list[Entry] = []
    placed = _placed(report)
    for kind, phrase in report.phrases.items():
        squares = placed.get(kind, np.empty((0, 2), dtype=np.int64))
        mark = _MARKS.get(kind, unmarked)
        if kind in _DASHES and kind in placed:
            width, dashes = 1.4 * sheet.line_width, _DASHES[kind]
            curves = _curves(sheet.centers(squares))
            lines.append(Shapes("fault", curves, "fault", width, dashes=dashes))
            mark = line("fault", 0.5, dashes)
        elif len(squares):
            marks += sheet.mark(mark, np.unique(squares), _RING)
        legend.append((mark, phrase))
    faulty = {square for squares in placed.values() for square in squares.ravel().tolist()}
    layers = [*board_layers(sheet, {"missing": report.missing}), *lines]
    layers += [*_steps(sheet, report, faulty), *marks]
    layers += sheet.words(report.missing, "?" * len(report.missing))
    messages = [fault.message for fault in itertools.islice(report.iter_faults(), _MOST_MESSAGES)]
    more = "; …" if sum(report.counts.values()) > _MOST_MESSAGES else ""
    description = f"{report.verdict}: {'; '.join(messages)}{more}"
    return finish(sheet, layers, legend, description)


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
        if rows.size:
            pairs = entries[rows]
            found[kind] = [pairs[on_board(report.graph, pairs).all(axis=1)].astype(np.int64)]
    for kind, _, squares in report.apart:
        if squares:
            found.setdefault(kind, []).append(np.array([squares[:1] * 2]))
    return {kind: np.concatenate(parts) for kind, parts in found.items()}


def _curves(ends: Points) -> Points:
    """Return curves as chains of lines; each is bent aside, so that moves that overlap differ.

    The bend grows with each move between the same squares.
    """
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


def _steps(sheet: Sheet, report: Report, faulty: set[int]) -> list[Layer]:
    """Write into each square the steps at which it is visited, where there is room."""
    if report.steps is None:
        return []
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.board:
            visits.setdefault(square, []).append(step)
    letters = max((len(str(steps[-1])) for steps in visits.values()), default=0)
    chosen: dict[str, dict[int, str]] = {"muted": {}, "ink": {}, "fault": {}}
    for square, steps in visits.items():
        word = ",".join(map(str, steps)) if len(steps) <= _MOST_STEPS else f"{len(steps)}×"
        fill = "fault" if len(steps) > 1 else "ink" if square in faulty else "muted"
        chosen[fill][square] = word
    layers: list[Layer] = []
    for fill, words in chosen.items():
        room = 0.95 if fill == "fault" else 0.8
        texts = sheet.words([*words], words.values(), room, fill, letters=letters)
        blank = Discs(sheet.centers([*words]), DISC * sheet.cell, "light")
        layers += [blank, *texts] if texts else []
    return layers
