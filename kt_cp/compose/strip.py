"""Long strips from short ones: a stretch of a tour that begins and ends alike is repeated.

A cut between two columns is crossed by some moves, in the order of the tour. Where two cuts are
crossed alike, what lies between them can be passed any number of times and the tour stays one: what
transfer matrices count, read as the pumping lemma.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Squares
from kt_cp.clock import Clock, OutOfTime
from kt_cp.compose.parts import Frame, Places, frames
from kt_cp.instance import Instance
from kt_cp.model.circuit import CircuitModel, build_models
from kt_cp.model.portfolio import solve_models

# How many columns are repeated, and how many are kept on both sides of them. On 3 x n and 4 x n a
# tour with such a stretch was found wherever one was looked for.
PERIOD = 8
MARGIN = 8

# With one or two moves across, two cuts crossed by the same moves are crossed in the same order;
# with more it may take several tours until they are.
FEW, MORE = 2, 4
TRIES = 10


@dataclass(frozen=True)
class Stretch:
    """Columns without an end of the tour: the first, and how many."""

    first: int
    length: int

    @property
    def repeats(self) -> int:
        """How many periods are left out of the short strip."""
        return max(0, (self.length - 2 * MARGIN) // PERIOD - 1)


def compose_strip(instance: Instance, clock: Clock, seed: int = 0) -> Squares | None:
    """Give a tour of a full rectangle as ids in visiting order, or None when none was found.

    A tour of a shorter strip of the same height is solved, and lengthened between the ends. Raises
    `OutOfTime` when the clock's limit is reached.
    """
    frame = next(frame for frame in frames(instance.board) if frame.rows <= frame.columns)
    ends = sorted(frame.place(end)[1] for end in instance.ends)
    borders = itertools.pairwise([-1, *ends, frame.columns])
    stretches = [Stretch(left + 1, right - left - 1) for left, right in borders]
    for places in _short_tours(instance, frame, stretches, clock, seed):
        longer = _lengthen_all(places, stretches)
        if longer is not None:
            squares = frame.ids(longer) + np.int32(frame.corner)
            begin = instance.start if instance.closed else None
            shift = 0 if begin is None else int(np.flatnonzero(squares == begin)[0])
            return np.roll(squares, -shift)
    return None


def _short_tours(
    instance: Instance, frame: Frame, stretches: list[Stretch], clock: Clock, seed: int
) -> Iterator[Places]:
    """Yield tours of the short strip, each with cuts crossed by the same moves."""

    def shorter(column: int) -> int:
        return column - PERIOD * sum(s.repeats for s in stretches if s.first <= column)

    board = Board(frame.rows, shorter(frame.columns))
    start, end = (
        None if square is None else row * board.columns + shorter(column)
        for square in (None if instance.closed else instance.start, instance.end)
        for row, column in [frame.place(square or 0)]
    )
    short = Instance(board, closed=instance.closed, start=start, end=end)
    cuts = [shorter(s.first) + s.repeats * PERIOD + MARGIN for s in stretches if s.repeats]
    for crossings, tries in ((FEW, 1), (MORE, TRIES)):
        for other in range(seed, seed + tries):
            [model] = build_models(short, clock)
            for cut in cuts:
                cross_alike(model, cut, crossings)
            answer = solve_models([model], clock, seed=other)
            if answer.exhausted:
                break
            if answer.squares is None:
                raise OutOfTime
            yield np.stack(np.divmod(answer.squares, board.columns), axis=1)


def cross_alike(model: CircuitModel, cut: int, crossings: int) -> None:
    """The cut left of a column and that a period further are crossed by the same few moves."""
    columns = model.instance.board.columns
    moves = {arc: literal for arc, literal in model.arcs.items() if model.depot not in arc}
    for place in (cut, cut + PERIOD):
        across = [
            literal
            for (source, target), literal in moves.items()
            if (source % columns < place) != (target % columns < place)
        ]
        model.cp.add(sum(across) <= crossings)
    for (source, target), literal in moves.items():
        if (source % columns < cut) != (target % columns < cut):
            model.cp.add(literal == moves[source + PERIOD, target + PERIOD])


def _lengthen_all(places: Places, stretches: list[Stretch]) -> Places | None:
    """Put the periods back that were left out, from the left."""
    for stretch in stretches:
        if stretch.repeats:
            longer = lengthen(places, stretch.first + MARGIN, stretch.repeats)
            if longer is None:
                return None
            places = longer
    return places


def lengthen(places: Places, cut: int, repeats: int) -> Places | None:
    """Repeat the period that begins at a cut; None when its two cuts are not crossed alike.

    A tour crosses the two cuts at certain visits. When the nth crossings of both are the same move,
    a copy of the period that is left by its nth way out is followed by the next copy's nth way in.
    """
    near, far = _crossings(places, cut), _crossings(places, cut + PERIOD)
    if not np.array_equal(_moves(places, near, cut), _moves(places, far, cut + PERIOD)):
        return None
    begins = np.unique([0, *(near + 1), *(far + 1)]).tolist()
    fragments = np.split(places, begins[1:])
    after_near = {begins.index(n + 1): begins.index(f + 1) for n, f in zip(near, far, strict=True)}
    after_far = {follower: leader for leader, follower in after_near.items()}
    pieces, number, copy = [], 0, 0
    while number < len(fragments):
        fragment = fragments[number]
        column = int(fragment[0, 1])
        copy = 0 if column < cut else repeats if column >= cut + PERIOD else copy
        pieces.append(fragment + np.array([0, copy * PERIOD], dtype=np.int32))
        number += 1
        inside = cut <= column < cut + PERIOD
        if inside and number in after_near and copy > 0:
            number, copy = after_near[number], copy - 1
        elif inside and number in after_far and copy < repeats:
            number, copy = after_far[number], copy + 1
    return np.concatenate(pieces)


def _crossings(places: Places, cut: int) -> npt.NDArray[np.int64]:
    """List the visits from which the next move crosses a cut."""
    left = places[:, 1] < cut
    return np.flatnonzero(left[1:] != left[:-1])


def _moves(places: Places, visits: npt.NDArray[np.int64], cut: int) -> Places:
    """List the moves from these visits on, as seen from a cut."""
    ends = np.stack([places[visits], places[visits + 1]], axis=1)
    return ends - np.array([0, cut], dtype=np.int32)
