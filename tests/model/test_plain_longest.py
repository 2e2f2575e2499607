"""The page on longest paths gives the lengths of the full model."""

import re
import runpy

import numpy as np
import pytest

from kt_cp import Graph, longest_path
from kt_cp.model.plain_longest import find_longest
from kt_cp.tour.validator import validate_ids
from tests.helpers.command import ROOT
from tests.model.test_plain import random_boards

PAGE = ROOT / "kt_cp" / "model" / "plain_longest.py"


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


def test_it_finds_directed_cycles_of_any_graph() -> None:
    arcs = [("a", 1), (1, (2, 3)), ((2, 3), "a"), ((2, 3), "b"), ("b", (2, 3))]
    vertices = ["a", 1, (2, 3), "b"]
    assert sorted(map(str, find_longest(vertices, arcs, closed=True))) == ["(2, 3)", "1", "a"]
    assert find_longest(vertices, arcs, closed=False) == ["a", 1, (2, 3), "b"]
    assert find_longest("ab", [("a", "b"), ("b", "a")], closed=True) == []
    assert len(longest_path(Graph.of([(1, 2), (2, 3)])).tour or ()) == 3


@pytest.mark.parametrize(("argument", "told"), [("3", "8 of 9 squares: "), ("1", "1 of 1 squares")])
def test_it_prints_the_longest_path(
    argument: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["plain_longest", argument])
    runpy.run_path(str(PAGE), run_name="__main__")
    assert capsys.readouterr().out.startswith(told)


@pytest.mark.parametrize(("argument", "code"), [("--help", 0), ("abc", 2)])
def test_it_says_in_one_line_how_it_is_used(
    argument: str,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["plain_longest", argument])
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(PAGE), run_name="__main__")
    assert caught.value.code == code
    assert capsys.readouterr().out.startswith("usage: ")


def test_the_guide_shows_its_lines() -> None:
    guide = (ROOT / "docs" / "longest.md").read_text("utf-8")
    source = PAGE.read_text("utf-8")
    [shown] = re.findall(r"```python\n(    loops = .*?)```", guide, re.DOTALL)
    assert shown in source
    assert len(source.splitlines()) <= 60
