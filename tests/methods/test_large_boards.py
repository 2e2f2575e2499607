"""Boards of any size: composed of tiles, or patched from the cycles of a maximum flow."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.methods.compose import BOTTOM, RIGHT, SIDES, ports, tile_tour
from kt_cp.methods.method import UnsupportedError
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import ReasonKind
from kt_cp.tour.tour import Tour
from kt_dfs import Status
from tests.helpers.oracle import naive_faults
from tests.helpers.strategies import PIECES, ends_and_moves


def with_holes(side: int, share: float, seed: int, **more: str) -> Board:
    """As many holes of either color; squares left with fewer than two moves are made holes."""
    draw = random.Random(seed)
    colors = [[s for s in range(side**2) if sum(divmod(s, side)) % 2 == c] for c in (0, 1)]
    each = round(share * side * side / 2)
    while True:
        holes = [hole for color in colors for hole in draw.sample(color, each)]
        board = Board(side, side, holes, **more)
        if np.bincount(board.arcs[:, 0], minlength=board.area)[board.squares].min() > 1:
            return board


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("share", [0, 0.05])
@pytest.mark.parametrize("kind", ["closed", "open", "two ends"])
def test_boards_of_60x60_with_and_without_holes_are_patched(
    kind: str, share: float, seed: int
) -> None:
    board = with_holes(60, share, seed)
    ends = {}
    if kind == "two ends":
        draw = random.Random(seed)
        dark = board.dark(board.squares)
        ends = {
            "start": draw.choice(board.squares[dark].tolist()),
            "end": draw.choice(board.squares[~dark].tolist()),
        }
    result = solve(board, closed=kind == "closed", method="patch", seed=seed, **ends)
    assert result.status is Status.FOUND


@pytest.mark.parametrize(
    ("board", "method"),
    [
        (Board(200, 200), "patch"),
        (Board(15, 15, piece="king"), "patch"),  # whose graph has odd cycles
        (with_holes(30, 0.02, seed=1, piece="horse"), "patch"),  # whose moves have a direction
        (Board(40, 40, holes=[40 * r + c for r in range(15, 25) for c in range(15, 25)]), "auto"),
    ],
    ids=str,
)
def test_other_boards_are_patched(board: Board, method: str) -> None:
    result = solve(board, closed=True, method=method)
    assert (result.status, result.method) == (Status.FOUND, "patch")


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, columns = draw(st.integers(6, 11)), draw(st.integers(6, 11))
    holes = draw(st.sets(st.integers(0, rows * columns - 1), max_size=rows * columns // 10))
    topology = draw(st.sampled_from(["flat", "flat", "cylinder", "torus"]))
    return Board(rows, columns, holes, draw(st.sampled_from(PIECES)), topology)


@given(boards(), st.integers(0, 10), st.data())
def test_what_patching_finds_meets_the_constraints_and_what_it_refutes_is_refuted(
    board: Board, seed: int, data: st.DataObject
) -> None:
    """`solve` validates every tour on its way out, and sees that it meets the constraints."""
    closed, start, end, moves = data.draw(ends_and_moves(board))
    required, forbidden = data.draw(moves), data.draw(moves)
    instance = Instance(board, closed, start, end, tuple(required), tuple(forbidden))
    result = solve(instance, method="patch", seed=seed)
    if result.status is Status.IMPOSSIBLE:
        assert solve(instance, method="circuit", time_limit=1).status is not Status.FOUND


@pytest.mark.parametrize("method", ["auto", "patch"])
def test_the_square_that_alone_joins_two_halves_is_told(method: str) -> None:
    gap = {44 * row + column for row in range(20) for column in range(20, 24)}
    holes = gap - {44 * 10 + 21, 44 * 11 + 23}
    result = solve(Board(20, 44, holes=holes), closed=True, method=method)
    assert (result.status, result.reason_kind) == (Status.IMPOSSIBLE, ReasonKind.CUT)
    assert solve(Board(20, 44, holes=holes), method=method).status is Status.FOUND


@pytest.mark.parametrize("method", ["auto", "cuts", "patch", "dfs"])
def test_no_board_is_stated_that_takes_longer_than_the_limit(method: str) -> None:
    instance = Instance(Board(1000, 1000, holes=[5, 6]), closed=True)
    result = solve(instance, method=method, time_limit=0.9)
    assert (result.status, result.reason_kind) == (Status.UNKNOWN, ReasonKind.TIME_LIMIT)
    assert "arcs" not in vars(instance)


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
