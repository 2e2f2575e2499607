"""Boards: the graphs whose vertices are squares, with their moves, names and symmetries.

`kt_cp.board` is the import path of the names below. The files, in the order of reading:

- ``pieces``: pieces by their jumps, topologies, and the symmetries of a board.
- ``maps``: how boards and squares are written: maps, sizes, notes, chess names.
- ``board``: the `Board`, and the readers of what stands for a board or graph.
"""

from kt_cp.board.board import Board, OpenOrClosed, as_board, graph_in_text, graph_of
from kt_cp.board.pieces import KNIGHT, Jump, Piece, Symmetry, Topology

__all__ = [
    "KNIGHT",
    "Board",
    "Jump",
    "OpenOrClosed",
    "Piece",
    "Symmetry",
    "Topology",
    "as_board",
    "graph_in_text",
    "graph_of",
]
