"""Directed graphs made of gadgets, and tours that pass each gadget in one piece."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import networkx as nx
import numpy as np
import pytest

from kt_cp.methods.cuts import CutSearch
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError, Task
from kt_cp.sat.gadgets import PassageGraph, passage_graph
from kt_cp.sat.passages import (
    CoverSearch,
    PassageSearch,
    PassageSolver,
    ThreeExchanges,
    cycles_of,
)
from tests.sat.test_directions import undirected

# A gadget is a path of three nodes, which can be passed in both directions.
GADGETS, NODES = 24, 72


def made_of_gadgets(seed: int) -> nx.DiGraph:
    """Return a directed graph of gadgets in which a tour passes each gadget in one piece.

    The first and the last node of each gadget have several arcs to those of other gadgets.
    """
    rng = Random(seed)
    graph = nx.DiGraph()
    for first in range(0, NODES, 3):
        nx.add_path(graph, [first, first + 1, first + 2])
        nx.add_path(graph, [first + 2, first + 1, first])
    order = rng.sample(range(GADGETS), GADGETS)
    for before, after in zip(order, order[1:] + order[:1], strict=True):
        graph.add_edge(3 * before + 2, 3 * after)
    ends = [node for node in range(NODES) if node % 3 != 1]
    for node in ends:
        others = [other for other in ends if other // 3 != node // 3]
        graph.add_edges_from((node, other) for other in rng.sample(others, 4))
        graph.add_edges_from((other, node) for other in rng.sample(others, 4))
    return graph


def passages_of(graph: nx.DiGraph) -> PassageGraph | None:
    """Return the passages of a directed graph."""
    return passage_graph(np.array(graph.edges), len(graph), Clock())


def is_tour(graph: nx.DiGraph, cycle: list[int]) -> bool:
    """Return whether a cycle of a directed graph visits each vertex once."""
    arcs = pairwise([*cycle, cycle[0]])
    return sorted(cycle) == sorted(graph) and all(graph.has_edge(*arc) for arc in arcs)


def test_the_passages_of_a_gadget_are_its_hamiltonian_paths_between_entries_and_exits() -> None:
    passages = passages_of(made_of_gadgets(0))
    assert passages is not None
    assert passages.gadgets == GADGETS
    both_directions = [
        path for a in range(0, NODES, 3) for path in ([a, a + 1, a + 2], [a + 2, a + 1, a])
    ]
    assert sorted(passages.paths) == sorted(both_directions)


def test_an_arc_joins_passages_if_the_end_of_one_has_an_arc_to_the_start_of_the_other() -> None:
    graph = made_of_gadgets(0)
    passages = passages_of(graph)
    assert passages is not None
    expected = [
        (before, after)
        for before, path in enumerate(passages.paths)
        for after, next_path in enumerate(passages.paths)
        if passages.gadget_of[before] != passages.gadget_of[after]
        and graph.has_edge(path[-1], next_path[0])
    ]
    assert sorted(map(tuple, passages.arcs.tolist())) == expected


@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(nx.cycle_graph(30, create_using=nx.DiGraph), id="one large part"),
        pytest.param(nx.complete_graph(30, create_using=nx.DiGraph), id="no part"),
        pytest.param(made_of_gadgets(0).subgraph(range(30)).copy(), id="few parts"),
    ],
)
def test_other_graphs_have_no_gadgets(graph: nx.DiGraph) -> None:
    assert passages_of(graph) is None


def test_a_gadget_without_a_passage_makes_gadgets_useless() -> None:
    graph = made_of_gadgets(0)
    graph.remove_edge(0, 1)
    graph.remove_edge(2, 1)
    assert passages_of(graph) is None


@pytest.mark.parametrize("seed", range(5))
def test_a_search_of_passages_finds_tours(seed: int) -> None:
    graph = made_of_gadgets(seed)
    passages = passages_of(graph)
    assert passages is not None
    cycle = PassageSearch(passages, Clock(), seed).search(1e6)
    assert cycle is not None
    assert is_tour(graph, cycle)


def test_where_no_tour_passes_each_gadget_in_one_piece_the_search_of_passages_is_exhausted() -> (
    None
):
    two_parts = nx.disjoint_union(made_of_gadgets(0), made_of_gadgets(1))
    passages = passages_of(two_parts)
    assert passages is not None
    solver = PassageSolver(passages, Clock(), seed=0)
    assert solver.search(1e9) is None
    assert solver.is_exhausted


@pytest.mark.parametrize("search", [PassageSolver, CoverSearch, PassageSearch])
def test_searches_of_passages_end_with_the_time(
    search: Callable[[PassageGraph, Clock, int], PassageSearch],
) -> None:
    passages = passages_of(made_of_gadgets(0))
    assert passages is not None
    with pytest.raises(OutOfTimeError):
        search(passages, Clock(1e-9), 0).search(1e6)


def triangles_joined_by_exchanges() -> PassageGraph:
    """Return a graph of nine passages: three triangles, and two exchanges that join them.

    Passages 0, 3 and 6 can be followed by 1, 4 and 7, and these by 2, 5 and 8.
    """
    arcs = [(2, 0), (5, 3), (8, 6)]
    for first in (0, 1):
        tails = [first, first + 3, first + 6]
        arcs += [(tail, tail + 1) for tail in tails]
        arcs += [(tails[n], tails[(n + 1) % 3] + 1) for n in range(3)]
    return PassageGraph(9, [[n] for n in range(9)], np.arange(9), np.array(arcs))


def test_three_cycles_are_joined_by_an_exchange_of_three_arcs() -> None:
    exchanges = ThreeExchanges(triangles_joined_by_exchanges())
    assert exchanges.tails == [[0, 3, 6], [1, 4, 7]]
    successors = {n: n - 2 if n % 3 == 2 else n + 1 for n in range(9)}
    assert cycles_of(successors) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert exchanges.join(successors, Random(0)) == 1
    [cycle] = cycles_of(successors)
    assert sorted(cycle) == list(range(9))


def test_a_search_of_covers_joins_short_cycles_that_visit_each_gadget_once() -> None:
    graph = triangles_joined_by_exchanges()
    cycle = CoverSearch(graph, Clock(), 0).search(1e6)
    assert cycle is not None
    assert sorted(cycle) == list(range(9))
    assert set(pairwise([*cycle, cycle[0]])) <= set(map(tuple, graph.arcs.tolist()))


def test_a_search_of_covers_without_exchanges_is_exhausted() -> None:
    graph = triangles_joined_by_exchanges()
    triangles = [[n, n - 2 if n % 3 == 2 else n + 1] for n in range(9)]
    search = CoverSearch(
        PassageGraph(9, graph.paths, graph.gadget_of, np.array(triangles)), Clock(), 0
    )
    assert search.search(1e6) is None
    assert search.is_exhausted


@pytest.mark.parametrize("seed", range(3))
def test_an_undirected_graph_made_of_one_with_gadgets_has_a_tour(seed: int) -> None:
    instance = Instance.of(undirected(made_of_gadgets(seed)), closed=True)
    answer = CutSearch(Task(instance, seed=seed)).run(turns=4)
    assert answer.squares is not None
    assert instance.satisfied_by(answer.squares)
