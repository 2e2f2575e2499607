"""The method ``auto``: short reasons, then a list of steps for boards, or one for other graphs.

A step is a function that returns an answer, or None if it does not apply. The first answer that
decides the instance ends the list. ``kt methods auto`` prints the lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.graph_algorithms import frontier_widths, low_width_orders
from kt_cp.methods.method import (
    MOVES_AND_ENDS,
    STEPS_AND_ENDS,
    Answer,
    found,
    gave_up,
    out_of_time,
    refuted,
    used_constraints,
)
from kt_cp.problem.constraints import Move
from kt_cp.problem.task import OutOfTimeError, Task
from kt_cp.proof import reasons
from kt_cp.proof.cases import few_cases
from kt_cp.proof.reason import Find, ReasonKind
from kt_cp.proof.separators import hidden_separator, separator, too_few_moves
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.methods.circuit import CircuitSearch
    from kt_cp.methods.cuts import CutSearch

SMALL = 1_000
"""Up to this many squares an instance is small: slow reasons are looked for."""

# On graphs with more edges the circuit is not stated before other searches had their turns.
_MAX_EDGES_TO_STATE = 10_000

# Full rectangles of more squares are composed: up to there patching takes no longer to notice.
_MAX_NOT_COMPOSED = 50_000

# Other graphs with more vertices are patched before the formula of all arcs is stated.
_MAX_NOT_PATCHED = 10_000

# A frontier of at most this width is searched in a third of a millisecond for each vertex, and no
# graph has such a frontier if it has more edges for each vertex.
_NARROW, _MAX_EDGES_PER_VERTEX = 8, 2

# The conflicts after which cuts are given up where there has to be a symmetry.
_MAX_CONFLICTS = 30_000

# The first turns of CP-SAT: one without the linear relaxation, and one with it. And those of cuts.
_FIRST_CIRCUIT_TURNS, _FIRST_CUT_TURNS = 2, 2

# Reasons that explain more than that nothing was found: tried also after an exhaustive search.
_EXPLAINING_REASONS = (reasons.degree_one_ends, separator, too_few_moves, few_cases)


@dataclass
class Run:
    """A task, and the searches that several steps share: each goes on where it stopped."""

    task: Task

    @cached_property
    def circuit(self) -> CircuitSearch:
        """The search of the circuit model."""
        with self.task.clock.stopped():
            from kt_cp.methods.circuit import CircuitSearch
        return CircuitSearch(self.task)

    @cached_property
    def cuts(self) -> CutSearch:
        """The search by subtour elimination."""
        with self.task.clock.stopped():
            from kt_cp.methods.cuts import CutSearch
        return CutSearch(self.task)

    @property
    def is_small(self) -> bool:
        """Whether there are at most `SMALL` squares."""
        return len(self.task.instance.graph) <= SMALL

    def uses_only(self, constraints: frozenset[str]) -> bool:
        """Return whether the instance has no other constraints."""
        return used_constraints(self.task.instance) <= constraints

    def refute(self, finders: Sequence[Find]) -> Answer | None:
        """Return the answer of the first of some reasons that applies."""
        reason = reasons.refute(self.task.instance, self.task.clock, finders)
        return refuted(reason) if reason else None


Step = Callable[[Run], Answer | None]


def short_reasons(run: Run) -> Answer | None:
    """Reasons why there is no tour that take one scan of the board."""
    from kt_cp.methods.compose import has_tour_unless_short_reason

    is_complete = has_tour_unless_short_reason(run.task.instance)
    return run.refute(reasons.RECTANGLE_REASONS if is_complete else reasons.QUICK_REASONS)


def symmetric_cuts(run: Run) -> Answer | None:
    """If a symmetry is asked for: cuts, with a variable for each orbit of moves."""
    if run.task.instance.symmetry is None or not run.uses_only(MOVES_AND_ENDS | {"symmetry"}):
        return None
    with run.task.clock.stopped():
        from kt_cp.methods import cuts
    return replace(cuts.answer(run.task, _MAX_CONFLICTS), method="cuts")


def construct(run: Run) -> Answer | None:
    """More than 1,000 squares: patch, or compose for rectangles of more than 50,000."""
    instance, clock = run.task.instance, run.task.clock
    if run.is_small or not run.uses_only(MOVES_AND_ENDS):
        return None
    with clock.stopped():
        from kt_cp.methods import compose, patch
    if len(instance.graph) > _MAX_NOT_COMPOSED and compose.is_composable(instance):
        return _named("compose", compose.answer(run.task))
    return _named("patch", patch.answer(run.task))


def frontier(run: Run) -> Answer | None:
    """A sweep by frontier, if one has at most 8 vertices."""
    instance = run.task.instance
    if not run.uses_only(MOVES_AND_ENDS) or instance.one_way:
        return None
    if len(instance.edges) > _MAX_EDGES_PER_VERTEX * len(instance.graph):
        return None
    orders = low_width_orders(instance.graph.vertices, instance.edges)
    if all(frontier_widths(instance.edges, order).max() > _NARROW for order in orders):
        return None
    with run.task.clock.stopped():
        from kt_cp.count import sampling
    return replace(sampling.answer(run.task), method="frontier")


def rotations_or_patches(run: Run) -> Answer | None:
    """Each vertex with 16 neighbors: a path, rotated; more than 10,000 vertices: patched cycles."""
    with run.task.clock.stopped():
        from kt_cp.methods.rotations import MANY_NEIGHBORS, cycle_by_rotations

    task, instance = run.task, run.task.instance
    if not run.uses_only(MOVES_AND_ENDS):
        return None
    degrees = np.bincount(instance.edges.ravel(), minlength=instance.graph.area)
    if degrees.min() >= MANY_NEIGHBORS and not instance.one_way and run.cuts.graph is not None:
        cycle = cycle_by_rotations(run.cuts.graph, Random(task.seed), task.clock)
        if cycle is not None:
            tour = run.cuts.graph.tour(cycle)
            return replace(found(tour, run.cuts.counters), method="cuts")
    return construct(run) if len(instance.graph) > _MAX_NOT_PATCHED else None


def quick_searches(run: Run) -> Answer | None:
    """CP-SAT for milliseconds, with cycles as a hint; without places, then two turns of cuts."""
    instance = run.task.instance
    has_places = instance.graph.has_places
    result = None
    if run.is_small and (has_places or len(instance.edges) <= _MAX_EDGES_TO_STATE):
        result = replace(run.circuit.run(turns=0), method="circuit")
    if not has_places and run.uses_only(MOVES_AND_ENDS) and not (result and _has_ended(result)):
        result = replace(run.cuts.run(_FIRST_CUT_TURNS), method="cuts")
    return result


def slow_reasons(run: Run) -> Answer | None:
    """Up to 1,000 squares: separators, and the minimum cut of a 2-factor."""
    if not run.is_small:
        return None
    hidden = () if run.task.instance.givens else (hidden_separator,)  # they take long with givens
    return run.refute((*_EXPLAINING_REASONS, *hidden))


def fit_givens(run: Run) -> Answer | None:
    """Given steps: turns of CP-SAT, and a tour rearranged until they fit."""
    instance = run.task.instance
    if not instance.givens:
        return None
    if run.is_small:
        result = replace(run.circuit.run(_FIRST_CIRCUIT_TURNS), method="circuit")
        if _has_ended(result):
            return result
        if refuted_by := run.refute((hidden_separator,)):
            return refuted_by
    if not run.uses_only(STEPS_AND_ENDS) or instance.one_way:
        return None
    return answer_with_givens(run.task, run.circuit)


def regions(run: Run) -> Answer | None:
    """Undirected graphs: each part that two vertices separate from the rest, by itself."""
    instance, clock = run.task.instance, run.task.clock
    if instance.one_way or not run.uses_only(MOVES_AND_ENDS) or run.cuts.graph is None:
        return None
    with clock.stopped():
        from kt_cp.methods import regions
        from kt_cp.sat.two_factors import tighten
    graph = tighten(run.cuts.graph, clock)
    if graph is None:
        return None
    return regions.answer(run.task, graph, partial(_first_answer, steps=_REGION_STEPS))


def in_turns(run: Run) -> Answer | None:
    """Cuts and CP-SAT in turns, to the end."""
    has_cuts = run.uses_only(MOVES_AND_ENDS)
    if run.is_small:
        result = replace(run.circuit.run(_FIRST_CIRCUIT_TURNS), method="circuit")
        if _has_ended(result):
            return result
    while True:
        if has_cuts:
            turns = 4 if run.task.instance.graph.has_places else 8
            result = replace(run.cuts.run(turns), method="cuts")
            if _has_ended(result):
                return result
        result = replace(run.circuit.run(1 if has_cuts else None), method="circuit")
        if not has_cuts or _has_ended(result):
            return result


def circuit_alone(run: Run) -> Answer:
    """With parameters for CP-SAT or a hint: CP-SAT to the end."""
    return replace(run.circuit.run(), method="circuit")


STEPS: Mapping[str, tuple[Step, ...]] = {
    "boards and other graphs with places": (
        short_reasons,
        symmetric_cuts,
        construct,
        quick_searches,
        slow_reasons,
        fit_givens,
        in_turns,
    ),
    "other graphs": (
        short_reasons,
        frontier,
        rotations_or_patches,
        quick_searches,
        regions,
        slow_reasons,
        in_turns,
    ),
}
"""The steps for each kind of graph, in order."""

_REGION_STEPS: tuple[Step, ...] = (frontier, quick_searches, in_turns)


def answer(task: Task) -> Answer:
    """Return the answer of the first step that has one."""
    on_boards, on_graphs = STEPS.values()
    steps = on_boards if task.instance.graph.has_places else on_graphs
    if task.parameters or task.hint is not None:
        steps = short_reasons, circuit_alone
    result = _first_answer(task, steps)
    if result.reason_kind is ReasonKind.EXHAUSTED and len(task.instance.graph) <= SMALL:
        reason = reasons.refute(task.instance, task.clock, _EXPLAINING_REASONS)
        return refuted(reason) if reason else result
    return result


def _first_answer(task: Task, steps: Sequence[Step]) -> Answer:
    """Return the answer of the first step that decides the instance, or that of the last."""
    run = Run(task)
    try:
        for step in steps:
            result = step(run)
            if result is not None and _has_ended(result):
                return result
    except OutOfTimeError:
        return out_of_time(task.instance, task.clock)
    assert result is not None
    return result


def _has_ended(answer: Answer) -> bool:
    """Return whether the answer decides the instance, or no time is left."""
    return answer.status is not Status.UNKNOWN or answer.reason_kind is ReasonKind.TIME_LIMIT


def _named(method: str, answer: Answer) -> Answer:
    """Return an answer with the name of the method, unless it has one."""
    return replace(answer, method=answer.method or method)


def answer_with_givens(task: Task, circuit: CircuitSearch | None = None) -> Answer:
    """Answer by the method ``givens``, which begins with any tour that `answer` finds."""
    with task.clock.stopped():
        from kt_cp.methods import givens
    return _named("givens", givens.answer(task, answer, circuit))


def refute(task: Task) -> Answer:
    """Return the answer of the first of all reasons that applies, or give up."""
    answer = Run(task).refute(reasons.REASONS)
    return answer or gave_up(task.instance, "no known reason applies")


def first_in_order(task: Task) -> Answer:
    """Return the tour whose ids come first, as words do in a dictionary: the method ``first``.

    Square by square, where a smaller id than that of the tour found so far could come next, either
    there is a tour with it, which is kept, or there is provably none.
    """
    best, asked = answer(task), 1
    if best.squares is None:
        return best
    instance, tour = task.instance, best.squares.tolist()
    for place in range(len(tour)):
        known = tour[:place]
        nexts = instance.graph.neighbors(known[-1]) if known else instance.graph.vertices.tolist()
        if not known and instance.first is not None:
            nexts = [instance.first]
        for square in sorted(set(nexts).difference(known)):
            if square == tour[place]:
                break
            moves = (Move(*ends, directed=True) for ends in pairwise([*known, square]))
            begun = replace(
                instance, start=[*known, square][0], require=(*instance.require, *moves)
            )
            other, asked = answer(replace(task, instance=begun)), asked + 1
            if other.status is Status.UNKNOWN:
                return replace(other, method="first")
            if other.squares is not None:
                tour = other.squares.tolist()
                break
    return found(np.array(tour, dtype=np.int32), {"asked": asked})
