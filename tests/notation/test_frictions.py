"""What people paste and pass: it is read, or refused with the place and what is wrong.

No input whatever makes ``kt validate`` fail otherwise than with exit code 2 and one line.
The tour is the open tour of 3x4 from a3 to d1.
"""

import itertools
import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation
from kt_cp.notation.read import parse_path
from kt_cp.notation.write import tour_bytes
from tests.helpers.command import ROOT, run
from tests.helpers.pictures import OPEN_3X4

_WORDS = [
    *("0", "1", "-1", "8", "99", "9" * 18, "9" * 19, "9" * 5000, "1e9", "0x8", "²", "٣", "１"),
    *("#", "##", ".", "-", "--", "x", "X", "|", "+", "│", "─", "%", "//", "# ", "# 1"),
    *(" ", "\t", "\n", "\r", "\r\n", "\n\n", "\x0b", "\x85", "\u2028", "\u3000", "\ufeff", "\x00"),
    *(*",;:/>→，、。()[]{}", "->", "[[", "]]"),
    *("a1", "A1", "b3", "aa27", "zzzzzzz1", "Nb3", "n1", "N", "a0", "1. ", "a", "a b c"),
    *("a1-b3", "b3>c5", "move(1,1,2,3).", "move((1,1),(2,3))", "p(", "Answer: 1\n", "next(0,5)"),
    *("TOUR_SECTION\n", "EOF", "DIMENSION : 9\n", "DIMENSION : 999999999\n", "TYPE : TOUR\n"),
    *('{"tour": ', "null", "true", '"closed": 1', '"board": {"rows": 3, "columns": 4}', "NaN"),
    *("array([", "dtype=int32)", "np.int64(3)", "3.0", "1.0e+00", "&", "\\\\", "\\hline\n"),
    *("Board: 3x4\n", "path =", "step,row,col\n", "row col\n", "{(0, 0): 1", '"path": [', "Nxd7+"),
    *("<td>", "</tr>", "<table>", "- [", "- - 1\n  - 2\n", "new Point(", "{x: 1, y: 2}", "♘a1"),
    *('[{"x": 1, "y": 2}]', '{"x": [1], "y": [2]}', "| --- | --- |\n", "**1**", "...", "a1b3"),
    *("; piece: zebra\n", "; topology: torus\n", "; board: 3x4\n", "closed tour\n", "\n\n17\n"),
    *('"rows": 30000', '"piece": "zebra"', '"topology": "moon"', "[" * 2000, "(" * 2000),
]
_SMALL = st.sampled_from([b"", b"", b"", b" ", b"1", b"7", b"\n", b"."])
_PIECES = st.sampled_from([word.encode() for word in _WORDS]) | st.binary(max_size=8)


@cache
def texts() -> list[bytes]:
    """Return a few tours in every notation, as ``kt solve`` writes them."""
    tours = [
        *(solve(Board(3, 4)).tour, solve(Board(5, 6), closed=True).tour),
        *(solve(Board(3, 28)).tour, solve(Board(3, 3, [4]), closed=True).tour),
    ]
    notations = [*Notation]
    return [
        b"".join(tour_bytes(tour, notation)) for tour in tours if tour for notation in notations
    ]


@st.composite
def changed_tours(draw: st.DrawFn) -> bytes:
    """Draw a tour in a notation in which up to six pieces are removed, doubled or inserted."""
    text = draw(st.sampled_from(texts()))
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 2, 3, 6]))):
        first = draw(st.integers(0, len(text)))
        last = first + draw(st.sampled_from([0, 0, 1, 2, 5, 20, len(text)]))
        repeated = text[first:last] * draw(st.sampled_from([0, 0, 1, 2]))
        text = text[:first] + repeated + draw(_SMALL | _PIECES) + text[last:]
    return text


def contents() -> st.SearchStrategy[bytes]:
    """Return a strategy for bytes, words of the notations in any order, and changed tours."""
    words = st.lists(_PIECES, max_size=40).map(b"".join)
    spaced = st.lists(_PIECES, max_size=40).map(b" ".join)
    return st.one_of(st.binary(max_size=200), words, spaced, *[changed_tours()] * 3)


def options() -> st.SearchStrategy[list[str]]:
    """Return a strategy for valid options of ``kt validate``; most often there are none."""
    boards = [[f"--board={size}"] for size in ("3x4", "8x8", "1x1", "30x2", "2000x2000")]
    notations = [[f"--notation={notation}"] for notation in Notation]
    others = [["--closed"], ["--open"]], [["--format=json"], ["--format=text"]]
    some = [st.sampled_from([[], *group]) for group in (boards, notations, *others)]
    chosen = st.tuples(*some).map(lambda groups: [*itertools.chain(*groups)])
    return st.just(list[str]()) | st.just(list[str]()) | chosen


def check(content: bytes, options: list[str]) -> None:
    """Run ``kt validate`` on a text, and fail unless it ends with a verdict or a line."""
    done = run("validate", "-", *options, stdin=content)
    if done.returncode == 2:
        assert done.stderr.startswith("kt: standard input: ")
        assert not done.stdout
        return
    assert done.returncode in (0, 1), done.stderr
    if "--format=json" in options:
        assert json.loads(done.stdout)["valid"] == (done.returncode == 0)
    else:
        verdict, read_as = done.stdout.splitlines()[:2]
        assert verdict.startswith("not a tour: " if done.returncode else "valid ")
        assert read_as.startswith("read as: ")


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
