"""What is large goes by in chunks: the same text and verdict, in little memory."""

import json
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from hypothesis import given

from kt_cp import Board, FaultKind, Notation, Tour, solve, validate
from kt_cp.notation.write import tour_bytes, write_graph, write_tour
from tests.helpers.chunks import in_chunks_of
from tests.helpers.strategies import tours

TEXT = [each for each in Notation if each not in (Notation.HCP, Notation.NPY)]
exhaustive = pytest.mark.exhaustive
SIDE = 150
# Some arrays of int32. A Python integer takes 28 bytes, a string 50, and a list 8 for each.
WRITING, JUDGING = 14, 26  # bytes per square


@pytest.mark.parametrize("notation", [each for each in TEXT if each is not Notation.JSON])
@given(tour=tours())
def test_chunks_leave_no_trace_in_the_text(notation: Notation, tour: Tour) -> None:
    at_once = list(write_tour(tour, notation))
    with in_chunks_of(3):
        assert list(write_tour(tour, notation)) == at_once
        assert b"".join(tour_bytes(tour, notation)).decode() == "".join(
            f"{line}\n" for line in at_once
        )


@given(tour=tours())
def test_json_is_one_line_but_a_long_tour_goes_on_after_a_comma(tour: Tour) -> None:
    assert list(write_tour(tour, Notation.JSON)) == [json.dumps(tour.as_dict())]
    with in_chunks_of(3):
        lines = list(write_tour(tour, Notation.JSON))
    assert json.loads("\n".join(lines)) == tour.as_dict()
    assert len(lines) == -(-len(tour) // 3)
    assert all(line.endswith(",") for line in lines[:-1])


def test_a_graph_is_the_same_in_chunks() -> None:
    board = Board(4, 5, holes=[7], topology="torus")
    at_once = list(write_graph(board))
    with in_chunks_of(3):
        assert list(write_graph(board)) == at_once


@cache
def large_tour() -> Tour:
    tour = solve(Board(SIDE, SIDE), closed=True, method="compose").tour
    assert tour is not None
    return tour


@pytest.fixture
def peak() -> Iterator[Callable[[], float]]:
    """The most memory taken so far, in bytes per square of the large tour."""
    large_tour()
    with in_chunks_of(2**7):
        tracemalloc.start()
        yield lambda: tracemalloc.get_traced_memory()[1] / SIDE**2
        tracemalloc.stop()


@pytest.mark.parametrize(
    "notation",
    [pytest.param(each, marks=[exhaustive] * (place % 5 > 0)) for place, each in enumerate(TEXT)],
)
def test_a_tour_is_written_in_little_memory(notation: Notation, peak: Callable[[], float]) -> None:
    for _ in tour_bytes(large_tour(), notation):
        pass
    assert peak() < WRITING


def test_squares_and_graph_are_given_in_little_memory(peak: Callable[[], float]) -> None:
    for _ in large_tour():
        pass
    for _ in write_graph(Board(SIDE, SIDE)):
        pass
    assert peak() < WRITING


@pytest.mark.exhaustive
def test_a_path_full_of_faults_is_judged_in_little_memory(peak: Callable[[], float]) -> None:
    path = np.random.default_rng(0).permutation(large_tour().squares)
    path[1] = path[0]
    report = validate(large_tour().board, path)
    kinds = Counter(fault.kind for fault in report.iter_faults())
    assert kinds == report.counts
    assert (kinds[FaultKind.REPEAT], kinds[FaultKind.MISSING]) == (1, 1)
    assert kinds[FaultKind.ILLEGAL_MOVE] > 0.99 * SIDE**2
    assert peak() < JUDGING
