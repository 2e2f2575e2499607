"""Random ways to hand over a graph, and what each of them means, without any code of kt_cp."""

import itertools
import random
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import Enum
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, NamedTuple

import networkx as nx
import numpy as np


class Color(Enum):
    """Hashable names that do not sort."""

    RED = 1
    GREEN = 2


NAMES: tuple[Hashable, ...] = (
    *range(6),
    *"abcdef",
    -1,
    -2,
    2.5,
    (0, 1),
    (1, 0),
    ("x", 2),
    frozenset({1, 2}),
    date(2024, 2, 29),
    Color.RED,
    Color.GREEN,
    b"bytes",
    "",
    "a b",
    "ü",
    10**400,
    3 + 4j,
    len,
)


class Weighted(NamedTuple):
    """An edge with a weight."""

    source: Hashable
    target: Hashable
    weight: float


@dataclass(frozen=True)
class Meaning:
    """What a value means: arcs by name (both of an undirected edge), and whether it is directed."""

    directed: bool
    names: frozenset[Hashable]
    arcs: frozenset[tuple[Hashable, Hashable]]


@dataclass(frozen=True)
class Case:
    """A value, what it means (None: it is to be refused), and whether it may be refused."""

    way: str
    value: Any
    meaning: Meaning | None
    may_be_refused: bool = False


def cases(seed: int) -> Iterator[Case]:
    """Yield one random graph in many ways, right and wrong."""
    rng = random.Random(seed)
    size = rng.randint(1, 6)
    pool = rng.choice([NAMES, NAMES[:6], NAMES[6:12]])
    names = list(range(size)) if rng.random() < 0.3 else rng.sample(pool, min(size, len(pool)))
    density = rng.choice([0.2, 0.5, 0.9])
    pairs = [pair for pair in itertools.permutations(names, 2) if rng.random() < density]
    directed = rng.random() < 0.4
    graph = _networkx(rng, names, pairs, directed)
    yield from _graphs(graph)
    yield from _views(graph)
    yield from _mappings(rng, graph)
    yield from _lists(rng, graph)
    yield from _matrices(rng, graph)
    yield from _tables(graph)
    yield from _wrong(rng, graph)


def _networkx(rng: random.Random, names: list[Any], pairs: list[Any], directed: bool) -> Any:
    kinds = [nx.DiGraph, nx.MultiDiGraph] if directed else [nx.Graph, nx.MultiGraph]
    graph = rng.choice(kinds)()
    graph.add_nodes_from(names, color="red")
    for source, target in pairs:
        attributes: list[dict[str, Any]] = [{}, {"weight": 2}, {"weight": 0.5, "a": "b"}]
        graph.add_edge(source, target, **rng.choice(attributes))
    if rng.random() < 0.3:
        graph.add_edge(names[0], names[0])
    if graph.is_multigraph() and pairs:
        graph.add_edge(*pairs[0])
    return graph


def _meaning(graph: Any, names: Any = None, directed: bool | None = None) -> Meaning | None:
    """Return what a graph of networkx means; None if it has no vertices."""
    arcs = {(edge[0], edge[1]) for edge in graph.edges if edge[0] != edge[1]}
    directed = graph.is_directed() if directed is None else directed
    if not directed or not graph.is_directed():
        arcs |= {(target, source) for source, target in arcs}
    known = frozenset(graph if names is None else names)
    return Meaning(directed, known, frozenset(arcs)) if known else None


def _on_edges(graph: Any) -> set[Hashable]:
    return {end for edge in graph.edges for end in edge[:2]}


def _symmetric(graph: Any) -> Meaning | None:
    """Return what a mapping or matrix of a graph means: directed only if it is not symmetric."""
    meaning = _meaning(graph)
    assert meaning is not None
    directed = any((target, source) not in meaning.arcs for source, target in meaning.arcs)
    return Meaning(directed, meaning.names, meaning.arcs)


def _graphs(graph: Any) -> Iterator[Case]:
    yield Case("networkx", graph, _meaning(graph))
    yield Case("frozen", nx.freeze(graph.copy()), _meaning(graph))
    yield Case("view of a graph", graph.subgraph(list(graph)), _meaning(graph))
    if graph.is_directed():
        back = graph.reverse(copy=False)
        yield Case("reversed view", back, _meaning(back))
        yield Case(
            "undirected view", graph.to_undirected(as_view=True), _meaning(graph, None, False)
        )


def _views(graph: Any) -> Iterator[Case]:
    views: dict[str, Any] = {
        "edges": graph.edges,
        "edges()": graph.edges(),
        "data": graph.edges(data=True),
        "weights": graph.edges(data="weight"),
        "some": graph.edges(list(graph)),
        "edge list": nx.to_edgelist(graph),
    }
    if graph.is_multigraph():
        views["keys"] = graph.edges(keys=True)
        views["keys and data"] = graph.edges(keys=True, data=True)
    if graph.is_directed():
        views["in"] = graph.in_edges
        views["out"] = graph.out_edges(data=True)
    meaning = _meaning(graph, _on_edges(graph))
    for name, view in views.items():
        yield Case(f"edge view, {name}", view, meaning)
    yield Case("node view", graph.nodes, None)
    yield Case("node data", graph.nodes(data="color"), None)
    yield Case("degrees", graph.degree, None)
    yield Case("edge items", graph.edges.items(), None, True)


def _mappings(rng: random.Random, graph: Any) -> Iterator[Case]:
    meaning = _symmetric(graph)
    without_edges = len(graph) > 1 and not graph.size()
    kinds: dict[str, Callable[[Any], Any]] = {
        "lists": list,
        "tuples": tuple,
        "sets": set,
        "frozen sets": frozenset,
        "deques": deque,
        "iterators": iter,
        "generators": lambda others: (other for other in others),
        "keys": lambda others: dict.fromkeys(others).keys(),
        "ordered": OrderedDict.fromkeys,
        "weights": lambda others: dict.fromkeys(others, 1),
        "attributes": lambda others: {other: {"weight": 2} for other in others},
    }
    for name, kind in kinds.items():
        value = {vertex: kind(list(graph[vertex])) for vertex in graph}
        is_bare = without_edges and name in ("ordered", "weights", "attributes")
        yield Case(f"mapping to {name}", value, None if is_bare else meaning)
    shuffled = rng.sample(list(graph), len(graph))
    yield Case("proxy", MappingProxyType({v: list(graph[v]) for v in shuffled}), meaning)
    yield Case("adjacency view", graph.adj, None if without_edges else meaning)
    yield Case("items", {v: tuple(graph[v]) for v in graph}.items(), None)
    yield Case("degrees by vertex", dict(graph.degree()), None)
    if len(graph) > 1 or graph.size():
        yield Case("node attributes", dict(graph.nodes), None)
    if graph.size():
        yield Case("weights by edge", dict.fromkeys(graph.edges, 1), None)
        texts = {edge: {"color": "blue"} for edge in graph.edges}
        yield Case("attributes by edge", texts, None)
        yield Case("neighbors as text", {v: "".join(map(str, graph[v])) for v in graph}, None)


def _lists(rng: random.Random, graph: Any) -> Iterator[Case]:
    edges = [edge[:2] for edge in graph.edges]
    meaning = _meaning(nx.Graph(edges), _on_edges(graph), False)
    proper = [edge for edge in edges if edge[0] != edge[1]]
    rows: dict[str, Any] = {
        "tuples": edges,
        "tuple of tuples": tuple(edges),
        "iterator": iter(edges),
        "generator": (edge for edge in edges),
        "deque": deque(edges),
        "set": set(edges),
        "keys": dict.fromkeys(edges).keys(),
        "values": dict(enumerate(edges)).values(),
        "reversed": [edge[::-1] for edge in edges],
        "attributes": [(*edge, {"weight": 3}) for edge in edges],
        "key and attributes": [(*edge, 0, {}) for edge in edges],
        "no weight": [(*edge, None) for edge in edges],
        "named": [Weighted(edge[0], edge[1], 2.5) for edge in edges],
        "weights": [(*edge, rng.choice([0.5, 7])) for edge in edges],
        "lists": [list(edge) for edge in edges],
        "lists with weights": [[*edge, 9] for edge in edges],
    }
    risky = {"tuples", "tuple of tuples", "lists", "lists with weights", "iterator", "generator"}
    risky |= {"deque", "set", "keys", "values", "reversed", "weights"}
    are_numbers = all(type(name) in (int, float) for edge in edges for name in edge)
    for name, value in rows.items():
        yield Case(f"edges, {name}", value, meaning, are_numbers and name in risky)
    sets = [frozenset(edge) for edge in proper]
    yield Case("edges, sets", sets, _meaning(nx.Graph(proper), _on_edges(nx.Graph(proper)), False))
    if edges and all(type(name) is int and abs(name) < 9 for edge in edges for name in edge):
        array = np.array(edges)
        yield Case("edges, arrays", list(array), meaning, True)
        if len(edges) != 2:  # a square array is a matrix
            yield Case("edge array", array, meaning)
        if len(edges) not in (2, 3):
            yield Case("edge array with weights", np.insert(array, 2, 7, axis=1), None)
            yield Case("edge index", array.T, None)


def _matrices(rng: random.Random, graph: Any) -> Iterator[Case]:
    numbered = nx.convert_node_labels_to_integers(graph)
    meaning = _symmetric(numbered)
    matrix = (nx.to_numpy_array(numbered, weight=None) > 0).astype(float)
    weight = rng.choice([1, 0.5, 3])
    has_loops = bool(matrix.diagonal().any())
    small = len(matrix) in (2, 3) and has_loops  # which may be edges with weights
    either = has_loops and graph.is_directed()  # which may be incidences
    for kind in ("i1", "u2", "i8", "f4", "f8", "?"):
        yield Case(f"matrix of {kind}", matrix.astype(kind), meaning, either)
    yield Case("weights", matrix * weight, meaning, small or either)
    yield Case("Fortran order", np.asfortranarray(matrix.astype(bool)), meaning, either)
    yield Case("slices", np.repeat(matrix.astype(bool), 2, axis=1)[:, ::2], meaning, either)
    nested = matrix.astype(bool).astype(int).tolist()
    yield Case("nested lists", nested, meaning, either or len(nested) in (2, 3))
    yield Case("nested tuples", tuple(map(tuple, nested)), meaning, either or len(nested) in (2, 3))
    if find_spec("scipy"):
        from scipy import sparse  # type: ignore[import-untyped]

        for form in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia"):
            array = sparse.coo_array(matrix).asformat(form)
            yield Case(f"sparse, {form}", array, meaning, either or form in ("bsr", "dia"))
    if not matrix.all():
        for name, entry in (("NaN", np.nan), ("infinity", np.inf), ("minus one", -1)):
            yield Case(f"matrix with {name}", np.where(matrix, matrix, entry), None)
        yield Case("masked", np.ma.masked_equal(matrix, 0), None)
    yield Case("complex", matrix.astype(complex), None)
    yield Case("text", matrix.astype(str), None, True)
    yield Case("a cube", matrix[None], None)
    yield Case("a row", matrix[0], None)
    if len(matrix) not in (1, 3):
        yield Case("not square", matrix[:, 1:].astype(float), None)


def _tables(graph: Any) -> Iterator[Case]:
    if not find_spec("pandas"):
        return
    import pandas as pd

    labels = [f"v{number}" for number in range(len(graph))]
    labelled = nx.relabel_nodes(graph, dict(zip(graph, labels, strict=True)))
    matrix = nx.to_pandas_adjacency(labelled, weight=None)
    either = graph.is_directed() and nx.number_of_selfloops(graph) > 0
    yield Case("table", matrix, _symmetric(labelled), either)
    yield Case(
        "table, columns in another order", matrix[labels[::-1]], _symmetric(labelled), either
    )
    edges = [edge[:2] for edge in labelled.edges]
    meaning = _meaning(nx.Graph(edges), _on_edges(labelled), False)
    table = pd.DataFrame(edges, columns=["source", "target"])
    yield Case("table of edges", table, meaning)
    yield Case("table of edges with weights", table.assign(weight=2), meaning)
    yield Case("rows of a table", table.itertuples(index=False), meaning)
    if edges:
        yield Case("numbered rows of a table", table.itertuples(), None)
        yield Case("records", table.to_records(index=False), None)
        yield Case("a column", table["source"], None)
        yield Case("rows by name", table.to_dict("records"), None)
        yield Case(
            "other columns", table.assign(weight=2)[["source", "weight", "target"]][:0], None
        )
        yield Case("missing ends", table.assign(target=None), None)


def _wrong(rng: random.Random, graph: Any) -> Iterator[Case]:
    edges = [edge[:2] for edge in graph.edges]
    bad: list[Any] = [None, float("nan"), [1], {}, {1}]
    for name in bad:
        yield Case(f"vertex {name!r}", [*edges, ("a", name)], None)
    rows = [(), ("a",), "ab", b"ab", 5, None, ("a", "b", "c"), (1, 2, 3, 4), ("a", "b", 1, 2, {})]
    row = rng.choice(rows)
    yield Case(f"row {row!r}", [*edges, row], None)
    for value in (5, 2.5, "abc", b"abc", None, nx.Graph, len, np.int64(3), np.float64(1), object()):
        yield Case(f"{type(value).__name__}", value, None)
    yield Case("nothing", [], None)
    yield Case("no vertex", {}, None)
    yield Case("an empty graph", nx.Graph(), None)
    yield Case("adjacency", graph.adjacency(), None)
    yield Case("method", graph.edges.__iter__, None)
    for value in (nx.node_link_data(graph), nx.cytoscape_data(_named(graph))):
        yield Case("JSON data", value, None)


def _named(graph: Any) -> Any:
    return nx.relabel_nodes(graph, {vertex: f"v{i}" for i, vertex in enumerate(graph)})
