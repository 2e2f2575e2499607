"""Searches within windows: the tours become longer, and meet the constraints."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_cp import Board, InputError, Instance, longest_path
from kt_cp.graph import NamedGraph
from kt_cp.methods import windows
from kt_cp.methods.walks import random_walks
from kt_cp.methods.windows import WindowSearch, can_use_windows
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.tour.tour import Tour
from tests.helpers.oracle import simple_paths


@pytest.fixture(autouse=True)
def _small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make windows so small that most of a path is outside."""
    monkeypatch.setattr(windows, "_FIRST_SIZE", 15.0)
    monkeypatch.setattr(windows, "_MAX_SIZE", 25.0)


def partial(graph: Any, **asked: Any) -> Instance:
    visit = tuple(graph.vertex(each) for each in asked.pop("visit", ()))
    return replace(Instance.of(graph, **asked), allows_partial=True, visit=visit)


HOLES = Board(8, 8, [3, 9, 20, 27, 30, 41, 50, 62])


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("a8 b6 c8", {}),
        ("a8 b6 c8", {"start": "a8"}),
        ("c8 b6 a8", {"end": "a8", "forbid": ["a8-c7"]}),
        ("a8 b6 c8 d6 f7", {"start": "a8", "end": "f7", "visit": ["d6"]}),
        ("a8 b6 c8", {"require": ["a8-b6"]}),
        ("a8 b6 c8", {"require": ["a8>b6"]}),
        ("a8 b6 c8", {"visit": ["b6"], "having": "squares>=3"}),
        ("a8 b6 c8 a7 c6 b8 d7 c5", {"forbid": ["b8>c6"], "visit": ["a8"]}),
        ("c6 a7 c8 e7", {"closed": True, "start": "c6"}),
    ],
)
def test_each_tour_is_longer_and_meets_the_constraints(path: str, asked: Any) -> None:
    instance = partial(HOLES, **asked)
    squares = np.array([HOLES.vertex(name) for name in path.split()], dtype=np.int32)
    tours = [squares, *islice(WindowSearch(instance, seed=1).longer_tours(squares, Clock()), 6)]
    assert len(tours) == 7
    for before, after in pairwise(tours):
        assert len(before) < len(after)
        assert instance.satisfied_by(after)
        assert Tour.from_ids(HOLES, after, instance.closed, partial=True)


def test_arcs_of_a_digraph_are_followed_in_their_direction() -> None:
    random = Random(3)
    arcs = [(a, b) for a in range(40) for b in range(40) if a != b and random.random() < 0.08]
    instance = partial(NamedGraph(range(40), arcs, directed=True))
    first = max(random_walks(instance, seed=0), key=len)[:5]
    *_, last = WindowSearch(instance, seed=0).longer_tours(first, Clock())
    assert len(last) > 30
    assert all(pair in set(arcs) for pair in pairwise(last.tolist()))


def test_a_board_of_odd_sides_has_a_cycle_of_all_squares_but_one() -> None:
    assert can_use_windows(partial(Board(13, 13), closed=True))
    result = longest_path("13x13", closed=True, workers=1)
    assert result.objective is not None
    assert (result.objective.value, result.objective.optimal) == (168, True)


@pytest.mark.parametrize(
    "asked",
    [{"uncrossed": True}, {"having": "turns<=90"}, {"having": "squares<=20"}],
)
def test_other_constraints_are_left_to_other_searches(asked: Any) -> None:
    assert not can_use_windows(partial(Board(20, 20), **asked))


def test_it_ends_at_the_time_limit() -> None:
    tours = WindowSearch(partial(HOLES), seed=0).longer_tours(np.array([0, 10]), Clock(1e-9))
    with pytest.raises(OutOfTimeError):
        next(tours)


def test_with_random_constraints_the_longest_is_that_of_brute_force(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(windows, "_MIN_VERTICES", 6)
    monkeypatch.setattr(windows, "_FIRST_SIZE", 5.0)
    board = Board(3, 4, [5])
    paths = [np.array(path, dtype=np.int32) for path in simple_paths(board)]
    random, arcs = Random(7), board.arcs.tolist()
    for _ in range(20):
        asked: Any = {}
        for constraint in ("require", "forbid"):
            if random.random() < 0.4:
                source, target = random.choice(arcs)
                asked[constraint] = [f"{source}{random.choice('->')}{target}"]
        for end in ("start", "end"):
            if random.random() < 0.3:
                asked[end] = int(random.choice(board.vertices))
        try:
            instance = partial(board, **asked)
        except InputError:  # a required move is forbidden, or the ends are one square
            continue
        result = longest_path(board, workers=1, **asked)
        longest = max((len(path) for path in paths if instance.satisfied_by(path)), default=0)
        assert (len(result.tour) if result.tour else 0) == longest, asked
