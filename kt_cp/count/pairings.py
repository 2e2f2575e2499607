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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.count.frontier_plan import (
    Choice,
    OutOfMemory,
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

_UNTOUCHED, _FINISHED, _END = 0, 1, 2
_ENDS = 0xAAAAAAAAAAAAAAAA  # the higher of the two bits that a vertex takes
_CHUNK = 2**16  # counts that are added in one go

Mates = npt.NDArray[np.uint8]
Columns = npt.NDArray[np.intp]


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


def count_in_tables(plan: Plan, clock: Clock, memory: float, progress: Progress) -> int:
    """Return the number of tours: closed ones in one direction, open ones in both.

    ``memory`` is in bytes. Raises `OutOfTime` and `OutOfMemory`.
    """
    if plan.is_single:
        return 1 - plan.instance.closed
    layer, closed = first_layer(), 0
    for number, step in enumerate(plan.steps):
        clock.check()
        try:
            layer, more = advance(step, layer, memory, clock.check)
        except OutOfMemory as error:
            raise plan.out_of_memory(number, error) from None
        closed += more
        progress.add_layer(states_of(layer), size_of(layer))
    return plan.directions * closed


def advance(
    step: Step, layer: Layer, memory: float, check: Callable[[], None]
) -> tuple[Layer, int]:
    """Return the layer after a step, and how many tours it closes; empties the layer before.

    ``check`` is called now and then, and may raise what stops the count. Raises `OutOfMemory` if
    both layers together take more than ``memory`` bytes.
    """
    taken = size_of(layer)
    layer = {paths: _entered(layer.pop(paths), step.entering) for paths in sorted(layer)}
    closed = _closed(step, layer)
    digits = _digits(step, layer)
    moves = {paths: list(_moves(step, paths, table.types)) for paths, table in layer.items()}
    kinds: dict[int, list[Words]] = {}
    for move in itertools.chain.from_iterable(moves.values()):
        kinds.setdefault(move.paths, []).append(move.types)
        taken += move.rows.nbytes + move.types.nbytes
    after: Layer = {}
    for paths in list(kinds):
        types = np.unique(np.concatenate(kinds.pop(paths)))
        taken += 8 * len(types) * (1 + digits * count_pairings(paths))
        if taken > memory:
            raise OutOfMemory(f"{taken / 2**20:,.0f} MiB are needed")
        shape = digits, len(types), count_pairings(paths)
        after[paths] = Table(types, np.zeros(shape, dtype=np.uint64))
    for paths in list(layer):
        counts = with_digits(layer.pop(paths).counts, digits)
        for move in moves.pop(paths):
            check()
            _add(move, paths, counts, after[move.paths])
    for table in after.values():
        carry(table.counts)
    return _folded(after, step.mirror) if step.mirror else after, closed


def _digits(step: Step, layer: Layer) -> int:
    """Return the number of digits with which no sum overflows.

    A choice leads to a state from no more states than there are ends on the frontier: if it joins
    two paths, the ends of one path are the other ends of those, in one of two ways.
    """
    most, least = 0, 1
    for table in layer.values():
        most = max(most, number_of(int(row.max()) for row in table.counts))
        least = len(table.counts)
    return digits_for(most * len(step.choices) * max(1, 2 * max(layer, default=0)), least)


def _entered(table: Table, positions: tuple[int, ...]) -> Table:
    """Return the table with untouched vertices put in, at positions in ascending order."""
    types = table.types
    for at in positions:
        low = types & np.uint64(4**at - 1)
        types = low | (types ^ low) << np.uint64(2)
    return Table(types, table.counts)


def _closed(step: Step, layer: Layer) -> int:
    """Return how many tours the step closes: it joins the ends of the only path."""
    if 1 not in layer:
        return 0
    wanted = []
    for choice in step.closings:
        kinds = [_FINISHED] * len(step.vertices)
        kinds[0] = _UNTOUCHED
        for at in choice if len(choice) == 2 else (0, *choice):
            kinds[at] = _END
        wanted.append(sum(kind << 2 * at for at, kind in enumerate(kinds)))
    rows = np.isin(layer[1].types, np.array(wanted, dtype=np.uint64))
    return number_of(sum(row.ravel().tolist()) for row in layer[1].counts[:, rows])


def _folded(layer: Layer, mirror: tuple[int, ...]) -> Layer:
    """Return a layer with one state of each pair of mirror images, with the counts of both.

    As many partial tours complete one as the other.
    """
    pieces: list[tuple[int, Table]] = []
    for paths in list(layer):
        table = layer.pop(paths)
        images = reordered(table.types, np.argsort(mirror).tolist())
        pieces.append((paths, table.take(np.flatnonzero(table.types <= images))))
        rows = np.flatnonzero(table.types > images)
        order = np.zeros((len(rows), 2 * paths), dtype=np.uint8)  # where each end is afterwards
        for at, to in enumerate(mirror):
            held = np.flatnonzero(_kind_at(table.types[rows], at) == _END)
            ends = _ends_before(table.types[rows[held]], at)
            order[held, ends] = _ends_before(images[rows[held]], to)
        for new_places, group in _groups(rows, order):
            [columns] = _columns("reorder", paths, new_places)
            counts = table.counts[:, group].take(columns, axis=2)
            pieces.append((paths, Table(images[group], counts)))
    return merge(pieces)


def merge(pieces: list[tuple[int, Table]]) -> Layer:
    """Return the layer with the states of all pieces, which come with their numbers of paths.

    Empties the list.
    """
    kinds: dict[int, list[Words]] = {}
    digits = max((len(table.counts) for _, table in pieces), default=1)
    for paths, table in pieces:
        kinds.setdefault(paths, []).append(table.types)
    layer: Layer = {}
    for paths, found in kinds.items():
        types = np.unique(np.concatenate(found))
        shape = digits, len(types), count_pairings(paths)
        layer[paths] = Table(types, np.zeros(shape, dtype=np.uint64))
    while pieces:
        paths, table = pieces.pop()
        rows = np.searchsorted(layer[paths].types, table.types)
        for digit, more in enumerate(with_digits(table.counts, digits)):
            layer[paths].counts[digit, rows] += more
    for table in layer.values():
        carry(table.counts)
    return layer


class _Move(NamedTuple):
    """Rows that go on in the same way: how, from which pairings, to which paths and types.

    ``how`` is "keep", "join" two ends, "move" an end to another place, or "insert" two ends as a
    new path.
    """

    how: str
    ends: tuple[int, ...]
    paths: int
    rows: Columns
    types: Words


def _moves(step: Step, paths: int, types: Words) -> Iterator[_Move]:
    """Yield what the rows of a table can do; those that cannot be completed are left out."""
    for choice in step.choices:
        for how, to, rows, after, ends in _changes(choice, paths, types):
            good = np.ones(len(rows), dtype=np.bool_)
            for at, left in step.due:
                kind = _kind_at(after, at)
                good &= (kind == _FINISHED) if left == 0 else (kind != _UNTOUCHED)
            for changed, group in _groups(np.flatnonzero(good), ends[good]):
                yield _Move(how, changed, to, rows[group], after[group] >> np.uint64(2))


def _changes(
    choice: Choice, paths: int, types: Words
) -> Iterator[tuple[str, int, Columns, Words, Mates]]:
    """Yield what a choice does: how, the paths it leads to, and the rows, their types and ends."""
    rows = np.flatnonzero(_kind_at(types, 0) == (_FINISHED, _END, _UNTOUCHED)[len(choice)])
    if not choice:
        yield "keep", paths, rows, types[rows], np.zeros((len(rows), 0), dtype=np.uint8)
        return
    one, other = choice if len(choice) == 2 else (0, *choice)
    kinds = _kind_at(types[rows], one), _kind_at(types[rows], other)
    for pair in itertools.product((_UNTOUCHED, _END), repeat=2):
        fit = rows[(kinds[0] == pair[0]) & (kinds[1] == pair[1])]
        change = sum(
            (_FINISHED - _END if kind == _END else _END) << 2 * at
            for kind, at in zip(pair, (one, other), strict=True)
        )
        first, second = _ends_before(types[fit], one), _ends_before(types[fit], other)
        if pair == (_END, _END):
            how, to = "join", paths - 1
        elif pair == (_UNTOUCHED, _UNTOUCHED):
            how, to, second = "insert", paths + 1, second + 1
        elif pair == (_END, _UNTOUCHED):
            how, to, second = "move", paths, second - 1
        else:
            how, to, first, second = "move", paths, second, first
        if to > 0:  # joining the ends of the only path closes it
            after = types[fit] + np.uint64(change % 2**64)
            yield how, to, fit, after, np.stack([first, second], axis=1)


def _groups(rows: Columns, keys: Mates) -> Iterator[tuple[tuple[int, ...], Columns]]:
    """Yield each row of the keys, which are small numbers, and the ``rows`` that have it."""
    words = _packed(keys)
    order = np.argsort(words, kind="stable")
    starts = np.flatnonzero(np.diff(words[order], prepend=~words[order[:1]]))
    for group in np.split(order, starts[1:]):
        if len(group):
            yield tuple(keys[group[0]].tolist()), rows[group]


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
            else:
                total = held.take(columns[0], axis=1)
                for each in columns[1:]:
                    total += held.take(each, axis=1)
                after[onto] += total


def _kind_at(types: Words, position: int) -> Words:
    """Return the type of the vertex at a position, in each row."""
    return types >> np.uint64(2 * position) & np.uint64(3)


def reordered(types: Words, order: Sequence[int]) -> Words:
    """Return types whose vertices come in another order of their positions."""
    images = np.zeros_like(types)
    for to, at in enumerate(order):
        images |= _kind_at(types, at) << np.uint64(2 * to)
    return images


def _ends_before(types: Words, position: int) -> Mates:
    ends: Mates = np.bitwise_count(types & np.uint64(_ENDS & (4**position - 1)))
    return ends


# -- what a change of the ends does to the pairings -----------------------------------------------


def _columns(how: str, paths: int, ends: tuple[int, ...]) -> Columns:
    """Return the columns that a change adds to each other, of a table with a number of paths.

    To "move" an end to another place, to "join" two ends, or to "reorder" all of them, so that each
    goes to a new place: the columns that each new one is the sum of, one below the other. To
    "insert" a path whose ends get these places: the column that each old one is added to.
    """
    return (_few_columns if paths < _MANY else _many_columns)(how, paths, ends)


def _made_columns(how: str, paths: int, ends: tuple[int, ...]) -> Columns:
    mates = _matings(paths)
    if how == "insert":
        others = np.array([end for end in range(2 * paths + 2) if end not in ends], dtype=np.uint8)
        return _ranks(_with_path(mates, others, ends))
    if how == "join":
        one, other = ends
        open_ = np.flatnonzero(mates[:, one] != other)
        mates = mates[open_]
        line, far, other_far = np.arange(len(mates)), mates[:, one], mates[:, other]
        mates[line, far], mates[line, other_far] = other_far, far
        rest = np.delete(mates, [one, other], axis=1)
        ranks = _ranks(rest - (rest > one) - (rest > other))
        alike = open_[np.argsort(ranks, kind="stable")].reshape(-1, 2 * paths - 2)
        return np.ascontiguousarray(alike.T)
    if how == "move":
        source, target = ends
        order = [end for end in range(2 * paths) if end != source]
        order.insert(target, source)
        ends = tuple(np.argsort(order).tolist())
    images = np.empty_like(mates)
    images[:, ends] = np.array(ends, dtype=np.uint8)[mates]
    return np.argsort(_ranks(images))[None]


_MANY = 7  # paths whose pairings are too numerous to keep what is known of them for ever
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
    return np.searchsorted(_packed(_matings(mates.shape[1] // 2)), _packed(mates))


def _packed(rows: Mates) -> Words:
    """Return each row of up to sixteen small numbers as a word; words sort as the rows do."""
    words = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        words = words << np.uint64(4) | column
    return words
