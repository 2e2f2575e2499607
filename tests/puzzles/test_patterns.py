"""Patterns of clues: where the numbers of a puzzle stand, and the nearest puzzle to a pattern."""

from itertools import islice
from pathlib import Path

import pytest

from kt_cp.board.board import Board
from kt_cp.count.enumeration import enumerate_tours
from kt_cp.messages import InputError
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.patterns import Pattern, PatternName
from tests.helpers.command import kt

CROSS = "..X..\nXXXXX\n..X..\n..X..\n..X..\n"


def test_clues_of_a_symmetric_puzzle_are_mapped_onto_themselves_by_a_half_turn() -> None:
    puzzle = make_puzzle("5x6", clues="symmetric", seed=3)
    assert puzzle is not None
    assert {29 - square for square in puzzle.givens} == set(puzzle.givens)
    for square in puzzle.givens:
        fewer = {at: step for at, step in puzzle.givens.items() if at not in (square, 29 - square)}
        assert len(list(islice(enumerate_tours("5x6", givens=fewer), 2))) == 2


@pytest.mark.parametrize("level", ["children", "medium"])
def test_symmetric_clues_are_left_out_as_long_as_the_rules_of_a_level_suffice(level: str) -> None:
    puzzle = make_puzzle("6x6", clues="symmetric", difficulty=level, seed=1)
    assert puzzle is not None
    assert puzzle.level == level
    assert {35 - square for square in puzzle.givens} == set(puzzle.givens)


@pytest.mark.parametrize("name", [PatternName.BORDER, PatternName.DIAGONAL])
def test_a_pattern_with_a_name_shows_all_its_squares_and_no_other(name: PatternName) -> None:
    board = Board(6, 6)
    puzzle = make_puzzle(board, clues=name, seed=1)
    assert puzzle is not None
    assert set(puzzle.givens) == Pattern.of(board, name).squares
    assert not puzzle.off_pattern
    assert len(list(enumerate_tours(board, givens=puzzle.givens))) == 1


def test_kt_reads_a_pattern_from_a_file_and_names_the_clues_off_it(tmp_path: Path) -> None:
    (tmp_path / "cross.txt").write_text(CROSS)
    (tmp_path / "dot.txt").write_text(CROSS.replace("X", ".").replace(".", "X", 1))
    made = kt("puzzle", "5x5", "--clues", tmp_path / "cross.txt")
    marks = [
        "".join("X" if cell != "." else cell for cell in row.split())
        for row in made.stdout.splitlines()[:5]
    ]
    assert "\n".join([*marks, ""]) == CROSS
    nearest = kt("puzzle", "5x5", "--clues", tmp_path / "dot.txt")
    assert nearest.returncode == 3
    assert (
        "no tour that was tried has only clues on the pattern; this is the nearest: "
        in nearest.stderr
    )
    assert nearest.stdout.splitlines()[0].split()[0] != "."


@pytest.mark.parametrize(
    ("board", "clues", "message"),
    [
        (Board(4, 4, [0]), "symmetric", "no half-turn maps"),
        (
            Board(5, 5),
            "cross",
            "give one of numbers, moves, both, order, symmetric, border, diagonal",
        ),
    ],
)
def test_patterns_that_a_board_does_not_have_are_refused(
    board: Board, clues: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        make_puzzle(board, clues=clues)


def test_a_pattern_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="has 5 rows of 5; 6x6 needs 6 of 6"):
        Pattern.parse(Board(6, 6), CROSS)
