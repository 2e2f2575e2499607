"""The file of a comparison: a header with the settings, then a record on each line (JSON lines).

A line that was written stays, whatever happens to the process; an incomplete last line is dropped
when the file is read again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import IO, Any

from kt_cp.compare.environment import machine, versions
from kt_cp.compare.log import Log
from kt_cp.compare.records import Record
from kt_cp.compare.settings import Settings
from kt_cp.files import import_optional, name_in_errors, open_input, read_bounded
from kt_cp.messages import InputError, malformed_as

_FORMAT = 4  # the version of the format
_MAX_BYTES = 2**30  # a million records take half of that
_WANTED = "a file that kt compare wrote"
_NOT_MIXED = "runs of different versions are not mixed in one log"

AddRecord = Callable[[Record], None]
"""A function that appends a record to a file; the record is on the disk when it returns."""


def read_log(path: str | Path) -> Log:
    """Return the log in a file. Raises `InputError`, with the line, for any other file."""
    with open_input(str(path), _WANTED) as file:
        content = read_bounded(file, _MAX_BYTES)
        size = content.rfind(b"\n") + 1
        first, *lines = content[:size].splitlines() or [b""]
        log = _parse_header(first)
        records = _parse_records(lines, log.settings)
    return replace(log, records=tuple(records), last_line_torn=size < len(content), size=size)


def _parse_header(line: bytes) -> Log:
    """Return the log without records that the first line of a file describes."""
    try:
        with malformed_as(InputError(f"not the settings of a comparison; give {_WANTED}")):
            header = json.loads(line)
            if header["kt-compare"] != _FORMAT:
                raise InputError("it was written by another version")
            settings = Settings.from_dict(header["settings"])
            day = date.fromisoformat(header["date"]) if "date" in header else None
            return Log(settings, {**header["versions"]}, str(header["machine"]), date=day)
    except InputError as error:
        raise InputError(f"line 1: {error}") from None


def _parse_records(lines: Sequence[bytes], settings: Settings) -> list[Record]:
    """Return the records of the lines after the header, which must be of distinct runs."""
    expected = {run: len(settings.boards[run.board]) for run in settings.runs()}
    records: list[Record] = []
    for number, line in enumerate(lines, start=2):
        with malformed_as(InputError(f"line {number} is not the record of a run")):
            record = Record.from_dict(json.loads(line))
            squares = expected.pop(record.run, None)
        if record.squares != squares:
            wrong = "is not a run of the settings in line 1, or is there twice"
            raise InputError(f"line {number}: {record.run.describe()} {wrong}")
        records.append(record)
    return records


@contextmanager
def new_log(path: str | Path, settings: Settings) -> Iterator[tuple[Log, AddRecord]]:
    """Create and lock a file for these settings; yield its log and a function that adds records.

    The log has no records. Raises `InputError` for a file that exists already or cannot be written,
    and for a record of a worker that has other versions.
    """
    with name_in_errors(path), _locked(path, "ab") as file:
        if file.tell():
            raise InputError(
                f"{path}: exists already; resume that comparison, or name another file"
            )
        log = Log(settings, versions(), machine(), date=date.today())
        header = {
            "kt-compare": _FORMAT,
            "settings": settings.as_dict(),
            "versions": log.versions,
            "machine": log.machine,
            "date": str(log.date),
        }
        _append(file, header)
        yield log, _record_adder(path, file, log)


@contextmanager
def continued_log(path: str | Path) -> Iterator[tuple[Log, AddRecord]]:
    """Open and lock the file of a comparison; yield its log and a function that adds records.

    An incomplete last line is dropped. Raises `InputError` for a file that is not a log, was made
    with other versions, or is being written by another process, and for a record of a worker that
    has other versions.
    """
    with name_in_errors(path), _locked(path, "r+b") as file:
        log = read_log(path)
        difference = _first_difference(log.versions, versions())
        if difference is not None:
            name, before, now = difference
            made = f"was made with {name} {before}, and {now} is installed"
            raise InputError(f"{path}: {made}; {_NOT_MIXED}")
        file.truncate(log.size)
        file.seek(log.size)
        yield log, _record_adder(path, file, log)


def _record_adder(path: str | Path, file: IO[bytes], log: Log) -> AddRecord:
    """Return the function that adds a record to the file of a log."""

    def add(record: Record) -> None:
        """Add a record. Raises `InputError` if it was made with other versions."""
        difference = _first_difference(log.versions, record.versions)
        if difference is not None:
            name, here, there = difference
            made = f"is made with {name} {here}, and a worker has {there}"
            raise InputError(f"{path}: {made}; {_NOT_MIXED}")
        _append(file, record.as_dict())

    return add


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


def _append(file: IO[bytes], values: Mapping[str, Any]) -> None:
    """Append a line of JSON, and wait until it is on the disk."""
    file.write(json.dumps(values).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _first_difference(
    expected: Mapping[str, str], found: Mapping[str, str]
) -> tuple[str, str, str] | None:
    """Return the first package whose version differs, its expected and its found version."""
    for name, wanted in expected.items():
        here = found.get(name, "none")
        if here != wanted:
            return name, wanted, here
    return None
