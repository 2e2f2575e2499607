"""The clause part of a certificate: lemmas of a SAT solver, each with the hints that show it.

The solver is asked for two edges at every vertex and, for every set of vertices that a solution
left disconnected, for two edges that leave it. Once there is no solution, the lemmas that the
contradiction needs are checked backwards by unit propagation (Goldberg and Novikov 2003; Wetzler,
Heule and Hunt 2014), which finds the hints; the others are dropped.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.board.symmetry import Ints
from kt_cp.graph import component_labels
from kt_cp.problem.clock import Clock
from kt_cp.proof.certificate import Rule, Step
from kt_cp.sat.edges import satisfiable

Literals = tuple[int, ...]

# A vertex with more edges than this, such as the depot, is told about three of them used at once
# only when a solution does so.
_MANY = 40


def refute_by_clauses(
    vertices: Ints, edges: Ints, facts: Sequence[int], first: int, clock: Clock, most: float
) -> list[Step] | None:
    """Return the steps of a proof that the degrees and connectivity contradict one another.

    ``edges`` are rows of two vertices, numbered from 1, ``facts`` literals settled by earlier
    steps. The first step has the number ``first``. Returns None where there is a cycle through all
    vertices instead, and raises `OutOfTime` when the clock's limit is reached, or after more than
    ``most`` conflicts.
    """
    from pysat.solvers import Glucose4  # which few answers need

    degrees: dict[int, Literals] = {
        vertex: tuple((np.flatnonzero((edges == vertex).any(axis=1)) + 1).tolist())
        for vertex in vertices.tolist()
    }
    sets: dict[tuple[int, ...], Literals] = {}
    clauses: list[Literals] = [(fact,) for fact in facts]
    for around in degrees.values():
        clauses += itertools.combinations(around, len(around) - 1) if around else [()]
        if len(around) <= _MANY:
            clauses += _no_three(around)
    with Glucose4(bootstrap_with=clauses, with_proof=True, incr=False) as solver:
        while satisfiable(solver, clock, most=most):
            used = [literal for literal in solver.get_model() if literal > 0]
            chosen = set(used)
            added: list[Literals] = []
            for around in degrees.values():
                added += _no_three(edge for edge in around if edge in chosen)
            used_edges = edges[np.array(used, dtype=np.int64) - 1].astype(np.int32)
            labels = component_labels(int(vertices.max()) + 1, used_edges)[vertices]
            parts = [vertices[labels == label] for label in np.unique(labels)]
            if not added and len(parts) == 1:
                return None
            for part in parts if len(parts) > 1 else ():
                inside = np.isin(edges, part)
                leaving = tuple((np.flatnonzero(inside[:, 0] != inside[:, 1]) + 1).tolist())
                sets[tuple(part.tolist())] = leaving
                size = len(leaving) - 1 if 0 < len(leaving) <= _MANY else len(leaving)
                added += itertools.combinations(leaving, size)
            for clause in added:
                solver.add_clause(clause)
        lines = [line.split()[:-1] for line in solver.get_proof() if not line.startswith("d")]
    lemmas = [tuple(map(int, line)) for line in lines if line]
    return _Trimmer(degrees, facts, sets, lemmas).steps(first, clock)


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
