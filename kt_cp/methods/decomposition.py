"""Tours of which no two share a move, and graphs as unions of such cycles.

Walecki (1890) decomposed complete graphs into Hamiltonian cycles, Ringel (1956) hypercubes, Kotzig
(1973) and Foregger (1978) products of cycles, and D. E. Knuth (Claude's Cycles, 2026) the directed
graph of the cube modulo m. Here CP-SAT decides, after reasons that a person can check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import Graph, GraphLike
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import InputError, checked_number, describe_seconds, pluralize
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import tours_in_order
from kt_cp.model.decomposition import build_decomposition
from kt_cp.model.parameters import MAX_WORKERS, checked_parameters
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
        tours = pluralize(len(self.tours), f"{self.instance.kind} tour")
        what = f"{tours} of {self.instance.graph.title} without a common move"
        return f"{self.status.value}: {what} in {describe_seconds(self.seconds)}"

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
    'a8 has only 2 moves, and 2 closed tours without a common move need 4'
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
    number = count or _degree(instance)
    status, tours = Status.UNKNOWN, tuple[Tour, ...]()
    try:
        models = build_decomposition(instance, number, count is None, clock)
        solver = Solver(fields, clock, workers, seed)
        status = solver.solve(models[0].cp)
        if status is Status.FOUND:
            solution = np.array(solver.response.solution)
            found = [
                tours_in_order(model, solution[model.arcs.literals][None] == 1)[0]
                for model in models
            ]
            tours = tuple(Tour.from_ids(instance.graph, each, instance.closed) for each in found)
            _check(instance, tours, count)
    except OutOfTimeError:
        pass
    reason = None
    if status is Status.IMPOSSIBLE:
        how = f"CP-SAT proved that there are no {_wanted(instance, number)}"
        reason = Reason(ReasonKind.EXHAUSTED, instance.graph, how)
    elif status is Status.UNKNOWN:
        limit = f"the time limit of {clock.limit:g} s" if clock.limit else "a limit of CP-SAT"
        reason = Reason(ReasonKind.TIME_LIMIT, instance.graph, f"{limit} was reached")
    return DisjointTours(instance, status, tours, reason, clock.seconds)


def _check(instance: Instance, tours: tuple[Tour, ...], count: int | None) -> None:
    """Raise `AssertionError`, for a bug, unless the tours are as asked for."""
    shared = next(shared_moves(tours), None)
    made = sum(len(tour.moves) for tour in tours)
    is_all = count is not None or made == len(_moves(instance))
    are_as_asked = all(instance.satisfied_by(tour.squares) for tour in tours)
    if shared is not None or not is_all or not are_as_asked:
        raise AssertionError(f"these are not {_wanted(instance, len(tours))}")


def _moves(instance: Instance) -> Ints:
    """Return the moves: arcs of a directed graph, otherwise edges."""
    return instance.arcs if instance.graph.directed else instance.edges


def _wanted(instance: Instance, count: int) -> str:
    """Return in words what is wanted."""
    return f"{pluralize(count, f'{instance.kind} tour')} without a common move"


def _degree(instance: Instance) -> int:
    """Return the number of cycles that use all moves of a regular graph."""
    moves = len(_moves(instance))
    return moves // len(instance.graph)


def _refuted(instance: Instance, count: int | None) -> Reason | None:
    """Return a reason why there are no such tours that a person can check, or None."""
    if reason := refute(instance):
        return reason
    graph, moves = instance.graph, _moves(instance)
    degrees = [np.bincount(moves.ravel(), minlength=graph.area)]
    uses = 2
    if graph.directed:
        degrees, uses = [np.bincount(ends, minlength=graph.area) for ends in moves.T], 1
    if count is None:
        reason = _irregular(graph, degrees, uses) or _odd_cycles(graph, moves)
        if reason is not None:
            return reason
    number = count or _degree(instance)
    needed = uses * number  # at each vertex; open tours use less at their ends
    for each in degrees:
        missing = (needed - each[graph.vertices]).clip(0)
        if missing.sum() > (0 if instance.closed else needed):
            has = f"has only {pluralize(needed - int(missing.max()), 'move')}"
            text = f"{{few}} {has}, and {_wanted(instance, number)} need {needed}"
            if not instance.closed:
                text = f"{text}, but for their ends, which are too few for all such vertices"
            few = int(graph.vertices[missing.argmax()])
            return Reason.about(ReasonKind.DEAD_END, graph, text, few=few)
    return None


def _irregular(graph: Graph, degrees: Sequence[Ints], uses: int) -> Reason | None:
    """Return the reason that not every vertex has the same number of moves for each cycle."""
    vertices = graph.vertices.tolist()
    first = int(degrees[0][vertices[0]])
    for vertex in vertices:
        each = {int(degree[vertex]) for degree in degrees}
        if len(each) > 1:
            text = f"{{few}} has {degrees[0][vertex]} arcs out and {degrees[1][vertex]} in"
            return Reason.about(ReasonKind.DEAD_END, graph, text, few=vertex)
        [degree] = each
        if degree % uses:
            text = f"{{few}} has {degree} moves, an odd number, and each cycle uses two"
            return Reason.about(ReasonKind.DEAD_END, graph, text, few=vertex)
        if degree != first:
            text = (
                f"{{few}} has {degree} moves and {{many}} has {first}, but as many cycles pass both"
            )
            return Reason.about(ReasonKind.DEAD_END, graph, text, few=vertex, many=vertices[0])
    return None


def _odd_cycles(graph: Graph, arcs: Ints) -> Reason | None:
    """Return the reason that the parity of a directed graph with two arcs at each vertex is wrong.

    The two arcs out of a vertex are in different cycles, and so are the two into one, so arcs
    alternate along closed sequences. Of the permutations by two cycles of n vertices, one after the
    inverse of the other is even, and it has a cycle for each of these sequences.
    """
    if not graph.directed or len(arcs) != 2 * len(graph):
        return None
    labels = component_labels(2 * graph.area, arcs + np.array([0, graph.area]))
    number = len(np.unique(labels[graph.vertices]))
    if (len(graph) - number) % 2 == 0:
        return None
    parity = "an even" if len(graph) % 2 == 0 else "an odd"
    sequences = f"{pluralize(number, 'closed sequence')} in which arcs alternate between the cycles"
    text = f"there are {sequences}; two cycles of {len(graph)} vertices need {parity} number"
    return Reason(ReasonKind.COLORS, graph, text)
