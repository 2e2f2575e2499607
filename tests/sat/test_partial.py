"""Uncrossed and induced tours by CaDiCaL: as long as those of brute force, and never longer."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, distinct_symmetries
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.sat.partial import FEWEST_SQUARES, PartialSolver, can_choose_edges
from tests.helpers.oracle import partial_tours
from tests.helpers.strategies import ends_and_moves, graphs


def partial(board: Board | Graph | str, **asked: Any) -> Instance:
    return replace(Instance.of(board, **asked), allows_partial=True)


def tours_of(instance: Instance) -> list[list[int]]:
    """Return the partial tours of at least three squares."""
    return [path for path in partial_tours(instance) if len(path) >= FEWEST_SQUARES]


def is_mapped_onto_itself(squares: Any, closed: bool, symmetry: TourMap) -> bool:
    """Whether a symmetry maps the squares and moves of a tour onto themselves."""
    path = [int(square) for square in squares]
    moves = {frozenset(pair) for pair in pairwise([*path, path[0]] if closed else path)}
    images = symmetry.images.tolist()
    mapped = {frozenset(images[square] for square in move) for move in moves}
    return {images[square] for square in path} == set(path) and mapped == moves


def most_by_edges(instance: Instance, symmetry: TourMap | None = None) -> int:
    """The squares of the longest tour that the solver finds, each checked, or 0."""
    solver = PartialSolver(instance, Clock(), symmetry=symmetry)
    most = 0
    while (squares := solver.search(max(FEWEST_SQUARES, most + 1))) is not None:
        assert instance.satisfied_by(squares)
        assert len(squares) > most
        most = len(squares)
    assert solver.is_exhausted
    return most


@st.composite
def constrained(draw: st.DrawFn, graph: Graph) -> Instance:
    """Draw an instance of partial tours that are induced and, on a board, perhaps uncrossed."""
    closed, start, end, _ = draw(ends_and_moves(graph))
    vertices = st.sampled_from(graph.vertices.tolist())
    asked: dict[str, Any] = {"induced": True}
    if graph.has_places:
        asked = draw(st.sampled_from([{"uncrossed": True}, asked, {"uncrossed": True, **asked}]))
    moves: st.SearchStrategy[list[Move]] = st.just([])
    if len(graph.arcs):
        moves = st.lists(
            st.sampled_from(graph.arcs.tolist()).map(lambda arc: Move(*arc)), max_size=1
        )
    return replace(
        Instance.of(graph, closed=closed, **asked),
        allows_partial=True,
        start=start,
        end=None if end == start else end,
        visit=tuple(draw(st.lists(vertices, max_size=1))),
        require=tuple(draw(moves)),
        forbid=tuple(draw(moves)),
    )


SMALL_BOARDS = (
    Board(3, 3),
    Board(3, 4, holes=[5]),
    Board(4, 4, holes=[0, 3, 9, 14]),
    Board(3, 3, piece="king"),
)


@pytest.mark.exhaustive
@given(st.sampled_from(SMALL_BOARDS).flatmap(constrained))
def test_on_boards_the_longest_is_that_of_brute_force(instance: Instance) -> None:
    assert can_choose_edges(instance)
    assert most_by_edges(instance) == max(map(len, tours_of(instance)), default=0)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("board", [Board(3, 3), Board(3, 4), Board(4, 4, [0, 3, 12, 15])])
def test_no_symmetric_tour_of_brute_force_is_longer_than_the_one_found(
    board: Board, closed: bool
) -> None:
    instance = partial(board, closed=closed, induced=True)
    tours = tours_of(instance)
    for symmetry in distinct_symmetries(instance):
        symmetric = [each for each in tours if is_mapped_onto_itself(each, closed, symmetry)]
        # One of several cycles that are mapped onto each other may be longer.
        most = most_by_edges(instance, symmetry)
        assert max(map(len, symmetric), default=0) <= most <= max(map(len, tours))


@given(graphs(directed=False).flatmap(constrained))
def test_in_graphs_the_longest_is_that_of_brute_force(instance: Instance) -> None:
    assert can_choose_edges(instance)
    assert most_by_edges(instance) == max(map(len, tours_of(instance)), default=0)


@pytest.mark.parametrize(
    ("size", "asked", "most"),
    [
        ("6x6", {"closed": True, "uncrossed": True}, 12),  # OEIS A157416
        ("7x7", {"closed": True, "uncrossed": True}, 24),
        ("5x5", {"uncrossed": True}, 11),  # A003192, a path has a square more than moves
        ("6x6", {"induced": True}, 21),  # A357500
        ("8x8", {"closed": True, "induced": True}, 32),  # A165143
    ],
)
def test_the_longest_is_the_published_one(size: str, asked: Any, most: int) -> None:
    solver = PartialSolver(partial(size, **asked), Clock())
    squares = solver.search(most)
    assert squares is not None
    assert len(squares) == most
    more = most + 2 if asked.get("closed") else most + 1
    assert solver.search(more) is None
    assert solver.is_exhausted


def test_a_search_ends_at_its_limits_without_an_answer() -> None:
    solver = PartialSolver(partial("9x9", induced=True), Clock())
    assert solver.search(40, max_propagations=1000) is None
    assert not solver.is_exhausted
    assert solver.propagations >= 1000
    solver.clock = Clock(0.001)
    with pytest.raises(OutOfTimeError):
        solver.search(41)
