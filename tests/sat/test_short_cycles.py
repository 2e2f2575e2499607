"""Short directed cycles are listed, all of them or only those of two arcs."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.arrays import Ints
from kt_cp.problem.task import Clock
from kt_cp.sat import short_cycles
from kt_cp.sat.short_cycles import find_short_cycles, opposite_arcs


def arcs_of(graph: nx.DiGraph) -> Ints:
    """Return the arcs of a graph whose vertices are numbers, as rows."""
    return np.array(sorted(graph.edges)).reshape(-1, 2)


def arcs_of_cycles(arcs: Ints, nodes: int) -> list[frozenset[tuple[int, int]]]:
    """Return the arcs of each short cycle as pairs of nodes."""
    cycles = find_short_cycles(arcs, nodes, Clock())
    return [frozenset((tail, head) for tail, head in arcs[cycle].tolist()) for cycle in cycles]


@given(st.integers(0, 10**6))
def test_all_cycles_of_up_to_eight_arcs_are_listed(seed: int) -> None:
    graph = nx.gnp_random_graph(14, 0.12, seed=seed, directed=True)
    expected = [
        frozenset(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        for cycle in nx.simple_cycles(graph, length_bound=8)
    ]
    found = arcs_of_cycles(arcs_of(graph), 14)
    assert len(found) == len(set(found)) == len(expected)
    assert set(found) == set(expected)


@pytest.mark.parametrize("nodes", [3, 5, 8])
def test_a_cycle_through_all_nodes_is_a_tour_and_not_listed(nodes: int) -> None:
    ring = nx.cycle_graph(nodes, create_using=nx.DiGraph)
    assert arcs_of_cycles(arcs_of(ring), nodes) == []


def test_of_very_many_cycles_only_those_of_two_arcs_are_listed() -> None:
    complete = nx.complete_graph(30, create_using=nx.DiGraph)
    assert len(arcs_of_cycles(arcs_of(complete), 30)) == 30 * 29 // 2


def test_each_pair_of_opposite_arcs_is_listed_once() -> None:
    arcs = np.array([[0, 1], [1, 2], [2, 1], [3, 0], [1, 0]])
    assert opposite_arcs(arcs, 4).tolist() == [[0, 4], [1, 2]]


def test_a_search_of_too_many_steps_leaves_only_cycles_of_two_arcs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(short_cycles, "_STEPS_PER_NODE", 2)
    prism = nx.DiGraph(nx.circular_ladder_graph(10))
    assert len(arcs_of_cycles(arcs_of(prism), 20)) == 30
