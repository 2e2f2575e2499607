"""The ground of a picture: the squares of a board, or the edges and vertices of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.board.board import file_letters
from kt_cp.draw.frame import BoardFrame
from kt_cp.draw.geometry import joined_sides, outline, rectangles
from kt_cp.draw.graph_ground import VertexSigns, edge_elements, name_elements
from kt_cp.draw.picture import (
    SQUARE_CORNERS,
    disc_mark,
    polygon_mark,
    svg_group,
    svg_path,
    svg_texts,
)

NAMES_ROOM = 24
"""The width of the room beside a board for the names of its files or ranks, in pixels."""

JOINED_DASHES = (6.0, 4.0)
"""The dashes of the sides at which a board is glued to itself, in pixels."""

_LINE_NAME_SIZE = 15.0  # size of the font of the names of files and ranks, in pixels
_LINE_NAME_SHARE = 0.6  # the largest such size for two characters, in sides of a square
_RANK_SHARE = 0.62  # of the room beside a board, from the board to the middle of a rank's name
_GRID_OUTLINE = 0.05  # width of the outline of a board to write on, in squares


@dataclass
class Ground:
    """A board or graph in its frame, with the colors of its squares.

    Later ``fills``, each a role and ids, lie above earlier ones; on a graph, ``labels`` as elements
    of SVG lie above these. A ``grid`` separates the squares,
    and ``has_line_names`` is True if files and ranks are named. Holes are left blank unless they
    are shaded. Small boards without a grid have the pattern of a chessboard, if ``has_checkers``.
    """

    frame: BoardFrame
    grid: bool
    has_line_names: bool
    fills: list[tuple[str, Ints]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    has_shaded_holes: bool = False
    has_checkers: bool = True

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
            yield from edge_elements(self.frame, self.vertices)
            return
        yield from self._squares(graph)
        role, width = "faint", zoom
        if self.grid:
            role, width = "ink", _GRID_OUTLINE * self.frame.cell
        sides = outline(graph)
        is_joined = joined_sides(graph, sides)
        if not is_joined.all():
            yield svg_path("outline", self.frame.pixels(sides[~is_joined]), role, width)
        if is_joined.any():
            joined = self.frame.pixels(sides[is_joined])
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

    def above(self) -> Iterator[str]:
        """Yield what lies above the drawing: the vertices of a graph, with names in or above them.

        Nothing lies above a drawing on a board.
        """
        graph = self.frame.graph
        if isinstance(graph, Board):
            return
        yield disc_mark("paper", "line", 0.12)(
            self.frame.pixel_centers(graph.vertices), self.vertices.radius
        )
        for role, ids in self.fills:
            mark = disc_mark(role, "line", 0.12)
            if role == "removed":
                mark = polygon_mark(SQUARE_CORNERS, "line", 0.12, role)
            yield mark(self.frame.pixel_centers(ids), self.vertices.filled_radius)
        yield from self.labels
        yield from name_elements(self.frame, self.vertices, has_fills=bool(self.fills))
