"""Pictures of a tour, in several styles, and the pictures of an animation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kt_cp.board import KNIGHT, Board, Topology
from kt_cp.board.square_names import chess_name
from kt_cp.draw import palette
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Shapes, Texts
from kt_cp.draw.sheet import (
    END_MARK,
    SQUARE,
    START_MARK,
    USUAL,
    Entry,
    Ids,
    Look,
    Parts,
    Sheet,
    Style,
    disc,
    empty,
    finish,
    hatched,
    hatched_holes,
    lay_out,
    shape,
    swatch,
    tiles,
)
from kt_cp.errors import pluralize
from kt_cp.tour.feature_table import (
    ANGLES,
    angle_products,
    crossed_moves,
    crossing_points,
    feature_named,
)
from kt_cp.tour.tour import Tour

NODE = 0.27  # radius of the disc that holds a step on a path, in squares
LIGHTEST_LINE = 0.85  # on the scale of shades

_SHADED_PARTS = 64  # of the path on a large board, each in a shade of its own
_HEAD = 0.22  # length of an arrowhead, in squares


def segments(sheet: Sheet, pairs: Ids) -> Points:
    """Return the ends of each move, n x 2 ends x (x, y); the moves are rows of two ids.

    A move across a glued edge is two segments: one to the edge, one from the opposite edge.
    """
    ends = sheet.centres(pairs)
    board, corner = sheet.board, np.array([sheet.left, sheet.top])
    if board.topology is Topology.FLAT or len(pairs) == 0:
        return ends
    across = ~replace(board, topology=Topology.FLAT).are_moves(*pairs.T)
    places = (ends - corner) / sheet.cell
    tails, heads = places[across, 0], places[across, 1]
    jumps = _jumps(board, heads - tails)
    there, back = _to_the_edge(board, tails, jumps), _to_the_edge(board, heads, -jumps)
    places = np.repeat(places, 1 + across, axis=0)
    halves = np.stack([tails, there, back, heads], axis=1)
    places[np.repeat(across, 1 + across)] = halves.reshape(-1, 2, 2)
    return np.asarray(places * sheet.cell + corner)


def line_width(sheet: Sheet) -> float:
    """Return the width of a path on this sheet."""
    return max(1.2, 0.06 * sheet.cell) if sheet.fine else max(0.6, 0.15 * sheet.cell)


def path_layers(sheet: Sheet, ends: Points) -> list[Layer]:
    """Draw moves in one colour, or on a large board from dark to light in their order."""
    if sheet.fine:
        return [Shapes("move", ends, palette.MOVE, line_width(sheet))]
    parts = np.array_split(ends, min(_SHADED_PARTS, max(1, len(ends))))
    colours = palette.shades(np.linspace(0, LIGHTEST_LINE, len(parts)))
    return [
        Shapes("move", part, palette.hexadecimal(colour), line_width(sheet))
        for part, colour in zip(parts, colours, strict=True)
    ]


def arrowheads(
    sheet: Sheet, ends: Points, node: float = NODE, length: float = _HEAD
) -> list[Layer]:
    """Draw an arrowhead at the end of each segment, in front of the disc on the square.

    No two of them overlap, because no two moves of a tour lead to the same square.
    """
    tails, heads = ends[:, 0], ends[:, 1]
    along = (heads - tails) * sheet.cell / np.linalg.norm(heads - tails, axis=1, keepdims=True)
    across = along[:, ::-1] * [length / 2, -length / 2]
    tip, base = heads - along * node, heads - along * (node + length)
    return [Shapes("head", np.stack([tip, base + across, base - across], 1), fill=palette.MOVE)]


def nodes(sheet: Sheet, squares: Ids, radius: float = NODE) -> Layer:
    """Draw a disc, with room for a number, on each of these squares."""
    width = 0.5 * line_width(sheet)
    return Discs(sheet.centres(squares), radius * sheet.cell, palette.LIGHT, palette.MOVE, width)


def _jumps(board: Board, straight: Points) -> Points:
    """Return the jumps, as (right, down), that have the same effect modulo the glued sides."""
    sides = np.array([board.columns, board.rows if board.topology is Topology.TORUS else np.inf])
    jumps = np.array([(right, down) for down, right in board.piece.jumps], dtype=np.float64)
    leads = ((jumps - straight[:, None]) % sides == 0).all(axis=2)
    return np.where(leads.any(axis=1)[:, None], jumps[leads.argmax(axis=1)], straight)


def _to_the_edge(board: Board, places: Points, jumps: Points) -> Points:
    """Return the point where each jump leaves the board, or its end if it stays on the board."""
    room = np.where(jumps > 0, [board.columns, board.rows] - places, places)
    with np.errstate(divide="ignore"):
        share = (room / np.abs(jumps)).min(axis=1, keepdims=True)
    return np.asarray(places + np.minimum(share, 1) * jumps)


_RING, _RING_RADIUS = disc(palette.LIGHT, palette.FAULT, 0.4), 0.09  # in squares
_SPOT, _SPOT_RADIUS = disc(palette.FAULT), 0.2
_UNCROSSED_WIDTH = 2  # for a width of 1 of other moves


def crossings_parts(sheet: Sheet, tour: Tour) -> Parts:
    """Draw the path with a mark on each crossing; moves that no other crosses are thick.

    Raises `InputError` where crossings are not defined.
    """
    feature_named("crossings").check(tour.board)
    points, crossed = crossing_points(tour), crossed_moves(tour)
    places = (points[:, ::-1] + 0.5) * sheet.cell + [sheet.left, sheet.top]
    layers: list[Layer] = [tiles(sheet), *hatched_holes(sheet)]
    width = line_width(sheet)
    for chosen, colour, times in (
        (crossed, palette.MOVE, 1),
        (~crossed, palette.START, _UNCROSSED_WIDTH),
    ):
        layers.append(Shapes("move", segments(sheet, tour.moves[chosen]), colour, times * width))
    mark, radius = (_RING, _RING_RADIUS) if sheet.fine else (_SPOT, _SPOT_RADIUS)
    layers += mark(places, radius * sheet.cell)
    if steps := sheet.steps(tour.squares, 2 * NODE):
        layers += [nodes(sheet, tour.squares), *steps]
    line = shape([(-1.5, 0), (1.5, 0)], palette.START, _UNCROSSED_WIDTH / 3)
    uncrossed = f"{pluralize(int((~crossed).sum()), 'move')} that no other crosses"
    return layers, [(mark, pluralize(len(points), "crossing")), (line, uncrossed)]


def angles_parts(sheet: Sheet, tour: Tour) -> Parts:
    """Draw the path with a disc on each square, in the colour of the angle between its moves.

    If there is room, the disc holds the degrees. Raises `InputError` where angles are not defined.
    """
    feature_named("angle-90").check(tour.board)
    products = angle_products(tour)
    squares = np.roll(tour.squares, -1)[: len(products)]
    ends = segments(sheet, tour.moves)
    layers: list[Layer] = [
        tiles(sheet),
        *hatched_holes(sheet),
        Shapes("move", ends, palette.FAINT_INK, line_width(sheet)),
        nodes(sheet, np.setdiff1d(tour.squares, squares)),
    ]
    legend: list[Entry] = []
    for (degrees, product), colour in zip(ANGLES.items(), palette.ANGLES, strict=True):
        chosen = squares[products == product]
        mark = disc(colour, palette.INK, 0.06)
        layers += mark(sheet.centres(chosen), 1.2 * NODE * sheet.cell)
        dark = np.full(len(chosen), palette.lightness(palette.rgb(colour)) < 128)
        layers += sheet.words(chosen, [degrees] * len(chosen), 2 * NODE, dark)
        legend.append((mark, f"{degrees}°: {pluralize(len(chosen), 'square')}"))
    return layers, legend


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
