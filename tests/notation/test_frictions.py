"""What people paste and pass: it is read, or refused with the place and what is wrong.

The tour is the open tour of 3x4 from a3 to d1.
"""

import itertools
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.tour.tour import Tour

IDS = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]
PAIRS = [divmod(square, 4) for square in IDS]
NAMES = ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]
GRID = Tour("3x4", IDS).grid.tolist()
LIST = " ".join(map(str, IDS))


def lines(*columns: list[Any], header: str = "", joint: str = ",") -> str:
    rows = (joint.join(map(str, row)) for row in zip(*columns, strict=True))
    return "\n".join([header, *rows] if header else rows)


def html(rows: list[list[Any]]) -> str:
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return "<table border=1>\n" + "".join(f"<tr>{row}</tr>\n" for row in cells) + "</table>"


def markdown(names: list[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = (" | ".join(map(str, row)) for row in [names, ["---"] * len(names), *rows])
    return "\n".join(f"| {line} |" for line in lines)


ROWS, COLUMNS = [row for row, _ in PAIRS], [column for _, column in PAIRS]
STEPS = [*range(1, 13)]


@pytest.mark.parametrize(
    "text",
    [
        "Board: 3x4, Start: a3\n" + LIST,
        json.dumps(dict(zip(IDS, STEPS, strict=True))),
        "\n".join(f"{row}.0 {column}.0" for row, column in PAIRS),
        "1 4 7 10\n8 11 2 5\n3 6 9 12\n; open\n; piece: knight\n",
        "Path: " + " -> ".join(NAMES),
        " → ".join(map(str, IDS)),
        "[1 4 7 10; 8 11 2 5; 3 6 9 12]",
        "T = [1 4 7 10; 8 11 2 5; 3 6 9 12];",
        "     [,1] [,2] [,3] [,4]\n[1,]    1    4    7   10\n[2,]    8   11    2    5\n"
        "[3,]    3    6    9   12\n",
        "1 2 3 4\n1 1 4 7 10\n2 8 11 2 5\n3 3 6 9 12\n",
        "   0   1  2   3\n0  1   4  7  10\n1  8  11  2   5\n2  3   6  9  12\n",
        "int board[3][4] = {{1, 4, 7, 10},\n {8, 11, 2, 5},\n {3, 6, 9, 12}};",
        "| a | b | c | d |\n|---|---|---|---|\n| 1 | 4 | 7 | 10 |\n| 8 | 11 | 2 | 5 |\n| 3|6|9|12|",
        "\n".join(f"{step}: {name}" for step, name in enumerate(NAMES)),
        "\n".join(f"Step {step}: {pair}" for step, pair in enumerate(PAIRS, start=1)),
        "Tour:\n" + "\n".join(f"{step}) {name}" for step, name in enumerate(NAMES, start=1)),
        "\n".join(f"Move {n}: {a} -> {b}" for n, (a, b) in enumerate(pairwise(NAMES), start=1)),
        "Board 3 x 4\nTour: " + ", ".join(NAMES[:6]) + ",\n" + ", ".join(NAMES[6:]),
        f"path = {IDS}",
        lines(STEPS, ROWS, COLUMNS, header="step,row,col"),
        lines(STEPS, COLUMNS, ROWS, header="n,x,y"),
        lines(COLUMNS, ROWS, header="Column;Row", joint=";"),
        lines([*range(12)], ROWS, COLUMNS, header=",row,col"),
        lines([*range(12)], ROWS, COLUMNS, header="    row  col", joint="    "),
        lines(STEPS, IDS, header="Step|Id", joint=" | "),
        f'{{"path": {[list(pair) for pair in PAIRS]}}}',
        '{"path": ["' + '", "'.join(NAMES) + '"]}',
        '{"tour": [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]], "author": "me"}',
        str(dict(zip(NAMES, STEPS, strict=True))).replace("'", '"'),
        str(dict(zip(NAMES, STEPS, strict=True))),
        str(dict(zip(PAIRS, STEPS, strict=True))),
        str(dict(zip(STEPS, PAIRS, strict=True))),
        str(dict(zip(STEPS, NAMES, strict=True))),
        f"path = {dict(zip(PAIRS, STEPS, strict=True))}",
        str({"path": PAIRS, "closed": False}),
        str([tuple(row) for row in GRID]),
        "\ufeffPath: " + " ".join(NAMES),
        "\ufeffAnswer: 1\n" + " ".join(f"move({a},{b})" for a, b in pairwise(IDS)),
        repr(np.array(IDS)),
        repr(np.array(PAIRS)),
        repr(np.array(GRID, dtype=np.int16)),
        "[" + ", ".join(f"(np.int64({row}), np.int64({column}))" for row, column in PAIRS) + "]",
        str(np.array(GRID, dtype=float)),
        " ".join(f"{square}.0" for square in IDS),
        "\n".join(f"{float(row):.18e} {float(column):.18e}" for row, column in PAIRS),
        r"1 & 4 & 7 & 10 \\ 8 & 11 & 2 & 5 \\ 3 & 6 & 9 & 12 \\",
        "\\begin{tabular}{|c|c|c|c|}\n\\hline\n1 & 4 & 7 & 10 \\\\ \\hline\n"
        "8 & 11 & 2 & 5 \\\\ \\hline\n3 & 6 & 9 & 12 \\\\\n\\hline\n\\end{tabular}\n",
        " ".join("N" + name for name in NAMES[:-1]) + " Nxd1+",
        " ".join(f"{step}. N{name}" for step, name in enumerate(NAMES, start=1)) + "#",
        "\n".join(f"- [{row}, {column}]" for row, column in PAIRS),
        "tour:\n" + "\n".join(f"  - [{row}, {column}]" for row, column in PAIRS),
        "\n".join(f"- - {row}\n  - {column}" for row, column in PAIRS) + "\n",
        "\n".join(f"- {name}" for name in NAMES),
        "\n".join(f"- {row}" for row in GRID),
        " ".join("S" + name for name in NAMES),
        " ".join("♘" + name for name in NAMES),
        " ".join(a + b for a, b in pairwise(NAMES)),
        html(GRID),
        "<!DOCTYPE html>\n<html><head><title>9</title><style>td {color: red}</style></head><body>"
        "<h1>An open tour</h1>"
        + html([["", *"abcd"], *([f"<b>{3 - row}</b>", *each] for row, each in enumerate(GRID))]),
        markdown(["", *"abcd"], [[f"**{3 - row}**", *each] for row, each in enumerate(GRID)]),
        markdown(
            ["", *"abcd"], [[f"**{3 - row}**", *each] for row, each in enumerate(GRID)]
        ).replace(" ", ""),
        markdown(["", *"abcd"], [[3 - row, *each] for row, each in enumerate(GRID)]).replace(
            "---", ":-:"
        ),
        "| |a|b|c|d|\n|-|-|-|-|-|\n"
        + "\n".join(f"|**{3 - row}**|{'|'.join(map(str, each))}|" for row, each in enumerate(GRID)),
        "| | | | | |\n|-|-|-|-|-|\n"
        + "\n".join(f"|**{3 - row}**|{'|'.join(map(str, each))}|" for row, each in enumerate(GRID)),
        "| | | | |\n|-|-|-|-|\n" + "\n".join(f"|{'|'.join(map(str, each))}|" for each in GRID),
        markdown(["", "first", "2nd", "3rd", "4th"], [["Row 1", *row] for row in GRID]),
        markdown(["step", "row", "col"], list(zip(STEPS, ROWS, COLUMNS, strict=True))),
        "[" + ", ".join(f"new Point({row}, {column})" for row, column in PAIRS) + "]",
        "\n".join(f"path.add(new Point({row}, {column}));" for row, column in PAIRS),
        "\n".join(f"path.emplace_back({row}, {column});" for row, column in PAIRS),
        str([f"Point(x={x}, y={y})" for y, x in PAIRS]).replace("'", ""),
        "const path = [" + ", ".join(f"{{x: {x}, y: {y}}}" for y, x in PAIRS) + "];",
        json.dumps([{"x": x, "y": y} for y, x in PAIRS], indent=2),
        json.dumps({"path": [{"row": row, "col": column} for row, column in PAIRS]}),
        json.dumps([{"n": n, "x": x, "y": y} for n, (y, x) in enumerate(PAIRS)]),
        "\n".join(" ".join(map(str, row)) for row in GRID) + "\n\n17\n",
        "\n".join(" ".join(map(str, row)) for row in GRID) + "\n17\n",
        "\n".join("".join(f"{step:4}" for step in row) for row in GRID) + "\n       7\n",
        "23\n\n" + "\n".join(" ".join(map(str, row)) for row in GRID),
        "\n".join(" ".join(map(str, row)) for row in GRID) + "\nTime: 0.02 seconds\n",
        "The knight begins on a3, goes to c2, then to " + ", then to ".join(NAMES[2:]) + ".",
        ", then ".join(NAMES),
        "[1] " + LIST,
        ",".join(f"{row}/{column}" for row, column in PAIRS),
    ],
)
def test_it_is_read_as_it_is_pasted(text: str) -> None:
    reading = parse_path(text)
    assert reading
    assert (reading.board, reading.ids.tolist()) == (Board(3, 4), IDS)


@pytest.mark.parametrize(
    "value",
    [
        [float(square) for square in IDS],
        [np.int64(square) for square in IDS],
        ["0,0", *(f"{row},{column}" for row, column in PAIRS[1:])],
        [np.array(pair) for pair in PAIRS],
        GRID,
        [[None if step is None else float(step) for step in row] for row in GRID],
        np.array(GRID) - 1,
        np.array(IDS) + 1,
        np.array(PAIRS) + 1,
        dict(zip(IDS, range(12), strict=True)),
    ],
)
def test_it_is_read_as_python_holds_it(value: Any) -> None:
    reading = parse_path(value, "3x4")
    assert reading
    assert reading.ids.tolist() == IDS


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
        ("(0, 0) (4, 498)", "it fits no notation: 4 numbers in 2 rows"),
        ([{"x": 0, "z": 1}], "it fits no notation"),
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
        ([(0, 0), (1, 2.5)], "entry 2: 2.5 is not a number"),
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
    assert parse_path("Path: a3 c2\na1 b3", "3x4").entries == 4
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


def test_a_wrong_cell_is_named() -> None:
    text = str(np.arange(1, 401).reshape(20, 20)).replace(" 105", " 1x5")
    with pytest.raises(InputError, match="399 numbers in 40 rows, words such as '1x5'"):
        parse_path(text)


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
