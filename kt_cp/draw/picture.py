"""The description of a picture: what lies where, in pixels, whoever draws it.

x runs to the right and y downwards. A picture is a stack of layers, the first one lowest; every way
out (SVG, PNG, GIF) draws the same layers and decides nothing.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]

_LONGEST_CHAIN = 10_000


class Anchor(Enum):
    """Which part of a text lies at its point; vertically it is always the middle."""

    START = "start"
    MIDDLE = "middle"


@dataclass(frozen=True, eq=False)
class Tiles:
    """Squares of one size in rows and columns, each of one colour: uint8, rows x columns x RGB."""

    x: float
    y: float
    side: float
    colours: npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Lines:
    """Straight segments, n x 2 ends x (x, y), all of one colour and width.

    ``name`` says what they are, such as ``move``.
    """

    name: str
    ends: Points
    colour: str
    width: float
    dashes: tuple[float, float] | None = None

    def chains(self) -> list[Points]:
        """Join segments, each of which begins where the one before ended, to chains of points.

        No chain is so long that matplotlib would be slow.
        """
        tails, heads = self.ends[:, 0], self.ends[:, 1]
        breaks = np.flatnonzero((tails[1:] != heads[:-1]).any(axis=1)) + 1
        starts = np.union1d(breaks, np.arange(0, len(tails), _LONGEST_CHAIN))
        starts = np.append(starts, len(tails)).astype(int)
        return [
            np.concatenate([tails[first : first + 1], heads[first:after]])
            for first, after in itertools.pairwise(starts.tolist())
        ]


@dataclass(frozen=True, eq=False)
class Polygons:
    """Filled polygons of k corners each, n x k x (x, y)."""

    corners: Points
    colour: str


@dataclass(frozen=True, eq=False)
class Discs:
    """Circles of one radius, n x (x, y): filled, or with a hollow middle."""

    centres: Points
    radius: float
    colour: str
    hollow: bool = False


@dataclass(frozen=True, eq=False)
class Texts:
    """Words at points, n x (x, y), all of one size and colour."""

    points: Points
    words: tuple[str, ...]
    size: float
    colour: str
    anchor: Anchor = Anchor.MIDDLE
    bold: bool = False


Layer = Tiles | Lines | Polygons | Discs | Texts


@dataclass(frozen=True, eq=False)
class Picture:
    """Layers on a white sheet, with a title and a text for those who cannot see it.

    ``title`` is also drawn, as a layer; here it is for the reader's programs.
    """

    width: float
    height: float
    title: str
    description: str
    layers: tuple[Layer, ...]
