"""The sheet of a picture: a board or graph to draw on, with a caption and a legend."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Squares
from kt_cp.board import Board, Topology, as_board
from kt_cp.draw.ground import (
    JOINED_DASHES,
    LARGE_HEAD,
    MARGIN,
    MIN_FONT_SIZE,
    NAMES_ROOM,
    SMALL_HEAD,
    Ground,
    cell_side,
    check_drawable,
    font_share,
    zoom_for,
)
from kt_cp.draw.layout import centers
from kt_cp.draw.look import GROUPS, USUAL, Look, text_width
from kt_cp.draw.picture import (
    CAPTION_SIZE,
    END_MARK,
    HIDEABLE_GROUPS,
    LEGEND_SIZE,
    SQUARE_CORNERS,
    START_MARK,
    Drawing,
    Mark,
    Paragraph,
    Picture,
    as_caption,
    as_sentence,
    disc_mark,
    move_mark,
    one_line,
    polygon_mark,
    shifted,
    square_mark,
    svg_group,
    svg_hatch,
    svg_heads,
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

BOARD_GAP = 1.0
"""The distance between two boards of a picture, in squares."""

# Lengths in pixels.
_NAMED_CELL = 27  # side of the smallest square for which files and ranks are named
_MIN_MARK_RADIUS = 5  # least radius of a mark on the board
_LABEL_FONT_SIZE = 13  # size of the font of a label beside a vertex
_LABEL_GAP = 3  # between a vertex and its label
_MIN_WIDTH = 360  # of a picture
_GAP_ABOVE_WORDS = 8  # above the words below a board
_MIN_LEGIBLE = 7.5  # size of the font of the legend below which words are hidden

_CORNER_SHARE = 0.27  # size of the font of a word in a corner, in squares
_CORNER_GAP = 0.03  # between such a word and a line, in squares
# Where the word may be, the best place first: right and down, in halves of the room for it.
_CORNERS = np.array([(-1, 1), (1, 1), (-1, -1), (1, -1), (0, 1), (0, -1)])
_SAMPLES = 65  # points of a line
_LETTER_SHARE = 1.4  # size of the font of a letter in a vertex, in radii

_HEAD_LENGTH = 0.2  # of an arrowhead, in squares
_MIN_HEAD = 5  # its least length, in pixels
_HEAD_SHARE = 0.92  # of a move, where the tip of its head is: no other move crosses it there
_EDGE_HEAD_SHARE = 0.55  # of an edge of a graph, whose end is below the vertex

# The sign of a square that a path leaves out: a cross.
_LEFT_OUT = polygon_mark([(-1, -1), (1, 1), (0, 0), (1, -1), (-1, 1), (0, 0)], "muted", 0.18)

# Outlines around words in the squares at which a tour begins and ends, and their radius in squares.
_OUTLINES = (disc_mark(None, "start", 0.1), polygon_mark(SQUARE_CORNERS * 0.92, "end", 0.1))
_OUTLINE_RADIUS = 0.42

# A vertex holds its name, so a dashed ring surrounds it.
_LEFT_OUT_RING = disc_mark(None, "muted", 0.14, dashes=(0.45, 0.335))
_MAX_NAMED = 4  # squares left out


class Sheet(Ground):
    """A board or graph to draw on; the larger a board is, the smaller are its squares.

    The colors of squares lie below the drawing, and the vertices of a graph with their names above
    it; ``elements`` of SVG are drawn in the order of the calls. The words of a picture are:

    - ``note``: a sentence directly below the board.
    - ``caption``: the line below all boards; a title of the ``look`` replaces it where it is seen.
    - ``sentence``: a sentence below the caption, and ``spoken_sentence`` what screen readers are
      told instead.
    - ``legend``: the lines below the sentence, each with its mark.
    """

    def __init__(
        self,
        graph: Graph,
        caption: str,
        look: Look = USUAL,
        *,
        least_cell: float = 0,
        grid: bool = False,
        tour: Sequence[int] = (),
        per_row: int = 1,
    ) -> None:
        """Place a board or graph.

        If possible, squares have the side ``least_cell`` or more, in pixels. A ``grid`` separates
        the squares. A ``tour`` through all vertices of a graph is drawn as a circle, unless the
        graph is planar. ``per_row`` is the number of sheets that will be side by side in one
        picture. Raises `InputError` as `check_drawable` does.
        """
        check_drawable(graph)
        points = centers(graph, tour)
        squares_per_side = math.ceil(points.max() + 0.5)
        cell = cell_side(squares_per_side, least_cell)
        in_row = per_row * (points[:, 0].max() + 0.5 + BOARD_GAP) - BOARD_GAP
        zoom = zoom_for(max(squares_per_side, in_row) * cell + 2 * MARGIN)
        super().__init__(graph, points, cell, zoom)
        self.caption = caption
        self.look = look
        self.grid = grid and self.shows_details
        self.has_line_names = look.coordinates and cell >= _NAMED_CELL and self.is_board
        if self.has_line_names:
            self.left += NAMES_ROOM * self.zoom
        self.elements: list[str] = []
        self.legend: dict[str, Paragraph] = {}  # by their texts
        self.note = self.sentence = self.spoken_sentence = ""

    @property
    def line_width(self) -> float:
        """The usual width of a line, in pixels."""
        if self.shows_details:
            return min(2.0, 0.04 * self.cell + 0.8)
        return 0.13 * self.cell

    @property
    def bottom(self) -> float:
        """The lower end of the board with the names of its files, in pixels."""
        return self.lower_right[1] + (NAMES_ROOM * self.zoom if self.has_line_names else 0)

    @property
    def across(self) -> int:
        """The distance to a board at the right of this one, in whole pixels."""
        return math.ceil(float(self.size[0] + BOARD_GAP) * self.cell)

    def draw(self, element: str) -> None:
        """Draw an element of SVG above those before it."""
        self.elements.append(element)

    @contextmanager
    def group(self, css_class: str) -> Iterator[None]:
        """Group the elements that are drawn meanwhile in one of a ``css_class``."""
        first = len(self.elements)
        yield
        self.elements[first:] = [svg_group(css_class, self.elements[first:])]

    # -- squares -----------------------------------------------------------------------------------

    def fill(self, role: str, squares: Collection[int] | Ints, legend: str | None = None) -> None:
        """Color squares; the ``legend`` explains them with their number, unless that is 0."""
        ids = np.array([*squares], dtype=np.int64)
        self.fills.append((role, ids))
        if legend is not None and len(ids):
            count = self.graph.vocabulary.count_vertices(len(ids))
            self.add_legend(f"{legend}: {count}", square_mark(role))

    def show_colors(self) -> None:
        """Color the squares of both colors, or the two parts of a bipartite graph, with a legend.

        Dark squares are darker than light ones in every theme.
        """
        graph = self.graph
        words = graph.vocabulary
        roles = ("chess-dark", "chess-light") if self.is_board else (GROUPS[0], "light")
        is_dark = graph.dark(graph.vertices)
        self.fill(roles[0], graph.vertices[is_dark], words.dark)
        self.fill(roles[1], graph.vertices[~is_dark], words.light)

    def hide_checkers(self) -> None:
        """Leave the squares of a board without the pattern of a chessboard."""
        self.has_checkers = False

    def hatch(self, squares: Collection[int] | Ints, legend: str) -> None:
        """Color squares as removed and hatch them, so that they stand out in gray print too.

        Vertices of a graph become squares instead. The ``legend`` is as for `fill`.
        """
        self.fill("removed", squares, legend)
        if self.is_board:
            self.draw(svg_hatch(self.pixel_centers([*squares]), self.cell / 2))

    def mark_left_out(self, vertices: Ints, legend: str | None = None) -> None:
        """Mark vertices that a tour leaves out, if any.

        Unless there is a ``legend``, it names a few, and states the number of more.
        """
        mark, radius = (_LEFT_OUT, 0.2) if self.is_board else (_LEFT_OUT_RING, 0.0)
        if legend is None:
            names = self.graph.vocabulary.count_vertices(len(vertices))
            if len(vertices) <= _MAX_NAMED:
                names = self.graph.list_names(vertices.tolist())
            legend = f"left out: {names}"
        self.draw_mark(mark, vertices, radius=radius, legend=legend)

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
        if not len(squares):
            return
        size = max(radius * self.cell, _MIN_MARK_RADIUS * self.zoom)
        if not self.is_board:
            size = max(size, self.vertex_radius + _MIN_MARK_RADIUS * self.zoom)
        self.draw(mark(self.pixel_centers(squares), size))
        if legend is not None:
            self.add_legend(legend, mark)

    def mark_ends(self, ends: Sequence[int | None], *, around_words: bool = False) -> None:
        """Mark the start and the end of a path, where they are known and differ; name both.

        On a board, the marks are outlines if they are ``around_words``.
        """
        marks = (START_MARK, END_MARK)
        radius = DOT_RADIUS
        if around_words and self.is_board:
            marks = _OUTLINES
            radius = _OUTLINE_RADIUS
        for name, mark, square in zip(("start", "end"), marks, dict.fromkeys(ends), strict=False):
            if square is not None:
                legend = f"{name}: {self.graph.name(square)}"
                self.draw_mark(mark, [square], radius=radius, legend=legend)

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
        if not len(moves := np.asarray(moves, dtype=np.int64)):
            return
        width = thickness * self.line_width
        head = LARGE_HEAD if thickness > 1 else SMALL_HEAD
        self.elements += self.lines(moves, css_class, stroke, width, dashes, head)
        if legend is not None:
            self.add_legend(legend, move_mark(stroke, thickness, dashes))

    def draw_heads(
        self, moves: npt.ArrayLike, role: str = "line", *, enlargement: float = 1.0
    ) -> None:
        """Draw an arrowhead on each move: near its end, or half-way along an edge of a graph."""
        share = _HEAD_SHARE if self.is_board else _EDGE_HEAD_SHARE
        tails, ends = self.segments(moves).transpose(1, 0, 2)
        length = enlargement * max(_HEAD_LENGTH * self.cell, _MIN_HEAD)
        self.draw(svg_heads(tails + share * (ends - tails), ends - tails, length, role))

    # -- words -------------------------------------------------------------------------------------

    def can_write(self, word_length: int, share: float = 1.0) -> bool:
        """Return whether words of a length are legible in a ``share`` of the side of a square."""
        return self._font_size(word_length, share) >= MIN_FONT_SIZE

    def _font_size(self, word_length: int, share: float) -> float:
        """Return the size of the font for words of a length in squares, in pixels."""
        return self.cell * share * self.look.number_scale * font_share(word_length)

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
        square's side. ``on_disc`` draws a disc in the color of the empty square below each word,
        which hides lines.
        """
        texts = [str(word) for word in words]
        longest = max([word_length, *map(len, texts)])
        if not (self.is_board and texts and self.can_write(longest, share)):
            return
        if on_disc:
            ids = np.asarray(squares, dtype=np.int64)
            is_dark = self.is_dark(ids)
            for role, chosen in (("light", ids[~is_dark]), ("dark", ids[is_dark])):
                self.draw_mark(disc_mark(role), chosen, radius=DISC_RADIUS)
        size = self._font_size(longest, share)
        self.draw(svg_texts(self.pixel_centers(squares), texts, size, fill, bold=bold))

    def write_in_corners(
        self, squares: Sequence[int] | Ints, word: str, fill: str, moves: Squares
    ) -> None:
        """Write a small word into a corner of each square, where it is legible.

        It is the corner, or the middle between two, through which the fewest ``moves`` run. A halo
        in the color ``fill`` of the squares separates it from them.
        """
        if not len(squares) or self.corner_size < MIN_FONT_SIZE:
            return
        half = np.array([text_width(word, self.look.printed), 0.75]) * _CORNER_SHARE / 2
        places = _CORNERS * (0.46 - half)
        # Points of the lines, in squares from the upper left corner of the board: rows (x, y).
        tails, heads = self.segments(moves).transpose(1, 0, 2)
        along = np.linspace(0, 1, _SAMPLES)[:, None, None]
        points = ((1 - along) * tails + along * heads - [self.left, self.top]) / self.cell
        columns, rows = np.floor(points).astype(np.int64).reshape(-1, 2).T
        # From the center of the square in which a point is: an axis of points, one of places.
        offsets = points.reshape(-1, 1, 2) - np.stack([columns, rows], axis=1)[:, None] - 0.5
        is_hit = (np.abs(offsets - places) < half + _CORNER_GAP).all(axis=2)
        board = as_board(self.graph, "a picture with words in corners")
        hits = np.zeros((board.area, len(places)), dtype=np.int64)
        inside = (columns >= 0) & (columns < board.columns) & (rows >= 0) & (rows < board.rows)
        np.add.at(hits, (rows * board.columns + columns)[inside], is_hit[inside])
        middles = self.centers[squares] + places[hits[squares].argmin(axis=1)]
        texts = svg_texts(
            self.pixels(middles), [word] * len(squares), self.corner_size, "ink", halo=fill
        )
        self.draw(svg_group("degrees", [texts]))

    @property
    def corner_size(self) -> float:
        """The size of the font of a word in a corner, in pixels."""
        return _CORNER_SHARE * self.cell

    def write_labels(self, labels: Mapping[int, str], fill: str = "ink") -> None:
        """Write a label into each square, or beside each vertex of a graph, between its edges.

        If the names of vertices are beside them, the label is in the vertex if that is colored.
        """
        texts = [*labels.values()]
        if self.is_board:
            self.write_words([*labels], texts, bold=True)
            return
        signs = self.vertices
        if signs.are_inside:
            size = _LABEL_FONT_SIZE * self.zoom
            points = self.label_points(labels, self.vertex_radius + _LABEL_GAP, size)
            self.labels.append(svg_texts(points, texts, size, fill, bold=True, halo="paper"))
        elif self.fills:
            points = self.pixel_centers([*labels])
            size = signs.filled_radius * _LETTER_SHARE
            self.labels.append(svg_texts(points, texts, size, fill, bold=True))

    # -- below the board ---------------------------------------------------------------------------

    def add_legend(self, text: str, mark: Mark | None = None, mark_extent: float = 2.0) -> None:
        """Add an entry to the legend, with the mark that it explains; see `Paragraph`.

        An entry with the same text is not repeated.
        """
        entry = Paragraph("entry", text, fill="muted", gap=0, mark=mark, mark_extent=mark_extent)
        self.legend.setdefault(text, entry)

    def explain_joined_sides(self) -> None:
        """Explain in the legend the sides at which a board is glued to itself, if there are any."""
        if isinstance(self.graph, Board) and self.graph.topology is not Topology.FLAT:
            text = "joined sides: a line that leaves there comes back on the opposite side"
            self.add_legend(text, move_mark("muted", 0.7, JOINED_DASHES))

    def finish(self, description: str = "") -> Picture:
        """Return the picture with its caption, unless the look has a title, and its legend.

        The ``description`` is for screen readers; by default it is the caption, the sentence as
        ``spoken_sentence``, and the legend.
        """
        return joint_picture([self], description=description)

    def board(self, caption: str, description: str) -> Drawing:
        """Return the board with what is drawn on it, without words but with the note as sentence.

        A note replaces ``caption`` and ``description``, which are for screen readers.
        """
        sentence = as_sentence(self.note)
        return Drawing(
            math.ceil(self.lower_right[0] + MARGIN * self.zoom),
            math.ceil(self.bottom + MARGIN / 2),
            sentence or caption,
            sentence or description,
            (*self.below(), *self.elements, *self.above()),
            self.look,
            corner=(self.left, self.top),
            cell=self.cell,
            sentence=sentence,
        )

    def write_paragraphs(
        self, css_class: str, paragraphs: Iterable[Paragraph], top: float, right: float
    ) -> tuple[list[str], float]:
        """Return a group of paragraphs from a height downwards, unless empty, and its lower end.

        Lines end at ``right``; all lengths are in pixels.
        """
        top += _GAP_ABOVE_WORDS * self.zoom
        width = (right - self.left) / self.zoom
        words, bottom = write_below(paragraphs, self.left, top, width, self.zoom, self.look.printed)
        return [svg_group(css_class, words)] if words else [], bottom


def joint_picture(sheets: Sequence[Sheet], per_row: int = 1, description: str = "") -> Picture:
    """Return one picture of the sheets of boards of one size, in rows, each with its note.

    There are ``per_row`` or more of them.
    Below them are the caption and the sentence of the first sheet, and the legends of all. The
    ``description`` is as for `Sheet.finish`.
    """
    first = sheets[0]
    look = first.look
    zoom = first.zoom
    title = as_caption(first.caption) if look.title is None else look.title
    sentence = as_sentence(first.sentence)
    legend = {text: entry for sheet in sheets for text, entry in sheet.legend.items()}
    if not description:
        spoken = [first.caption, first.spoken_sentence, *legend]
        description = "; ".join(filter(None, spoken))
    boards = [sheet.board(one_line(title) or description, description) for sheet in sheets]
    right = first.lower_right[0] + (per_row - 1) * first.across
    # Whole numbers of pixels, as typst otherwise leaves out a row of pixels amid the picture.
    width = math.ceil(max(_MIN_WIDTH * zoom, right + MARGIN * zoom))
    words_right = width - MARGIN * zoom
    note_right = words_right if per_row == 1 else first.lower_right[0]
    elements, boards_bottom = _in_rows(sheets, boards, per_row, note_right)
    below = [
        Paragraph("caption", title, CAPTION_SIZE, is_bold=bool(sentence)),
        Paragraph("sentence", sentence),
        *(legend.values() if look.legend else ()),
    ]
    words, bottom = first.write_paragraphs("words-below", below, boards_bottom, words_right)
    sizes = dict.fromkeys(HIDEABLE_GROUPS, LEGEND_SIZE * zoom) | {"degrees": first.corner_size}
    return Picture(
        width,
        math.ceil(bottom + MARGIN / 2 * zoom),
        one_line(title),
        description,
        tuple(elements),
        look,
        corner=boards[0].corner,
        cell=boards[0].cell,
        sentence=sentence,
        words=tuple(words),
        boards=tuple(boards),
        legend=tuple(legend.values()),
        words_top=boards_bottom,
        legible_widths={
            css_class: width * _MIN_LEGIBLE / size for css_class, size in sizes.items()
        },
    )


def _in_rows(
    sheets: Sequence[Sheet], boards: Sequence[Drawing], per_row: int, note_right: float
) -> tuple[list[str], float]:
    """Return the elements of the boards of sheets in rows, with notes, and their lower end.

    The lines of a note end at ``note_right``, seen from its own board; lengths are in pixels.
    """
    elements: list[str] = []
    row_top = 0
    lowest = 0.0
    for number, (sheet, board) in enumerate(zip(sheets, boards, strict=True)):
        row, column = divmod(number, per_row)
        if row and not column:
            row_top = math.ceil(lowest + BOARD_GAP / 2 * sheet.cell - sheet.top)
        words: list[str] = []
        bottom = sheet.bottom
        if board.sentence and sheet.look.legend:
            note = Paragraph("sentence", board.sentence)
            words, bottom = sheet.write_paragraphs("note", [note], bottom, note_right)
        elements += shifted([*board.elements, *words], column * sheet.across, row_top)
        lowest = max(lowest, row_top + bottom)
    return elements, lowest
