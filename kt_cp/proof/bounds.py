"""Bounds that separators, blocks or degrees prove: on paths, cycles and covers.

Removing k vertices cuts p paths into at most p + k pieces, and a cycle into at most k: see
`kt_cp.proof.separators.Separator`.

A path passes a vertex once, so where a single vertex separates the graph it does not come back: it
visits a chain of blocks, and a cycle one block.

The bound from the degrees alone is one of linear programming. A path has two ends, which may be one
vertex. Each visited vertex has two edges in use, or ends in their place, and an edge in use has two
visited vertices. The relaxation admits fractions, as that of 2-matchings does (Balinski 1965). In
sparse graphs it proves much: of three chains of vertices that meet in one, a path uses two, and the
third has to be left out. It does not rest on the linear solver: by weak duality, any multipliers of
the constraints give a bound. Those of the solver are rounded, and the bound is computed in integers
(for the idea see Neumaier and Shcherbina, Safe bounds in linear and mixed-integer linear
programming, 2004).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph_algorithms import (
    adjacency,
    blocks_of,
    component_labels,
    most_on_cycle,
    most_on_path,
)
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import BoundProof, Clock
from kt_cp.proof.certificate import MAX_SQUARES, Certificate, Claim, Measure, Rule, Step
from kt_cp.proof.checker import check
from kt_cp.proof.producer import NoCertificateError, make_certificate
from kt_cp.proof.separators import (
    MAX_SEPARATED,
    ProofGraph,
    Separator,
    candidate_separators,
    greedy_separators,
    possible_length,
)

# The most edges of a graph for which the program is solved, and for each vertex: with more, nearly
# every vertex has two edges to spare, and the bound is the number of vertices.
_MAX_EDGES, _MAX_EDGES_PER_VERTEX = 5_000, 3

# Multipliers are rounded to multiples of one divided by this number.
_SCALE = 2**20

# The share of the time that is left which a program may take, under a time limit, and the most
# seconds: the solver takes no infinite limit.
_TIME_SHARE, _MAX_SECONDS = 0.1, 1_000_000


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
    proof, graph = ProofGraph(instance), instance.graph
    yield proof.separator(())
    if not len(instance.edges) or not 3 <= len(graph) <= MAX_SEPARATED:
        return
    found = itertools.chain(candidate_separators(proof), greedy_separators(proof))
    for removed in found:
        if clock is not None and clock.remaining <= 0:
            return
        yield proof.separator(removed)


def most_by_degrees(instance: Instance, clock: Clock) -> int:
    """Return the most vertices of a path, or cycle, that the degrees of the vertices allow.

    Of the constraints only forbidden moves are taken into account. The bound of a graph with many
    edges is the number of its vertices.
    """
    vertices, edges = len(instance.graph), instance.edges
    if not len(edges) or len(edges) > min(_MAX_EDGES, _MAX_EDGES_PER_VERTEX * vertices):
        return vertices
    most = 1
    for part in sorted(_parts(instance), key=len, reverse=True):
        if len(part) <= most:
            break
        inner = np.searchsorted(part, edges[np.isin(edges, part).all(axis=1)])
        multipliers = _multipliers(inner, len(part), instance.closed, clock)
        if multipliers is not None:
            most = max(most, min(len(part), _proven_by(*multipliers, inner, instance.closed)))
        else:
            most = len(part)
    return most


def _parts(instance: Instance) -> list[Ints]:
    """Return the vertices, ascending, of each component for paths, and of each block for cycles."""
    edges = instance.edges
    if instance.closed:
        blocks = blocks_of(adjacency(edges))
        return [np.array(sorted([block.cut, *block.inner])) for block in blocks]
    labels = component_labels(instance.graph.area, edges)
    return [np.flatnonzero(labels == label) for label in np.unique(labels[edges])]


def _multipliers(
    edges: Ints, vertices: int, closed: bool, clock: Clock
) -> tuple[Ints, Ints] | None:
    """Return multipliers of the constraints of the linear program, or None if time is too short.

    Variables are the use of each edge and the visit of each vertex, from 0 to 1, and for paths the
    number of ends at each vertex. The sum of the visits is maximized. The multipliers are those of
    the degree of each vertex and, as rows, of both ends of each edge.
    """
    pywraplp: Any = import_module("ortools.linear_solver.pywraplp")  # loaded only when used

    solver = pywraplp.Solver.CreateSolver("GLOP")
    objective = solver.Objective()
    objective.SetMaximization()
    visits = [solver.NumVar(0, 1, "") for _ in range(vertices)]
    # At each vertex the edges in use, and the ends, are two if it is visited.
    degrees = [solver.Constraint(0, 0) for _ in visits]
    for degree, visit in zip(degrees, visits, strict=True):
        objective.SetCoefficient(visit, 1)
        degree.SetCoefficient(visit, -2)
    uses: list[Any] = []  # of each end of an edge: the edge is used only if that is visited
    for edge in edges.tolist():
        use = solver.NumVar(0, 1, "")
        for vertex in edge:
            degrees[vertex].SetCoefficient(use, 1)
            uses.append(solver.Constraint(-solver.infinity(), 0))
            uses[-1].SetCoefficient(use, 1)
            uses[-1].SetCoefficient(visits[vertex], -1)
    if not closed:  # two ends, each of which counts as an edge in use
        end_count = solver.Constraint(-solver.infinity(), 2)
        for degree in degrees:
            ends = solver.NumVar(0, 2, "")
            degree.SetCoefficient(ends, 1)
            end_count.SetCoefficient(ends, 1)
    if clock.limit is not None:
        seconds = min(_TIME_SHARE * clock.remaining, _MAX_SECONDS)
        solver.SetTimeLimit(1 + int(1000 * seconds))
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return None
    at_vertices, at_uses = (
        np.rint(_SCALE * np.array([each.dual_value() for each in constraints])).astype(np.int64)
        for constraints in (degrees, uses)
    )
    return at_vertices, np.maximum(at_uses, 0).reshape(-1, 2)


def _proven_by(at_vertices: Ints, at_uses: Ints, edges: Ints, closed: bool) -> int:
    """Return the bound on the visits that multipliers prove, whatever they are.

    A tour meets the constraints, so the multiples of these can be added to its visits. In that sum
    each variable is at its best value, and the two ends are at the best vertex.
    """
    visits = _SCALE + 2 * at_vertices
    np.add.at(visits, edges, at_uses)
    used = -at_vertices[edges].sum(axis=1) - at_uses.sum(axis=1)
    total = np.maximum(visits, 0).sum() + np.maximum(used, 0).sum()
    if not closed:
        total += 2 * max(0, -at_vertices.min())
    return int(total) // _SCALE


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
    if bare.graph.area > MAX_SQUARES:
        raise NoCertificateError(f"certificates are for boards of up to {MAX_SQUARES:,} squares")
    if claim.measure is Measure.PATHS:
        separator = separator_of_cover(bare, clock)
        is_trivial, is_proven = claim.value <= 1, claim.value <= separator.fewest_paths
        follows_without_tour = claim.value <= 2
    else:
        separator = separator_of_longest(bare, clock)
        is_trivial = claim.value >= most_allowed(instance)
        is_proven = claim.value >= separator.most_squares
        follows_without_tour = claim.value >= possible_length(bare, len(bare.graph) - 1)
    if is_trivial:
        raise NoCertificateError(f"{claim} needs no proof")
    unproven = f"no separator proves {claim}, and no other proof of a bound has a certificate"
    if is_proven:
        certificate = Certificate(bare, (Step(Rule.BOUND, separator.removed),), claim)
    elif follows_without_tour:
        try:
            certificate = replace(make_certificate(bare, clock), claim=claim)
        except NoCertificateError as error:
            raise NoCertificateError(f"{unproven} ({error})") from None
    else:
        raise NoCertificateError(unproven)
    verdict = check(certificate)
    if not verdict:
        raise AssertionError(f"a certificate was made that {verdict.message}")
    return certificate


def proof_of(certificate: Certificate) -> BoundProof:
    """Return the kind of proof of the bound of a certificate."""
    is_bound = certificate.steps[0].rule is Rule.BOUND
    return BoundProof.SEPARATOR if is_bound else BoundProof.NO_TOUR


def most_allowed(instance: Instance) -> int:
    """Return the most vertices that the graph has and that the bounds of the instance allow.

    >>> most_allowed(Instance.of("5x5")), most_allowed(Instance.of("5x5", having=["squares<=9"]))
    (25, 9)
    """
    limits = [bound.limits[1] for bound in instance.having if bound.feature == "squares"]
    allowed = [limit for limit in limits if limit is not None]
    return min([len(instance.graph), *allowed])
