"""Count tours without listing them, by dynamic programming over partial tours.

The squares are taken in a fixed order, and each chooses its moves to later squares. What has been
chosen is then a set of paths, of which only the *frontier* matters for the rest: the later squares
next to earlier ones. Each of them is untouched, finished (it has both its moves), or one end of a
path, whose other end is on the frontier too. Partial tours that agree in this are counted together:
they are one *state*. An open tour is a closed one through a depot joined to every possible end.

The states after a square are advanced all at once with NumPy. After D. E. Knuth, *The Art of
Computer Programming*, pre-fascicle 8A, and J. Kawahara, T. Inoue, H. Iwashita and S. Minato,
"Frontier-based search for enumerating all constrained subgraphs with compressed representation",
IEICE Transactions on Fundamentals E100-A (2017).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.count.frontier_plan import (
    GROWTH,
    MAX_WIDTH,
    Choice,
    OutOfMemory,
    Packing,
    Plan,
    Progress,
    Row,
    State,
    Step,
    Words,
    carry,
    digits_for,
    number_of,
    with_digits,
)  # fmt: skip
from kt_cp.count.pairings import ENDS, count_pairings
from kt_cp.errors import InputError, shown_number
from kt_cp.problem.clock import Clock

Columns = npt.NDArray[np.intp]

_CHUNK = 2**18  # words of states that are advanced or sorted in one go
_MIXER = 0x9E3779B97F4A7C15
_MANY = 2**18  # states, in a layer, that are counted fast enough one by one
_CROWDED = 0.01  # part of all pairings that occur, from which on tables are faster


@dataclass(frozen=True, eq=False)
class Layer:
    """States, each once, and for each the number of partial tours that it stands for."""

    states: Words
    counts: Words

    def __len__(self) -> int:
        """The number of states."""
        return int(self.states.shape[1])

    @property
    def nbytes(self) -> int:
        """The memory taken."""
        return self.states.nbytes + self.counts.nbytes

    @property
    def total(self) -> int:
        """The number of partial tours."""
        return number_of(self.counts.sum(axis=1).tolist())

    def take(self, columns: npt.NDArray[np.integer]) -> Layer:
        """Return some of the states, with their counts."""
        return Layer(self.states.take(columns, axis=1), self.counts.take(columns, axis=1))


@dataclass(frozen=True)
class Way:
    """A way to go on: at which step, by which choice, from which state, in how many tours."""

    step: int
    choice: Choice
    state: State
    count: int


def memory_of(limit: float | None) -> float:
    """Return a limit in MiB as bytes; without one, three quarters of the memory that is free.

    Raises `InputError` for a limit that is not a positive number.
    """
    import psutil

    if limit is None:
        return 0.75 * float(psutil.virtual_memory().available)
    if not limit > 0:
        raise InputError(f"memory limit {shown_number(limit)}: give a number of MiB above 0")
    return limit * 2**20


class Crowded(Exception):  # noqa: N818 - an answer, not an error
    """There are so many states that tables hold them better (see `kt_cp.count.pairings`)."""


def count_by_frontier(
    plan: Plan,
    clock: Clock,
    memory: float,
    progress: Progress | None = None,
    leave_crowded: bool = False,
) -> int:
    """Return the number of tours: closed ones in one direction, open ones in both.

    ``memory`` is the limit in bytes. Raises `OutOfTime` and `OutOfMemory`, and `Crowded` where that
    is wanted.

    >>> from kt_cp.problem.instance import Instance
    >>> plan = Plan(Instance.of("5x20", closed=True))
    >>> plan.width, count_by_frontier(plan, Clock(None), memory=2**30)
    (11, 53034853662012222798)
    """
    progress, last, many = progress or Progress(plan), time.perf_counter(), _MANY

    def watch(done: int, layers: list[Layer]) -> None:
        nonlocal last, many
        now, states = time.perf_counter(), sum(map(len, layers))
        if done:
            taken = sum(layer.nbytes for layer in layers)
            progress.add(Row(done, states, taken, round(now - last, 3)))
        last = now
        if leave_crowded and states > many:
            many = 2 * states
            if _occupancy(plan, layers) > _CROWDED:
                raise Crowded

    if plan.is_single:
        return 1 - plan.instance.closed
    return plan.directions * sum(closing.count for closing in run(plan, clock, memory, watch))


def _occupancy(plan: Plan, layers: list[Layer]) -> float:
    """Return which part of the pairings of ends occur, where these vertices are ends."""
    packing, found = plan.packing, []
    for layer in layers:
        types = np.zeros(len(layer), dtype=np.uint64)
        for slot in range(plan.width):
            held = packing.read(layer.states, slot)
            end = (held != 0) & (held != packing.finished ^ slot)
            types |= (end * np.uint64(2) | (held != 0)) << np.uint64(2 * slot)
        found.append(np.unique(types))
    types, numbers = np.unique(np.concatenate(found)), [count_pairings(m) for m in range(MAX_WIDTH)]
    paths = np.bitwise_count(types & np.uint64(ENDS)) // 2
    return sum(map(len, layers)) / float(np.array(numbers, dtype=float)[paths].sum())


def run(
    plan: Plan, clock: Clock, memory: float, watch: Callable[[int, list[Layer]], None]
) -> Iterator[Way]:
    """Advance the states square by square, and yield every way in which tours are closed.

    ``watch`` is called before each step with its number and the states, in parts.
    """
    layers = [Layer(np.zeros((plan.packing.words, 1), np.uint64), np.ones((1, 1), np.uint64))]
    for number, step in enumerate(plan.steps()):
        clock.check()
        watch(number, layers)
        yield from _closed(number, step, layers)
        bound = sum(layer.total for layer in layers) * max(1, len(step.choices))
        digits = max([digits_for(bound), *(len(layer.counts) for layer in layers)])
        layers = [Layer(layer.states, with_digits(layer.counts, digits)) for layer in layers]
        try:
            layers = _advanced(plan.packing, step, layers, clock, memory)
        except OutOfMemory as error:
            raise plan.out_of_memory(number, error) from None


def _closed(number: int, step: Step, layers: Iterable[Layer]) -> Iterator[Way]:
    for choice, state in step.closings.items():
        column = np.array(state, dtype=np.uint64)[:, None]
        for layer in layers:
            found = layer.take(np.flatnonzero((layer.states == column).all(axis=0)))
            if len(found):
                yield Way(number, choice, state, found.total)


def _advanced(
    packing: Packing, step: Step, layers: list[Layer], clock: Clock, memory: float
) -> list[Layer]:
    """Return the states after a step, in parts of about `_CHUNK` words; empties the list."""
    size = sum(map(len, layers))
    parts = min(2**16, 1 << (size * packing.words * GROWTH // _CHUNK).bit_length())
    heaps: list[list[Layer]] = [[] for _ in range(parts)]
    taken = sum(layer.nbytes for layer in layers)
    while layers:
        clock.check()
        layer = layers.pop()
        moved = []
        for _, rows, states in moves(packing, step, layer.states):
            moved.append(Layer(states, layer.counts.take(rows, axis=1)))
            taken += moved[-1].nbytes
            if taken > memory:
                raise OutOfMemory(f"{size:,} states")
        taken -= layer.nbytes
        if moved:
            _distribute(_together(moved), heaps)
    merged = []
    for heap in heaps:
        clock.check()
        if heap:
            merged.append(_merged(heap))
            heap.clear()
    return merged


def moves(packing: Packing, step: Step, states: Words) -> Iterator[tuple[Choice, Columns, Words]]:
    """Yield each choice, the columns of the states that allow it, and the states that result.

    States that can no longer be completed, as far as can be told at once, are left out.
    """
    own = np.zeros_like(states[0]) if step.slot is None else packing.read(states, step.slot)
    near = step.slot or 0
    finished, untouched = own == packing.finished ^ near, own == 0
    for size, group in enumerate((finished, ~(finished | untouched), untouched)):
        rows = np.flatnonzero(group)
        choices = [choice for choice in step.choices if len(choice) == size]
        if not (len(rows) and choices):
            continue
        base = states.take(rows, axis=1)
        if step.slot is not None:
            packing.flip(base, step.slot, own[rows])
        ends: dict[int, tuple[int, Words]] = {
            vertex: (slot, packing.read(base, slot) ^ np.uint64(slot))
            for vertex, slot in step.later.items()
        }
        for choice in choices:
            fit, after = np.arange(len(rows)), base
            if size:
                paths = [ends[vertex] for vertex in choice]
                if size == 1:
                    paths.append((near, own[rows] ^ np.uint64(near)))
                fit, after = _joined(packing, base, paths[0], paths[1], later=size)
            fit, after = _completable(packing, step, fit, after)
            yield choice, rows[fit], after


def _joined(
    packing: Packing, base: Words, path: tuple[int, Words], other: tuple[int, Words], later: int
) -> tuple[Columns, Words]:
    """Join two paths; each is given by its near end, which is joined, and the slot of its far end.

    The near ends of the first ``later`` paths remain on the frontier. Returns the columns of the
    states in which the paths can be joined, and these states afterwards.
    """
    near, far = path
    other_near, other_far = other
    finished = packing.finished
    fit = np.flatnonzero((far != finished) & (other_far != finished) & (other_far != near))
    after, far, other_far = base.take(fit, axis=1), far[fit], other_far[fit]
    packing.flip(after, far, other_far ^ np.uint64(near))
    packing.flip(after, other_far, far ^ np.uint64(other_near))
    for end, slots in [(near, far), (other_near, other_far)][:later]:
        packing.flip(after, end, (slots ^ np.uint64(finished)) * (slots != end))
    return fit, after


def _completable(
    packing: Packing, step: Step, columns: Columns, states: Words
) -> tuple[Columns, Words]:
    """Leave out states with a square that too few neighbors are left for."""
    for vertex, left in step.due:
        slot = step.later[vertex]
        value = packing.read(states, slot)
        good = value == packing.finished ^ slot if left == 0 else value != 0
        if not good.all():
            kept = np.flatnonzero(good)
            columns, states = columns[kept], states.take(kept, axis=1)
    return columns, states


def hash_states(states: Words) -> Words:
    """Return a key of each state; equal states have equal keys, in one word also conversely."""
    mixers = np.cumprod(np.full((len(states), 1), _MIXER, dtype=np.uint64), axis=0)
    keys: Words = np.bitwise_xor.reduce(states * mixers, axis=0)
    return keys


def _distribute(layer: Layer, heaps: list[list[Layer]]) -> None:
    """Put each state on one of the heaps, by its key."""
    if len(heaps) == 1:
        heaps[0].append(layer)
        return
    shift = 64 - (len(heaps) - 1).bit_length()
    numbers = (hash_states(layer.states) >> shift).astype(np.uint16)
    layer = layer.take(np.argsort(numbers, kind="stable"))
    ends = np.cumsum(np.bincount(numbers, minlength=len(heaps))).tolist()
    for heap, start, end in zip(heaps, [0, *ends], ends, strict=False):
        if start < end:
            heap.append(Layer(layer.states[:, start:end], layer.counts[:, start:end]))


def _together(layers: Iterable[Layer]) -> Layer:
    """Return the states of several layers as one."""
    layers = list(layers)
    return Layer(
        np.concatenate([layer.states for layer in layers], axis=1),
        np.concatenate([layer.counts for layer in layers], axis=1),
    )


def _merged(heap: list[Layer]) -> Layer:
    """Return the states of a heap, equal ones as one.

    States of several words may stay apart if others have the same key; that changes no count.
    """
    layer = _together(heap)
    layer = layer.take(np.argsort(hash_states(layer.states)))
    fresh = np.ones(len(layer), dtype=np.bool_)
    fresh[1:] = (layer.states[:, 1:] != layer.states[:, :-1]).any(axis=0)
    first = np.flatnonzero(fresh)
    counts = np.add.reduceat(layer.counts, first, axis=1)
    carry(counts)
    return Layer(layer.states.take(first, axis=1), counts)
