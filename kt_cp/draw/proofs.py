"""Pictures and pages of why there is no tour, and the claims of pictures in words.

There is one scheme: the squares that matter are hatched, those that they need are shaded, and
components have letters; the moves that matter stand out. The sentence below is that of the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, edges_among
from kt_cp.board import Board
from kt_cp.board.maps import file_letters
from kt_cp.draw.look import GROUPS, USUAL, Look
from kt_cp.draw.page import figure, legend, picture_page, static_page
from kt_cp.draw.picture import (
    Picture,
    as_sentence,
    disc_mark,
)
from kt_cp.draw.puzzles import draw_constraints
from kt_cp.draw.sheet import Sheet, joint_picture
from kt_cp.graph import Graph
from kt_cp.messages import join_words, pluralize
from kt_cp.problem.constraints import Edge
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Optimum
from kt_cp.proof.certificate import Certificate, Rule, Step
from kt_cp.proof.checker import Settled, Verdict, check
from kt_cp.proof.reasons import Reason, ReasonKind, edges_at
from kt_cp.proof.separators import ProofGraph, Separator
from kt_cp.tour.tour import Tour

# The ring around the squares of a tight cut, with a radius in squares.
_RING, _RING_RADIUS = disc_mark(None, "fault", 0.14), 0.48

_MAX_STEPS = 200  # of a page
_LEAD = "Each step follows from those before; the last is the contradiction that proves the claim."
_MAX_NAMED = 3  # squares or moves that a sentence names rather than counts

_NO_ANSWER = (ReasonKind.GAVE_UP, ReasonKind.TIME_LIMIT)

# The groups of squares that a reason mentions besides those that it is about, and those whose
# squares it names even if they are many.
_SECONDARY_GROUPS = ("others", "degree_one", "order")
_NAMED_GROUPS = ("ends", "order")


class _Line(NamedTuple):
    """How the moves of a group are drawn, and what the legend says of them."""

    text: str
    stroke: str = "fault"
    thickness: float = 1.4
    dashes: tuple[float, float] | None = None


# The groups of moves, the lowest first; ``edges`` and ``edge`` are the words for moves.
_LINES = {
    "around": _Line("all {edges} there"),
    "common": _Line("{edges} that are forced in any case", "muted", 0.8),
    "cannot": _Line("cannot be used", "faint", 0.6, (1.5, 4)),
    "may": _Line("may be used", "line", 0.8),
    "must": _Line("would have to be used by a tour", "fault", 1.8),
    "forced": _Line("{edges} that are forced here", "line", 1.2),
    "excluded": _Line("excluded {edges}", "fault", 1.2, (7, 6)),
    "contradiction": _Line("{edges} left where it fails", "fault", 2.4),
    "with": _Line("with this {edge}", "given", 2.4),
    "without": _Line("without this {edge}", "given", 2, (7, 6)),
}

# The sentences of steps of a certificate; ``names`` are the squares of the step, and ``left`` says
# how many components are left without them.
_SENTENCES = {
    Rule.CUT: "{left}, more than a tour connects",
    Rule.TIGHT_CUT: "{left}, as many as a tour connects, so it joins no two of the {names}",
    Rule.BOUND: "{left}, more than one {tour} visits",
    Rule.COUNT: "{names} need two {edges} each, more than those next to them allow",
    Rule.SET: "at least two {edges} of any tour leave the {names} that are shaded",
    Rule.FRONTIER: "square by square, no way to give each its two moves closes a single cycle",
}
_CUTS = (Rule.CUT, Rule.TIGHT_CUT, Rule.BOUND)  # remove vertices and count components


def reason_picture(
    reason: Reason, look: Look = USUAL, instance: Instance | None = None, claim: str | None = None
) -> Picture:
    """Return the picture of a reason why there is no tour, or no answer.

    ``instance`` is the one without a tour, by default that of an open tour of the reason's graph.
    The caption is the ``claim``, by default that there is no such tour, or that this is not known.
    A proof by cases has a board for each, with the sentence of the case below it.

    >>> from kt_cp.proof.refutation import refute
    >>> reason_picture(refute(Instance.of("3x3"))).sentence
    'b2 has no move, and a tour needs one at every square.'
    """
    instance = Instance.of(reason.graph) if instance is None else instance
    if reason.kind in _NO_ANSWER:
        claim = f"{describe_tours(instance)}: not known"
    common = reason.moves.get("forced", ()) if reason.cases else ()
    sheets: list[Sheet] = []
    for case in reason.cases or (reason,):
        sheet = _sheet(instance, claim or no_tour_claim(instance), look)
        _show_squares(sheet, instance, case)
        if reason.cases:
            sheet.note = _sentence(case)
        without = (*case.moves.get("without", ()), *reason.moves.get("omitted", ()))
        _draw_moves(sheet, instance, {**case.moves, "common": common, "without": without})
        _show_steps(sheet, instance)
        sheet.explain_joined_sides()
        sheets.append(sheet)
    sheets[0].sentence = _sentence(replace(reason, cases=()))
    sheets[0].spoken_sentence = str(reason)
    return joint_picture(sheets)


def _sheet(instance: Instance, claim: str, look: Look) -> Sheet:
    """Return a sheet with required and forbidden moves, below which a claim stands."""
    sheet = Sheet(instance.graph, claim, look, grid=True)
    draw_constraints(sheet, instance, required="required", forbidden="forbidden")
    return sheet


def _sentence(reason: Reason) -> str:
    """Return the sentence of a reason, in which a picture shows all groups but the small ones."""
    graph = reason.graph
    hatched = "hatched"
    that_are = "that are hatched"
    if not isinstance(graph, Board):
        hatched = "boxed"
        that_are = "drawn as boxes"

    def describe(name: str, ids: tuple[int, ...]) -> str:
        if len(ids) <= _MAX_NAMED or name in _NAMED_GROUPS:
            return graph.list_names(ids)
        if name == "cut":  # after "the 4 squares"
            return that_are
        marking = "shaded" if name in _SECONDARY_GROUPS else hatched
        return f"the {len(ids)} {marking} {graph.vocabulary.vertices}"

    return reason.sentence(describe)


def _show_squares(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the squares that a reason is about: a separator, both colors, or groups of squares.

    Groups are hatched, and shaded if the reason mentions them besides.
    """
    if reason.kind in (ReasonKind.CUT, ReasonKind.COMPONENTS):
        _show_separator(sheet, ProofGraph(instance).separator(reason.groups.get("cut", ())))
        return
    if reason.kind in (ReasonKind.COLORS, ReasonKind.SYMMETRY):
        sheet.show_colors()
    if reason.kind is ReasonKind.COLORS:
        return
    for name, squares in reason.groups.items():
        if name in _SECONDARY_GROUPS:
            sheet.fill(GROUPS[0], squares)
        elif name != "ends":  # which have marks of their own
            sheet.hatch(squares, "where it fails")


def _draw_moves(sheet: Sheet, instance: Instance, groups: Mapping[str, Sequence[Edge]]) -> None:
    """Draw groups of moves as `_LINES` says, and explain them in the legend."""
    words = sheet.graph.vocabulary
    for name, line in _LINES.items():
        sheet.draw_moves(
            directed_moves(instance, groups.get(name, ())),
            line.stroke,
            thickness=line.thickness,
            dashes=line.dashes,
            css_class=name,
            legend=line.text.format(edges=words.edges, edge=words.edge),
        )


def directed_moves(instance: Instance, pairs: npt.ArrayLike) -> Ints:
    """Return pairs of neighbors as moves to be drawn, as rows of two ids.

    In a directed graph, where every line has a head, each pair becomes the allowed arcs that join
    it. On a board and in an undirected graph, these are the pairs themselves.
    """
    rows: Ints = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    graph = instance.graph
    if isinstance(graph, Board) or not graph.directed:
        return rows
    arcs = instance.arcs
    is_drawn = edges_among(np.sort(arcs, axis=1), np.sort(rows, axis=1), graph.area)
    return arcs[is_drawn]


def _show_separator(sheet: Sheet, separator: Separator) -> None:
    """Hatch a separator, and letter, color and count the components that are left without it."""
    graph = sheet.graph
    components = separator.components
    sheet.hatch(separator.squares, "taken away")
    letters: list[str] = []
    for number, component in enumerate(components):
        vertices = [vertex for vertex in component if vertex in graph]
        if vertices:  # another component is the depot alone
            letters.append(file_letters(len(letters)).upper())
            # Components of a single vertex share a color.
            color = 1 + number % (len(GROUPS) - 1) if len(component) > 1 else 0
            sheet.fill(GROUPS[color], vertices)
            sheet.write_labels(dict.fromkeys(vertices, letters[-1]))
    names = f"{letters[0]} to {letters[-1]}: " if len(letters) > 1 else ""
    count = pluralize(len(components), "component")
    sheet.add_legend(f"{names}{count}, {separator.most_connected} allowed")


def _show_steps(sheet: Sheet, instance: Instance) -> None:
    """Outline the ends, and list the given steps in the legend."""
    graph = instance.graph
    ends = (instance.first, instance.last)
    sheet.mark_ends(ends, around_words=True)
    for step, square in instance.steps.items():
        if square not in ends:
            sheet.add_legend(f"step {step}: {graph.name(square)}")


# -- certificates ----------------------------------------------------------------------------------


def certificate_picture(certificate: Certificate, look: Look = USUAL) -> Picture:
    """Return the picture of a certificate's last step and of the moves decided before it.

    The caption is the claim, and the sentence is that of the step or, if the certificate does not
    hold, the verdict of the checker, which the description has in any case.
    """
    instance = certificate.instance
    verdict, states = _checked_states(certificate)
    claim = certificate.title if certificate.claim else no_tour_claim(instance)
    sheet = _sheet(instance, claim if verdict.holds else f"not proven: {claim}", look)
    sheet.sentence = sheet.spoken_sentence = verdict.message
    if certificate.steps:
        last_step = certificate.steps[-1]
        if verdict.holds:
            sheet.sentence = _step_sentence(instance, last_step, states[-1].settled)
        _show_step(sheet, instance, last_step, states[-1])
    last_tight: Sequence[int] = ()
    for step in certificate.steps[:-1]:
        if step.rule is Rule.TIGHT_CUT:
            last_tight = step.items
    if ringed := [vertex for vertex in last_tight if vertex in sheet.graph]:
        text = f"a tour joins no two of these {sheet.graph.vocabulary.vertices}"
        sheet.draw_mark(_RING, ringed, radius=_RING_RADIUS, legend=text)
    return sheet.finish()


def proof_page(certificate: Certificate, look: Look = USUAL) -> str:
    """Return an HTML page with the steps of a certificate of a board as a list of pictures.

    If there is only one, or more than 200, it shows the last one.
    """
    last = certificate_picture(certificate, look)
    if not 1 < len(certificate.steps) <= _MAX_STEPS:
        return picture_page(last, look)
    verdict, states = _checked_states(certificate)
    lead = _LEAD if verdict.holds else as_sentence(verdict.message)
    content = f'<h1>{escape(last.caption)}</h1><p>{escape(lead)}</p><ol class="figures">'
    explained: set[str] = set()  # a legend explains what those before it do not
    # The checker stops at a bad step, so there may be fewer states than steps.
    for step, state in zip(certificate.steps, states[1:], strict=False):
        sheet = _sheet(certificate.instance, "", look)
        sheet.note = _step_sentence(certificate.instance, step, state.settled)
        _show_step(sheet, certificate.instance, step, state)
        sheet.legend = {text: each for text, each in sheet.legend.items() if text not in explained}
        explained.update(sheet.legend)
        picture = sheet.finish()
        content += f"<li>{figure(picture.boards[0])}{legend(picture, look)}</li>"
    return static_page(last.caption, f"{content}</ol>", look.theme)


class _State(NamedTuple):
    """The edges that are settled for good, and those that the last step settles on trial."""

    settled: Settled
    trial: Settled


def _show_step(sheet: Sheet, instance: Instance, step: Step, state: _State) -> None:
    """Draw a step: components of a cut, squares that lack moves, or the moves that are settled."""
    squares = [vertex for vertex in step.items if vertex in sheet.graph]
    moves: dict[str, list[Edge]] = {"cannot": [], "may": [], "must": []}
    if step.rule in _CUTS:
        _show_separator(sheet, Separator(ProofGraph(instance, state.settled), step.items))
    elif step.rule is Rule.COUNT:
        sheet.hatch(squares, "too many")
        moves["around"] = edges_at(instance, step.items).tolist()
    else:
        if step.rule is Rule.SET:
            sheet.fill(GROUPS[0], squares, "shaded")
        is_used = {**state.settled, **state.trial}
        names = {True: "must", None: "may", False: "cannot"}
        for low, high in instance.edges.tolist():
            moves[names[is_used.get((low, high))]].append((low, high))
    _draw_moves(sheet, instance, moves)
    _show_steps(sheet, instance)


def _checked_states(certificate: Certificate) -> tuple[Verdict, list[_State]]:
    """Return the verdict on a certificate, and the states before the first step and after each."""
    states = [_State({}, {})]
    verdict = check(certificate, lambda settled, trial: states.append(_State(settled, trial)))
    return verdict, states


def _step_sentence(instance: Instance, step: Step, settled: Settled) -> str:
    """Return the sentence for a step; squares that its picture marks are only counted."""
    graph = instance.graph
    proof_graph = ProofGraph(instance, settled)
    if step.rule is Rule.CLAUSE:
        return _clause_sentence(graph, proof_graph.edges.tolist(), step.items)
    squares = [vertex for vertex in step.items if vertex in graph]
    names = graph.vocabulary.count_vertices(len(squares))
    if len(squares) < len(step.items):
        names += " of an open tour, whose two ends count as joined"
    situation = f"without {names}" if step.items else "with everything"
    if step.rule in _CUTS:
        count = len(Separator(proof_graph, step.items).components)
        situation += f", {count} components are left"
    tour = graph.vocabulary.partial_tour(instance.closed)
    return _SENTENCES[step.rule].format(
        names=names, left=situation, tour=tour, edges=graph.vocabulary.edges
    )


def _clause_sentence(graph: Graph, edges: Sequence[Edge], literals: Sequence[int]) -> str:
    """Return the sentence for a clause, whose literals are numbers of edges."""
    if not literals:
        return "the moves that must be used and those that cannot contradict one another"
    parts: list[str] = []
    for literal in literals:
        low, high = edges[abs(literal) - 1]
        # An edge to the depot is an end of the tour.
        end = f"an end at {graph.name(low)}"
        name = f"{graph.name(low)}-{graph.name(high)}" if high in graph else end
        parts.append(name if literal > 0 or len(literals) == 1 else f"{name} not")
    if len(literals) == 1:
        must = "must" if literals[0] > 0 else "cannot"
        return f"{parts[0]} {must} be used: the contrary leads to a contradiction"
    return f"of these, one at least: {', '.join(parts)}"


# -- claims ----------------------------------------------------------------------------------------

_LIMITS = {"<=": "at most", ">=": "at least", "=": "exactly"}


def no_tour_claim(instance: Instance) -> str:
    """Return the claim that an instance has no tour, with every constraint.

    >>> no_tour_claim(Instance.of("3x6")), no_tour_claim(Instance.of("6x6", uncrossed=True))
    ('no open tour of 3x6', 'no open tour of 6x6 without crossings')
    """
    return f"no {describe_tours(instance)}"


def best_tour_claim(instance: Instance, tour: Tour, objective: Optimum) -> str:
    """Return the claim that a tour is the best of an instance, or what is known about better ones.

    >>> from kt_cp import longest_path
    >>> result = longest_path("5x5", closed=True, induced=True)
    >>> best_tour_claim(result.instance, result.tour, result.objective)
    'longest cycle of 5x5 without chords: 16 of 25 squares'
    """
    described = describe_tours(instance)
    if objective.feature != "squares":
        return f"{described}: {objective.summary}"  # such as "turns 32, optimal"
    visited = f"{len(tour)} of {instance.graph.vocabulary.count_vertices(len(instance.graph))}"
    if objective.optimal:
        return f"longest {described}: {visited}"
    known_bound = "nothing is proven"
    if objective.bound is not None:
        known_bound = f"none visits more than {objective.bound:,.0f}"
    return f"{described}: {visited}; {known_bound}"


def describe_tours(instance: Instance) -> str:
    """Return what an instance asks for, with every constraint.

    >>> describe_tours(Instance.of("8x8", closed=True, having="turns<=20", symmetry="left-right"))
    'closed tour of 8x8 with turns at most 20, symmetric by left-right'
    """
    graph = instance.graph
    words = graph.vocabulary
    kind = words.partial_tour if instance.allows_partial else words.tour
    place = f"of {graph.title_with_holes}" if isinstance(graph, Board) else f"in {graph.summary}"
    parts = [f"{kind(instance.closed)} {place}"]
    ends = (instance.first, instance.last)
    if not instance.closed:
        named = zip(("from", "to"), ends, strict=True)
        parts += [f"{word} {graph.name(end)}" for word, end in named if end is not None]
    conditions: list[str] = []
    for word, moves in (("with", instance.require), ("without", instance.forbid)):
        if moves:
            listed_moves = join_words([move.describe(graph) for move in moves])
            few = len(moves) <= _MAX_NAMED
            conditions.append(f"{word} {listed_moves if few else words.count_edges(len(moves))}")
    for bound in instance.having:
        none = bound.limits[1] == 0
        limit = f"with {bound.feature} {_LIMITS[bound.relation]} {bound.value:,}"
        conditions.append(f"without {bound.feature}" if none else limit)
    rest = {
        "given steps": any(instance.closed or each not in ends for each, _ in instance.givens),
        "given order": instance.order,
        "custom constraints": instance.constrain,
        f"required {words.vertices}": instance.visit,
    }
    conditions += [f"with the {name}" for name, given in rest.items() if given]
    claim = " ".join(filter(None, [*parts, join_words(conditions)]))
    return f"{claim}, symmetric by {instance.symmetry}" if instance.symmetry else claim
