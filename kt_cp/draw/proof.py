"""Pictures of why there is no tour: of each kind of reason, and of the end of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kt_cp.draw.case_boards import show_cases
from kt_cp.draw.claims import is_constrained, no_tour_claim
from kt_cp.draw.left_out import mark_left_out
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.move_lines import directed_moves
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import (
    END_MARK,
    SQUARE_CORNERS,
    START_MARK,
    Picture,
    disc_mark,
    polygon_mark,
)
from kt_cp.draw.proof_captions import (
    MarkedSquares,
    frontier_sentence,
    reason_caption,
    with_marks,
)
from kt_cp.draw.puzzle import draw_constraints
from kt_cp.draw.schwenk import fill_forcing, forced_moves, show_schwenk
from kt_cp.draw.separator import CUTS, show_separator
from kt_cp.draw.settled import show_clauses, show_settled
from kt_cp.draw.sheet import DOT_RADIUS, Sheet
from kt_cp.draw.shortage import show_shortage
from kt_cp.draw.symmetric_proof import show_symmetry
from kt_cp.graph import ColorChange
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.certificate import Certificate, Rule
from kt_cp.proof.checker import State, Verdict, check
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.solving import Result

# The ring around a square of a tight cut, and its radius in squares.
_RING = disc_mark(None, "fault", 0.14)
_RING_RADIUS = 0.42

# Outlines around the letters of squares at which a tour begins and ends; they fit into the ring.
_START_OUTLINE = disc_mark(None, "start", 0.14)
_END_OUTLINE = polygon_mark(SQUARE_CORNERS * 0.85, stroke="end", width=0.14)
_OUTLINE_RADIUS = 0.34

# The width of the longest path or cycle on a board and in a graph, relative to the usual width of a
# line.
_BOARD_THICKNESS, _GRAPH_THICKNESS = 1.5, 2.2

# The names of groups of squares that a reason mentions besides those that it is about.
_SECONDARY_GROUPS = ("others", "degree_one", "order")

# The kinds of reasons that are about the moves at the squares that they name.
_ABOUT_MOVES = (ReasonKind.DEAD_END, ReasonKind.ONE_WAY)


def reason_picture(
    reason: Reason,
    look: Look = USUAL,
    instance: Instance | None = None,
    longest: Result | None = None,
) -> Picture:
    """Return the picture of a reason why there is no tour: the claim is the caption.

    ``instance`` is the one without a tour, by default that of an open tour of the reason's graph.
    ``longest`` is the result of a search for its longest path or cycle, which is shown on it.

    >>> from kt_cp.proof.reasons import refute
    >>> reason_picture(refute(Instance.of("3x3"))).description
    'no open tour of 3x3; b2 has no move, and a tour needs one at every square'
    """
    instance = Instance.of(reason.graph) if instance is None else instance
    sheet = _sheet(instance, no_tour_claim(instance), look)
    draw = _DRAW_FUNCTIONS.get(reason.kind, _show_squares)
    is_by_cases = bool(reason.cases) or "forced" in reason.moves
    if is_by_cases:
        show_cases(sheet, instance, reason, str(reason))
    else:
        if reason.kind not in _WITH_OWN_SENTENCES:
            sheet.add_sentence(reason_caption(reason), str(reason))
        draw(sheet, instance, reason)
    _show_steps(sheet, instance, has_letters=draw is _show_cut)
    sheet.explain_joined_sides()
    if longest is not None and not is_by_cases:
        _show_longest(sheet, longest)
    return sheet.finish()


def certificate_picture(certificate: Certificate, look: Look = USUAL) -> Picture:
    """Return the picture of a certificate's last step and of the moves decided before it.

    A cut is shown with the components that it leaves, a count with the squares that lack moves,
    and other proofs with the moves that are settled.
    """
    instance = certificate.instance
    verdict, states = checked_states(certificate)
    settled, trial = states[-1]
    sheet = _sheet(instance, _claim(certificate, verdict), look)
    last_rule = certificate.steps[-1].rule if certificate.steps else None
    if verdict.holds and last_rule is Rule.CLAUSE:
        show_clauses(sheet, certificate, verdict, {**settled, **trial})
        _show_steps(sheet, instance, has_letters=False)
        return sheet.finish()
    conclusion = _conclusion(verdict, certificate)
    marked = _marked_squares(certificate)
    sheet.add_sentence(with_marks(conclusion, instance.graph, marked), verdict.message)
    match last_rule:
        case Rule.CUT | Rule.TIGHT_CUT | Rule.BOUND:
            removed = certificate.steps[-1].items
            show_separator(sheet, instance, removed, settled, certificate.claim)
            _mark_tight_cut(sheet, certificate)
        case Rule.COUNT:
            sheet.hatch(verdict.squares, "lack moves")
            edges = instance.graph.vocabulary.edges
            _draw_moves_at(sheet, instance, verdict.squares, f"all their {edges}")
        case _:
            if last_rule is Rule.FRONTIER:
                sheet.add_sentence(frontier_sentence(instance.graph))
            show_settled(sheet, certificate, {**settled, **trial})
    _show_steps(sheet, instance, has_letters=last_rule in CUTS)
    return sheet.finish()


def checked_states(certificate: Certificate) -> tuple[Verdict, list[tuple[State, State]]]:
    """Return the verdict on a certificate, and the states before the first step and after each.

    Each item is a pair of states: the edges settled for good, and those that the step settles on
    trial. Both states of the first item, before all steps, are empty.
    """
    states: list[tuple[State, State]] = [({}, {})]

    def note(settled: State, trial: State) -> None:
        states.append((settled, trial))

    return check(certificate, note), states


def _mark_tight_cut(sheet: Sheet, certificate: Certificate) -> None:
    """Mark the squares of the last tight cut, if the certificate has one."""
    squares = _tight_cut(certificate)
    if len(squares) > 1:
        words = sheet.graph.vocabulary
        text = f"a tour joins no two of these {words.vertices}"
        sheet.draw_mark(_RING, squares, radius=_RING_RADIUS, legend=text)
        sheet.add_sentence(
            f"without the ringed {words.vertices}, the {words.graph} is in as many components as a "
            f"tour connects with all {words.edges} of these: none is left to join two of them"
        )


def _tight_cut(certificate: Certificate) -> list[int]:
    """Return the squares of the last tight cut of a certificate, ascending, if it has one."""
    tight = [step.items for step in certificate.steps if step.rule is Rule.TIGHT_CUT]
    if not tight:
        return []
    return sorted(vertex for vertex in tight[-1] if vertex in certificate.instance.graph)


def _marked_squares(certificate: Certificate) -> list[MarkedSquares]:
    """Return the squares with marks in the picture of a certificate."""
    marked = [MarkedSquares("ringed", _tight_cut(certificate))]
    last = certificate.steps[-1] if certificate.steps else None
    if last is not None and last.rule in (*CUTS, Rule.COUNT):
        graph = certificate.instance.graph
        hatched = sorted(vertex for vertex in last.items if vertex in graph)
        marked.append(MarkedSquares("hatched", hatched))
    return marked


def _claim(certificate: Certificate, verdict: Verdict) -> str:
    """Return what a certificate claims, with every condition, and whether it is not proven."""
    claim = certificate.title
    if certificate.claim is None:
        claim = no_tour_claim(certificate.instance)
    return claim if verdict.holds else f"not proven: {claim}"


def _conclusion(verdict: Verdict, certificate: Certificate) -> str:
    """Return why a certificate holds, without its claim, or the verdict that it does not hold."""
    conclusion = verdict.message.removeprefix(f"holds: {certificate.title} (").removesuffix(")")
    if conclusion.startswith("a tour joins no two of") and len(_tight_cut(certificate)) < 2:
        _, _, conclusion = conclusion.partition(", so ")
    return conclusion


def _sheet(instance: Instance, claim: str, look: Look) -> Sheet:
    """Return a sheet below which a claim stands.

    It shows the holes, and the required and forbidden moves.
    """
    sheet = Sheet(instance.graph, claim, look, grid=True)
    sheet.shade_holes()
    draw_constraints(sheet, instance, required="required", forbidden="forbidden")
    return sheet


def _show_cut(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the separator, if there is one, and the components."""
    depot = TourGraph(instance).depot_id
    removed = list(reason.groups.get("cut", ()))
    if not instance.closed:
        removed.append(depot)
    show_separator(sheet, instance, removed, {(end, depot): True for end in instance.ends})


def _show_colors(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show both colors, and the squares that the reason names, except ends, which have marks."""
    graph = instance.graph
    sheet.show_colors()
    named = {square for squares in reason.groups.values() for square in squares}
    sheet.fill("removed", sorted(named.difference(instance.ends)))
    if sheet.is_board and graph.color_change is ColorChange.NEVER:
        _show_kept_color(sheet, instance)


def _show_kept_color(sheet: Sheet, instance: Instance) -> None:
    """Show all moves of one square, which lead to squares of its color."""
    board = instance.board
    degrees = np.bincount(instance.edges.ravel(), minlength=board.area)
    square = int(degrees.argmax())
    at_square = instance.edges[(instance.edges == square).any(axis=1)]
    text = f"all moves of {board.name(square)} lead to its color"
    sheet.draw_moves(at_square, "line", thickness=1.4, legend=text)
    sheet.draw_mark(START_MARK, [square])


def _show_longest(sheet: Sheet, longest: Result) -> None:
    """Show the longest path or cycle that was found, if any."""
    tour, objective = longest.tour, longest.objective
    if tour is None or objective is None:
        return
    graph = longest.instance.graph
    kind = graph.vocabulary.partial_tour(longest.instance.closed)
    if is_constrained(longest.instance):
        kind = f"such {kind}"
    rank = f"the longest {kind}" if objective.optimal else f"one long {kind}"
    count = f"{len(tour)} of {graph.vocabulary.count_vertices(len(graph))}"
    sheet.fill("visited", tour.squares)
    missing = np.setdiff1d(graph.vertices, tour.squares)
    mark_left_out(sheet, missing)
    thickness = _BOARD_THICKNESS if sheet.is_board else _GRAPH_THICKNESS
    sheet.draw_moves(tour.moves, thickness=thickness, legend=f"{rank} visits only {count}")


def _show_squares(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the squares that a reason names.

    The moves at these squares are shown where the reason is about moves.
    """
    named = _fill_groups(sheet, reason)
    edges = instance.graph.vocabulary.edges
    if reason.kind in _ABOUT_MOVES:
        _draw_moves_at(sheet, instance, named, f"all their {edges}")


def _show_forced_moves(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Draw the forced moves that contradict one another, without required ones.

    Where too many meet at one square, the other forced moves of its neighbors show why they are
    forced: a neighbor has only two moves.
    """
    words = instance.graph.vocabulary
    edges = words.edges
    crowded = reason.groups.get("square", ())
    neighbors = set(reason.groups.get("others", ()))
    squares = set(crowded or reason.groups["squares"])
    fill_forcing(sheet, instance, squares | neighbors)
    if crowded:
        sheet.hatch_unexplained(crowded)
        sheet.add_legend(f"a tour uses only two {edges} here", sheet.hatch_mark)
    required = {(min(move[:2]), max(move[:2])) for move in instance.require}
    forced = [pair for pair in forced_moves(instance).tolist() if tuple(pair) not in required]
    decisive = [pair for pair in forced if not squares.isdisjoint(pair)]
    others = [
        pair for pair in forced if squares.isdisjoint(pair) and not neighbors.isdisjoint(pair)
    ]
    sheet.draw_moves(
        directed_moves(instance, others),
        css_class="forced",
        legend=f"their second {edges}, also forced",
    )
    sheet.draw_moves(
        directed_moves(instance, decisive),
        "fault",
        thickness=1.4,
        css_class="forced",
        legend=f"forced {edges}",
    )


def _fill_groups(sheet: Sheet, reason: Reason) -> list[int]:
    """Color the groups of squares that a reason names, and return the squares that it is about."""
    named: list[int] = []
    for name, squares in reason.groups.items():
        if reason.kind is ReasonKind.DEAD_END and name == "ends":
            continue  # which have marks of their own: see `_show_steps`
        if name in _SECONDARY_GROUPS:
            sheet.fill(GROUPS[0], squares)
        else:
            sheet.fill("removed", squares)
            named += squares
    return named


def _draw_moves_at(sheet: Sheet, instance: Instance, squares: Sequence[int], text: str) -> None:
    """Draw the allowed moves that begin or end at one of the squares."""
    pairs = instance.edges[np.isin(instance.edges, squares).any(axis=1)]
    chosen = directed_moves(instance, pairs)
    sheet.draw_moves(chosen, "fault", thickness=1.4, css_class="forced", legend=text)


def _show_steps(sheet: Sheet, instance: Instance, *, has_letters: bool) -> None:
    """Mark the ends, and write the given steps into their squares.

    If the squares of a board have letters, outlines around these mark the ends, and the legend
    tells the given steps; it does so on a graph, too, whose vertices have names in them.
    """
    graph = instance.graph
    start_mark, end_mark, radius = START_MARK, END_MARK, DOT_RADIUS
    if has_letters and sheet.is_board:
        start_mark, end_mark, radius = _START_OUTLINE, _END_OUTLINE, _OUTLINE_RADIUS
    if instance.first is not None:
        text = f"start: {graph.name(instance.first)}"
        sheet.draw_mark(start_mark, [instance.first], radius=radius, legend=text)
    if instance.last is not None:
        text = f"end: {graph.name(instance.last)}"
        sheet.draw_mark(end_mark, [instance.last], radius=radius, legend=text)

    marked = {1: instance.first, len(graph): instance.last}
    steps_by_square = [(square, step) for step, square in instance.steps.items()]
    givens = [(square, step) for square, step in steps_by_square if marked.get(step) != square]
    if has_letters or not sheet.is_board:
        for square, step in givens:
            sheet.add_legend(f"step {step}: {graph.name(square)}")
    else:
        squares, steps = [square for square, _ in givens], [step for _, step in givens]
        sheet.write_words(squares, steps, on_disc=True)


# How each kind of reason is drawn; `_show_squares` draws the others.
_DRAW_FUNCTIONS: dict[ReasonKind, Callable[[Sheet, Instance, Reason], None]] = {
    ReasonKind.COLORS: _show_colors,
    ReasonKind.COMPONENTS: _show_cut,
    ReasonKind.CUT: _show_cut,
    ReasonKind.FORCED_MOVES: _show_forced_moves,
    ReasonKind.SCHWENK: show_schwenk,
    ReasonKind.SYMMETRY: show_symmetry,
    ReasonKind.TWO_FACTOR: show_shortage,
}

# The kinds whose functions state the reason, too.
_WITH_OWN_SENTENCES = (ReasonKind.SCHWENK, ReasonKind.SYMMETRY)
