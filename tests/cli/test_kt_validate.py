"""``kt validate`` as a user runs it, on what people and other solvers write."""

import json
from pathlib import Path

import pytest

from kt_cp.notation.notations import Notation
from tests.helpers.command import kt, python
from tests.published.tours import GREEDY_PATH, VISIT_ORDERS

# The path as printed: pairs of row and column.
GREEDY = ", ".join(str(divmod(square, 8)) for square in GREEDY_PATH)
ORDER = " ".join(map(str, VISIT_ORDERS[0].ids))


def test_json_says_everything_in_one_object() -> None:
    done = kt("validate", "-", "--format", "json", stdin=GREEDY)
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    read_as = {"board", "closed", "partial", "notation"}
    assert set(answer) == {"valid", "in_order", *read_as, "counts", "faults"}
    assert (answer["valid"], answer["closed"], answer["notation"]) == (False, False, "coords")
    assert answer["board"] == {"rows": 8, "columns": 8, "holes": []}
    assert answer["counts"] == {"illegal-move": 3, "repeat": 153, "missing": 6}
    assert len(answer["faults"]) == 162
    assert answer["faults"][0] == {
        "kind": "illegal-move",
        "step": 22,
        "squares": [49, 63],
        "message": "step 22 to 23: (6, 1) to (7, 7) is not a knight's move",
    }
    valid = json.loads(kt("validate", "-", "--format", "json", stdin=ORDER).stdout)
    assert (valid["valid"], valid["faults"], valid["counts"]) == (True, [], {})


WRITTEN = [each for each in Notation if each.base is each]


@pytest.mark.parametrize("notation", WRITTEN)
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("5x6 --closed", "5x6, 30 squares"),
        # With these ends, which no move joins, the tour is not read as a closed one.
        ("6x6 --topology torus --start a1 --end a2", "6x6 (torus), 36 squares"),
        ("5x8 --piece zebra --topology torus --closed", "5x8 (zebra, torus), 40 squares"),
    ],
)
def test_what_kt_solve_writes_is_valid_and_says_what_unusual_board_it_is(
    notation: Notation, asked: str, told: str, tmp_path: Path
) -> None:
    if notation is Notation.NPY and "torus" in asked:  # it has no room for words
        return
    file = tmp_path / "tour"
    kt("solve", *asked.split(), "--format", notation, "--out", file)
    done = kt("validate", "-", stdin=file.read_bytes())
    assert done.returncode == 0
    kind = "closed" if "--closed" in asked else "open"
    assert done.stdout.startswith(f"valid {kind} tour of {told}\nread as: ")
    assert done.stdout.count("\n") == 2
    if "torus" in asked:
        assert kt("validate", file, "--board", asked[:3]).returncode == 2


def test_board_and_kind_may_be_told(tmp_path: Path) -> None:
    board, path = tmp_path / "map", tmp_path / "path"
    board.write_text("...\n.#.\n...\n")
    path.write_text("0 5 6 1 8 3 2 7")
    for options, kind in (((), "closed"), (("--open",), "open")):
        done = kt("validate", path, "--board", board, *options)
        assert done.stdout.splitlines() == [
            f"valid {kind} tour of 3x3, 8 squares",
            f"read as: ids from 0, 8 entries, board 3x3 with 1 hole{'' if options else ', closed'}",
        ]
    path.write_text("0 5 6 1 8 3 2")
    answer = kt("validate", path, "--board", board, "--closed", "--format", "json").stdout
    assert json.loads(answer)["counts"] == {"not-closed": 1, "missing": 1}


OPEN_NAMES = "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"
UNFINISHED = "1 4 7 -\n- - 2 5\n3 6 - -\n"
ROUND = "1 4 7\n6 . 2\n3 8 5\n"
LEGAL = "not a tour: all"
NO_NUMBER = "note: 5 cells have no number; mark holes by '#', or give the board (--board)\n"
SAYS_CLOSED = (
    "note: the text says that the tour is closed; --open would read: "
    "valid open tour of 3x4, 12 squares\n"
)


@pytest.mark.parametrize(
    ("typed", "code", "verdict", "note"),
    [
        *(
            (UNFINISHED.replace("-", mark), 1, f"{LEGAL} 6 moves are legal; 5 squares", NO_NUMBER)
            for mark in ("-", "x", "nan", "__")
        ),
        ("1,4,7,\n,,2,5\n3,6,,", 0, "valid open tour of 3x4, 7 squares", ""),
        (UNFINISHED.replace("-", "-1"), 0, "valid open tour of 3x4, 7 squares", ""),
        (ROUND, 1, f"{LEGAL} 8 moves are legal; 1 square is", "note: 1 cell has no number; mark"),
        (ROUND.replace(".", "#"), 0, "valid closed tour of 3x3, 8 squares", ""),
        (f"A closed tour of 3x4:\n{OPEN_NAMES}\n", 1, "not a tour: does not close", SAYS_CLOSED),
        (f"This tour is not closed:\n{OPEN_NAMES}", 0, "valid open tour of 3x4, 12 squares", ""),
    ],
)
def test_what_they_typed_gets_the_right_answer(
    typed: str, code: int, verdict: str, note: str
) -> None:
    done = kt("validate", "-", stdin=typed)
    assert done.returncode == code
    assert done.stdout.startswith(verdict)
    assert note in done.stderr
    assert bool(done.stderr) == bool(note)


CLINGO = """
cell(1..6,1..6).
leap(X,Y,Z,W) :- cell(X,Y), cell(Z,W), (X-Z)*(X-Z) + (Y-W)*(Y-W) = 5.
1 {move(X,Y,Z,W) : leap(X,Y,Z,W)} 1 :- cell(X,Y).
1 {move(X,Y,Z,W) : leap(X,Y,Z,W)} 1 :- cell(Z,W).
reached(Z,W) :- move(1,1,Z,W).
reached(Z,W) :- reached(X,Y), move(X,Y,Z,W).
:- cell(X,Y), not reached(X,Y).
"""


@pytest.mark.parametrize("shown", ["#show move/4.", ""])
def test_what_clingo_prints_is_validated_as_it_stands(shown: str) -> None:
    pytest.importorskip("clingo")
    printed = python("-m", "clingo", "-", input=CLINGO + shown).stdout
    assert "SATISFIABLE" in printed
    told = () if shown else ("--notation", "facts")
    done = kt("validate", "-", *told, stdin=printed)
    assert done.stdout.splitlines()[0] == "valid closed tour of 6x6, 36 squares"
    assert done.stdout.splitlines()[1].startswith("read as: facts from 1, 36 entries, board 6x6")


def test_several_files_get_a_line_each_and_the_code_of_the_worst(tmp_path: Path) -> None:
    for name, text in (("a", OPEN_NAMES), ("b", "a1 b3 c1"), ("c", "no path at all")):
        (tmp_path / name).write_text(text)
    done = kt("validate", "a", "b", "--start", "a3", folder=tmp_path)
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [
            "a: valid open tour of 3x4, 12 squares, with the start asked for",
            "b: not a tour: all 2 moves are legal; 6 squares are missing",
        ],
    )
    done = kt("validate", "a", "c", "missing", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert [line[:2] for line in done.stdout.splitlines()] == ["a:", "c:", "mi"]
    answer = kt("validate", "a", "c", "--format", "json", folder=tmp_path).stdout.splitlines()
    assert [json.loads(line)["valid"] for line in answer] == [True, False]
    assert kt("validate", *OPEN_NAMES.split()).stdout.startswith("valid open tour of 3x4")
