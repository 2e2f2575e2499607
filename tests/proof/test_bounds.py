"""Bounds on longest paths and on covers that a separator proves, and their certificates."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kt_cp.board import Board
from kt_cp.draw.output import picture_of
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import BoundProof, Clock
from kt_cp.proof.bounds import (
    _proven_by,
    most_by_blocks,
    most_by_degrees,
    separator_of_longest,
)
from kt_cp.proof.certificate import Certificate, Claim, Measure, Rule
from kt_cp.proof.checker import check
from kt_cp.proof.producer import NoCertificateError, certify_bound
from kt_cp.solving import longest_path, path_cover
from kt_dfs import Status
from tests.helpers.oracle import most_squares
from tests.test_longest import ATLAS, partial

nx = pytest.importorskip("networkx")


@pytest.mark.parametrize(
    ("size", "closed", "squares"),
    [
        ("3x3", False, 8),
        ("3x5", False, 14),
        ("3x6", False, 17),
        ("4x4", False, 15),
        ("3x4", True, 10),
        ("3x5", True, 12),
        ("3x7", True, 20),
        ("4x4", True, 14),
        ("5x5", True, 24),
        ("5x7", True, 34),
    ],
)
def test_a_separator_proves_how_long_paths_and_cycles_of_small_boards_are(
    size: str, closed: bool, squares: int
) -> None:
    result = longest_path(size, closed=closed, certificate=True, workers=1)
    assert result.objective is not None
    assert (result.objective.value, result.objective.proof) == (squares, BoundProof.SEPARATOR)
    assert result.certificate is not None
    assert result.certificate.claim == Claim(Measure.SQUARES, squares)
    assert check(result.certificate)


@pytest.mark.parametrize(("size", "squares"), [("4x5", 18), ("4x6", 22)])
def test_a_board_without_a_closed_tour_has_no_cycle_of_all_squares_but_one(
    size: str, squares: int
) -> None:
    result = longest_path(size, closed=True, certificate=True, workers=1)
    assert result.objective is not None
    assert (result.objective.value, result.objective.proof) == (squares, BoundProof.NO_TOUR)
    assert result.certificate is not None
    assert Rule.BOUND not in [step.rule for step in result.certificate.steps]
    assert check(result.certificate)


@pytest.mark.parametrize(("board", "paths"), [("4x4", 2), ("3x3", 2), ("2x4", 4), ("3x5", 2)])
def test_a_separator_proves_how_many_paths_a_board_takes(board: str, paths: int) -> None:
    result = path_cover(board, certificate=True, workers=1)
    assert (result.objective.value, result.objective.proof) == (paths, BoundProof.SEPARATOR)
    assert result.certificate is not None
    assert check(result.certificate)


def test_other_optima_say_that_they_rest_on_a_solver_alone() -> None:
    result = longest_path("4x4", uncrossed=True, certificate=True)
    assert result.objective is not None
    assert result.objective.proof in (BoundProof.CP_SAT, BoundProof.CADICAL)
    assert result.summary.endswith(f"; optimal by {result.objective.proof} alone")
    assert result.certificate is None
    told = "no separator proves squares<=6, and no other proof of a bound has a certificate"
    assert result.no_certificate == told


def test_a_tour_of_all_squares_needs_no_proof() -> None:
    result = longest_path("3x4", certificate=True)
    assert result.summary.endswith("; optimal")
    assert result.no_certificate == "squares<=12 needs no proof"
    assert path_cover("3x4", certificate=True).no_certificate == "paths>=1 needs no proof"


def test_that_no_path_is_so_long_has_a_certificate() -> None:
    result = longest_path("4x4", at_least=16, certificate=True, workers=1)
    assert result.status is Status.IMPOSSIBLE
    assert result.certificate is not None
    assert result.certificate.claim == Claim(Measure.SQUARES, 15)
    leaves = "removing b3, c3, b2 and c2 leaves 6 components"
    limit = "of which a path visits at most 5, so a path visits at most 15 squares, not 16"
    assert result.reason == f"{leaves}, {limit}"
    assert "6 components" in picture_of(result).description
    tree = longest_path([(1, 2), (2, 3)], closed=True)
    assert tree.reason == (
        "removing 2 leaves 2 components, of which a cycle visits at most 1, so there is no cycle, "
        "which would visit at least 3 vertices"
    )
    assert longest_path("3x3", at_least=9).reason == "a path visits at most 8 squares, not 9"


def test_petersen_leaves_a_vertex_out_as_it_has_no_hamiltonian_cycle() -> None:
    petersen = [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)]
    petersen += [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
    result = longest_path(petersen, closed=True, certificate=True, workers=1)
    assert result.objective is not None
    assert (result.objective.value, result.objective.proof) == (9, BoundProof.NO_TOUR)
    with pytest.raises(NoCertificateError, match=r"a certificate \(there is a tour\)"):
        certify_bound(Instance.of(petersen), Claim(Measure.PATHS, 2))


def test_blocks_prove_how_long_paths_and_cycles_are() -> None:
    """At the vertices of a triangle hang three further ones, of which a path visits two."""
    corners = [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0), (1, 5), (5, 6), (6, 1)]
    hanging = [*corners, (2, 7), (7, 8), (8, 2)]
    result = longest_path(hanging, certificate=True, workers=1)
    assert result.objective is not None
    assert (result.objective.value, result.objective.proof) == (7, BoundProof.BLOCKS)
    assert result.summary.endswith("; optimal by blocks")
    assert result.certificate is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"claim": "squares<=many"}, "claim 'squares<=many': give squares<=N or paths>=N"),
        ({"claim": 15}, "claim '15': give squares<=N or paths>=N"),
        ({"claim": "paths<=2"}, "give squares<=N or paths>=N"),
        ({"claim": "paths>=2", "start": 0}, "claim paths>=2: is about all open paths"),
        ({"claim": "paths>=2", "closed": True}, "claim paths>=2: is about all open paths"),
    ],
)
def test_a_claim_that_is_none_is_refused(changes: dict[str, Any], message: str) -> None:
    original = certify_bound(Instance.of("4x4"), Claim(Measure.SQUARES, 15))
    with pytest.raises(InputError, match=message):
        Certificate.from_dict({**original.as_dict(), **changes})


def test_a_directed_graph_is_bounded_as_if_its_edges_ran_both_ways() -> None:
    board = Board.parse("4x4")
    one_way = Instance.of(board, forbid=["a1>b3"])
    assert check(certify_bound(one_way, Claim(Measure.SQUARES, 15)))


def bound(graph: Graph, closed: bool) -> int:
    instance = replace(Instance.of(graph, closed=closed), allows_partial=True)
    return most_by_degrees(instance, Clock())


def test_a_path_uses_two_of_the_chains_that_meet_in_a_vertex() -> None:
    spider = [(leg * 10 + place, leg * 10 + place + 1) for leg in range(4) for place in range(1, 5)]
    spider += [(0, leg * 10 + 1) for leg in range(4)]
    assert bound(Graph.of(spider), closed=False) == 11
    assert bound(Graph.of(spider), closed=True) < 3


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
    assert result.objective.verdict_with_proof == "optimal by degrees"
    assert result.certificate is None


def test_a_time_limit_may_be_infinite() -> None:
    result = longest_path("4x4", time_limit=math.inf)
    assert result.objective is not None
    assert result.objective.value == 15


@pytest.mark.parametrize("closed", [False, True])
def test_no_bound_is_exceeded_by_a_path_or_cycle_of_a_small_graph(closed: bool) -> None:
    """Any multipliers of the degrees prove a bound, too, and not only those of the solver."""
    random = np.random.default_rng(1)
    for drawn in ATLAS[::24]:
        graph = Graph.of(drawn)
        instance = Instance.of(graph, closed=closed)
        multipliers = random.integers(-(2**20), 2**20, len(graph))
        at_uses = random.integers(0, 2**20, (drawn.number_of_edges(), 2))
        proven = [
            bound(graph, closed),
            most_by_blocks(instance),
            separator_of_longest(instance).most_squares,
            _proven_by(multipliers, at_uses, instance.edges, closed),
        ]
        assert most_squares(partial(graph, closed=closed)) <= min(proven), drawn.edges
