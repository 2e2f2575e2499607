"""Contraction: a cycle of which only the nodes inside a region may change.

The cycle is cut into *runs*: a node inside, followed by the nodes outside up to the next node
inside. The contracted cycle has one node for each run. A run of several nodes is a *link*: a fixed
edge from its own node to that of the next run. So any other cycle through the contracted nodes that
keeps the links can be expanded to a cycle through all nodes. If nodes inside may be left out, those
that the cycle does not visit are runs of one node each.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from kt_cp.arrays import Ints, Mask, cycle_arcs


class ContractedCycle:
    """A cycle without its nodes outside a region.

    ``cycle`` holds its nodes in order, and ``is_inside[node]`` tells which of all nodes are in the
    region, of the cycle at least three. The runs are numbered from 0 along the cycle, from the
    first node inside, and then come the nodes inside that are not on the cycle. ``inside`` has the
    first node of each run, and ``links`` the links, as rows of the numbers of two consecutive runs.
    The length is the number of runs of the cycle.

    >>> is_inside = np.array([True, False, False, True, True, True])
    >>> contracted = ContractedCycle(np.arange(6), is_inside)
    >>> contracted.inside, contracted.links
    (array([0, 3, 4, 5]), array([[0, 1]]))
    """

    def __init__(self, cycle: Ints, is_inside: Mask) -> None:
        first = int(is_inside[cycle].argmax())
        self.cycle = np.roll(cycle, -first)
        starts = np.flatnonzero(is_inside[self.cycle])
        is_left_out = np.array(is_inside)
        is_left_out[cycle] = False
        left_out = np.flatnonzero(is_left_out)
        self.inside = np.concatenate([self.cycle[starts], left_out])
        self._runs = [*np.split(self.cycle, starts[1:]), *left_out.reshape(-1, 1)]
        self._length = len(starts)
        self._number_of = np.full(len(is_inside), -1)
        self._number_of[self.inside] = np.arange(len(self.inside))
        lengths = np.diff(starts, append=len(cycle))
        self.links: Ints = cycle_arcs(np.arange(len(starts)))[lengths > 1]

    def __len__(self) -> int:
        """Return the number of runs of the cycle."""
        return self._length

    def numbers(self, nodes: Ints) -> Ints:
        """Return the numbers of the runs that begin with the nodes, without nodes outside."""
        numbers = self._number_of[nodes]
        return numbers[numbers >= 0]

    def within(self, edges: Ints) -> Ints:
        """Return the edges between nodes inside, as rows of the numbers of their runs."""
        numbers = self._number_of[edges]
        return numbers[(numbers >= 0).all(axis=-1)]

    def expand(self, order: Sequence[int]) -> Ints:
        """Return the cycle that visits the runs in another order, with the nodes outside.

        ``order`` lists runs by their numbers, and keeps the links: the two runs of a link are next
        to each other, in either direction. Runs of no link may be missing.

        >>> is_inside = np.array([True, False, False, True, True, True])
        >>> ContractedCycle(np.arange(6), is_inside).expand([1, 0, 2, 3])
        array([3, 2, 1, 0, 4, 5])
        >>> ContractedCycle(np.arange(5), is_inside).expand([1, 0, 3])  # 5 in place of 4
        array([3, 2, 1, 0, 5])
        """
        parts = []
        for run, next_run in itertools.pairwise([*order, order[0]]):
            parts.append(self._runs[run][:1])
            if next_run == (run + 1) % len(self):  # forward, through the nodes outside
                parts.append(self._runs[run][1:])
            elif run == (next_run + 1) % len(self):  # backward
                parts.append(self._runs[next_run][1:][::-1])
        return np.concatenate(parts)
