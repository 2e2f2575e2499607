"""Make certificates: separators where they suffice, and a SAT solver's lemmas for the rest.

The solver is asked for two edges at every vertex and, for every set of vertices that a solution
left disconnected, for two edges that leave it. Once there is no solution, the lemmas that the
contradiction needs are checked backwards by unit propagation (Goldberg and Novikov 2003; Wetzler,
Heule and Hunt 2014), which finds the hints; the others are dropped.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.arrays import Mask
from kt_cp.errors import join_words
from kt_cp.graph_algorithms import adjacency, component_labels, frontier_widths, low_width_orders
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.certificate import MOST_SQUARES, Certificate, Rule, Step
from kt_cp.proof.checker import check
from kt_cp.proof.separators import (
    candidate_separators,
    component_count,
    deficient,
    greedy_separators,
)
from kt_cp.proof.subtour_relaxation import FEW_ROUNDS, ROUNDS, relaxation_separator
from kt_cp.sat.formula import satisfiable

# Beyond this, a set of squares is not made smaller one square at a time.
_MOST_SHRUNK = 2_000

# Up to how many vertices linear programming is tried before clauses are, and after these.
_FEW_RELAXED, _MOST_RELAXED = 300, 5_000

# Proofs by clauses that take a SAT solver more conflicts are long. Where the frontier of some order
# of the vertices is narrow, following all ways along it is shorter.
_FEW_CONFLICTS = 100
_WIDEST = 16

# A vertex with more edges than this, such as the depot, is told about three of them used at once
# only when a solution does so.
_MANY = 40

Literals = tuple[int, ...]

# What a proof says nothing about, as messages name it.
_UNPROVEN = {
    "symmetry": "the symmetry",
    "givens": "the given steps",
    "having": "the bounds",
    "constrain": "the added constraints",
    "one_way": "the directions of moves",
}


class NoCertificateError(Exception):
    """No certificate can be made; the message says why."""


def make_certificate(instance: Instance, clock: Clock | None = None) -> Certificate:
    """Return a certificate that an instance has no tour; it has been checked.

    A symmetry, given steps and the directions of moves are left aside: what has no tour then has
    none at all. Raises `NoCertificateError` where that leaves a tour, and where the clock's limit
    is reached first.

    >>> from kt_cp.board import Board
    >>> certificate = make_certificate(Instance(Board(4, 8), closed=True))
    >>> [step.rule.value for step in certificate.steps]
    ['tight-cut', 'cut']
    """
    clock = clock or Clock()
    board = instance.graph
    if board.area > MOST_SQUARES:
        raise NoCertificateError(f"certificates are for boards of up to {MOST_SQUARES:,} squares")
    bare = replace(instance, symmetry=None, givens=(), having=(), constrain=())
    if len(board) == 1 and not instance.closed:
        raise NoCertificateError("one square alone is an open tour")
    asked = join_words([words for name, words in _UNPROVEN.items() if getattr(instance, name)])
    try:
        steps = _Proof(bare, clock).steps()
    except OutOfTimeError:
        raise NoCertificateError("the time limit was reached before the proof was made") from None
    if steps is None:
        raise NoCertificateError(f"there is a tour without {asked}" if asked else "there is a tour")
    certificate = Certificate(bare, tuple(steps))
    verdict = check(certificate)
    if not verdict:
        raise AssertionError(f"a certificate was made that {verdict.message}")
    return certificate


class _Proof:
    """A proof in the making: edges as rows of two vertices, and what is settled of each.

    ``used`` and ``gone`` tell of each edge whether it is settled that it is used, or is not.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        graph, self.instance, self.clock = instance.graph, instance, clock
        whole = self.whole = TourGraph(instance)
        self.depot = whole.depot_id
        order = np.lexsort(whole.edges.T[::-1])
        self.edges, self.used = whole.vertices(whole.edges[order]), whole.required[order]
        self.squares = np.append(graph.mask, False)
        self.vertices = np.append(graph.mask, not instance.closed)
        self.sides = None if graph.sides is None else np.append(graph.sides, False)
        self.gone = np.zeros(len(self.edges), dtype=bool)
        self.proof: list[Step] = []
        if whole.is_contradictory:
            self.proof.append(Step(Rule.CLAUSE, ()))

    def steps(self) -> list[Step] | None:
        """Return the steps that lead to a contradiction, or None if there is a tour."""
        if self.proof or self._cut() or self._count() or self._hidden_cut():
            return self.proof
        try:
            return self._clauses(_FEW_CONFLICTS)
        except OutOfTimeError:
            if self._cut_by_relaxation(ROUNDS):
                return self.proof
            return self._sweep() or self._clauses()

    def _cut(self) -> bool:
        """Apply tight cuts greedily; return whether a separator was found."""
        while True:
            best, most = self.squares, 0
            for removed in self._candidates():
                self.clock.check()
                excess = self._excess(removed)
                if excess > 0:
                    self.proof.append(_step(Rule.CUT, self._shrunk(removed)))
                    return True
                inside = int(self._inside(removed).sum())
                if excess == 0 and inside > most:
                    best, most = removed, inside
            if most == 0:
                return False
            self.gone |= self._inside(best)
            self.proof.append(_step(Rule.TIGHT_CUT, best))

    def _hidden_cut(self) -> bool:
        """Return whether a greedy search finds a cut or, in a small graph, linear programming."""
        left = self.edges[~self.gone]
        of_squares = adjacency(left[self.squares[left].all(axis=1)])
        for cut in greedy_separators(of_squares, self.instance.ends):
            self.clock.check()
            depot = [] if self.instance.closed else [self.depot]
            if self._conclude_by_cut(cut + depot):
                return True
        return len(self.whole) <= _FEW_RELAXED and self._cut_by_relaxation(FEW_ROUNDS)

    def _cut_by_relaxation(self, rounds: int) -> bool:
        """Return whether linear programming finds a cut."""
        if len(self.whole) > _MOST_RELAXED:
            return False
        left = ~self.gone
        nodes = relaxation_separator(
            len(self.whole),
            self.whole.nodes(self.edges[left]),
            self.used[left],
            self.clock,
            rounds,
        )
        return nodes is not None and self._conclude_by_cut(self.whole.vertices(nodes).tolist())

    def _conclude_by_cut(self, vertices: list[int]) -> bool:
        """End the proof by a cut, if too many components are left without some vertices."""
        removed = np.zeros(len(self.squares), dtype=bool)
        removed[vertices] = True
        if self._excess(removed) <= 0:
            return False
        self.proof.append(_step(Rule.CUT, self._shrunk(removed)))
        return True

    def _inside(self, removed: Mask) -> Mask:
        """Return the edges between some vertices that are not settled."""
        is_inside = removed[self.edges].all(axis=1)
        return np.asarray(is_inside & ~self.used & ~self.gone)

    def _candidates(self) -> Iterator[Mask]:
        """Yield sets of vertices worth removing: those of squares, with and without the depot."""
        left = self.edges[~self.gone]
        of_squares, ends = left[self.squares[left].all(axis=1)], self.instance.ends
        cuts = candidate_separators(of_squares, self.squares, self.sides, ends)
        for cut in itertools.chain([[]], cuts):
            removed = np.zeros(len(self.squares), dtype=bool)
            removed[cut] = True
            yield removed
            if not self.instance.closed:
                removed = removed.copy()
                removed[self.depot] = True
                yield removed

    def _excess(self, removed: Mask) -> int:
        """Return by how many the components exceed what a tour connects without some vertices."""
        count = component_count(self.edges[~self.gone], self.vertices & ~removed)
        inside = int((removed[self.edges].all(axis=1) & self.used).sum())
        if not removed.any():
            return count - 1
        return count - (int(removed.sum()) - inside)

    def _shrunk(self, removed: Mask) -> Mask:
        """Leave vertices in place that the cut does not need."""
        vertices = np.flatnonzero(removed).tolist()
        for vertex in vertices if len(vertices) <= _MOST_SHRUNK else ():
            fewer = removed.copy()
            fewer[vertex] = False
            if self._excess(fewer) > 0:
                removed = fewer
        return removed

    def _count(self) -> bool:
        """Return whether squares of one color need more moves than their neighbors can give."""
        if self.sides is None:
            return False
        for side in (self.sides, ~self.sides):
            wanting = side & self.squares
            short = deficient(self.edges[~self.gone], wanting, np.full(len(wanting), 2)) & wanting
            if short.any():
                self.proof.append(_step(Rule.COUNT, short))
                return True
        return False

    def _sweep(self) -> list[Step] | None:
        """Return the order of the vertices in which all ways to a cycle end, if these are few."""
        self.clock.check()
        inner = self.edges[self.squares[self.edges].all(axis=1)]
        depot = [] if self.instance.closed else [self.depot]
        narrow = low_width_orders(self.instance.graph.vertices, inner)
        orders = [np.append(order, depot).astype(np.int32) for order in narrow]
        widths = [int(frontier_widths(self.edges, order).max()) for order in orders]
        if min(widths) > _WIDEST:
            return None
        order = orders[widths.index(min(widths))]
        steps = [*self.proof, Step(Rule.FRONTIER, tuple(order.tolist()))]
        return steps if check(Certificate(self.instance, tuple(steps))) else None

    def _clauses(self, most: float = math.inf) -> list[Step] | None:
        """Return steps that end with the lemmas of a SAT solver, or None if there is a tour.

        Raises `OutOfTimeError` after more than ``most`` conflicts.
        """
        from pysat.solvers import Glucose4  # which few answers need

        edges, vertices = self.edges, np.flatnonzero(self.vertices)
        facts = np.append(np.flatnonzero(self.used) + 1, -np.flatnonzero(self.gone) - 1).tolist()
        degrees = {vertex: _numbers((edges == vertex).any(axis=1)) for vertex in vertices.tolist()}
        sets: dict[Literals, Literals] = {}
        clauses: list[Literals] = [(fact,) for fact in facts]
        for around in degrees.values():
            clauses += itertools.combinations(around, len(around) - 1) if around else [()]
            if len(around) <= _MANY:
                clauses += _no_three(around)
        with Glucose4(bootstrap_with=clauses, with_proof=True, incr=False) as solver:
            while satisfiable(solver, self.clock, most=most):
                used = np.array(solver.get_model()) > 0
                labels = component_labels(len(self.vertices), edges[used])[vertices]
                chosen = {*_numbers(used)}
                added: list[Literals] = []
                for around in degrees.values():
                    added += _no_three(edge for edge in around if edge in chosen)
                parts = [vertices[labels == label] for label in np.unique(labels)]
                if not added and len(parts) == 1:
                    return None
                for part in parts if len(parts) > 1 else ():
                    inside = np.isin(edges, part)
                    leaving = _numbers(inside[:, 0] != inside[:, 1])
                    sets[tuple(part.tolist())] = leaving
                    size = len(leaving) - 1 if 0 < len(leaving) <= _MANY else len(leaving)
                    added += itertools.combinations(leaving, size)
                for clause in added:
                    solver.add_clause(clause)
            lines = [line.split()[:-1] for line in solver.get_proof() if not line.startswith("d")]
        lemmas = [tuple(map(int, line)) for line in lines if line]
        steps = _Trimmer(degrees, facts, sets, lemmas).steps(len(self.proof) + 1, self.clock)
        return self.proof + steps


def _step(rule: Rule, vertices: Mask) -> Step:
    return Step(rule, tuple(np.flatnonzero(vertices).tolist()))


def _numbers(chosen: Mask) -> Literals:
    """Return the numbers of some edges, which count from 1."""
    return tuple((np.flatnonzero(chosen) + 1).tolist())


def _no_three(edges: Iterable[int]) -> Iterator[Literals]:
    """Yield clauses that no three of some edges are used."""
    for three in itertools.combinations(edges, 3):
        yield tuple(-edge for edge in three)


@dataclass(eq=False)
class _Constraint:
    """Of some literals at least ``least`` and at most ``most`` are true."""

    literals: Literals
    least: int
    most: int
    is_active: bool = True
    is_needed: bool = False


class _Trimmer:
    """Checks lemmas backwards, and keeps those that are needed with their hints."""

    def __init__(
        self,
        degrees: Mapping[int, Literals],
        facts: Sequence[int],
        sets: Mapping[tuple[int, ...], Literals],
        lemmas: Sequence[Literals],
    ) -> None:
        self.facts = {_Constraint((fact,), 1, 1) for fact in facts}
        self.degrees = {_Constraint(edges, 2, 2): vertex for vertex, edges in degrees.items()}
        self.sets = {_Constraint(edges, 2, len(edges)): part for part, edges in sets.items()}
        self.lemmas = [_Constraint(tuple(set(each)), 1, len(each)) for each in (*lemmas, ())]
        self.occurrences = defaultdict[int, list[_Constraint]](list)
        constraints = [*self.facts, *self.degrees, *self.sets, *self.lemmas]
        for constraint in constraints:
            for literal in constraint.literals:
                self.occurrences[abs(literal)].append(constraint)
        self.tight = [each for each in constraints if len(each.literals) <= each.least]

    def steps(self, first: int, clock: Clock) -> list[Step]:
        """Return the steps that are needed, numbered from ``first`` on."""
        hints: dict[_Constraint, list[_Constraint]] = {}
        self.lemmas[-1].is_needed = True
        for lemma in reversed(self.lemmas):
            lemma.is_active = False
            if lemma.is_needed:
                clock.check()
                hints[lemma] = self._hints(lemma)
        names = dict(self.degrees)
        steps: list[Step] = []
        for constraint, vertices in self.sets.items():
            if constraint.is_needed:
                names[constraint] = -(first + len(steps))
                steps.append(Step(Rule.SET, vertices))
        for lemma in reversed(hints):
            names[lemma] = -(first + len(steps))
            named = tuple(names[each] for each in hints[lemma] if each not in self.facts)
            steps.append(Step(Rule.CLAUSE, lemma.literals, named))
        return steps

    def _hints(self, lemma: _Constraint) -> list[_Constraint]:
        """Return the constraints from which a lemma follows, in the order to be followed."""
        # The known literals in order, and what each follows from.
        trail, causes = [-literal for literal in lemma.literals], dict[int, _Constraint]()
        known = set(trail)

        # The trail grows while it is followed; a lemma that did not follow would end it.
        touched = (each for literal in trail for each in self.occurrences[abs(literal)])
        for constraint in itertools.chain(self.tight, touched):
            true = sum(each in known for each in constraint.literals)
            unknown = [e for e in constraint.literals if e not in known and -e not in known]
            is_full, lacks = true >= constraint.most, constraint.least - true - len(unknown)
            if not constraint.is_active or not (is_full or lacks >= 0):
                continue
            if true > constraint.most or lacks > 0:
                break
            for literal in unknown:
                implied = -literal if lacks < 0 else literal
                trail.append(implied)
                known.add(implied)
                causes[implied] = constraint
        hints, needed = [constraint], _grounds(constraint, known, true > constraint.most)
        for literal in reversed(trail):
            if literal in needed and literal in causes:
                hints.append(causes[literal])
                needed |= _grounds(hints[-1], known, -literal in hints[-1].literals)
        for each in hints:
            each.is_needed = True
        return list(dict.fromkeys(reversed(hints)))


def _grounds(constraint: _Constraint, known: set[int], is_full: bool) -> set[int]:
    """Return the known literals that make a constraint full, or tight."""
    sign = 1 if is_full else -1
    return {sign * each for each in constraint.literals} & known
