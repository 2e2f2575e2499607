"""The finite checks by which compositions are complete, as `compose.rectangle` explains."""

import itertools

import pytest

from kt_cp import Board
from kt_cp.methods.compose.rectangle import compose_rectangle
from kt_cp.methods.compose.tiles import LONGEST, LONGEST_ALONE, Side, Tiles, ports
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.tour.validator import is_tour

SIDES = range(5, LONGEST + 1)
LARGEST = 21


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("height", "width"),
    [
        (height, width)
        for height, width in itertools.product(range(5, LONGEST_ALONE + 1), repeat=2)
        if height * width % 2 == 0
    ],
)
def test_every_even_tile_has_a_closed_tour_with_a_link_on_each_side(
    height: int, width: int
) -> None:
    cycle = Tiles(Clock(), seed=0).cycle(height, width).tolist()
    edges = {frozenset(map(tuple, pair)) for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True)}
    assert len(edges) == height * width
    assert edges.issuperset(frozenset(ports(height, width, side)) for side in Side)


def test_facing_links_are_exchanged_for_two_moves_across_the_border() -> None:
    for side, height, width in itertools.product((Side.RIGHT, Side.BOTTOM), SIDES, SIDES):
        down, right = side.value
        for one, other in zip(
            ports(height, width, side), ports(height, width, side.opposite), strict=True
        ):
            rows = other[0] + down * height - one[0]
            columns = other[1] + right * width - one[1]
            assert {abs(rows), abs(columns)} == {1, 2}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("rows", "columns"),
    [*itertools.combinations_with_replacement(range(5, LARGEST + 1, 2), 2)],
)
def test_odd_boards_are_composed_from_every_square_of_the_corners_color(
    rows: int, columns: int
) -> None:
    board = Board(rows, columns)
    for start in range(0, board.area, 2):
        tour = compose_rectangle(Instance(board, start=start), Clock())
        assert tour is not None, start
        assert tour[0] == start
        assert is_tour(board, tour, closed=False)
