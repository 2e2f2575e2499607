"""Make certificates: by separators and counts where they suffice, otherwise by lemmas.

Each rule of `kt_cp.proof.certificate.Rule` is tried, from the one with the shortest proofs to the
one that always leads to a proof: the lemmas of a SAT solver, which `kt_cp.proof.lemmas` trims.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Mask, Squares
from kt_cp.graph_algorithms import frontier_widths, low_width_orders
from kt_cp.messages import join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.certificate import MAX_SQUARES, Certificate, Rule, Step
from kt_cp.proof.checker import check
from kt_cp.proof.lemmas import lemma_steps
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.proof.separators import Separator, candidate_separators, deficient, greedy_separators
from kt_cp.sat.formula import OutOfConflictsError

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


def make_certificate(
    instance: Instance, clock: Clock | None = None, reason: Reason | None = None
) -> Certificate:
    """Return a certificate that an instance has no tour, which has passed the checker.

    The proof ignores symmetry, given steps, an order, bounds, custom constraints and the directions
    of moves: an instance that has no tour without these has none with them. If the ``reason`` why
    there is none is known, and about a separator or squares that lack moves, it becomes the proof.
    Raises `NoCertificateError` if there is a tour without the constraints that are ignored, and if
    the clock's limit is reached first.

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
        steps = (reason and _steps_of(bare, reason)) or _ProofSearch(bare, clock).complete()
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


def _steps_of(instance: Instance, reason: Reason) -> list[Step]:
    """Return the proof that a reason is by itself, or an empty list."""
    if reason.kind is ReasonKind.CUT:
        separator = Separator(instance, reason.groups["cut"])
        return [separator.shrunk().step(Rule.CUT)] if separator.excess > 0 else []
    steps = [Step(Rule.COUNT, reason.groups.get("squares", ()))]
    is_count = reason.kind is ReasonKind.TWO_FACTOR
    return steps if is_count and check(Certificate(instance, tuple(steps))) else []


class _ProofSearch:
    """A proof under construction, in the terms of certificates: ids of vertices, numbers of edges.

    Ids include that of the depot, and masks of vertices have an entry for every id up to it.
    ``edges`` are rows of two ids in the order of their numbers; ``used`` and ``unused`` are masks
    of those that are settled.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        self.instance, self.clock = instance, clock
        self.tour_graph = TourGraph(instance)
        order = np.lexsort(self.tour_graph.edges.T[::-1])
        self.edges = self.tour_graph.vertices(self.tour_graph.edges[order])
        self.used = self.tour_graph.required[order]
        self.unused = np.zeros(len(self.edges), dtype=bool)
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
            return self._frontier() or self._lemmas()

    @property
    def _left_between_squares(self) -> Squares:
        """The edges that a tour may use, without those of the depot."""
        left = self.edges[~self.unused]
        return left[left[:, 1] < self.tour_graph.depot_id]

    def _open_inside(self, vertices: tuple[int, ...]) -> Mask:
        """Return a mask of the edges between some vertices that are not settled."""
        is_inside = np.isin(self.edges, vertices).all(axis=1)
        return np.asarray(is_inside & ~self.used & ~self.unused)

    def _cut(self) -> bool:
        """Apply tight cuts greedily; return whether a separator was found."""
        while True:
            best, most_settled = Step(Rule.TIGHT_CUT, ()), 0
            left = self._left_between_squares
            for cut in itertools.chain([[]], candidate_separators(self.instance, left)):
                self.clock.check()
                separator = Separator(self.instance, tuple(cut), left)
                if separator.excess > 0:
                    self.steps.append(separator.shrunk().step(Rule.CUT))
                    return True
                step = separator.step(Rule.TIGHT_CUT)
                settled = int(self._open_inside(step.items).sum())
                if separator.excess == 0 and settled > most_settled:
                    best, most_settled = step, settled
            if not most_settled:
                return False
            self.unused |= self._open_inside(best.items)
            self.steps.append(best)

    def _hidden_cut(self) -> bool:
        """Return whether a greedy search finds a separator."""
        left = self._left_between_squares
        for cut in greedy_separators(self.instance, left):
            self.clock.check()
            separator = Separator(self.instance, tuple(cut), left)
            if separator.excess > 0:
                self.steps.append(separator.shrunk().step(Rule.CUT))
                return True
        return False

    def _count(self) -> bool:
        """Return whether a count ends the proof: squares of one color need too many moves."""
        graph = self.instance.graph
        if graph.sides is None:
            return False
        needed = np.full(graph.area + 1, 2)
        for side in (graph.sides, ~graph.sides):
            color = np.append(side & graph.mask, False)  # the depot is no square
            short = deficient(self.edges[~self.unused], color, needed) & color
            if short.any():
                self.steps.append(Step(Rule.COUNT, tuple(np.flatnonzero(short).tolist())))
                return True
        return False

    def _frontier(self) -> list[Step] | None:
        """Return a proof by the rule frontier, or None if no order is narrow enough for it."""
        self.clock.check()
        graph, depot = self.instance.graph, self.tour_graph.ids[len(self.instance.graph) :]
        inner = self.edges[self.edges[:, 1] < self.tour_graph.depot_id]
        narrow = low_width_orders(graph.vertices, inner)
        orders = [np.append(order, depot).astype(np.int32) for order in narrow]
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
        vertices, first = self.tour_graph.ids, len(self.steps) + 1
        steps = lemma_steps(vertices, self.edges, facts, first, self.clock, max_conflicts)
        return None if steps is None else self.steps + steps
