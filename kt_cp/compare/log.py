"""The log of a comparison: JSON lines, a header with the settings, then one record a line.

Whatever happens to the process, a line once written stays; a line that is torn is dropped when the
file is read again.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kt_cp.compare.records import MALFORMED, Record, Run, machine, versions
from kt_cp.compare.settings import Settings
from kt_cp.errors import InputError, pluralize, printable
from kt_cp.files import named_errors, opened, optional, read_bounded

try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None  # type: ignore[assignment]

FORMAT = 4
_MOST = 2**30  # bytes: a million records are half of that


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
        runs, methods = pluralize(len(self.records), "run"), len(self.settings.methods)
        boards = pluralize(len(self.settings.boards), "board")
        return f"<comparison: {runs}, {pluralize(methods, 'method')} on {boards}>"

    @property
    def missing(self) -> int:
        """How many runs of the settings have no record yet."""
        return sum(1 for _ in self.settings.runs()) - len(self.records)

    def rows(self) -> list[dict[str, Any]]:
        """Return the records as flat dictionaries of the same keys, one for each counter too."""
        units = sorted({unit for record in self.records for unit in record.counters})
        flat = []
        for record in self.records:
            values = record.as_dict()
            del values["counters"], values["versions"]
            flat.append(values | {unit: record.counters.get(unit) for unit in units})
        return flat

    def to_csv(self) -> str:
        """Return the `rows` as a CSV file; what is None is left empty."""
        rows, text = self.rows(), io.StringIO()
        writer = csv.DictWriter(text, rows[0] if rows else (), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def to_frame(self) -> Any:
        """Return the `rows` as a `pandas.DataFrame`. Raises `InputError` without pandas."""
        pandas = optional("pandas", "data frames", "pip install pandas")
        return pandas.DataFrame(self.rows())


def read_log(path: str | Path) -> Log:
    """Read a log. Raises `InputError`, with the line, for any other file."""
    wanted = "a file that kt compare wrote"
    records: dict[Run, Record] = {}
    with opened(str(path), wanted) as file:
        content = read_bounded(file, _MOST)
        size = content.rfind(b"\n") + 1
        first, *lines = content[:size].splitlines() or [b""]
        try:
            header = json.loads(first)
            if (found := header["kt-compare"]) != FORMAT:
                raise InputError(f"has format {found!r} where this version writes {FORMAT}")
            settings = Settings.from_dict(header["settings"])
            given = header["versions"].items()
            made_with = {printable(name): printable(version) for name, version in given}
            made_on = printable(header["machine"])
        except InputError as error:
            raise InputError(f"line 1: {error}") from None
        except MALFORMED:
            raise InputError(f"line 1 is not the settings of a comparison; give {wanted}") from None
        expected = set(settings.runs())
        for number, line in enumerate(lines, start=2):
            try:
                record = Record.from_dict(json.loads(line))
                fits = record.run in expected
            except MALFORMED:
                raise InputError(f"line {number} is not the record of a run") from None
            if not fits or record.squares != len(settings.boards[record.run.board]):
                raise InputError(f"line {number} is not a run of the settings in line 1")
            if record.run in records:
                raise InputError(f"line {number}: {record.run.describe()} is there twice")
            records[record.run] = record
    torn = size < len(content)
    return Log(settings, made_with, made_on, tuple(records.values()), torn, size)


@contextmanager
def opened_log(
    path: str | Path, settings: Settings | None = None
) -> Iterator[tuple[Log, Callable[[Record], None]]]:
    """Open a new log for these settings, or without any the one that is there, and lock it.

    Yields what the log holds so far, and a function that adds a record, which is on the disk when
    the function returns. Raises `InputError` when a new log exists already; when the one to
    continue is no log, or was made with other versions; and when another process is writing to it.
    """
    try:
        file = open(path, "ab" if settings else "r+b")  # noqa: SIM115 - closed below
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None

    def write(values: Mapping[str, Any]) -> None:
        file.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())

    def check(who: str, here: Mapping[str, str]) -> None:
        for name, wanted in log.versions.items():
            if (found := here.get(name)) != wanted:
                mixed = "runs of different versions are not mixed in one log"
                raise InputError(
                    f"{path}: was made with {name} {wanted}, {who} is {found}; {mixed}"
                )

    def keep(record: Record) -> None:
        check("the worker", record.versions)
        write(record.as_dict())

    with named_errors(path), file:
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{path}: another comparison is writing to it") from None
        if settings is None:
            log = read_log(path)
            check("this", versions())
            file.truncate(log.size)
            file.seek(log.size)
        elif file.tell():
            raise InputError(f"{path}: exists already; continue it with --resume, or name another")
        else:
            log = Log(settings, versions(), machine(), ())
            made = {"versions": log.versions, "machine": log.machine}
            write({"kt-compare": FORMAT, "settings": settings.as_dict(), **made})
        yield log, keep
