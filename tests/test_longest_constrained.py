"""Longest paths and cycles under random constraints, against brute force."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_cp import Board, InputError, Instance, Status, check, longest_path
from kt_cp.graph import Graph, NamedGraph
from kt_cp.methods import longer, windows
from tests.helpers.oracle import simple_paths

SYMMETRIES = ("half-turn", "half-turn-same", "half-turn-reverse", "quarter-turn", "left-right")
BOUNDS = ("crossings<=1", "crossings>=1", "turns<=3", "chords<=2", "chords>=2", "slope+2>=1")
SHAPES = ((3, 3), (3, 4), (2, 6))


def random_graph(random: Random) -> Graph:
    """Return a board with holes, or a graph of up to ten vertices, directed or not."""
    if random.random() < 0.5:
        rows, columns = random.choice(SHAPES)
        holes = random.sample(range(rows * columns), random.randint(0, 5))
        return Board(rows, columns, sorted(holes), piece=random.choice(["knight", "zebra"]))
    count, directed = random.randint(1, 10), random.random() < 0.5
    pairs = [(a, b) for a in range(count) for b in range(count) if (a != b if directed else a < b)]
    return NamedGraph(range(count), [each for each in pairs if random.random() < 0.2], directed)


def random_constraints(random: Random, graph: Graph) -> dict[str, Any]:
    """Return keyword arguments of `longest_path`, which may contradict one another.

    The move of ``exclude`` is to be excluded in one direction by a function of the caller.
    """
    vertices, arcs = graph.vertices.tolist(), graph.arcs.tolist()
    asked: dict[str, Any] = {"closed": random.random() < 0.4}
    choices: dict[str, Any] = {
        "start": random.choice(vertices),
        "visit": [random.choice(vertices)],
        "at_least": random.randint(1, len(vertices)),
        "induced": True,
    }
    if not asked["closed"]:
        choices["end"] = random.choice(vertices)
    if arcs:
        choices["require"] = [tuple(random.choice(arcs))]
        choices["forbid"] = [tuple(random.choice(arcs)) for _ in range(2)]
        choices["exclude"] = tuple(random.choice(arcs))
    if isinstance(graph, Board):
        choices["uncrossed"] = True
        choices["symmetry"] = random.choice(SYMMETRIES)
        choices["having"] = random.choice(BOUNDS)
    return asked | {name: each for name, each in choices.items() if random.random() < 0.25}


def most_by_brute_force(instance: Instance, excluded: tuple[int, int] | None) -> int:
    """Return the squares of a longest tour without a move in one direction, or 0."""
    most, graph = 0, instance.graph
    for path in simple_paths(graph):
        moves = [*pairwise(path)]
        if instance.closed:
            moves.append((path[-1], path[0]))
            if len(path) < 3 or path[0] not in graph.neighbors(path[-1]):
                continue
        if len(path) > most and excluded not in moves and instance.satisfied_by(np.array(path)):
            most = len(path)
    return most


@pytest.mark.exhaustive
@pytest.mark.parametrize("are_small", [False, True])
def test_with_random_constraints_the_longest_is_that_of_brute_force(
    are_small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if are_small:  # searches of large graphs and boards are used for small ones
        monkeypatch.setattr(windows, "_MIN_VERTICES", 5)
        monkeypatch.setattr(windows, "_FIRST_SIZE", 5.0)
        monkeypatch.setattr(longer, "_FEWEST_FOR_SYMMETRY", 0)
    random = Random(1)
    for _ in range(25):
        graph = random_graph(random)
        asked = random_constraints(random, graph)
        excluded = asked.pop("exclude", None)
        if excluded is not None:
            asked["constrain"] = excluding(excluded)
        try:
            result = longest_path(graph, workers=1, certificate=True, **asked)
        except InputError:  # the constraints contradict one another
            continue
        most = most_by_brute_force(result.instance, excluded)
        assert (len(result.tour) if result.tour else 0) == most, asked
        assert (result.status is Status.FOUND) == (most > 0)
        assert result.certificate is None or check(result.certificate)


def excluding(move: tuple[int, int]) -> Any:
    """Return a function of a caller that excludes a move in one direction."""
    return lambda model: model.cp.add(model.move(*move) == 0)
