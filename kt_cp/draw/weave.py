"""Tours as woven bands, which pass over and under one another in turn along the tour."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kt_cp.arrays import Floats, Ints, Mask
from kt_cp.draw.palette import SHADES
from kt_cp.draw.picture import Points, svg_bands
from kt_cp.draw.sheet import Sheet
from kt_cp.tour.feature_table import feature_named
from kt_cp.tour.move_pairs import MovePairs, cross_product, ends_of
from kt_cp.tour.tour import Tour

# In squares: half the width of a band, and the gap between it and the one below.
_HALF, _GAP = 0.06, 0.03

# By how many squares centers are moved to decide the order of crossings at one point.
_NUDGE = 1e-6

_Gaps = dict[int, list[tuple[float, float]]]  # for each move stretches, as shares of its length
_Visible = tuple[float, list[list[float]]]  # a part of a band: the moves before it, and its points


def draw_weave(sheet: Sheet, tour: Tour, color: str | None = None) -> None:
    """Draw a tour as bands in one color, or without it colored by the order of the tour.

    Along a closed tour the band passes over and under at every other crossing; that is consistent,
    as any closed curve in the plane meets an even number of crossings between its two visits of
    one. Raises `InputError` on a board with glued edges.
    """
    feature_named("crossings").check(tour.board)
    sheet.fill("light", tour.board.squares)
    ends = sheet.frame.middles[tour.moves]
    scale = "cycle" if tour.closed else "order"
    shades: dict[str, list[Points]] = {}
    for begin, points in _visible_parts(ends, _gaps(ends, tour), tour.closed):
        shade = int(begin / len(tour.moves) * SHADES)
        shades.setdefault(color or f"{scale}-{shade}", []).append(sheet.frame.pixels(points))
    for role, lines in shades.items():
        sheet.draw(svg_bands("band", lines, role, 2 * _HALF * sheet.frame.cell))


def _gaps(ends: Points, tour: Tour) -> _Gaps:
    """Return for each move the stretches where it passes under another."""
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    shares = _shares(_nudged(ends, tour), pairs)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    reach = _reach(ends, pairs)
    gaps: _Gaps = {}
    for crossing, side in np.argwhere(_passes_under(pairs, shares)).tolist():
        move = int(pairs[crossing, side])
        share, width = shares[crossing, side], reach[crossing] / lengths[move]
        gaps.setdefault(move, []).append((max(0.0, share - width), min(1.0, share + width)))
    return gaps


def _passes_under(pairs: Ints, shares: Floats) -> Mask:
    """Return for each crossing which of its two moves passes under the other: pairs x 2.

    The visits of crossings are numbered along the tour. The first visit of a crossing passes over
    if its number is even, and under if it is odd.
    """
    visits = np.lexsort((shares.ravel(), pairs.ravel()))
    numbers = np.empty_like(visits)
    numbers[visits] = np.arange(len(visits))
    numbers = numbers.reshape(-1, 2)
    first_number = numbers.min(axis=1, keepdims=True)
    is_first = numbers == first_number
    first_is_over = first_number % 2 == 0
    return np.asarray(is_first ^ first_is_over)


def _reach(ends: Points, pairs: Ints) -> Floats:
    """Return by how many squares the gap of each crossing extends from its point, to both sides.

    The corners of a band that ends squarely keep the gap from the one above.
    """
    along = ends[:, 1] - ends[:, 0]
    unit = along / np.linalg.norm(along, axis=1)[:, None]
    cosine = np.abs((unit[pairs[:, 0]] * unit[pairs[:, 1]]).sum(axis=1))
    sine = np.sqrt(1 - cosine**2)
    return np.asarray((_HALF + _GAP + _HALF * cosine) / sine)


def _nudged(ends: Points, tour: Tour) -> Points:
    """Return the ends of moves, with each square moved so little that no three moves meet."""
    nudges = _NUDGE * np.random.default_rng(0).random((tour.board.area, 2))
    return np.asarray(ends + nudges[tour.moves])


def _shares(ends: Points, pairs: Ints) -> Floats:
    """Return where each of two moves crosses the other, as shares of their lengths: pairs x 2."""
    one, other = ends[pairs[:, 0]], ends[pairs[:, 1]]
    along, across = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0]
    apart = other[:, 0] - one[:, 0]
    turn = cross_product(along.T, across.T)
    return np.stack(
        [cross_product(apart.T, across.T) / turn, cross_product(apart.T, along.T) / turn], axis=1
    )


def _visible_parts(ends: Points, gaps: _Gaps, closed: bool) -> Iterator[_Visible]:
    """Yield the visible parts of a band."""
    parts: list[_Visible] = [(0.0, [ends[0, 0].tolist()])]
    for move, (tail, head) in enumerate(ends):
        for begin, end in sorted(gaps.get(move, ())):
            parts[-1][1].append((tail + begin * (head - tail)).tolist())
            parts.append((move + end, [(tail + end * (head - tail)).tolist()]))
        parts[-1][1].append(head.tolist())
    if closed:  # the last part goes on as the first one, which is itself if there is no gap at all
        begin, points = parts.pop()
        first_points = points
        if parts:
            _, first_points = parts.pop(0)
        parts.append((begin, points + first_points[1:]))
    yield from parts
