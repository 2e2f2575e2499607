"""Where boards, graphs and moves are in a picture, and how large their squares and letters are.

Points are (x, y), in squares from the board's top left corner, or in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask
from kt_cp.board import Board, Topology
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

NUMBER_SHARE = 0.85
"""The share of a square's side that a number may take."""

MIN_FONT_SIZE = 11
"""The smallest size of the font on a board, in pixels."""

# Lengths in pixels.
_FINE_CELL = 12  # side of the smallest square for details
_MIN_CELL = 3.0  # side of a square of a large board
_MAX_CELL = 64.0  # side of a square of a small board
_USUAL_SIDE = 1000  # side of a board, unless its squares would be too small or too large
_MAX_LEGIBLE_SIDE = 8000  # side to which a board may grow to make its letters legible
_LEGIBLE_WIDTH = 600  # width of a picture whose words a phone shows legibly

_BOW = 6.0  # of the middle of an arc from the straight line, if there is an opposite arc, in pixels
_CHEVRON_LENGTH = 0.1  # in squares
_MIN_CHEVRON = 3  # the least length of a chevron, in pixels
_HEAD_WIDTH = 0.75  # of the head of an arc, relative to its length


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


def zoom_for(width: float) -> float:
    """Return the factor that enlarges the words in a picture of a width in pixels.

    A phone reduces the picture to some 360 pixels, where the words are still legible.
    """
    return max(1.0, width / _LEGIBLE_WIDTH)


def cell_side(squares_per_side: int, word_length: int, share: float = NUMBER_SHARE) -> float:
    """Return the side of a square of a board, in pixels.

    Words of ``word_length`` characters are legible in a ``share`` of the side of a square, unless
    the board would be too large.
    """
    least = _MIN_CELL
    if word_length:
        # One pixel more than legible, so that a rounding error does not make words illegible.
        legible = (MIN_FONT_SIZE + 1) / font_share(word_length) / share
        least = max(least, min(legible, _MAX_LEGIBLE_SIDE / squares_per_side))
    # Usually a whole number of pixels, since at other scales typst clips the joins of lines.
    return max(least, min(_MAX_CELL, _USUAL_SIDE // squares_per_side))


def font_share(word_length: int) -> float:
    """Return the size of the font for words of a length, relative to the side of their square."""
    letter_width, word_width = 0.6, 0.8  # of a wide letter in its size, and of a word in its square
    return min(0.45, word_width / (letter_width * max(word_length, 1)))


@dataclass(frozen=True)
class Frame:
    """Where a board or graph is in a picture, and with it the lines of its moves, in pixels.

    ``centers`` are those of all ids, n x (x, y), in squares from the top left corner of the board.
    ``cell`` is the side of a square, and ``left`` and ``top`` are the board's corner, in pixels.

    Moves, rows of two ids, are straight lines, but for opposite arcs of a directed graph, which are
    bowed apart.
    """

    graph: Graph
    centers: Points
    cell: float
    left: float
    top: float

    @property
    def is_fine(self) -> bool:
        """Whether squares are large enough for details such as chevrons."""
        return self.cell >= _FINE_CELL

    @cached_property
    def lower_right(self) -> tuple[float, float]:
        """The corner opposite to (left, top), in pixels."""
        right, bottom = self.pixels(self.centers.max(axis=0) + 0.5).tolist()
        return right, bottom

    def pixels(self, points: npt.ArrayLike) -> Points:
        """Return points in pixels; ``points`` are (x, y), in squares from the board's corner."""
        return np.asarray(np.asarray(points) * self.cell + [self.left, self.top])

    def pixel_centers(self, ids: npt.ArrayLike) -> Points:
        """Return the center of each square in pixels: the shape of the ids x (x, y)."""
        return self.pixels(self.centers[np.asarray(ids, dtype=np.int64)])

    def segments(self, moves: npt.ArrayLike) -> Points:
        """Return the ends of each move in pixels, n x 2 x (x, y), as if it were straight.

        A move across a glued edge of a board is two segments: to the edge, and from the opposite
        one.
        """
        rows = np.asarray(moves, dtype=np.int64).reshape(-1, 2)
        ends = self.centers[rows]
        if isinstance(self.graph, Board) and self.graph.topology is not Topology.FLAT:
            ends = _cut_at_edges(self.graph, ends, rows)
        return self.pixels(ends)

    def chevrons(self, moves: npt.ArrayLike, share: float, enlargement: float = 1.0) -> Points:
        """Return the lines of a chevron on each move, at a share of its length from its tail."""
        tails, heads = self.segments(moves).transpose(1, 0, 2)
        along = (heads - tails) / np.linalg.norm(heads - tails, axis=1, keepdims=True)
        along *= enlargement * max(_CHEVRON_LENGTH * self.cell, _MIN_CHEVRON)
        across = along[:, ::-1] * [0.8, -0.8]
        tips = tails + share * (heads - tails) + along / 2
        if (bows := self.bows(moves)) is not None:  # a point on the curve
            tips += 4 * share * (1 - share) * bows
        sides = [np.stack([tips - along + side, tips], axis=1) for side in (across, -across)]
        return np.concatenate(sides)

    def heads(self, arcs: npt.ArrayLike, gap: float, length: float) -> Points:
        """Return the heads of arcs as triangles, n x 3 x (x, y), in pixels.

        Their tips are at a distance ``gap`` before the center of the vertex to which an arc leads.
        """
        tails, heads = self.segments(arcs).transpose(1, 0, 2)
        along = heads - tails
        if (bows := self.bows(arcs)) is not None:  # the direction in which a curve ends
            along -= 4 * bows
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        across = along[:, ::-1] * [1, -1] * length * _HEAD_WIDTH / 2
        tips = heads - gap * along
        backs = tips - length * along
        return np.stack([tips, backs + across, backs - across], axis=1)

    def bows(self, moves: npt.ArrayLike) -> Points | None:
        """Return the offset of the middle of each move from a straight line, in pixels: (x, y).

        It is None if all moves are straight.
        """
        graph, rows = self.graph, np.asarray(moves, dtype=np.int64).reshape(-1, 2)
        if not graph.directed or not len(rows):
            return None
        has_opposite = np.isin(graph.pair_keys(rows[:, ::-1]), graph.pair_keys(graph.arcs))
        along = self.centers[rows[:, 1]] - self.centers[rows[:, 0]]
        across = along[:, ::-1] * [1, -1] / np.linalg.norm(along, axis=1, keepdims=True)
        return np.asarray(across * has_opposite[:, None] * _BOW)


def _cut_at_edges(board: Board, ends: Points, moves: Ints) -> Points:
    """Return segments in which each move across a glued edge is replaced by its two halves."""
    is_across = ~replace(board, topology=Topology.FLAT).are_moves(*moves.T)
    tails, heads = ends[is_across, 0], ends[is_across, 1]
    straight = heads - tails
    # A jump fits if it differs from the straight line by whole turns around the board; a move that
    # no single jump makes stays a straight line.
    height = board.rows if board.topology is Topology.TORUS else np.inf
    jumps = np.array([(right, down) for down, right in board.piece.jumps], dtype=np.float64)
    fits = ((jumps - straight[:, None]) % [board.columns, height] == 0).all(axis=2)
    jumps = np.where(fits.any(axis=1)[:, None], jumps[fits.argmax(axis=1)], straight)

    def leave(points: Points, jumps: Points) -> Points:
        """Return where each jump leaves the board, or its end if it stays on the board."""
        room = np.where(jumps > 0, [board.columns, board.rows] - points, points)
        with np.errstate(divide="ignore"):
            share = (room / np.abs(jumps)).min(axis=1, keepdims=True)
        return np.asarray(points + np.minimum(share, 1) * jumps)

    halves = np.stack([tails, leave(tails, jumps), leave(heads, -jumps), heads], axis=1)
    copies = np.where(is_across, 2, 1)
    lines = np.repeat(ends, copies, axis=0)
    lines[np.repeat(is_across, copies)] = halves.reshape(-1, 2, 2)
    return lines


def rectangles(kinds: Ints, apart: bool) -> tuple[Points, Ints]:
    """Return the corners of rectangles, n x 4 x (x, y), that cover the squares, and their kinds.

    ``kinds`` are rows x columns. Neighbors of one kind in a row share a rectangle unless ``apart``.
    """
    no_kind = -2  # before each row, so that every row begins a rectangle
    is_first = (np.diff(kinds, axis=1, prepend=no_kind) != 0) | apart
    starts = np.flatnonzero(is_first)
    top, left = np.divmod(starts, kinds.shape[1])
    right = left + np.diff(starts, append=kinds.size)
    corners = [(left, top), (right, top), (right, top + 1), (left, top + 1)]
    return np.array(corners, dtype=np.float64).transpose(2, 0, 1), kinds[is_first]


def outline(board: Board) -> tuple[Points, Mask]:
    """Return the sides between a square and a hole or the outside, n x 2 ends x (x, y).

    The mask holds for each side whether the board is glued to itself there.
    """
    mask = np.pad(board.mask.reshape(board.rows, board.columns), 1)
    parts: list[Points] = []
    # A side separates two neighbors of which one is in the mask, so that the mask changes there.
    for axis, inner in ((0, mask[:, 1:-1]), (1, mask[1:-1])):
        tops, lefts = np.nonzero(np.diff(inner, axis=axis))
        ends = np.stack([lefts, tops], axis=1)
        parts.append(np.stack([ends, ends + np.array([1 - axis, axis])], axis=1).astype(np.float64))
    sides = np.concatenate(parts)
    glued = {Topology.FLAT: 0, Topology.TORUS: 2}.get(board.topology, 1)  # pairs of sides
    limits = np.array([board.columns, board.rows])
    at_limit = ((sides == 0) | (sides == limits)).all(axis=1)
    return sides, at_limit[:, :glued].any(axis=1)
