"""The log of a comparison: a header with the settings, then a record of each run.

In a file, each is a line of JSON. A line that was written stays, whatever happens to the process;
an incomplete last line is dropped when the file is read again.
"""

from __future__ import annotations

import json
import math
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from kt_cp.compare.settings import Run, Settings
from kt_cp.files import import_optional, name_in_errors, open_input, read_bounded
from kt_cp.messages import InputError, malformed_as, pluralize
from kt_cp.methods.table import METHODS

_FORMAT = 4  # the version of the format
_MAX_BYTES = 2**30  # a million records take half of that
_FILE_KIND = "a file that kt compare wrote"

# The units in which methods count their effort.
_EFFORT_UNITS = ("calls", "branches", "choices", "nodes")

# A spreadsheet runs text that begins with one of these as a formula (OWASP, CSV Injection).
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python, of this package and of the installed solvers, by name.

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
    """Return a description of the machine: processor, number of processors, operating system."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError):
        about = Path("/proc/cpuinfo").read_text("utf-8", errors="replace")
        if model := re.search(r"^model name\s*: (.*)$", about, re.MULTILINE):
            processor = model[1]
    return f"{processor}, {os.cpu_count()} CPUs, {platform.system()} {platform.release()}"


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
    - ``counters``: what the method counted, by name.
    - ``versions``, ``machine``: what the functions `versions` and `machine` returned.
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
        return self.status in (RunStatus.FOUND, RunStatus.IMPOSSIBLE)

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
            numbers = [record.squares, record.seconds, record.cpu_seconds, record.startup or 0]
            numbers += [record.memory or 0, record.startup_memory or 0, *record.counters.values()]
            if not (
                all(type(each) in (int, float) and 0 <= each < math.inf for each in numbers)
                and all(isinstance(each, str) for each in (record.machine, record.reason or ""))
            ):
                raise ValueError("a value is of another type, or out of range")
            return record


@dataclass(frozen=True)
class Log:
    """The contents of a log.

    ``last_line_torn`` tells whether the last line was incomplete and has been dropped;
    ``complete_bytes`` is the number of bytes before that line. ``date`` is the day on which the
    comparison began, None if the log does not tell.
    """

    settings: Settings
    versions: Mapping[str, str]
    machine: str
    records: tuple[Record, ...] = ()
    last_line_torn: bool = False
    complete_bytes: int = 0
    date: date | None = None

    def __repr__(self) -> str:
        boards = pluralize(len(self.settings.boards), "board")
        return f"<comparison on {boards}: {pluralize(len(self.records), 'run')}>"

    @property
    def missing(self) -> int:
        """The number of runs of the settings that have no record yet."""
        return sum(1 for _ in self.settings.runs()) - len(self.records)

    def rows(self) -> list[dict[str, Any]]:
        """Return the records as flat dictionaries with the same keys, among them the counters."""
        units = dict.fromkeys(sorted({unit for each in self.records for unit in each.counters}))
        rows = [{**record.as_dict(), **units, **record.counters} for record in self.records]
        for row in rows:
            del row["counters"], row["versions"]
        return rows

    def to_csv(self) -> str:
        """Return the `rows` as the content of a CSV file, with an empty cell for None.

        Text that a spreadsheet would run as a formula, such as ``=1+1``, is preceded by an
        apostrophe, also among the names of the columns.
        """

        def without_formula(cell: object) -> object:
            """Return a cell, with an apostrophe before text that begins like a formula."""
            is_formula = isinstance(cell, str) and cell.startswith(_FORMULA_SIGNS)
            return f"'{cell}" if is_formula else cell

        frame = self.to_frame(dtype=object).map(without_formula).rename(columns=without_formula)
        return str(frame.to_csv(index=False, lineterminator="\n"))

    def to_frame(self, dtype: Any = None) -> Any:
        """Return the `rows` as a `pandas.DataFrame`, whose columns may be of one type."""
        import pandas

        return pandas.DataFrame(self.rows(), dtype=dtype)


AddRecord = Callable[[Record], None]
"""A function that appends a record to a file; the record is on the disk when it returns."""


def read_log(path: str | Path) -> Log:
    """Return the log in a file. Raises `InputError`, with the line, for any other file."""
    with open_input(str(path), _FILE_KIND) as file:
        content = read_bounded(file, _MAX_BYTES)
        complete_bytes = content.rfind(b"\n") + 1
        header, *lines = content[:complete_bytes].splitlines() or [b""]
        log = _parse_header(header)
        expected = {run: len(log.settings.boards[run.board]) for run in log.settings.runs()}
        records: list[Record] = []
        for number, line in enumerate(lines, start=2):
            with malformed_as(InputError(f"line {number} is not the record of a run")):
                record = Record.from_dict(json.loads(line))
                squares = expected.pop(record.run, None)
            if record.squares != squares:
                raise InputError(
                    f"line {number}: {record.run.describe()} is not a run of the settings in "
                    "line 1, or is there twice"
                )
            records.append(record)
    return replace(
        log,
        records=tuple(records),
        last_line_torn=complete_bytes < len(content),
        complete_bytes=complete_bytes,
    )


def _parse_header(line: bytes) -> Log:
    """Return the log without records that the first line of a file describes."""
    try:
        with malformed_as(InputError(f"not the settings of a comparison; give {_FILE_KIND}")):
            header = json.loads(line)
            if header["kt-compare"] != _FORMAT:
                raise InputError("it was written by another version")
            day = date.fromisoformat(header["date"]) if "date" in header else None
            settings = Settings.from_dict(header["settings"])
            return Log(settings, {**header["versions"]}, str(header["machine"]), date=day)
    except InputError as error:
        raise InputError(f"line 1: {error}") from None


def new_log(settings: Settings) -> Log:
    """Return the log of a comparison that begins today on this machine."""
    return Log(settings, versions(), machine(), date=date.today())


@contextmanager
def open_log(path: str | Path, settings: Settings | None = None) -> Iterator[tuple[Log, AddRecord]]:
    """Create the file of a comparison with these settings, or continue one that is there.

    Lock the file, and yield its log and a function that adds records. An incomplete last line is
    dropped. Raises `InputError` for a new file that exists already, for one that is not a log, was
    made with other versions, cannot be written or is being written by another process, and for a
    record of a worker that has other versions.
    """
    fcntl = import_optional(
        "fcntl", "files of comparisons", "use Linux or macOS, or WSL on Windows"
    )

    try:
        file = open(path, "ab" if settings else "r+b")  # noqa: SIM115 - closed below
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    with name_in_errors(path), file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{path}: another comparison is writing to it") from None
        if settings is None:
            log = read_log(path)
            _check_versions(path, log.versions, versions())
            file.truncate(log.complete_bytes)
            file.seek(log.complete_bytes)
        elif file.tell():
            raise InputError(
                f"{path}: exists already; resume that comparison, or name another file"
            )
        else:
            log = new_log(settings)
            header = {
                "kt-compare": _FORMAT,
                "settings": settings.as_dict(),
                "versions": log.versions,
                "machine": log.machine,
                "date": str(log.date),
            }
            _append(file, header)

        def add_record(record: Record) -> None:
            _check_versions(path, log.versions, record.versions)
            _append(file, record.as_dict())

        yield log, add_record


def _check_versions(
    path: str | Path, of_log: Mapping[str, str], of_runs: Mapping[str, str]
) -> None:
    """Raise `InputError` if runs have other versions than the log in a file."""
    for name, version_of_log in of_log.items():
        if of_runs.get(name) != version_of_log:
            raise InputError(
                f"{path}: made with {name} {version_of_log}, not {of_runs.get(name, 'none')}; "
                "runs of different versions are not mixed in one log"
            )


def _append(file: IO[bytes], values: Mapping[str, Any]) -> None:
    """Append a line of JSON to a file, and wait until it is on the disk."""
    file.write(json.dumps(values).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())
