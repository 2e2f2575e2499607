"""The page that steps through a certificate of a board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.proof import checked_states
from kt_cp.draw.separator import CUTS
from kt_cp.draw.wording import as_caption
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate, Rule, Step
from kt_cp.proof.certificate_graph import components_without, edges_without, numbered_edges
from kt_cp.proof.checker import Edge, State

_MAX_STEPS = 2_000  # of a page

# How a page encodes whether a tour uses an edge; None if that is not settled.
_EDGE_SIGNS = {True: "+", False: "-", None: "."}


def proof_page(certificate: Certificate, look: Look = USUAL) -> str:
    """Return an HTML page that steps through a certificate of a board.

    Raises `InputError` for more than 2,000 steps, and for too large a board.
    """
    instance, board = certificate.instance, certificate.instance.board
    if len(certificate.steps) > _MAX_STEPS:
        count = f"{len(certificate.steps):,} steps"
        raise InputError(f"certificate of {count}: a page shows at most {_MAX_STEPS:,}")
    verdict, (first_states, *later_states) = checked_states(certificate)
    tour = "tour" if certificate.claim is None else board.vocabulary.partial_tour(instance.closed)
    first_sentence = as_caption(f"{instance.kind} {board.title}: the moves that a {tour} may use.")
    edges = numbered_edges(instance)
    # The checker stops at a bad step, so there may be fewer states than steps.
    steps = [
        _certificate_step_data(instance, edges, step, *state)
        for step, state in zip(certificate.steps, later_states, strict=False)
    ]
    first_step = _step_data(edges, first_sentence, *first_states)
    data = {**board_data(board), "edges": edges, "steps": [first_step, *steps]}
    title = look.title or f"Why {certificate.title}"
    scripts = ("elements.js", "player.js", "lists.js", "board-shape.js", "proof.js")
    return html_page(as_caption(title), as_caption(verdict.message), scripts, data, look)


def _certificate_step_data(
    instance: Instance, edges: Sequence[Edge], step: Step, settled: State, trial: State
) -> dict[str, object]:
    """Return the data of a step of a certificate for the page's script."""
    components: list[list[int]] = []
    if step.rule in CUTS:
        left = edges_without(edges, step.items, settled)
        components = components_without(instance, step.items, left)
    marked: set[int] = set()
    if step.rule not in (Rule.CLAUSE, Rule.FRONTIER):
        marked = {vertex for vertex in step.items if vertex in instance.graph}
    text = _sentence(instance, edges, step, len(components))
    return _step_data(edges, text, settled, trial, marked, components)


def _step_data(
    edges: Sequence[Edge],
    text: str,
    settled: State,
    trial: State,
    marked: Iterable[int] = (),
    components: Sequence[list[int]] = (),
) -> dict[str, object]:
    """Return the data of a step, stated as its sentence, edges and squares.

    ``marked`` are the squares that the step is about. The first of the ``groups`` holds the
    components of one square each, and each of the others holds one component.
    """
    single_squares = [each[0] for each in components if len(each) == 1]
    larger = [each for each in components if len(each) > 1]
    return {
        "text": text,
        "settled": _signs(edges, settled),
        "tried": _signs(edges, trial),
        "marked": list(marked),
        "groups": [single_squares, *larger] if components else [],
    }


def _signs(edges: Sequence[Edge], state: State) -> str:
    """Return a string with one sign for each edge: whether a tour uses it."""
    return "".join(_EDGE_SIGNS[state.get(edge)] for edge in edges)


def _sentence(instance: Instance, edges: Sequence[Edge], step: Step, count: int) -> str:
    """Return the sentence for a step of a certificate; a cut leaves ``count`` components."""
    graph = instance.graph
    if step.rule is Rule.CLAUSE:
        return _clause_sentence(graph, edges, step.items)
    squares = [vertex for vertex in step.items if vertex in graph]
    names = graph.list_names(squares) if squares else "no square"
    if len(squares) < len(step.items):
        names += " and the depot"
    left = f"{count} components are left"
    if step.items:
        left = f"without {names}, {left}"
    match step.rule:
        case Rule.SET:
            return f"at least two edges leave {names}."
        case Rule.COUNT:
            return f"{names} need two moves each, more than the squares next to them allow."
        case Rule.FRONTIER:
            return "square by square, no way to give each its two moves closes a single cycle."
        case Rule.TIGHT_CUT:
            return f"{left}, just as many as a tour connects, so it joins no two of them."
        case Rule.BOUND:
            return f"{left}, more than one {graph.vocabulary.partial_tour(instance.closed)} visits."
        case _:
            return f"{left}, more than a tour connects."


def _clause_sentence(graph: Graph, edges: Sequence[Edge], literals: Sequence[int]) -> str:
    """Return the sentence for a clause, whose literals are numbers of edges."""
    if not literals:
        return "the moves that must be used and those that cannot contradict one another."
    names = [_edge_name(graph, edges[abs(literal) - 1]) for literal in literals]
    if len(literals) == 1:
        must = "must" if literals[0] > 0 else "cannot"
        return f"{names[0]} {must} be used: the contrary leads to a contradiction."
    parts = [
        name if literal > 0 else f"{name} not"
        for name, literal in zip(names, literals, strict=True)
    ]
    return f"of these, one at least: {', '.join(parts)}."


def _edge_name(graph: Graph, edge: Edge) -> str:
    """Return the name of an edge; one to the depot is an end of the tour."""
    low, high = edge
    if high not in graph:
        return f"an end at {graph.name(low)}"
    return f"{graph.name(low)}-{graph.name(high)}"
