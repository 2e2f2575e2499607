"""Longest paths and cycles, against brute force and published tables."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_cp import solve, validate
from kt_cp.board import Board, Symmetry
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.methods import longest as methods
from kt_cp.methods.longest import WindowSearch
from kt_cp.methods.result import Result, SearchInterruptedError
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.proof.checker import check
from kt_cp.solving import longest_cycle, longest_path
from kt_cp.tour.tour import Tour
from kt_dfs import Status
from tests.helpers.oracle import looks_symmetric, most_squares, moves_along, partial_tours

nx = pytest.importorskip("networkx")


def names_of(result: Result) -> list[Any]:
    assert result.tour is not None
    return result.tour.names


def value(graph: Graph, closed: bool) -> float:
    result = longest_path(graph, closed=closed, workers=1)
    if result.objective is None:
        assert result.status is Status.IMPOSSIBLE
        return 0
    assert result.objective.optimal
    assert result.tour is not None
    assert validate(graph, result.tour.names, closed, partial=True)
    return result.objective.value


ATLAS = [each for each in nx.graph_atlas_g() if each.number_of_nodes() and nx.is_connected(each)]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_of_connected_graphs_of_seven_vertices_is_that_of_brute_force(
    every: int, closed: bool
) -> None:
    for drawn in ATLAS[::every]:
        graph = Graph.of(drawn)
        most = most_squares(partial(graph, closed=closed))
        assert value(graph, closed) == most, drawn.edges


def test_constraints_are_met() -> None:
    moves: Any = {"require": ["c2-a3"], "forbid": ["a1-b3"]}
    names = names_of(longest_path("4x4", visit=["d1"], start="a1", end="d4", **moves))
    assert (names[0], names[-1]) == ("a1", "d4")
    assert "d1" in names
    assert names_of(longest_cycle("3x3", start="c3"))[0] == "c3"


def test_a_path_of_more_squares_than_the_longest_is_impossible() -> None:
    assert longest_path("4x4", at_least=15)
    assert longest_path("4x4", at_least=16).status is Status.IMPOSSIBLE


def test_ctrl_c_leaves_the_longest_path_so_far_and_the_bound() -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(SearchInterruptedError) as caught:
        longest_path("4x4", progress=interrupt)
    result = caught.value.result
    assert result.objective is not None
    assert len(names_of(result)) == result.objective.value
    assert result.objective.bound == 15


def test_bounds_on_the_cycles_of_a_board_are_even() -> None:
    objective = longest_cycle("5x5", uncrossed=True).objective
    assert objective is not None
    bounds = [each.bound for each in objective.trace]
    assert bounds
    assert all(bound is not None and bound % 2 == 0 for bound in bounds)


def test_a_function_adds_constraints() -> None:
    def no_corner(model: Any) -> None:
        model.cp.add(model.edge("a1", "b3") + model.edge("a1", "c2") == 0)

    assert "a1" not in names_of(longest_path("4x4", constrain=no_corner))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"givens": {"a1": 3}}, "given steps: only for tours that visit every square"),
        ({"at_least": 17}, "at_least 17: give 1 to 16"),
        ({"visit": ["e9"]}, "visit"),
    ],
)
def test_other_constraints_are_refused(asked: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        longest_path("4x4", **asked)


def test_a_tour_of_all_squares_may_be_uncrossed_or_induced() -> None:
    assert names_of(solve([(1, 2), (2, 3)], induced=True)) == [1, 2, 3]
    assert not solve([(1, 2), (2, 3), (3, 1)], induced=True)
    assert not solve("3x4", uncrossed=True)


# -- under random constraints --------------------------------------------------------------------

BOUNDS = ("crossings<=1", "crossings>=1", "turns<=3", "chords<=2", "chords>=2", "slope+2>=1")
SHAPES = ((3, 3), (3, 4), (2, 6))


def random_graph(random: Random) -> Graph:
    """Return a board with holes, or a graph of up to ten vertices, directed or not."""
    if random.random() < 0.5:
        rows, columns = random.choice(SHAPES)
        holes = random.sample(range(rows * columns), random.randint(0, 5))
        return Board(rows, columns, sorted(holes), piece=random.choice(["knight", "zebra"]))
    count = random.randint(1, 10)
    directed = random.random() < 0.5
    pairs = [(a, b) for a in range(count) for b in range(count) if (a != b if directed else a < b)]
    return Graph(range(count), [each for each in pairs if random.random() < 0.2], directed)


def random_constraints(random: Random, graph: Graph) -> dict[str, Any]:
    """Return keyword arguments of `longest_path`, which may contradict one another.

    The move of ``exclude`` is to be excluded in one direction by a function of the caller.
    """
    vertices = graph.vertices.tolist()
    arcs = graph.arcs.tolist()
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
        choices["symmetry"] = random.choice([*Symmetry])
        choices["having"] = random.choice(BOUNDS)
    return asked | {name: each for name, each in choices.items() if random.random() < 0.25}


@pytest.mark.parametrize("are_small", [False, True])
@pytest.mark.parametrize("count", [6, pytest.param(25, marks=pytest.mark.exhaustive)])
def test_with_random_constraints_the_longest_is_that_of_brute_force(
    count: int, are_small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if are_small:  # searches of large graphs and boards are used for small ones
        monkeypatch.setattr(methods, "_MIN_VERTICES", 5)
        monkeypatch.setattr(methods, "_WINDOW_SIZE", 5)
        monkeypatch.setattr(methods, "_FEWEST_FOR_SYMMETRY", 0)
    random = Random(count)
    for _ in range(count):
        graph = random_graph(random)
        asked = random_constraints(random, graph)
        excluded = asked.pop("exclude", None)
        if excluded is not None:
            asked["constrain"] = excluding(excluded)
        try:
            result = longest_path(graph, workers=1, certificate=True, **asked)
        except InputError:  # the constraints contradict one another
            continue
        found = partial_tours(result.instance)
        allowed = [path for path in found if excluded not in moves_along(path, asked["closed"])]
        most = max(map(len, allowed), default=0)
        assert (len(result.tour) if result.tour else 0) == most, asked
        assert (result.status is Status.FOUND) == (most > 0)
        assert result.certificate is None or check(result.certificate)


@pytest.mark.parametrize(
    ("bound", "closed"),
    [
        *[(each, False) for each in ("crossings<=1", "slope+2>=2", "uncrossed>=3", "crossings>=4")],
        *[(each, False) for each in ("turns<=3", "acute>=3", "angle-90=2", "chords<=1")],
        *[(each, True) for each in ("turns<=6", "acute>=4", "chords=0", "crossings<=4")],
    ],
)
def test_a_bound_on_a_feature_is_kept_as_by_brute_force(bound: str, closed: bool) -> None:
    result = longest_path("3x4", closed=closed, having=bound, workers=1)
    assert result.objective is not None
    assert result.objective.value == most_squares(result.instance)


def excluding(move: tuple[int, int]) -> Any:
    """Return a function of a caller that excludes a move in one direction."""
    return lambda model: model.cp.add(model.move(*move) == 0)


# -- the searches ---------------------------------------------------------------------------------


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
def test_each_window_leaves_a_longer_tour_that_meets_the_constraints(
    path: str, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods, "_WINDOW_SIZE", 15)  # so that most of a path is outside
    instance = partial(HOLES, **asked)
    squares = np.array([HOLES.vertex(name) for name in path.split()], dtype=np.int32)
    tours = [squares, *islice(WindowSearch(instance, seed=1).longer_tours(squares, Clock()), 6)]
    assert len(tours) > 4
    for before, after in pairwise(tours):
        assert len(before) < len(after)
        assert instance.satisfied_by(after)
        assert Tour.from_ids(HOLES, after, instance.closed, partial=True)


def test_a_board_of_odd_sides_has_a_cycle_of_all_squares_but_one() -> None:
    objective = longest_path("13x13", closed=True, workers=1).objective
    assert objective is not None
    assert (objective.value, objective.optimal) == (168, True)


@pytest.mark.parametrize(
    "asked",
    [{"induced": True, "having": "chords>=2"}, {"uncrossed": True, "having": "crossings>=1"}],
)
def test_bounds_that_contradict_each_other_are_impossible(asked: Any) -> None:
    assert longest_path("3x4", **asked).status is Status.IMPOSSIBLE


# -- with a symmetry ------------------------------------------------------------------------------


@pytest.mark.parametrize("symmetry", [*Symmetry])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    "board",
    [
        Board(3, 3),
        Board(3, 3, piece="king", holes=[1]),  # a reflection fixes a column of squares
        Board(4, 4, holes=[5]),  # symmetric paths leave out the images of the hole
    ],
    ids=lambda board: f"{board.title} {board.piece.name}",
)
def test_the_longest_symmetric_path_is_that_of_brute_force(
    board: Board, closed: bool, symmetry: Symmetry
) -> None:
    result = longest_path(board, closed=closed, symmetry=symmetry, workers=1)
    most = most_squares(result.instance)
    assert (len(result.tour) if result.tour else 0) == most
    if result.tour is not None:
        moves = set(map(tuple, result.tour.moves.tolist()))
        assert not moves or looks_symmetric(result.instance, moves, symmetry)


@pytest.mark.parametrize(
    ("size", "asked", "most"),
    [
        ("6x6", {"closed": True, "symmetry": "quarter-turn"}, 36),
        ("5x5", {"symmetry": "half-turn"}, 25),
        ("6x6", {"closed": True, "symmetry": "half-turn", "uncrossed": True}, 12),
        ("5x5", {"closed": True, "symmetry": "quarter-turn", "induced": True}, 16),
    ],
)
def test_other_constraints_hold_beside_a_symmetry(
    size: str, asked: dict[str, Any], most: int
) -> None:
    """Uncrossed 12 (OEIS A157416) and induced 16 (A165143) are the most without a symmetry, too."""
    result = longest_path(size, workers=1, **asked)
    assert result.tour is not None
    assert result.objective is not None
    assert (result.objective.value, result.objective.optimal) == (most, True)
    assert result.instance.satisfied_by(result.tour.squares)


def test_a_path_without_the_symmetry_does_not_meet_the_constraint() -> None:
    instance = longest_path("3x3", closed=True, symmetry="half-turn").instance
    assert not instance.satisfied_by(Tour("3x3", [0, 5, 6, 1], partial=True).squares)


@pytest.mark.parametrize(
    ("size", "asked", "why"),
    [
        ("4x4", {"symmetry": "half-turn-same"}, "every square of a path stays in place"),
        ("4x4", {"symmetry": "left-right"}, "its middle square or move stays in place"),
        ("6x6", {"symmetry": "half-turn-reverse", "closed": True}, "two of its squares or moves"),
    ],
)
def test_an_impossible_symmetry_is_refused_with_a_reason(
    size: str, asked: dict[str, Any], why: str
) -> None:
    result = longest_path(size, **asked)
    assert result.status is Status.IMPOSSIBLE
    assert why in str(result.reason)


@pytest.mark.parametrize(
    ("graph", "symmetry", "words"),
    [
        ("4x5", "quarter-turn", "a quarter-turn needs a square board"),
        ([(1, 2), (2, 3)], "half-turn", "symmetry half-turn"),
        ("4x4", "diagonal", "give one of half-turn"),
    ],
)
def test_a_symmetry_that_the_board_cannot_have_is_refused_as_by_solve(
    graph: Any, symmetry: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        longest_path(graph, symmetry=symmetry)


def test_a_symmetric_certificate_claims_no_more_than_it_proves() -> None:
    result = longest_path("4x4", closed=True, symmetry="left-right", certificate=True)
    assert result.certificate is not None
    assert result.certificate.instance.symmetry is None
