"""Where a board or graph is in a picture, and how large its squares and letters are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kt_cp.draw.geometry import segments
from kt_cp.draw.picture import Points
from kt_cp.graph import Graph

NUMBER_SHARE = 0.85
"""The share of a square's side that a number may take."""

MIN_FONT_SIZE = 11
"""The smallest size of the font on a board, in pixels."""

# Lengths in pixels.
_FINE_CELL = 12  # side of the smallest square for details
_MIN_CELL = 3.0  # side of a square of a large board
_MAX_CELL = 64.0  # side of a square of a small board
_USUAL_SIDE = 1000  # side of a board, unless its squares would be too small or too large
_MAX_LEGIBLE_SIDE = 8000  # side to which a board may grow to make its letters legible

# The width of a picture whose words are legible on a phone, in pixels; they grow with its width.
_LEGIBLE_WIDTH = 600

_LETTER_WIDTH = 0.6  # of a wide letter, relative to the size of the font
_WORD_WIDTH = 0.8  # of a word, relative to the side of its square
_MAX_FONT = 0.45  # largest size of a font, relative to the side of a square


@dataclass(frozen=True)
class BoardFrame:
    """Where a board or graph is in a picture.

    ``centers`` are those of all ids, n x (x, y), in squares from the top left corner of the board.
    ``cell`` is the side of a square, and ``left`` and ``top`` are the board's corner, in pixels.
    """

    graph: Graph
    centers: Points
    cell: float
    left: float
    top: float

    @property
    def is_fine(self) -> bool:
        """Whether squares are large enough for details such as chevrons."""
        return self.cell >= _FINE_CELL

    @cached_property
    def lower_right(self) -> tuple[float, float]:
        """The corner opposite to (left, top), in pixels."""
        right, bottom = self.pixels(self.centers.max(axis=0) + 0.5).tolist()
        return right, bottom

    def pixels(self, points: npt.ArrayLike) -> Points:
        """Return points in pixels; ``points`` are (x, y), in squares from the board's corner."""
        return np.asarray(np.asarray(points) * self.cell + [self.left, self.top])

    def pixel_centers(self, ids: npt.ArrayLike) -> Points:
        """Return the center of each square in pixels: the shape of the ids x (x, y)."""
        return self.pixels(self.centers[np.asarray(ids, dtype=np.int64)])

    def pixel_segments(self, moves: npt.ArrayLike) -> Points:
        """Return the ends of each move in pixels, n x 2 x (x, y); moves are rows of two ids.

        A move across a glued edge is two segments.
        """
        rows = np.asarray(moves, dtype=np.int64).reshape(-1, 2)
        return self.pixels(segments(self.graph, self.centers, rows))


def zoom_for(width: float) -> float:
    """Return the factor that enlarges the words in a picture of a width in pixels.

    A phone reduces the picture to some 360 pixels, where the words are still legible.
    """
    return max(1.0, width / _LEGIBLE_WIDTH)


def cell_side(squares_per_side: int, word_length: int, share: float = NUMBER_SHARE) -> float:
    """Return the side of a square of a board, in pixels.

    Words of ``word_length`` characters are legible in a ``share`` of the side of a square, unless
    the board would be too large.
    """
    least = _MIN_CELL
    if word_length:
        # One pixel more than legible, so that a rounding error does not make words illegible.
        legible = (MIN_FONT_SIZE + 1) / font_share(word_length) / share
        least = max(least, min(legible, _MAX_LEGIBLE_SIDE / squares_per_side))
    # Usually a whole number of pixels, since at other scales typst clips the joins of lines.
    usual = min(_MAX_CELL, _USUAL_SIDE // squares_per_side)
    return max(least, usual)


def font_share(word_length: int) -> float:
    """Return the size of the font for words of a length, relative to the side of their square."""
    return min(_MAX_FONT, _WORD_WIDTH / (_LETTER_WIDTH * max(word_length, 1)))
