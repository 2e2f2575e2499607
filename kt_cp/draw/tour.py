"""Pictures of tours, in several styles and animated, and of paths with their faults."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kt_cp.board import Board, Topology
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
from kt_cp.draw.sheet import DISC, USUAL, Ids, Look, Sheet, Style, glyph
from kt_cp.errors import InputError, pluralize
from kt_cp.tour import feature_table as table
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind, Report, on_board

_MOST_FRAMES, _MOST_LARGE_FRAMES, _LARGE = 120, 30, 6_000  # the last in squares
_CROSSING, _CROSSING_RADIUS = disc("paper", "fault", 0.4), 0.08

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
    """Describe the picture of a tour; the caption is its summary unless the look has a title.

    Where numbers would be smaller than 11 pixels, and on a large board, the line is colored by its
    order. Raises `InputError` for a style that the board does not allow.

    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> tour_picture(tour).description
    'open tour of 3x4, 12 squares, from a3 to d1, drawn as lines'
    """
    if not isinstance(tour.graph, Board):
        look = replace(look, style=Style.LINES)
    sheet = Sheet(tour.graph, tour.summary, look)
    _draw(sheet, tour)
    start, end = (tour.graph.name(square) for square in tour.squares[[0, -1]])
    way = f"through {start}" if tour.closed else f"from {start} to {end}"
    return sheet.finish(f"{tour.summary}, {way}, drawn as {look.style}")


def animation(tour: Tour, look: Look = USUAL) -> Iterator[Picture]:
    """Describe the pictures of an animation in which the piece makes the tour.

    Those before the last show a style that only a whole tour has as lines. On a large board each
    picture adds several moves.
    """
    count, last = len(tour), len(tour) + tour.closed
    frames = min(count, _MOST_FRAMES if count < _LARGE else _MOST_LARGE_FRAMES)
    stops = np.linspace(1, count, frames).round().astype(int).tolist()
    for stop in dict.fromkeys([*stops, last]):
        sheet = Sheet(tour.board, tour.summary, look)
        squares = tour.squares[:stop]
        if stop == last:
            _draw(sheet, tour)
        else:
            sheet.fill("visited", squares)
            if look.style is not Style.NUMBERS or not _draw_numbers(sheet, squares, count):
                draw_path(sheet, tour.moves[: stop - 1], count)
        here = int(tour.squares[(stop - 1) % count])
        if not sheet.words([here], glyph(tour.board), 1.4, blank=True):
            sheet.mark(START_MARK, [here], 0.3)
        name = tour.board.name(here)
        text = f"{sheet.step(stop)} of {count:,}: {name}" if stop <= count else f"back to {name}"
        sheet.legend = [(None, text)]
        yield sheet.finish(text)


def _draw(sheet: Sheet, tour: Tour) -> None:
    """Draw a tour in the style of its sheet."""
    style = sheet.look.style
    if style is Style.CROSSINGS:
        _draw_crossings(sheet, tour)
    elif style is Style.ANGLES:
        _draw_angles(sheet, tour)
    elif style is not Style.NUMBERS or not _draw_numbers(sheet, tour.squares, len(tour)):
        if style is Style.FILLED and tour.board.topology is not Topology.FLAT:
            raise InputError("style filled: the board has glued edges; choose another style")
        if style is Style.FILLED and len(tour) > 2:  # by the even-odd rule; an open tour is closed
            corners = sheet.centers(tour.squares)[None]
            sheet.elements.append(shapes("interior", corners, fill="interior"))
        draw_path(sheet, tour.moves)
        _draw_ends(sheet, tour)
        if _is_shaded(sheet):
            sheet.tell(f"first of {pluralize(len(tour), 'step')}", line("order-0"))
            sheet.tell("last", line(f"order-{SHADES - 1}"))


def _draw_ends(sheet: Sheet, tour: Tour) -> None:
    for place, mark in ((0, START_MARK), (len(tour) - 1, END_MARK))[: 2 - tour.closed]:
        name = sheet.graph.name(int(tour.squares[place]))
        sheet.mark(mark, tour.squares[[place]], text=f"{sheet.step(place + 1)}: {name}")


def _draw_numbers(sheet: Sheet, squares: Ids, count: int) -> bool:
    """Write the steps, in the size for ``count`` of them; return whether they are legible."""
    letters = len(str(count))
    steps = range(sheet.look.first, sheet.look.first + len(squares))
    sheet.words(squares[:1], steps[:1], fill="start", bold=True, letters=letters)
    return sheet.words(squares[1:], steps[1:], letters=letters)


def draw_path(sheet: Sheet, moves: Ids, count: int = 0) -> None:
    """Draw moves, with chevrons in that style; shades show their order, of ``count`` to come."""
    if not _is_shaded(sheet):
        sheet.moves(moves)
        if sheet.look.style is Style.ARROWS:
            sheet.chevrons(moves)
        return
    shades = np.arange(len(moves)) * SHADES // max(1, count, len(moves))
    firsts = np.flatnonzero(np.diff(shades, prepend=-1))
    for part, shade in zip(np.split(moves, firsts[1:]), shades[firsts].tolist(), strict=False):
        sheet.moves(part, f"order-{shade}", 1.6 if sheet.fine else 1)


def _is_shaded(sheet: Sheet) -> bool:
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
    """Describe the picture of a report, in which what is right is faint.

    The caption is the verdict unless given; each faulty square has one mark of a kind.
    """
    if report.valid:
        return tour_picture(*as_tour(report, look))
    sheet = Sheet(report.graph, report.verdict, look)
    sheet.fill("missing", report.missing)
    sheet.moves(report.legal_moves, "faint", 0.75)
    placed = _placed(report)
    curved = [kind for kind in _DASHES if kind in placed and np.ptp(placed[kind], axis=1).any()]
    for kind in curved:
        curves, width = _curves(sheet.centers(placed[kind])), 1.4 * sheet.line_width
        sheet.elements.append(shapes("fault", curves, "fault", width, dashes=_DASHES[kind]))
    _write_steps(sheet, report, {int(square) for rows in placed.values() for square in rows.flat})
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


def as_tour(report: Report, look: Look = USUAL) -> tuple[Tour, Look]:
    """Return the tour that a valid report is about, and the look with the steps' own numbers."""
    if report.steps is not None:
        look = replace(look, first=int(report.steps[0]))
    return Tour.of_ids(report.graph, report.path, report.closed), look


def _placed(report: Report) -> dict[FaultKind, Ids]:
    """Return for each kind of fault the squares where it is: rows of two, which may be the same."""
    entries = report.path if report.moves is None else report.moves.ravel()
    found: dict[FaultKind, list[Ids]] = {}
    for kind, rows in report.places.items():
        if kind is FaultKind.NO_STEP:  # a gap has no square, but those before and after it
            rows = rows[rows[:, 0] > 0, :1] + np.array([-1, 0])
        if rows.size and kind is not FaultKind.OFF_BOARD:
            pairs = entries[rows]
            found[kind] = [pairs[on_board(report.graph, pairs).all(axis=1)].astype(np.int64)]
    for kind, _, squares in report.apart:
        if squares:
            found.setdefault(kind, []).append(np.array([squares[:1] * 2]))
    return {kind: np.concatenate(parts) for kind, parts in found.items()}


def _curves(ends: Points) -> Points:
    """Return curves as chains of lines, bent aside the more, the more moves join two squares."""
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


def _write_steps(sheet: Sheet, report: Report, faulty: set[int]) -> None:
    """Write into each square the steps at which it is visited, where there is room."""
    if report.steps is None:
        return
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.graph:
            visits.setdefault(square, []).append(step)
    letters = max((len(str(steps[-1])) for steps in visits.values()), default=0)
    for fill, is_chosen in (("muted", False), ("ink", True)):
        words = {
            square: ",".join(map(str, steps)) if len(steps) <= _MOST_STEPS else f"{len(steps)}×"
            for square, steps in visits.items()
            if (square in faulty) is is_chosen
        }
        sheet.words([*words], words.values(), 0.9, fill, letters=letters, blank=True)
