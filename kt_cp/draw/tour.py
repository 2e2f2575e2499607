"""Pictures of a tour, in several styles, and the pictures of an animation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kt_cp.board import KNIGHT
from kt_cp.board.square_names import chess_name
from kt_cp.draw import palette
from kt_cp.draw.feature_styles import angles_parts, crossings_parts
from kt_cp.draw.frame import Entry, Parts, finish
from kt_cp.draw.marks import END_MARK, SQUARE, START_MARK, hatched, hatched_holes, shape, swatch
from kt_cp.draw.moves import LIGHTEST_LINE, NODE, arrowheads, nodes, path_layers, segments
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Texts
from kt_cp.draw.sheet import USUAL, Look, Sheet, Style, empty, lay_out, tiles
from kt_cp.tour.tour import Tour

_MOST_FRAMES, _MOST_LARGE_FRAMES = 120, 30


def tour_picture(tour: Tour, look: Look = USUAL, cell: float | None = None) -> Picture:
    """Describe the picture of a tour; the title is its summary unless given.

    On a large board shades replace numbers, lines replace arrows, and a scale replaces one colour.
    ``cell`` is the side of a square in pixels.

    >>> from kt_cp.board import Board
    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> tour_picture(tour).description
    'open tour of 3x4, 12 squares, from a3 to d1, drawn as lines'
    """
    sheet = lay_out(tour.board, tour.summary, look, cell)
    illegible = look.style is Style.NUMBERS and not sheet.font_size(len(str(len(tour))), 1.0)
    draw = _heat if illegible else _DRAWN.get(look.style, _path)
    layers, legend = draw(sheet, tour)
    start, end = (chess_name(tour.board, square) for square in tour.squares[[0, -1]])
    way = f"through {start}" if tour.closed else f"from {start} to {end}"
    return finish(sheet, layers, legend, f"{tour.summary}, {way}, drawn as {look.style}")


def animation(tour: Tour, look: Look = USUAL) -> Iterator[Picture]:
    """Describe the pictures of an animation in which the piece makes the tour.

    On a large board each picture adds several moves, and shades replace lines.
    """
    sheet = lay_out(tour.board, tour.summary, look)
    count = len(tour)
    frames = min(count, _MOST_FRAMES if sheet.fine else _MOST_LARGE_FRAMES)
    pairs = tour.moves
    colours = empty(sheet)
    shades = palette.shades(np.linspace(0, 1, count))
    before = 0
    for stop in np.unique(np.linspace(1, count, frames).round().astype(int)).tolist():
        visited = tour.squares[before:stop]
        colours[visited] = palette.rgb(palette.VISITED) if sheet.fine else shades[before:stop]
        layers: list[Layer] = [tiles(sheet, colours.copy())]
        if sheet.fine:
            done = pairs if stop == count else pairs[: stop - 1]
            layers += path_layers(sheet, segments(sheet, done))
        here = visited[-1]
        layers += _piece(sheet, sheet.centres(visited[-1:]))
        text = f"{sheet.step(stop)} of {count:,}: {chess_name(tour.board, here)}"
        yield finish(sheet, layers, [(swatch(colours[here]), text)], text)
        before = stop


def _piece(sheet: Sheet, here: Points) -> list[Layer]:
    if not sheet.fine or sheet.board.piece != KNIGHT:
        return START_MARK(here, max(0.3 * sheet.cell, 6 * sheet.zoom))
    disc = Discs(here, 0.42 * sheet.cell, palette.LIGHT)
    return [disc, Texts(here, ("♞",), 0.8 * sheet.cell, palette.INK)]


def _path(sheet: Sheet, tour: Tour) -> Parts:
    """Draw the path (unless the style is numbers alone), its ends, and the steps if legible."""
    style, is_numbered = sheet.look.style, sheet.look.style is Style.NUMBERS
    room, radius = (1.0, 0.4) if is_numbered else (2 * NODE, NODE)
    marks = {0: START_MARK} if tour.closed else {len(tour) - 1: END_MARK, 0: START_MARK}
    marked = np.isin(np.arange(len(tour)), list(marks))
    steps = sheet.steps(tour.squares, room, marked)
    layers: list[Layer] = [tiles(sheet), *hatched_holes(sheet)]
    if not is_numbered:
        ends = segments(sheet, tour.moves)
        layers += path_layers(sheet, ends)
        layers += arrowheads(sheet, ends) if style is Style.ARROWS and sheet.fine else []
        layers += [nodes(sheet, tour.squares)] if steps else []
    legend: list[Entry] = []
    for place, mark in sorted(marks.items()):
        square = tour.squares[place : place + 1]
        layers += mark(sheet.centres(square), max(radius * sheet.cell, 5 * sheet.zoom))
        legend.append((mark, f"{sheet.step(place + 1)}: {chess_name(tour.board, square[0])}"))
    if not sheet.fine:
        legend.append(_scale(sheet, tour, LIGHTEST_LINE))
    return [*layers, *steps], legend


def _heat(sheet: Sheet, tour: Tour) -> Parts:
    board = tour.board
    colours = np.full((board.area, 3), palette.rgb(palette.LIGHT))  # no shade is white
    shades = palette.shades(np.linspace(0, 1, len(tour)))
    colours[tour.squares] = shades
    layers: list[Layer] = [tiles(sheet, colours)]
    legend = [_scale(sheet, tour, 1.0)]
    if board.holes and sheet.fine:
        legend.append((hatched, "hole"))
        layers += hatched_holes(sheet)
    elif board.holes:
        legend.append((shape(SQUARE, palette.INK, 0.2), "hole"))
    return [*layers, *sheet.steps(tour.squares, 1.0, palette.lightness(shades) < 128)], legend


def _scale(sheet: Sheet, tour: Tour, lightest: float) -> Entry:
    colours = palette.shades(np.linspace(0, lightest, 6))
    return swatch(*colours), f"from {sheet.step(1)} to {sheet.step(len(tour))}"


_DRAWN = {Style.HEAT: _heat, Style.CROSSINGS: crossings_parts, Style.ANGLES: angles_parts}
