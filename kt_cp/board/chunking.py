"""Long arrays a chunk at a time, to avoid temporary arrays as large as the tour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.generic)

# Entries in a chunk: few enough for the cache of the processor.
CHUNK = 2**16


def spans(length: int) -> Iterator[tuple[int, int]]:
    """Yield for each chunk of an array of this length where it begins and ends.

    >>> list(spans(100_000))
    [(0, 65536), (65536, 100000)]
    """
    for start in range(0, length, CHUNK):
        yield start, min(start + CHUNK, length)


def chunks(array: npt.NDArray[T], overlap: int = 0) -> Iterator[tuple[int, npt.NDArray[T]]]:
    """Yield where each chunk begins, and the chunk followed by ``overlap`` entries of the next.

    >>> [len(chunk) for start, chunk in chunks(np.zeros(100_000), overlap=1)]
    [65537, 34464]
    """
    for start, end in spans(len(array)):
        yield start, array[start : end + overlap]
