"""Pictures of tours, in several styles and animated, and of paths with their faults."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kt_cp.board import Board, Topology
from kt_cp.draw.geometry import Ids
from kt_cp.draw.look import USUAL, Look, Style, glyph
from kt_cp.draw.palette import SHADES
from kt_cp.draw.picture import (
    END_MARK,
    SQUARE,
    START_MARK,
    Mark,
    Picture,
    Points,
    disc,
    filled,
    line,
    shape,
    shapes,
)
from kt_cp.draw.sheet import DISC, LegendEntry, Sheet
from kt_cp.draw.weave import draw_weave
from kt_cp.errors import InputError, pluralize
from kt_cp.tour import feature_table as table
from kt_cp.tour.report import FaultKind, PathReport, Report, on_board
from kt_cp.tour.tour import Tour

_LARGE = 6_000  # squares of a large board, on which an animation has fewer frames
_MOST_FRAMES, _MOST_LARGE_FRAMES = 120, 30
_GRAPH_LINE = 2.2  # width of a tour of a graph, which stands out among the other edges by it
_QUARTERS = ("begins and ends", "a quarter", "half-way", "three quarters")  # of a closed tour
_CROSSING = disc("paper", "fault", 0.4)
_CROSSING_RADIUS = 0.08  # in squares

_MOST_MESSAGES = 5
_MOST_STEPS = 2  # written into one square
_FAULT_RADIUS = 0.44  # in squares
_BEND, _CURVE = 0.12, 12  # of an illegal move, in its length; lines that draw it

# A fault of a move is a dashed curve, a fault of a square a mark on it.
_DASHES = {FaultKind.ILLEGAL_MOVE: (7.0, 6.0), FaultKind.NOT_CLOSED: (1.0, 6.0)}
_CROSS = [(-0.6, -0.6), (0.6, 0.6), (0, 0), (0.6, -0.6), (-0.6, 0.6), (0, 0)]
_MARKS: dict[FaultKind, Mark] = {
    FaultKind.HOLE: shape(_CROSS, "fault", 0.15),
    FaultKind.REPEAT: disc(None, "fault", 0.12),
    FaultKind.ILLEGAL_MOVE: disc(None, "fault", 0.12),  # of a move that stays in its place
    FaultKind.SAME_STEP: shape(SQUARE * 0.9, "fault", 0.12),
    FaultKind.NO_STEP: shape([(-0.8, 0.9), (0.8, 0.9)], "fault", 0.15),
    FaultKind.SPLIT: shape([(0, -1), (1, 0), (0, 1), (-1, 0)], "fault", 0.12),
    FaultKind.NOT_CLOSED: shape([(0, -1), (1, 1), (-1, 1)], "fault", 0.12),
    FaultKind.MISSING: filled("missing"),
}


def tour_picture(tour: Tour, look: Look = USUAL) -> Picture:
    """Return the picture of a tour; the caption is its summary unless the look has a title.

    Where numbers would be smaller than 11 pixels, and on a large board, the line is colored by its
    order. Raises `InputError` for a style that the board does not allow.

    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> tour_picture(tour).description
    'open tour of 3x4, 12 squares, from a3 to d1, drawn as lines'
    """
    cycle: list[int] = []
    if not isinstance(tour.graph, Board):
        look = replace(look, style=Style.LINES)
        if tour.closed:
            cycle = tour.squares.tolist()
    sheet = Sheet(tour.graph, tour.summary, look, cycle=cycle)
    _draw(sheet, tour)
    start, end = (tour.graph.name(square) for square in tour.squares[[0, -1]])
    way = f"through {start}" if tour.closed else f"from {start} to {end}"
    return sheet.finish(f"{tour.summary}, {way}, drawn as {look.style}")


def animation(tour: Tour, look: Look = USUAL) -> Iterator[Picture]:
    """Yield the pictures of an animation in which the piece makes the tour.

    The last one shows the whole tour in its style, those before it numbers or a line. On a large
    board each picture adds several moves.
    """
    count = len(tour)
    frames = min(count, _MOST_FRAMES if count < _LARGE else _MOST_LARGE_FRAMES)
    steps = dict.fromkeys(np.linspace(1, count, frames).round().astype(int).tolist())
    if not tour.closed:
        del steps[count]  # which the last picture shows
    for step in steps:
        sheet = Sheet(tour.board, tour.summary, look)
        squares = tour.squares[:step]
        sheet.fill("visited", squares)
        if look.style is not Style.NUMBERS or not _draw_numbers(sheet, squares, count):
            sheet.bend(tour.moves)
            draw_path(sheet, tour.moves[: step - 1], count)
        here = int(squares[-1])
        text = f"{sheet.step(step)} of {count:,}: {tour.board.name(here)}"
        yield _with_piece(sheet, tour.board, here, text)
    sheet = Sheet(tour.board, tour.summary, look)
    _draw(sheet, tour)
    here = int(tour.squares[0 if tour.closed else -1])
    name = tour.board.name(here)
    text = f"back to {name}" if tour.closed else f"{sheet.step(count)} of {count:,}: {name}"
    yield _with_piece(sheet, tour.board, here, text)


def _with_piece(sheet: Sheet, board: Board, square: int, text: str) -> Picture:
    """Return the picture of a sheet with the piece on a square, and a text as its only legend."""
    if not sheet.words([square], glyph(board), 1.4, blank=True):
        sheet.mark(START_MARK, [square], 0.3)
    sheet.legend = [LegendEntry(None, text)]
    return sheet.finish(text)


def _draw(sheet: Sheet, tour: Tour) -> None:
    """Draw a tour in the style of its sheet; squares that it leaves out stay pale."""
    left_out = len(tour.graph) - len(tour)
    if left_out:
        sheet.fill("visited", tour.squares)
        count = tour.graph.vocabulary.count_vertices(left_out)
        sheet.tell(f"not visited: {count}", filled("light"))
    style = sheet.look.style
    if style is Style.CROSSINGS:
        _draw_crossings(sheet, tour)
    elif style is Style.ANGLES:
        _draw_angles(sheet, tour)
    elif style is Style.WEAVE and sheet.fine:
        draw_weave(sheet, tour)
    elif style is not Style.NUMBERS or not _draw_numbers(sheet, tour.squares, len(tour)):
        if style is Style.FILLED:
            _fill_interior(sheet, tour)
        sheet.bend(tour.moves)
        draw_path(sheet, tour.moves, scale="cycle" if tour.closed else "order")
        _draw_ends(sheet, tour)
        if _is_shaded(sheet):
            _explain_shades(sheet, tour)


def _explain_shades(sheet: Sheet, tour: Tour) -> None:
    """Explain the colors of the line, and why they replace the style asked for, if they do."""
    steps = pluralize(len(tour), "step")
    if tour.closed:
        for quarter, words in enumerate(_QUARTERS):
            sheet.tell(words, line(f"cycle-{quarter * SHADES // 4}"))
    else:
        sheet.tell(f"first of {steps}", line("order-0"))
        sheet.tell("last", line(f"order-{SHADES - 1}"))
    if sheet.look.style is not Style.ORDER:
        small = f"squares are too small for the style {sheet.look.style}"
        sheet.tell(f"{small}, so the line is colored by its order")


def _fill_interior(sheet: Sheet, tour: Tour) -> None:
    """Color what a tour encloses, by the even-odd rule; an open tour is closed for that."""
    if tour.board.topology is not Topology.FLAT:
        raise InputError("style filled: the board has glued edges; choose another style")
    if len(tour) > 2:
        corners = sheet.centers(tour.squares)[None]
        sheet.elements.append(shapes("interior", corners, fill="interior"))


def _draw_ends(sheet: Sheet, tour: Tour) -> None:
    """Mark the start, and the end of an open tour."""
    _draw_end(sheet, tour, 1, START_MARK)
    if not tour.closed:
        _draw_end(sheet, tour, len(tour), END_MARK)


def _draw_end(sheet: Sheet, tour: Tour, step: int, mark: Mark) -> None:
    """Mark the square of a step, and name both in the legend."""
    square = int(tour.squares[step - 1])
    sheet.mark(mark, [square], text=f"{sheet.step(step)}: {sheet.graph.name(square)}")


def _draw_numbers(sheet: Sheet, squares: Ids, count: int) -> bool:
    """Write the steps, in the size for ``count`` of them; return whether they are legible."""
    letters = len(str(count))
    steps = range(sheet.look.first, sheet.look.first + len(squares))
    sheet.words(squares[:1], steps[:1], fill="start", bold=True, letters=letters)
    return sheet.words(squares[1:], steps[1:], letters=letters)


def draw_path(sheet: Sheet, moves: Ids, count: int = 0, scale: str = "order") -> None:
    """Draw moves, with chevrons in that style; shades show their order, of ``count`` to come.

    ``scale`` is that of the shades: ``order``, or ``cycle`` for closed tours.
    """
    if not _is_shaded(sheet):
        sheet.moves(moves, times=1 if sheet.is_board else _GRAPH_LINE)
        if sheet.look.style is Style.ARROWS:
            sheet.chevrons(moves)
        return
    shades = np.arange(len(moves)) * SHADES // max(1, count, len(moves))
    firsts = np.flatnonzero(np.diff(shades, prepend=-1))
    for part, shade in zip(np.split(moves, firsts[1:]), shades[firsts].tolist(), strict=False):
        sheet.moves(part, f"{scale}-{shade}", 1.6 if sheet.fine else 1)


def _is_shaded(sheet: Sheet) -> bool:
    """Return whether the line is colored by the order of its moves."""
    style = sheet.look.style
    is_coarse = not sheet.fine and style is not Style.FILLED
    return is_coarse or style in (Style.ORDER, Style.NUMBERS)


def _draw_crossings(sheet: Sheet, tour: Tour) -> None:
    """Mark each crossing, if these are defined; moves that no other crosses are thick."""
    table.feature_named("crossings").check(tour.board)
    crossed, points = table.crossings(tour)
    sheet.moves(tour.moves[crossed])
    sheet.moves(tour.moves[~crossed], "start", 2)
    sheet.elements.append(_CROSSING(sheet.at(points[:, ::-1] + 0.5), _CROSSING_RADIUS * sheet.cell))
    _draw_ends(sheet, tour)
    sheet.tell(pluralize(len(points), "crossing"), _CROSSING)
    uncrossed = pluralize(int((~crossed).sum()), "move")
    sheet.tell(f"{uncrossed} that no other crosses", line("start", 0.8))


def _draw_angles(sheet: Sheet, tour: Tour) -> None:
    """Draw a disc on each square, in the color of the angle between its moves, with the degrees."""
    table.feature_named("angle-90").check(tour.board)
    products = table.angle_products(tour)
    squares = np.roll(tour.squares, -1)[: len(products)]
    sheet.moves(tour.moves, "faint")
    for degrees, product in table.ANGLES.items():
        chosen = squares[products == product]
        text = f"{degrees}°: {pluralize(len(chosen), 'square')}"
        sheet.mark(disc(f"angle-{degrees}", "ink", 0.06), chosen, DISC, text)
        sheet.words(chosen, [degrees] * len(chosen), 2 * DISC, letters=3)


def report_picture(report: Report, look: Look = USUAL) -> Picture:
    """Return the picture of a report, in which what is right is faint.

    The caption is the verdict unless given; each faulty square has one mark of a kind.
    """
    if isinstance(report, PathReport) and report.valid:
        return tour_picture(*as_tour(report, look))
    sheet = Sheet(report.graph, report.verdict, look)
    sheet.fill("missing", report.missing)
    sheet.moves(report.legal_moves, "faint", 0.75)
    placed = _squares_of_faults(report)
    curved = [kind for kind in _DASHES if kind in placed and np.ptp(placed[kind], axis=1).any()]
    for kind in curved:
        curves = _curves(sheet.centers(placed[kind]))
        width = 1.4 * sheet.line_width
        sheet.elements.append(shapes("fault", curves, "fault", width, dashes=_DASHES[kind]))
    if isinstance(report, PathReport):
        faulty = {int(square) for rows in placed.values() for square in rows.flat}
        _write_steps(sheet, report, faulty)
    for kind, phrase in report.phrases.items():
        if kind in curved:
            sheet.tell(phrase, line("fault", 0.5, _DASHES[kind]))
        elif kind in placed:
            sheet.mark(_MARKS[kind], np.unique(placed[kind]), _FAULT_RADIUS, phrase)
        else:
            sheet.tell(phrase, _MARKS.get(kind))
    sheet.words(report.missing, "?" * len(report.missing))
    messages = [fault.message for fault in itertools.islice(report.iter_faults(), _MOST_MESSAGES)]
    return sheet.finish(f"{report.verdict}: {'; '.join(messages)}")


def as_tour(report: PathReport, look: Look = USUAL) -> tuple[Tour, Look]:
    """Return the tour that a valid report is about, and the look with the steps' own numbers."""
    look = replace(look, first=int(report.steps[0]))
    return Tour.from_ids(report.graph, report.path, report.closed, report.allows_partial), look


def _squares_of_faults(report: Report) -> dict[FaultKind, Ids]:
    """Return for each kind of fault the squares where it is: rows of two, which may be the same."""
    found: dict[FaultKind, list[Ids]] = {}
    for kind, rows in report.places.items():
        if kind is FaultKind.NO_STEP:  # a gap has no square, but those before and after it
            rows = rows[rows[:, 0] > 0, :1] + np.array([-1, 0])
        if rows.size and kind is not FaultKind.OFF_BOARD:
            pairs = report.entries[rows]
            found[kind] = [pairs[on_board(report.graph, pairs).all(axis=1)].astype(np.int64)]
    for fault in report.joint_faults:
        square = fault.squares[0]
        found.setdefault(fault.kind, []).append(np.array([[square, square]]))
    return {kind: np.concatenate(parts) for kind, parts in found.items()}


def _curves(ends: Points) -> Points:
    """Return curves as chains of lines; the more moves join two squares, the more one bends."""
    seen: dict[frozenset[tuple[float, float]], int] = {}
    chains: list[Points] = []
    part = np.linspace(0, 1, _CURVE + 1)[:, None]
    for tail, head in ends:
        pair = frozenset([tuple(tail), tuple(head)])
        seen[pair] = seen.get(pair, 0) + 1
        aside = (head - tail)[::-1] * [1, -1] * _BEND * seen[pair]
        control = (tail + head) / 2 + 2 * aside
        points = (1 - part) ** 2 * tail + 2 * part * (1 - part) * control + part**2 * head
        chains.append(np.stack([points[:-1], points[1:]], axis=1))
    return np.concatenate(chains)


def _write_steps(sheet: Sheet, report: PathReport, faulty: set[int]) -> None:
    """Write into each square the steps at which it is visited, where there is room."""
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.graph:
            visits.setdefault(square, []).append(step)
    letters = max((len(str(steps[-1])) for steps in visits.values()), default=0)
    words: dict[str, dict[int, str]] = {"muted": {}, "ink": {}}
    for square, steps in visits.items():
        fill = "ink" if square in faulty else "muted"
        is_short = len(steps) <= _MOST_STEPS
        words[fill][square] = ",".join(map(str, steps)) if is_short else f"{len(steps)}×"
    for fill, told in words.items():
        sheet.words([*told], told.values(), 0.9, fill, letters=letters, blank=True)
