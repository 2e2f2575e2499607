"""Reasons why there is no tour: true, found soon, and told by the names of what they are about."""

import itertools
import random
import re
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Rule
from kt_cp.proof.checker import check
from kt_cp.proof.producer import make_certificate
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_cp.proof.refutation import REASONS, few_cases, refute
from kt_cp.proof.separators import too_few_moves
from kt_cp.sat.edges import edge_graph
from kt_cp.sat.two_factors import two_factor
from kt_dfs import Status
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import boards, graph_instances, instances

HOSTILE = ("{a}", "x}y", "{", "{0}", "{{square}}", "{square!r}", "%s", "{order}")


def path_of_three(*names: str) -> Graph:
    return Graph(names, [(0, 1), (1, 2)])


@pytest.mark.parametrize(
    ("constraints", "told"),
    [
        (
            {"require": [("x}y", "{a}")], "forbid": [("x}y", "{a}")]},
            "the edge x}y-{a} is both required and forbidden",
        ),
        (
            {"order": ["{a}", "b", "x}y"]},
            "in the order {a}, b and x}y: {a} is reached at step 1 at the earliest, and has to be "
            "reached by step 0",
        ),
    ],
)
def test_names_with_braces_are_told_as_they_are(constraints: dict[str, Any], told: str) -> None:
    graph = path_of_three("x}y", "{a}", "b")
    reason = refute(Instance.of(graph, **constraints))
    assert str(reason) == told
    assert reason is not None
    assert reason.full == told


@given(instance=graph_instances())
def test_every_reason_names_any_vertices(instance: Instance) -> None:
    graph = instance.graph
    hostile = Graph(HOSTILE[: len(graph)], graph.arcs, directed=graph.directed)
    renamed = Instance(
        hostile, instance.closed, instance.first, instance.last, instance.require, instance.forbid
    )
    for find in REASONS:
        reason = find(renamed)
        if reason is None:
            continue
        assert not any(name in reason.template for name in HOSTILE if len(name) > 1)
        for group in reason.groups.values():
            assert hostile.list_names(group) in str(reason)


def test_a_reason_without_squares_is_told_word_for_word() -> None:
    graph = path_of_three("a", "b", "c")
    assert str(Reason(ReasonKind.GAVE_UP, graph, "the caller's {words}")) == "the caller's {words}"


def test_the_steps_that_no_walk_joins_are_named_and_no_others() -> None:
    """From a6 to c5 is a knight's move; from c5 to e3 take four."""
    given_steps = {"a6": 1, "c5": 2, "e3": 4}
    reason = solve("6x6", closed=True, givens=given_steps).reason
    assert reason == "steps 2 and 4: no walk of 2 moves from c5 to e3"


@pytest.mark.parametrize(
    ("graph", "cases"), [("3x8", 2), (nx.petersen_graph(), 2), (nx.dodecahedral_graph(), 0)]
)
def test_a_proof_by_cases_rules_out_each_by_moves_that_follow(graph: Any, cases: int) -> None:
    """Either a square would have fewer or more than two moves, or some moves close a cycle."""
    instance = Instance.of(graph, closed=True)
    reason = few_cases(instance)
    assert (0 if reason is None else len(reason.cases)) == cases
    for case in () if reason is None else reason.cases:
        moves = case.moves["contradiction"]
        if "square" in case.groups:
            [square] = case.groups["square"]
            around = instance.edges[(instance.edges == square).any(axis=1)].tolist()
            assert {*moves, *case.moves.get("excluded", ())} == set(map(tuple, around))
            assert len(moves) != 2 or "excluded" in case.moves
        else:
            assert nx.is_connected(nx.Graph(moves))
            assert 2 < len(moves) == len(case.groups["squares"]) < len(instance.graph)


def test_two_cases_prove_that_the_petersen_graph_has_no_hamiltonian_cycle() -> None:
    reason = str(solve(nx.petersen_graph(), closed=True).reason)
    assert "a cycle omits some edge: let it omit 0-1; in each of 2 cases" in reason
    assert "with 2-3, 3 would have 3 edges, and a tour uses two; without 2-3, forced" in reason


@given(instances() | graph_instances())
def test_an_instance_with_a_tour_has_no_proof_by_cases(instance: Instance) -> None:
    if few_cases(instance) is not None:
        assert not any(all_tours(instance))


Edges = list[tuple[int, int]]


def cliques_and_hubs(hubs: int, cliques: int, size: int, share: float = 1) -> Edges:
    """Return cliques whose vertices are joined to a share of the hubs."""
    draw = random.Random(0)
    edges: Edges = []
    for number in range(cliques):
        first = hubs + number * size
        members = range(first, first + size)
        edges += itertools.combinations(members, 2)
        edges += [(hub, one) for one in members for hub in range(hubs) if draw.random() < share]
    return shuffled(edges)


def cubic_pieces(hubs: int, pieces: int, size: int, degree: int) -> Edges:
    """Return cubic graphs, to which hubs of low degree are joined at random vertices."""
    draw = random.Random(1)
    edges: Edges = []
    for number in range(pieces):
        piece = nx.random_regular_graph(3, size, seed=100 + number)
        edges += [(hubs + number * size + a, hubs + number * size + b) for a, b in piece.edges]
    for hub in range(hubs):
        for number in draw.sample(range(pieces), degree):
            edges.append((hub, hubs + number * size + draw.randrange(size)))
    return shuffled(edges)


def shuffled(edges: Edges) -> Edges:
    numbers = sorted({end for edge in edges for end in edge})
    random.Random(2).shuffle(numbers)
    return [(numbers[a], numbers[b]) for a, b in edges]


GRAPHS = {
    "two hubs and three triangles": (cliques_and_hubs(2, 3, 3), 2),
    "five hubs and six cliques": (cliques_and_hubs(5, 6, 4), 5),
    "five hubs joined to half of the vertices": (cliques_and_hubs(5, 6, 4, 0.5), 5),
    "30 hubs": (cliques_and_hubs(30, 31, 4), 30),
    "30 hubs joined to few vertices": (cliques_and_hubs(30, 31, 5, 0.2), 30),
    "ten hubs of the degree of the others": (cliques_and_hubs(10, 11, 8, 0.15), 10),
    "hubs of low degree": (cubic_pieces(6, 7, 10, 7), 6),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_hubs_that_keep_many_parts_apart_are_a_reason_and_a_certificate(name: str) -> None:
    edges, hubs = GRAPHS[name]
    instance = Instance.of(Graph.of(edges), closed=True)
    reason = refute(instance)
    assert reason is not None
    assert reason.kind is ReasonKind.CUT
    assert len(reason.groups["cut"]) <= hubs
    certificate = make_certificate(instance)
    assert [step.rule for step in certificate.steps] == [Rule.CUT]
    assert check(certificate)


def test_a_cut_of_which_the_tour_uses_edges_is_certified() -> None:
    # Without the three hubs three triangles are left, and the tour joins two of the hubs.
    edges = [*cliques_and_hubs(3, 3, 3)]
    hubs = [vertex for vertex in range(12) if sum(vertex in edge for edge in edges) == 9]
    asked = Graph.of([*edges, (hubs[0], hubs[1])])
    assert solve(asked, closed=True).status is Status.FOUND
    instance = Instance.of(asked, closed=True, require=[(hubs[0], hubs[1])])
    assert solve(instance).status is Status.IMPOSSIBLE
    assert check(make_certificate(instance))


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs_with_a_reason_have_no_tour(seed: int) -> None:
    graph = nx.gnm_random_graph(9, 13, seed=seed)
    for closed in (True, False):
        instance = Instance.of(graph, closed=closed)
        if refute(instance) is not None:
            assert solve(instance, method="circuit").status is Status.IMPOSSIBLE


def has_two_factor(board: Board) -> bool:
    """Whether every square can have two moves."""
    graph = nx.DiGraph()
    is_dark = {square: sum(divmod(square, board.columns)) % 2 for square in board.squares.tolist()}
    for square, dark in is_dark.items():
        graph.add_edge(*(("source", square) if dark else (square, "sink")), capacity=2)
        if dark:
            graph.add_edges_from((square, each) for each in board.neighbors(square))
    nx.set_edge_attributes(graph.subgraph(is_dark), 1, "capacity")
    graph.add_nodes_from(["source", "sink"])
    return bool(
        nx.maximum_flow_value(graph, "source", "sink") == len(is_dark) == 2 * sum(is_dark.values())
    )


@given(boards(max_side=6, max_squares=14))
def test_no_2_factor_is_found_just_where_networkx_finds_none(board: Board) -> None:
    instance = Instance(board, closed=True)
    exists = has_two_factor(board)
    edges = two_factor(edge_graph(instance))
    assert edges is not None
    assert (len(edges) > 0) == exists
    reason = too_few_moves(instance)
    if reason is None:
        assert exists or any(not board.neighbors(square) for square in board.squares.tolist())
        return
    needed, allowed = map(int, re.findall(r"needs? (\d+) .* only (\d+)", reason.full)[0])
    short, others = reason.groups["squares"], reason.groups["others"]
    moves = [other for square in short for other in board.neighbors(square)]
    assert {*moves} == {*others}
    assert needed == 2 * len(short)
    assert needed > allowed == sum(min(2, moves.count(other)) for other in others)


def test_in_a_cross_twelve_squares_of_one_color_keep_fourteen_components_apart() -> None:
    cross = "##...##\n" * 2 + ".......\n" * 3 + "##...##\n" * 2
    result = solve(cross, certificate=True)
    assert "12 squares" in result.summary
    assert "14 components" in result.summary
    assert result.certificate is not None
    assert check(result.certificate)
