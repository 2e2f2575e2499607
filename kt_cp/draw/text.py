"""Text in pictures: on one line, as in print, and broken into lines below a board."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

from kt_cp.draw.picture import LegendEntry, svg_group, svg_texts
from kt_cp.messages import escape_unprintable

LEGEND_SIZE = 16
"""The size of the font of the legend, in pixels; the caption is larger."""

# In pixels.
_CAPTION_SIZE = 18  # of the font
_CAPTION_GAP = 4  # below the caption and below each sentence
_MARK_GAP = 10  # between a mark of the legend and its text
_MARK_RADIUS = 5.5

_LINE_HEIGHT = 1.45  # in multiples of the size of the font
_BOLD_WIDTH = 1.14  # the width of a bold letter, relative to that of a usual one

# The widths of the characters from the blank to ~ in DejaVu Sans, the wider one of the shipped
# fonts, in hundredths of the size of the font, as bytes. Other letters are as wide as a digit.
_WIDTHS = bytes.fromhex(
    "20282e54405f4e1b272732542024202240404040404040404040222254545435644445464d3f3a4d"
    "4b1d1d4238564b4f3c4f453f3d494463453d452722275432323d3f373f3e233f3f1c1c3a1c613f3d"
    "3f3f2934273f3b523b3b3440224054"
)

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
    text = re.sub(r"^a(?= (?:tour|path|cycle|search)\b)", "A", text)  # elsewhere, a may be a vertex
    return f"{text}."


def text_width(text: str) -> float:
    """Return the width of a text, relative to the size of its font.

    Chinese, Japanese and Korean letters are as wide as the font is high.

    >>> text_width("路 path")
    3.62
    """
    width = 0
    for letter in text:
        if " " <= letter <= "~":
            width += _WIDTHS[ord(letter) - 32]
        else:
            width += 100 if unicodedata.east_asian_width(letter) in ("W", "F") else 64
    return width / 100


class TextBelow:
    """Writes text from a point downwards; its ``bottom`` is below the last line.

    ``left`` and ``bottom`` are in pixels; ``width`` is that of the text in pixels before ``zoom``
    enlarges it. ``elements`` are the caption, sentences and entries of the legend written so far.
    """

    def __init__(self, left: float, top: float, width: float, zoom: float) -> None:
        self.left, self.width, self.zoom = left, width, zoom
        self.bottom = top
        self.elements: list[str] = []

    def write_caption(self, caption: str, *, bold: bool = False) -> None:
        """Write the caption, unless it is empty."""
        self._write("caption", caption, _CAPTION_SIZE, bold=bold)
        self.bottom += _CAPTION_GAP * self.zoom

    def write_sentence(self, sentence: str) -> None:
        """Write a paragraph between the caption and the legend."""
        self._write("sentence", sentence, LEGEND_SIZE)
        self.bottom += _CAPTION_GAP * self.zoom

    def write_legend(self, legend: Sequence[LegendEntry]) -> None:
        """Write the legend: an entry on a line, or on several if it is long."""
        for entry in legend:
            mark, indent = "", 0.0
            if entry.mark is not None:
                indent = 2 * entry.mark_extent * _MARK_RADIUS + _MARK_GAP
                middle = self.bottom + _LINE_HEIGHT * LEGEND_SIZE * self.zoom / 2
                center = self.left + entry.mark_extent * _MARK_RADIUS * self.zoom
                mark = entry.mark(np.array([[center, middle]]), _MARK_RADIUS * self.zoom)
            self._write("entry", entry.text, LEGEND_SIZE, "muted", indent, mark)

    def _write(
        self,
        name: str,
        text: str,
        size: float,
        fill: str = "ink",
        indent: float = 0,
        mark: str = "",
        *,
        bold: bool = False,
    ) -> None:
        """Write a text with a mark before it in a group of that name, unless the text is empty."""
        letters = _BOLD_WIDTH if bold else 1.0
        lines = _wrapped(one_line(text), (self.width - indent) / size / letters)
        if not lines:
            return
        line_height = _LINE_HEIGHT * size * self.zoom
        x = self.left + indent * self.zoom
        points = [(x, self.bottom + (index + 0.5) * line_height) for index in range(len(lines))]
        words = svg_texts(
            np.array(points), lines, size * self.zoom, fill, centered=False, bold=bold
        )
        self.elements.append(svg_group(name, [mark, words]))
        self.bottom += len(lines) * line_height


def _wrapped(text: str, width: float) -> list[str]:
    """Return a text broken into lines of at most a width, relative to the size of its font.

    A line ends at a blank, but not within a size such as 8 × 8, or between two Chinese, Japanese or
    Korean letters, but not before their closing punctuation, nor after an opening bracket. A word
    longer than a line is cut.
    """
    letter, size = f"[{_WIDE_RANGES}]", r"\d+ × \d+[^ ]*"
    run = f"[^ {_WIDE_RANGES}]{{1,{max(1, int(width))}}}"  # no letter is wider than the font
    lines: list[str] = []
    line = ""
    for piece in re.findall(f"{_OPENING}*(?:{size}|{letter}|{run}){_CLOSING}* *", text):
        if line and text_width(line + piece.rstrip(" ")) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()] if line else lines
