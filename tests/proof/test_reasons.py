"""Reasons name vertices as they are called, whatever signs their names contain."""

import re
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.graph import Graph, NamedGraph
from kt_cp.problem.instance import Instance
from kt_cp.proof.cases import few_cases
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.proof.reasons import REASONS, low_degrees, misplaced_steps, refute
from tests.helpers.command import kt
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import graph_instances, instances

HOSTILE = ("{a}", "x}y", "{", "{0}", "{{square}}", "{square!r}", "%s", "{order}")


def path_of_three(*names: str) -> Graph:
    return NamedGraph(names, [(0, 1), (1, 2)])


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
    hostile = NamedGraph(HOSTILE[: len(graph)], graph.arcs, directed=graph.directed)
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


def test_several_squares_must_be_ends_and_one_an_end() -> None:
    star = NamedGraph("abcd", [(0, 1), (0, 2), (0, 3)])
    several = low_degrees(Instance(star))
    assert "b, c and d have only one edge and must be ends of the tour" in str(several)
    one = low_degrees(Instance(star, start=1, end=2))
    assert "d has only one edge and must be an end of the tour" in str(one)


def test_a_reason_without_squares_is_told_word_for_word() -> None:
    graph = path_of_three("a", "b", "c")
    assert str(Reason(ReasonKind.GAVE_UP, graph, "the caller's {words}")) == "the caller's {words}"


def test_kt_solve_tells_of_a_contradiction_at_a_vertex_with_braces(tmp_path: Path) -> None:
    file = tmp_path / "braces.edgelist"
    file.write_text("x}y b\nb c\nc x}y\n")
    result = kt("solve", str(file), "--closed", "--require", "x}y-b", "--forbid", "x}y-b")
    assert result.returncode == 1
    assert "the edge x}y-b is both required and forbidden" in result.stdout + result.stderr


def test_the_steps_that_no_walk_joins_are_named_and_no_others() -> None:
    """From a6 to c5 is a knight's move; from c5 to e3 take four."""
    given_steps = {"a6": 1, "c5": 2, "e3": 4}
    reason = solve("6x6", closed=True, givens=given_steps).reason
    assert reason == "steps 2 and 4: no walk of 2 moves from c5 to e3"


@given(st.permutations(range(20)), st.booleans())
def test_no_walk_of_the_length_that_a_reason_names_exists(
    vertices: list[int], closed: bool
) -> None:
    board = Board(4, 5)
    steps = dict(zip((1, 3, 7, 20), vertices, strict=False))
    names = {board.name(vertex): step for step, vertex in steps.items()}
    reason = misplaced_steps(Instance.of(board, closed=closed, givens=names))
    if reason is None:
        return
    told = re.match(r"steps (\d+) and (\d+): no walk of (\d+) moves? from", str(reason))
    assert told is not None
    before, step, moves = map(int, told.groups())
    assert moves == (step - before) % len(board)
    reached = {steps[before]}
    for number in range(before + 1, before + moves):
        following = {each for vertex in reached for each in board.neighbors(vertex)}
        known = steps.get((number - 1) % len(board) + 1)
        reached = following - set(steps.values()) if known is None else following & {known}
    assert not any(steps[step] in board.neighbors(vertex) for vertex in reached)


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
