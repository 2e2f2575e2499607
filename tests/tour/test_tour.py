"""What a tour tells of itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from kt_cp.board import Board
from kt_cp.board.pieces import board_symmetries
from kt_cp.count.counting import count_tours, enumerate_tours
from kt_cp.messages import InputError
from kt_cp.tour.tour import Tour, differing_squares
from tests.helpers.pictures import open_tour
from tests.helpers.strategies import tours

OPEN = open_tour()
ROUND = Tour(Board(3, 3, holes=["b2"]), [0, 5, 6, 1, 8, 3, 2, 7], closed=True)


@given(tours())
def test_its_forms_agree(tour: Tour) -> None:
    squares = list(tour)
    assert tour.squares.tolist() == squares == [tour[place] for place in range(len(tour))]
    assert tour[-1] == squares[-1]
    assert tour[1:3] == squares[1:3]
    assert tour.coords.tolist() == [[*divmod(square, tour.board.columns)] for square in squares]
    assert [tour.grid[row, column] for row, column in tour.coords] == [*range(1, len(tour) + 1)]
    following = [*squares[1:], squares[0]] if tour.closed else squares[1:]
    assert tour.moves.tolist() == [list(move) for move in zip(squares, following, strict=False)]


@given(tours())
def test_it_is_the_same_up_to_symmetry_however_it_is_turned_and_begun(tour: Tour) -> None:
    for images in board_symmetries(tour.board).values():
        turned = Tour(tour.board, images[tour.squares], tour.closed)
        assert tour.same_up_to_symmetry(turned)
        assert tour.same_up_to_symmetry(turned.reversed())
        if tour.closed:
            begun = Tour(tour.board, np.roll(turned.squares, 5), closed=True)
            assert tour.same_up_to_symmetry(begun)


@pytest.mark.parametrize(("size", "closed"), [("3x4", False), ("5x6", True)])
def test_the_classes_are_those_that_are_counted(size: str, closed: bool) -> None:
    classes: list[Tour] = []
    for tour in enumerate_tours(size, closed=closed):
        if not any(tour.same_up_to_symmetry(other) for other in classes):
            classes.append(tour)
    assert len(classes) == count_tours(size, closed=closed, up_to_symmetry=True).count
    assert not classes[0].same_up_to_symmetry(OPEN if closed else ROUND)
    with pytest.raises(InputError, match="5 is not a Tour"):
        OPEN.same_up_to_symmetry(5)  # type: ignore[arg-type]


def test_it_knows_the_names_of_its_squares_and_the_way_back() -> None:
    assert OPEN.names == ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]
    assert OPEN.reversed().squares.tolist() == list(OPEN)[::-1]
    assert ROUND.reversed().squares.tolist() == [0, 7, 2, 3, 8, 1, 6, 5]


BOARD = Board(3, 3)


def path(*squares: int) -> Tour:
    return Tour.from_ids(BOARD, squares, closed=False, partial=True)


def test_tours_differ_where_the_steps_or_the_moves_do() -> None:
    one, reverse = path(0, 5, 6, 1, 8), path(8, 1, 6, 5, 0)
    assert differing_squares(one, reverse, by_steps=True) == [0, 1, 5, 8]
    assert differing_squares(one, reverse, by_steps=False) == []
