"""Composed tours: every full rectangle with sides from 5 on that has one."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.methods.compose import BOTTOM, RIGHT, SIDES, ports, tile_tour
from kt_cp.methods.method import UnsupportedError
from kt_cp.tour.tour import Tour
from kt_dfs.backtracking import Status
from tests.helpers.oracle import naive_faults

PARTS = range(5, 17)


def composed(rows: int, columns: int, **constraints: object) -> Tour | None:
    """Compose a tour that an independent checker accepts; None where it is refuted."""
    result = solve(Board(rows, columns), method="compose", **constraints)  # type: ignore[arg-type]
    if result.tour is None:
        assert (result.status, result.method) == (Status.IMPOSSIBLE, "refute")
        return None
    path = list(result.tour)
    assert naive_faults(Board(rows, columns), path, bool(constraints.get("closed"))) == []
    assert constraints.get("start") in (None, path[0])
    assert constraints.get("end") in (None, path[-1])
    return result.tour


def test_every_size_from_5x5_to_14x14_is_composed_closed_and_open() -> None:
    for rows, columns in itertools.product(range(5, 15), repeat=2):
        assert composed(rows, columns) is not None
        assert (composed(rows, columns, closed=True) is None) == (rows * columns % 2 == 1)


@given(st.integers(5, 12), st.integers(5, 70), st.booleans(), st.booleans(), st.data())
def test_any_square_of_an_even_board_is_a_start_or_an_end(
    rows: int, columns: int, turned: bool, closed: bool, data: st.DataObject
) -> None:
    columns += rows * columns % 2
    square = data.draw(st.integers(0, rows * columns - 1))
    sides = (columns, rows) if turned else (rows, columns)
    assert composed(*sides, closed=closed, start=square)
    if not closed:
        assert composed(*sides, end=square)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("height", "width"), [*itertools.product(PARTS, repeat=2)])
def test_every_tile_has_a_tour_with_the_links_that_it_needs(height: int, width: int) -> None:
    """With the test of `tile_sides`, this shows that every rectangle is composed."""
    is_odd = height * width % 2 == 1
    for leave in (RIGHT, BOTTOM, None):
        tour = tile_tour((height, width), leave, seed=0).tolist()
        edges = {frozenset(map(tuple, pair)) for pair in itertools.pairwise([*tour, tour[0]])}
        assert len(edges) == height * width
        # An odd tile is left at one side, or the only tile.
        sides = [*SIDES] if not is_odd else [] if leave is None else [leave]
        links = (ports(height, width, side).tolist() for side in sides)
        assert edges.issuperset(frozenset(map(tuple, link)) for link in links)


def test_another_seed_composes_another_tour_and_the_same_seed_the_same() -> None:
    tours = [solve(Board(30, 30), seed=seed, method="compose").tour for seed in (1, 1, 5)]
    assert tours[0] == tours[1] != tours[2]


@pytest.mark.exhaustive
def test_ends_that_no_rotation_gives_are_left_to_another_method() -> None:
    with pytest.raises(UnsupportedError, match="method patch takes the others"):
        solve("12x12", start=0, end=1, method="compose")
    tour = solve("400x400", start=0, end=1).tour
    assert tour is not None
    assert (tour[0], tour[-1]) == (0, 1)


def test_a_million_squares_are_composed_and_judged() -> None:
    tour = solve(Board(1000, 1000), closed=True, start=123_456).tour
    assert tour is not None
    assert tour.squares[0] == 123_456


@pytest.mark.parametrize(("size", "limit"), [("37x41", 1e-9), ("8000x8000", 0.5)])
def test_a_composition_that_cannot_end_in_time_is_not_begun(size: str, limit: float) -> None:
    result = solve(size, method="compose", time_limit=limit)
    assert (result.status, result.method) == (Status.UNKNOWN, "compose")
    assert result.reason == f"the time limit of {limit:g} s was reached"


@pytest.mark.parametrize("method", ["auto", "compose"])
def test_a_closed_tour_of_an_odd_board_is_refuted_under_a_short_time_limit(method: str) -> None:
    result = solve("1001x1001", closed=True, time_limit=0.9, method=method)  # less than a scan
    assert result.status is Status.IMPOSSIBLE
