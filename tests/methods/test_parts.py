"""Parts beyond separations of two edges or two vertices, each solved by itself."""

import itertools
from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_cp import Instance, Status, Tour
from kt_cp.arrays import Ints
from kt_cp.graph import NamedGraph
from kt_cp.methods import auto, circuit, parts
from kt_cp.problem.clock import Clock
from kt_cp.problem.task import Task
from kt_cp.sat import separations
from kt_cp.sat.edges import edge_graph
from kt_cp.sat.separations import Separations
from tests.helpers.graphs import generalized_petersen
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import graph_instances


@st.composite
def nearly_complete_graphs(draw: st.DrawFn) -> Ints:
    """The edges of a graph of a few vertices, in which only some pairs are not joined."""
    pairs = list(itertools.combinations(range(draw(st.integers(3, 5))), 2))
    missing = draw(st.sets(st.sampled_from(pairs), max_size=4))
    return np.array([pair for pair in pairs if pair not in missing] or pairs)


@st.composite
def separable_graphs(draw: st.DrawFn) -> NamedGraph:
    """Two graphs that two edges join, or that share two vertices."""
    one, other = draw(nearly_complete_graphs()), draw(nearly_complete_graphs())
    count = int(one.max()) + 1
    at_one, at_other = (draw(st.permutations(range(edges.max() + 1)))[:2] for edges in (one, other))
    joined = np.concatenate([one, other + count])
    ends = np.array(at_other) + count
    if draw(st.booleans()):
        joined = np.concatenate([joined, np.stack([at_one, ends], axis=1)])
    else:
        names = np.arange(joined.max() + 1)
        names[ends] = at_one
        joined = names[joined]
    vertices, edges = np.unique(joined, return_inverse=True)
    return NamedGraph(range(len(vertices)), edges.reshape(-1, 2))


@pytest.fixture(scope="module", autouse=True)
def _small_sides_count() -> Iterator[None]:
    """Divide small graphs, too."""
    patch = pytest.MonkeyPatch()
    patch.setattr(separations, "SMALLEST_SIDE", 2)
    yield
    patch.undo()


@given(separable_graphs().map(lambda graph: Instance(graph, closed=True)) | graph_instances())
def test_a_graph_has_a_tour_just_where_all_of_its_parts_have_one(instance: Instance) -> None:
    assume(not instance.one_way)
    answer = parts.answer(Task(instance), circuit.answer)
    if answer.status is Status.UNKNOWN:  # nothing separates the graph
        assert answer.explanation is not None
        assert "separate" in str(answer.explanation)
        return
    assert (answer.squares is not None) == any(True for _ in all_tours(instance))
    if answer.squares is not None:
        assert instance.satisfied_by(answer.squares)
        assert Tour.from_ids(instance.graph, answer.squares, instance.closed)


@given(separable_graphs())
def test_no_edge_is_in_two_parts(graph: NamedGraph) -> None:
    whole = edge_graph(Instance(graph, closed=True))
    of_whole = {tuple(edge) for edge in whole.edges.tolist()}
    found = set[tuple[int, ...]]()
    for part in Separations(whole, Clock()).parts:
        own = of_whole & {tuple(edge) for edge in part.edges.tolist()}
        assert not own & found
        found |= own


def ring_of(part: nx.Graph, copies: int) -> nx.Graph:
    """Copies of a graph in a ring: an edge of each is replaced by edges to the next copies."""
    first, last = next(iter(part.edges))
    ring = nx.disjoint_union_all([part] * copies)
    vertices = len(part)
    for copy in range(copies):
        ring.remove_edge(copy * vertices + first, copy * vertices + last)
        ring.add_edge(copy * vertices + last, (copy + 1) % copies * vertices + first)
    return ring


def test_each_part_of_a_graph_without_places_is_solved_by_itself() -> None:
    cubic = nx.random_regular_graph(3, 250, seed=1)
    result = parts.answer(Task(Instance.of(ring_of(cubic, 4), closed=True)), auto.answer)
    assert result.squares is not None
    assert result.counters == {"parts": 4}


def test_a_graph_that_is_not_connected_has_no_tour() -> None:
    apart = nx.disjoint_union(nx.complete_graph(8), nx.complete_graph(8))
    result = parts.answer(Task(Instance.of(apart, closed=True)), auto.answer)
    assert result.status is Status.IMPOSSIBLE
    assert "the graph is not connected" in str(result.explanation)


def test_one_part_without_a_tour_is_enough() -> None:
    ring = ring_of(generalized_petersen(11, 2), 3)
    result = parts.answer(Task(Instance.of(ring, closed=True)), auto.answer)
    assert result.status is Status.IMPOSSIBLE
    assert "no tour passes a part of 23 vertices" in str(result.explanation)


def with_cliques(graph: nx.Graph) -> nx.Graph:
    """The graph with every edge of it replaced by a clique of four vertices.

    Each of the two ends of the edge is adjacent to two vertices of the clique.
    """
    replaced = nx.Graph()
    for number, (one, other) in enumerate(graph.edges):
        clique = [(number, corner) for corner in range(4)]
        replaced.add_edges_from(itertools.combinations(clique, 2))
        replaced.add_edges_from((one, vertex) for vertex in clique[:2])
        replaced.add_edges_from((other, vertex) for vertex in clique[2:])
    return replaced


@pytest.mark.parametrize("seed", range(3))
def test_a_large_side_is_found_among_many_small_ones(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(separations, "SMALLEST_SIDE", 20)
    grid = nx.convert_node_labels_to_integers(nx.grid_graph((5, 5)))
    other_grid = nx.relabel_nodes(grid, {vertex: (vertex + 24) % 48 for vertex in grid})
    two_grids = nx.compose(grid, other_grid)  # which share two corners, 0 and 24
    whole = edge_graph(Instance.of(with_cliques(two_grids), closed=True))
    assert len(Separations(whole, Clock(), seed).parts) >= 2


def test_division_ends_where_a_part_would_be_as_large_as_the_whole() -> None:
    edges = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (0, 8), (0, 9), (1, 11)]
    edges += [(1, 2), (1, 3), (1, 4), (2, 10), (2, 11), (2, 3), (2, 4), (3, 11), (3, 4), (4, 10)]
    edges += [(4, 11), (5, 6), (5, 7), (6, 7), (8, 12), (8, 13), (9, 12), (9, 14), (9, 13)]
    edges += [(10, 11), (12, 13), (13, 14)]
    answer = parts.answer(Task(Instance.of(edges, closed=True), Clock(60)), circuit.answer)
    assert answer.status is Status.IMPOSSIBLE
