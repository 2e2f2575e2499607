"""States in tables: by the types of the frontier's vertices, and by how the ends are paired.

A vertex of the frontier is untouched, finished, or the end of a path, and the *mate* of an end is
the other end of its path. Ends can be paired in 1 · 3 · 5 · … ways, and after some rows of a board
most of these occur. So states with the same types are counted in one row of a table that has a
column for every pairing, whether it occurs or not: no state is stored, hashed, sorted or compared.
A choice maps all pairings of a row to those of another row, in a way that depends only on which of
the ends it joins or moves, and that is worked out once: a step adds columns to columns.

`kt_cp.count.frontier` explains the method and counts the states one by one, which is better where
the frontier is wide and few pairings occur.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import prod

import numpy as np
import numpy.typing as npt

from kt_cp.board.symmetry import board_symmetries
from kt_cp.count.frontier_plan import (
    OutOfMemory,
    Plan,
    Progress,
    Row,
    Words,
    carry,
    digits_for,
    number_of,
    with_digits,
)
from kt_cp.graph import Graph
from kt_cp.problem.clock import Clock

UNTOUCHED, FINISHED, END = 0, 1, 2

ENDS = 0xAAAAAAAAAAAAAAAA  # the higher of the two bits that a vertex takes
_CHUNK = 2**16  # counts that are added in one go

Mates = npt.NDArray[np.uint8]
Columns = npt.NDArray[np.intp]


@dataclass(frozen=True)
class TypedStep:
    """What a vertex can do to the types of the frontier, whose vertices have positions from 0.

    The vertex itself is at position 0, and leaves when it has chosen. ``entering`` holds the
    positions at which untouched vertices are put first, ``choices`` the positions that are chosen,
    ``due`` positions with the number of neighbors that remain to them, where it is 0 or 1, and
    ``closings`` the types from which a tour can be closed. ``mirror`` maps each position afterwards
    to its image under a symmetry that keeps what has been processed. ``touched`` holds, for each
    position before the step, the number of the step at which it is chosen or chooses next.
    """

    entering: tuple[int, ...]
    choices: tuple[tuple[int, ...], ...]
    due: tuple[tuple[int, int], ...]
    closings: tuple[int, ...]
    mirror: tuple[int, ...] | None
    touched: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """States with the same number of paths: a row for each kind of types, which are sorted.

    The types of a row are packed in a word, two bits for each position. ``counts`` has the axes
    digit (the lowest first), row and pairing.
    """

    types: Words
    counts: npt.NDArray[np.uint64]

    def take(self, rows: Columns) -> Table:
        """Return some of the rows."""
        return Table(self.types[rows], self.counts[:, rows])


Layer = dict[int, Table]
"""The tables, by the number of paths."""


def count_pairings(paths: int) -> int:
    """Return in how many ways the ends of paths can be paired.

    >>> [count_pairings(paths) for paths in range(6)]
    [1, 1, 3, 15, 105, 945]
    """
    return prod(range(1, 2 * paths, 2))


def columns_bytes(width: int) -> int:
    """Return how many bytes it takes to know what changes do to pairings.

    That is 32 arrays of pairings of the most paths, and what it takes to make one.
    """
    return 2**24 + 340 * count_pairings(width // 2)


def first_layer() -> Layer:
    """Return the layer before the first step: one partial tour without a path."""
    return {0: Table(np.zeros(1, np.uint64), np.ones((1, 1, 1), np.uint64))}


def size_of(layer: Layer) -> int:
    """Return the number of bytes that a layer takes."""
    return sum(table.types.nbytes + table.counts.nbytes for table in layer.values())


def states_of(layer: Layer) -> int:
    """Return the number of states that occur."""
    return sum(int(np.count_nonzero(table.counts.any(axis=0))) for table in layer.values())


def count_in_tables(
    plan: Plan, clock: Clock, memory: float, progress: Progress, mirror: bool = True
) -> int:
    """Return the number of tours: closed ones in one direction, open ones in both.

    ``memory`` is in bytes. Without ``mirror`` no symmetry is used. Raises `OutOfTime` and
    `OutOfMemory`.
    """
    if plan.is_single:
        return 1 - plan.instance.closed
    progress.restart()
    layer, closed, began = first_layer(), 0, time.perf_counter()
    for number, step in enumerate(typed_steps(plan, mirror), 1):
        clock.check()
        try:
            layer, more = advance(step, layer, memory, clock.check)
        except OutOfMemory as error:
            raise plan.out_of_memory(number - 1, error) from None
        closed += more
        if step.mirror is not None:
            layer = fold(layer, step.mirror)
        seconds = round(time.perf_counter() - began, 3)
        progress.add(Row(number, states_of(layer), size_of(layer), seconds))
        began += seconds
    return plan.directions * closed


def typed_steps(plan: Plan, mirror: bool = True) -> list[TypedStep]:
    """Return the steps of a plan. Without ``mirror`` the symmetry of a board is not used."""
    steps, place = list(plan.steps()), {vertex: n for n, vertex in enumerate(plan.order)}
    images = _mirror(plan, plan.instance.graph, place) if mirror else None
    frontiers: list[list[int]] = [[]]
    for step in steps:
        here = {*frontiers[-1], step.vertex, *step.later}
        frontiers.append(sorted(here - {step.vertex}, key=place.__getitem__))
    typed: list[TypedStep] = []
    touched: dict[int, int] = {}
    for number, step in reversed(list(enumerate(steps))):
        touched |= dict.fromkeys((step.vertex, *step.later), number)
        before, after = frontiers[number], frontiers[number + 1]
        position = {vertex: at for at, vertex in enumerate([step.vertex, *after])}
        closings = []
        for choice in step.closings:
            ends = {position[vertex] for vertex in choice} | ({0} if len(choice) == 1 else set())
            types = [END if at in ends else FINISHED for at in range(len(position))]
            types[0] = END if len(choice) == 1 else UNTOUCHED
            closings.append(sum(kind << 2 * at for at, kind in enumerate(types)))
        image = None
        if images is not None and {images[vertex] for vertex in after} == set(after):
            done = plan.order[: number + 1]
            if after and {images[vertex] for vertex in done} == set(done):
                image = tuple(position[images[vertex]] - 1 for vertex in after)
        typed.append(
            TypedStep(
                entering=tuple(sorted(at for v, at in position.items() if v not in before)),
                choices=tuple(tuple(sorted(position[v] for v in each)) for each in step.choices),
                due=tuple((position[vertex], left) for vertex, left in step.due),
                closings=tuple(closings),
                mirror=image,
                touched=tuple(touched[vertex] for vertex in before),
            )
        )
    return typed[::-1]


def _mirror(plan: Plan, graph: Graph, place: dict[int, int]) -> dict[int, int] | None:
    """Return a symmetry of the graph and what is required that keeps most beginnings of the order.

    Ends and forbidden moves are edges that are there or not.
    """
    edges = {frozenset(edge) for edge in plan.edges.tolist()}
    best, most = None, 0
    for found in board_symmetries(graph).values():
        images = {vertex: int(found[vertex]) if vertex < len(found) else vertex for vertex in place}
        for kept_edges in (edges, plan.required):
            if {frozenset(images[end] for end in edge) for edge in kept_edges} != kept_edges:
                break
        else:
            last = np.maximum.accumulate([place[images[vertex]] for vertex in plan.order])
            kept = int((last == np.arange(len(last))).sum())
            if kept > most and any(vertex != image for vertex, image in images.items()):
                best, most = images, kept
    return best


def advance(
    step: TypedStep, layer: Layer, memory: float, check: Callable[[], None] = lambda: None
) -> tuple[Layer, int]:
    """Return the layer after a step, and how many tours it closes; empties the layer before.

    ``check`` is called now and then, and may raise what stops the count. Raises `OutOfMemory` if
    both layers together take more than ``memory`` bytes.
    """
    taken = size_of(layer)
    layer = {paths: _entered(layer.pop(paths), step.entering) for paths in sorted(layer)}
    closed = _closed(step, layer)
    moves = {paths: list(_moves(step, paths, table.types)) for paths, table in layer.items()}
    kinds: dict[int, list[Words]] = {}
    for move in itertools.chain.from_iterable(moves.values()):
        kinds.setdefault(move.paths, []).append(move.types)
    found = {paths: np.unique(np.concatenate(kinds.pop(paths))) for paths in list(kinds)}
    digits = _digits(step, layer)
    for paths, types in found.items():
        taken += 8 * len(types) * (1 + digits * count_pairings(paths))
    if taken > memory:
        raise OutOfMemory(f"{taken / 2**20:,.0f} MiB are needed")
    after = {
        paths: Table(types, np.zeros((digits, len(types), count_pairings(paths)), np.uint64))
        for paths, types in found.items()
    }
    for paths in list(layer):
        counts = with_digits(layer.pop(paths).counts, digits)
        for move in moves.pop(paths):
            check()
            _add(move, paths, counts, after[move.paths])
    for table in after.values():
        carry(table.counts)
    return after, closed


def fold(layer: Layer, mirror: tuple[int, ...]) -> Layer:
    """Return a layer with one state of each pair of mirror images, with the counts of both.

    As many partial tours complete one as the other.
    """
    pieces: list[tuple[int, Table]] = []
    for paths in list(layer):
        table = layer.pop(paths)
        images = np.zeros_like(table.types)
        for at, to in enumerate(mirror):
            images |= kind_at(table.types, at) << np.uint64(2 * to)
        pieces.append((paths, table.take(np.flatnonzero(table.types <= images))))
        rows = np.flatnonzero(table.types > images)
        order = np.zeros((len(rows), 2 * paths), dtype=np.uint8)  # where each end is afterwards
        for at, to in enumerate(mirror):
            held = np.flatnonzero(kind_at(table.types[rows], at) == END)
            ends = _ends_before(table.types[rows[held]], at)
            order[held, ends] = _ends_before(images[rows[held]], to)
        for new_places, group in _groups(rows, order):
            columns = _columns("reorder", paths, new_places)
            counts = table.counts[:, group].take(columns, axis=2)
            pieces.append((paths, Table(images[group], counts)))
    return merge(pieces)


def merge(pieces: Iterable[tuple[int, Table]]) -> Layer:
    """Return the layer with the states of all pieces, which come with their numbers of paths."""
    by_paths: dict[int, list[Table]] = {}
    for paths, table in pieces:
        by_paths.setdefault(paths, []).append(table)
    layer: Layer = {}
    for paths, tables in by_paths.items():
        types = np.unique(np.concatenate([table.types for table in tables]))
        if not len(types):
            continue
        digits = max(len(table.counts) for table in tables)
        counts = np.zeros((digits, len(types), count_pairings(paths)), dtype=np.uint64)
        while tables:
            table = tables.pop()
            rows = np.searchsorted(types, table.types)
            for digit, more in enumerate(with_digits(table.counts, digits)):
                counts[digit, rows] += more
        carry(counts)
        layer[paths] = Table(types, counts)
    return layer


@dataclass(frozen=True, eq=False)
class _Move:
    """Rows that go on in the same way: how, from which pairings, to which paths and types.

    ``how`` is "keep", "join" two ends, "reorder" the ends, or "insert" two ends as a new path.
    """

    how: str
    ends: tuple[int, ...]
    paths: int
    rows: Columns
    types: Words


def _moves(step: TypedStep, paths: int, types: Words) -> Iterator[_Move]:
    """Yield what the rows of a table can do; those that cannot be completed are left out."""
    own = kind_at(types, 0)
    for choice in step.choices:
        rows = np.flatnonzero(own == (FINISHED, END, UNTOUCHED)[len(choice)])
        if not choice:
            yield from _split(step, "keep", paths, rows, types[rows], None)
            continue
        one, other = choice if len(choice) == 2 else (0, *choice)
        kinds = kind_at(types[rows], one), kind_at(types[rows], other)
        for pair in itertools.product((UNTOUCHED, END), repeat=2):
            fit = rows[(kinds[0] == pair[0]) & (kinds[1] == pair[1])]
            change = sum(
                (FINISHED - END if kind == END else END) << 2 * at
                for kind, at in zip(pair, (one, other), strict=True)
            )
            after = types[fit] + np.uint64(change % 2**64)
            first, second = _ends_before(types[fit], one), _ends_before(types[fit], other)
            if pair == (END, END):
                how, to = "join", paths - 1
            elif pair == (UNTOUCHED, UNTOUCHED):
                how, to, second = "insert", paths + 1, second + 1
            elif pair == (END, UNTOUCHED):
                how, to, second = "reorder", paths, second - 1
            else:
                how, to, first, second = "reorder", paths, second, first
            if to > 0:  # joining the ends of the only path closes it
                yield from _split(step, how, to, fit, after, np.stack([first, second], axis=1))


def _split(
    step: TypedStep, how: str, paths: int, rows: Columns, types: Words, ends: Mates | None
) -> Iterator[_Move]:
    """Yield the moves of rows, apart by the ends they change."""
    good = np.ones(len(rows), dtype=np.bool_)
    for at, left in step.due:
        kind = kind_at(types, at)
        good &= (kind == FINISHED) if left == 0 else (kind != UNTOUCHED)
    rows, types = rows[good], types[good] >> np.uint64(2)
    if ends is None:
        if len(rows):
            yield _Move(how, (), paths, rows, types)
        return
    for pair, group in _groups(np.arange(len(rows)), ends[good]):
        if how == "reorder":
            source, target = pair
            order = [end for end in range(2 * paths) if end != source]
            order.insert(target, source)
            pair = tuple(np.argsort(order).tolist())
        yield _Move(how, pair, paths, rows[group], types[group])


def _groups(rows: Columns, keys: Mates) -> Iterator[tuple[tuple[int, ...], Columns]]:
    """Yield each row of the keys, which are small numbers, and the ``rows`` that have it."""
    if not len(rows):
        return
    powers = np.uint64(1) << np.arange(0, 4 * keys.shape[1], 4, dtype=np.uint64)
    words = keys.astype(np.uint64) @ powers
    order = np.argsort(words, kind="stable")
    starts = np.flatnonzero(np.diff(words[order], prepend=~words[order[0]])).tolist()
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        yield tuple(keys[order[start]].tolist()), rows[order[start:end]]


def _add(move: _Move, paths: int, counts: npt.NDArray[np.uint64], target: Table) -> None:
    """Add the counts of some rows to those of the rows that they lead to."""
    to = np.searchsorted(target.types, move.types)
    columns = None if move.how == "keep" else _columns(move.how, paths, move.ends)
    rows_at_once = max(1, _CHUNK // counts.shape[2])
    for start in range(0, len(to), rows_at_once):
        part = slice(start, start + rows_at_once)
        rows, onto = move.rows[part], to[part]
        for before, after in zip(counts, target.counts, strict=True):
            held = before[rows]
            if columns is None:
                after[onto] += held
            elif move.how == "insert":
                after[onto[:, None], columns] += held
            elif move.how == "reorder":
                after[onto] += held.take(columns, axis=1)
            else:
                total = held.take(columns[0], axis=1)
                for each in columns[1:]:
                    total += held.take(each, axis=1)
                after[onto] += total


def _entered(table: Table, positions: tuple[int, ...]) -> Table:
    """Return the table with untouched vertices put in, at positions in ascending order."""
    types = table.types
    for at in positions:
        low = types & np.uint64(4**at - 1)
        types = low | (types ^ low) << np.uint64(2)
    return Table(types, table.counts)


def _closed(step: TypedStep, layer: Layer) -> int:
    """Return how many tours the step closes: it joins the ends of the only path."""
    if 1 not in layer:
        return 0
    rows = np.flatnonzero(np.isin(layer[1].types, np.array(step.closings, dtype=np.uint64)))
    return number_of(sum(row.ravel().tolist()) for row in layer[1].counts[:, rows])


def kind_at(types: Words, position: int) -> Words:
    """Return the type of the vertex at a position, in each row."""
    return types >> np.uint64(2 * position) & np.uint64(3)


def _ends_before(types: Words, position: int) -> Mates:
    ends: Mates = np.bitwise_count(types & np.uint64(ENDS & (4**position - 1)))
    return ends


def _digits(step: TypedStep, layer: Layer) -> int:
    """Return the number of digits with which no sum overflows.

    A choice leads to a state from no more states than there are ends on the frontier: if it joins
    two paths, the ends of one path are the other ends of those, in one of two ways.
    """
    most = 0
    for table in layer.values():
        most = max(most, number_of(int(row.max()) for row in table.counts))
    bound = most * len(step.choices) * max(1, 2 * max(layer, default=0))
    return max([digits_for(bound), *(len(table.counts) for table in layer.values())])


# -- what a change of the ends does to the pairings -----------------------------------------------


def _columns(how: str, paths: int, ends: tuple[int, ...]) -> Columns:
    """Return the columns that a change adds to each other, of a table with a number of paths.

    For "reorder", where each end goes to a new place: the column that each new one is taken from.
    For "join": the same, in as many rows as there are columns added up. For "insert", where the
    ends of a new path have these places: the column that each old one is added to.
    """
    return (_few_columns if paths < _MANY else _many_columns)(how, paths, ends)


def _made_columns(how: str, paths: int, ends: tuple[int, ...]) -> Columns:
    mates = _matings(paths)
    if how == "insert":
        others = np.array([end for end in range(2 * paths + 2) if end not in ends], dtype=np.uint8)
        return _ranks(_with_path(mates, others, ends))
    if how == "reorder":
        images = np.empty_like(mates)
        images[:, ends] = np.array(ends, dtype=np.uint8)[mates]
        return np.argsort(_ranks(images))
    one, other = ends
    open_ = np.flatnonzero(mates[:, one] != other)
    mates = mates[open_]
    columns = np.arange(len(mates))
    mates[columns, mates[:, one]], mates[columns, mates[:, other]] = mates[:, other], mates[:, one]
    rest = np.delete(mates, [one, other], axis=1)
    ranks = _ranks(rest - (rest > one) - (rest > other))
    alike = open_[np.argsort(ranks, kind="stable")].reshape(-1, 2 * paths - 2)
    return np.ascontiguousarray(alike.T)


_MANY = 7  # paths with so many pairings that what is known of them is not kept for ever
_few_columns, _many_columns = cache(_made_columns), lru_cache(maxsize=32)(_made_columns)


@cache
def _matings(paths: int) -> Mates:
    """Return the mate of each end in all pairings: the mate of end 0 ascends, and so on."""
    if paths == 0:
        return np.zeros((1, 0), dtype=np.uint8)
    fewer, blocks = _matings(paths - 1), []
    for mate in range(1, 2 * paths):
        others = [end for end in range(1, 2 * paths) if end != mate]
        blocks.append(_with_path(fewer, np.array(others, dtype=np.uint8), (0, mate)))
    return np.concatenate(blocks)


def _with_path(mates: Mates, others: Mates, ends: tuple[int, ...]) -> Mates:
    """Return pairings with a path more, of which the ends and all ``others`` have these numbers."""
    more = np.empty((len(mates), mates.shape[1] + 2), dtype=np.uint8)
    more[:, ends] = ends[::-1]
    if len(others):
        more[:, others] = others[mates]
    return more


def _ranks(mates: Mates) -> Columns:
    """Return the numbers of pairings in the order of `_matings`."""
    ranks, columns = np.zeros(len(mates), dtype=np.intp), np.arange(len(mates))
    while mates.shape[1]:
        mate = mates[:, 0]
        ranks += (mate - np.intp(1)) * count_pairings(mates.shape[1] // 2 - 1)
        rest = np.ones(mates.shape, dtype=np.bool_)
        rest[:, 0] = rest[columns, mate] = False
        mates = mates[rest].reshape(len(mates), -1) if mates.shape[1] > 2 else mates[:, :0]
        mates = mates - np.uint8(1) - (mates > mate[:, None])
    return ranks
