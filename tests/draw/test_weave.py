"""Tours as woven bands."""

import numpy as np
import pytest

from kt_cp import Board, InputError, Tour, features, solve
from kt_cp.draw.layout import centers
from kt_cp.draw.look import Look, Style
from kt_cp.draw.tours import tour_picture
from kt_cp.draw.weave import _crossing_shares, bridges_of, upper_sides
from kt_cp.tour.features import MovePairs, ends_of
from tests.helpers.pictures import closed_tour, open_tour, segments, torus_tour


def larger_tour() -> Tour:
    tour = solve("10x12", closed=True, seed=1).tour
    assert tour is not None
    return tour


@pytest.mark.parametrize("tour", [closed_tour(), larger_tour()], ids=repr)
def test_a_closed_band_passes_over_and_under_in_turn(tour: Tour) -> None:
    ends = centers(tour.board)[tour.moves]
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    distances = _crossing_shares(ends, tour, pairs) * np.sqrt(5)
    visits = np.lexsort((distances.ravel(), pairs.ravel()))
    crossings, sides = np.divmod(visits, 2)
    is_over = upper_sides(distances, pairs)[crossings] == sides
    assert is_over.tolist() == [number % 2 == 0 for number in range(2 * len(pairs))]


@pytest.mark.parametrize("tour", [open_tour(), closed_tour(), larger_tour()], ids=repr)
def test_one_band_is_above_the_other_at_each_crossing(tour: Tour) -> None:
    upper, bridges = bridges_of(centers(tour.board)[tour.moves], tour)
    assert len(upper) == len(bridges) == features(tour)["crossings"]
    picture = tour_picture(tour, Look(Style.WEAVE))
    assert segments(picture, "bridge") == 3 * len(upper)
    assert segments(picture, "band") == len(tour.moves)


def test_a_tour_of_one_square_has_no_band() -> None:
    picture = tour_picture(Tour(Board(1, 1), [0]), Look(Style.WEAVE))
    assert not segments(picture, "band")
    assert picture.description.endswith("drawn as weave")


def test_a_weave_needs_a_board_without_glued_edges() -> None:
    with pytest.raises(InputError, match="style weave: only for flat boards"):
        tour_picture(torus_tour(), Look(Style.WEAVE))
