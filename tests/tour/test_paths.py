"""Paths are judged in whatever form Python holds them."""

import itertools
from typing import Any

import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import validate
from kt_cp.board.board import Board
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.tour.tour import Tour
from tests.helpers.oracle import naive_faults
from tests.helpers.strategies import boards, tours

IDS = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]
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
        (itertools.repeat(0), "the path does not end within 1,024 entries"),
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
