"""Tours of which no two share a move, and graphs as unions of such cycles.

Walecki (1890) decomposed complete graphs into Hamiltonian cycles, Ringel (1956) hypercubes, Kotzig
(1973) and Foregger (1978) products of cycles, and D. E. Knuth (Claude's Cycles, 2026) the directed
graph of the cube modulo m. Here CP-SAT decides, after reasons that a person can check.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import GraphLike
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import InputError, checked_number, describe_seconds, pluralize
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import build_decomposition, tours_in_order
from kt_cp.model.parameters import MAX_WORKERS, checked_parameters
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, Clock, OutOfTimeError
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.proof.reasons import refute
from kt_cp.tour.tour import Tour, shared_moves
from kt_dfs import Status


@dataclass(frozen=True, repr=False)
class DisjointTours:
    """The answer of `decompose`: tours of which no two share a move; true if they were found.

    ``explanation`` says why there are none, or no answer; it is None when they were found.
    """

    instance: Instance
    status: Status
    tours: tuple[Tour, ...]
    explanation: Reason | None
    seconds: float

    def __bool__(self) -> bool:
        return self.status is Status.FOUND

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    @property
    def reason(self) -> str | None:
        """One sentence on why there are no such tours, or no answer; None when they were found."""
        return None if self.explanation is None else str(self.explanation)

    @property
    def summary(self) -> str:
        """The answer in one line, such as ``found: 2 closed tours of 5x6 without a common …``."""
        if self.explanation is not None:
            return f"{self.status.value}: {self.explanation}"
        return f"{self.status.value}: {self.title} in {describe_seconds(self.seconds)}"

    @property
    def title(self) -> str:
        """What was found, such as ``4 closed tours of 5x5 (torus) without a common move``."""
        return _in_words(self.instance, len(self.tours))

    def as_dict(self) -> dict[str, object]:
        """Return what ``--format json`` prints: plain values only."""
        return {
            "status": self.status.value,
            **self.instance.graph.json_field,
            "closed": self.instance.closed,
            "tours": [tour.json_names for tour in self.tours],
            "seconds": round(self.seconds, 6),
            "reason": None if self.explanation is None else self.explanation.full,
        }


def hamiltonian_decomposition(graph: GraphLike, **options: Any) -> list[list[Any]] | None:
    """Return cycles that together use every edge of a graph once, or None if there are none.

    None is proven. Each cycle lists all vertices in order. Of a directed graph, every arc
    is used once. ``options`` are those of `decompose`. Raises `OutOfTimeError` at the time limit.

    >>> hamiltonian_decomposition([(1, 2), (2, 3), (3, 1)])
    [[1, 2, 3]]
    >>> hamiltonian_decomposition([(1, 2), (2, 3), (3, 1), (1, 4)]) is None
    True
    """
    tours = _tours_of(decompose(graph, closed=True, **options))
    return None if tours is None else [tour.names for tour in tours]


def disjoint_tours(
    board: GraphLike, count: int, closed: bool = True, **options: Any
) -> list[Tour] | None:
    """Return ``count`` tours of which no two share a move, or None if there are provably none.

    ``options`` are those of `decompose`. Raises `OutOfTimeError` at the time limit.

    >>> tours = disjoint_tours("5x5", 4, topology="torus")
    >>> len({frozenset(move) for tour in tours for move in tour.moves.tolist()})
    100
    """
    return _tours_of(decompose(board, count=count, closed=closed, **options))


def _tours_of(result: DisjointTours) -> list[Tour] | None:
    """Return the tours, or None if there are none. Raises `OutOfTimeError`."""
    if result.status is Status.UNKNOWN:
        raise OutOfTimeError(result.summary)
    return list(result.tours) if result else None


def decompose(
    board: GraphLike,
    *,
    count: int | None = None,
    time_limit: float | None = None,
    workers: int = 2,
    seed: int = 0,
    parameters: Mapping[str, object] | None = None,
    **constraints: Unpack[Constraints],
) -> DisjointTours:
    """Find ``count`` tours of which no two share a move or, without it, that use every move once.

    The board and the constraints are as in `solve`; each tour meets all of them. Two tours share a
    move if both make it, in one direction or the other; in a directed graph, in the same direction.
    Raises `InputError` for invalid arguments, and for a symmetry or more than one tour with a
    required move.

    >>> decompose("8x8", count=2, closed=True).reason
    'a8 has only 2 moves, and 2 closed tours of 8x8 without a common move need 4'
    """
    instance = Instance.of(board, **constraints)
    if count is not None:
        count = checked_number("count", count, 1, max(1, len(instance.arcs)))
    if instance.symmetry is not None or (instance.require and count != 1):
        what = "a symmetry" if instance.symmetry is not None else "required moves"
        raise InputError(f"{what}: several tours without a common move cannot be asked for that")
    if count is None and not instance.closed:
        raise InputError("open tours: give how many; a decomposition is into closed tours")
    workers = checked_number("workers", workers, 1, MAX_WORKERS)
    seed = checked_number("seed", seed, 0, MAX_SEED)
    fields = checked_parameters(parameters or {})
    clock = Clock(time_limit)
    if reason := _refuted(instance, count):
        return DisjointTours(instance, Status.IMPOSSIBLE, (), reason, clock.seconds)
    number = count or len(instance.arcs) // (_uses(instance) * len(instance.graph))
    limit = f"the time limit of {time_limit:g} s" if time_limit else "a limit of CP-SAT"
    reason = Reason(ReasonKind.TIME_LIMIT, instance.graph, f"{limit} was reached")
    status, tours = Status.UNKNOWN, tuple[Tour, ...]()
    with suppress(OutOfTimeError):
        models = build_decomposition(instance, number, count is None, clock)
        solver = Solver(fields, clock, workers, seed)
        status = solver.solve(models[0].cp)
        if status is Status.FOUND:
            reason, tours = None, _tours_in(models, solver)
        elif status is Status.IMPOSSIBLE:
            text = f"CP-SAT proved that there are no {_in_words(instance, number)}"
            reason = Reason(ReasonKind.EXHAUSTED, instance.graph, text)
    return DisjointTours(instance, status, tours, reason, clock.seconds)


def _tours_in(models: list[CircuitModel], solver: Solver) -> tuple[Tour, ...]:
    """Return the tours of a solution. Raises `AssertionError`, for a bug, unless they are right."""
    solution, instance = np.array(solver.response.solution), models[0].instance
    tours = []
    for model in models:
        [squares] = tours_in_order(model, solution[model.arcs.literals][None] == 1)
        tours.append(Tour.from_ids(instance.graph, squares, instance.closed))
    if any(shared_moves(tours)) or not all(instance.satisfied_by(each.squares) for each in tours):
        raise AssertionError(f"these are not {_in_words(instance, len(tours))}")
    return tuple(tours)


def _in_words(instance: Instance, count: int) -> str:
    """Return a number of tours of an instance in words."""
    tours = pluralize(count, f"{instance.kind} tour")
    return f"{tours} of {instance.graph.title} without a common move"


def _uses(instance: Instance) -> int:
    """Return how many of the moves that leave a vertex one closed tour uses, in any direction."""
    return 1 if instance.graph.directed else 2


def _refuted(instance: Instance, count: int | None) -> Reason | None:
    """Return a reason why there are no such tours that a person can check, or None."""
    graph, vertices = instance.graph, instance.graph.vertices
    if reason := refute(instance):
        return reason
    leaving, entering = (
        np.bincount(ends, minlength=graph.area)[vertices] for ends in instance.arcs.T
    )
    if count is None:
        return _irregular(instance, leaving, entering) or _odd_cycles(instance)
    needed = _uses(instance) * count
    for moves in (leaving, entering):
        missing = (needed - moves).clip(0)
        if missing.sum() > (0 if instance.closed else needed):
            few = int(missing.argmax())
            has = f"{{few}} has only {pluralize(int(moves[few]), 'move')}"
            text = f"{has}, and {_in_words(instance, count)} need {needed}"
            if not instance.closed:
                text = f"{text}, but for their ends, which are too few for all such vertices"
            return Reason.about(ReasonKind.DEAD_END, graph, text, few=int(vertices[few]))
    return None


def _irregular(instance: Instance, leaving: Ints, entering: Ints) -> Reason | None:
    """Return the reason that not every vertex has the same number of moves for each cycle.

    The numbers are those of the moves that leave and enter each vertex.
    """
    vertices = instance.graph.vertices.tolist()
    groups = {"many": vertices[0]}
    for vertex, outs, ins in zip(vertices, leaving.tolist(), entering.tolist(), strict=True):
        if outs != ins:
            groups, text = {}, f"{{few}} has {pluralize(outs, 'arc')} out and {ins} in"
        elif outs % _uses(instance):
            groups, text = {}, f"{{few}} has {outs} moves, an odd number, and each cycle uses two"
        elif outs != leaving[0]:
            has = f"{{few}} has {outs} moves and {{many}} has {leaving[0]}"
            text = f"{has}, but as many cycles pass both"
        else:
            continue
        return Reason.about(ReasonKind.DEAD_END, instance.graph, text, few=vertex, **groups)
    return None


def _odd_cycles(instance: Instance) -> Reason | None:
    """Return the reason that the parity of a directed graph with two arcs at each vertex is wrong.

    The two arcs out of a vertex are in different cycles, and so are the two into one, so arcs
    alternate along closed sequences. Of the permutations by two cycles of n vertices, one after the
    inverse of the other is even, and it has a cycle for each of these sequences.
    """
    graph, size = instance.graph, len(instance.graph)
    if not graph.directed or len(instance.arcs) != 2 * size:
        return None
    labels = component_labels(2 * graph.area, instance.arcs + np.array([0, graph.area]))
    number = len(np.unique(labels[graph.vertices]))
    if (size - number) % 2 == 0:
        return None
    parity = "an even" if size % 2 == 0 else "an odd"
    sequences = f"{pluralize(number, 'closed sequence')} in which arcs alternate between the cycles"
    text = f"there are {sequences}; two cycles of {size} vertices need {parity} number"
    return Reason(ReasonKind.COLORS, graph, text)
