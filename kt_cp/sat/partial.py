"""Uncrossed and induced paths and cycles, which leave squares out, by a SAT solver.

A tour is a cycle through some nodes of a `kt_cp.problem.tour_graph.TourGraph`, with the depot if it
is open. There is a variable for each node, that the tour visits it, and one for each edge, that the
tour uses it: every visited node has two edges in use. An edge of an induced tour is used exactly
when both of its nodes are visited. A solution may have several cycles; clauses then say of each
that is not the whole tour that an edge leaves its nodes, if the tour visits one of them.

Of each orbit of tours under the symmetries of the instance, one is kept by lexicographic order
(J. Crawford, M. Ginsberg, E. Luks and A. Roy, Symmetry-breaking predicates for search problems,
1996).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_maps
from kt_cp.problem.task import Clock
from kt_cp.problem.tour_graph import Nodes, TourGraph
from kt_cp.sat.edges import cycle_neighbors, cycles
from kt_cp.sat.formula import Formula, LowerBound
from kt_cp.tour.features import MovePairs, ends_of
from kt_cp.tour.validator import FEWEST_CLOSED

FEWEST_SQUARES = FEWEST_CLOSED
"""The fewest squares that a `PartialSolver` is asked for; shorter paths are left to CP-SAT."""

# The most clauses about the edges at all nodes. Dense graphs have more, and are left to CP-SAT.
_MAX_CLAUSES = 500_000

# The features on which there may be bounds, each with its upper bound.
_UPPER_BOUNDS = {("crossings", 0), ("chords", 0), ("squares", None)}

# The most vertices: the clauses that count them grow with the square of their number.
_MAX_VERTICES = 500


def can_choose_edges(instance: Instance) -> bool:
    """Return whether a `PartialSolver` can state the constraints of a partial instance.

    Crossings or chords are excluded, moves have no direction, the only other bound is a lower one
    on the squares, and there are no symmetry and no functions of the caller. It is also False if
    the graph is too large or too dense.
    """
    is_easy = instance.has_no("crossings") or instance.has_no("chords")
    if not is_easy or instance.direction_matters or instance.symmetry:
        return False
    if any((bound.feature, bound.limits[1]) not in _UPPER_BOUNDS for bound in instance.having):
        return False
    if len(instance.graph) > _MAX_VERTICES:
        return False
    degrees = np.bincount(TourGraph(instance).edges.ravel())[: len(instance.graph)].tolist()
    return sum(math.comb(degree, 3) for degree in degrees) <= _MAX_CLAUSES


class PartialSolver:
    """Chooses the nodes and edges of an uncrossed or induced tour of at least three squares.

    ``visited`` is the variable of each node, and ``used`` that of each edge of the ``graph``. With
    a ``symmetry``, only solutions that it maps onto themselves are sought: one tour, or several
    cycles of which one is long enough. The solver ``is_exhausted`` once there is no such tour of
    the length asked for last. Raises `OutOfTimeError` when the clock's limit is reached.

    >>> from dataclasses import replace
    >>> instance = Instance.of("4x4", closed=True, induced=True)
    >>> solver = PartialSolver(replace(instance, allows_partial=True), Clock())
    >>> len(solver.search(10)), solver.search(12)
    (10, None)
    """

    def __init__(self, instance: Instance, clock: Clock, symmetry: TourMap | None = None) -> None:
        self.instance = instance
        self.clock = clock
        self.symmetry = symmetry
        self.graph = TourGraph(instance)
        nodes = len(self.graph)
        edges = self.graph.edges.tolist()
        self.visited = list(range(1, nodes + 1))
        self.used = list(range(nodes + 1, nodes + 1 + len(edges)))
        self.formula = Formula(nodes + len(edges))
        self.is_exhausted = False
        self._edges = list(zip(self.used, edges, strict=True))
        self._edge_of = {frozenset(ends): used for used, ends in self._edges}
        required = self.graph.required_pairs.tolist()
        squares = self.graph.nodes(sorted(instance.must_visit)).tolist()
        self._must_visit = frozenset(itertools.chain(squares, *required))
        images = (self.graph.images(each).tolist() for each in tour_maps(instance))
        # The images of all nodes under each symmetry, the identity first.
        self._images = list(dict.fromkeys(map(tuple, images)))
        self._state_edges_at_nodes()
        for node in self._must_visit:
            self.formula.add([self.visited[node]])
        for pair in required:
            self.formula.add(self._edge_between(pair))
        if instance.has_no("crossings"):
            self._forbid_crossings()
        if instance.has_no("chords"):
            self._forbid_chords()
        if symmetry is None:
            for images_of_nodes in self._images[1:]:
                self._keep_first_of_orbit(images_of_nodes)
        else:  # the images of a symmetric tour may have another symmetry
            for literal, image in self._literals_with_images(self.graph.images(symmetry).tolist()):
                self.formula.add([-literal, image])
        self._square_counter, self._color_counters = self._counters()

    @property
    def propagations(self) -> int:
        """The number of propagations until now: a measure of work, not of speed."""
        return self.formula.propagations

    def search(self, fewest: int, max_propagations: float = math.inf) -> Squares | None:
        """Return a tour of at least ``fewest`` squares, as ids in visiting order.

        Returns None if there is none, and then ``is_exhausted``, and also if none is found before
        the solver has had ``max_propagations`` since it was made. Later calls take no smaller
        number. Raises `OutOfTimeError`.
        """
        self._require_squares(fewest)
        while True:
            is_satisfied = self.formula.solve_within(self.clock, max_propagations)
            if not is_satisfied:
                self.is_exhausted = is_satisfied is False  # not None
                return None
            solution_cycles = self._cycles()
            for cycle in solution_cycles:
                if self._is_tour(cycle, fewest):
                    return self.graph.tour(cycle)
            for cycle in solution_cycles:
                self.clock.check()
                self._forbid(cycle.tolist())

    # -- clauses ----------------------------------------------------------------------------------

    def _state_edges_at_nodes(self) -> None:
        """Ensure that a visited node has two edges in use, and another one has none."""
        at_node: list[list[int]] = [[] for _ in self.visited]
        for edge, ends in self._edges:
            for node in ends:
                at_node[node].append(edge)
                self.formula.add([-edge, self.visited[node]])
        if not self.instance.closed:
            depot_edges = at_node.pop()
            self.formula.add([self.visited[self.graph.depot]])
            self.formula.exactly(2, depot_edges)
        for visited, edges in zip(self.visited[: len(at_node)], at_node, strict=True):
            self.clock.check()
            for three in itertools.combinations(edges, 3):  # at most two
                self.formula.add([-edge for edge in three])
            # At least one: the clauses below imply it, but with it tours are found sooner.
            self.formula.add([-visited, *edges])
            for all_but_one in itertools.combinations(edges, max(0, len(edges) - 1)):
                self.formula.add([-visited, *all_but_one])  # at least two

    def _forbid_crossings(self) -> None:
        """Ensure that of two edges that cross at most one is used."""
        moves = np.flatnonzero(~self.graph.at_depot)
        ends = ends_of(self.instance.board, self.graph.vertices(self.graph.edges[moves]))
        for one, other in moves[MovePairs(ends).crossing].tolist():
            self.formula.add([-self.used[one], -self.used[other]])

    def _forbid_chords(self) -> None:
        """Ensure that the edge between two visited nodes is used; if it is forbidden, not both."""
        for pair in self.graph.nodes(self.instance.graph.arcs).tolist():
            if pair[0] < pair[1]:
                unless_visited = [-self.visited[node] for node in pair]
                self.formula.add([*unless_visited, *self._edge_between(pair)])

    def _edge_between(self, pair: Iterable[int]) -> list[int]:
        """Return the variable of the edge between two nodes, as a list; none if there is none."""
        used = self._edge_of.get(frozenset(pair))
        return [] if used is None else [used]

    def _literals_with_images(self, images: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the variables of nodes and edges, each with that of its image under a symmetry."""
        yield from ((self.visited[node], self.visited[at]) for node, at in enumerate(images))
        for used, (one, other) in self._edges:
            yield used, self._edge_of[frozenset((images[one], images[other]))]

    def _keep_first_of_orbit(self, images: Sequence[int]) -> None:
        """Exclude tours that are lexicographically above their image under a symmetry.

        The nodes of an induced tour are compared, as they determine it, and the edges of others.
        """
        pairs = list(self._literals_with_images(images))
        nodes = len(self.visited)
        pairs = pairs[:nodes] if self.instance.has_no("chords") else pairs[nodes:]
        # Its literal is true if tour and image agree so far; none while nothing is compared.
        agree_so_far: list[int] = []
        for literal, image in pairs:
            if literal == image:
                continue
            unless_they_agree = [-each for each in agree_so_far]
            still_agree = self.formula.new_variable()
            self.formula.add([*unless_they_agree, -literal, image])
            self.formula.add([*unless_they_agree, literal, image, still_agree])
            self.formula.add([*unless_they_agree, -literal, -image, still_agree])
            agree_so_far = [still_agree]

    # -- the number of squares --------------------------------------------------------------------

    def _counters(self) -> tuple[LowerBound, list[LowerBound]]:
        """Return the counter of all squares, and those of the dark and of the light squares.

        The latter are for induced tours if every move changes the color. A cycle then visits as
        many dark squares as light ones, and a path at most one more of one color. Two small
        counters prove more than a large one, but not for uncrossed tours.
        """
        squares = self.visited[: self.graph.vertex_count]
        by_color: list[LowerBound] = []
        graph = self.instance.graph
        if self.instance.has_no("chords") and graph.first_part is not None:
            is_dark = graph.dark(graph.vertices)
            for of_color in (is_dark, ~is_dark):
                literals = [squares[node] for node in np.flatnonzero(of_color)]
                by_color.append(LowerBound(self.formula, literals))
        return LowerBound(self.formula, squares), by_color

    def _require_squares(self, fewest: int) -> None:
        """Ensure that at least ``fewest`` squares are visited."""
        for color in self._color_counters:  # of an odd number, one color has a square less
            color.require(fewest // 2)
        if not self._color_counters or fewest % 2:
            self._square_counter.require(fewest)

    # -- solutions --------------------------------------------------------------------------------

    def _cycles(self) -> list[Nodes]:
        """Return the nodes of each cycle of the solution found last."""
        values = self.formula.values()
        edges = self.graph.edges[values[np.array(self.used) - 1]]
        nodes = np.unique(edges)
        around = cycle_neighbors(len(nodes), np.searchsorted(nodes, edges))
        return [nodes[cycle] for cycle in cycles(around)]

    def _is_tour(self, cycle: Nodes, fewest: int) -> bool:
        """Return whether a cycle of a solution is a tour of at least ``fewest`` squares."""
        nodes = set(cycle.tolist())
        squares = len(nodes) if self.instance.closed else len(nodes) - 1
        has_depot = self.instance.closed or self.graph.depot in nodes
        return has_depot and squares >= fewest and self._must_visit <= nodes

    def _forbid(self, cycle: list[int]) -> None:
        """Forbid a cycle and its images: if one of its nodes is visited, an edge leaves them.

        The cycle is not the whole tour: it lacks the depot or a square that must be visited, or has
        too few squares. If it has the depot, the other cycles of the solution are forbidden.
        """
        if self.graph.depot in cycle:
            return
        for images in self._images:
            inside = {images[node] for node in cycle}
            leaving = [edge for edge, ends in self._edges if len(inside.intersection(ends)) == 1]
            for node in inside:
                self.formula.add([-self.visited[node], *leaving])
