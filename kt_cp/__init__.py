"""Knight's tours stated as a CP-SAT circuit: found, refuted, counted, drawn and validated.

The names below are imported on first use (PEP 562), so that validating a path, for instance, does
not wait for the solver.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kt_cp.board import Board as Board
    from kt_cp.board import Topology as Topology
    from kt_cp.board.piece import Piece as Piece
    from kt_cp.board.symmetry import Symmetry as Symmetry
    from kt_cp.count.counting import Count as Count
    from kt_cp.count.counting import count_tours as count_tours
    from kt_cp.count.counting import enumerate_tours as enumerate_tours
    from kt_cp.count.frontier_plan import OutOfMemory as OutOfMemory
    from kt_cp.count.sampling import sample_tours as sample_tours
    from kt_cp.errors import InputError as InputError
    from kt_cp.graph import Graph as Graph
    from kt_cp.notation.detect import parse_path as parse_path
    from kt_cp.notation.detect import validate as validate
    from kt_cp.notation.forms import Reading as Reading
    from kt_cp.notation.notations import Notation as Notation
    from kt_cp.notation.notations import write_tour as write_tour
    from kt_cp.problem.clock import OutOfTime as OutOfTime
    from kt_cp.problem.constraints import Move as Move
    from kt_cp.problem.instance import Instance as Instance
    from kt_cp.proof.certificate import Certificate as Certificate
    from kt_cp.proof.checker import Verdict as Verdict
    from kt_cp.proof.checker import check as check
    from kt_cp.puzzles.boards import random_board as random_board
    from kt_cp.puzzles.puzzle import Puzzle as Puzzle
    from kt_cp.puzzles.puzzle import make_puzzle as make_puzzle
    from kt_cp.solving import NoAnswer as NoAnswer
    from kt_cp.solving import Result as Result
    from kt_cp.solving import hamiltonian_cycle as hamiltonian_cycle
    from kt_cp.solving import hamiltonian_path as hamiltonian_path
    from kt_cp.solving import solve as solve
    from kt_cp.tour.feature_table import features as features
    from kt_cp.tour.tour import InvalidTourError as InvalidTourError
    from kt_cp.tour.tour import Tour as Tour
    from kt_cp.tour.validator import Fault as Fault
    from kt_cp.tour.validator import FaultKind as FaultKind
    from kt_cp.tour.validator import Report as Report
    from kt_dfs import Status as Status

_NAMES = {
    "kt_cp.board": ("Board", "Topology"),
    "kt_cp.board.piece": ("Piece",),
    "kt_cp.board.symmetry": ("Symmetry",),
    "kt_cp.count.counting": ("Count", "count_tours", "enumerate_tours"),
    "kt_cp.count.frontier_plan": ("OutOfMemory",),
    "kt_cp.count.sampling": ("sample_tours",),
    "kt_cp.errors": ("InputError",),
    "kt_cp.puzzles.boards": ("random_board",),
    "kt_cp.notation.detect": ("parse_path", "validate"),
    "kt_cp.notation.notations": ("Notation", "write_tour"),
    "kt_cp.notation.forms": ("Reading",),
    "kt_cp.problem.clock": ("OutOfTime",),
    "kt_cp.problem.instance": ("Instance",),
    "kt_cp.problem.constraints": ("Move",),
    "kt_cp.proof.certificate": ("Certificate",),
    "kt_cp.proof.checker": ("Verdict", "check"),
    "kt_cp.puzzles.puzzle": ("Puzzle", "make_puzzle"),
    "kt_cp.graph": ("Graph",),
    "kt_cp.solving": ("NoAnswer", "Result", "hamiltonian_cycle", "hamiltonian_path", "solve"),
    "kt_cp.tour.validator": ("Fault", "FaultKind", "Report"),
    "kt_cp.tour.feature_table": ("features",),
    "kt_cp.tour.tour": ("InvalidTourError", "Tour"),
    "kt_dfs": ("Status",),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}
__all__ = sorted(_HOME)

if not TYPE_CHECKING:  # which would take every name for one of the package

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
