"""What is wanted of a tour's features, as data: bounds on them, and the best of one."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from kt_cp.errors import InputError
from kt_cp.graph import Graph
from kt_cp.tour.feature_table import feature_named
from kt_cp.tour.tour import Tour

# Adds constraints of one's own, or returns an objective of one's own; see `kt_cp.model.own`.
OwnFunction = Callable[[Any], Any]

_MOST = 10**9 - 1  # what the expression that reads a bound can hold

_HOLDS: Mapping[str, Callable[[int, int], bool]]
_HOLDS = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}


class Sense(StrEnum):
    """Whether the least or the most is wanted."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"

    @property
    def opposite(self) -> Sense:
        """The other sense."""
        return Sense.MAXIMIZE if self is Sense.MINIMIZE else Sense.MINIMIZE


@dataclass(frozen=True)
class Objective:
    """The feature whose least or most is wanted: its name, or a function of one's own."""

    feature: str | OwnFunction
    sense: Sense

    def check(self, graph: Graph) -> None:
        """Raise `InputError` for an unknown feature, or a board on which it is not defined."""
        if not callable(self.feature):
            feature_named(self.feature).check(graph)

    @property
    def name(self) -> str:
        """The name of the feature, or of the function."""
        if callable(self.feature):
            name: str = getattr(self.feature, "__name__", "<lambda>")
            return "own objective" if name == "<lambda>" else name
        return self.feature


class Improvement(NamedTuple):
    """A tour better than those before: when it was found, its value, and the bound by then."""

    seconds: float
    value: float
    bound: float | None


@dataclass(frozen=True)
class Optimum:
    """The value of the best tour found, and what no tour can be better than, as far as proven.

    It is ``optimal`` if that is proven; ``trace`` tells how the value improved.
    """

    feature: str
    sense: Sense
    value: float
    bound: float | None
    optimal: bool
    trace: tuple[Improvement, ...] = ()

    @property
    def summary(self) -> str:
        """A few words, such as ``turns 32, optimal``."""
        if self.optimal:
            return f"{self.feature} {self.value}, optimal"
        proven = "nothing is proven" if self.bound is None else f"the proven bound is {self.bound}"
        return f"{self.feature} {self.value}, {proven}"

    def as_dict(self) -> dict[str, object]:
        """Return plain values."""
        trace = [each._asdict() for each in self.trace]
        return {**vars(self), "sense": self.sense.value, "trace": trace}


@dataclass(frozen=True)
class Bound:
    """A bound on a feature of a tour, such as at most 32 turns; ``relation`` is <=, >= or =."""

    feature: str
    relation: str
    value: int

    @classmethod
    def parse(cls, graph: Graph, given: str | Bound) -> Bound:
        """Read a bound. Raises `InputError` for others, and where the feature is not defined.

        >>> from kt_cp.board import Board
        >>> Bound.parse(Board(8, 8), "slope+1/2>=3")
        Bound(feature='slope+1/2', relation='>=', value=3)
        """
        if not isinstance(given, Bound):
            parts = re.fullmatch(r"(.+?)\s*(<=|>=|=)\s*(\d{1,9})", str(given).strip())
            if parts is None:
                wanted = "FEATURE<=N, FEATURE>=N or FEATURE=N, such as turns<=32, with a whole N"
                raise InputError(f"having {given!r}: give {wanted} up to {_MOST:,}")
            given = cls(parts[1], parts[2], int(parts[3]))
        feature_named(given.feature).check(graph)
        return given

    def holds(self, tour: Tour) -> bool:
        """Return whether a tour meets the bound."""
        return _HOLDS[self.relation](feature_named(self.feature).count(tour), self.value)

    def __str__(self) -> str:
        return f"{self.feature}{self.relation}{self.value}"
