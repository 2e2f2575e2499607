"""Tours as woven bands, which pass over and under one another in turn along the tour."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.draw.palette import SHADES
from kt_cp.draw.picture import Points, bands
from kt_cp.draw.sheet import Sheet
from kt_cp.tour import feature_table as table
from kt_cp.tour.move_pairs import MovePairs, cross_product, ends_of
from kt_cp.tour.tour import Tour

# In squares: half the width of a band, and the gap between it and the one below.
_HALF, _GAP = 0.06, 0.03

# By how many squares centers are moved to decide the order of crossings at one point.
_NUDGE = 1e-6

_Part = tuple[float, list[list[float]]]  # how far along the tour it begins, and its points


def draw_weave(sheet: Sheet, tour: Tour, color: str | None = None) -> None:
    """Draw a tour as bands in one color, or without it colored by the order of the tour.

    Along a closed tour the band passes over and under at every other crossing; that is consistent,
    as any closed curve in the plane meets an even number of crossings between its two visits of
    one. Raises `InputError` on a board with glued edges.
    """
    table.feature_named("crossings").check(tour.board)
    sheet.fill("light", tour.board.squares)
    ends = sheet.middles[tour.moves]
    scale = "cycle" if tour.closed else "order"
    shades: dict[str, list[Points]] = {}
    for begin, points in _parts(ends, _gaps(ends, tour), tour.closed):
        shade = int(begin / len(tour.moves) * SHADES)
        shades.setdefault(color or f"{scale}-{shade}", []).append(sheet.at(points))
    for role, lines in shades.items():
        sheet.elements.append(bands("band", lines, role, 2 * _HALF * sheet.cell))


def _gaps(ends: Points, tour: Tour) -> dict[int, list[tuple[float, float]]]:
    """Return for each move the stretches where it passes under another, as shares of its length."""
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    shares = _shares(_nudged(ends, tour), pairs)
    visits = np.lexsort((shares.ravel(), pairs.ravel()))
    rank = np.empty_like(visits)
    rank[visits] = np.arange(len(visits))
    rank = rank.reshape(-1, 2)
    # The first visit of a crossing passes over if its rank is even, and the second then under.
    first_is_over = rank.min(axis=1) % 2 == 0
    is_under = (rank == rank.min(axis=1, keepdims=True)) != first_is_over[:, None]
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1)
    unit = along / length[:, None]
    one, other = unit[pairs[:, 0]], unit[pairs[:, 1]]
    cosine = np.abs((one * other).sum(axis=1))
    sine = np.sqrt(1 - cosine**2)
    # The corners of a band that ends squarely keep the gap from the one above.
    reach = (_HALF + _GAP + _HALF * cosine) / sine
    gaps: dict[int, list[tuple[float, float]]] = {}
    for crossing, side in np.argwhere(is_under).tolist():
        move = int(pairs[crossing, side])
        share, width = shares[crossing, side], reach[crossing] / length[move]
        gaps.setdefault(move, []).append((max(0.0, share - width), min(1.0, share + width)))
    return gaps


def _nudged(ends: Points, tour: Tour) -> Points:
    """Return the ends of moves, with each square moved so little that no three moves meet."""
    nudges = _NUDGE * np.random.default_rng(0).random((tour.board.area, 2))
    return np.asarray(ends + nudges[tour.moves])


def _shares(ends: Points, pairs: Ints) -> Points:
    """Return where each of two moves crosses the other, as shares of their lengths: pairs x 2."""
    one, other = ends[pairs[:, 0]], ends[pairs[:, 1]]
    along, across = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0]
    apart = other[:, 0] - one[:, 0]
    turn = cross_product(along.T, across.T)
    return np.stack(
        [cross_product(apart.T, across.T) / turn, cross_product(apart.T, along.T) / turn], axis=1
    )


def _parts(
    ends: Points, gaps: dict[int, list[tuple[float, float]]], closed: bool
) -> Iterator[_Part]:
    """Yield the visible parts of a band."""
    parts: list[_Part] = [(0.0, [ends[0, 0].tolist()])]
    for move, (tail, head) in enumerate(ends):
        for begin, end in sorted(gaps.get(move, ())):
            parts[-1][1].append((tail + begin * (head - tail)).tolist())
            parts.append((move + end, [(tail + end * (head - tail)).tolist()]))
        parts[-1][1].append(head.tolist())
    if closed:  # the last part goes on as the first one
        begin, points = parts.pop()
        first = parts.pop(0)[1] if parts else points
        parts.append((begin, points + first[1:]))
    yield from parts
