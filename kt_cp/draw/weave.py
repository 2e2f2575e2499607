"""Tours as woven bands, which pass over and under one another in turn along the tour."""

from __future__ import annotations

import numpy as np

from kt_cp.arrays import Floats, Ints
from kt_cp.board import Topology
from kt_cp.draw.look import SHADES
from kt_cp.draw.picture import Points, svg_path
from kt_cp.draw.sheet import Sheet
from kt_cp.messages import InputError
from kt_cp.tour.features import MovePairs, cross_product, ends_of
from kt_cp.tour.tour import Tour

BAND_WIDTH = 0.12
"""The width of a band, in squares."""

_GAP = 0.035  # the gap between a band and the one above it, in squares
_NUDGE = 1e-6  # the most by which a square is moved to tell crossings at one point apart


def draw_weave(sheet: Sheet, tour: Tour, color: str | None = None, scale: str = "order") -> None:
    """Draw a tour as bands in one color, or without a color in a scale of the order of the tour.

    The ``scale`` is ``order`` or, for a closed tour, ``cycle``; see `kt_cp.draw.look.color`. At
    each crossing, the upper band is drawn once more, upon a casing in the color of the board or,
    for bands of one color, of the paper.
    Raises `InputError` on a board with glued edges.
    """
    if tour.board.topology is not Topology.FLAT:
        raise InputError("style weave: only for flat boards; choose another style")
    sheet.hide_checkers()
    width = BAND_WIDTH * sheet.frame.cell
    casing = width + 2 * _GAP * sheet.frame.cell
    shades = np.arange(len(tour.moves)) * SHADES // max(1, len(tour.moves))
    roles = [color or f"{scale}-{shade}" for shade in shades.tolist()]
    for shade in np.unique(shades).tolist():
        first = int(np.flatnonzero(shades == shade)[0])
        lines = sheet.frame.lines(tour.moves[shades == shade])
        sheet.draw(svg_path("band", lines, roles[first], width))
    upper, bridges = bridges_of(sheet.frame.centers[tour.moves], tour)
    below = "paper" if color else "light"
    for move, bridge in zip(upper.tolist(), sheet.frame.pixels(bridges), strict=True):
        sheet.draw(svg_path("casing", _strip(bridge, casing, 1.0), fill=below))
        # A little longer than the casing, so that both ends meet the rest of the band.
        sheet.draw(svg_path("bridge", _strip(bridge, width, 1.2), fill=roles[move]))


def _strip(line: Points, width: float, scale: float) -> Points:
    """Return the corners of a strip of a width around the middle of a line: 1 x 4 x (x, y)."""
    middle, half = line.mean(axis=0), scale * (line[1] - line[0]) / 2
    across = half[::-1] * [-1, 1] * width / 2 / np.linalg.norm(half)
    corners = [-half - across, half - across, half + across, -half + across]
    return np.asarray(middle + corners)[None]


def bridges_of(ends: Points, tour: Tour) -> tuple[Ints, Points]:
    """Return for each crossing the move that is above, and the piece of it that hides the other.

    Along a closed tour the band passes over and under at every other crossing; that is consistent,
    as any closed curve in the plane meets an even number of crossings between its two visits of
    one. ``ends`` are those of the moves, n x 2 ends x (x, y), in squares, as those of the pieces.
    """
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    along = ends[:, 1] - ends[:, 0]
    lengths = np.linalg.norm(along, axis=1)
    shares = _crossing_shares(ends, tour, pairs)
    sides = upper_sides(shares * lengths[pairs], pairs)
    crossings = np.arange(len(pairs))
    upper, lower = pairs[crossings, sides], pairs[crossings, 1 - sides]
    units = along / lengths[:, None]
    sines = np.abs(cross_product(units[lower].T, units[upper].T))
    middles = ends[upper, 0] + shares[crossings, sides][:, None] * along[upper]
    half = ((BAND_WIDTH / 2 + _GAP) / sines)[:, None] * units[upper]
    return upper, np.stack([middles - half, middles + half], axis=1)


def upper_sides(distances: Floats, pairs: Ints) -> Ints:
    """Return for each crossing which of its two moves is above: 0 or 1.

    ``distances`` are those of the crossing from the tails of its moves. The band passes over and
    under in turn, but the second visit of a crossing has to be the opposite of the first one.
    """
    visits = np.lexsort((distances.ravel(), pairs.ravel()))  # by move, and by the distance
    sides = np.full(len(pairs), -1, dtype=np.int64)  # -1 until the first visit of the crossing
    for visit_number, visit in enumerate(visits.tolist()):
        crossing, side = divmod(visit, 2)
        if sides[crossing] == -1:
            sides[crossing] = side if visit_number % 2 == 0 else 1 - side
    return sides


def _crossing_shares(ends: Points, tour: Tour, pairs: Ints) -> Floats:
    """Return where each of two moves crosses the other, as shares of their lengths: pairs x 2.

    Squares are moved so little that no three moves meet.
    """
    nudges = _NUDGE * np.random.default_rng(0).random((tour.board.area, 2))
    nudged = ends + nudges[tour.moves]
    one, other = nudged[pairs[:, 0]], nudged[pairs[:, 1]]
    along, across = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0]
    apart = other[:, 0] - one[:, 0]
    turn = cross_product(along.T, across.T)
    return np.stack(
        [cross_product(apart.T, across.T) / turn, cross_product(apart.T, along.T) / turn], axis=1
    )
