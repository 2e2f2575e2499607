"""Pictures of why there is no tour: of each kind of reason, and of the steps of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.board.symmetry import images_under
from kt_cp.draw.board import constraint_parts
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import Layer, Picture, Shapes, Texts
from kt_cp.draw.sheet import (
    SQUARE,
    USUAL,
    Entry,
    Ids,
    Look,
    Sheet,
    board_layers,
    filled,
    finish,
    lay_out,
    line,
    sentence,
    unmarked,
)
from kt_cp.draw.tour import segments
from kt_cp.errors import InputError, pluralize
from kt_cp.graph import ColorChange, component_labels
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate, Rule, Step
from kt_cp.proof.checker import State, Verdict, check
from kt_cp.proof.reason import Reason, ReasonKind

_MOST_NAMED = 6  # squares in the legend
_MOST_ISLANDS = 400
_MOST_STEPS, _MOST_LISTED = 2_000, 12  # of a page, and squares in its sentences
_GAP = 0.7  # between two islands, in squares
_SUM = 3.3  # squares for the words below the islands
_LEAST = 0.3  # side of a square of an island, in squares of the board


@dataclass(frozen=True)
class _Island:
    """Squares drawn apart from the board: where (column, row), in which fill, and their names."""

    places: list[tuple[int, int]]
    fills: list[str]
    names: list[str]
    moves: list[tuple[int, int]] = field(default_factory=list)  # by number of the square

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows that it takes."""
        columns, rows = zip(*self.places, strict=True)
        return max(columns) + 1, max(rows) + 1


@dataclass
class _Scene:
    """What a picture shows: squares that stand out, moves, a legend, and islands with a sum."""

    fills: dict[str, list[int]] = field(default_factory=dict)
    moves: Squares = field(default_factory=lambda: np.empty((0, 2), dtype=np.int32))
    legend: list[Entry] = field(default_factory=list)
    islands: list[_Island] = field(default_factory=list)
    counted: str = ""
    words: dict[int, str] = field(default_factory=dict)


def reason_picture(reason: Reason, look: Look = USUAL, instance: Instance | None = None) -> Picture:
    """Describe the picture of a reason why there is no tour; its sentence is the caption.

    ``instance`` is what was asked; by default an open tour of the reason's board.

    >>> from kt_cp.proof.reasons import refute
    >>> reason_picture(refute(Instance.of(Board(3, 3)))).description
    'b2 has no move, and a tour needs one at every square; dead end: b2'
    """
    instance = Instance.of(reason.board) if instance is None else instance
    show = _SCENES.get(reason.kind, _plain)
    return _picture(instance, show(instance, reason), str(reason), look)


def verdict_picture(certificate: Certificate, verdict: Verdict, look: Look = USUAL) -> Picture:
    """Describe the picture of a certificate: the decisive squares and the components without them.

    >>> from kt_cp.proof.checker import check
    >>> from kt_cp.proof.producer import make_certificate
    >>> certificate = make_certificate(Instance.of(Board(3, 3)))
    >>> verdict_picture(certificate, check(certificate)).description[:50]
    'holds: open 3x3 has no tour (2 components are left'
    """
    instance, board = certificate.instance, certificate.instance.board
    step = certificate.steps[-1] if certificate.steps else Step(Rule.CLAUSE, ())
    squares = [square for square in step.items if square != board.area]
    if step.rule is Rule.COUNT:
        scene = _needs(instance, squares)
    elif step.rule is Rule.CLAUSE:
        scene = _forced(instance, board.squares.tolist())
    else:
        settled: dict[tuple[int, ...], bool] = {}
        check(certificate, lambda now, _: settled.update(now))
        told = _Told(instance, settled)
        used = [edge for edge, value in settled.items() if value and {*edge} <= {*step.items}]
        allowed = max(1, len(step.items) - len(used))
        scene = _separated(instance, squares, told.components(step.items), allowed)
        tight = [each.items for each in certificate.steps if each.rule is Rule.TIGHT_CUT]
        for square in (tight or [()])[-1]:
            scene.words |= {square: "×"} if square != board.area else {}
        if tight:
            scene.legend.append((unmarked, "× no move joins two of these squares"))
    return _picture(instance, scene, verdict.message, look)


def proof_page(certificate: Certificate, look: Look = USUAL) -> str:
    """Return a page that steps through a certificate: what each step settles or pulls apart.

    Raises `InputError` for a board too large for a page, and for more than 2,000 steps.
    """
    instance, board = certificate.instance, certificate.instance.board
    if len(certificate.steps) > _MOST_STEPS:
        count = f"{len(certificate.steps):,} steps"
        raise InputError(f"certificate of {count}: a page shows at most {_MOST_STEPS:,}")
    states: list[tuple[State, State]] = []
    verdict = check(certificate, lambda settled, trial: states.append((settled, trial)))
    edges = _edges(instance)
    number = {edge: i for i, edge in enumerate(edges)}
    known: State = {}
    steps: list[dict[str, object]] = []
    for step, (settled, trial) in zip(certificate.steps, states, strict=False):
        fresh = {edge: value for edge, value in settled.items() if edge not in known}
        told = _Told(instance, settled)
        steps.append(
            {
                "text": told.sentence(step),
                **_by_value("used", "unused", fresh, number),
                **_by_value("tried", "refused", trial, number),
                "removed": [] if step.rule is Rule.CLAUSE else [*{*step.items} - {board.area}],
                "groups": told.groups(step),
            }
        )
        known = settled
    text = sentence(f"{instance.kind} {board.title}: the moves that a tour may use.")
    lists = ("used", "unused", "tried", "refused", "removed", "groups")
    start: dict[str, object] = {"text": text, **{name: [] for name in lists}}
    data = {**board_data(board), "edges": edges, "steps": steps, "start": start}
    title = look.title or f"Why there is no {instance.kind} tour of {board.title}"
    scripts = ("player.js", "squares.js", "proof.js")
    return html_page(sentence(title), sentence(verdict.message), scripts, data, look.theme)


def _by_value(
    yes: str, no: str, state: State, number: dict[tuple[int, ...], int]
) -> dict[str, list[int]]:
    """Return the numbers of the edges that are used, and of those that are not."""
    return {
        name: [number[edge] for edge, value in state.items() if value is wanted]
        for name, wanted in ((yes, True), (no, False))
    }


def _edges(instance: Instance) -> list[tuple[int, ...]]:
    """Return the edges of a certificate in the order of their numbers."""
    edges = [tuple(edge) for edge in instance.edges.tolist()]
    if not instance.closed:
        ends = instance.board.squares.tolist() if instance.free_ends else instance.ends
        edges += [(end, instance.board.area) for end in ends]
    return sorted(edges)


@dataclass(frozen=True)
class _Told:
    """How a page tells the steps of a certificate, some edges being ``settled``."""

    instance: Instance
    settled: State

    def sentence(self, step: Step) -> str:
        """Return what a step says."""
        board = self.instance.board
        inside = [square for square in step.items if square != board.area]
        if step.rule is Rule.CLAUSE:
            return self._clause(step.items)
        names = board.list_names(inside, _MOST_LISTED) if inside else "no square"
        depot = " and the depot" if len(inside) < len(step.items) else ""
        count = len(self.components(step.items))
        match step.rule:
            case Rule.SET:
                return f"at least two edges leave {names}{depot}."
            case Rule.COUNT:
                return f"{names} need two moves each, more than the squares next to them allow."
            case Rule.TIGHT_CUT:
                apart = f"without {names}{depot}, {count} components are left"
                return f"{apart}, just as many as a tour connects, so it joins no two of them."
        return f"without {names}{depot}, {count} components are left, more than a tour connects."

    def _clause(self, literals: tuple[int, ...]) -> str:
        words = [self._edge(abs(each)) + ("" if each > 0 else " not") for each in literals]
        if not words:
            return "the moves that must be used and those that cannot contradict one another."
        if len(words) == 1:
            which = "must be used" if literals[0] > 0 else "cannot be used"
            return f"{self._edge(abs(literals[0]))} {which}: the contrary leads to a contradiction."
        return f"of these, one at least: {', '.join(words)}."

    def _edge(self, number: int) -> str:
        board, (one, other) = self.instance.board, _edges(self.instance)[number - 1]
        if other == board.area:
            return f"an end at {board.name(one)}"
        return f"{board.name(one)}-{board.name(other)}"

    def groups(self, step: Step) -> list[list[int]]:
        """Return the components that a cut leaves, single squares together."""
        if step.rule not in (Rule.CUT, Rule.TIGHT_CUT):
            return []
        components = self.components(step.items)
        alone = [square for each in components if len(each) == 1 for square in each]
        return [alone, *(each for each in components if len(each) > 1)]

    def components(self, removed: Iterable[int]) -> list[list[int]]:
        """Return the squares of each component that is left without some vertices."""
        board = self.instance.board
        kept = np.append(board.mask, not self.instance.closed)
        kept[list(removed)] = False
        left = [edge for edge in _edges(self.instance) if self.settled.get(edge) is not False]
        edges = np.array(left, dtype=np.int32).reshape(-1, 2)
        edges = edges[kept[edges].all(axis=1)]
        labels = component_labels(board.area + 1, edges)
        return _grouped(np.flatnonzero(kept), labels)


def _picture(instance: Instance, scene: _Scene, caption: str, look: Look) -> Picture:
    """Draw a scene: the board with what stands out, and the islands beside or below it."""
    board = instance.board
    columns, rows, scale, places = _packed(scene.islands, board)
    is_beside = board.columns <= 1.5 * board.rows
    beside = max(columns * scale, _SUM) + 1 if scene.islands and is_beside else 0.0
    below = rows * scale + 1.2 if scene.islands and not is_beside else 0.0
    if is_beside:
        below = max(0.0, rows * scale + 0.5 - board.rows)
    sheet = lay_out(board, caption, look, beside=beside, below=below)
    layers = board_layers(sheet, scene.fills, grid=sheet.fine)
    if len(scene.moves):
        ends = segments(sheet, scene.moves)
        layers.append(Shapes("forced", ends, "fault", 1.4 * sheet.line_width))
    marks, marked = constraint_parts(sheet, instance, ends=not scene.words)
    layers += marks
    layers += sheet.words(np.array([*scene.words], dtype=np.int64), scene.words.values())
    if scene.islands:
        corner = (board.columns + 1, 0) if is_beside else (0, board.rows + 0.8)
        layers += _drawn_islands(sheet, scene, corner, scale, places)
        under = sheet.at([[corner[0], corner[1] + rows * scale + 0.4]])
        size = 15 * sheet.zoom
        layers.append(Texts(under, (scene.counted,), size, "ink", centered=False))
    told = [*(text for _, text in scene.legend), *filter(None, [scene.counted])]
    if scene.counted and not scene.islands:
        scene.legend.append((unmarked, scene.counted))
    return finish(sheet, layers, [*scene.legend, *marked], "; ".join([caption, *told]))


def _packed(
    islands: Sequence[_Island], board: Board
) -> tuple[float, float, float, list[tuple[float, float]]]:
    """Place islands on shelves: return width, height, the scale, and their corners in squares."""
    if not islands:
        return 0, 0, 1, []
    room = max(board.columns, 4), max(board.rows, 4)
    area = sum((columns + _GAP) * (rows + _GAP) for columns, rows in (x.size for x in islands))
    limit = max(max(x.size[0] for x in islands), (area * room[0] / room[1]) ** 0.5)
    x = y = shelf = width = 0.0
    places: list[tuple[float, float]] = []
    for island in islands:
        columns, rows = island.size
        if x and x + columns > limit:
            x, y, shelf = 0.0, y + shelf + _GAP, 0.0
        places.append((x, y))
        x, shelf = x + columns + _GAP, max(shelf, rows)
        width = max(width, x - _GAP)
    fit = min(room[0] / width, room[1] / (y + shelf))
    return width, y + shelf, max(_LEAST, min(1.0, fit)), places


def _drawn_islands(
    sheet: Sheet,
    scene: _Scene,
    corner: tuple[float, float],
    scale: float,
    places: list[tuple[float, float]],
) -> list[Layer]:
    fills: dict[str, list[np.ndarray]] = {}
    lines, points, names = [], [], []
    for island, place in zip(scene.islands, places, strict=True):
        middles = corner + scale * (np.array(island.places) + place + 0.5)
        for fill, middle in zip(island.fills, middles, strict=True):
            fills.setdefault(fill, []).append(middle + SQUARE * scale / 2)
        lines += [middles[list(move)] for move in island.moves]
        points += list(middles)
        names += island.names
    layers: list[Layer] = []
    if lines:
        ends = sheet.at(np.array(lines))
        layers.append(Shapes("link", ends, "muted", 0.7 * sheet.line_width))
    layers += [
        Shapes("island", sheet.at(np.array(corners)), "faint", 0.8, fill)
        for fill, corners in fills.items()
    ]
    size = min(0.38 * scale * sheet.cell, 14)
    if any(names) and size >= 11:
        layers.append(Texts(sheet.at(np.array(points)), tuple(names), size, "ink"))
    return layers


def _entry(instance: Instance, role: str, text: str, squares: Iterable[int]) -> Entry:
    """Return an entry of the legend that names few squares and counts many."""
    ids = list(squares)
    few = 0 < len(ids) <= _MOST_NAMED
    which = instance.board.list_names(ids) if few else pluralize(len(ids), "square")
    return filled(role), f"{text}: {which}"


def _separated(
    instance: Instance, removed: Sequence[int], components: list[list[int]], allowed: int
) -> _Scene:
    """Show a separator on the board, and beside it the components pulled apart and counted."""
    board = instance.board
    scene = _Scene({"removed": list(removed)})
    for number, component in enumerate(components):
        role = GROUPS[1 + number % (len(GROUPS) - 1)] if len(component) > 1 else GROUPS[0]
        squares = [square for square in component if square != board.area]
        scene.fills.setdefault(role, []).extend(squares)
        if squares and len(components) <= _MOST_ISLANDS:
            scene.islands.append(_island(board, squares, instance.edges, role))
    if removed:
        scene.legend.append(_entry(instance, "removed", "separator", removed))
    scene.counted = f"{pluralize(len(components), 'component')}, {allowed} allowed"
    return scene


def _apart(instance: Instance, removed: Sequence[int]) -> _Scene:
    """Show the components without some squares, of which a tour connects only so many."""
    kept = np.array(instance.board.mask)
    kept[list(removed)] = False
    edges = instance.edges[kept[instance.edges].all(axis=1)]
    components = _grouped(np.flatnonzero(kept), component_labels(len(kept), edges))
    ends = len({*removed} & {*instance.ends})
    allowed = len(removed) + (0 if instance.closed else 1 - ends) if removed else 1
    return _separated(instance, removed, components, allowed)


def _grouped(vertices: Ids, labels: Ids) -> list[list[int]]:
    """Return the vertices of each label, the largest group first."""
    groups: dict[int, list[int]] = {}
    for vertex in vertices.tolist():
        groups.setdefault(int(labels[vertex]), []).append(vertex)
    return sorted(groups.values(), key=len, reverse=True)


def _island(board: Board, squares: Sequence[int], edges: Squares, role: str) -> _Island:
    """Return a component as an island: its squares as they lie to each other, with its moves."""
    rows, columns = np.divmod(np.array(squares), board.columns)
    places = list(
        zip((columns - columns.min()).tolist(), (rows - rows.min()).tolist(), strict=True)
    )
    number = {square: i for i, square in enumerate(squares)}
    inside = edges[np.isin(edges, squares).all(axis=1)].tolist() if len(squares) > 1 else []
    names = [board.name(square) for square in squares]
    moves = [(number[one], number[other]) for one, other in inside]
    return _Island(places, [role] * len(squares), names, moves)


def _colors(instance: Instance, reason: Reason) -> _Scene:
    """Count the colors: beside the board, squares in pairs, and what is left over."""
    board = instance.board
    is_dark = board.dark(board.squares)
    dark, light = (board.squares[chosen].tolist() for chosen in (is_dark, ~is_dark))
    scene = _Scene({GROUPS[0]: dark})
    scene.legend = [
        (filled(GROUPS[0]), pluralize(len(dark), "dark square")),
        (filled("light"), pluralize(len(light), "light square")),
    ]
    pairs = min(len(dark), len(light))
    if len(dark) + len(light) <= _MOST_ISLANDS and board.color_change is not ColorChange.NEVER:
        both = _Island([(0, 0), (1, 0)], [GROUPS[0], "light"], ["", ""])
        alone = _Island([(0, 0)], ["removed"], [""])
        surplus = abs(len(dark) - len(light))
        scene.islands = [both] * pairs + [alone] * surplus
        scene.counted = f"{pluralize(pairs, 'pair')}, {surplus} left over"
    wrong = [square for group in reason.squares.values() for square in group]
    if wrong:
        scene.fills["removed"] = wrong
        for square in wrong:
            role = {instance.start: "start", instance.end: "end"}.get(square, "square")
            text = f"{role} on a {'dark' if square in set(dark) else 'light'} square"
            scene.legend.append(_entry(instance, "removed", text, [square]))
    return scene


def _dead_end(instance: Instance, reason: Reason) -> _Scene:
    """Show squares with too few moves, and the moves that they have."""
    ends = reason.squares.get("ends", ())
    squares = [s for name, group in reason.squares.items() if name != "ends" for s in group]
    moves = instance.edges[np.isin(instance.edges, squares).any(axis=1)]
    scene = _Scene({"removed": squares}, moves)
    text = "dead end" if len(squares) == 1 else "dead ends"
    scene.legend.append(_entry(instance, "removed", text, squares))
    if len(moves):
        scene.legend.append((line("fault", 0.5), f"{pluralize(len(moves), 'move')} there"))
    if ends:
        scene.legend.append(_entry(instance, "light", "ends", ends))
    return scene


def _forced(instance: Instance, squares: Sequence[int]) -> _Scene:
    """Show the moves that squares with only two are forced to use, and the required ones."""
    edges = instance.edges
    degrees = np.bincount(edges.ravel(), minlength=instance.board.area)
    room = np.full(instance.board.area, 2)
    room[list(instance.ends)] = 1
    tight = [s for s in squares if degrees[s] == room[s]] if instance.free_ends == 0 else []
    required = {tuple(sorted(move[:2])) for move in instance.require}
    used = np.isin(edges, tight).any(axis=1) | np.array(
        [tuple(edge) in required for edge in edges.tolist()], dtype=np.bool_
    )
    scene = _Scene({GROUPS[0]: list(tight)}, edges[used])
    if len(tight):
        scene.legend.append(_entry(instance, GROUPS[0], "both moves are needed", tight))
    if used.any():
        scene.legend.append((line("fault", 0.5), "forced moves"))
    return scene


def _forced_moves(instance: Instance, reason: Reason) -> _Scene:
    crowded = list(reason.squares.get("square", ()))
    scene = _forced(instance, instance.board.squares.tolist())
    about = {*crowded, *reason.squares.get("squares", ())}
    scene.moves = scene.moves[np.isin(scene.moves, list(about)).any(axis=1)]
    if crowded:
        touched = {*reason.squares.get("others", ())}
        scene.fills = {GROUPS[0]: list(touched), "removed": crowded}
        others = _entry(instance, GROUPS[0], "forced to move there", touched)
        scene.legend[:1] = [_entry(instance, "removed", "too many moves", crowded), others]
    else:
        cycle = reason.squares.get("squares", ())
        scene.fills = {"removed": list(cycle)}
        scene.legend[:1] = [_entry(instance, "removed", "a cycle closed too early", cycle)]
    return scene


def _needs(instance: Instance, needy: Sequence[int], givers: Sequence[int] | None = None) -> _Scene:
    """Show squares that need more moves than the squares next to them can give."""
    edges = instance.edges
    moves = edges[np.isin(edges, needy).any(axis=1)]
    if givers is None:
        givers = sorted({*moves.ravel().tolist()} - {*needy})
    scene = _Scene({"removed": list(needy), GROUPS[0]: list(givers)}, moves)
    scene.legend = [
        _entry(instance, "removed", "need two moves each", needy),
        _entry(instance, GROUPS[0], "allow two moves each at most", givers),
    ]
    return scene


def _schwenk(instance: Instance, reason: Reason) -> _Scene:
    """Show the case of Schwenk's theorem: odd sides, four rows, or moves that are forced."""
    board = instance.board
    short, long = sorted((board.rows, board.columns))
    if short % 2 and long % 2:
        return _colors(instance, reason)
    if short != 4:
        return _forced(instance, board.squares.tolist())
    along = np.divmod(board.squares, board.columns)[0 if board.rows == 4 else 1]
    outer, inner = (board.squares[np.isin(along, lines)].tolist() for lines in ((0, 3), (1, 2)))
    scene = _Scene({GROUPS[0]: outer, GROUPS[2]: inner})
    scene.legend = [
        (filled(GROUPS[0]), "outer squares: their moves lead only to inner ones"),
        (filled(GROUPS[2]), "inner squares: just as many, so a closed tour would alternate"),
        (unmarked, "dark and light alternate too: all outer squares would have one color"),
    ]
    return scene


def _symmetry(instance: Instance, reason: Reason) -> _Scene:
    """Show the squares that a symmetry keeps in place, and where it takes the others."""
    board = instance.board
    if instance.symmetry is None:
        return _plain(instance, reason)
    images = images_under(board, instance.symmetry)
    told = [square for group in reason.squares.values() for square in group]
    kept = [square for square in board.squares.tolist() if images[square] == square]
    scene = _Scene({GROUPS[0]: kept, "removed": told})
    if kept:
        scene.legend.append(_entry(instance, GROUPS[0], "stays in place", kept))
    if told:
        scene.legend.append(_entry(instance, "removed", "has no image", told))
    if len(board) <= 26:
        seen: dict[int, str] = {}
        for square in board.squares.tolist():
            if square not in seen:
                letter = chr(ord("A") + len(set(seen.values())))
                while square not in seen:
                    seen[square] = letter
                    square = int(images[square]) if board.mask[images[square]] else square
        scene.words = seen
        scene.legend.append((unmarked, "squares with one letter are mapped onto each other"))
    return scene


def _steps(instance: Instance, reason: Reason) -> _Scene:
    """Show the given steps; the two that no walk joins stand out."""
    words = {square: str(step) for step, square in instance.steps.items()}
    about = [square for group in reason.squares.values() for square in group]
    scene = _Scene({"removed": about}, words=words)
    scene.legend.append(_entry(instance, "removed", "too far apart, or too close", about))
    return scene


def _plain(instance: Instance, reason: Reason) -> _Scene:
    """Show the squares that the reason is about, and all moves of a small board."""
    about = [square for group in reason.squares.values() for square in group]
    scene = _Scene({"removed": about} if about else {})
    if about:
        scene.legend.append(_entry(instance, "removed", "squares", about))
    elif len(instance.edges) <= len(instance.board):
        scene.moves = instance.edges
    return scene


_SCENES: dict[ReasonKind, Callable[[Instance, Reason], _Scene]] = {
    ReasonKind.COLOURS: _colors,
    ReasonKind.DEAD_END: _dead_end,
    ReasonKind.ONE_WAY: _dead_end,
    ReasonKind.COMPONENTS: lambda instance, _: _apart(instance, ()),
    ReasonKind.CUT: lambda instance, reason: _apart(instance, reason.squares["cut"]),
    ReasonKind.SCHWENK: _schwenk,
    ReasonKind.SYMMETRY: _symmetry,
    ReasonKind.STEPS: _steps,
    ReasonKind.FORCED_MOVES: _forced_moves,
    ReasonKind.TWO_FACTOR: lambda instance, reason: _needs(
        instance, reason.squares["squares"], reason.squares["others"]
    ),
}
