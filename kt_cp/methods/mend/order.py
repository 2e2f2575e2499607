"""Walks that cover a board, put one after another: a tour in the making, with gaps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kt_cp.board import Mask, Squares
from kt_cp.problem.instance import Instance

Arc = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Order:
    """All squares, for an open tour the depot too, in a circle; some links of it are gaps.

    ``squares`` holds ids, the depot's is the one after the last; ``arcs`` all links that are no
    gaps, as sorted rows (from, to).
    """

    instance: Instance
    arcs: Squares
    squares: Squares

    @classmethod
    def of(cls, instance: Instance, arcs: Squares, walks: list[Squares]) -> Order:
        """Put walks one after another, for an open tour after the depot."""
        depot = np.array([] if instance.closed else [instance.board.area], dtype=np.int32)
        return cls(instance, arcs, np.concatenate([depot, *walks]))

    @cached_property
    def _is_gap(self) -> Mask:
        """Tell of each place whether no arc leads on from there."""
        key = np.array([self.instance.board.area + 1, 1])
        links = np.stack([self.squares, np.roll(self.squares, -1)], axis=1) @ key
        keys = self.arcs @ key
        first, after = (np.searchsorted(keys, links, side) for side in ("left", "right"))
        return np.asarray(first == after)

    def as_tour(self) -> Squares | None:
        """Return the squares as the tour asked for, or None if there are gaps."""
        instance = self.instance
        if self._is_gap.any():
            return None
        first = instance.start if instance.closed else instance.board.area
        turn = 0 if first is None else int(np.flatnonzero(self.squares == first)[0])
        turned = np.roll(self.squares, -turn)
        return turned if instance.closed else turned[1:]

    def walks(self) -> list[Squares]:
        """Cut the order at its gaps and at the depot."""
        depot = self.instance.board.area
        cuts = self._is_gap | (self.squares == depot)
        cut_after = int(np.flatnonzero(cuts)[-1]) if cuts.any() else -1
        squares, cuts = np.roll(self.squares, -cut_after - 1), np.roll(cuts, -cut_after - 1)
        walks = (walk[walk != depot] for walk in np.split(squares, np.flatnonzero(cuts) + 1))
        return [walk for walk in walks if len(walk)]

    def along(self, gap: Arc, reach: int) -> Mask:
        """Tell of each id whether it is a square near the line across a gap, or the depot.

        Near is at most ``reach`` rows and columns away.
        """
        board = self.instance.board
        (row, column), (to_row, to_column) = (divmod(square, board.columns) for square in gap)
        steps = max(abs(to_row - row), abs(to_column - column)) + 1
        near = np.zeros((board.rows, board.columns), dtype=np.bool_)
        line = np.linspace((row, column), (to_row, to_column), steps)
        for row, column in line.round().astype(int).tolist():
            top, left = max(0, row - reach), max(0, column - reach)
            near[top : row + reach + 1, left : column + reach + 1] = True
        return np.append(near.ravel() & board.mask, not self.instance.closed)

    def stretches(self, freed: Mask, gap: Arc) -> dict[Arc, Squares]:
        """Return what is kept, by the freed squares before and after it, as squares in order.

        That is what lies between freed squares, and nothing where two of them have a gap between
        them; only the gap told is not kept.
        """
        places = np.flatnonzero(freed[self.squares])
        lengths = np.diff(places, append=places[0] + len(self.squares)) - 1
        kept = (lengths > 0) | self._is_gap[places]
        twice = np.concatenate([self.squares, self.squares])
        stretches = {}
        for place, length in zip(places[kept].tolist(), lengths[kept].tolist(), strict=True):
            before, after = twice[[place, place + length + 1]].tolist()
            stretches[before, after] = twice[place + 1 : place + length + 1]
        del stretches[gap]
        return stretches

    def rerouted(self, nodes: list[int], stretches: dict[Arc, Squares]) -> Order:
        """Return the order that visits freed squares as in a circuit, with the stretches put in."""
        pieces = []
        for node, follower in zip(nodes, [*nodes[1:], nodes[0]], strict=True):
            pieces.append(np.array([node], dtype=np.int32))
            if (node, follower) in stretches:
                pieces.append(stretches[node, follower])
            elif (follower, node) in stretches:
                pieces.append(stretches[follower, node][::-1])
        return replace(self, squares=np.concatenate(pieces))


def rearranged(order: Order, most: int) -> list[tuple[Order, Arc]]:
    """Put the walks of an order one after another in other ways, and tell for each a gap to close.

    It is a narrow gap, one of the ``most`` narrowest, between ends of different colours: others
    cannot be closed by moves in between.
    """
    walks = order.walks()
    if len(walks) == 1:
        return [(order, (int(walks[0][-1]), int(walks[0][0])))]
    ways = []
    for end, other in _narrowest(order.instance, walks, most):
        first = walks[end // 2][:: 1 if end % 2 else -1]
        second = walks[other // 2][:: -1 if other % 2 else 1]
        rest = [walk for place, walk in enumerate(walks) if place not in (end // 2, other // 2)]
        # The start of an open tour follows the depot, which comes first.
        rest.sort(key=lambda walk: walk[0] != order.instance.start)
        pair_first = first[0] == order.instance.start
        chained = [first, second, *rest] if pair_first else [*rest, first, second]
        ways.append(
            (Order.of(order.instance, order.arcs, chained), (int(first[-1]), int(second[0])))
        )
    return ways


def _narrowest(instance: Instance, walks: list[Squares], most: int) -> list[Arc]:
    """List pairs of ends to join; the ends of the walk at a place are 2 * place and one more."""
    board = instance.board
    ends = np.array([[walk[0], walk[-1]] for walk in walks]).ravel()
    rows, columns = np.divmod(ends, board.columns)
    apart = [np.abs(places[:, None] - places) for places in (rows, columns)]
    widths = np.maximum(*apart).astype(np.float64)
    number = np.arange(len(ends))
    widths[number[:, None] // 2 == number // 2] = np.inf
    if board.changes_colour:
        dark = board.dark(ends)
        widths[dark[:, None] == dark] = np.inf
    if instance.directed:
        widths[::2], widths[:, 1::2] = np.inf, np.inf
    started = np.zeros(len(ends), dtype=np.bool_)
    if not instance.closed and instance.start is not None:
        started = np.repeat(ends[::2] == instance.start, 2)
        widths[started & (number % 2 == 0)], widths[:, started] = np.inf, np.inf
    if not instance.directed:
        widths[(number[:, None] > number) & ~started[:, None]] = np.inf  # the same two ends
    narrowest = np.argsort(widths, axis=None, kind="stable")[:most]
    pairs = np.stack(np.unravel_index(narrowest, widths.shape), axis=1)
    return [(end, other) for end, other in pairs.tolist() if widths[end, other] < np.inf]


def circuit_arcs(instance: Instance) -> Squares:
    """Return the moves, and for an open tour the arcs of the depot, as sorted rows (from, to)."""
    arcs = instance.arcs
    if not instance.closed:
        squares = instance.board.squares
        depot = np.full_like(squares, instance.board.area)
        starts = squares if instance.start is None else squares[squares == instance.start]
        out = np.stack([depot[: len(starts)], starts], axis=1)
        arcs = np.concatenate([arcs, np.stack([squares, depot], axis=1), out])
    return arcs[np.lexsort(arcs.T[::-1])]
