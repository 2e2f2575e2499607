"""Searching for the best tour: what comes out, and when."""

import os
import signal
import threading

import pytest

from kt_cp import InputError, enumerate_tours, features, solve
from kt_cp.model.circuit import OwnModel
from kt_cp.problem.constraints import Improvement
from kt_cp.solving import Interrupted


def test_improvements_come_as_they_are_found() -> None:
    seen: list[Improvement] = []
    result = solve("6x6", closed=True, minimize="turns", progress=seen.append)
    assert result.objective is not None
    assert result.objective.trace == tuple(seen)
    assert [each.value for each in seen] == sorted({each.value for each in seen}, reverse=True)
    assert seen[-1].value == result.objective.value == 32


def test_the_time_limit_returns_a_tour_for_a_function_too() -> None:
    def rising(model: OwnModel) -> object:
        arcs = model.board.arcs.tolist()
        return sum(model.edge(a, b) for a, b in arcs if b - a == 2 - model.board.columns)

    result = solve("8x8", closed=True, minimize=rising, time_limit=1)
    assert result.tour is not None
    assert result.objective is not None
    assert features(result.tour)["slope+1/2"] == result.objective.value


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
        with pytest.raises(Interrupted) as caught:
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
def test_the_best_tour_meets_the_other_constraints() -> None:
    asked = "turns<=34"
    result = solve("6x6", closed=True, maximize="crossings", having=asked, time_limit=3)
    assert result.tour is not None
    assert features(result.tour)["turns"] <= 34


def test_one_square_has_no_turns() -> None:
    result = solve("1x1", minimize="turns")
    assert result.objective is not None
    assert (result.objective.value, result.objective.optimal) == (0, True)


def test_annealing_alone_finds_good_tours_and_proves_nothing() -> None:
    result = solve("6x6", closed=True, minimize="turns", method="anneal", time_limit=1)
    assert result.objective is not None
    assert (result.method, result.objective.bound) == ("anneal", None)
    with pytest.raises(InputError, match="give minimize or maximize"):
        solve("6x6", closed=True, method="anneal")
