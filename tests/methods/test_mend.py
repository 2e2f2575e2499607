"""Mended walks: tours of any board, proofs of none."""

import random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Board, InputError, Status, solve
from kt_cp.methods.cover import covers
from kt_cp.methods.mend.order import Order, circuit_arcs, rearranged
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance, Move


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, columns = draw(st.integers(1, 10)), draw(st.integers(1, 12))
    ids = st.integers(0, rows * columns - 1)
    holes = draw(st.sets(ids, max_size=min(rows * columns - 1, rows * columns // 12)))
    topology = draw(st.sampled_from(["flat", "flat", "cylinder", "torus"]))
    piece = draw(st.sampled_from(["knight", "knight", "zebra", "horse"]))
    return Board(rows, columns, holes, piece, topology)


@given(boards(), st.booleans(), st.booleans(), st.integers(0, 10), st.data())
@settings(max_examples=30, deadline=None)
def test_what_mending_finds_is_a_tour_with_the_start_asked_for(
    board: Board, closed: bool, with_start: bool, seed: int, data: st.DataObject
) -> None:
    """`solve` validates every tour on its way out, and sees that it meets the constraints."""
    start = data.draw(st.sampled_from(board.squares.tolist())) if with_start else None
    arcs = board.arcs.tolist()
    forbid = data.draw(st.lists(st.sampled_from(arcs), max_size=3)) if arcs else []
    result = solve(
        board,
        closed=closed,
        start=start,
        forbid=[Move(a, b, data.draw(st.booleans())) for a, b in forbid],
        method="mend",
        seed=seed,
        time_limit=2,
    )
    if result.status is Status.FOUND:
        assert result.tour is not None
        assert start is None or result.tour.squares[0] == start
    else:
        assert result.method == "refute" or result.status is Status.UNKNOWN


def test_a_stretch_that_ends_with_the_tour_keeps_its_direction() -> None:
    """With few squares freed it was once passed backwards, and the start came in the middle."""
    draw = random.Random(57)
    board = Board(12, 12, holes=draw.sample(range(144), 7))
    start = draw.choice(board.squares.tolist())
    with patch("kt_cp.methods.mend.gaps.REACHES", (1, 2)):
        result = solve(board, start=start, method="mend", seed=57)
    assert result.tour is None or result.tour.squares[0] == start


@given(boards(), st.data())
@settings(max_examples=30, deadline=None)
def test_walks_cover_each_square_once_and_orders_keep_them(
    board: Board, data: st.DataObject
) -> None:
    start = data.draw(st.sampled_from(board.squares.tolist()))
    instance = Instance(board, start=start)
    walks = next(covers(instance, Clock(), seed=0), [])
    if not walks:
        return  # too many would be needed
    assert sorted(square for walk in walks for square in walk.tolist()) == board.squares.tolist()
    for walk in walks:
        assert board.are_moves(walk[:-1], walk[1:]).all()
    order = Order.of(instance, circuit_arcs(instance), walks)
    for way, _ in rearranged(order, most=5) if len(walks) > 1 else ():
        assert sorted(way.squares.tolist()) == [*board.squares.tolist(), board.area]
        assert way.squares.tolist()[:2] == [board.area, start]
        assert len(way.walks()) <= len(walks)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("size", [32, 60, 100])
def test_large_boards_are_mended(size: int, closed: bool) -> None:
    assert solve(Board(size, size), closed=closed, method="mend").status is Status.FOUND


def test_large_boards_with_holes_are_mended_when_no_method_is_told() -> None:
    pond = [40 * row + column for row in range(15, 25) for column in range(15, 25)]
    result = solve(Board(40, 40, holes=pond), closed=True)
    assert (result.status, result.method) == (Status.FOUND, "mend")


def test_the_same_seed_mends_the_same_tour() -> None:
    one, other = (solve(Board(20, 20), closed=True, method="mend", seed=7).tour for _ in range(2))
    assert one == other


def test_a_board_without_tours_is_unknown_to_mending() -> None:
    result = solve(Board(4, 4), method="mend")
    assert result.status is Status.UNKNOWN
    assert result.reason == "no walks could be mended; method circuit may find a tour"


def test_constraints_that_walks_do_not_know_are_refused() -> None:
    with pytest.raises(InputError, match="does not support an end"):
        solve(Board(8, 8), end=0, method="mend")
