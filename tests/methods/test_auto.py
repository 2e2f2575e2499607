"""The answers agree with exhaustive search and the literature, by the steps of ``auto``."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.methods.table import METHODS
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.refutation import REASONS, refute
from kt_cp.sat.two_factors import cycle_covers
from kt_dfs import Status
from tests.helpers.graphs import flower_snark, generalized_petersen
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import graph_instances, instances


def answer(instance: Instance, method: str) -> Status:
    """Solve, and check that a tour found is one that meets the constraints."""
    result = solve(instance, method=method)
    assert result.method in METHODS
    if result.tour is not None:
        first, *_ = order = tuple(result.tour.squares.tolist())
        others = tuple(given for given in instance.givens if given[0] != first)
        assert order in all_tours(replace(instance, start=first, givens=others))
        assert instance.first in (None, first)
    return result.status


@given(instances() | graph_instances())
def test_a_tour_is_found_exactly_where_exhaustive_search_finds_one(instance: Instance) -> None:
    exists = next(all_tours(instance), None) is not None
    expected = Status.FOUND if exists else Status.IMPOSSIBLE
    assert answer(instance, "circuit") is expected
    assert answer(instance, "auto") is expected
    if not instance.givens:
        assert answer(instance, "cuts") is expected
        if instance.symmetry is None:
            assert answer(instance, "patch") in (expected, Status.UNKNOWN)


@given(instances() | graph_instances())
def test_every_reason_alone_refutes_only_what_has_no_tour(instance: Instance) -> None:
    given_reasons = [sentence for reason in REASONS if (sentence := reason(instance))]
    if given_reasons:
        assert next(all_tours(instance), None) is None, given_reasons
        assert refute(instance) == given_reasons[0]


@pytest.mark.parametrize("method", ["auto", "circuit", "cuts", "patch"])
@pytest.mark.parametrize(
    "board", [Board(2, 1, topology="cylinder"), Board(2, 3, holes=[1, 2, 3, 4])], ids=str
)
def test_there_and_back_between_two_squares_is_no_closed_tour(board: Board, method: str) -> None:
    assert solve(board).status is Status.FOUND
    there, back = board.squares.tolist()
    for require in ([], [Move(there, back, directed=True)]):
        result = solve(board, closed=True, require=require, method=method)
        assert result.status is Status.IMPOSSIBLE


def closed_tours_exist(rows: int, columns: int) -> bool:
    """A. J. Schwenk, Mathematics Magazine 64 (1991) 325-332."""
    m, n = sorted((rows, columns))
    return not ((m % 2 and n % 2) or m in (1, 2, 4) or (m == 3 and n in (4, 6, 8)))


def open_tours_exist(rows: int, columns: int) -> bool:
    """P. Cull and J. De Curtins, Fibonacci Quarterly 16 (1978) 276-285, for sides of at least 5."""
    m, n = sorted((rows, columns))
    return (m, n) == (1, 1) or (m >= 3 and (m, n) not in [(3, 3), (3, 5), (3, 6), (4, 4)])


@pytest.mark.parametrize("rows", range(1, 11))
def test_tours_exist_exactly_where_the_literature_says_and_the_circuit_agrees(rows: int) -> None:
    for columns in range(rows, 11):
        for closed, exist in ((True, closed_tours_exist), (False, open_tours_exist)):
            expected = Status.FOUND if exist(rows, columns) else Status.IMPOSSIBLE
            for method in ("circuit", "auto"):
                result = solve(Board(rows, columns), closed=closed, method=method)
                assert result.status is expected


def color(columns: int, square: int) -> int:
    return sum(divmod(square, columns)) % 2


@pytest.mark.parametrize("allowed", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_on_6x6_just_the_pairs_of_opposite_colors_have_a_tour_between_them(allowed: bool) -> None:
    """A. Conrad, T. Hindrichs, H. Morsy, I. Wegener, Discrete Applied Mathematics 50 (1994)."""
    for start, end in itertools.permutations(range(36), 2):
        if (color(6, start) != color(6, end)) == allowed:
            result = solve(Board(6, 6), start=start, end=end)
            assert bool(result) == allowed
            assert result.method == ("circuit" if allowed else "refute")


@pytest.mark.exhaustive
def test_on_5x5_84_of_the_156_pairs_that_the_colors_allow_have_a_tour() -> None:
    pairs = [
        (a, b) for a, b in itertools.permutations(range(25), 2) if color(5, a) == color(5, b) == 0
    ]
    assert len(pairs) == 156
    for method in ("auto", "circuit"):
        results = [solve(Board(5, 5), start=a, end=b, method=method) for a, b in pairs]
        assert sum(result.status is Status.FOUND for result in results) == 84
        assert sum(result.status is Status.IMPOSSIBLE for result in results) == 72


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
