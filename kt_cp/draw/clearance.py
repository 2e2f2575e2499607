"""How close the vertices of a drawing are to its edges."""

from __future__ import annotations

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.draw.picture import Points


def least_clearance(points: Points, edges: Ints) -> float:
    """Return the least distance from a point to an edge of which it is no end, in the unit of both.

    ``points`` are those of the vertices, n x (x, y), and ``edges`` are rows of two vertices. The
    distance is infinite if there is no such pair.

    >>> least_clearance(np.array([(0.0, 0.0), (4.0, 0.0), (1.0, 3.0)]), np.array([(0, 1)]))
    3.0
    """
    tails, heads = points[edges].transpose(1, 0, 2)
    along = heads - tails
    squared_lengths = np.maximum((along**2).sum(axis=1), np.finfo(np.float64).tiny)
    shares = ((points[:, None] - tails) * along).sum(axis=2) / squared_lengths
    nearest = tails + np.clip(shares, 0, 1)[..., None] * along
    distances = np.linalg.norm(points[:, None] - nearest, axis=2)
    is_end = (edges[None] == np.arange(len(points))[:, None, None]).any(axis=2)
    return float(distances[~is_end].min(initial=np.inf))
