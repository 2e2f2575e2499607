"""The ground of a picture: the squares of a board, or the edges and vertices of a graph."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.board.maps import file_letters
from kt_cp.draw.geometry import Frame, outline, rectangles, zoom_for
from kt_cp.draw.layout import least_clearance
from kt_cp.draw.picture import (
    SQUARE_CORNERS,
    Points,
    disc_mark,
    polygon_mark,
    svg_group,
    svg_path,
    svg_texts,
    text_width,
)

NAMES_ROOM = 24
"""The width of the room beside a board for the names of its files or ranks, in pixels."""

JOINED_DASHES = (6.0, 4.0)
"""The dashes of the sides at which a board is glued to itself, in pixels."""

_LINE_NAME_SIZE = 15.0  # size of the font of the names of files and ranks, in pixels
_LINE_NAME_SHARE = 0.6  # the largest such size for two characters, in sides of a square
_RANK_SHARE = 0.62  # of the room beside a board, from the board to the middle of a rank's name
_GRID_OUTLINE = 0.05  # width of the outline of a board to write on, in squares

# The radius of a vertex with its name inside, in pixels, and relative to the least distance between
# two vertices and to that from an edge that passes a vertex.
_MIN_RADIUS, _MAX_RADIUS = 9.0, 22.0
_RADIUS_SHARE, _CLEARANCE_SHARE = 0.33, 0.7
_MAX_MEASURED = 200  # vertices whose distances are computed; those of larger graphs are small
_MAX_PAIRS = 100_000  # of a vertex and an edge whose distances are computed

_MIN_DOT, _MAX_DOT = 2.5, 5.0  # radius of a vertex with its name beside it, in pixels
_FILLED_DOT = 8.0  # that of a colored vertex, which may hold a letter
_NAME_GAP, _FILLED_GAP = 7.0, 6.0  # between such a vertex and its name, where marks may be

# The size of the font of a name inside a vertex, in radii, for the length of the longest name.
_FONT_IN_RADIUS = {1: 1.3, 2: 1.2, 3: 0.95}

# The size of the font of names beside vertices, in pixels, and the least one among many vertices.
_NAME_SIZE, _SMALL_NAME_SIZE = 14.0, 11.0
_MAX_LARGE_NAMES, _MAX_NAMES = 40, 80  # vertices

_HEAD_GAP = 2.0  # between the head of an arc and the vertex, in pixels
_SMALL_HEAD, _LARGE_HEAD = 8.0, 16.0  # lengths of the heads of arcs, and of thick ones
_MAX_USUAL_EDGES = 60  # edges; those of larger graphs are fainter


@dataclass
class Ground:
    """A board or graph in its frame, with the colors of its squares.

    Later ``fills``, each a role and ids, lie above earlier ones; on a graph, ``labels`` as elements
    of SVG lie above these. A ``grid`` separates the squares, and ``has_line_names`` is True if
    files and ranks are named. Holes are left blank unless they are shaded. Small boards without a
    grid have the pattern of a chessboard, if ``has_checkers``. Vertices of a graph are named, if
    there is room and ``has_names``.
    """

    frame: Frame
    grid: bool
    has_line_names: bool
    fills: list[tuple[str, Ints]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    has_shaded_holes: bool = False
    has_checkers: bool = True
    has_names: bool = True

    @cached_property
    def vertices(self) -> VertexSigns:
        """How the vertices of a graph are drawn."""
        return VertexSigns.of(self.frame)

    def radius_of(self, vertices: Sequence[int] | Ints) -> float:
        """Return the largest radius of some vertices of a graph, in pixels."""
        is_any_filled = any(np.isin(vertices, ids).any() for _, ids in self.fills)
        return self.vertices.filled_radius if is_any_filled else self.vertices.radius

    def below(self, zoom: float) -> Iterator[str]:
        """Yield what lies below the drawing: squares, outline and names, or the edges of a graph.

        ``zoom`` enlarges lines and text.
        """
        graph = self.frame.graph
        if not isinstance(graph, Board):
            yield from self._edges()
            return
        yield from self._squares(graph)
        role, width = ("ink", _GRID_OUTLINE * self.frame.cell) if self.grid else ("faint", zoom)
        sides, is_joined = outline(graph)
        sides = self.frame.pixels(sides)
        if not is_joined.all():
            yield svg_path("outline", sides[~is_joined], role, width)
        if is_joined.any():
            joined = sides[is_joined]
            yield svg_path("joined", joined, "muted", 1.5 * zoom, dashes=JOINED_DASHES)
        if self.has_line_names:
            yield self._line_names(graph, zoom)

    def _squares(self, board: Board) -> Iterator[str]:
        """Yield the squares of each color.

        On a large board no square is dark, as a fine checkered pattern is only noise.
        """
        roles = list(dict.fromkeys(["light", "dark", "hole", *(role for role, _ in self.fills)]))
        kinds: Ints = np.zeros(board.area, dtype=np.int64)
        if self.has_checkers and self.frame.is_fine and not self.grid:
            kinds[board.dark(np.arange(board.area))] = roles.index("dark")
        for role, ids in self.fills:
            kinds[ids] = roles.index(role)
        kinds[~board.mask] = roles.index("hole") if self.has_shaded_holes else -1
        corners, kinds = rectangles(kinds.reshape(board.rows, board.columns), apart=self.grid)
        for kind in np.unique(kinds[kinds >= 0]).tolist():
            role, stroke = roles[kind], None
            if self.grid:
                stroke = role if role == "hole" else "faint"
            chosen = self.frame.pixels(corners[kinds == kind])
            yield svg_path("squares", chosen, stroke, 0.8, role)

    def _line_names(self, board: Board, zoom: float) -> str:
        """Return the names of the files, below the board, and of the ranks, at its left."""
        columns, rows = range(board.columns), range(board.rows)
        files = self.frame.pixels([(column + 0.5, board.rows) for column in columns])
        ranks = self.frame.pixels([(0, row + 0.5) for row in rows])
        files[:, 1] += (NAMES_ROOM / 2 + 2) * zoom
        ranks[:, 0] -= _RANK_SHARE * NAMES_ROOM * zoom
        names = [*map(file_letters, columns), *(str(board.rows - row) for row in rows)]
        places = np.concatenate([files, ranks])
        room = _LINE_NAME_SHARE * self.frame.cell * 2 / max(map(len, names))
        size = min(_LINE_NAME_SIZE * zoom, room)
        return svg_group("line-names", [svg_texts(places, names, size, "muted")])

    def _edges(self) -> Iterator[str]:
        """Yield the edges of a graph as thin lines, with heads if the graph is directed."""
        graph, signs = self.frame.graph, self.vertices
        arcs = graph.arcs if graph.directed else graph.arcs[graph.arcs[:, 0] < graph.arcs[:, 1]]
        if not len(arcs):
            return
        width = 0.8 if len(arcs) <= _MAX_USUAL_EDGES else 0.6
        yield svg_path("edge", self.frame.lines(arcs), "faint", width)
        if graph.directed:
            heads = self.frame.heads(arcs, signs.head_gap, signs.head_length(1))
            yield svg_path("head", heads, fill="faint", fill_rule="nonzero")

    def above(self) -> Iterator[str]:
        """Yield what lies above the drawing: the vertices of a graph, with names in or above them.

        Nothing lies above a drawing on a board.
        """
        graph, signs = self.frame.graph, self.vertices
        if isinstance(graph, Board):
            return
        points = self.frame.pixel_centers(graph.vertices)
        yield disc_mark("paper", "line", 0.12)(points, signs.radius)
        for role, ids in self.fills:
            mark = disc_mark(role, "line", 0.12)
            if role == "removed":
                mark = polygon_mark(SQUARE_CORNERS, "line", 0.12, role)
            yield mark(self.frame.pixel_centers(ids), signs.filled_radius)
        yield from self.labels
        if signs.font_size and self.has_names:
            if not signs.are_inside:
                distance = signs.radius + signs.name_gap
                if self.fills:
                    distance = max(distance, signs.filled_radius + _FILLED_GAP * signs.zoom)
                points = label_points(self.frame, signs.names, distance, signs.font_size)
            halo = not signs.are_inside
            yield svg_texts(points, signs.names, signs.font_size, "ink", halo=halo)


@dataclass(frozen=True)
class VertexSigns:
    """How the vertices of a graph are drawn: as discs of a radius in pixels, with or without names.

    ``font_size`` is that of their names, which are inside or beside the discs; 0 means no names.
    ``name_gap`` is the distance of names beside them, in pixels.
    """

    radius: float
    names: tuple[str, ...]
    are_inside: bool
    font_size: float
    name_gap: float
    zoom: float

    @classmethod
    def of(cls, frame: Frame) -> VertexSigns:
        """Return discs as large as the distances between vertices and edges allow."""
        graph, points = frame.graph, frame.pixels(frame.centers)
        names = tuple(graph.name(vertex) for vertex in graph.vertices.tolist())
        longest, count = max(map(len, names)), len(names)
        zoom = zoom_for(frame.left + frame.lower_right[0])
        distance, room = np.inf, _MIN_DOT
        if count <= _MAX_MEASURED:
            distances = np.linalg.norm(points[:, None] - points, axis=2)
            np.fill_diagonal(distances, np.inf)
            distance = float(distances.min())
            room = min(_MAX_RADIUS, _RADIUS_SHARE * distance)
            if count * len(graph.arcs) <= _MAX_PAIRS:
                room = min(room, _CLEARANCE_SHARE * least_clearance(points, graph.arcs))
        if longest in _FONT_IN_RADIUS and room >= _MIN_RADIUS * zoom:
            return cls(room, names, True, _FONT_IN_RADIUS[longest] * room, 0, zoom)
        size = _NAME_SIZE * zoom if count <= _MAX_NAMES else 0.0
        if _MAX_LARGE_NAMES < count <= _MAX_NAMES:
            legible = 0.8 * distance / max(map(text_width, names))
            size = min(size, max(_SMALL_NAME_SIZE, legible))
        radius = min(_MAX_DOT, max(_MIN_DOT, room))
        return cls(radius, names, False, size, _NAME_GAP * zoom, zoom)

    @property
    def filled_radius(self) -> float:
        """The radius of a colored vertex, in pixels: if names are beside it, a letter fits in."""
        return self.radius if self.are_inside else max(self.radius, _FILLED_DOT * self.zoom)

    def head_length(self, thickness: float) -> float:
        """Return the length of the head of an arc of a relative thickness, in pixels."""
        return _LARGE_HEAD if thickness > 1 else _SMALL_HEAD

    @property
    def head_gap(self) -> float:
        """The distance of the tip of an arc's head from the center of a vertex, in pixels."""
        return self.radius + _HEAD_GAP


def label_points(frame: Frame, labels: Sequence[str], distance: float, size: float) -> Points:
    """Return the center of a label beside each vertex, in the widest angle between two edges.

    Of equal angles, the one away from the middle of the picture is taken. ``distance`` is that of
    the label from the center of the vertex, and ``size`` that of its font, both in pixels. The
    points are n x (x, y).
    """
    graph, points = frame.graph, frame.pixels(frame.centers)
    right = frame.lower_right[0] + frame.left
    placed: list[Points] = []
    for vertex, label in zip(graph.vertices.tolist(), labels, strict=True):
        point = points[vertex]
        outward_x, outward_y = point - points.mean(axis=0)
        outward = angle = math.atan2(outward_y, outward_x)
        ends = graph.arcs[(graph.arcs == vertex).any(axis=1)]
        lines = points[ends[ends != vertex]] - point
        angles = np.unique(np.round(np.arctan2(lines[:, 1], lines[:, 0]), 6))
        if len(angles):
            widths = np.diff(angles, append=angles[0] + 2 * math.pi)
            directions = angles + widths / 2
            angle = float(directions[(widths + 0.1 * np.cos(directions - outward)).argmax()])
        half_width = text_width(label) * size / 2

        direction = np.array([math.cos(angle), math.sin(angle)])
        extent = abs(direction) @ [half_width, size / 2]
        place = point + (distance + extent) * direction
        place[0] = np.clip(place[0], half_width, max(half_width, right - half_width))
        placed.append(place)
    return np.array(placed)
