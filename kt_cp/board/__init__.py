"""Which squares and moves exist: boards, pieces, maps, names of squares, symmetries."""

from kt_cp.board.board import MAX_SQUARES, Board, Mask, Squares, Topology
from kt_cp.board.piece import KNIGHT, Jump, Piece
from kt_cp.board.symmetry import Symmetry

__all__ = [
    "KNIGHT",
    "MAX_SQUARES",
    "Board",
    "Jump",
    "Mask",
    "Piece",
    "Squares",
    "Symmetry",
    "Topology",
]
