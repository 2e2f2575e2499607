"""The task, which is the argument of every method: an instance, a clock and an objective."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from kt_cp.arrays import Squares
from kt_cp.graph import Graph
from kt_cp.messages import InputError, checked_time_limit
from kt_cp.problem.instance import Instance
from kt_cp.tour.features import MEASURES, feature_named


class OutOfTimeError(Exception):
    """The time limit was reached before there was an answer."""

    def __init__(self, message: str = "the time limit was reached") -> None:
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
# than its cost times its size: ``clock.check(ARC * len(arcs))``. They were measured on one core of
# a server, mostly on closed 200x200, and are a few times larger, so that a busy or slower machine
# keeps a time limit too.

SCAN = 1e-6
"""A vertex or edge in a scan by NumPy."""

EDGE = 2e-6
"""A vertex or edge in a graph of edges, in a maximum flow, or in a step of a frontier."""

ARC = 5e-6
"""An arc in a model of CP-SAT."""

FLOW = 2e-5
"""A vertex in several flows, in a search for separators, or in the graph of `kt_dfs`."""

LOOP = 4e-5
"""A vertex in a loop in Python, or a pair of a square and a step in a formula."""


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
    CADICAL = "CaDiCaL"


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
        if self.proof in (BoundProof.CP_SAT, BoundProof.CADICAL):
            return f"{self.verdict} by {self.proof} alone"
        proofs = {
            None: "",
            BoundProof.SEPARATOR: " by a separator",
            BoundProof.NO_TOUR: " as there is no tour",
        }
        return self.verdict + proofs.get(self.proof, f" by {self.proof}")

    def as_dict(self) -> dict[str, object]:
        """Return the fields as values that JSON can hold."""
        trace = [
            {"seconds": each.seconds, "value": each.value, "bound": each.bound}
            for each in self.trace
        ]
        proof = None if self.proof is None else self.proof.value
        return {**vars(self), "sense": self.sense.value, "trace": trace, "proof": proof}


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
