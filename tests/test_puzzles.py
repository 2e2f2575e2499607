"""Given step numbers, and puzzles with exactly one solution and no number to spare."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Board, InputError, Status, enumerate_tours, make_puzzle, solve
from kt_cp.board.maps import read_map
from kt_cp.problem.instance import Instance
from tests.helpers.oracle import all_tours


def solutions(board: Board, closed: bool, givens: dict[int, int]) -> list[tuple[int, ...]]:
    """At most two tours with these steps, by exhaustive search of the numbered walk."""
    steps = {step: square for square, step in givens.items()}
    neighbors = {square: board.neighbors(square) for square in board.squares.tolist()}
    found: list[tuple[int, ...]] = []

    def extend(path: list[int]) -> None:
        if len(found) == 2:
            return
        if len(path) == len(board):
            if not closed or path[0] in neighbors[path[-1]]:
                found.append(tuple(path))
            return
        wanted = steps.get(len(path) + 1)
        for square in neighbors[path[-1]]:
            free = square not in path and givens.get(square, len(path) + 1) == len(path) + 1
            if free and wanted in (None, square):
                extend([*path, square])

    for start in [steps[1]] if 1 in steps else board.squares.tolist():
        if givens.get(start, 1) == 1:
            extend([start])
    return found


@settings(max_examples=12)
@given(st.sampled_from(["3x4", "4x5", "3x7", "3x10"]), st.integers(0, 10**6))
def test_a_puzzle_has_one_solution_and_no_number_to_spare(size: str, seed: int) -> None:
    board, closed = Board.parse(size), size == "3x10"
    puzzle = make_puzzle(board, closed=closed, seed=seed)
    assert puzzle is not None
    assert solutions(board, closed, puzzle.givens) == [tuple(puzzle.solution)]
    for square, step in puzzle.givens.items():
        fewer = {other: at for other, at in puzzle.givens.items() if other != square}
        if not (closed and step == 1):
            assert len(solutions(board, closed, fewer)) == 2


def test_a_closed_puzzle_gives_step_1() -> None:
    puzzle = make_puzzle(Board(5, 6), closed=True, seed=3)
    assert puzzle is not None
    assert 1 in puzzle.givens.values()


def test_a_puzzle_prints_the_map_that_is_read() -> None:
    board = Board(5, 5, [12])
    puzzle = make_puzzle(board, seed=1)
    assert puzzle is not None
    shown = read_map(str(puzzle))
    assert (shown.rows, shown.columns, shown.holes) == (5, 5, (12,))
    assert shown.givens == puzzle.givens


def test_more_numbers_make_an_easier_puzzle() -> None:
    puzzle = make_puzzle(Board(6, 6), seed=7, givens=20)
    assert puzzle is not None
    assert len(puzzle.givens) == 20
    for givens in (0, 37):
        with pytest.raises(InputError, match="give 1 to 36"):
            make_puzzle(Board(6, 6), givens=givens)


def test_the_same_seed_makes_the_same_puzzle() -> None:
    assert make_puzzle(Board(5, 5), seed=4) == make_puzzle(Board(5, 5), seed=4)


def test_a_board_without_tour_has_no_puzzle() -> None:
    assert make_puzzle(Board(4, 4)) is None
    assert solve(Board(4, 4)).status is Status.IMPOSSIBLE


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


@pytest.mark.parametrize(
    ("givens", "message"),
    [
        ({0: 0}, "step 0 on a5: steps run from 1 to 25"),
        ({0: 26}, "step 26 on a5"),
        ({0: 3, 1: 3}, "step 3 is given twice, on a5 and on b5"),
        ({25: 3}, "step 3: square 25 is off the board"),
    ],
)
def test_steps_that_make_no_sense_are_refused(givens: dict[int, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(Board(5, 5), givens=givens)


def test_steps_that_no_walk_joins_are_refuted() -> None:
    result = solve(Board(5, 5), givens={0: 3, 24: 5})
    assert result.reason == "steps 3 and 5: no walk of 2 moves from a5 to e1"
    with pytest.raises(InputError, match="start a5 and the given steps differ"):
        solve(Board(5, 5), start=0, givens={0: 3})


def test_the_tours_of_a_puzzle_are_those_of_exhaustive_search() -> None:
    instance = Instance(Board(4, 5), givens={0: 1, 13: 8})
    tours = {tuple(tour) for tour in enumerate_tours(instance.board, givens={0: 1, 13: 8})}
    assert tours == set(all_tours(instance))
    assert len(list(itertools.islice(tours, 2))) == 2
