"""Tours as woven bands."""

import itertools
from xml.etree import ElementTree

import numpy as np
import pytest

from kt_cp import Board, InputError, Tour, features, solve
from kt_cp.draw.geometry import centers
from kt_cp.draw.look import Look, Style
from kt_cp.draw.tours import tour_picture
from kt_cp.draw.weave import (
    Gap,
    _alternating_sides,
    _crossing_shares,
    _layered_sides,
    _nudged,
    _pieces,
    gaps_under_moves,
)
from kt_cp.tour.features import MovePairs, ends_of
from tests.helpers.pictures import closed_tour, corners, elements, open_tour, torus_tour, words


def larger_tour() -> Tour:
    tour = solve("10x12", closed=True, seed=1).tour
    assert tour is not None
    return tour


@pytest.mark.parametrize("tour", [closed_tour(), larger_tour()], ids=repr)
def test_a_closed_band_passes_over_and_under_in_turn(tour: Tour) -> None:
    ends = centers(tour.board)[tour.moves]
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    shares = _crossing_shares(_nudged(ends, tour), pairs)
    visits = np.lexsort((shares.ravel(), pairs.ravel()))
    crossings, sides = np.divmod(visits, 2)
    is_over = _alternating_sides(visits, len(pairs))[crossings] == sides
    assert is_over.tolist() == [number % 2 == 0 for number in range(2 * len(pairs))]


@pytest.mark.parametrize("tour", [open_tour(), closed_tour(), larger_tour()], ids=repr)
def test_one_band_has_a_gap_at_each_crossing(tour: Tour) -> None:
    gaps = gaps_under_moves(centers(tour.board)[tour.moves], tour)
    assert sum(map(len, gaps.values())) == features(tour)["crossings"]


def test_bands_that_cross_nearly_at_one_point_lie_one_above_the_other() -> None:
    # Each pair of three moves crosses, all at one point.
    upper_sides = np.array([0, 1, 0])
    pairs = np.array([(0, 1), (0, 2), (1, 2)])  # 0 above 1, 1 above 2, and 2 above 0
    layered = _layered_sides(upper_sides, pairs, np.zeros(3, dtype=np.int64))
    above = {
        (pair[side], pair[1 - side]) for pair, side in zip(pairs.tolist(), layered, strict=True)
    }
    assert any({(a, b), (b, c), (a, c)} == above for a, b, c in itertools.permutations(range(3)))


def bands(tour: Tour) -> list[ElementTree.Element]:
    return elements(tour_picture(tour, Look(Style.WEAVE)), "path", **{"class": "band"})


def test_every_piece_of_a_band_has_four_corners() -> None:
    for tour in (closed_tour(), open_tour()):
        for band in bands(tour):
            assert len(corners(band)) == 4 * band.attrib["d"].count("M")
            assert band.get("fill-rule") == "nonzero", "where pieces overlap, nothing is blank"
        assert words(tour_picture(tour, Look(Style.WEAVE)))


def test_a_tour_of_one_square_has_no_band() -> None:
    tour = Tour(Board(1, 1), [0])
    assert not bands(tour)
    assert tour_picture(tour, Look(Style.WEAVE)).description.endswith("drawn as weave")


def test_a_band_that_nothing_crosses_is_one_piece_for_each_move() -> None:
    ring = Tour(Board(3, 3, holes=[4], piece="wazir"), [0, 1, 2, 5, 8, 7, 6, 3], closed=True)
    assert sum(band.attrib["d"].count("M") for band in bands(ring)) == len(ring)


def test_a_weave_needs_a_board_without_glued_edges() -> None:
    with pytest.raises(InputError, match="style weave: only for flat boards"):
        tour_picture(torus_tour(), Look(Style.WEAVE))


def test_a_gap_may_reach_beyond_the_end_of_a_move() -> None:
    ends = np.array([(0.0, 0.0), (2.0, 0.0)])
    [piece] = _pieces(ends, [Gap(1.9, 2.2, slant=0.15)])
    assert piece[:, 0].tolist() == [0, 2, 1.75, 0], "the left edge ends with the move"
    assert not [*_pieces(ends, [Gap(-0.1, 2.1, slant=0.0)])]
