"""The distances of TSPLIB's travelling salesman problems (Reinelt 1991)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kt_cp.graph_input import Positions
from kt_cp.messages import InputError

MAX_TOWNS = 1_000
"""The most vertices of a problem with distances: each two are joined by an edge."""

Place = tuple[float, float]


def _on_the_earth(one: Place, other: Place) -> int:
    """Return the distance in km of two places, north and east, as degrees.minutes."""
    north, east, other_north, other_east = (
        3.141592 * (math.trunc(each) + 5 * (each - math.trunc(each)) / 3) / 180
        for each in (*one, *other)
    )
    between, along = math.cos(east - other_east), math.cos(north - other_north)
    across = math.cos(north + other_north)
    angle = math.acos(0.5 * ((1 + between) * along - (1 - between) * across))
    return math.floor(6378.388 * angle + 1)


_BY_PLACES: Mapping[str, Callable[[Place, Place], int]] = {
    "EUC_2D": lambda one, other: math.floor(math.dist(one, other) + 0.5),
    "CEIL_2D": lambda one, other: math.ceil(math.dist(one, other)),
    "ATT": lambda one, other: math.ceil(math.sqrt(math.dist(one, other) ** 2 / 10)),
    "GEO": _on_the_earth,
}

# Forms of matrices. By columns, one triangle is the other one by rows.
_UPPER = ("UPPER_ROW", "LOWER_COL", "UPPER_DIAG_ROW", "LOWER_DIAG_COL")
_LOWER = ("LOWER_ROW", "UPPER_COL", "LOWER_DIAG_ROW", "UPPER_DIAG_COL")
_FORMS = ("FULL_MATRIX", *_UPPER, *_LOWER)


def distances(
    kind: str, form: str, places: Positions, words: Sequence[str], count: int
) -> npt.NDArray[np.float64]:
    """Return the matrix of the distances between ``count`` vertices.

    ``kind`` and ``form`` are TSPLIB's type and format of weights. Raises `InputError` for others,
    and where places or weights are missing.
    """
    if kind in _BY_PLACES:
        if missing := [each for each in range(1, count + 1) if each not in places]:
            raise InputError(f"NODE_COORD_SECTION: give two coordinates of {missing[0]}")
        distance, listed = _BY_PLACES[kind], [places[each] for each in range(1, count + 1)]
        return np.array([[distance(one, other) for other in listed] for one in listed])
    if kind != "EXPLICIT":
        raise InputError(
            f"distances {kind[:20]} are not read, but EXPLICIT, {', '.join(_BY_PLACES)}"
        )
    if form not in _FORMS:
        raise InputError(f"EDGE_WEIGHT_FORMAT {form[:20]!r}: give one of {', '.join(_FORMS)}")
    shift = 0 if "DIAG" in form else 1  # from the diagonal
    where = np.ones((count, count), np.bool_)
    if form in _UPPER:
        where = np.triu(where, shift)
    elif form in _LOWER:
        where = np.tril(where, -shift)
    if len(words) != np.count_nonzero(where):
        has = f"{len(words):,} numbers, but {form} has {np.count_nonzero(where):,}"
        raise InputError(f"EDGE_WEIGHT_SECTION: {has}")
    matrix = np.zeros((count, count))
    try:
        matrix[where] = [float(word) for word in words]
    except ValueError as error:
        raise InputError(f"EDGE_WEIGHT_SECTION: {error}") from None
    return matrix if form == "FULL_MATRIX" else matrix + matrix.T
