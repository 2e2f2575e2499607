"""Programs written from either edition of the textbook run on `kt_dfs.compat` unchanged."""

import re
import sys
from types import SimpleNamespace
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_dfs import DFSGraph, knight_tour_better
from kt_dfs.compat import Graph, Vertex
from tests.published import orders as published

OLDER = """
def knightGraph(bdSize):
    ktGraph = Graph()
    for row in range(bdSize):
        for col in range(bdSize):
            for e in genLegalMoves(row, col, bdSize):
                ktGraph.addEdge(row * bdSize + col, e[0] * bdSize + e[1])
    return ktGraph

def genLegalMoves(x, y, bdSize):
    offsets = [(-1,-2), (-1,2), (-2,-1), (-2,1), (1,-2), (1,2), (2,-1), (2,1)]
    moves = [(x + i, y + j) for i, j in offsets]
    return [(i, j) for i, j in moves if 0 <= i < bdSize and 0 <= j < bdSize]

def inOrder(u):
    return list(u.getConnections())

def byAvail(u):
    white = [v for v in u.getConnections() if v.getColor() == 'white']
    return sorted(white, key=lambda v: [w.getColor() for w in v.getConnections()].count('white'))

def knightTour(n, path, u, limit, order):
    u.setColor('gray')
    path.append(u)
    done = n == limit
    nbrList = order(u)
    i = 0
    while i < len(nbrList) and not done:
        if nbrList[i].getColor() == 'white':
            done = knightTour(n + 1, path, nbrList[i], limit, order)
        i = i + 1
    if not done:
        path.pop()
        u.setColor('white')
    return done

def tour(size, start, order):
    path = []
    knightTour(0, path, knightGraph(size).getVertex(start), size * size - 1, order)
    return [v.getId() for v in path]

class DFSGraph(Graph):
    def __init__(self):
        super().__init__()
        self.time = 0

    def dfs(self, order=None):
        for aVertex in self:
            aVertex.setColor('white')
            aVertex.setPred(-1)
        for aVertex in order or self:
            if aVertex.getColor() == 'white':
                self.dfsvisit(aVertex)

    def dfsvisit(self, startVertex):
        startVertex.setColor('gray')
        self.time += 1
        startVertex.setDiscovery(self.time)
        for nextVertex in startVertex.getConnections():
            if nextVertex.getColor() == 'white':
                nextVertex.setPred(startVertex)
                self.dfsvisit(nextVertex)
        startVertex.setColor('black')
        self.time += 1
        startVertex.setFinish(self.time)

def explored(vertices, edges):
    g = DFSGraph()
    for key in vertices:
        g.addVertex(key)
    for f, t in edges:
        g.addEdge(f, t)
    g.dfs()
    return g

def root(v):
    while v.getPred() != -1:
        v = v.getPred()
    return v.getId()

def times(g):
    return {v.getId(): (v.getDiscovery(), v.getFinish()) for v in g}

def topologicalSort(g):
    return [v.getId() for v in sorted(g, key=lambda v: -v.getFinish())]

def stronglyConnectedComponents(g):
    reverse = DFSGraph()
    for key in g.getVertices():
        reverse.addVertex(key)
    for v in g:
        for w in v.getConnections():
            reverse.addEdge(w.getId(), v.getId(), v.getWeight(w))
    reverse.dfs([reverse.getVertex(key) for key in topologicalSort(g)])
    components = {}
    for v in reverse:
        components.setdefault(root(v), set()).add(v.getId())
    return list(components.values())
"""

# What the current edition calls the methods, and the properties that take the place of others.
METHODS = {
    "addVertex": "set_vertex",
    "addEdge": "add_edge",
    "getVertices": "get_vertices",
    "getVertex": "get_vertex",
    "getConnections": "get_neighbors",
    "getWeight": "get_neighbor",
}
PROPERTIES = {
    "Id": "key",
    "Color": "color",
    "Pred": "previous",
    "Discovery": "discovery_time",
    "Finish": "closing_time",
}
CURRENT = OLDER
for older, current in METHODS.items():
    CURRENT = CURRENT.replace(older, current)
for older, current in PROPERTIES.items():
    CURRENT = CURRENT.replace(f".get{older}()", f".{current}")
    CURRENT = re.sub(rf"\.set{older}\((.*)\)$", rf".{current} = \1", CURRENT, flags=re.MULTILINE)


def program(text: str, package: str = "kt_dfs.compat") -> SimpleNamespace:
    """Return what a reader's program defines, on the classes of one module."""
    pytest.importorskip(package)
    names: dict[str, Any] = {}
    exec(f"from {package} import Graph\n{text}", names)
    return SimpleNamespace(**names)


PROGRAMS = {
    "older edition": (OLDER, "kt_dfs.compat"),
    "current edition": (CURRENT, "kt_dfs.compat"),
    "current edition on pythonds3": (CURRENT, "pythonds3.graphs"),
}
each_program = pytest.mark.parametrize("name", PROGRAMS)
edge_lists = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), unique=True, max_size=25)


@each_program
@pytest.mark.parametrize("order", published.VISIT_ORDERS, ids=lambda o: f"{o.program}-{o.start}")
def test_the_readers_own_knights_tour_runs(order: published.VisitOrder, name: str) -> None:
    own = program(*PROGRAMS[name])
    rule = {"tour": own.inOrder, "better": own.byAvail}[order.program]
    assert tuple(own.tour(order.size, order.start, rule)) == order.ids


@each_program
@given(edges=edge_lists)
def test_the_readers_own_searches_find_what_ours_and_those_of_networkx_find(
    name: str, edges: list[tuple[int, int]]
) -> None:
    own, ours = program(*PROGRAMS[name]), DFSGraph.from_edges(8, [])
    for tail, head in edges:
        ours.add_edge(tail, head)
    ours.dfs()
    graph = own.explored(range(8), edges)
    assert own.times(graph) == {v.key: (v.discovery, v.finish) for v in ours}
    assert {v.key: own.root(v) for v in graph} == {
        key: tree[0] for tree in ours.forest() for key in tree
    }
    theirs = nx.DiGraph(edges)
    theirs.add_nodes_from(range(8))
    assert sorted(map(sorted, own.stronglyConnectedComponents(graph))) == sorted(
        map(sorted, nx.strongly_connected_components(theirs))
    )
    upward = [(tail, head) for tail, head in edges if tail < head]
    order = own.topologicalSort(own.explored(range(8), upward))
    assert sorted(order) == list(range(8))
    assert all(order.index(tail) < order.index(head) for tail, head in upward)


def test_every_name_of_a_vertex_of_pythonds3_is_there_and_begins_with_the_same_value() -> None:
    theirs = pytest.importorskip("pythonds3.graphs").Vertex("a")
    ours = Vertex("a")
    for name in filter(lambda name: not name.startswith("_"), dir(theirs)):
        getter = name.startswith("get_") and name not in ("get_neighbor", "get_neighbors")
        if getter:
            assert getattr(ours, name)() == getattr(theirs, name)()
        elif callable(getattr(theirs, name)):
            assert callable(getattr(ours, name))
        else:
            assert getattr(ours, name) == getattr(theirs, name)


@pytest.mark.parametrize(
    ("older", "current", "first"),
    [
        ("Color", "color", "white"),
        ("Distance", "distance", sys.maxsize),
        ("Pred", "previous", None),
        ("Discovery", "discovery_time", 0),
        ("Finish", "closing_time", 0),
    ],
)
def test_a_vertex_starts_as_in_the_book_and_one_edition_reads_what_the_other_sets(
    older: str, current: str, first: Any
) -> None:
    vertex = Vertex("a")
    getters = (getattr(vertex, f"get{older}"), getattr(vertex, f"get_{current}"))
    assert [get() for get in getters] == [first, first]
    setters = (getattr(vertex, f"set{older}"), getattr(vertex, f"set_{current}"))
    for number, put in enumerate((*setters, lambda value: setattr(vertex, current, value))):
        put(number)
        assert [get() for get in getters] == [getattr(vertex, current), number] == [number] * 2


def test_a_vertex_keeps_its_neighbors_with_their_weights() -> None:
    vertex, other = Vertex("a"), Vertex("b")
    vertex.addNeighbor(other)
    assert vertex.get_neighbor(vertex) is None
    vertex.set_neighbor(vertex, weight=7)
    assert vertex.getConnections() == vertex.get_neighbors() == [other, vertex]
    assert (vertex.getWeight(other), vertex.getWeight(vertex)) == (0, 7)
    assert vertex.getId() == vertex.get_key() == "a"
    assert vertex < other


def test_a_graph_keeps_the_order_of_its_vertices_and_answers_for_missing_ones() -> None:
    graph = Graph()
    graph.addVertex("z")
    graph.addEdge("b", "a", cost=2)
    assert graph.getVertices() == graph.get_vertices() == ["z", "b", "a"]
    assert [vertex.key for vertex in graph] == ["z", "b", "a"]
    assert graph.get_edges() == [("b", "a")]
    assert (graph.size(), "a" in graph, "c" in graph) == (3, True, False)
    assert graph.getVertex("c") is graph.get_vertex("c") is None
    assert graph.getVertex("b").getWeight(graph.getVertex("a")) == 2


@pytest.mark.parametrize(("vertex", "edge"), [("addVertex", "addEdge"), ("set_vertex", "add_edge")])
def test_a_subclass_may_override_how_vertices_and_edges_are_added(vertex: str, edge: str) -> None:
    added: list[int] = []

    class Undirected(Graph):
        pass

    def add_vertex(self: Undirected, key: int) -> object:
        added.append(key)
        return getattr(super(Undirected, self), vertex)(key)

    def add_edge(self: Undirected, tail: int, head: int) -> None:
        getattr(super(Undirected, self), edge)(tail, head)
        getattr(super(Undirected, self), edge)(head, tail)

    setattr(Undirected, vertex, add_vertex)
    setattr(Undirected, edge, add_edge)
    graph = Undirected()
    getattr(graph, edge)(1, 2)
    assert added == [1, 2]
    assert graph.getVertex(2).getConnections() == [graph.getVertex(1)]


def test_the_searches_take_the_textbooks_graph() -> None:
    graph = Graph()
    for tail, head in [(0, 1), (1, 2), (2, 0)]:
        graph.addEdge(tail, head)
    assert knight_tour_better(graph, 1, closed=True).path == (1, 2, 0)
