"""Pictures of a tour: numbers, lines, arrows, heat, and the walk square by square."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.board import Mask, Squares
from kt_cp.draw import palette
from kt_cp.draw.picture import Discs, Layer, Lines, Picture, Points, Polygons, Texts
from kt_cp.draw.sheet import (
    Entry,
    Sheet,
    chequered,
    end_mark,
    finish,
    lay_out,
    start_mark,
    swatch,
    tiles,
)
from kt_cp.squares import chess_name
from kt_cp.tour import Tour

NODE = 0.27  # radius of the disc that holds a step on a path, in squares

_LIGHTEST_LINE = 0.85
_SHADED_LINES = 64  # on large boards the path changes colour so often
_MOST_FRAMES = 120


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


def moves(tour: Tour) -> tuple[Squares, Squares]:
    """Give the squares that the moves leave and reach, for a closed tour the one back too."""
    if tour.closed:
        return tour.squares, np.roll(tour.squares, -1)
    return tour.squares[:-1], tour.squares[1:]


def path_layers(sheet: Sheet, ends: Points) -> list[Layer]:
    """Draw moves in order: in one colour, or on a large board from dark to light."""
    if sheet.fine:
        return [Lines(ends, palette.MOVE, line_width(sheet))]
    parts = np.array_split(ends, min(_SHADED_LINES, max(1, len(ends))))
    colours = palette.shades(np.linspace(0, _LIGHTEST_LINE, len(parts)))
    return [
        Lines(part, palette.hexadecimal(colour), line_width(sheet))
        for part, colour in zip(parts, colours, strict=True)
    ]


def node_layers(sheet: Sheet, squares: npt.NDArray[np.integer]) -> list[Layer]:
    """Draw a ring on each square that a path visits, with room for a number."""
    centres, radius = sheet.centres(squares), NODE * sheet.cell
    inner = radius - 0.5 * line_width(sheet)
    return [Discs(centres, radius, palette.MOVE), Discs(centres, inner, palette.LIGHT)]


def line_width(sheet: Sheet) -> float:
    """Give the width of a path on this sheet."""
    return max(1.2, 0.06 * sheet.cell) if sheet.fine else max(0.6, 0.15 * sheet.cell)


def walk_pictures(tour: Tour, title: str | None = None) -> Iterator[Picture]:
    """Describe the knight's walk, picture by picture; on large boards several moves at a time."""
    sheet = lay_out(tour.board, tour.summary if title is None else title)
    count = len(tour)
    stops = np.unique(np.linspace(1, count, min(count, _MOST_FRAMES)).round().astype(int))
    ends = sheet.centres(np.stack(moves(tour), axis=1))
    visited = swatch(palette.rgb(palette.VISITED))
    for stop in stops.tolist():
        colours = chequered(tour.board)
        colours[tour.squares[:stop]] = palette.rgb(palette.VISITED)
        here = sheet.centres(tour.squares[stop - 1 : stop])
        done = ends if stop == count else ends[: stop - 1]
        layers = [tiles(sheet, colours), *path_layers(sheet, done), *_knight(sheet, here)]
        name = chess_name(tour.board, tour.squares[stop - 1])
        text = f"step {stop} of {count}: {name}"
        yield finish(sheet, layers, [(visited, text)], text)


def _knight(sheet: Sheet, here: Points) -> list[Layer]:
    if not sheet.fine:
        return start_mark(here, 6 * sheet.zoom)
    disc = Discs(here, 0.42 * sheet.cell, palette.LIGHT)
    return [disc, Texts(here, ("♞",), 0.8 * sheet.cell, palette.INK)]


def _numbered(sheet: Sheet, tour: Tour) -> tuple[list[Layer], list[Entry]]:
    if not sheet.font_size(_letters(tour)):
        return _heat(sheet, tour)
    marks, legend = _ends(sheet, tour, 0.4)
    on_mark = np.zeros(len(tour), dtype=np.bool_)
    on_mark[[0, 0 if tour.closed else -1]] = True
    words = _steps(sheet, tour, on_mark)
    return [tiles(sheet, chequered(tour.board)), *marks, *words], legend


def _lines(sheet: Sheet, tour: Tour) -> tuple[list[Layer], list[Entry]]:
    ends = sheet.centres(np.stack(moves(tour), axis=1))
    return _path(sheet, tour, path_layers(sheet, ends))


def _arrows(sheet: Sheet, tour: Tour) -> tuple[list[Layer], list[Entry]]:
    if not sheet.fine:
        return _lines(sheet, tour)
    ends = sheet.centres(np.stack(moves(tour), axis=1))
    heads = Polygons(_arrowheads(ends, 0.22 * sheet.cell, NODE * sheet.cell), palette.MOVE)
    return _path(sheet, tour, [*path_layers(sheet, ends), heads])


def _path(sheet: Sheet, tour: Tour, path: list[Layer]) -> tuple[list[Layer], list[Entry]]:
    """Put a path between the board and the marks at its ends, with the steps where they fit."""
    colours = chequered(tour.board)
    marks, legend = _ends(sheet, tour, NODE)
    if not sheet.fine:  # chequers would only be noise
        colours[tour.board.mask] = palette.rgb(palette.LIGHT)
        return [tiles(sheet, colours), *path, *marks], [*legend, _scale(tour, _LIGHTEST_LINE)]
    layers = [tiles(sheet, colours), *path]
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


def _arrowheads(ends: Points, size: float, gap: float) -> Points:
    """Give a triangle for each segment, pointing its way, its tip at a gap from the head.

    No two moves lead to the same square, so heads near it do not lie on one another.
    """
    tails, heads = ends[:, 0], ends[:, 1]
    along = heads - tails
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = along[:, ::-1] * [1, -1]
    tip = heads - along * gap
    base = tip - along * size
    return np.stack([tip, base + across * size / 2, base - across * size / 2], axis=1)


_STYLES: dict[Style, Callable[[Sheet, Tour], tuple[list[Layer], list[Entry]]]] = {
    Style.NUMBERS: _numbered,
    Style.LINES: _lines,
    Style.ARROWS: _arrows,
    Style.HEAT: _heat,
}
