"""Counts of any size in NumPy: arrays of 64-bit words, or of several digits of 32 bits.

An array of counts has the digits as its first axis, the lowest first. A single digit uses a whole
word of 64 bits. Each of several digits uses 32 of the 64 bits, so that many arrays can be added
before a `carry`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

_DIGIT_BITS = 32  # of counts that do not fit into one word


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
    if len(counts) == 1:
        low = counts & np.uint64(2**_DIGIT_BITS - 1)
        high = counts >> np.uint64(_DIGIT_BITS)
        counts = np.concatenate([low, high])
    more = np.zeros((digits - len(counts), *counts.shape[1:]), dtype=np.uint64)
    return np.concatenate([counts, more])


def carry(counts: Words) -> None:
    """Carry in place, so that all digits except the highest become less than 2**32."""
    for low, high in itertools.pairwise(counts):
        high += low >> np.uint64(_DIGIT_BITS)
        low &= np.uint64(2**_DIGIT_BITS - 1)
