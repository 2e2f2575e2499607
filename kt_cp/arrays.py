"""Types of arrays, and functions on arrays that the whole package uses.

The shapes are given in the docstrings of the functions that take and return the arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.integer)

# Ids of vertices, such as a tour in visiting order, or rows of two: the arcs of a graph. The name
# is that of boards; the vertices of any graph have this type.
Squares = npt.NDArray[np.int32]

# Several tours as rows of ids in visiting order; with further axes in front, such as one of maps.
Tours = npt.NDArray[np.int32]

# For each id its image under a symmetry.
Permutation = npt.NDArray[np.int32]

# Whole numbers of any size: indices, counts, rows of edges.
Ints = npt.NDArray[np.integer]

# Numbers such as lengths, shares and times.
Floats = npt.NDArray[np.float64]

# True or False for each id, or for each row of another array.
Mask = npt.NDArray[np.bool_]

# The default number of entries in a chunk: temporary arrays of so few stay in the cache of the
# processor, and are not returned to the system each time, which takes three times as long.
CHUNK = 2**14


def unique(values: npt.NDArray[T]) -> npt.NDArray[T]:
    """Return the distinct entries of a one-dimensional array, ascending.

    Sorting takes a hundredth of the time of ``np.unique``, which hashes since NumPy 2.3.

    >>> unique(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def is_among(values: Ints, ordered: Ints) -> Mask:
    """Return for each value whether it is an entry of an ascending array.

    By binary search: ``np.isin`` sorts or hashes all values, which takes ten times as long for
    thousands of values that are far apart.

    >>> is_among(np.array([4, 2, 9]), np.array([2, 3, 4])).tolist()
    [True, True, False]
    """
    if not len(ordered):
        return np.zeros(values.shape, dtype=np.bool_)
    places = np.searchsorted(ordered, values).clip(max=len(ordered) - 1)
    return np.asarray(ordered[places] == values)


def edge_keys(edges: Ints, area: int) -> npt.NDArray[np.int64]:
    """Return a key for each edge or arc, given as rows of two ids, each less than ``area``.

    Different rows have different keys, and the keys sort as the rows do.

    >>> edge_keys(np.array([[0, 1], [2, 0]]), 3).tolist()
    [1, 6]
    """
    return np.asarray(edges.astype(np.int64) @ np.array([area, 1]))


def edges_of_keys(keys: Ints, area: int) -> npt.NDArray[np.int64]:
    """Return the rows of two ids, each less than ``area``, that have these `edge_keys`.

    >>> edges_of_keys(np.array([1, 6]), 3).tolist()
    [[0, 1], [2, 0]]
    """
    return np.stack(np.divmod(keys.astype(np.int64), max(area, 1)), axis=1)


def edges_among(edges: Ints, others: Ints, area: int) -> Mask:
    """Return for each edge, a row of two ids less than ``area``, whether it is one of the others.

    >>> edges_among(np.array([[0, 1], [0, 2], [1, 2]]), np.array([[0, 2]]), 3).tolist()
    [False, True, False]
    """
    return is_among(edge_keys(edges, area), np.sort(edge_keys(others, area)))


def unique_rows(rows: Ints, area: int) -> npt.NDArray[np.int64]:
    """Return the distinct rows of two ids, each less than ``area``, sorted.

    >>> unique_rows(np.array([[2, 0], [1, 2], [2, 0]]), 3).tolist()
    [[1, 2], [2, 0]]
    """
    return edges_of_keys(unique(edge_keys(rows, area)), area)


def both_directions(edges: npt.NDArray[T]) -> npt.NDArray[T]:
    """Return the given rows of two, and then each of them reversed.

    >>> both_directions(np.array([[0, 1], [1, 2]])).tolist()
    [[0, 1], [1, 2], [1, 0], [2, 1]]
    """
    return np.concatenate([edges, edges[:, ::-1]])


def cycle_arcs(cycle: npt.NDArray[T]) -> npt.NDArray[T]:
    """Return the arcs along a cycle, given as nodes in order: rows of a node and the next one.

    Several cycles of the same length, as rows, may be given at once.

    >>> cycle_arcs(np.array([4, 7, 5])).tolist()
    [[4, 7], [7, 5], [5, 4]]
    """
    return np.stack([cycle, np.roll(cycle, -1, axis=-1)], axis=-1)


def rotated(cycle: npt.NDArray[T], first: int) -> npt.NDArray[T]:
    """Return a cycle, given as nodes in order, so that it begins with one of them.

    >>> rotated(np.array([4, 7, 5]), first=5).tolist()
    [5, 4, 7]
    """
    return np.roll(cycle, -int(np.flatnonzero(cycle == first)[0]))


def coordinates(ids: npt.NDArray[T], columns: int) -> npt.NDArray[T]:
    """Return the row and the column of each id of a board, both from 0, along a new last axis.

    >>> coordinates(np.array([0, 6]), columns=4).tolist()
    [[0, 0], [1, 2]]
    """
    return np.stack(np.divmod(ids, columns), axis=-1)


def chunks(length: int, size: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each chunk of an array of this length.

    A chunk has ``size`` entries, by default `CHUNK`; the last one may have fewer.

    >>> list(chunks(10, size=4))
    [(0, 4), (4, 8), (8, 10)]
    """
    size = size or CHUNK
    return ((start, min(start + size, length)) for start in range(0, length, size))
