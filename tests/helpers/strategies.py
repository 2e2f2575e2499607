"""Hypothesis strategies: boards, graphs, instances of both, and paths."""

import itertools
from functools import cache

import numpy as np
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board, Symmetry, Topology
from kt_cp.graph import Graph
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import Tour


@st.composite
def boards(draw: st.DrawFn, max_side: int = 6, max_squares: int = 20) -> Board:
    """Draw a rectangle with random holes and at most ``max_squares`` squares."""
    rows, columns = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    area = rows * columns
    fewest = max(0, area - max_squares)
    most = min(area - 1, fewest + draw(st.sampled_from([0, 1, 3, 6])))
    holes = draw(
        st.lists(st.integers(0, area - 1), min_size=fewest, max_size=max(fewest, most), unique=True)
    )
    return Board(rows, columns, holes)


PIECES = ("knight", "knight", "horse", "king", "camel", "zebra", "0,1+2,3")


@st.composite
def unusual_boards(draw: st.DrawFn) -> Board:
    """Draw a small board of any piece and topology."""
    board = draw(boards(max_side=5, max_squares=8))
    piece = draw(st.sampled_from(PIECES))
    topology = draw(st.sampled_from([*Topology]))
    return Board(board.rows, board.columns, board.holes, piece, topology)


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    """Draw a small board with random constraints; many have a tour, and many have none."""
    board = draw(boards(max_side=5) | unusual_boards())
    closed, start, end, moves = draw(ends_and_moves(board))
    return Instance.of(
        board,
        closed=closed,
        start=start,
        end=end,
        require=draw(moves),
        forbid=draw(moves),
        symmetry=draw(st.none() | st.none() | symmetries(board)),
        givens=draw(st.just({}) | givens(board, start, end)),
    )


@st.composite
def graphs(draw: st.DrawFn, max_vertices: int = 7, directed: bool | None = None) -> Graph:
    """Draw a graph with few vertices; many have a tour, and some are not connected."""
    names = "abcdefgh"[: draw(st.integers(1, max_vertices))]
    if directed is None:
        directed = draw(st.booleans())
    pairs = [*itertools.permutations(range(len(names)), 2)]
    if not directed:
        pairs = [(low, high) for low, high in pairs if low < high]
    edges: list[tuple[int, int]] = []
    if pairs:
        edges = draw(st.lists(st.sampled_from(pairs), unique=True))
    rows = np.array(edges, dtype=np.int32).reshape(-1, 2)
    return Graph(names, rows, directed=directed)


@st.composite
def graph_instances(draw: st.DrawFn) -> Instance:
    """Draw a small graph with random ends, required and forbidden edges."""
    graph = draw(graphs())
    closed, start, end, moves = draw(ends_and_moves(graph, most=1))
    return Instance(graph, closed, start, end, tuple(draw(moves)), tuple(draw(moves)))


@st.composite
def ends_and_moves(
    draw: st.DrawFn, graph: Graph, most: int = 2
) -> tuple[bool, int | None, int | None, st.SearchStrategy[list[Move]]]:
    """Draw the kind of a tour and its ends, and return a strategy for up to ``most`` moves."""
    vertices = st.sampled_from(graph.vertices.tolist())
    closed = draw(st.booleans())
    start, end = draw(st.none() | vertices), None if closed else draw(st.none() | vertices)
    if start == end and len(graph) > 1:
        end = None
    if not len(graph.arcs):
        return closed, start, end, st.just([])
    arc = st.sampled_from(graph.arcs.tolist())
    move = st.builds(lambda ends, directed: Move(ends[0], ends[1], directed), arc, st.booleans())
    return closed, start, end, st.lists(move, max_size=most)


def symmetries(board: Board) -> st.SearchStrategy[Symmetry]:
    """Return a strategy for the symmetries that a tour of a board may be asked to have."""
    square = board.rows == board.columns
    return st.sampled_from([s for s in Symmetry if square or s is not Symmetry.QUARTER_TURN])


@st.composite
def givens(draw: st.DrawFn, board: Board, start: int | None, end: int | None) -> dict[int, int]:
    """Draw given steps of squares other than the start and the end."""
    squares = [square for square in board.squares.tolist() if square not in (start, end)]
    steps = range(2, len(board))
    if not squares or not steps:
        return {}
    chosen = draw(st.lists(st.sampled_from(squares), max_size=3, unique=True))
    return dict(zip(chosen, draw(st.permutations(steps)), strict=False))


@st.composite
def tours(draw: st.DrawFn) -> Tour:
    """Draw a tour of a rectangle, or a walk on a board whose other squares are all holes."""
    if draw(st.booleans()):
        return _solved(*draw(st.sampled_from(_WHOLE)))
    rows, columns = draw(st.integers(1, 8)), draw(st.sampled_from([1, 3, 4, 5, 8, 30]))
    rectangle = Board(rows, columns)
    path = [draw(st.integers(0, rectangle.area - 1))]
    for _ in range(draw(st.integers(0, 40))):
        onward = [square for square in rectangle.neighbors(path[-1]) if square not in path]
        if not onward:
            break
        path.append(draw(st.sampled_from(onward)))
    board = Board(rows, columns, set(range(rectangle.area)) - set(path))
    closes = len(path) >= 3 and path[0] in rectangle.neighbors(path[-1])
    return Tour(board, path, closed=closes and draw(st.booleans()))


_WHOLE = [
    *((1, 1, False), (3, 4, False), (4, 3, False), (5, 5, False), (3, 28, False)),
    *((5, 6, True), (6, 6, True), (8, 8, True), (28, 3, True)),
]


@cache
def _solved(rows: int, columns: int, closed: bool) -> Tour:
    """Return a tour of a rectangle."""
    tour = solve(Board(rows, columns), closed=closed).tour
    assert tour is not None
    return tour
