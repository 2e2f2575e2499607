"""``kt count``, ``kt enumerate`` and ``kt puzzle`` as a user runs them."""

import json
from itertools import islice
from pathlib import Path

import pytest

from kt_cp.board import Board
from kt_cp.count.counting import enumerate_tours
from kt_cp.messages import pluralize
from kt_cp.notation.notations import Notation
from kt_cp.notation.read import parse_path
from tests.helpers.command import kt


@pytest.mark.parametrize(
    ("asked", "code", "lines"),
    [
        ("3x4..3x7,5x5 --time-limit 60", 0, "3x4 16\n3x5 0\n3x6 0\n3x7 104\n5x5 1728\n"),
        ("3x10,12x12,3x12 --closed --memory-limit 500", 3, "3x10 16\n12x12 ?\n3x12 176\n"),
        ("5x6..5x8 --closed --format bfile --offset 6", 0, "6 8\n7 0\n8 44202\n"),
        ("3x10 --closed --format bfile", 0, "1 16\n"),
    ],
)
def test_a_sequence_of_boards_has_a_line_each(asked: str, code: int, lines: str) -> None:
    done = kt("count", *asked.split())
    assert (done.returncode, done.stdout) == (code, lines)
    assert "counted by frontier\n" in done.stderr


def test_the_first_squares_of_a_board_have_a_line_each() -> None:
    done = kt("count", "5x6", "--closed", "--prefixes")
    assert done.returncode == 0
    assert done.stdout.splitlines()[17:30:4] == ["18 1", "22 1", "26 0", "30 8"]
    first = kt("count", "3x4", "--prefixes", "--format", "json").stdout.splitlines()[0]
    assert json.loads(first) == {"squares": 1, "count": 1}
    late = kt("count", "8x30", "--prefixes", "--time-limit", "0.2")
    assert late.returncode == 3
    assert late.stderr.endswith("\nunknown: the time limit was reached\n")


def test_a_recurrence_is_added_to_a_sequence() -> None:
    done = kt("count", "3x1..3x190", "--closed", "--recurrence")
    assert done.stdout.splitlines()[9] == "3x10 16"
    formula = done.stdout.splitlines()[-1]
    assert formula.startswith("a(n) = 6 a(n-2) + 64 a(n-4) - 200 a(n-6) ")
    assert formula.endswith("for n >= 45; proven, as there are 138 states between two columns")
    short = kt("count", "3x1..3x40", "--recurrence")
    none = "no linear recurrence of order 20 or less fits; 605 states between two columns"
    assert short.stdout.splitlines()[-1] == none


def test_a_count_goes_on_in_its_directory(tmp_path: Path) -> None:
    asked = ("5x8", "--closed", "--method", "frontier", "--spill", str(tmp_path / "states"))
    done = kt("count", *asked, "--jobs", "2", "--log", str(tmp_path / "layers.csv"))
    assert (done.returncode, done.stdout) == (0, "44202 undirected closed tours of 5x8\n")
    assert (tmp_path / "layers.csv").read_text("utf-8").count("\n") == 41
    assert kt("count", *asked).stdout == done.stdout
    other = kt("count", "5x6", *asked[1:])
    assert (other.returncode, other.stdout) == (2, "")
    assert other.stderr.startswith(f"kt: spill {tmp_path}/states: holds another count, of ")


def test_a_count_cut_short_is_at_least_that_many() -> None:
    both = kt("count", "6x6,3x4", "--limit", "100", "--format", "json")
    assert both.returncode == 3
    assert both.stderr.startswith("6x6: counted by enumerate: the limit was reached\n3x4: ")
    assert [json.loads(line) for line in both.stdout.splitlines()] == [
        {"board": "6x6", "count": 100, "complete": False, "counted": "directed open"},
        {"board": "3x4", "count": 16, "complete": True, "counted": "directed open"},
    ]


# All tours, or some


@pytest.mark.parametrize("notation", [each for each in Notation if each is not Notation.NPY])
def test_tours_come_one_after_the_other_in_every_notation(
    notation: Notation, tmp_path: Path
) -> None:
    asked, out = ("--start", "a1", "--forbid", "a1-b3", "--limit", "3"), tmp_path / "tours"
    done = kt("enumerate", "5x5", *asked, "--format", notation)
    assert (done.returncode, done.stderr) == (0, "found: 3 tours of 5x5; stopped at --limit 3\n")
    assert kt("enumerate", "5x5", *asked, "--format", notation, "--out", out).stdout == ""
    assert out.read_text("utf-8") == done.stdout
    tours = enumerate_tours(Board(5, 5), start="a1", forbid=["a1-b3"])
    separator = "\n" if notation.base is Notation.IDS else "\n\n"  # a tour a line, or a block
    texts = done.stdout.strip("\n").split(separator)
    for text, tour in zip(texts, islice(tours, 3), strict=True):
        reading = parse_path(text, Board(5, 5), notation, closed=False)
        assert reading.tour.squares.tolist() == tour.squares.tolist()


def test_all_tours_are_written_and_counted() -> None:
    done = kt("enumerate", "3x4", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "found: 16 tours of 3x4; there are no others\n")
    tours = {tuple(json.loads(line)["tour"]) for line in done.stdout.splitlines() if line}
    assert tours == {tuple(tour) for tour in enumerate_tours(Board(3, 4))}
    some = kt("enumerate", "3x4", "--up-to-symmetry", "--limit", "99")
    assert (some.returncode, some.stderr) == (0, "found: 3 tours of 3x4; there are no others\n")
    assert some.stdout.count("\n\n") == 2


def test_the_time_limit_keeps_what_was_written() -> None:
    done = kt("enumerate", "8x8", "--closed", "--time-limit", "0.3")
    assert done.returncode == 3
    rows = [line for line in done.stdout.splitlines() if line]
    written = pluralize(len(rows) // 8, "tour")
    assert done.stderr == f"unknown: {written} of 8x8 found when the time limit was reached\n"


def test_random_tours_are_drawn_and_the_same_seed_draws_them_again() -> None:
    asked = ("6x6", "--closed", "--limit", "3", "--random", "--format", "ids")
    done, again, other = (kt("enumerate", *asked, "--seed", seed) for seed in "112")
    assert (done.returncode, done.stderr) == (0, "found: 3 tours of 6x6, drawn at random\n")
    assert done.stdout.count("\n") == 3
    assert done.stdout == again.stdout != other.stdout
