"""The circuit model: one Boolean per arc, one function per constraint.

The arcs are those of the `kt_cp.problem.tour_graph.TourGraph`, in which every tour is a circuit
through all nodes. For an open tour, the arc that leaves the depot selects the start, and the arc
that enters it the end.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Tours, cycle_arcs, edges_of_keys, rotated
from kt_cp.model.backend import Linear
from kt_cp.model.objectives import FeatureSums
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, edge_keys_in_order, tour_symmetries
from kt_cp.problem.task import Clock, Objective
from kt_cp.problem.tour_graph import Nodes, needs_steps
from kt_cp.tour.features import MEASURES

# How many edges `break_symmetry` compares. With more, fewer tours are left, but each takes longer:
# on 6x6, whose 9,862 closed tours are 1,245 up to symmetry, 32 leave 1,263.
_COMPARED = 32


def build_models(
    instance: Instance, clock: Clock | None = None, objective: Objective | None = None
) -> list[CircuitModel]:
    """Return the circuit models of an instance; each tour solves just one of them.

    There is one model, or one for each way in which a tour can have the required symmetry. Raises
    `OutOfTimeError` if the clock's limit is reached.

    >>> [model] = build_models(Instance.of("3x4"))
    >>> len(model.arcs.pairs)  # 28 knight's moves, 12 arcs out of the depot and 12 into it
    52
    """
    clock = clock or Clock()
    clock.check()
    ways = tour_symmetries(instance)
    return [add_constraints(CircuitModel(instance, way, clock), objective) for way in ways]


def add_constraints(model: CircuitModel, objective: Objective | None = None) -> CircuitModel:
    """Add all constraints of the instance, and the objective; return the model."""
    instance = model.instance
    if not (objective and objective.may_depend_on_direction):
        break_reversal(model)
    for move in instance.require:
        require_move(model, move)
    if needs_steps(instance):
        keep_steps_and_order(model)
    model.add_circuit()
    sums = FeatureSums(model)
    for bound in instance.having:
        if bound.feature in MEASURES:
            model.bound_measure(bound)
        else:
            sums.bound(bound)
    if instance.constrain:
        from kt_cp.model.custom import add_custom_constraints  # most instances do not need it

        for function in instance.constrain:
            add_custom_constraints(model, function)
    if objective is None:
        return model
    if callable(objective.feature):
        from kt_cp.model.custom import set_custom_objective

        set_custom_objective(model, objective)
    else:
        sums.optimize(objective)
    return model


def require_move(model: CircuitModel, move: Move) -> None:
    """Ensure that a move is used: in its direction or, if it has none, in either."""
    model.cp.add_clause(model.literals_of_moves(move.arcs()))


def keep_steps_and_order(model: CircuitModel) -> None:
    """Ensure that squares with known steps have them, and those of the order follow each other."""
    positions = model.positions
    nodes = model.graph.nodes(np.array(model.instance.order, dtype=int)).tolist()
    for before, after in itertools.pairwise(nodes):
        model.cp.add_linear([positions[after], positions[before]], [1, -1], 1, len(positions))


def has_two_directions(instance: Instance) -> bool:
    """Return whether the reverse of each tour is the same closed tour of all squares."""
    return instance.closed and not (instance.allows_partial or instance.direction_matters)


def break_reversal(model: CircuitModel) -> None:
    """Keep one of the two directions of a closed tour: its second node is below its last.

    The first node is 0. Does nothing if a tour has only one direction.
    """
    if not has_two_directions(model.instance):
        return
    literals = model.arcs.literals
    tails, heads = model.arcs.pairs.T
    leaving, entering = tails == 0, heads == 0
    seconds = zip(heads[leaving].tolist(), literals[leaving].tolist(), strict=True)
    lasts = list(zip(tails[entering].tolist(), literals[entering].tolist(), strict=True))
    for second, is_second in seconds:
        for last, is_last in lasts:
            if last <= second:
                model.cp.add_clause([~is_second, ~is_last])


def break_symmetry(model: CircuitModel, maps: list[TourMap]) -> None:
    """Add lex-leader constraints: keep a few representatives of each orbit under the maps.

    As a 0/1 vector over the edges in a fixed order, a tour that is kept is no smaller than any of
    its images (Crawford, Ginsberg, Luks and Roy 1996). Only the first edges that a map moves are
    compared, as digits of binary numbers, so that at least one tour of an orbit is kept, and
    sometimes more.
    """
    for tour_map in maps:
        is_identity = np.array_equal(tour_map.images, np.arange(len(tour_map.images)))
        if not is_identity:
            _add_lex_leader(model, tour_map)
        elif tour_map.reverse and not model.instance.closed:
            order_ends(model)


def _add_lex_leader(model: CircuitModel, tour_map: TourMap) -> None:
    """Ensure that the edges of a tour, as a binary number, are no less than those of its image."""
    graph = model.instance.graph
    edges = edges_of_keys(edge_keys_in_order(graph), graph.area)
    images = np.sort(tour_map.images[edges], axis=1)
    is_moved = (edges != images).any(axis=1)
    moved_edges = edges[is_moved][:_COMPARED].tolist()
    images_of_moved = images[is_moved][:_COMPARED].tolist()
    terms: Counter[int] = Counter()
    for index, (edge, image) in enumerate(zip(moved_edges, images_of_moved, strict=True)):
        weight = 2 ** (_COMPARED - index)
        for literal in model.literals_of_moves([edge, edge[::-1]]):
            terms[literal] += weight
        for literal in model.literals_of_moves([image, image[::-1]]):
            terms[literal] -= weight
    Linear(terms).bound(model.cp, 0, None)


def order_ends(model: CircuitModel) -> None:
    """Ensure that the end of an open tour is not below its start."""
    terms: Counter[int] = Counter()  # the node of the end, minus that of the start
    arcs = zip(model.arcs.pairs.tolist(), model.arcs.literals.tolist(), strict=True)
    for (source, target), literal in arcs:
        if source == model.graph.depot:
            terms[literal] -= target
        elif target == model.graph.depot:
            terms[literal] += source
    Linear(terms).bound(model.cp, 0, None)


def tours_in_order(model: CircuitModel, used: npt.NDArray[np.bool_]) -> Tours:
    """Return the tours, as rows, of solutions: each row of ``used`` is a mask of the arcs."""
    rows, columns = np.nonzero(used)
    sources, targets = model.arcs.pairs[columns].T
    followers = np.empty((len(used), len(model.graph)), dtype=np.int64)  # solutions x nodes
    followers[rows, sources] = targets
    cycles = []
    for follower in followers.tolist():
        cycle = [0]
        while len(cycle) < len(follower):
            cycle.append(follower[cycle[-1]])
        cycles.append(cycle)
    return model.graph.tours(np.array(cycles))


def hint_path(model: CircuitModel, path: npt.ArrayLike) -> None:
    """Hint that the moves along a path, given as ids in visiting order, are used.

    A path through all squares is hinted as a tour, together with its ends or its closing move.
    """
    nodes = model.graph.nodes(path)
    if len(nodes) == len(model.instance.graph):
        hint_cycles(model, [model.graph.cycle(path)])
        return
    literals = model.arcs.literals_of(np.stack([nodes[:-1], nodes[1:]], axis=1))
    model.cp.hint(np.unique(literals))


def hint_cycles(model: CircuitModel, cycles: list[Nodes]) -> None:
    """Hint that the arcs along some cycles, given as nodes in order, are used.

    Closed tours are hinted in the direction that `break_reversal` keeps. The other arcs get no
    hint: to hint that they are unused would leave CP-SAT no freedom on large boards.
    """
    if has_two_directions(model.instance):
        cycles = [in_kept_direction(cycle) for cycle in cycles]
    literals = model.arcs.literals_of(np.concatenate([cycle_arcs(cycle) for cycle in cycles]))
    different = dict.fromkeys(literals.tolist())  # symmetric arcs share a literal
    model.cp.hint(np.array([*different], dtype=int))


def in_kept_direction(cycle: Nodes) -> Nodes:
    """Return a cycle in the direction in which the lower neighbor of its lowest node follows."""
    after, before = rotated(cycle, cycle.min())[[1, -1]]
    return cycle[::-1] if after > before else cycle
