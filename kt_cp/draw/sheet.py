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
from kt_cp.draw.ground import (
    JOINED_DASHES,
    MIN_FONT_SIZE,
    NAMES_ROOM,
    NUMBER_SHARE,
    Ground,
    cell_side,
    check_drawable,
    font_share,
    zoom_for,
)
from kt_cp.draw.layout import centers
from kt_cp.draw.look import GROUPS, USUAL, Look
from kt_cp.draw.picture import (
    CAPTION_SIZE,
    LEGEND_SIZE,
    LegendEntry,
    Mark,
    Paragraph,
    Picture,
    as_caption,
    as_sentence,
    combined_mark,
    disc_mark,
    move_mark,
    one_line,
    polygon_mark,
    square_mark,
    svg_group,
    svg_hatch,
    svg_path,
    svg_texts,
    write_below,
)
from kt_cp.graph import Graph

DOT_RADIUS = 0.14
"""The usual radius of a mark, in squares."""

DISC_RADIUS = 0.3
"""The radius of the disc below a number, in squares."""

DISC_SHARE = 2 * DISC_RADIUS
"""The share of a square's side that a number on a disc may take."""

BOARD_GAP = 1.2
"""The gap between two boards of a picture, in squares."""

# Lengths in pixels.
_MARGIN = 16  # around a board and its names
_NAMED_CELL = 27  # side of the smallest square for which files and ranks are named
_MIN_MARK_RADIUS = 4  # least radius of a mark on the board
_LABEL_FONT_SIZE = 13  # size of the font of a label beside a vertex
_LABEL_GAP = 3  # between a vertex and its label
_SHOWN_WIDTH = 800  # of a picture on a page, which reduces a wider picture
_MIN_WIDTH = 360  # of a picture
_GAP_ABOVE_CAPTION = 8  # above the caption
_MIN_LEGIBLE = 7.5  # size of the font of the legend below which words are hidden

_MAX_DOT_SHARE = 0.3  # the largest radius of a usual mark, in squares
_MIN_DOT_SHARE = 0.011  # the radius that it has on wide boards, relative to the width of the board
_CORNER_SHARE = 0.22  # size of the font of a word in a corner, in squares
_LETTER_SHARE = 1.4  # size of the font of a letter in a vertex, in radii

_CHEVRON_SHARE = 0.88  # of a move, where its chevron is: no other move crosses it there
_EDGE_CHEVRON_SHARE = 0.5  # of an edge of a graph, whose end is below the vertex

LEFT_OUT = polygon_mark([(-1, -1), (1, 1), (0, 0), (1, -1), (-1, 1), (0, 0)], "muted", 0.18)
"""The sign of a square that a path leaves out: a cross."""

# A vertex holds its name, so a dashed ring surrounds it.
_LEFT_OUT_RING = disc_mark(None, "muted", 0.14, dashes=(0.45, 0.335))
_MAX_NAMED = 4  # squares left out


class Sheet:
    """A board or graph to draw on; the larger a board is, the smaller are its squares.

    The colors of squares lie below the drawing, and the vertices of a graph with their names above
    it; ``elements`` of SVG are drawn in the order of the calls. ``sentences`` are paragraphs
    between the caption and the ``legend``. Words and margins are enlarged by ``least_zoom`` or
    more.
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
        drawn as a circle, unless the graph is planar. Raises `InputError` as `check_drawable` does.
        """
        check_drawable(graph)
        self.caption, self.look = caption, look
        self.graph, self.is_board = graph, isinstance(graph, Board)
        points = centers(graph, tour)
        squares_per_side = math.ceil(points.max() + 0.5)
        cell = cell_side(squares_per_side, word_length, word_share)
        self.least_zoom = zoom_for(squares_per_side * cell + 2 * _MARGIN)
        has_line_names = look.coordinates and cell >= _NAMED_CELL and self.is_board
        left = top = _MARGIN * self.least_zoom
        if has_line_names:
            left += NAMES_ROOM * self.least_zoom
        self.ground = Ground(graph, points, cell, left, top, False, has_line_names)
        self.ground.grid = grid and self.ground.is_fine
        self._grounds = [self.ground]
        self.elements: list[str] = []
        self.sentences: list[tuple[str, str]] = []
        self.legend: list[LegendEntry] = []

    def again(self, right: float, down: float) -> Sheet:
        """Return a sheet for a further copy of the board or graph in the same picture.

        It is ``right`` and ``down`` from this one, in squares.
        """
        left, top = self.ground.pixels([right, down]).tolist()
        sheet = copy(self)  # which shares the lists of what is drawn
        sheet.ground = replace(self.ground, left=left, top=top, fills=[], labels=[])
        self._grounds.append(sheet.ground)
        return sheet

    @property
    def line_width(self) -> float:
        """The usual width of a line, in pixels."""
        if self.ground.is_fine:
            return min(2.0, 0.04 * self.ground.cell + 0.8)
        return 0.13 * self.ground.cell

    @property
    def shown_cell(self) -> float:
        """The side of a square where a page shows the picture, in pixels."""
        right, _ = self._lower_right
        return self.ground.cell / max(1.0, (right + _MARGIN) / _SHOWN_WIDTH)

    @property
    def _lower_right(self) -> tuple[float, float]:
        """The corner of the smallest rectangle around all boards, in pixels."""
        corners = [ground.lower_right for ground in self._grounds]
        return max(x for x, _ in corners), max(y for _, y in corners)

    @property
    def _zoom(self) -> float:
        """The factor that enlarges the words; further boards make the picture wider."""
        return max(self.least_zoom, zoom_for(self._lower_right[0] + _MARGIN))

    def draw(self, element: str) -> None:
        """Draw an element of SVG above those before it."""
        self.elements.append(element)

    @contextmanager
    def group(self, name: str) -> Iterator[None]:
        """Group the elements that are drawn meanwhile; ``name`` is the class of the group."""
        first = len(self.elements)
        yield
        self.elements[first:] = [svg_group(name, self.elements[first:])]

    # -- squares -----------------------------------------------------------------------------------

    def fill(self, role: str, squares: Collection[int] | Ints, legend: str | None = None) -> None:
        """Color squares; the ``legend`` explains them with their number, unless that is 0."""
        ids = np.array([*squares], dtype=np.int64)
        self.ground.fills.append((role, ids))
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
        self.ground.has_checkers = False

    def shade_holes(self) -> None:
        """Shade the holes of a board, so that none is taken for a square."""
        self.ground.has_shaded_holes = True

    def hatch(self, squares: Collection[int] | Ints, legend: str | None = None) -> None:
        """Color squares as removed and hatch them, so that they stand out in gray print too.

        Vertices of a graph become squares instead. The legend states the number of squares, unless
        it is 0.
        """
        self.fill("removed", squares)
        if self.is_board:
            self.draw(svg_hatch(self.ground.pixel_centers([*squares]), self.ground.cell / 2))
        if legend is not None:
            square = square_mark("removed")
            mark = combined_mark(square, svg_hatch) if self.is_board else square
            self.add_count(legend, mark, len(squares))

    def mark_left_out(self, vertices: Sequence[int] | Ints, *, explained: bool = True) -> None:
        """Mark vertices that a tour leaves out, if any.

        If ``explained``, the legend names a few, and states the number of more.
        """
        if not len(vertices):
            return
        mark, radius = (LEFT_OUT, 0.2) if self.is_board else (_LEFT_OUT_RING, 0.0)
        text = None
        if explained:
            ids = [int(vertex) for vertex in vertices]
            shown = self.graph.vocabulary.count_vertices(len(ids))
            if len(ids) <= _MAX_NAMED:
                shown = self.graph.list_names(ids)
            text = f"left out: {shown}"
        self.draw_mark(mark, vertices, radius=radius, legend=text)

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
        cell = self.ground.cell
        right, _ = self.ground.lower_right
        size = max(radius * cell, _MIN_MARK_RADIUS * self._zoom)
        if radius == DOT_RADIUS:  # on a long and low board, it is seen on a phone too
            size = max(size, min(_MAX_DOT_SHARE * cell, _MIN_DOT_SHARE * right))
        if not self.is_board:
            size = max(size, self.ground.radius_of(squares) + _MIN_MARK_RADIUS * self._zoom)
        self.draw(mark(self.ground.pixel_centers(squares), size))
        if legend is not None:
            self.add_legend(legend, mark)

    # -- moves -------------------------------------------------------------------------------------

    def draw_moves(
        self,
        moves: npt.ArrayLike,
        stroke: str = "line",
        *,
        thickness: float = 1.0,
        css_class: str = "move",
        dashes: tuple[float, float] | None = None,
        legend: str | None = None,
    ) -> None:
        """Draw moves, rows of two ids; the ``legend`` explains them if there are any.

        ``thickness`` is relative to the usual width of a line. ``dashes`` are the lengths of a dash
        and of a gap, in pixels.
        """
        if not len(lines := self.ground.segments(moves)):
            return
        width, bows = thickness * self.line_width, self.ground.bows(moves)
        self.draw(svg_path(css_class, lines, stroke, width, dashes=dashes, bows=bows))
        if not self.is_board and self.graph.directed:
            signs = self.ground.vertices
            heads = self.ground.heads(moves, signs.head_gap, signs.head_length(thickness))
            self.draw(svg_path("head", heads, fill=stroke))
        if legend is not None:
            self.add_legend(legend, move_mark(stroke, thickness, dashes))

    def draw_chevrons(
        self, moves: npt.ArrayLike, stroke: str = "line", *, thickness: float = 1.0
    ) -> None:
        """Draw a chevron on each move: near its end, or half-way along an edge of a graph.

        ``thickness`` is relative to the usual width of a line, and scales the chevron too.
        """
        share = _CHEVRON_SHARE if self.is_board else _EDGE_CHEVRON_SHARE
        chevrons = self.ground.chevrons(moves, share, thickness)
        self.draw(svg_path("head", chevrons, stroke, thickness * self.line_width))

    # -- words -------------------------------------------------------------------------------------

    def can_write(self, word_length: int, share: float = 1.0) -> bool:
        """Return whether words of a length are legible in a ``share`` of the side of a square."""
        return self._font_size(word_length, share) >= MIN_FONT_SIZE

    def _font_size(self, word_length: int, share: float) -> float:
        """Return the size of the font for words of a length in squares, in pixels."""
        return self.ground.cell * share * self.look.number_scale * font_share(word_length)

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
        square's side. ``on_disc`` draws a disc in the color of the
        empty square below each word, which hides lines.
        """
        texts = [str(word) for word in words]
        longest = max([word_length, *map(len, texts)])
        if not (self.is_board and texts and self.can_write(longest, share)):
            return
        if on_disc:
            ids = np.asarray(squares, dtype=np.int64)
            is_dark = self.ground.is_dark(ids)
            for role, chosen in (("light", ids[~is_dark]), ("dark", ids[is_dark])):
                self.draw_mark(disc_mark(role), chosen, radius=DISC_RADIUS)
        size = self._font_size(longest, share)
        self.draw(svg_texts(self.ground.pixel_centers(squares), texts, size, fill, bold=bold))

    def write_in_corners(self, squares: Sequence[int] | Ints, words: Iterable[object]) -> None:
        """Write a small word into the lower left corner of each square, where it is legible."""
        size = _CORNER_SHARE * self.ground.cell
        if size >= MIN_FONT_SIZE:
            corners = self.ground.pixels(
                self.ground.centers[squares] + [-0.45, 0.5 - _CORNER_SHARE / 2]
            )
            self.draw(svg_texts(corners, [*map(str, words)], size, "ink", centered=False))

    def write_beside(self, labels: Mapping[int, str], fill: str = "end") -> None:
        """Write a label beside each vertex of a graph, between its edges, if there is room."""
        signs = self.ground.vertices
        if not signs.are_inside:
            return
        words = [labels[vertex] for vertex in self.graph.vertices.tolist()]
        size = _LABEL_FONT_SIZE * self._zoom
        points = self.ground.label_points(words, signs.radius + _LABEL_GAP, size)
        self.draw(svg_texts(points, words, size, fill, bold=True, halo=True))

    def write_label(self, vertices: Sequence[int], label: str) -> None:
        """Write a label into each square, or beside each vertex of a graph.

        It is in the vertex, which should be colored, if the name is beside that.
        """
        labels = [label] * len(vertices)
        if self.is_board:
            self.write_words(vertices, labels, bold=True)
            return
        points, signs = self.ground.pixel_centers(vertices), self.ground.vertices
        size = signs.filled_radius * _LETTER_SHARE
        if signs.are_inside:
            points = points + np.array([1.3, -1.3]) * signs.radius
            size = _LABEL_FONT_SIZE * self._zoom
        self.ground.labels.append(svg_texts(points, labels, size, "ink", bold=True))

    # -- below the board ---------------------------------------------------------------------------

    def add_sentence(self, text: str, described: str | None = None) -> None:
        """Add a paragraph between the caption, which is bold then, and the legend.

        It becomes a sentence; ``described`` is the text for screen readers, by default the same.
        """
        self.sentences.append((as_sentence(text), text if described is None else described))

    def add_legend(self, text: str, mark: Mark | None = None, mark_extent: float = 2.0) -> None:
        """Add an entry to the legend, with the mark that it explains; see `LegendEntry`."""
        self.legend.append(LegendEntry(mark, text, mark_extent))

    def add_count(self, text: str, mark: Mark, count: int) -> None:
        """Add an entry with a number of squares to the legend, unless that is 0."""
        if count:
            self.add_legend(f"{text}: {self.graph.vocabulary.count_vertices(count)}", mark)

    def explain_joined_sides(self) -> None:
        """Explain in the legend the sides at which a board is glued to itself, if there are any."""
        if isinstance(self.graph, Board) and self.graph.topology is not Topology.FLAT:
            text = "joined sides: a line that leaves there comes back on the opposite side"
            self.add_legend(text, move_mark("muted", 0.7, JOINED_DASHES))

    def finish(self, description: str = "") -> Picture:
        """Return the picture with its caption, unless the look has a title, and its legend.

        The description is for screen readers; by default it is the caption, the sentences and the
        legend.
        """
        look, zoom, first = self.look, self._zoom, self._grounds[0]
        right, top = self._lower_right
        left = first.left
        width = max(_MIN_WIDTH * zoom, right + _MARGIN * zoom)
        title = as_caption(self.caption) if look.title is None else look.title
        top += _GAP_ABOVE_CAPTION * zoom
        if first.has_line_names:
            top += NAMES_ROOM * zoom
        caption = Paragraph("caption", title, CAPTION_SIZE, is_bold=bool(self.sentences))
        below = [caption, *(Paragraph("sentence", shown) for shown, _ in self.sentences)]
        if look.legend:
            below += [
                Paragraph("entry", text, fill="muted", gap=0, mark=mark, mark_extent=extent)
                for mark, text, extent in self.legend
            ]
        words, bottom = write_below(below, left, top, (width - left) / zoom - _MARGIN, zoom)
        elements = [element for ground in self._grounds for element in ground.below(zoom)]
        elements += self.elements
        elements += [element for ground in self._grounds for element in ground.above()]
        if words:
            elements.append(svg_group("words-below", words))
        described = [described for _, described in self.sentences]
        entries = [entry.text for entry in self.legend]
        return Picture(
            width,
            bottom + _MARGIN / 2 * zoom,
            one_line(title),
            description or "; ".join([self.caption, *described, *entries]),
            tuple(elements),
            look.theme,
            corner=(left, first.top),
            cell=first.cell,
            legend=tuple(self.legend),
            words_top=top,
            faces=look.words.faces,
            legible_width=_MIN_LEGIBLE / LEGEND_SIZE * width / zoom,
        )
