"""Pictures of separators: the vertices removed, and the components that are left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kt_cp.board import Board
from kt_cp.board.names import file_letters
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.sheet import Sheet
from kt_cp.phrases import pluralize
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
_MAX_PROPORTION = 1.5  # of the width of a board to its height, for a second board beside it
_MIN_SHELF_WIDTH = 4  # of the second board, in squares


class Component(NamedTuple):
    """A component that is left without the separator: the role of its color, and its vertices."""

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
    sheet.add_legend(f"{_range_of_letters(len(shown))}{count}, {limit}")
    if isinstance(graph, Board) and len(components) <= _MAX_COMPONENTS:
        _draw_second_board(sheet, graph, shown, edges)


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
            sheet.fill(role, vertices)
            sheet.write_label(vertices, _letter(len(shown)))
            shown.append(Component(role, vertices))
    return shown


def _range_of_letters(count: int) -> str:
    """Return the letters of several components for the legend, such as ``A to D: ``."""
    if count < 2:
        return ""
    between = "and" if count == 2 else "to"
    return f"{_letter(0)} {between} {_letter(count - 1)}: "


def _letter(number: int) -> str:
    """Return the letter of a component by its number, from 0: A, B, … Z, AA, …"""
    return file_letters(number).upper()


def _draw_second_board(
    sheet: Sheet, board: Board, components: Sequence[Component], edges: Sequence[Edge]
) -> None:
    """Draw the components once more, apart from one another, beside or below the first board.

    Each keeps its shape, with the names of its squares and the ``edges`` within it.
    """
    positions = _positions_apart(board, components)
    rows = 1 + max(row for row, _ in positions.values())
    columns = 1 + max(column for _, column in positions.values())
    new_id = {square: row * columns + column for square, (row, column) in positions.items()}
    holes = set(range(rows * columns)).difference(new_id.values())
    beside, below = (board.columns + 1, 0), (0, board.rows + 1)
    is_narrow = board.columns <= _MAX_PROPORTION * board.rows
    corner = beside if is_narrow else below
    second = sheet.beside(Board(rows, columns, holes), *corner, has_line_names=False)
    for role, squares in components:
        second.fill(role, [new_id[square] for square in squares])
    moves = [
        (new_id[tail], new_id[head]) for tail, head in edges if tail in new_id and head in new_id
    ]
    second.draw_moves(moves, "muted", thickness=0.7, css_class="link")
    second.write_words(list(new_id.values()), map(board.name, new_id), blank=True)


def _positions_apart(board: Board, components: Sequence[Component]) -> dict[int, tuple[int, int]]:
    """Return a new row and column for each square, so that components lie apart on shelves.

    A shelf is about as wide as the board; one row or column stays free between two components.
    """
    positions: dict[int, tuple[int, int]] = {}
    left = 0  # the first free column of the shelf
    top = 0  # the first row of the shelf
    shelf_height = 0
    for _, squares in components:
        rows, columns = np.divmod(np.array(squares), board.columns)
        rows, columns = rows - rows.min(), columns - columns.min()
        width, height = int(columns.max()) + 1, int(rows.max()) + 1
        if left and left + width > max(board.columns, _MIN_SHELF_WIDTH):
            left = 0
            top += shelf_height + 1
            shelf_height = 0
        for square, row, column in zip(squares, rows.tolist(), columns.tolist(), strict=True):
            positions[square] = top + row, left + column
        left += width + 1
        shelf_height = max(shelf_height, height)
    return positions
