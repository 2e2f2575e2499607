"""Random boards: each has the holes asked for, and a tour that meets the constraints."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.boards import random_board, solve_with_random_holes
from kt_dfs.backtracking import Status
from tests.helpers.command import kt


@settings(max_examples=20)
@given(st.integers(0, 20), st.booleans(), st.booleans(), st.integers(0, 10**6))
def test_a_random_board_has_its_holes_and_a_tour(
    holes: int, closed: bool, symmetric: bool, seed: int
) -> None:
    if symmetric and holes % 2:
        with pytest.raises(InputError, match="come 2 at a time on 7x6; give a multiple of 2"):
            random_board(7, 6, holes, closed=closed, symmetric=symmetric)
        return
    constraints = {"require": ["c3-d5"]} if closed else {"start": "a1", "forbid": ["b3-c5"]}
    instance = Instance.of(Board(7, 6), closed=closed, **constraints)
    result = solve_with_random_holes(instance, holes, symmetric=symmetric, seed=seed)
    if result.tour is None:
        odd = closed and holes % 2
        assert result.status is (Status.IMPOSSIBLE if odd else Status.UNKNOWN)
        return
    board = result.instance.board
    assert len(board.holes) == holes
    assert result.instance.satisfied_by(result.tour.squares)
    if symmetric:
        assert board.holes == tuple(sorted(41 - hole for hole in board.holes))


@pytest.mark.parametrize(("side", "holes"), [(6, 5), (7, 47), (7, 48)])
def test_the_same_seed_makes_the_same_board(side: int, holes: int) -> None:
    board = random_board(side, side, holes, seed=4)
    assert board == random_board(f"{side}x{side}", holes=holes, seed=4)
    assert board is not None
    assert len(board) == side**2 - holes
    assert solve(board)


def test_more_holes_than_possible_are_refused() -> None:
    with pytest.raises(InputError, match="40 holes: 5x5 has room for 0 to 24"):
        random_board(5, 5, 40)
    assert random_board(4, 4, closed=True) is None, "4x4 has no closed tour"


def test_a_board_that_is_not_found_is_unknown() -> None:
    asked = Instance.of("3x3", forbid=["a1-b3"])
    assert str(solve_with_random_holes(asked, 3).reason) == (
        "none of 300 patterns of 3 holes leaves squares with a tour that meets the constraints; "
        "try fewer holes"
    )
    told = solve_with_random_holes(asked, 3, time_limit=1e-3)
    assert (told.status, told.reason_kind) == (Status.UNKNOWN, "time-limit")
    assert str(told.reason).startswith("the time limit of 0.001 s was reached: none of ")
    made = kt("board", "12x12", "--holes", "60", "--closed", "--time-limit", "0.01")
    assert (made.returncode, made.stdout) == (3, "")
    assert made.stderr.endswith("; try fewer holes\n")


def test_kt_board_prints_a_map_that_kt_puzzle_reads() -> None:
    made = kt("board", "7x7", "--holes", "5", "--closed", "--symmetric", "--seed", "1")
    assert made.returncode == 0
    assert set(made.stdout) == {".", "#", "\n"}
    puzzle = kt(
        "puzzle", "-", "--start", "a1", "--require", "c3-d5", "--clues", "both", stdin=made.stdout
    )
    assert puzzle.returncode == 0
    assert kt("solve", "-", "--unique", stdin=puzzle.stdout).returncode == 0
    none = kt("board", "7x7", "--holes", "4", "--closed")
    assert (none.returncode, none.stdout) == (1, "")
