"""Graphs: vertices with names and the arcs between them.

A `Graph` is what a tour is sought on. It is given by its names and edges; a `kt_cp.board.Board` is
a graph that is given by its sides, and derives its squares, their names and their moves.

Other types are views of a graph, each made where it is needed:

- `kt_cp.problem.tour_graph.TourGraph`: an instance, without its forbidden moves and with the depot
  of an open tour, so that every tour is a cycle. Solvers, proofs and counts work on it.
  `SplitGraph` is the same with edges only, for moves that have a direction.
- `kt_cp.sat.edges.EdgeGraph`: the edges of either, for SAT solvers and local search.
- `kt_cp.methods.rotations.RotationGraph`: edges by number, for a path that is changed step by step.
- `kt_cp.proof.separators.ProofGraph`: numbered edges, of which a proof has settled some.
- `kt_dfs.Graph`: vertices with colors and times, for the textbook's searches. `kt_dfs.textbook`
  writes it as a dictionary, and `kt_dfs.compat` gives it the textbook's own methods.
"""

from __future__ import annotations

import itertools
import math
import numbers
import reprlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import (
    Ints,
    Mask,
    Squares,
    both_directions,
    edge_keys,
    is_among,
    unique_rows,
)
from kt_cp.files import import_optional
from kt_cp.graph_algorithms import bipartition
from kt_cp.graph_input import Attributes, EdgeRow, Positions, describe_edges, describe_graph
from kt_cp.messages import (
    GRAPH_WORDS,
    InputError,
    Vocabulary,
    as_ordered,
    escape_unprintable,
    give_one_of,
    join_words,
    pluralize,
)

Arc = tuple[int, int]

# The most names that a sentence lists, and the most characters of each.
MAX_NAMES = 12
_MAX_NAME_LENGTH = 40

_WAYS_TO_GIVE_WEIGHTS = (
    "give a function of two vertices or, in a file, a third column, GraphML or GML"
)


class Graph:
    """A graph: vertices with names, and the arcs between them.

    ``names``, in the order of the ids, are hashable and used once; ``edges`` are rows of two ids.
    Loops and parallel edges are left out. ``positions``, if any, say where pictures show the
    vertices: rows (x, y), where y points downwards. ``attributes``, by name, are rows of two ids
    and the value of each, for `arc_weights`. Equality compares names, edges and
    ``directed``, and neither positions nor attributes.
    Raises `InputError` for a graph without vertices, a name used twice, and edges that are not rows
    of two ids. `Graph.of` reads what other packages call a graph.

    A vertex is an id from 0 to ``area - 1``. The holes of a board have ids too, but are not
    vertices. In an undirected graph every edge is two arcs.

    A vertex has several names: its ``label`` is the name as it was given, ``name`` the same as text
    for a sentence, ``describe`` the name in reports (on a board with the id), and ``json_names``
    those in JSON output.

    A subclass that is given otherwise, as `kt_cp.board.Board`, need not call ``__init__``. It
    overrides what reads the names and edges that are stored: ``__len__``, ``arcs``, ``directed``,
    ``label``, ``locate``, and how values are compared and pickled. The rest follows from these.

    >>> graph = Graph("abc", np.array([[0, 1], [1, 2]]))
    >>> graph.title, graph.arcs.tolist(), graph.neighbors(1), graph.name(1)
    ('graph of 3 vertices and 2 edges', [[0, 1], [1, 0], [1, 2], [2, 1]], (0, 2), 'b')
    """

    vocabulary: ClassVar[Vocabulary] = GRAPH_WORDS
    has_places: ClassVar[bool] = False  # whether the vertices lie in rows and columns
    positions: npt.NDArray[np.float64] | None = None
    attributes: Attributes = MappingProxyType({})  # of the edges; a board has none

    def __init__(
        self,
        names: Sequence[Hashable],
        edges: npt.ArrayLike,
        directed: bool = False,
        positions: npt.NDArray[np.float64] | None = None,
        attributes: Attributes = attributes,
    ) -> None:
        if not len(names):
            raise InputError("the graph has no vertices; give at least one")
        self._names = tuple(names)
        self._directed = directed
        self.positions = positions
        self.attributes = attributes
        if len(self._ids) < len(self._names):
            repeated = next(name for i, name in enumerate(self._names) if self._ids[name] != i)
            raise InputError(f"two vertices have the name {repeated!r}")
        if None in self._ids:
            raise InputError("None cannot be a vertex")
        rows = self._checked_edges(edges)
        rows = rows[rows[:, 0] != rows[:, 1]]
        if not directed:
            rows = both_directions(rows)
        self._arcs = unique_rows(rows, len(self)).astype(np.int32)
        self._arcs.flags.writeable = False

    def _checked_edges(self, edges: npt.ArrayLike) -> Ints:
        """Return edges as an array. Raises `InputError` if they are not rows of two ids."""
        expected = "edges: give rows of two ids; Graph.of reads edges by name"
        try:
            rows = np.asarray(edges)
        except ValueError:  # rows of several lengths
            raise InputError(expected) from None
        if rows.size == 0:
            return np.empty((0, 2), dtype=np.int64)
        if rows.ndim != 2 or rows.shape[1] != 2 or rows.dtype.kind not in "iu":
            raise InputError(expected)
        outside = ((rows < 0) | (rows >= len(self))).any(axis=1)
        if outside.any():
            edge = tuple(rows[outside][0].tolist())
            raise InputError(f"edge {edge}: the ids of the vertices are 0 to {len(self) - 1}")
        return rows.astype(np.int64)

    @staticmethod
    def of(value: GraphLike) -> Graph:
        """Return the graph that a value stands for; a `Graph` is returned unchanged.

        The value may be a graph or the edges of a graph of networkx, a graph of igraph, a mapping
        of vertex to neighbors, edges as pairs (or rows such as (u, v, weight)), or an adjacency
        matrix of NumPy, SciPy or pandas, whose vertices are named 0, 1, 2 … unless it has labels. A
        mapping or matrix that is not symmetric becomes a directed graph, with a warning. Loops and
        parallel edges are left out, with a warning. Raises `InputError` for anything else, and for
        ambiguous values, such as rows of numbers that may be edges with weights or a matrix.

        >>> Graph.of({"a": ["b", "c"], "b": ["a"], "c": ["a"]}), Graph.of([(1, 2), (2, 3)])
        (<graph of 3 vertices and 2 edges>, <graph of 3 vertices and 2 edges>)
        >>> Graph.of(np.array([[0, 1], [1, 0]]))
        <graph of 2 vertices and 1 edge>
        """
        return value if isinstance(value, Graph) else Graph(*describe_graph(value))

    @staticmethod
    def from_edges(
        names: Iterable[Hashable],
        edges: Iterable[EdgeRow],
        directed: bool,
        positions: Positions | None = None,
    ) -> Graph:
        """Return the graph of these vertices and edges, and of every vertex that an edge names.

        A mapping of attributes may follow the two ends of an edge. Loops and parallel edges are
        left out, with a warning. Positions (x, y), where y points downwards, are kept for pictures
        if each vertex has its own. Raises `InputError` as `Graph.of`.

        >>> Graph.from_edges(["c"], [("a", "b")], directed=False)
        <graph of 3 vertices and 1 edge>
        """
        return Graph(*describe_edges(names, edges, directed, positions))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Graph)
            and type(other) is type(self)
            and (self._names, self._directed) == (other._names, other._directed)
            and np.array_equal(self._arcs, other._arcs)
        )

    def __hash__(self) -> int:
        return hash((len(self._names), self._arcs.tobytes()))

    def __reduce__(self) -> tuple[type[Graph], tuple[object, ...]]:
        return Graph, (self._names, self._arcs, self._directed, self.positions, self.attributes)

    def __repr__(self) -> str:
        return f"<{self.title}>"

    # -- vertices and arcs ------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._names)

    @property
    def area(self) -> int:
        """The number of ids, each of which is a vertex."""
        return len(self)

    @cached_property
    def mask(self) -> Mask:
        """For each id, whether it is a vertex."""
        return np.ones(self.area, dtype=np.bool_)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns; a graph whose vertices have no places is one row."""
        return 1, self.area

    @cached_property
    def vertices(self) -> Squares:
        """The ids of the vertices, ascending. Read-only."""
        vertices = np.flatnonzero(self.mask).astype(np.int32)
        vertices.flags.writeable = False
        return vertices

    def __contains__(self, vertex: object) -> bool:
        if not isinstance(vertex, int | np.integer) or not 0 <= vertex < self.area:
            return False
        return bool(self.mask[vertex])

    @property
    def arcs(self) -> Squares:
        """The arcs as rows (from, to), sorted. Read-only."""
        return self._arcs

    @property
    def directed(self) -> bool:
        """Whether the graph was given as a directed one."""
        return self._directed

    @cached_property
    def _starts(self) -> Ints:
        """For each id the index of the first arc from it; one more entry ends the last range."""
        return np.searchsorted(self.arcs[:, 0], np.arange(self.area + 1))

    def neighbors(self, vertex: int) -> tuple[int, ...]:
        """Return the vertices to which arcs lead from a vertex."""
        first, last = self._starts[vertex : vertex + 2]
        return tuple(self.arcs[first:last, 1].tolist())

    def are_moves(self, sources: Ints, targets: Ints) -> Mask:
        """Return for each pair of ids whether an arc leads from the source to the target."""
        pairs = np.stack([sources, targets], axis=1)
        return is_among(edge_keys(pairs, self.area), edge_keys(self.arcs, self.area))

    def are_same_pairs(self, some: Ints, others: Ints) -> bool:
        """Return whether two arrays hold the same rows of two ids, in any order."""
        keys, other_keys = (np.sort(edge_keys(rows, self.area)) for rows in (some, others))
        return np.array_equal(keys, other_keys)

    # -- the two parts of a bipartite graph -------------------------------------------------------

    @cached_property
    def first_part(self) -> Mask | None:
        """For each id, whether it is in the first part; None if the graph is not bipartite."""
        return bipartition(self.area, self.arcs)

    @property
    def keeps_color(self) -> bool:
        """Whether every move of a board leads to a square of the same color."""
        return False

    def dark(self, vertices: Ints) -> Mask:
        """Return for each id whether it is in the `first_part` of a bipartite graph.

        The name is that of the squares in this part of a board.
        """
        if self.first_part is None:
            return np.zeros(len(vertices), np.bool_)
        return self.first_part[vertices]

    @property
    def dark_count(self) -> int:
        """The number of vertices in the first part; on a board, of dark squares."""
        return int(np.count_nonzero(self.dark(self.vertices)))

    # -- names of vertices ------------------------------------------------------------------------

    def label(self, vertex: int) -> Hashable:
        """Return the name of a vertex as it was given."""
        return self._names[vertex]

    def name(self, vertex: int) -> str:
        """Return the name of a vertex as text for a sentence, which may be shortened."""
        name = escape_unprintable(str(self.label(vertex)))
        return name if len(name) <= _MAX_NAME_LENGTH else f"{name[: _MAX_NAME_LENGTH - 1]}…"

    def describe(self, vertex: int) -> str:
        """Return the name of a vertex in the reports of the validator."""
        return self.name(vertex)

    def json_names(self, vertices: Iterable[int]) -> list[int | str]:
        """Return the names of vertices for JSON: whole numbers unchanged, others as text."""
        names = map(self.label, vertices)
        return [name if type(name) in (int, str) else str(name) for name in names]  # type: ignore[misc]

    def list_names(self, vertices: Sequence[int], most: int | None = MAX_NAMES) -> str:
        """Return the names of vertices as part of a sentence; with ``most=None``, all of them."""
        names = [self.name(vertex) for vertex in vertices[:most]]
        if len(names) < len(vertices):
            names.append(f"{len(vertices) - len(names)} more")
        return join_words(names)

    # -- vertices by name -------------------------------------------------------------------------

    def vertex(self, given: Any, role: str = "vertex") -> int:
        """Return the id of a vertex given by its name, or by text that is its name as text.

        Raises `InputError`, which begins with the ``role``, for anything else.
        """
        vertex = self.locate(given)
        if vertex is None:
            raise InputError(f"{role} {reprlib.repr(given)} is not a vertex: {self.extent}")
        return vertex

    def locate(self, given: Any, role: str = "") -> int | None:
        """Return the id of a vertex given as `vertex` reads it, or None if there is none.

        A `Board` raises `InputError`, which begins with the ``role``, for what names no square.
        """
        try:
            vertex = self._ids.get(given)
        except TypeError:  # not hashable
            return None
        if vertex is None and type(given) is str:
            return self._texts.get(given.strip())
        return vertex

    @cached_property
    def _ids(self) -> dict[Hashable, int]:
        """The id of each name."""
        return {name: vertex for vertex, name in enumerate(self._names)}

    @cached_property
    def _texts(self) -> dict[str, int | None]:
        """The vertex of each name as text, None for a text that several have."""
        texts: dict[str, int | None] = {}
        for vertex, name in enumerate(map(str, self._names)):
            texts[name] = None if name in texts else vertex
        return texts

    def has_name(self, given: Any) -> bool:
        """Return whether `vertex` knows this name."""
        try:
            self.vertex(given)
        except InputError:
            return False
        return True

    def read_path(self, path: Any) -> tuple[Squares, list[Hashable]]:
        """Return the ids of a path in visiting order, -1 for unknown names, and the names.

        A path that is far longer than any tour is cut off. Raises `InputError` for a value without
        an order, such as a set.
        """
        entries = as_ordered("path", path, f"give a list of {self.vocabulary.vertices}")
        names = list(itertools.islice(entries, 2 * len(self) + 1000))
        ids = [self.locate(name, f"entry {place}") for place, name in enumerate(names, start=1)]
        return np.array([-1 if each is None else each for each in ids], dtype=np.int32), names

    # -- words for messages -----------------------------------------------------------------------

    @property
    def title(self) -> str:
        """A few words, such as ``graph of 10 vertices and 15 edges``."""
        vertices = pluralize(len(self), "vertex", "vertices")
        if self.directed:
            return f"directed graph of {vertices} and {pluralize(len(self.arcs), 'arc')}"
        return f"graph of {vertices} and {pluralize(len(self.arcs) // 2, 'edge')}"

    @property
    def summary(self) -> str:
        """Noun phrase for messages, such as ``a graph of 10 vertices and 15 edges``."""
        return f"a {self.title}"

    @property
    def extent(self) -> str:
        """The first vertices, as a clause for messages."""
        return f"the vertices are {self.list_names(range(len(self)), 3)}"

    @property
    def move_name(self) -> str:
        """The word for an arc: ``arc`` or ``edge``."""
        return "arc" if self.directed else "edge"

    def no_tour_claim(self, closed: bool) -> str:
        """Return the claim that there is no tour: ``a graph … has no Hamiltonian cycle``."""
        return f"{self.summary} has no {self.vocabulary.tour(closed)}"

    # -- other forms ------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, object]:
        """Return plain values: the names, and the edges (or arcs) as pairs of their numbers."""
        edges = self.arcs if self.directed else self.arcs[self.arcs[:, 0] < self.arcs[:, 1]]
        names = self.json_names(range(len(self)))
        return {"vertices": names, "edges": edges.tolist(), "directed": self.directed}

    @staticmethod
    def from_dict(values: Any) -> Graph:
        """Return the graph that `as_dict` describes. Raises `InputError` for other values.

        >>> Graph.of([("a", "b")]) == Graph.from_dict(Graph.of([("a", "b")]).as_dict())
        True
        """
        if not isinstance(values, Mapping) or values.keys() != {"vertices", "edges", "directed"}:
            raise InputError("a graph has the fields vertices, edges and directed")
        names, edges, directed = (values[key] for key in ("vertices", "edges", "directed"))
        if not isinstance(names, list) or not all(type(name) in (int, str) for name in names):
            raise InputError("vertices are a list of names: texts or whole numbers")
        if not isinstance(directed, bool):
            raise InputError("directed is true or false")
        return Graph(names, edges, directed)

    @property
    def json_field(self) -> dict[str, object]:
        """The field ``graph`` or ``board`` of JSON output."""
        return {"board" if self.has_places else "graph": self.as_dict()}

    def to_networkx(self) -> Any:
        """Return a ``networkx.Graph`` of ids, or a ``DiGraph`` if some arc may have no reverse.

        Raises `InputError` if networkx is not installed.
        """
        nx = import_optional("networkx", "graphs", "pip install networkx")
        graph = nx.DiGraph() if self.directed else nx.Graph()
        graph.add_nodes_from(self.vertices.tolist())
        graph.add_edges_from(self.arcs.tolist())
        return graph

    def arc_weights(self, weight: str | Callable[..., Any]) -> dict[Arc, float]:
        """Return the weight of each arc: an attribute of the edges, or a function of two labels.

        Raises `InputError` for an unknown attribute, for edges without a number, and for parallel
        edges of different weights.

        >>> Graph.of([("a", "b", 3)]).arc_weights("weight")
        {(0, 1): 3.0, (1, 0): 3.0}
        """
        arcs: list[tuple[int, int]] = [(a, b) for a, b in self.arcs.tolist()]
        weight_by_arc: dict[Arc, Any] = {}
        if callable(weight):
            weight_by_arc = {(a, b): weight(self.label(a), self.label(b)) for a, b in arcs}
        elif weight in self.attributes:
            edges, values = self.attributes[weight]
            for (a, b), value in zip(np.asarray(edges).tolist(), values, strict=True):
                earlier = weight_by_arc.setdefault((a, b), value)
                if earlier is not value and earlier != value:  # "is", as NaN differs from itself
                    pair = f"{self.name(a)}-{self.name(b)}"
                    raise InputError(f"two edges {pair} have different weights: give one of them")
        else:
            ways = _WAYS_TO_GIVE_WEIGHTS
            if self.attributes:
                ways = give_one_of(map(str, self.attributes), weight)
            raise InputError(f"no edge has the attribute {weight!r}: {ways}")
        weights = {}
        for a, b in arcs:
            value = weight_by_arc.get((a, b), weight_by_arc.get((b, a)))
            if not isinstance(value, numbers.Real) or not math.isfinite(value):
                pair = f"{self.name(a)}-{self.name(b)}"
                raise InputError(f"weight of {pair}: {reprlib.repr(value)} is not a finite number")
            weights[a, b] = float(value)
        return weights


NamedGraph = Graph
"""Another name of `Graph`, for programs written for 1.0."""


class HasGraph(Protocol):
    """An object that has a graph, such as an `Instance`."""

    @property
    def graph(self) -> Graph:
        """The graph."""


class SparseMatrix(Protocol):
    """An adjacency matrix of SciPy."""

    def tocoo(self) -> Any:
        """Return the entries with their places."""


class IgraphGraph(Protocol):
    """A graph of igraph."""

    def get_edgelist(self) -> Any:
        """Return the edges as pairs."""


GraphLike: TypeAlias = "Graph | HasGraph | SparseMatrix | IgraphGraph | Iterable[Any]"
"""A `Graph`, a value that `Graph.of` reads, a board as text (size or map), or an `Instance`.

The iterables are graphs of networkx, mappings, lists of edges and arrays.
"""


class Pictured:
    """Mixin: notebooks show the value as a picture, or as text if it cannot be drawn."""

    def _repr_svg_(self) -> str | None:
        """Return the picture as SVG, or None if the value has none."""
        from kt_cp.draw.output import notebook_svg

        return notebook_svg(self)
