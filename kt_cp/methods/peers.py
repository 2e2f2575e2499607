"""The methods ``clingo`` and ``choco``: the same circuit, stated for two other solvers.

For every square an instance says which one may come after it. The packages are imported when the
methods are used.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from kt_cp.board import Squares
from kt_cp.board.symmetry import Ints
from kt_cp.methods.answers import Answer, UnsupportedError, exhausted, found, out_of_time
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.sat.edges import EdgeGraph, edge_graph
from kt_cp.tour.validator import FEWEST_CLOSED

# Building a larger model would take longer than Ctrl-C and a time limit may wait.
_MOST_ARCS = 30_000


@dataclass(frozen=True, eq=False)
class Successors:
    """The arcs that one circuit through all nodes may use, as rows (from, to).

    The nodes are the squares in ascending order, and after them the depot of an open tour.
    ``required`` holds rows of arcs, one array for each required move: the circuit uses one of them.
    """

    graph: EdgeGraph
    arcs: Ints
    required: list[Ints]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self.graph.stops

    def tour(self, after: dict[int, int]) -> Squares:
        """Return the tour that a circuit is, given by the node after each node."""
        order = [0]
        while len(order) < self.nodes:
            order.append(after[order[-1]])
        nodes = np.array(order)
        return self.graph.tour(np.stack([nodes + self.nodes, nodes], axis=1).ravel())


def successors(instance: Instance, method: str) -> Successors | None:
    """Return the arcs of an instance, or None where a node has none, so that there is no tour.

    Raises `UnsupportedError`, in the name of a method, for boards that are too large.

    >>> from kt_cp.board import Board
    >>> problem = successors(Instance(Board(3, 4), start=0), "clingo")
    >>> problem and len(problem.arcs)  # 28 moves, 1 to the start, 12 ends
    41
    """
    if len(instance.arcs) > _MOST_ARCS:
        most = f"method {method} takes boards with at most {_MOST_ARCS:,} moves"
        raise UnsupportedError(f"{most}; this one has {len(instance.arcs):,}")
    if instance.closed and len(instance.graph) < FEWEST_CLOSED:
        return None
    graph = edge_graph(instance, split=True)
    arcs: Ints = graph.edges - np.array([0, graph.stops])
    is_arc = arcs[:, 0] != arcs[:, 1]  # rather than the edge between a square's two nodes
    required = [arcs[[place]] for place in np.flatnonzero(graph.required & is_arc)]
    required += [arcs[mask] for mask in graph.either_way()]
    arcs = arcs[is_arc]
    if len(np.unique(arcs[:, 0])) < graph.stops or not all(map(len, required)):
        return None
    return Successors(graph, arcs, required)


_PROGRAM = """
{ in(X,Y) : arc(X,Y) } = 1 :- node(X).
{ in(X,Y) : arc(X,Y) } = 1 :- node(Y).
reached(0).
reached(Y) :- reached(X), in(X,Y).
:- node(X), not reached(X).
#show in/2.
"""

# Other configurations, and acyclicity by #edge in place of reached, are slower or less even.
_CONFIGURATION = "--configuration=frumpy"

# Seconds between two looks at the clock, and for Ctrl-C.
_TICK = 0.1

_MOST_THREADS = 64


def clingo_answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return the tour of the first answer set, or the answer that there is none."""
    with clock.stopped():
        clingo: Any = import_module("clingo")
    problem = successors(instance, "clingo")
    if problem is None:
        return exhausted(instance, "exhausted before the search", {})
    threads = f"--parallel-mode={min(workers, _MOST_THREADS)}"
    control = clingo.Control(["1", f"--seed={seed}", _CONFIGURATION, threads], message_limit=0)
    try:
        control.add("base", [], _facts(problem) + _PROGRAM)
        clock.check()
        control.ground([("base", [])])
        after = _solve(control, clock)
    except OutOfTime:
        return out_of_time(instance, clock)
    counters = _counters(control)
    if after is None:
        return exhausted(instance, "clingo proved that there is none", counters)
    return found(problem.tour(after), counters)


def _facts(problem: Successors) -> str:
    arcs = "".join(f"arc({tail},{head})." for tail, head in problem.arcs.tolist())
    required = (
        ", ".join(f"not in({tail},{head})" for tail, head in either.tolist())
        for either in problem.required
    )
    rules = "".join(f":- {no_arc}." for no_arc in required)
    return f"node(0..{problem.nodes - 1}).{arcs}{rules}"


def _solve(control: Any, clock: Clock) -> dict[int, int] | None:
    """Return the node after each node, None without an answer set. Raises `OutOfTime`."""
    with control.solve(yield_=True, async_=True) as search:  # which leaving ends
        while not search.wait(min(_TICK, clock.remaining)):
            clock.check()
        model = search.model()
        if model is None:
            return None
        arcs = (symbol.arguments for symbol in model.symbols(shown=True))
        return {tail.number: head.number for tail, head in arcs}


def _counters(control: Any) -> dict[str, float]:
    solvers = control.statistics["solving"]["solvers"]
    return {name: solvers[name] for name in ("choices", "conflicts")}


# Stronger filters take up to ten times as long: RD, which is the default, and allDifferent on top.
_FILTER = "LIGHT"

# The solver keeps Ctrl-C waiting until it returns, which it does after so many nodes at first, and
# after twice as many each time it has taken less than a tick.
_NODES = 100


def choco_answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return a tour, or the answer that the search tree has none. It draws no lots."""
    with clock.stopped():
        pychoco: Any = import_module("pychoco")
        backend: Any = import_module("pychoco.backend")
    problem = successors(instance, "choco")
    if problem is None:
        return exhausted(instance, "exhausted before the search", {})
    heads: list[list[int]] = [[] for _ in range(problem.nodes)]
    for tail, head in problem.arcs.tolist():
        heads[tail].append(head)
    model = pychoco.Model()
    after = [model.intvar(some) for some in heads]
    model.circuit(after, conf=_FILTER).post()
    for either in problem.required:
        model.or_([model.arithm(after[tail], "=", head) for tail, head in either.tolist()]).post()
    solver = model.get_solver()
    # Its default search and ten others that it names are slower or less even.
    solver.set_failure_length_based_search(*after)
    if clock.limit is not None:
        solver.limit_time(f"{max(0.001, clock.remaining):.3f}s")  # 0 s crashes its machine
    nodes = more = _NODES
    counters: dict[str, float] = {}
    while clock.remaining:
        began = time.perf_counter()
        solution = solver.find_solution(node_limit=nodes)
        # Its own get_node_count returns seconds, in version 0.4.
        visited = backend.get_node_count(solver._handle)
        counters = {"nodes": visited, "fails": solver.get_fail_count()}
        if solution is not None:
            order = {place: solution.get_int_val(each) for place, each in enumerate(after)}
            return found(problem.tour(order), counters)
        if solver.get_search_state() == "TERMINATED":
            return exhausted(instance, "Choco proved that there is none", counters)
        more *= 2 if time.perf_counter() - began < _TICK else 1
        nodes += more
    return out_of_time(instance, clock, counters)
