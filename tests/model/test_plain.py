"""The two files to read first give the answers of the whole circuit model."""

import random
import re
from collections.abc import Iterator

import numpy as np
import pytest

from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.methods.circuit import answer
from kt_cp.model.plain import find_tour
from kt_cp.model.plain_longest import find_longest
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.solving import longest_path
from kt_cp.tour.validator import is_tour, validate_ids
from kt_dfs import Status
from tests.helpers.command import ROOT, python


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


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("number", [6, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_it_finds_paths_and_cycles_as_long_as_the_full_model_does(
    number: int, closed: bool
) -> None:
    lengths = set()
    for board in random_boards(number):
        arcs = [(source, target) for source, target in board.arcs.tolist()]
        path = find_longest(board.squares.tolist(), arcs, closed)
        full = longest_path(board, closed=closed, workers=1)
        assert len(path) == (0 if full.objective is None else full.objective.value)
        report = validate_ids(board, np.array(path, dtype=np.int64), closed)
        assert not path or {*report.counts} <= {"missing"}
        lengths.add(len(path))
    assert len(lengths) > 3


def test_it_finds_longest_directed_cycles_of_any_graph() -> None:
    arcs = [("a", 1), (1, (2, 3)), ((2, 3), "a"), ((2, 3), "b"), ("b", (2, 3))]
    vertices = ["a", 1, (2, 3), "b"]
    assert sorted(map(str, find_longest(vertices, arcs, closed=True))) == ["(2, 3)", "1", "a"]
    assert find_longest(vertices, arcs, closed=False) == ["a", 1, (2, 3), "b"]
    assert find_longest("ab", [("a", "b"), ("b", "a")], closed=True) == []
    assert len(longest_path(Graph.of([(1, 2), (2, 3)])).tour or ()) == 3


def test_the_guide_shows_its_lines() -> None:
    guide = (ROOT / "docs" / "longest.md").read_text("utf-8")
    source = (ROOT / "kt_cp" / "model" / "plain_longest.py").read_text("utf-8")
    [shown] = re.findall(r"```python\n(    loops = .*?)```", guide, re.DOTALL)
    assert shown in source
    assert len(source.splitlines()) <= 60
