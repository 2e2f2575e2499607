"""Separators in pictures: the vertices removed, and the components that they leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kt_cp.board import Board
from kt_cp.board.names import file_letters
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.sheet import DISC, Sheet
from kt_cp.errors import pluralize
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.certificate import Claim, Rule
from kt_cp.proof.checker import Edge, State

CUTS = (Rule.CUT, Rule.TIGHT_CUT, Rule.BOUND)
"""The rules of certificates that remove vertices and count components."""

# The most components that are drawn beside the board, and part of a square for a letter.
_MOST_PARTS = 400
_LETTER_ROOM = 0.7

# The components that a separator leaves, each with the color in which it is filled.
Part = tuple[str, list[int]]


def edges_of(instance: Instance) -> list[Edge]:
    """Return the edges of a certificate in the order of their numbers."""
    graph = TourGraph(instance)
    return sorted(map(tuple, graph.vertices(graph.edges).tolist()))


def components_without(
    instance: Instance, removed: Iterable[int], settled: State
) -> tuple[list[list[int]], list[Edge]]:
    """Return the components without some vertices, the largest first, and the edges inside them.

    The depot of an open tour is one of the vertices, by its id.
    """
    graph = TourGraph(instance)
    kept = np.zeros(graph.depot_id + 1, dtype=np.bool_)
    kept[graph.ids] = True
    kept[list(removed)] = False
    edges = [
        edge
        for edge in edges_of(instance)
        if settled.get(edge) is not False and kept[list(edge)].all()
    ]
    labels = component_labels(len(kept), np.array(edges, dtype=np.int32).reshape(-1, 2))
    groups: dict[int, list[int]] = {}
    for vertex in np.flatnonzero(kept).tolist():
        groups.setdefault(int(labels[vertex]), []).append(vertex)
    return sorted(groups.values(), key=len, reverse=True), edges


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
    components, edges = components_without(instance, removed, settled)
    used_inside = [edge for edge, used in settled.items() if used and set(edge) <= set(removed)]
    allowed = max(1, len(removed) - len(used_inside))
    connected = f"{allowed} allowed"
    if claim is not None:
        tour = graph.vocabulary.partial_tour(instance.closed)
        connected = f"one {tour} visits {allowed} at most"
    parts: list[Part] = []
    for number, component in enumerate(components):
        role = GROUPS[0]
        if len(component) > 1:
            role = GROUPS[1 + number % (len(GROUPS) - 1)]
        squares = [vertex for vertex in component if vertex in graph]
        if squares:
            sheet.fill(role, squares)
            letter = _letter(len(parts))
            sheet.letter(squares, letter, _LETTER_ROOM)
            parts.append((role, squares))
    told = f"{pluralize(len(components), 'component')}, {connected}"
    if len(parts) > 1:
        between = "and" if len(parts) == 2 else "to"
        told = f"{_letter(0)} {between} {_letter(len(parts) - 1)}: {told}"
    sheet.tell(told)
    if isinstance(graph, Board) and len(components) <= _MOST_PARTS:
        _pull_apart(sheet, graph, parts, edges)


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
    if board.columns <= 1.5 * board.rows:
        corner = (board.columns + 1, 0)
    second = sheet.beside(Board(rows, columns, holes), *corner)
    second.has_names = False
    for role, squares in parts:
        second.fill(role, [new_id[square] for square in squares])
    drawn = [[new_id[end] for end in edge] for edge in edges if new_id.keys() >= set(edge)]
    second.moves(drawn, "muted", 0.7, "link")
    second.words(list(new_id.values()), map(board.name, new_id), 2 * DISC, blank=True)


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
