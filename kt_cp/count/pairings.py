"""Pairings of the ends of paths, and the effect on them of joining or reordering ends.

The *mate* of an end is the other end of its path. Ends can be paired in 1 · 3 · 5 · … ways. A
change of the ends maps all pairings to others, in a way that depends on nothing else; this map is
computed once, as a map of columns (see `kt_cp.count.tables`).
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.count.digits import Words

# Column maps for at least this many paths are too large to be cached.
_UNCACHED_PATHS = 7

Pairings = npt.NDArray[np.uint8]
"""A row for each pairing: the mate of each end. Ends are numbered from 0 along the frontier."""


class Join(NamedTuple):
    """Two ends are joined, the lower number first.

    A ``fresh`` end is a vertex that was untouched. It counts among the ends as a path of its own,
    and remains an end of the joined path; an end that is not fresh is finished by joining it.
    """

    ends: tuple[int, int]
    fresh: tuple[bool, bool]


class Reordering(NamedTuple):
    """Each end gets a new number: ``places`` has the new number of each end."""

    places: tuple[int, ...]


Change = Join | Reordering
"""A change of the ends of paths, which determines a `ColumnMap`."""


class ColumnMap(NamedTuple):
    """A map by which the columns of one row are added to the columns of another.

    ``sources`` has a row for each addend: for each column of the result, the column that is added.
    ``targets`` has for each column the column of the result to which it is added. At least one of
    them is None, which stands for all columns in their order.
    """

    sources: Ints | None = None
    targets: Ints | None = None


def count_pairings(paths: int) -> int:
    """Return the number of ways to pair the ends of some paths.

    >>> [count_pairings(paths) for paths in range(6)]
    [1, 1, 3, 15, 105, 945]
    """
    return prod(range(1, 2 * paths, 2))


def columns_bytes(width: int) -> int:
    """Return about how many bytes column maps take for a frontier of this width.

    These are the maps that are cached, and the arrays from which the largest map is computed.
    """
    return 2**24 + 120 * count_pairings(width // 2)


def column_map(paths: int, change: Change | None) -> ColumnMap:
    """Return the column map of a change to states with this number of paths."""
    if change is None:
        return ColumnMap()
    if paths < _UNCACHED_PATHS:
        return _cached_column_map(paths, change)
    return _computed_column_map(paths, change)


@cache
def _cached_column_map(paths: int, change: Change) -> ColumnMap:
    """Return the column map of a change, computed once."""
    return _computed_column_map(paths, change)


def _computed_column_map(paths: int, change: Change) -> ColumnMap:
    """Compute the column map of a change."""
    if isinstance(change, Join):
        return _join_map(paths, change)
    return _reordering_map(paths, change)


def _reordering_map(paths: int, change: Reordering) -> ColumnMap:
    """Return the column map of a reordering, which permutes the pairings."""
    mates, places = all_pairings(paths), np.array(change.places, dtype=np.uint8)
    images = np.empty_like(mates)
    images[:, places] = places[mates]
    return ColumnMap(sources=np.argsort(columns_of(images))[None])


def _join_map(paths: int, join: Join) -> ColumnMap:
    """Return the column map of joining two ends.

    Of the three pairings of two paths, ends 0 and 1 are mates in the first. The others become the
    same when these ends are joined: the one path that is left.

    >>> _join_map(2, Join(ends=(0, 1), fresh=(False, False))).sources.tolist()
    [[1], [2]]
    """
    kept, mates = _joined(all_pairings(paths), join)
    columns = columns_of(mates)
    if all(join.fresh):  # a new path is added: no two pairings become the same
        return ColumnMap(targets=columns)
    # Every result comes from the same number of pairings, which follow one another when sorted.
    by_result = kept[np.argsort(columns, kind="stable")]
    results = count_pairings(mates.shape[1] // 2)
    return ColumnMap(sources=np.ascontiguousarray(by_result.reshape(results, -1).T))


def _joined(mates: Pairings, join: Join) -> tuple[Ints, Pairings]:
    """Join two ends in every pairing in which they are not mates, which would close a cycle.

    Return the indices of these pairings, and what they become.
    """
    low, high = join.ends
    low_is_fresh, high_is_fresh = join.fresh
    if low_is_fresh:
        mates = _insert_end(mates, low)
    if high_is_fresh:
        mates = _insert_end(mates, high)
    kept = np.flatnonzero(mates[:, low] != high)
    mates = mates[kept]
    rows = np.arange(len(mates))
    low_mate, high_mate = mates[:, low].copy(), mates[:, high].copy()
    mates[rows, low_mate], mates[rows, high_mate] = high_mate, low_mate
    if not high_is_fresh:  # the higher number first: removing the lower one changes it
        mates = _remove_end(mates, high)
    if not low_is_fresh:
        mates = _remove_end(mates, low)
    return kept, mates


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


def _remove_end(mates: Pairings, end: int) -> Pairings:
    """Return pairings without a finished end; the numbers of later ends fall by one."""
    mates = np.delete(mates, end, axis=1)
    shift = (mates > end).astype(mates.dtype)  # 1 where the number falls
    return mates - shift


def columns_of(mates: Pairings) -> Ints:
    """Return the columns of pairings: their indices in the order of `all_pairings`."""
    return np.searchsorted(pack(all_pairings(mates.shape[1] // 2)), pack(mates))


def pack(rows: Pairings) -> Words:
    """Pack each row of up to sixteen small numbers into a word; words sort as the rows do."""
    words = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        words = words << np.uint64(4) | column
    return words
