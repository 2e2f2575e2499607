"""What a person can deduce: it holds in every solution, and no symmetry changes the effort."""

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.board.pieces import board_symmetries
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.puzzles.deduction import explain, explanation_lines, next_hint, rate
from kt_cp.puzzles.facts import Fact, MoveFact, StepFact
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.puzzle import Level
from tests.helpers.command import kt
from tests.helpers.oracle import all_tours, moves_along

SMALL = [Board(3, 4), Board(4, 4, piece="wazir")]


def holds(fact: Fact, tour: tuple[int, ...], closed: bool) -> bool:
    if isinstance(fact, StepFact):
        return tour[fact.step - 1] == fact.square
    made = [{*move} for move in moves_along(tour, closed)]
    if fact.other is None:  # the outside, which is beside both ends of an open tour
        return (fact.square in (tour[0], tour[-1])) == fact.used
    return ({fact.square, fact.other} in made) == fact.used


@settings(max_examples=10)
@given(st.sampled_from(SMALL), st.booleans(), st.data())
def test_what_is_deduced_holds_in_every_solution(
    board: Board, closed: bool, data: st.DataObject
) -> None:
    tours = list(all_tours(Instance(board, closed=closed)))
    if not tours:
        return
    tour = data.draw(st.sampled_from(tours))
    shown = data.draw(st.sets(st.sampled_from(tour), max_size=4))
    moves = data.draw(st.sets(st.sampled_from([*itertools.pairwise(tour)]), max_size=3))
    givens = {square: tour.index(square) + 1 for square in shown}
    instance = Instance.of(board, closed=closed, givens=givens, require=moves)
    solutions = list(all_tours(instance))
    for deduction in explain(instance):
        assert str(deduction).endswith(deduction.text)
        for fact in deduction.facts:
            assert all(holds(fact, solution, closed) for solution in solutions), deduction


@settings(max_examples=4)
@given(st.integers(0, 10**6), st.sampled_from(["numbers", "moves", "both"]), st.booleans())
def test_the_effort_does_not_depend_on_symmetries_of_the_board(
    seed: int, clues: str, closed: bool
) -> None:
    board = Board(5, 6) if closed else Board(5, 5)
    puzzle = make_puzzle(board, closed=closed, clues=clues, seed=seed)
    assert puzzle is not None
    for images in board_symmetries(board).values():
        turned = Instance.of(
            board,
            closed=closed,
            givens={int(images[square]): step for square, step in puzzle.instance.givens},
            require=[tuple(images[list(move[:2])].tolist()) for move in puzzle.moves],
        )
        assert rate(turned).effort == puzzle.effort


@pytest.mark.parametrize("clues", ["numbers", "moves"])
@pytest.mark.parametrize("level", list(Level)[:4])
def test_the_rules_of_a_level_and_none_below_lead_to_the_tour(level: Level, clues: str) -> None:
    puzzle = make_puzzle("5x6", closed=True, clues=clues, difficulty=level, seed=2)
    assert puzzle is not None
    assert puzzle.level is level
    assert rate(puzzle.instance, level).is_solved
    below = [easier for easier in Level if easier < level]
    assert not any(rate(puzzle.instance, easier).is_solved for easier in below)
    facts = {fact for each in explain(puzzle.instance) for fact in each.facts}
    tour = tuple(puzzle.solution)
    assert all(holds(fact, tour, closed=True) for fact in facts)
    made = [fact for fact in facts if isinstance(fact, MoveFact) and fact.used]
    moves = {frozenset((fact.square, fact.other)) for fact in made}
    if clues == "moves":
        moves |= {frozenset(move[:2]) for move in puzzle.moves}
        assert moves >= {frozenset(pair) for pair in itertools.pairwise(tour)}


def test_kt_gives_a_hint_and_explains_the_whole_tour(tmp_path: Path) -> None:
    puzzle = kt("puzzle", "5x5", "--difficulty", "easy", "--seed", "1").stdout
    assert "; level: easy\n" in puzzle
    hint = kt("puzzle", "-", "--hint", stdin=puzzle)
    assert kt("puzzle", "-", "--hint", "--out", tmp_path / "hint", stdin=puzzle).stdout == ""
    assert (tmp_path / "hint").read_text() == hint.stdout
    explained = kt("solve", "-", "--explain", stdin=puzzle)
    lines = explained.stdout.splitlines()
    deductions = [line.partition(". ")[2] for line in lines]
    number, *premises = hint.stdout.splitlines()
    assert re.match(r"\d+ is on [a-e][1-5]: ", number)
    assert {number, *(each.removeprefix("since ") for each in premises)} <= {*deductions}
    assert sum(line.startswith("; ") for line in lines) == len(lines) - 5
    assert kt("validate", "-", stdin=explained.stdout).returncode == 0
    hard = kt("solve", "6x6", "--explain")
    assert "; The rest does not follow by the rules" in hard.stdout


@pytest.mark.parametrize("level", list(Level)[:3])
def test_hint_after_hint_leads_to_the_tour_by_deductions_of_the_level(level: Level) -> None:
    puzzle = make_puzzle("5x5", difficulty=level, seed=1)
    assert puzzle is not None
    assert puzzle.level is level
    known, steps = dict(puzzle.givens), {square: n for n, square in enumerate(puzzle.solution, 1)}
    while len(known) < len(steps):
        hint = next_hint(Instance.of("5x5", givens=known))
        assert hint is not None
        assert hint.level <= level
        assert hint.step == steps[hint.square]
        known[hint.square] = hint.step


def test_levels_are_ordered_by_difficulty_and_cover_all_efforts() -> None:
    assert sorted(Level, reverse=True) == [*reversed(Level)]
    assert [Level.of(effort) for effort in range(0, 500, 100)] == [*Level]
    with pytest.raises(InputError, match="give 0 to 499"):
        Level.of(500)


def test_an_explanation_ends_at_the_time_limit() -> None:
    instance = Instance.of("3x4", givens={0: 1, 6: 2, 11: 12})
    late = list(explanation_lines(instance, Clock(1e-9)))
    assert late == ["The time limit was reached before the rest was explained."]
    assert len(list(explanation_lines(instance, Clock(60)))) > 1
