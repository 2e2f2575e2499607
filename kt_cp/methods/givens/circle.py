"""A tour in a circle, and exchanges of its moves that bring given squares to their places.

Three moves are removed and the pieces joined in another way (Lin 1965), so that one stretch of the
tour gets shorter and another longer. Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983)
chooses the exchanges that bring every stretch between two givens nearer to its length.
"""

from __future__ import annotations

import numpy as np

from kt_cp.board import Mask, Squares
from kt_cp.board.symmetry import Ints
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance

# The temperature falls from hot to cold in a period of so many exchanges, again and again. It is a
# number of squares. An exchange is chosen among all that begin at one of so many random places.
PERIOD, HOT, COLD = 1000, 8.0, 0.5
SAMPLE = 64


class Circle:
    """The nodes of a tour in a circle; the one at place 0 stays there.

    That is the depot of an open tour, the node after the last square, or else the first given. Of
    the ``givens``, which are nodes, each has its ``wanted`` place.

    >>> from kt_cp.board import Board
    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> circle = Circle(Instance(Board(3, 4), givens={7: 5}), tour, seed=0)
    >>> circle.places[circle.givens], circle.wanted, circle.fits
    (array([5]), array([5]), True)
    """

    def __init__(self, instance: Instance, tour: Squares, seed: int) -> None:
        """Begin with a tour, in the direction in which more of the givens can fit."""
        self.instance, self.random = instance, np.random.default_rng(seed)
        squares, steps = instance.board.squares, np.array(list(instance.steps))
        self.givens = np.searchsorted(squares, list(instance.steps.values()))
        self.order = np.searchsorted(squares, tour)
        if instance.closed:
            self.wanted = steps - steps[0]
            self.order = np.roll(self.order, -int(np.flatnonzero(self.order == self.givens[0])[0]))
        else:
            self.wanted = steps
            self.order = np.append(len(squares), self.order)
        self.places = np.argsort(self.order)
        if 2 * ((self.places[self.givens] - self.wanted) % 2).sum() > len(self.givens):
            self.order[1:] = self.order[:0:-1].copy()
            self.places = np.argsort(self.order)
        sources, targets = np.searchsorted(squares, instance.arcs).T
        counts = np.bincount(sources, minlength=len(self.order))
        firsts = np.repeat(np.cumsum(counts) - counts, counts)
        self.neighbors = np.full((len(self.order), counts.max(initial=1)), -1)
        self.neighbors[sources, np.arange(len(sources)) - firsts] = targets

    @property
    def fits(self) -> bool:
        """Whether every given is at its wanted place."""
        return bool((self.places[self.givens] == self.wanted).all())

    @property
    def tour(self) -> Squares:
        """The tour, as ids in visiting order."""
        first = next(iter(self.instance.steps)) - 1
        order = np.roll(self.order, first) if self.instance.closed else self.order[1:]
        return self.instance.board.squares[order]

    @property
    def in_turn(self) -> bool:
        """Whether the givens come in the order of their steps, whatever these are."""
        return bool((np.diff(self.places[self.givens]) > 0).all())

    def linked(self, one: Ints, other: Ints) -> Mask:
        """Return for pairs of nodes whether an edge joins them, as it does the depot and any."""
        one, other = np.broadcast_arrays(one, other)
        found = (self.neighbors[one] == other[..., None]).any(axis=-1)
        depot = len(self.instance.board)
        return np.asarray(found | (one == depot) | (other == depot))

    def anneal(self, exchanges: int, clock: Clock) -> int:
        """Try so many exchanges, or fewer if the givens are in turn, and return their number."""
        for number in range(exchanges):
            if self.fits:
                return number
            clock.check()
            self._exchange(HOT * (COLD / HOT) ** (number % PERIOD / PERIOD))
        return exchanges

    def _exchange(self, temperature: float) -> None:
        """Choose an exchange, the colder the better for the givens, and make it."""
        ends = self._exchanges()
        if not ends.size:
            return
        first, middle, last, turned = ends[..., None]
        now = self.places[self.givens]
        shifted = np.where(turned, first + 1 + last - now, now - middle + first)
        shifted = np.where(now > middle, shifted, now + last - middle)
        then = np.where((now > first) & (now <= last), shifted, now)
        excess = self._misfit(then) - self._misfit(now)
        if self.instance.board.changes_colour:  # a given on a place of the wrong colour stays there
            excess[((then - now) % 2).any(axis=1)] = np.inf
        chosen = int(np.argmin(excess - temperature * self.random.gumbel(size=len(excess))))
        if excess[chosen] > -temperature * np.log(self.random.random()):
            return
        first, middle, last, turned = ends[:, chosen].tolist()
        moved = self.order[middle + 1 : last + 1]
        kept = self.order[first + 1 : middle + 1]
        self.put(first + 1, np.append(moved[::-1] if turned else moved, kept))

    def put(self, place: int, nodes: Ints) -> None:
        """Let the nodes be at a place and those that follow, where they were in another order."""
        self.order[place : place + len(nodes)] = nodes
        self.places[nodes] = np.arange(place, place + len(nodes))

    def _exchanges(self) -> Ints:
        """Return exchanges that begin at random places, as columns (first, middle, last, turned).

        The nodes after ``middle`` up to ``last`` change places with those after ``first`` up to
        ``middle``, of which there may be none, and are run backwards if ``turned``.
        """
        order, following = self.order, np.roll(self.order, -1)
        if not self.instance.closed:  # the depot is linked to all; these are some of its neighbors
            self.neighbors[-1] = self.random.integers(len(order) - 1, size=len(self.neighbors[-1]))
        first = self.random.integers(len(order), size=(SAMPLE, 1))
        near, near_next = (self.neighbors[nodes[first[:, 0]]] for nodes in (order, following))
        ends, ends_next = (np.where(n < 0, -1, self.places[n]) for n in (near, near_next))
        legal = (first + 1 < ends) & self.linked(following[first], following[ends])
        found = [_columns(legal, first, first, ends, 1)]
        first, ends, ends_next = first[..., None], ends[..., None], ends_next[:, None]
        for begin, last, turned in ((ends, ends_next, 0), (ends_next, ends, 1)):
            legal = self.linked(order[begin - 1], following[last])
            legal &= (first + 1 < begin) & (begin <= last)
            found.append(_columns(legal, first, begin - 1, last, turned))
        return np.concatenate(found, axis=1)

    def _misfit(self, places: Ints) -> Ints:
        """Tell of rows of places by how many squares the stretches between them are too long."""
        off = np.diff(places - self.wanted, prepend=0, append=0)
        return np.asarray(np.abs(off).sum(axis=-1) / 2)


def _columns(legal: Mask, *values: Ints | int) -> Ints:
    """Return the values of legal exchanges, a row for each value."""
    return np.stack([np.broadcast_to(value, legal.shape)[legal] for value in values])
