"""The types of the vertices of a frontier, two bits for each, packed in words.

A vertex is untouched, finished, or the end of a path. The type at position 0 has the lowest two
bits. All functions take an array of words, one for each state, and change or read the types at the
same positions in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.count.digits import Words

UNTOUCHED, FINISHED, END = 0, 1, 2

_EDGES_OF_TYPE = np.array([0, 2, 1])
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


def with_type(types: Words, position: int, new_type: int) -> Words:
    """Return the types with a new one for the vertex at a position."""
    shift = np.uint64(2 * position)
    return types & ~(np.uint64(3) << shift) | np.uint64(new_type) << shift


def with_untouched(types: Words, positions: Iterable[int]) -> Words:
    """Return the types with untouched vertices inserted at positions, in ascending order.

    >>> types = np.array([packed([END, FINISHED])], dtype=np.uint64)
    >>> with_untouched(types, [1, 3]) == packed([END, UNTOUCHED, FINISHED, UNTOUCHED])
    array([ True])
    """
    for position in positions:
        before = types & np.uint64(4**position - 1)
        after = types ^ before
        types = before | after << np.uint64(2)
    return types


def without_first(types: Words) -> Words:
    """Return the types without the vertex at position 0, which leaves the frontier."""
    return types >> np.uint64(2)


def reordered(types: Words, order: Sequence[int]) -> Words:
    """Return the types in another order, which lists the present positions of the vertices."""
    images = np.zeros_like(types)
    for new, old in enumerate(order):
        images |= type_at(types, old) << np.uint64(2 * new)
    return images


def edges_at(types: Words, positions: Iterable[int]) -> Ints:
    """Return how many edges the vertices at some positions have together."""
    edges = np.zeros(len(types), dtype=np.int64)
    for position in positions:
        edges += _EDGES_OF_TYPE[type_at(types, position)]
    return edges


def ends_before(types: Words, position: int) -> npt.NDArray[np.uint8]:
    """Return the number of ends before a position: the index of an end at this position.

    >>> ends_before(np.array([packed([END, FINISHED, END])], dtype=np.uint64), 2)
    array([1], dtype=uint8)
    """
    bits_before = _END_BITS & (4**position - 1)
    return np.asarray(np.bitwise_count(types & np.uint64(bits_before)))
