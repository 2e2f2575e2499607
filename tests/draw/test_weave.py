"""Tours as woven bands."""

import numpy as np
import pytest

from kt_cp import Board, InputError, Tour, features, solve
from kt_cp.draw.geometry import centers
from kt_cp.draw.look import Look, Style
from kt_cp.draw.tour import tour_picture
from kt_cp.draw.weave import hidden_stretches
from kt_cp.tour.move_pairs import MovePairs, ends_of
from tests.helpers.pictures import closed_tour, corners, elements, open_tour, torus_tour, words


def larger_tour() -> Tour:
    tour = solve("10x12", closed=True, seed=1).tour
    assert tour is not None
    return tour


@pytest.mark.parametrize("tour", [closed_tour(), larger_tour()], ids=repr)
def test_a_closed_band_passes_over_and_under_in_turn(tour: Tour) -> None:
    ends = centers(tour.board)[tour.moves]
    gaps = hidden_stretches(ends, tour)
    crossings = features(tour)["crossings"]
    assert sum(map(len, gaps.values())) == crossings
    # Each move passes under at half of its crossings, up to one more or less.
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    visits = np.bincount(pairs.ravel(), minlength=len(tour.moves))
    for move, count in enumerate(visits.tolist()):
        assert abs(2 * len(gaps.get(move, [])) - count) <= 1


def test_a_woven_tour_has_as_many_parts_as_crossings() -> None:
    for tour, more in ((closed_tour(), 0), (open_tour(), 1)):
        picture = tour_picture(tour, Look(Style.WEAVE))
        bands = elements(picture, "path", **{"class": "band"})
        parts = sum(band.attrib["d"].count("M") for band in bands)
        assert parts == features(tour)["crossings"] + more
        assert words(picture)


def test_a_tour_of_one_square_has_no_band() -> None:
    picture = tour_picture(Tour(Board(1, 1), [0]), Look(Style.WEAVE))
    assert not elements(picture, "path", **{"class": "band"})
    assert picture.description.endswith("drawn as weave")


def test_a_band_that_nothing_crosses_is_one_part_whose_ends_join() -> None:
    ring = Tour(Board(3, 3, holes=[4], piece="wazir"), [0, 1, 2, 5, 8, 7, 6, 3], closed=True)
    [band] = elements(tour_picture(ring, Look(Style.WEAVE)), "path", **{"class": "band"})
    assert band.attrib["d"].count("M") == 1
    *_, last_but_one, last = corners(band)
    assert [last_but_one, last] == corners(band)[:2]


def test_a_weave_needs_a_board_without_glued_edges() -> None:
    with pytest.raises(InputError, match="crossings"):
        tour_picture(torus_tour(), Look(Style.WEAVE))


def test_a_gap_may_reach_the_end_of_the_last_move() -> None:
    # Its last move ends under another one, at a small angle to it.
    board = Board(17, 17, piece="1,8")
    squares = [
        *(212, 75, 100, 237, 246, 255, 280, 145, 154, 179, 44, 181, 46, 21, 12, 149, 158, 23),
        *(160, 25, 162),
    ]
    tour = Tour.from_ids(board, squares, closed=False, partial=True)
    gaps = hidden_stretches(centers(board)[tour.moves], tour)
    assert gaps[len(tour.moves) - 1][-1][1] == 1
    assert elements(tour_picture(tour, Look(Style.WEAVE)), "path", **{"class": "band"})
