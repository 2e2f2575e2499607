"""Make certificates, which the checker accepts: that an instance has no tour, and of bounds.

For a person, `kt_cp.proof.refutation` finds a reason; a certificate says the same in steps that a
program checks, and exists for every instance without a tour, unless it takes too long. Each rule
of `kt_cp.proof.certificate.Rule` is tried, from the one with the shortest proofs to the one that
always leads to a proof: the lemmas of a SAT solver. A literal is the number of an edge, from 1,
which is used, or its negative: the edge is not used.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Mask
from kt_cp.graph_algorithms import component_labels, frontier_widths, low_width_orders
from kt_cp.messages import join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.bounds import most_allowed, separator_of_cover, separator_of_longest
from kt_cp.proof.certificate import MAX_SQUARES, Certificate, Claim, Measure, Rule, Step
from kt_cp.proof.checker import Constraint, check
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_cp.proof.separators import (
    ProofGraph,
    Separator,
    candidate_separators,
    greedy_separators,
    too_few_moves,
)
from kt_cp.sat.formula import Formula, OutOfConflictsError

# If a SAT solver needs more conflicts than this, its proof is long. The rule ``frontier`` gives a
# shorter proof if some order of the vertices has a frontier of at most this width.
_FEW_CONFLICTS = 100
_MAX_WIDTH = 16

# Separators of at most this many vertices are reduced, one vertex at a time.
_MAX_SHRUNK = 2_000

# For more edges than this, as at the depot, the clauses that at most two of them are used are added
# only when a solution violates them, and of a set the solver is told only that one edge leaves it.
_MAX_FULL_EDGES = 40

Literals = tuple[int, ...]
Vertices = tuple[int, ...]

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
    _check_size(instance)
    if len(instance.graph) == 1 and not instance.closed:
        raise NoCertificateError("one square alone is an open tour")
    ends = replace(instance, start=instance.first, end=instance.last, givens=(), order=())
    bare = replace(ends, symmetry=None, having=(), constrain=())
    try:
        steps = _proof_steps(ProofGraph(bare), clock, reason)
    except OutOfTimeError:
        raise NoCertificateError("the time limit was reached before the proof was made") from None
    if steps is None:
        ignored = [words for name, words in _IGNORED_CONSTRAINTS.items() if getattr(instance, name)]
        without = f" without {join_words(ignored)}" if ignored else ""
        raise NoCertificateError(f"there is a tour{without}")
    if steps[-1].rule in (Rule.CUT, Rule.COUNT):  # it may need no tight cut, or not all of them
        for step in steps[:-1]:
            fewer = [each for each in steps if each is not step]
            if check(Certificate(bare, tuple(fewer))):
                steps = fewer
    return _checked(Certificate(bare, tuple(steps)))


def certify_bound(instance: Instance, claim: Claim, clock: Clock | None = None) -> Certificate:
    """Return a certificate of a bound on squares or paths, which has passed the checker.

    The proof is a separator, or a proof that there is no tour of all squares if that implies the
    bound. Raises `NoCertificateError` if none is found before the clock's limit.

    >>> certificate = certify_bound(Instance.of("4x4"), Claim(Measure.SQUARES, 15))
    >>> print(check(certificate).message)
    holds: no path of 4x4 visits more than 15 of 16 squares (without the 4 squares b3, c3, b2 and \
c2, 6 components are left, of which a path visits at most 5)
    """
    bare = replace(instance, allows_partial=False, visit=(), symmetry=None, having=(), constrain=())
    _check_size(bare)
    if claim.measure is Measure.PATHS:
        separator = separator_of_cover(bare, clock)
        trivial = 1
        proven = separator.fewest_paths
        without_tour = 2
    else:
        separator = separator_of_longest(bare, clock)
        trivial = most_allowed(instance)
        proven = separator.most_squares
        without_tour = bare.possible_length(len(bare.graph) - 1)
    if claim.follows_from(trivial):
        raise NoCertificateError(f"{claim} needs no proof")
    if claim.follows_from(proven):
        return _checked(Certificate(bare, (Step(Rule.BOUND, separator.removed),), claim))
    unproven = f"no separator proves {claim}, and no other proof of a bound has a certificate"
    if not claim.follows_from(without_tour):
        raise NoCertificateError(unproven)
    try:
        return _checked(replace(make_certificate(bare, clock), claim=claim))
    except NoCertificateError as error:
        raise NoCertificateError(f"{unproven} ({error})") from None


def _check_size(instance: Instance) -> None:
    """Raise `NoCertificateError` for a board that is too large."""
    if instance.graph.area > MAX_SQUARES:
        raise NoCertificateError(f"certificates are for boards of up to {MAX_SQUARES:,} squares")


def _checked(certificate: Certificate) -> Certificate:
    """Return a certificate that has passed the checker."""
    if not (verdict := check(certificate)):
        raise AssertionError(f"a certificate was made that {verdict.message}")
    return certificate


def _proof_steps(graph: ProofGraph, clock: Clock, reason: Reason | None) -> list[Step] | None:
    """Return the steps of a complete proof, or None if there is a tour."""
    if TourGraph(graph.instance).is_contradictory:
        return [Step(Rule.CLAUSE, ())]
    if last := _last_step_by(graph, [], reason):
        return [last]
    steps: list[Step] = []
    while cut := _best_cut(graph, clock):
        if cut.excess > 0:
            return [*steps, _cut_step(cut)]
        graph.unused |= cut.inside & ~graph.used  # as the checker does
        steps.append(Step(Rule.TIGHT_CUT, cut.removed))
    if last := _last_step_by(graph, steps, too_few_moves(graph.instance, graph.between_squares)):
        return [*steps, last]
    clock.check()
    if hidden := graph.first_separator(greedy_separators(graph)):
        return [*steps, _cut_step(hidden)]
    try:
        return _lemmas(graph, steps, clock, _FEW_CONFLICTS)
    except OutOfConflictsError:
        return _frontier(graph, steps, clock) or _lemmas(graph, steps, clock)


def _last_step_by(graph: ProofGraph, steps: list[Step], reason: Reason | None) -> Step | None:
    """Return the step that completes a proof by a reason, or None if no single step does."""
    if reason is None:
        return None
    if reason.kind is ReasonKind.CUT:
        separator = graph.first_separator([reason.groups["cut"]])
        return _cut_step(separator) if separator else None
    step = Step(Rule.COUNT, reason.groups.get("squares", ()))
    is_count = reason.kind is ReasonKind.TWO_FACTOR
    return step if is_count and check(Certificate(graph.instance, (*steps, step))) else None


def _cut_step(separator: Separator) -> Step:
    """Return the step by the rule ``cut``: a minimal part of a separator that has an excess.

    A large separator is returned as a whole.
    """
    if len(separator.removed) > _MAX_SHRUNK:
        return Step(Rule.CUT, separator.removed)
    smallest = separator
    for vertex in separator.squares:
        fewer = tuple(each for each in smallest.removed if each != vertex)
        candidate = Separator(separator.graph, fewer)
        if candidate.excess > 0:
            smallest = candidate
    return Step(Rule.CUT, smallest.removed)


def _best_cut(graph: ProofGraph, clock: Clock) -> Separator | None:
    """Return a separator with an excess or, failing that, the tight one that settles most edges.

    None is returned if no candidate settles an edge.
    """
    clock.check()
    separators = [graph.separator(each) for each in ((), *candidate_separators(graph))]
    is_open = ~graph.used & ~graph.unused
    best, most_settled = None, 0
    for separator in separators:
        if separator.excess > 0:
            return separator
        settled = int((separator.inside & is_open).sum())
        if separator.excess == 0 and settled > most_settled:
            best, most_settled = separator, settled
    return best


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
    """Return a proof that ends with the lemmas of a SAT solver, or None if there is a tour.

    The solver is given a variable for each edge and asked for two edges at every vertex. Subtours
    are eliminated as they appear: for every component of a solution, two edges have to leave it.
    Raises `OutOfTimeError` at the clock's limit, and `OutOfConflictsError` after ``max_conflicts``.

    >>> _lemmas(ProofGraph(Instance.of([(0, 1), (1, 2)], closed=True)), [], Clock())
    [Step(rule=<Rule.CLAUSE: 'clause'>, items=(), hints=(0,))]
    """
    from pysat.solvers import Glucose4  # loaded only when used

    facts = dict.fromkeys(_numbers(graph.used), True) | dict.fromkeys(_numbers(graph.unused), False)
    edges_at = {
        vertex: _numbers((graph.edges == vertex).any(axis=1)) for vertex in graph.ids.tolist()
    }
    leaving_edges: dict[Vertices, Literals] = {}  # of each component of a solution
    clauses: list[Literals] = [(edge if is_used else -edge,) for edge, is_used in facts.items()]
    for edges in edges_at.values():
        clauses += _at_least_two(edges)
        if len(edges) <= _MAX_FULL_EDGES:
            clauses += _at_most_two(edges)
    with Glucose4(bootstrap_with=clauses, with_proof=True, incr=False) as solver:
        formula = Formula(len(edges), solver)
        while formula.solve(clock, max_conflicts):
            used = np.array(solver.get_model()) > 0
            subtours = _subtours(graph, used)
            leaving_edges |= subtours
            chosen = set(_numbers(used))
            violated: list[Literals] = []
            for edges in edges_at.values():
                violated += _at_most_two(edge for edge in edges if edge in chosen)
            for edges in subtours.values():
                violated += _at_least_two(edges) if len(edges) <= _MAX_FULL_EDGES else [edges]
            if not violated:
                return None
            solver.append_formula(violated)
        # The proof is in the format DRUP: deletions begin with d, and each line ends with 0.
        lines = [line.split()[:-1] for line in solver.get_proof() if not line.startswith("d")]
    lemmas = [tuple(dict.fromkeys(map(int, line))) for line in lines if line]
    return steps + _Trimmer(facts, edges_at, leaving_edges, lemmas).steps(len(steps) + 1, clock)


def _numbers(chosen: Mask) -> Literals:
    """Return the numbers of some edges, which count from 1."""
    return tuple((np.flatnonzero(chosen) + 1).tolist())


def _at_least_two(edges: Literals) -> Iterable[Literals]:
    """Return clauses that at least two of some edges are used: one of all of them but one."""
    return itertools.combinations(edges, len(edges) - 1) if edges else [()]


def _at_most_two(edges: Iterable[int]) -> Iterator[Literals]:
    """Yield clauses that at most two of some edges are used: of any three, one is not."""
    for three in itertools.combinations(edges, 3):
        yield tuple(-edge for edge in three)


def _subtours(graph: ProofGraph, used: Mask) -> dict[Vertices, Literals]:
    """Return the edges that leave each component of a solution; empty if it is connected."""
    labels = component_labels(int(graph.ids.max()) + 1, graph.edges[used])
    components = np.unique(labels[graph.ids])
    if len(components) == 1:
        return {}
    leaving: dict[Vertices, Literals] = {}
    for label in components:
        vertices = graph.ids[labels[graph.ids] == label]
        is_leaving = (labels[graph.edges] == label).sum(axis=1) == 1
        leaving[tuple(vertices.tolist())] = _numbers(is_leaving)
    return leaving


class _Trimmer:
    """Checks lemmas backwards by unit propagation, and keeps those that the contradiction needs.

    ``constraints`` have names as in hints: a vertex, or the negative of a step's number, which
    counts from 1: first those for sets of vertices, then the lemmas, of which the empty clause is
    the last. ``facts`` are the settled edges, ``at_edge`` the constraints on each edge, and
    ``tight`` those that settle all of their edges at once. (Goldberg and Novikov 2003; Wetzler,
    Heule and Hunt 2014.)
    """

    def __init__(
        self,
        facts: Mapping[int, bool],
        edges_at: Mapping[int, Literals],
        leaving_edges: Mapping[Vertices, Literals],
        lemmas: Sequence[Literals],
    ) -> None:
        self.facts = facts
        self.sets = [*leaving_edges]
        self.constraints = {vertex: Constraint(edges, 2, 2) for vertex, edges in edges_at.items()}
        sets = [Constraint(edges, 2, len(edges)) for edges in leaving_edges.values()]
        clauses = [Constraint(lemma, 1, len(lemma)) for lemma in (*lemmas, ())]
        self.constraints |= {-number: each for number, each in enumerate([*sets, *clauses], 1)}
        self.at_edge = defaultdict[int, list[int]](list)
        for name, constraint in self.constraints.items():
            for literal in constraint.literals:
                self.at_edge[abs(literal)].append(name)
        self.tight = [
            name for name, each in self.constraints.items() if len(each.literals) <= each.least
        ]

    def steps(self, first: int, clock: Clock) -> list[Step]:
        """Return the steps that are needed, numbered from ``first`` on."""
        hints: dict[int, list[int]] = {}
        last = min(self.constraints)
        needed = {last}
        for lemma in range(last, -len(self.sets)):
            if lemma in needed:
                clock.check()
                hints[lemma] = self._hints(lemma)
                needed.update(hints[lemma])
        kept = sorted((name for name in needed if name < 0), reverse=True)
        numbers = {name: -number for number, name in enumerate(kept, first)}
        return [
            Step(
                Rule.CLAUSE,
                self.constraints[name].literals,
                tuple(numbers.get(hint, hint) for hint in hints[name]),
            )
            if name in hints
            else Step(Rule.SET, self.sets[-name - 1])
            for name in kept
        ]

    def _hints(self, lemma: int) -> list[int]:
        """Return the names of constraints from which a lemma follows, in the order to be followed.

        The lemma is assumed to be false; unit propagation then leads to a violated constraint.
        """
        values = {**self.facts}
        for literal in self.constraints[lemma].literals:
            if values.setdefault(abs(literal), literal < 0) is not (literal < 0):
                return []  # a fact makes the lemma true
        trail = [*values]  # the settled edges, in order
        causes: dict[int, int] = {}  # the constraint that settles each edge
        violated = self._propagate(lemma, values, trail, causes)

        # Walk back from the violated constraint to the edges that it rests on. If it has too many
        # true literals, it rests on their edges, and otherwise on those of its false literals.
        true, false = self._settled(violated, values)
        hints = [violated]
        needed = true if len(true) > self.constraints[violated].most else false
        for edge in reversed(trail):
            if edge in needed and edge in causes:
                hints.append(causes[edge])
                # A constraint makes a literal true as too many others are false, and false as
                # enough others are true.
                true, false = self._settled(causes[edge], values)
                needed |= false if edge in true else true
        return list(dict.fromkeys(reversed(hints)))

    def _propagate(
        self, lemma: int, values: dict[int, bool], trail: list[int], causes: dict[int, int]
    ) -> int:
        """Propagate ``values``, and return the first constraint before a lemma that they violate.

        The edges that are settled are added to ``trail``, and why they are to ``causes``.
        """
        touched = (name for edge in trail for name in self.at_edge[edge])  # the trail grows
        for name in itertools.chain(self.tight, touched):
            if name <= lemma:
                continue
            settled_before = len(values)
            if self.constraints[name].propagate(values):
                return name
            settled = [*itertools.islice(values, settled_before, None)]
            trail += settled
            causes |= dict.fromkeys(settled, name)
        raise AssertionError("a lemma of the SAT solver does not follow")

    def _settled(self, name: int, values: Mapping[int, bool]) -> tuple[set[int], set[int]]:
        """Return the edges of the true literals of a constraint, and of the false ones."""
        literals = [each for each in self.constraints[name].literals if abs(each) in values]
        true = {abs(each) for each in literals if values[abs(each)] is (each > 0)}
        return true, {abs(each) for each in literals} - true
