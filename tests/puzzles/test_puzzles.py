"""Given step numbers, and puzzles with exactly one solution and no number to spare."""

import base64
import itertools
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Board, InputError, Tour, enumerate_tours, make_puzzle, solve
from kt_cp.problem.constraints import Constraints, Move, parse_map
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.puzzles import making
from kt_cp.puzzles.clues import ClueKind, direction_clues, with_groups
from kt_cp.puzzles.conflicts import conflicting_clues, why_impossible
from kt_cp.puzzles.puzzle import Puzzle, checksum, fold, saved_puzzle, unfold
from kt_cp.puzzles.solutions import random_solution
from kt_cp.puzzles.uniqueness import UniquenessSolver
from kt_cp.sat.positions import Given
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
    (ROWS + "; piece: wazir", {"givens": {"b2": 5}}),
    (ROWS + "; piece: wazir", {"symmetry": "left-right"}),
    (ROWS + "; piece: wazir", {"closed": True}),
    (ROWS + "; piece: wazir", {"closed": True, "start": "a1"}),
    (ROWS + "; piece: wazir", {"closed": True, "givens": {"a1": 4}}),
    (ROWS + "; piece: wazir\n; topology: cylinder", {"closed": True, "forbid": ["a1-a2"]}),
    (ROWS + "; piece: wazir", {"symmetry": "half-turn", "having": ["turns<=8"]}),
    (ROWS + "; piece: wazir", {"closed": True, "forbid": ["a1>a2"], "having": ["turns>=8"]}),
    ("3x4", {"givens": {"b2": 5}, "having": ["crossings<=20"]}),
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


def test_no_reason_is_sought_when_the_time_is_over() -> None:
    contradictory = Instance.of("3x4", givens={"a3": 1, "b3": 2})
    assert why_impossible(contradictory, time_limit=1e-9) == "there is no tour"
    assert why_impossible(contradictory, time_limit=60) != "there is no tour"


def test_more_numbers_make_an_easier_puzzle() -> None:
    puzzle = make_puzzle(Board(6, 6), seed=7, total=20)
    assert puzzle is not None
    assert len(puzzle.givens) == 20
    for total in (0, 37):
        with pytest.raises(InputError, match="give 1 to 36"):
            make_puzzle(Board(6, 6), total=total)


def test_clues_that_were_not_all_tried_in_time_determine_the_tour_too() -> None:
    instance, clock = Instance.of("6x6"), Clock(3600)
    tour = random_solution(instance, 1)
    assert tour is not None

    def stop_at_ten(left: int) -> None:
        if left <= 10:
            clock.limit = 1e-9

    solver = UniquenessSolver(instance, tour, numbered=True, clock=clock, progress=stop_at_ten)
    clues = [(Given(square, step),) for step, square in enumerate(tour.tolist(), start=1)]
    more = solver.minimal_groups(clues)
    assert more is not None
    assert solver.is_cut_short
    assert len(list(enumerate_tours("6x6", givens=dict(with_groups(instance, more).givens)))) == 1


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


@pytest.mark.parametrize("seed", [pytest.param("9" * 5000, id="long"), "2147483648", "-1", "x"])
def test_a_saved_puzzle_with_a_seed_that_is_none_has_no_seed(seed: str) -> None:
    puzzle = make_puzzle("3x4", seed=1)
    assert puzzle is not None
    saved = read_saved(str(puzzle).replace("; seed: 1", f"; seed: {seed}"))
    assert saved == replace(puzzle, seed=None)


def test_a_folded_tour_is_read_from_no_other_text() -> None:
    tour = solve("5x5").tour
    assert tour is not None
    board = tour.board
    text = fold(tour)
    assert unfold(board, text, closed=False) == tour
    assert unfold(board, f"!!!!{text}", closed=False) is None, "characters outside of Base64"
    # The same digits, and one more in front of them
    radices = [len(board), *(len(board.neighbors(square)) for square in tour.squares[:-1].tolist())]
    number = int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")
    longer = (number + math.prod(radices)).to_bytes(len(text), "big")
    assert unfold(board, base64.urlsafe_b64encode(longer).decode(), closed=False) is None


def test_an_effort_that_no_level_has_is_not_believed() -> None:
    puzzle = make_puzzle("5x5", seed=1)
    assert puzzle is not None
    saved = read_saved(str(puzzle).replace(f"; effort: {puzzle.effort}", "; effort: 999"))
    assert saved is not None
    assert saved.effort is None
    assert saved.level is None


def test_the_direction_is_told_by_a_move_that_is_not_required_already() -> None:
    tour = solve("5x6", closed=True).tour
    assert tour is not None
    first, second, third, *_ = tour.squares.tolist()
    required = Move(second, first)  # the first move of the tour, written from its other end
    instance = Instance.of("5x6", closed=True, require=[required], forbid=["a1>c2"])
    told = direction_clues(instance, tour.squares, ClueKind.MOVES)
    assert told == [Move(second, third, directed=True)]


def test_a_saved_puzzle_of_a_large_board_is_not_solved_again() -> None:
    rows = 40  # whose formula alone would take longer than the limit
    tour = solve(f"{rows}x{rows}").tour
    assert tour is not None
    every = {square: step for step, square in enumerate(tour, start=1)}
    puzzle = Puzzle(Instance.of(tour.board, givens=every), tour)
    assert make_puzzle(str(puzzle), time_limit=0.5) == puzzle


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


def test_the_same_seed_makes_the_same_puzzle_and_another_seed_another() -> None:
    assert make_puzzle(Board(5, 5), seed=4) == make_puzzle(Board(5, 5), seed=4)
    made = [make_puzzle("5x5", difficulty="medium", seed=seed) for seed in range(3)]
    assert len({str(puzzle).partition(";")[0] for puzzle in made}) == 3


def test_the_name_of_a_file_is_no_board() -> None:
    wanted = "board 'heart.txt': give both sides, .* of a file its text: Path.name.*read_text"
    with pytest.raises(InputError, match=wanted):
        make_puzzle("heart.txt")


def test_a_graph_is_no_board() -> None:
    with pytest.raises(InputError, match="make_puzzle is for boards only, and this is a graph"):
        make_puzzle({0: [1], 1: [0, 2], 2: [1]})


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.data())
def test_any_mix_of_givens_of_a_tour_is_met(seed: int, data: st.DataObject) -> None:
    board = Board(6, 6, data.draw(st.sampled_from([[], [0, 35], [14, 15, 20, 21]])))
    closed = data.draw(st.booleans())
    tour = solve(board, closed=closed, seed=seed).tour
    if tour is None:
        return
    steps = {square: step for step, square in enumerate(tour, start=1)}
    chosen = data.draw(st.lists(st.sampled_from(list(tour)), unique=True))
    givens = {square: steps[square] for square in chosen}
    found = solve(board, closed=closed, givens=givens).tour
    assert found is not None
    assert all(found.squares[step - 1] == square for square, step in givens.items())


def test_steps_that_no_walk_joins_are_refuted() -> None:
    result = solve(Board(5, 5), givens={0: 3, 24: 5})
    assert result.reason == "steps 3 and 5: no walk of 2 moves from a5 to e1"


@pytest.mark.parametrize(
    ("size", "constraints", "fewest"),
    [
        ("6x6", {}, 8),
        ("5x6", {}, 8),
        ("6x6", {"closed": True}, 8),
        ("6x6", {"start": "a1", "require": ["c3-d5"], "forbid": ["a6-b4"]}, 8),
        ("6x6", {"require": ["c3>d5"]}, 6),
        ("6x6", {"givens": {"a1": 1, "c2": 2}}, 8),
        ("6x6", {"closed": True, "symmetry": "half-turn"}, 4),
        ("6x6", {"closed": True, "having": ["turns>=30"]}, 8),
        ("1x1", {"givens": {"a1": 1}}, 1),
    ],
)
def test_puzzles_of_different_seeds_have_different_solutions(
    size: str, constraints: Constraints, fewest: int
) -> None:
    instance = Instance.of(size, **constraints)
    different: list[Tour] = []
    for seed in range(8):
        squares = random_solution(instance, seed)
        assert squares is not None
        assert instance.satisfied_by(squares)
        tour = Tour(instance.board, squares, instance.closed)
        if not any(tour.same_up_to_symmetry(other) for other in different):
            different.append(tour)
    assert len(different) >= fewest


def test_the_ends_of_a_solution_are_anywhere() -> None:
    tours = [random_solution(Instance.of("6x6"), seed) for seed in range(30)]
    ends = [(int(tour[0]), int(tour[-1])) for tour in tours if tour is not None]
    assert len({start for start, _ in ends}) > 10
    apart = [abs(one // 6 - other // 6) + abs(one % 6 - other % 6) for one, other in ends]
    assert sum(apart) > 3 * len(ends)


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
