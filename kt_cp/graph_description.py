"""Descriptions of graphs: what the readers of graphs return.

Loops and parallel edges are left out, with a warning.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import unique_rows
from kt_cp.messages import InputError, join_words, pluralize

Edges = npt.NDArray[np.int64]  # rows of two indices
NamedEdge = tuple[Hashable, Hashable]
Positions = Mapping[Hashable, tuple[float, float]]  # where pictures show vertices; y points down

# A list or file with more edges is refused.
MAX_EDGES = 10**6

# Positions with larger coordinates are ignored, as their differences may not be finite.
_MAX_COORDINATE = 1e300


@dataclass(frozen=True)
class GraphDescription:
    """The parts of a graph: names of the vertices, and edges as rows of two of their indices.

    There are no loops and no parallel edges. ``positions`` are where a picture shows the vertices:
    rows (x, y), where y points downwards; None if unknown.
    """

    names: Sequence[Hashable]
    edges: Edges
    directed: bool
    positions: npt.NDArray[np.float64] | None = None


def describe_edges(
    names: Iterable[Hashable],
    edges: Iterable[NamedEdge],
    directed: bool | None,
    positions: Positions | None = None,
) -> GraphDescription:
    """Return the graph with these vertices and edges, and with every vertex that an edge names.

    With ``directed=None`` the graph is undirected if each edge is listed in both directions.
    Positions are kept if all vertices have distinct ones. Raises `InputError` for a name that is
    not hashable or stands for a missing value.
    """
    ids: dict[Hashable, int] = {}
    try:
        for name in names:
            ids.setdefault(name, len(ids))
        pairs = [
            (ids.setdefault(source, len(ids)), ids.setdefault(target, len(ids)))
            for source, target in edges
        ]
    except TypeError as error:
        raise InputError(f"no name of a vertex: {error}") from None
    check_names(ids)
    rows = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    description = simple_graph(list(ids), rows, directed)
    return replace(description, positions=_position_rows(description.names, positions or {}))


def _position_rows(
    names: Sequence[Hashable], positions: Positions
) -> npt.NDArray[np.float64] | None:
    """Return the position of each vertex, or None unless all have finite and distinct ones."""
    if not all(name in positions for name in names):
        return None
    rows = np.array([positions[name] for name in names], dtype=np.float64).reshape(-1, 2)
    if not (np.abs(rows) < _MAX_COORDINATE).all() or len(np.unique(rows, axis=0)) < len(rows):
        return None
    return rows


def simple_graph(
    names: Sequence[Hashable], edges: Edges, directed: bool | None
) -> GraphDescription:
    """Return the graph without loops and parallel edges, with a warning for those left out.

    With ``directed=None`` the graph is undirected if each edge is listed in both directions.
    """
    proper = edges[edges[:, 0] != edges[:, 1]]
    rows = np.sort(proper, axis=1) if directed is False else proper
    arcs = unique_rows(rows, len(names))
    left_out = {"loop": len(edges) - len(proper), "parallel edge": len(proper) - len(arcs)}
    ignored = [pluralize(number, noun) for noun, number in left_out.items() if number]
    if ignored:
        _warn(f"ignored: {join_words(ignored)}")
    if directed is None:
        directed = not np.array_equal(arcs, unique_rows(arcs[:, ::-1], len(names)))
        if directed:
            _warn("some edges go one way only: this is a directed graph")
    return GraphDescription(names, arcs, directed)


def _warn(message: str) -> None:
    """Warn, naming the line of code outside this package that called it."""
    level, frame = 2, sys._getframe(1)  # for `warnings`, level 2 is the caller of this function
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("kt_cp."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def check_names(names: Iterable[Hashable]) -> None:
    """Raise `InputError` for a name that stands for a missing value."""
    for name in names:
        if _is_missing(name):
            raise InputError(f"{name} cannot be a vertex")


def _is_missing(name: Hashable) -> bool:
    """Return whether a name is None, NaN, or a missing value of pandas."""
    if name is None or type(name).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(name, float | np.floating) and math.isnan(name)


def refuse_either(shown: str, kinds: str, ways: str) -> NoReturn:
    """Raise `InputError` for an ambiguous value; ``ways`` says how to write each of its kinds."""
    raise InputError(f"{shown} can be read as {kinds}: give {ways}")
