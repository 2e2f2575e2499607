"""Pictures of a tour: numbers, lines, arrows, heat, and the walk square by square."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

import numpy as np

from kt_cp.board import Mask, Squares
from kt_cp.board.piece import KNIGHT
from kt_cp.board.square_names import chess_name
from kt_cp.draw import palette
from kt_cp.draw.moves import LIGHTEST_LINE, NODE, arrowheads, node_layers, path_layers, segments
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Texts
from kt_cp.draw.sheet import (
    Entry,
    Sheet,
    empty,
    end_mark,
    finish,
    lay_out,
    start_mark,
    swatch,
    tiles,
)
from kt_cp.tour.tour import Tour

_MOST_FRAMES, _MOST_LARGE_FRAMES = 120, 30


class Style(StrEnum):
    """What shows the order of the squares."""

    NUMBERS = "numbers"
    LINES = "lines"
    ARROWS = "arrows"
    HEAT = "heat"


def tour_picture(tour: Tour, style: Style = Style.LINES, title: str | None = None) -> Picture:
    """Describe the picture of a tour; the title is its summary unless given.

    Where squares are small, numbers give way to shades, arrows to lines, and one colour to a scale.

    >>> from kt_cp.board import Board
    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> tour_picture(tour).description
    "open knight's tour of 3x4, 12 squares, from a3 to d1, drawn as lines"
    """
    sheet = lay_out(tour.board, tour.summary if title is None else title)
    layers, legend = _STYLES[style](sheet, tour)
    summary = tour.summary.replace(" tour", " knight's tour")
    names = [chess_name(tour.board, square) for square in tour.squares[[0, -1]]]
    way = f"through {names[0]}" if tour.closed else f"from {names[0]} to {names[1]}"
    return finish(sheet, layers, legend, f"{summary}, {way}, drawn as {style}")


def moves_of(tour: Tour) -> Squares:
    """Return the moves as rows of two ids, for a closed tour the one back too."""
    pairs = np.stack([tour.squares, np.roll(tour.squares, -1)], axis=1)
    return pairs if tour.closed else pairs[:-1]


def walk_pictures(tour: Tour, title: str | None = None) -> Iterator[Picture]:
    """Describe the knight's walk, picture by picture.

    On a large board there are several moves from one to the next, and shades instead of lines.
    """
    sheet = lay_out(tour.board, tour.summary if title is None else title)
    count = len(tour)
    frames = min(count, _MOST_FRAMES if sheet.fine else _MOST_LARGE_FRAMES)
    pairs = moves_of(tour)
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
        layers += _piece(sheet, sheet.centres(visited[-1:]))
        text = f"step {stop:,} of {count:,}: {chess_name(tour.board, visited[-1])}"
        yield finish(sheet, layers, [(swatch(colours[visited[-1:]]), text)], text)
        before = stop


def _piece(sheet: Sheet, here: Points) -> list[Layer]:
    if not sheet.fine or sheet.board.piece != KNIGHT:
        return start_mark(here, max(0.3 * sheet.cell, 6 * sheet.zoom))
    disc = Discs(here, 0.42 * sheet.cell, palette.LIGHT)
    return [disc, Texts(here, ("♞",), 0.8 * sheet.cell, palette.INK)]


def _numbered(sheet: Sheet, tour: Tour) -> tuple[list[Layer], list[Entry]]:
    if not sheet.font_size(_letters(tour)):
        return _heat(sheet, tour)
    marks, legend = _ends(sheet, tour, 0.4)
    on_mark = np.zeros(len(tour), dtype=np.bool_)
    on_mark[[0, 0 if tour.closed else -1]] = True
    words = _steps(sheet, tour, on_mark)
    return [tiles(sheet, empty(sheet)), *marks, *words], legend


def _lines(sheet: Sheet, tour: Tour) -> tuple[list[Layer], list[Entry]]:
    return _path(sheet, tour, path_layers(sheet, segments(sheet, moves_of(tour))))


def _arrows(sheet: Sheet, tour: Tour) -> tuple[list[Layer], list[Entry]]:
    ends = segments(sheet, moves_of(tour))
    heads = arrowheads(sheet, ends) if sheet.fine else []
    return _path(sheet, tour, [*path_layers(sheet, ends), *heads])


def _path(sheet: Sheet, tour: Tour, path: list[Layer]) -> tuple[list[Layer], list[Entry]]:
    """Put a path between the board and the marks at its ends, with the steps where they fit."""
    marks, legend = _ends(sheet, tour, NODE)
    layers = [tiles(sheet, empty(sheet)), *path]
    if not sheet.fine:
        return [*layers, *marks], [*legend, _scale(tour, LIGHTEST_LINE)]
    if sheet.font_size(_letters(tour), 2 * NODE):
        layers += node_layers(sheet, tour.squares)
        on_mark = np.zeros(len(tour), dtype=np.bool_)
        on_mark[[0, 0 if tour.closed else -1]] = True
        return [*layers, *marks, *_steps(sheet, tour, on_mark, 2 * NODE)], legend
    return [*layers, *marks], legend


def _heat(sheet: Sheet, tour: Tour) -> tuple[list[Layer], list[Entry]]:
    colours = np.full((tour.board.area, 3), palette.rgb(palette.LIGHT))  # no shade is white
    shades = palette.shades(np.linspace(0, 1, len(tour)))
    colours[tour.squares] = shades
    layers: list[Layer] = [tiles(sheet, colours)]
    if sheet.font_size(_letters(tour)):
        layers += _steps(sheet, tour, palette.is_dark(shades))
    return layers, [_scale(tour, 1.0)]


def _letters(tour: Tour) -> int:
    return len(str(len(tour)))


def _steps(sheet: Sheet, tour: Tour, on_dark: Mask, room: float = 1.0) -> list[Layer]:
    """Write the step into each square, white on dark and black on light."""
    size = sheet.font_size(_letters(tour), room)
    layers: list[Layer] = []
    for colour, chosen in ((palette.INK, ~on_dark), (palette.LIGHT, on_dark)):
        places = np.flatnonzero(chosen)
        words = tuple(str(place + 1) for place in places)
        layers.append(Texts(sheet.centres(tour.squares[places]), words, size, colour))
    return layers


def _ends(sheet: Sheet, tour: Tour, radius: float) -> tuple[list[Layer], list[Entry]]:
    """Mark the start and, of an open tour, the end."""
    radius = max(radius * sheet.cell, 5 * sheet.zoom)
    centres = sheet.centres(tour.squares[[0, -1]])
    first, last = (chess_name(tour.board, square) for square in tour.squares[[0, -1]])
    layers = start_mark(centres[:1], radius)
    legend: list[Entry] = [(start_mark, f"step 1: {first}")]
    if not tour.closed and len(tour) > 1:
        layers += end_mark(centres[1:], radius)
        legend.append((end_mark, f"step {len(tour):,}: {last}"))
    return layers, legend


def _scale(tour: Tour, lightest: float) -> Entry:
    colours = palette.shades(np.linspace(0, lightest, 6))
    return swatch(colours), f"from step 1 to step {len(tour):,}"


_STYLES: dict[Style, Callable[[Sheet, Tour], tuple[list[Layer], list[Entry]]]] = {
    Style.NUMBERS: _numbered,
    Style.LINES: _lines,
    Style.ARROWS: _arrows,
    Style.HEAT: _heat,
}
