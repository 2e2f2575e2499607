"""Runs and their records, as plain data and as JSON values, and the machine that made them."""

from __future__ import annotations

import builtins
import math
import os
import platform
from collections import abc
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import psutil

from kt_cp.board import Board
from kt_cp.board.square_names import chess_name
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

    @property
    def instance(self) -> tuple[object, ...]:
        """What has to be equal for two methods to be compared."""
        return self[1:]

    def describe(self, board: Board | None = None) -> str:
        """Return the run in a few words, such as ``dfs 8x8 open from 0``."""
        words = [self.method, self.board, self.kind]
        if self.start is not None:
            words.append(f"from {chess_name(board, self.start) if board else self.start}")
        if self.repetition:
            words.append(f"#{self.repetition + 1}")
        return " ".join(words)


@dataclass(frozen=True)
class Record:
    """A run and its outcome: one line of a log.

    ``seconds`` is the time of `solve` from the call to the answer and ``cpu_seconds`` the processor
    time of all threads meanwhile; ``startup`` are the seconds before, for the process and a
    warm-up. ``memory`` is the peak resident memory of the process in MiB, interpreter and libraries
    included, and ``startup_memory`` its value before the run (None: the system does not report it,
    or the run never began). ``timed_out``: the time limit ended the run. ``validated``: the tour
    passed `validate` a second time, in the run's own process (None: there is no tour).
    ``counters`` are the method's own.
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
    def memory_taken(self) -> float | None:
        """The MiB by which the run raised the memory of its process; None if not known."""
        if self.memory is None or self.startup_memory is None:
            return None
        return self.memory - self.startup_memory

    @property
    def effort(self) -> tuple[str, float] | None:
        """The method's own unit of effort, such as calls or branches, and its count."""
        for unit in ("calls", "branches", "choices", "nodes"):
            if unit in self.counters:
                return unit, self.counters[unit]
        return None

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
        run = {name: values[name] for name in Run._fields}
        rest = {name: value for name, value in values.items() if name not in run}
        record: Record = typed(cls, {"run": run, **rest})
        return record


MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What parsing JSON and building values from it may raise where the input is malformed."""


def typed(kind: Any, value: Any) -> Any:
    """Return a JSON value as the declared type: a dataclass, a container, an enum or a scalar.

    Numbers must be finite and not negative, as all numbers of a log are. Control characters in
    strings are escaped. Raises one of `MALFORMED` for a value of another type.

    >>> typed(tuple[int, ...], [1, 2]), typed(float | None, None), typed(str, "a\\x1b")
    ((1, 2), None, 'a\\\\x1b')
    """
    return _reader(kind)(value)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """Return the function that makes values of a type from JSON values."""
    inner = [_reader(each) for each in get_args(kind) if each not in (..., type(None))]
    if isinstance(kind, UnionType):
        return lambda value: None if value is None else inner[0](value)
    match get_origin(kind):
        case builtins.tuple:
            return lambda value: tuple(map(inner[0], value))
        case abc.Mapping:
            return lambda value: {inner[0](key): inner[1](item) for key, item in value.items()}
    if kind is Board:
        return lambda value: Board(**value)
    if issubclass(kind, StrEnum):
        return lambda value: kind(value)
    if hints := get_type_hints(kind):
        readers = {name: _reader(hint) for name, hint in hints.items()}
        return lambda value: kind(**{name: readers[name](item) for name, item in value.items()})
    return partial(_scalar, kind)


def _scalar(kind: Any, value: Any) -> Any:
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}")
    if kind in (int, float) and not 0 <= value < math.inf:
        raise ValueError(f"{value!r} is negative or not finite")
    return printable(value) if kind is str else value


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
    processor = _process_file("cpuinfo", "model name") or platform.processor()
    system = f"{platform.system()} {platform.release()}"
    return f"{processor or platform.machine()}, {os.cpu_count()} CPUs, {system}"


def peak_memory(pid: int | None = None) -> float | None:
    """Return the peak resident memory in MiB of a process, by default this one; None if it is gone.

    Linux and Windows count the peak of each process. Elsewhere it is the memory at present, of
    which whoever asks again and again knows the peak.
    """
    if peak := _process_file(f"{pid or 'self'}/status", "VmHWM"):
        return int(peak.split()[0]) / 1024
    with suppress(psutil.Error):
        memory = psutil.Process(pid).memory_info()
        return float(getattr(memory, "peak_wset", memory.rss) / 2**20)
    return None


def _process_file(file: str, name: str) -> str | None:
    """Return the first value of that name in a file below Linux's /proc, None elsewhere."""
    with suppress(OSError):
        for line in Path("/proc", file).read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == name:
                return value.strip()
    return None
