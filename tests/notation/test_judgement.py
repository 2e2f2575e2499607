"""What a reading says: of paths that are not complete, and of boards that count from 0."""

import itertools
from pathlib import Path

import pytest

from kt_cp import Board, Fault, Tour, parse_path
from kt_cp.notation.notations import write_tour
from tests.helpers.command import kt

OPEN_8X8_START = "a1 b3 c5 d7 f8 h7 g5 h3"


@pytest.mark.parametrize(
    ("path", "board", "closed", "verdict"),
    [
        (OPEN_8X8_START, "8x8", False, "all 7 moves are legal; 56 squares are missing"),
        ("a1 b3", "3x4", False, "its only move is legal; 10 squares are missing"),
        ("a1", "3x4", False, "11 squares missing"),
        ("a1 b4", "8x8", False, "1 illegal move, 62 squares missing"),
        ("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2", "3x4", False, "all 10 moves are legal; 1 square is"),
    ],
)
def test_a_path_that_is_merely_not_complete_is_said_to_be_legal_so_far(
    path: str, board: str, closed: bool, verdict: str
) -> None:
    reading = parse_path(path, Board.parse(board), closed=closed)
    assert reading.verdict.startswith(f"not a tour: {verdict}")
    assert not reading


def test_missing_squares_are_one_line_unless_all_are_asked_for() -> None:
    done = kt("validate", "-", "--board", "8x8", stdin=OPEN_8X8_START)
    names = "a8 b8 c8 d8 e8 g8 h8 a7 b7 c7 e7 f7"
    assert done.stdout.splitlines()[2:] == [f"56 squares are not visited: {names} and 44 more"]
    done = kt("validate", "-", "--board", "8x8", "--format", "json", stdin=OPEN_8X8_START)
    assert done.stdout.count("is not visited") == 56


def faults(text: str) -> list[Fault]:
    return list(parse_path(text).iter_faults())


def test_a_board_that_counts_from_0_is_reported_in_its_own_numbers() -> None:
    twice, gap = faults("0 3 6 9\n7 10 1 4\n2 5 . 9")[1::-1]
    assert (twice.message, twice.step) == ("step 9 is on two squares: 3 (d3) and 11 (d1)", 9)
    assert (gap.message, gap.step) == ("step 8 is on no square", 8)
    illegal = faults("0 3 6 9\n7 10 1 4\n2 5 11 8")[0]
    assert illegal.message == "step 7 to 8: 4 (a2) to 11 (d1) is not a knight's move"


def test_its_picture_has_its_own_numbers_too(tmp_path: Path) -> None:
    picture = tmp_path / "faults.svg"
    kt("validate", "-", "--draw", str(picture), stdin="0 3 6 9\n7 10 1 4\n2 5 11 8")
    drawn = picture.read_text()
    assert ">0<" in drawn
    assert ">12<" not in drawn


def test_a_reading_is_true_for_a_tour_and_shows_itself_in_a_notebook() -> None:
    reading = parse_path("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    assert reading
    html = reading._repr_html_()
    assert "read as: chess names, 12 entries, board 3x4" in html
    assert "<svg" in html


def test_a_tour_is_written_in_a_notation_given_by_name() -> None:
    tour = Tour("3x4", [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    assert list(itertools.islice(write_tour(tour, "squares"), 3)) == ["a3", "c2", "a1"]
