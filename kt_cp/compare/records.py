"""Runs and their records, as plain data and as JSON values, and the machine that made them."""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from kt_cp.errors import printable
from kt_cp.methods.table import METHODS


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


class Run(NamedTuple):
    """A method applied to an instance, for the n-th time; the key of its record.

    ``board`` is the board's name in the settings. ``start`` is None where the method chooses; in a
    closed tour it is the square at which a search begins.
    """

    method: str
    board: str
    kind: str
    start: int | None
    seed: int
    repetition: int

    def describe(self) -> str:
        """Return the run in a few words, such as ``dfs 8x8 open from 0``."""
        start = "" if self.start is None else f" from {self.start}"
        repetition = f" #{self.repetition + 1}" if self.repetition else ""
        return f"{self.method} {self.board} {self.kind}{start}{repetition}"


@dataclass(frozen=True)
class Record:
    """A run and its outcome: one line of a log.

    ``seconds`` is the time of `solve` from the call to the answer and ``cpu_seconds`` the processor
    time of all threads meanwhile; ``startup`` are the seconds before, for the process and a
    warm-up. ``memory`` is the peak resident memory of the process in MiB, interpreter and libraries
    included, and ``startup_memory`` its value before the run (None: the run never began).
    ``timed_out``: the time limit ended the run. ``validated``: the tour passed `validate` a second
    time, in the run's own process (None: there is no tour). ``counters`` are the method's own.
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
        """The seconds it took, infinite when it was not solved."""
        return self.seconds if self.solved else math.inf

    @property
    def disturbed(self) -> bool:
        """Whether wall time and CPU time differ by more than a tenth, and by more than 10 ms."""
        return abs(self.seconds - self.cpu_seconds) > max(0.1 * self.seconds, 0.01)

    @property
    def effort(self) -> tuple[str, float] | None:
        """The method's own unit of effort, such as calls or branches, and its count."""
        units = ("calls", "branches", "choices", "nodes")
        return next(((unit, self.counters[unit]) for unit in units if unit in self.counters), None)

    @property
    def ending(self) -> str:
        """In a word or two how it ended."""
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
        return {**self.run._asdict(), **{k: v for k, v in asdict(self).items() if k != "run"}}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Record:
        """Rebuild a record from `as_dict`. Raises one of `MALFORMED` for anything else.

        >>> run = Run("dfs", "5x5", "open", 0, seed=0, repetition=0)
        >>> record = Record(run, 25, RunStatus.FOUND, seconds=0.25, cpu_seconds=0.25)
        >>> Record.from_dict(record.as_dict()) == record
        True
        """
        rest = {name: value for name, value in values.items() if name not in Run._fields}
        record = cls(Run(**{name: values[name] for name in Run._fields}), **rest)
        optional = (record.startup, record.memory, record.startup_memory)
        measured = [record.squares, record.seconds, record.cpu_seconds, *record.counters.values()]
        for number in (*measured, *(value for value in optional if value is not None)):
            if type(number) not in (int, float) or not 0 <= number < math.inf:
                raise ValueError(f"{number!r} is no number that can be measured")
        return replace(
            record,
            status=RunStatus(record.status),
            reason=None if record.reason is None else printable(str(record.reason)),
            machine=printable(str(record.machine)),
        )


MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What parsing JSON and building values from it may raise where the input is malformed."""


@cache
def versions() -> dict[str, str]:
    """Return the versions that a run's answer and speed depend on, of what is installed.

    >>> list(versions())[:4]
    ['python', 'knights-tours', 'ortools', 'python-sat']
    """
    peers = [method.package for method in METHODS.values() if method.package]
    packages = {"python": platform.python_version()}
    for name in ("knights-tours", "ortools", "python-sat", *peers):
        with suppress(PackageNotFoundError):
            packages[name] = version(name)
    return packages


@cache
def machine() -> str:
    """Describe the machine: processor, number of processors, operating system."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError):
        if model := re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M):
            processor = model[1]
    return f"{processor}, {os.cpu_count()} CPUs, {platform.system()} {platform.release()}"
