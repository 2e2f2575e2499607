"""Pictures of a tour, in several styles, and the pictures of an animation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kt_cp.board import KNIGHT, Board, Topology
from kt_cp.draw.palette import SHADES
from kt_cp.draw.picture import Picture, shapes, texts
from kt_cp.draw.sheet import (
    DISC,
    END_MARK,
    START_MARK,
    USUAL,
    Ids,
    Look,
    Sheet,
    Style,
    disc,
    line,
    swatch,
)
from kt_cp.errors import InputError, pluralize
from kt_cp.tour.feature_table import (
    ANGLES,
    angle_products,
    crossings,
    feature_named,
)
from kt_cp.tour.tour import Tour

_MOST_FRAMES, _MOST_LARGE_FRAMES, _LARGE = 120, 30, 6_000  # the last in squares
_RING, _RING_RADIUS = disc("paper", "fault", 0.4), 0.08


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
        if sheet.fine and tour.board.piece == KNIGHT:
            sheet.mark(disc("paper", "line", 0.08), [here], 0.4)
            sheet.elements.append(texts(sheet.centers([here]), ("♞",), 0.62 * sheet.cell, "ink"))
        else:
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
        if style is Style.FILLED:
            _fill(sheet, tour)
        draw_path(sheet, tour.moves)
        _draw_ends(sheet, tour)
        if _is_shaded(sheet):
            shades = np.linspace(0, SHADES - 1, 4).round().astype(int)
            scale = swatch(*(f"order-{shade}" for shade in shades))
            sheet.tell(f"from {sheet.step(1)} to {sheet.step(len(tour))}", scale)


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


def _fill(sheet: Sheet, tour: Tour) -> None:
    """Fill what the line encloses by the even-odd rule; an open tour is closed for that."""
    if tour.board.topology is not Topology.FLAT:
        raise InputError("style filled: the board has glued edges; choose another style")
    if len(tour) > 2:
        corners = sheet.centers(tour.squares)[None]
        sheet.elements.append(shapes("interior", corners, fill="interior"))


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
    feature_named("crossings").check(tour.board)
    crossed, points = crossings(tour)
    sheet.moves(tour.moves[crossed])
    sheet.moves(tour.moves[~crossed], "start", 2)
    sheet.elements.append(_RING(sheet.at(points[:, ::-1] + 0.5), _RING_RADIUS * sheet.cell))
    _draw_ends(sheet, tour)
    sheet.tell(pluralize(len(points), "crossing"), _RING)
    uncrossed = pluralize(int((~crossed).sum()), "move")
    sheet.tell(f"{uncrossed} that no other crosses", line("start", 0.8))


def _draw_angles(sheet: Sheet, tour: Tour) -> None:
    """Draw a disc on each square, in the color of the angle between its moves, with the degrees."""
    feature_named("angle-90").check(tour.board)
    products = angle_products(tour)
    squares = np.roll(tour.squares, -1)[: len(products)]
    sheet.moves(tour.moves, "faint")
    for degrees, product in ANGLES.items():
        chosen = squares[products == product]
        text = f"{degrees}°: {pluralize(len(chosen), 'square')}"
        sheet.mark(disc(f"angle-{degrees}", "ink", 0.06), chosen, DISC, text)
        sheet.words(chosen, [degrees] * len(chosen), 2 * DISC, letters=3)
