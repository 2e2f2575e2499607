"""Mend walks, gap by gap: keep what is far from a gap, and solve the circuit of the rest.

Walks by Warnsdorff's rule that cover the board are chained to one circular order of its squares;
where one walk ends and the next begins there is a gap. To close it the squares along the line
between its two sides are freed. Each stretch of the order through other squares counts as one move
that must be made, and so does each other gap. That is a circuit of some hundred nodes even on a
large board: a large neighborhood (Shaw 1998, Using constraint programming and local search
methods to solve vehicle routing problems).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from kt_cp.board import Mask, Squares
from kt_cp.methods.cover import covers
from kt_cp.methods.mend.order import Arc, Order, circuit_arcs, rearranged
from kt_cp.model.backend import Model, Solver
from kt_cp.model.parameters import CLAUSES
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.tour.rules import FEWEST_CLOSED
from kt_dfs import Status

# So many covers are tried before giving up.
COVERS = 10

# So many gaps, the narrowest ones, are tried with squares freed so far from the line, in rows and
# columns; and how long the circuit is searched for each of them, in CP-SAT's deterministic time.
WAYS = 8
REACHES = (3, 5, 8)
TIME_PER_SQUARE = 3e-4

Literals = dict[Arc, int]


def mend(instance: Instance, clock: Clock, seed: int = 0) -> Squares | None:
    """Return a tour as ids in visiting order, or None when no cover by walks could be mended.

    Raises `OutOfTime` when the clock's limit is reached.

    >>> from kt_cp.board import Board
    >>> tour = mend(Instance(Board(20, 20, holes=[0, 1]), start=2, closed=True), Clock())
    >>> tour is not None and (len(tour), int(tour[0]))
    (398, 2)
    """
    if instance.closed and len(instance.board) < FEWEST_CLOSED:
        return None
    arcs = circuit_arcs(instance)
    for walks in itertools.islice(covers(instance, clock, seed), COVERS):
        order: Order | None = Order.of(instance, arcs, walks)
        tried: set[tuple[Arc, int]] = set()
        while order is not None:
            if (tour := order.as_tour()) is not None:
                return tour
            order = _with_a_gap_less(order, tried, clock, seed)
    return None


def _with_a_gap_less(
    order: Order, tried: set[tuple[Arc, int]], clock: Clock, seed: int
) -> Order | None:
    """Join two walks, or give None when all that is worth trying has been tried."""
    ways = rearranged(order, WAYS)
    for way, _ in ways:
        if len(way.walks()) < len(order.walks()):  # the two ends are a move apart
            return way
    for reach, (way, gap) in itertools.product(REACHES, ways):
        if (gap, reach) not in tried:
            tried.add((gap, reach))
            if closed := _close(way, gap, reach, clock, seed):
                return closed
    return None


def _close(order: Order, gap: Arc, reach: int, clock: Clock, seed: int) -> Order | None:
    """Close a gap, if a circuit through the squares freed for it is found in time."""
    freed = order.along(gap, reach)
    stretches = order.stretches(freed, gap)
    cp = Model()
    literals = _literals(order, freed, stretches, cp)
    if not literals:
        return None
    arcs, numbers = np.array(list(literals)), np.array(list(literals.values()))
    cp.add_circuit(arcs, numbers)
    seconds = TIME_PER_SQUARE * int(freed.sum())
    settings = {**CLAUSES, "max_deterministic_time": seconds}
    solver = Solver(settings, clock, seed=seed)
    if solver.solve(cp) is not Status.FOUND:
        clock.check()
        return None
    follow = dict(arcs[solver.true(numbers)].tolist())
    nodes = list(_circuit(follow))
    if len(nodes) < freed.sum():
        return None  # CP-SAT's circuit passes over a square that has no arc
    return order.rerouted(nodes, stretches)


def _literals(order: Order, freed: Mask, stretches: dict[Arc, Squares], cp: Model) -> Literals:
    """Return the literals of moves between freed squares, and of each stretch both ways."""
    moves = order.arcs[freed[order.arcs].all(axis=1)].tolist()
    literals: Literals = {(source, target): cp.new_literal() for source, target in moves}
    for before, after in stretches:
        # It is passed one way or the other; a move between the same two squares would close it.
        forward = cp.new_literal()
        literals[before, after], literals[after, before] = forward, ~forward
        at_depot = order.instance.board.area in (before, after)
        if order.instance.directed or (at_depot and order.instance.start is not None):
            cp.add_all([forward])
    return literals


def _circuit(follow: dict[int, int]) -> Iterator[int]:
    """Yield the nodes of the circuit, each once."""
    first = node = next(iter(follow))
    while True:
        yield node
        node = follow[node]
        if node == first:
            return
