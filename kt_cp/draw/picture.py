"""Pictures as elements of SVG, which the other modules draw and `output` writes, and their text.

x runs to the right and y downwards, in pixels; the first element is the lowest. A color is the name
of a role of `kt_cp.draw.look` until `svg` writes the picture in its theme, with its typeface.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.draw.look import FACES, USUAL, Look, Theme, color, dark_style, text_width
from kt_cp.messages import escape_unprintable

Points = npt.NDArray[np.float64]

_FIRST_ASIAN = "\u2e80"  # the first of the Chinese, Japanese and Korean letters
# Themes whose light squares are nearly white; these are printed without a tint.
_ON_WHITE = (Theme.AUTO, Theme.LIGHT, Theme.GRAY)

# A role in an attribute, such as ``fill="$line"``. Texts hold none, as their quotes are escaped.
_ROLE = re.compile(r'(?<==")\$([\w-]+)(?=")')


Mark = Callable[[Points, float], str]
"""Returns shapes of one kind as SVG, for their centers, n x (x, y), and their radius, in pixels.

The shapes on a board and the one in the legend are made by the same mark.
"""


LEGEND_SIZE, CAPTION_SIZE = 16, 18
"""The sizes of the fonts of the legend and of the caption, in pixels."""

CAPTION_GAP = 4
"""The room below the caption and below each sentence, in pixels."""


class Paragraph(NamedTuple):
    """A text below a board: its CSS class, such as ``caption``, and how it is written.

    A ``mark`` before it extends ``mark_extent`` radii to each side of its center.
    """

    css_class: str
    text: str
    size: float = LEGEND_SIZE
    fill: str = "ink"
    is_bold: bool = False
    gap: float = CAPTION_GAP
    mark: Mark | None = None
    mark_extent: float = 2.0


@dataclass(frozen=True)
class Drawing:
    """What becomes one element of SVG: a board, or a whole picture.

    - ``elements``: elements of SVG, the lowest first.
    - ``caption``, ``description``: its name, and what screen readers are told.
    - ``look``: the theme, the typefaces for letters that the usual ones lack, and whether it is
      printed, so that light squares have no tint.
    - ``origin``: the top left corner of the part that is shown.
    - ``corner``, ``cell``: the top left corner of the board and the side of its squares, so that a
      page can put controls over them.
    - ``sentence``: a sentence about it, which is in ``words`` or written by a page; may be empty.
    - ``words``: more elements of SVG, below the board.
    """

    width: float
    height: float
    caption: str
    description: str
    elements: tuple[str, ...]
    look: Look = USUAL
    origin: tuple[float, float] = (0, 0)
    corner: tuple[float, float] = (0, 0)
    cell: float = 0
    sentence: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Picture(Drawing):
    """A drawing of boards with the words below them: the caption, the sentence and the legend.

    A page that writes these words itself has the parts:

    - ``boards``: each board without these words, but with its own sentence.
    - ``legend``: the lines of the legend, each with the mark that it explains.
    - ``words_top``: where the words begin.
    - ``legible_widths``: for each of the `HIDEABLE_GROUPS` the width of the picture below which
      they are too small to be read.
    """

    boards: tuple[Drawing, ...] = ()
    legend: tuple[Paragraph, ...] = ()
    words_top: float = 0
    legible_widths: Mapping[str, float] = field(default_factory=dict)


def svg_path(  # noqa: PLR0913 (the attributes of SVG)
    css_class: str,
    corners: Points,
    stroke: str | None = None,
    width: float = 0.0,
    fill: str | None = None,
    dashes: tuple[float, float] | None = None,
    bows: Points | None = None,
    cap: str = "round",
) -> str:
    """Return a path of lines (two points each) or closed polygons, all in one color.

    ``corners`` are n shapes x k points x (x, y); the ``css_class`` is such as ``move``.
    A line that begins where the previous one ended continues it. ``bows`` make curves of
    lines: n offsets (x, y) of their middles. Lines end with a ``cap`` of SVG.
    """
    paint = _paint(fill, stroke, width, dashes)
    if stroke:
        paint += f' stroke-linejoin="round" stroke-linecap="{cap}"'
    is_closed = corners.shape[1] > 2
    parts: list[str] = []
    end: tuple[float, ...] | None = None
    controls = corners.mean(axis=1) + 2 * (0 if bows is None else bows)
    for (first, *rest), control in zip(corners.tolist(), controls.tolist(), strict=True):
        if first != end:
            parts.append(f"M{_pair(first)}")
        line = "L" if bows is None else f"Q{_pair(control)} "
        parts += [f"{line}{_pair(point)}" for point in rest]
        if is_closed:
            parts.append("z")
        else:
            end = rest[-1]
    return f'<path class="{css_class}" {paint} d="{"".join(parts)}"/>'


def svg_heads(tips: Points, along: Points, length: float, role: str) -> str:
    """Return the heads of arrows: triangles of a ``length`` in pixels.

    Their ``tips`` are n x (x, y), and the arrows have the directions ``along``, of any lengths.
    """
    back = length * along / np.linalg.norm(along, axis=1, keepdims=True)
    across = back[:, ::-1] * [1, -1] * _HEAD_WIDTH / 2
    return svg_path(
        "head", np.stack([tips, tips - back + across, tips - back - across], 1), fill=role
    )


def svg_texts(
    points: Points,
    words: Sequence[str],
    size: float,
    fill: str,
    centered: bool = True,
    bold: bool = False,
    halo: str | None = None,
) -> str:
    """Return words of one size, centered at the points n x (x, y) or beginning there.

    A ``halo`` of a color, such as that of the paper, separates them from lines below them.
    """
    weight = ' font-weight="bold"' if bold else ""
    outline = ""
    if halo:
        outline = f' stroke="${halo}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"'
    has_asian = any(letter >= _FIRST_ASIAN for word in words for letter in word)
    face = "$asian-face" if has_asian else "$face"
    elements = (
        f'<text x="{_decimal(x)}" y="{_decimal(y)}" dy=".35em">{_escaped(word)}</text>'
        for (x, y), word in zip(points.tolist(), words, strict=True)
    )
    return (
        f'<g font-family="{face}" font-size="{_decimal(size)}"{weight} '
        f'text-anchor="{"middle" if centered else "start"}" {_paint(fill)}{outline}>'
        f"{''.join(elements)}</g>"
    )


def svg_group(css_class: str, elements: Iterable[str]) -> str:
    """Return a group of elements, whose ``css_class`` may be one of `HIDEABLE_GROUPS`."""
    return f'<g class="{css_class}">{"".join(elements)}</g>'


def shifted(elements: Sequence[str], right: float, down: float) -> list[str]:
    """Return elements moved by distances in pixels, as one group."""
    if not (right or down):
        return [*elements]
    move = f'transform="translate({_pair((right, down))})"'
    return [f"<g {move}>", *elements, "</g>"]


HIDEABLE_GROUPS = ("line-names", "note", "words-below", "degrees")
"""The classes of groups of small words, which `svg` can hide in small pictures.

They are the names of files and ranks, a sentence directly below a board of several, the caption
with sentence and legend, and angles.
"""


SQUARE_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
"""The corners of a square around (0, 0), in radii."""

# Seven diagonals of that square, from one side to another: lines x 2 ends x (x, y).
_HATCH = np.array(
    [
        [(max(-1, total - 1), min(1, total + 1)), (min(1, total + 1), max(-1, total - 1))]
        for total in (-1.5, -1, -0.5, 0, 0.5, 1, 1.5)
    ]
)


_HEAD_WIDTH = 0.75  # of the head of an arrow, relative to its length
_LEAST_STROKE = 1.4  # width of another stroke, in pixels
_LEAST_SHARE = 0.25  # of the radius that this width may take
_MARK_WIDTH = 0.4  # the width of a usual line in the mark of a move, in radii


def _stroke_width(width: float, radius: float) -> float:
    """Return the width of a stroke in pixels, which is seen in a small mark too.

    ``width`` is in radii, and ``radius`` in pixels.
    """
    return max(width * radius, min(_LEAST_STROKE, _LEAST_SHARE * radius))


def polygon_mark(
    corners: npt.ArrayLike,
    stroke: str | None = None,
    width: float = 0.0,
    fill: str | None = None,
    dashes: tuple[float, float] | None = None,
) -> Mark:
    """Return a mark that is a polygon, or a line; corners and width are in radii."""

    def draw(points: Points, radius: float) -> str:
        polygons = points[:, None] + radius * np.asarray(corners)
        return svg_path("mark", polygons, stroke, _stroke_width(width, radius), fill, dashes)

    return draw


def square_mark(role: str) -> Mark:
    """Return a mark that is a square of a color."""
    return polygon_mark(SQUARE_CORNERS, "faint", 0.12, role)


def svg_hatch(points: Points, radius: float) -> str:
    """Return diagonal lines across each square; ``radius`` is half of a square's side."""
    ends = (points[:, None, None] + radius * _HATCH).reshape(-1, 2, 2)
    return svg_path("hatch", ends, "ink", max(0.6, 0.03 * radius))


def combined_mark(*marks: Mark) -> Mark:
    """Return a mark that is several marks, each above the one before it."""
    return lambda points, radius: "".join(mark(points, radius) for mark in marks)


def move_mark(
    stroke: str, thickness: float = 1.0, dashes: tuple[float, float] | None = None
) -> Mark:
    """Return the mark of a move; ``thickness`` is relative to the usual width of a line."""
    ends = [(-2.0, 0.0), (2.0, 0.0)]
    return polygon_mark(ends, stroke, _MARK_WIDTH * thickness, dashes=dashes)


def scale_mark(roles: Sequence[str], extent: float) -> Mark:
    """Return a mark that is a bar of many colors from left to right.

    It extends ``extent`` radii to each side of its center.
    """
    lefts = np.linspace(-extent, extent, len(roles), endpoint=False)
    # Each color reaches to the right end, below the next one, so that no gap shows between them.
    return combined_mark(
        *(
            polygon_mark([(left, -0.6), (extent, -0.6), (extent, 0.6), (left, 0.6)], fill=role)
            for role, left in zip(roles, lefts, strict=True)
        )
    )


def disc_mark(
    fill: str | None,
    stroke: str | None = None,
    width: float = 0.0,
    dashes: tuple[float, float] | None = None,
) -> Mark:
    """Return a mark that is a disc; width and dashes, in radii, are of the stroke inside it."""

    def draw(points: Points, radius: float) -> str:
        stroke_width = _stroke_width(width, radius)
        inner = _decimal(radius - stroke_width / 2)
        circles = (
            f'<circle cx="{_decimal(x)}" cy="{_decimal(y)}" r="{inner}"/>'
            for x, y in points.tolist()
        )
        scaled = None if dashes is None else (dashes[0] * radius, dashes[1] * radius)
        paint = _paint(fill, stroke, stroke_width, scaled)
        return f"<g {paint}>{''.join(circles)}</g>"

    return draw


START_MARK = disc_mark("start")
"""The mark of the first square of a path: a disc."""

END_MARK = polygon_mark(SQUARE_CORNERS * 0.85, fill="end")
"""The mark of the last square of a path: a square."""


def mark_svg(entry: Paragraph, theme: Theme = Theme.AUTO) -> str:
    """Return the mark of an entry as a picture of its own, or an empty text if it has none."""
    if entry.mark is None:
        return ""
    width, height = 2 * entry.mark_extent * _MARK_RADIUS, 4 * _MARK_RADIUS
    middle = np.array([[width / 2, height / 2]])
    shape = entry.mark(middle, _MARK_RADIUS)
    return svg(Drawing(width, height, "", "", (shape,), Look(theme=theme)))


def svg(drawing: Drawing, alone: bool = False) -> str:
    """Return a drawing as one SVG element, in which whatever a user typed is escaped.

    With the theme ``auto`` it follows the colors of the reader's screen, unless it is printed: then
    it is light. If it stands ``alone``, as an image, small words are hidden where the image is too
    small for them to be read.
    """
    width, height = map(_decimal, (drawing.width, drawing.height))
    left, top = map(_decimal, drawing.origin)
    theme = drawing.look.theme
    printed = drawing.look.printed
    corner = f'x="{left}" y="{top}" ' if any(drawing.origin) else ""
    paper = f'<rect {corner}width="{width}" height="{height}" fill="$paper"/>'
    drawn = "\n".join([paper, *drawing.elements, *drawing.words])
    # Typst takes letters that the first face lacks from any font, in no order of the faces.
    special_faces = drawing.look.words.faces
    faces = f"{FACES},{special_faces}"
    drawn = drawn.replace('"$face"', f'"{faces}"')
    drawn = drawn.replace('"$asian-face"', f'"{special_faces},{faces}"')
    if printed and theme in _ON_WHITE:
        # No tint on light squares, so that their print needs no halftone dots.
        drawn = drawn.replace('"$light"', '"$paper"')
    rules = ""
    if theme is Theme.AUTO and not printed:
        rules += dark_style(_ROLE.findall(drawn), ".kt")
    if alone and isinstance(drawing, Picture):
        for css_class, least in drawing.legible_widths.items():
            rules += f"@media (max-width:{_decimal(least)}px){{.kt .{css_class}{{display:none}}}}"
    style = f"<style>{rules}</style>\n" if rules else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{left} {top} {width} {height}" role="img" class="kt" '
        'style="max-width:100%;height:auto">\n'
        f"<title>{_escaped(drawing.caption)}</title>\n<desc>{_escaped(drawing.description)}</desc>\n"
        f"{style}{_ROLE.sub(lambda role: color(role[1], theme), drawn)}\n</svg>\n"
    )


def _paint(
    fill: str | None,
    stroke: str | None = None,
    width: float = 0.0,
    dashes: tuple[float, float] | None = None,
) -> str:
    """Return the attributes for colors; roles are marked by ``$`` until `svg` replaces them."""
    paint = f'fill="${fill}"' if fill else 'fill="none"'
    if stroke:
        paint += f' stroke="${stroke}" stroke-width="{_decimal(width)}"'
    if dashes:
        paint += f' stroke-dasharray="{_pair(dashes)}"'
    return paint


def _escaped(words: str) -> str:
    """Return text for an element, with special and control characters escaped."""
    return escape(escape_unprintable(words))


def _pair(point: Sequence[float]) -> str:
    """Return two coordinates as in the data of a path."""
    return f"{_decimal(point[0])} {_decimal(point[1])}"


def _decimal(value: float) -> str:
    """Return a number with up to two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


# -- text ------------------------------------------------------------------------------------------

# In pixels.
_MARK_GAP = 10  # between a mark of the legend and its text
_MARK_RADIUS = 5.5

_LINE_HEIGHT = 1.45  # in multiples of the size of the font
_BOLD_WIDTH = 1.14  # the largest width of a bold letter, relative to that of a usual one

# The ranges of Chinese, Japanese and Korean letters: a line may end between two of them.
_WIDE_RANGES = "\u1100-\u11ff\u2e80-\uffef\U0001f000-\U0003ffff"

# Their punctuation: a line does not end with an opening bracket, nor begin with any other sign.
_OPENING = "[\uff08\u300c]"
_CLOSING = "[\u3001\u3002\u300d\u30fc\uff01\uff09\uff0c\uff1a\uff1b\uff1f]"


def one_line(text: str) -> str:
    """Return a text on one line, with control characters escaped."""
    blanks = r"[^\S\u00a0]+"  # all but the blanks at which no line may break
    return escape_unprintable(re.sub(blanks, " ", text).strip())


def with_print_signs(text: str) -> str:
    """Return a text with its sizes and numbers as in print.

    >>> with_print_signs("dfs on 5x5"), with_print_signs("a tour of 1600 squares")
    ('dfs on 5 × 5', 'a tour of 1,600 squares')
    """
    # Neither a part of a name, nor the decimals of a number.
    text = re.sub(r"(?<![\w.])(\d+)x(\d+)(?![\w.])", r"\1 × \2", text, flags=re.ASCII)
    return re.sub(r"(?<![\w.])[1-9]\d{3,}(?= [a-z])", lambda number: f"{int(number[0]):,}", text)


def as_caption(text: str) -> str:
    """Return a text as in print, with a capital letter unless it begins with a name.

    >>> as_caption("closed tour of 8x8"), as_caption("a1 to b3")
    ('Closed tour of 8 × 8', 'a1 to b3')
    """
    text = with_print_signs(text)
    # The name of a square is letters and then digits. A single letter is no word.
    return re.sub(r"^[a-z](?=[a-z])(?![a-z]*\d)", lambda first: first[0].upper(), text)


def as_sentence(text: str) -> str:
    """Return a text as in print, with a capital letter and a full stop.

    >>> as_sentence("b2 has no move"), as_sentence("a tour joins no two of them")
    ('b2 has no move.', 'A tour joins no two of them.')
    """
    text = as_caption(text).removesuffix(".")
    # Elsewhere, a may be a vertex.
    text = re.sub(r"^a(?= (?:tour|path|cycle|search|sweep)\b)", "A", text)
    return f"{text}." if text else ""


def write_below(
    paragraphs: Iterable[Paragraph],
    left: float,
    top: float,
    width: float,
    zoom: float,
    printed: bool,
) -> tuple[list[str], float]:
    """Return paragraphs that are written from a point downwards, and where the last one ends.

    Lines end at a ``width`` in pixels, before ``zoom`` enlarges it. An empty text is left out.
    """
    elements: list[str] = []
    for paragraph in paragraphs:
        indent = 0.0
        if paragraph.mark is not None:
            indent = 2 * paragraph.mark_extent * _MARK_RADIUS + _MARK_GAP
        letter = paragraph.size * (_BOLD_WIDTH if paragraph.is_bold else 1.0)
        lines = _wrapped(one_line(paragraph.text), (width - indent) / letter, printed)
        if not lines:
            continue
        size = paragraph.size * zoom
        line_height = _LINE_HEIGHT * size
        middles = top + (np.arange(len(lines)) + 0.5) * line_height
        points = np.stack([np.full(len(lines), left + indent * zoom), middles], axis=1)
        parts = [
            svg_texts(points, lines, size, paragraph.fill, centered=False, bold=paragraph.is_bold)
        ]
        if paragraph.mark is not None:
            center = left + paragraph.mark_extent * _MARK_RADIUS * zoom
            place = np.array([[center, middles[0]]])
            parts.insert(0, paragraph.mark(place, _MARK_RADIUS * zoom))
        elements.append(svg_group(paragraph.css_class, parts))
        top += len(lines) * line_height + paragraph.gap * zoom
    return elements, top


def _wrapped(text: str, width: float, printed: bool) -> list[str]:
    """Return a text broken into lines of at most a width, relative to the size of its font.

    A line ends at a blank, but not within a size such as 8 × 8, or between two Chinese, Japanese or
    Korean letters, but not before their closing punctuation, nor after an opening bracket. A word
    longer than a line is cut.
    """
    letter = f"[{_WIDE_RANGES}]"
    size = r"\d+ × \d+[^ ]*"
    run = f"[^ {_WIDE_RANGES}]{{1,{max(1, int(width))}}}"  # no letter is wider than the font
    lines: list[str] = []
    line = ""
    for piece in re.findall(f"{_OPENING}*(?:{size}|{letter}|{run}){_CLOSING}* *", text):
        if line and text_width(line + piece.rstrip(" "), printed) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()] if line else lines
