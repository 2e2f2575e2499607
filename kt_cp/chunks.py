"""Long arrays a chunk at a time, so that nothing is held once more for every square."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.generic)

# Entries worked on at a time: few enough for the processor's cache.
CHUNK = 2**16


def chunks(array: npt.NDArray[T], overlap: int = 0) -> Iterator[tuple[int, npt.NDArray[T]]]:
    """Yield where each chunk begins, and the chunk with the first ``overlap`` entries of the next.

    >>> [(start, chunk.tolist()) for start, chunk in chunks(np.array([4, 7, 0]), overlap=1)]
    [(0, [4, 7, 0])]
    """
    for start in range(0, len(array), CHUNK):
        yield start, array[start : start + CHUNK + overlap]
