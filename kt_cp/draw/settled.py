"""Pictures of the end of a proof by clauses: the edges that it settles, and what contradicts them.

The steps of such a proof settle which edges any tour would use. In the end they leave a vertex with
three used edges or with too few possible ones, a cycle that closes too early, or a set of vertices
that too few edges leave.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.draw.case_boards import show_cases
from kt_cp.draw.move_lines import directed_moves
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import disc_mark
from kt_cp.draw.sheet import Sheet
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.instance import Instance
from kt_cp.proof.cases import few_cases
from kt_cp.proof.certificate import Certificate, Rule
from kt_cp.proof.certificate_graph import numbered_edges
from kt_cp.proof.checker import Edge, State, Verdict

_RING = disc_mark(None, "end", 0.16)
_RING_RADIUS = 0.4  # in squares


@dataclass(frozen=True)
class _Contradiction:
    """The vertices at which settled edges contradict one another, and how, as a clause."""

    vertices: Sequence[int]
    clause: str
    is_set: bool = False


def show_settled(sheet: Sheet, certificate: Certificate, known: State) -> None:
    """Show the edges that a tour would use, those that it may use, and those that it cannot use."""
    instance = certificate.instance
    edges = [(low, high) for low, high in instance.edges.tolist()]
    used, possible, excluded = (
        directed_moves(instance, [edge for edge in edges if known.get(edge) is is_used])
        for is_used in (True, None, False)
    )
    sheet.draw_moves(excluded, "faint", thickness=0.6, dashes=(1.5, 4), legend="cannot be used")
    sheet.draw_moves(possible, "line", thickness=0.8, legend="may be used")
    sheet.draw_moves(used, "fault", thickness=1.8, legend="would have to be used by a tour")


def show_clauses(sheet: Sheet, certificate: Certificate, verdict: Verdict, known: State) -> None:
    """Show why a proof holds that ends with the empty clause.

    That is a proof by a few cases, if there is one, and otherwise the edges that the steps settle,
    and what contradicts in them. ``known`` are the edges that the last step settles.
    """
    count = len(certificate.steps)
    proof = few_cases(certificate.instance)
    if proof is not None:
        steps = "the one step of the certificate ends"
        if count > 1:
            steps = f"the {count:,} steps of the certificate end"
        sheet.add_sentence(f"{steps} in a contradiction; by hand, there is a shorter proof")
        show_cases(sheet, certificate.instance, proof, verdict.message)
        return
    show_settled(sheet, certificate, known)
    words = certificate.instance.graph.vocabulary
    found = _contradiction(certificate, known)
    because = f"every {words.vertex} needs two {words.edges}"
    if count > 1:
        steps = "first step excludes" if count == 2 else f"first {count - 1:,} steps exclude"
        because = f"the {steps} combinations of used and unused {words.edges}"
    clause = "these would be such a combination" if found is None else found.clause
    sheet.add_sentence(
        f"{because}; this settles the {words.edges} shown: {clause}", verdict.message
    )
    if found is None:
        return
    if found.is_set:
        sheet.fill(GROUPS[0], found.vertices)
    else:
        sheet.draw_mark(_RING, found.vertices, radius=_RING_RADIUS)


def _contradiction(certificate: Certificate, known: State) -> _Contradiction | None:
    """Return a contradiction between settled edges, if one can be seen."""
    instance = certificate.instance
    edges = numbered_edges(instance)
    return (
        _at_a_vertex(instance, edges, known)
        or _in_a_cycle(instance, known)
        or _around_a_set(certificate, edges, known)
    )


def _at_a_vertex(instance: Instance, edges: Sequence[Edge], known: State) -> _Contradiction | None:
    """Return a vertex with more than two used edges, or with fewer than two possible ones."""
    graph, words = instance.graph, instance.graph.vocabulary
    for vertex in graph.vertices.tolist():
        at_vertex = [edge for edge in edges if vertex in edge]
        used = sum(known.get(edge) is True for edge in at_vertex)
        possible = sum(known.get(edge) is not False for edge in at_vertex)
        name = graph.name(vertex)
        if used > 2:
            crowded = f"{name} would have {used} {words.edges}, and a tour uses two"
            return _Contradiction([vertex], crowded)
        if possible < 2:
            left = f"{name} has fewer than two {words.edges} left, and a tour needs two"
            return _Contradiction([vertex], left)
    return None


def _in_a_cycle(instance: Instance, known: State) -> _Contradiction | None:
    """Return a cycle of used edges that leaves vertices out."""
    graph = instance.graph
    used = [
        edge for edge, is_used in known.items() if is_used and edge[0] in graph and edge[1] in graph
    ]
    if not used:
        return None
    pairs = np.array(used)
    degrees = np.bincount(pairs.ravel(), minlength=graph.area)
    labels = component_labels(graph.area, pairs)
    for label in np.unique(labels[pairs[:, 0]]).tolist():
        members = np.flatnonzero(labels == label)
        if (degrees[members] == 2).all() and len(members) < len(graph):
            clause = f"they close a cycle before every {graph.vocabulary.vertex} is visited"
            return _Contradiction(members.tolist(), clause)
    return None


def _around_a_set(
    certificate: Certificate, edges: Sequence[Edge], known: State
) -> _Contradiction | None:
    """Return a set of an earlier step that fewer than two possible edges leave."""
    graph = certificate.instance.graph
    words = graph.vocabulary
    for step in certificate.steps:
        if step.rule is Rule.SET and _leaving(edges, step.items, known) < 2:
            inside = [vertex for vertex in step.items if vertex in graph]
            clause = f"fewer than two leave the shaded {words.vertices}, and a tour needs two"
            return _Contradiction(inside, clause, is_set=True)
    return None


def _leaving(edges: Sequence[Edge], inside: Collection[int], known: State) -> int:
    """Return the number of possible edges that leave a set."""
    members = set(inside)
    return sum(
        known.get((low, high)) is not False and (low in members) != (high in members)
        for low, high in edges
    )
