"""The names that `kt_cp.model.backend` takes from CP-SAT's compiled module, by the public API.

For a release of OR-tools that has changed that module: slower to import, same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ortools.sat.python import cp_model


def CpModelProto() -> Any:  # noqa: N802 - named as the class it stands for
    """Return an empty model."""
    return cp_model.CpModel().proto


def SatParameters() -> Any:  # noqa: N802 - named as the class it stands for
    """Return the default parameters."""
    return cp_model.CpSolver().parameters


class SolutionCallback(cp_model.CpSolverSolutionCallback):
    """Calls ``OnSolutionCallback`` for each solution, which ``Response`` returns."""


class SolveWrapper:
    """One search."""

    def __init__(self) -> None:
        self._solver = cp_model.CpSolver()
        self._callback: SolutionCallback | None = None

    def set_parameters(self, parameters: Any) -> None:
        """Search with these parameters."""
        self._solver.parameters = parameters

    def add_log_callback(self, callback: Callable[[str], None]) -> None:
        """Pass each line of the log to a callback."""
        self._solver.log_callback = callback

    def add_solution_callback(self, callback: SolutionCallback) -> None:
        """Tell each solution to a callback."""
        self._callback = callback

    def clear_solution_callback(self, callback: SolutionCallback) -> None:
        """Forget the callback, which `solve` has done already."""

    def solve(self, proto: Any) -> Any:
        """Search for a solution, or for all, and return the response."""
        self._solver.solve(cp_model.CpModel(proto), self._callback)
        return self._solver.response_proto

    def stop_search(self) -> None:
        """End the search, which must have begun."""
        self._solver.stop_search()
