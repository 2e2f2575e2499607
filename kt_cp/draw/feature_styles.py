"""Pictures of a tour's features: where its moves cross, and the angles at its squares."""

from __future__ import annotations

import numpy as np

from kt_cp.draw import palette
from kt_cp.draw.frame import Entry, Parts
from kt_cp.draw.marks import disc, hatched_holes, shape
from kt_cp.draw.moves import NODE, line_width, nodes, segments
from kt_cp.draw.picture import Layer, Shapes
from kt_cp.draw.sheet import Sheet, tiles
from kt_cp.errors import counted
from kt_cp.tour.feature_table import (
    ANGLES,
    angle_products,
    crossed_moves,
    crossing_points,
    feature_named,
)
from kt_cp.tour.tour import Tour

_RING, _RING_RADIUS = disc(palette.LIGHT, palette.FAULT, 0.4), 0.09  # in squares
_SPOT, _SPOT_RADIUS = disc(palette.FAULT), 0.2
_UNCROSSED_WIDTH = 2  # for a width of 1 of other moves


def crossings_parts(sheet: Sheet, tour: Tour) -> Parts:
    """Draw the path with a mark on each crossing; moves that no other crosses are thick.

    Raises `InputError` where crossings are not defined.
    """
    feature_named("crossings").check(tour.board)
    points, crossed = crossing_points(tour), crossed_moves(tour)
    places = (points[:, ::-1] + 0.5) * sheet.cell + [sheet.left, sheet.top]
    layers: list[Layer] = [tiles(sheet), *hatched_holes(sheet)]
    width = line_width(sheet)
    for chosen, colour, times in (
        (crossed, palette.MOVE, 1),
        (~crossed, palette.START, _UNCROSSED_WIDTH),
    ):
        layers.append(Shapes("move", segments(sheet, tour.moves[chosen]), colour, times * width))
    mark, radius = (_RING, _RING_RADIUS) if sheet.fine else (_SPOT, _SPOT_RADIUS)
    layers += mark(places, radius * sheet.cell)
    if steps := sheet.steps(tour.squares, 2 * NODE):
        layers += [nodes(sheet, tour.squares), *steps]
    line = shape([(-1.5, 0), (1.5, 0)], palette.START, _UNCROSSED_WIDTH / 3)
    uncrossed = f"{counted(int((~crossed).sum()), 'move')} that no other crosses"
    return layers, [(mark, counted(len(points), "crossing")), (line, uncrossed)]


def angles_parts(sheet: Sheet, tour: Tour) -> Parts:
    """Draw the path with a disc on each square, in the colour of the angle between its moves.

    If there is room, the disc holds the degrees. Raises `InputError` where angles are not defined.
    """
    feature_named("angle-90").check(tour.board)
    products = angle_products(tour)
    squares = np.roll(tour.squares, -1)[: len(products)]
    ends = segments(sheet, tour.moves)
    layers: list[Layer] = [
        tiles(sheet),
        *hatched_holes(sheet),
        Shapes("move", ends, palette.FAINT_INK, line_width(sheet)),
        nodes(sheet, np.setdiff1d(tour.squares, squares)),
    ]
    legend: list[Entry] = []
    for (degrees, product), colour in zip(ANGLES.items(), palette.ANGLES, strict=True):
        chosen = squares[products == product]
        mark = disc(colour, palette.INK, 0.06)
        layers += mark(sheet.centres(chosen), 1.2 * NODE * sheet.cell)
        dark = np.full(len(chosen), palette.lightness(palette.rgb(colour)) < 128)
        layers += sheet.words(chosen, [degrees] * len(chosen), 2 * NODE, dark)
        legend.append((mark, f"{degrees}°: {counted(len(chosen), 'square')}"))
    return layers, legend
