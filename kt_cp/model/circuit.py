"""The circuit model: one Boolean per arc, one function per constraint.

A closed tour is a Hamiltonian circuit of the board's graph. An open tour is one of the graph with a
depot added: the arc out of the depot picks the start, the arc into it the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kt_cp.board import Squares
from kt_cp.board.symmetry import Ints, images_under, is_symmetric
from kt_cp.errors import InputError
from kt_cp.model.backend import Arcs, Model, Solver
from kt_cp.model.objectives import FeatureSums
from kt_cp.model.own import OwnModel
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.objective import Objective
from kt_cp.problem.symmetry import TourMap, Tours, on_nodes, tour_symmetries
from kt_cp.problem.tour_graph import MAX_SQUARES, needs_steps, reachable
from kt_cp.tour.feature_table import feature_named
from kt_cp.tour.validator import FEWEST_CLOSED
from kt_dfs import Status

# How many arcs are added between two looks at the clock.
_CHUNK = 100_000


@dataclass
class CircuitModel:
    """A CP-SAT model of an instance, and what its literals mean.

    ``arcs`` holds the literal of every pair of nodes. Nodes are numbered as ``board.squares`` is,
    and ``depot`` is the node after the last. Where a symmetry is asked for, arcs that it maps onto
    each other share a literal.
    """

    instance: Instance
    symmetry: TourMap | None = None
    clock: Clock = field(default_factory=Clock)
    cp: Model = field(default_factory=Model)

    def __post_init__(self) -> None:
        self.arcs = Arcs(self.cp)

    @property
    def depot(self) -> int:
        """The node that an open tour comes from and goes to."""
        return len(self.instance.graph)

    def nodes(self, squares: Ints) -> Ints:
        """Return the nodes of squares."""
        graph = self.instance.graph
        return squares if len(graph) == graph.area else np.searchsorted(graph.vertices, squares)

    def node(self, square: int) -> int:
        """Return the node of a square."""
        return int(self.nodes(np.array([square]))[0])

    def literals(self, move: Move) -> list[int]:
        """Return the literals of the arcs that count as this move, those that exist."""
        nodes = [(self.node(source), self.node(target)) for source, target in move.arcs()]
        return [self.arcs[arc] for arc in nodes if arc in self.arcs]

    def add_arcs(self, pairs: Ints) -> None:
        """Add arcs with their literals, one for all that the symmetry maps onto each other.

        Arcs that it maps onto an arc which is not among them are left out.
        """
        if self.symmetry is None:
            for first in range(0, len(pairs), _CHUNK):
                self.clock.check()
                self.arcs.add(pairs[first : first + _CHUNK])
        else:
            self.arcs.add(*self.symmetry.orbits(pairs))


def build_models(
    instance: Instance, clock: Clock | None = None, objective: Objective | None = None
) -> list[CircuitModel]:
    """State an instance as circuits, of which each tour solves just one.

    It takes one model, or one for each way in which a tour can have the symmetry asked for. Raises
    `OutOfTime` when the clock's limit comes first.

    >>> from kt_cp.board import Board
    >>> [model] = build_models(Instance(Board(3, 4)))
    >>> len(model.arcs)  # 28 knight's moves, 12 arcs out of the depot and 12 into it
    52
    >>> len(build_models(Instance.of(Board(6, 6), closed=True, symmetry="half-turn")))
    2
    """
    clock = clock or Clock()
    if instance.symmetry is None:
        return [_build(CircuitModel(instance, clock=clock), objective)]
    board = instance.board
    if not is_symmetric(board, images_under(board, instance.symmetry)):
        return []
    ways = tour_symmetries(board, instance.symmetry, instance.closed)
    return [_build(CircuitModel(instance, on_nodes(board, way), clock), objective) for way in ways]


def _build(model: CircuitModel, objective: Objective | None) -> CircuitModel:
    instance = model.instance
    model.clock.check()
    add_moves(model)
    if instance.closed:
        forbid_there_and_back(model)
        if objective is None or not callable(objective.feature):
            break_reversal(model)
    else:
        add_depot(model)
        if instance.start is not None:
            start_at(model, instance.start)
        if instance.end is not None:
            end_at(model, instance.end)
    for move in instance.require:
        require_move(model, move)
    for move in instance.forbid:
        forbid_move(model, move)
    give_steps(model)
    add_circuit(model)
    bound_features(model)
    if instance.constrain is not None:
        OwnModel(model.cp, model.arcs, instance.graph).add_constraints(instance.constrain)
    if objective is not None:
        optimize(model, objective)
    return model


def add_moves(model: CircuitModel) -> None:
    """Return every legal move its Boolean."""
    model.add_arcs(model.nodes(model.instance.graph.arcs))


def add_depot(model: CircuitModel) -> None:
    """Let an open tour start and end anywhere: arcs between the depot and every square."""
    squares = np.arange(model.depot)
    depot = np.full_like(squares, model.depot)
    out, back = np.stack([depot, squares], axis=1), np.stack([squares, depot], axis=1)
    model.add_arcs(np.concatenate([out, back]))


def add_circuit(model: CircuitModel) -> None:
    """The arcs in use form one circuit through every node."""
    nodes = model.depot + (not model.instance.closed)
    if len(np.unique(model.arcs.pairs[:, 0])) < nodes:
        model.cp.add_clause([])  # CP-SAT's circuit would pass over a node that has no arc
    else:
        model.cp.add_circuit(model.arcs.pairs, model.arcs.literals)


def start_at(model: CircuitModel, square: int) -> None:
    """The open tour leaves the depot for this square."""
    model.cp.add_all([model.arcs[model.depot, model.node(square)]])


def end_at(model: CircuitModel, square: int) -> None:
    """The open tour returns to the depot from this square."""
    model.cp.add_all([model.arcs[model.node(square), model.depot]])


def require_move(model: CircuitModel, move: Move) -> None:
    """Require a move, in its direction or, if it has none, in either."""
    model.cp.add_clause(model.literals(move))


def forbid_move(model: CircuitModel, move: Move) -> None:
    """Forbid a move, in its direction or, if it has none, in both."""
    model.cp.add_all(~literal for literal in model.literals(move))


def give_steps(model: CircuitModel) -> None:
    """The squares whose step is known are visited at that step."""
    if needs_steps(model.instance):
        add_steps(model.cp, model.arcs, model.instance, model.clock)


def bound_features(model: CircuitModel) -> None:
    """The bounds on features are met."""
    if not model.instance.having:
        return
    sums = FeatureSums(model.cp, model.arcs, model.instance, model.clock)
    for bound in model.instance.having:
        low = None if bound.relation == "<=" else bound.value
        high = None if bound.relation == ">=" else bound.value
        sums.of(feature_named(bound.feature)).bound(model.cp, low, high)


def optimize(model: CircuitModel, objective: Objective) -> None:
    """The tour is the best by an objective."""
    if callable(objective.feature):
        OwnModel(model.cp, model.arcs, model.instance.graph).set_objective(objective)
    else:
        sums = FeatureSums(model.cp, model.arcs, model.instance, model.clock, objective.sense)
        sums.of(feature_named(objective.feature)).optimize(model.cp, objective.sense)


def own_value(instance: Instance, tour: Ints, objective: Objective) -> float | None:
    """Return what a tour is worth by a function of one's own, or None if that bars it."""
    model = CircuitModel(Instance(instance.graph, closed=instance.closed))
    add_moves(model)
    ends = [] if instance.closed else [model.depot]
    nodes = np.concatenate([ends, model.nodes(tour)]).astype(np.int64)
    add_depot(model) if ends else None
    used = model.arcs.literals_of(np.stack([nodes, np.roll(nodes, -1)], axis=1))
    model.cp.add_all(used)
    model.cp.add_all(~np.setdiff1d(model.arcs.literals, used))
    optimize(model, objective)
    solver = Solver({}, Clock())
    found = solver.solve(model.cp) is Status.FOUND
    return float(solver.response.objective_value) if found else None


def forbid_there_and_back(model: CircuitModel) -> None:
    """A circuit through fewer than three squares is no closed tour."""
    if model.depot < FEWEST_CLOSED:
        model.cp.add_clause([])


def break_reversal(model: CircuitModel) -> None:
    """Of a closed tour and its reverse keep one: the second square is below the last.

    Said at the first square; left out when some constraint depends on the direction.
    """
    if model.instance.directed:
        return
    tails, heads = model.arcs.pairs.T
    around = np.sort(heads[tails == 0])
    zeros = np.zeros_like(around)
    out = model.arcs.literals_of(np.stack([zeros, around], axis=1)).tolist()
    back = model.arcs.literals_of(np.stack([around, zeros], axis=1)).tolist()
    for number, second in enumerate(out):
        for last in back[: number + 1]:
            model.cp.add_clause([~second, ~last])


def tours_in_order(model: CircuitModel, used: npt.NDArray[np.bool_]) -> Tours:
    """Follow the arcs in use, from the depot or from where writing begins.

    Each row of ``used`` tells which of the model's arcs a solution uses; each row of the answer
    holds the ids in visiting order.
    """
    instance = model.instance
    rows, columns = np.nonzero(used)
    sources, targets = model.arcs.pairs[columns].T
    follow = np.empty((len(used), model.depot + 1), dtype=np.int64)
    follow[rows, sources] = targets
    each = np.arange(len(used))
    node = np.zeros(len(used), dtype=np.int64) if instance.closed else follow[:, model.depot]
    order = np.empty((len(used), model.depot), dtype=np.int64)
    for place in range(model.depot):
        order[:, place] = node
        node = follow[each, node]
    tours = instance.graph.vertices[order]
    if not instance.closed:
        return tours
    step, square = next(iter(instance.steps.items()), (1, instance.start))
    if square is None:
        return tours
    shift = (tours == square).argmax(axis=1)[:, None] - (step - 1)
    return np.take_along_axis(tours, (shift + np.arange(model.depot)) % model.depot, axis=1)


def add_steps(model: Model, arcs: Arcs, instance: Instance, clock: Clock) -> None:
    """Number the nodes along the circuit, and fix the known steps.

    ``arcs`` are the circuit's literals by pair of nodes. Raises `InputError` on boards of too many
    squares, and `OutOfTime` when the clock's limit is reached.
    """
    count = len(instance.graph)
    if count > MAX_SQUARES:
        raise InputError(f"step numbers can be given on boards of up to {MAX_SQUARES:,} squares")
    possible = reachable(instance).T
    if not (possible.any(axis=0).all() and possible.any(axis=1).all()):
        model.add_clause([])
        return
    first, break_at = 0, count  # the node after which numbers begin anew: an open tour's depot
    if instance.closed:
        first = next(iter(instance.steps)) - 1
        break_at = int(possible[:, first].argmax())
    times = [model.new_integer(np.flatnonzero(row)) for row in np.roll(possible, -first, axis=1)]
    for used, (source, target) in zip(arcs.literals.tolist(), arcs.pairs.tolist(), strict=True):
        clock.check()
        if target == break_at:
            model.add_linear([times[source]], [1], count - 1, count - 1, only_if=used)
        elif source == count:
            model.add_linear([times[target]], [1], 0, 0, only_if=used)
        else:
            model.add_linear([times[target], times[source]], [1, -1], 1, 1, only_if=used)


def hint_path(model: CircuitModel, path: Squares) -> None:
    """Hint that a path, given as ids, is used; an open one from the depot and back to it."""
    nodes = model.nodes(path)
    if not model.instance.closed:
        nodes = np.concatenate([[model.depot], nodes, [model.depot]])
    pairs = np.stack([nodes[:-1], nodes[1:]], axis=1)
    literals = model.arcs.literals_of(pairs)
    model.cp.hint(literals if model.symmetry is None else np.unique(literals))


def hint_cycles(model: CircuitModel, cycles: list[Ints]) -> None:
    """Hint that the arcs along some cycles, given as nodes in order, are used.

    Only these arcs are hinted. To hint that all others are unused serves small boards as well, but
    leaves CP-SAT no freedom on large ones.
    """
    arcs = [np.stack([cycle, np.roll(cycle, -1)], axis=1) for cycle in cycles]
    model.cp.hint(model.arcs.literals_of(np.concatenate(arcs)))
