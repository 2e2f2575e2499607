"""Tours as woven bands, which pass over and under one another in turn along the tour."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Floats, Ints
from kt_cp.draw.palette import SHADES
from kt_cp.draw.picture import Points, svg_bands
from kt_cp.draw.sheet import Sheet
from kt_cp.tour.feature_table import feature_named
from kt_cp.tour.move_pairs import MovePairs, cross_product, ends_of
from kt_cp.tour.tour import Tour

_HALF_WIDTH = 0.06  # half the width of a band, in squares
_GAP = 0.03  # the gap between a band and the one above it, in squares

_MIN_LENGTH = 0.12  # the least length of a part between two gaps, in squares

_NUDGE = 1e-6  # the most by which a square is moved to tell crossings at one point apart

Gaps = dict[int, list[tuple[float, float]]]
"""The stretches of moves that are hidden, each as shares (begin, end) of the move's length."""


@dataclass
class _Part:
    """A visible part of a band: its points (x, y), in squares, and where it begins, in moves."""

    begin: float
    points: list[list[float]]


def draw_weave(sheet: Sheet, tour: Tour, color: str | None = None) -> None:
    """Draw a tour as bands in one color, or without a color in shades of the order of the tour.

    Along a closed tour the band passes over and under at every other crossing; that is consistent,
    as any closed curve in the plane meets an even number of crossings between its two visits of
    one. Raises `InputError` on a board with glued edges.
    """
    feature_named("crossings").check(tour.board)
    sheet.fill("light", tour.board.squares)
    ends = sheet.frame.centers[tour.moves]
    scale = "cycle" if tour.closed else "order"
    lines_by_role: dict[str, list[Points]] = {}
    for part in _visible_parts(ends, hidden_stretches(ends, tour), tour.closed):
        # A part may begin at the very end of the tour, if a gap reaches the end of the last move.
        shade = min(SHADES - 1, int(part.begin / len(tour.moves) * SHADES))
        role = color or f"{scale}-{shade}"
        lines_by_role.setdefault(role, []).append(sheet.frame.pixels(part.points))
    for role, lines in lines_by_role.items():
        sheet.draw(svg_bands("band", lines, role, 2 * _HALF_WIDTH * sheet.frame.cell))


def hidden_stretches(ends: Points, tour: Tour) -> Gaps:
    """Return for each move the stretches where it passes under another move.

    ``ends`` are those of the moves, n x 2 ends x (x, y), in squares.
    """
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    shares = _crossing_shares(_nudged(ends, tour), pairs)
    lower = _lower_moves(pairs, shares)
    half_lengths = _gap_half_lengths(ends, pairs)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    gaps: Gaps = {}
    for crossing, side in enumerate(lower):
        move = int(pairs[crossing, side])
        share = shares[crossing, side]
        half = half_lengths[crossing] / lengths[move]
        gaps.setdefault(move, []).append((max(0.0, share - half), min(1.0, share + half)))
    return gaps


def _lower_moves(pairs: Ints, shares: Floats) -> list[int]:
    """Return for each crossing which of its two moves passes under the other: 0 or 1.

    The tour visits each crossing twice. It passes over and under in turn, but the second visit of a
    crossing has to be the opposite of the first one.
    """
    lower = [-1] * len(pairs)  # -1 until the first visit of the crossing
    visits = np.lexsort((shares.ravel(), pairs.ravel()))  # by move, and by the share of the move
    for number, visit in enumerate(visits.tolist()):
        crossing, side = divmod(visit, 2)
        is_first_visit = lower[crossing] == -1
        if is_first_visit:
            passes_over = number % 2 == 0
            lower[crossing] = 1 - side if passes_over else side
    return lower


def _gap_half_lengths(ends: Points, pairs: Ints) -> Floats:
    """Return half the length of the gap in the lower band of each crossing, in squares.

    It is so long that the corners of the lower band, which ends squarely, keep their distance from
    the upper one.
    """
    along = ends[:, 1] - ends[:, 0]
    unit = along / np.linalg.norm(along, axis=1)[:, None]
    cosine = np.abs((unit[pairs[:, 0]] * unit[pairs[:, 1]]).sum(axis=1))
    sine = np.sqrt(1 - cosine**2)
    return np.asarray((_HALF_WIDTH + _GAP + _HALF_WIDTH * cosine) / sine)


def _nudged(ends: Points, tour: Tour) -> Points:
    """Return the ends of moves, with each square moved so little that no three moves meet."""
    nudges = _NUDGE * np.random.default_rng(0).random((tour.board.area, 2))
    return np.asarray(ends + nudges[tour.moves])


def _crossing_shares(ends: Points, pairs: Ints) -> Floats:
    """Return where each of two moves crosses the other, as shares of their lengths: pairs x 2."""
    one, other = ends[pairs[:, 0]], ends[pairs[:, 1]]
    along, across = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0]
    apart = other[:, 0] - one[:, 0]
    turn = cross_product(along.T, across.T)
    return np.stack(
        [cross_product(apart.T, across.T) / turn, cross_product(apart.T, along.T) / turn], axis=1
    )


def _visible_parts(ends: Points, gaps: Gaps, closed: bool) -> list[_Part]:
    """Return the visible parts of the band along a tour; a tour of one square has none."""
    if not len(ends):
        return []
    parts = [_Part(0.0, [ends[0, 0].tolist()])]
    for move, (tail, head) in enumerate(ends):
        least = _MIN_LENGTH / float(np.linalg.norm(head - tail))
        for begin, end in _joined(gaps.get(move, ()), least):
            parts[-1].points.append((tail + begin * (head - tail)).tolist())
            parts.append(_Part(move + end, [(tail + end * (head - tail)).tolist()]))
        parts[-1].points.append(head.tolist())
    if closed and len(parts) == 1:
        parts[0].points.append(parts[0].points[1])  # the first move again, so that the ends join
    elif closed:
        # The tour begins within a visible part: the first part continues the last one.
        first = parts.pop(0)
        parts[-1].points += first.points[1:]
    return parts


def _joined(gaps: Iterable[tuple[float, float]], least: float) -> list[tuple[float, float]]:
    """Return the gaps of a move in order; gaps less than ``least`` apart are joined."""
    joined: list[tuple[float, float]] = []
    for begin, end in sorted(gaps):
        if joined and begin - joined[-1][1] < least:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined
