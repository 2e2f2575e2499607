"""The position formula: its models are the tours that meet the constraints."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp.board.board import Board
from kt_cp.count.classes import enumerate_tours
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.puzzles.uniqueness import NumberedTours
from kt_cp.tour.features import FEATURES, MEASURES, feature_named

WAZIRS = Board(4, 4, piece="wazir")


@settings(max_examples=20)
@given(
    st.sampled_from(
        [
            (Board(3, 4), False),
            (WAZIRS, True),
            (Board(1, 2, piece="wazir"), False),
            (Board(1, 4, piece="0,1+0,2"), True),
        ]
    ),
    st.sampled_from([*FEATURES, *MEASURES]),
    st.sampled_from(["<=", ">=", "="]),
    st.integers(0, 25),
)
def test_the_formula_has_the_tours_within_a_bound(
    kind: tuple[Board, bool], feature: str, relation: str, value: int
) -> None:
    board, closed = kind
    if board.piece.name != "knight" and not feature_named(feature).is_general:
        return
    having = [f"{feature}{relation}{value}"]
    tours = len(list(enumerate_tours(board, closed=closed, having=having)))
    formula, found = NumberedTours(Instance.of(board, closed=closed, having=having)), 0
    while (tour := formula.solve([], Clock())) is not None:
        formula.exclude(tour)
        found += 1
    assert found == tours * (2 * len(board) if closed else 1)


@pytest.mark.parametrize(("bound", "has_tours"), [("squares>=1", True), ("chords<=0", False)])
def test_measures_are_the_same_for_all_tours(bound: str, has_tours: bool) -> None:
    formula = NumberedTours(Instance.of("3x4", having=[bound]))
    assert (formula.solve([], Clock()) is not None) == has_tours
