"""Pictures of the cases of Schwenk's theorem: two colorings, or forced moves.

A. J. Schwenk, Which Rectangular Chessboards Have a Knight's Tour?, Mathematics Magazine 64 (1991).
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from kt_cp.arrays import Mask, Squares
from kt_cp.board import Board
from kt_cp.draw.case_boards import show_cases
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import disc_mark, square_mark
from kt_cp.draw.sheet import Sheet
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.cases import few_cases
from kt_cp.proof.reason import Reason

# The dot on a dark square whose fill shows something else, and its radius in squares.
_DARK_DOT = disc_mark("ink")
_DARK_DOT_RADIUS = 0.1

# The ring around squares that contradict one another, and its radius in squares.
_RING = disc_mark(None, "fault", 0.14)
_RING_RADIUS = 0.38


def show_schwenk(sheet: Sheet, instance: Instance, reason: Reason) -> None:
    """Show why a board of four rows, or of three and 4, 6 or 8 columns, has no closed tour."""
    board = instance.board
    forced = forced_moves(instance)
    if min(board.shape) == 4:
        _show_two_colorings(sheet, board, str(reason))
    elif _closes_short_cycle(board, forced).any():
        end = "forced moves close a cycle before every square is visited"
        sheet.add_sentence(end, str(reason))
        show_forced(sheet, forced)
        fill_forcing(sheet, instance, board.squares.tolist())
    elif proof := few_cases(instance):
        show_cases(sheet, instance, proof, str(reason))
    else:
        sheet.add_sentence(str(reason))
        show_forced(sheet, forced)
    sheet.add_legend("Schwenk's theorem, 1991")


def _show_two_colorings(sheet: Sheet, board: Board, described: str) -> None:
    """Show the outer and inner squares of a board of four rows or columns, and the dark ones."""
    rows, columns = np.divmod(board.squares, board.columns)
    line_of_four = rows if board.rows == 4 else columns
    is_outer = np.isin(line_of_four, (0, 3))
    outer, inner = board.squares[is_outer], board.squares[~is_outer]
    is_dark = board.dark(outer)
    dark, light = int(outer[is_dark][0]), int(outer[~is_dark][0])
    sheet.add_sentence(
        "the outer squares lead only to inner ones, and there are as many of each: a closed tour "
        "would alternate between them. It also alternates between dotted squares and those without "
        f"a dot. So all outer squares would be dotted, or none: but {board.name(dark)} is, and "
        f"{board.name(light)} is not",
        described,
    )
    sheet.fill(GROUPS[0], outer, "outer")
    sheet.fill(GROUPS[2], inner, "inner")
    all_dark = board.squares[board.dark(board.squares)]
    sheet.draw_mark(_DARK_DOT, all_dark, radius=_DARK_DOT_RADIUS)
    sheet.add_count("dark squares, dotted", _DARK_DOT, len(all_dark))
    sheet.draw_mark(_RING, [dark, light], radius=_RING_RADIUS, legend="outer, one dotted, one not")


def forced_moves(instance: Instance) -> Squares:
    """Return the moves that every tour uses: required ones, and those at squares with only two.

    They are rows of two ids.
    """
    graph = TourGraph(instance)
    return graph.vertices(graph.edges[graph.forced & ~graph.at_depot])


def show_forced(sheet: Sheet, forced: Squares) -> None:
    """Show forced moves, and among them those that close a cycle through a part of the board."""
    closes = _closes_short_cycle(sheet.graph, forced)
    sheet.draw_moves(
        forced[~closes], "line", thickness=1.2, css_class="forced", legend="forced moves"
    )
    text = "forced moves that close a cycle before every square is visited"
    sheet.draw_moves(forced[closes], "fault", thickness=2.4, css_class="forced", legend=text)


def _closes_short_cycle(graph: Graph, moves: Squares) -> Mask:
    """Return for each move whether it lies on a cycle of moves that omits squares.

    A cycle through all squares is a tour, and no contradiction.
    """
    degrees = np.bincount(moves.ravel(), minlength=graph.area)
    labels = component_labels(graph.area, moves)
    path_labels = labels[(degrees > 0) & (degrees != 2)]  # of components that are no cycle
    label_of_move = labels[moves[:, 0]]
    is_cycle = ~np.isin(label_of_move, path_labels)
    sizes = np.bincount(labels[graph.vertices])
    return np.asarray(is_cycle & (sizes[label_of_move] < len(graph)))


def fill_forcing(sheet: Sheet, instance: Instance, among: Collection[int]) -> None:
    """Color those of some squares that have only two moves, both of which every tour uses."""
    words, area = instance.graph.vocabulary, instance.graph.area
    degrees = np.bincount(instance.edges.ravel(), minlength=area)
    forced_degrees = np.bincount(forced_moves(instance).ravel(), minlength=area)
    is_forcing = (degrees == 2) & (forced_degrees == 2)
    squares = [square for square in sorted(among) if is_forcing[square]]
    if squares:
        sheet.fill(GROUPS[0], squares)
        text = f"has only two {words.edges}, so both are forced"
        sheet.add_legend(text, square_mark(GROUPS[0]))
