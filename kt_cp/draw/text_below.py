"""The text below a board in a picture: its caption and its legend."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from kt_cp.draw.picture import LegendEntry, svg_texts
from kt_cp.draw.wording import one_line, text_width

# In pixels.
_CAPTION_SIZE, _LEGEND_SIZE = 16, 14  # of the fonts
_CAPTION_GAP = 4  # below the caption
_COLUMN_GAP = 16  # between two columns of the legend
_MARK_ROOM = 30  # for a mark in the legend
_MARK_CENTER, _MARK_RADIUS = 10, 5

# In multiples of the size of the font.
_MEAN_WIDTH = 0.54  # of a letter in a sentence
_LINE_HEIGHT = 1.55

# The ranges of Chinese, Japanese and Korean letters: a line may end between two of them.
_WIDE_RANGES = "\u1100-\u11ff\u2e80-\uffef\U0001f000-\U0003ffff"

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
        bottom = self._write(caption, self.left, self.width, _CAPTION_SIZE, "ink")
        self.bottom = bottom + _CAPTION_GAP * self.zoom

    def write_legend(self, legend: Sequence[LegendEntry]) -> None:
        """Write the legend in as many columns as fit the width."""
        if not legend:
            return
        longest = max(text_width(entry.text, _MEAN_WIDTH) for entry in legend)
        fitting = int(self.width / (_MARK_ROOM + _COLUMN_GAP + longest * _LEGEND_SIZE))
        rows = math.ceil(len(legend) / max(1, fitting))
        columns = math.ceil(len(legend) / rows)  # so that all rows are about as long
        for first in range(0, len(legend), columns):
            row = legend[first : first + columns]
            self.bottom = max(
                self._write_entry(entry, self.left + column / columns * self.width * self.zoom)
                for column, entry in enumerate(row)
            )

    def _write_entry(self, entry: LegendEntry, x: float) -> float:
        """Write an entry of the legend that begins at x, and return the y of its lower edge."""
        indent = 0
        if entry.mark is not None:
            indent = _MARK_ROOM
            middle = self.bottom + _LEGEND_SIZE * _LINE_HEIGHT / 2 * self.zoom
            point = np.array([[x + _MARK_CENTER * self.zoom, middle]])
            self.elements.append(entry.mark(point, _MARK_RADIUS * self.zoom))
        left, width = x + indent * self.zoom, self.width - indent
        return self._write(entry.text, left, width, _LEGEND_SIZE, "muted")

    def _write(self, text: str, x: float, width: float, size: float, fill: str) -> float:
        """Write text, broken into lines of at most a width; return the y of its lower edge."""
        lines = _wrapped(one_line(text), width / size)
        line_height = _LINE_HEIGHT * size * self.zoom
        if lines:
            middles = [self.bottom + (index + 0.5) * line_height for index in range(len(lines))]
            points = np.array([(x, y) for y in middles])
            self.elements.append(svg_texts(points, lines, size * self.zoom, fill, centered=False))
        return float(self.bottom + len(lines) * line_height)


def _wrapped(text: str, width: float) -> list[str]:
    """Return a text broken into lines of at most a width, relative to the size of its font.

    A line ends at a blank, or between two Chinese, Japanese or Korean letters, but not before their
    closing punctuation, nor after an opening bracket. A word longer than a line is cut.
    """
    lines: list[str] = []
    line = ""
    for piece in _pieces(text, max(1, int(width / _MEAN_WIDTH))):
        if line and text_width(line + piece.rstrip(), _MEAN_WIDTH) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    if line:
        lines.append(line.rstrip())
    return lines


def _pieces(text: str, longest: int) -> list[str]:
    """Return the parts of a text after which a line may end.

    A part is a Chinese, Japanese or Korean letter, or up to ``longest`` others without a blank; it
    includes the punctuation around it, and the blanks that follow.
    """
    letter = f"[{_WIDE_RANGES}]"
    run = f"[^ {_WIDE_RANGES}]{{1,{longest}}}"
    return re.findall(f"{_OPENING}*(?:{letter}|{run}){_CLOSING}* *", text)
