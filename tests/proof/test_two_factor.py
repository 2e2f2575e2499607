"""Too few moves: the maximum flow agrees with that of networkx, and its reason adds up."""

import itertools
import re

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import Board
from kt_cp.problem.instance import Instance
from kt_cp.proof.cut_reasons import too_few_moves
from kt_cp.sat.edges import edge_graph
from kt_cp.sat.two_factors import maximum_flow
from tests.helpers.strategies import boards


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
    flow = maximum_flow(edge_graph(instance))
    assert flow is not None
    assert flow.complete == exists
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
