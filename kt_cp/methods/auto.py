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
from kt_cp.proof import reasons
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.methods.circuit import CircuitSearch

# Up to this many squares the circuit comes before the specialists; full rectangles that are larger
# than the second number are composed, as up to there the circuit is as fast.
_CIRCUIT_FIRST, _COMPOSED = 1_000, 400

# On graphs of this many vertices subtour elimination comes first where they have few neighbors.
_SPARSE = range(65, 10_001)

# Turns of CP-SAT before the specialists: one without the linear relaxation, and one with it.
_FIRST_TURNS = 2

# Conflicts of CaDiCaL until subtour elimination is given up: on sparse graphs, which take some
# dozens or thousands, and elsewhere. Where a board takes more, the linear relaxation of the circuit
# may see what clauses alone do not.
_FEW, _CONFLICTS = 500, 30_000

# Up to the first number of vertices, and where it is not wider than the second, a frontier decides
# in a fraction of a second.
_SWEPT, _NARROW = 300, 8


@dataclass(frozen=True)
class Run:
    """A run of the schedule on an instance. Stages share the models of the circuit."""

    instance: Instance
    clock: Clock
    workers: int
    seed: int
    given: Parameters

    @cached_property
    def circuit(self) -> CircuitSearch:
        """The search of the circuit model, which one stage begins and a later one continues."""
        with self.clock.stopped():
            from kt_cp.methods.circuit import CircuitSearch
        return CircuitSearch(self.instance, self.clock, self.workers, self.seed, self.given)

    def call(self, method: str, **options: Any) -> Answer:
        """Answer by a method of the table, which is imported outside the time limit."""
        with self.clock.stopped():
            function: Callable[..., Answer] = METHODS[method].load()
        return function(self.instance, self.clock, self.workers, self.seed, **options)


@dataclass(frozen=True)
class Stage:
    """A stage of the schedule: a method of the table, when it is asked, and how.

    ``when`` says in words what ``enters`` tests. A method is never asked for constraints that it
    does not support.
    """

    method: str
    when: str
    enters: Callable[[Instance], bool]
    run: Callable[[Run], Answer]


def _is_small(instance: Instance) -> bool:
    return len(instance.graph) <= _CIRCUIT_FIRST


def _suits_subtours(instance: Instance) -> bool:
    """Whether few choices are left: of orbits, or of edges where vertices have few neighbors."""
    graph = instance.graph
    if instance.symmetry is not None:
        return True
    if len(graph) not in _SPARSE:
        return False
    degrees = np.bincount(instance.edges.ravel(), minlength=1)
    return bool(degrees.max() <= (3 if isinstance(graph, Board) else 4))


def _is_narrow(instance: Instance) -> bool:
    """Whether the states of a frontier are so few that going through all of them takes no time."""
    graph = instance.graph
    if isinstance(graph, Board) or len(graph) > _SWEPT or instance.one_way:
        return False
    orders = narrow_orders(graph.vertices, instance.edges)
    return min(int(frontier_widths(instance.edges, each).max()) for each in orders) <= _NARROW


def _first_reasons(run: Run) -> Answer:
    """Look for the reasons that take a scan of the board; on a plain rectangle few can apply."""
    plain = composable(run.instance, shortest=6)
    return run.call("refute", some=reasons.SHORT_REASONS if plain else reasons.QUICK_REASONS)


_SMALL = f"up to {_CIRCUIT_FIRST:,} squares"

_FIRST = Stage(
    "refute", "always: reasons that take one scan of the board", lambda _: True, _first_reasons
)
_LAST = Stage("circuit", "always: CP-SAT to the end", lambda _: True, lambda run: run.circuit.run())

SCHEDULE = (
    Stage(
        "compose",
        f"full rectangles of more than {_COMPOSED} squares, without constraints but one end of an "
        "even number of squares",
        lambda instance: len(instance.graph) > _COMPOSED and composable(instance),
        lambda run: run.call("compose"),
    ),
    _FIRST,
    Stage(
        "cuts",
        f"a symmetry is asked for, or none of {_SPARSE[0]} to {_SPARSE[-1]:,} squares has more "
        "than three neighbors, in graphs without places four",
        _suits_subtours,
        lambda run: run.call("cuts", most=_CONFLICTS if run.instance.symmetry else _FEW),
    ),
    Stage(
        "frontier",
        f"graphs without places, of up to {_SWEPT} vertices and with a frontier up to {_NARROW}",
        _is_narrow,
        lambda run: run.call("frontier"),
    ),
    Stage(
        "circuit",
        f"{_SMALL}: cycles of a 2-factor as a hint, repaired by CP-SAT",
        _is_small,
        lambda run: run.circuit.run(0),
    ),
    Stage(
        "refute",
        f"{_SMALL}: separators, and the minimum cut of a 2-factor",
        _is_small,
        lambda run: run.call("refute", some=reasons.SLOW_REASONS),
    ),
    Stage(
        "circuit",
        f"{_SMALL}: the first turns of CP-SAT",
        _is_small,
        lambda run: run.circuit.run(_FIRST_TURNS),
    ),
    Stage(
        "patch",
        f"more than {_CIRCUIT_FIRST:,} squares, with the slower reasons",
        lambda instance: not _is_small(instance),
        lambda run: run.call("patch"),
    ),
    Stage(
        "cuts",
        f"without a symmetry: up to {_CONFLICTS:,} conflicts",
        lambda instance: instance.symmetry is None,
        lambda run: run.call("cuts", most=_CONFLICTS),
    ),
    Stage(
        "givens",
        "given steps, and no move in one direction only",
        lambda instance: bool(instance.givens) and not instance.one_way,
        lambda run: run.call("givens", circuit=run.circuit),
    ),
    _LAST,
)
"""The stages in their order."""


def refute_answer(
    instance: Instance,
    clock: Clock,
    workers: int,
    seed: int,
    some: Sequence[reasons.Find] = reasons.REASONS,
) -> Answer:
    """Answer by a reason that a person can check, or give up: the method ``refute``."""
    reason = reasons.refute(instance, clock, some)
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
    run = Run(instance, clock, workers, seed, parameters or {})
    for stage in (_FIRST, _LAST) if parameters else SCHEDULE:
        if METHODS[stage.method].unsupported(instance) or not stage.enters(instance):
            continue
        answer = stage.run(run)
        kind = answer.reason and answer.reason.kind
        if answer.status is not Status.UNKNOWN or kind is reasons.ReasonKind.TIME_LIMIT:
            break
    # A reason that a person can check says more than that a search went through everything.
    if kind is reasons.ReasonKind.EXHAUSTED and _is_small(instance):
        reason = reasons.refute(instance, clock, reasons.SLOW_REASONS)
        answer = refuted(reason) if reason else answer
    return replace(answer, method=answer.method or stage.method)
