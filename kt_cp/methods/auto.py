"""The method ``auto``: reasons that a person can check, the circuit, and specialists.

`SCHEDULE` lists its stages. Each has a condition on the instance, and the first that has an answer
ends the schedule; ``kt methods auto`` prints it.

Several stages share a search, which takes turns: each stage continues it where the one before has
stopped. The first turn of subtour elimination rotates a path, or joins the cycles of a flow; the
second is a few hundred conflicts, which ends a brief try; then its models take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.graph_algorithms import frontier_widths, low_width_orders
from kt_cp.methods.answers import Answer, refuted
from kt_cp.methods.companion import Companion
from kt_cp.methods.compose import has_tour_unless_short_reason, is_composable
from kt_cp.methods.method import MOVES_AND_ENDS, STEPS_AND_ENDS, used_constraints
from kt_cp.methods.rotations import MANY_NEIGHBORS
from kt_cp.methods.specialists import SPECIALISTS
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, Task
from kt_cp.proof import reasons
from kt_cp.proof.cases import few_cases
from kt_cp.proof.cut_reasons import hidden_separator, separator, too_few_moves
from kt_cp.proof.reason import ReasonKind
from kt_cp.workers import StartError, is_worker
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.methods.circuit import CircuitSearch
    from kt_cp.methods.cuts import CutSearch

# Up to this many squares an instance is small: the circuit comes before the specialists, and slow
# reasons are looked for.
_MAX_SMALL = 1_000

# Full rectangles of more squares are composed: up to there the circuit is as fast.
_MAX_NOT_COMPOSED = 400

# The numbers of vertices for which subtour elimination has turns of its own.
_CUTS_SIZES = range(65, 10_001)

# Subtour elimination comes first if no square of a board, or no vertex of another graph, has more
# neighbors.
_MAX_SPARSE_MOVES, _MAX_SPARSE_NEIGHBORS = 3, 4

# On graphs with more edges, the circuit is not stated before subtour elimination had its first
# turns: 450,000 edges on 3,000 vertices take a minute to state. If every vertex has many neighbors,
# rotations of a path come before both; they take 0.15 s of processor time for the same graph.
_MAX_EDGES_TO_STATE = 10_000

# Turns of CP-SAT before the specialists: one without the linear relaxation, and one with it.
_FIRST_CIRCUIT_TURNS = 2

# The turns of a brief try: a 2-factor by flow, and a few hundred conflicts.
_BRIEF_TRY_TURNS = 2

# The turns in which a path is rotated.
_ROTATION_TURNS = 1

# In a new search these are the brief try and a turn of each model: half a second in all.
_FIRST_CUT_TURNS = 4

# Clusters are looked for where some vertex has this number of neighbors: each has a hub.
_MIN_HUB_DEGREE = 12

# Later turns, which take some seconds.
_LATER_CUT_TURNS = 8

# Subtour elimination is given up on boards after this number of CaDiCaL's conflicts. The linear
# relaxation of the circuit may then see what clauses alone do not.
_MAX_CONFLICTS = 30_000

# In the end both searches alternate: this number of turns of subtour elimination, then a turn of
# CP-SAT. All turns grow, so that both searches get about the same time.
_CUT_TURNS_PER_CIRCUIT_TURN = 4

# The seed of a companion is larger by this than that of the task; the models of subtour elimination
# take the seeds in between.
_COMPANION_SEED_DISTANCE = 1_000

# Slow reasons that are also tried after an exhaustive search: a separator explains more than the
# statement that nothing was found.
_EXPLAINING_REASONS = (reasons.degree_one_ends, separator, too_few_moves, few_cases)

# Reasons that take longer than the search of a narrow graph.
_HIDDEN_SEPARATORS = (hidden_separator,)

# A frontier of at most this width is searched in a third of a millisecond for each vertex.
_MAX_NARROW = 8

# No graph with more edges for each vertex has such a frontier.
_MAX_EDGES_PER_VERTEX = 2


@dataclass
class ScheduleRun:
    """A run of the schedule on an instance.

    Stages share the searches ``circuit`` and ``cuts``, which go on where they stopped.
    """

    task: Task
    companion: Companion | None = None
    interrupted_before: Callable[[], bool] | None = None  # the clock's, before the companion's

    @cached_property
    def circuit(self) -> CircuitSearch:
        """The search of the circuit model, which one stage begins and a later one continues."""
        with self.task.clock.stopped():
            from kt_cp.methods.circuit import CircuitSearch
        return CircuitSearch(self.task)

    @cached_property
    def cuts(self) -> CutSearch:
        """The search by subtour elimination, which a later stage continues, too."""
        with self.task.clock.stopped():
            from kt_cp.methods.cuts import CutSearch
        return CutSearch(self.task)

    def cut_further(self) -> Answer:
        """Take further turns of subtour elimination, beside a companion."""
        self.start_companion()
        return self.cuts.run(_LATER_CUT_TURNS)

    def finish(self) -> Answer:
        """Go on with both searches in turns to the end, beside a companion."""
        self.start_companion()
        while True:
            result = replace(self.cuts.run(_CUT_TURNS_PER_CIRCUIT_TURN), method="cuts")
            if not _has_ended(result):
                result = replace(self.circuit.run(1), method="circuit")
            if _has_ended(result):
                return result

    def start_companion(self) -> None:
        """Let another process search with another seed, if the task has several workers.

        Once it has decided the instance, the clock has no time left.
        """
        if self.task.workers == 1 or self.companion is not None or is_worker():
            return
        if self.task.instance.constrain:  # functions of the caller, which stay in this process
            return
        with suppress(StartError):
            seed = (self.task.seed + _COMPANION_SEED_DISTANCE) % (MAX_SEED + 1)
            self.companion = Companion(answer_beside, replace(self.task, seed=seed))
            self.interrupted_before = self.task.clock.is_interrupted
            self.task.clock.is_interrupted = self.companion.has_decided

    def end_companion(self) -> Answer | None:
        """End the companion, if there is one; return its answer if it has decided the instance."""
        if self.companion is None:
            return None
        has_decided = self.companion.has_decided()
        self.companion.end()
        self.task.clock.is_interrupted = self.interrupted_before
        return self.companion.answer if has_decided else None

    def call(self, method: str, **options: Any) -> Answer:
        """Answer by a specialist, which is imported outside the time limit."""
        with self.task.clock.stopped():
            function: Callable[..., Answer] = SPECIALISTS[method].load()
        return function(self.task, **options)

    def solve_parts(self) -> Answer:
        """Answer each part of a graph that two edges or two vertices separate."""
        with self.task.clock.stopped():
            from kt_cp.methods import parts
        return parts.answer(self.task, answer)

    def visit_clusters(self) -> Answer:
        """Look for a tour that visits each cluster of vertices contiguously."""
        with self.task.clock.stopped():
            from kt_cp.methods import clusters
        return clusters.answer(self.cuts)

    def fit_givens(self) -> Answer:
        """Rearrange a tour until the given steps fit, in turns with the circuit."""
        return answer_with_givens(self.task, self.circuit)


def answer_beside(task: Task) -> Answer:
    """Return the answer of subtour elimination in turns with the circuit, for a companion."""
    return ScheduleRun(task).finish()


@dataclass(frozen=True)
class Stage:
    """A stage of the schedule: a method of the table, when it is asked, and how.

    ``when`` says in words what ``enters`` tests. A method is never asked for constraints that it
    does not support.
    """

    method: str
    when: str
    enters: Callable[[Instance], bool]
    run: Callable[[ScheduleRun], Answer]


def _has_ended(answer: Answer) -> bool:
    """Return whether the answer decides the instance, or no time is left."""
    return answer.status is not Status.UNKNOWN or answer.reason_kind is ReasonKind.TIME_LIMIT


def _is_small(instance: Instance) -> bool:
    """Return whether the circuit comes before the specialists."""
    return len(instance.graph) <= _MAX_SMALL


def _is_sparse(instance: Instance) -> bool:
    """Return whether the graph has a size in `_CUTS_SIZES`, and every vertex has few neighbors."""
    if instance.symmetry is not None or len(instance.graph) not in _CUTS_SIZES:
        return False
    degrees = np.bincount(instance.edges.ravel(), minlength=1)
    has_places = instance.graph.has_places
    return bool(degrees.max() <= (_MAX_SPARSE_MOVES if has_places else _MAX_SPARSE_NEIGHBORS))


def _is_abstract(instance: Instance) -> bool:
    """Return whether this is an abstract graph, one without places, of a size in `_CUTS_SIZES`."""
    return not instance.graph.has_places and len(instance.graph) in _CUTS_SIZES


def _may_have_parts(instance: Instance) -> bool:
    """Return whether parts of this graph, if it has any, may be solved by themselves."""
    supported = used_constraints(instance) <= MOVES_AND_ENDS
    return _is_abstract(instance) and supported and not instance.one_way


def _may_have_hubs(instance: Instance) -> bool:
    """Return whether some vertex may be the hub of a cluster."""
    if not _may_have_parts(instance):
        return False
    degrees = np.bincount(instance.edges.ravel(), minlength=1)
    return int(degrees.max()) >= _MIN_HUB_DEGREE


def _has_many_neighbors(instance: Instance) -> bool:
    """Return whether every vertex of a graph without places has many neighbors."""
    if not _is_abstract(instance):
        return False
    degrees = np.bincount(instance.edges.ravel(), minlength=instance.graph.area)
    return int(degrees.min()) >= MANY_NEIGHBORS


def _has_small_circuit(instance: Instance) -> bool:
    """Return whether stating the circuit takes no more than a second.

    It does for every small board, and for small graphs with few edges.
    """
    is_dense = not instance.graph.has_places and len(instance.edges) > _MAX_EDGES_TO_STATE
    return _is_small(instance) and not is_dense


def _is_narrow(instance: Instance) -> bool:
    """Return whether some order of the vertices has a narrow frontier."""
    graph = instance.graph
    if graph.has_places or instance.one_way:
        return False
    if len(instance.edges) > _MAX_EDGES_PER_VERTEX * len(graph):
        return False
    orders = low_width_orders(graph.vertices, instance.edges)
    return any(frontier_widths(instance.edges, order).max() <= _MAX_NARROW for order in orders)


def _suits_givens(instance: Instance) -> bool:
    """Return whether steps are given, and nothing that the method ``givens`` does not support."""
    supported = used_constraints(instance) <= STEPS_AND_ENDS
    return bool(instance.givens) and supported and not instance.one_way


def _first_reasons(run: ScheduleRun) -> Answer:
    """Look for the reasons that take a scan of the board; on a plain rectangle few can apply."""
    is_complete = has_tour_unless_short_reason(run.task.instance)
    finders = reasons.RECTANGLE_REASONS if is_complete else reasons.QUICK_REASONS
    return run.call("refute", finders=finders)


# The sizes and graphs that several conditions name in words.
_SMALL_SIZES = f"up to {_MAX_SMALL:,} squares"
_NARROW_GRAPHS = f"graphs without places, with a frontier up to {_MAX_NARROW}"
_ABSTRACT_GRAPHS = f"graphs without places, of {_CUTS_SIZES[0]} to {_CUTS_SIZES[-1]:,} vertices"

_FIRST_STAGE = Stage(
    "refute", "always: reasons that take one scan of the board", lambda _: True, _first_reasons
)
_LAST_STAGE = Stage(
    "circuit", "always: CP-SAT to the end", lambda _: True, lambda run: run.circuit.run()
)

SCHEDULE = (
    Stage(
        "compose",
        f"full rectangles of more than {_MAX_NOT_COMPOSED} squares, without constraints but ends",
        lambda instance: len(instance.graph) > _MAX_NOT_COMPOSED and is_composable(instance),
        lambda run: run.call("compose"),
    ),
    _FIRST_STAGE,
    Stage(
        "cuts",
        f"a symmetry is asked for: up to {_MAX_CONFLICTS:,} conflicts",
        lambda instance: instance.symmetry is not None,
        lambda run: run.call("cuts", max_conflicts=_MAX_CONFLICTS),
    ),
    Stage(
        "cuts",
        f"{_CUTS_SIZES[0]} to {_CUTS_SIZES[-1]:,} squares, each with at most {_MAX_SPARSE_MOVES} "
        f"neighbors ({_MAX_SPARSE_NEIGHBORS} in graphs without places): a brief try",
        _is_sparse,
        lambda run: run.cuts.run(_BRIEF_TRY_TURNS),
    ),
    Stage(
        "frontier",
        f"{_NARROW_GRAPHS}, up to {_MAX_SMALL:,} vertices",
        lambda instance: _is_small(instance) and _is_narrow(instance),
        lambda run: run.call("frontier"),
    ),
    Stage(
        "cuts",
        f"{_ABSTRACT_GRAPHS}, each with {MANY_NEIGHBORS} neighbors: a path, extended and rotated",
        _has_many_neighbors,
        lambda run: run.cuts.run(_ROTATION_TURNS),
    ),
    Stage(
        "circuit",
        f"{_SMALL_SIZES}, and graphs of as many vertices and {_MAX_EDGES_TO_STATE:,} edges: "
        "CP-SAT for milliseconds, also with the cycles of a 2-factor as a hint",
        _has_small_circuit,
        lambda run: run.circuit.run(turns=0),  # quick searches only
    ),
    Stage(
        "cuts",
        f"{_ABSTRACT_GRAPHS}: {_FIRST_CUT_TURNS} turns, which in a new search begin with a brief "
        "try",
        _is_abstract,
        lambda run: run.cuts.run(_FIRST_CUT_TURNS),
    ),
    Stage(
        "auto",
        f"{_ABSTRACT_GRAPHS}, undirected: each part that two edges or two vertices separate, by "
        "itself",
        _may_have_parts,
        ScheduleRun.solve_parts,
    ),
    Stage(
        "frontier",
        f"{_NARROW_GRAPHS}, of more vertices",
        lambda instance: not _is_small(instance) and _is_narrow(instance),
        lambda run: run.call("frontier"),
    ),
    Stage(
        "cuts",
        f"{_ABSTRACT_GRAPHS}, one with {_MIN_HUB_DEGREE} neighbors, undirected: clusters of "
        "vertices, each visited contiguously",
        _may_have_hubs,
        ScheduleRun.visit_clusters,
    ),
    Stage(
        "refute",
        f"{_SMALL_SIZES}: separators, and the minimum cut of a 2-factor",
        _is_small,
        lambda run: run.call("refute", finders=_EXPLAINING_REASONS),
    ),
    Stage(
        "refute",
        f"{_SMALL_SIZES}, no given steps: separators by a greedy search and linear programming",
        lambda instance: _is_small(instance) and not instance.givens,
        lambda run: run.call("refute", finders=_HIDDEN_SEPARATORS),
    ),
    Stage(
        "circuit",
        f"{_SMALL_SIZES}: the first turns of CP-SAT",
        _is_small,
        lambda run: run.circuit.run(_FIRST_CIRCUIT_TURNS),
    ),
    Stage(
        "refute",
        f"{_SMALL_SIZES}, given steps: the same separators, which take longer than most tours",
        lambda instance: _is_small(instance) and bool(instance.givens),
        lambda run: run.call("refute", finders=_HIDDEN_SEPARATORS),
    ),
    Stage(
        "cuts",
        f"{_ABSTRACT_GRAPHS}: {_LATER_CUT_TURNS} further turns",
        _is_abstract,
        ScheduleRun.cut_further,
    ),
    Stage(
        "refute",
        f"{_ABSTRACT_GRAPHS}, more than {_MAX_SMALL:,}: separators, and the cut of a 2-factor",
        lambda instance: _is_abstract(instance) and not _is_small(instance),
        lambda run: run.call("refute", finders=reasons.SLOW_REASONS),
    ),
    Stage(
        "patch",
        f"boards of more than {_MAX_SMALL:,} squares, and other graphs of more than "
        f"{_CUTS_SIZES[-1]:,} vertices: cycles patched; slower reasons after a first attempt",
        lambda instance: not _is_small(instance) and not _is_abstract(instance),
        lambda run: run.call("patch"),
    ),
    Stage(
        "cuts",
        f"boards, without a symmetry: up to {_MAX_CONFLICTS:,} conflicts",
        lambda instance: instance.symmetry is None and not _is_abstract(instance),
        lambda run: run.cuts.run(max_conflicts=_MAX_CONFLICTS),
    ),
    Stage(
        "givens",
        "given steps, and no move in one direction only",
        _suits_givens,
        ScheduleRun.fit_givens,
    ),
    Stage(
        "cuts",
        "without a symmetry: in turns with the circuit to the end; with several workers, beside a "
        "process that does the same with another seed",
        lambda instance: instance.symmetry is None,
        ScheduleRun.finish,
    ),
    _LAST_STAGE,
)
"""The stages in their order."""


def answer(task: Task) -> Answer:
    """Return the answer of the first stage that has one.

    With parameters for CP-SAT, or a hint, the circuit is asked right after the first reasons.
    """
    is_for_circuit = bool(task.parameters) or task.hint is not None
    run = ScheduleRun(task)
    try:
        result = _run_stages(run, (_FIRST_STAGE, _LAST_STAGE) if is_for_circuit else SCHEDULE)
    finally:
        found_beside = run.end_companion()
    if result.status is Status.UNKNOWN and found_beside is not None:
        result = found_beside
    return _with_checkable_reason(task, result)


def _run_stages(run: ScheduleRun, stages: Sequence[Stage]) -> Answer:
    """Return the answer of the first stage that decides the instance, or that of the last."""
    instance = run.task.instance
    for stage in stages:
        specialist = SPECIALISTS.get(stage.method)
        if specialist is not None and specialist.unsupported(instance):
            continue
        if not stage.enters(instance):
            continue
        result = stage.run(run)
        result = replace(result, method=result.method or stage.method)
        if _has_ended(result):
            break
    return result  # the last stage always enters


def _with_checkable_reason(task: Task, result: Answer) -> Answer:
    """Replace the reason of an exhaustive search by one that a person can check, if one applies."""
    if result.reason_kind is not ReasonKind.EXHAUSTED or not _is_small(task.instance):
        return result
    reason = reasons.refute(task.instance, task.clock, _EXPLAINING_REASONS)
    return refuted(reason) if reason else result


def answer_with_givens(task: Task, circuit: CircuitSearch | None = None) -> Answer:
    """Answer by the method ``givens``, which begins with any tour that `answer` finds."""
    with task.clock.stopped():
        from kt_cp.methods import givens
    return givens.answer(task, answer, circuit)
