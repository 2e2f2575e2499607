"""The method ``auto``: reasons that a person can check, the circuit, and specialists.

`SCHEDULE` lists its stages. Each has a condition on the instance, and the first that has an answer
ends the schedule; ``kt methods auto`` prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.board import Board
from kt_cp.graph import frontier_widths, narrow_orders
from kt_cp.methods.answers import Answer, gave_up, refuted
from kt_cp.methods.compose import composable
from kt_cp.methods.table import METHODS
from kt_cp.model.parameters import Parameters
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import (
    QUICK_REASONS,
    REASONS,
    SHORT_REASONS,
    SLOW_REASONS,
    Find,
    ReasonKind,
    refute,
)
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.methods.circuit import CircuitSearch

# Up to this many squares the circuit comes before the specialists; full rectangles that are larger
# than the second number are composed, as up to there the circuit is as fast.
_CIRCUIT_FIRST, _COMPOSED = 1_000, 400

# From the first number of vertices on, subtour elimination is faster than the circuit where degrees
# are small; up to the second the degrees are looked at, as larger graphs take too long to list.
# Up to the third, graphs with four neighbors at most need few conflicts, or are faster to patch.
_TINY, _LISTED, _SPARSE = 64, 100_000, 10_000

# Turns of CP-SAT before the specialists: one without the linear relaxation, and one with it.
_FIRST_TURNS = 2

# Conflicts of CaDiCaL until subtour elimination is given up. Most boards take a few hundred; where
# they take more, the linear relaxation of the circuit may see what clauses alone do not.
_CONFLICTS = 30_000

# Where the frontier is not wider than this, it decides in a fraction of a second, and subtour
# elimination is given up after a few conflicts.
_NARROW, _SWEPT, _FEW = 8, 300, 500


@dataclass(frozen=True)
class Run:
    """A run of the schedule on an instance. Stages share the models of the circuit."""

    instance: Instance
    clock: Clock
    workers: int
    seed: int
    parameters: Parameters | None = None

    @cached_property
    def circuit(self) -> CircuitSearch:
        """The search of the circuit model, which one stage begins and a later one continues."""
        with self.clock.stopped():
            from kt_cp.methods.circuit import CircuitSearch
        return CircuitSearch(
            self.instance, self.clock, self.workers, self.seed, self.parameters or {}
        )

    def refute(self, reasons: Sequence[Find]) -> Answer | None:
        """Look for a reason why there is no tour."""
        reason = refute(self.instance, self.clock, reasons)
        return refuted(reason) if reason else None

    def call(self, method: str, **options: Any) -> Answer:
        """Answer by a method of the table, which is imported outside the time limit."""
        with self.clock.stopped():
            function: Callable[..., Answer] = METHODS[method].load()
        return function(self.instance, self.clock, self.workers, self.seed, **options)


@dataclass(frozen=True)
class Stage:
    """A stage of the schedule: a method of the table, and when it is asked.

    ``when`` says in words what ``enters`` tests. ``run`` returns an answer, or None without one.
    A method is never asked for constraints that it does not support.
    """

    method: str
    when: str
    enters: Callable[[Instance], bool]
    run: Callable[[Run], Answer | None]


def _is_small(instance: Instance) -> bool:
    return len(instance.graph) <= _CIRCUIT_FIRST


def _most_neighbors(instance: Instance) -> int:
    return int(np.bincount(instance.edges.ravel(), minlength=1).max())


def _suits_subtours(instance: Instance) -> bool:
    """Whether few free choices are left: of orbits, or of edges where vertices have only three."""
    if instance.symmetry is not None:
        return True
    return _TINY < len(instance.graph) <= _LISTED and _most_neighbors(instance) <= 3


def _is_sparse(instance: Instance) -> bool:
    """Whether the graph is large, has no places, and has four neighbors at most at a vertex."""
    large = _CIRCUIT_FIRST < len(instance.graph) <= _SPARSE
    return large and not isinstance(instance.graph, Board) and _most_neighbors(instance) == 4


def _is_narrow(instance: Instance) -> bool:
    """Whether the states of a frontier are so few that going through all of them takes no time."""
    graph = instance.graph
    if isinstance(graph, Board) or len(graph) > _SWEPT or instance.one_way:
        return False
    edges = instance.edges
    orders = narrow_orders(graph.vertices, edges)
    return min(int(frontier_widths(edges, order).max()) for order in orders) <= _NARROW


def _first_reasons(run: Run) -> Answer | None:
    """Look for the reasons that take a scan of the board; on a plain rectangle few can apply."""
    plain = (
        composable(run.instance) and min(run.instance.board.rows, run.instance.board.columns) > 5
    )
    return run.refute(SHORT_REASONS if plain else QUICK_REASONS)


SCHEDULE = (
    Stage(
        "compose",
        f"full rectangles of more than {_COMPOSED} squares, without constraints but one end of an "
        "even number of squares",
        lambda instance: len(instance.graph) > _COMPOSED and composable(instance),
        lambda run: run.call("compose"),
    ),
    Stage(
        "refute",
        "always: reasons that take one scan of the board",
        lambda instance: True,
        _first_reasons,
    ),
    Stage(
        "cuts",
        f"a symmetry is asked for, or, on more than {_TINY} squares, none has more than three "
        f"neighbors: up to {_CONFLICTS:,} conflicts",
        _suits_subtours,
        lambda run: run.call("cuts", most=_FEW if _is_narrow(run.instance) else _CONFLICTS),
    ),
    Stage(
        "frontier",
        f"graphs without places, of up to {_SWEPT} vertices and with a frontier up to {_NARROW}",
        _is_narrow,
        lambda run: run.call("frontier"),
    ),
    Stage(
        "circuit",
        f"up to {_CIRCUIT_FIRST:,} squares: cycles of a 2-factor as a hint, repaired by CP-SAT",
        _is_small,
        lambda run: run.circuit.repair(),
    ),
    Stage(
        "refute",
        f"up to {_CIRCUIT_FIRST:,} squares: separators, and the minimum cut of a 2-factor",
        _is_small,
        lambda run: run.refute(SLOW_REASONS),
    ),
    Stage(
        "circuit",
        f"up to {_CIRCUIT_FIRST:,} squares: the first turns of CP-SAT",
        _is_small,
        lambda run: run.circuit.run(_FIRST_TURNS),
    ),
    Stage(
        "cuts",
        f"graphs without places, of {_CIRCUIT_FIRST:,} to {_SPARSE:,} vertices, of which none has "
        f"more than four neighbors: up to {2 * _FEW:,} conflicts",
        _is_sparse,
        lambda run: run.call("cuts", most=2 * _FEW),
    ),
    Stage(
        "patch",
        f"more than {_CIRCUIT_FIRST:,} squares, with the slower reasons",
        lambda instance: not _is_small(instance),
        lambda run: run.call("patch"),
    ),
    Stage(
        "cuts",
        f"otherwise: up to {_CONFLICTS:,} conflicts",
        lambda instance: not _suits_subtours(instance),
        lambda run: run.call("cuts", most=_CONFLICTS),
    ),
    Stage(
        "givens",
        "given steps, and no move in one direction only",
        lambda instance: bool(instance.givens) and not instance.one_way,
        lambda run: run.call("givens", circuit=run.circuit),
    ),
    Stage(
        "circuit",
        "always: CP-SAT to the end",
        lambda instance: True,
        lambda run: run.circuit.run(),
    ),
)
"""The stages in their order."""


def refute_answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Answer by a reason that a person can check, or give up: the method ``refute``."""
    reason = refute(instance, clock, REASONS)
    return refuted(reason) if reason else gave_up(instance, "no known reason applies")


def answer(
    instance: Instance,
    clock: Clock,
    workers: int,
    seed: int,
    parameters: Parameters | None = None,
) -> Answer:
    """Return the answer of the first stage that has one.

    With ``parameters`` for CP-SAT, the circuit is asked right after the first reasons.
    """
    run = Run(instance, clock, workers, seed, parameters)
    if parameters:
        return _first_reasons(run) or replace(run.circuit.run(), method="circuit")
    for stage in SCHEDULE:
        if METHODS[stage.method].unsupported(instance) or not stage.enters(instance):
            continue
        answer = stage.run(run)
        late = answer and answer.reason and answer.reason.kind is ReasonKind.TIME_LIMIT
        if answer and (late or answer.status is not Status.UNKNOWN):
            break
    assert answer is not None
    searched = answer.reason is not None and answer.reason.kind is ReasonKind.EXHAUSTED
    # A reason that a person can check says more than that a search went through everything.
    if searched and _is_small(instance) and (told := run.refute(SLOW_REASONS)):
        return replace(told, method="refute")
    return replace(answer, method=answer.method or stage.method)
