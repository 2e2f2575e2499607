"""Lemmas of a SAT solver that prove that a graph has no Hamiltonian cycle, as steps of a proof.

The solver is given a variable for each edge and asked for two edges at every vertex. Subtours are
eliminated as they appear: for every component of a solution, two edges have to leave it. Once there
is no solution, the learned clauses (lemmas) are checked backwards by unit propagation, which drops
those that the contradiction does not need and finds the hints of the others (Goldberg and Novikov
2003; Wetzler, Heule and Hunt 2014).

A literal is the number of an edge, from 1, which is used, or its negative: the edge is not used.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.task import Clock
from kt_cp.proof.certificate import Rule, Step
from kt_cp.proof.separators import ProofGraph
from kt_cp.sat.formula import satisfiable

# For up to this many edges, constraints are stated in full: no three edges at a vertex are used,
# and two edges leave a set. For more, as at the depot, the clauses against three edges are added
# only when a solution violates them, and the clause for a set says only that one edge leaves it.
_MAX_FULL_EDGES = 40

Literals = tuple[int, ...]
Vertices = tuple[int, ...]


def lemma_steps(
    graph: ProofGraph, first: int, clock: Clock, max_conflicts: float = math.inf
) -> list[Step] | None:
    """Return steps, numbered from ``first``, that end with the empty clause.

    Returns None if the solver finds a tour. Raises `OutOfTimeError` at the clock's limit, and
    `OutOfConflictsError` after ``max_conflicts``.

    >>> lemma_steps(ProofGraph(Instance.of([(0, 1), (1, 2)], closed=True)), 1, Clock())
    [Step(rule=<Rule.CLAUSE: 'clause'>, items=(), hints=(0,))]
    """
    from pysat.solvers import Glucose4  # loaded only when used

    vertices, edges = graph.ids, graph.edges
    facts = [*_numbers(graph.used), *(-edge for edge in _numbers(graph.unused))]
    edges_at = {vertex: _numbers((edges == vertex).any(axis=1)) for vertex in vertices.tolist()}
    leaving_edges: dict[Vertices, Literals] = {}  # of each component of a solution
    clauses: list[Literals] = [(fact,) for fact in facts]
    for around in edges_at.values():
        clauses += itertools.combinations(around, len(around) - 1) if around else [()]
        if len(around) <= _MAX_FULL_EDGES:
            clauses += _no_three(around)
    with Glucose4(bootstrap_with=clauses, with_proof=True, incr=False) as solver:
        while satisfiable(solver, clock, max_conflicts=max_conflicts):
            used = np.array(solver.get_model()) > 0
            chosen = set(_numbers(used))
            new_leaving = _subtours(vertices, edges, used)
            new_clauses = [
                clause
                for around in edges_at.values()
                for clause in _no_three(edge for edge in around if edge in chosen)
            ]
            for leaving in new_leaving.values():
                if 0 < len(leaving) <= _MAX_FULL_EDGES:
                    new_clauses += itertools.combinations(leaving, len(leaving) - 1)
                else:
                    new_clauses.append(leaving)
            if not new_clauses:
                return None
            leaving_edges |= new_leaving
            for clause in new_clauses:
                solver.add_clause(clause)
        # The proof is in the format DRUP: deletions begin with d, and each line ends with 0.
        lines = [line.split()[:-1] for line in solver.get_proof() if not line.startswith("d")]
    lemmas = [tuple(map(int, line)) for line in lines if line]
    return _Trimmer(edges_at, facts, leaving_edges, lemmas).steps(first, clock)


def _numbers(chosen: Mask) -> Literals:
    """Return the numbers of some edges, which count from 1."""
    return tuple((np.flatnonzero(chosen) + 1).tolist())


def _no_three(edges: Iterable[int]) -> Iterator[Literals]:
    """Yield clauses that no three of some edges are used."""
    for three in itertools.combinations(edges, 3):
        yield tuple(-edge for edge in three)


def _subtours(vertices: Ints, edges: Ints, used: Mask) -> dict[Vertices, Literals]:
    """Return the edges that leave each component of a solution; empty if it is connected."""
    labels = component_labels(int(vertices.max()) + 1, edges[used])[vertices]
    distinct_labels = np.unique(labels)
    if len(distinct_labels) == 1:
        return {}
    leaving: dict[Vertices, Literals] = {}
    for label in distinct_labels:
        component = vertices[labels == label]
        inside = np.isin(edges, component)
        leaving[tuple(component.tolist())] = _numbers(inside[:, 0] != inside[:, 1])
    return leaving


@dataclass(eq=False)
class _MarkedConstraint:
    """A constraint on the number of true literals: at least ``least`` and at most ``most``.

    A lemma is active until it is checked itself; a constraint is needed if a hint names it.
    """

    literals: Literals
    least: int
    most: int
    is_active: bool = True
    is_needed: bool = False

    def is_overfull(self, known: set[int]) -> bool:
        """Return whether more literals than allowed are known to be true."""
        return sum(literal in known for literal in self.literals) > self.most

    def implied_by(self, known: set[int]) -> list[int] | None:
        """Return the literals that follow from known ones, or None if these violate it."""
        true = sum(literal in known for literal in self.literals)
        unknown = [each for each in self.literals if each not in known and -each not in known]
        possible = true + len(unknown)
        if true > self.most or possible < self.least:
            return None
        if true == self.most:
            return [-literal for literal in unknown]
        if possible == self.least:
            return unknown
        return []


class _Trimmer:
    """Checks lemmas backwards, and keeps those that are needed, with their hints.

    ``occurrences`` maps an edge to the constraints on it; ``tight`` holds the constraints that
    force all their literals at once.
    """

    def __init__(
        self,
        edges_at: Mapping[int, Literals],
        facts: Sequence[int],
        leaving_edges: Mapping[Vertices, Literals],
        lemmas: Sequence[Literals],
    ) -> None:
        self.facts = {_MarkedConstraint((fact,), 1, 1) for fact in facts}
        # The constraints on the edges at a vertex, and on those that leave a set of vertices.
        self.degrees = {_MarkedConstraint(edges, 2, 2): at for at, edges in edges_at.items()}
        self.sets = {
            _MarkedConstraint(edges, 2, len(edges)): component
            for component, edges in leaving_edges.items()
        }
        self.lemmas = [_MarkedConstraint(tuple(set(each)), 1, len(each)) for each in (*lemmas, ())]
        self.occurrences = defaultdict[int, list[_MarkedConstraint]](list)
        constraints = [*self.facts, *self.degrees, *self.sets, *self.lemmas]
        for constraint in constraints:
            for literal in constraint.literals:
                self.occurrences[abs(literal)].append(constraint)
        self.tight = [each for each in constraints if len(each.literals) <= each.least]

    def steps(self, first: int, clock: Clock) -> list[Step]:
        """Return the steps that are needed, numbered from ``first`` on."""
        hints: dict[_MarkedConstraint, list[_MarkedConstraint]] = {}
        self.lemmas[-1].is_needed = True
        for lemma in reversed(self.lemmas):
            lemma.is_active = False
            if lemma.is_needed:
                clock.check()
                hints[lemma] = self._hints(lemma)
        # A hint names a vertex by its id, and a step by the negative of its number.
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

    def _hints(self, lemma: _MarkedConstraint) -> list[_MarkedConstraint]:
        """Return the constraints from which a lemma follows, in the order to be followed.

        The lemma is assumed to be false; unit propagation then leads to a violated constraint.
        """
        trail = [-literal for literal in lemma.literals]  # the known literals, in order
        causes: dict[int, _MarkedConstraint] = {}  # the constraint that implies each literal
        known = set(trail)
        violated = self._propagate(trail, known, causes)

        # Walk back from the violated constraint to the literals that it rests on.
        hints = [violated]
        needed = _grounds(violated, known, violated.is_overfull(known))
        for literal in reversed(trail):
            if literal in needed and literal in causes:
                cause = causes[literal]
                # A full constraint makes its other literals false: it has their negations.
                was_full = -literal in cause.literals
                hints.append(cause)
                needed |= _grounds(cause, known, was_full)
        for each in hints:
            each.is_needed = True
        return list(dict.fromkeys(reversed(hints)))

    def _propagate(
        self, trail: list[int], known: set[int], causes: dict[int, _MarkedConstraint]
    ) -> _MarkedConstraint:
        """Propagate the known literals, and return the first constraint that they violate.

        What follows is added to ``trail`` and ``known``, and the constraint from which it follows
        to ``causes``.
        """
        for constraint in itertools.chain(self.tight, self._touched_by(trail)):
            if not constraint.is_active:
                continue
            implied = constraint.implied_by(known)
            if implied is None:
                return constraint
            trail += implied
            known.update(implied)
            causes |= dict.fromkeys(implied, constraint)
        raise AssertionError("a lemma of the SAT solver does not follow")

    def _touched_by(self, trail: list[int]) -> Iterator[_MarkedConstraint]:
        """Yield the constraints on each literal of a trail, which may grow meanwhile."""
        for literal in trail:
            yield from self.occurrences[abs(literal)]


def _grounds(constraint: _MarkedConstraint, known: set[int], is_full: bool) -> set[int]:
    """Return the known literals that force the other literals of a constraint.

    If it ``is_full``, the largest allowed number of its literals is true: these are returned.
    Otherwise all but the false literals must be true: the negations of these are returned.
    """
    if is_full:
        return known.intersection(constraint.literals)
    return known.intersection(-each for each in constraint.literals)
