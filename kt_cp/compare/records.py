"""The record of a run: its outcome, as one line of a log."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from kt_cp.compare.settings import Run
from kt_cp.messages import malformed_as

# The units in which methods count their effort.
_EFFORT_UNITS = ("calls", "branches", "choices", "nodes")


class RunStatus(StrEnum):
    """How a run ended: with one of the three answers of `solve`, or with none of them.

    ``unsupported``: the method rejects such an instance. ``error``: the run crashed, or was killed
    because it took too much memory.
    """

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"
    ERROR = "error"


SOLVED = (RunStatus.FOUND, RunStatus.IMPOSSIBLE)
"""The statuses of a run that was solved: a tour, or a proof that there is none."""


@dataclass(frozen=True)
class Record:
    """A run and its outcome: one line of a log.

    - ``squares``: the number of squares of the board.
    - ``seconds``, ``cpu_seconds``: the time of `solve`, and the processor time of all threads.
    - ``startup``: the seconds before that, for the process and a warm-up.
    - ``memory``, ``startup_memory``: the peak resident memory of the process in MiB, in all and
      before the run; None if the run never began.
    - ``timed_out``: whether the time limit ended the run.
    - ``validated``: whether the tour passed the validator; None without a tour.
    - ``reason``: why there is no tour or no answer.
    - ``counters``: those of the method, by name.
    - ``versions``, ``machine``: see `kt_cp.compare.environment`.
    """

    run: Run
    squares: int
    status: RunStatus
    seconds: float
    cpu_seconds: float
    startup: float | None = None
    memory: float | None = None
    startup_memory: float | None = None
    timed_out: bool = False
    validated: bool | None = None
    reason: str | None = None
    counters: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    machine: str = ""

    @property
    def solved(self) -> bool:
        """Whether the run gave a tour, or a proof that there is none."""
        return self.status in SOLVED

    @property
    def seconds_if_solved(self) -> float:
        """The seconds of the run, infinite if it was not solved."""
        return self.seconds if self.solved else math.inf

    @property
    def disturbed(self) -> bool:
        """Whether wall time and CPU time differ by more than a tenth, and by more than 10 ms."""
        return abs(self.seconds - self.cpu_seconds) > max(0.1 * self.seconds, 0.01)

    @property
    def effort(self) -> tuple[str, float] | None:
        """The unit in which the method counts its effort, such as calls, and the count."""
        for unit in _EFFORT_UNITS:
            if unit in self.counters:
                return unit, self.counters[unit]
        return None

    @property
    def ending(self) -> str:
        """How the run ended, in one or two words."""
        if self.status is RunStatus.UNKNOWN:
            return "limit" if self.timed_out else "gave up"
        return "n/a" if self.status is RunStatus.UNSUPPORTED else self.status.value

    @property
    def summary(self) -> str:
        """The run, how it ended and, unless it was solved, why."""
        reason = f": {self.reason}" if self.reason and not self.solved else ""
        return f"{self.run.describe()}: {self.status.value} in {self.seconds:.3g} s{reason}"

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain values, one level deep except for counters and versions."""
        values = asdict(self)
        del values["run"]
        return {**self.run._asdict(), **values}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Record:
        """Rebuild a record from `as_dict`. Raises `ValueError` for other values.

        >>> run = Run("dfs", "5x5", "open", 0, seed=0, repetition=0)
        >>> record = Record(run, 25, RunStatus.FOUND, seconds=0.25, cpu_seconds=0.25)
        >>> Record.from_dict(record.as_dict()) == record
        True
        """
        with malformed_as(ValueError("not the values of a record")):
            rest = dict(values)
            run = Run(**{name: rest.pop(name) for name in Run._fields})
            record = cls(run, **{**rest, "status": RunStatus(rest["status"])})
            record._check_numbers()
            record._check_other_values()
            return record

    def _check_numbers(self) -> None:
        """Raise `ValueError` unless all counts, times and sizes are finite numbers from 0 on."""
        numbers = [self.squares, self.seconds, self.cpu_seconds, *self.counters.values()]
        optional = (self.startup, self.memory, self.startup_memory)
        numbers += [number for number in optional if number is not None]
        for number in numbers:
            if type(number) not in (int, float) or not 0 <= number < math.inf:
                raise ValueError(f"{number!r} is no count, time or size")
        for number in (self.run.seed, self.run.repetition):
            if type(number) is not int:
                raise ValueError(f"{number!r} is no seed or repetition")

    def _check_other_values(self) -> None:
        """Raise `ValueError` for flags that are not Boolean, and for values that must be text."""
        if type(self.timed_out) is not bool or not isinstance(self.validated, bool | None):
            raise ValueError("a flag is true or false")
        if not isinstance(self.reason, str | None):
            raise ValueError("a reason is a text")
        for text in (self.machine, *self.versions, *self.versions.values()):
            if not isinstance(text, str):
                raise ValueError(f"{text!r} is not text")
