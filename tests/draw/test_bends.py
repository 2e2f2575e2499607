"""Moves that lie on one another, which pictures bend."""

import numpy as np

from kt_cp import Board, Tour
from kt_cp.draw.geometry import curve_offsets
from kt_cp.draw.tours import tour_picture
from tests.helpers.pictures import words


def test_moves_that_overlap_are_bent_to_both_sides_and_others_are_straight() -> None:
    board = Board(8, 8, piece="fiveleaper")
    names = [("a8", "f8"), ("g8", "b8"), ("a7", "f7"), ("a6", "a1"), ("a8", "d4")]
    moves = np.array([[board.vertex(tail), board.vertex(head)] for tail, head in names])
    offsets = curve_offsets(board, moves)
    assert sorted(offsets) == [(0, 5), (1, 6)]
    assert np.allclose(offsets[0, 5], -offsets[1, 6])
    assert offsets[0, 5][0] == 0


def test_moves_that_overlap_by_one_square_are_bent_to_both_sides_wherever_they_begin() -> None:
    row = Board(1, 8, piece="threeleaper")
    moves = np.array([[0, 3], [2, 5], [4, 7]])
    offsets = curve_offsets(row, moves)
    assert np.allclose(offsets[0, 3], -offsets[2, 5])
    assert np.allclose(offsets[2, 5], -offsets[4, 7])


def test_moves_of_a_knight_and_moves_that_only_meet_are_straight() -> None:
    assert curve_offsets(Board(5, 5), Board(5, 5).arcs) == {}
    row = Board(1, 11, piece="fiveleaper")
    assert curve_offsets(row, np.array([[0, 5], [5, 10]])) == {}


def test_the_legend_says_why_some_moves_are_curves() -> None:
    row = Board(1, 4, piece="1,0+2,0")
    overlapping, straight = (
        " ".join(words(tour_picture(Tour(row, ids)))) for ids in ([1, 0, 2, 3], [0, 1, 2, 3])
    )
    assert "curved: moves on one line, which would hide one another" in overlapping
    assert "curved" not in straight
