"""Tours as woven bands, which pass over and under one another in turn along the tour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Floats, Ints
from kt_cp.board import Topology
from kt_cp.draw.look import SHADES
from kt_cp.draw.picture import Points, disc_mark, svg_path
from kt_cp.draw.sheet import Sheet
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import InputError
from kt_cp.tour.features import MovePairs, cross_product, ends_of
from kt_cp.tour.tour import Tour

BAND_WIDTH = 0.12
"""The width of a band, in squares."""

# In squares.
_HALF_WIDTH = BAND_WIDTH / 2
_GAP = 0.035  # the gap between a band and the one above it
_MIN_PIECE = 0.2  # the least length of a visible piece between two gaps: it may cross a band
_TIGHT = 0.25  # crossings of a move that are closer than this have one order of all their bands

_NUDGE = 1e-6  # the most by which a square is moved to tell crossings at one point apart


class Gap(NamedTuple):
    """Where a move is hidden by a band above it, in squares from its tail.

    ``begin`` and ``end`` are in the middle of the band. Both ends of the gap are parallel to the
    band above: at the left edge they are further on by ``slant``, at the right edge further back.
    """

    begin: float
    end: float
    slant: float


Gaps = dict[int, list[Gap]]
"""The gaps of moves, by the number of the move."""


def draw_weave(sheet: Sheet, tour: Tour, color: str | None = None, scale: str = "order") -> None:
    """Draw a tour as bands in one color, or without a color in a scale of the order of the tour.

    The ``scale`` is ``order`` or, for a closed tour, ``cycle``; see `kt_cp.draw.look.color`.
    Raises `InputError` on a board with glued edges.
    """
    if tour.board.topology is not Topology.FLAT:
        raise InputError("style weave: only for flat boards; choose another style")
    sheet.hide_checkers()
    ends = sheet.frame.centers[tour.moves]
    gaps = gaps_under_moves(ends, tour)
    shades = np.arange(len(ends)) * SHADES // max(1, len(ends))
    for shade in np.unique(shades).tolist():
        moves = np.flatnonzero(shades == shade).tolist()
        pieces = [piece for move in moves for piece in _pieces(ends[move], gaps.get(move, []))]
        role = color or f"{scale}-{shade}"
        corners = sheet.frame.pixels(pieces)
        sheet.draw(svg_path("band", corners, fill=role, fill_rule="nonzero"))
        # Discs join each move to those before and after it.
        joints = sheet.frame.pixels(ends[moves].reshape(-1, 2))
        sheet.draw(disc_mark(role)(joints, _HALF_WIDTH * sheet.frame.cell))


def gaps_under_moves(ends: Points, tour: Tour) -> Gaps:
    """Return the gaps of each move where it passes under another move.

    Along a closed tour the band passes over and under at every other crossing; that is consistent,
    as any closed curve in the plane meets an even number of crossings between its two visits of
    one. Only where several bands cross nearly at one point, one of them is above all others there,
    the next one above the rest, and so on. ``ends`` are those of the moves, n x 2 ends x (x, y), in
    squares.
    """
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    along = ends[:, 1] - ends[:, 0]
    lengths = np.linalg.norm(along, axis=1)
    distances = _crossing_shares(_nudged(ends, tour), pairs) * lengths[pairs]
    visits = np.lexsort((distances.ravel(), pairs.ravel()))  # by move, and by the distance
    upper_sides = _alternating_sides(visits, len(pairs))
    upper_sides = _layered_sides(upper_sides, pairs, _tight_groups(visits, pairs, distances))
    units = along / lengths[:, None]
    gaps: Gaps = {}
    for crossing, upper_side in enumerate(upper_sides.tolist()):
        upper, lower = pairs[crossing, upper_side], int(pairs[crossing, 1 - upper_side])
        cosine = float(units[upper] @ units[lower])
        sine = float(cross_product(units[lower], units[upper]))
        half = (_HALF_WIDTH + _GAP) / abs(sine)
        middle = distances[crossing, 1 - upper_side]
        slant = _HALF_WIDTH * cosine / sine
        gaps.setdefault(lower, []).append(Gap(middle - half, middle + half, slant))
    return {move: sorted(each) for move, each in gaps.items()}


def _alternating_sides(visits: Ints, count: int) -> Ints:
    """Return for each of ``count`` crossings which of its two moves is above: 0 or 1.

    ``visits`` are the two visits of each crossing in the order of the tour: twice the number of the
    crossing, plus 0 or 1 for its move. The band passes over and under in turn, but the second visit
    of a crossing has to be the opposite of the first one.
    """
    upper_sides = np.full(count, -1, dtype=np.int64)  # -1 until the first visit of the crossing
    for visit_number, visit in enumerate(visits.tolist()):
        crossing, side = divmod(visit, 2)
        if upper_sides[crossing] == -1:
            passes_over = visit_number % 2 == 0
            upper_sides[crossing] = side if passes_over else 1 - side
    return upper_sides


def _tight_groups(visits: Ints, pairs: Ints, distances: Floats) -> Ints:
    """Return a label for each crossing; crossings too close to be told apart share one."""
    crossings, sides = np.divmod(visits, 2)
    moves, where = pairs[crossings, sides], distances[crossings, sides]
    is_close = (np.diff(moves) == 0) & (np.diff(where) < _TIGHT)
    links = np.stack([crossings[:-1], crossings[1:]], axis=1)[is_close]
    return component_labels(len(pairs), links)


def _layered_sides(upper_sides: Ints, pairs: Ints, labels: Ints) -> Ints:
    """Return which move is above at each crossing, so that each group has one order of its moves.

    In the order of a group, a move that is above more often comes first.
    """
    layered = upper_sides.copy()
    for label in np.flatnonzero(np.bincount(labels) > 1).tolist():
        members = np.flatnonzero(labels == label)
        uppers = pairs[members, upper_sides[members]]
        height = {move: (int((uppers == move).sum()), move) for move in pairs[members].flat}
        for crossing in members.tolist():
            one, other = pairs[crossing].tolist()
            layered[crossing] = 0 if height[one] > height[other] else 1
    return layered


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


def _pieces(ends: Points, gaps: list[Gap]) -> Iterator[Points]:
    """Yield the visible pieces of the band of a move, each as four corners (x, y), in squares.

    ``ends`` are those of the move, and ``gaps`` are in order.
    """
    tail, head = ends
    length = float(np.linalg.norm(head - tail))
    unit = (head - tail) / length
    across = _HALF_WIDTH * np.array([-unit[1], unit[0]])
    begin = left_begin = right_begin = 0.0
    for gap in [*gaps, Gap(length, length, 0.0)]:
        has_joint = begin == 0 or gap.begin == length
        if gap.begin - begin >= _MIN_PIECE or (has_joint and gap.begin > begin):
            left_end = min(length, max(left_begin, gap.begin + gap.slant))
            right_end = min(length, max(right_begin, gap.begin - gap.slant))
            yield np.stack(
                [
                    tail + left_begin * unit + across,
                    tail + left_end * unit + across,
                    tail + right_end * unit - across,
                    tail + right_begin * unit - across,
                ]
            )
        begin = max(begin, gap.end)
        left_begin = max(left_begin, gap.end + gap.slant)
        right_begin = max(right_begin, gap.end - gap.slant)
