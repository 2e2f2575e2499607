"""Counting by a table over sets of vertices: the same numbers as exhaustive search."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from kt_cp import Count, InputError, count_tours
from kt_cp.count.subsets import MAX_VERTICES, count_by_subsets, unsupported_by_subsets
from kt_cp.graph import Graph, NamedGraph
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from tests.helpers.counting import tours_as_counted
from tests.helpers.strategies import instances


def complete_digraph(size: int) -> Graph:
    arcs = np.array(list(itertools.permutations(range(size), 2)))
    return NamedGraph(range(size), arcs.reshape(-1, 2), directed=True)


@given(instance=instances())
def test_any_constraints_leave_as_many_tours_as_exhaustive_search_finds(
    instance: Instance,
) -> None:
    assume(unsupported_by_subsets(instance) is None)
    assert count_by_subsets(instance, Clock()) == len(tours_as_counted(instance))


@pytest.mark.parametrize("size", [1, 2, 3, 11, MAX_VERTICES])
def test_a_complete_digraph_has_a_tour_for_every_order(size: int) -> None:
    graph = complete_digraph(size)
    cycles = math.factorial(size - 1) if size > 2 else 0
    assert count_tours(graph, method="subsets") == Count(
        math.factorial(size), True, "directed open"
    )
    assert count_tours(graph, closed=True, method="subsets").count == cycles


def test_auto_takes_subsets_where_the_frontier_is_slow_or_does_not_support_the_steps() -> None:
    assert count_tours(complete_digraph(18)).method == "subsets"
    assert count_tours("4x5", givens={0: 3}).method == "subsets"
    assert count_tours("4x5").method == "frontier"


def test_a_time_limit_holds() -> None:
    with pytest.raises(OutOfTimeError):
        count_by_subsets(Instance.of(complete_digraph(MAX_VERTICES)), Clock(0.01))
    late = count_tours(complete_digraph(MAX_VERTICES), time_limit=0.01)
    assert (late.complete, late.note) == (False, "the time limit was reached")


@pytest.mark.parametrize(
    ("size", "asked", "told"),
    [
        ("5x5", {}, "does not support more than 20 vertices; use another method"),
        ("4x5", {"symmetry": "half-turn"}, "does not support a symmetry"),
        ("4x5", {"require": ["a1-b3"]}, "does not support moves required in either direction"),
        ("4x5", {"having": ["turns>=3"]}, "does not support bounds on features"),
        ("4x5", {"limit": 5}, "does not support a limit"),
    ],
)
def test_what_subsets_do_not_support_is_refused(
    size: str, asked: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        count_tours(size, method="subsets", **asked)
