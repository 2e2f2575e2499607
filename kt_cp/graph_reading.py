"""Read graphs of all kinds: of networkx and igraph, matrices, mappings, edges and nested lists.

Each reader returns a `GraphDescription`. Nothing is guessed: a value that can be read in two ways
is refused with a message that names both.
"""

from __future__ import annotations

import itertools
import numbers
import reprlib
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
from typing import Any, NoReturn

import numpy as np

from kt_cp.graph_description import (
    MAX_EDGES,
    GraphDescription,
    NamedEdge,
    Positions,
    describe_edges,
    refuse_either,
)
from kt_cp.graph_matrices import is_array, is_data_frame, read_array, read_data_frame
from kt_cp.messages import InputError

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
