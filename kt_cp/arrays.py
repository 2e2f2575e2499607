"""The types of the arrays that the package passes around, and how long arrays are worked through.

Their shapes are in the docstrings of what takes and returns them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

# Ids of vertices, such as a tour in visiting order, or rows of two: the arcs of a graph.
Squares = npt.NDArray[np.int32]

# For each id its image under a symmetry.
Permutation = npt.NDArray[np.int32]

# Whole numbers of any size: indices, counts, rows of edges.
Ints = npt.NDArray[np.integer]

# True or False for each id, or for each row of another array.
Mask = npt.NDArray[np.bool_]

# Entries in a chunk: few enough for the cache of the processor.
CHUNK = 2**16


def chunks(length: int) -> Iterator[tuple[int, int]]:
    """Yield where each chunk of an array of this length begins and ends.

    >>> list(chunks(CHUNK + 10))
    [(0, 65536), (65536, 65546)]
    """
    return ((start, min(start + CHUNK, length)) for start in range(0, length, CHUNK))
