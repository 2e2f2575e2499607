"""Separators of general graphs: found soon, and certified by a single cut."""

import itertools
import random
import re

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.graph import Graph
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Rule
from kt_cp.proof.checker import check
from kt_cp.proof.producer import make_certificate
from kt_cp.proof.reason import ReasonKind
from kt_cp.proof.reasons import refute
from kt_cp.proof.separators import too_few_moves
from kt_cp.sat.edges import edge_graph
from kt_cp.sat.two_factors import two_factor
from kt_dfs.backtracking import Status
from tests.helpers.strategies import boards

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


def has_two_factor(board: Board, ends: tuple[int, ...]) -> bool:
    """Whether every square can have two moves, and one less each time it is named as an end."""
    graph = nx.DiGraph()
    room = {square: 2 - ends.count(square) for square in board.squares.tolist()}
    dark = [square for square in room if sum(divmod(square, board.columns)) % 2]
    light = [square for square in room if square not in dark]
    graph.add_nodes_from(["source", "sink"])
    graph.add_edges_from(("source", square, {"capacity": room[square]}) for square in dark)
    graph.add_edges_from((square, "sink", {"capacity": room[square]}) for square in light)
    for square in dark:
        graph.add_edges_from((square, other, {"capacity": 1}) for other in board.neighbors(square))
    wanted = sum(room[square] for square in dark)
    value = nx.maximum_flow_value(graph, "source", "sink")
    return bool(value == wanted == sum(room[square] for square in light))


def possible_ends(instance: Instance) -> list[tuple[int, ...]]:
    """The ends that an open tour may have by its start; a tour of one square has it twice."""
    if instance.closed:
        return [()]
    squares = instance.board.squares.tolist()
    if len(squares) == 1:
        return [(squares[0], squares[0])]
    pairs = itertools.combinations(squares, 2)
    return [pair for pair in pairs if instance.first is None or instance.first in pair]


@given(boards(max_side=6, max_squares=14), st.booleans(), st.data())
def test_no_2_factor_is_found_just_where_networkx_finds_none(
    board: Board, closed: bool, data: st.DataObject
) -> None:
    squares = board.squares.tolist()
    start = None if closed else data.draw(st.none() | st.sampled_from(squares))
    instance = Instance(board, closed=closed, start=start)
    exists = any(has_two_factor(board, ends) for ends in possible_ends(instance))
    edges = two_factor(edge_graph(instance))
    assert edges is not None
    assert (len(edges) > 0) == exists
    reason = too_few_moves(instance)
    if reason is None:
        alone = [square for square in squares if not board.neighbors(square)]
        # Of an open tour several components may lack moves, each not more than ends could explain.
        assert exists or alone or not closed
        return
    assert not exists
    needed, allowed = map(int, re.findall(r"needs? (\d+) .* only (\d+)", reason.full)[0])
    assert needed > allowed
    if closed:
        short, others = reason.groups["squares"], reason.groups["others"]
        moves = [other for square in short for other in board.neighbors(square)]
        assert {*moves} == {*others}
        assert needed == 2 * len(short)
        assert allowed == sum(min(2, moves.count(other)) for other in others)
