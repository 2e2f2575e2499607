"""The squares on which two tours differ."""

from __future__ import annotations

from kt_cp.board.board import Board
from kt_cp.tour.tour import Tour, differing_squares

BOARD = Board(3, 3)


def path(*squares: int) -> Tour:
    return Tour.from_ids(BOARD, squares, closed=False, partial=True)


def test_tours_differ_where_the_steps_or_the_moves_do() -> None:
    one, reverse = path(0, 5, 6, 1, 8), path(8, 1, 6, 5, 0)
    assert differing_squares(one, reverse, by_steps=True) == [0, 1, 5, 8]
    assert differing_squares(one, reverse, by_steps=False) == []


def test_squares_that_only_one_of_two_partial_tours_visits_differ() -> None:
    shorter, longer = path(0, 5, 6, 1), path(0, 5, 6, 1, 8, 3)
    for one, other in ((shorter, longer), (longer, shorter)):
        assert differing_squares(one, other, by_steps=True) == [3, 8]
        assert differing_squares(one, other, by_steps=False) == [1, 3, 8]


def test_a_tour_of_one_square_differs_from_one_of_another() -> None:
    assert differing_squares(path(0), path(1), by_steps=False) == [0, 1]
