"""The page `kt_dfs.textbook` gives the same answers as the instrumented search."""

import inspect
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest

from kt_dfs import Graph, Outcome, knight_graph, knight_tour, knight_tour_better, textbook
from kt_dfs.graph import parse_graph
from kt_dfs.textbook import fewest_onward_moves, unvisited

Instrumented = Callable[[Graph[int], int], Outcome[int]]
SEARCHES: dict[textbook.Order, Instrumented] = {
    unvisited: knight_tour,
    fewest_onward_moves: knight_tour_better,
}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that receives the length of the path at every call of the textbook's search."""
    lengths: list[int] = []
    original = textbook.extend

    def counting(graph: textbook.Graph, path: list[int], order: textbook.Order) -> bool:
        lengths.append(len(path))
        return original(graph, path, order)

    monkeypatch.setattr(textbook, "extend", counting)
    return lengths


@pytest.mark.parametrize(
    ("size", "order", "starts"),
    [
        *((size, order, range(size * size)) for size in (1, 2, 3, 4) for order in SEARCHES),
        *((5, order, (0, 2, 4, 6, 12, 20, 22, 24)) for order in SEARCHES),
        *(
            pytest.param(5, order, (7, 8, 10, 14, 16, 18), marks=pytest.mark.exhaustive)
            for order in SEARCHES
        ),
        (8, fewest_onward_moves, range(64)),
    ],
)
def test_both_searches_take_the_same_path_in_the_same_number_of_calls(
    size: int, order: textbook.Order, starts: Sequence[int], calls: list[int]
) -> None:
    for start in starts:
        calls.clear()
        path = [start]
        found = textbook.extend(textbook.knight_moves(size), path, order)
        outcome = SEARCHES[order](knight_graph(size), start)
        assert found is bool(outcome.path)
        assert path == list(outcome.path or (start,))
        assert len(calls) == outcome.calls


def test_the_graph_is_that_of_the_package() -> None:
    for size in range(1, 9):
        assert textbook.knight_moves(size) == {
            vertex.key: [neighbor.key for neighbor in vertex.neighbors]
            for vertex in knight_graph(size)
        }


def test_the_page_has_at_most_60_lines() -> None:
    assert len(inspect.getsource(textbook).splitlines()) <= 60


def test_the_page_is_a_program_that_prints_a_tour_and_no_warning() -> None:
    command = [sys.executable, "-m", "kt_dfs.textbook"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert sorted(map(int, done.stdout.split())) == [*range(1, 65)]
    assert done.stderr == ""


def test_edges_written_with_a_dash_are_refused_with_what_would_be_right() -> None:
    with pytest.raises(ValueError, match="edge 1, 'A-B': write A B"):
        parse_graph("A-B, B-C")
