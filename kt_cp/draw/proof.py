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
from kt_cp.proof.checker import Edge, State, check
from kt_cp.proof.reason import Reason, ReasonKind

# The most components that are drawn beside the board, and the most steps of a page.
_MOST_PARTS = 400
_MOST_STEPS = 2_000

# How a page encodes whether a tour uses an edge; None if that is not settled.
_SIGNS = {True: "+", False: "-", None: "."}

_CUTS = (Rule.CUT, Rule.TIGHT_CUT)

# The components that a separator leaves, each with the color in which it is filled.
Part = tuple[str, list[int]]


def reason_picture(reason: Reason, look: Look = USUAL, instance: Instance | None = None) -> Picture:
    """Return the picture of a reason why there is no tour; its sentence is the caption.

    ``instance`` is the one without a tour, by default that of an open tour of the reason's graph.

    >>> from kt_cp.proof.reasons import refute
    >>> reason_picture(refute(Instance.of(Board(3, 3)))).description
    'b2 has no move, and a tour needs one at every square'
    """
    instance = Instance.of(reason.graph) if instance is None else instance
    sheet = _sheet(instance, str(reason), look)
    _DRAWN.get(reason.kind, _show_squares)(sheet, instance, reason)
    return sheet.finish()


def certificate_picture(certificate: Certificate, look: Look = USUAL) -> Picture:
    """Return the picture of a certificate's last step and of what the steps before it settled.

    A cut is shown with the components that it leaves, a count with the squares that lack moves, and
    other proofs with the moves that are settled.
    """
    instance = certificate.instance
    states: list[tuple[State, State]] = [({}, {})]
    verdict = check(certificate, lambda *state: states.append(state))
    settled, trial = states[-1]
    sheet = _sheet(instance, verdict.message, look)
    last = certificate.steps[-1] if certificate.steps else Step(Rule.CLAUSE, ())
    if last.rule in _CUTS:
        _show_separator(sheet, instance, last.items, settled)
        _mark_tight_cut(sheet, certificate)
    elif last.rule is Rule.COUNT:
        groups = {"squares": verdict.squares}
        _show_squares(sheet, instance, Reason(ReasonKind.TWO_FACTOR, instance.graph, "", groups))
    else:
        _show_settled_moves(sheet, instance, {**settled, **trial})
    return sheet.finish()


def _mark_tight_cut(sheet: Sheet, certificate: Certificate) -> None:
    """Mark the squares of the last tight cut, if the certificate has one."""
    tight = [step.items for step in certificate.steps if step.rule is Rule.TIGHT_CUT]
    if tight:
        graph = certificate.instance.graph
        squares = [vertex for vertex in tight[-1] if vertex in graph]
        sheet.words(squares, "×" * len(squares))
        sheet.tell(f"× a tour joins no two of these {graph.vocabulary.vertices}")


def _show_settled_moves(sheet: Sheet, instance: Instance, known: State) -> None:
    """Show the moves that a tour must use, and those that it may use."""
    edges = instance.edges
    state_of_each = [known.get(tuple(edge)) for edge in edges.tolist()]
    is_open = [state is None for state in state_of_each]
    is_used = [state is True for state in state_of_each]
    others = f"all other {instance.graph.vocabulary.edges} cannot"
    sheet.moves(edges[is_open], "faint", text=f"may be used; {others}")
    sheet.moves(edges[is_used], "fault", 1.4, text="must be used by a tour")


def _sheet(instance: Instance, caption: str, look: Look) -> Sheet:
    """Return a sheet that shows the constraints; ends are left out if squares will have numbers."""
    sheet = Sheet(instance.graph, caption, look, grid=True)
    draw_constraints(sheet, instance, ends=not (instance.givens or instance.symmetry))
    return sheet


def proof_page(certificate: Certificate, look: Look = USUAL) -> str:
    """Return an HTML page that steps through a certificate of a board.

    Raises `InputError` for more than 2,000 steps, and for a graph without places.
    """
    instance, board = certificate.instance, certificate.instance.board
    if len(certificate.steps) > _MOST_STEPS:
        count = f"{len(certificate.steps):,} steps"
        raise InputError(f"certificate of {count}: a page shows at most {_MOST_STEPS:,}")
    states: list[tuple[State, State]] = []
    verdict = check(certificate, lambda settled, trial: states.append((settled, trial)))
    about = sentence(f"{instance.kind} {board.title}: the moves that a tour may use.")
    edges = _edges(instance)
    steps = [_page_step(edges, about)]
    for step, (settled, trial) in zip(certificate.steps, states, strict=False):
        components: list[list[int]] = []
        if step.rule in _CUTS:
            components, _ = _components(instance, step.items, settled)
        marked: set[int] = set()
        if step.rule not in (Rule.CLAUSE, Rule.FRONTIER):
            marked = {vertex for vertex in step.items if vertex in board}
        text = _sentence(instance, step, len(components))
        steps.append(_page_step(edges, text, settled, trial, marked, components))
    data = {**board_data(board), "edges": edges, "steps": steps}
    title = look.title or f"Why there is no {instance.kind} tour of {board.title}"
    scripts = ("elements.js", "player.js", "squares.js", "proof.js")
    return html_page(sentence(title), sentence(verdict.message), scripts, data, look.theme)


def _page_step(
    edges: Sequence[Edge],
    text: str,
    settled: State | None = None,
    trial: State | None = None,
    removed: Iterable[int] = (),
    components: Sequence[list[int]] = (),
) -> dict[str, object]:
    """Return the data of one step for the page's script.

    The first group of squares holds the components of one square each, the others one component.
    """
    single = [each[0] for each in components if len(each) == 1]
    larger = [each for each in components if len(each) > 1]
    return {
        "text": text,
        "settled": _signs(edges, settled or {}),
        "tried": _signs(edges, trial or {}),
        "removed": list(removed),
        "groups": [single, *larger] if components else [],
    }


def _signs(edges: Sequence[Edge], state: State) -> str:
    """Return a sign for each edge: whether a tour uses it."""
    return "".join(_SIGNS[state.get(edge)] for edge in edges)


def _edges(instance: Instance) -> list[Edge]:
    """Return the edges of a certificate in the order of their numbers."""
    graph = TourGraph(instance)
    return sorted(map(tuple, graph.vertices(graph.edges).tolist()))


def _components(
    instance: Instance, removed: Iterable[int], settled: State
) -> tuple[list[list[int]], list[Edge]]:
    """Return the components without some vertices, the largest first, and the edges inside them.

    The depot of an open tour is one of the vertices, by its id.
    """
    graph = TourGraph(instance)
    kept = np.zeros(graph.depot_id + 1, dtype=np.bool_)
    kept[graph.ids] = True
    kept[list(removed)] = False
    edges = [
        edge
        for edge in _edges(instance)
        if settled.get(edge) is not False and kept[list(edge)].all()
    ]
    labels = component_labels(len(kept), np.array(edges, dtype=np.int32).reshape(-1, 2))
    groups: dict[int, list[int]] = {}
    for vertex in np.flatnonzero(kept).tolist():
        groups.setdefault(int(labels[vertex]), []).append(vertex)
    return sorted(groups.values(), key=len, reverse=True), edges


def _sentence(instance: Instance, step: Step, count: int) -> str:
    """Return the sentence for a step of a certificate; a cut leaves ``count`` components."""
    graph = instance.graph
    if step.rule is Rule.CLAUSE:
        return _clause_sentence(instance, step.items)
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
        case _:
            return f"{left}, more than a tour connects."


def _clause_sentence(instance: Instance, literals: Sequence[int]) -> str:
    """Return the sentence for a clause, whose literals are numbers of edges."""
    if not literals:
        return "the moves that must be used and those that cannot contradict one another."
    edges = _edges(instance)
    names = [_edge_name(instance.graph, edges[abs(literal) - 1]) for literal in literals]
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


def _show_separator(
    sheet: Sheet, instance: Instance, removed: Sequence[int], settled: State
) -> None:
    """Show a separator on the board, and count and draw the components that it leaves."""
    graph = sheet.graph
    sheet.fill("removed", [vertex for vertex in removed if vertex in graph], "separator")
    components, edges = _components(instance, removed, settled)
    used_inside = [edge for edge, used in settled.items() if used and set(edge) <= set(removed)]
    allowed = max(1, len(removed) - len(used_inside))
    sheet.tell(f"{pluralize(len(components), 'component')}, {allowed} allowed")
    parts: list[Part] = []
    for number, component in enumerate(components):
        role = GROUPS[0]
        if len(component) > 1:
            role = GROUPS[1 + number % (len(GROUPS) - 1)]
        squares = [vertex for vertex in component if vertex in graph]
        if squares:
            sheet.fill(role, squares)
            parts.append((role, squares))
    if isinstance(graph, Board) and len(components) <= _MOST_PARTS:
        _pull_apart(sheet, graph, parts, edges)


def _pull_apart(sheet: Sheet, board: Board, parts: Sequence[Part], edges: Sequence[Edge]) -> None:
    """Draw components once more, each in its shape, on a second board beside or below the first."""
    places = _packed(board, parts)
    rows = 1 + max(row for row, _ in places.values())
    columns = 1 + max(column for _, column in places.values())
    new_id = {square: row * columns + column for square, (row, column) in places.items()}
    holes = set(range(rows * columns)).difference(new_id.values())
    corner = (0, board.rows + 1)
    if board.columns <= 1.5 * board.rows:
        corner = (board.columns + 1, 0)
    second = sheet.beside(Board(rows, columns, holes), *corner)
    second.has_names = False
    for role, squares in parts:
        second.fill(role, [new_id[square] for square in squares])
    drawn = [[new_id[end] for end in edge] for edge in edges if new_id.keys() >= set(edge)]
    second.moves(drawn, "muted", 0.7, "link")
    second.words(list(new_id.values()), map(board.name, new_id), 2 * DISC, blank=True)


def _packed(board: Board, parts: Sequence[Part]) -> dict[int, tuple[int, int]]:
    """Return a row and a column for each square, so that parts lie side by side on shelves.

    A shelf is as wide as the board; one row or column stays free between two parts.
    """
    places: dict[int, tuple[int, int]] = {}
    left = 0  # the first free column of the shelf
    top = 0  # the first row of the shelf
    shelf_height = 0
    for _, squares in parts:
        rows, columns = np.divmod(np.array(squares), board.columns)
        rows, columns = rows - rows.min(), columns - columns.min()
        width, height = int(columns.max()) + 1, int(rows.max()) + 1
        if left and left + width > max(board.columns, 4):
            left = 0
            top += shelf_height + 1
            shelf_height = 0
        for square, row, column in zip(squares, rows.tolist(), columns.tolist(), strict=True):
            places[square] = top + row, left + column
        left += width + 1
        shelf_height = max(shelf_height, height)
    return places


def _show_cut(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the components without the separator, if there is one."""
    depot = TourGraph(instance).depot_id
    removed = list(reason.squares.get("cut", ()))
    if not instance.closed:
        removed.append(depot)
    _show_separator(sheet, instance, removed, {(end, depot): True for end in instance.ends})


def _show_colors(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Count the colors, and show ends on the wrong one."""
    graph = instance.graph
    sheet.fill(GROUPS[0], graph.vertices[graph.dark(graph.vertices)], graph.vocabulary.dark)
    _show_squares(sheet, instance, reason)


def _forced_moves(instance: Instance) -> Squares:
    """Return the moves that every tour uses: required ones, and those at squares with only two."""
    graph = TourGraph(instance)
    return graph.vertices(graph.edges[graph.forced & ~graph.at_depot])


def _show_schwenk(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the case of Schwenk's theorem: odd sides, four rows, or moves that are forced."""
    board = instance.board
    short, long = sorted((board.rows, board.columns))
    if short % 2 and long % 2:
        _show_colors(sheet, instance, reason)
    elif short != 4:
        sheet.moves(_forced_moves(instance), "fault", 1.4, "forced", text="forced moves")
    else:
        rows, columns = np.divmod(board.squares, board.columns)
        line_of_four = rows if board.rows == 4 else columns
        is_outer = np.isin(line_of_four, (0, 3))
        outer, inner = board.squares[is_outer], board.squares[~is_outer]
        sheet.fill(GROUPS[0], outer, "outer, whose moves lead only to inner ones")
        sheet.fill(GROUPS[2], inner, "inner, with which a closed tour would alternate")
        sheet.tell("dark and light alternate too: all outer squares would have one color")


def _show_symmetry(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the squares that a symmetry keeps in place, and number the orbits of all squares."""
    if instance.symmetry is not None:
        board = instance.board
        images = images_under(board, instance.symmetry)
        kept = board.squares[images[board.squares] == board.squares]
        sheet.fill(GROUPS[0], kept, "stays in place")
        labels = component_labels(board.area, np.stack([np.arange(board.area), images], axis=1))
        _, orbits = np.unique(labels[board.squares], return_inverse=True)  # numbered from 0
        sheet.words(board.squares, (orbits + 1).tolist())
        sheet.tell("squares with one number are mapped onto each other")
    _show_squares(sheet, instance, reason)


def _show_squares(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show the squares that a reason names, the moves at them if they matter, and given steps."""
    for name, squares in reason.squares.items():
        if reason.kind is ReasonKind.DEAD_END and name == "ends":
            continue  # ends have marks of their own
        role = "removed"
        if name in ("others", "degree_one"):
            role = GROUPS[0]
        sheet.fill(role, squares)
    if reason.kind is ReasonKind.FORCED_MOVES:
        text = f"forced {instance.graph.vocabulary.edges}"
        _show_moves_at_marked(sheet, _forced_moves(instance), text)
    elif reason.kind in (ReasonKind.DEAD_END, ReasonKind.ONE_WAY, ReasonKind.TWO_FACTOR):
        _show_moves_at_marked(sheet, instance.edges, None)
    if instance.symmetry is None:
        sheet.words([square for square, _ in instance.givens], [n for _, n in instance.givens])


def _show_moves_at_marked(sheet: Sheet, moves: Squares, text: str | None) -> None:
    """Show those of some moves that begin or end at a marked square."""
    marked = np.concatenate([ids for role, ids in sheet.fills if role == "removed"])
    sheet.moves(moves[np.isin(moves, marked).any(axis=1)], "fault", 1.4, "forced", text=text)


# How each kind of reason is drawn; `_show_squares` draws the others.
_DRAWN: dict[ReasonKind, Callable[[Sheet, Instance, Reason], None]] = {
    ReasonKind.COLOURS: _show_colors,
    ReasonKind.COMPONENTS: _show_cut,
    ReasonKind.CUT: _show_cut,
    ReasonKind.SCHWENK: _show_schwenk,
    ReasonKind.SYMMETRY: _show_symmetry,
}
