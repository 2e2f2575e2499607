"""Tours as woven bands."""

from xml.etree import ElementTree

import numpy as np
import pytest

from kt_cp import Board, InputError, Tour, features, solve
from kt_cp.draw.layout import centers
from kt_cp.draw.look import Look, Style
from kt_cp.draw.tours import tour_picture
from kt_cp.draw.weave import (
    _alternating_sides,
    _crossing_shares,
    _nudged,
    gaps_under_moves,
)
from kt_cp.tour.features import MovePairs, ends_of
from tests.helpers.pictures import closed_tour, elements, open_tour, torus_tour


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


def bands(tour: Tour) -> list[ElementTree.Element]:
    return elements(tour_picture(tour, Look(Style.WEAVE)), "path", **{"class": "band"})


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
