"""The schedule of ``auto``, and the cycles that the circuit begins with."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.methods.table import METHODS
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.sat.two_factors import cycle_covers
from kt_dfs.backtracking import Status
from tests.helpers.graphs import flower_snark, generalized_petersen
from tests.helpers.strategies import instances


@given(instances(), st.integers(0, 3), st.integers(1, 4))
def test_hinted_cycles_pass_every_vertex_once_along_the_arcs_of_the_graph(
    instance: Instance, seed: int, left: int
) -> None:
    whole = TourGraph(instance)
    cycles = next(cycle_covers(instance, Clock(), seed, left), None)
    if cycles is None:
        return
    assert sorted(np.concatenate(cycles).tolist()) == list(range(len(whole)))
    followed = [np.stack([cycle, np.roll(cycle, -1)], axis=1) for cycle in cycles]
    used = set(map(tuple, np.concatenate(followed).tolist()))
    assert used <= set(map(tuple, whole.arcs.tolist()))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("size", ["40x40", "60x60"])
def test_the_circuit_makes_a_tour_of_hinted_cycles_within_few_conflicts(
    size: str, closed: bool
) -> None:
    result = solve(size, closed=closed, method="circuit")
    assert result.status is Status.FOUND
    assert 1 <= result.counters["hinted_cycles"] <= 20
    assert result.counters["conflicts"] < 200


@given(instances())
def test_what_answers_is_always_a_method_of_the_table(instance: Instance) -> None:
    assert solve(instance).method in METHODS


@pytest.mark.parametrize(
    ("board", "constraints", "method"),
    [
        (Board(8, 8), {"closed": True}, "circuit"),
        (Board(20, 20, holes=[0, 19]), {"closed": True}, "circuit"),
        (Board(30, 30), {"start": 0, "end": 29}, "circuit"),
        (Board(50, 50), {"start": 0, "end": 49}, "patch"),
        (Board(4, 8), {"closed": True}, "refute"),
        (Board(300, 300), {"closed": True}, "compose"),
        (Board(50, 50, holes=[0, 49]), {"closed": True}, "patch"),
    ],
)
def test_each_kind_of_board_has_the_method_that_the_schedule_says(
    board: Board, constraints: dict[str, object], method: str
) -> None:
    assert solve(board, **constraints).method == method  # type: ignore[arg-type]


@pytest.mark.parametrize("stars", [15, 77, 101])
def test_flower_snarks_of_an_odd_number_of_stars_have_no_cycle(stars: int) -> None:
    assert solve(flower_snark(stars), closed=True, time_limit=60).status is Status.IMPOSSIBLE


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("count", "status"),
    [(77, Status.IMPOSSIBLE), (502, Status.FOUND), (503, Status.IMPOSSIBLE)],
)
def test_generalized_petersen_graphs_of_any_size_are_decided(count: int, status: Status) -> None:
    graph = generalized_petersen(count, 2)
    assert solve(graph, closed=True, time_limit=60).status is status
