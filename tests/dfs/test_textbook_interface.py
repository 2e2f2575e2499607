"""Programs written from the textbook run on `kt_dfs.graphs` unchanged."""

import subprocess
import sys

import pytest

from kt_dfs import knight_tour_better, published
from kt_dfs.graphs import Graph, Vertex

IMPORT = "from kt_dfs.graphs import Graph, Vertex\n"

KNIGHT = """
def genLegalMoves(x, y, bdSize):
    newMoves = []
    for i in [(-1,-2),(-1,2),(-2,-1),(-2,1),(1,-2),(1,2),(2,-1),(2,1)]:
        newX, newY = x + i[0], y + i[1]
        if legalCoord(newX, bdSize) and legalCoord(newY, bdSize):
            newMoves.append((newX, newY))
    return newMoves

def legalCoord(x, bdSize):
    return 0 <= x < bdSize

def posToNodeId(row, column, board_size):
    return (row * board_size) + column

def knightGraph(bdSize):
    ktGraph = Graph()
    for row in range(bdSize):
        for col in range(bdSize):
            nodeId = posToNodeId(row, col, bdSize)
            for e in genLegalMoves(row, col, bdSize):
                ktGraph.addEdge(nodeId, posToNodeId(e[0], e[1], bdSize))
    return ktGraph

def orderByAvail(n):
    resList = []
    for v in n.getConnections():
        if v.getColor() == 'white':
            c = 0
            for w in v.getConnections():
                if w.getColor() == 'white':
                    c = c + 1
            resList.append((c, v))
    resList.sort(key=lambda x: x[0])
    return [y[1] for y in resList]

def knightTour(n, path, u, limit, order):
    u.setColor('gray')
    path.append(u)
    if n < limit:
        nbrList = order(u)
        i = 0
        done = False
        while i < len(nbrList) and not done:
            if nbrList[i].getColor() == 'white':
                done = knightTour(n + 1, path, nbrList[i], limit, order)
            i = i + 1
        if not done:
            path.pop()
            u.setColor('white')
    else:
        done = True
    return done

size, start = map(int, input().split())
path = []
g = knightGraph(size)
knightTour(0, path, g.getVertex(start), size * size - 1, ORDER)
for v in path:
    print(v.getId())
"""

DFS = """
class DFSGraph(Graph):
    def __init__(self):
        super().__init__()
        self.time = 0

    def dfs(self):
        for aVertex in self:
            aVertex.setColor('white')
            aVertex.setPred(-1)
        for aVertex in self:
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

count, *edges = input().split(',')
g = DFSGraph()
for key in range(int(count)):
    g.addVertex(key)
for edge in sorted(tuple(map(int, e.split())) for e in edges):
    g.addEdge(*edge)
g.dfs()
for key in sorted(g.getVertices(), key=lambda k: g.getVertex(k).getDiscovery()):
    print(key)
"""


def run(program: str, text: str) -> tuple[int, ...]:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT + program],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(map(int, done.stdout.split()))


@pytest.mark.parametrize("order", published.VISIT_ORDERS, ids=lambda o: f"{o.program}-{o.start}")
def test_the_readers_own_knights_tour_runs(order: published.VisitOrder) -> None:
    function = {"tour": "Vertex.getConnections", "better": "orderByAvail"}[order.program]
    program = KNIGHT.replace("ORDER", function)
    assert run(program, f"{order.size} {order.start}") == order.ids


@pytest.mark.parametrize(("text", "order"), published.GRAPH_ORDERS)
def test_the_readers_own_depth_first_search_runs(text: str, order: tuple[int, ...]) -> None:
    assert run(DFS, text) == order


def test_a_vertex_starts_as_in_the_book_and_keeps_what_is_set() -> None:
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


def test_a_graph_keeps_the_order_of_its_vertices_and_answers_for_missing_ones() -> None:
    graph = Graph()
    graph.addVertex("z")
    graph.addEdge("b", "a", cost=2)
    assert graph.getVertices() == ["z", "b", "a"]
    assert [vertex.key for vertex in graph] == ["z", "b", "a"]
    assert "a" in graph
    assert "c" not in graph
    assert graph.getVertex("c") is None
    assert graph.getVertex("b").getWeight(graph.getVertex("a")) == 2


def test_a_subclass_may_override_how_vertices_and_edges_are_added() -> None:
    added: list[object] = []

    class Undirected(Graph):
        def addVertex(self, key):  # type: ignore[no-untyped-def]  # noqa: N802
            added.append(key)
            return super().addVertex(key)

        def addEdge(self, f, t, cost=0):  # type: ignore[no-untyped-def]  # noqa: N802
            super().addEdge(f, t, cost)
            super().addEdge(t, f, cost)

    graph = Undirected()
    graph.addEdge(1, 2)  # type: ignore[no-untyped-call]
    assert added == [1, 2]
    assert graph.getVertex(2).getConnections() == [graph.getVertex(1)]


def test_the_searches_take_the_textbooks_graph() -> None:
    graph = Graph()
    for tail, head in [(0, 1), (1, 2), (2, 0)]:
        graph.addEdge(tail, head)
    assert knight_tour_better(graph, 1, closed=True).path == (1, 2, 0)
