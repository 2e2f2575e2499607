"""The description of a picture: layers of shapes and words, in pixels.

x runs to the right and y downwards; the first layer is the lowest. SVG, PNG, PDF and GIF all draw
the same layers.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.draw.palette import Colours

Points = npt.NDArray[np.float64]

_LONGEST_CHAIN = 10_000


@dataclass(frozen=True, eq=False)
class Tiles:
    """Squares of one size in rows and columns, each of one colour: uint8, rows x columns x RGB."""

    x: float
    y: float
    side: float
    colours: Colours


@dataclass(frozen=True, eq=False)
class Shapes:
    """Lines between two points each, or closed polygons of more, all in the same colours.

    ``corners`` are n shapes x k points x (x, y); ``name`` says what they are, such as ``move``.
    """

    name: str
    corners: Points
    stroke: str | None = None
    width: float = 0.0
    fill: str | None = None
    dashes: tuple[float, float] | None = None

    @property
    def closed(self) -> bool:
        """Whether these are polygons."""
        return bool(self.corners.shape[1] > 2)

    def outlines(self) -> list[Points]:
        """Return the points of each polygon, or of each chain of lines.

        A line that begins where the previous one ended continues its chain. Chains are bounded,
        because matplotlib is slow with long ones.
        """
        if self.closed:
            return list(self.corners)
        tails, heads = self.corners[:, 0], self.corners[:, 1]
        breaks = np.flatnonzero((tails[1:] != heads[:-1]).any(axis=1)) + 1
        starts = np.union1d(breaks, np.arange(0, len(tails), _LONGEST_CHAIN))
        starts = np.append(starts, len(tails)).astype(int)
        return [
            np.concatenate([tails[first : first + 1], heads[first:after]])
            for first, after in itertools.pairwise(starts.tolist())
        ]


@dataclass(frozen=True, eq=False)
class Discs:
    """Circles of one radius, n x (x, y); the stroke lies inside the radius."""

    centres: Points
    radius: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, eq=False)
class Texts:
    """Words of one size, centred at the points n x (x, y) or beginning there."""

    points: Points
    words: tuple[str, ...]
    size: float
    fill: str
    centred: bool = True
    bold: bool = False


Layer = Tiles | Shapes | Discs | Texts


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
