"""The sign for squares and vertices that a path or cycle leaves out: the same in all pictures."""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.arrays import Ints
from kt_cp.draw.picture import disc_mark, polygon_mark
from kt_cp.draw.sheet import Sheet

_MAX_NAMED = 4

LEFT_OUT = polygon_mark([(-1, -1), (1, 1), (0, 0), (1, -1), (-1, 1), (0, 0)], "muted", 0.18)
"""The sign of a square: a cross."""

# A vertex holds its name, so a dashed ring surrounds it.
_CROSS_RADIUS = 0.2  # in squares
_RING = disc_mark(None, "muted", 0.14, dashes=(0.45, 0.335))


def mark_left_out(sheet: Sheet, vertices: Sequence[int] | Ints, *, explained: bool = True) -> None:
    """Mark vertices that a tour leaves out, if any.

    If ``explained``, the legend names a few, and states the number of more.
    """
    if not len(vertices):
        return
    mark, radius = (LEFT_OUT, _CROSS_RADIUS) if sheet.is_board else (_RING, 0.0)
    text = None
    if explained:
        ids = [int(vertex) for vertex in vertices]
        shown = sheet.graph.vocabulary.count_vertices(len(ids))
        if len(ids) <= _MAX_NAMED:
            shown = sheet.graph.list_names(ids)
        text = f"left out: {shown}"
    sheet.draw_mark(mark, vertices, radius=radius, legend=text)
