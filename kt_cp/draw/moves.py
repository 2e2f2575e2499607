"""The layers of a path: lines, arrowheads, and discs on the squares that it visits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kt_cp.board import Board, Topology
from kt_cp.draw import palette
from kt_cp.draw.picture import Discs, Layer, Points, Shapes
from kt_cp.draw.sheet import Ids, Sheet

NODE = 0.27  # radius of the disc that holds a step on a path, in squares
LIGHTEST_LINE = 0.85  # on the scale of shades

_SHADED_PARTS = 64  # of the path on a large board, each in a shade of its own
_HEAD = 0.22  # length of an arrowhead, in squares


def segments(sheet: Sheet, pairs: Ids) -> Points:
    """Return the ends of each move, n x 2 ends x (x, y); the moves are rows of two ids.

    A move across a glued edge is two segments: one to the edge, one from the opposite edge.
    """
    ends = sheet.centres(pairs)
    board, corner = sheet.board, np.array([sheet.left, sheet.top])
    if board.topology is Topology.FLAT or len(pairs) == 0:
        return ends
    across = ~replace(board, topology=Topology.FLAT).are_moves(*pairs.T)
    places = (ends - corner) / sheet.cell
    tails, heads = places[across, 0], places[across, 1]
    jumps = _jumps(board, heads - tails)
    there, back = _to_the_edge(board, tails, jumps), _to_the_edge(board, heads, -jumps)
    places = np.repeat(places, 1 + across, axis=0)
    halves = np.stack([tails, there, back, heads], axis=1)
    places[np.repeat(across, 1 + across)] = halves.reshape(-1, 2, 2)
    return np.asarray(places * sheet.cell + corner)


def line_width(sheet: Sheet) -> float:
    """Return the width of a path on this sheet."""
    return max(1.2, 0.06 * sheet.cell) if sheet.fine else max(0.6, 0.15 * sheet.cell)


def path_layers(sheet: Sheet, ends: Points) -> list[Layer]:
    """Draw moves in one colour, or on a large board from dark to light in their order."""
    if sheet.fine:
        return [Shapes("move", ends, palette.MOVE, line_width(sheet))]
    parts = np.array_split(ends, min(_SHADED_PARTS, max(1, len(ends))))
    colours = palette.shades(np.linspace(0, LIGHTEST_LINE, len(parts)))
    return [
        Shapes("move", part, palette.hexadecimal(colour), line_width(sheet))
        for part, colour in zip(parts, colours, strict=True)
    ]


def arrowheads(
    sheet: Sheet, ends: Points, node: float = NODE, length: float = _HEAD
) -> list[Layer]:
    """Draw an arrowhead at the end of each segment, in front of the disc on the square.

    No two of them overlap, because no two moves of a tour lead to the same square.
    """
    tails, heads = ends[:, 0], ends[:, 1]
    along = (heads - tails) * sheet.cell / np.linalg.norm(heads - tails, axis=1, keepdims=True)
    across = along[:, ::-1] * [length / 2, -length / 2]
    tip, base = heads - along * node, heads - along * (node + length)
    return [Shapes("head", np.stack([tip, base + across, base - across], 1), fill=palette.MOVE)]


def nodes(sheet: Sheet, squares: Ids, radius: float = NODE) -> Layer:
    """Draw a disc, with room for a number, on each of these squares."""
    width = 0.5 * line_width(sheet)
    return Discs(sheet.centres(squares), radius * sheet.cell, palette.LIGHT, palette.MOVE, width)


def _jumps(board: Board, straight: Points) -> Points:
    """Return the jumps, as (right, down), that have the same effect modulo the glued sides."""
    sides = np.array([board.columns, board.rows if board.topology is Topology.TORUS else np.inf])
    jumps = np.array([(right, down) for down, right in board.piece.jumps], dtype=np.float64)
    leads = ((jumps - straight[:, None]) % sides == 0).all(axis=2)
    return np.where(leads.any(axis=1)[:, None], jumps[leads.argmax(axis=1)], straight)


def _to_the_edge(board: Board, places: Points, jumps: Points) -> Points:
    """Return the point where each jump leaves the board, or its end if it stays on the board."""
    room = np.where(jumps > 0, [board.columns, board.rows] - places, places)
    with np.errstate(divide="ignore"):
        share = (room / np.abs(jumps)).min(axis=1, keepdims=True)
    return np.asarray(places + np.minimum(share, 1) * jumps)
