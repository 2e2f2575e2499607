"""Boards, maps and the names of squares."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board.board import Board
from kt_cp.board.maps import Map
from kt_cp.messages import InputError
from tests.helpers.oracle import is_move
from tests.helpers.strategies import boards


@given(boards())
def test_a_board_prints_the_map_that_it_reads(board: Board) -> None:
    assert Board.parse(str(board)) == board
    assert Board.parse("\n \n" + str(board).replace("\n", "  \r\n") + "\n\n") == board
    assert Board.parse("\n".join(" ".join(line) for line in str(board).splitlines())) == board


@given(boards())
def test_the_arcs_are_all_knight_moves_between_squares_both_ways(board: Board) -> None:
    squares = [square for square in range(board.area) if square not in board.holes]
    expected = {(a, b) for a in squares for b in squares if is_move(board, a, b)}
    arcs = [tuple(arc) for arc in board.arcs.tolist()]
    assert set(arcs) == expected
    assert len(arcs) == len(expected)
    for square in squares:
        assert board.neighbors(square) == tuple(b for a, b in arcs if a == square)


def test_the_textbook_order_of_moves_is_kept() -> None:
    # 5x5, center: genLegalMoves of the textbook.
    assert Board(5, 5).neighbors(12) == (5, 9, 1, 3, 15, 19, 21, 23)
    assert Board(8, 8).neighbors("a8") == Board(8, 8).neighbors((0, 0)) == (10, 17)
    assert len(Board(8, 8).arcs) == 336


@given(boards(max_side=40, max_squares=1600), st.data())
def test_every_name_of_a_square_leads_back_to_it(board: Board, data: st.DataObject) -> None:
    square = data.draw(st.sampled_from(board.squares.tolist()))
    row, column = divmod(square, board.columns)
    name = board.name(square)
    for text in (str(square), name, name.upper(), f"{row},{column}", f" ({row}, {column}) "):
        assert board.vertex(text) == square


def test_squares_are_named_as_in_chess() -> None:
    assert [Board(8, 8).name(square) for square in (0, 63)] == ["a8", "h1"]
    assert [Board(8, 800).name(square) for square in (26, 702)] == ["aa8", "aaa8"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0x5", "each side must be at least 1"),
        *((text, "give both sides") for text in ("8x", "8", "8×", "x", "8x8x8")),
        ("8by8", "board '8by8': give both sides, rows x columns, as in 8x8, or a map"),
        ("1 . #", "row 1, column 1: 1 is a step number"),
        ("9" * 40 + "x1", "more than 200,000,000 squares"),
        (" \n\n", "empty"),
        ("...\n\n...", "line 3: a second map begins; give one"),
        ("..\n.?", "line 2, column 2: '\\?' is not"),
        ("##\n##", "there are only holes"),
    ],
)
def test_what_is_no_board_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Board.parse(text)


def test_the_size_is_refused_before_anything_is_listed() -> None:
    with pytest.raises(InputError, match="more than 200,000,000 squares are refused"):
        Board(10**9, 10**9, holes=itertools.count())
    with pytest.raises(InputError, match="moves are listed only up to 16,777,216 squares"):
        _ = Board(1, 10**8).arcs


def test_a_size_is_rows_by_columns() -> None:
    assert {Board.parse(text) for text in ("3x8", " 3 x 8 \n", "3X8", "3×8")} == {Board(3, 8)}


DRAWN = [
    (".X.\n...", ".#.\n...", "X is a hole"),
    ("XX XX\nXXXXX\n XXX", "..#..\n.....\n#...#", "X is a square, a blank is a hole, short lines "),
    ("_#_\n___", ".#.\n...", "_ is a square"),
    ("## ##\n #####", "..#..#\n#.....", "# is a square, a blank is a hole, short lines"),
    (". . .\n  . .", "...\n#..", "a blank is a hole"),
    ("\t...\n\t...", "...\n...", ""),
    ("  ..#\n  ...", "..#\n...", ""),
]


@pytest.mark.parametrize(("drawing", "shown", "told"), DRAWN)
def test_boards_are_read_as_people_draw_them(drawing: str, shown: str, told: str) -> None:
    assert str(Board.parse(drawing)).replace(" ", "") == shown
    assert Map.parse(drawing).explanation.startswith(told)
    assert bool(Map.parse(drawing).explanation) == bool(told)
    assert Map.parse(shown).explanation == ""


@pytest.mark.parametrize(
    ("drawing", "plain", "told"),
    [
        ("1 0 0\n0 0 0", "1 . .\n. . .", "0 is a square"),
        ("┌──┬──┐\n│ 1│  │\n├──┼──┤\n│  │12│\n└──┴──┘", "1 .\n. 12", "an empty cell is a square"),
        ("1,.,\n.,.,12", "1 . #\n. . 12", "an empty cell is a hole"),
        ("__ 33 __\n      21", ". 33 .\n# # 21", "_ is a square, a blank is"),
    ],
)
def test_puzzles_are_read_in_frames_with_commas_and_with_wide_marks(
    drawing: str, plain: str, told: str
) -> None:
    drawn, expected = Map.parse(drawing), Map.parse(plain)
    assert (drawn.givens, drawn.holes) == (expected.givens, expected.holes)
    assert drawn.explanation.startswith(told)
