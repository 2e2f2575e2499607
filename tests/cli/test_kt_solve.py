"""``kt solve`` as a user runs it: exit codes and both output streams."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from kt_cp import Board, validate
from kt_cp.methods.table import METHODS
from scripts import published
from tests.helpers.command import kt

MAP = "\n..#..\n.....  \n.....\n.....\n.....\n\n"


def path_of(grid: str) -> list[int]:
    """Read a numbered board without the package's own reader."""
    cells = [0 if cell == "#" else int(cell) for cell in grid.split()]
    return [square for square in np.argsort(cells, kind="stable").tolist() if cells[square]]


def test_a_closed_tour_of_8x8_is_printed_as_a_numbered_board() -> None:
    done = kt("solve", "8x8", "--closed")
    assert done.returncode == 0
    assert validate(Board(8, 8), path_of(done.stdout), closed=True).valid
    assert {len(line) for line in done.stdout.splitlines()} == {8 * 3 - 1}
    assert done.stderr.startswith("found: closed tour of 8x8, 64 squares")


def test_json_says_everything_in_one_object() -> None:
    done = kt("solve", "3x10", "--closed", "--format", "json")
    answer = json.loads(done.stdout)
    assert list(answer) == [
        *("status", "board", "closed", "tour", "method", "seconds"),
        *("reason", "reason_kind", "counters", "objective"),
    ]
    assert answer["status"] == "found"
    assert answer["board"] == {"rows": 3, "columns": 10, "holes": []}
    assert validate(Board(3, 10), answer["tour"], closed=answer["closed"]).valid


def test_a_map_is_read_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(MAP)
    for done in (kt("solve", str(file)), kt("solve", "-", stdin=MAP)):
        assert done.returncode == 0
        assert validate(Board(5, 5, [2]), path_of(done.stdout)).valid
        assert "#" in done.stdout.splitlines()[0]


def test_required_and_forbidden_moves_are_met() -> None:
    done = kt(
        *("solve", "-", "--require", "a1-c2", "--forbid", "b3-d4", "--format", "moves"), stdin=MAP
    )
    moves = done.stdout.split()
    assert {"a1-c2", "c2-a1"} & set(moves)
    assert not {"b3-d4", "d4-b3"} & set(moves)
    one_way = kt("solve", "6x6", "--closed", "--require", "c2>a1", "--format", "moves")
    assert "c2-a1" in one_way.stdout.split()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("4x8", "--closed"), "Schwenk's theorem"),
        (("9x9", "--start", "1"), "b9 is light"),
        (("3x3",), "b2 has no move"),
        (("4x8", "--closed", "--method", "circuit"), "CP-SAT proved that there is none"),
    ],
)
def test_impossible_is_said_with_a_reason(arguments: tuple[str, ...], reason: str) -> None:
    done = kt("solve", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("impossible: ")
    assert reason in done.stderr
    answer = json.loads(kt("solve", *arguments, "--format", "json").stdout)
    assert (answer["status"], answer["tour"]) == ("impossible", None)
    assert reason in answer["reason"]


def test_what_is_not_solved_in_time_is_unknown() -> None:
    arguments = ("60x60", "--closed", "--method", "circuit", "--time-limit", "0.01")
    done = kt("solve", *arguments)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "unknown: the time limit of 0.01 s was reached\n"
    assert json.loads(kt("solve", *arguments, "--format", "json").stdout)["status"] == "unknown"


def test_a_file_is_replaced_by_a_tour_only(tmp_path: Path) -> None:
    out = tmp_path / "tour.txt"
    assert kt("solve", "5x5", "--format", "ids", "--out", str(out)).stdout == ""
    written = out.read_text()
    assert validate(Board(5, 5), [int(line) for line in written.split()]).valid
    kt("solve", "4x4", "--format", "ids", "--out", str(out))
    assert out.read_text() == written
    assert [file.name for file in tmp_path.iterdir()] == ["tour.txt"]


def test_the_methods_that_are_listed_answer_under_their_names() -> None:
    listed = re.findall(r"^[\w-]+", kt("methods").stdout, flags=re.MULTILINE)
    assert listed == [*METHODS]
    done = kt("solve", "8x8", "--start", "4", "--method", "warnsdorff", "--format", "ids")
    assert [int(line) for line in done.stdout.split()] == [*published.VISIT_ORDERS[2].ids]
