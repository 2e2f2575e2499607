"""Knight's tours stated as a CP-SAT circuit: found, refuted, and validated."""

from kt_cp.board import Board, Topology
from kt_cp.board.piece import Piece
from kt_cp.board.symmetry import Symmetry
from kt_cp.count.enumeration import Count, count_tours, enumerate_tours
from kt_cp.errors import InputError
from kt_cp.notation import Notation, Reading, parse_path, write_tour
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.instance import Move
from kt_cp.puzzles import Puzzle, make_puzzle
from kt_cp.solving import Result, solve
from kt_cp.tour.tour import InvalidTourError, Tour
from kt_cp.tour.validator import Fault, FaultKind, Report, validate
from kt_dfs import Status

__all__ = [
    "Board",
    "Count",
    "Fault",
    "FaultKind",
    "InputError",
    "InvalidTourError",
    "Move",
    "Notation",
    "OutOfTime",
    "Piece",
    "Puzzle",
    "Reading",
    "Report",
    "Result",
    "Status",
    "Symmetry",
    "Topology",
    "Tour",
    "count_tours",
    "enumerate_tours",
    "make_puzzle",
    "parse_path",
    "solve",
    "validate",
    "write_tour",
]
