"""The ground of a picture: where a board or graph, its squares and moves are, and how it is drawn.

Points are (x, y), in squares from the board's top left corner, or in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask
from kt_cp.board import Board, Topology
from kt_cp.board.maps import file_letters
from kt_cp.draw.layout import VertexSigns
from kt_cp.draw.look import text_width
from kt_cp.draw.picture import (
    SQUARE_CORNERS,
    Points,
    disc_mark,
    polygon_mark,
    svg_group,
    svg_heads,
    svg_path,
    svg_texts,
)
from kt_cp.files import import_optional
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
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

Names = npt.NDArray[np.object_]
"""Names, such as roles of colors."""

# Lengths in pixels.
_FINE_CELL = 12  # side of the smallest square for details
_MIN_CELL = 3.0  # side of a square of a large board
_MAX_CELL = 64.0  # side of a square of a small board
_USUAL_SIDE = 1000  # side of a board, unless its squares would be too small or too large
_MAX_LEGIBLE_SIDE = 8000  # side to which a board may grow to make its letters legible
_LEGIBLE_WIDTH = 600  # width of a picture whose words a phone shows legibly

SMALL_HEAD, LARGE_HEAD = 8.0, 16.0
"""The lengths of the heads of usual arcs and of thick ones, in pixels."""

MARGIN = 16
"""The margin around a board and its names, or a graph, in pixels."""

NAMES_ROOM = 24
"""The width of the room beside a board for the names of its files or ranks, in pixels."""

JOINED_DASHES = (6.0, 4.0)
"""The dashes of the sides at which a board is glued to itself, in pixels."""

_LINE_NAME_SIZE = 15.0  # size of the font of the names of files and ranks, in pixels
_LINE_NAME_SHARE = 0.6  # the largest such size for two characters, in sides of a square
_RANK_SHARE = 0.62  # of the room beside a board, from the board to the middle of a rank's name

_NAME_GAP = 6.5  # between a vertex and the name beside it, where marks may be, in pixels
_HEAD_GAP = 2.0  # between the head of an arc and the vertex, in pixels
_EDGE_WIDTH = 0.7  # of the line of an edge, in pixels


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


def cell_side(squares_per_side: int, least: float) -> float:
    """Return the side of a square of a board, in pixels.

    It is the ``least`` one or more, unless the board would be too large.
    """
    least = max(_MIN_CELL, min(least, _MAX_LEGIBLE_SIDE / squares_per_side))
    # Usually a whole number of pixels, since at other scales typst clips the joins of lines.
    return max(least, min(_MAX_CELL, _USUAL_SIDE // squares_per_side))


# One pixel more than legible, so that a rounding error does not make words illegible.
_LEGIBLE_SIZE = MIN_FONT_SIZE + 1


def legible_cell(
    word_length: int, share: float = NUMBER_SHARE, font_size: float = _LEGIBLE_SIZE
) -> float:
    """Return the side of a square with words of a length in a ``share`` of it.

    It is in the unit of the ``font_size``, by default the least in pixels.
    """
    return font_size / font_share(word_length) / share


def font_share(word_length: int) -> float:
    """Return the size of the font for words of a length, relative to the side of their square."""
    letter_width, word_width = 0.6, 0.8  # of a wide letter in its size, and of a word in its square
    return min(0.45, word_width / (letter_width * max(word_length, 1)))


class Ground:
    """A board or graph: where it is in a picture, and how it is drawn.

    ``zoom`` enlarges its lines, words and margins, in a picture that is larger than usual.
    ``centers`` are those of all ids, n x (x, y), and ``size`` is the lower right corner, in squares
    from the top left corner of the board. ``cell`` is the side of a square, and ``left`` and
    ``top`` are the board's corner, in pixels. Moves, rows of two ids, are straight lines.

    Later ``fills``, each a role and ids, lie above earlier ones; on a graph, ``labels`` as elements
    of SVG lie above these. A ``grid`` separates the squares, and ``has_line_names`` is True if
    files and ranks are named. Holes amid squares are shaded, and those at the outside left blank.
    Small boards without a grid have the pattern of a chessboard, if ``has_checkers``.
    """

    def __init__(self, graph: Graph, centers: Points, cell: float, zoom: float) -> None:
        self.graph = graph
        self.centers = centers
        self.cell = cell
        self.zoom = zoom
        self.is_board = isinstance(graph, Board)
        self.size = centers.max(axis=0) + 0.5
        self.left = self.top = MARGIN * zoom
        self.grid = self.has_line_names = False
        self.has_checkers = True
        self.fills: list[tuple[str, Ints]] = []
        self.labels: list[str] = []

    @property
    def shows_details(self) -> bool:
        """Whether squares are large enough for details such as arrowheads."""
        return self.cell >= _FINE_CELL

    @property
    def lower_right(self) -> tuple[float, float]:
        """The corner opposite to (left, top), in pixels."""
        right, bottom = self.pixels(self.size).tolist()
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

    def lines(
        self,
        moves: npt.ArrayLike,
        css_class: str,
        stroke: str,
        width: float,
        dashes: tuple[float, float] | None = None,
        head: float = SMALL_HEAD,
    ) -> Iterator[str]:
        """Yield the lines of moves; in a directed graph they have heads of a length in pixels."""
        ends = self.segments(moves)
        yield svg_path(css_class, ends, stroke, width, dashes=dashes)
        if self.is_board or not self.graph.directed:
            return
        tails, heads = ends.transpose(1, 0, 2)
        along = heads - tails
        gap = (self.vertices.radius + _HEAD_GAP) / np.linalg.norm(along, axis=1, keepdims=True)
        yield svg_heads(heads - gap * along, along, head, stroke)

    # -- what is drawn -----------------------------------------------------------------------------

    @cached_property
    def vertices(self) -> VertexSigns:
        """How the vertices of a graph are drawn."""
        return VertexSigns.of(self.graph, self.pixels(self.centers), self.zoom)

    @property
    def vertex_radius(self) -> float:
        """The largest radius of a vertex of a graph, in pixels."""
        return self.vertices.filled_radius if self.fills else self.vertices.radius

    def below(self) -> Iterator[str]:
        """Yield what lies below the drawing: squares, outline and names, or edges of a graph."""
        graph = self.graph
        if not isinstance(graph, Board):
            yield from self._edges()
            return
        yield from self._squares(graph)
        sides, is_joined = outline(graph)
        sides = self.pixels(sides)
        if not is_joined.all():
            yield svg_path("outline", sides[~is_joined], "muted", self.zoom)
        if is_joined.any():
            joined = sides[is_joined]
            yield svg_path("joined", joined, "muted", 1.5 * self.zoom, dashes=JOINED_DASHES)
        if self.has_line_names:
            yield self._line_names(graph)

    def is_dark(self, squares: Ints) -> Mask:
        """Return which squares are drawn dark where nothing fills them.

        On a large board no square is dark, as a fine checkered pattern is only noise.
        """
        is_checkered = self.has_checkers and self.shows_details and not self.grid
        assert isinstance(self.graph, Board)
        return self.graph.dark(squares) & is_checkered

    def _squares(self, board: Board) -> Iterator[str]:
        """Yield the squares of each color."""
        roles = np.full(board.area, "light", dtype=object)
        roles[self.is_dark(np.arange(board.area))] = "dark"
        roles[~board.mask] = ""  # is not drawn
        roles[enclosed_holes(board)] = "hole"
        for role, ids in self.fills:
            roles[ids] = role
        corners, roles = rectangles(board.grid(roles), apart=self.grid)
        for role in filter(None, dict.fromkeys(roles.tolist())):
            stroke = None
            if self.grid:
                stroke = role if role == "hole" else "faint"
            chosen = self.pixels(corners[roles == role])
            yield svg_path("squares", chosen, stroke, 0.8, role)

    def _line_names(self, board: Board) -> str:
        """Return the names of the files, below the board, and of the ranks, at its left."""
        columns, rows = range(board.columns), range(board.rows)
        files = self.pixels([(column + 0.5, board.rows) for column in columns])
        ranks = self.pixels([(0, row + 0.5) for row in rows])
        files[:, 1] += (NAMES_ROOM / 2 + 2) * self.zoom
        ranks[:, 0] -= _RANK_SHARE * NAMES_ROOM * self.zoom
        names = [*map(file_letters, columns), *(str(board.rows - row) for row in rows)]
        places = np.concatenate([files, ranks])
        room = _LINE_NAME_SHARE * self.cell * 2 / max(map(len, names))
        size = min(_LINE_NAME_SIZE * self.zoom, room)
        return svg_group("line-names", [svg_texts(places, names, size, "muted")])

    def _edges(self) -> Iterator[str]:
        """Yield the edges of a graph as thin lines, with heads if the graph is directed."""
        graph = self.graph
        arcs = graph.arcs if graph.directed else graph.arcs[graph.arcs[:, 0] < graph.arcs[:, 1]]
        if len(arcs):
            yield from self.lines(arcs, "edge", "faint", _EDGE_WIDTH)

    def above(self) -> Iterator[str]:
        """Yield what lies above the drawing: the vertices of a graph, with names in or above them.

        Nothing lies above a drawing on a board.
        """
        if self.is_board:
            return
        graph = self.graph
        signs = self.vertices
        points = self.pixel_centers(graph.vertices)
        yield disc_mark("paper", "line", 0.12)(points, signs.radius)
        for role, ids in self.fills:
            mark = disc_mark(role, "line", 0.12)
            if role == "removed":
                mark = polygon_mark(SQUARE_CORNERS, "line", 0.12, role)
            yield mark(self.pixel_centers(ids), signs.filled_radius)
        yield from self.labels
        if signs.font_size:
            if not signs.are_inside:
                distance = self.vertex_radius + _NAME_GAP * self.zoom
                names = dict(zip(graph.vertices.tolist(), signs.names, strict=True))
                points = self.label_points(names, distance, signs.font_size)
            halo = None if signs.are_inside else "paper"
            yield svg_texts(points, signs.names, signs.font_size, "ink", halo=halo)

    def label_points(self, labels: Mapping[int, str], distance: float, size: float) -> Points:
        """Return the center of a label beside each vertex, in the widest angle between two edges.

        ``distance`` is that of the label from the center of the vertex, and ``size`` that of its
        font, both in pixels. The points are n x (x, y).
        """
        graph = self.graph
        points = self.pixels(self.centers)
        low, high = self.left - MARGIN, self.lower_right[0] + MARGIN
        label_centers: list[Points] = []
        for vertex, label in labels.items():
            point = points[vertex]
            ends = graph.arcs[(graph.arcs == vertex).any(axis=1)]
            lines = points[ends[ends != vertex]] - point
            if not len(lines):
                lines = points.mean(axis=0, keepdims=True) - point
            direction = _amid_widest_angle(lines)
            half = np.array([text_width(label), 1.0]) * size / 2
            x, y = point + (distance + abs(direction) @ half) * direction
            leftmost = low + half[0]
            label_centers.append(np.array([np.clip(x, leftmost, max(leftmost, high - half[0])), y]))
        return np.array(label_centers)


def _amid_widest_angle(lines: Points) -> Points:
    """Return the direction in the middle of the widest angle between two neighboring lines.

    ``lines`` are vectors from one point, n x (x, y); the direction has the length 1.
    """
    angles = np.unique(np.arctan2(lines[:, 1], lines[:, 0]))
    widths = np.diff(angles, append=angles[0] + 2 * math.pi)
    middle = (angles + widths / 2)[widths.argmax()]
    return np.array([np.cos(middle), np.sin(middle)])


# -- geometry of boards ----------------------------------------------------------------------------


def _cut_at_edges(board: Board, ends: Points, moves: Ints) -> Points:
    """Return the segments of moves, with two halves at the end for each across a glued edge.

    The ``ends`` of the moves, and those of the segments, are n x 2 x (x, y).
    """
    is_across = ~replace(board, topology=Topology.FLAT).are_moves(*moves.T)
    tails, heads = ends[is_across].transpose(1, 0, 2)  # each m x (x, y), as all that follows
    jumps = _jumps_around(board, heads - tails)

    def exits(points: Points, jumps: Points) -> Points:
        """Return where jumps from points leave the board, or where they end if they stay on it."""
        room = np.where(jumps > 0, [board.columns, board.rows] - points, points)
        with np.errstate(divide="ignore"):
            share = (room / np.abs(jumps)).min(axis=1, keepdims=True)
        return np.asarray(points + np.minimum(share, 1) * jumps)

    # From the tail to where the jump leaves the board, and from where it comes back to the head.
    halves = np.stack([tails, exits(tails, jumps), exits(heads, -jumps), heads], axis=1)
    return np.concatenate([ends[~is_across], halves.reshape(-1, 2, 2)])


def _jumps_around(board: Board, straight: Points) -> Points:
    """Return the jump that each move makes on a glued board: n x (x, y).

    The ``straight`` line of each move has the same shape. A jump fits if it differs from that line
    by whole turns around the board; a move that no single jump makes stays a straight line.
    """
    height = board.rows if board.topology is Topology.TORUS else np.inf
    jumps = np.array([(right, down) for down, right in board.piece.jumps], dtype=np.float64)
    # Moves x jumps; the first jump that fits is taken.
    fits = ((jumps - straight[:, None]) % [board.columns, height] == 0).all(axis=2)
    return np.where(fits.any(axis=1)[:, None], jumps[fits.argmax(axis=1)], straight)


def rectangles(kinds: Names, apart: bool) -> tuple[Points, Names]:
    """Return the corners of rectangles, n x 4 x (x, y), that cover the squares, and their kinds.

    ``kinds`` are rows x columns. Neighbors of one kind in a row share a rectangle unless ``apart``.
    """
    is_first = np.ones(kinds.shape, dtype=np.bool_)
    is_first[:, 1:] = apart | (kinds[:, 1:] != kinds[:, :-1])
    starts = np.flatnonzero(is_first)
    top, left = np.divmod(starts, kinds.shape[1])
    right = left + np.diff(starts, append=kinds.size)
    corners = [(left, top), (right, top), (right, top + 1), (left, top + 1)]
    return np.array(corners, dtype=np.float64).transpose(2, 0, 1), kinds[is_first]


def enclosed_holes(board: Board) -> Ints:
    """Return the holes from which no way over holes leads to the outside of the board."""
    if not board.holes:
        return np.array([], dtype=np.int64)
    is_free = np.pad(~board.grid(board.mask), 1, constant_values=True)
    ids = np.arange(is_free.size).reshape(is_free.shape)
    across = np.stack([ids[:, 1:], ids[:, :-1]], axis=-1).reshape(-1, 2)
    down = np.stack([ids[1:], ids[:-1]], axis=-1).reshape(-1, 2)
    joined = np.concatenate([across, down])
    joined = joined[is_free.ravel()[joined].all(axis=1)]
    labels = component_labels(is_free.size, joined).reshape(is_free.shape)
    return np.flatnonzero((is_free & (labels != labels[0, 0]))[1:-1, 1:-1])


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
