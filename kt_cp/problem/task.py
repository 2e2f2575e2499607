"""The task: the argument of every method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kt_cp.arrays import Squares
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import Improvement, Objective

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
