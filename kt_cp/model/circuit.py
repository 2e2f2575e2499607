"""The circuit model: one Boolean per arc, one function per constraint.

A closed tour is a Hamiltonian circuit of the board's graph. An open tour is one of the graph with a
depot added: the arc out of the depot picks the start, the arc into it the end.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.board import Board, as_board
from kt_cp.board.board import SquareLike
from kt_cp.errors import InputError, printable
from kt_cp.model.backend import Arcs, Model, Solver
from kt_cp.model.objectives import FeatureSums, Linear
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Move, Objective, OwnFunction, Sense, parse_move
from kt_cp.problem.instance import Instance
from kt_cp.problem.steps import MAX_NUMBERED, needs_steps, reachable
from kt_cp.problem.symmetry import TourMap, Tours, edge_order, tour_symmetries
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.tour.feature_table import feature_named
from kt_cp.tour.validator import FEWEST_CLOSED
from kt_dfs import Status

# About how many seconds it takes to add an arc. This cannot be interrupted.
_STATING = 4e-6

# How many edges `break_symmetry` compares. More leave fewer tours and cost more each: on 6x6, whose
# 9,862 closed tours are 1,245 up to symmetry, 32 leave 1,263.
_COMPARED = 32

# CP-SAT refuses coefficients from here on when it solves the model, not when it validates it.
_MOST = 1e20


@dataclass
class CircuitModel:
    """A CP-SAT model of an instance, and what its literals mean.

    ``arcs`` holds the literal of every pair of nodes, which are numbered as ``board.squares`` is;
    the ``depot`` of an open tour is the node after the last. Where a symmetry is asked for, arcs
    that it maps onto each other share a literal.
    """

    instance: Instance
    symmetry: TourMap | None = None
    clock: Clock = field(default_factory=Clock)
    cp: Model = field(default_factory=Model)

    def __post_init__(self) -> None:
        self.arcs = Arcs(np.empty((0, 2), np.int64), np.empty(0, np.int64))
        self.depot = len(self.instance.graph)

    def nodes(self, squares: npt.ArrayLike) -> Ints:
        """Return the nodes of squares; the id after the last stands for the depot."""
        return TourGraph(self.instance).nodes(np.asarray(squares))

    def literals(self, arcs: npt.ArrayLike) -> list[int]:
        """Return the literals of arcs, given as pairs of squares: of those that exist."""
        literals: list[int] = self.arcs.of(self.nodes(arcs)).tolist()
        return literals

    def add_arcs(self, pairs: Ints) -> None:
        """Add arcs with their literals; those whose images are not all among them are left out."""
        self.clock.check(_STATING * len(pairs))
        groups: Ints = np.arange(len(pairs))
        if self.symmetry is not None:
            pairs, groups = self.symmetry.orbits(pairs)
        literals = self.cp.new_literals(int(groups.max(initial=-1) + 1))[groups]
        pairs = np.concatenate([self.arcs.pairs, pairs])
        self.arcs = Arcs(pairs, np.append(self.arcs.literals, literals))


def build_models(
    instance: Instance, clock: Clock | None = None, objective: Objective | None = None
) -> list[CircuitModel]:
    """State an instance as circuits, of which each tour solves just one.

    It takes one model, or one for each way in which a tour can have the symmetry asked for. Raises
    `OutOfTime` when the clock's limit comes first.

    >>> [model] = build_models(Instance.of("3x4"))
    >>> len(model.arcs.pairs)  # 28 knight's moves, 12 arcs out of the depot and 12 into it
    52
    """
    clock = clock or Clock()
    if instance.symmetry is None:
        return [_build(CircuitModel(instance, clock=clock), objective)]
    board, nodes = instance.board, TourGraph(instance).nodes
    maps = tour_symmetries(board, instance.symmetry, instance.closed)
    ways = [replace(way, images=nodes(way.images[board.squares])) for way in maps]
    return [_build(CircuitModel(instance, way, clock), objective) for way in ways]


def _build(model: CircuitModel, objective: Objective | None) -> CircuitModel:
    instance = model.instance
    model.clock.check()
    add_moves(model)
    if instance.closed:
        if objective is None or not callable(objective.feature):
            break_reversal(model)
    else:
        add_depot(model)
        fix_ends(model)
    for move in instance.require:
        require_move(model, move)
    for move in instance.forbid:
        forbid_move(model, move)
    give_steps(model)
    add_circuit(model)
    bound_features(model)
    if instance.constrain is not None:
        OwnModel(model).add_constraints(instance.constrain)
    if objective is not None:
        optimize(model, objective)
    return model


def add_moves(model: CircuitModel) -> None:
    """Add a Boolean for every legal move."""
    model.add_arcs(model.nodes(model.instance.graph.arcs))


def add_depot(model: CircuitModel) -> None:
    """Let an open tour start and end anywhere: arcs between the depot and every square."""
    squares = np.arange(model.depot)
    depot = np.full_like(squares, model.depot)
    pairs = [np.append(depot, squares), np.append(squares, depot)]
    model.add_arcs(np.stack(pairs, axis=1))


def add_circuit(model: CircuitModel) -> None:
    """The arcs in use form one circuit through every node; there and back is no closed tour."""
    nodes = model.depot + (not model.instance.closed)
    is_short = model.instance.closed and nodes < FEWEST_CLOSED
    if is_short or len(np.unique(model.arcs.pairs[:, 0])) < nodes:
        model.cp.add_clause([])  # CP-SAT's circuit would pass over a node that has no arc
    else:
        model.cp.add_circuit(model.arcs.pairs, model.arcs.literals)


def fix_ends(model: CircuitModel) -> None:
    """An open tour leaves the depot for its start, and returns to it from its end, if known."""
    instance, depot = model.instance, model.instance.graph.area
    if instance.start is not None:
        model.cp.add_clause(model.literals([(depot, instance.start)]))
    if instance.end is not None:
        model.cp.add_clause(model.literals([(instance.end, depot)]))


def require_move(model: CircuitModel, move: Move) -> None:
    """Require a move, in its direction or, if it has none, in either."""
    model.cp.add_clause(model.literals(move.arcs()))


def forbid_move(model: CircuitModel, move: Move) -> None:
    """Forbid a move, in its direction or, if it has none, in both."""
    model.cp.add_all(~literal for literal in model.literals(move.arcs()))


def give_steps(model: CircuitModel) -> None:
    """Number the nodes along the circuit, and fix the known steps."""
    cp, instance, count = model.cp, model.instance, model.depot
    if not needs_steps(instance):
        return
    if count > MAX_NUMBERED:
        raise InputError(f"step numbers can be given on boards of up to {MAX_NUMBERED:,} squares")
    possible = reachable(instance).T
    if not (possible.any(axis=0).all() and possible.any(axis=1).all()):
        cp.add_clause([])
        return
    first, break_at = 0, count  # the node after which numbers begin anew: an open tour's depot
    if instance.closed:
        first = next(iter(instance.steps)) - 1
        break_at = int(possible[:, first].argmax())
    times = [cp.new_integer(np.flatnonzero(row)) for row in np.roll(possible, -first, axis=1)]
    arcs = model.arcs
    for used, (source, target) in zip(arcs.literals.tolist(), arcs.pairs.tolist(), strict=True):
        model.clock.check()
        if target == break_at:
            cp.add_linear([times[source]], [1], count - 1, count - 1, only_if=used)
        elif source == count:
            cp.add_linear([times[target]], [1], 0, 0, only_if=used)
        else:
            cp.add_linear([times[target], times[source]], [1, -1], 1, 1, only_if=used)


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
        OwnModel(model).set_objective(objective)
    else:
        sums = FeatureSums(model.cp, model.arcs, model.instance, model.clock, objective.sense)
        sums.of(feature_named(objective.feature)).optimize(model.cp, objective.sense)


class OwnModel:
    """What ``constrain``, and a function as an objective, are called with.

    ``cp`` is the ``CpModel``: whatever is added to it takes part in the search. Moves are given by
    their squares, also in open tours and where a symmetry makes several moves one; what is no move
    is refused. Two examples: at most 4 moves of slope 1/2, and the fewest turns of a tour through a
    cross in the center.

    >>> from kt_cp import solve
    >>> board = Board(6, 6)
    >>> rising = [(a, b) for a, b in board.arcs.tolist() if b - a == 2 - board.columns]
    >>> def gentle(model):
    ...     model.cp.add(sum(model.edge(a, b) for a, b in rising) <= 4)
    >>> solve(board, closed=True, constrain=gentle).status
    <Status.FOUND: 'found'>
    >>> def cross(model):
    ...     model.cp.add(model.edge("c2", "d4") + model.edge("c4", "d2") == 2)
    >>> solve(board, closed=True, constrain=cross, minimize="turns").objective.value
    32
    """

    def __init__(self, model: CircuitModel) -> None:
        from ortools.sat.python import cp_model

        self.cp: Any = cp_model.CpModel(model.cp.proto)
        self.graph, self._model = model.instance.graph, model

    @property
    def board(self) -> Board:
        """The graph, where it is a board. Raises `InputError` for a graph without places."""
        return as_board(self.graph)

    def add_constraints(self, constrain: OwnFunction) -> None:
        """Have a function add constraints.

        Raises `InputError` if it sets an objective, or makes a model that CP-SAT does not accept.
        """
        from ortools.sat.python.cp_model import Constraint

        value = constrain(self)
        if self.cp.has_objective():
            wanted = "give that as minimize= or maximize="
            raise InputError(f"constrain: the function sets an objective; {wanted}")
        self._check("constrain")
        returned = value if isinstance(value, list | tuple) else [value]
        if not all(each is None or isinstance(each, Constraint) for each in returned):
            wanted = "add it instead, with model.cp.add(...), and return nothing"
            raise _refused("constrain", value, wanted)

    def set_objective(self, objective: Objective) -> None:
        """Have a function return the objective.

        Raises `InputError` if that is no expression, or makes a model that CP-SAT does not accept.
        """
        assert callable(objective.feature)
        value, role = objective.feature(self), f"{objective.sense} {printable(objective.name)}"
        is_least = objective.sense is Sense.MINIMIZE
        try:
            (self.cp.minimize if is_least else self.cp.maximize)(value)
        except TypeError:
            wanted = "return an expression, such as a sum of model.edge(a, b)"
            raise _refused(role, value, wanted) from None
        if self.cp.proto.has_floating_point_objective():
            sums = self.cp.proto.floating_point_objective
            if not all(abs(each) < _MOST for each in (*sums.coeffs, sums.offset)):
                raise InputError(f"{role}: a coefficient is not below {_MOST:g}")
        self._check(role)

    def _check(self, role: str) -> None:
        if fault := self.cp.validate():
            fault = printable(fault.splitlines()[0].split(":")[0])
            raise InputError(f"{role}: CP-SAT does not accept the model: {fault}")

    def move(self, a: SquareLike, b: SquareLike) -> Any:
        """Return the literal of the move from one square to another."""
        source, target, _ = parse_move(self.graph, (a, b))
        literals = self._literals(parse_move(self.graph, Move(source, target, directed=True)))
        return literals[0] if literals else self.cp.new_constant(0)  # no symmetric tour has it

    def edge(self, a: SquareLike, b: SquareLike) -> Any:
        """Return the 0/1 expression that a move is made in one direction or the other."""
        return sum(self._literals(parse_move(self.graph, (a, b))))

    def _literals(self, move: Move) -> list[Any]:
        return list(map(self.cp.get_bool_var_from_proto_index, self._model.literals(move.arcs())))


def _refused(role: str, value: object, wanted: str) -> InputError:
    return InputError(f"{role}: the function returned {printable(reprlib.repr(value))}: {wanted}")


def own_value(instance: Instance, tour: Ints, objective: Objective) -> float | None:
    """Return what a tour is worth by a custom function, or None if that bars it."""
    model = CircuitModel(Instance(instance.graph, closed=instance.closed))
    add_moves(model)
    if not instance.closed:
        add_depot(model)
    cycle = TourGraph(instance).cycle(tour)
    used = model.arcs.of(np.stack([cycle, np.roll(cycle, -1)], axis=1))
    model.cp.add_all(used)
    model.cp.add_all(~np.setdiff1d(model.arcs.literals, used))
    optimize(model, objective)
    solver = Solver({}, Clock())
    found = solver.solve(model.cp) is Status.FOUND
    return float(solver.response.objective_value) if found else None


def break_reversal(model: CircuitModel) -> None:
    """Of a closed tour and its reverse keep one: the second square is below the last.

    Said at the first square; left out when some constraint depends on the direction.
    """
    if model.instance.directed:
        return
    tails, heads = model.arcs.pairs.T
    out = np.stack([np.zeros_like(heads), heads], axis=1)[tails == 0]
    out = out[np.argsort(out[:, 1])]
    lasts = model.arcs.of(out[:, ::-1]).tolist()
    for number, second in enumerate(model.arcs.of(out).tolist()):
        for last in lasts[: number + 1]:
            model.cp.add_clause([~second, ~last])


def break_symmetry(model: CircuitModel, maps: list[TourMap]) -> None:
    """Of all that the maps make of a tour keep those whose edges come first (lex-leader).

    Crawford, Ginsberg, Luks and Roy (1996): as 0/1 vectors over the edges, in a fixed order, the
    tour kept is no smaller than any of its images. Only the first edges that differ are compared,
    as digits of binary numbers, so more than one may be left; one always is.
    """
    board = model.instance.graph
    edges = np.stack(np.divmod(edge_order(board), board.area), axis=1)
    for tour_map in maps:
        terms: Counter[int] = Counter()
        if (tour_map.images != np.arange(len(tour_map.images))).any():
            pairs = np.sort(np.stack([edges, tour_map.images[edges]], axis=1))
            moved = pairs[(pairs[:, 0] != pairs[:, 1]).any(axis=1)]
            for place, pair in enumerate(moved[:_COMPARED].tolist()):
                for edge, weight in zip(pair, (1, -1), strict=True):
                    for literal in model.literals([edge, edge[::-1]]):
                        terms[literal] += weight * 2 ** (_COMPARED - place)
        elif tour_map.reverse and not model.instance.closed:  # the end is not below the start
            for place, square in enumerate(board.vertices.tolist()):
                start, end = model.literals([(board.area, square), (square, board.area)])
                terms.update({start: -place, end: place})
        Linear(terms).bound(model.cp, 0, None)


def tours_in_order(model: CircuitModel, used: npt.NDArray[np.bool_]) -> Tours:
    """Return the tours, as rows, of solutions: rows that tell which of the arcs each uses."""
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
    step, square = next(iter(instance.steps.items()), (1, instance.start))
    if not instance.closed or square is None:
        return tours
    shift = (tours == square).argmax(axis=1)[:, None] - (step - 1)
    return np.take_along_axis(tours, (shift + np.arange(model.depot)) % model.depot, axis=1)


def hint_cycles(model: CircuitModel, cycles: list[Ints]) -> None:
    """Hint that the arcs along some cycles, given as nodes in order, are used.

    Closed tours are hinted in the direction that `break_reversal` leaves. To hint that all other
    arcs are unused leaves CP-SAT no freedom on large boards.
    """
    instance, pairs = model.instance, list[Ints]()
    for cycle in cycles:
        after, before = np.roll(cycle, -int(cycle.argmin()))[[1, -1]]
        is_back = instance.closed and not instance.directed and after > before
        pairs.append(np.stack([cycle, np.roll(cycle, 1 if is_back else -1)], axis=1))
    literals = model.arcs.of(np.concatenate(pairs)).tolist()
    model.cp.hint(np.array([*dict.fromkeys(literals)], dtype=int))  # symmetric arcs share a literal
