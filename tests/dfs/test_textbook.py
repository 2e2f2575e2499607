"""The textbook: its two searches on one page, and programs written on its interface."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_dfs import (
    DFSGraph,
    Outcome,
    knight_graph,
    knight_tour,
    knight_tour_better,
    strategies,
    textbook,
)
from kt_dfs import Graph as AnyGraph
from kt_dfs.compat import Graph
from kt_dfs.textbook import fewest_onward_moves, unvisited
from tests.helpers.command import python
from tests.published import tours as published

Instrumented = Callable[[AnyGraph[int], int], Outcome[int]]
SEARCHES: dict[textbook.Order, Instrumented] = {
    unvisited: knight_tour,
    fewest_onward_moves: knight_tour_better,
}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that receives the length of the path at every call of the textbook's search."""
    lengths: list[int] = []
    original = textbook.extend

    def counting(graph: textbook.Graph, path: list[int], order: textbook.Order) -> bool:
        lengths.append(len(path))
        return original(graph, path, order)

    monkeypatch.setattr(textbook, "extend", counting)
    return lengths


@pytest.mark.parametrize(
    ("size", "order", "starts"),
    [
        *((size, order, range(size * size)) for size in (1, 2, 3, 4) for order in SEARCHES),
        *((5, order, (0, 2, 4, 6, 12, 20, 22, 24)) for order in SEARCHES),
        *(
            pytest.param(5, order, (7, 8, 10, 14, 16, 18), marks=pytest.mark.exhaustive)
            for order in SEARCHES
        ),
        (8, fewest_onward_moves, range(64)),
    ],
)
def test_both_searches_take_the_same_path_in_the_same_number_of_calls(
    size: int, order: textbook.Order, starts: Sequence[int], calls: list[int]
) -> None:
    for start in starts:
        calls.clear()
        path = [start]
        found = textbook.extend(textbook.knight_moves(size), path, order)
        outcome = SEARCHES[order](knight_graph(size), start)
        assert found is bool(outcome.path)
        assert path == list(outcome.path or (start,))
        assert len(calls) == outcome.calls


def test_the_order_of_moves_is_that_of_the_package() -> None:
    assert textbook.MOVES == strategies.TEXTBOOK_MOVES


def test_the_page_is_a_program_that_prints_a_tour_and_no_warning() -> None:
    done = python("-m", "kt_dfs.textbook", check=True)
    assert sorted(map(int, done.stdout.split())) == [*range(1, 65)]
    assert done.stderr == ""


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
    own = program(*PROGRAMS[name])
    ours = DFSGraph.from_edges(8, [])
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


def test_the_searches_take_the_textbooks_graph() -> None:
    graph = Graph()
    for tail, head in [(0, 1), (1, 2), (2, 0)]:
        graph.addEdge(tail, head)
    assert knight_tour_better(graph, 1, closed=True).path == (1, 2, 0)


@pytest.mark.parametrize("package", ["graphs", "pythonds.graphs", "pythonds3.graphs"])
def test_a_readers_program_runs_unchanged(package: str, tmp_path: Path) -> None:
    printing = (
        "size, start = map(int, input().split())\nprint(*tour(size, start, inOrder), sep='\\n')"
    )
    own = f"from {package} import Graph, Vertex\n{OLDER}\n{printing}\n"
    done = run_in(tmp_path, own, input="5 4")
    assert tuple(map(int, done.stdout.split())) == knight_tour(knight_graph(5), 4).path
    failed = run_in(tmp_path, own, input="no number")
    assert (failed.returncode, failed.stderr.splitlines()[-1][:11]) == (1, "ValueError:")


def run_in(folder: Path, text: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a reader's program that lies in a folder."""
    (folder / "own.py").write_text(text)
    return python("-m", "kt_dfs", "run", folder / "own.py", **options)


def test_a_readers_program_has_the_rest_of_the_textbooks_package(tmp_path: Path) -> None:
    package = tmp_path / "pythonds"
    package.mkdir()
    package.joinpath("__init__.py").write_text("from pythonds.graphs import Graph\n")
    package.joinpath("graphs.py").write_text("Graph = None\n")
    package.joinpath("basic.py").write_text("Queue = 'its own queue'\n")
    text = "import pythonds.graphs\nfrom pythonds.basic import Queue\nprint(Queue)\n"
    done = run_in(tmp_path, f"{text}print(pythonds.graphs.Graph().size(), pythonds.Graph)\n")
    assert done.stdout == "its own queue\n0 <class 'kt_dfs.compat.Graph'>\n", done.stderr


def test_a_missing_module_of_the_textbook_is_named(tmp_path: Path) -> None:
    done = run_in(tmp_path, "import pythonds.graphs\nfrom pythonds.basic import Queue\n")
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last) == (1, "ModuleNotFoundError: No module named 'pythonds.basic'")
