"""Composed tours: every full rectangle with sides from 5 on that has one, from any square."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import Board, InputError, Status, Tour, solve
from kt_cp.methods.compose.tiles import divisions, frames
from kt_cp.problem.constraints import Constraints
from kt_cp.tour.validator import is_tour
from tests.helpers.command import kt
from tests.helpers.oracle import naive_faults


def composed(rows: int, columns: int, seed: int = 0, **constraints: object) -> Tour | None:
    """Compose a tour that an independent checker accepts; None where it is refuted."""
    board = Board(rows, columns)
    result = solve(board, method="compose", seed=seed, **constraints)  # type: ignore[arg-type]
    if result.tour is None:
        assert (result.status, result.method) == (Status.IMPOSSIBLE, "refute")
        return None
    path = list(result.tour)
    assert naive_faults(rows, columns, (), path, bool(constraints.get("closed"))) == []
    assert constraints.get("start") in (None, path[0])
    assert constraints.get("end") in (None, path[-1])
    return result.tour


def test_every_size_from_5x5_to_24x24_is_composed_closed_and_open() -> None:
    for rows, columns in itertools.product(range(5, 25), repeat=2):
        assert composed(rows, columns) is not None
        assert (composed(rows, columns, closed=True) is None) == (rows * columns % 2 == 1)


@st.composite
def rectangles(draw: st.DrawFn, shortest: int) -> tuple[int, int]:
    sides = draw(st.integers(shortest, 12)), draw(st.integers(shortest, 70))
    return sides if draw(st.booleans()) else sides[::-1]


@given(rectangles(shortest=5), st.booleans(), st.data())
def test_any_square_that_the_colours_allow_is_a_start_or_an_end(
    sides: tuple[int, int], closed: bool, data: st.DataObject
) -> None:
    rows, columns = sides
    square = data.draw(st.integers(0, rows * columns - 1))
    odd = rows * columns % 2 == 1
    allowed = not odd or (not closed and sum(divmod(square, columns)) % 2 == 0)
    assert (composed(rows, columns, closed=closed, start=square) is not None) == allowed
    if not closed:
        assert (composed(rows, columns, end=square) is not None) == allowed


def test_another_seed_composes_another_tour_and_the_same_seed_the_same() -> None:
    tours = [solve(Board(30, 30), seed=seed, method="compose").tour for seed in (1, 1, 5)]
    assert tours[0] == tours[1] != tours[2]


def test_large_rectangles_are_composed_unless_there_are_other_constraints() -> None:
    assert solve(Board(30, 30), closed=True).method == "compose"
    assert solve(Board(8, 8), closed=True).method == "circuit"
    assert solve(Board(30, 30), start=0, end=29).method == "circuit"
    assert solve(Board(30, 30), require=[(0, 32)]).method == "circuit"
    assert solve(Board(24, 24, holes=[0, 23])).method == "circuit"
    assert solve(Board(3, 1000)).method == "patch"


def test_a_million_squares_are_composed_and_judged() -> None:
    tour = solve(Board(1000, 1000), closed=True, start=123_456).tour
    assert tour is not None
    assert tour.squares[0] == 123_456
    broken = tour.squares.copy()
    broken[[700_000, 700_002]] = broken[[700_002, 700_000]]
    assert not is_tour(tour.board, broken, closed=True)


@given(st.integers(5, 400), st.data())
def test_divisions_add_up_with_the_odd_part_where_it_should_be(
    side: int, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, side - 1))
    for parts in itertools.islice(divisions(side, at), 20):
        assert sum(parts) == side
        assert min(parts) >= 5
        assert [part % 2 for part in parts].count(1) == side % 2
        if side % 2:
            borders = [0, *itertools.accumulate(parts)]
            assert any(
                left <= at < right and (right - left) % 2
                for left, right in itertools.pairwise(borders)
            )


@given(st.integers(2, 9), st.integers(2, 9))
def test_every_frame_shows_every_square_in_its_place(rows: int, columns: int) -> None:
    for frame in frames(Board(rows, columns)):
        places = np.array(list(np.ndindex(frame.rows, frame.columns)), dtype=np.int32)
        ids = (frame.corner + frame.ids(places)).tolist()
        assert sorted(ids) == list(range(rows * columns))
        assert [frame.place(square) for square in ids] == list(map(tuple, places.tolist()))


def test_compose_says_what_it_is_for() -> None:
    for constraints in (
        Constraints(require=[(0, 17)]),
        Constraints(forbid=[(0, 17)]),
        Constraints(givens={0: 5}),
        Constraints(start=0, end=63),
    ):
        with pytest.raises(
            InputError, match=r"does not support|full rectangle with sides from 5 on"
        ):
            solve(Board(8, 8), method="compose", **constraints)
    done = kt("solve", "2x9", "--method", "compose")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("kt: method compose: for a knight on a full rectangle")


def test_a_limit_stops_a_composition() -> None:
    result = solve(Board(37, 41), method="compose", time_limit=1e-9)
    assert (result.status, result.method) == (Status.UNKNOWN, "compose")
    assert result.reason == "the time limit of 1e-09 s was reached"


def test_a_large_board_is_not_the_same_everywhere() -> None:
    tour = solve("64x64", closed=True, method="compose").tour
    assert tour is not None
    rows, columns = np.divmod(tour.moves, 64)
    inside = (rows[:, 0] // 8 == rows[:, 1] // 8) & (columns[:, 0] // 8 == columns[:, 1] // 8)
    tiles: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    for row, column in zip(rows[inside].tolist(), columns[inside].tolist(), strict=True):
        ends = sorted(zip((each % 8 for each in row), (each % 8 for each in column), strict=True))
        place = row[0] // 8, column[0] // 8
        tiles.setdefault(place, set()).add((*ends[0], *ends[1]))
    assert len(tiles) == 64
    alike = [
        len(tiles[row, column] & tiles[row, column + 1]) > 55
        for row, column in itertools.product(range(8), range(7))
    ]
    assert sum(alike) < len(alike) / 4


def test_a_composition_that_cannot_end_in_time_is_not_begun() -> None:
    result = solve("8000x8000", closed=True, time_limit=0.5)
    assert (result.status, result.method) == (Status.UNKNOWN, "compose")
