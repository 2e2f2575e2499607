"""Given steps on boards too large for one variable per square and step."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_dfs import Status
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import boards, givens


def givens_in_step(board: Board, number: int, seed: int) -> dict[int, int]:
    """Random squares with random steps of the right parity."""
    choice = random.Random(seed)
    squares = choice.sample(board.squares.tolist(), number)
    dark = board.dark(np.array(squares)).tolist()
    steps = choice.sample(range(len(board) // 2), number)
    return {s: 2 * step + 1 + d for s, step, d in zip(squares, steps, dark, strict=True)}


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    ("size", "number"),
    [
        *((12, 1), (12, 2), (12, 4), (20, 1)),
        *(pytest.param(*case, marks=pytest.mark.exhaustive) for case in ((16, 6), (20, 2))),
    ],
)
def test_any_few_steps_can_be_given(size: int, number: int, closed: bool) -> None:
    board = Board(size, size)
    result = solve(
        board, closed=closed, givens=givens_in_step(board, number, seed=size), method="givens"
    )
    assert result.status is Status.FOUND


@pytest.mark.parametrize(("size", "closed"), [("60x60", True), ("41x40", False)])
def test_a_single_given_takes_no_search(size: str, closed: bool) -> None:
    result = solve(Board.parse(size), closed=closed, givens={777: 1000})
    assert result.status is Status.FOUND
    assert result.counters["exchanges"] == 0


@given(st.data())
def test_steps_are_met_exactly_where_exhaustive_search_meets_them(data: st.DataObject) -> None:
    board = data.draw(boards(max_side=5))
    instance = Instance.of(
        board, closed=data.draw(st.booleans()), givens=data.draw(givens(board, None, None))
    )
    result = solve(board, closed=instance.closed, givens=dict(instance.givens), method="givens")
    expected = any(True for _ in all_tours(instance))
    assert result.status is (Status.FOUND if expected else Status.IMPOSSIBLE)


def test_one_way_moves_are_refused() -> None:
    with pytest.raises(InputError, match="method givens does not support one-way moves"):
        solve(Board(8, 8), forbid=[Move(0, 10, True)], givens={5: 6}, method="givens")
