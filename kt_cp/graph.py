"""Graphs: vertices with names, the arcs between them, and what holds them together.

`Graph` is all that solvers, proofs and counts look at; a board is the graph that has places.
"""

from __future__ import annotations

import itertools
import re
import reprlib
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.errors import InputError, join_words, pluralize, printable
from kt_cp.files import optional

Squares = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

Adjacency = Mapping[int, Sequence[int]]

# A `Graph`, what `Graph.of` reads, the size or map of a board as text, or an `Instance`.
GraphLike = Any

# Entries in a chunk: few enough for the cache of the processor.
CHUNK = 2**16

# More edges in a list, or in a file, are refused.
MAX_EDGES = 10**6

# How many names a sentence lists, and how long a name may be in it.
MAX_NAMES = 12
_LONGEST = 40

_WORDS = {
    "off the board": "not in the graph",
    "is forced to move to": "must be next to",
    "an open tour": "a Hamiltonian path",
    "open tour": "Hamiltonian path",
    "closed tour": "Hamiltonian cycle",
    "squares": "vertices",
    "square": "vertex",
    "moves": "edges",
    "move": "edge",
    "board": "graph",
    "dark": "black",
    "light": "white",
}
_BOARD_WORD = re.compile(rf"(?<![{{\w])({'|'.join(_WORDS)})\b(?!}})")


class ColorChange(StrEnum):
    """Whether moves change the color of the square, or an arc the side: always, never, or some."""

    ALWAYS = "always"
    NEVER = "never"
    SOMETIMES = "sometimes"


class Graph:
    """Vertices, the arcs between them, and the names of the vertices.

    A vertex is an id from 0 to ``area - 1``. (A board has ids that are no vertices: its holes.)
    ``names``, in the order of the ids, are hashable and used once; ``edges`` are rows of two ids.
    Loops and parallel edges are left out. In an undirected graph every edge is two arcs. Raises
    `InputError` for a graph without vertices, and for a name used twice.

    >>> graph = Graph("abc", np.array([[0, 1], [1, 2]]))
    >>> graph.title, graph.arcs.tolist(), graph.neighbors(1), graph.name(1)
    ('graph of 3 vertices and 2 edges', [[0, 1], [1, 0], [1, 2], [2, 1]], (0, 2), 'b')
    """

    noun = "vertex"  # what messages call a vertex
    _field = "graph"

    def __init__(
        self, names: Sequence[Hashable], edges: npt.NDArray[np.integer], directed: bool = False
    ) -> None:
        if not len(names):
            raise InputError("the graph has no vertices; give at least one")
        self._names, self._directed = tuple(names), directed
        edges = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
        edges = edges[edges[:, 0] != edges[:, 1]]
        both = edges if directed else np.concatenate([edges, edges[:, ::-1]])
        arcs = np.stack(np.divmod(np.unique(both @ [len(names), 1]), len(names)), axis=1)
        self._arcs = arcs.astype(np.int32)
        self._arcs.flags.writeable = False
        if len(self._ids) < len(self._names):
            twice = next(n for i, n in enumerate(self._names) if self._ids[n] != i)
            raise InputError(f"two vertices have the name {twice!r}")
        if None in self._ids:
            raise InputError("None cannot be a vertex")

    @classmethod
    def of(cls, value: GraphLike) -> Graph:
        """Return the graph that a value stands for; a `Graph` is returned as it is.

        Give a ``networkx.Graph`` or ``DiGraph``, a mapping of vertex to neighbors, edges as pairs
        (or rows such as (u, v, weight)), or an adjacency matrix of NumPy or SciPy, whose vertices
        are called 0, 1, 2 and so on. A mapping or matrix that is not symmetric is a directed graph.
        Loops and parallel edges are left out, with a warning. Raises `InputError` for others.

        >>> Graph.of({"a": ["b", "c"], "b": ["a"], "c": ["a"]}), Graph.of([(1, 2), (2, 3)])
        (<graph of 3 vertices and 2 edges>, <graph of 3 vertices and 2 edges>)
        >>> Graph.of(np.array([[0, 1], [0, 0]]))
        <directed graph of 2 vertices and 1 arc>
        """
        if isinstance(value, Graph):
            return value
        if hasattr(value, "is_directed") and hasattr(value, "edges"):  # of networkx
            return cls.of_edges(value, [edge[:2] for edge in value.edges], value.is_directed())
        if hasattr(value, "tocoo") or hasattr(value, "__array__"):
            return cls.of_edges(*_matrix_edges(value), directed=None)
        if isinstance(value, Mapping):
            for vertex, others in value.items():
                if isinstance(others, str) or not isinstance(others, Iterable):
                    shown = f"{reprlib.repr(vertex)}: {reprlib.repr(others)}"
                    raise InputError(f"neighbors of {shown}: give a list of vertices")
            edges = [(vertex, other) for vertex, others in value.items() for other in others]
            graph = cls.of_edges(value, edges, directed=None)
            if graph.directed:
                warnings.warn("some edges go one way only: this is a directed graph", stacklevel=3)
            return graph
        wanted = "a networkx graph, a mapping of vertex to neighbors, a list of edges, or a matrix"
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            raise InputError(f"graph {reprlib.repr(value)}: give {wanted}")
        rows = list(itertools.islice(value, MAX_EDGES + 1))
        if len(rows) > MAX_EDGES:
            raise InputError(f"more than {MAX_EDGES:,} edges are refused")
        for place, edge in enumerate(rows, start=1):
            if isinstance(edge, str) or not isinstance(edge, Sequence) or not 1 < len(edge) < 4:
                shown = f"edge {place}, {reprlib.repr(edge)}"
                raise InputError(f"{shown}: give a pair of vertices; a graph is {wanted}")
        return cls.of_edges([], [(edge[0], edge[1]) for edge in rows], directed=False)

    @classmethod
    def of_edges(
        cls,
        names: Iterable[Hashable],
        edges: Sequence[tuple[Hashable, Hashable]],
        directed: bool | None,
    ) -> Graph:
        """Return the graph of edges by name, and of further vertices.

        If ``directed`` is None, every edge stands there from both sides, unless it is directed.
        """
        try:
            named = dict.fromkeys(itertools.chain(names, *edges))
        except TypeError as error:
            raise InputError(f"no name of a vertex: {error}") from None
        ids = {name: number for number, name in enumerate(named)}
        pairs = np.array([(ids[a], ids[b]) for a, b in edges], dtype=np.int64).reshape(-1, 2)
        proper = pairs[pairs[:, 0] != pairs[:, 1]]
        arcs = np.unique(proper if directed is not False else np.sort(proper, axis=1), axis=0)
        left_out = {"loop": len(pairs) - len(proper), "parallel edge": len(proper) - len(arcs)}
        if told := [pluralize(number, noun) for noun, number in left_out.items() if number]:
            warnings.warn(f"ignored: {join_words(told)}", stacklevel=4)
        if directed is None:
            directed = not np.array_equal(arcs, np.unique(arcs[:, ::-1], axis=0))
        return cls(list(ids), arcs, directed)

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is Graph
            and (self._names, self._directed) == (other._names, other._directed)
            and np.array_equal(self._arcs, other._arcs)
        )

    def __hash__(self) -> int:
        return hash((len(self._names), self._arcs.tobytes()))

    def __reduce__(self) -> tuple[type[Graph], tuple[object, ...]]:
        return Graph, (self._names, self._arcs, self._directed)

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, vertex: object) -> bool:
        if not isinstance(vertex, int | np.integer) or not 0 <= vertex < self.area:
            return False
        return bool(self.mask[vertex])

    @property
    def area(self) -> int:
        """The number of ids."""
        return len(self)

    @cached_property
    def mask(self) -> Mask:
        """For each id, whether it is a vertex."""
        return np.ones(self.area, dtype=np.bool_)

    @cached_property
    def vertices(self) -> Squares:
        """The ids of the vertices, ascending. Read-only."""
        vertices = np.flatnonzero(self.mask).astype(np.int32)
        vertices.flags.writeable = False
        return vertices

    @property
    def arcs(self) -> Squares:
        """The arcs as rows (from, to), ordered by from. Read-only."""
        return self._arcs

    @property
    def directed(self) -> bool:
        """Whether some arc may have no reverse."""
        return self._directed

    @cached_property
    def _starts(self) -> npt.NDArray[np.int64]:
        return np.searchsorted(self.arcs[:, 0], np.arange(self.area + 1))

    def neighbors(self, vertex: int) -> tuple[int, ...]:
        """Return the vertices to which arcs lead from a vertex."""
        first, last = self._starts[vertex : vertex + 2]
        return tuple(self.arcs[first:last, 1].tolist())

    def are_moves(self, sources: npt.NDArray[np.integer], targets: npt.NDArray[np.integer]) -> Mask:
        """Return for each pair of ids whether an arc leads from the one to the other."""
        pairs = np.stack([sources, targets], axis=1)
        return np.isin(self.pair_keys(pairs), self.pair_keys(self.arcs))

    def pair_keys(self, pairs: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Return for each row of two ids a number of its own; they sort as the rows do."""
        keys: npt.NDArray[np.int64] = pairs.astype(np.int64) @ np.array([self.area, 1])
        return keys

    @cached_property
    def sides(self) -> Mask | None:
        """For each id, whether it is on the first of two sides, if all arcs run between two."""
        return two_sides(self.area, self.arcs)

    @property
    def color_change(self) -> ColorChange:
        """Whether all arcs change the side, of two, on which a vertex is: always or sometimes."""
        return ColorChange.SOMETIMES if self.sides is None else ColorChange.ALWAYS

    def dark(self, vertices: npt.NDArray[np.integer]) -> Mask:
        """Return for each id whether it is on the first of two sides."""
        return np.zeros(len(vertices), np.bool_) if self.sides is None else self.sides[vertices]

    @property
    def title(self) -> str:
        """A few words, such as ``graph of 10 vertices and 15 edges``."""
        number, noun = (len(self.arcs), "arc") if self.directed else (len(self.arcs) // 2, "edge")
        vertices = pluralize(len(self), "vertex", "vertices")
        return f"{'directed ' * self.directed}graph of {vertices} and {pluralize(number, noun)}"

    @property
    def summary(self) -> str:
        """What a tour of it is called a tour of."""
        return f"a {self.title}"

    def as_dict(self) -> dict[str, object]:
        """Return plain values: the names, and the edges (or arcs) as pairs of their numbers."""
        edges = self.arcs if self.directed else self.arcs[self.arcs[:, 0] < self.arcs[:, 1]]
        names = self.values(range(len(self)))
        return {"vertices": names, "edges": edges.tolist(), "directed": self.directed}

    @property
    def field(self) -> dict[str, object]:
        """The field ``graph`` or ``board`` of JSON output."""
        return {self._field: self.as_dict()}

    def values(self, vertices: Iterable[int]) -> list[int | str]:
        """Return the names of vertices for JSON: whole numbers as they are, others as text."""
        names = (self._names[vertex] for vertex in vertices)
        return [name if type(name) in (int, str) else str(name) for name in names]  # type: ignore[misc]

    @property
    def move_name(self) -> str:
        """What an arc is called."""
        return "arc" if self.directed else "edge"

    def words(self, text: str) -> str:
        """Return a sentence about boards in the words of graphs, such as vertices for squares."""
        return _BOARD_WORD.sub(lambda word: _WORDS[word[0]], text)

    @cached_property
    def _ids(self) -> dict[Hashable, int]:
        return {name: vertex for vertex, name in enumerate(self._names)}

    def label(self, vertex: int) -> Hashable:
        """Return the name of a vertex as it was given."""
        return self._names[vertex]

    def name(self, vertex: int) -> str:
        """Return the name of a vertex as text for a sentence, which may be shortened."""
        name = printable(str(self._names[vertex]))
        return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"

    def read_path(self, path: Any) -> tuple[Squares, list[Hashable]]:
        """Return the ids of names in visiting order, -1 for what is no name, and the names."""
        if isinstance(path, str) or not isinstance(path, Iterable):
            raise InputError(f"path {reprlib.repr(path)}: give a list of vertices")
        names = list(itertools.islice(path, 2 * len(self) + 1000))
        ids = [-1 if (vertex := self._find(name)) is None else vertex for name in names]
        return np.array(ids, dtype=np.int32), names

    def describe(self, vertex: int) -> str:
        """Return how the reports of the validator name a vertex."""
        return self.name(vertex)

    @property
    def extent(self) -> str:
        """Which vertices there are, in a few words."""
        return f"the vertices are {self.list_names(range(len(self)), 3)}"

    def list_names(self, vertices: Sequence[int], most: int | None = MAX_NAMES) -> str:
        """Return the names of vertices as part of a sentence, at most a dozen (None: all)."""
        names = [self.name(vertex) for vertex in vertices[:most]]
        if len(names) < len(vertices):
            names.append(f"{len(vertices) - len(names)} more")
        return join_words(names)

    def vertex(self, given: Any, role: str = "vertex") -> int:
        """Return the id of a vertex given by its name, or by text that is its name as text.

        Raises `InputError`, which begins with the ``role``, for anything else.
        """
        if (vertex := self._find(given)) is None:
            raise InputError(f"{role} {reprlib.repr(given)} is not a vertex: {self.extent}")
        return vertex

    def has_name(self, given: Any) -> bool:
        """Return whether `vertex` knows this name."""
        try:
            self.vertex(given)
        except InputError:
            return False
        return True

    def _find(self, given: Any) -> int | None:
        try:
            vertex = self._ids.get(given)
        except TypeError:  # not hashable
            return None
        return self._texts.get(given.strip()) if vertex is None and type(given) is str else vertex

    @cached_property
    def _texts(self) -> dict[str, int | None]:
        """The vertex of each name as text, None for a text that several have."""
        texts: dict[str, int | None] = {}
        for vertex, name in enumerate(map(str, self._names)):
            texts[name] = None if name in texts else vertex
        return texts

    def to_networkx(self) -> Any:
        """Return a ``networkx.Graph`` of ids, or a ``DiGraph`` if some arc may have no reverse.

        Raises `InputError` if networkx is not installed.
        """
        nx = optional("networkx", "graphs", "pip install networkx")
        graph = nx.DiGraph() if self.directed else nx.Graph()
        graph.add_nodes_from(self.vertices.tolist())
        graph.add_edges_from(self.arcs.tolist())
        return graph


def _matrix_edges(matrix: Any) -> tuple[range, list[tuple[int, int]]]:
    """Return the vertices of an adjacency matrix, and an edge for every entry that is not 0."""
    shape = np.shape(matrix)
    if len(shape) != 2 or shape[0] != shape[1]:
        wanted = "give a square one, or edges as a list of pairs"
        raise InputError(f"adjacency matrix of shape {shape}: {wanted}")
    matrix = matrix if hasattr(matrix, "tocoo") else np.asarray(matrix)
    if (total := matrix.sum()) != total:
        raise InputError("adjacency matrix with NaN: write 0 where there is no edge")
    return range(shape[0]), np.stack(matrix.nonzero(), axis=1).tolist()


def component_labels(area: int, edges: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Label each of ``area`` ids with the lowest id of its component; ``edges`` are pairs of ids.

    Hooking and pointer jumping (Shiloach and Vishkin 1982), a few rounds whatever the shape.

    >>> component_labels(5, np.array([[3, 1], [1, 4]], dtype=np.int32)).tolist()
    [0, 1, 2, 1, 1]
    """
    labels = np.arange(area)
    while True:
        ends = np.sort(labels[edges], axis=1)
        apart = ends[:, 0] != ends[:, 1]
        if not apart.any():
            return labels
        low, high = ends[apart].T
        np.minimum.at(labels, high, low)
        while not np.array_equal(labels, jumped := labels[labels]):
            labels = jumped


def two_sides(area: int, edges: npt.NDArray[np.integer]) -> Mask | None:
    """Return for each of ``area`` ids its side, or None where some edge joins a side with itself.

    Every id is doubled, once for each side: no id may be connected with its double.
    """
    doubled = np.concatenate([edges + np.array([0, area]), edges + np.array([area, 0])])
    labels = component_labels(2 * area, doubled)
    one, other = labels[:area], labels[area:]
    return None if (one == other).any() else one < other


def adjacency(edges: npt.NDArray[np.integer]) -> dict[int, list[int]]:
    """List the neighbors of every square that has one."""
    neighbors: dict[int, list[int]] = {}
    for low, high in edges.tolist():
        neighbors.setdefault(low, []).append(high)
        neighbors.setdefault(high, []).append(low)
    return neighbors


def articulation_components(graph: Adjacency) -> dict[int, int]:
    """Count, for every articulation square, the parts that its component has without it.

    Depth-first search with low points (Hopcroft and Tarjan 1973), with a stack of its own.

    >>> articulation_components({0: [1, 2, 3], 1: [0], 2: [0, 3], 3: [0, 2]})
    {0: 2}
    """
    found, low, parts = dict[int, int](), dict[int, int](), dict[int, int]()
    for root in graph:
        path = [] if root in found else [(root, iter(graph[root]))]
        while path:
            here, others = path[-1]
            if here not in found:
                found[here] = low[here] = len(found)
                parts[here] = int(len(path) > 1)  # what is above; each child may be one more
            for there in others:
                if there not in found:
                    path.append((there, iter(graph[there])))
                    break
                low[here] = min(low[here], found[there])
            else:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[here])
                    parts[parent] += low[here] >= found[parent]
    return {square: count for square, count in parts.items() if count > 1}


def short_cycle(area: int, edges: npt.NDArray[np.integer]) -> list[int]:
    """Return a cycle of fewer than ``area`` ids among edges, at most two at each, or none."""
    labels = component_labels(area, edges)
    sizes, links = (np.bincount(ids, minlength=area) for ids in (labels, labels[edges[:, 0]]))
    cycles = np.flatnonzero((links > 0) & (links == sizes) & (sizes < area))
    return np.flatnonzero(np.isin(labels, cycles[:1])).tolist()


def strong_components(count: int, arcs: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Label each of ``count`` ids with an id of its strongly connected component (Tarjan 1972)."""
    arcs = arcs[np.argsort(arcs[:, 0], kind="stable")]
    first = np.searchsorted(arcs[:, 0], np.arange(count + 1)).tolist()
    heads = arcs[:, 1].tolist()
    number, low, label = [0] * count, [0] * count, [-1] * count
    found, waiting = 0, list[int]()
    for root in range(count):
        path = [] if number[root] else [(root, iter(heads[first[root] : first[root + 1]]))]
        while path:
            here, others = path[-1]
            if not number[here]:
                found += 1
                number[here] = low[here] = found
                waiting.append(here)
            for there in others:
                if not number[there]:
                    path.append((there, iter(heads[first[there] : first[there + 1]])))
                    break
                if label[there] < 0:
                    low[here] = min(low[here], number[there])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[here])
                while low[here] == number[here] and label[here] < 0:
                    label[waiting.pop()] = here
    return np.array(label)


def narrow_orders(vertices: Squares, edges: npt.NDArray[np.integer]) -> list[Squares]:
    """Return some orders of vertices in which few are on the frontier: next to earlier ones.

    Each begins at another vertex of few neighbors and goes on with one of the frontier that has the
    fewest neighbors elsewhere; vertices without neighbors come last.
    """
    neighbors = adjacency(edges)
    alone = [vertex for vertex in vertices.tolist() if vertex not in neighbors]
    firsts = sorted(neighbors, key=lambda vertex: len(neighbors[vertex]))
    starts = firsts[: max(1, min(20, 20_000 // (len(firsts) + 1)))]
    orders = [np.array(_narrow(neighbors, start) + alone, dtype=np.int32) for start in starts]
    return orders or [vertices]


def _narrow(neighbors: Adjacency, start: int) -> list[int]:
    order, frontier = list[int](), list[int]()
    unreached = {vertex: set(others) for vertex, others in neighbors.items()}

    def reach(vertex: int) -> None:
        frontier.append(vertex)
        for other in neighbors[vertex]:
            unreached[other].discard(vertex)

    while len(order) < len(neighbors):
        if not frontier:
            reach(start if not order else min(neighbors.keys() - set(order)))
        vertex = min(frontier, key=lambda each: len(unreached[each]))
        frontier.remove(vertex)
        order.append(vertex)
        for entering in sorted(unreached[vertex]):
            reach(entering)
    return order


def frontier_widths(edges: npt.NDArray[np.integer], order: Squares) -> npt.NDArray[np.int64]:
    """Return how many vertices are on the frontier after each vertex of an order."""
    place = np.zeros(order.max() + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    first = np.arange(len(order))
    ends = place[edges]
    np.minimum.at(first, *np.concatenate([ends, ends[:, ::-1]]).T)
    entering = np.bincount(first, minlength=len(order))
    return np.cumsum(entering - 1)


def spans(length: int) -> Iterator[tuple[int, int]]:
    """Yield for each chunk of an array of this length where it begins and ends."""
    return ((start, min(start + CHUNK, length)) for start in range(0, length, CHUNK))
