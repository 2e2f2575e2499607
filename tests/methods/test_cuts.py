"""Undirected edges with lazy cuts: tours and refutations where the circuit model takes long."""

import pytest

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.messages import InputError
from kt_dfs.backtracking import Status


@pytest.mark.parametrize(
    ("board", "constraints"),
    [
        (Board(20, 20, piece="wazir"), {"closed": True}),
        (Board(20, 20, piece="wazir"), {"start": 0}),
        (Board(17, 18, piece="wazir", topology="cylinder"), {"closed": True}),
        (Board(17, 17, topology="torus"), {"symmetry": "half-turn"}),
        (Board(15, 18), {"closed": True, "symmetry": "half-turn-reverse"}),
        pytest.param(
            *(Board(20, 20), {"closed": True, "symmetry": "half-turn-same"}),
            marks=pytest.mark.exhaustive,
        ),
        (Board(14, 14), {"closed": True, "symmetry": "quarter-turn"}),
        (Board(24, 24), {"start": 0, "end": 1, "require": [(100, 149)]}),
    ],
)
def test_boards_that_are_hard_for_the_circuit_model_are_solved(
    board: Board, constraints: dict[str, object]
) -> None:
    result = solve(board, method="cuts", time_limit=20, **constraints)  # type: ignore[arg-type]
    assert result.status is Status.FOUND


@pytest.mark.parametrize("board", [Board(4, 20), Board(3, 8), Board(5, 4)])
def test_boards_without_a_closed_tour_are_exhausted(board: Board) -> None:
    result = solve(board, closed=True, method="cuts")
    assert (result.status, result.reason) == (
        Status.IMPOSSIBLE,
        "CaDiCaL proved that there is none",
    )


def test_given_steps_are_refused() -> None:
    with pytest.raises(InputError, match="method cuts does not support given steps"):
        solve(Board(8, 8), method="cuts", givens={0: 5})


def test_the_same_seed_gives_the_same_tour_and_another_seed_another() -> None:
    tours = [solve(Board(6, 8), method="cuts", seed=seed).tour for seed in (1, 1, 2, 3)]
    assert tours[0] == tours[1]
    assert len(set(tours)) > 1
