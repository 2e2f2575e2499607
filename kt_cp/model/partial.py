"""The circuit model of tours that may leave squares out, each of them by a self-loop.

CP-SAT's circuit constraint excuses a node whose self-loop is in use. So every vertex gets a Boolean
that it is visited, the negation of its loop, and the sum of these is the objective. One more
Boolean for every edge, the sum of its two arcs, is for constraints without a direction, such as
that two edges do not cross.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Squares, cycle_arcs
from kt_cp.graph import ColorChange
from kt_cp.graph_algorithms import blocks_of
from kt_cp.model.backend import Linear
from kt_cp.model.circuit import in_kept_direction, require_move
from kt_cp.model.custom import add_custom_constraints
from kt_cp.model.objectives import FeatureSums
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_maps
from kt_cp.problem.task import Clock, Objective, Sense
from kt_cp.problem.tour_graph import Nodes
from kt_cp.tour.features import Counted, feature_named
from kt_cp.tour.validator import FEWEST_CLOSED


@dataclass
class PartialModel(CircuitModel):
    """A circuit model with loops: ``visits`` has a literal for each vertex, in order of the nodes.

    Squares that the symmetry maps onto each other share a literal.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        lowest = np.arange(len(self.instance.graph))
        if self.symmetry is not None:
            powers = self.symmetry.powers(self.graph.images(self.symmetry))
            lowest = np.min(powers, axis=0)[: len(lowest)]
        self.visits = self.cp.new_literals(len(lowest))[lowest]

    @property
    def has_free_direction(self) -> bool:
        """Whether a tour can be reversed: neither a constraint nor a given end determines that."""
        return not self.instance.direction_matters and not self.instance.ends

    @property
    def squares(self) -> Linear:
        """The number of visited squares."""
        return Linear(Counter(self.visits.tolist()))

    @cached_property
    def symmetries(self) -> list[Nodes]:
        """The image of every node under each symmetry of the instance, the identity first."""
        vertices = self.instance.graph.vertices
        return [self.graph.nodes(each.images[vertices]) for each in tour_maps(self.instance)]

    @cached_property
    def lowest_of_orbits(self) -> list[int]:
        """For each node the lowest one to which a symmetry of the instance takes it."""
        lowest: list[int] = np.min(self.symmetries, axis=0).tolist()
        return lowest

    @cached_property
    def neighbors(self) -> list[list[int]]:
        """For each node its neighbors, ascending, also by forbidden edges."""
        around: list[set[int]] = [set() for _ in self.visits]
        for source, target in self.graph.nodes(self.instance.graph.arcs).tolist():
            around[source].add(target)
            around[target].add(source)
        return [sorted(each) for each in around]


def build_partial_model(
    instance: Instance,
    clock: Clock,
    symmetry: TourMap | None = None,
    objective: Objective | None = None,
) -> PartialModel:
    """Return the model of the tours of a partial instance, with its objective.

    Without an ``objective`` it is to visit the most squares. ``symmetry`` is the map by which the
    tours have the symmetry asked for, if there is one. Raises `InputError` for bounds on features
    that partial tours do not take, and `OutOfTimeError`.
    """
    model = PartialModel(instance, symmetry, clock)
    nodes = np.arange(len(model.visits))
    if not instance.closed and model.graph.depot not in model.arcs.pairs:
        model.cp.add_clause([])  # CP-SAT's circuit ignores nodes without arcs
    pairs = np.concatenate([model.arcs.pairs, np.stack([nodes, nodes], axis=1)])
    model.cp.add_circuit(pairs, np.concatenate([model.arcs.literals, ~model.visits]))
    if instance.must_visit:
        model.cp.add_all(model.visits[model.graph.nodes(sorted(instance.must_visit))].tolist())
    if instance.closed:
        model.squares.bound(model.cp, FEWEST_CLOSED, None)
        choose_block(model)
    is_free = model.has_free_direction and objective is None
    if is_free and instance.closed:
        break_reversal_of_cycle(model)
    elif is_free:
        order_ends_by_orbit(model)
    balance_colors(model)
    for move in instance.require:
        require_move(model, move)
    sums = FeatureSums(model)
    for bound in instance.having:
        add_bound(model, bound, sums)
    for function in instance.constrain:
        add_custom_constraints(model, function)
    if objective is not None:
        sums.optimize(objective)
        return model
    squares = model.squares
    if instance.has_few_crossings:
        # Crossings exclude edges, so to count these, one less on a path, gives smaller cores.
        squares = Linear(Counter(model.moves[1].tolist()), constant=0 if instance.closed else 1)
    squares.optimize(model.cp, Sense.MAXIMIZE)
    return model


def order_ends_by_orbit(model: PartialModel) -> None:
    """Keep paths that start at the lowest node of an orbit, and end in no lower orbit.

    Of a path and its reverse, one ends in an orbit that is no lower than that of its start; a
    symmetry then maps its start to the representative of the orbit, its lowest node.
    ``not_below[node]``: the representative of the end's orbit is not below ``node``.
    """
    cp = model.cp
    lowest = model.lowest_of_orbits
    not_below = cp.new_literals(len(lowest) + 1).tolist()
    for node, representative in enumerate(lowest):
        cp.add_clause([~not_below[node + 1], not_below[node]])
        for start in model.arcs.literals_of(np.array([model.graph.depot, node])).tolist():
            if node != representative:
                cp.add_clause([~start])
            else:  # the orbit of the end is not below that of this start
                cp.add_clause([~start, not_below[node]])
        for end in model.arcs.literals_of(np.array([node, model.graph.depot])).tolist():
            # The end is in this orbit: its representative is below all that come after it.
            cp.add_clause([~end, ~not_below[representative + 1]])


def break_reversal_of_cycle(model: PartialModel) -> None:
    """Keep cycles whose lowest node is left for the lower of its neighbors on the cycle.

    ``none_below[node]``: no node below ``node`` is visited.
    """
    none_below = model.cp.new_literals(len(model.visits) + 1).tolist()
    model.cp.add_all(none_below[:1])
    for node, visit in enumerate(model.visits.tolist()):
        model.cp.add_clause([~none_below[node], visit, none_below[node + 1]])
        for lower, higher in combinations_with_replacement(model.neighbors[node], 2):
            excluded = np.array([(lower, node), (node, higher)])
            used = model.arcs.literals_of(excluded).tolist()
            if len(used) == len(excluded):
                model.cp.add_clause([~none_below[node], *(~each for each in used)])


def balance_colors(model: PartialModel) -> None:
    """Ensure that a tour whose moves change the color visits as many dark squares as light ones.

    Those of a path may differ by one. The circuit implies that, but not its linear relaxation.
    """
    graph = model.instance.graph
    if graph.color_change is not ColorChange.ALWAYS:
        return
    signs = np.where(graph.dark(graph.vertices), 1, -1).tolist()
    most = 0 if model.instance.closed else 1
    terms: Counter[int] = Counter()
    for visit, sign in zip(model.visits.tolist(), signs, strict=True):
        terms[visit] += sign  # squares that a symmetry maps onto each other share a literal
    Linear(terms).bound(model.cp, -most, most)


def choose_block(model: PartialModel) -> None:
    """Ensure that all squares and arcs of a cycle are in one block of the graph.

    The circuit implies that, but not its linear relaxation.
    """
    cp = model.cp
    blocks = blocks_of(dict(enumerate(model.neighbors)))
    if len(blocks) < 2:
        return
    cuts = {block.cut for block in blocks}
    chosen = cp.new_literals(len(blocks)).tolist()
    cp.add_at_most_one(chosen)
    for block, literal in zip(blocks, chosen, strict=True):
        members = {block.cut, *block.inner}
        arcs = list[tuple[int, int]]()
        for node in block.inner:
            for other in members.intersection(model.neighbors[node]):
                arcs += [(node, other), (other, node)]
        inside = model.arcs.literals_of(np.array(arcs)).tolist()
        inside += [int(model.visits[node]) for node in block.inner if node not in cuts]
        for used in dict.fromkeys(inside):
            cp.add_clause([~used, literal])


def add_bound(model: PartialModel, bound: Bound, sums: FeatureSums) -> None:
    """Ensure that a bound on a feature or a measure is kept."""
    feature = feature_named(bound.feature)
    if feature.counted is Counted.CHORDS and bound.limits[1] == 0:
        forbid_chords(model)
    elif feature.counted is Counted.CHORDS:
        chord_count(model).bound(model.cp, *bound.limits)
    elif feature.counted is Counted.SQUARES:
        model.squares.bound(model.cp, *bound.limits)
    else:
        sums.bound(bound)


def chord_count(model: PartialModel) -> Linear:
    """Return the number of edges of the graph between visited squares that the tour does not use.

    A variable for each edge tells whether both of its ends are visited.
    """
    cp, visits = model.cp, model.visits.tolist()
    terms: Counter[int] = Counter()
    for node, visit in enumerate(visits):
        for other in model.neighbors[node]:
            if other > node:
                both = cp.new_literal()
                terms[both] += 1
                cp.add_clause([~visit, ~visits[other], both])
                cp.add_clause([visit, ~both])
                cp.add_clause([visits[other], ~both])
    terms.subtract(model.moves[1].tolist())
    return Linear(terms)


def forbid_chords(model: PartialModel) -> None:
    """Ensure that the tour is induced: an edge is used exactly when both of its ends are visited.

    So a visited square has just two visited neighbors, or ends of the path at itself in their
    place, which is stated too, since it tightens the linear relaxation.
    """
    cp, arcs, depot = model.cp, model.arcs, model.graph.depot
    moves, used = model.moves
    used_of = dict(zip(map(tuple, moves.tolist()), used.tolist(), strict=True))
    visits = model.visits.tolist()
    for node, visit in enumerate(visits):
        around = model.neighbors[node]
        for other in around:
            if other < node:  # the edge was met from there
                continue
            either = [~visit, ~visits[other]]
            edge = used_of.get((node, other))
            cp.add_clause(either if edge is None else [*either, edge])
        ends = arcs.literals_of(np.array([(depot, node), (node, depot)])).tolist()
        degree = Counter([*(visits[other] for other in around), *ends])
        cp.add_linear(degree.keys(), degree.values(), 2, 2, only_if=visit)


def tour_of(model: PartialModel, solution: npt.NDArray[np.int64]) -> Squares:
    """Return the tour of a solution, as ids in visiting order."""
    graph, follower = model.graph, dict(model.arcs.used_in(solution))
    first = graph.depot if graph.depot in follower else min(follower)
    cycle = [first]
    while follower[cycle[-1]] != first:
        cycle.append(follower[cycle[-1]])
    return graph.partial_tour(np.array(cycle))


def hint_tour(model: PartialModel, tour: npt.ArrayLike) -> None:
    """Hint a tour, given as ids in visiting order: all arcs, and all visits.

    In its place its image under a symmetry, or its reverse, is hinted if the model keeps
    only that.
    """
    graph, instance = model.graph, model.instance
    nodes = kept_image(model, graph.nodes(tour))
    visited = model.visits[nodes]
    if not instance.closed:
        nodes = np.append(nodes, graph.depot)
    arcs = model.arcs.literals_of(cycle_arcs(nodes))
    used = np.unique(np.concatenate([arcs, visited]))  # a symmetry makes several literals one
    literals = np.concatenate([model.arcs.literals, model.visits])
    model.cp.hint_all(literals, chosen=used)


def kept_image(model: PartialModel, nodes: Nodes) -> Nodes:
    """Return the image of a tour under a symmetry, or its reverse, that the model keeps."""
    if not model.has_free_direction:
        return nodes
    if model.instance.closed:
        return in_kept_direction(nodes)
    lowest = model.lowest_of_orbits
    first, last = lowest[nodes[0]], lowest[nodes[-1]]
    if first > last:
        nodes, first = nodes[::-1], last
    images = (image[nodes] for image in model.symmetries)
    return next(image for image in images if image[0] == first)
