"""Bounds that a separator or the blocks prove: on the squares of a path or cycle, and on covers.

Removing k vertices cuts p paths into at most p + k pieces, and a cycle into at most k. Each piece
lies in one component of what is left. So a path that visits most can leave out all but the largest
components, and where there are many components, a cover needs many paths.

A path passes a vertex once, so where a single vertex separates the graph it does not come back: it
visits a chain of blocks, and a cycle one block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kt_cp.graph_algorithms import (
    adjacency,
    articulation_components,
    component_labels,
    most_on_cycle,
    most_on_path,
)
from kt_cp.messages import join_words, pluralize
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import BoundProof, Clock
from kt_cp.proof.certificate import MAX_SQUARES, Certificate, Claim, Measure, Rule, Step
from kt_cp.proof.checker import check
from kt_cp.proof.degree_relaxation import most_by_degrees
from kt_cp.proof.producer import NoCertificateError, make_certificate
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.proof.separators import MAX_SEPARATED, candidate_separators, greedy_separators
from kt_cp.tour.validator import FEWEST_CLOSED

# A certificate splits a graph into its blocks only if the cut vertices times the edges are at most
# this many: the checker looks at all edges for each cut vertex.
_MAX_SPLITTING = 10**7


@dataclass(frozen=True)
class Separator:
    """A set of ``removed`` vertices (ids, perhaps none), and the bounds that follow from it.

    The constraints of the ``instance`` are taken into account, but not the directions of moves.
    """

    instance: Instance
    removed: tuple[int, ...]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of vertices of the components, the largest first."""
        kept = np.array(self.instance.graph.mask)
        kept[list(self.removed)] = False
        edges = self.instance.edges
        labels = component_labels(len(kept), edges[kept[edges].all(axis=1)])
        _, sizes = np.unique(labels[kept], return_counts=True)
        return tuple(sorted(sizes.tolist(), reverse=True))

    @property
    def components(self) -> int:
        """The number of components that are left."""
        return len(self.sizes)

    @property
    def fewest_paths(self) -> int:
        """The lower bound on the number of paths of a cover."""
        return max(1, self.components - len(self.removed))

    @property
    def most_reachable(self) -> int:
        """The upper bound on visited vertices before parity is taken into account."""
        return len(self.removed) + sum(self.sizes[: self.most_components])

    @property
    def most_components(self) -> int:
        """The upper bound on the components that one path or cycle visits.

        A path with k removed vertices has at most k + 1 pieces between them, one less for each of
        its ends and each of its edges that are within the removed vertices; a cycle has at most k.
        """
        instance, removed = self.instance, set(self.removed)
        required = {frozenset((move.source, move.target)) for move in instance.require}
        inside = [edge for edge in required if edge <= removed]
        pieces = len(removed) - len(inside)
        if not instance.closed:
            pieces += 1 - len(removed.intersection(instance.ends))
        return max(1, pieces)

    @property
    def most_squares(self) -> int:
        """The upper bound on the vertices that a path, or cycle, of the instance visits."""
        return possible_length(self.instance, self.most_reachable)

    def reason_for_no_more(self, wanted: int) -> Reason:
        """Return the reason that no path or cycle visits ``wanted`` vertices."""
        graph, closed = self.instance.graph, self.instance.closed
        words, most = graph.vocabulary, self.most_squares
        if closed and most < FEWEST_CLOSED:
            least = words.count_vertices(FEWEST_CLOSED)
            limit = f"there is no cycle, which would visit at least {least}"
        else:
            kind = words.partial_tour(closed)
            limit = f"a {kind} visits at most {words.count_vertices(most)}, not {wanted}"
        if not self.removed:
            return Reason(ReasonKind.TOO_SMALL, graph, limit)
        leaves = f"removing {{cut}} leaves {pluralize(self.components, 'component')}"
        text = f"{leaves}{self._why_fewer}, so {limit}"
        return Reason.about(ReasonKind.CUT, graph, text, cut=self.removed)

    @property
    def _why_fewer(self) -> str:
        """What bounds the visited vertices besides the components: part of a sentence."""
        graph, closed = self.instance.graph, self.instance.closed
        reasons = list[str]()
        if self.most_components < self.components:
            kind = graph.vocabulary.partial_tour(closed)
            ends = sorted(set(self.removed).intersection(self.instance.ends))
            at_ends = f" with an end at {join_words([*map(graph.name, ends)])}" if ends else ""
            reasons.append(f"of which a {kind}{at_ends} visits at most {self.most_components}")
        if self.most_squares < self.most_reachable:
            reasons.append(f"and an even number of {graph.vocabulary.vertices}")
        return "".join(f", {reason}" for reason in reasons)

    def proves(self, claim: Claim) -> bool:
        """Return whether a claim about the instance follows."""
        if claim.measure is Measure.PATHS:
            return claim.value <= self.fewest_paths
        return claim.value >= self.most_squares


def separator_of_cover(instance: Instance, clock: Clock | None = None) -> Separator:
    """Return the found separator with the largest lower bound on the paths of a cover.

    The search for separators ends at the clock's limit, but one is always found: none.
    """
    return max(_separators(instance, clock), key=lambda each: each.fewest_paths)


def separator_of_longest(instance: Instance, clock: Clock | None = None) -> Separator:
    """Return the found separator with the smallest upper bound on the squares of a path or cycle.

    Ties are broken in favor of a bound that does not rest on parity. The search for separators ends
    at the clock's limit, but one is always found: none.
    """
    separators = _separators(instance, clock)
    return min(separators, key=lambda each: (each.most_squares, each.most_reachable))


def most_by_blocks(instance: Instance) -> int:
    """Return the most squares of a path or cycle that the blocks of the graph allow.

    Of the constraints only forbidden moves are taken into account.
    """
    graph = adjacency(instance.edges)
    most = most_on_cycle(graph) if instance.closed else most_on_path(graph)
    return possible_length(instance, most)


def _separators(instance: Instance, clock: Clock | None) -> Iterator[Separator]:
    """Yield separators until the clock's limit, the one without vertices first."""
    clock = clock or Clock()
    yield Separator(instance, ())
    if not len(instance.edges) or not 3 <= len(instance.graph) <= MAX_SEPARATED:
        return
    for removed in _candidates(instance):
        if clock.remaining <= 0:
            return
        yield Separator(instance, tuple(removed))


def _candidates(instance: Instance) -> Iterator[list[int]]:
    """Yield sets of vertices that may separate a graph, the color classes last."""
    graph, edges = instance.graph, instance.edges
    yield from candidate_separators(edges, graph.mask, graph.sides, instance.ends)
    yield from greedy_separators(adjacency(edges), instance.ends)
    if graph.sides is not None:
        for color in (graph.sides, ~graph.sides):
            yield np.flatnonzero(color & graph.mask).tolist()


def certify_bound(instance: Instance, claim: Claim, clock: Clock | None = None) -> Certificate:
    """Return a certificate of a bound on squares or paths, which has passed the checker.

    The proof is a separator, the blocks of the graph, or a proof that there is no tour of all
    squares if that implies the bound. Raises `NoCertificateError` if none is found before the
    clock's limit.

    >>> certificate = certify_bound(Instance.of("4x4"), Claim(Measure.SQUARES, 15))
    >>> print(check(certificate).message)
    holds: no path of 4x4 visits more than 15 of 16 squares (without the 4 squares b3, c3, b2 and \
c2, 6 components are left, of which a path visits at most 5)
    """
    bare = replace(instance, allows_partial=False, visit=(), symmetry=None, having=(), constrain=())
    graph = bare.graph
    if graph.area > MAX_SQUARES:
        raise NoCertificateError(f"certificates are for boards of up to {MAX_SQUARES:,} squares")
    if claim.measure is Measure.PATHS:
        is_trivial = claim.value <= 1
        separator = separator_of_cover(bare, clock)
    else:
        is_trivial = claim.value >= most_allowed(instance)
        separator = separator_of_longest(bare, clock)
    if is_trivial:
        raise NoCertificateError(f"{claim} needs no proof")
    if separator.proves(claim):
        depot = () if bare.closed else (graph.area,)
        certificate = Certificate(bare, (Step(Rule.BOUND, separator.removed + depot),), claim)
    elif claim.measure is Measure.SQUARES and claim.value >= most_by_blocks(bare):
        certificate = _certify_by_blocks(bare, claim)
    else:
        certificate = _certify_without_tour(bare, claim, clock)
    verdict = check(certificate)
    if not verdict:
        raise AssertionError(f"a certificate was made that {verdict.message}")
    return certificate


def _certify_by_blocks(instance: Instance, claim: Claim) -> Certificate:
    """Return a certificate that splits the graph into its blocks.

    Raises `NoCertificateError` where it would take too much work to check.
    """
    cuts = sorted(articulation_components(adjacency(instance.edges)))
    if len(cuts) * len(instance.edges) > _MAX_SPLITTING:
        raise NoCertificateError(f"the blocks prove {claim}, but are too many for a certificate")
    return Certificate(instance, (Step(Rule.PARTS, tuple(cuts)),), claim)


def _certify_without_tour(instance: Instance, claim: Claim, clock: Clock | None) -> Certificate:
    """Return a certificate of a claim that follows if there is no tour of all vertices."""
    unproven = _why_unproven(instance, claim, clock)
    if not _follows_without_tour(instance, claim):
        raise NoCertificateError(unproven)
    try:
        return replace(make_certificate(instance, clock), claim=claim)
    except NoCertificateError as error:
        raise NoCertificateError(f"{unproven} ({error})") from None


def _why_unproven(instance: Instance, claim: Claim, clock: Clock | None) -> str:
    """Return why a claim has no certificate that is simpler than a proof that there is no tour."""
    if claim.measure is Measure.SQUARES:
        degrees_bound = most_by_degrees(instance, clock or Clock())
        if claim.value >= possible_length(instance, degrees_bound):
            return f"the degrees prove {claim}, for which there is no certificate"
    return f"no separator proves {claim}, which rests on a solver alone"


def proof_of(certificate: Certificate) -> BoundProof:
    """Return the kind of proof of the bound of a certificate."""
    match certificate.steps[0].rule:
        case Rule.BOUND:
            return BoundProof.SEPARATOR
        case Rule.PARTS:
            return BoundProof.BLOCKS
        case _:
            return BoundProof.NO_TOUR


def _follows_without_tour(instance: Instance, claim: Claim) -> bool:
    """Return whether a claim follows from a proof that there is no tour of all vertices."""
    if claim.measure is Measure.PATHS:
        return claim.value <= 2
    return claim.value >= possible_length(instance, len(instance.graph) - 1)


def most_allowed(instance: Instance) -> int:
    """Return the most vertices that the graph has and that the bounds of the instance allow.

    >>> most_allowed(Instance.of("5x5")), most_allowed(Instance.of("5x5", having=["squares<=9"]))
    (25, 9)
    """
    limits = [bound.limits[1] for bound in instance.having if bound.feature == "squares"]
    allowed = [limit for limit in limits if limit is not None]
    return min([len(instance.graph), *allowed])


def possible_length(instance: Instance, most: float) -> int:
    """Return ``most``, rounded down to an even number for cycles of a bipartite graph.

    A path or cycle visits a whole number of vertices.

    >>> possible_length(Instance.of("5x5", closed=True), 25)
    24
    """
    whole = math.floor(most + 1e-6)  # a solver's bounds are not always exact
    has_even_cycles = instance.closed and instance.graph.sides is not None
    return whole - whole % 2 if has_even_cycles else whole
