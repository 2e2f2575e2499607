"""Sets of positions on the circle of a tour, each as one number whose bits are the positions.

The circle has ``count`` positions, so position 0 follows the last one.
"""

from __future__ import annotations


def all_positions(count: int) -> int:
    """Return the set of all positions.

    >>> bin(all_positions(4))
    '0b1111'
    """
    return (1 << count) - 1


def following(positions: int, count: int) -> int:
    """Return the positions that directly follow some positions.

    >>> bin(following(0b1001, 4))
    '0b11'
    """
    last = positions >> (count - 1)
    return ((positions << 1) & all_positions(count)) | last


def preceding(positions: int, count: int) -> int:
    """Return the positions that directly precede some positions.

    >>> bin(preceding(0b0011, 4))
    '0b1001'
    """
    first = positions & 1
    return (positions >> 1) | (first << (count - 1))


def lowest(positions: int) -> int:
    """Return the lowest position of a set that is not empty.

    >>> lowest(0b1100)
    2
    """
    return (positions & -positions).bit_length() - 1


def highest(positions: int) -> int:
    """Return the highest position of a set that is not empty.

    >>> highest(0b0110)
    2
    """
    return positions.bit_length() - 1


def below(position: int) -> int:
    """Return the positions below a position.

    >>> bin(below(2))
    '0b11'
    """
    return (1 << position) - 1


def above(position: int, count: int) -> int:
    """Return the positions above a position.

    >>> bin(above(1, 4))
    '0b1100'
    """
    return all_positions(count) & ~below(position + 1)


def members(positions: int) -> list[int]:
    """Return the positions of a set in ascending order.

    >>> members(0b1010)
    [1, 3]
    """
    return [position for position in range(positions.bit_length()) if positions >> position & 1]
