"""Classes of tours by Burnside's lemma are those that images of tours form.

The images of every tour are computed here, by exhaustive search and without the lemma.
"""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kt_cp import Board, count_tours
from kt_cp.board.symmetry import board_symmetries
from kt_cp.problem.constraints import Constraints, Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_maps
from tests.helpers.counting import constraints_of
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import unusual_boards


def moves_of(tour: tuple[int, ...], closed: bool) -> frozenset[tuple[int, int]]:
    """Return the moves of a tour as pairs of ids."""
    onward = tour[1:] + tour[:1] if closed else tour[1:]
    return frozenset(zip(tour, onward, strict=False))


def classes_by_images(instance: Instance) -> int:
    """Return the number of classes by collecting the images of every tour."""

    def as_counted(moves: frozenset[tuple[int, int]]) -> frozenset[object]:
        if instance.closed and not instance.direction_matters:
            return frozenset(map(frozenset, moves))
        return moves

    maps = tour_maps(instance)
    return len(
        {
            frozenset(as_counted(each.images_of(moves_of(tour, instance.closed))) for each in maps)
            for tour in all_tours(instance)
        }
    )


@st.composite
def one_way_instances(draw: st.DrawFn) -> Instance:
    """Draw an instance with one-way moves that a symmetry, perhaps with reversal, preserves."""
    board = draw(unusual_boards())
    assume(len(board) >= 3 and len(board.arcs))
    images = draw(st.sampled_from(list(board_symmetries(board).values())))
    tour_map = TourMap(images, reverse=draw(st.booleans()))
    arc = tuple(draw(st.sampled_from(board.arcs.tolist())))
    orbit = {arc}
    for _ in range(3):
        orbit |= tour_map.images_of(orbit)
    assume(orbit <= set(map(tuple, board.arcs.tolist())))  # a horse may not jump back
    moves = tuple(Move(source, target, directed=True) for source, target in sorted(orbit))
    closed = draw(st.booleans())
    if draw(st.booleans()):
        return Instance.of(board, closed=closed, forbid=moves)
    return Instance.of(board, closed=closed, require=moves)


@settings(max_examples=20)
@given(instance=one_way_instances())
def test_classes_under_one_way_moves_are_those_that_images_form(instance: Instance) -> None:
    expected = classes_by_images(instance)
    for method in ("auto", "enumerate", "subsets"):
        count = count_tours(
            instance.board, up_to_symmetry=True, method=method, **constraints_of(instance)
        )
        assert (count.count, count.complete) == (expected, True)


KINGS = Board(3, 4, piece="king")


@pytest.mark.parametrize(
    ("board", "constraints"),
    [
        (KINGS, {"closed": True}),
        (KINGS, {"closed": True, "forbid": ["b2>c2", "c2>b2"]}),  # a half-turn, two reflections
        (KINGS, {"closed": True, "forbid": ["b2>c2"]}),
        (KINGS, {"closed": True, "forbid": ["b1>c1", "c3>b3"]}),  # a half-turn
        (KINGS, {"closed": True, "forbid": ["a1>b2", "d3>c2"]}),
        (KINGS, {"closed": True, "require": ["a1>a2", "d3>d2"]}),
        (KINGS, {"closed": True, "require": ["a1>a2", "d2>d3"]}),  # kept by reversal alone
        (Board(3, 3, piece="king"), {"forbid": ["a1>b1", "c3>b3"]}),
        (Board(3, 4, piece="wazir"), {"closed": True, "forbid": ["b2>c2", "c2>b2"]}),
        (
            Board(4, 4, piece="wazir"),
            {"closed": True, "forbid": ["b2>c2", "c2>c3", "c3>b3", "b3>b2"]},
        ),
        (Board(3, 4), {"forbid": ["a1>b3", "d3>c1"]}),
    ],
)
@pytest.mark.parametrize("method", ["subsets", "frontier"])
def test_classes_are_those_of_exhaustive_search(
    board: Board, constraints: Constraints, method: str
) -> None:
    expected = classes_by_images(Instance.of(board, **constraints))
    count = count_tours(board, up_to_symmetry=True, method=method, **constraints)
    assert (count.count, count.complete, count.counted) == (expected, True, "classes")


def test_reflections_in_a_diagonal_are_enumerated() -> None:
    board = Board(4, 4, holes=[0, 15], piece="king")
    constraints: Constraints = {"closed": True, "forbid": ["b2>c3", "c3>b2"]}
    expected = classes_by_images(Instance.of(board, **constraints))
    count = count_tours(board, up_to_symmetry=True, method="subsets", **constraints)
    assert (count.count, count.complete, count.method) == (expected, True, "enumerate")
