"""Programs written from either edition of the textbook run on `kt_dfs.graphs` unchanged."""

import importlib.util
import re
import sys
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_dfs import EdgeKind, knight_tour_better
from kt_dfs.graphs import Graph, Vertex
from scripts import published

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


class Program:
    """A reader's program after one edition, on the classes of one package."""

    def __init__(self, text: str, package: str = "kt_dfs") -> None:
        if package == "pythonds3" and importlib.util.find_spec(package) is None:
            pytest.skip("pythonds3 is not installed")
        names: dict[str, Any] = {}
        exec(f"from {package}.graphs import Graph\n{text}", names)
        self.plain, self.warnsdorff = names["inOrder"], names["byAvail"]
        self.tour, self.explored, self.times = names["tour"], names["explored"], names["times"]
        self.root, self.topological_sort = names["root"], names["topologicalSort"]
        self.components = names["stronglyConnectedComponents"]


PROGRAMS = {
    "older edition": Program(OLDER),
    "current edition": Program(CURRENT),
}
each_edition = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())

Edges = list[tuple[int, int]]
edge_lists = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), unique=True, max_size=25)


@each_edition
@pytest.mark.parametrize("order", published.VISIT_ORDERS, ids=lambda o: f"{o.program}-{o.start}")
def test_the_readers_own_knights_tour_runs(order: published.VisitOrder, program: Program) -> None:
    rule = {"tour": program.plain, "better": program.warnsdorff}[order.program]
    assert tuple(program.tour(order.size, order.start, rule)) == order.ids


@each_edition
def test_the_readers_own_depth_first_search_gives_the_times_of_the_figure(
    program: Program,
) -> None:
    graph = program.explored("", published.FIGURE_EDGES)
    assert program.times(graph) == published.FIGURE_TIMES


@each_edition
@given(edges=edge_lists)
def test_the_readers_own_forest_has_our_times_and_kinds_of_edges(
    program: Program, edges: Edges
) -> None:
    graph = program.explored(range(8), edges)
    kinds = graph.edge_kinds()
    tree = {(v.pred.key, v.key) for v in graph if v.pred != -1}
    assert {edge for edge, kind in kinds.items() if kind is EdgeKind.TREE} == tree
    theirs = program.times(graph)
    roots = {v.key: program.root(v) for v in graph}
    super(type(graph), graph).dfs()
    assert theirs == {v.key: (v.discovery, v.finish) for v in graph}
    assert roots == {key: tree[0] for tree in graph.forest() for key in tree}


@each_edition
@given(edges=edge_lists)
def test_the_readers_own_topological_sort_puts_every_edge_forward(
    program: Program, edges: Edges
) -> None:
    upward = [(tail, head) for tail, head in edges if tail < head]
    order = program.topological_sort(program.explored(range(8), upward))
    assert sorted(order) == list(range(8))
    assert all(order.index(tail) < order.index(head) for tail, head in upward)


@each_edition
@given(edges=edge_lists)
def test_the_readers_own_strongly_connected_components_are_those_of_networkx(
    program: Program, edges: Edges
) -> None:
    theirs = nx.DiGraph(edges)
    theirs.add_nodes_from(range(8))
    ours = program.components(program.explored(range(8), edges))
    assert sorted(map(sorted, ours)) == sorted(
        map(sorted, nx.strongly_connected_components(theirs))
    )


@given(edges=edge_lists)
def test_all_programs_print_on_pythonds3_what_they_print_here(edges: Edges) -> None:
    there, here = Program(CURRENT, "pythonds3"), PROGRAMS["current edition"]
    results = []
    for program in (there, here):
        graph = program.explored(range(8), edges)
        components = program.components(graph)
        results.append((program.times(graph), program.topological_sort(graph), components))
    assert results[0] == results[1]


@pytest.mark.parametrize("order", published.VISIT_ORDERS, ids=lambda o: f"{o.program}-{o.start}")
def test_tours_on_pythonds3_are_those_printed(order: published.VisitOrder) -> None:
    program = Program(CURRENT, "pythonds3")
    rule = {"tour": program.plain, "better": program.warnsdorff}[order.program]
    assert tuple(program.tour(order.size, order.start, rule)) == order.ids


@given(edges=edge_lists)
def test_a_graph_searches_itself_as_that_of_pythonds3_does(edges: Edges) -> None:
    pythonds3 = pytest.importorskip("pythonds3.graphs")
    times = []
    graphs: list[Any] = [Graph(), pythonds3.Graph()]
    for graph in graphs:
        for tail, head in edges:
            graph.add_edge(tail, head)
        graph.dfs()
        times.append([(v.key, v.discovery_time, v.closing_time, v.color) for v in graph])
    assert times[0] == times[1]


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


def test_a_vertex_of_the_older_edition_starts_as_in_the_book_and_keeps_what_is_set() -> None:
    vertex, other = Vertex("a"), Vertex("b")
    assert (vertex.getId(), vertex.getColor(), vertex.getPred()) == ("a", "white", None)
    assert (vertex.getDistance(), vertex.getDiscovery(), vertex.getFinish()) == (sys.maxsize, 0, 0)
    vertex.addNeighbor(other)
    vertex.addNeighbor(vertex, weight=7)
    assert vertex.getConnections() == [other, vertex]
    assert (vertex.getWeight(other), vertex.getWeight(vertex)) == (0, 7)
    vertex.setColor("gray")
    vertex.setDistance(3)
    vertex.setPred(other)
    vertex.setDiscovery(1)
    vertex.setFinish(2)
    assert (vertex.getColor(), vertex.getDistance(), vertex.getPred()) == ("gray", 3, other)
    assert (vertex.getDiscovery(), vertex.getFinish()) == (1, 2)


def test_what_one_edition_sets_the_other_reads() -> None:
    vertex, other = Vertex("a"), Vertex("b")
    vertex.previous, vertex.discovery_time, vertex.closing_time = other, 1, 2
    assert (vertex.getPred(), vertex.getDiscovery(), vertex.getFinish()) == (other, 1, 2)
    vertex.setPred(None)
    vertex.set_neighbor(other, 3)
    assert (vertex.previous, vertex.getWeight(other), vertex.get_neighbor(vertex)) == (
        None,
        3,
        None,
    )
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
