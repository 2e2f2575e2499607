"""Knight's tours stated as a CP-SAT circuit: found, refuted, and validated."""

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.instance import Move
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
    "Report",
    "Result",
    "Status",
    "Tour",
    "solve",
    "validate",
]
