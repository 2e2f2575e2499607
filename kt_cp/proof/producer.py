"""Make certificates: by separators and counts where they suffice, otherwise by lemmas.

Each rule of `kt_cp.proof.certificate.Rule` is tried, from the one with the shortest proofs to the
one that always leads to a proof: the lemmas of a SAT solver. A literal is the number of an edge,
from 1, which is used, or its negative: the edge is not used.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.graph_algorithms import component_labels, frontier_widths, low_width_orders
from kt_cp.messages import join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.certificate import MAX_SQUARES, Certificate, Rule, Step
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

# For up to this many edges, constraints are stated in full: no three edges at a vertex are used,
# and two edges leave a set. For more, as at the depot, the clauses against three edges are added
# only when a solution violates them, and the clause for a set says only that one edge leaves it.
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
    check_size(instance)
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
    if steps[-1].rule in (Rule.CUT, Rule.COUNT):  # it may need no tight cut, or not all of them
        for step in steps[:-1]:
            fewer = [each for each in steps if each is not step]
            if check(Certificate(bare, tuple(fewer))):
                steps = fewer
    return checked(Certificate(bare, tuple(steps)))


def check_size(instance: Instance) -> None:
    """Raise `NoCertificateError` for a board that is too large."""
    if instance.graph.area > MAX_SQUARES:
        raise NoCertificateError(f"certificates are for boards of up to {MAX_SQUARES:,} squares")


def checked(certificate: Certificate) -> Certificate:
    """Return a certificate that has passed the checker."""
    if not (verdict := check(certificate)):
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
    if hidden := graph.separate(greedy_separators(graph)):
        return [*steps, hidden.step()]
    try:
        return _lemmas(graph, steps, clock, _FEW_CONFLICTS)
    except OutOfConflictsError:
        return _frontier(graph, steps, clock) or _lemmas(graph, steps, clock)


def _step_of(graph: ProofGraph, steps: list[Step], reason: Reason | None) -> Step | None:
    """Return the step that completes a proof by a reason, or None if no single step does."""
    if reason is None:
        return None
    if reason.kind is ReasonKind.CUT:
        separator = graph.separate([reason.groups["cut"]])
        return separator.step() if separator else None
    step = Step(Rule.COUNT, reason.groups.get("squares", ()))
    is_count = reason.kind is ReasonKind.TWO_FACTOR
    return step if is_count and check(Certificate(graph.instance, (*steps, step))) else None


def _tightest_cut(graph: ProofGraph, clock: Clock) -> Separator | None:
    """Return a separator with an excess or, failing that, the tight one that settles most edges.

    None is returned if no candidate settles an edge.
    """
    clock.check()
    candidates = itertools.chain([()], candidate_separators(graph))
    separators = [*map(graph.separator, candidates)]
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
    """Return a proof that ends with the lemmas of a SAT solver, or None if there is a tour.

    The solver is given a variable for each edge and asked for two edges at every vertex. Subtours
    are eliminated as they appear: for every component of a solution, two edges have to leave it.
    Raises `OutOfTimeError` at the clock's limit, and `OutOfConflictsError` after ``max_conflicts``.

    >>> _lemmas(ProofGraph(Instance.of([(0, 1), (1, 2)], closed=True)), [], Clock())
    [Step(rule=<Rule.CLAUSE: 'clause'>, items=(), hints=(0,))]
    """
    from pysat.solvers import Glucose4  # loaded only when used

    vertices, edges = graph.ids, graph.edges
    facts = dict.fromkeys(_numbers(graph.used), True) | dict.fromkeys(_numbers(graph.unused), False)
    edges_at = {vertex: _numbers((edges == vertex).any(axis=1)) for vertex in vertices.tolist()}
    leaving_edges: dict[Vertices, Literals] = {}  # of each component of a solution
    clauses: list[Literals] = [(edge if is_used else -edge,) for edge, is_used in facts.items()]
    for around in edges_at.values():
        clauses += itertools.combinations(around, len(around) - 1) if around else [()]
        if len(around) <= _MAX_FULL_EDGES:
            clauses += _no_three(around)
    with Glucose4(bootstrap_with=clauses, with_proof=True, incr=False) as solver:
        formula = Formula(len(edges), solver)
        while formula.solve(clock, max_conflicts):
            used = np.array(solver.get_model()) > 0
            chosen = set(_numbers(used))
            clauses = [
                clause
                for around in edges_at.values()
                for clause in _no_three(edge for edge in around if edge in chosen)
            ]
            for component, leaving in _subtours(vertices, edges, used).items():
                leaving_edges[component] = leaving
                if 0 < len(leaving) <= _MAX_FULL_EDGES:
                    clauses += itertools.combinations(leaving, len(leaving) - 1)
                else:
                    clauses.append(leaving)
            if not clauses:
                return None
            for clause in clauses:
                solver.add_clause(clause)
        # The proof is in the format DRUP: deletions begin with d, and each line ends with 0.
        lines = [line.split()[:-1] for line in solver.get_proof() if not line.startswith("d")]
    lemmas = [tuple(dict.fromkeys(map(int, line))) for line in lines if line]
    return steps + _Trimmer(facts, edges_at, leaving_edges, lemmas).steps(len(steps) + 1, clock)


def _numbers(chosen: Mask) -> Literals:
    """Return the numbers of some edges, which count from 1."""
    return tuple((np.flatnonzero(chosen) + 1).tolist())


def _no_three(edges: Iterable[int]) -> Iterator[Literals]:
    """Yield clauses that no three of some edges are used."""
    for three in itertools.combinations(edges, 3):
        yield tuple(-edge for edge in three)


def _subtours(vertices: Ints, edges: Ints, used: Mask) -> dict[Vertices, Literals]:
    """Return the edges that leave each component of a solution; empty if it is connected."""
    labels = component_labels(int(vertices.max()) + 1, edges[used])
    ends, label_of = labels[edges], labels[vertices]
    if (label_of == label_of[0]).all():
        return {}
    leaving: dict[Vertices, Literals] = {}
    for label in np.unique(label_of):
        is_leaving = (ends == label).sum(axis=1) == 1
        leaving[tuple(vertices[label_of == label].tolist())] = _numbers(is_leaving)
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
        self.facts, self.sets = facts, [*leaving_edges]
        concluded = [Constraint(edges, 2, len(edges)) for edges in leaving_edges.values()]
        concluded += [Constraint(lemma, 1, len(lemma)) for lemma in (*lemmas, ())]
        self.constraints = {vertex: Constraint(edges, 2, 2) for vertex, edges in edges_at.items()}
        self.constraints |= {-number: each for number, each in enumerate(concluded, start=1)}
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

        # Walk back from the violated constraint to the edges that it rests on.
        true, false = self._settled(violated, values)
        hints = [violated]
        needed = true if len(true) > self.constraints[violated].most else false
        for edge in reversed(trail):
            if edge in needed and edge in causes:
                hints.append(causes[edge])
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
            known = len(values)
            if self.constraints[name].propagate(values):
                return name
            settled = [*itertools.islice(values, known, None)]
            trail += settled
            causes |= dict.fromkeys(settled, name)
        raise AssertionError("a lemma of the SAT solver does not follow")

    def _settled(self, name: int, values: Mapping[int, bool]) -> tuple[set[int], set[int]]:
        """Return the edges of the true literals of a constraint, and of the false ones."""
        literals = [each for each in self.constraints[name].literals if abs(each) in values]
        true = {abs(each) for each in literals if values[abs(each)] is (each > 0)}
        return true, {abs(each) for each in literals} - true
