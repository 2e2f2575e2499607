"""Separators in pictures: the vertices removed, and the components that they leave."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kt_cp.board import Board
from kt_cp.board.names import file_letters
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.sheet import DISC, Sheet
from kt_cp.phrases import pluralize
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Claim, Rule
from kt_cp.proof.certificate_graph import components_without, edges_without, numbered_edges
from kt_cp.proof.checker import Edge, State

CUTS = (Rule.CUT, Rule.TIGHT_CUT, Rule.BOUND)
"""The rules of certificates that remove vertices and count components."""

_MAX_PARTS = 400  # components that are drawn beside the board
_LETTER_SHARE = 0.7  # of the side of a square
_MAX_PROPORTION = 1.5  # of a board's width to its height, for components at its side, not below it

# A component: the role of its color, and its squares.
Part = tuple[str, list[int]]


def show_separator(
    sheet: Sheet,
    instance: Instance,
    removed: Sequence[int],
    settled: State,
    claim: Claim | None = None,
) -> None:
    """Hatch a separator, and letter, count and draw the components that it leaves.

    ``settled`` tells which edges a tour uses or not, ``claim`` which bound the separator proves.
    """
    graph = sheet.graph
    sheet.hatch([vertex for vertex in removed if vertex in graph], "separator")
    edges = edges_without(numbered_edges(instance), removed, settled)
    components = components_without(instance, removed, edges)
    parts = _draw_components(sheet, components)
    # This number must agree with the checker's `_most_components`.
    used_inside = [edge for edge, used in settled.items() if used and set(edge) <= set(removed)]
    allowed = max(1, len(removed) - len(used_inside))
    connected = f"{allowed} allowed"
    if claim is not None:
        tour = graph.vocabulary.partial_tour(instance.closed)
        connected = f"one {tour} visits {allowed} at most"
    count = pluralize(len(components), "component")
    sheet.add_legend(f"{_range_of_letters(len(parts))}{count}, {connected}")
    if isinstance(graph, Board) and len(components) <= _MAX_PARTS:
        _pull_apart(sheet, graph, parts, edges)


def _draw_components(sheet: Sheet, components: Sequence[list[int]]) -> list[Part]:
    """Color and letter the components, and return those that have a square.

    One that is the depot alone has none. Single squares share a color.
    """
    parts: list[Part] = []
    for number, component in enumerate(components):
        role = GROUPS[0]
        if len(component) > 1:
            role = GROUPS[1 + number % (len(GROUPS) - 1)]
        squares = [vertex for vertex in component if vertex in sheet.graph]
        if squares:
            sheet.fill(role, squares)
            sheet.write_label(squares, _letter(len(parts)), share=_LETTER_SHARE)
            parts.append((role, squares))
    return parts


def _range_of_letters(count: int) -> str:
    """Return the beginning of a line of the legend on several components, such as ``A to D: ``."""
    if count < 2:
        return ""
    between = "and" if count == 2 else "to"
    return f"{_letter(0)} {between} {_letter(count - 1)}: "


def _letter(number: int) -> str:
    """Return the letter of a component by its number, from 0: A, B, … Z, AA, …"""
    return file_letters(number).upper()


def _pull_apart(sheet: Sheet, board: Board, parts: Sequence[Part], edges: Sequence[Edge]) -> None:
    """Draw components once more, each in its shape, on a second board beside or below the first."""
    places = _packed(board, parts)
    rows = 1 + max(row for row, _ in places.values())
    columns = 1 + max(column for _, column in places.values())
    new_id = {square: row * columns + column for square, (row, column) in places.items()}
    holes = set(range(rows * columns)).difference(new_id.values())
    corner = (0, board.rows + 1)
    if board.columns <= _MAX_PROPORTION * board.rows:
        corner = (board.columns + 1, 0)
    second = sheet.beside(Board(rows, columns, holes), *corner, has_names=False)
    for role, squares in parts:
        second.fill(role, [new_id[square] for square in squares])
    drawn = [[new_id[end] for end in edge] for edge in edges if new_id.keys() >= set(edge)]
    second.draw_moves(drawn, "muted", thickness=0.7, css_class="link")
    second.write_words(list(new_id.values()), map(board.name, new_id), share=2 * DISC, blank=True)


def _packed(board: Board, parts: Sequence[Part]) -> dict[int, tuple[int, int]]:
    """Return a row and a column for each square, so that parts lie side by side on shelves.

    A shelf is as wide as the board; one row or column stays free between two parts.
    """
    places: dict[int, tuple[int, int]] = {}
    left = 0  # the first free column of the shelf
    top = 0  # the first row of the shelf
    shelf_height = 0
    for _, squares in parts:
        rows, columns = np.divmod(np.array(squares), board.columns)
        rows, columns = rows - rows.min(), columns - columns.min()
        width, height = int(columns.max()) + 1, int(rows.max()) + 1
        if left and left + width > max(board.columns, 4):
            left = 0
            top += shelf_height + 1
            shelf_height = 0
        for square, row, column in zip(squares, rows.tolist(), columns.tolist(), strict=True):
            places[square] = top + row, left + column
        left += width + 1
        shelf_height = max(shelf_height, height)
    return places
