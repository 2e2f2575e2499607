"""Count tours without listing them, by dynamic programming over partial tours.

The squares are taken in a fixed order, and each chooses its moves to later squares. What has been
chosen is then a set of paths, of which only the *frontier* matters for the rest: the later squares
next to earlier ones. Each of them is untouched, finished (its moves are known), or one end of a
path, whose other end, its *mate*, is on the frontier too. Partial tours that agree in this are
counted together: they are one *state*. An open tour is a closed one through a depot joined to every
possible end.

The states after a square are advanced all at once with NumPy. After D. E. Knuth, *The Art of
Computer Programming*, pre-fascicle 8A, and J. Kawahara, T. Inoue, H. Iwashita and S. Minato,
"Frontier-based search for enumerating all constrained subgraphs with compressed representation",
IEICE Transactions on Fundamentals E100-A (2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.count.frontier_plan import (
    Choice,
    Plan,
    Progress,
    Step,
    Words,
    carry,
    digits_for,
    number_of,
    with_digits,
)
from kt_cp.problem.clock import Clock

States = npt.NDArray[np.signedinteger]
"""A row for each state: the position of the mate of each vertex of the frontier.

An untouched vertex is its own mate.
"""

_FINISHED = -1  # in place of a mate
_CHUNK = 2**16  # states that are advanced in one go
_MIXER = 0x9E3779B97F4A7C15


@dataclass(frozen=True, eq=False)
class Layer:
    """States, each once, and the digits of the number of partial tours that each stands for.

    The digits are the first axis of the ``counts``.
    """

    states: States
    counts: Words

    def __len__(self) -> int:
        """The number of states."""
        return len(self.states)

    @property
    def nbytes(self) -> int:
        """The memory taken."""
        return self.states.nbytes + self.counts.nbytes

    @property
    def total(self) -> int:
        """The number of partial tours."""
        return number_of(self.counts.sum(axis=1).tolist())

    def take(self, rows: npt.NDArray[np.integer] | slice) -> Layer:
        """Return some of the states, with their counts."""
        return Layer(self.states[rows], self.counts[:, rows])

    def chunks(self) -> Iterator[Layer]:
        """Yield parts of the layer that are advanced in one go."""
        for start in range(0, len(self), _CHUNK):
            yield self.take(slice(start, start + _CHUNK))


@dataclass(frozen=True)
class Way:
    """A way to go on: at which step, by which choice, from which state, in how many tours."""

    step: int
    choice: Choice
    state: bytes
    count: int


def count_by_frontier(
    plan: Plan, clock: Clock, memory: float, progress: Progress | None = None
) -> int:
    """Return the number of tours: closed ones in one direction, open ones in both.

    ``memory`` is the limit in bytes. Raises `OutOfTime` and `OutOfMemory`.

    >>> from kt_cp.problem.instance import Instance
    >>> plan = Plan(Instance.of("5x20", closed=True))
    >>> plan.width, count_by_frontier(plan, Clock(None), memory=2**30)
    (11, 53034853662012222798)
    """
    progress = progress or Progress(plan)

    def watch(done: int, layer: Layer) -> None:
        if done:
            progress.add_layer(len(layer), layer.nbytes)

    if plan.is_single:
        return 1 - plan.instance.closed
    return plan.directions * sum(closing.count for closing in run(plan, clock, memory, watch))


def run(
    plan: Plan, clock: Clock, memory: float, watch: Callable[[int, Layer], None]
) -> Iterator[Way]:
    """Advance the states square by square, and yield every way in which tours are closed.

    ``watch`` is called before each step with its number and the states.
    """
    positions = np.int8 if plan.width < 127 else np.int32
    layer = Layer(np.zeros((1, 0), positions), np.ones((1, 1), np.uint64))
    for number, step in enumerate(plan.steps):
        clock.check()
        watch(number, layer)
        if step.closings:
            yield from _closed(number, step, layer)
        digits = digits_for(layer.total * max(1, len(step.choices)), len(layer.counts))
        layer = Layer(layer.states, with_digits(layer.counts, digits))
        pieces, taken = list[Layer](), layer.nbytes
        for chunk in layer.chunks():
            clock.check()
            for _, rows, states in moves(step, chunk.states):
                pieces.append(Layer(states, chunk.counts[:, rows]))
                taken += 3 * pieces[-1].nbytes  # they are put together, and sorted
            if taken > memory:
                raise plan.out_of_memory(number, f"{len(layer):,} states")
        if not pieces:
            return
        layer = _merged(pieces)


def _closed(number: int, step: Step, layer: Layer) -> Iterator[Way]:
    """Yield the ways to close a tour: one path is left, all other vertices are finished."""
    states = _entered(step, layer.states)
    for choice in step.closings:
        one, other = choice if len(choice) == 2 else (0, *choice)
        wanted = np.full(states.shape[1], _FINISHED)
        wanted[0] = 0  # untouched, if it is neither end
        wanted[[one, other]] = other, one
        found = np.flatnonzero((states == wanted).all(axis=1))
        if len(found):
            closed = layer.take(found)
            yield Way(number, choice, closed.states[0].tobytes(), closed.total)


def _entered(step: Step, states: States) -> States:
    """Return the states with the untouched vertices that a step puts in."""
    for at in step.entering:
        states = np.insert(states + (states >= at), at, at, axis=1)
    return states


def moves(step: Step, states: States) -> Iterator[tuple[Choice, npt.NDArray[np.intp], States]]:
    """Yield each choice, the rows of the states that allow it, and the states that result.

    States that can no longer be completed, as far as can be told at once, are left out.
    """
    states = _entered(step, states)
    mates = states.T.copy()
    own = mates[0]
    for choice in step.choices:
        if not choice:
            rows = np.flatnonzero(own == _FINISHED)
            after = states.take(rows, axis=0)
        else:
            one, other = choice if len(choice) == 2 else (0, *choice)
            far, other_far = mates[one], mates[other]
            fit = (far != _FINISHED) & (other_far != _FINISHED) & (far != other)
            rows = np.flatnonzero(fit & ((own == 0) if len(choice) == 2 else (own > 0)))
            far, other_far, after = far[rows], other_far[rows], states.take(rows, axis=0)
            after[:, [one, other]] = _FINISHED
            line = np.arange(len(rows))
            after[line, far], after[line, other_far] = other_far, far
        good = np.ones(len(rows), dtype=np.bool_)
        for at, left in step.due:
            good &= after[:, at] == _FINISHED if left == 0 else after[:, at] != at
        if not good.all():
            rows, after = rows[good], after.compress(good, axis=0)
        if len(rows):
            after -= after > 0  # the vertex itself leaves
            yield choice, rows, after[:, 1:]


def hash_states(states: States) -> Words:
    """Return a key of each state; equal states have equal keys."""
    return _keys(_packed(states))


def _packed(states: States) -> Words:
    """Return the states in words, one below the other."""
    size = states.shape[1]
    words = np.zeros((len(states), size * states.itemsize // 8 + 1), dtype=np.uint64)
    words.view(states.dtype)[:, :size] = states
    return words


def _keys(words: Words) -> Words:
    keys = words[:, 0] * np.uint64(_MIXER)
    for column in words.T[1:]:
        keys = (keys ^ column) * np.uint64(_MIXER)
    return keys


def _merged(pieces: list[Layer]) -> Layer:
    """Return the states of all pieces as one layer, equal ones as one; empties the list.

    States may stay apart if others have the same key; that changes no count.
    """
    positions, size = pieces[0].states.dtype, pieces[0].states.shape[1]
    words = np.concatenate([_packed(piece.states) for piece in pieces])
    counts = np.concatenate([piece.counts for piece in pieces], axis=1)
    pieces.clear()
    order = np.argsort(_keys(words))
    words, counts = words.take(order, axis=0), counts.take(order, axis=1)
    fresh = np.ones(len(words), dtype=np.bool_)
    fresh[1:] = False
    for column in words.T:
        fresh[1:] |= column[1:] != column[:-1]
    first = np.flatnonzero(fresh)
    counts = np.add.reduceat(counts, first, axis=1)
    carry(counts)
    return Layer(words.take(first, axis=0).view(positions)[:, :size], counts)
