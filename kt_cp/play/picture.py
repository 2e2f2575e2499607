"""The picture of a position."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from kt_cp.draw.picture import Discs, Layer, Picture, Shapes
from kt_cp.draw.puzzle import instance_picture
from kt_cp.draw.sheet import START_MARK, Look, lay_out
from kt_cp.draw.tour import segments
from kt_cp.play.state import Position

_DISC, _SPOT = 0.34, 0.12  # radii, in squares
BARE = Look(title="", legend=False)
"""A picture without the words that the page says."""


def position_picture(position: Position, with_moves: bool = False) -> Picture:
    """Return the picture of an instance and the path on it; with the legal moves, if asked for.

    >>> position_picture(Position.parse("3x4")).description
    'puzzle: open tour of 3x4, 12 squares'
    """
    instance, path = position.instance, list(position.path)
    picture = instance_picture(instance, BARE)
    sheet = lay_out(position.board, "", BARE, letters=len(str(len(position.board))))
    squares = sheet.centers(np.array(path, dtype=np.int64))
    layers: list[Layer] = []
    if instance.closed and instance.start is not None and not instance.givens and not path:
        layers += START_MARK(sheet.centers(np.array([instance.start])), _SPOT * sheet.cell)
    if len(path) > 1:
        closing = path[:1] if instance.closed and len(path) == len(position.board) else []
        ends = segments(sheet, np.array([*itertools.pairwise([*path, *closing])]))
        layers.append(Shapes("move", ends, "line", sheet.line_width))
    if path:
        layers.append(Discs(squares, _DISC * sheet.cell, "visited"))
        layers.append(Discs(squares[-1:], _DISC * sheet.cell, None, "end", 0.06 * sheet.cell))
        layers.append(Discs(squares[:1], _DISC * sheet.cell, None, "start", 0.06 * sheet.cell))
        layers += sheet.words(np.array(path), range(1, len(path) + 1), 2 * _DISC)
    if with_moves and path:
        spots = sheet.centers(np.array(position.next_squares, dtype=np.int64))
        layers.append(Discs(spots, _SPOT * sheet.cell, "start"))
    return replace(picture, layers=(*picture.layers, *layers))
