"""Knight's tours stated as a CP-SAT circuit: found, refuted, and validated."""

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.instance import Move
from kt_cp.notation import Notation, Reading, parse_path, write_tour
from kt_cp.solve import Result, solve
from kt_cp.tour import InvalidTourError, Tour
from kt_cp.validate import Fault, FaultKind, Report, validate
from kt_dfs import Status

__all__ = [
    "Board",
    "Fault",
    "FaultKind",
    "InputError",
    "InvalidTourError",
    "Move",
    "Notation",
    "Reading",
    "Report",
    "Result",
    "Status",
    "Tour",
    "parse_path",
    "solve",
    "validate",
    "write_tour",
]
