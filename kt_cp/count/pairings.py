"""States in tables: by the types of the frontier's vertices, and by how the ends are paired.

A vertex of the frontier is untouched, finished, or the end of a path, and the *mate* of an end is
the other end of its path. Ends can be paired in 1 · 3 · 5 · … ways, and after some rows of a board
most of these occur. So states with the same types are counted in one row of a table that has a
column for every pairing, whether it occurs or not: no state is stored, hashed, sorted or compared.
A choice maps all pairings of a row to those of another row, in a way that depends only on which of
the ends it joins, and that is worked out once: a step adds columns to columns.

`kt_cp.count.frontier` explains the method and counts the states one by one, which is better where
the frontier is wide and few pairings occur.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import unique
from kt_cp.count.digits import Words, carry, digits_for, number_of, with_digits
from kt_cp.count.frontier_plan import Step, ends_joined
from kt_cp.count.memory import OutOfMemoryError

_UNTOUCHED, _FINISHED, _END = 0, 1, 2
_ENDS = 0xAAAAAAAAAAAAAAAA  # the higher of the two bits that a vertex takes
_CHUNK = 2**16  # counts that are added in one go
_MANY = 7  # paths whose pairings are too numerous to keep what is known of them

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


class _Move(NamedTuple):
    """Rows that go on in the same way: the number of paths and the types to which they lead.

    ``ends`` and ``fresh`` say what happens to the ends of paths, as for `_columns`.
    """

    rows: Columns
    paths: int
    types: Words
    ends: tuple[int, ...] = ()
    fresh: tuple[bool, ...] | None = None


class Tables(dict[int, Table]):
    """The states after a step, by the number of paths."""

    @classmethod
    def first(cls) -> Tables:
        """Return the state before the first step: one partial tour without a path."""
        return cls({0: Table(np.zeros(1, np.uint64), np.ones((1, 1, 1), np.uint64))})

    @property
    def size(self) -> int:
        """The number of states that occur."""
        return sum(int(table.counts.any(axis=0).sum()) for table in self.values())

    @property
    def nbytes(self) -> int:
        """The memory taken."""
        return sum(table.types.nbytes + table.counts.nbytes for table in self.values())

    def advance(
        self, step: Step, memory: float, check: Callable[[], None]
    ) -> tuple[Tables, Counter[int]]:
        """Return the states after a step, and how many tours of each prefix it closes.

        None are left in this object.

        ``check`` is called now and then, and may raise what stops the count. Raises
        `OutOfMemoryError` if the states before and after the step take more than ``memory`` bytes
        together.
        """
        closed, most, sources = Counter[int](), 0, list[_Source]()
        ends = max(1, 2 * max(self, default=0))
        for paths in sorted(self):
            table = self.pop(paths)
            types = _entered(table.types, step.entering)
            if paths == 1:
                closed = _closed(step, types, table.counts)
            most = max(most, number_of(int(row.max()) for row in table.counts))
            sources.append((paths, table.counts, list(_moves(step, paths, types))))
        # A choice leads to a state from no more states than there are ends on the frontier: if it
        # joins two paths, the ends of one path are the other ends of those, in one of two ways.
        after = _sum(sources, most * len(step.choices) * ends, memory, check)
        return after._folded(step.mirror) if step.mirror else after, closed

    def _folded(self, mirror: tuple[int, ...]) -> Tables:
        """Return the states with one of each pair of mirror images, with the counts of both.

        As many partial tours complete one as the other.
        """
        sources = list[_Source]()
        for paths in list(self):
            table = self.pop(paths)
            types = table.types
            images = reordered(types, np.argsort(mirror).tolist())
            kept, rows = np.flatnonzero(types <= images), np.flatnonzero(types > images)
            order = np.zeros((len(rows), 2 * paths), dtype=np.uint8)  # where each end is afterwards
            for at, to in enumerate(mirror):
                held = np.flatnonzero(_kind_at(types[rows], at) == _END)
                ends = _ends_before(types[rows[held]], at)
                order[held, ends] = _ends_before(images[rows[held]], to)
            moves = [_Move(kept, paths, types[kept])]
            for places, group in _groups(order):
                moves.append(_Move(rows[group], paths, images[rows[group]], places))
            sources.append((paths, table.counts, moves))
        return _sum(sources)


_Source = tuple[int, Words, list[_Move]]
"""A number of paths, counts, and what their rows do."""


def merge(pieces: Iterable[tuple[int, Table]]) -> Tables:
    """Return the states of all pieces, which come with their numbers of paths."""
    return _sum(
        [
            (paths, table.counts, [_Move(np.arange(len(table.types)), paths, table.types)])
            for paths, table in pieces
        ]
    )


def _sum(
    sources: list[_Source],
    bound: int = 0,
    memory: float = math.inf,
    check: Callable[[], None] = lambda: None,
) -> Tables:
    """Return what all sources lead to, with enough digits for a bound; empties the list."""
    digits = max((len(counts) for _, counts, _ in sources), default=1)
    digits = max(digits, digits_for(bound))
    kinds, after, taken = defaultdict[int, list[Words]](list), Tables(), 0
    for _, counts, moves in sources:
        taken += counts.nbytes
        for move in moves:
            kinds[move.paths].append(move.types)
            taken += move.rows.nbytes + move.types.nbytes
    for paths, found in kinds.items():
        types = unique(np.concatenate(found))
        shape = digits, len(types), count_pairings(paths)
        taken += 8 * prod(shape)
        if taken > memory:
            raise OutOfMemoryError(f"{taken / 2**20:,.0f} MiB are needed")
        after[paths] = Table(types, np.zeros(shape, dtype=np.uint64))
    while sources:
        paths, counts, moves = sources.pop()
        counts = with_digits(counts, digits)
        for move in moves:
            check()
            _add(move, paths, counts, after[move.paths])
    for table in after.values():
        carry(table.counts)
    return after


def _add(move: _Move, paths: int, counts: Words, target: Table) -> None:
    """Add the counts of some rows to those of the rows that they lead to."""
    rows, onto = move.rows, np.searchsorted(target.types, move.types)
    made = _columns if paths < _MANY else _columns.__wrapped__
    columns, sources = made(paths, move.ends, move.fresh)
    rows_at_once = max(1, _CHUNK // counts.shape[2])
    for start in range(0, len(rows), rows_at_once):
        part = slice(start, start + rows_at_once)
        where = onto[part] if columns is None else (onto[part][:, None], columns)
        for before, after in zip(counts, target.counts, strict=True):
            total = held = before[rows[part]]
            if sources is not None:
                total = held.take(sources[0], axis=1)
                for each in sources[1:]:
                    total += held.take(each, axis=1)
            after[where] += total


# -- the types of vertices ------------------------------------------------------------------------


def _entered(types: Words, positions: tuple[int, ...]) -> Words:
    """Return the types with untouched vertices put in, at positions in ascending order."""
    for at in positions:
        low = types & np.uint64(4**at - 1)
        types = low | (types ^ low) << np.uint64(2)
    return types


def _closed(step: Step, types: Words, counts: Words) -> Counter[int]:
    """Return how many tours of each prefix a step closes: it joins the ends of the only path."""
    closed, wanted = Counter[int](), defaultdict[int, list[int]](list)
    for closing in step.closings:
        kinds = [_UNTOUCHED] + [_FINISHED] * (len(step.vertices) - 1)
        for at in closing.untouched:
            kinds[at] = _UNTOUCHED
        for at in ends_joined(closing.choice):
            kinds[at] = _END
        wanted[closing.prefix].append(sum(kind << 2 * at for at, kind in enumerate(kinds)))
    for prefix, words in wanted.items():
        rows = np.isin(types, np.array(words, dtype=np.uint64))
        closed[prefix] = number_of(sum(row.ravel().tolist()) for row in counts[:, rows])
    return closed


def _moves(step: Step, paths: int, types: Words) -> Iterator[_Move]:
    """Yield what the rows of a table can do; those that cannot be completed are left out."""
    for choice in step.choices:
        own = _kind_at(types, 0) == (_FINISHED, _END, _UNTOUCHED)[len(choice)]
        joined = ends_joined(choice) if choice else ()
        for kinds in itertools.product((_UNTOUCHED, _END), repeat=len(joined)):
            fresh = tuple(kind == _UNTOUCHED for kind in kinds)
            to = paths + sum(fresh) - bool(joined)
            if joined and to == 0:
                continue  # joining the ends of the only path closes it
            good, change = own.copy(), 0
            for at, kind in zip(joined, kinds, strict=True):
                good &= _kind_at(types, at) == kind
                change += (_FINISHED - _END if kind == _END else _END) << 2 * at
            after = types + np.uint64(change % 2**64)
            for due in step.due:
                then = _kind_at(after, due.position)
                if due.left == 0:
                    good &= (then == _FINISHED) | (due.beyond & (then == _UNTOUCHED))
                elif not due.beyond:
                    good &= then != _UNTOUCHED
            rows = np.flatnonzero(good)
            ends = np.zeros((len(rows), len(joined)), dtype=np.uint8)
            for number, at in enumerate(joined):
                ends[:, number] = _ends_before(types[rows], at) + sum(fresh[:number])
            for each, group in _groups(ends):
                types_after = after[rows[group]] >> np.uint64(2)
                yield _Move(rows[group], to, types_after, each, fresh)


def _groups(keys: Mates) -> Iterator[tuple[tuple[int, ...], Columns]]:
    """Yield each different row of the keys, which are small numbers, and where it stands."""
    words = _packed(keys)
    order = np.argsort(words, kind="stable")
    _, starts = np.unique(words[order], return_index=True)
    for group in np.split(order, starts[1:]) if len(keys) else ():
        yield tuple(keys[group[0]].tolist()), group


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


def count_pairings(paths: int) -> int:
    """Return in how many ways the ends of paths can be paired.

    >>> [count_pairings(paths) for paths in range(6)]
    [1, 1, 3, 15, 105, 945]
    """
    return prod(range(1, 2 * paths, 2))


def columns_bytes(width: int) -> int:
    """Return how many bytes it takes to know what changes do to pairings.

    That is what is kept, and what it takes to make the columns of the most paths.
    """
    return 2**24 + 120 * count_pairings(width // 2)


@cache
def _columns(
    paths: int, ends: tuple[int, ...], fresh: tuple[bool, ...] | None
) -> tuple[Columns | None, Columns | None]:
    """Return the columns that those before a change are added to, or those to be added for each.

    Two ``ends`` are joined, where a ``fresh`` one is that of a path of a single vertex, and counts
    among the ends. Without ``fresh``, all ends are reordered: each goes to a new place. The columns
    to be added are below one another. None stands for all columns in order.
    """
    mates = _matings(paths)
    if not ends:
        return None, None
    if fresh is None:
        images = np.empty_like(mates)
        images[:, ends] = np.array(ends, dtype=np.uint8)[mates]
        return None, np.argsort(_ranks(images))[None]
    for end in itertools.compress(ends, fresh):
        mates = _with_end(mates, end)
    one, other = ends
    lines = np.flatnonzero(mates[:, one] != other)
    mates = mates[lines]
    row, far, other_far = np.arange(len(lines)), mates[:, one].copy(), mates[:, other].copy()
    mates[row, far], mates[row, other_far] = other_far, far
    for end in itertools.compress((other, one), (not fresh[1], not fresh[0])):
        mates = np.delete(mates, end, axis=1)
        mates -= mates > end
    ranks = _ranks(mates)
    if all(fresh):
        return ranks, None
    order = lines[np.argsort(ranks, kind="stable")]
    return None, np.ascontiguousarray(order.reshape(count_pairings(mates.shape[1] // 2), -1).T)


@cache
def _matings(paths: int) -> Mates:
    """Return the mate of each end in all pairings: the mate of end 0 ascends, and so on."""
    if paths == 0:
        return np.zeros((1, 0), dtype=np.uint8)
    blocks = []
    for mate in range(1, 2 * paths):
        block = _with_end(_with_end(_matings(paths - 1), 0), mate)
        block[:, [0, mate]] = mate, 0
        blocks.append(block)
    return np.concatenate(blocks)


def _with_end(mates: Mates, end: int) -> Mates:
    """Return pairings with one end more, which is its own mate."""
    return np.insert(mates + (mates >= end), end, end, axis=1)


def _ranks(mates: Mates) -> Columns:
    """Return the numbers of pairings in the order of `_matings`."""
    return np.searchsorted(_packed(_matings(mates.shape[1] // 2)), _packed(mates))


def _packed(rows: Mates) -> Words:
    """Return each row of up to sixteen small numbers as a word; words sort as the rows do."""
    words = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        words = words << np.uint64(4) | column
    return words
