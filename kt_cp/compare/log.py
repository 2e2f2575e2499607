"""The log of a comparison: a header with the settings, then a record a line, as JSON lines.

Whatever happens to the process, a line once written stays; a line that is torn is dropped when the
file is read again.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from kt_cp.compare.settings import Run, Settings
from kt_cp.errors import InputError, pluralize
from kt_cp.files import import_optional, name_in_errors, open_input, read_bounded
from kt_cp.methods.table import METHODS

_FORMAT = 4
_MOST = 2**30  # bytes: a million records are half of that

# With these a spreadsheet takes the text of a cell for a formula (OWASP, CSV Injection).
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")

# What parsing JSON and building values from it may raise where the input is malformed.
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


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


@dataclass(frozen=True)
class Record:
    """A run and its outcome: one line of a log.

    ``seconds`` is the time of `solve`, and ``cpu_seconds`` the processor time of all threads
    meanwhile; ``startup`` are the seconds before, for the process and a warm-up. ``memory`` is the
    peak resident memory of the process in MiB, and ``startup_memory`` that before the run (None: it
    never began). ``timed_out``: the time limit ended it. ``validated``: the tour passed the
    validator (None: there is no tour). ``counters`` are the method's own.
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
        for unit in ("calls", "branches", "choices", "nodes"):
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
        """Rebuild a record from `as_dict`. Raises `ValueError`, say, for other values.

        >>> run = Run("dfs", "5x5", "open", 0, seed=0, repetition=0)
        >>> record = Record(run, 25, RunStatus.FOUND, seconds=0.25, cpu_seconds=0.25)
        >>> Record.from_dict(record.as_dict()) == record
        True
        """
        rest = {name: value for name, value in values.items() if name not in Run._fields}
        rest["status"] = RunStatus(rest["status"])
        record = cls(Run(**{name: values[name] for name in Run._fields}), **rest)
        known = [record.squares, record.seconds, record.cpu_seconds, *record.counters.values()]
        known += [record.startup or 0, record.memory or 0, record.startup_memory or 0]
        measured = all(type(each) in (int, float) and 0 <= each < math.inf for each in known)
        counted = all(type(each) is int for each in (record.run.seed, record.run.repetition))
        told = type(record.machine) is str and isinstance(record.reason, str | None)
        if not (measured and counted and told):
            raise ValueError("not the values of a record")
        return record


@dataclass(frozen=True)
class Log:
    """The contents of a log.

    ``torn``: the last line was incomplete and has been dropped. ``size``: the bytes before it.
    """

    settings: Settings
    versions: Mapping[str, str]
    machine: str
    records: tuple[Record, ...]
    torn: bool = False
    size: int = 0

    def __repr__(self) -> str:
        boards = pluralize(len(self.settings.boards), "board")
        return f"<comparison on {boards}: {pluralize(len(self.records), 'run')}>"

    @property
    def missing(self) -> int:
        """How many runs of the settings have no record yet."""
        return sum(1 for _ in self.settings.runs()) - len(self.records)

    def rows(self) -> list[dict[str, Any]]:
        """Return the records as flat dictionaries of the same keys, one for each counter too."""
        units = sorted({unit for record in self.records for unit in record.counters})
        rows = []
        for record in self.records:
            row = record.as_dict()
            del row["counters"], row["versions"]
            rows.append({**row, **dict.fromkeys(units), **record.counters})
        return rows

    def to_csv(self) -> str:
        """Return the `rows` as a CSV file; what is None is left empty.

        Text that a spreadsheet would run as a formula, such as ``=1+1``, has an apostrophe before
        it.
        """
        rows, text = self.rows(), io.StringIO()
        writer = csv.DictWriter(text, rows[0] if rows else (), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _without_formula(value) for name, value in row.items()})
        return text.getvalue()

    def to_frame(self) -> Any:
        """Return the `rows` as a `pandas.DataFrame`. Raises `InputError` without pandas."""
        pandas = import_optional("pandas", "data frames", "pip install pandas")
        return pandas.DataFrame(self.rows())


def _without_formula(cell: object) -> object:
    """Return the value of a cell, with an apostrophe before text that begins like a formula."""
    if isinstance(cell, str) and cell.startswith(_FORMULA_SIGNS):
        return f"'{cell}"
    return cell


def read_log(path: str | Path) -> Log:
    """Read a log. Raises `InputError`, with the line, for any other file."""
    wanted = "a file that kt compare wrote"
    records: list[Record] = []
    with open_input(str(path), wanted) as file:
        content = read_bounded(file, _MOST)
        size = content.rfind(b"\n") + 1
        first, *lines = content[:size].splitlines() or [b""]
        try:
            header = json.loads(first)
            if header["kt-compare"] != _FORMAT:
                raise InputError("it was written by another version")
            settings = Settings.from_dict(header["settings"])
            log = Log(settings, {**header["versions"]}, str(header["machine"]), ())
        except _MALFORMED as error:
            other = f"not the settings of a comparison; give {wanted}"
            told = error if isinstance(error, InputError) else other
            raise InputError(f"line 1: {told}") from None
        left = {run: len(settings.boards[run.board]) for run in settings.runs()}
        for number, line in enumerate(lines, start=2):
            try:
                record = Record.from_dict(json.loads(line))
                squares = left.pop(record.run, None)
            except _MALFORMED:
                raise InputError(f"line {number} is not the record of a run") from None
            if record.squares != squares:
                wrong = "is not a run of the settings in line 1, or is there twice"
                raise InputError(f"line {number}: {record.run.describe()} {wrong}")
            records.append(record)
    return replace(log, records=tuple(records), torn=size < len(content), size=size)


@contextmanager
def opened_log(
    path: str | Path | None, settings: Settings | None = None
) -> Iterator[tuple[Log, Callable[[Record], None]]]:
    """Open a new log for these settings, or without any the one that is there, and lock it.

    Yields what it holds so far, and a function that adds a record, which is then on the disk; where
    the path is None, nothing is written. Raises `InputError` when a new log exists already, and
    when the one to continue is no log, was made with other versions, or is being written by another
    process.
    """
    if path is None:
        assert settings is not None
        yield Log(settings, versions(), machine(), ()), lambda record: None
        return
    with name_in_errors(path), _locked(path, "r+b" if settings is None else "ab") as file:
        log = _continued(path, file) if settings is None else _begun(path, file, settings)

        def keep(record: Record) -> None:
            _check_versions(path, log, "the worker", record.versions)
            _append(file, record.as_dict())

        yield log, keep


@contextmanager
def _locked(path: str | Path, mode: str) -> Iterator[IO[bytes]]:
    """Open a file that no other comparison is writing to, and lock it."""
    fcntl = import_optional(
        "fcntl", "files of comparisons", "use Linux or macOS, or WSL on Windows"
    )
    try:
        file = open(path, mode)  # noqa: SIM115 - closed below
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{path}: another comparison is writing to it") from None
        yield file


def _begun(path: str | Path, file: IO[bytes], settings: Settings) -> Log:
    """Write the header of a new log."""
    if file.tell():
        raise InputError(f"{path}: exists already; continue it with --resume, or name another")
    log = Log(settings, versions(), machine(), ())
    made = {"versions": log.versions, "machine": log.machine}
    _append(file, {"kt-compare": _FORMAT, "settings": settings.as_dict(), **made})
    return log


def _continued(path: str | Path, file: IO[bytes]) -> Log:
    """Read a log to be continued, and drop its last line if that is torn."""
    log = read_log(path)
    _check_versions(path, log, "this", versions())
    file.truncate(log.size)
    file.seek(log.size)
    return log


def _append(file: IO[bytes], values: Mapping[str, Any]) -> None:
    """Write a line of JSON, which is on the disk when this returns."""
    file.write(json.dumps(values).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _check_versions(path: str | Path, log: Log, who: str, here: Mapping[str, str]) -> None:
    """Raise `InputError` if the versions ``here`` are not those with which the log was made."""
    for name, wanted in log.versions.items():
        found = here.get(name)
        if found != wanted:
            raise InputError(
                f"{path}: was made with {name} {wanted}, {who} is {found}; runs of different"
                " versions are not mixed in one log"
            )


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
        about = Path("/proc/cpuinfo").read_text("utf-8", errors="replace")
        if model := re.search(r"^model name\s*: (.*)$", about, re.MULTILINE):
            processor = model[1]
    return f"{processor}, {os.cpu_count()} CPUs, {platform.system()} {platform.release()}"
