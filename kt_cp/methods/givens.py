"""The method ``givens``: a tour is rearranged until it visits the given squares at their steps.

It begins with any tour of the board; exchanges of moves bring the givens to their places (S. Lin,
Computer solutions of the traveling salesman problem, 1965). The circuit model is searched in turns
with this: it is faster on small boards and where many steps are given, and it can prove that there
is no tour.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares, rotated
from kt_cp.methods.circuit import CircuitSearch
from kt_cp.methods.method import Answer, AnswerFunction, found, gave_up, out_of_time
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError, Task
from kt_cp.problem.tour_graph import MAX_NUMBERED, TourGraph
from kt_cp.sat.edges import edge_graph
from kt_cp.sat.two_factors import neighbor_rows
from kt_dfs import Status

# In each round exchanges are tried, and then the circuit model is searched for a turn.
_ROUNDS = 6

# The exchanges of the first round, and the factor by which they grow in each further round.
_EXCHANGES = 10_000
_GROWTH = 3

# Annealing is periodic: in each period of exchanges the temperature falls from hot to cold. A
# misfit by one place costs 1.
_PERIOD, _HOT, _COLD = 1000, 8.0, 0.5

# The number of random places at which the exchanges of a sample begin.
_SAMPLE = 64


def answer(task: Task, any_tour: AnswerFunction, circuit: CircuitSearch) -> Answer:
    """Return a tour, or the proof of the circuit model that there is none.

    ``any_tour`` is the method that finds the tour to begin with, which meets all constraints but
    the given steps. ``circuit`` is a search of the circuit model, which may have begun before.
    """
    instance = task.instance
    clock = task.clock
    counters = {"exchanges": 0}
    first = _first_tour(task, any_tour)
    if first.squares is None:
        return first
    if instance.satisfied_by(first.squares):
        return found(first.squares, counters)
    arrangement = Arrangement(instance, first.squares, task.seed)
    try:
        for round_number in range(_ROUNDS):
            exchanges = _EXCHANGES * _GROWTH**round_number
            counters["exchanges"] += arrangement.anneal(exchanges, clock)
            if arrangement.fits:
                return found(arrangement.tour, counters)
            if len(instance.graph) <= MAX_NUMBERED:
                result = circuit.run(turns=1)
                if result.status is not Status.UNKNOWN:
                    return replace(result, method="circuit")
    except OutOfTimeError:
        return out_of_time(instance, clock, counters)
    vertices = instance.graph.vocabulary.vertices
    why = f"no tour found visits the given {vertices} at their steps"
    return gave_up(instance, why, counters)


def _first_tour(task: Task, any_tour: AnswerFunction) -> Answer:
    """Return a tour with the start and the end asked for, which need not have the other givens.

    If a single step is known, a closed tour is tried first, and rotated so that it fits.
    """
    instance = task.instance
    if len(instance.steps) == 1:
        [square] = instance.steps.values()
        cycle = Instance(instance.graph, closed=True, start=square, forbid=instance.forbid)
        result = any_tour(replace(task, instance=cycle))
        if result.squares is not None:
            graph = TourGraph(instance)
            return found(graph.tour(graph.nodes(result.squares)))
        if instance.closed:
            return result
    ends = replace(instance, start=instance.first, end=instance.last, givens=())
    return any_tour(replace(task, instance=ends))


class Arrangement:
    """The nodes of a tour in a cyclic order, which exchanges of moves rearrange.

    The node at place 0 stays there: the depot of an open tour, and otherwise the first given. The
    ``givens`` are the nodes whose steps are known, and ``wanted_places`` has the place of each.

    >>> from kt_cp.board import Board
    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> arrangement = Arrangement(Instance.of(Board(3, 4), givens={7: 5}), tour, seed=0)
    >>> arrangement.places[arrangement.givens], arrangement.wanted_places, arrangement.fits
    (array([5]), array([5]), True)
    """

    def __init__(self, instance: Instance, tour: Squares, seed: int) -> None:
        self.instance = instance
        self.random = np.random.default_rng(seed)
        self.graph = TourGraph(instance)
        steps = np.array(list(instance.steps))
        self.givens = self.graph.nodes(list(instance.steps.values()))
        if instance.closed:
            first = self.givens[0]
            self.wanted_places = steps - steps[0]
        else:
            first = self.graph.depot
            self.wanted_places = steps
        cycle = self.graph.cycle(tour)
        self.order = rotated(cycle, first)
        self.places = np.argsort(self.order)
        # On a board of two colors, a given moves by even numbers of places only.
        is_odd = (self.places[self.givens] - self.wanted_places) % 2 == 1
        if 2 * np.count_nonzero(is_odd) > len(self.givens):
            self.order = np.roll(self.order[::-1], 1)  # reversed, and place 0 stays
            self.places = np.argsort(self.order)
        # A row of neighbors for each node, padded with -1. The depot is a neighbor of all: its row
        # holds some of them, which are chosen again for each sample of exchanges.
        closed = Instance(instance.graph, closed=True, forbid=instance.forbid)
        rows = neighbor_rows(edge_graph(closed))
        self.neighbors = rows if instance.closed else np.pad(rows, [(0, 1), (0, 0)])

    @property
    def fits(self) -> bool:
        """Whether every given is at its wanted place."""
        return bool((self.places[self.givens] == self.wanted_places).all())

    @property
    def tour(self) -> Squares:
        """The tour, as ids in visiting order."""
        return self.graph.tour(self.order)

    def anneal(self, exchanges: int, clock: Clock) -> int:
        """Try some exchanges, or fewer if the givens fit before, and return their number.

        Raises `OutOfTimeError`.
        """
        for number in range(exchanges):
            if self.fits:
                return number
            clock.check()
            cooled = number % _PERIOD / _PERIOD
            self._try_exchange(_HOT * (_COLD / _HOT) ** cooled)
        return exchanges

    def _try_exchange(self, temperature: float) -> None:
        """Draw an exchange from a sample and make it if it is accepted.

        Better exchanges have a higher probability, the more so at a low temperature.
        """
        sample = self._sample()
        if not sample.size:
            return
        now = self.places[self.givens]
        then = _moved(sample, now)
        rises = self._misfit(then) - self._misfit(now)
        if self.instance.graph.first_part is not None:  # moves keep a given on places of its color
            rises[((then - now) % 2 == 1).any(axis=1)] = np.inf
        # With this noise the chance to be chosen is proportional to exp(-rise / temperature).
        noise = self.random.gumbel(size=len(rises))
        chosen = int(np.argmin(rises - temperature * noise))
        # Metropolis: a rise is accepted with the probability exp(-rise / temperature).
        highest_accepted = -temperature * np.log(self.random.random())
        if rises[chosen] <= highest_accepted:
            first, _, last = sample[:, chosen].tolist()
            moved = np.arange(first + 1, last + 1)
            nodes = self.order[moved]
            self.order[_moved(sample[:, [chosen]], moved)[0]] = nodes
            self.places[self.order[moved]] = moved

    def _sample(self) -> Ints:
        """Return the legal exchanges that begin at some random places: a column for each.

        The rows are the places ``first``, ``middle`` and ``last``. The nodes after ``middle`` up to
        ``last`` are swapped with those after ``first`` up to ``middle`` (3-opt). Where first and
        middle are equal, the nodes after them up to ``last`` are reversed (2-opt).
        """
        if not self.instance.closed:
            row = self.random.integers(len(self.order) - 1, size=len(self.neighbors[-1]))
            self.neighbors[-1] = row
        following = np.roll(self.order, -1)  # the node after each place
        starts = self.random.integers(len(self.order), size=_SAMPLE)
        beside = self._places_beside(self.order[starts])  # starts x neighbors
        # Reversals: new edges join the nodes at first and last, and the nodes that follow these.
        # The axes are the start, and the neighbors of its node.
        first, last = np.broadcast_arrays(starts[:, None], beside)
        is_legal = (first + 1 < last) & self._are_joined(following[first], following[last])
        reversals = np.stack([first, first, last])[:, is_legal]
        # Swaps: new edges join the node at first with that after middle, the node after first with
        # that at last, and the node at middle with that after last. The axes are the start, the
        # neighbors of its node, and those of the node after it.
        first = starts[:, None, None]
        middle = beside[:, :, None] - 1
        last = self._places_beside(following[starts])[:, None, :]
        is_legal = (first < middle) & (middle < last)
        is_legal &= self._are_joined(self.order[middle], following[last])
        swaps = np.stack(np.broadcast_arrays(first, middle, last))[:, is_legal]
        return np.concatenate([reversals, swaps], axis=1)

    def _places_beside(self, nodes: Ints) -> Ints:
        """Return the places of the neighbors of nodes, a row for each node, padded with -1."""
        neighbors = self.neighbors[nodes]
        return np.where(neighbors < 0, -1, self.places[neighbors])

    def _are_joined(self, first: Ints, second: Ints) -> Mask:
        """Return for pairs of nodes whether an edge joins them; the depot is joined with all."""
        first, second = np.broadcast_arrays(first, second)
        is_edge = (self.neighbors[first] == second[..., None]).any(axis=-1)
        depot = self.graph.depot
        return np.asarray(is_edge | (first == depot) | (second == depot))

    def _misfit(self, places: Ints) -> Ints:
        """Return the misfit of each row of places of the givens.

        It is half the sum, over the stretches between successive givens, of |length − wanted
        length|.
        """
        deviations = np.diff(places - self.wanted_places, prepend=0, append=0)
        return np.asarray(np.abs(deviations).sum(axis=-1) / 2)


def _moved(exchanges: Ints, places: Ints) -> Ints:
    """Return where each exchange moves the nodes at some places, a row for each exchange."""
    first, middle, last = exchanges[:, :, None]
    swapped = np.where(places > middle, places - middle + first, places + last - middle)
    moved = np.where(first == middle, first + 1 + last - places, swapped)
    return np.where((places > first) & (places <= last), moved, places)
