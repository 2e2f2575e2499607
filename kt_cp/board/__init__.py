"""Which squares and moves exist: boards, pieces, maps, names of squares, symmetries."""

from kt_cp.arrays import Mask, Squares
from kt_cp.board.board import Board, as_board, graph_in_text, graph_of
from kt_cp.board.pieces import KNIGHT, Jump, Piece, Symmetry, Topology

__all__ = [
    "KNIGHT",
    "Board",
    "Jump",
    "Mask",
    "Piece",
    "Squares",
    "Symmetry",
    "Topology",
    "as_board",
    "graph_in_text",
    "graph_of",
]
