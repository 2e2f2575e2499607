"""The method ``givens``: a tour rearranged until it visits the given squares at their steps.

Any tour of the board will do to begin with; exchanges of moves bring the givens to their places.
The circuit model is searched in turns with this: it is faster on small boards and where many steps
are given, and can prove that there is no tour.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares
from kt_cp.methods.answers import Answer, UnsupportedError, found, gave_up, out_of_time
from kt_cp.methods.circuit import CircuitSearch
from kt_cp.methods.method import Function
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.steps import MAX_NUMBERED
from kt_cp.problem.task import Task
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.sat.edges import edge_graph
from kt_cp.sat.two_factors import neighbor_rows
from kt_dfs import Status

# In each round the circuit takes a turn, and then exchanges are tried, GROWTH times as many as in
# the round before.
ROUNDS, TURNS = 6, 1
EXCHANGES, GROWTH = 10_000, 3


def answer(task: Task, any_tour: Function, circuit: CircuitSearch | None = None) -> Answer:
    """Return a tour, or the proof of the circuit model that there is none.

    ``any_tour`` is the method that finds the tour to begin with, which meets all constraints but
    the given steps. ``circuit`` is a search of the circuit model that has begun before.
    """
    instance, clock = task.instance, task.clock
    if instance.one_way:
        raise UnsupportedError("method givens does not support one-way moves; method circuit does")
    counters = {"exchanges": 0}
    circuit = circuit or CircuitSearch(task)
    first = _first_tour(task, any_tour)
    if first.squares is None:
        return first
    if instance.satisfied_by(first.squares):
        return found(first.squares, counters)
    circle = Circle(instance, first.squares, task.seed)
    try:
        for turn in range(ROUNDS):
            if len(instance.graph) <= MAX_NUMBERED:
                answer = circuit.run(TURNS)
                if answer.status is not Status.UNKNOWN:
                    return replace(answer, method="circuit")
            counters["exchanges"] += circle.anneal(EXCHANGES * GROWTH**turn, clock)
            if circle.fits:
                return found(circle.tour, counters)
    except OutOfTime:
        return out_of_time(instance, clock, counters)
    vertices = instance.graph.vocabulary.vertices
    return gave_up(
        instance, f"no tour that was tried visits the given {vertices} in step", counters
    )


def _first_tour(task: Task, any_tour: Function) -> Answer:
    """Return a tour that has the start and the end asked for, but not the givens.

    Where a single step is known, it may be a closed tour, turned so that the given fits.
    """
    instance = task.instance
    if len(instance.steps) == 1:
        [square] = instance.steps.values()
        cycle = Instance(instance.graph, closed=True, start=square, forbid=instance.forbid)
        answer = any_tour(replace(task, instance=cycle))
        if answer.squares is not None:
            graph = TourGraph(instance)
            return found(graph.tour(graph.nodes(answer.squares)))
        if instance.closed:
            return answer
    return any_tour(replace(task, instance=replace(instance, givens=())))


# The temperature, a number of squares, falls from hot to cold in PERIOD exchanges, again and again.
# An exchange is chosen among all that begin at one of SAMPLE random places.
PERIOD, HOT, COLD = 1000, 8.0, 0.5
SAMPLE = 64


class Circle:
    """The nodes of a tour in a circle; the one at place 0 stays there.

    That is the depot of an open tour, the node after the last square, or else the first given. Of
    the ``givens``, which are nodes, each has its ``wanted`` place.

    >>> from kt_cp.board import Board
    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> circle = Circle(Instance.of(Board(3, 4), givens={7: 5}), tour, seed=0)
    >>> circle.places[circle.givens], circle.wanted, circle.fits
    (array([5]), array([5]), True)
    """

    def __init__(self, instance: Instance, tour: Squares, seed: int) -> None:
        self.instance, self.random = instance, np.random.default_rng(seed)
        self.graph = TourGraph(instance)
        steps = np.array(list(instance.steps))
        self.givens = self.graph.nodes(list(instance.steps.values()))
        if instance.closed:
            first, self.wanted = self.givens[0], steps - steps[0]
        else:
            first, self.wanted = self.graph.depot, steps
        cycle = self.graph.cycle(tour)
        self.order = np.roll(cycle, -int(np.flatnonzero(cycle == first)[0]))
        self.places = np.argsort(self.order)
        if 2 * ((self.places[self.givens] - self.wanted) % 2).sum() > len(self.givens):
            self.order[1:] = self.order[:0:-1].copy()
            self.places = np.argsort(self.order)
        closed = Instance(instance.graph, closed=True, forbid=instance.forbid)
        near = neighbor_rows(edge_graph(closed))
        self.neighbors = near if instance.closed else np.pad(near, [(0, 1), (0, 0)])

    @property
    def fits(self) -> bool:
        """Whether every given is at its wanted place."""
        return bool((self.places[self.givens] == self.wanted).all())

    @property
    def tour(self) -> Squares:
        """The tour, as ids in visiting order."""
        return self.graph.tour(self.order)

    def linked(self, one: Ints, other: Ints) -> Mask:
        """Return for pairs of nodes whether an edge joins them, as it does the depot and any."""
        one, other = np.broadcast_arrays(one, other)
        found = (self.neighbors[one] == other[..., None]).any(axis=-1)
        depot = self.graph.depot
        return np.asarray(found | (one == depot) | (other == depot))

    def anneal(self, exchanges: int, clock: Clock) -> int:
        """Try ``exchanges``, or fewer if the givens fit before, and return their number."""
        for number in range(exchanges):
            if self.fits:
                return number
            clock.check()
            self._exchange(HOT * (COLD / HOT) ** (number % PERIOD / PERIOD))
        return exchanges

    def _exchange(self, temperature: float) -> None:
        """Choose an exchange, the colder the better for the givens, and make it."""
        first, middle, last = ends = self._exchanges()[..., None]
        if not ends.size:
            return
        now = self.places[self.givens]
        shifted = np.where(now > middle, now - middle + first, now + last - middle)
        shifted = np.where(first == middle, first + 1 + last - now, shifted)
        then = np.where((now > first) & (now <= last), shifted, now)
        excess = self._misfit(then) - self._misfit(now)
        if self.instance.graph.sides is not None:  # a given on a place of the wrong color stays
            excess[((then - now) % 2).any(axis=1)] = np.inf
        chosen = int(np.argmin(excess - temperature * self.random.gumbel(size=len(excess))))
        if excess[chosen] > -temperature * np.log(self.random.random()):
            return
        first, middle, last = ends[:, chosen, 0].tolist()
        part, moved = self.order[first + 1 : last + 1], self.order[middle + 1 : last + 1]
        nodes = part[::-1] if first == middle else np.append(moved, part[: middle - first])
        self.places[nodes] = np.arange(first + 1, last + 1)
        self.order[first + 1 : last + 1] = nodes.copy()

    def _exchanges(self) -> Ints:
        """Return exchanges that begin at random places, as columns (first, middle, last).

        The nodes after ``middle`` up to ``last`` change places with those after ``first`` up to
        ``middle``. If there are none of these, they are run backwards.
        """
        order, following = self.order, np.roll(self.order, -1)
        if not self.instance.closed:  # the depot is linked to all; these are some of its neighbors
            self.neighbors[-1] = self.random.integers(len(order) - 1, size=len(self.neighbors[-1]))
        first = self.random.integers(len(order), size=(SAMPLE, 1))
        near, near_next = (self.neighbors[nodes[first[:, 0]]] for nodes in (order, following))
        ends, ends_next = (np.where(n < 0, -1, self.places[n]) for n in (near, near_next))
        legal = (first + 1 < ends) & self.linked(following[first], following[ends])
        turned = _columns(legal, first, first, ends)
        first, middle, last = first[..., None], ends[..., None] - 1, ends_next[:, None]
        legal = (first < middle) & (middle < last) & self.linked(order[middle], following[last])
        return np.append(turned, _columns(legal, first, middle, last), axis=1)

    def _misfit(self, places: Ints) -> Ints:
        """Return for rows of places by how many squares the stretches between them are too long."""
        off = np.diff(places - self.wanted, prepend=0, append=0)
        return np.asarray(np.abs(off).sum(axis=-1) / 2)


def _columns(legal: Mask, *values: Ints) -> Ints:
    """Return the values of legal exchanges, a row for each value."""
    return np.stack([np.broadcast_to(value, legal.shape)[legal] for value in values])
