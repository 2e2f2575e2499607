"""Objectives of optimization, and how good the best tour is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from kt_cp.arrays import Squares
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.tour.features import MEASURES, feature_named

# A function that takes a `kt_cp.model.custom.CustomModel`, and returns an expression.
CustomObjective = Callable[[Any], Any]


class Sense(StrEnum):
    """The direction of optimization."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"


@dataclass(frozen=True)
class Objective:
    """The feature to be minimized or maximized: its name, or a custom function."""

    feature: str | CustomObjective
    sense: Sense

    def check(self, graph: Graph) -> None:
        """Raise `InputError` for an unknown feature, or a board on which it is not defined."""
        if callable(self.feature):
            return
        if self.feature in MEASURES:
            vertices = graph.vocabulary.vertices
            message = f"{self.feature} do not differ between tours of all {vertices}"
            raise InputError(f"{message}; 'kt longest' and longest_path find the longest path")
        feature_named(self.feature).check(graph)

    @property
    def name(self) -> str:
        """The name of the feature, or of the function."""
        if not callable(self.feature):
            return self.feature
        name = getattr(self.feature, "__name__", "<lambda>")
        return "custom objective" if name == "<lambda>" else str(name)


class Improvement(NamedTuple):
    """A tour better than all before: when it was found, its value, and the bound at that time.

    ``squares`` is the tour itself when progress is reported, and None in a trace.
    """

    seconds: float
    value: float
    bound: float | None
    squares: Squares | None = None


class BoundProof(StrEnum):
    """The kinds of proof of a bound on all tours."""

    SEPARATOR = "separator"
    BLOCKS = "blocks"
    DEGREES = "degrees"
    NO_TOUR = "no tour"
    CP_SAT = "CP-SAT"
    SOLVER = "CP-SAT"  # the former name of CP_SAT
    CADICAL = "CaDiCaL"


@dataclass(frozen=True)
class Optimum:
    """The value of the best tour found, the proven bound on all tours, and a trace of improvements.

    ``proof`` is the kind of proof of the bound: a separator or the blocks of the graph, which
    anyone can check, the degrees of its vertices, a certificate that there is no tour of all
    squares, or a solver alone. It is None if nothing is proven, and if the value needs no proof.
    """

    feature: str
    sense: Sense
    value: float
    bound: float | None
    optimal: bool
    trace: tuple[Improvement, ...] = ()
    proof: BoundProof | None = None

    @property
    def summary(self) -> str:
        """The feature, its value and the verdict, such as ``turns 32, optimal``."""
        return f"{self.feature} {self.value}, {self.verdict}"

    @property
    def summary_with_proof(self) -> str:
        """The same with the kind of proof, such as ``squares 15, optimal by a separator``."""
        return f"{self.feature} {self.value}, {self.verdict_with_proof}"

    @property
    def verdict(self) -> str:
        """``optimal``, or the bound, such as ``the proven bound is 28``."""
        if self.optimal:
            return "optimal"
        return "nothing is proven" if self.bound is None else f"the proven bound is {self.bound}"

    @property
    def verdict_with_proof(self) -> str:
        """The verdict with the kind of proof, such as ``optimal by a separator``."""
        match self.proof:
            case BoundProof.SEPARATOR:
                return f"{self.verdict} by a separator"
            case BoundProof.BLOCKS | BoundProof.DEGREES:
                return f"{self.verdict} by {self.proof}"
            case BoundProof.NO_TOUR:
                return f"{self.verdict} as there is no tour"
            case BoundProof.CP_SAT | BoundProof.CADICAL:
                return f"{self.verdict} by {self.proof} alone"
            case _:
                return self.verdict

    def as_dict(self) -> dict[str, object]:
        """Return the fields as values that JSON can hold."""
        trace = [
            {"seconds": each.seconds, "value": each.value, "bound": each.bound}
            for each in self.trace
        ]
        proof = None if self.proof is None else self.proof.value
        return {**vars(self), "sense": self.sense.value, "trace": trace, "proof": proof}
