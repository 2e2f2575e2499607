"""The task that a method is given: an instance with a clock, an objective and settings.

Its parts come first: the clock with the costs of work that cannot be interrupted, the objective,
and the optimum by which an objective is answered.
"""

from __future__ import annotations

import inspect
import itertools
import math
import reprlib
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from kt_cp.arrays import Squares
from kt_cp.graph import Graph
from kt_cp.messages import InputError, checked_time_limit
from kt_cp.problem.instance import Instance
from kt_cp.tour.features import FEATURES, MEASURES, feature_named
from kt_cp.tour.tour import Tour

# -- time -----------------------------------------------------------------------------------------

OUT_OF_TIME = "the time limit was reached"


class OutOfTimeError(Exception):
    """The time limit was reached before there was an answer."""

    def __init__(self, message: str = OUT_OF_TIME) -> None:
        super().__init__(message)


@dataclass
class Clock:
    """A stopwatch with a positive limit in seconds, or None for no limit.

    If there is a function ``is_interrupted``, no time is left once it returns True. Raises
    `InputError` for a limit that is not a positive number.
    """

    limit: float | None = None
    started: float = field(default_factory=time.perf_counter)
    is_interrupted: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if self.limit is not None:
            checked_time_limit(self.limit)

    @property
    def seconds(self) -> float:
        """The seconds since the start, without those in which the clock was stopped."""
        return time.perf_counter() - self.started

    @property
    def remaining(self) -> float:
        """The seconds that are left, at least 0, and infinitely many without a limit."""
        if self.is_interrupted is not None and self.is_interrupted():
            return 0.0
        return math.inf if self.limit is None else max(0.0, self.limit - self.seconds)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clock inside a ``with`` block, such as one that imports a package."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.started += time.perf_counter() - began

    def remaining_limit(self) -> float | None:
        """Return the limit for the rest of the work: the seconds left, or None without a limit.

        Raises `OutOfTimeError` if no time is left.
        """
        self.check()
        return None if self.limit is None else self.remaining

    def for_share(self, share: float) -> Clock:
        """Return a clock that ends after a share of the seconds left, such as 0.5.

        It has no limit if this one has none, and is interrupted as this one is.

        >>> halved = Clock(10.0).for_share(0.5)
        >>> 4.9 < halved.remaining <= 5.0, Clock().for_share(0.5).limit
        (True, None)
        """
        if self.limit is None:
            return replace(self)
        return replace(self, limit=self.seconds + share * self.remaining)

    def check(self, needed: float = 0) -> None:
        """Raise `OutOfTimeError` unless more than ``needed`` seconds are left."""
        if self.remaining <= needed:
            raise OutOfTimeError


# The costs, in seconds, of work that cannot be interrupted. It is begun only if more time is left
# than its cost times its size: ``clock.check(SECONDS_PER_ARC * len(arcs))``. They were measured on
# one core of a server, mostly on closed 200x200, and are a few times larger, so that a busy or
# slower machine keeps a time limit too.

SECONDS_PER_SCANNED = 1e-6
"""A vertex or edge in a scan by NumPy."""

SECONDS_PER_EDGE = 2e-6
"""A vertex or edge in a graph of edges, in a maximum flow, or in a step of a frontier."""

SECONDS_PER_ARC = 5e-6
"""An arc in a model of CP-SAT."""

SECONDS_IN_FLOWS = 2e-5
"""A vertex in several flows, in a search for separators, or in the graph of `kt_dfs`."""

SECONDS_IN_LOOP = 4e-5
"""A vertex in a loop in Python, or a pair of a square and a step in a formula."""


# -- objectives -----------------------------------------------------------------------------------

# A function that takes a `kt_cp.model.custom.CustomModel`, and returns an expression.
CustomObjective = Callable[[Any], Any]


class Sense(StrEnum):
    """The direction of optimization."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"


_LARGEST_WEIGHT = 10**8  # given to CP-SAT if some weights are not whole


@dataclass(frozen=True)
class Weights:
    """A weight for each arc of a graph; the value of a tour is their sum along its moves.

    CP-SAT takes whole numbers: the weights times ``scale``, which is 1 if all of them are whole,
    rounded. A sum differs by at most ``slack`` for each move.
    """

    name: str
    by_arc: Mapping[tuple[int, int], float]

    def count(self, tour: Tour) -> float:
        """Return the weight of a tour: exact if all weights are whole numbers."""
        path = tour.squares.tolist()
        if tour.closed:
            path.append(path[0])
        return math.fsum(map(self.by_arc.__getitem__, itertools.pairwise(path)))

    @cached_property
    def scale(self) -> float:
        """What the weights are multiplied by before they are rounded."""
        if all(float(each).is_integer() for each in self.by_arc.values()):
            return 1.0
        return _LARGEST_WEIGHT / max(map(abs, self.by_arc.values()))

    @property
    def slack(self) -> float:
        """The largest difference that rounding makes to a weight."""
        return 0 if self.scale == 1 else 0.5 / self.scale

    @property
    def is_symmetric(self) -> bool:
        """Whether each move has the same weight in both directions, where it can be made."""
        weights = self.by_arc
        return all(weights.get((b, a), weight) == weight for (a, b), weight in weights.items())


@dataclass(frozen=True)
class Objective:
    """What is minimized or maximized: a feature by its name, weights, or a custom function."""

    feature: str | Weights | CustomObjective
    sense: Sense

    @classmethod
    def of(cls, asked: str | Callable[..., Any], sense: Sense, graph: Graph) -> Objective:
        """Return an objective as users give it to `kt_cp.solve`.

        It is a feature of tours of a board, an attribute of the edges of another graph, a function
        of two vertices, or one of a model. Raises `InputError` for an unknown name, and a board on
        which a feature is not defined.
        """
        if callable(asked):
            count = _required_count(asked)
            if count > 2:
                raise InputError(
                    f"a function of {count} arguments: give one of two vertices, or the name of an "
                    "attribute of the edges"
                )
            if count != 2:
                return cls(asked, sense)
            name = _name_of(asked, "weight")
        elif not isinstance(asked, Hashable):
            raise InputError(
                f"objective {reprlib.repr(asked)}: give the name of a feature or of an attribute "
                "of edges, or a function"
            )
        elif asked in MEASURES:
            raise InputError(
                f"{asked} do not differ between tours of all {graph.vocabulary.vertices}; "
                "'kt longest' and longest_path find the longest path"
            )
        elif graph.has_places or asked in FEATURES:
            feature_named(asked).check(graph)
            return cls(asked, sense)
        else:
            name = asked
        return cls(Weights(name, graph.arc_weights(asked)), sense)

    @property
    def name(self) -> str:
        """The name of the feature, of the weights, or of the function."""
        if isinstance(self.feature, str):
            return self.feature
        if isinstance(self.feature, Weights):
            return self.feature.name
        return _name_of(self.feature, "custom objective")

    @property
    def may_depend_on_direction(self) -> bool:
        """Whether a closed tour and its reverse may have different values."""
        if isinstance(self.feature, Weights):
            return not self.feature.is_symmetric
        return callable(self.feature)

    def value_of(self, tour: Tour) -> float:
        """Return the value of a tour. The objective must be a feature or weights."""
        if isinstance(self.feature, Weights):
            return self.feature.count(tour)
        assert isinstance(self.feature, str)
        return feature_named(self.feature).count(tour)


def _required_count(function: Callable[..., Any]) -> int:
    """Return how many arguments a function needs."""
    parameters = inspect.signature(function).parameters.values()
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return sum(each.default is each.empty and each.kind not in starred for each in parameters)


def _name_of(function: Callable[..., Any], unnamed: str) -> str:
    """Return the name of a function, or ``unnamed`` for a lambda."""
    name = str(getattr(function, "__name__", unnamed))
    return unnamed if name == "<lambda>" else name


# -- optima ---------------------------------------------------------------------------------------


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
    CADICAL = "CaDiCaL"


_BASES = {
    BoundProof.SEPARATOR: "by a separator",
    BoundProof.BLOCKS: "by blocks",
    BoundProof.DEGREES: "by degrees",
    BoundProof.NO_TOUR: "as there is no tour",
    BoundProof.CP_SAT: "by CP-SAT alone",
    BoundProof.CADICAL: "by CaDiCaL alone",
}


@dataclass(frozen=True)
class Optimum:
    """The value of the best tour found, the proven bound on all tours, and a trace of improvements.

    ``proof`` is the kind of proof of the bound: a separator or a certificate that there is no tour
    of all squares, which anyone can check, the blocks of the graph, the degrees of its vertices, or
    a solver alone. It is None if nothing is proven, and if the value needs no proof.
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
    def verdict(self) -> str:
        """``optimal``, or the bound, such as ``the proven bound is 28``."""
        if self.optimal:
            return "optimal"
        return "nothing is proven" if self.bound is None else f"the proven bound is {self.bound}"

    @property
    def verdict_with_proof(self) -> str:
        """The verdict with the kind of proof, such as ``optimal by a separator``."""
        return self.verdict if self.proof is None else f"{self.verdict} {_BASES[self.proof]}"

    def as_dict(self) -> dict[str, object]:
        """Return the fields as values that JSON can hold."""
        trace = [
            {"seconds": each.seconds, "value": each.value, "bound": each.bound}
            for each in self.trace
        ]
        proof = None if self.proof is None else self.proof.value
        return {**vars(self), "sense": self.sense.value, "trace": trace, "proof": proof}


# -- the task -------------------------------------------------------------------------------------

Value = bool | int | float | str | list[str]
"""The value of a field of CP-SAT's ``SatParameters``; that of an enumeration by its name."""

Parameters = Mapping[str, Value]
"""Fields of CP-SAT's ``SatParameters``, by name."""


MAX_SEED = 2**31 - 1
"""The largest seed, which is that of CP-SAT."""


@dataclass(frozen=True)
class Task:
    """An instance with limits and settings: the argument of every method.

    A method is a function ``answer(task) -> Answer``. It looks for a tour of ``instance`` until the
    ``clock`` has no time left: ``clock.remaining`` is in seconds, and ``clock.check()`` raises
    `OutOfTimeError`. It may use ``workers`` threads, and takes its random choices from ``seed``, so
    that with one worker the same seed gives the same answer.

    ``parameters`` are fields of CP-SAT's ``SatParameters``, and ``hint`` is a path, as ids in
    visiting order, with which the search begins; it need not be a tour. With an ``objective``, the
    best tour is sought, and ``progress`` is called with each improvement. A method gets parameters,
    a hint and an objective only if its row in the table of methods says that it supports them.

    >>> task = Task(Instance.of("5x5", start="a1"), Clock(10))
    >>> task.workers, task.seed, task.objective
    (1, 0, None)
    """

    instance: Instance
    clock: Clock = field(default_factory=Clock)
    workers: int = 1
    seed: int = 0
    parameters: Parameters = field(default_factory=dict)
    hint: Squares | None = None
    objective: Objective | None = None
    progress: Callable[[Improvement], None] | None = None
