"""``kt enumerate`` as a user runs it."""

import json
from itertools import islice
from pathlib import Path

import pytest

from kt_cp import Board, Notation, enumerate_tours, parse_path
from tests.helpers.command import kt

WRITTEN = [each for each in Notation if each is not Notation.NPY]


@pytest.mark.parametrize("notation", WRITTEN)
def test_tours_come_one_after_the_other_in_every_notation(notation: Notation) -> None:
    done = kt("enumerate", "5x5", "--limit", "3", "--format", notation)
    assert (done.returncode, done.stderr) == (0, "found: 3 tours of 5x5; stopped at --limit 3\n")
    separator = "\n" if notation.base is Notation.IDS else "\n\n"  # a tour a line, or a block
    texts = done.stdout.strip("\n").split(separator)
    expected = islice(enumerate_tours(Board(5, 5)), 3)
    for text, tour in zip(texts, expected, strict=True):
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


def test_constraints_are_met_and_the_file_is_complete(tmp_path: Path) -> None:
    out = tmp_path / "tours"
    asked = ("--start", "a1", "--forbid", "a1-b3", "--format", "squares")
    done = kt("enumerate", "5x5", *asked, "--out", str(out))
    assert (done.returncode, done.stdout) == (0, "")
    tours = [text.split() for text in out.read_text().split("\n\n")]
    assert len(tours) == 152
    assert {(tour[0], tour[1]) for tour in tours} == {("a1", "c2")}


def test_the_time_limit_keeps_what_was_written() -> None:
    done = kt("enumerate", "8x8", "--closed", "--time-limit", "0.3")
    assert done.returncode == 3
    number = len(done.stdout.split("\n\n"))
    assert done.stderr == (
        f"unknown: {number} tours of 8x8 found when the time limit was reached\n"
    )


def test_random_tours_are_drawn_and_the_same_seed_draws_them_again() -> None:
    asked = ("6x6", "--closed", "--limit", "3", "--random", "--format", "ids")
    done = kt("enumerate", *asked, "--seed", "1")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 3
    assert done.stderr == "found: 3 tours of 6x6, drawn at random\n"
    assert kt("enumerate", *asked, "--seed", "1").stdout == done.stdout
    assert kt("enumerate", *asked, "--seed", "2").stdout != done.stdout
    assert kt("enumerate", "5x5", "--random").stderr.startswith("kt: --random: say with --limit")
    assert kt("enumerate", "4x4", "--random", "--limit", "1").returncode == 1
