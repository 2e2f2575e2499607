"""What people paste and pass: it is read, or refused with the place and what is wrong.

No input whatever makes ``kt validate`` fail otherwise than with exit code 2 and one line.
The tour is the open tour of 3x4 from a3 to d1.
"""

import itertools
import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from tests.helpers.command import ROOT
from tests.helpers.fuzz import check, contents, options
from tests.helpers.pictures import OPEN_3X4

IDS = OPEN_3X4
PAIRS = [divmod(square, 4) for square in IDS]
LIST = " ".join(map(str, IDS))


# Lists, tables, boards, documents, programs and words with this tour, as they were pasted.
PASTED = json.loads((Path(__file__).parent / "data/pasted.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", PASTED)
def test_it_is_read_as_it_is_pasted(text: str) -> None:
    reading = parse_path(text)
    assert reading
    assert (reading.board, reading.ids.tolist()) == (Board(3, 4), IDS)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "Board: 3x4\n0 6 8\n1 z 9",
            "line 3, column 3: 'z' where there should be ids",
        ),
        ("a1 b3\nc5 d?", "line 2, column 4: 'd?' where there should be chess names"),
        ("(0,0) (1;z (2,0)", "it fits no notation: 5 numbers in 3 rows, words such as 'z'"),
        ("1 22 8\n333 4 5 x", "it fits no notation: 6 numbers in 2 rows"),
        ("step,row,col\n1,0,0\n2,1", "it fits no notation: 5 numbers in 2 rows"),
        ("step,row,col\n7,0,0", "it fits no notation: 3 numbers in 1 row"),
        ('{"solution": [0, 6], "n": 2}', "it fits no notation: 3 numbers in 1 row, words such as"),
        ("[ 0 17 34 ... 12 33 50]", "NumPy has left out a part of the path, at '...'"),
        (repr(np.arange(5000)), "NumPy has left out a part of the path"),
        ("0 999 1998", "it fits no notation: 3 numbers in 1 row; give ids"),
        ("8 6 1 2 7 5 10 9 3 4", "JSON, or the board or graph (--board FILE)"),
        ("(0, 0) (4, 498)", "the board cannot be detected"),
        ("TYPE : HCP\nEDGE_DATA_SECTION\n1 2\n-1\n", "this is a TSPLIB graph, not a path; give"),
        ("; topology: moon\na1 b3", "topology 'moon': give one of flat, cylinder, torus"),
        (np.ma.array([0, 6], mask=[False, True]), "the array has masked entries; fill them"),
        (np.array([True, False]), "entry 1: True is not a number"),
        (itertools.repeat(0), "the path does not end within 10,000,000 entries"),
        ({(0, 0): 1, (1, 2): -3}, "step -3 of the dict: give a number from 1 for each square"),
        ({"a1": "x"}, "{'a1': 'x'} is not a path: a path is a list of ids, of names such as a1"),
        ({"a1": 1, "": 2}, "{'': 2, 'a1': 1} is not a path: a path is a list of ids, of names"),
        ({"a1 b3": 1, "": 2}, "{'': 2, 'a1 b3': 1} is not a path: a path is a list of ids"),
        ([0, 6, "c1"], "entry 3: 'c1' is not a number of a square or step; a path is"),
        ([(0, 0), (1,)], "entry 1: (0, 0) is not a number of a square"),
        (["a1", "z"], "['a1', 'z'] is not a path: a path is a list of ids"),
    ],
)
def test_it_is_refused_with_the_place_and_what_is_wrong(value: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_path(value)
    assert message in str(caught.value)


def test_the_board_of_a_heading_holds_for_a_list_but_not_for_a_drawing() -> None:
    reading = parse_path("Board: 5x5, Start: c3\nc3 e2 c1")
    assert reading.board == Board(5, 5)
    assert reading.read_as == ("chess names, 3 entries, board 5x5, without 'Board: 5x5, Start: c3'")
    assert parse_path("Path: a3 c2\na1 b3", "3x4").entry_count == 4
    assert parse_path("Board: 5x5\n" + LIST, "3x4").board == Board(3, 4)
    with pytest.raises(InputError, match="it fits no notation: 12 numbers"):
        parse_path("Board: 5x5\n" + LIST)
    assert parse_path("Board: 4x3\n" + LIST).board == Board(3, 4)  # columns x rows
    column_first = "\n".join(f"{column},{row}" for row, column in PAIRS)
    assert parse_path(f"Board: 3x4\n{column_first}").board == Board(3, 4)
    drawn = parse_path("Board: 9x2\n1 4 7 10\n8 11 2 5\n3 6 9 12")
    assert (drawn.board, drawn.valid) == (Board(3, 4), True)
    assert drawn.notes[-1] == "the heading says 9x2"


def test_squares_are_read_in_sentences_but_not_beside_half_a_name() -> None:
    reading = parse_path("Start on a3, then c2, and then a1.", "3x4")
    assert (reading.notation, reading.ids.tolist()) == ("squares", [0, 6, 8])
    with pytest.raises(InputError, match="line 1, column 7: 'c2x'"):
        parse_path("a3 c2 c2x d3")


def test_what_fits_in_two_ways_is_said_for_values_too_and_a_dict_of_steps_may_have_faults() -> None:
    notes = parse_path(PAIRS).notes
    assert notes[0].startswith("--notation coords-column-first would read: valid open tour of 4x3")
    gap, twice = (parse_path({(0, 0): 1, (1, 2): step}, "3x4") for step in (3, 1))
    assert next(gap.iter_faults()).message == "step 2 is on no square"
    assert next(twice.iter_faults()).message == "step 1 is on two squares: (0, 0) and (1, 2)"


@pytest.mark.parametrize("show", [str, repr])
def test_a_numpy_array_of_many_columns_is_read_though_it_prints_rows_on_two_lines(
    show: Callable[[Any], str],
) -> None:
    tour = solve("20x20", closed=True).tour
    assert tour is not None
    text = show(tour.grid)
    assert len(text.splitlines()) > 20
    assert parse_path(text).tour == tour


@pytest.mark.parametrize(
    "text",
    [
        "[" * 40_000 + "]" * 40_000,
        "(" * 40_000 + "1, 2" + ")" * 40_000,
        "- - 1\n  - 2\n" * 5_000,
        "1 " * 50_000 + "\n" + "1\n" * 20_000,
    ],
)
def test_what_would_take_long_if_it_were_not_read_in_linear_time(text: str) -> None:
    with suppress(InputError):
        assert not parse_path(text)


# Inputs that once broke it.
REGRESSIONS: list[tuple[bytes, list[str]]] = [
    (b"TOUR_SECTION\n" + b" " * 10**6 + b"!", []),  # looked for the end at every blank
    (b"\n" * 3000 + b"a1 b3", []),  # looked at the width of a drawing without rows
    *((each, []) for each in (b"", b"\x00" * 100, b"(" * 10**5, b"1" * 10**6, b"# " * 10**5)),
]


@pytest.mark.parametrize("examples", [60, pytest.param(500, marks=pytest.mark.exhaustive)])
def test_any_input_ends_in_a_verdict_or_in_one_line(examples: int) -> None:
    limits = settings(max_examples=examples, deadline=30_000, suppress_health_check=[*HealthCheck])
    limits(given(contents(), options())(check))()


@pytest.mark.parametrize(("content", "given_options"), REGRESSIONS)
def test_what_once_broke_it_does_so_no_more(content: bytes, given_options: list[str]) -> None:
    check(content, given_options)


SOURCES = [*(ROOT / "kt_cp").rglob("*.py"), *(ROOT / "kt_dfs").rglob("*.py")]


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_group_has_a_possessive_quantifier(file: str) -> None:
    """Before Python 3.11.5, (?:…)*+ loses its place (CPython issue 106052); (?>(?:…)*) does not."""
    with open(file, encoding="utf-8") as text:
        assert not re.findall(r"(?<!\\)\)[*+?]\+", text.read())
