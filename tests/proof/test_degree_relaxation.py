"""Bounds from the degrees: no path or cycle of brute force is longer, whatever the multipliers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from kt_cp import Board, Instance, longest_path
from kt_cp.graph import Graph, NamedGraph
from kt_cp.problem.task import BoundProof, Clock
from kt_cp.proof.degree_relaxation import _Program, most_by_degrees
from tests.test_longest import ATLAS, most_squares

nx = pytest.importorskip("networkx")


def bound(graph: Graph, closed: bool) -> int:
    instance = replace(Instance.of(graph, closed=closed), allows_partial=True)
    return most_by_degrees(instance, Clock())


@pytest.mark.parametrize("closed", [False, True])
def test_no_path_or_cycle_of_small_graphs_is_longer(closed: bool) -> None:
    for drawn in ATLAS[::12]:
        graph = Graph.of(drawn)
        assert bound(graph, closed) >= most_squares(graph, closed), drawn.edges


@pytest.mark.exhaustive
@pytest.mark.parametrize("closed", [False, True])
def test_no_path_or_cycle_of_all_connected_graphs_of_seven_vertices_is_longer(closed: bool) -> None:
    for drawn in ATLAS:
        graph = Graph.of(drawn)
        assert bound(graph, closed) >= most_squares(graph, closed), drawn.edges


@pytest.mark.parametrize("closed", [False, True])
def test_any_multipliers_prove_a_bound(closed: bool) -> None:
    random = np.random.default_rng(1)
    for drawn in ATLAS[::25]:
        graph = Graph.of(drawn)
        program = _Program(Instance.of(graph).edges, len(graph), closed)
        at_vertices = random.integers(-(2**20), 2**20, len(graph))
        at_uses = random.integers(0, 2**20, (drawn.number_of_edges(), 2))
        proven = program.bound_from(at_vertices, at_uses)
        assert proven >= most_squares(graph, closed), drawn.edges


def test_a_path_uses_two_of_the_chains_that_meet_in_a_vertex() -> None:
    spider = [(leg * 10 + place, leg * 10 + place + 1) for leg in range(4) for place in range(1, 5)]
    spider += [(0, leg * 10 + 1) for leg in range(4)]
    assert bound(Graph.of(spider), closed=False) == 11
    assert bound(Graph.of(spider), closed=True) < 3


def test_the_directions_of_moves_and_the_holes_of_boards_are_taken_into_account() -> None:
    digraph = NamedGraph(range(4), [(0, 1), (2, 1), (3, 1)], directed=True)
    assert bound(digraph, closed=False) == 3
    board = Board(4, 4, [0, 5, 7, 9, 10])
    assert bound(board, closed=False) >= most_squares(board, closed=False)


def test_it_is_the_number_of_vertices_if_there_are_many_edges_or_no_time() -> None:
    assert bound(Board(8, 8), closed=False) == 64
    instance = replace(Instance.of("3x9"), allows_partial=True)
    assert most_by_degrees(instance, Clock(1e-9)) <= 27


def test_it_proves_the_longest_path_of_a_sparse_graph() -> None:
    graph = nx.gnm_random_graph(60, 80, seed=1)
    objective = longest_path(graph, workers=1).objective
    assert objective is not None
    assert objective.optimal
    assert objective.bound == bound(Graph.of(graph), closed=False)
    assert objective.proof is BoundProof.DEGREES


def test_a_bound_by_degrees_has_no_certificate() -> None:
    board = Board(5, 5, [1, 8, 9, 12, 13, 15, 16, 24])
    result = longest_path(board, workers=1, certificate=True)
    assert result.objective is not None
    assert result.objective.summary_with_proof == "squares 13, optimal by degrees"
    told = "the degrees prove squares<=13, for which there is no certificate"
    assert (result.certificate, result.no_certificate) == (None, told)


def test_a_time_limit_may_be_infinite() -> None:
    result = longest_path("4x4", time_limit=math.inf)
    assert result.objective is not None
    assert result.objective.value == 15
