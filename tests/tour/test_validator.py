"""The validator agrees with a naive checker, names every fault, and takes every form of a path."""

import itertools
from itertools import accumulate
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import validate
from kt_cp.arrays import CHUNK
from kt_cp.board import Board
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.tour.tour import InvalidTourError, Tour
from kt_cp.tour.validator import FaultKind, as_ids, validate_ids
from tests.helpers.oracle import naive_faults
from tests.helpers.pictures import OPEN_3X4
from tests.helpers.strategies import boards, tours

TOO_FEW = "a closed tour has at least 3 squares"
TOO_FAR = "11 (d1) back to 0 (a3) is not a knight's move"


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


@pytest.mark.dependencies("numpy")
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
    board = Board(3, 4, holes=[5])
    path = [0, 6, 8, 1, 6, 5, 99]
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
        (
            Board(3, 4),
            OPEN_3X4,
            True,
            ["step 12 to 1: 11 (d1) back to 0 (a3) is not a knight's move"],
        ),
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
    shared[:] = OPEN_3X4
    tour = Tour(Board(3, 4), shared)
    shared[0] = 99
    assert list(tour) == OPEN_3X4


IDS = OPEN_3X4
NAMES = ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]
PAIRS = [divmod(square, 4) for square in IDS]
GRID = [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]


STEPS = {square: step for step, square in enumerate(IDS, start=1)}
FORMS: dict[str, Any] = {
    "ids": IDS,
    "an array of ids": np.array(IDS, dtype=np.uint8),
    "floats, as numpy.loadtxt returns them": np.array(IDS, dtype=float),
    "a pandas column": pandas.Series(IDS),
    "ids as text": [str(square) for square in IDS],
    "a tour": Tour("3x4", IDS),
    "a path of networkx": networkx.path_graph(IDS),
    "names": NAMES,
    "names in capitals": [name.upper() for name in NAMES],
    "an array of names": np.array(NAMES),
    "pairs": PAIRS,
    "an array of pairs": np.array(PAIRS, dtype=np.uint64),
    "a data frame of pairs": pandas.DataFrame(PAIRS, columns=["row", "column"]),
    "a numbered board": np.array(GRID),
    "rows of a numbered board": GRID,
    "rows of floats": [[float(step) for step in row] for row in GRID],
    "a numbered board from 0": np.array(GRID, dtype=np.uint8) - 1,
    "steps by id": STEPS,
    "steps by pair": {divmod(square, 4): step for square, step in STEPS.items()},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_path_is_judged_in_every_form_that_people_have(form: str) -> None:
    report = validate("3x4", FORMS[form])
    assert report.valid
    assert report.path.tolist() == IDS
    assert report.notes == ()
    if form != "steps by id":
        assert parse_path(FORMS[form]).tour.squares.tolist() == IDS


@given(tours(), st.data())
def test_a_tour_is_read_back_from_each_of_its_forms(tour: Tour, data: st.DataObject) -> None:
    listed = [list(tour), tour.names, tour.coords, tour.coords.tolist()]
    assert Tour(tour.board, data.draw(st.sampled_from(listed)), tour.closed) == tour
    assert validate(tour.board, tour.grid, tour.closed).path.tolist() == list(tour)


@given(boards().filter(lambda board: board.columns != 2), st.data())
def test_a_board_of_numbers_has_the_faults_of_its_steps(board: Board, data: st.DataObject) -> None:
    numbers = st.sampled_from([-1, -1, *range(1, 20)])  # with a single 0 it would count from 0
    cells = np.array(data.draw(st.lists(numbers, min_size=board.area, max_size=board.area)))
    path = [square for square in np.argsort(cells, kind="stable").tolist() if cells[square] > 0]
    steps = cells[path].tolist()
    report = validate(board, board.grid(cells))
    found = [(fault.kind.value, fault.step, fault.squares) for fault in report.faults]
    assert found == naive_faults(board, path, False, steps)


def test_what_is_off_the_board_is_named_as_it_was_given() -> None:
    has = "is off the board; 3x4 has ids 0 to 11, files a to d and ranks 1 to 3"
    cases: list[tuple[Any, str]] = [
        (["e9"], "e9"),
        ([(7, -1)], "(7, -1)"),
        ([99], "99"),
        (["a3", (9, 9)], "(9, 9)"),
        ({"zz1": 1}, "zz1"),
        (np.array([[0, 0], [3, 0]]), "(3, 0)"),
    ]
    for path, entry in cases:
        messages = [fault.message for fault in validate("3x4", path).faults]
        assert f"step {1 + (len(path) - 1)}: square {entry} {has}" in messages


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "a1 b3",
            "'a1 b3' is not a path: a path is a list of ids, .*; text is read by parse_path",
        ),
        (b"a1", "b'a1' is not a path"),
        (None, "None is not a path"),
        ([1.5], "entry 1: 1.5 is not a square: give an id"),
        ([0, None], "entry 2: None is not a square"),
        (["a3", "nowhere"], "entry 2: 'nowhere' is not a square"),
        (np.array([True, False]), "entry 1: True is not a square"),
        (np.ma.array([0, 6], mask=[False, True]), "entry 2: None is not a square"),
        (itertools.repeat(0), "the path does not end within 10,000,000 entries"),
        (np.zeros((4, 3), dtype=int), "the path is on the board 4x3, not 3x4"),
        (np.zeros((1, 2, 3), dtype=int), "entry 1: .* is not a square"),
        ({"a1": "x"}, "{'a1': 'x'} is not a path: a path is a list of ids"),
        ({"a1": -1}, "step -1 of the dict: give a number from 1 for each square"),
        ([0, list(range(10_000))], "entry 2: .{,60} is not a square"),
    ],
)
def test_what_is_no_path_is_named_with_what_would_be(path: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        validate("3x4", path)


def test_the_kind_is_told_by_a_flag() -> None:
    with pytest.raises(InputError, match="closed 'open': give True or False"):
        validate("3x4", NAMES, "open")  # type: ignore[arg-type]
