"""How moves are drawn: segments, their colours and width, arrowheads, and the squares between."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Topology
from kt_cp.draw import palette
from kt_cp.draw.picture import Discs, Layer, Lines, Points, Polygons
from kt_cp.draw.sheet import Sheet

NODE = 0.27  # radius of the disc that holds a step on a path, in squares
LIGHTEST_LINE = 0.85  # on the scale of shades

_SHADED_PARTS = 64  # on large boards the path changes colour so often
_HEAD = 0.22  # length of an arrowhead, in squares


def segments(sheet: Sheet, pairs: npt.NDArray[np.integer]) -> Points:
    """Return the ends of each move, n x 2 ends x (x, y).

    A move across a glued edge is two segments, one to the edge and one from the edge opposite.
    """
    ends = sheet.centres(pairs)
    if sheet.board.topology is Topology.FLAT or len(pairs) == 0:
        return ends
    corner = np.array([sheet.left, sheet.top])
    places = (ends - corner) / sheet.cell
    jumps = _jumps(sheet.board, pairs)
    across = (places[:, 0] + jumps != places[:, 1]).any(axis=1)
    tails, heads, jumps = places[across, 0], places[across, 1], jumps[across]
    there = np.stack([tails, _to_the_edge(sheet.board, tails, jumps)], axis=1)
    back = np.stack([_to_the_edge(sheet.board, heads, -jumps), heads], axis=1)
    halves = np.stack([there, back], axis=1)
    parts: list[Points] = list(places[:, None])
    for place, half in zip(np.flatnonzero(across).tolist(), halves, strict=True):
        parts[place] = half
    return np.asarray(np.concatenate(parts) * sheet.cell + corner)


def line_width(sheet: Sheet) -> float:
    """Return the width of a path on this sheet."""
    return max(1.2, 0.06 * sheet.cell) if sheet.fine else max(0.6, 0.15 * sheet.cell)


def path_layers(sheet: Sheet, ends: Points) -> list[Layer]:
    """Draw moves in order: in one colour, or on a large board from dark to light."""
    if sheet.fine:
        return [Lines("move", ends, palette.MOVE, line_width(sheet))]
    parts = np.array_split(ends, min(_SHADED_PARTS, max(1, len(ends))))
    colours = palette.shades(np.linspace(0, LIGHTEST_LINE, len(parts)))
    return [
        Lines("move", part, palette.hexadecimal(colour), line_width(sheet))
        for part, colour in zip(parts, colours, strict=True)
    ]


def arrowheads(sheet: Sheet, ends: Points) -> list[Layer]:
    """Draw a triangle for each segment, pointing its way, short of the disc on the square.

    No two moves of a tour lead to the same square, so these do not lie on one another.
    """
    tails, heads = ends[:, 0], ends[:, 1]
    along = heads - tails
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = along[:, ::-1] * [1, -1]
    size = _HEAD * sheet.cell
    tip = heads - along * NODE * sheet.cell
    base = tip - along * size
    corners = np.stack([tip, base + across * size / 2, base - across * size / 2], axis=1)
    return [Polygons(corners, palette.MOVE)]


def node_layers(sheet: Sheet, squares: npt.NDArray[np.integer]) -> list[Layer]:
    """Draw a ring on each square that a path visits, with room for a number."""
    centres, radius = sheet.centres(squares), NODE * sheet.cell
    inner = radius - 0.5 * line_width(sheet)
    return [Discs(centres, radius, palette.MOVE), Discs(centres, inner, palette.LIGHT)]


def _jumps(board: Board, pairs: npt.NDArray[np.integer]) -> Points:
    """Return the jump that each move makes, as (right, down): a short way rather than round."""
    sides = np.array([board.columns, board.rows])
    rows, columns = np.divmod(pairs, board.columns)
    straight = np.stack([columns[:, 1] - columns[:, 0], rows[:, 1] - rows[:, 0]], axis=1)
    jumps = straight.astype(np.float64)
    known = np.array([(right, down) for down, right in board.piece.jumps])
    made = (straight[:, None] == known).all(axis=2).any(axis=1)
    for jump in known:
        hits = ~made & ((straight - jump) % sides == 0).all(axis=1)
        jumps[hits] = jump
        made |= hits
    return jumps


def _to_the_edge(board: Board, places: Points, jumps: Points) -> Points:
    """Return the point at which each jump leaves the board."""
    sides = np.array([board.columns, board.rows])
    room = np.where(jumps > 0, sides - places, places)
    with np.errstate(divide="ignore"):
        share = (room / np.abs(jumps)).min(axis=1, keepdims=True)
    return np.asarray(places + np.minimum(share, 1) * jumps)
