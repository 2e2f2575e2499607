"""Marks for squares: a function of their middles and a radius, on the board as in the legend."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kt_cp.draw import palette
from kt_cp.draw.picture import Discs, Layer, Points, Shapes, Tiles
from kt_cp.draw.sheet import Sheet

Mark = Callable[[Points, float], list[Layer]]

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def swatch(*colours: npt.NDArray[np.uint8]) -> Mark:
    """Return a mark that is a row of patches in these colours."""
    row = np.array([colours])
    corner = np.array([len(colours), 1]) / 2

    def draw(points: Points, radius: float) -> list[Layer]:
        side = 1.5 * radius if len(colours) == 1 else radius
        return [Tiles(x, y, side, row) for x, y in (points - side * corner).tolist()]

    return draw


def shape(
    corners: npt.ArrayLike,
    stroke: str | None = None,
    width: float = 0.0,
    fill: str | None = None,
    dashes: tuple[float, float] | None = None,
) -> Mark:
    """Return a mark that is a polygon, or a line; corners and width are in radii."""

    def draw(points: Points, radius: float) -> list[Layer]:
        places = points[:, None] + radius * np.asarray(corners)
        return [Shapes("mark", places, stroke, width * radius, fill, dashes)]

    return draw


def disc(fill: str | None, stroke: str | None = None, width: float = 0.0) -> Mark:
    """Return a mark that is a disc; the width is in radii."""
    return lambda points, radius: [Discs(points, radius, fill, stroke, width * radius)]


START_MARK, END_MARK = disc(palette.START), shape(SQUARE, fill=palette.END)


def unmarked(points: Points, radius: float) -> list[Layer]:
    """Draw nothing: the mark of a line of text."""
    return []


def hatched_holes(sheet: Sheet) -> list[Layer]:
    """Draw the holes of a board, if it has any, as `hatched` does."""
    holes = np.array(sheet.board.holes, dtype=np.int64)
    return hatched(sheet.centres(holes), sheet.cell / 2) if sheet.fine and len(holes) else []


def hatched(points: Points, radius: float) -> list[Layer]:
    """Draw hatched squares, which no shade can be mistaken for."""
    lines = [[(-1, 1), (1, -1)], [(-1, 0), (0, -1)], [(0, 1), (1, 0)]]
    ends = (points[:, None, None] + radius * np.array(lines)).reshape(-1, 2, 2)
    width = min(1.5, 0.2 * radius)
    return [
        Shapes("hole", points[:, None] + radius * SQUARE, palette.INK, width, palette.LIGHT),
        Shapes("hatch", ends, palette.INK, width),
    ]
