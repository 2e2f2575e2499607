"""Given step numbers, and puzzles with exactly one solution and no number to spare."""

import itertools
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.count.counting import enumerate_tours
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints, Move
from kt_cp.problem.instance import Instance, parse_map
from kt_cp.problem.task import Clock
from kt_cp.puzzles import making
from kt_cp.puzzles.boards import random_board, random_solution, solve_with_random_holes
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.puzzle import (
    ClueKind,
    Pattern,
    PatternName,
    Puzzle,
    checksum,
    saved_puzzle,
)
from kt_cp.puzzles.uniqueness import PositionFormula, conflicting_clues
from kt_cp.tour.features import FEATURES, MEASURES, feature_named
from kt_cp.tour.tour import Tour
from kt_dfs import Status
from tests.helpers.command import kt
from tests.helpers.oracle import all_tours


def solutions(puzzle: Puzzle, left_out: object = None) -> int:
    """The number of tours that meet all of a puzzle but one clue, by exhaustive search."""
    instance = puzzle.instance
    steps = {square: step for square, step in puzzle.givens.items() if square != left_out}
    moves = tuple(move for move in puzzle.moves if move != left_out)
    asked = replace(instance, givens=tuple(steps.items()), require=moves, start=None, end=None)
    found = [Tour(instance.board, tour, instance.closed) for tour in all_tours(asked)]
    met = sum(all(bound.holds(tour) for bound in instance.having) for tour in found)
    each_counts_twice = instance.closed and not steps and not instance.one_way
    return met // 2 if each_counts_twice else met


def read_saved(text: str) -> Puzzle | None:
    """The puzzle that a map was saved from."""
    board, constraints, contents = parse_map(text, {})
    return saved_puzzle(Instance.of(board, **constraints), contents.notes)


ROWS = "....\n" * 4
SHOWN = [ClueKind.NUMBERS, ClueKind.MOVES, ClueKind.BOTH]
WAZIRS = Board(4, 4, piece="wazir")
BOARDS: list[tuple[str, Constraints]] = [
    ("3x4", {}),
    ("3x4", {"start": "a3"}),
    ("3x4", {"forbid": ["a3-b1"], "require": ["a1>b3"]}),
    ("3x4", {"having": ["turns<=10"]}),
    (ROWS + "; piece: wazir", {"start": "a1", "end": "d1"}),
    (ROWS + "; piece: wazir", {"symmetry": "left-right"}),
    (ROWS + "; piece: wazir", {"closed": True}),
    (ROWS + "; piece: wazir", {"closed": True, "givens": {"a1": 4}}),
    (ROWS + "; piece: wazir\n; topology: cylinder", {"closed": True, "forbid": ["a1-a2"]}),
    (ROWS + "; piece: wazir", {"symmetry": "half-turn", "having": ["turns<=8"]}),
    (ROWS + "; piece: wazir", {"closed": True, "forbid": ["a1>a2"], "having": ["turns>=8"]}),
    (".#..\n....\n....\n....\n; piece: horse", {"require": ["a1>c2"]}),
    ("..\n..\n; piece: king", {"closed": True, "require": ["a1>b2"]}),
    ("1x1", {}),
]


@settings(max_examples=10)
@given(st.sampled_from(BOARDS), st.sampled_from(SHOWN), st.integers(0, 10**6))
def test_a_puzzle_has_one_solution_and_no_added_clue_to_spare(
    asked: tuple[str, Constraints], kind: ClueKind, seed: int
) -> None:
    size, constraints = asked
    puzzle = make_puzzle(size, clues=kind, seed=seed, **constraints)
    own = Instance.of(size, **constraints)
    if puzzle is None:
        assert not solve(size, **constraints)
        return
    assert puzzle.instance.satisfied_by(puzzle.solution.squares)
    assert solutions(puzzle) == 1
    assert len(list(enumerate_tours(str(puzzle)))) == 1
    for clue in {*puzzle.givens, *puzzle.moves} - {*own.steps.values(), *own.require, own.first}:
        assert solutions(puzzle, left_out=clue) > 1


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", SHOWN)
def test_clues_of_ones_own_are_kept_and_completed(kind: ClueKind) -> None:
    puzzle = make_puzzle("5x5", clues=kind, givens={"e1": 5, "b1": 10}, require=["e5-c4"])
    assert puzzle is not None
    assert puzzle.givens.items() >= {24: 5, 21: 10}.items()
    assert Move(4, 7) in puzzle.moves
    assert make_puzzle(str(puzzle)) == puzzle, "a puzzle that is complete is left as it is"


def test_clues_that_contradict_each_other_are_named() -> None:
    clues = {"a1": 1, "c2": 3, "f6": 21}
    assert make_puzzle("6x6", givens=clues, require=["a6-b4"]) is None
    instance = Instance.of("6x6", givens=clues, require=["a6-b4"], forbid=["c3-d5"])
    first, second = sorted(conflicting_clues(instance), key=lambda clue: clue == "3 on c2")
    assert second == "3 on c2", "the other two are on squares of the same color"
    assert first in ("1 on a1", "21 on f6")
    assert conflicting_clues(Instance.of("6x6", givens={"a1": 1})) == []


def test_more_numbers_make_an_easier_puzzle() -> None:
    puzzle = make_puzzle(Board(6, 6), seed=7, total=20)
    assert puzzle is not None
    assert len(puzzle.givens) == 20
    for total in (0, 37):
        with pytest.raises(InputError, match="give 1 to 36"):
            make_puzzle(Board(6, 6), total=total)


@settings(max_examples=10)
@given(st.sampled_from(BOARDS), st.sampled_from(SHOWN), st.integers(0, 10**6))
def test_a_saved_puzzle_is_believed_as_long_as_its_clues_stay(
    asked: tuple[str, Constraints], kind: ClueKind, seed: int
) -> None:
    size, constraints = asked
    puzzle = make_puzzle(size, clues=kind, seed=seed, **constraints)
    if puzzle is None:
        return
    text = str(puzzle)
    saved = read_saved(text)
    assert saved is not None
    assert (str(saved), saved.solution) == (text, puzzle.solution)
    for square in puzzle.givens:
        lines = [line for line in text.splitlines() if not line.startswith(("; start", "; seed"))]
        fewer = re.sub(rf"\b{puzzle.givens[square]}\b", ".", "\n".join(lines), count=1)
        assert read_saved(fewer) is None, "a clue fewer may leave several solutions"


def test_the_solution_of_a_saved_puzzle_has_to_fit() -> None:
    puzzle, other = make_puzzle("5x5", seed=1), make_puzzle("5x5", seed=2)
    assert puzzle is not None
    assert other is not None
    solution = [line for line in str(other).splitlines() if line.startswith("; solution: ")]
    lines = [line for line in str(puzzle).splitlines() if not line.startswith("; solution: ")]
    for swapped in (
        [*lines, *solution],
        lines,
        [*lines, "; solution: !"],
        [*lines, "; solution: A"],
    ):
        assert f"; unique: {checksum(puzzle.instance)}" in swapped
        assert read_saved("\n".join(swapped)) is None


@pytest.mark.exhaustive
def test_a_puzzle_that_the_time_limit_left_unfinished_is_rated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[int] = []
    stopping = Clock(is_interrupted=lambda: len(left) > 3)
    monkeypatch.setattr(making, "Clock", lambda limit: stopping)
    puzzle = make_puzzle("5x5", seed=2, progress=left.append)
    assert puzzle is not None
    assert puzzle.unfinished
    assert puzzle.level is not None
    assert solutions(puzzle) == 1


def test_the_same_seed_makes_the_same_puzzle_and_another_seed_another() -> None:
    assert make_puzzle(Board(5, 5), seed=4) == make_puzzle(Board(5, 5), seed=4)
    made = [make_puzzle("5x5", difficulty="medium", seed=seed) for seed in range(3)]
    assert len({str(puzzle).partition(";")[0] for puzzle in made}) == 3


@pytest.mark.parametrize(
    ("size", "constraints", "fewest"),
    [
        ("6x6", {}, 4),
        ("6x6", {"closed": True}, 4),
        ("6x6", {"start": "a1", "require": ["c3-d5"], "forbid": ["a6-b4"]}, 4),
        pytest.param(
            *("6x6", {"closed": True, "symmetry": "half-turn"}, 3), marks=pytest.mark.exhaustive
        ),
        ("6x6", {"closed": True, "having": ["turns>=30"]}, 4),
    ],
)
def test_puzzles_of_different_seeds_have_different_solutions(
    size: str, constraints: Constraints, fewest: int
) -> None:
    instance = Instance.of(size, **constraints)
    different: list[Tour] = []
    for seed in range(4):
        squares = random_solution(instance, seed)
        assert squares is not None
        assert instance.satisfied_by(squares)
        tour = Tour(instance.board, squares, instance.closed)
        if not any(tour.same_up_to_symmetry(other) for other in different):
            different.append(tour)
    assert len(different) >= fewest


@pytest.mark.parametrize(("size", "closed"), [("4x5", False), ("6x6", True)])
def test_a_puzzle_in_order_has_one_solution_and_no_square_to_spare(size: str, closed: bool) -> None:
    puzzle = make_puzzle(size, closed=closed, clues="order", seed=1)
    assert puzzle is not None
    start, *inner = puzzle.instance.order
    ends = [start] if closed else [start, inner.pop()]
    assert ends == [int(puzzle.solution.squares[at]) for at in range(0, -len(ends), -1)]
    assert len(list(enumerate_tours(str(puzzle)))) == 1
    assert read_saved(str(puzzle)) is not None
    for left_out in inner:
        order = tuple(square for square in puzzle.instance.order if square != left_out)
        fewer = replace(puzzle.instance, order=order)
        assert len(list(itertools.islice(enumerate_tours(fewer), 2))) == 2


# Patterns of clues: where the numbers of a puzzle stand.

CROSS = "..X..\nXXXXX\n..X..\n..X..\n..X..\n"


def test_clues_of_a_symmetric_puzzle_are_mapped_onto_themselves_by_a_half_turn() -> None:
    puzzle = make_puzzle("5x6", clues="symmetric", seed=3)
    assert puzzle is not None
    assert {29 - square for square in puzzle.givens} == set(puzzle.givens)
    for square in puzzle.givens:
        fewer = {at: step for at, step in puzzle.givens.items() if at not in (square, 29 - square)}
        assert len(list(islice(enumerate_tours("5x6", givens=fewer), 2))) == 2


@pytest.mark.parametrize("name", [PatternName.BORDER, PatternName.DIAGONAL])
def test_a_pattern_with_a_name_shows_all_its_squares_and_no_other(name: PatternName) -> None:
    board = Board(6, 6)
    puzzle = make_puzzle(board, clues=name, seed=1)
    assert puzzle is not None
    assert set(puzzle.givens) == Pattern.of(board, name).squares
    assert not puzzle.off_pattern
    assert len(list(enumerate_tours(board, givens=puzzle.givens))) == 1


def test_other_squares_show_numbers_where_those_of_the_whole_pattern_are_given() -> None:
    board = Board(5, 5)
    corners = Pattern.of(board, ["a5", "e5"])
    puzzle = make_puzzle(board, clues=corners, givens={"a5": 1, "e5": 25})
    assert puzzle is not None
    assert set(puzzle.givens) == {*corners.squares, *puzzle.off_pattern}
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


# The position formula: its models are the tours that meet the constraints.


@settings(max_examples=10)
@given(
    st.sampled_from(
        [
            (Board(3, 4), False),
            (WAZIRS, True),
            (Board(1, 2, piece="wazir"), False),
            (Board(1, 4, piece="0,1+0,2"), True),
        ]
    ),
    st.sampled_from([*FEATURES, *MEASURES]),
    st.sampled_from(["<=", ">=", "="]),
    st.integers(0, 25),
)
def test_the_formula_has_the_tours_within_a_bound(
    kind: tuple[Board, bool], feature: str, relation: str, value: int
) -> None:
    board, closed = kind
    if board.piece.name != "knight" and not feature_named(feature).is_general:
        return
    having = [f"{feature}{relation}{value}"]
    tours = len(list(enumerate_tours(board, closed=closed, having=having)))
    formula, found = PositionFormula(Instance.of(board, closed=closed, having=having)), 0
    while (tour := formula.solve([], Clock())) is not None:
        formula.exclude(tour)
        found += 1
    assert found == tours * (2 * len(board) if closed else 1)


# Random boards: each has the holes asked for, and a tour that meets the constraints.


@settings(max_examples=10)
@given(st.integers(0, 20), st.booleans(), st.booleans(), st.integers(0, 10**6))
def test_a_random_board_has_its_holes_and_a_tour(
    holes: int, closed: bool, symmetric: bool, seed: int
) -> None:
    if symmetric and holes % 2:
        with pytest.raises(InputError, match="come 2 at a time on 7x6; give a multiple of 2"):
            random_board(7, 6, holes, closed=closed, symmetric=symmetric)
        return
    constraints = {"require": ["c3-d5"]} if closed else {"start": "a1", "forbid": ["b3-c5"]}
    instance = Instance.of(Board(7, 6), closed=closed, **constraints)
    result = solve_with_random_holes(instance, holes, symmetric=symmetric, seed=seed)
    if result.tour is None:
        odd = closed and holes % 2
        assert result.status is (Status.IMPOSSIBLE if odd else Status.UNKNOWN)
        return
    board = result.instance.board
    assert len(board.holes) == holes
    assert result.instance.satisfied_by(result.tour.squares)
    if symmetric:
        assert board.holes == tuple(sorted(41 - hole for hole in board.holes))


@pytest.mark.parametrize(("side", "holes"), [(6, 5), (7, 47), (7, 48)])
def test_the_same_seed_makes_the_same_board(side: int, holes: int) -> None:
    board = random_board(side, side, holes, seed=4)
    assert board == random_board(f"{side}x{side}", holes=holes, seed=4)
    assert board is not None
    assert len(board) == side**2 - holes
    assert solve(board)


def test_more_holes_than_possible_are_refused() -> None:
    with pytest.raises(InputError, match="40 holes: 5x5 has room for 0 to 24"):
        random_board(5, 5, 40)
    assert random_board(4, 4, closed=True) is None, "4x4 has no closed tour"


def test_a_board_that_is_not_found_is_unknown() -> None:
    asked = Instance.of("3x3", forbid=["a1-b3"])
    assert str(solve_with_random_holes(asked, 3).reason) == (
        "none of 300 patterns of 3 holes leaves squares with a tour that meets the constraints; "
        "try fewer holes"
    )
    told = solve_with_random_holes(asked, 3, time_limit=1e-3)
    assert (told.status, told.reason_kind) == (Status.UNKNOWN, "time-limit")
    assert str(told.reason).startswith("the time limit of 0.001 s was reached: none of ")
    made = kt("board", "12x12", "--holes", "60", "--closed", "--time-limit", "0.01")
    assert (made.returncode, made.stdout) == (3, "")
    assert made.stderr.endswith("; try fewer holes\n")


def test_kt_board_prints_a_map_that_kt_puzzle_reads() -> None:
    made = kt("board", "7x7", "--holes", "5", "--closed", "--symmetric", "--seed", "1")
    assert made.returncode == 0
    assert set(made.stdout) == {".", "#", "\n"}
    puzzle = kt(
        "puzzle", "-", "--start", "a1", "--require", "c3-d5", "--clues", "both", stdin=made.stdout
    )
    assert puzzle.returncode == 0
    assert kt("solve", "-", "--unique", stdin=puzzle.stdout).returncode == 0
    none = kt("board", "7x7", "--holes", "4", "--closed")
    assert (none.returncode, none.stdout) == (1, "")
