"""Long strips from short ones: a stretch of a tour that begins and ends alike is repeated.

A cut between two columns is crossed by some moves, in the order of the tour. Where two cuts are
crossed alike, what lies between them can be passed any number of times and the tour stays one: what
transfer matrices count, read as the pumping lemma.

Here the squares are numbered down the columns, so that columns are put in by adding to numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Squares
from kt_cp.methods.circuit import solve_models
from kt_cp.methods.compose.parts import Frame, frames
from kt_cp.model.circuit import CircuitModel, build_models
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_dfs import Status

# How many columns are repeated, and how many are kept on both sides of them. On 3 x n and 4 x n a
# tour with such a stretch was found wherever one was looked for.
PERIOD = 8
MARGIN = 8

# With one or two moves across, two cuts crossed by the same moves are crossed in the same order;
# with more it may take several tours until they are.
FEW, MORE = 2, 4
TRIES = 10

# Squares whose ids are written at once, so that other arrays are small.
_CHUNK = 2**22


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
    """Return a tour of a full rectangle as ids in visiting order, or None when none was found.

    A tour of a shorter strip of the same height is solved, and lengthened between the ends. Raises
    `OutOfTime` when the clock's limit is reached.
    """
    frame = next(frame for frame in frames(instance.board) if frame.rows <= frame.columns)
    ends = sorted(frame.place(end)[1] for end in instance.ends)
    borders = itertools.pairwise([-1, *ends, frame.columns])
    stretches = [Stretch(left + 1, right - left - 1) for left, right in borders]
    for path in _short_tours(instance, frame, stretches, clock, seed):
        squares = _lengthen_all(path, frame.rows, stretches, clock)
        if squares is not None:
            for first in range(0, len(squares), _CHUNK):
                clock.check()
                part = squares[first : first + _CHUNK]
                column, row = np.divmod(part, np.int32(frame.rows))
                part[:] = frame.corner + column * np.int32(frame.right) + row * np.int32(frame.down)
            begin = instance.start if instance.closed else None
            return squares if begin is None else np.roll(squares, -int((squares == begin).argmax()))
    return None


def _short_tours(
    instance: Instance, frame: Frame, stretches: list[Stretch], clock: Clock, seed: int
) -> Iterator[Squares]:
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
            answer = solve_models(model.instance, [model], clock, seed=other)
            if answer.status is Status.IMPOSSIBLE:
                break
            if answer.squares is None:
                raise OutOfTime
            row, column = np.divmod(answer.squares, np.int32(board.columns))
            yield column * np.int32(board.rows) + row


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
        model.cp.add_linear(across, [1] * len(across), 0, crossings)
    for (source, target), literal in moves.items():
        if (source % columns < cut) != (target % columns < cut):
            other = moves[source + PERIOD, target + PERIOD]
            model.cp.add_linear([literal, other], [1, -1], 0, 0)


def _lengthen_all(
    path: Squares, rows: int, stretches: list[Stretch], clock: Clock
) -> Squares | None:
    """Put the periods back that were left out, from the left."""
    for stretch in stretches:
        if stretch.repeats:
            begin = rows * (stretch.first + MARGIN)
            longer = lengthen(path, begin, rows * PERIOD, stretch.repeats, clock)
            if longer is None:
                return None
            path = longer
    return path


def lengthen(
    path: Squares, begin: int, size: int, repeats: int, clock: Clock | None = None
) -> Squares | None:
    """Repeat the period of so many squares from ``begin`` on; None when it has no like cuts.

    Two periods in a row are one twice as long, and so on, so that few long copies are made.
    """
    if not np.array_equal(_moves(path, begin), _moves(path, begin + size)):
        return None
    periods = 1
    for bit in f"{repeats + 1:b}"[1:]:
        if clock:
            clock.check()
        path, periods = repeat(path, begin, size * periods), 2 * periods
        if bit == "1":
            path, periods = repeat(path, begin, size), periods + 1
    return path


def repeat(path: Squares, begin: int, size: int) -> Squares:
    """Repeat a period once. Its two cuts must be crossed by the same moves in the same order.

    The tour is in the period whenever it has come in by one of its cuts and not left. When it
    leaves the first copy where it would leave the period to the right, by the nth crossing of that
    cut, it comes into the second copy by the nth crossing of the other; and so back.
    """
    end = begin + size
    near, far = _crossings(path, begin) + 1, _crossings(path, end) + 1
    begins = np.unique([0, *near, *far, len(path)]).tolist()
    after_near, after_far = (
        {begins.index(one): begins.index(other) for one, other in zip(*cuts, strict=True)}
        for cuts in ((near, far), (far, near))
    )
    longer = np.empty(len(path) + np.count_nonzero((path >= begin) & (path < end)), dtype=np.int32)
    number = written = copy = 0
    while number < len(begins) - 1:
        fragment = path[begins[number] : begins[number + 1]]
        inside = begin <= fragment[0] < end
        if not inside:
            copy = int(fragment[0] >= end)
        np.add(fragment, copy * size, out=longer[written : written + len(fragment)])
        written += len(fragment)
        number += 1
        if inside and copy == 1 and number in after_near:
            number, copy = after_near[number], 0
        elif inside and copy == 0 and number in after_far:
            number, copy = after_far[number], 1
    return longer


def _crossings(path: Squares, cut: int) -> npt.NDArray[np.int64]:
    """List the visits from which the next move crosses a cut."""
    left = path < cut
    return np.flatnonzero(left[1:] != left[:-1])


def _moves(path: Squares, cut: int) -> Squares:
    """List the moves that cross a cut in the order of the tour, as seen from there."""
    visits = _crossings(path, cut)
    return np.stack([path[visits], path[visits + 1]]) - np.int32(cut)
