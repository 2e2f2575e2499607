"""Tours that visit each cluster of vertices contiguously."""

import itertools

import networkx as nx
import pytest
from hypothesis import assume, given

from kt_cp import Instance, Status, Tour
from kt_cp.graph import NamedGraph
from kt_cp.methods import clusters, cuts
from kt_cp.methods.auto import ScheduleRun
from kt_cp.methods.cuts import CutSearch
from kt_cp.problem.task import Task
from kt_cp.sat import clusters as clusters_in_graph
from kt_cp.sat import small_cuts
from kt_cp.sat.clusters import find_clusters
from tests.helpers.strategies import graph_instances


def ring_with_hubs(parts: int, size: int) -> nx.Graph:
    """A ring of random cubic graphs; each has a hub, which leads from all its nodes to the next.

    The nodes of a part have consecutive numbers, and its hub the number after them.
    """
    ring = nx.Graph()
    for part in range(parts):
        first, hub = part * (size + 1), part * (size + 1) + size
        cubic = nx.random_regular_graph(3, size, seed=part)
        ring.add_edges_from((first + a, first + b) for a, b in cubic.edges)
        ring.add_edges_from((hub, first + node) for node in range(size))
        ring.add_edge(hub, (hub + 1) % (parts * (size + 1)))
    return ring


def test_a_cluster_is_a_part_without_its_hub() -> None:
    graph = ring_with_hubs(4, 30)
    neighbors = [sorted(graph[node]) for node in sorted(graph)]
    found = find_clusters(neighbors, [range(31 * part, 31 * part + 31) for part in range(4)])
    assert sorted(map(min, found)) == [0, 31, 62, 93]
    assert all(len(cluster) == 30 for cluster in found)


def test_the_tour_of_a_ring_visits_each_part_contiguously() -> None:
    instance = Instance.of(ring_with_hubs(5, 40), closed=True)
    result = ScheduleRun(Task(instance)).visit_clusters()
    assert result.squares is not None
    assert Tour.from_ids(instance.graph, result.squares, closed=True)
    parts = [square // 41 for square in result.squares.tolist()]
    visits = [part for part, _ in itertools.groupby(parts + parts[:1])]
    assert len(visits) == 6  # each of the five once, and the first again


@pytest.mark.parametrize("required", [(7, 8), (14, 15), (43, 44)])
def test_a_cluster_is_passed_along_its_required_edges(required: tuple[int, int]) -> None:
    ring = nx.Graph()
    for first in range(0, 148, 37):  # four grids; the hub of each leads to the next one
        grid = nx.convert_node_labels_to_integers(nx.grid_graph((6, 6)), first)
        hub = first + 36
        ring.add_edges_from(grid.edges)
        ring.add_edges_from((hub, node) for node in grid)
        ring.add_edge(hub, (hub + 1) % 148)
    instance = Instance.of(ring, closed=True, require=[required])
    result = clusters.answer(CutSearch(Task(instance)))
    assert result.squares is not None
    assert instance.satisfied_by(result.squares)


def test_a_cluster_that_cannot_be_passed_in_one_piece_is_given_up() -> None:
    # Two pieces, of 0 to 3 and of 4 to 7, which 8 joins.
    edges = [*itertools.combinations(range(4), 2), *itertools.combinations(range(4, 8), 2)]
    edges += [(3, 8), (8, 4), (7, 9), (9, 10), (10, 0), (8, 9), (8, 10)]
    instance = Instance(NamedGraph(range(11), edges), closed=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "_MIN_SHARE", 0.1)
        patch.setattr(clusters, "find_clusters", lambda *_: [{*range(8)}, {9, 10}])
        result = clusters.answer(CutSearch(Task(instance)))
    assert result.squares is not None
    assert Tour.from_ids(instance.graph, result.squares, closed=True)


def test_a_graph_without_hubs_has_no_clusters() -> None:
    instance = Instance.of(nx.circulant_graph(110, [1, 11, 37]), closed=True)
    result = clusters.answer(CutSearch(Task(instance)))
    assert result.status is Status.UNKNOWN
    assert "few vertices are in parts that have hubs" in str(result.explanation)


@given(graph_instances())
def test_what_is_found_is_a_tour(instance: Instance) -> None:
    assume(not instance.one_way)
    with pytest.MonkeyPatch.context() as patch:  # clusters of two vertices, in graphs of a few
        patch.setattr(clusters, "_MIN_SHARE", 0.1)
        patch.setattr(clusters_in_graph, "_MIN_SIZE", 2)
        patch.setattr(cuts, "_MIN_NODES_FOR_SMALL_CUTS", 4)
        patch.setattr(small_cuts, "_MIN_SET_SIZE", 2)
        patch.setattr(small_cuts, "_MIN_DIP", 1)
        answer = clusters.answer(CutSearch(Task(instance)))
    assert (answer.squares is not None) == (answer.status is Status.FOUND)
    if answer.squares is not None:
        assert instance.satisfied_by(answer.squares)
        assert Tour.from_ids(instance.graph, answer.squares, instance.closed)
