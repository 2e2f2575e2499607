"""The sheet of a picture: a board or graph, the drawing on it, the caption and the legend."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.draw.frame import MIN_FONT_SIZE, NUMBER_SHARE, BoardFrame, cell_side, font_share
from kt_cp.draw.geometry import centers, check_drawable, curve, curve_offsets
from kt_cp.draw.ground import NAMES_ROOM, Ground
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.picture import (
    LegendEntry,
    Mark,
    Picture,
    Points,
    disc_mark,
    hatched_mark,
    move_mark,
    square_mark,
    svg_hatch,
    svg_path,
    svg_texts,
    svg_words_beside,
)
from kt_cp.draw.text_below import TextBelow
from kt_cp.draw.wording import as_caption, one_line
from kt_cp.graph import Graph

DOT_RADIUS = 0.14
"""The radius of the mark of an end, in squares."""

DISC_RADIUS = 0.3
"""The radius of the disc below a number, in squares."""

DISC_SHARE = 2 * DISC_RADIUS
"""The share of a square's side that a number on a disc may take."""

# Lengths in pixels.
_SHOWN_WIDTH = 800  # width of a picture on a page; texts are enlarged so that they have 14 pixels
_LEGIBLE_SHARE = 0.75  # of that width, at which texts have 10.5 pixels; they are hidden below it
_MIN_WIDTH = 360  # least width of a picture
_MARGIN = 16
_CAPTION_GAP = 8  # room above the caption
_NAMED_CELL = 27  # side of the smallest square for which files and ranks are named
_CHEVRON_CELL = 22  # side of the smallest square for chevrons, where a page shows the picture
_MIN_MARK = 4  # least radius of a mark on the board
_LABEL_SIZE = 13  # size of the font of a label beside a vertex

_TIP = 0.88  # position of a chevron, as a share of its move
_LINES_IN_CURVE = 16


@dataclass
class Drawing:
    """The contents of a picture, which several boards may share.

    ``grounds`` are its boards or its graph. ``elements`` are those of SVG that are drawn on them,
    the lowest first.
    """

    grounds: list[Ground]
    elements: list[str] = field(default_factory=list)
    legend: list[LegendEntry] = field(default_factory=list)


class Sheet:
    """A board or graph to draw on; the larger a board is, the smaller are its squares.

    The colors of squares lie below the drawing, and the vertices of a graph with their names above
    it; elements are drawn in the order of the calls. If possible, words of ``word_length``
    characters are legible in a ``word_share`` of the side of a square; a ``grid`` separates the
    squares. A ``cycle`` through all vertices of a graph is drawn as a circle, unless the graph has
    a usual drawing. The ``frame`` states where the board is. ``zoom`` enlarges the text and marks
    beside a board so large that a page shows it reduced. Raises `InputError` as `check_drawable`
    does.
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
        cycle: Sequence[int] = (),
    ) -> None:
        check_drawable(graph)
        self.graph, self.caption, self.look = graph, caption, look
        self.is_board = isinstance(graph, Board)
        points = centers(graph, cycle)
        side = math.ceil(points.max() + 0.5)
        cell = cell_side(side, word_length, word_share)
        self.zoom = max(1.0, (side * cell + 2 * _MARGIN) / _SHOWN_WIDTH)
        has_line_names = look.coordinates and cell >= _NAMED_CELL and self.is_board
        left = top = _MARGIN * self.zoom
        if has_line_names:
            left += NAMES_ROOM * self.zoom
        self.frame = BoardFrame(graph, points, cell, left, top)
        self.line_width = 0.13 * cell
        if self.frame.is_fine:
            self.line_width = min(2.0, 0.04 * cell + 0.8)
        self._ground = Ground(self.frame, grid and self.frame.is_fine, has_line_names)
        self.drawing = Drawing([self._ground])
        self._curve_offsets: dict[tuple[int, int], Points] = {}

    def beside(
        self, board: Board, right: float, down: float, *, has_line_names: bool = True
    ) -> Sheet:
        """Return a sheet for a further board in the same picture.

        Its corner is ``right`` and ``down`` from that of this one, in squares. Its files and ranks
        are named as those of this board are, unless ``has_line_names`` is False.
        """
        part = copy(self)  # with the same drawing, since both are one picture
        part.graph = board
        left, top = self.frame.pixels([right, down]).tolist()
        part.frame = BoardFrame(board, centers(board), self.frame.cell, left, top)
        is_named = has_line_names and self._ground.has_line_names
        part._ground = Ground(part.frame, self._ground.grid, is_named)
        self.drawing.grounds.append(part._ground)
        return part

    def draw(self, element: str) -> None:
        """Draw an element of SVG above those before it."""
        self.drawing.elements.append(element)

    def fill(self, role: str, squares: Collection[int] | Ints, text: str | None = None) -> None:
        """Color squares; with a text, the legend states their number, unless it is 0."""
        ids = np.array([*squares], dtype=np.int64)
        self._ground.fills.append((role, ids))
        if text is not None:
            self._add_count(text, square_mark(role), len(ids))

    def hatch(self, squares: Collection[int] | Ints, text: str) -> None:
        """Color squares as removed and hatch them, so that they stand out in gray print too.

        Vertices of a graph become squares instead. The legend states the number of squares, unless
        it is 0.
        """
        self.fill("removed", squares)
        if self.is_board:
            self.draw(svg_hatch(self.frame.pixel_centers([*squares]), self.frame.cell / 2))
        mark = hatched_mark("removed") if self.is_board else square_mark("removed")
        self._add_count(text, mark, len(squares))

    def _add_count(self, text: str, mark: Mark, count: int) -> None:
        """Add a line with a number of squares to the legend, unless that is 0."""
        if count:
            self.add_legend(f"{text}: {self.graph.vocabulary.count_vertices(count)}", mark)

    def curve_overlaps(self, moves: Ints) -> None:
        """Draw overlapping moves among these as curves from now on.

        There are curves on flat boards only, on which every move is one line.
        """
        if isinstance(self.graph, Board) and self.frame.is_fine:
            self._curve_offsets = curve_offsets(self.graph, moves)

    def draw_moves(
        self,
        moves: npt.ArrayLike,
        stroke: str = "line",
        *,
        thickness: float = 1.0,
        css_class: str = "move",
        dashes: tuple[float, float] | None = None,
        text: str | None = None,
    ) -> None:
        """Draw moves, rows of two ids; with a text, the legend explains them if there are any.

        ``thickness`` is relative to the usual width of a line. ``dashes`` are the lengths of a dash
        and of a gap, in pixels.
        """
        rows = np.asarray(moves, dtype=np.int64).reshape(-1, 2)
        lines = self.frame.pixel_segments(rows)
        if not len(lines):
            return
        if self._curve_offsets:
            lines = self._curves(lines, rows)
        width = thickness * self.line_width
        self.draw(svg_path(css_class, lines, stroke, width, dashes=dashes))
        if text is not None:
            self.add_legend(text, move_mark(stroke, dashes=dashes))

    def _curves(self, lines: Points, moves: Ints) -> Points:
        """Return the lines that draw moves, n x 2 ends x (x, y): one for a straight move."""
        chains: list[Points] = []
        for (tail, head), offset in zip(lines, self._offsets(moves), strict=True):
            parts = _LINES_IN_CURVE if offset.any() else 1
            chains.append(curve(tail, head, offset, parts))
        return np.concatenate(chains)

    def _offsets(self, moves: Ints) -> Points:
        """Return the offset of the middle of each move from a straight line, in pixels: (x, y)."""
        straight = np.zeros(2)
        ends = np.sort(moves, axis=1).tolist()
        offsets = [self._curve_offsets.get((low, high), straight) for low, high in ends]
        return np.array(offsets).reshape(-1, 2) * self.frame.cell

    @property
    def has_room_for_chevrons(self) -> bool:
        """Whether chevrons and bands can be told apart where a page shows the picture."""
        return self.frame.is_fine and self.frame.cell / self.zoom >= _CHEVRON_CELL

    def draw_chevrons(self, moves: npt.ArrayLike, stroke: str = "line") -> None:
        """Draw a small chevron on each move, near its end, where no other move crosses it."""
        tails, heads = self.frame.pixel_segments(moves).transpose(1, 0, 2)
        if self._curve_offsets:
            # The point of a curve at a share of its length; see `curve`.
            offsets = 4 * _TIP * (1 - _TIP) * self._offsets(np.asarray(moves))
            tails = tails + offsets
            heads = heads + offsets
        along = (heads - tails) / np.linalg.norm(heads - tails, axis=1, keepdims=True)
        along *= max(0.1 * self.frame.cell, 3)
        across = along[:, ::-1] * [0.8, -0.8]
        tip = tails + _TIP * (heads - tails) + along / 2
        sides = [np.stack([tip - along + side, tip], axis=1) for side in (across, -across)]
        self.draw(svg_path("head", np.concatenate(sides), stroke, self.line_width))

    def draw_mark(
        self,
        mark: Mark,
        squares: Sequence[int] | Ints,
        *,
        radius: float = DOT_RADIUS,
        text: str | None = None,
    ) -> None:
        """Draw a mark, whose radius is in squares; with a text, the legend explains it.

        On a graph, the mark is larger than a vertex, so that it surrounds the vertex.
        """
        size = max(radius * self.frame.cell, _MIN_MARK * self.zoom)
        if not self.is_board:
            size = max(size, self._ground.vertex_radius + _MIN_MARK)
        self.draw(mark(self.frame.pixel_centers(squares), size))
        if text is not None:
            self.add_legend(text, mark)

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
        blank: bool = False,
    ) -> None:
        """Write a word into each square, unless the words would be illegible; see `can_write`.

        Nothing is written on a graph, whose vertices have names in them. The size is the one for
        the longest word, or for ``word_length`` characters if those are more, in a ``share`` of the
        square's side. ``blank`` hides lines below the words.
        """
        texts = [str(word) for word in words]
        longest = max([word_length, *map(len, texts)])
        if not (self.is_board and texts and self.can_write(longest, share)):
            return
        if blank:
            self.draw_mark(disc_mark("light"), squares, radius=DISC_RADIUS)
        size = self._font_size(longest, share)
        self.draw(svg_texts(self.frame.pixel_centers(squares), texts, size, fill, bold=bold))

    def write_label(self, vertices: Sequence[int], label: str) -> None:
        """Write a label into each square, or beside each vertex of a graph."""
        labels = [label] * len(vertices)
        if self.is_board:
            self.write_words(vertices, labels, bold=True)
            return
        offset = np.array([1.3, -1.3]) * self._ground.vertex_radius
        points = self.frame.pixel_centers(vertices) + offset
        self.draw(svg_texts(points, labels, _LABEL_SIZE, "ink", bold=True))

    def add_legend(self, text: str, mark: Mark | None = None) -> None:
        """Add a line to the legend, with the mark that it explains."""
        self.drawing.legend.append(LegendEntry(mark, text))

    def replace_legend(self, text: str) -> None:
        """Replace the legend by one line."""
        self.drawing.legend = [LegendEntry(None, text)]

    def step_name(self, step: int) -> str:
        """Return the name of a step, numbered from 1, as the look numbers it: ``step 12``."""
        return f"step {step - 1 + self.look.first:,}"

    def finish(self, text: str = "") -> Picture:
        """Return the picture; ``text`` describes it to screen readers, by default its legend."""
        drawing = self.drawing
        corners = [ground.frame.lower_right for ground in drawing.grounds]
        right = max(x for x, _ in corners)
        bottom = max(y for _, y in corners)
        left = self.frame.left
        # Boards beside the first one make the picture wider, and the text is enlarged for that.
        zoom = max(self.zoom, (right + _MARGIN) / _SHOWN_WIDTH)
        width = max(_MIN_WIDTH * zoom, right + _MARGIN * zoom)
        top = bottom + _CAPTION_GAP * zoom
        if self._ground.has_line_names:
            top += NAMES_ROOM * zoom
        caption = as_caption(self.caption) if self.look.title is None else self.look.title
        below = TextBelow(left, top, (width - left) / zoom - _MARGIN, zoom)
        below.write_caption(caption)
        if self.look.legend:
            below.write_legend(drawing.legend)
        grounds = [element for ground in drawing.grounds for element in ground.below(zoom)]
        elements = [*grounds, *drawing.elements, *self._ground.above()]
        if below.elements:
            elements.append(svg_words_beside(below.elements))
        return Picture(
            width,
            below.bottom + _MARGIN / 2 * zoom,
            one_line(caption),
            text or "; ".join([self.caption, *(entry.text for entry in drawing.legend)]),
            tuple(elements),
            self.look.theme,
            corner=(left, self.frame.top),
            cell=self.frame.cell,
            legend=tuple(drawing.legend),
            faces=self.look.words.faces,
            legible_width=_LEGIBLE_SHARE * width / zoom,
        )
