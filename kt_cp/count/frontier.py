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

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.count.cost import CountProgress, OutOfMemoryError
from kt_cp.count.plan import (
    END,
    UNTOUCHED,
    Closing,
    FrontierStep,
    Plan,
    ends_joined,
)
from kt_cp.count.tables import (
    Tables,
    Words,
    carry,
    digits_for,
    number_of,
    numbers,
    with_digits,
)
from kt_cp.problem.task import SECONDS_PER_EDGE, Clock

Mates = npt.NDArray[np.signedinteger]
"""A row for each state: the position of the mate of each vertex of the frontier.

An untouched vertex is its own mate.
"""

_FINISHED = -1  # in place of a mate
_CHUNK = 2**16  # states that are advanced in one go
_MIXER = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio: Fibonacci hashing (Knuth)


@dataclass(frozen=True, eq=False)
class States:
    """Distinct states, and for each the digits of the number of its partial tours.

    The digits are the first axis of the ``counts``. The last three fields are only for
    `kt_cp.count.sampling`: state i was reached in the ways from ``bounds[i]`` to below
    ``bounds[i + 1]``, way j from row ``sources[j]`` of the layer before, by the choice numbered
    ``choices[j]``.
    """

    mates: Mates
    counts: Words
    sources: Ints
    choices: Ints
    bounds: Ints

    @classmethod
    def initial(cls, plan: Plan) -> States:
        """Return the state before the first step: one partial tour, and no frontier."""
        positions = np.int8 if plan.width < 127 else np.int32
        none = np.zeros(0, dtype=np.int32)
        return cls(np.zeros((1, 0), positions), np.ones((1, 1), np.uint64), none, none, none)

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.mates)

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return self.mates.nbytes + self.counts.nbytes + 3 * self.sources.nbytes

    def advance(
        self, step: FrontierStep, memory: float, check: Callable[[], None]
    ) -> tuple[States, Counter[int]]:
        """Return the states after a step, and how many tours of each prefix it closes.

        ``check`` is called now and then, and may raise an exception to stop the count. Raises
        `OutOfMemoryError` before more than ``memory`` bytes are used.
        """
        closed = Counter[int]()
        for closing, rows in self.closings(step):
            closed[closing.prefix] += sum(numbers(self.counts[:, rows]))
        total = number_of(self.counts.sum(axis=1).tolist())
        counts = with_digits(self.counts, digits_for(total * max(1, len(step.choices))))
        pieces = list[_Piece]()
        used_bytes = self.nbytes
        for start in range(0, self.size, _CHUNK):
            check()
            for choice, rows, mates in _transitions(step, self.mates[start : start + _CHUNK]):
                rows += start
                choices = np.full(len(rows), choice, dtype=np.int32)
                piece = _Piece(mates, counts[:, rows], rows.astype(np.int32), choices)
                pieces.append(piece)
                piece_bytes = mates.nbytes + piece.counts.nbytes + 3 * piece.sources.nbytes
                used_bytes += 3 * piece_bytes  # the pieces, their concatenation, the result
            if used_bytes > memory:
                raise OutOfMemoryError(f"{self.size:,} states")
        return _merge_pieces(pieces), closed

    def closings(self, step: FrontierStep) -> Iterator[tuple[Closing, npt.NDArray[np.intp]]]:
        """Yield each way to close a tour, with the indices of the states that allow it.

        In these states there is a single path, whose ends the choice joins; all other vertices of
        the prefix are finished, and those beyond it are untouched.
        """
        if not step.closings:
            return
        is_end = (self.mates != _FINISHED) & (self.mates != np.arange(self.mates.shape[1]))
        candidates = np.flatnonzero(is_end.sum(axis=1) == 2)
        mates = _insert_untouched(step, self.mates[candidates])
        for closing in step.closings:
            types = np.array(closing.types)
            closing_mates = np.where(types == UNTOUCHED, np.arange(len(types)), _FINISHED)
            one, other = np.flatnonzero(types == END)
            closing_mates[one] = other
            closing_mates[other] = one
            yield closing, candidates[(mates == closing_mates).all(axis=1)]


class _Piece(NamedTuple):
    """States that one choice leads to, some of which may be equal to those of other pieces.

    Each state is reached from the row of the layer before in ``sources``, by the choice numbered in
    ``choices``.
    """

    mates: Mates
    counts: Words
    sources: Ints
    choices: Ints


def _transitions(
    step: FrontierStep, states: Mates
) -> Iterator[tuple[int, npt.NDArray[np.intp], Mates]]:
    """Yield the number of each choice, the rows that allow it, and the states that result.

    States that obviously cannot be completed are left out.
    """
    states = _insert_untouched(step, states)
    columns = states.T.copy()  # of mates: faster to read by position
    # To choose no neighbor the node must be finished, to choose one it must be the end of a path,
    # and to choose two it must be untouched.
    own = columns[0]
    allowed = (own == _FINISHED, own > 0, own == 0)  # by the number of neighbors chosen
    for number, choice in enumerate(step.choices):
        is_allowed = allowed[len(choice)]
        if choice:
            one, other = ends_joined(choice)
            is_allowed = is_allowed & (columns[one] != _FINISHED) & (columns[other] != _FINISHED)
            is_allowed &= columns[one] != other  # joining the ends of a path would close a cycle
        rows = np.flatnonzero(is_allowed)
        after = states.take(rows, axis=0)
        if choice:
            mate_of_one, mate_of_other = columns[one, rows], columns[other, rows]
            # First these two are finished, then their mates become mates: an untouched vertex is
            # its own mate, and remains an end.
            after[:, [one, other]] = _FINISHED
            every_state = np.arange(len(rows))
            after[every_state, mate_of_one] = mate_of_other
            after[every_state, mate_of_other] = mate_of_one
        possible = np.ones(len(after), dtype=np.bool_)
        for position, excluded in step.excluded:
            mates = after[:, position]
            is_untouched = mates == position
            if excluded == UNTOUCHED:
                possible &= ~is_untouched
            else:  # it is not the end of a path
                possible &= is_untouched | (mates == _FINISHED)
        rows, after = rows[possible], after.compress(possible, axis=0)
        shift = (after > 0).astype(after.dtype)  # 1 for all positions but that which leaves
        after -= shift
        yield number, rows, after[:, 1:]


def _insert_untouched(step: FrontierStep, mates: Mates) -> Mates:
    """Insert the untouched vertices that enter the frontier at a step."""
    for position in step.entering:
        shift = (mates >= position).astype(mates.dtype)  # 1 where the position grows
        mates = np.insert(mates + shift, position, position, axis=1)
    return mates


def _merge_pieces(pieces: list[_Piece]) -> States:
    """Merge equal states of all pieces, and empty the list.

    States are sorted by a hash. Where different states have the same hash, equal ones may stay
    unmerged, which changes no count.
    """
    mates = np.concatenate([piece.mates for piece in pieces])
    counts = np.concatenate([piece.counts for piece in pieces], axis=1)
    sources = np.concatenate([piece.sources for piece in pieces])
    choices = np.concatenate([piece.choices for piece in pieces])
    pieces.clear()
    # The mates of each state as a row of 64-bit words, padded with zeros.
    width = mates.shape[1]
    words = np.zeros((len(mates), width * mates.itemsize // 8 + 1), dtype=np.uint64)
    words.view(mates.dtype)[:, :width] = mates
    hashes = words[:, 0] * np.uint64(_MIXER)
    for column in words.T[1:]:
        hashes = (hashes ^ column) * np.uint64(_MIXER)
    order = np.argsort(hashes)
    words = words.take(order, axis=0)
    differs = np.ones(len(words), dtype=np.bool_)  # from the state before it
    differs[1:] = (words[1:] != words[:-1]).any(axis=1)
    first = np.flatnonzero(differs)
    counts = counts.take(order, axis=1)
    if len(first):
        counts = np.add.reduceat(counts, first, axis=1)
    carry(counts)
    bounds = np.append(first, len(order)).astype(np.int32)
    return States(mates.take(order[first], axis=0), counts, sources[order], choices[order], bounds)


# -- counting square by square ------------------------------------------------------------------

Layer = TypeVar("Layer", States, Tables)


def count_in_memory(plan: Plan, clock: Clock, memory: float, progress: CountProgress) -> int:
    """Return the number of tours: closed ones in one direction, open ones in both.

    ``memory`` is the limit in bytes. Raises `OutOfTimeError` and `OutOfMemoryError`.

    >>> from kt_cp.problem.instance import Instance
    >>> plan = Plan(Instance.of("5x20", closed=True))
    >>> plan.width, count_in_memory(plan, Clock(None), 2**30, CountProgress(plan.expected))
    (10, 53034853662012222798)
    """
    *_, (_, count) = count_prefixes_in_memory(plan, clock, memory, progress)
    return count


def count_prefixes_in_memory(
    plan: Plan, clock: Clock, memory: float, progress: CountProgress
) -> Iterator[tuple[int, int]]:
    """Yield each prefix of a plan and the number of its tours, as soon as that is known.

    Raises `OutOfTimeError` and `OutOfMemoryError`.
    """
    layers: Iterator[tuple[States | Tables, Counter[int]]] = (
        sweep(plan, Tables.initial(), clock, memory)
        if plan.suits_tables
        else sweep(plan, States.initial(plan), clock, memory)
    )
    closed = Counter[int]()
    pending = sorted(plan.prefixes)  # the largest is known only when the sweep has ended
    for number, (layer, step_closed) in enumerate(layers, start=1):
        progress.add(layer.size, layer.nbytes)
        closed += step_closed
        while len(pending) > 1 and number >= pending[0]:
            prefix = pending.pop(0)
            yield prefix, plan.total(prefix, closed[prefix])
    for prefix in pending:
        yield prefix, plan.total(prefix, closed[prefix])


def sweep(
    plan: Plan, layer: Layer, clock: Clock, memory: float
) -> Iterator[tuple[Layer, Counter[int]]]:
    """Yield the states after each step, until there are none, and the tours that the step closes.

    The given layer may be emptied, since `Tables.advance` empties its object. Raises
    `OutOfTimeError` and `OutOfMemoryError`.
    """
    clock.check(SECONDS_PER_EDGE * sum(plan.widths))
    for number, step in enumerate(plan.steps):
        clock.check()
        is_empty = layer.nbytes == 0  # the ``size`` of tables would scan all counts
        if is_empty or not step.choices:
            return
        try:
            layer, closed = layer.advance(step, memory, clock.check)
        except OutOfMemoryError as error:
            raise plan.out_of_memory(number, error) from None
        yield layer, closed
