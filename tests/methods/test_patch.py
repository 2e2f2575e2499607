"""Cycles by maximum flow, joined until one is left: tours of boards of any shape and size."""

import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.methods.patch import join_in_window, nodes_around
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.proof.reasons import ReasonKind
from kt_cp.sat.edges import edge_graph, propagate
from kt_cp.sat.two_factors import CycleCover, two_factor
from kt_dfs.backtracking import Status
from tests.helpers.strategies import PIECES


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


@given(boards(), st.booleans(), st.integers(0, 10), st.data())
def test_what_patching_finds_meets_the_constraints_and_what_it_refutes_is_refuted(
    board: Board, closed: bool, seed: int, data: st.DataObject
) -> None:
    """`solve` validates every tour on its way out, and sees that it meets the constraints."""
    squares, arcs = board.squares.tolist(), board.arcs.tolist()
    start = data.draw(st.none() | st.sampled_from(squares))
    end = None if closed else data.draw(st.none() | st.sampled_from(squares))
    moves = st.lists(st.sampled_from(arcs), max_size=2) if arcs else st.just([])
    constraints = {
        "closed": closed,
        "start": start,
        "end": None if start == end else end,
        "require": [Move(a, b, data.draw(st.booleans())) for a, b in data.draw(moves)],
        "forbid": [Move(a, b, data.draw(st.booleans())) for a, b in data.draw(moves)],
    }
    result = solve(board, method="patch", seed=seed, **constraints)  # type: ignore[arg-type]
    if result.status is Status.IMPOSSIBLE:
        other = solve(board, method="circuit", time_limit=1, **constraints)  # type: ignore[arg-type]
        assert other.status is not Status.FOUND


@given(st.integers(0, 1000))
@settings(max_examples=10)
def test_joining_and_windows_keep_a_2_factor_and_never_make_more_cycles(seed: int) -> None:
    graph = propagate(edge_graph(Instance(with_holes(20, 0.05, seed), closed=seed % 2 == 0)))
    assume(graph is not None)
    assert graph
    edges = two_factor(graph, seed=seed)
    assume(edges is not None and len(edges))
    assert edges is not None
    cover = CycleCover(graph, edges)
    allowed = {tuple(edge) for edge in graph.edges.tolist()}

    def check() -> None:
        pairs = [(a, b) for a, two in enumerate(cover.cycle_neighbors.tolist()) for b in two]
        made = {(min(pair), max(pair)) for pair in pairs}
        assert made <= allowed
        assert {tuple(edge) for edge in graph.edges[graph.required].tolist()} <= made
        assert sorted(cover.order.tolist()) == list(range(graph.nodes))

    check()
    before = len(cover.sizes)
    free = np.zeros(graph.nodes, dtype=np.bool_)
    for center in cover.borders()[:3].tolist():
        join_in_window(cover, nodes_around(cover, center, 60, free), Clock(), seed)
        cover.renumber()
        check()
        assert len(cover.sizes) <= before
        before = len(cover.sizes)
    cover.join(np.random.default_rng(seed), Clock())
    check()
    assert len(cover.sizes) <= before


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
