"""The best tour: what an exchange of edges changes, what comes out of a search, and when."""

import os
import signal
import threading
from contextlib import suppress
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.count.counting import enumerate_tours
from kt_cp.messages import InputError
from kt_cp.methods.annealing import Annealer
from kt_cp.methods.result import SearchInterruptedError
from kt_cp.model.custom import CustomModel
from kt_cp.problem.task import Clock, Improvement, Objective, OutOfTimeError, Sense
from kt_cp.sat.edges import edge_graph
from kt_cp.tour.features import FEATURES, features
from kt_cp.tour.tour import Tour

# To have more uncrossed moves, crossings are made fewer.
NAMES = [name for name in FEATURES if name != "uncrossed"]
objectives = st.builds(Objective, st.sampled_from(NAMES), st.sampled_from(Sense))


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(["6x6", "5x6", "7x8"]), st.booleans(), objectives, st.integers(0, 99))
def test_annealing_finds_ever_better_tours_that_meet_the_constraints(
    size: str, closed: bool, objective: Objective, seed: int
) -> None:
    first = solve(size, closed=closed, require=["a1-b3"], forbid=["c1-d3"], seed=seed)
    assert first.tour is not None
    graph, tour = edge_graph(first.instance), first.tour
    annealer = Annealer(graph, tour.squares, objective, Clock(0.1), seed)
    values = [features(tour)[str(objective.feature)]]
    with suppress(OutOfTimeError):
        for squares in islice(annealer.anneal(), 10):
            assert first.instance.satisfied_by(squares)
            better = Tour(first.instance.board, squares, closed)
            values.append(features(better)[str(objective.feature)])
    is_less = objective.sense is Sense.MINIMIZE
    assert values == sorted(set(values), reverse=is_less)


@pytest.mark.parametrize("closed", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_a_large_board_is_annealed_in_windows(closed: bool) -> None:
    result = solve("40x40", closed=closed, minimize="turns", time_limit=1)
    best = result.objective
    assert best is not None
    assert result.tour is not None
    assert (result.method, best.bound, best.optimal) == ("anneal", None, False)
    assert best.value == features(result.tour)["turns"] < 15 * 40
    assert best.trace[-1].value == best.value


def test_improvements_come_as_they_are_found() -> None:
    seen: list[Improvement] = []
    result = solve("6x6", closed=True, minimize="turns", progress=seen.append)
    assert result.objective is not None
    assert result.tour is not None
    assert result.objective.trace == tuple(each._replace(squares=None) for each in seen)
    assert np.array_equal(seen[-1].squares, result.tour.squares)  # type: ignore[arg-type]
    assert [each.value for each in seen] == sorted({each.value for each in seen}, reverse=True)
    assert seen[-1].value == result.objective.value == 32


def test_the_best_tour_by_fractions_is_proven_where_no_gap_is_allowed() -> None:
    def weighed(model: CustomModel) -> object:
        arcs = model.board.arcs.tolist()
        return sum((7 * a + b) % 1.37 * 0.0123 * model.edge(a, b) for a, b in arcs if a < b)

    for gap, optimal in ((0, True), (1, False)):
        parameters = {"absolute_gap_limit": gap} if gap else None
        best = solve("6x6", closed=True, minimize=weighed, parameters=parameters).objective
        assert best is not None
        assert best.optimal == optimal == (best.bound == best.value)


@pytest.mark.exhaustive
@pytest.mark.parametrize("workers", [1, 2])
def test_no_closed_8x8_tour_has_more_than_19_straight_angles(workers: int) -> None:
    result = solve("8x8", closed=True, maximize="straight", workers=workers)
    assert result.objective is not None
    assert (result.objective.value, result.objective.optimal) == (19, True)


def test_ctrl_c_keeps_the_best_tour() -> None:
    def interrupt_soon(_: Improvement) -> None:
        if not timers:
            timers.append(threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)))
            timers[0].start()

    timers: list[threading.Timer] = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    try:
        with pytest.raises(SearchInterruptedError) as caught:
            solve("8x8", closed=True, maximize="crossings", progress=interrupt_soon)
    finally:
        signal.signal(signal.SIGINT, before)
    result = caught.value.result
    assert result.tour is not None
    assert result.objective is not None
    assert features(result.tour)["crossings"] == result.objective.value
    assert not result.objective.optimal


def test_the_best_symmetric_tour_is_the_best_of_both_kinds() -> None:
    tours = enumerate_tours("6x6", closed=True, symmetry="half-turn")
    result = solve("6x6", closed=True, symmetry="half-turn", maximize="right")
    assert result.objective is not None
    assert result.objective.optimal
    assert result.objective.value == max(features(tour)["right"] for tour in tours)


@pytest.mark.exhaustive
def test_annealing_alone_finds_good_tours_and_proves_nothing() -> None:
    result = solve("6x6", closed=True, minimize="turns", method="anneal", time_limit=1)
    assert result.objective is not None
    assert (result.method, result.objective.bound) == ("anneal", None)
    with pytest.raises(InputError, match="give minimize or maximize"):
        solve("6x6", closed=True, method="anneal")
