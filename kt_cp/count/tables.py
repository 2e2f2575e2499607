"""States in tables: by the types of the frontier's vertices, and by how the ends are paired.

A vertex of the frontier is untouched, finished, or the end of a path, and the *mate* of an end is
the other end of its path. Ends can be paired in 1 · 3 · 5 · … ways, and after some rows of a board
most of these occur. So states with the same types are counted in one row of a table that has a
column for every pairing, whether it occurs or not: no state is stored, hashed, sorted or compared.
A choice maps the pairings of a row to the pairings of another row, in a way that depends only on
the ends that it joins. This is worked out once (a `ColumnMap`): a step adds columns to columns.

`kt_cp.count.frontier` explains the method and counts the states one by one, which is better where
the frontier is wide and few pairings occur.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, unique
from kt_cp.count.cost import OutOfMemoryError, count_pairings
from kt_cp.count.plan import END, FINISHED, UNTOUCHED, Choice, FrontierStep, ends_joined

Words = npt.NDArray[np.uint64]

_DIGIT_BITS = 32  # of counts that do not fit into one word
_CHUNK = 2**15  # counts that are added in one go

# -- counts of any size ---------------------------------------------------------------------------
#
# An array of counts has the digits as its first axis, the lowest first. A single digit uses a whole
# word of 64 bits. Each of several digits uses 32 of the 64 bits, so that many arrays can be added
# before a `carry`.


def number_of(digits: Iterable[int]) -> int:
    """Return the number with these digits, the lowest first."""
    return sum(digit << _DIGIT_BITS * place for place, digit in enumerate(digits))


def numbers(counts: Words) -> list[int]:
    """Return the number in each column of digits."""
    return [number_of(digits) for digits in counts.T.tolist()]


def digits_for(bound: int) -> int:
    """Return a number of digits with which no sum up to a bound overflows."""
    if bound < 2 ** (2 * _DIGIT_BITS - 1):
        return 1
    return math.ceil(bound.bit_length() / _DIGIT_BITS)


def with_digits(counts: Words, digits: int) -> Words:
    """Return counts with at least this many digits."""
    if len(counts) >= digits:
        return counts
    widened = np.zeros((digits, *counts.shape[1:]), dtype=np.uint64)
    widened[: len(counts)] = counts
    carry(widened)  # a single digit may use 64 bits
    return widened


def carry(counts: Words) -> None:
    """Carry in place, so that all digits except the highest become less than 2**32."""
    for low, high in itertools.pairwise(counts):
        high += low >> np.uint64(_DIGIT_BITS)
        low &= np.uint64(2**_DIGIT_BITS - 1)


# -- types of vertices ----------------------------------------------------------------------------
#
# The types of a frontier are packed in a word, two bits for each vertex; the lowest two bits are
# the type at position 0. The functions take an array of words, one for each state.

# The type that a vertex must have to choose no, one or two later neighbors, so that it gets two
# edges in all.
_TYPE_BY_CHOICES = (FINISHED, END, UNTOUCHED)

_END_BITS = 0xAAAAAAAAAAAAAAAA  # the high bit of every type, which is set for ends only


def packed(types: Sequence[int]) -> int:
    """Return the word of the types of the vertices at positions 0, 1 and so on.

    >>> bin(packed([END, UNTOUCHED, FINISHED]))
    '0b10010'
    """
    return sum(each * 4**position for position, each in enumerate(types))


def type_at(types: Words, position: int) -> Words:
    """Return the type of the vertex at a position."""
    return types >> np.uint64(2 * position) & np.uint64(3)


def reordered(types: Words, order: Sequence[int]) -> Words:
    """Return the types in another order, which lists the present positions of the vertices."""
    images = np.zeros_like(types)
    for new, old in enumerate(order):
        images |= type_at(types, old) << np.uint64(2 * new)
    return images


def _with_untouched(types: Words, position: int) -> Words:
    """Return the types with an untouched vertex, whose type is 0, inserted at a position."""
    lower = types & np.uint64(4**position - 1)
    higher = types ^ lower
    return lower | higher << np.uint64(2)


def _ends_before(types: Words, position: int) -> npt.NDArray[np.uint8]:
    """Return the number of ends before a position: the index of an end at this position."""
    bits_before = _END_BITS & (4**position - 1)
    return np.asarray(np.bitwise_count(types & np.uint64(bits_before)))


# -- pairings of ends -----------------------------------------------------------------------------

Pairings = npt.NDArray[np.uint8]
"""A row for each pairing: the mate of each end. Ends are numbered from 0 along the frontier."""


@cache
def all_pairings(paths: int) -> Pairings:
    """Return all pairings of the ends of some paths, in lexicographic order of their mates.

    >>> all_pairings(2).tolist()
    [[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    """
    if paths == 0:
        return np.zeros((1, 0), dtype=np.uint8)
    blocks = []
    for mate in range(1, 2 * paths):
        block = _insert_end(_insert_end(all_pairings(paths - 1), 0), mate)
        block[:, [0, mate]] = mate, 0
        blocks.append(block)
    return np.concatenate(blocks)


def _insert_end(mates: Pairings, end: int) -> Pairings:
    """Return pairings with a new end, its own mate; the numbers of later ends grow by one."""
    shift = (mates >= end).astype(mates.dtype)  # 1 where the number grows
    return np.insert(mates + shift, end, end, axis=1)


def _pack(rows: Pairings) -> Words:
    """Pack each row of up to sixteen small numbers into a word; words sort as the rows do."""
    words = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        words = words << np.uint64(4) | column
    return words


# -- changes of the ends --------------------------------------------------------------------------


class Join(NamedTuple):
    """Two ends are joined, the lower number first.

    An end that is ``fresh``, told by 1, is a vertex that was untouched. It counts among the ends as
    a path of its own, and remains an end of the joined path. One that is not, told by 0, is
    finished by joining it.

    With one path, 0-1, and an untouched vertex before its ends, the fresh end is 0 and the ends of
    the path are 1 and 2. Joining 0 and 2 finishes 2: the path leads from 0 to 1.

    >>> kept, mates = Join(ends=(0, 2), fresh=(1, 0)).change(all_pairings(1))
    >>> kept.tolist(), mates.tolist()
    ([0], [[1, 0]])
    """

    ends: tuple[int, ...]
    fresh: tuple[int, ...]

    def change(self, mates: Pairings) -> tuple[Ints, Pairings]:
        """Return the indices of the pairings that allow the change, and what they become.

        They are those in which the two ends are not mates: joining mates would close a cycle. Both
        ``mates`` and the result have a row for each pairing and a column for each end.
        """
        low, high = self.ends
        for end in itertools.compress(self.ends, self.fresh):
            mates = _insert_end(mates, end)
        kept = np.flatnonzero(mates[:, low] != high)
        mates = mates[kept]
        rows = np.arange(len(mates))
        low_mate, high_mate = mates[:, low].copy(), mates[:, high].copy()
        mates[rows, low_mate], mates[rows, high_mate] = high_mate, low_mate
        # The others are finished: they go, and the numbers of later ends fall by one.
        finished = [end for end, is_fresh in zip(*self, strict=True) if not is_fresh]
        mates = np.delete(mates, finished, axis=1)
        for end in reversed(finished):
            mates -= (mates > end).astype(mates.dtype)
        return kept, mates


class Renumbering(NamedTuple):
    """The ends stay, and get new numbers: end i gets ``numbers[i]``."""

    numbers: tuple[int, ...]

    def change(self, mates: Pairings) -> tuple[Ints, Pairings]:
        """Return the indices of the pairings that allow the change, all, and what they become."""
        new = np.array(self.numbers, dtype=np.uint8)
        # In the result, end new[i] has the mate new[mate of i].
        return np.arange(len(mates)), new[mates[:, np.argsort(new)]]


class ColumnMap(NamedTuple):
    """How the counts of a row are added to those of the row to which it leads.

    Column c of the result is the sum of the columns ``sources[:, c]``; or else column c is added to
    column ``targets[c]`` of the result. If both are None, the columns stay.
    """

    sources: Ints | None = None
    targets: Ints | None = None

    @classmethod
    def of(cls, paths: int, change: Join | Renumbering) -> ColumnMap:
        """Return the column map of a change to states with this number of paths.

        Of the three pairings of two paths, ends 0 and 1 are mates in the first. The others become
        the same when these ends are joined: the one path that is left.

        >>> ColumnMap.of(2, Join(ends=(0, 1), fresh=(0, 0))).sources.tolist()
        [[1], [2]]
        """
        kept, mates = change.change(all_pairings(paths))
        pairings = all_pairings(mates.shape[1] // 2)
        columns = np.searchsorted(_pack(pairings), _pack(mates))
        results = len(pairings)
        if results > len(kept):  # a new path is added: no two pairings become the same
            return cls(targets=columns)
        # Every result comes from the same number of pairings, which follow one another when sorted.
        by_result = kept[np.argsort(columns, kind="stable")]
        return cls(sources=np.ascontiguousarray(by_result.reshape(results, -1).T))

    def add(self, counts: Words, rows: Ints, target: Words) -> None:
        """Add each row of counts to one of the ``rows`` of a target; overwrite the counts.

        Both arrays have a row for each combination of types and a column for each pairing.
        """
        if self.targets is not None:
            target[rows[:, None], self.targets] += counts
            return
        if self.sources is not None:
            before, counts = counts, counts.take(self.sources[0], axis=1)
            for columns in self.sources[1:]:
                counts += before.take(columns, axis=1)
        counts += target.take(rows, axis=0)
        target[rows] = counts


# The column maps of more paths are too large to be kept: they take gigabytes.
_MOST_CACHED_PATHS = 6
_cached_column_map = cache(ColumnMap.of)


def column_map_bytes(width: int) -> int:
    """Return about how many bytes column maps take for a frontier of this width.

    These are the maps that are cached, and the arrays from which the largest map is computed.
    """
    return 2**24 + 120 * count_pairings(width // 2)


# -- tables ---------------------------------------------------------------------------------------


class Table(NamedTuple):
    """States with the same number of paths: a row for each combination of types, ascending.

    The ``counts`` have the axes digit (the lowest first), row (types) and column (pairing).
    """

    types: Words
    counts: Words


class Transition(NamedTuple):
    """Rows of a table that lead to other rows in the same way.

    These have other types, perhaps another number of paths and, if there is a ``change``, other
    ends.
    """

    rows: Ints
    paths_after: int
    types_after: Words
    change: Join | Renumbering | None = None


class _Source(NamedTuple):
    """The counts of a table, its number of paths, and where its rows lead."""

    paths: int
    counts: Words
    transitions: list[Transition]


class Tables(dict[int, Table]):
    """The states after a step: a `Table` for each number of paths."""

    @classmethod
    def initial(cls) -> Tables:
        """Return the state before the first step: one partial tour without a path."""
        return cls({0: Table(np.zeros(1, np.uint64), np.ones((1, 1, 1), np.uint64))})

    @property
    def size(self) -> int:
        """The number of states that occur."""
        return sum(int(table.counts.any(axis=0).sum()) for table in self.values())

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return sum(table.types.nbytes + table.counts.nbytes for table in self.values())

    def advance(
        self, step: FrontierStep, memory: float, check: Callable[[], None]
    ) -> tuple[Tables, Counter[int]]:
        """Return the states after a step, and how many tours of each prefix the step closes.

        This object is emptied, to free its memory as soon as possible. ``check`` is called now and
        then, and may raise an exception to stop the count. Raises `OutOfMemoryError` if the states
        before and after the step take more than ``memory`` bytes together.
        """
        closed = Counter[int]()
        sources = list[_Source]()
        bound = 0  # of the counts before the step
        most_ends = max(1, 2 * max(self, default=0))
        for paths in sorted(self):
            types, counts = self.pop(paths)
            for position in step.entering:
                types = _with_untouched(types, position)
            if paths == 1:  # the choice joins the ends of the only path
                for closing in step.closings:
                    for row in np.flatnonzero(types == packed(closing.types)):
                        closed[closing.prefix] += number_of(counts[:, row, 0].tolist())
            bound = max(bound, _upper_bound(counts))
            choices = (_transitions(step, paths, types, choice) for choice in step.choices)
            sources.append(_Source(paths, counts, [*itertools.chain.from_iterable(choices)]))
        # A choice leads to a state from at most ``most_ends`` states. If it joined two paths, their
        # far ends are the ends of one path of the state, one of ``most_ends`` / 2, in two ways.
        digits = digits_for(bound * len(step.choices) * most_ends)
        after = _tables_after(sources, digits, memory, check)
        return after._fold(step.mirror) if step.mirror else after, closed

    def _fold(self, mirror: tuple[int, ...]) -> Tables:
        """Return one of each pair of mirror images with the sum of their counts; empty this object.

        This is correct as equally many tours continue a state and its mirror image.
        """
        sources = list[_Source]()
        for paths in list(self):
            types, counts = self.pop(paths)
            images = reordered(types, np.argsort(mirror).tolist())
            kept = np.flatnonzero(types <= images)
            folded = np.flatnonzero(types > images)
            transitions = [Transition(kept, paths, types[kept])]
            types, images = types[folded], images[folded]
            new_numbers = np.zeros((len(folded), 2 * paths), dtype=np.uint8)  # of the ends
            for position, image in enumerate(mirror):
                rows = np.flatnonzero(type_at(types, position) == END)
                old_numbers = _ends_before(types[rows], position)
                new_numbers[rows, old_numbers] = _ends_before(images[rows], image)
            transitions += [
                Transition(folded[group], paths, images[group], Renumbering(numbers))
                for numbers, group in _groups(new_numbers)
            ]
            sources.append(_Source(paths, counts, transitions))
        return _tables_after(sources, digits=1)  # twice a count fits: `digits_for` leaves a bit


def merge(pieces: Iterable[tuple[int, Table]]) -> Tables:
    """Return the states of all pieces, which are pairs of a number of paths and a table.

    Pieces may have the same states, whose counts are added.
    """
    sources = [
        _Source(paths, counts, [Transition(np.arange(len(types)), paths, types)])
        for paths, (types, counts) in pieces
    ]
    return _tables_after(sources, digits_for(sum(_upper_bound(each.counts) for each in sources)))


def _upper_bound(counts: Words) -> int:
    """Return an upper bound of the counts of a table."""
    return number_of(int(digit.max(initial=0)) for digit in counts)


def _tables_after(
    sources: list[_Source],
    digits: int,
    memory: float = math.inf,
    check: Callable[[], None] = lambda: None,
) -> Tables:
    """Return the tables to which the rows of all sources lead, and empty the list of sources.

    Their counts have at least so many ``digits``. Raises `OutOfMemoryError` if sources and tables
    take more than ``memory`` bytes together.
    """
    digits = max([digits, *(len(source.counts) for source in sources)])
    types_found = defaultdict[int, list[Words]](list)  # by the number of paths
    used_bytes = 0
    for source in sources:
        used_bytes += source.counts.nbytes
        for transition in source.transitions:
            types_found[transition.paths_after].append(transition.types_after)
            used_bytes += transition.rows.nbytes + transition.types_after.nbytes
    after = Tables()
    for paths, arrays in types_found.items():
        types = unique(np.concatenate(arrays))
        shape = digits, len(types), count_pairings(paths)
        used_bytes += 8 * math.prod(shape)
        if used_bytes > memory:
            raise OutOfMemoryError(f"{used_bytes / 2**20:,.0f} MiB are needed")
        after[paths] = Table(types, np.zeros(shape, dtype=np.uint64))
    while sources:
        paths, counts, transitions = sources.pop()
        counts = with_digits(counts, digits)
        column_map = _cached_column_map if paths <= _MOST_CACHED_PATHS else ColumnMap.of
        for transition in transitions:
            check()
            change = transition.change
            columns = ColumnMap() if change is None else column_map(paths, change)
            _add_rows(counts, transition, columns, after[transition.paths_after])
        del counts  # free their memory before the next ones are widened
    for table in after.values():
        carry(table.counts)
    return after


def _add_rows(counts: Words, transition: Transition, columns: ColumnMap, after: Table) -> None:
    """Add the counts of the rows of a transition to the rows of the table to which they lead."""
    rows_after = np.searchsorted(after.types, transition.types_after)
    rows_at_once = max(1, _CHUNK // counts.shape[2])
    for start in range(0, len(rows_after), rows_at_once):
        some = slice(start, start + rows_at_once)
        for digit, digit_after in zip(counts, after.counts, strict=True):
            columns.add(digit.take(transition.rows[some], axis=0), rows_after[some], digit_after)


# -- transitions ----------------------------------------------------------------------------------
#
# A choice joins two vertices: two later neighbors, or the node itself and one of them. The types
# show which rows allow it, and how their ends are renumbered. For example, with letters for the
# types (u: untouched, f: finished, e: end) and a choice that joins positions 0 and 2:
#
#     e u u e    the node is an end, and position 2 is untouched
#     e u e e    both as ends: 0 is end number 0, and 2, which is fresh, is end number 1
#     f u e e    the end that is not fresh is finished: Join(ends=(0, 1), fresh=(0, 1))
#     u e e      the node leaves the frontier; there is still one path
#
# Rows with the same join have the same `ColumnMap`, so they make one `Transition`: they are grouped
# by keys (low end, high end, whether the low one is fresh, whether the high one is), which are
# packed into words of four bits for each number. As a frontier has at most `MAX_WIDTH` vertices, a
# number is at most 15, except that the last of 17 ends has 16. The word of such a key has 0 for the
# high end, as no other word has, and the lowest bit of the low end is lost. This end is known
# nevertheless: it is the node, whose number is 0, or else all later vertices are ends, so that its
# number follows from its position.


def _transitions(
    step: FrontierStep, paths: int, types: Words, choice: Choice
) -> Iterator[Transition]:
    """Yield the transitions of the rows of a table by a choice, which joins two vertices or none.

    Rows are left out where the choice is not possible, or leads to a state that no tour continues.
    A joined vertex is untouched, and becomes the end of a path, or it is an end, and is finished.
    """
    is_possible = type_at(types, 0) == _TYPE_BY_CHOICES[len(choice)]
    if not choice:
        rows = np.flatnonzero(is_possible & _may_be_completed(step, types))
        yield Transition(rows, paths, types[rows] >> np.uint64(2))
        return
    joined = ends_joined(choice)
    for position in joined:
        is_possible &= type_at(types, position) != FINISHED
    # From here on, arrays have an entry, or a row, for each of these rows of the table.
    rows = np.flatnonzero(is_possible)
    types = types[rows]
    is_fresh = [type_at(types, position) == UNTOUCHED for position in joined]
    types = types | np.uint64(sum(END << 2 * position for position in joined))
    ends = [_ends_before(types, position) for position in joined]
    keys = np.stack([*ends, *is_fresh], axis=1)
    # An end that is not fresh is finished: the bits are flipped in which these types differ.
    for position, stays in zip(joined, is_fresh, strict=True):
        types = np.where(stays, types, types ^ np.uint64((END ^ FINISHED) << 2 * position))
    completable = np.flatnonzero(_may_be_completed(step, types))
    for key, group in _groups(keys[completable]):
        join = Join(ends=key[:2], fresh=key[2:])
        alike = completable[group]
        paths_after = paths + sum(join.fresh) - 1  # joining makes one of two paths
        if paths_after > 0:  # otherwise, joining the ends of the only path closes it
            yield Transition(rows[alike], paths_after, types[alike] >> np.uint64(2), join)


def _may_be_completed(step: FrontierStep, types: Words) -> Mask:
    """Return a mask of the rows in which no vertex has an excluded type."""
    possible = np.ones(len(types), dtype=np.bool_)
    for position, excluded in step.excluded:
        possible &= type_at(types, position) != excluded
    return possible


def _groups(keys: Pairings) -> Iterator[tuple[tuple[int, ...], Ints]]:
    """Yield each distinct row of small numbers in the keys, with the indices of its copies."""
    if len(keys):
        words = _pack(keys)
        order = np.argsort(words, kind="stable")
        _, starts = np.unique(words[order], return_index=True)
        for group in np.split(order, starts[1:]):
            yield tuple(keys[group[0]].tolist()), group
