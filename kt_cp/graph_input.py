"""Descriptions of graphs: what the readers of graphs return.

Loops and parallel edges are left out, with a warning.
"""

from __future__ import annotations

import itertools
import math
import numbers
import re
import reprlib
import sys
import warnings
from collections.abc import (
    Callable,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, NoReturn

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


def is_data_frame(value: object) -> bool:
    """Return whether a value is a table of pandas, or has the same attributes."""
    names = ("columns", "index", "to_numpy")
    return all(hasattr(value, name) for name in names) and not isinstance(value, type)


def read_data_frame(frame: Any) -> GraphDescription:
    """Read a table of pandas: an adjacency matrix with labels, or a list of edges.

    Raises `InputError` if it is neither.
    """
    rows, columns = list(frame.index), list(frame.columns)
    if rows == columns == list(range(len(rows))):  # the default labels
        return read_array(frame.to_numpy())
    if len(rows) == len(columns) and set(rows) == set(columns):
        if len(set(rows)) < len(rows):
            raise InputError("two rows of the adjacency matrix have the same label")
        check_names(rows)
        return simple_graph(rows, _matrix_edges(frame[rows].to_numpy()), directed=None)
    if {"source", "target"} <= set(columns):
        columns = ["source", "target"]
    if len(columns) != 2 or len(set(columns)) != 2:
        wanted = "the same labels for rows and columns (a matrix), or columns source and target"
        raise InputError(f"table with the columns {reprlib.repr(columns)}: give {wanted}")
    source, target = (frame[column].tolist() for column in columns)
    return describe_edges([], zip(source, target, strict=True), directed=False)


def is_array(value: object) -> bool:
    """Return whether a value is an array of NumPy, or a sparse matrix of SciPy."""
    has_entries = _is_sparse(value) or hasattr(value, "__array__")
    return has_entries and not isinstance(value, type | np.generic)


def read_array(value: Any) -> GraphDescription:
    """Read an adjacency matrix of NumPy or SciPy, or an array whose rows are edges."""
    if _is_sparse(value):
        return simple_graph(range(value.shape[0]), _matrix_edges(value), directed=None)
    array = np.asanyarray(value)
    if array.ndim == 2 and array.shape[1] == 2 and len(array) != 2:
        return _read_edge_array(array)
    edges = _matrix_edges(array)
    # Two rows of two may be edges, and three rows of three edges with weights.
    if len(array) in (2, 3) and array.diagonal().any() and not np.isin(array, (0, 1)).all():
        shown = f"array of shape {array.shape}"
        ways = "0 in the diagonal for a matrix, and a list of tuples for edges"
        refuse_either(shown, "an adjacency matrix or as edges", ways)
    return simple_graph(range(len(array)), edges, directed=None)


def _read_edge_array(array: npt.NDArray[Any]) -> GraphDescription:
    """Read an array with a row for each edge. Raises `InputError` for fractions as names."""
    if array.dtype.kind not in "iuOU" or np.ma.is_masked(array):
        raise InputError(f"edges as an array of {array.dtype}: give whole numbers or text")
    return describe_edges([], map(tuple, array.tolist()), directed=False)


def _matrix_edges(matrix: Any) -> Edges:
    """Return the edges of an adjacency matrix, its nonzero entries, as rows of two indices.

    Raises `InputError` for anything else, and for ambiguous entries: NaN, infinity, numbers below
    0, masked entries, and zeros stored in a sparse matrix.
    """
    shape = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        wanted = "give a square one, or edges as rows of two vertices"
        raise InputError(f"adjacency matrix of shape {shape}: {wanted}")
    if matrix.dtype.kind not in "biuf":
        raise InputError(f"adjacency matrix of {matrix.dtype}: give numbers, 1 for an edge, else 0")
    rows, columns, values = _sparse_entries(matrix) if _is_sparse(matrix) else _entries(matrix)
    if np.isnan(values).any():
        raise InputError("adjacency matrix with NaN: write 0 where there is no edge")
    if (values < 0).any() or np.isinf(values).any():
        wanted = "write 1 where there is an edge and 0 where there is none"
        raise InputError(f"adjacency matrix with numbers below 0 or infinite ones: {wanted}")
    edges = np.stack([rows, columns], axis=1).astype(np.int64)
    if _may_be_incidences(edges, shape[0]):
        ways = "0 in the diagonal for adjacencies, and the edges if each column is one"
        refuse_either("matrix", "adjacencies or incidences", ways)
    return edges


def _is_sparse(value: object) -> bool:
    """Return whether a value is a sparse matrix of SciPy."""
    return hasattr(value, "tocoo")


def _sparse_entries(matrix: Any) -> tuple[Any, Any, Any]:
    """Return the row, the column and the value of each entry of a sparse matrix."""
    matrix = matrix.tocsr()
    matrix.sum_duplicates()
    entries = matrix.tocoo()
    if not entries.data.all():
        ways = "drop them by eliminate_zeros(), or write 1 where there is an edge"
        raise InputError(f"sparse adjacency matrix that stores zeros: {ways}")
    return entries.row, entries.col, entries.data


def _entries(matrix: npt.NDArray[Any]) -> tuple[Any, Any, Any]:
    """Return the row, the column and the value of each nonzero entry."""
    if np.ma.is_masked(matrix):
        raise InputError("adjacency matrix with masked entries: write 0 or 1 there")
    matrix = np.asarray(matrix)
    rows, columns = matrix.nonzero()
    return rows, columns, matrix[rows, columns]


def _may_be_incidences(edges: Edges, size: int) -> bool:
    """Return whether a square matrix may be an incidence matrix, whose columns are edges.

    Every column of such a matrix has two entries. Unlike an adjacency matrix, it is hardly ever
    symmetric, and hardly ever has an empty diagonal.
    """
    per_column = np.bincount(edges[:, 1], minlength=size)
    has_loops = bool((edges[:, 0] == edges[:, 1]).any())
    if not has_loops or (per_column != 2).any():
        return False
    return not np.array_equal(unique_rows(edges, size), unique_rows(edges[:, ::-1], size))


_WANTED = "give a networkx graph, a mapping of vertex to neighbors, a list of edges, or a matrix"
_AS_MATRIX = "np.array(rows) for an adjacency matrix"
_AS_EDGES = "pairs such as [(0, 1), (1, 2)] for edges"
_AS_NEIGHBORS = "dict(enumerate(rows)) for lists of neighbors"


def describe_graph(value: object) -> GraphDescription:
    """Return the graph that a value stands for (see `kt_cp.graph.Graph.of`).

    Raises `InputError` for anything else.
    """
    for fits, read in _READERS:
        if fits(value):
            return read(value)
    _refuse_graph(value)


def _refuse_graph(value: object) -> NoReturn:
    """Raise `InputError` for a value that is not a graph."""
    raise InputError(f"graph {reprlib.repr(value)}: {_WANTED}")


# --- networkx and igraph -------------------------------------------------------------------------


def _is_networkx_graph(value: object) -> bool:
    """Return whether a value is a graph of networkx, or has the same attributes."""
    names = ("is_directed", "is_multigraph", "nodes", "edges")
    return all(hasattr(value, name) for name in names) and not isinstance(value, type)


def _read_networkx_graph(graph: Any) -> GraphDescription:
    """Read a graph of networkx; multigraphs have keys in their edges, which are left out."""
    edges = (edge[:2] for edge in graph.edges)
    return describe_edges(graph.nodes, edges, graph.is_directed(), _node_positions(graph))


def _node_positions(graph: Any) -> Positions:
    """Return the positions in the attributes of the nodes, or none unless every node has one.

    The attributes are ``pos``, where y points upwards as in drawings of networkx, or ``x`` and
    ``y``, also inside ``graphics``, where y points downwards as in files of yEd.
    """
    positions: dict[Hashable, tuple[float, float]] = {}
    for node, attributes in graph.nodes(data=True):
        match attributes:
            case {"pos": pos} if isinstance(pos, Sequence | np.ndarray) and len(pos) == 2:
                x, y, upwards = pos[0], pos[1], True
            case {"x": x, "y": y} | {"graphics": {"x": x, "y": y}}:
                upwards = False
            case _:
                return {}
        try:
            right, down = float(x), float(y)
        except (TypeError, ValueError):
            return {}
        if upwards:
            down = -down
        positions[node] = right, down
    return positions


def _is_networkx_view(value: object) -> bool:
    """Return whether a value is a view of a graph of networkx, such as its edges."""
    return type(value).__module__ == "networkx.classes.reportviews"


def _read_networkx_view(view: Any) -> GraphDescription:
    """Read ``G.edges``, ``G.edges(data=True)``, ``G.in_edges`` and the like; refuse other views.

    The names of the classes distinguish the views, since those of undirected graphs inherit from
    those of directed ones.
    """
    kind = type(view).__name__
    if "Edge" not in kind:
        shown = f"{kind} {reprlib.repr(view)}"
        raise InputError(f"{shown} holds no edges: give the graph itself, or its edges")
    directed = kind.startswith(("Out", "In"))
    return describe_edges([], (edge[:2] for edge in view), directed)


def _is_igraph_graph(value: object) -> bool:
    """Return whether a value is a graph of igraph."""
    return hasattr(value, "get_edgelist") and hasattr(value, "vs") and not isinstance(value, type)


def _read_igraph_graph(graph: Any) -> GraphDescription:
    """Read a graph of igraph; without the attribute ``name``, the names are 0, 1, 2 and so on."""
    names = list(graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount()))
    if len(set(names)) < len(names):
        raise InputError("two vertices have the same name: give each its own, or none a name")
    edges = ((names[source], names[target]) for source, target in graph.get_edgelist())
    return describe_edges(names, edges, graph.is_directed())


# --- mappings ------------------------------------------------------------------------------------


def _is_mapping(value: object) -> bool:
    """Return whether a value is a mapping, or the items of one."""
    return isinstance(value, Mapping | ItemsView)


def _read_mapping(mapping: Mapping[Hashable, Any] | ItemsView[Any, Any]) -> GraphDescription:
    """Read a mapping of vertex to neighbors. Raises `InputError` for other mappings.

    Those have edges or vertices as keys, and their attributes as values.
    """
    if isinstance(mapping, ItemsView):
        ways = "the mapping itself for neighbors, list(…) of the items for edges"
        refuse_either("items of a mapping", "neighbors or edges", ways)
    if {"edges", "links"} & mapping.keys() and {"nodes", "vertices"} & mapping.keys():
        raise InputError("a mapping with nodes and edges by name: give its edges as a list")
    edges: list[NamedEdge] = []
    for vertex, others in mapping.items():
        _check_neighbors(vertex, others, mapping)
        edges += [(vertex, other) for other in _bounded(others, len(edges))]
    are_bare = all(isinstance(others, Mapping) and not others for others in mapping.values())
    if are_bare and len(mapping) > 1:
        ways = "lists, such as {0: []}, for vertices without edges, list(…) of it for edges"
        refuse_either("a mapping to empty mappings", "vertices without edges or as edges", ways)
    for vertex, other in edges:
        if isinstance(other, float) and other not in mapping:  # as in the layouts of networkx
            shown = f"{reprlib.repr(vertex)}: {other!r}"
            raise InputError(f"neighbors of {shown}: give vertices, not places")
    return describe_edges(mapping, edges, directed=None)


def _check_neighbors(vertex: Hashable, others: Any, mapping: Mapping[Hashable, Any]) -> None:
    """Raise `InputError` for a value of a mapping that is not, or may not be, neighbors."""
    if isinstance(others, str | bytes | bytearray) or not isinstance(others, Iterable):
        shown = f"{reprlib.repr(vertex)}: {reprlib.repr(others)}"
        wanted = "give a list of vertices; if the keys are edges, list(…) of the mapping"
        raise InputError(f"neighbors of {shown}: {wanted}")
    if isinstance(others, Mapping) and not others.keys() <= mapping.keys():
        shown = f"{reprlib.repr(vertex)}: {reprlib.repr(others)}"
        ways = "a list of vertices for neighbors, list(…) of the mapping if its keys are edges"
        refuse_either(f"value of {shown}", "neighbors or attributes", ways)


def _bounded(values: Iterable[Any], already: int = 0) -> Iterator[Any]:
    """Yield values. Raises `InputError` for more than `MAX_EDGES`, ``already`` seen included."""
    for number, value in enumerate(values, start=already + 1):
        if number > MAX_EDGES:
            raise InputError(f"more than {MAX_EDGES:,} edges are refused")
        yield value


# --- rows: edges, nested lists -------------------------------------------------------------------


def _is_rows(value: object) -> bool:
    """Return whether a value is an iterable other than text."""
    is_text = isinstance(value, str | bytes | bytearray | memoryview)
    return isinstance(value, Iterable) and not is_text and not isinstance(value, type | np.generic)


def _read_rows(value: Iterable[Any]) -> GraphDescription:
    """Read a list of edges, or nested lists that can only be an adjacency matrix."""
    rows = list(_bounded(value))
    if _is_square_of_numbers(rows):
        # Two rows of two may be edges, and three rows of three edges with weights.
        if len(rows) not in (2, 3):
            return read_array(np.array([list(row) for row in rows]))
        # A list of two tuples is a list of edges, as people write it.
        are_pairs = len(rows) == 2 and all(isinstance(row, tuple) for row in rows)
        is_edge_list = are_pairs and not isinstance(value, tuple)
        if _may_be_matrix(rows) and not is_edge_list:
            ways = f"{_AS_MATRIX}, {_AS_EDGES}"
            refuse_either(reprlib.repr(rows), "an adjacency matrix or as edges", ways)
    edges = [_edge(row, number) for number, row in enumerate(rows, start=1)]
    if _may_be_neighbor_lists(rows, edges):
        ways = f"{_AS_NEIGHBORS}, {_AS_EDGES}"
        refuse_either(reprlib.repr(rows), "lists of neighbors or as edges", ways)
    return describe_edges([], edges, directed=False)


def _is_square_of_numbers(rows: Sequence[Any]) -> bool:
    """Return whether the rows form a square matrix of numbers."""
    for row in rows:
        if not isinstance(row, Sequence | np.ndarray) or isinstance(row, str | bytes):
            return False
        if getattr(row, "ndim", 1) != 1 or len(row) != len(rows):
            return False
        if not all(isinstance(entry, numbers.Real | np.bool_) for entry in row):
            return False
    return bool(rows)


def _may_be_matrix(rows: Sequence[Any]) -> bool:
    """Return whether a square of numbers has no loops, or nothing but 0 and 1."""
    has_loops = any(row[i] for i, row in enumerate(rows))
    return not has_loops or {0, 1}.issuperset(itertools.chain.from_iterable(rows))


def _edge(row: Any, number: int) -> NamedEdge:
    """Return the ends of an edge, given as a pair or with data (see `_are_ends_and_data`).

    Raises `InputError` for anything else, with the ``number`` of the edge, from 1.
    """
    if type(row) is tuple and len(row) == 2:  # the usual case, for speed
        return row[0], row[1]
    if isinstance(row, AbstractSet):
        entries = tuple(row)
        if len(entries) == 2:
            return entries[0], entries[1]
    elif isinstance(row, Sequence | np.ndarray) and not isinstance(row, str | bytes | bytearray):
        entries = tuple(np.atleast_1d(row).tolist() if isinstance(row, np.ndarray) else row)
        if _is_pandas_row_with_index(row):
            raise InputError(f"edge {number}, {reprlib.repr(row)}: give itertuples(index=False)")
        if _are_ends_and_data(entries):
            return entries[0], entries[1]
    hint = f"; a graph is {_WANTED.removeprefix('give ')}"
    if isinstance(row, list):
        hint = f", or {_AS_NEIGHBORS}"
    raise InputError(f"edge {number}, {reprlib.repr(row)}: give a pair of vertices{hint}")


def _is_pandas_row_with_index(row: Any) -> bool:
    """Return whether a row is one of ``DataFrame.itertuples()``, which begins with the index."""
    names: tuple[str, ...] = getattr(row, "_fields", ())
    return len(names) > 2 and names[0] == "Index"


def _are_ends_and_data(entries: Sequence[Any]) -> bool:
    """Return whether entries are the ends of an edge, perhaps with data.

    The data are a weight, attributes, or a key and attributes.
    """
    match entries:
        case [_, _]:
            return True
        case [_, _, data]:
            return data is None or isinstance(data, numbers.Number | Mapping)
        case [_, _, _, data]:
            return isinstance(data, Mapping)
    return False


def _may_be_neighbor_lists(rows: Sequence[Any], edges: Sequence[NamedEdge]) -> bool:
    """Return whether rows may be the neighbors of the vertices 0, 1, 2 and so on.

    False if the graph is then the same as that of the ``edges`` that the rows may also be.
    """
    if not rows:
        return False
    last = len(rows) - 1
    first_neighbor = next(iter(rows[-1]))
    if type(first_neighbor) is not int or not 0 <= first_neighbor < last:
        return False
    if last not in rows[first_neighbor]:  # a quick exit for most lists of edges
        return False
    arcs: set[NamedEdge] = set()
    for vertex, row in enumerate(rows):
        if not isinstance(row, list | tuple | AbstractSet):
            return False
        if any(type(other) is not int or not 0 <= other < len(rows) for other in row):
            return False
        if vertex in row or len(set(row)) < len(row):
            return False
        arcs.update((vertex, other) for other in row)
    is_symmetric = all((target, source) in arcs for source, target in arcs)
    return is_symmetric and {frozenset(arc) for arc in arcs} != {frozenset(edge) for edge in edges}


_READERS: Sequence[tuple[Callable[[Any], bool], Callable[[Any], GraphDescription]]] = (
    (_is_networkx_graph, _read_networkx_graph),
    (_is_networkx_view, _read_networkx_view),
    (_is_igraph_graph, _read_igraph_graph),
    (is_data_frame, read_data_frame),
    (is_array, read_array),
    (_is_mapping, _read_mapping),
    (_is_rows, _read_rows),
)

_TWO_NUMBERS = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,9})\s*")


def numbered_edges(text: str) -> list[tuple[str, str]] | None:
    """Return the edges in a text of two numbers a line, or None if the text may be a board.

    It may be the map of a board with two columns if its numbers are steps of that board: from 1 to
    the number of squares, each at most once. Raises `InputError` for more than a million edges, and
    for a single line that may be both: two edges without a common end have no tour, but one has.

    >>> numbered_edges("1 2\\n2 3")
    [('1', '2'), ('2', '3')]
    >>> numbered_edges("1 2\\n4 3"), numbered_edges("8x8")
    (None, None)
    """
    edges: list[tuple[str, str]] = []
    for line in text.splitlines():
        match = _TWO_NUMBERS.fullmatch(line)
        if match is not None:
            edges.append((match[1], match[2]))
        elif line.strip():
            return None
        if len(edges) > MAX_EDGES:
            raise InputError(f"more than {MAX_EDGES:,} edges are refused")
    numbers = {int(number) for edge in edges for number in edge}
    squares = 2 * len(edges)
    is_board = len(numbers) == squares and numbers <= set(range(1, squares + 1))
    if not is_board:
        return edges
    if len(edges) == 1:
        ways = "a line '; kind: open' below it for steps, --graph edgelist or [(1, 2)] for an edge"
        refuse_either(repr(text.strip()), "the steps of a board or as an edge", ways)
    return None
