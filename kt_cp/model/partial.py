"""The circuit model of tours that may leave squares out, each of them by a self-loop.

CP-SAT's circuit constraint excuses a node whose self-loop is in use. So every vertex gets a Boolean
that it is visited, the negation of its loop, and the sum of these is the objective. One more
Boolean for every edge, the sum of its two arcs, is for constraints without a direction, such as
that two edges do not cross.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Squares, cycle_arcs, unique_rows
from kt_cp.model.backend import Linear
from kt_cp.model.circuit import add_constraints
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_maps
from kt_cp.problem.task import Clock, Objective, Sense
from kt_cp.tour.validator import FEWEST_CLOSED


@dataclass
class PartialModel(CircuitModel):
    """A circuit model with loops: ``visits`` has a literal for each vertex, in order of the nodes.

    Squares that the symmetry maps onto each other share a literal.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        vertices = self.instance.graph.vertices
        orbits: Ints = np.arange(len(vertices))
        if self.symmetry is not None:
            orbits = np.min(self.symmetry.powers(self.symmetry.images), axis=0)[vertices]
        self.visits = self._literals_by_orbit(orbits)

    @property
    def squares(self) -> Linear:
        """The number of visited squares."""
        return Linear(Counter(self.visits.tolist()))

    def add_circuit(self) -> None:
        """Ensure that the arcs in use form one circuit through the visited nodes and the depot."""
        nodes = np.arange(len(self.visits))
        if not self.instance.closed and self.graph.depot not in self.arcs.pairs:
            self.cp.add_clause([])  # CP-SAT's circuit ignores nodes without arcs
        pairs = np.concatenate([self.arcs.pairs, np.stack([nodes, nodes], axis=1)])
        self.cp.add_circuit(pairs, np.concatenate([self.arcs.literals, ~self.visits]))
        must_visit = self.graph.nodes(sorted(self.instance.must_visit))
        self.cp.add_all(self.visits[must_visit].tolist())
        if self.instance.closed:
            self.squares.bound(self.cp, FEWEST_CLOSED, None)

    def keep_one_of_orbit(self) -> None:
        """Keep paths that begin at the lowest node of an orbit, and end in no lower orbit.

        Of a path and its reverse, one ends in no lower orbit than it begins in, and a symmetry of
        the instance takes its start to the lowest node there. ``not_below[node]``: the lowest node
        of the orbit in which the path ends is not below ``node``.
        """
        images = [self.graph.images(each)[: len(self.visits)] for each in tour_maps(self.instance)]
        lowest = np.min(images, axis=0).tolist()
        not_below = self.cp.new_literals(len(lowest) + 1).tolist()
        for node, representative in enumerate(lowest):
            # What is not below a node is not below the one before it.
            self.cp.add_clause([~not_below[node + 1], not_below[node]])
            # A path begins at the lowest node of an orbit, which is not above that of its end.
            may_begin = [not_below[node]] if node == representative else []
            for start in self.arcs.literals_of(np.array([self.graph.depot, node])).tolist():
                self.cp.add_clause([~start, *may_begin])
            # The lowest node of the orbit in which a path ends is below all nodes above it.
            for end in self.arcs.literals_of(np.array([node, self.graph.depot])).tolist():
                self.cp.add_clause([~end, ~not_below[representative + 1]])

    def bound_measure(self, bound: Bound) -> None:
        """Ensure that a bound on the visited squares, or on the chords between them, is kept."""
        if bound.feature == "squares":
            self.squares.bound(self.cp, *bound.limits)
        elif bound.limits[1] == 0:
            self._forbid_chords()
        else:
            self._chord_count().bound(self.cp, *bound.limits)

    def _chord_count(self) -> Linear:
        """Return the number of edges between visited squares that the tour does not use.

        A variable for each edge tells whether both of its ends are visited.
        """
        visits = self.visits.tolist()
        terms: Counter[int] = Counter()
        for one, other in self._neighbor_pairs():
            both = self.cp.new_literal()
            terms[both] += 1
            self.cp.add_clause([~visits[one], ~visits[other], both])
            self.cp.add_clause([visits[one], ~both])
            self.cp.add_clause([visits[other], ~both])
        terms.subtract(self.moves[1].tolist())
        return Linear(terms)

    def _forbid_chords(self) -> None:
        """Ensure that the tour is induced: it uses each edge between visited squares.

        So a visited square has just two visited neighbors, or ends of the path at itself in their
        place, which is stated too, since it tightens the linear relaxation.
        """
        moves, used = self.moves
        used_of = dict(zip(map(tuple, moves.tolist()), used.tolist(), strict=True))
        visits = self.visits.tolist()
        depot = self.graph.depot
        degrees = [
            Counter(self.arcs.literals_of(np.array([(depot, node), (node, depot)])).tolist())
            for node in range(len(visits))
        ]
        for one, other in self._neighbor_pairs():
            edge = [used_of[one, other]] if (one, other) in used_of else []
            self.cp.add_clause([~visits[one], ~visits[other], *edge])
            degrees[one][visits[other]] += 1
            degrees[other][visits[one]] += 1
        for visit, degree in zip(visits, degrees, strict=True):
            self.cp.add_linear(degree.keys(), degree.values(), 2, 2, only_if=visit)

    def _neighbor_pairs(self) -> list[list[int]]:
        """Return the pairs of nodes (lower, higher) that an edge joins, a forbidden one too."""
        arcs = self.graph.nodes(self.instance.graph.arcs)
        pairs: list[list[int]] = unique_rows(np.sort(arcs, axis=1), len(self.visits)).tolist()
        return pairs


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
    add_constraints(model, objective)
    has_direction = instance.direction_matters or instance.ends
    if objective is None and symmetry is None and not (instance.closed or has_direction):
        model.keep_one_of_orbit()
    if objective is None:
        squares = model.squares
        if instance.has_few_crossings:
            # Crossings exclude edges, so to count these, one less on a path, gives smaller cores.
            ends = 0 if instance.closed else 1
            squares = Linear(Counter(model.moves[1].tolist()), constant=ends)
        squares.optimize(model.cp, Sense.MAXIMIZE)
    return model


def tour_of(model: PartialModel, solution: npt.NDArray[np.int64]) -> Squares:
    """Return the tour of a solution, as ids in visiting order."""
    graph = model.graph
    follower = dict(model.arcs.used_in(solution))
    first = graph.depot if graph.depot in follower else min(follower)
    cycle = [first]
    while follower[cycle[-1]] != first:
        cycle.append(follower[cycle[-1]])
    return graph.tour(np.array(cycle))


def hint_tour(model: PartialModel, tour: npt.ArrayLike) -> None:
    """Hint a tour, given as ids in visiting order: all arcs, and all visits."""
    cycle = model.graph.cycle(tour)
    arcs = model.arcs.literals_of(cycle_arcs(cycle))
    visited = model.visits[cycle[cycle != model.graph.depot]]
    used = np.unique(np.concatenate([arcs, visited]))  # a symmetry makes several literals one
    literals = np.concatenate([model.arcs.literals, model.visits])
    model.cp.hint_all(literals, chosen=used)
