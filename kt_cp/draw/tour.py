"""Pictures of a tour, in several styles, and the pictures of an animation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kt_cp.board import KNIGHT, Board, Topology
from kt_cp.draw.palette import SHADES
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Shapes, Texts
from kt_cp.draw.sheet import (
    DISC,
    END_MARK,
    START_MARK,
    USUAL,
    Entry,
    Ids,
    Look,
    Sheet,
    Style,
    board_layers,
    disc,
    finish,
    lay_out,
    line,
    swatch,
    unmarked,
)
from kt_cp.errors import InputError, pluralize
from kt_cp.tour.feature_table import (
    ANGLES,
    angle_products,
    crossed_moves,
    crossing_points,
    feature_named,
)
from kt_cp.tour.tour import Tour

Parts = tuple[list[Layer], list[Entry]]  # what lies on the board, and the legend

_MOST_FRAMES, _MOST_LARGE_FRAMES = 120, 30
_CHEVRON, _PLACE = 0.1, 0.6  # its size, and its place between the squares
_RING, _RING_RADIUS = disc("paper", "fault", 0.4), 0.08


def tour_picture(tour: Tour, look: Look = USUAL) -> Picture:
    """Describe the picture of a tour; the caption is its summary unless the look has a title.

    Numbers that would be smaller than 11 pixels are replaced by the style ``order``, and on a large
    board a line is colored by its order. Raises `InputError` for a style that the board does not
    allow.

    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> tour_picture(tour).description
    'open tour of 3x4, 12 squares, from a3 to d1, drawn as lines'
    """
    sheet = lay_out(tour.board, tour.summary, look)
    layers, legend = _draw(sheet, tour)
    start, end = (tour.board.name(square) for square in tour.squares[[0, -1]])
    way = f"through {start}" if tour.closed else f"from {start} to {end}"
    return finish(sheet, layers, legend, f"{tour.summary}, {way}, drawn as {look.style}")


def animation(tour: Tour, look: Look = USUAL) -> Iterator[Picture]:
    """Describe the pictures of an animation in which the piece makes the tour.

    The last one shows the whole tour in the style of the look; those before it show a style that
    only a whole tour has as lines. On a large board each picture adds several moves.
    """
    sheet = lay_out(tour.board, tour.summary, look)
    count, last = len(tour), len(tour) + tour.closed
    frames = min(count, _MOST_FRAMES if sheet.fine else _MOST_LARGE_FRAMES)
    stops = np.linspace(1, count, frames).round().astype(int).tolist()
    for stop in dict.fromkeys([*stops, last]):
        layers = _draw(sheet, tour)[0] if stop == last else _beginning(sheet, tour, stop)
        here = int(tour.squares[(stop - 1) % count])
        name = tour.board.name(here)
        text = f"{sheet.step(stop)} of {count:,}: {name}" if stop <= count else f"back to {name}"
        yield finish(sheet, [*layers, *_piece(sheet, here)], [(unmarked, text)], text)


def _beginning(sheet: Sheet, tour: Tour, stop: int) -> list[Layer]:
    """Draw the first squares of a tour, in the style of its sheet where that has a meaning."""
    squares = tour.squares[:stop]
    layers = board_layers(sheet, {"visited": squares})
    if sheet.look.style is Style.NUMBERS and (texts := _numbers(sheet, squares, len(tour))):
        return [*layers, *texts]
    ends = segments(sheet, tour.moves[: stop - 1])
    return [*layers, *path_layers(sheet, ends, len(tour))]


def _piece(sheet: Sheet, square: int) -> list[Layer]:
    if not sheet.fine or sheet.board.piece != KNIGHT:
        return sheet.mark(START_MARK, [square], 0.3)
    here = sheet.centers([square])
    blank = Discs(here, 0.4 * sheet.cell, "paper", "line", sheet.line_width)
    return [blank, Texts(here, ("♞",), 0.62 * sheet.cell, "ink")]


def _draw(sheet: Sheet, tour: Tour) -> Parts:
    """Return the layers and the legend of a tour in the style of its sheet."""
    style = sheet.look.style
    if style is Style.CROSSINGS:
        return _crossings(sheet, tour)
    if style is Style.ANGLES:
        return _angles(sheet, tour)
    layers = board_layers(sheet)
    if style is Style.NUMBERS and (texts := _numbers(sheet, tour.squares, len(tour))):
        return [*layers, *texts], []
    if style is Style.FILLED:
        layers += _interior(sheet, tour)
    marks, legend = _ends(sheet, tour)
    if _is_shaded(sheet):
        fills = [f"order-{shade}" for shade in np.linspace(0, SHADES - 1, 4).round().astype(int)]
        legend.append((swatch(*fills), f"from {sheet.step(1)} to {sheet.step(len(tour))}"))
    return [*layers, *path_layers(sheet, segments(sheet, tour.moves)), *marks], legend


def _interior(sheet: Sheet, tour: Tour) -> list[Layer]:
    """Fill what the line encloses by the even-odd rule; an open tour is closed for that."""
    if tour.board.topology is not Topology.FLAT:
        raise InputError("style filled: the board has glued edges; choose another style")
    corners = sheet.centers(tour.squares)[None]
    return [Shapes("interior", corners, fill="interior")] if len(tour) > 2 else []


def _crossings(sheet: Sheet, tour: Tour) -> Parts:
    """Mark each crossing; moves that no other crosses are thick.

    Raises `InputError` where crossings are not defined.
    """
    feature_named("crossings").check(tour.board)
    points, crossed = crossing_points(tour), crossed_moves(tour)
    layers = board_layers(sheet)
    for chosen, stroke, times in ((crossed, "line", 1.0), (~crossed, "start", 2.0)):
        ends = segments(sheet, tour.moves[chosen])
        layers.append(Shapes("move", ends, stroke, times * sheet.line_width))
    layers += _RING(sheet.at(points[:, ::-1] + 0.5), _RING_RADIUS * sheet.cell)
    ends_layers, legend = _ends(sheet, tour)
    uncrossed = f"{pluralize(int((~crossed).sum()), 'move')} that no other crosses"
    legend += [(_RING, pluralize(len(points), "crossing")), (line("start", 0.8), uncrossed)]
    return [*layers, *ends_layers], legend


def _angles(sheet: Sheet, tour: Tour) -> Parts:
    """Draw a disc on each square, in the color of the angle between its moves.

    If there is room, the disc holds the degrees. Raises `InputError` where angles are not defined.
    """
    feature_named("angle-90").check(tour.board)
    products = angle_products(tour)
    squares = np.roll(tour.squares, -1)[: len(products)]
    ends = segments(sheet, tour.moves)
    layers = [*board_layers(sheet), Shapes("move", ends, "faint", sheet.line_width)]
    legend: list[Entry] = []
    for degrees, product in ANGLES.items():
        chosen = squares[products == product]
        mark = disc(f"angle-{degrees}", "ink", 0.06)
        layers += mark(sheet.centers(chosen), DISC * sheet.cell)
        layers += sheet.words(chosen, [degrees] * len(chosen), 2 * DISC, letters=3)
        legend.append((mark, f"{degrees}°: {pluralize(len(chosen), 'square')}"))
    return layers, legend


def _ends(sheet: Sheet, tour: Tour) -> Parts:
    """Return the marks of the start and, of an open tour, the end, with their legend."""
    marks = {0: START_MARK} if tour.closed else {0: START_MARK, len(tour) - 1: END_MARK}
    layers: list[Layer] = []
    legend: list[Entry] = []
    for place, mark in marks.items():
        square = int(tour.squares[place])
        layers += sheet.mark(mark, [square])
        legend.append((mark, f"{sheet.step(place + 1)}: {tour.board.name(square)}"))
    return layers, legend


def _numbers(sheet: Sheet, squares: Ids, count: int) -> list[Layer]:
    """Write the steps into their squares, in the size for ``count`` of them; step 1 is bold."""
    letters = len(str(count))
    steps = range(sheet.look.first, sheet.look.first + len(squares))
    return [
        *sheet.words(squares[:1], steps[:1], fill="start", bold=True, letters=letters),
        *sheet.words(squares[1:], steps[1:], letters=letters),
    ]


def segments(sheet: Sheet, pairs: Ids) -> Points:
    """Return the ends of each move, n x 2 ends x (x, y); the moves are rows of two ids.

    A move across a glued edge is two segments: one to the edge, one from the opposite edge.
    """
    board = sheet.board
    ends = np.stack(np.divmod(pairs, board.columns)[::-1], axis=-1) + 0.5
    if board.topology is Topology.FLAT or len(pairs) == 0:
        return sheet.at(ends)
    across = ~replace(board, topology=Topology.FLAT).are_moves(*pairs.T)
    tails, heads = ends[across, 0], ends[across, 1]
    jumps = _jumps(board, heads - tails)
    there, back = _to_the_edge(board, tails, jumps), _to_the_edge(board, heads, -jumps)
    ends = np.repeat(ends, 1 + across, axis=0)
    halves = np.stack([tails, there, back, heads], axis=1)
    ends[np.repeat(across, 1 + across)] = halves.reshape(-1, 2, 2)
    return sheet.at(ends)


def path_layers(sheet: Sheet, ends: Points, count: int = 0) -> list[Layer]:
    """Draw moves, with chevrons in that style; shades show their order, of ``count`` to come."""
    style, width = sheet.look.style, sheet.line_width
    heads = chevrons(sheet, ends) if style is Style.ARROWS and sheet.fine else []
    if not _is_shaded(sheet):
        return [Shapes("move", ends, "line", width), *heads]
    width *= 1.6 if sheet.fine else 1
    shades = np.arange(len(ends)) * SHADES // max(1, count, len(ends))
    firsts = np.flatnonzero(np.diff(shades, prepend=-1))
    return [
        Shapes("move", part, f"order-{shade}", width)
        for part, shade in zip(np.split(ends, firsts[1:]), shades[firsts].tolist(), strict=False)
    ]


def _is_shaded(sheet: Sheet) -> bool:
    style = sheet.look.style
    is_coarse = not sheet.fine and style is not Style.FILLED
    return is_coarse or style in (Style.ORDER, Style.NUMBERS)


def chevrons(sheet: Sheet, ends: Points, stroke: str = "line") -> list[Layer]:
    """Draw a small chevron on each segment, a little behind its middle."""
    tails, heads = ends[:, 0], ends[:, 1]
    along = (heads - tails) / np.linalg.norm(heads - tails, axis=1, keepdims=True)
    along *= max(_CHEVRON * sheet.cell, 3)
    across = along[:, ::-1] * [0.8, -0.8]
    tip = tails + _PLACE * (heads - tails) + along / 2
    sides = [np.stack([tip - along + side, tip], axis=1) for side in (across, -across)]
    return [Shapes("head", np.concatenate(sides), stroke, sheet.line_width)]


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
