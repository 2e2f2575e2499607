"""Simulated annealing: a cycle through all nodes changes edge by edge, less and less at random.

One edge of the cycle is left out, so that it is a path. To join the path's end with a node in its
middle, and to remove the edge behind that node, makes another path (L. Pósa, Hamiltonian circuits
in random graphs, 1976). Whenever the two ends can be joined, there is a cycle to be looked at.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import numpy as np

from kt_cp.board import Mask
from kt_cp.board.symmetry import Ints
from kt_cp.problem.clock import Clock
from kt_cp.problem.objective import Objective, Sense
from kt_cp.tour.feature_table import counted_edges, counted_pairs, feature_named

# The first temperature and the last, where a crossing or an angle more costs 1.
_HOT, _COLD = 1.5, 0.2

# Steps between two looks at the clock, and at each temperature.
_SLICE = 1000


class Energy:
    """What edges in use are worth, each by itself and some in pairs; less is better.

    `add` and `remove` change which edges are in use, and return by how much the energy changes.
    """

    def __init__(self, ends: Ints, counts: Mask, objective: Objective) -> None:
        """Prepare for edges given by their ends, of which some count; none is in use yet."""
        assert isinstance(objective.feature, str)
        feature, numbers = feature_named(objective.feature), np.flatnonzero(counts)
        is_less = objective.sense is Sense.MINIMIZE
        self._sign = 1 if is_less != (feature.name == "turns") else -1
        self._own = [0] * len(ends)
        for number in numbers[counted_edges(ends[counts], feature)].tolist():
            self._own[number] = self._sign
        self._others: list[list[int]] = [[] for _ in ends]
        for one, other in numbers[counted_pairs(ends[counts], feature)].tolist():
            self._others[one].append(other)
            self._others[other].append(one)
        self._pairs = [0] * len(ends)  # for each edge, how many in use make a pair with it

    def add(self, edge: int) -> int:
        """Use an edge."""
        for other in self._others[edge]:
            self._pairs[other] += 1
        return self._own[edge] + self._sign * self._pairs[edge]

    def remove(self, edge: int) -> int:
        """Use an edge no longer."""
        for other in self._others[edge]:
            self._pairs[other] -= 1
        return -self._own[edge] - self._sign * self._pairs[edge]

    def exchanged(self, old: int, new: int) -> int:
        """Return by how much the energy would change with a new edge in place of an old one."""
        pairs = self._pairs[new] - self._pairs[old] - (new in self._others[old])
        return self._own[new] - self._own[old] + self._sign * pairs


class UncrossedEnergy(Energy):
    """The energy where each edge counts that makes a pair with none."""

    def __init__(self, ends: Ints, counts: Mask, objective: Objective) -> None:
        """Prepare for edges given by their ends, of which some count; none is in use yet."""
        super().__init__(ends, counts, objective)
        self._counts: list[bool] = counts.tolist()
        self._used = [False] * len(ends)

    def add(self, edge: int) -> int:
        """Use an edge."""
        self._used[edge] = self._counts[edge]
        change = int(self._used[edge] and not self._pairs[edge])
        for other in self._others[edge]:
            change -= self._used[other] and not self._pairs[other]
            self._pairs[other] += 1
        return self._sign * change

    def remove(self, edge: int) -> int:
        """Use an edge no longer."""
        change = -int(self._used[edge] and not self._pairs[edge])
        self._used[edge] = False
        for other in self._others[edge]:
            self._pairs[other] -= 1
            change += self._used[other] and not self._pairs[other]
        return self._sign * change

    def exchanged(self, old: int, new: int) -> int:
        """Return by how much the energy would change with a new edge in place of an old one."""
        change = self.remove(old) + self.add(new)
        self.remove(new)
        self.add(old)
        return change


def energy_of(ends: Ints, counts: Mask, objective: Objective) -> Energy:
    """Return the energy whose least value an objective asks for."""
    kind = UncrossedEnergy if objective.feature == "uncrossed" else Energy
    return kind(ends, counts, objective)


@dataclass
class Ring:
    """A graph whose cycles through all nodes are looked for.

    Edges are rows of two nodes; those that are ``fixed`` are in every cycle. The energy, which
    knows the edges by the same numbers, may know others after them.
    """

    nodes: int
    edges: Ints
    fixed: list[bool]
    energy: Energy
    near: list[list[tuple[int, int]]] = field(init=False)
    numbers: dict[tuple[int, int], int] = field(init=False)

    def __post_init__(self) -> None:
        """List around each node the others, with the edges, that are not fixed."""
        self.near, self.numbers = [[] for _ in range(self.nodes)], {}
        for number, (one, other) in enumerate(self.edges.tolist()):
            self.numbers[one, other] = self.numbers[other, one] = number
            if not self.fixed[number]:
                self.near[one].append((other, number))
                self.near[other].append((one, number))

    def anneal(
        self,
        cycle: list[int],
        steps: int,
        clock: Clock,
        rng: Random,
        offer: Callable[[list[int]], None],
    ) -> None:
        """Change a cycle in so many steps; offer each that is better than all before it.

        Raises `OutOfTime`. The energy must not have any of the ring's edges in use before.
        """
        fixed, near, numbers, energy = self.fixed, self.near, self.numbers, self.energy
        random, last = rng.random, self.nodes - 1
        path = self._opened(cycle)
        if path is None:
            return
        value = 0
        for pair in itertools.pairwise(path):
            value += energy.add(numbers[pair])
        best = value + energy.add(closing := numbers[path[-1], path[0]])
        energy.remove(closing)
        temperature, cooling = _HOT, (_COLD / _HOT) ** (_SLICE / steps)
        for step in range(steps):
            if step % _SLICE == 0:
                clock.check()
                temperature *= cooling
            if random() < 0.5:
                path.reverse()
            if not (around := near[path[-1]]):
                continue
            node, new = around[int(random() * len(around))]
            place = path.index(node)
            if place == last - 1:
                continue
            if place == 0:
                value += energy.add(new)
                if value < best:
                    best = value
                    offer(path)
                place = int(random() * last)  # somewhere the cycle is opened again
                old = numbers[path[place], path[place + 1]]
                if fixed[old]:
                    value += energy.remove(new)
                else:
                    value += energy.remove(old)
                    path = path[place + 1 :] + path[: place + 1]
                continue
            old = numbers[node, path[place + 1]]
            if not fixed[old]:
                change = energy.exchanged(old, new)
                if change <= 0 or random() < math.exp(-change / temperature):
                    value += change
                    energy.remove(old)
                    energy.add(new)
                    path[place + 1 :] = path[:place:-1]

    def _opened(self, cycle: list[int]) -> list[int] | None:
        """Return a cycle as a path, without an edge that is not fixed, if there is one."""
        for place in range(self.nodes):
            if not self.fixed[self.numbers[cycle[place - 1], cycle[place]]]:
                return cycle[place:] + cycle[:place]
        return None
