"""The file to read first gives the answers of the whole circuit model."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from kt_cp.board import Board
from kt_cp.methods.circuit import answer
from kt_cp.model.plain import find_tour
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.tour.validator import is_tour
from kt_dfs import Status
from tests.helpers.command import python


def random_boards(number: int) -> Iterator[Board]:
    choice = random.Random(5)
    for _ in range(number):
        rows, columns = choice.randint(1, 6), choice.randint(2, 6)
        holes = choice.sample(range(rows * columns), choice.choice([0, 0, 1, 2, columns]))
        if len(holes) < rows * columns:
            yield Board(rows, columns, holes, choice.choice(["knight", "king"]))


@pytest.mark.parametrize("closed", [False, True])
def test_it_answers_as_the_full_model_does(closed: bool) -> None:
    answers = []
    for board in random_boards(150):
        arcs = [(source, target) for source, target in board.arcs.tolist()]
        tour = find_tour(board.squares.tolist(), arcs, closed)
        full = answer(Task(Instance(board, closed=closed)))
        assert (tour is None) == (full.status is Status.IMPOSSIBLE)
        if tour is not None:
            assert is_tour(board, np.array(tour), closed)
        answers.append(tour is not None)
    assert 40 < sum(answers) < len(answers) - 40


def test_it_finds_directed_circuits_of_any_graph() -> None:
    ring = [(node, (node + 2) % 7) for node in range(7)]
    assert find_tour(list(range(7)), ring, closed=True) == [0, 2, 4, 6, 1, 3, 5]
    assert find_tour(list(range(7)), ring[1:], closed=True) is None
    assert find_tour(list(range(7)), ring[1:], closed=False) == [2, 4, 6, 1, 3, 5, 0]
    named = [("a", 1), (1, (2, 3)), ((2, 3), "a")]
    assert find_tour(["a", 1, (2, 3)], named, closed=True) == ["a", 1, (2, 3)]


@pytest.mark.parametrize(("arguments", "side"), [([], 8), (["6"], 6)])
def test_it_prints_a_closed_tour(arguments: list[str], side: int) -> None:
    shown = python("-m", "kt_cp.model.plain", *arguments)
    steps = [[int(step) for step in line.split()] for line in shown.stdout.splitlines()]
    assert is_tour(Board(side, side), np.argsort(np.array(steps).ravel()), closed=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["abc"], 2), (["8", "8"], 2)])
def test_it_says_in_one_line_how_it_is_used(arguments: list[str], code: int) -> None:
    shown = python("-m", "kt_cp.model.plain", *arguments)
    assert (shown.returncode, shown.stderr, shown.stdout.count("\n")) == (code, "", 1)
    assert shown.stdout.startswith("usage: ")
