"""What people hand over as a graph: networkx, igraph, matrices, tables, mappings, edges, text.

A value that can be read in two ways is refused, with what to give instead. Loops and parallel edges
are left out, with a warning.
"""

from __future__ import annotations

import itertools
import numbers
import re
import reprlib
import sys
import warnings
from collections.abc import Hashable, ItemsView, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import unique_rows
from kt_cp.messages import InputError, join_words, pluralize

Edges = npt.NDArray[np.int64]  # rows of two indices
NamedEdge = tuple[Hashable, Hashable]
EdgeRow = Sequence[Any]  # the two ends and, in some rows, a mapping of attributes
Attributes = Mapping[str, tuple[npt.ArrayLike, Iterable[Any]]]  # rows of two ids, and values
Positions = Mapping[Hashable, tuple[float, float]]  # where pictures show vertices; y points down

# A list or file with more edges is refused.
MAX_EDGES = 10**6

# Positions with larger coordinates are ignored, as their differences may not be finite.
_MAX_COORDINATE = 1e300

_WANTED = "give a networkx graph, a mapping of vertex to neighbors, a list of edges, or a matrix"
_EITHER = "an adjacency matrix or as edges: give np.array(rows), or pairs such as [(0, 1), (1, 2)]"

# A weight in a text.
DECIMAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)

_NO_GRAPHS = (str, bytes, bytearray, memoryview, type, np.generic, ItemsView)
_COMMENT = re.compile(r"\s*[#%].*[A-Za-z]")  # a line of words, not a row of a map


class GraphDescription(NamedTuple):
    """The parts of a graph: names of the vertices, and edges as rows of two of their indices.

    There are no loops and no parallel edges. ``positions`` are where a picture shows the vertices:
    rows (x, y), where y points downwards; None if unknown. ``attributes`` are those of the edges as
    they were given, parallel ones included.
    """

    names: Sequence[Hashable]
    edges: Edges
    directed: bool
    positions: npt.NDArray[np.float64] | None = None
    attributes: Attributes = MappingProxyType({})


def describe_graph(value: Any) -> GraphDescription:
    """Return the graph that a value stands for (see `kt_cp.graph.Graph.of`).

    Raises `InputError` for anything else, and for what can be read in two ways.
    """

    def has(*names: str) -> bool:
        return all(hasattr(value, name) for name in names)

    if isinstance(value, _NO_GRAPHS):
        raise InputError(f"graph {reprlib.repr(value)}: {_WANTED}")
    if has("is_directed", "nodes", "edges"):  # of networkx
        edges = value.edges(data=True)
        return describe_edges(value.nodes, edges, value.is_directed(), _node_positions(value))
    if type(value).__module__ == "networkx.classes.reportviews":
        # By name, since the views of undirected graphs inherit from those of directed ones.
        kind = type(value).__name__
        if "Edge" not in kind:
            raise InputError(f"{kind} holds no edges: give the graph itself, or its edges")
        edges = itertools.starmap(_edge, enumerate(value, start=1))
        return describe_edges([], edges, directed=kind.startswith(("Out", "In")))
    if has("get_edgelist", "vs"):
        return _read_igraph(value)
    if has("columns", "index", "to_numpy"):
        return _read_table(value)
    if has("tocoo") or has("__array__"):
        return _read_array(value)
    if isinstance(value, Mapping):
        return _read_mapping(value)
    if isinstance(value, Iterable):
        return _read_rows(value)
    raise InputError(f"graph {reprlib.repr(value)}: {_WANTED}")


def describe_edges(
    names: Iterable[Hashable],
    edges: Iterable[EdgeRow],
    directed: bool | None,
    positions: Positions | None = None,
) -> GraphDescription:
    """Return the graph with these vertices and edges, and with every vertex that an edge names.

    A row may have a mapping of attributes after the two ends of the edge. With ``directed=None``
    the graph is undirected if each edge is listed in both directions. Positions are kept if all
    vertices have finite and distinct ones. Raises `InputError` for a name that is not hashable or
    stands for a missing value.
    """
    ids: dict[Hashable, int] = {}
    pairs: list[tuple[int, int]] = []
    attributes: dict[str, tuple[list[tuple[int, int]], list[Any]]] = {}
    try:
        for name in names:
            ids.setdefault(name, len(ids))
        for source, target, *rest in edges:
            pair = ids.setdefault(source, len(ids)), ids.setdefault(target, len(ids))
            pairs.append(pair)
            row = (min(pair), max(pair)) if directed is False else pair
            for key, value in rest[0].items() if rest else ():
                rows, values = attributes.setdefault(key, ([], []))
                rows.append(row)
                values.append(value)
    except TypeError as error:
        raise InputError(f"no name of a vertex: {error}") from None
    for name in ids:
        # None, NaN, and the missing values of pandas
        is_missing = name is None or type(name).__name__ in ("NAType", "NaTType")
        if is_missing or (isinstance(name, float | np.floating) and np.isnan(name)):
            raise InputError(f"{name} cannot be a vertex")
    described = _simple(list(ids), np.array(pairs, dtype=np.int64).reshape(-1, 2), directed)
    described = described._replace(attributes=attributes)
    if not positions or not all(name in positions for name in ids):
        return described
    places = np.array([positions[name] for name in ids], dtype=np.float64).reshape(-1, 2)
    if not (np.abs(places) < _MAX_COORDINATE).all() or len(np.unique(places, axis=0)) < len(places):
        return described
    return described._replace(positions=places)


def _simple(names: Sequence[Hashable], edges: Edges, directed: bool | None) -> GraphDescription:
    """Return the graph without loops and parallel edges, with a warning for those left out."""
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
    level = 2  # for `warnings`, the caller of this function
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("kt_cp."):
        level += 1
        frame = frame.f_back
    warnings.warn(message, stacklevel=level)


def _node_positions(graph: Any) -> Positions:
    """Return the positions in the attributes of the nodes, or none unless every node has one.

    The attributes are ``pos``, where y points upwards as in drawings of networkx, or ``x`` and
    ``y``, also inside ``graphics``, where y points downwards as in files of yEd.
    """
    positions: dict[Hashable, tuple[float, float]] = {}
    for node, attributes in graph.nodes(data=True):
        try:
            match attributes:
                case {"pos": pos}:
                    x, y = pos
                    positions[node] = float(x), -float(y)
                case {"x": x, "y": y} | {"graphics": {"x": x, "y": y}}:
                    positions[node] = float(x), float(y)
                case _:
                    return {}
        except (TypeError, ValueError):
            return {}
    return positions


def _read_igraph(graph: Any) -> GraphDescription:
    """Read a graph of igraph, with the names of its vertices if they have any."""
    names = list(graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount()))
    if len(set(names)) < len(names):
        raise InputError("two vertices have the same name: give each its own, or none a name")
    columns = {name: graph.es[name] for name in graph.es.attributes()}
    edges = (
        (names[source], names[target], {name: columns[name][number] for name in columns})
        for number, (source, target) in enumerate(graph.get_edgelist())
    )
    return describe_edges(names, edges, graph.is_directed())


def _read_table(frame: Any) -> GraphDescription:
    """Read a table of pandas: an adjacency matrix with labels, or a list of edges."""
    rows, columns = list(frame.index), list(frame.columns)
    if rows == columns == list(range(len(rows))):  # the default labels
        return _read_array(frame.to_numpy())
    if len(rows) == len(columns) == len(set(rows)) and set(rows) == set(columns):
        names = [rows[vertex] for vertex in range(len(rows))]
        arcs, values = _matrix_edges(frame[rows].to_numpy())
        described = _simple(names, arcs, directed=None)
        return described._replace(attributes={"weight": (arcs, values)})
    ends = ["source", "target"] if {"source", "target"} <= set(columns) else columns
    if len(ends) != 2 or ends[0] == ends[1]:
        raise InputError(
            f"table with the columns {reprlib.repr(columns)}: give the same labels for rows and"
            " columns (a matrix), or columns source and target"
        )
    attributes = frame[[column for column in columns if column not in ends]].to_dict("records")
    edges = zip(*(frame[end].tolist() for end in ends), attributes, strict=True)
    return describe_edges([], edges, directed=False)


def _read_array(value: Any) -> GraphDescription:
    """Read an adjacency matrix of NumPy or SciPy, or an array whose rows are edges."""
    array = value if hasattr(value, "tocoo") else np.asanyarray(value)
    size = array.shape[0] if array.ndim else 0
    if array.ndim == 2 and array.shape[1] == 2 and size != 2:
        if array.dtype.kind not in "iuOU" or np.ma.is_masked(array):
            raise InputError(f"edges as an array of {array.dtype}: give whole numbers or text")
        return describe_edges([], map(tuple, array.tolist()), directed=False)
    edges, values = _matrix_edges(array)
    may_be_edges = size in (2, 3) and isinstance(array, np.ndarray) and array.diagonal().any()
    if may_be_edges and not np.isin(array, (0, 1)).all():  # as in _read_rows
        raise InputError(f"array of shape {array.shape} can be read as {_EITHER}")
    described = _simple(range(size), edges, directed=None)
    return described._replace(attributes={"weight": (edges, values)})


def _matrix_edges(matrix: Any) -> tuple[Edges, Any]:
    """Return the edges of an adjacency matrix, as rows of two indices, and the entries, not zero.

    Raises `InputError` for anything else, and for ambiguous entries: NaN, infinity, numbers below
    0, masked entries, and zeros stored in a sparse matrix.
    """
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(
            f"adjacency matrix of shape {matrix.shape}: give a square one,"
            " or edges as rows of two vertices"
        )
    if matrix.dtype.kind not in "biuf":
        raise InputError(f"adjacency matrix of {matrix.dtype}: give numbers, 1 for an edge, else 0")
    unclear = np.ma.is_masked(matrix)
    if hasattr(matrix, "tocoo"):
        matrix = matrix.tocsr()
        matrix.sum_duplicates()
        entries = matrix.tocoo()
        rows, columns, values = entries.row, entries.col, entries.data
        unclear = not values.all()
    else:
        matrix = np.asarray(matrix)
        rows, columns = matrix.nonzero()
        values = matrix[rows, columns]
    if unclear or not (np.isfinite(values) & (values >= 0)).all():
        raise InputError(
            "adjacency matrix with NaN, infinity, numbers below 0, masked entries or stored zeros:"
            " write 1 for an edge and 0 for none"
        )
    return np.stack([rows, columns], axis=1).astype(np.int64), values


def _read_mapping(mapping: Mapping[Hashable, Any]) -> GraphDescription:
    """Read a mapping of vertex to neighbors.

    Raises `InputError` for other mappings, whose keys are edges or fields, or whose values are
    attributes or places.
    """
    if {"edges", "links"} & mapping.keys() and {"nodes", "vertices"} & mapping.keys():
        raise InputError("a mapping with nodes and edges by name: give its edges as a list")
    edges: list[EdgeRow] = []
    for vertex, others in mapping.items():
        is_listed = isinstance(others, Iterable) and not isinstance(others, str | bytes | bytearray)
        has_attributes = isinstance(others, Mapping) and not others.keys() <= mapping.keys()
        names = list(_bounded(others, len(edges))) if is_listed else []
        # Numbers that are no vertices are places, as in the layouts of networkx.
        are_places = any(isinstance(other, float) and other not in mapping for other in names)
        if not is_listed or has_attributes or are_places:
            raise InputError(
                f"neighbors of {reprlib.repr(vertex)}: {reprlib.repr(others)}: give a list of"
                " vertices; if the keys are edges, list(…) of the mapping"
            )
        values = [others[each] if isinstance(others, Mapping) else {} for each in names]
        edges += [
            (vertex, each, _as_attributes(value)) for each, value in zip(names, values, strict=True)
        ]
    are_mappings = all(isinstance(each, Mapping) for each in mapping.values())
    if len(mapping) > 1 and not edges and are_mappings:
        raise InputError(
            "a mapping to empty mappings: give lists, such as {0: []}, for vertices without edges,"
            " or the edges as a list"
        )
    return describe_edges(mapping, edges, directed=None)


def _bounded(values: Iterable[Any], already: int = 0) -> Iterator[Any]:
    """Yield values. Raises `InputError` for more than `MAX_EDGES`, ``already`` seen included."""
    for number, value in enumerate(values, start=already + 1):
        if number > MAX_EDGES:
            raise InputError(f"more than {MAX_EDGES:,} edges are refused")
        yield value


def _read_rows(value: Iterable[Any]) -> GraphDescription:
    """Read a list of edges, or nested lists that can only be an adjacency matrix."""
    rows = list(_bounded(value))
    if _are_square(rows):
        if not any(entry for row in rows for entry in row) and len(rows) > 1:
            size = len(rows)
            raise InputError(
                f"rows of zeros: give '{size}x{size}' or Board({size}, {size}) for a board,"
                " {0: []} for vertices without edges"
            )
        # Two rows of two may be edges, and three rows of three edges with weights.
        if len(rows) not in (2, 3):
            return _read_array(np.array([list(row) for row in rows]))
        has_loops = any(row[i] for i, row in enumerate(rows))
        may_be_matrix = not has_loops or {0, 1}.issuperset(itertools.chain.from_iterable(rows))
        are_pairs = len(rows) == 2 and all(isinstance(row, tuple) for row in rows)
        if may_be_matrix and (isinstance(value, tuple) or not are_pairs):
            raise InputError(f"{reprlib.repr(rows)} can be read as {_EITHER}")
    if _may_be_neighbors(rows):
        raise InputError(
            f"{reprlib.repr(rows)} may be lists of neighbors or edges:"
            " give dict(enumerate(rows)) for lists of neighbors, tuples for edges"
        )
    return describe_edges([], itertools.starmap(_edge, enumerate(rows, start=1)), directed=False)


def _are_square(rows: Sequence[Any]) -> bool:
    """Return whether the rows form a square matrix of numbers."""
    return bool(rows) and all(
        isinstance(row, list | tuple | np.ndarray)
        and getattr(row, "ndim", 1) == 1
        and len(row) == len(rows)
        and all(isinstance(entry, numbers.Real | np.bool_) for entry in row)
        for row in rows
    )


def _may_be_neighbors(rows: Sequence[Any]) -> bool:
    """Return whether rows may be the lists of neighbors of the vertices 0, 1, 2 and so on."""
    numbered = range(len(rows))
    are_lists = bool(rows) and all(
        isinstance(row, list) and all(type(each) is int and each in numbered for each in row)
        for row in rows
    )
    return are_lists and all(here in rows[there] for here in numbered for there in rows[here])


def _as_attributes(value: Any) -> Mapping[str, Any]:
    """Return the attributes of an edge; a number alone is its weight."""
    if isinstance(value, numbers.Number):
        return {"weight": value}
    return value if isinstance(value, Mapping) else {}


def _edge(number: int, row: Any) -> EdgeRow:
    """Return the two ends of an edge, and the mapping of its attributes if it has any.

    The row may hold the ends alone, or before a weight, attributes, or a key and attributes.
    Raises `InputError` for anything else, with the ``number`` of the edge, from 1.
    """
    # Rows of DataFrame.itertuples() may begin with the index.
    has_index = getattr(row, "_fields", ("",))[:1] == ("Index",)
    if isinstance(row, Sequence | np.ndarray) and not isinstance(row, str | bytes | bytearray):
        match list(row) if getattr(row, "ndim", 1) and not has_index else []:
            case [source, target]:
                return source, target
            case [source, target, None | numbers.Number() | Mapping() as data]:
                return source, target, _as_attributes(data)
            case [source, target, _, Mapping() as data]:
                return source, target, data
    elif isinstance(row, AbstractSet) and len(row) == 2:
        source, target = row
        return source, target
    raise InputError(
        f"edge {number}, {reprlib.repr(row)}: give a pair of vertices,"
        " or dict(enumerate(rows)) for lists of neighbors"
    )


# -- edges in text --------------------------------------------------------------------------------


class EdgeList(NamedTuple):
    """The edges that a text lists, and the vertices that its head counts, if it has one."""

    names: Sequence[str]
    edges: Sequence[EdgeRow]


Row = tuple[int, list[str]]  # the number of a line, and its words


def edges_in_text(text: str, has_head: bool | None = None) -> EdgeList | None:
    """Return the edges in a text of two numbers a line, or None if the text may be a board.

    It may be the map of a board with two columns, or three, if its numbers are steps of that board:
    from 1 to the number of squares, each at most once. A head and weights, in a third column, are
    read as by `read_edge_rows`. Several lines of different numbers are steps: as edges they have no
    common end, and so no tour.

    Raises `InputError` as `read_edge_rows`, for more than a million edges, and for a single line,
    such as ``1 2``, that may be an edge or steps.

    >>> edges_in_text("1 2\\n2 3").edges
    [('1', '2'), ('2', '3')]
    >>> edges_in_text("1 2\\n4 3"), edges_in_text("8x8")
    (None, None)
    """
    rows: list[Row] = []
    for line, content in enumerate(text.splitlines(), start=1):
        if not content.strip() or _COMMENT.match(content):
            continue
        words = content.split()
        if len(words) > 3 or not all(map(is_number, words[:2])):
            return None
        rows.append((line, words))
        if len(rows) > MAX_EDGES:
            raise InputError(f"more than {MAX_EDGES:,} edges are refused")
    if not rows:
        return None
    # A head above wider rows, pairs, or edges with weights; anything else is a map.
    width, *widths = (len(words) for _, words in rows)
    has_narrow_head = len({*widths}) == 1 and width < widths[0]
    are_pairs = width == 2 and {*widths} <= {2}
    if not (has_narrow_head or are_pairs or _are_weighted(rows)):
        return None
    cells = [word for _, words in rows for word in words]
    numbers = cells if width < 3 else [word for word in cells if word.strip("0")]  # 0: no step
    are_distinct = len({*numbers}) == len(numbers)
    are_steps = are_distinct and all(
        is_number(word) and 1 <= int(word) <= len(cells) for word in numbers
    )
    if not are_steps:
        return read_edge_rows(rows, has_head)
    if len(rows) > 1:
        return None
    raise InputError(
        f"{text.strip()!r} can be read as the steps of a board or as an edge: give a line"
        " '; kind: open' below it for steps, --graph edgelist or [(1, 2)] for an edge"
    )


def _are_weighted(rows: Sequence[Row]) -> bool:
    """Return whether at least two rows are different edges, each with a weight."""
    edges = {frozenset(words[:2]) for _, words in rows if len({*words[:2]}) == 2}
    have_weights = all(len(words) == 3 and DECIMAL.fullmatch(words[2]) for _, words in rows)
    return have_weights and len(edges) == len(rows) > 1


def read_edge_rows(rows: Sequence[Row], has_head: bool | None = None) -> EdgeList:
    """Return the edges of rows of two names, perhaps with a weight in a third column.

    The first row may be a head: the number of vertices, and perhaps that of edges. ``has_head``
    says whether it is one; with None, it is one if its numbers agree with the rows below. Heads and
    weights are named in a warning. Raises `InputError`, with the line, for other rows, and where
    the first row can be read as a head and as an edge.

    >>> read_edge_rows([(1, ["3"]), (2, ["1", "2"])])
    EdgeList(names=['1', '2', '3'], edges=[('1', '2')])
    """
    names = _names_by_head(rows, has_head)
    body = rows if names is None else rows[1:]
    columns = len(body[0][1]) if body else 2
    edges: list[EdgeRow] = []
    for line, words in body:
        match words:
            case [source, target] if columns == 2:
                edges.append((source, target))
            case [source, target, weight] if columns == 3 and DECIMAL.fullmatch(weight):
                number = float(weight)
                value = int(number) if number.is_integer() else number
                edges.append((source, target, {"weight": value}))
            case _:
                shown = repr(" ".join(words)[:20])
                raise InputError(f"line {line}: {shown}: give the two names of an edge")
    if columns == 3:
        _warn("the third column is the weight of each edge")
    return EdgeList(names or [], edges)


def _names_by_head(rows: Sequence[Row], has_head: bool | None) -> Sequence[str] | None:
    """Return the names of the vertices that a head counts, or None if the first row is an edge.

    A head with the number of edges alone names no vertices. The arguments and errors are those of
    `read_edge_rows`.
    """
    if has_head is False or not rows:
        return None
    (line, first), *rest = rows
    has_numbers = len(first) < 3 and all(map(is_number, first))
    if has_head and not has_numbers:
        shown = repr(" ".join(first)[:20])
        raise InputError(f"line {line}: {shown} is no head: give the number of vertices")
    edges = [words[:2] for _, words in rest if len(words) in (2, 3)]
    if not has_numbers or (has_head is None and len(edges) < len(rest)):
        return None
    count = int(first[0])
    names = [*dict.fromkeys(itertools.chain.from_iterable(edges))]
    vertices = _counted_vertices(count, names)
    distinct_edges = {frozenset(edge) for edge in edges}
    fits_edges = int(first[-1]) in (len(edges), len(distinct_edges))

    # Is the line a head? Two numbers above edges without weights may be an edge, too.
    if has_head is None and len(first) == 2 and all(len(words) == 2 for _, words in rest):
        are_counted = bool(edges) and vertices is not None
        if not (are_counted and _is_head(rows[0], distinct_edges, names, fits_edges)):
            return None

    # Does the head agree with the rows?
    if len(first) == 2 and not fits_edges:
        size = pluralize(int(first[1]), "edge")
        raise InputError(f"line {line}: the head says {size}, but {len(edges)} follow")
    if len(first) == 1 and fits_edges and count > len(names):
        raise InputError(
            f"line {line}: {count} may be the number of vertices or of edges: leave it out,"
            " or write the numbers of vertices and of edges"
        )
    if len(first) == 1 and fits_edges and count < len(names):
        _warn(f"the first line is the number of edges, {count}")
        return []
    if vertices is None:
        says = pluralize(count, "vertex", "vertices")
        raise InputError(f"line {line}: the head says {says}, but others are named")
    of_edges = " and of edges" if len(first) == 2 else ""
    _warn(f"the first line is the number of vertices{of_edges}, {' and '.join(first)}")
    return vertices


def _is_head(
    row: Row, edges: AbstractSet[frozenset[str]], names: Sequence[str], fits_edges: bool
) -> bool:
    """Return whether a row of two numbers is a head, not an edge, above edges that it may count.

    ``names`` are the vertices that the edges name, and ``fits_edges`` says whether the second
    number is the number of edges. Raises `InputError`, with the line, if both readings make sense.
    """
    line, words = row
    count, size = map(int, words)
    all_are_named = len(names) == count
    is_no_vertex = all_are_named and all(map(is_number, names)) and size > count + 1
    if not fits_edges and not is_no_vertex:
        return False
    # Only an edge that is new, and joined to the others, would have been meant as one.
    is_new = count != size and frozenset(words) not in edges
    is_joined = not {*names}.isdisjoint(words[1:] if all_are_named else words)
    if fits_edges and not (is_new and is_joined):
        return True
    raise InputError(
        f"line {line}: '{' '.join(words)}' can be read as the numbers of vertices and of edges or"
        " as an edge: give --head yes or --head no, or the edges as a list"
    )


def _counted_vertices(count: int, names: Sequence[str]) -> Sequence[str] | None:
    """Return the vertices that a head counts: those named or, of numbers, the first from 0 or 1.

    Return None if these are not as many, or other numbers are named.
    """
    if count > MAX_EDGES:
        raise InputError(f"more than {MAX_EDGES:,} vertices are refused")
    if not all(map(is_number, names)):
        return names if len(names) == count else None
    lowest = 1 if all(name.strip("0") for name in names) else 0
    vertices = [str(number) for number in range(lowest, lowest + count)]
    return vertices if {*names} <= {*vertices} else None


def is_number(word: str) -> bool:
    """Return whether a word is a whole number of at most nine digits."""
    return word.isascii() and word.isdecimal() and len(word) < 10
