"""Every notation is written and read back, told and found out."""

import io
import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation, Reading
from kt_cp.notation.read import parse_path
from kt_cp.notation.values import load_path
from kt_cp.notation.write import tour_bytes, write_tour
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind
from tests.helpers.strategies import tours

UNORDERED = {*Notation.SUCCESSORS.variants}
SHOWS_THE_BOARD = {*Notation.GRID.variants, Notation.JSON, *UNORDERED}
OPEN_3X4 = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]


def written(tour: Tour, notation: Notation) -> bytes:
    return b"".join(tour_bytes(tour, notation))


def read(content: bytes, **told: object) -> Reading:
    return parse_path(load_path(io.BytesIO(content)), **told)  # type: ignore[arg-type]


def edges(tour: Tour) -> set[frozenset[int]]:
    return {frozenset(move) for move in tour.moves.tolist()}


@pytest.mark.parametrize("notation", Notation)
@given(tour=tours())
def test_what_is_written_is_read_back(notation: Notation, tour: Tour) -> None:
    if len(tour) == 1 and notation.writes_moves:
        return  # there is no move to write
    text = written(tour, notation)
    reading = read(text, board=tour.board, notation=notation, closed=tour.closed)
    assert reading.valid
    if notation in UNORDERED and tour.closed:
        assert edges(reading.tour) == edges(tour)
    else:
        assert reading.tour == tour
    if len(tour) == 1 and notation in UNORDERED:
        return
    if not tour.board.holes or notation in SHOWS_THE_BOARD:  # elsewhere it is lost where they are
        found = read(text)
        assert (found.valid, len(found.board)) == (True, len(tour))


def test_a_long_list_of_moves_is_not_taken_for_squares() -> None:
    # As squares every second jump is legal, which a sample at even places would not notice.
    there_and_back = "a1-b3\nb3-a1\n" * 2498
    reading = parse_path(there_and_back, Board(3, 4))
    assert reading.notation is Notation.MOVES
    assert reading.notes == ()


@given(st.data(), tours())
def test_moves_and_facts_may_come_in_any_order(data: st.DataObject, tour: Tour) -> None:
    if len(tour) == 1:
        return
    for notation in (Notation.MOVES, Notation.FACTS, Notation.FACTS_COLUMN_FIRST_FROM_0):
        lines = data.draw(st.permutations(list(write_tour(tour, notation))))
        reading = parse_path("\n".join(lines), tour.board, notation, tour.closed)
        assert reading.valid
        assert edges(reading.tour) == edges(tour)
        if not tour.closed:
            assert reading.tour == tour


@pytest.mark.parametrize(
    ("grid", "board"),
    [
        ("1 4 7\n6 # 2\n3 8 5", Board(3, 3, [4])),
        ("1 4 7\n6 -1 2\n3 8 5", Board(3, 3, [4])),
        ("1 4 7\n6   2\n3 8 5", Board(3, 3, [4])),
        ("1,4,7\n6,,2\n3,8,5", Board(3, 3, [4])),
        ("|1|4|7|\n|6| |2|\n|3|8|5|", Board(3, 3, [4])),
        ("[[1, 4, 7], [6, '#', 2], [3, 8, 5]]", Board(3, 3, [4])),
        ('{"tour": [[1, 4, 7], [6, "#", 2], [3, 8, 5]]}', Board(3, 3, [4])),
        ("# # # #\n# 1 4 7\n# 6 # 2\n# 3 8 5", Board(4, 4, [0, 1, 2, 3, 4, 8, 10, 12])),
        ("# a comment\n# 1 4 7\n# 6 # 2\n# 3 8 5", Board(3, 4, [0, 4, 6, 8])),
    ],
)
def test_holes_of_a_numbered_board_are_marked(grid: str, board: Board) -> None:
    reading = parse_path(grid)
    assert reading.valid
    assert reading.board == board
    assert reading.closed


@pytest.mark.parametrize(
    "grid",
    [
        "1 4 7\n6 - 2\n3 8 5",
        "1 4 7\n6 . 2\n3 8 5",
        "1 4 7\n6 x 2\n3 8 5",
        "[[1, 4, 7], [6, null, 2], [3, 8, 5]]",
        [[1, 4, 7], [6, None, 2], [3, 8, 5]],
        np.array([[1, 4, 7], [6, -2, 2], [3, 8, 5]]),
    ],
)
def test_a_cell_without_a_number_is_a_missing_square_unless_the_board_has_a_hole(
    grid: Any,
) -> None:
    reading = parse_path(grid)
    assert reading.counts == {FaultKind.MISSING: 1}
    assert reading.notes[-1] == (
        "1 cell has no number; mark holes by '#', or give the board (--board)"
    )
    assert parse_path(grid, Board(3, 3, [4]))


def test_a_closed_tour_may_repeat_its_first_square() -> None:
    reading = parse_path("0 5 6 1 8 3 2 7 0", Board(3, 3, [4]))
    assert (reading.valid, reading.closed) == (True, True)
    assert "first square repeated at the end" in reading.read_as
    assert not parse_path("0 5 6 1 8 3 2 7 0", Board(3, 3, [4]), closed=False).valid


def test_two_ends_or_two_cycles_are_no_tour_though_every_square_has_a_successor() -> None:
    board = Board(3, 3, [1, 2, 3, 4, 7, 8])
    reading = parse_path("5 1 2 3 4 -1 5 7 8", board, "successors")  # 0 to 5, and 6 to 5
    assert reading.verdict == "not a tour: its only move is legal; 1 square is missing"
    # 1 to 0 and 0 to 7 of 3x8, joined to two cycles that cover a board with holes.
    successors = list(range(18))
    for square, after in itertools.pairwise([0, 5, 6, 1, 8, 3, 2, 7, 0]):
        successors[square], successors[square + 9] = after, after + 9
    board = Board(6, 3, [4, 13])
    reading = parse_path(" ".join(map(str, successors)), board, "successors")
    assert reading.verdict == "not a tour: split into 2 components"
    assert reading.faults[0].message == "the squares from 9 on are not joined to 0"


@pytest.mark.parametrize(
    ("text", "told", "message"),
    [
        ("a1 b3", "ids", "notation ids: there are no ids here: 2 square names"),
        ("0 1 " + "9" * 19, "ids", "line 1, column 5: '9999999999999999999' where there should"),
        ("a1 b", "squares", "line 1, column 4: 'b' where there should be chess names"),
        ("(0,0) (1", "coords", "there are no coordinates here: 3 numbers"),
        ("1 # #\n# # 2 a1", "grid", "line 2, column 7: 'a1' where there should be numbered"),
        (". . .", "grid", "there are no numbered board here"),
        ("a1-b3-c5", "moves", "there are no moves here: 3 square names"),
        ("size(8).", "facts", "there are no facts here: 1 number"),
        ("Answer: 1\nmove(0,5)\nAnswer: 2\nmove(5,0)", "facts", "more than one answer"),
        ("1 2 3", "tsplib", "a TSPLIB file: lines such as TYPE : TOUR, then TOUR_S"),
        ("TOUR_SECTION\n1\n-1\n2\n-1", "tsplib", "the numbers of one tour, with -1 at the end"),
        ("DIMENSION: 10000000000\nTOUR_SECTION\n1\n-1", "tsplib", "the board cannot be detec"),
        ("{", "json", "line 1, column 2: the end of the text where there should be JSON"),
        ('{"tour": [0, , 1]}', "json", "line 1, column 14: ',' where there should be JSON"),
        ('{"tour": null, "status": "unknown"}', "json", "holds no tour (status: unknown)"),
        ('{"tour": [0], "board": {"rows": 8}}', "json", "board {'rows': 8}: give it as"),
        ('{"tour": [0], "closed": 1}', "json", "closed: 1: give true or false"),
        ("[[[0]]]", "json", "[[[0]]] is not a path: a path is a list of ids"),
        ("[" * 10**5, "json", "JSON: maximum recursion depth exceeded"),
        ("0 1 2", "npy", "notation npy: this is text"),
        ("0 1 2", "nonsense", "notation 'nonsense': give one of grid, "),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, told: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_path(text, notation=told)
    assert message in str(caught.value)


def test_a_claimed_board_that_is_too_large_is_refused_before_memory_is_spent() -> None:
    text = json.dumps({"board": {"rows": 10**9, "columns": 10**9}, "tour": [0]})
    with pytest.raises(InputError, match="more than 200,000,000 squares are refused"):
        parse_path(text)
    with pytest.raises(InputError, match="the board cannot be detected"):
        parse_path("0 6 999999999", notation="ids")
    large = parse_path("0 20003", Board(10_000, 10_000), "ids")
    assert large.verdict == "not a tour: 1 illegal move, 99,999,998 squares missing"
    assert next(large.iter_faults()).message == "step 1 to 2: 0 to 20003 is not a knight's move"


@pytest.mark.parametrize("slip", ["900000000", "70000000"])
def test_a_slip_far_off_the_board_does_not_hide_the_board(slip: str) -> None:
    path = " ".join(map(str, OPEN_3X4))
    for text in (path.replace("10", slip), ",0 ".join(path.replace("10", slip).split()) + ",0"):
        reading = parse_path(text)
        assert reading.board.area < 1000
        assert "off-board" in reading.counts


def saved(array: Any) -> bytes:
    np.save(file := io.BytesIO(), array, allow_pickle=True)
    return file.getvalue()


GOOD_NPY = saved(np.arange(12))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD_NPY[:6], "not a NumPy file"),
        (GOOD_NPY[:-1], "not a NumPy file: EOF"),
        (saved(np.array([{"a": 1}], dtype=object)), "not a NumPy file: Object arrays"),
        (saved(np.full(3, 0.5)), "entry 1: 0.5 is not a number of a square or step"),
        (saved(np.zeros((2, 2, 2), dtype=int)), "is not a path: a path is a list of ids"),
        (GOOD_NPY.replace(b"(12,), }        ", b"(99999999,), }  "), "not a NumPy file: EOF"),
    ],
)
def test_hostile_npy_files_are_refused_in_one_line(content: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(content)
    assert message in str(caught.value)


def test_missing_squares_are_one_line_unless_all_are_asked_for() -> None:
    reading = parse_path("a1 b3 c5 d7 f8 h7 g5 h3", "8x8")
    names = "a8 b8 c8 d8 e8 g8 h8 a7 b7 c7 e7 f7"
    assert [*reading.fault_lines()] == [f"56 squares are not visited: {names} and 44 more"]
    assert len([*reading.iter_faults()]) == 56


def test_a_board_that_counts_from_0_is_reported_in_its_own_numbers() -> None:
    twice, gap = parse_path("0 3 6 9\n7 10 1 4\n2 5 . 9").faults[1::-1]
    assert (twice.message, twice.step) == ("step 9 is on two squares: 3 (d3) and 11 (d1)", 9)
    assert (gap.message, gap.step) == ("step 8 is on no square", 8)
    illegal = parse_path("0 3 6 9\n7 10 1 4\n2 5 11 8").faults[0]
    assert illegal.message == "step 7 to 8: 4 (a2) to 11 (d1) is not a knight's move"
