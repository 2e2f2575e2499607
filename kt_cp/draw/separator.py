"""Pictures of separators: the vertices removed, and the components that are left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kt_cp.board import Board
from kt_cp.board.board import file_letters
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import SQUARE_CORNERS, disc_mark, polygon_mark
from kt_cp.draw.sheet import DISC_RADIUS, Sheet
from kt_cp.messages import pluralize, with_article
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Claim, Rule
from kt_cp.proof.certificate_graph import (
    components_without,
    connectable_components,
    edges_without,
    numbered_edges,
)
from kt_cp.proof.checker import Edge, State

CUTS = (Rule.CUT, Rule.TIGHT_CUT, Rule.BOUND)
"""The rules of certificates that remove vertices and count components."""

_MAX_COMPONENTS = 400  # up to which components are drawn on a second board
_PIECE_SCALE = 0.6  # of the squares of a component to those of the board

# In squares of the board.
_LEAST_WIDTH = 7  # of the shelves for components
_NAMES_SHARE = 0.7  # the height of the names of files below a board

_MAX_CHAIN = 16  # squares in the chain of components


# The outline of a component that is left over.
_LEFT_OVER = polygon_mark(SQUARE_CORNERS * 0.92, "fault", 0.16)


class Component(NamedTuple):
    """A component that is left without the separator: its letter, color and vertices."""

    letter: str
    role: str
    vertices: list[int]


def show_separator(
    sheet: Sheet,
    instance: Instance,
    removed: Sequence[int],
    settled: State,
    claim: Claim | None = None,
) -> None:
    """Hatch a separator, and letter, count and draw the components that are left without it.

    ``removed`` are the ids of the separator, with that of the depot. ``settled`` holds the edges
    that a tour uses and those that it does not use; ``claim`` is the bound that is proved, if any.
    """
    graph = sheet.graph
    sheet.hatch([vertex for vertex in removed if vertex in graph], "separator")
    edges = edges_without(numbered_edges(instance), removed, settled)
    components = components_without(instance, removed, edges)
    shown = _color_components(sheet, components)
    most = connectable_components(removed, settled)
    limit = f"{most} allowed"
    if claim is not None:
        tour = graph.vocabulary.partial_tour(instance.closed)
        limit = f"one {tour} visits {most} at most"
    count = pluralize(len(components), "component")
    _explain_limit(sheet, instance, [vertex for vertex in removed if vertex in graph], most)
    letters = f"{range_of_letters(0, len(shown))}: " if len(shown) > 1 else ""
    sheet.add_legend(f"{letters}{count}, {limit}")
    if isinstance(graph, Board) and len(components) <= _MAX_COMPONENTS:
        bottom = _draw_second_board(sheet, graph, shown, edges)
        hatched = sum(vertex in graph for vertex in removed)
        if claim is None and hatched == _links_of(instance, most):
            _draw_chain(sheet, instance, shown, most, bottom)


def _explain_limit(sheet: Sheet, instance: Instance, separator: Sequence[int], most: int) -> None:
    """State how many components a tour connects with the vertices of a separator, if it has any."""
    if not separator:
        return
    words = sheet.graph.vocabulary
    verb = "connects" if len(separator) == 1 else "connect"
    ends = "" if set(separator).isdisjoint(instance.ends) else ", some of them its ends,"
    sheet.add_sentence(
        f"between two components, a tour visits {with_article(f'{sheet.hatched} {words.vertex}')}; "
        f"{len(separator)} of these{ends} {verb} at most {most}"
    )


def _color_components(sheet: Sheet, components: Sequence[list[int]]) -> list[Component]:
    """Color and letter the components, and return those with a vertex other than the depot.

    Components of a single vertex share a color.
    """
    shown: list[Component] = []
    for number, component in enumerate(components):
        role = GROUPS[0]
        if len(component) > 1:
            role = GROUPS[1 + number % (len(GROUPS) - 1)]
        vertices = [vertex for vertex in component if vertex in sheet.graph]
        if vertices:
            letter = letter_of(len(shown))
            sheet.fill(role, vertices)
            sheet.write_label(vertices, letter)
            shown.append(Component(letter, role, vertices))
    return shown


def range_of_letters(first: int, count: int) -> str:
    """Return the letters of several components for the legend, from the number ``first`` on.

    >>> range_of_letters(0, 1), range_of_letters(1, 2), range_of_letters(0, 4)
    ('A', 'B and C', 'A to D')
    """
    if count == 1:
        return letter_of(first)
    between = "and" if count == 2 else "to"
    return f"{letter_of(first)} {between} {letter_of(first + count - 1)}"


def letter_of(number: int) -> str:
    """Return the letter of a component by its number, from 0: A, B, … Z, AA, …"""
    return file_letters(number).upper()


class _Size(NamedTuple):
    """The size of a board or of a component, in squares."""

    width: int
    height: int


class _Shape(NamedTuple):
    """The row and column of each square of a component, from its own corner on."""

    positions: dict[int, tuple[int, int]]
    size: _Size

    @classmethod
    def of(cls, board: Board, component: Component) -> _Shape:
        """Return the shape that a component has on a board."""
        rows, columns = np.divmod(np.array(component.vertices), board.columns)
        rows, columns = rows - rows.min(), columns - columns.min()
        places = zip(rows.tolist(), columns.tolist(), strict=True)
        positions = dict(zip(component.vertices, places, strict=True))
        return cls(positions, _Size(int(columns.max()) + 1, int(rows.max()) + 1))


def _draw_second_board(
    sheet: Sheet, board: Board, components: Sequence[Component], edges: Sequence[Edge]
) -> float:
    """Draw the components once more, apart from one another, below the first board.

    Each has its shape, its letter and the ``edges`` within it. They are on a second board with
    smaller squares, which lies on the first one: its squares there are holes, which are left blank.
    Return the lower edge of both boards, in squares of the first one.
    """
    positions = _positions_apart(board, components)
    rows = 1 + max(row for row, _ in positions.values())
    columns = 1 + max(column for _, column in positions.values())
    new_id = {square: row * columns + column for square, (row, column) in positions.items()}
    holes = set(range(rows * columns)).difference(new_id.values())
    second = sheet.beside(
        Board(rows, columns, holes), 0, 0, has_line_names=False, scale=_PIECE_SCALE
    )
    for _, role, squares in components:
        second.fill(role, [new_id[square] for square in squares])
    moves = [
        (new_id[tail], new_id[head]) for tail, head in edges if tail in new_id and head in new_id
    ]
    second.draw_moves(moves, "muted", thickness=0.7, css_class="link")
    for letter, role, squares in components:
        places = [new_id[square] for square in squares]
        second.draw_mark(disc_mark(role), places, radius=DISC_RADIUS)  # hides the ends of edges
        second.write_label(places, letter)
    return max(board.rows, rows * _PIECE_SCALE)


def _links_of(instance: Instance, most: int) -> int:
    """Return how many squares a tour visits between ``most`` components."""
    return most if instance.closed else most - 1


def _draw_chain(
    sheet: Sheet, instance: Instance, components: Sequence[Component], most: int, bottom: float
) -> None:
    """Draw components in a row with a square of the separator between two, and those left over.

    ``most`` is the number of components that a tour connects, and ``bottom`` the row below which
    the chain is drawn. Nothing is drawn if the chain would be too long.
    """
    linked, left_over = components[:most], components[most:]
    link_count = _links_of(instance, most)
    first_left_over = len(linked) + link_count + 1
    length = first_left_over + len(left_over)
    if not left_over or length > _MAX_CHAIN:
        return
    scale = min(_PIECE_SCALE, max(instance.board.columns, _LEAST_WIDTH) / length)
    chain = sheet.beside(
        Board(1, length, [first_left_over - 1]),
        0,
        bottom + _PIECE_SCALE,
        has_line_names=False,
        scale=scale,
    )
    chain.hatch_unexplained(range(1, 2 * link_count, 2))
    places = [*range(0, 2 * most, 2), *range(first_left_over, length)]
    for place, component in zip(places, components, strict=True):
        chain.fill(component.role, [place])
        chain.write_label([place], component.letter)
    chain.draw_mark(_LEFT_OVER, [*range(first_left_over, length)], radius=0.5)
    words = range_of_letters(most, len(left_over))
    sheet.add_legend(f"left over: {words}", _LEFT_OVER)


def _positions_apart(board: Board, components: Sequence[Component]) -> dict[int, tuple[int, int]]:
    """Return a new row and column for each square, so that components lie apart on shelves.

    The shelves are below the board: beside it, they would make the picture wide, and thus its words
    small on a phone. Positions are in squares of the components, from the corner of the board on.
    """
    shapes = [_Shape.of(board, component) for component in components]
    widest = max(shape.size.width for shape in shapes)
    corners = _shelves([shape.size for shape in shapes], max(widest, _shelf_width(board)))
    below = math.ceil((board.rows + _NAMES_SHARE) / _PIECE_SCALE)
    positions: dict[int, tuple[int, int]] = {}
    for shape, (left, top) in zip(shapes, corners, strict=True):
        for square, (row, column) in shape.positions.items():
            positions[square] = below + top + row, left + column
    return positions


def _shelf_width(board: Board) -> int:
    """Return the width of shelves below a board, in squares of the components."""
    return int(max(board.columns, _LEAST_WIDTH) / _PIECE_SCALE)


def _shelves(sizes: Sequence[_Size], shelf_width: int) -> list[tuple[int, int]]:
    """Return the corner (left, top) of each item on shelves, with one square between two items."""
    corners: list[tuple[int, int]] = []
    left = 0  # the first free column of the shelf
    top = 0  # the first row of the shelf
    shelf_height = 0
    for width, height in sizes:
        if left and left + width > shelf_width:
            left = 0
            top += shelf_height + 1
            shelf_height = 0
        corners.append((left, top))
        left += width + 1
        shelf_height = max(shelf_height, height)
    return corners
