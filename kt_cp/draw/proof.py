"""Pictures of why there is no tour: of each kind of reason, and of the steps of a certificate.

Each is a scene: squares that stand out, moves, what both mean, and components pulled apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.board.symmetry import images_under
from kt_cp.draw.graph import graph_picture
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import Picture, Points, Shapes, Texts
from kt_cp.draw.puzzle import draw_constraints
from kt_cp.draw.sheet import SQUARE, USUAL, Entry, Look, Sheet, filled, line, sentence
from kt_cp.errors import InputError, pluralize
from kt_cp.graph import Graph, component_labels
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate, Rule, Step
from kt_cp.proof.checker import State, check
from kt_cp.proof.reasons import Reason, ReasonKind

_MOST_NAMED = 6  # squares in the legend
_MOST_ISLANDS = 400
_MOST_STEPS = 2_000  # of a page
_GAP = 0.7  # between two islands, in squares

Edge = tuple[int, ...]


@dataclass
class _Scene:
    """What a picture shows: squares by the color in which they stand out, moves, and a legend.

    ``others`` are moves that do not stand out. ``islands`` are components that are drawn apart from
    the board, with the ``links`` in them.
    """

    fills: dict[str, list[int]] = field(default_factory=dict)
    moves: Squares = field(default_factory=lambda: np.empty((0, 2), dtype=np.int32))
    others: Squares = field(default_factory=lambda: np.empty((0, 2), dtype=np.int32))
    legend: list[Entry] = field(default_factory=list)
    islands: list[list[int]] = field(default_factory=list)
    links: Sequence[Edge] = ()
    words: dict[int, str] = field(default_factory=dict)

    def stand_out(self, graph: Graph, role: str, squares: Iterable[int], text: str) -> None:
        """Color squares; the legend names few and counts many."""
        if ids := list(squares):
            few = len(ids) <= _MOST_NAMED
            which = graph.list_names(ids) if few else pluralize(len(ids), "square")
            self.fills.setdefault(role, []).extend(ids)
            self.legend.append((filled(role), f"{text}: {which}"))


def reason_picture(reason: Reason, look: Look = USUAL, instance: Instance | None = None) -> Picture:
    """Describe the picture of a reason why there is no tour; its sentence is the caption.

    ``instance`` is what was asked; by default an open tour of the reason's graph.

    >>> from kt_cp.proof.reasons import refute
    >>> reason_picture(refute(Instance.of(Board(3, 3)))).description
    'b2 has no move, and a tour needs one at every square; too few moves: b2'
    """
    instance = Instance.of(reason.graph) if instance is None else instance
    show = _SCENES.get(reason.kind, _about)
    return _picture(instance, show(instance, reason), str(reason), look)


def certificate_picture(certificate: Certificate, look: Look = USUAL) -> Picture:
    """Describe the picture of a certificate: what decides, and the components without that."""
    instance, settled, tried = certificate.instance, dict[Edge, bool](), dict[Edge, bool]()

    def note(known: State, trial: State) -> None:
        settled.update(known)
        tried.clear()
        tried.update(trial)

    verdict = check(certificate, note)
    step = certificate.steps[-1] if certificate.steps else Step(Rule.CLAUSE, ())
    if step.rule in (Rule.CUT, Rule.TIGHT_CUT):
        scene = _apart(instance, step.items, settled)
        tight = [each.items for each in certificate.steps if each.rule is Rule.TIGHT_CUT]
        if tight:
            scene.words = {each: "×" for each in tight[-1] if each != instance.graph.area}
            scene.legend.append((None, "× no move joins two of these squares"))
    elif step.rule is Rule.COUNT:
        needy = {"squares": verdict.squares}
        scene = _about(instance, Reason(ReasonKind.TWO_FACTOR, instance.graph, "", needy))
    else:
        scene = _forced(instance)
        if not len(scene.moves):
            scene = _derived(instance, settled | tried)
    return _picture(instance, scene, verdict.message, look)


def proof_page(certificate: Certificate, look: Look = USUAL) -> str:
    """Return a page that steps through a certificate; `InputError` for more than 2,000 steps."""
    instance, board = certificate.instance, certificate.instance.board
    if len(certificate.steps) > _MOST_STEPS:
        count = f"{len(certificate.steps):,} steps"
        raise InputError(f"certificate of {count}: a page shows at most {_MOST_STEPS:,}")
    states: list[tuple[State, State]] = []
    verdict = check(certificate, lambda settled, trial: states.append((settled, trial)))
    edges = _edges(instance)
    number = {edge: i for i, edge in enumerate(edges)}

    def numbers(state: State, value: bool) -> list[int]:
        return [number[edge] for edge, settled in state.items() if settled is value]

    known: State = {}
    steps: list[dict[str, object]] = []
    for step, (settled, trial) in zip(certificate.steps, states, strict=False):
        fresh = {edge: value for edge, value in settled.items() if edge not in known}
        is_cut = step.rule in (Rule.CUT, Rule.TIGHT_CUT)
        components = _components(instance, step.items, settled)[0] if is_cut else []
        marked = [] if step.rule in (Rule.CLAUSE, Rule.FRONTIER) else {*step.items} - {board.area}
        alone = [square for each in components if len(each) == 1 for square in each]
        steps.append(
            {
                "text": _sentence(instance, step, len(components)),
                "used": numbers(fresh, True),
                "unused": numbers(fresh, False),
                "tried": numbers(trial, True),
                "refused": numbers(trial, False),
                "removed": [*marked],
                "groups": [alone, *(each for each in components if len(each) > 1)],
            }
        )
        known = settled
    start = {"text": sentence(f"{instance.kind} {board.title}: the moves that a tour may use.")}
    data = {**board_data(board), "edges": edges, "steps": steps, "start": start}
    title = look.title or f"Why there is no {instance.kind} tour of {board.title}"
    scripts = ("player.js", "squares.js", "proof.js")
    return html_page(sentence(title), sentence(verdict.message), scripts, data, look.theme)


def _edges(instance: Instance) -> list[Edge]:
    """Return the edges of a certificate in the order of their numbers."""
    edges = [tuple(edge) for edge in instance.edges.tolist()]
    if not instance.closed:
        ends = instance.graph.vertices.tolist() if instance.free_ends else instance.ends
        edges += [(end, instance.graph.area) for end in ends]
    return sorted(edges)


def _components(
    instance: Instance, removed: Iterable[int], settled: State
) -> tuple[list[list[int]], list[Edge]]:
    """Return the components without some vertices, and their edges; the depot is the last id."""
    kept = np.append(instance.graph.mask, not instance.closed)
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
    inside = [square for square in step.items if square != graph.area]
    names = graph.list_names(inside) if inside and step.rule is not Rule.CLAUSE else "no square"
    depot = " and the depot" if len(inside) < len(step.items) else ""
    without = f"without {names}{depot}, " if step.items else ""
    apart = f"{without}{count} components are left"
    match step.rule:
        case Rule.CLAUSE:
            return _clause(instance, step.items)
        case Rule.SET:
            return f"at least two edges leave {names}{depot}."
        case Rule.COUNT:
            return f"{names} need two moves each, more than the squares next to them allow."
        case Rule.FRONTIER:
            return "square by square, no way to give each its two moves closes a single cycle."
        case Rule.TIGHT_CUT:
            return f"{apart}, just as many as a tour connects, so it joins no two of them."
    return f"{apart}, more than a tour connects."


def _clause(instance: Instance, literals: tuple[int, ...]) -> str:
    graph, edges, words = instance.graph, _edges(instance), list[str]()
    for each in literals:
        one, other = edges[abs(each) - 1]
        ends = f"{graph.name(one)}-{graph.name(other)}" if other < graph.area else ""
        words.append((ends or f"an end at {graph.name(one)}") + ("" if each > 0 else " not"))
    if not words:
        return "the moves that must be used and those that cannot contradict one another."
    if len(words) == 1:
        which = "must be used" if literals[0] > 0 else "cannot be used"
        return f"{words[0].removesuffix(' not')} {which}: the contrary leads to a contradiction."
    return f"of these, one at least: {', '.join(words)}."


def _picture(instance: Instance, scene: _Scene, caption: str, look: Look) -> Picture:
    """Draw a scene: the board with what stands out, and the islands beside or below it."""
    board, legend = instance.graph, scene.legend
    told = "; ".join([caption, *(text for _, text in legend)])
    if not isinstance(board, Board):
        legend = [(mark, board.words(text)) for mark, text in legend]
        rings = [(squares, role, "line") for role, squares in scene.fills.items()]
        return graph_picture(board, caption, look, scene.moves, "fault", rings, legend)
    is_beside = board.columns <= 1.5 * board.rows
    corner = (board.columns + 1.0, 0.0) if is_beside else (0.0, board.rows + 0.8)
    middles = _pulled_apart(scene.islands, board) + np.array(corner)
    right, bottom = (middles + 0.5).max(axis=0, initial=0)
    beside, below = max(0.0, right - board.columns), max(0.0, bottom - board.rows)
    sheet = Sheet(board, caption, look, beside=beside, below=below)
    sheet.squares(scene.fills, grid=sheet.fine)
    if len(scene.others):
        sheet.moves(scene.others, "faint")
    sheet.moves(scene.moves, "fault", 1.4, "forced")
    sheet.legend += legend
    draw_constraints(sheet, instance, ends=not scene.words)
    sheet.words([*scene.words], scene.words.values())
    apart = [square for island in scene.islands for square in island]
    _draw_islands(sheet, scene, dict(zip(apart, sheet.at(middles), strict=True)))
    return sheet.finish(told)


def _pulled_apart(islands: Sequence[Sequence[int]], board: Board) -> Points:
    """Return the middles of the squares, in squares; islands keep their shape and stand apart."""
    x = y = shelf = 0.0
    middles = [np.empty((0, 2))]
    for island in islands:
        rows, columns = np.divmod(np.array(island), board.columns)
        shape = np.stack([columns - columns.min(), rows - rows.min()], axis=1)
        width, height = shape.max(axis=0) + 1
        if x and x + width > max(board.columns, 4):
            x, y, shelf = 0.0, y + shelf + _GAP, 0.0
        middles.append(shape + np.array([x + 0.5, y + 0.5]))
        x, shelf = x + width + _GAP, max(shelf, height)
    return np.concatenate(middles)


def _draw_islands(sheet: Sheet, scene: _Scene, middles: Mapping[int, Points]) -> None:
    links = [[middles[end] for end in edge] for edge in scene.links if {*edge} <= middles.keys()]
    if links:
        width = 0.7 * sheet.line_width
        sheet.layers.append(Shapes("link", np.array(links), "muted", width))
    for role, squares in scene.fills.items():
        corners = [middles[each] + SQUARE * sheet.cell / 2 for each in squares if each in middles]
        if corners:
            sheet.layers.append(Shapes("island", np.array(corners), "faint", 0.8, role))
    size = min(0.38 * sheet.cell, 14)
    if middles and size >= 11:
        names = tuple(map(sheet.board.name, middles))
        sheet.layers.append(Texts(np.array([*middles.values()]), names, size, "ink"))


def _apart(instance: Instance, items: Sequence[int], settled: State) -> _Scene:
    """Show a separator on the board, and beside it the components pulled apart and counted."""
    graph, scene = instance.graph, _Scene()
    removed, area = [each for each in items if each != graph.area], graph.area
    scene.stand_out(graph, "removed", removed, "separator")
    components, scene.links = _components(instance, items, settled)
    used = sum(value and {*edge} <= {*items} for edge, value in settled.items())
    allowed = max(1, len(items) - used)
    text = f"{pluralize(len(components), 'component')}, {allowed} allowed"
    scene.legend.append((None, text))
    for number, component in enumerate(components):
        role = GROUPS[1 + number % (len(GROUPS) - 1)] if len(component) > 1 else GROUPS[0]
        squares = [square for square in component if square != area]
        scene.fills.setdefault(role, []).extend(squares)
        if squares and len(components) <= _MOST_ISLANDS:
            scene.islands.append(squares)
    return scene


def _cut(instance: Instance, reason: Reason) -> _Scene:
    """Show the components without a separator, if any, and how many of them a tour can connect."""
    depot = instance.graph.area
    items = [*reason.squares.get("cut", ()), *([] if instance.closed else [depot])]
    return _apart(instance, items, {(end, depot): True for end in instance.ends})


def _colors(instance: Instance, reason: Reason) -> _Scene:
    """Count the colors, and show ends on the wrong one."""
    graph = instance.graph
    is_dark = graph.dark(graph.vertices)
    dark, light = int(is_dark.sum()), int((~is_dark).sum())
    scene = _Scene({GROUPS[0]: graph.vertices[is_dark].tolist()})
    scene.legend = [
        (filled(GROUPS[0]), pluralize(dark, "dark square")),
        (filled("light"), pluralize(light, "light square")),
        (None, f"{pluralize(min(dark, light), 'pair')}, {abs(dark - light)} left over"),
    ]
    return _about(instance, reason, scene)


def _forced(instance: Instance) -> _Scene:
    """Show the moves that squares with only two are forced to use, and the required ones."""
    scene, edges, area = _Scene(), instance.edges, instance.graph.area
    required = {tuple(sorted(move[:2])) for move in instance.require}
    used = np.array([tuple(edge) in required for edge in edges.tolist()], dtype=np.bool_)
    if instance.free_ends == 0:
        room = np.full(area, 2)
        room[list(instance.ends)] = 1
        tight = np.flatnonzero(np.bincount(edges.ravel(), minlength=area) == room)
        used |= np.isin(edges, tight).any(axis=1)
        scene.stand_out(instance.graph, GROUPS[0], tight.tolist(), "all moves are needed")
    scene.moves = edges[used]
    if used.any():
        scene.legend.append((line("fault", 0.5), "forced moves"))
    return scene


def _derived(instance: Instance, known: State) -> _Scene:
    """Show what a certificate has derived in the end: moves that must be used, and moves left."""
    edges = instance.edges
    used = np.array([known.get(tuple(edge)) for edge in edges.tolist()])
    scene = _Scene(moves=edges[used == True], others=edges[used == None])  # noqa: E711, E712
    scene.legend = [
        (line("fault", 0.5), "must be used by a tour"),
        (line("faint", 0.3), "may be used; all other moves cannot"),
    ]
    return scene


def _schwenk(instance: Instance, reason: Reason) -> _Scene:
    """Show the case of Schwenk's theorem: odd sides, four rows, or moves that are forced."""
    board = instance.board
    short, long = sorted((board.rows, board.columns))
    if short % 2 and long % 2:
        return _colors(instance, reason)
    if short != 4:
        return _forced(instance)
    along = np.divmod(board.squares, board.columns)[0 if board.rows == 4 else 1]
    outer, inner = (board.squares[np.isin(along, lines)].tolist() for lines in ((0, 3), (1, 2)))
    scene = _Scene({GROUPS[0]: outer, GROUPS[2]: inner})
    scene.legend = [
        (filled(GROUPS[0]), "outer squares: their moves lead only to inner ones"),
        (filled(GROUPS[2]), "inner squares: just as many, so a closed tour would alternate"),
        (None, "dark and light alternate too: all outer squares would have one color"),
    ]
    return scene


def _symmetry(instance: Instance, reason: Reason) -> _Scene:
    """Show the squares that a symmetry keeps in place, and where it takes the others."""
    if instance.symmetry is None:
        return _about(instance, reason)
    board, scene = instance.board, _Scene()
    images = images_under(board, instance.symmetry)
    kept = board.squares[images[board.squares] == board.squares].tolist()
    scene.stand_out(board, GROUPS[0], kept, "stays in place")
    labels = component_labels(board.area, np.stack([np.arange(board.area), images], axis=1))
    orbits = np.unique(labels[board.squares], return_inverse=True)[1] + 1
    scene.words = dict(zip(board.squares.tolist(), map(str, orbits.tolist()), strict=True))
    scene.legend.append((None, "squares with one number are mapped onto each other"))
    return _about(instance, reason, scene)


# What the groups of squares of a reason are, and their color; "" stands for any other group.
_GROUP_TEXTS: dict[ReasonKind, dict[str, tuple[str, str]]] = {
    ReasonKind.COLOURS: {"": ("removed", "end of the wrong color")},
    ReasonKind.DEAD_END: {"ends": ("light", "ends"), "": ("removed", "too few moves")},
    ReasonKind.ONE_WAY: {"": ("removed", "too few moves")},
    ReasonKind.SYMMETRY: {"": ("removed", "has no image")},
    ReasonKind.STEPS: {"": ("removed", "too far apart, or too close")},
    ReasonKind.FORCED_MOVES: {
        "square": ("removed", "too many moves"),
        "squares": ("removed", "a cycle closed too early"),
        "": (GROUPS[0], "forced to move there"),
    },
    ReasonKind.TWO_FACTOR: {
        "squares": ("removed", "need two moves each"),
        "": (GROUPS[0], "allow two moves each at most"),
    },
}


def _about(instance: Instance, reason: Reason, scene: _Scene | None = None) -> _Scene:
    """Show the squares that the reason is about, and the moves there if it is about these."""
    scene = scene or _Scene(words={square: str(n) for n, square in instance.steps.items()})
    usual = {"lonely": ("light", "must be ends"), "": ("removed", "squares")}
    texts = usual | _GROUP_TEXTS.get(reason.kind, {})
    groups: dict[tuple[str, str], list[int]] = {}
    for name, squares in reason.squares.items():
        groups.setdefault(texts.get(name, texts[""]), []).extend(squares)
    for (role, text), ids in groups.items():
        scene.stand_out(instance.graph, role, dict.fromkeys(ids), text)
    if reason.kind is ReasonKind.FORCED_MOVES:
        forced = _forced(instance)
        moves, scene.legend = forced.moves, [*scene.legend, *forced.legend[-1:]]
    elif reason.kind in (ReasonKind.DEAD_END, ReasonKind.ONE_WAY, ReasonKind.TWO_FACTOR):
        moves = instance.edges
    else:
        return scene
    scene.moves = moves[np.isin(moves, scene.fills["removed"]).any(axis=1)]
    return scene


_SCENES: dict[ReasonKind, Callable[[Instance, Reason], _Scene]] = {
    ReasonKind.COLOURS: _colors,
    ReasonKind.COMPONENTS: _cut,
    ReasonKind.CUT: _cut,
    ReasonKind.SCHWENK: _schwenk,
    ReasonKind.SYMMETRY: _symmetry,
}
