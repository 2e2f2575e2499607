"""Other searches as methods: those of `kt_dfs`, and the solvers ``clingo`` and ``choco``.

The model of the two solvers is the same circuit: it says for every square which squares may follow
it. Their packages are imported when the methods are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

import kt_dfs
from kt_cp.arrays import Squares
from kt_cp.methods.method import (
    Answer,
    UnsupportedError,
    exhausted,
    found,
    gave_up,
    out_of_time,
)
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import SECONDS_IN_FLOWS, Task
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.tour.validator import FEWEST_CLOSED
from kt_dfs import Budget, Ending, Graph, Status, Strategy

# Building a larger model cannot be interrupted, and would delay Ctrl-C and the time limit too long.
_MAX_ARCS = 30_000

# Other configurations of clingo, and acyclicity by #edge in place of reached, are slower, or their
# times vary more.
_CONFIGURATION = "--configuration=frumpy"

# The most seconds that clingo can wait, and the most threads that it takes.
_MAX_SECONDS = 1e6
_MAX_THREADS = 64

# Choco's filter of the circuit. Stronger ones take up to ten times as long: RD, which is the
# default, and an additional allDifferent constraint.
_FILTER = "LIGHT"

_RULES = """\
% Every node has one arc in and one arc out, and all are reached from node 0.
{ in(X,Y) : arc(X,Y) } = 1 :- node(X).
{ in(X,Y) : arc(X,Y) } = 1 :- node(Y).
reached(0).
reached(Y) :- reached(X), in(X,Y).
:- node(X), not reached(X)."""


def graph_to_search(instance: Instance) -> Graph[int]:
    """Return the graph of the allowed arcs, on a board in the order of the piece's jumps.

    >>> from kt_cp.board import Board
    >>> [vertex.key for vertex in graph_to_search(Instance(Board(5, 5)))[4].neighbors]
    [7, 13]
    """
    neighbors: dict[int, list[int]] = {square: [] for square in instance.graph.vertices.tolist()}
    for source, target in instance.arcs.tolist():
        neighbors[source].append(target)
    return Graph.from_neighbors(neighbors)


def search(method: Strategy | str, task: Task) -> Answer:
    """Search for a tour by a strategy, or by one of the methods of `kt_dfs.METHODS`.

    Without a start, a closed tour is searched for from the first square, and an open one from every
    square in turn. The counters are those of all searches together.
    """
    instance = task.instance
    clock = task.clock
    counters = {"calls": 0, "backtracks": 0, "deepest": 0}
    if clock.remaining < SECONDS_IN_FLOWS * len(instance.graph):
        return out_of_time(instance, clock, counters)
    chosen = kt_dfs.strategy(method, *instance.graph.shape) if isinstance(method, str) else method
    starts: list[int] = instance.graph.vertices.tolist()
    if instance.first is not None or instance.closed:  # a closed tour can begin at any square
        starts = [starts[0] if instance.first is None else instance.first]
    graph = graph_to_search(instance)
    incomplete = None  # an outcome that proves nothing, as the strategy left out neighbors
    for start in starts:
        budget = Budget(seconds=clock.remaining)
        outcome = kt_dfs.search(graph, start, chosen, closed=instance.closed, budget=budget)
        counters["calls"] += outcome.calls
        counters["backtracks"] += outcome.backtracks
        counters["deepest"] = max(counters["deepest"], outcome.deepest)
        if outcome.status is Status.FOUND:
            return found(np.array(outcome.path, dtype=np.int32), counters)
        if outcome.ending is Ending.OUT_OF_TIME:
            return out_of_time(instance, clock, counters)
        if outcome.ending is Ending.LEFT_OUT:
            incomplete = outcome
        elif outcome.ending is not Ending.EXHAUSTED:
            incomplete = outcome
            break
    reason = replace(incomplete or outcome, calls=counters["calls"]).reason
    if incomplete:
        return gave_up(instance, reason, counters)
    return exhausted(instance, reason, counters)


# -- clingo and choco -----------------------------------------------------------------------------


class CircuitArcs:
    """The arcs that a tour may use, as rows (from, to) of the nodes of its graph.

    There are none if a closed tour would be too short. ``required`` has a list of arcs for each
    required move, of which a tour uses one.

    >>> len(CircuitArcs(Instance.of("3x4", start=0)).arcs)  # moves, a start, and 12 ends
    41
    """

    def __init__(self, instance: Instance) -> None:
        self.graph = graph = TourGraph(instance)
        is_short = instance.closed and len(graph) < FEWEST_CLOSED
        self.arcs: list[list[int]] = [] if is_short else graph.arcs.tolist()
        self.required: list[list[list[int]]] = [
            [] if is_short else arcs.tolist() for arcs in graph.required_moves
        ]

    @property
    def has_no_tour(self) -> bool:
        """Whether some node has no arc that leaves it, or some required move is forbidden."""
        tails = {tail for tail, _ in self.arcs}
        return len(tails) < len(self.graph) or not all(self.required)

    def clingo_program(self) -> Iterator[str]:
        """Yield facts and rules for clingo; the arcs ``in`` an answer set are a circuit."""
        yield f"node(0..{len(self.graph) - 1})."
        yield from (f"arc({tail},{head})." for tail, head in self.arcs)
        for alternatives in self.required:
            yield f":- {', '.join(f'not in({tail},{head})' for tail, head in alternatives)}."
        yield _RULES

    def tour(self, after: Mapping[int, int]) -> Squares:
        """Return a circuit, given by the node after each node, as a tour: ids in visiting order."""
        cycle = [0]
        while len(cycle) < len(self.graph):
            cycle.append(after[cycle[-1]])
        return self.graph.tour(np.array(cycle))


def _arcs_of(instance: Instance, method: str) -> CircuitArcs:
    """Return the arcs of an instance. Raises `UnsupportedError` if it has too many."""
    count = len(instance.arcs)
    if count > _MAX_ARCS:
        raise UnsupportedError(
            f"method {method} takes boards with at most {_MAX_ARCS:,} moves; this one has {count:,}"
        )
    return CircuitArcs(instance)


def _why_no_circuit(instance: Instance) -> str:
    """Return why `CircuitArcs.has_no_tour` holds."""
    words = instance.graph.vocabulary
    return f"some {words.vertex} has no possible successor, or a required {words.edge} is forbidden"


def clingo_answer(task: Task) -> Answer:
    """Return the tour of the first answer set, or the answer that there is none."""
    instance = task.instance
    clock = task.clock
    with clock.stopped():
        clingo: Any = import_module("clingo")
    problem = _arcs_of(instance, "clingo")
    if problem.has_no_tour:
        return exhausted(instance, _why_no_circuit(instance))
    threads = f"--parallel-mode={min(task.workers, _MAX_THREADS)}"
    arguments = ["1", f"--seed={task.seed}", _CONFIGURATION, threads]  # 1 answer set
    control = clingo.Control(arguments, message_limit=0)
    control.add("base", [], "\n".join([*problem.clingo_program(), "#show in/2."]))
    if not clock.remaining:
        return out_of_time(instance, clock)
    control.ground([("base", [])])
    with control.solve(yield_=True, async_=True) as search:  # leaving the block ends it
        if not search.wait(min(clock.remaining, _MAX_SECONDS)):
            return out_of_time(instance, clock)
        answer_set = search.model()
        atoms = [] if answer_set is None else answer_set.symbols(shown=True)
        after = {tail.number: head.number for tail, head in (atom.arguments for atom in atoms)}
    solvers = control.statistics["solving"]["solvers"]
    counters = {name: solvers[name] for name in ("choices", "conflicts")}
    if not after:
        return exhausted(instance, "clingo proved that there is none", counters)
    return found(problem.tour(after), counters)


def choco_answer(task: Task) -> Answer:
    """Return a tour, or the answer that there is none.

    It is deterministic and ignores the seed.
    """
    instance = task.instance
    clock = task.clock
    with clock.stopped():
        pychoco: Any = import_module("pychoco")
        backend: Any = import_module("pychoco.backend")
    problem = _arcs_of(instance, "choco")
    if problem.has_no_tour:
        return exhausted(instance, _why_no_circuit(instance))
    model = pychoco.Model()
    after = _state_circuit(model, problem)
    solver = model.get_solver()
    # Choco's default search and ten others that it offers are slower, or their times vary more.
    solver.set_failure_length_based_search(*after)
    if not clock.remaining:
        return out_of_time(instance, clock)
    if clock.limit is not None:
        # No time at all, or infinitely much, would crash Choco's virtual machine.
        seconds = min(max(0.001, clock.remaining), _MAX_SECONDS)
        solver.limit_time(f"{seconds:.3f}s")
    solution = solver.find_solution()
    # In pychoco 0.4 the solver's own get_node_count returns seconds.
    nodes = backend.get_node_count(solver._handle)
    counters = {"nodes": nodes, "fails": solver.get_fail_count()}
    if solution is not None:
        chosen = {node: solution.get_int_val(variable) for node, variable in enumerate(after)}
        return found(problem.tour(chosen), counters)
    if solver.get_search_state() == "TERMINATED":
        return exhausted(instance, "Choco proved that there is none", counters)
    return out_of_time(instance, clock, counters)


def _state_circuit(model: Any, problem: CircuitArcs) -> list[Any]:
    """State the circuit in a model of Choco; return for each node the variable of the next node."""
    successors: list[list[int]] = [[] for _ in range(len(problem.graph))]
    for tail, head in problem.arcs:
        successors[tail].append(head)
    after = [model.intvar(nodes) for nodes in successors]
    model.circuit(after, conf=_FILTER).post()
    for alternatives in problem.required:
        model.or_([model.arithm(after[tail], "=", head) for tail, head in alternatives]).post()
    return after
