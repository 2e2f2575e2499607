"""Tours drawn at random: valid, all equally likely, the same for the same seed."""

from collections import Counter
from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_cp.board.board import Board
from kt_cp.count import frontier, tables
from kt_cp.count.cost import OutOfMemoryError
from kt_cp.count.counting import count_tours, enumerate_tours
from kt_cp.count.plan import unsupported
from kt_cp.count.sampling import sample_tours
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError
from kt_cp.tour.tour import Tour
from tests.helpers.counting import constraints_of, undirected
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import instances


def assert_uniform(tours: list[Tour], possible: int) -> None:
    """Check the chi-squared statistic against five standard deviations from its mean."""
    draws = Counter(undirected(tuple(tour)) if tour.closed else tuple(tour) for tour in tours)
    expected = len(tours) / possible
    missed = (possible - len(draws)) * expected
    statistic = missed + sum((drawn - expected) ** 2 / expected for drawn in draws.values())
    degrees = possible - 1
    assert len(draws) <= possible
    assert abs(statistic - degrees) < 5 * sqrt(2 * degrees)


@pytest.mark.parametrize(
    ("size", "constraints", "possible"),
    [
        ("5x5", {"start": 0}, 304),
        ("3x4", {}, 16),
        ("5x5", {"start": "a1", "end": "e5"}, 56),
        ("5x6", {"closed": True}, 8),
        ("3x12", {"closed": True}, 176),
        pytest.param("6x6", {"closed": True}, 9862, marks=pytest.mark.exhaustive),
    ],
)
def test_every_tour_is_drawn_equally_often(
    size: str, constraints: Constraints, possible: int
) -> None:
    assert count_tours(size, **constraints).count == possible
    assert_uniform(sample_tours(size, 5 * possible, seed=1, **constraints), possible)


@given(instances(), st.integers(0, 99), st.booleans())
def test_what_is_drawn_meets_every_constraint_and_is_the_same_for_the_same_seed(
    instance: Instance, seed: int, small: bool
) -> None:
    assume(unsupported(instance) is None)
    with pytest.MonkeyPatch.context() as patch:
        if small:  # parts, and long counts
            patch.setattr(frontier, "_CHUNK", 50)
            patch.setattr(tables, "_DIGIT_BITS", 2)
        drawn = sample_tours(instance.board, 5, seed, **constraints_of(instance))
        again = sample_tours(instance.board, 5, seed, **constraints_of(instance))
    assert [tuple(tour) for tour in drawn] == [tuple(tour) for tour in again]
    assert all(instance.satisfied_by(tour.squares) for tour in drawn)
    assert all(tour.closed is instance.closed for tour in drawn)
    assert len(drawn) == (5 if any(True for _ in all_tours(instance)) else 0)


def test_tours_within_bounds_are_drawn_equally_often_and_none_where_there_is_none() -> None:
    bounds = ["turns<=21"]
    possible = len(list(enumerate_tours("5x5", having=bounds)))
    assert possible > 10
    assert_uniform(sample_tours("5x5", 5 * possible, seed=1, having=bounds), possible)
    assert sample_tours("5x6", 3, closed=True, having=["turns<=27"]) == []


def test_states_beyond_the_memory_limit_are_kept_on_disk() -> None:
    drawn = [sample_tours("4x10", 3, memory_limit=limit) for limit in (8, 1000)]
    assert drawn[0] == drawn[1]


def test_states_that_do_not_fit_end_the_draw() -> None:
    with pytest.raises(
        OutOfMemoryError, match="the memory limit was reached: frontier of 12 squares"
    ):
        sample_tours("6x6", 3, seed=1, closed=True, memory_limit=1)


def test_draws_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="count 0"):
        sample_tours("5x5", 0)
    with pytest.raises(InputError, match="cannot be drawn at random under a symmetry"):
        sample_tours("6x6", 1, closed=True, symmetry="half-turn")
    assert sample_tours("4x4", 3) == []
    assert sample_tours(Board(1, 1), 2, closed=True) == []
    assert len(sample_tours(Board(1, 1), 2)) == 2


def test_a_draw_shows_the_time_that_is_left_and_says_why_it_ended() -> None:
    lines: list[str] = []
    sample_tours("5x6", 1, closed=True, progress=lines.append)
    assert lines[3].startswith("4 of 30 squares, about 0 s left, ")
    with pytest.raises(OutOfTimeError, match=r"^the time limit was reached$"):
        sample_tours("8x8", 3, time_limit=0.2)
