"""The method ``auto``: short reasons, then a list of steps for boards, or one for other graphs.

A step is a function that returns an answer, or None if it does not apply. The first answer that
decides the instance ends the list. ``kt methods auto`` prints the lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.graph_algorithms import frontier_widths, low_width_orders
from kt_cp.methods.method import (
    MOVES_AND_ENDS,
    STEPS_AND_ENDS,
    Answer,
    UnsupportedError,
    exhausted,
    found,
    gave_up,
    is_composable,
    out_of_time,
    refuted,
    used_constraints,
)
from kt_cp.problem.task import OutOfTimeError, Task
from kt_cp.proof import refutation
from kt_cp.proof.reasons import ReasonFinder, ReasonKind
from kt_cp.proof.refutation import few_cases
from kt_cp.proof.separators import hidden_separator, too_few_moves, visible_separator

if TYPE_CHECKING:
    from kt_cp.methods.circuit import CircuitSearch
    from kt_cp.methods.cuts import CutSearch

SMALL = 1_000
"""Up to this many squares an instance is small: slow reasons are looked for."""

# With more edges than this, the circuit model is stated only after other searches have had their
# turns; with more vertices than this, graphs are patched before the formula of all arcs is stated.
_LARGE = 10_000

# Full rectangles of more squares are composed; on smaller ones patching is not noticeably slower.
_MAX_NOT_COMPOSED = 50_000

# A frontier of at most this width is searched in a third of a millisecond for each vertex, and no
# graph has such a frontier if it has more edges for each vertex.
_NARROW = 8
_MAX_EDGES_PER_VERTEX = 2

# The limit on conflicts of cuts when a symmetry is required.
_MAX_CONFLICTS = 30_000

# The number of first turns of CP-SAT, and of cuts.
_FIRST_TURNS = 2

# Reasons that explain more than that nothing was found: tried also after an exhaustive search.
_EXPLAINING_REASONS = (refutation.degree_one_ends, visible_separator, too_few_moves, few_cases)


@dataclass
class Run:
    """A task, and the two searches that several steps share: each goes on where it stopped."""

    task: Task

    @property
    def is_small(self) -> bool:
        """Whether there are at most `SMALL` squares."""
        return len(self.task.instance.graph) <= SMALL

    def uses_only(self, constraints: frozenset[str]) -> bool:
        """Return whether the instance has no other constraints."""
        return used_constraints(self.task.instance) <= constraints

    def refute(self, reasons: Sequence[ReasonFinder]) -> Answer | None:
        """Return the answer of the first of some reasons that applies."""
        reason = refutation.refute(self.task.instance, self.task.clock, reasons)
        return refuted(reason) if reason else None

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

    def search_circuit(self, turns: int | None = None) -> Answer:
        """Search the circuit model for some turns, or to the end."""
        return _named("circuit", self.circuit.run(turns))

    def search_cuts(self, turns: int) -> Answer:
        """Search by subtour elimination for some turns."""
        return _named("cuts", self.cuts.run(turns))


Step = Callable[[Run], Answer | None]
"""A step of the list, not of a tour. Its docstring is the line that ``kt methods auto`` prints."""


def short_reasons(run: Run) -> Answer | None:
    """Reasons why there is no tour that take one scan of the board."""
    is_rectangle = is_composable(run.task.instance, shortest=6)
    return run.refute(refutation.RECTANGLE_REASONS if is_rectangle else refutation.QUICK_REASONS)


def symmetric_cuts(run: Run) -> Answer | None:
    """If a symmetry is asked for: cuts, with a variable for each orbit of moves."""
    if run.task.instance.symmetry is None or not run.uses_only(MOVES_AND_ENDS | {"symmetry"}):
        return None
    with run.task.clock.stopped():
        from kt_cp.methods.cuts import symmetric_answer
    return _named("cuts", symmetric_answer(run.task, _MAX_CONFLICTS))


def construct(run: Run) -> Answer | None:
    """More than 1,000 squares: patch, or compose for rectangles of more than 50,000."""
    task = run.task
    if run.is_small or not run.uses_only(MOVES_AND_ENDS):
        return None
    with task.clock.stopped():
        from kt_cp.methods import compose, patch
    if len(task.instance.graph) > _MAX_NOT_COMPOSED and is_composable(task.instance):
        return _named("compose", compose.answer(task))
    return _named("patch", patch.answer(task))


def frontier(run: Run) -> Answer | None:
    """A sweep by frontier, if one has at most 8 vertices."""
    instance = run.task.instance
    edges = instance.edges
    vertices = instance.graph.vertices
    if not run.uses_only(MOVES_AND_ENDS) or instance.one_way:
        return None
    if len(edges) > _MAX_EDGES_PER_VERTEX * len(vertices):
        return None
    orders = low_width_orders(vertices, edges)
    if all(frontier_widths(edges, order).max() > _NARROW for order in orders):
        return None
    return _named("frontier", answer_by_frontier(run.task))


def rotations_or_patches(run: Run) -> Answer | None:
    """Each vertex with 16 neighbors: a path, rotated; more than 10,000 vertices: patched cycles."""
    with run.task.clock.stopped():
        from kt_cp.methods.rotations import MANY_NEIGHBORS, cycle_by_rotations

    task = run.task
    instance = task.instance
    if not run.uses_only(MOVES_AND_ENDS):
        return None
    degrees = np.bincount(instance.edges.ravel(), minlength=instance.graph.area)
    if degrees.min() >= MANY_NEIGHBORS and not instance.one_way and run.cuts.graph is not None:
        cycle = cycle_by_rotations(run.cuts.graph, Random(task.seed), task.clock)
        if cycle is not None:
            return _named("cuts", found(run.cuts.graph.tour(cycle), run.cuts.counters))
    return construct(run) if len(instance.graph) > _LARGE else None


def quick_searches(run: Run) -> Answer | None:
    """CP-SAT for milliseconds, with cycles as a hint; without places, then two turns of cuts."""
    instance = run.task.instance
    result = None
    has_places = instance.graph.has_places
    if run.is_small and (has_places or len(instance.edges) <= _LARGE):
        result = run.search_circuit(turns=0)
    if has_places or not run.uses_only(MOVES_AND_ENDS) or (result and result.is_final):
        return result
    return run.search_cuts(_FIRST_TURNS)


def regions(run: Run) -> Answer | None:
    """Undirected graphs: each part that two vertices separate from the rest, by itself."""
    task = run.task
    if task.instance.one_way or not run.uses_only(MOVES_AND_ENDS) or run.cuts.graph is None:
        return None
    with task.clock.stopped():
        from kt_cp.methods.regions import answer_by_regions
        from kt_cp.sat.two_factors import tighten
    graph = tighten(run.cuts.graph, task.clock)
    if graph is None:
        return None
    return answer_by_regions(task, graph, partial(_first_answer, steps=_REGION_STEPS))


def slow_reasons(run: Run) -> Answer | None:
    """Up to 1,000 squares: separators, and the minimum cut of a 2-factor."""
    if not run.is_small:
        return None
    hidden = () if run.task.instance.givens else (hidden_separator,)  # they take long with givens
    return run.refute((*_EXPLAINING_REASONS, *hidden))


def fit_givens(run: Run) -> Answer | None:
    """Given steps: turns of CP-SAT, and a tour rearranged until they fit."""
    task = run.task
    instance = task.instance
    if not instance.givens:
        return None
    if run.is_small:
        result = run.search_circuit(_FIRST_TURNS)
        if result.is_final:
            return result
        if impossible := run.refute((hidden_separator,)):
            return impossible
    if not run.uses_only(STEPS_AND_ENDS) or instance.one_way:
        return None
    with task.clock.stopped():
        from kt_cp.methods import givens
    return _named("givens", givens.answer(task, answer, run.circuit))


def in_turns(run: Run) -> Answer:
    """Cuts and CP-SAT in turns, to the end."""
    if not run.uses_only(MOVES_AND_ENDS):
        return run.search_circuit()
    cut_turns = 4 if run.task.instance.graph.has_places else 8
    result = run.search_circuit(_FIRST_TURNS) if run.is_small else None
    while result is None or not result.is_final:
        result = run.search_cuts(cut_turns)
        if not result.is_final:
            result = run.search_circuit(turns=1)
    return result


def circuit_alone(run: Run) -> Answer:
    """With parameters for CP-SAT or a hint: CP-SAT to the end."""
    return run.search_circuit()


_FOR_ALL: tuple[Step, ...] = (short_reasons,)
_FOR_BOARDS: tuple[Step, ...] = (
    symmetric_cuts,
    construct,
    quick_searches,
    slow_reasons,
    fit_givens,
    in_turns,
)
_FOR_GRAPHS: tuple[Step, ...] = (
    frontier,
    rotations_or_patches,
    quick_searches,
    regions,
    slow_reasons,
    in_turns,
)
STEPS = {
    "any board or graph": _FOR_ALL,
    "boards and other graphs with places": _FOR_BOARDS,
    "other graphs": _FOR_GRAPHS,
}
"""The steps for all, and then those for each kind of graph, in order."""

_REGION_STEPS: tuple[Step, ...] = (frontier, quick_searches, in_turns)


def answer(task: Task) -> Answer:
    """Return the answer of the first step that has one."""
    steps = _FOR_BOARDS if task.instance.graph.has_places else _FOR_GRAPHS
    if task.parameters or task.hint is not None:
        steps = (circuit_alone,)
    result = _first_answer(task, (*_FOR_ALL, *steps))
    if result.reason_kind is ReasonKind.EXHAUSTED and len(task.instance.graph) <= SMALL:
        reason = refutation.refute(task.instance, task.clock, _EXPLAINING_REASONS)
        return refuted(reason) if reason else result
    return result


def _first_answer(task: Task, steps: Sequence[Step]) -> Answer:
    """Return the answer of the first step that decides the instance, or that of the last."""
    run = Run(task)
    try:
        for step in steps:
            result = step(run)
            if result is not None and result.is_final:
                return result
    except OutOfTimeError:
        return out_of_time(task.instance, task.clock)
    assert result is not None
    return result


def _named(method: str, result: Answer) -> Answer:
    """Return an answer with the name of the method, unless it has one."""
    return replace(result, method=result.method or method)


# -- steps that are methods, too ------------------------------------------------------------------


def answer_with_givens(task: Task) -> Answer:
    """Answer by the step for given steps alone: the method ``givens``.

    Raises `UnsupportedError` for moves in one direction only.
    """
    if task.instance.one_way:
        raise UnsupportedError("method givens does not support one-way moves; method circuit does")
    result = _first_answer(task, (fit_givens,)) if task.instance.givens else answer(task)
    return _named("givens", result)


def answer_by_reasons(task: Task) -> Answer:
    """Return the answer of the first of all reasons that applies, or give up: method ``refute``."""
    result = Run(task).refute(refutation.REASONS)
    return result or gave_up(task.instance, "no known reason applies")


def answer_by_frontier(task: Task) -> Answer:
    """Return a tour drawn at random, or the answer that there is none: the method ``frontier``.

    Raises `UnsupportedError` for an instance that counting by frontier does not take.
    """
    with task.clock.stopped():
        from kt_cp.count.cost import OutOfMemoryError
        from kt_cp.count.plan import unsupported
        from kt_cp.count.sampling import sample_tours

    instance = task.instance
    clock = task.clock
    if reason := unsupported(instance):
        raise UnsupportedError(f"method frontier does not support {reason}; method circuit does")
    try:
        tours = sample_tours(instance, 1, task.seed, time_limit=clock.remaining_limit())
    except OutOfTimeError:
        return out_of_time(instance, clock)
    except OutOfMemoryError as error:
        return gave_up(instance, str(error))
    if not tours:
        return exhausted(instance, "a sweep that follows all paths at once finds no tour")
    return found(tours[0].squares)
