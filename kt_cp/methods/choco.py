"""The method ``choco``: the constraint `circuit` on a variable for the square after each square."""

from __future__ import annotations

import time

from kt_cp.files import optional
from kt_cp.methods.answers import Answer, exhausted, found, out_of_time
from kt_cp.methods.following import successors
from kt_cp.methods.table import PEERS
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance

pychoco = optional("pychoco", "answers by choco", PEERS)

# Stronger filters take up to ten times as long: RD, which is the default, and allDifferent on top.
_FILTER = "LIGHT"

# The solver keeps Ctrl-C waiting until it returns, which it does after so many nodes at first, and
# after twice as many each time it has taken less than so many seconds.
_NODES, _TICK = 100, 0.1


def answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return a tour, or the answer that the search tree has none. It draws no lots."""
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
        solver.limit_time(f"{clock.remaining:.3f}s")
    nodes = more = _NODES
    while clock.remaining:
        began = time.perf_counter()
        solution = solver.find_solution(node_limit=nodes)
        counters = {"nodes": solver.get_node_count(), "fails": solver.get_fail_count()}
        if solution is not None:
            order = {place: solution.get_int_val(each) for place, each in enumerate(after)}
            return found(problem.tour(order), counters)
        if solver.get_search_state() == "TERMINATED":
            return exhausted(instance, "exhausted by Choco", counters)
        more *= 2 if time.perf_counter() - began < _TICK else 1
        nodes += more
    return out_of_time(instance, clock, counters)
