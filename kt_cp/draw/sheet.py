"""The sheet of a picture: a board or graph to draw on, with a caption and a legend."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.board import Board, Topology
from kt_cp.draw.drawing import MARGIN, Drawing, Sentence, reduction_for
from kt_cp.draw.frame import (
    MIN_FONT_SIZE,
    NUMBER_SHARE,
    BoardFrame,
    cell_side,
    font_share,
    zoom_for,
)
from kt_cp.draw.geometry import centers, check_drawable
from kt_cp.draw.graph_ground import label_points
from kt_cp.draw.ground import JOINED_DASHES, NAMES_ROOM, Ground
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.move_lines import MoveLines
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import (
    CORE_SHARE,
    LegendEntry,
    Mark,
    Picture,
    disc_mark,
    hatched_mark,
    move_mark,
    square_mark,
    svg_group,
    svg_hatch,
    svg_path,
    svg_texts,
)
from kt_cp.draw.wording import as_sentence
from kt_cp.graph import Graph

DOT_RADIUS = 0.14
"""The usual radius of a mark, in squares."""

DISC_RADIUS = 0.3
"""The radius of the disc below a number, in squares."""

DISC_SHARE = 2 * DISC_RADIUS
"""The share of a square's side that a number on a disc may take."""

# Lengths in pixels.
_NAMED_CELL = 27  # side of the smallest square for which files and ranks are named
_MIN_MARK_RADIUS = 4  # least radius of a mark on the board
_MAX_DOT_SHARE = 0.3  # the largest radius of a usual mark, in squares
_MIN_DOT_SHARE = 0.011  # the radius that it has on wide boards, relative to the width of the board
_LABEL_FONT_SIZE = 13  # size of the font of a label beside a vertex
_LETTER_SHARE = 1.4  # size of the font of a letter in a vertex, in radii
_LABEL_GAP = 3  # between a vertex and its label

_CHEVRON_SHARE = 0.88  # of a move, where its chevron is: no other move crosses it there
_EDGE_CHEVRON_SHARE = 0.5  # of an edge of a graph, whose end is below the vertex


class Sheet:
    """A board or graph to draw on; the larger a board is, the smaller are its squares.

    The colors of squares lie below the drawing, and the vertices of a graph with their names above
    it; elements are drawn in the order of the calls.
    """

    def __init__(
        self,
        graph: Graph,
        caption: str,
        look: Look = USUAL,
        *,
        word_length: int = 0,
        word_share: float = NUMBER_SHARE,
        grid: bool = False,
        tour: Sequence[int] = (),
    ) -> None:
        """Place a board or graph.

        If possible, words of ``word_length`` characters are legible in a ``word_share`` of the side
        of a square. A ``grid`` separates the squares. A ``tour`` through all vertices of a graph is
        drawn as a circle, unless the graph has a usual drawing. Raises `InputError` as
        `check_drawable` does.
        """
        check_drawable(graph)
        self.caption, self.look = caption, look
        self.is_board = isinstance(graph, Board)
        points = centers(graph, tour)
        squares_per_side = math.ceil(points.max() + 0.5)
        cell = cell_side(squares_per_side, word_length, word_share)
        zoom = zoom_for(squares_per_side * cell + 2 * MARGIN)
        has_line_names = look.coordinates and cell >= _NAMED_CELL and self.is_board
        left = top = MARGIN * zoom
        if has_line_names:
            left += NAMES_ROOM * zoom
        frame = BoardFrame(graph, points, cell, left, top)
        ground = Ground(frame, grid and frame.is_fine, has_line_names)
        self.drawing = Drawing([ground], zoom)
        self._draw_on(ground)

    def _draw_on(self, ground: Ground) -> None:
        """Draw on a board or graph from now on."""
        self._ground, self.frame, self.graph = ground, ground.frame, ground.frame.graph
        self._move_lines = MoveLines(ground.frame)

    def beside(
        self,
        board: Board,
        right: float,
        down: float,
        *,
        has_line_names: bool = True,
        scale: float = 1.0,
    ) -> Sheet:
        """Return a sheet for a further board in the same picture.

        Its corner is ``right`` and ``down`` from that of this one, in squares of this one. Its own
        squares are ``scale`` times as large. Its files and ranks are named as those of this board
        are, unless ``has_line_names`` is False.
        """
        left, top = self.frame.pixels([right, down]).tolist()
        frame = BoardFrame(board, centers(board), scale * self.frame.cell, left, top)
        is_named = has_line_names and self._ground.has_line_names
        return self._with_ground(Ground(frame, self._ground.grid, is_named))

    def again(self, number: int, gap: float) -> Sheet:
        """Return a sheet for a further copy of this board or graph, below it in the same picture.

        ``number`` counts the copies from 1, and ``gap`` is the room between two, in squares.
        """
        first = self.frame
        _, bottom = first.lower_right
        down = number * (bottom - first.top + gap * first.cell)
        frame = replace(first, top=first.top + down)
        return self._with_ground(replace(self._ground, frame=frame, fills=[], labels=[]))

    def _with_ground(self, ground: Ground) -> Sheet:
        """Return a sheet to draw on a further board or graph in the same picture."""
        self.drawing.grounds.append(ground)
        sheet = copy(self)  # which shares the drawing
        sheet._draw_on(ground)
        return sheet

    @property
    def line_width(self) -> float:
        """The usual width of a line, in pixels."""
        if self.frame.is_fine:
            return min(2.0, 0.04 * self.frame.cell + 0.8)
        return 0.13 * self.frame.cell

    @property
    def shown_cell(self) -> float:
        """The side of a square where a page shows the picture, in pixels."""
        right, _ = self.drawing.lower_right
        return self.frame.cell / reduction_for(right + MARGIN)

    def draw(self, element: str) -> None:
        """Draw an element of SVG above those before it."""
        self.drawing.elements.append(element)

    @contextmanager
    def group(self, name: str) -> Iterator[None]:
        """Group the elements that are drawn meanwhile; ``name`` is the class of the group."""
        below = self.drawing.elements
        self.drawing.elements = []
        try:
            yield
        finally:
            below.append(svg_group(name, self.drawing.elements))
            self.drawing.elements = below

    def fill(self, role: str, squares: Collection[int] | Ints, legend: str | None = None) -> None:
        """Color squares; the ``legend`` explains them with their number, unless that is 0."""
        ids = np.array([*squares], dtype=np.int64)
        self._ground.fills.append((role, ids))
        if legend is not None:
            self.add_count(legend, square_mark(role), len(ids))

    def show_colors(self) -> None:
        """Color the squares of both colors, or the two parts of a bipartite graph, with a legend.

        Dark squares are darker than light ones in every theme. The vertices of one part of a graph
        are shaded.
        """
        graph = self.graph
        is_dark = graph.dark(graph.vertices)
        dark, light = graph.vertices[is_dark], graph.vertices[~is_dark]
        if self.is_board:
            self.fill("chess-dark", dark, "dark")
            self.fill("chess-light", light, "light")
            return
        self.fill(GROUPS[0], dark, "shaded")
        self.add_count("unshaded", square_mark("light"), len(light))

    def hide_checkers(self) -> None:
        """Leave the squares of a board without the pattern of a chessboard."""
        self._ground.has_checkers = False

    def shade_holes(self) -> None:
        """Shade the holes of a board, so that none is taken for a square."""
        self._ground.has_shaded_holes = True

    def hatch(self, squares: Collection[int] | Ints, legend: str) -> None:
        """Color squares as removed and hatch them, so that they stand out in gray print too.

        Vertices of a graph become squares instead. The legend states the number of squares, unless
        it is 0.
        """
        self.hatch_unexplained(squares)
        self.add_count(legend, self.hatch_mark, len(squares))

    @property
    def hatch_mark(self) -> Mark:
        """The mark of squares or vertices that `hatch` marks, for the legend."""
        return hatched_mark("removed") if self.is_board else square_mark("removed")

    @property
    def hatched(self) -> str:
        """The adjective for squares or vertices that `hatch` marks."""
        return "hatched" if self.is_board else "square"

    def hatch_unexplained(self, squares: Collection[int] | Ints) -> None:
        """Hatch squares as `hatch` does, without an entry in the legend."""
        self.fill("removed", squares)
        if self.is_board:
            self.draw(svg_hatch(self.frame.pixel_centers([*squares]), self.frame.cell / 2))

    def curve_overlaps(self, moves: Ints) -> None:
        """Draw overlapping moves among these as curves from now on; see `MoveLines`."""
        self._move_lines.curve_overlaps(moves)

    def explain_curves(self) -> None:
        """Explain in the legend why some moves are curves, if there are any."""
        if self.is_board and self._move_lines.has_curves:
            self.add_legend("curved: moves on one line, which would hide one another")

    def draw_moves(
        self,
        moves: npt.ArrayLike,
        stroke: str = "line",
        *,
        thickness: float = 1.0,
        css_class: str = "move",
        dashes: tuple[float, float] | None = None,
        is_double: bool = False,
        legend: str | None = None,
    ) -> None:
        """Draw moves, rows of two ids; the ``legend`` explains them if there are any.

        ``thickness`` is relative to the usual width of a line. ``dashes`` are the lengths of a dash
        and of a gap, in pixels. A double line is blank in the middle.
        """
        lines = self._move_lines.lines(moves)
        if not len(lines):
            return
        width = thickness * self.line_width
        self.draw(svg_path(css_class, lines, stroke, width, dashes=dashes))
        if is_double:
            self.draw(svg_path("core", lines, "paper", CORE_SHARE * width))
        if not self.is_board and self.graph.directed:
            signs = self._ground.vertices
            heads = self._move_lines.heads(moves, signs.head_gap, signs.head_length(thickness))
            self.draw(svg_path("head", heads, fill=stroke, fill_rule="nonzero"))
        if legend is not None:
            self.add_legend(legend, move_mark(stroke, thickness, dashes, is_double=is_double))

    def draw_chevrons(
        self, moves: npt.ArrayLike, stroke: str = "line", *, thickness: float = 1.0
    ) -> None:
        """Draw a chevron on each move: near its end, or half-way along an edge of a graph.

        ``thickness`` is relative to the usual width of a line, and scales the chevron too.
        """
        share = _CHEVRON_SHARE if self.is_board else _EDGE_CHEVRON_SHARE
        chevrons = self._move_lines.chevrons(moves, share, thickness)
        self.draw(svg_path("head", chevrons, stroke, thickness * self.line_width))

    def draw_mark(
        self,
        mark: Mark,
        squares: Sequence[int] | Ints,
        *,
        radius: float = DOT_RADIUS,
        legend: str | None = None,
    ) -> None:
        """Draw a mark, whose radius is in squares; the ``legend`` explains it.

        On a graph, the mark is larger than a vertex, so that it surrounds the vertex.
        """
        cell = self.frame.cell
        right, _ = self.frame.lower_right
        size = max(radius * cell, _MIN_MARK_RADIUS * self.drawing.zoom)
        if radius == DOT_RADIUS:  # on a long and low board, it is seen on a phone too
            size = max(size, min(_MAX_DOT_SHARE * cell, _MIN_DOT_SHARE * right))
        if not self.is_board:
            inner = self._ground.radius_of(squares)
            size = max(size, inner + _MIN_MARK_RADIUS * self.drawing.zoom)
        self.draw(mark(self.frame.pixel_centers(squares), size))
        if legend is not None:
            self.add_legend(legend, mark)

    def can_write(self, word_length: int, share: float = 1.0) -> bool:
        """Return whether words of a length are legible in a ``share`` of the side of a square."""
        return self._font_size(word_length, share) >= MIN_FONT_SIZE

    def _font_size(self, word_length: int, share: float) -> float:
        """Return the size of the font for words of a length in squares, in pixels."""
        return self.frame.cell * share * self.look.number_scale * font_share(word_length)

    def write_words(
        self,
        squares: Sequence[int] | Ints,
        words: Iterable[object],
        *,
        share: float = 1.0,
        fill: str = "ink",
        bold: bool = False,
        word_length: int = 0,
        on_disc: bool = False,
    ) -> None:
        """Write a word into each square, unless the words would be illegible; see `can_write`.

        Nothing is written on a graph, whose vertices have names in them. The size is the one for
        the longest word, or for ``word_length`` characters if those are more, in a ``share`` of the
        square's side. ``on_disc`` draws a pale disc below each word, which hides lines.
        """
        texts = [str(word) for word in words]
        longest = max([word_length, *map(len, texts)])
        if not (self.is_board and texts and self.can_write(longest, share)):
            return
        if on_disc:
            self.draw_mark(disc_mark("light"), squares, radius=DISC_RADIUS)
        size = self._font_size(longest, share)
        self.draw(svg_texts(self.frame.pixel_centers(squares), texts, size, fill, bold=bold))

    def write_on_moves(self, moves: Sequence[tuple[int, int]], words: Iterable[object]) -> None:
        """Write a word in the middle of each move, with a halo."""
        if not len(moves):
            return
        middles = self.frame.pixel_centers(moves).mean(axis=1)
        texts = [str(word) for word in words]
        self.draw(svg_texts(middles, texts, self._label_size, "ink", bold=True, halo=True))

    @property
    def _label_size(self) -> float:
        """The size of the font of labels, in pixels."""
        return _LABEL_FONT_SIZE * self.drawing.zoom

    def write_beside(self, labels: Mapping[int, str], fill: str = "end") -> None:
        """Write a label beside each vertex of a graph, between its edges, if there is room."""
        signs = self._ground.vertices
        if not signs.are_inside:
            return
        words = tuple(labels[vertex] for vertex in self.graph.vertices.tolist())
        points = label_points(self.frame, words, signs.radius + _LABEL_GAP, self._label_size)
        self.draw(svg_texts(points, words, self._label_size, fill, bold=True, halo=True))

    def write_label(self, vertices: Sequence[int], label: str) -> None:
        """Write a label into each square, or beside each vertex of a graph.

        It is in the vertex, which should be colored, if the name is beside that.
        """
        labels = [label] * len(vertices)
        if self.is_board:
            self.write_words(vertices, labels, bold=True)
            return
        points, signs = self.frame.pixel_centers(vertices), self._ground.vertices
        size = signs.filled_radius * _LETTER_SHARE
        if signs.are_inside:
            points = points + np.array([1.3, -1.3]) * signs.radius
            size = self._label_size
        self._ground.labels.append(svg_texts(points, labels, size, "ink", bold=True))

    def add_sentence(self, text: str, described: str | None = None) -> None:
        """Add a paragraph between the caption, which is bold then, and the legend.

        It becomes a sentence; ``described`` is the text for screen readers, by default the same.
        """
        spoken = text if described is None else described
        self.drawing.sentences.append(Sentence(as_sentence(text), spoken))

    def add_legend(self, text: str, mark: Mark | None = None, mark_extent: float = 2.0) -> None:
        """Add an entry to the legend, with the mark that it explains; see `LegendEntry`."""
        self.drawing.legend.append(LegendEntry(mark, text, mark_extent))

    def explain_joined_sides(self) -> None:
        """Explain in the legend the sides at which a board is glued to itself, if there are any."""
        if isinstance(self.graph, Board) and self.graph.topology is not Topology.FLAT:
            text = "joined sides: a line that leaves there comes back on the opposite side"
            self.add_legend(text, move_mark("muted", 0.7, JOINED_DASHES))

    def add_count(self, text: str, mark: Mark, count: int) -> None:
        """Add an entry with a number of squares to the legend, unless that is 0."""
        if count:
            self.add_legend(f"{text}: {self.graph.vocabulary.count_vertices(count)}", mark)

    def finish(self, description: str = "") -> Picture:
        """Return the picture; see `Drawing.picture`."""
        return self.drawing.picture(self.caption, self.look, description)
