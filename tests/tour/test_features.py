"""The features of a tour, against naive ones written from the definitions."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.count.counting import enumerate_tours
from kt_cp.messages import InputError
from kt_cp.tour.features import FEATURES, feature_named, features
from kt_cp.tour.tour import Tour
from tests.helpers.strategies import tours

Point = tuple[int, int]


def angle(before: Point, here: Point, after: Point) -> int:
    one = math.atan2(before[0] - here[0], before[1] - here[1])
    other = math.atan2(after[0] - here[0], after[1] - here[1])
    degrees = abs(math.degrees(one - other)) % 360
    return round(min(degrees, 360 - degrees))


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments share just one point, which is an end of neither."""
    (ay, ax), (by, bx), (cy, cx), (dy, dx) = a, b, c, d
    determinant = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if determinant == 0:
        return False
    t = Fraction((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx), determinant)
    u = Fraction((cx - ax) * (by - ay) - (cy - ay) * (bx - ax), determinant)
    return 0 < t < 1 and 0 < u < 1


def naive(tour: Tour) -> dict[str, int]:
    columns = tour.board.columns
    path = [divmod(square, columns) for square in tour]
    moves = list(itertools.pairwise(path))
    corners = list(zip(path, path[1:], path[2:], strict=False))
    if tour.closed:
        moves.append((path[-1], path[0]))
        corners += [(path[-2], path[-1], path[0]), (path[-1], path[0], path[1])]
    angles = [angle(*corner) for corner in corners]
    pairs = [
        (i, j)
        for i, j in itertools.combinations(range(len(moves)), 2)
        if crosses(*moves[i], *moves[j])
    ]
    slopes = [Fraction(-(b[0] - a[0]), b[1] - a[1]) if a[1] != b[1] else None for a, b in moves]
    return {
        "straight": angles.count(180),
        "turns": len(angles) - angles.count(180),
        **{f"angle-{each}": angles.count(each) for each in (37, 53, 90, 127, 143)},
        "acute": angles.count(37) + angles.count(53),
        "right": angles.count(90),
        "obtuse": angles.count(127) + angles.count(143),
        "crossings": len(pairs),
        "uncrossed": len(moves) - len(set(itertools.chain(*pairs))),
        **{f"slope{each}": slopes.count(Fraction(each)) for each in ("+1/2", "+2", "-1/2", "-2")},
    }


@given(tours())
def test_the_features_are_those_of_the_definitions(tour: Tour) -> None:
    assert features(tour) == naive(tour)


@given(st.lists(tours(), max_size=5), st.sampled_from([2, 1_000]))
def test_the_features_of_many_tours_are_those_of_each(several: list[Tour], batch: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kt_cp.tour.features._BATCH_SIZE", batch)
        together = features(iter(several))
    assert [*together] == [*FEATURES]
    for place, tour in enumerate(several):
        assert features(tour) == {name: values[place] for name, values in together.items()}


@pytest.mark.parametrize("piece", ["camel", "king", "dabbaba", "fiveleaper", "zebra"])
def test_other_pieces_and_several_at_once_have_what_is_defined_for_all(piece: str) -> None:
    board = Board(2, 2, piece="king") if piece == "king" else Board(1, 1, piece=piece)
    tour = Tour(board, board.squares.tolist() if piece != "king" else [0, 3, 1, 2])
    assert set(features(tour)) == {"turns", "straight", "crossings", "uncrossed"}
    assert features(tour).items() <= naive(tour).items()
    both = features([Tour("1x1", [0]), tour])
    assert {name: [0, value] for name, value in features(tour).items()} == {
        name: values.tolist() for name, values in both.items()
    }


@pytest.mark.exhaustive
def test_the_extremes_of_6x6_are_those_of_all_its_closed_tours() -> None:
    found = [
        features(tour) for tour in enumerate_tours(Board(6, 6), closed=True, up_to_symmetry=True)
    ]
    assert (min(f["turns"] for f in found), max(f["straight"] for f in found)) == (32, 4)


def test_the_symmetries_of_a_tour_are_named() -> None:
    tour = solve("10x10", closed=True, symmetry="quarter-turn").tour
    assert tour is not None
    rotations = ["identity", "half-turn", "quarter-turn", "quarter-turn back"]
    assert tour.symmetries_to(tour) == rotations
    row = Tour(Board(1, 4, piece="wazir"), [0, 1, 2, 3])
    assert row.symmetries_to(row) == ["identity", "half-turn", "left-right", "top-bottom"]


@pytest.mark.parametrize(
    ("board", "name", "message"),
    [
        (Board(8, 8), "beauty", "give one of turns, straight"),
        (Board(8, 8, topology="torus"), "turns", "only on a flat board, not a torus"),
        (Board(8, 8, piece="camel"), "angle-37", "only for knights"),
    ],
)
def test_what_is_not_defined_is_said(board: Board, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        feature_named(name).check(board)
