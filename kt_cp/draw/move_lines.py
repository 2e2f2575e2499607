"""The lines of moves on a board or graph: straight or curved, and with chevrons."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.draw.frame import BoardFrame
from kt_cp.draw.geometry import curve, curve_offsets
from kt_cp.draw.picture import Points
from kt_cp.problem.instance import Instance

_LINES_IN_CURVE = 16
_CHEVRON_LENGTH = 0.1  # in squares
_MIN_CHEVRON = 3  # the least length of a chevron, in pixels
_BOW = 6.0  # of the middle of an arc from the straight line, if there is an opposite arc, in pixels
_HEAD_WIDTH = 0.75  # of the head of an arc, relative to its length


def directed_moves(instance: Instance, pairs: npt.ArrayLike) -> Ints:
    """Return pairs of neighbors as moves to be drawn, as rows of two ids.

    In a directed graph, where every line has a head, each pair becomes the allowed arcs that join
    it. On a board and in an undirected graph, these are the pairs themselves.
    """
    rows: Ints = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    graph = instance.graph
    if isinstance(graph, Board) or not graph.directed:
        return rows
    keys_of_arcs = graph.pair_keys(np.sort(instance.arcs, axis=1))
    is_drawn = np.isin(keys_of_arcs, graph.pair_keys(np.sort(rows, axis=1)))
    return instance.arcs[is_drawn]


class MoveLines:
    """The lines that draw moves in a frame, in pixels.

    Lines are straight until `curve_overlaps` states which moves overlap. Moves are rows of two ids.
    In a directed graph, two opposite arcs are bowed apart, so that both can be seen.
    """

    def __init__(self, frame: BoardFrame) -> None:
        self._frame = frame
        self._curve_offsets: dict[tuple[int, int], Points] = {}
        self._is_directed = not isinstance(frame.graph, Board) and frame.graph.directed
        if self._is_directed:
            self._curve_offsets = self._bows()

    def _bows(self) -> dict[tuple[int, int], Points]:
        """Return for each arc with an opposite one the offset of its middle, in squares: (x, y)."""
        arcs = {(tail, head) for tail, head in self._frame.graph.arcs.tolist()}
        bows: dict[tuple[int, int], Points] = {}
        for tail, head in arcs:
            if (head, tail) in arcs:
                along = self._frame.centers[head] - self._frame.centers[tail]
                across = along[::-1] * [1, -1] / np.linalg.norm(along)
                bows[tail, head] = across * _BOW / self._frame.cell
        return bows

    def curve_overlaps(self, moves: Ints) -> None:
        """Draw overlapping moves among these as curves from now on.

        There are curves on flat boards only, on which every move is one line.
        """
        if isinstance(self._frame.graph, Board) and self._frame.is_fine:
            self._curve_offsets = curve_offsets(self._frame.graph, moves)

    @property
    def has_curves(self) -> bool:
        """Whether some moves are curves."""
        return bool(self._curve_offsets)

    def lines(self, moves: npt.ArrayLike) -> Points:
        """Return the lines that draw moves, n x 2 ends x (x, y): one for a straight move."""
        lines = self._frame.pixel_segments(moves)
        if not self._curve_offsets or not len(lines):
            return lines
        chains: list[Points] = []
        for (tail, head), offset in zip(lines, self._offsets(moves), strict=True):
            parts = _LINES_IN_CURVE if offset.any() else 1
            chains.append(curve(tail, head, offset, parts))
        return np.concatenate(chains)

    def chevrons(self, moves: npt.ArrayLike, share: float, enlargement: float = 1.0) -> Points:
        """Return the lines of a chevron on each move, at a share of its length from its tail."""
        tails, heads = self._frame.pixel_segments(moves).transpose(1, 0, 2)
        if self._curve_offsets:
            # The point of a curve at a share of its length; see `curve`.
            offsets = 4 * share * (1 - share) * self._offsets(moves)
            tails = tails + offsets
            heads = heads + offsets
        along = (heads - tails) / np.linalg.norm(heads - tails, axis=1, keepdims=True)
        along *= enlargement * max(_CHEVRON_LENGTH * self._frame.cell, _MIN_CHEVRON)
        across = along[:, ::-1] * [0.8, -0.8]
        tips = tails + share * (heads - tails) + along / 2
        sides = [np.stack([tips - along + side, tips], axis=1) for side in (across, -across)]
        return np.concatenate(sides)

    def heads(self, arcs: npt.ArrayLike, gap: float, length: float) -> Points:
        """Return the heads of arcs as triangles, n x 3 x (x, y), in pixels.

        Their tips are at a distance ``gap`` before the center of the vertex to which an arc leads.
        """
        tails, heads = self._frame.pixel_segments(arcs).transpose(1, 0, 2)
        along = heads - tails - 4 * self._offsets(arcs)  # the direction in which a curve ends
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        across = along[:, ::-1] * [1, -1] * length * _HEAD_WIDTH / 2
        tips = heads - gap * along
        backs = tips - length * along
        return np.stack([tips, backs + across, backs - across], axis=1)

    def _offsets(self, moves: npt.ArrayLike) -> Points:
        """Return the offset of the middle of each move from a straight line, in pixels: (x, y)."""
        straight = np.zeros(2)
        rows = np.asarray(moves, dtype=np.int64).reshape(-1, 2)
        if not self._is_directed:
            rows = np.sort(rows, axis=1)
        offsets = [self._curve_offsets.get((tail, head), straight) for tail, head in rows.tolist()]
        return np.array(offsets).reshape(-1, 2) * self._frame.cell
