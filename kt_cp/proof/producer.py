"""Make certificates: by separators and counts where they suffice, otherwise by lemmas.

Each rule of `kt_cp.proof.certificate.Rule` is tried, from the one with the shortest proofs to the
one that always leads to a proof: the lemmas of a SAT solver, which `kt_cp.proof.lemmas` trims.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from kt_cp.graph_algorithms import frontier_widths, low_width_orders
from kt_cp.messages import join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.certificate import MAX_SQUARES, Certificate, Rule, Step
from kt_cp.proof.checker import check
from kt_cp.proof.lemmas import lemma_steps
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.proof.separators import (
    ProofGraph,
    Separator,
    candidate_separators,
    greedy_separators,
    too_few_moves,
)
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
    if instance.graph.area > MAX_SQUARES:
        raise NoCertificateError(f"certificates are for boards of up to {MAX_SQUARES:,} squares")
    if len(instance.graph) == 1 and not instance.closed:
        raise NoCertificateError("one square alone is an open tour")
    ends = replace(instance, start=instance.first, end=instance.last, givens=(), order=())
    bare = replace(ends, symmetry=None, having=(), constrain=())
    try:
        steps = _steps(ProofGraph(bare), clock, reason)
    except OutOfTimeError:
        raise NoCertificateError("the time limit was reached before the proof was made") from None
    if steps is None:
        ignored = [words for name, words in _IGNORED_CONSTRAINTS.items() if getattr(instance, name)]
        without = f" without {join_words(ignored)}" if ignored else ""
        raise NoCertificateError(f"there is a tour{without}")
    certificate = Certificate(bare, tuple(steps))
    verdict = check(certificate)
    if not verdict:
        raise AssertionError(f"a certificate was made that {verdict.message}")
    return certificate


def _steps(graph: ProofGraph, clock: Clock, reason: Reason | None) -> list[Step] | None:
    """Return the steps of a complete proof, or None if there is a tour."""
    if TourGraph(graph.instance).is_contradictory:
        return [Step(Rule.CLAUSE, ())]
    if last := _step_of(graph, [], reason):
        return [last]
    steps: list[Step] = []
    while tight := _tightest_cut(graph, clock):
        if tight.excess > 0:
            return [*steps, tight.step()]
        graph.unused |= tight.inside & ~graph.used
        steps.append(Step(Rule.TIGHT_CUT, tight.removed))
    if last := _step_of(graph, steps, too_few_moves(graph.instance, graph.between_squares)):
        return [*steps, last]
    clock.check()
    if hidden := graph.separate(greedy_separators(graph.instance, graph.between_squares)):
        return [*steps, hidden.step()]
    try:
        return _lemmas(graph, steps, clock, _FEW_CONFLICTS)
    except OutOfConflictsError:
        return _frontier(graph, steps, clock) or _lemmas(graph, steps, clock)


def _step_of(graph: ProofGraph, steps: list[Step], reason: Reason | None) -> Step | None:
    """Return the step that completes a proof by a reason, or None if it is not one of a step."""
    if reason is None:
        return None
    if reason.kind is ReasonKind.CUT:
        separator = graph.separate([reason.groups["cut"]])
        return separator and separator.step()
    step = Step(Rule.COUNT, reason.groups.get("squares", ()))
    is_count = reason.kind is ReasonKind.TWO_FACTOR
    return step if is_count and check(Certificate(graph.instance, (*steps, step))) else None


def _tightest_cut(graph: ProofGraph, clock: Clock) -> Separator | None:
    """Return a separator with an excess or, failing that, the tight one that settles most edges.

    None is returned if no candidate settles an edge.
    """
    clock.check()
    candidates = candidate_separators(graph.instance, graph.between_squares)
    separators = [graph.separator(cut) for cut in itertools.chain([()], candidates)]
    is_open = ~graph.used & ~graph.unused

    def value(separator: Separator) -> float:
        if separator.excess > 0:
            return math.inf
        return (separator.inside & is_open).sum() if separator.excess == 0 else 0

    best = max(separators, key=value)
    return best if value(best) else None


def _frontier(graph: ProofGraph, steps: list[Step], clock: Clock) -> list[Step] | None:
    """Return a proof by the rule frontier, or None if no order is narrow enough for it."""
    clock.check()
    inner = graph.edges[graph.edges[:, 1] < graph.instance.graph.area]
    depot = np.setdiff1d(graph.ids, graph.instance.graph.vertices)
    narrow = low_width_orders(graph.instance.graph.vertices, inner)
    orders = [np.append(order, depot).astype(np.int32) for order in narrow]
    widths = [int(frontier_widths(graph.edges, order).max()) for order in orders]
    if min(widths) > _MAX_WIDTH:
        return None
    order = orders[widths.index(min(widths))]
    steps = [*steps, Step(Rule.FRONTIER, tuple(order.tolist()))]
    return steps if check(Certificate(graph.instance, tuple(steps))) else None


def _lemmas(
    graph: ProofGraph, steps: list[Step], clock: Clock, max_conflicts: float = math.inf
) -> list[Step] | None:
    """Return a proof that ends with the lemmas of a SAT solver, or None if there is a tour."""
    lemmas = lemma_steps(graph, len(steps) + 1, clock, max_conflicts)
    return None if lemmas is None else steps + lemmas
