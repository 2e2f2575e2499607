"""The method ``givens``: a tour rearranged until it visits the given squares at their steps.

Any tour of the board will do to begin with. Exchanges of moves bring the givens into turn, then
stretches between them are made longer and shorter. The circuit model is searched in turns with
this: it is faster on small boards, and can prove that there is no tour.
"""

from __future__ import annotations

import numpy as np

from kt_cp.methods import auto
from kt_cp.methods.answers import Answer, UnsupportedError, exhausted, found, gave_up, out_of_time
from kt_cp.methods.givens.circle import Circle
from kt_cp.methods.givens.stretches import adjust
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import CircuitModel, build_models, tours_in_order
from kt_cp.model.parameters import CLAUSES, VARIETY
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.reachability import MAX_SQUARES
from kt_dfs import Status

# The circuit model is searched for so long at first, in CP-SAT's deterministic time, and each turn
# takes so many times as long as the one before. So many times the tour is rearranged in between.
TURNS, TURN, GROWTH = 6, 0.05, 3
REARRANGED = 10

# The most exchanges until the givens are looked at, and the most stretches changed afterwards.
EXCHANGES, CHANGES = 100, 40


def answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return a tour, or the proof of the circuit model that there is none."""
    if instance.one_way:
        raise UnsupportedError("method givens does not support one-way moves; method circuit does")
    counters = {"exchanges": 0, "changes": 0, "turns": 0}
    first = _any_tour(instance, clock, workers, seed)
    if first.squares is None:
        return first
    if instance.satisfied_by(first.squares):
        return found(first.squares, counters)
    circle, models = Circle(instance, first.squares, seed), list[CircuitModel]()
    try:
        for turn in range(TURNS):
            if len(instance.board) <= MAX_SQUARES:
                models = models or build_models(instance, clock)
                limit = {"max_deterministic_time": TURN * GROWTH**turn}
                solver = Solver({**CLAUSES, **VARIETY, **limit}, clock, workers, seed)
                status = solver.solve(models[0].cp)
                counters["turns"] += 1
                if status is Status.FOUND:
                    used = solver.true(models[0].arcs.literals)
                    return found(tours_in_order(models[0], used[None])[0], counters)
                if status is Status.IMPOSSIBLE:
                    return exhausted(instance, "exhausted by CP-SAT", counters)
            for _ in range(REARRANGED * GROWTH**turn):
                counters["exchanges"] += circle.anneal(EXCHANGES, clock)
                counters["changes"] += adjust(circle, CHANGES, clock)
                if circle.fits:
                    return found(circle.tour, counters)
    except OutOfTime:
        return out_of_time(instance, clock, counters)
    return gave_up(instance, "no tour that was tried visits the given squares in step", counters)


def _any_tour(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return a tour that has the start and the end asked for, but not the givens.

    Where a single step is known, it may be a closed tour, turned so that the given fits.
    """
    board, closed, forbid = instance.board, instance.closed, instance.forbid
    if len(instance.steps) == 1:
        [(step, square)] = instance.steps.items()
        cycle = Instance(board, closed=True, start=square, forbid=forbid)
        answer = auto.answer(cycle, clock, workers, seed)
        if answer.squares is not None:
            return found(np.roll(answer.squares, step - 1))
        if closed:
            return answer
    start, end = instance.start, instance.end
    relaxed = Instance(board, closed=closed, start=start, end=end, forbid=forbid)
    return auto.answer(relaxed, clock, workers, seed)
