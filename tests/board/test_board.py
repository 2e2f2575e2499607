"""Boards, maps, the names of squares, other pieces and topologies, and tours with a symmetry."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve, validate
from kt_cp.board import Board, Piece
from kt_cp.board.maps import Map
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_dfs import Status
from tests.helpers.oracle import is_move, looks_symmetric
from tests.helpers.strategies import boards, unusual_boards


@given(boards())
def test_a_board_prints_the_map_that_it_reads(board: Board) -> None:
    assert Board.parse(str(board)) == board
    assert Board.parse("\n \n" + str(board).replace("\n", "  \r\n") + "\n\n") == board
    assert Board.parse("\n".join(" ".join(line) for line in str(board).splitlines())) == board


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
        ("__ 33 35\n9 __ 1 __", ". 33 35 #\n9 . 1 .", "_ is a square, short lines"),
    ],
)
def test_puzzles_are_read_in_frames_with_commas_and_with_wide_marks(
    drawing: str, plain: str, told: str
) -> None:
    drawn, expected = Map.parse(drawing), Map.parse(plain)
    assert (drawn.givens, drawn.holes) == (expected.givens, expected.holes)
    assert drawn.explanation.startswith(told)


@given(boards() | unusual_boards())
def test_the_moves_are_those_of_the_piece_on_the_glued_board(board: Board) -> None:
    squares = board.squares.tolist()
    expected = {(a, b) for a, b in itertools.product(squares, squares) if is_move(board, a, b)}
    assert sorted(map(tuple, board.arcs.tolist())) == sorted(expected)
    assert {(a, b) for a in squares for b in board.neighbors(a)} == expected
    pairs = np.array(list(itertools.product(squares, squares)))
    assert {tuple(pair) for pair in pairs[board.are_moves(*pairs.T)].tolist()} == expected
    reverse = {(b, a) for a, b in expected}
    assert (not board.directed) == (reverse == expected)


@given(unusual_boards(), st.data(), st.booleans())
def test_the_validator_judges_every_piece(board: Board, data: st.DataObject, closed: bool) -> None:
    path = data.draw(st.permutations(board.squares.tolist()))
    legal = all(is_move(board, a, b) for a, b in itertools.pairwise(path))
    closes = len(path) >= 3 and is_move(board, path[-1], path[0])
    assert validate(board, path, closed).valid == (legal and (closes or not closed))


@pytest.mark.parametrize(
    ("board", "closed", "status"),
    [
        (Board(5, 5, topology="torus"), True, Status.FOUND),
        (Board(5, 5), True, Status.IMPOSSIBLE),
        (Board(10, 10, piece="zebra"), True, Status.FOUND),
        (Board(8, 8, piece="fiveleaper"), True, Status.FOUND),
        (Board(8, 8, piece="camel"), True, Status.IMPOSSIBLE),
        (Board(4, 8, topology="cylinder"), False, Status.FOUND),
        (Board(4, 5, [0, 7], "knight"), False, Status.FOUND),
        (Board(4, 5, [0, 7], "horse"), False, Status.IMPOSSIBLE),
    ],
)
def test_pieces_and_topologies_decide_what_has_a_tour(
    board: Board, closed: bool, status: Status
) -> None:
    for method in ("auto", "circuit"):
        assert solve(board, closed=closed, method=method).status is status


@pytest.mark.parametrize(
    ("text", "name", "jumps"),
    [
        ("knight", "knight", 8),
        ("2,1", "knight", 8),
        ("Zebra", "zebra", 8),
        ("3,4+0,5", "fiveleaper", 12),
        ("wazir+ferz", "king", 8),
        ("horse", "horse", 8),
        (" 1 , 1 + 1 , 3 ", "1,1+1,3", 12),
    ],
)
def test_a_piece_is_known_by_its_jumps(text: str, name: str, jumps: int) -> None:
    piece = Piece.parse(text)
    assert (piece.name, len(piece.jumps)) == (name, jumps)
    assert Piece.parse(piece.name) == piece


@pytest.mark.parametrize(
    ("symmetry", "closed", "sizes"),
    [
        ("half-turn", True, ["6x6", "16x16"]),
        ("half-turn", False, ["5x5", "7x7"]),
        ("half-turn-same", True, ["8x8"]),
        ("half-turn-reverse", True, ["6x7"]),
        ("quarter-turn", True, ["6x6", "10x10", "18x18"]),
        ("left-right", True, ["5x6"]),
        ("top-bottom", True, ["6x5"]),
    ],
)
def test_symmetric_tours_are_symmetric(symmetry: str, closed: bool, sizes: list[str]) -> None:
    for size in sizes:
        instance = Instance.of(size, closed=closed, symmetry=symmetry)
        tour = solve(instance).tour
        assert tour is not None
        assert looks_symmetric(instance, set(map(tuple, tour.moves.tolist())), symmetry)


@pytest.mark.parametrize(
    ("rows", "columns", "constraints", "reason"),
    [
        (8, 8, {"closed": True, "symmetry": "quarter-turn"}, "16 steps on, an even number"),
        (6, 6, {"closed": True, "symmetry": "half-turn-reverse"}, "0 squares and 0 moves do"),
        (6, 5, {"closed": True, "symmetry": "left-right"}, "but c6 stays"),
        (8, 8, {"symmetry": "half-turn"}, "its middle square or move stays in place"),
        (6, 6, {"symmetry": "quarter-turn"}, "only backwards, its ends changing places"),
        (5, 5, {"symmetry": "half-turn-same"}, "only backwards, its ends changing places"),
    ],
)
def test_impossible_symmetries_are_refuted_by_counting_and_the_circuit_agrees(
    rows: int, columns: int, constraints: Constraints, reason: str
) -> None:
    result = solve(Board(rows, columns), **constraints)
    assert (result.status, result.method) == (Status.IMPOSSIBLE, "refute")
    assert reason in str(result.reason)
    assert solve(Board(rows, columns), method="circuit", **constraints).status is Status.IMPOSSIBLE
