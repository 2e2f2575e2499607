"""Pictures of why there is no tour: of each kind of reason, and of the steps of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.board.symmetry import images_under
from kt_cp.draw.look import USUAL, Look, sentence
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import Picture
from kt_cp.draw.puzzle import draw_constraints
from kt_cp.draw.sheet import DISC, Sheet
from kt_cp.errors import InputError, pluralize
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.certificate import Certificate, Rule, Step
from kt_cp.proof.checker import State, check
from kt_cp.proof.reasons import Reason, ReasonKind

_MOST_ISLANDS = 400
_MOST_STEPS = 2_000  # of a page
_SIGNS = {True: "+", False: "-", None: "."}  # whether a tour uses an edge, on pages
_CUTS = (Rule.CUT, Rule.TIGHT_CUT)

Edge = tuple[int, ...]


def reason_picture(reason: Reason, look: Look = USUAL, instance: Instance | None = None) -> Picture:
    """Describe the picture of a reason why there is no tour; its sentence is the caption.

    ``instance`` is what was asked; by default an open tour of the reason's graph.

    >>> from kt_cp.proof.reasons import refute
    >>> reason_picture(refute(Instance.of(Board(3, 3)))).description
    'b2 has no move, and a tour needs one at every square'
    """
    instance = Instance.of(reason.graph) if instance is None else instance
    sheet = _sheet(instance, str(reason), look)
    _DRAWN.get(reason.kind, _about)(sheet, instance, reason)
    return sheet.finish()


def certificate_picture(certificate: Certificate, look: Look = USUAL) -> Picture:
    """Describe the picture of a certificate: what decides, and the components without that."""
    instance = certificate.instance
    states: list[tuple[State, State]] = [({}, {})]
    verdict = check(certificate, lambda *state: states.append(state))
    settled, tried = states[-1]
    sheet = _sheet(instance, verdict.message, look)
    step = certificate.steps[-1] if certificate.steps else Step(Rule.CLAUSE, ())
    if step.rule in _CUTS:
        _separate(sheet, instance, step.items, settled)
        tight = [each.items for each in certificate.steps if each.rule is Rule.TIGHT_CUT]
        if tight:
            depot = TourGraph(instance).depot_id
            apart = [each for each in tight[-1] if each != depot]
            sheet.words(apart, "×" * len(apart))
            sheet.tell(f"× a tour joins no two of these {instance.graph.vocabulary.vertices}")
    elif step.rule is Rule.COUNT:
        needy = {"squares": verdict.squares}
        _about(sheet, instance, Reason(ReasonKind.TWO_FACTOR, instance.graph, "", needy))
    else:
        known = {**settled, **tried}
        states_of = [known.get(tuple(edge)) for edge in instance.edges.tolist()]
        left = [state is None for state in states_of]
        others = f"all other {instance.graph.vocabulary.edges} cannot"
        sheet.moves(instance.edges[left], "faint", text=f"may be used; {others}")
        used = [state is True for state in states_of]
        sheet.moves(instance.edges[used], "fault", 1.4, text="must be used by a tour")
    return sheet.finish()


def _sheet(instance: Instance, caption: str, look: Look) -> Sheet:
    """Return a sheet with what is asked, except for ends where squares have numbers."""
    sheet = Sheet(instance.graph, caption, look, grid=True)
    draw_constraints(sheet, instance, ends=not (instance.givens or instance.symmetry))
    return sheet


def proof_page(certificate: Certificate, look: Look = USUAL) -> str:
    """Return a page that steps through a certificate; `InputError` for more than 2,000 steps."""
    instance, board = certificate.instance, certificate.instance.board
    if len(certificate.steps) > _MOST_STEPS:
        count = f"{len(certificate.steps):,} steps"
        raise InputError(f"certificate of {count}: a page shows at most {_MOST_STEPS:,}")
    states: list[tuple[State, State]] = []
    verdict = check(certificate, lambda settled, trial: states.append((settled, trial)))
    edges = _edges(instance)
    steps: list[dict[str, object]] = []
    for step, (settled, trial) in zip(certificate.steps, states, strict=False):
        components = _components(instance, step.items, settled)[0] if step.rule in _CUTS else []
        marked = [] if step.rule in (Rule.CLAUSE, Rule.FRONTIER) else {*step.items} - {board.area}
        alone = [square for each in components if len(each) == 1 for square in each]
        steps.append(
            {
                "text": _sentence(instance, step, len(components)),
                "settled": "".join(_SIGNS[settled.get(edge)] for edge in edges),
                "tried": "".join(_SIGNS[trial.get(edge)] for edge in edges),
                "removed": [*marked],
                "groups": [alone, *(each for each in components if len(each) > 1)],
            }
        )
    about = sentence(f"{instance.kind} {board.title}: the moves that a tour may use.")
    unknown = _SIGNS[None] * len(edges)
    start = {"text": about, "settled": unknown, "tried": unknown, "removed": [], "groups": []}
    data = {**board_data(board), "edges": edges, "steps": [start, *steps]}
    title = look.title or f"Why there is no {instance.kind} tour of {board.title}"
    scripts = ("elements.js", "player.js", "squares.js", "proof.js")
    return html_page(sentence(title), sentence(verdict.message), scripts, data, look.theme)


def _edges(instance: Instance) -> list[Edge]:
    """Return the edges of a certificate in the order of their numbers."""
    graph = TourGraph(instance)
    return sorted(map(tuple, graph.vertices(graph.edges).tolist()))


def _components(
    instance: Instance, removed: Iterable[int], settled: State
) -> tuple[list[list[int]], list[Edge]]:
    """Return the components without some vertices, and their edges; the depot is the last id."""
    graph = TourGraph(instance)
    kept = np.zeros(graph.depot_id + 1, dtype=np.bool_)
    kept[graph.ids] = True
    kept[list(removed)] = False
    left = [edge for edge in _edges(instance) if settled.get(edge) is not False]
    edges = [edge for edge in left if kept[list(edge)].all()]
    labels = component_labels(len(kept), np.array(edges, dtype=np.int32).reshape(-1, 2))
    groups: dict[int, list[int]] = {}
    for vertex in np.flatnonzero(kept).tolist():
        groups.setdefault(int(labels[vertex]), []).append(vertex)
    return sorted(groups.values(), key=len, reverse=True), edges


def _sentence(instance: Instance, step: Step, count: int) -> str:
    """Return what a step of a certificate says; a cut leaves ``count`` components."""
    graph = instance.graph
    if step.rule is Rule.CLAUSE:
        return _clause(graph, [(_edges(instance)[abs(each) - 1], each > 0) for each in step.items])
    inside = [vertex for vertex in step.items if vertex in graph]
    names = graph.list_names(inside) if inside else "no square"
    if len(inside) < len(step.items):
        names += " and the depot"
    apart = f"{count} components are left"
    if step.items:
        apart = f"without {names}, {apart}"
    return {
        Rule.SET: f"at least two edges leave {names}.",
        Rule.COUNT: f"{names} need two moves each, more than the squares next to them allow.",
        Rule.FRONTIER: "square by square, no way to give each its two moves closes a single cycle.",
        Rule.TIGHT_CUT: f"{apart}, just as many as a tour connects, so it joins no two of them.",
        Rule.CUT: f"{apart}, more than a tour connects.",
    }[step.rule]


def _clause(graph: Graph, literals: Sequence[tuple[Edge, bool]]) -> str:
    def name(edge: Edge) -> str:
        one, other = edge
        if other not in graph:  # the depot
            return f"an end at {graph.name(one)}"
        return f"{graph.name(one)}-{graph.name(other)}"

    if not literals:
        return "the moves that must be used and those that cannot contradict one another."
    if len(literals) == 1:
        [(edge, used)] = literals
        which = "must" if used else "cannot"
        return f"{name(edge)} {which} be used: the contrary leads to a contradiction."
    told = ", ".join(name(edge) + ("" if used else " not") for edge, used in literals)
    return f"of these, one at least: {told}."


def _separate(sheet: Sheet, instance: Instance, items: Sequence[int], settled: State) -> None:
    """Show a separator on the board, and beside it the components pulled apart and counted."""
    board, depot = sheet.graph, TourGraph(instance).depot_id
    sheet.fill("removed", [each for each in items if each != depot], "separator")
    components, links = _components(instance, items, settled)
    used = sum(value and {*edge} <= {*items} for edge, value in settled.items())
    sheet.tell(f"{pluralize(len(components), 'component')}, {max(1, len(items) - used)} allowed")
    islands: list[tuple[str, list[int]]] = []
    for number, component in enumerate(components):
        role = GROUPS[1 + number % (len(GROUPS) - 1)] if len(component) > 1 else GROUPS[0]
        island = [square for square in component if square != depot]
        sheet.fill(role, island)
        islands += [(role, island)] if island else []
    if isinstance(board, Board) and len(components) <= _MOST_ISLANDS:
        _pull_apart(sheet, board, islands, links)


def _pull_apart(
    sheet: Sheet, board: Board, islands: Sequence[tuple[str, list[int]]], links: Sequence[Edge]
) -> None:
    """Draw components once more, each in its shape, on a board of their own."""
    places: dict[int, tuple[int, int]] = {}
    left = top = shelf = 0
    for _, island in islands:
        rows, columns = np.divmod(np.array(island), board.columns)
        width, height = np.ptp(columns) + 1, np.ptp(rows) + 1
        if left and left + width > max(board.columns, 4):
            left, top, shelf = 0, top + shelf + 1, 0
        across, down = columns - columns.min() + left, rows - rows.min() + top
        places |= zip(island, zip(down.tolist(), across.tolist(), strict=True), strict=True)
        left, shelf = left + int(width) + 1, max(shelf, int(height))
    rows, columns = (max(side) + 1 for side in zip(*places.values(), strict=True))
    new = {square: row * columns + column for square, (row, column) in places.items()}
    holes = {*range(rows * columns)}.difference(new.values())
    is_beside = board.columns <= 1.5 * board.rows
    corner = (board.columns + 1, 0) if is_beside else (0, board.rows + 1)
    part = sheet.beside(Board(rows, columns, holes), *corner)
    part.has_names = False
    for role, island in islands:
        part.fill(role, [new[square] for square in island])
    joined = [[new[end] for end in edge] for edge in links if {*edge} <= new.keys()]
    part.moves(joined, "muted", 0.7, "link")
    part.words([*new.values()], map(board.name, new), 2 * DISC, blank=True)


def _cut(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the components without a separator, if any, and how many of them a tour can connect."""
    depot = TourGraph(instance).depot_id
    items = [*reason.squares.get("cut", ()), *([] if instance.closed else [depot])]
    _separate(sheet, instance, items, {(end, depot): True for end in instance.ends})


def _colors(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Count the colors, and show ends on the wrong one."""
    graph = instance.graph
    sheet.fill(GROUPS[0], graph.vertices[graph.dark(graph.vertices)], graph.vocabulary.dark)
    _about(sheet, instance, reason)


def _forced(instance: Instance) -> Squares:
    """Return the moves that every tour uses, as they are required or at squares with only two."""
    graph = TourGraph(instance)
    return graph.vertices(graph.edges[graph.forced & ~graph.at_depot])


def _schwenk(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the case of Schwenk's theorem: odd sides, four rows, or moves that are forced."""
    board = instance.board
    short, long = sorted((board.rows, board.columns))
    if short % 2 and long % 2:
        _colors(sheet, instance, reason)
    elif short != 4:
        sheet.moves(_forced(instance), "fault", 1.4, "forced", text="forced moves")
    else:
        along = np.divmod(board.squares, board.columns)[0 if board.rows == 4 else 1]
        outer, inner = (board.squares[np.isin(along, lines)] for lines in ((0, 3), (1, 2)))
        sheet.fill(GROUPS[0], outer, "outer, whose moves lead only to inner ones")
        sheet.fill(GROUPS[2], inner, "inner, with which a closed tour would alternate")
        sheet.tell("dark and light alternate too: all outer squares would have one color")


def _symmetry(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the squares that a symmetry keeps in place, and where it takes the others."""
    if instance.symmetry is not None:
        board = instance.board
        images = images_under(board, instance.symmetry)
        kept = board.squares[images[board.squares] == board.squares]
        sheet.fill(GROUPS[0], kept, "stays in place")
        labels = component_labels(board.area, np.stack([np.arange(board.area), images], axis=1))
        orbits = np.unique(labels[board.squares], return_inverse=True)[1] + 1
        sheet.words(board.squares, orbits.tolist())
        sheet.tell("squares with one number are mapped onto each other")
    _about(sheet, instance, reason)


def _about(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the squares that the reason names, and the moves there if it is about these."""
    for name, squares in reason.squares.items():
        if reason.kind is not ReasonKind.DEAD_END or name != "ends":  # which have marks
            sheet.fill(GROUPS[0] if name in ("others", "degree_one") else "removed", squares)
    is_forced = reason.kind is ReasonKind.FORCED_MOVES
    if is_forced or reason.kind in (ReasonKind.DEAD_END, ReasonKind.ONE_WAY, ReasonKind.TWO_FACTOR):
        moves = _forced(instance) if is_forced else instance.edges
        marked = np.concatenate([ids for role, ids in sheet.fills if role == "removed"])
        there = moves[np.isin(moves, marked).any(axis=1)]
        forced = f"forced {instance.graph.vocabulary.edges}"
        sheet.moves(there, "fault", 1.4, "forced", text=forced if is_forced else None)
    if instance.symmetry is None:
        sheet.words([square for square, _ in instance.givens], [n for _, n in instance.givens])


_DRAWN: dict[ReasonKind, Callable[[Sheet, Instance, Reason], None]] = {
    ReasonKind.COLOURS: _colors,
    ReasonKind.COMPONENTS: _cut,
    ReasonKind.CUT: _cut,
    ReasonKind.SCHWENK: _schwenk,
    ReasonKind.SYMMETRY: _symmetry,
}
