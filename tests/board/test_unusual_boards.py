"""Other pieces, other topologies, and tours with a symmetry."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve, validate
from kt_cp.board.board import Board
from kt_cp.board.pieces import Piece
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_dfs.backtracking import Status
from tests.helpers.oracle import is_move, looks_symmetric
from tests.helpers.strategies import unusual_boards


@given(unusual_boards())
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


def test_jumps_that_lead_to_the_same_square_are_one_move() -> None:
    jumps = [(a, b) for a in range(13) for b in range(max(a, 1), 13)]
    piece = "+".join(f"{a},{b}" for a, b in jumps)
    board = Board(5, 6, [7], piece, "torus")
    others = {square: [*board.squares[board.squares != square]] for square in board.squares}
    for square in board.squares.tolist():
        assert sorted(board.neighbors(square)) == others[square]
    assert board.are_moves(board.arcs[:, 0], board.arcs[:, 1]).all()
