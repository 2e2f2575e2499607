"""The geometry of pictures: points are (x, y), in squares from the board's top left corner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.board import Board, Topology
from kt_cp.draw.graph_layout import lay_out
from kt_cp.draw.picture import Points
from kt_cp.files import import_optional
from kt_cp.graph import Graph
from kt_cp.messages import InputError

MAX_DRAWN_SQUARES = 1_000_000
"""The largest number of squares of a board that is drawn."""

MAX_DRAWN_SIDE = 3_000
"""The largest number of squares in a row or column of a board that is drawn."""

MAX_DRAWN_VERTICES = 5_000
"""The largest number of vertices of a graph that is drawn."""

# The least side of the picture of a graph, in squares; that of a larger graph is in proportion to
# the square root of its number of vertices.
_MIN_GRAPH_SIDE = 8
_SIDE_SHARE = 1.5

_CURVE_OFFSET = 0.22  # of the middle of a curved move from its straight line, in squares


def check_drawable(graph: Graph) -> None:
    """Raise `InputError` for too large a board or graph.

    It is also raised for a graph if the packages of the extra ``graphs`` are missing.
    """
    if isinstance(graph, Board):
        if graph.area > MAX_DRAWN_SQUARES or max(graph.rows, graph.columns) > MAX_DRAWN_SIDE:
            most = f"{MAX_DRAWN_SQUARES:,} squares and {MAX_DRAWN_SIDE:,} in a row or column"
            raise InputError(f"board {graph.size}: a picture shows at most {most}")
        return
    if len(graph) > MAX_DRAWN_VERTICES:
        most = f"graphs are drawn up to {MAX_DRAWN_VERTICES:,} vertices"
        raise InputError(f"{most}; this is a {graph.title}")
    for package in ("scipy", "networkx"):
        import_optional(package, "pictures of graphs", "pip install 'knights-tours[graphs]'")


def centers(graph: Graph, tour: Sequence[int] = ()) -> Points:
    """Return the center of each id of a board, or of each vertex of a graph: n x (x, y).

    ``tour`` is a cycle or path through all vertices of a graph, if any: see `lay_out`.
    """
    if isinstance(graph, Board):
        rows, columns = np.divmod(np.arange(graph.area), graph.columns)
        return np.stack([columns, rows], axis=1) + 0.5
    layout = lay_out(graph, tour)
    points = np.array([layout[vertex] for vertex in graph.vertices.tolist()], dtype=np.float64)
    spread = np.ptp(points, axis=0).max() or 1.0
    side = max(_MIN_GRAPH_SIDE, round(_SIDE_SHARE * math.sqrt(len(graph))))
    return np.asarray(0.5 + (points - points.min(axis=0)) / spread * (side - 1))


def segments(graph: Graph, points: Points, moves: Ints) -> Points:
    """Return the ends of each move, n x 2 ends x (x, y); ``moves`` are rows of two ids.

    ``points`` are the centers of the ids. A move across a glued edge of a board is two segments: to
    the edge, and from the opposite edge.
    """
    ends = points[moves]
    if not isinstance(graph, Board) or graph.topology is Topology.FLAT:
        return ends
    is_across = ~replace(graph, topology=Topology.FLAT).are_moves(*moves.T)
    tails, heads = ends[is_across, 0], ends[is_across, 1]
    jumps = _jumps_between(graph, tails, heads)
    leaving = _leaving_points(graph, tails, jumps)
    entering = _leaving_points(graph, heads, -jumps)
    halves = np.stack([tails, leaving, entering, heads], axis=1)
    # Each move across an edge is copied, and its copies are replaced by its two halves.
    copies = np.where(is_across, 2, 1)
    lines = np.repeat(ends, copies, axis=0)
    lines[np.repeat(is_across, copies)] = halves.reshape(-1, 2, 2)
    return lines


def curve_offsets(board: Board, moves: Ints) -> dict[tuple[int, int], Points]:
    """Return the offset (x, y) of the middle of each move that overlaps another move, in squares.

    Moves are rows of two ids; the keys are their ids, the lower first. Two moves that overlap curve
    to different sides, unless there are three at one place. There are no offsets on a board with
    glued edges.
    """
    passes_squares = any(math.gcd(*jump) > 1 for jump in board.piece.jumps)
    if board.topology is not Topology.FLAT or not passes_squares:
        return {}
    offsets: dict[tuple[int, int], Points] = {}
    for (down, right, _), spans in _spans_by_line(board, moves).items():
        across = np.array([-down, right]) * _CURVE_OFFSET / math.hypot(down, right)
        for move, side in _sides(spans).items():
            offsets[move] = side * across
    return offsets


class _Span(NamedTuple):
    """A move as an interval of its line, in squares of a row or column, and its two ids."""

    begin: int
    end: int
    move: tuple[int, int]

    def overlaps(self, other: _Span) -> bool:
        """Return whether more than an end is common to both moves."""
        return self.begin < other.end and other.begin < self.end


def _sides(spans: Sequence[_Span]) -> dict[tuple[int, int], int]:
    """Return the side, 1 or -1, of each move that overlaps another one on its line.

    From the first move of the line on, each takes the side on which the moves before it end first.
    """
    sides: dict[tuple[int, int], int] = {}
    end_on_side = {-1: 0, 1: 0}
    for span in sorted(set(spans)):
        side = min(end_on_side, key=end_on_side.__getitem__)
        end_on_side[side] = span.end
        if any(span.overlaps(other) for other in spans if other != span):
            sides[span.move] = side
    return sides


def _spans_by_line(board: Board, moves: Ints) -> dict[tuple[int, int, int], list[_Span]]:
    """Return the moves on each line of a board.

    The key of a line is its direction (down, right), reduced to lowest terms, and its offset.
    """
    by_line: dict[tuple[int, int, int], list[_Span]] = {}
    for low, high in np.sort(moves, axis=1).tolist():
        row, column = divmod(low, board.columns)
        last_row, last_column = divmod(high, board.columns)
        length = math.gcd(last_row - row, last_column - column)
        down, right = (last_row - row) // length, (last_column - column) // length
        begin, end = (row, last_row) if down else (column, last_column)
        line = down, right, down * column - right * row
        by_line.setdefault(line, []).append(_Span(begin, end, (low, high)))
    return by_line


def curve(tail: Points, head: Points, offset: Points, parts: int) -> Points:
    """Return a quadratic curve from one point to another as a chain of lines: parts x 2 x (x, y).

    ``offset`` is that of the middle of the curve from the middle of the straight line, (x, y).
    """
    share = np.linspace(0, 1, parts + 1)[:, None]
    points = tail + share * (head - tail) + 4 * share * (1 - share) * offset
    return np.stack([points[:-1], points[1:]], axis=1)


def _jumps_between(board: Board, tails: Points, heads: Points) -> Points:
    """Return for each move across a glued edge the jump of the piece that makes it: (x, y).

    A move that no single jump makes is drawn as the straight line between its squares.
    """
    straight = heads - tails
    # A jump fits if it differs from the straight line by whole turns around the board.
    height = board.rows if board.topology is Topology.TORUS else np.inf
    sides = np.array([board.columns, height])
    jumps = np.array([(right, down) for down, right in board.piece.jumps], dtype=np.float64)
    fits = ((jumps - straight[:, None]) % sides == 0).all(axis=2)
    return np.where(fits.any(axis=1)[:, None], jumps[fits.argmax(axis=1)], straight)


def _leaving_points(board: Board, points: Points, jumps: Points) -> Points:
    """Return the point where each jump leaves the board, or its end if it stays on the board.

    ``points`` and ``jumps`` are n x (x, y): where the jumps begin, and how far they go.
    """
    room = np.where(jumps > 0, [board.columns, board.rows] - points, points)
    with np.errstate(divide="ignore"):
        share = (room / np.abs(jumps)).min(axis=1, keepdims=True)
    return np.asarray(points + np.minimum(share, 1) * jumps)


def rectangles(kinds: Ints, apart: bool) -> tuple[Points, Ints]:
    """Return the corners of rectangles, n x 4 x (x, y), that cover the squares, and their kinds.

    ``kinds`` are rows x columns. Neighbors of one kind in a row share a rectangle unless ``apart``.
    """
    no_kind = -2  # before each row, so that every row begins a rectangle
    is_first = (np.diff(kinds, axis=1, prepend=no_kind) != 0) | apart
    starts = np.flatnonzero(is_first)
    top, left = np.divmod(starts, kinds.shape[1])
    right = left + np.diff(starts, append=kinds.size)
    bottom = top + 1
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return np.array(corners, dtype=np.float64).transpose(2, 0, 1), kinds[is_first]


def outline(board: Board) -> Points:
    """Return the sides between a square and a hole or the outside: n x 2 ends x (x, y)."""
    mask = np.pad(board.mask.reshape(board.rows, board.columns), 1)
    # A side separates two neighbors of which one is in the mask, so that the mask changes there.
    tops, lefts = np.nonzero(np.diff(mask[:, 1:-1], axis=0))
    left_ends = np.stack([lefts, tops], axis=1)
    horizontal = np.stack([left_ends, left_ends + np.array([1, 0])], axis=1)
    tops, lefts = np.nonzero(np.diff(mask[1:-1], axis=1))
    upper_ends = np.stack([lefts, tops], axis=1)
    vertical = np.stack([upper_ends, upper_ends + np.array([0, 1])], axis=1)
    return np.concatenate([horizontal, vertical]).astype(np.float64)


def joined_sides(board: Board, sides: Points) -> Mask:
    """Return for each side, n x 2 ends x (x, y), whether the board is glued to itself there."""
    xs, ys = sides[..., 0], sides[..., 1]
    if board.topology is Topology.FLAT:
        return np.zeros(len(sides), dtype=np.bool_)
    joined: Mask = ((xs == 0) | (xs == board.columns)).all(axis=1)
    if board.topology is Topology.TORUS:
        joined = joined | ((ys == 0) | (ys == board.rows)).all(axis=1)
    return joined
