"""The picture of a position."""

from __future__ import annotations

import itertools
from dataclasses import replace

from kt_cp.draw.picture import Picture
from kt_cp.draw.puzzle import instance_picture
from kt_cp.draw.sheet import START_MARK, Look, Sheet, disc
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
    sheet = Sheet(position.board, "", BARE, letters=len(str(len(position.board))))
    if instance.closed and instance.start is not None and not instance.givens and not path:
        sheet.mark(START_MARK, [instance.start], _SPOT)
    if len(path) > 1:
        closing = path[:1] if instance.closed and len(path) == len(position.board) else []
        sheet.moves([*itertools.pairwise([*path, *closing])])
    if path:
        sheet.mark(disc("visited"), path, _DISC)
        sheet.mark(disc(None, "end", 0.18), path[-1:], _DISC)
        sheet.mark(disc(None, "start", 0.18), path[:1], _DISC)
        sheet.words(path, range(1, len(path) + 1), 2 * _DISC)
    if with_moves and path and position.next_squares:
        sheet.mark(disc("start"), [*position.next_squares], _SPOT)
    return replace(picture, layers=(*picture.layers, *sheet.layers))
