"""The text below a board in a picture: its caption and its legend."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

from kt_cp.draw.picture import LegendEntry, svg_texts
from kt_cp.draw.wording import one_line

# In pixels.
_CAPTION_SIZE, _LEGEND_SIZE = 16, 14  # of the fonts
_CAPTION_GAP = 4  # below the caption
_COLUMN_GAP = 16  # between two columns of the legend
_MARK_ROOM = 30  # for a mark in the legend
_MARK_CENTER, _MARK_RADIUS = 10, 5

# In multiples of the size of the font.
_MEAN_WIDTH = 0.54  # of a letter in a sentence
_LINE_HEIGHT = 1.55

# Chinese, Japanese and Korean letters: a line may end between two of them.
_WIDE = "[\u1100-\u11ff\u2e80-\uffef\U0001f000-\U0003ffff]"

# Their punctuation: a line does not end with an opening bracket, nor begin with any other sign.
_OPENING = "[\uff08\u300c]"
_CLOSING = "[\u3001\u3002\u300d\u30fc\uff01\uff09\uff0c\uff1a\uff1b\uff1f]"


class TextBelow:
    """Writes text from a point downwards; its ``bottom`` is below the last line.

    ``left`` and ``bottom`` are in pixels; ``width`` is that of the text in pixels before ``zoom``
    enlarges it. ``elements`` are the texts and marks written so far.
    """

    def __init__(self, left: float, top: float, width: float, zoom: float) -> None:
        self.left, self.width, self.zoom = left, width, zoom
        self.bottom = top
        self.elements: list[str] = []

    def write_caption(self, caption: str) -> None:
        """Write the caption."""
        below = self._write(caption, self.left, self.width, _CAPTION_SIZE, "ink")
        self.bottom = below + _CAPTION_GAP * self.zoom

    def write_legend(self, legend: Sequence[LegendEntry]) -> None:
        """Write the legend in as many columns as fit the width."""
        longest = max((_text_width(entry.text) for entry in legend), default=0)
        fitting = int(self.width / (_MARK_ROOM + _COLUMN_GAP + longest * _LEGEND_SIZE))
        columns = max(1, min(len(legend), fitting))
        for first in range(0, len(legend), columns):
            below = self.bottom
            for column, entry in enumerate(legend[first : first + columns]):
                x = self.left + column / columns * self.width * self.zoom
                below = self._write_entry(entry, x)
            self.bottom = below

    def _write_entry(self, entry: LegendEntry, x: float) -> float:
        """Write a line of the legend, and return the height below it."""
        indent = 0
        if entry.mark is not None:
            indent = _MARK_ROOM
            middle = self.bottom + _LEGEND_SIZE * _LINE_HEIGHT / 2 * self.zoom
            point = np.array([[x + _MARK_CENTER * self.zoom, middle]])
            self.elements.append(entry.mark(point, _MARK_RADIUS * self.zoom))
        left, width = x + indent * self.zoom, self.width - indent
        return self._write(entry.text, left, width, _LEGEND_SIZE, "muted")

    def _write(self, text: str, x: float, width: float, size: float, fill: str) -> float:
        """Write text, broken into lines of at most a width, and return the height below it."""
        lines = _wrapped(one_line(text), width / size)
        height = _LINE_HEIGHT * size * self.zoom
        if lines:
            middles = [self.bottom + (index + 0.5) * height for index in range(len(lines))]
            points = np.array([(x, y) for y in middles])
            self.elements.append(svg_texts(points, lines, size * self.zoom, fill, centered=False))
        return float(self.bottom + len(lines) * height)


def _wrapped(text: str, width: float) -> list[str]:
    """Return a text broken into lines of at most a width, relative to the size of its font.

    A line ends at a blank, or between two Chinese or Japanese letters, but not before their
    punctuation.
    """
    lines: list[str] = []
    line = ""
    longest = max(1, int(width / _MEAN_WIDTH))
    word = f"{_OPENING}*(?:{_WIDE}|[^ {_WIDE[1:-1]}]{{1,{longest}}}){_CLOSING}* *"
    for piece in re.findall(word, text):
        if line and _text_width(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()] if line else lines


def _text_width(text: str) -> float:
    """Return an estimate of the width of a text, relative to the size of its font."""
    return sum(
        1 if unicodedata.east_asian_width(letter) in "WF" else _MEAN_WIDTH for letter in text
    )
