"""The method ``clingo``: answer sets of choice rules and reachability.

The program is the Hamiltonian cycle of M. Gebser, R. Kaminski, B. Kaufmann, T. Schaub, Answer Set
Solving in Practice (2012).
"""

from __future__ import annotations

from typing import Any

from kt_cp.files import optional
from kt_cp.methods.answers import Answer, exhausted, found, out_of_time
from kt_cp.methods.following import Successors, successors
from kt_cp.methods.table import PEERS
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance

clingo = optional("clingo", "answers by clingo", PEERS)

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


def answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return the tour of the first answer set, or the answer that there is none."""
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
        return exhausted(instance, "exhausted by clingo", counters)
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
