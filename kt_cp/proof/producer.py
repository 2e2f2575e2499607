"""Make certificates: by separators and counts where they suffice, otherwise by lemmas.

Each rule of `kt_cp.proof.certificate.Rule` is tried, from the one with the shortest proofs to the
one that always leads to a proof: the lemmas of a SAT solver, which `kt_cp.proof.lemmas` trims.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.graph_algorithms import adjacency, frontier_widths, low_width_orders
from kt_cp.messages import join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.certificate import MAX_SQUARES, Certificate, Rule, Step
from kt_cp.proof.checker import check
from kt_cp.proof.lemmas import lemma_steps
from kt_cp.proof.separators import (
    candidate_separators,
    component_count,
    deficient,
    greedy_separators,
)
from kt_cp.proof.subtour_relaxation import FEW_ROUNDS, ROUNDS, relaxation_separator
from kt_cp.sat.formula import OutOfConflictsError

# A separator of at most this many vertices is reduced, one vertex at a time.
_MAX_SHRUNK = 2_000

# The most vertices for which linear programming is tried before a SAT solver, and after it.
_MAX_RELAXED_BEFORE, _MAX_RELAXED_AFTER = 300, 5_000

# If a SAT solver needs more conflicts than this, its proof is long. The rule ``frontier`` gives a
# shorter proof if some order of the vertices has a frontier of at most this width.
_FEW_CONFLICTS = 100
_MAX_WIDTH = 16

# The constraints that a proof ignores, by field, as messages name them.
_IGNORED_CONSTRAINTS = {
    "symmetry": "the symmetry",
    "givens": "the given steps",
    "order": "the order of squares",
    "having": "the bounds",
    "constrain": "the added constraints",
    "one_way": "the directions of moves",
}


class NoCertificateError(Exception):
    """No certificate can be made; the message says why."""


def make_certificate(instance: Instance, clock: Clock | None = None) -> Certificate:
    """Return a certificate that an instance has no tour, which has passed the checker.

    The proof ignores symmetry, given steps, an order, bounds, custom constraints and the directions
    of moves: an instance that has no tour without these has none with them. Raises
    `NoCertificateError` if there is a tour without them, and if the clock's limit is reached first.

    >>> from kt_cp.board import Board
    >>> certificate = make_certificate(Instance(Board(4, 8), closed=True))
    >>> [step.rule.value for step in certificate.steps]
    ['tight-cut', 'cut']
    """
    clock = clock or Clock()
    graph = instance.graph
    if graph.area > MAX_SQUARES:
        raise NoCertificateError(f"certificates are for boards of up to {MAX_SQUARES:,} squares")
    ends = replace(instance, start=instance.first, end=instance.last, givens=(), order=())
    bare = replace(ends, symmetry=None, having=(), constrain=())
    if len(graph) == 1 and not instance.closed:
        raise NoCertificateError("one square alone is an open tour")
    ignored = [words for field, words in _IGNORED_CONSTRAINTS.items() if getattr(instance, field)]
    try:
        steps = _ProofSearch(bare, clock).complete()
    except OutOfTimeError:
        raise NoCertificateError("the time limit was reached before the proof was made") from None
    if steps is None:
        without = f" without {join_words(ignored)}" if ignored else ""
        raise NoCertificateError(f"there is a tour{without}")
    certificate = Certificate(bare, tuple(steps))
    verdict = check(certificate)
    if not verdict:
        raise AssertionError(f"a certificate was made that {verdict.message}")
    return certificate


class _ProofSearch:
    """A proof under construction, in the terms of certificates: ids of vertices, numbers of edges.

    Ids include that of the depot, and all masks of vertices have an entry for every id up to it:
    ``is_square`` holds for the vertices of the graph, ``is_vertex`` for these and, for an open
    tour, the depot. ``edges`` are rows of two ids in the order of their numbers; ``used`` and
    ``unused`` are masks of those that are settled. The nodes of a `TourGraph` appear only where
    linear programming is called.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        graph = instance.graph
        self.instance, self.clock = instance, clock
        self.tour_graph = TourGraph(instance)
        order = np.lexsort(self.tour_graph.edges.T[::-1])
        self.edges = self.tour_graph.vertices(self.tour_graph.edges[order])
        self.used = self.tour_graph.required[order]
        self.unused = np.zeros(len(self.edges), dtype=bool)
        self.is_square = np.append(graph.mask, False)
        self.is_vertex = np.append(graph.mask, not instance.closed)
        self.sides = None if graph.sides is None else np.append(graph.sides, False)
        self.depot_ids = [] if instance.closed else [self.tour_graph.depot_id]
        self.steps: list[Step] = []

    def complete(self) -> list[Step] | None:
        """Return the steps of a complete proof, or None if there is a tour."""
        if self.tour_graph.is_contradictory:
            return [Step(Rule.CLAUSE, ())]
        if self._cut() or self._count() or self._hidden_cut():
            return self.steps
        try:
            return self._lemmas(_FEW_CONFLICTS)
        except OutOfConflictsError:
            if self._cut_by_relaxation(ROUNDS):
                return self.steps
            return self._frontier() or self._lemmas()

    @property
    def _left(self) -> Ints:
        """The edges that are not settled as unused."""
        return self.edges[~self.unused]

    @property
    def _left_between_squares(self) -> Ints:
        """The edges that a tour may use, without those of the depot."""
        left = self._left
        return left[self.is_square[left].all(axis=1)]

    # -- the rules cut and tight-cut --------------------------------------------------------------

    def _cut(self) -> bool:
        """Apply tight cuts greedily; return whether a separator was found."""
        while True:
            best, most_settled = None, 0
            for removed in self._candidates():
                self.clock.check()
                excess = self._excess(removed)
                if excess > 0:
                    self._append(Rule.CUT, self._shrunk(removed))
                    return True
                settled = int(self._open_inside(removed).sum())
                if excess == 0 and settled > most_settled:
                    best, most_settled = removed, settled
            if best is None:
                return False
            self.unused |= self._open_inside(best)
            self._append(Rule.TIGHT_CUT, best)

    def _hidden_cut(self) -> bool:
        """Return whether a greedy search or, in a small graph, linear programming finds a cut."""
        neighbors = adjacency(self._left_between_squares)
        for cut in greedy_separators(neighbors, self.instance.ends):
            self.clock.check()
            if self._conclude_by_cut(cut + self.depot_ids):
                return True
        return len(self.tour_graph) <= _MAX_RELAXED_BEFORE and self._cut_by_relaxation(FEW_ROUNDS)

    def _cut_by_relaxation(self, rounds: int) -> bool:
        """Return whether linear programming finds a cut."""
        graph = self.tour_graph
        if len(graph) > _MAX_RELAXED_AFTER:
            return False
        left, required = graph.nodes(self._left), self.used[~self.unused]
        nodes = relaxation_separator(len(graph), left, required, self.clock, rounds)
        return nodes is not None and self._conclude_by_cut(graph.vertices(nodes).tolist())

    def _conclude_by_cut(self, vertices: list[int]) -> bool:
        """End the proof by a cut, if too many components are left without some vertices."""
        removed = self._mask(vertices)
        if self._excess(removed) <= 0:
            return False
        self._append(Rule.CUT, self._shrunk(removed))
        return True

    def _candidates(self) -> Iterator[Mask]:
        """Yield masks of candidates for a separator: squares, with and without the depot."""
        ends = self.instance.ends
        edges = self._left_between_squares
        cuts = candidate_separators(edges, self.is_square, self.sides, ends)
        for cut in itertools.chain([[]], cuts):
            yield self._mask(cut)
            if self.depot_ids:
                yield self._mask(cut + self.depot_ids)

    def _excess(self, removed: Mask) -> int:
        """Return by how much the components left exceed the number that a tour can connect."""
        count = component_count(self._left, self.is_vertex & ~removed)
        if not removed.any():
            return count - 1
        used_inside = removed[self.edges].all(axis=1) & self.used
        return count - (int(removed.sum()) - int(used_inside.sum()))

    def _open_inside(self, vertices: Mask) -> Mask:
        """Return a mask of the edges between some vertices that are not settled."""
        is_inside = vertices[self.edges].all(axis=1)
        return np.asarray(is_inside & ~self.used & ~self.unused)

    def _shrunk(self, removed: Mask) -> Mask:
        """Return a minimal subset that still separates."""
        vertices = np.flatnonzero(removed).tolist()
        if len(vertices) > _MAX_SHRUNK:
            return removed
        for vertex in vertices:
            fewer = removed.copy()
            fewer[vertex] = False
            if self._excess(fewer) > 0:
                removed = fewer
        return removed

    # -- the other rules --------------------------------------------------------------------------

    def _count(self) -> bool:
        """Return whether a count ends the proof: squares of one color need too many moves."""
        if self.sides is None:
            return False
        moves_per_square = np.full(len(self.sides), 2)
        for side in (self.sides, ~self.sides):
            color = side & self.is_square
            short = deficient(self._left, color, moves_per_square) & color
            if short.any():
                self._append(Rule.COUNT, short)
                return True
        return False

    def _frontier(self) -> list[Step] | None:
        """Return a proof by the rule frontier, or None if no order is narrow enough for it."""
        self.clock.check()
        inner = self.edges[self.is_square[self.edges].all(axis=1)]
        narrow = low_width_orders(self.instance.graph.vertices, inner)
        orders = [np.append(order, self.depot_ids).astype(np.int32) for order in narrow]
        widths = [int(frontier_widths(self.edges, order).max()) for order in orders]
        if min(widths) > _MAX_WIDTH:
            return None
        order = orders[widths.index(min(widths))]
        steps = [*self.steps, Step(Rule.FRONTIER, tuple(order.tolist()))]
        return steps if check(Certificate(self.instance, tuple(steps))) else None

    def _lemmas(self, max_conflicts: float = math.inf) -> list[Step] | None:
        """Return a proof that ends with the lemmas of a SAT solver, or None if there is a tour.

        Raises `OutOfTimeError` at the clock's limit, and `OutOfConflictsError` after
        ``max_conflicts``.
        """
        numbers = np.arange(1, len(self.edges) + 1)
        facts = [*numbers[self.used].tolist(), *(-numbers[self.unused]).tolist()]
        vertices, first = np.flatnonzero(self.is_vertex), len(self.steps) + 1
        steps = lemma_steps(vertices, self.edges, facts, first, self.clock, max_conflicts)
        return None if steps is None else self.steps + steps

    def _mask(self, vertices: list[int]) -> Mask:
        """Return a mask over all ids of some vertices."""
        mask = np.zeros(len(self.is_vertex), dtype=bool)
        mask[vertices] = True
        return mask

    def _append(self, rule: Rule, vertices: Mask) -> None:
        """Add a step about some vertices to the proof."""
        self.steps.append(Step(rule, tuple(np.flatnonzero(vertices).tolist())))
