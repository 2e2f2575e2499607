"""The text below a board in a picture: its caption and its legend."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from kt_cp.draw.picture import LegendEntry, svg_group, svg_texts
from kt_cp.draw.wording import one_line, text_width

LEGEND_SIZE = 16
"""The size of the font of the legend, in pixels; the caption is larger."""

# In pixels.
_CAPTION_SIZE = 18  # of the font
_CAPTION_GAP = 4  # below the caption and below each sentence
_COLUMN_GAP = 20  # between two columns of the legend
_MARK_GAP = 10  # between a mark of the legend and its text
_MARK_RADIUS = 5.5

# In multiples of the size of the font.
_MEAN_WIDTH = 0.54  # of a letter in a sentence
_LINE_HEIGHT = 1.45

_BOLD_WIDTH = 1.14  # the width of a bold letter, relative to that of a usual one

_NARROWER = 0.96  # the factor by which lines are made shorter until they are about as long

# The ranges of Chinese, Japanese and Korean letters: a line may end between two of them.
_WIDE_RANGES = "\u1100-\u11ff\u2e80-\uffef\U0001f000-\U0003ffff"

# Their punctuation: a line does not end with an opening bracket, nor begin with any other sign.
_OPENING = "[\uff08\u300c]"
_CLOSING = "[\u3001\u3002\u300d\u30fc\uff01\uff09\uff0c\uff1a\uff1b\uff1f]"


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
        self._write_paragraph("caption", caption, _CAPTION_SIZE, bold)

    def write_sentence(self, sentence: str) -> None:
        """Write a paragraph between the caption and the legend."""
        self._write_paragraph("sentence", sentence, LEGEND_SIZE)

    def _write_paragraph(self, name: str, text: str, size: float, bold: bool = False) -> None:
        """Write text across the whole width, in a group of that name, unless it is empty."""
        element, bottom = self._text(text, self.left, self.width, size, "ink", bold)
        if element:
            self.elements.append(svg_group(name, [element]))
        self.bottom = bottom + _CAPTION_GAP * self.zoom

    def write_legend(self, legend: Sequence[LegendEntry]) -> None:
        """Write the legend: entries that are short in columns, and each other one on its own."""
        half = (self.width - _COLUMN_GAP) / 2
        for is_short, group in groupby(legend, lambda entry: _entry_width(entry) <= half):
            entries = [*group]
            columns = self._columns(entries) if is_short else 1
            for first in range(0, len(entries), columns):
                row = entries[first : first + columns]
                self.bottom = max(
                    self._write_entry(entry, self.left + column / columns * self.width * self.zoom)
                    for column, entry in enumerate(row)
                )

    def _columns(self, entries: Sequence[LegendEntry]) -> int:
        """Return the number of columns for some entries, so that all rows are about as long."""
        widest = max(map(_entry_width, entries))
        fitting = int((self.width + _COLUMN_GAP) / (widest + _COLUMN_GAP))
        rows = math.ceil(len(entries) / max(1, fitting))
        return math.ceil(len(entries) / rows)

    def _write_entry(self, entry: LegendEntry, x: float) -> float:
        """Write an entry of the legend that begins at x, and return the y of its lower edge."""
        elements: list[str] = []
        indent = _mark_room(entry)
        if entry.mark is not None:
            middle = self.bottom + LEGEND_SIZE * _LINE_HEIGHT / 2 * self.zoom
            center = x + entry.mark_extent * _MARK_RADIUS * self.zoom
            elements.append(entry.mark(np.array([[center, middle]]), _MARK_RADIUS * self.zoom))
        left, width = x + indent * self.zoom, self.width - indent
        text, bottom = self._text(entry.text, left, width, LEGEND_SIZE, "muted")
        self.elements.append(svg_group("entry", [*elements, text]))
        return bottom

    def _text(
        self, text: str, x: float, width: float, size: float, fill: str, bold: bool = False
    ) -> tuple[str, float]:
        """Return text, broken into lines of at most a width, and the y of its lower edge."""
        letters = _BOLD_WIDTH if bold else 1.0
        lines = _balanced(one_line(text), width / size / letters)
        if not lines:
            return "", self.bottom
        line_height = _LINE_HEIGHT * size * self.zoom
        middles = [self.bottom + (index + 0.5) * line_height for index in range(len(lines))]
        points = np.array([(x, y) for y in middles])
        element = svg_texts(points, lines, size * self.zoom, fill, centered=False, bold=bold)
        return element, float(self.bottom + len(lines) * line_height)


def _entry_width(entry: LegendEntry) -> float:
    """Return the width of an entry on one line, in pixels."""
    return _mark_room(entry) + text_width(one_line(entry.text), _MEAN_WIDTH) * LEGEND_SIZE


def _mark_room(entry: LegendEntry) -> float:
    """Return the width of the mark of an entry with the gap after it, in pixels."""
    return 0 if entry.mark is None else 2 * entry.mark_extent * _MARK_RADIUS + _MARK_GAP


def _balanced(text: str, width: float) -> list[str]:
    """Return a text in as few lines as fit a width, all of them about as long.

    The width is relative to the size of the font; see `_wrapped`.
    """
    lines = _wrapped(text, width)
    narrower = lines
    while len(lines) == len(narrower) > 1:
        lines = narrower
        width *= _NARROWER
        narrower = _wrapped(text, width)
    return lines


def _wrapped(text: str, width: float) -> list[str]:
    """Return a text broken into lines of at most a width, relative to the size of its font.

    A line ends at a blank, but not within a size such as 8 × 8, or between two Chinese, Japanese or
    Korean letters, but not before their closing punctuation, nor after an opening bracket. A word
    longer than a line is cut.
    """
    lines: list[str] = []
    line = ""
    for piece in _pieces(text, max(1, int(width / _MEAN_WIDTH))):
        if line and text_width(line + piece.rstrip(" "), _MEAN_WIDTH) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    if line:
        lines.append(line.rstrip())
    return lines


def _pieces(text: str, longest: int) -> list[str]:
    """Return the parts of a text after which a line may end.

    A part is a size such as 8 × 8, a Chinese, Japanese or Korean letter, or up to ``longest``
    others without a blank; it includes the punctuation around it, and the blanks that follow.
    """
    letter = f"[{_WIDE_RANGES}]"
    size = r"\d+ × \d+[^ ]*"
    run = f"[^ {_WIDE_RANGES}]{{1,{longest}}}"
    return re.findall(f"{_OPENING}*(?:{size}|{letter}|{run}){_CLOSING}* *", text)
