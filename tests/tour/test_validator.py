"""The validator agrees with a naive checker and names every fault."""

from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import validate
from kt_cp.arrays import CHUNK
from kt_cp.board.board import Board
from kt_cp.tour.tour import InvalidTourError, Tour
from kt_cp.tour.validator import FaultKind, as_ids, validate_ids
from tests.helpers.oracle import naive_faults
from tests.helpers.strategies import boards

TOUR = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]
TOO_FEW = "a closed tour has at least 3 squares"


@st.composite
def walks(draw: st.DrawFn, board: Board) -> list[int]:
    """Paths that are nearly right: mostly jumps, now and then any number."""
    path: list[int] = []
    for _ in range(draw(st.integers(0, board.area + 2))):
        choices = st.integers(-3, board.area + 3) | st.sampled_from([2**63, -(10**30)])
        if path and path[-1] in board and board.neighbors(path[-1]):
            choices = st.sampled_from(board.neighbors(path[-1])) | choices
        path.append(draw(choices))
    return path


@st.composite
def numberings(draw: st.DrawFn, path: list[int]) -> list[int]:
    """Ascending steps for a path: now and then one that comes again, or a gap."""
    jumps = st.sampled_from([1, 1, 1, 0, 2, 5])
    return list(accumulate([draw(st.integers(1, 3)), *(draw(jumps) for _ in path[1:])]))[
        : len(path)
    ]


@given(st.data(), boards(), st.booleans(), st.sampled_from([1, 2, 3, CHUNK]))
def test_the_validator_agrees_with_a_naive_checker(
    data: st.DataObject, board: Board, closed: bool, chunk: int
) -> None:
    path = data.draw(walks(board))
    steps = data.draw(st.none() | numberings(path))
    ids = as_ids(path)
    assert ids is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kt_cp.arrays.CHUNK", chunk)
        if steps is None:
            report = validate(board, path, closed)
        else:
            report = validate_ids(board, ids, closed, np.array(steps, dtype=np.int64))
    found = [(fault.kind.value, fault.step, fault.squares) for fault in report.faults]
    expected = naive_faults(board, path, closed, steps)
    assert found == expected
    assert report.valid == (not expected)
    assert sum(report.counts.values()) == len(expected)


def test_faults_come_in_the_order_of_the_path_with_both_steps() -> None:
    board, path = Board(3, 4, holes=[5]), [0, 6, 8, 1, 6, 5, 99]
    report = validate(board, path, closed=False)
    for kind in (np.int32, np.int64, np.uint64, object, float):
        assert validate(board, np.array(path, dtype=kind)).faults == report.faults
    faults = [(fault.kind, fault.step, fault.squares, fault.message) for fault in report.faults]
    assert faults[:5] == [
        (FaultKind.ILLEGAL_MOVE, 4, (1, 6), "step 4 to 5: 1 (b3) to 6 (c2) is not a knight's move"),
        (FaultKind.REPEAT, 5, (6,), "step 5: square 6 (c2) was visited before, at step 2"),
        (FaultKind.ILLEGAL_MOVE, 5, (6, 5), "step 5 to 6: 6 (c2) to 5 (b2) is not a knight's move"),
        (FaultKind.HOLE, 6, (5,), "step 6: square 5 (b2) is a hole"),
        (FaultKind.OFF_BOARD, 7, (99,), f"step 7: square 99 is off the board; {board.extent}"),
    ]
    missing = [(FaultKind.MISSING, None, (square,)) for square in (2, 3, 4, 7, 9, 10, 11)]
    assert [fault[:3] for fault in faults[5:]] == missing


@pytest.mark.parametrize(
    ("board", "path", "closed", "messages"),
    [
        (Board(3, 4), TOUR, True, ["step 12 to 1: 11 (d1) back to 0 (a3) is not a knight's move"]),
        (Board(2, 3, holes=[1, 2, 3, 4]), [0, 5], False, []),
        (Board(2, 3, holes=[1, 2, 3, 4]), [0, 5], True, [TOO_FEW]),  # no way there and back
        (Board(1, 1), [0], False, []),
        (Board(1, 1), [0], True, [TOO_FEW]),
        (Board(1, 2), [], False, ["square 0 (a1) is not visited", "square 1 (b1) is not visited"]),
    ],
)
def test_the_smallest_paths_are_judged(
    board: Board, path: list[int], closed: bool, messages: list[str]
) -> None:
    assert [fault.message for fault in validate(board, path, closed).faults] == messages


def test_a_tour_is_always_valid_and_names_what_is_wrong_otherwise() -> None:
    with pytest.raises(InvalidTourError, match="not a tour: 11 squares missing") as caught:
        Tour(Board(3, 4), [0])
    assert caught.value.report.counts == {FaultKind.MISSING: 11}


def test_a_tour_does_not_change_with_the_array_that_it_was_made_of(tmp_path: Path) -> None:
    shared = np.memmap(tmp_path / "ids", dtype=np.int32, mode="w+", shape=12)
    shared[:] = TOUR
    tour = Tour(Board(3, 4), shared)
    shared[0] = 99
    assert list(tour) == TOUR
