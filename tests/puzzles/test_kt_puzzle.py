"""What setters typed, and what came of it."""

import itertools
from pathlib import Path

import pytest

from kt_cp import enumerate_tours
from tests.helpers.command import kt

THIRTEEN = ". . . . .\n. . . . .\n. . 13 . .\n. . . . .\n. . . . .\n"


@pytest.mark.parametrize(
    "typed",
    [
        "5x5 --symmetry half-turn --having turns<=20",
        "5x5 --symmetry half-turn --having crossings>=24 --clues moves",
        "3x8 --having turns<=21",
        "3x10 --closed --clues moves --forbid f1>h2 --seed 209",
        "3x10 --closed --clues moves --forbid f1>h2 --having obtuse<=8 --seed 209",
        "3x10 --closed --clues moves --require a1>b3",
        "1x1",
        "1x1 --clues moves --difficulty easy",
        "1x2 --piece wazir",
        "1x2 --piece wazir --clues moves --difficulty easy",
        "3x4 --clues moves --difficulty easy",
        "- --having turns<=20",
    ],
)
def test_a_puzzle_has_exactly_one_solution(typed: str) -> None:
    made = kt("puzzle", *typed.split(), stdin=THIRTEEN)
    assert made.returncode == 0, made.stderr
    assert len([*itertools.islice(enumerate_tours(made.stdout), 2)]) == 1
    assert kt("puzzle", "-", "--hint", stdin=made.stdout).returncode in (0, 3)


def test_the_only_square_is_a_hint_and_an_explanation(tmp_path: Path) -> None:
    kt("puzzle", "1x1", "--out", tmp_path / "p")
    told = "1 is on a1: it is the only square\n"
    assert kt("puzzle", tmp_path / "p", "--hint").stdout == told
    assert kt("solve", "1x1", "--explain").stdout == f"; 1. {told}1\n"
