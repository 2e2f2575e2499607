"""Squares in order: found, enumerated, refuted, saved and stated like any other constraint."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.count.counting import count_tours, enumerate_tours
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.proof.checker import check
from kt_cp.puzzles.deduction import explain
from kt_cp.puzzles.facts import StepFact
from tests.helpers.command import kt
from tests.helpers.oracle import all_tours

BOARDS = [Board(3, 4), Board(4, 4, piece="wazir"), Board(4, 4, [0], piece="wazir")]


def tours_in_order(board: Board, closed: bool, order: list[int]) -> set[tuple[int, ...]]:
    """The tours that visit squares in order; a closed one begins at the first, either way."""
    tours = {tuple(tour) for tour in all_tours(Instance(board, closed=closed))}
    if closed:
        starts = [tour.index(order[0]) for tour in tours]
        tours = {(*t[at:], *t[:at]) for t, at in zip(tours, starts, strict=True)}
        tours |= {(tour[0], *tour[:0:-1]) for tour in tours}
    return {tour for tour in tours if [square for square in tour if square in order] == order}


@settings(max_examples=8)
@given(st.sampled_from(BOARDS), st.booleans(), st.integers(2, 5), st.randoms(use_true_random=False))
def test_all_tours_in_an_order_are_enumerated_and_no_other(
    board: Board, closed: bool, count: int, choose: random.Random
) -> None:
    order = choose.sample(board.squares.tolist(), count)
    expected = tours_in_order(board, closed, order)
    found = {tuple(tour) for tour in enumerate_tours(board, closed=closed, order=order)}
    assert found == expected
    result = solve(board, closed=closed, order=order)
    assert bool(result) == bool(expected)
    assert count_tours(board, closed=closed, order=order).count == len(expected)
    if result.tour is not None:
        for deduction in explain(Instance.of(board, closed=closed, order=order)):
            for fact in deduction.facts:
                if isinstance(fact, StepFact):
                    assert all(tour[fact.step - 1] == fact.square for tour in expected)


def test_squares_are_visited_in_order_on_large_boards_and_closed_tours() -> None:
    for closed in (False, True):
        tour = solve("8x8", closed=closed, order=["a1", "c3", "h8", "b2"]).tour
        assert tour is not None
        places = [tour.names.index(name) for name in ("a1", "c3", "h8", "b2")]
        assert all(one < other for one, other in pairwise(places))
        assert places[0] == 0 or not closed


def test_orders_that_no_tour_keeps_are_refuted_with_the_reason() -> None:
    late = solve("8x8", order=["a1", "h8"], end="a1")
    assert late.reason == (
        "in the order a1 and h8: a1 is reached at step 64 at the earliest, and has to be reached "
        "by step 58"
    )
    result = solve("4x8", closed=True, order=["a1", "b3", "c1"], certificate=True)
    assert result.certificate is not None
    assert check(result.certificate)


def test_a_map_keeps_an_order_and_kt_solves_it() -> None:
    instance = Instance.of("5x5", order="a1 c3 e5", forbid=["a1-b3"])
    saved = "\n".join(instance.map_lines())
    assert "; order: a1 c3 e5" in saved
    assert Instance.of(saved) == instance
    typed = kt("solve", "5x5", "--order", "a1 c3 e5", "--format", "squares")
    names = typed.stdout.split()
    assert [name for name in names if name in ("a1", "c3", "e5")] == ["a1", "c3", "e5"]
    assert kt("solve", "-", "--order", "c3 a1", stdin=saved).returncode == 2


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["a1", "a1"], "order: a1 is named twice"),
        (["a1", "z9"], "order: square 'z9' is off the board"),
        (3, r"order 3: give a list, such as \['a1'\]"),
    ],
)
def test_squares_that_are_no_order_are_refused(order: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Instance.of("5x5", order=order)  # type: ignore[arg-type]


def test_an_order_beside_given_steps_of_a_closed_tour_needs_a_start() -> None:
    with pytest.raises(InputError, match="needs a start"):
        Instance.of("6x6", closed=True, givens={"a1": 5}, order=["b1", "c1"])


def test_an_array_may_repeat_the_order_of_a_map() -> None:
    drawn = "\n".join(["...."] * 3 + ["; order: a3 c2"])
    squares = Instance.of(drawn).order
    assert Instance.of(drawn, order=np.array(squares)).order == squares
    assert Instance.of(drawn, order="a3 c2").order == squares
    with pytest.raises(InputError, match="the map has another order: a3 c2"):
        Instance.of(drawn, order=np.array(squares[::-1]))


def test_a_set_of_squares_has_no_order() -> None:
    with pytest.raises(InputError, match=r"give a list, such as \['a1'\], as a set has"):
        solve("8x8", order={"a1", "c3"})
