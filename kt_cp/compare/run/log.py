"""The file of runs: JSON lines, the settings first, then a record a line.

Whatever happens to the process, a line once written stays; a line that is torn is dropped when the
file is read again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from kt_cp.compare.run.environment import machine, versions
from kt_cp.compare.run.records import Record, Run
from kt_cp.compare.run.settings import Settings
from kt_cp.errors import InputError

try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None  # type: ignore[assignment]

FORMAT = 1

# What reading values of the wrong kind may raise.
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OverflowError)


@dataclass(frozen=True)
class Log:
    """What a file of runs holds.

    ``torn``: the last line had been written in part, and is dropped. ``size``: the bytes up to
    there.
    """

    settings: Settings
    versions: Mapping[str, str]
    machine: str
    records: tuple[Record, ...]
    torn: bool = False
    size: int = 0

    @property
    def missing(self) -> int:
        """How many runs of the settings have no record yet."""
        return sum(1 for _ in self.settings.runs()) - len(self.records)


def read_log(path: str | Path) -> Log:
    """Read a file of runs. Raises `InputError`, with the line, when it is none."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; give a file that kt compare wrote") from None
    size = content.rfind(b"\n") + 1
    lines = content[:size].splitlines()
    if not lines:
        raise InputError(f"{path}: holds no settings; begin with kt compare --out {path}")
    settings, made_with, made_on = _read_header(path, lines[0])
    records: dict[Run, Record] = {}
    expected = set(settings.runs())
    for number, line in enumerate(lines[1:], start=2):
        try:
            record = Record.from_dict(json.loads(line))
            known = record.run in expected
        except _MALFORMED:
            raise InputError(f"{path}: line {number} is not the record of a run") from None
        if not known:
            raise InputError(f"{path}: line {number} is no run of the settings in line 1")
        if record.run in records:
            raise InputError(f"{path}: line {number}: {record.run.describe()} is there twice")
        records[record.run] = record
    torn = size < len(content)
    return Log(settings, made_with, made_on, tuple(records.values()), torn, size)


class LogWriter:
    """Adds records to a file of runs, each on the disk before `write` returns.

    Holds a lock on the file, so that two comparisons cannot write to it at once. A context manager.
    """

    def __init__(self, path: Path, settings: Settings | None) -> None:
        """Open a new file for these settings, or without any go on with the file that is there.

        Raises `InputError` when the file is there already, respectively when it is none, or was
        made with other versions, or another process is writing to it.
        """
        self._path = path
        try:
            self._file = open(path, "ab" if settings else "r+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None
        try:
            self._lock()
            self.log = self._begin(settings) if settings else self._go_on()
        except BaseException:
            self._file.close()
            raise

    def write(self, record: Record) -> None:
        """Add a record. Raises `InputError` when it was made with other versions."""
        self._check_versions("the worker", record.versions, self.log.versions)
        self._write(record.as_dict())

    def __enter__(self) -> LogWriter:
        """Be open until the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file, which frees it for others."""
        self._file.close()

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{self._path}: another comparison is writing to it") from None

    def _begin(self, settings: Settings) -> Log:
        if os.fstat(self._file.fileno()).st_size:
            raise InputError(
                f"{self._path}: is there already; go on with --resume, or name another"
            )
        log = Log(settings, versions(), machine(), ())
        self._write(
            {
                "kt-compare": FORMAT,
                "settings": settings.as_dict(),
                "versions": log.versions,
                "machine": log.machine,
            }
        )
        return log

    def _go_on(self) -> Log:
        log = read_log(self._path)
        self._check_versions("this", versions(), log.versions)
        os.truncate(self._file.fileno(), log.size)
        os.lseek(self._file.fileno(), 0, os.SEEK_END)
        return log

    def _check_versions(self, who: str, here: Mapping[str, str], wanted: Mapping[str, str]) -> None:
        for name in wanted:
            if here.get(name) != wanted[name]:
                raise InputError(
                    f"{self._path}: was made with {name} {wanted[name]}, {who} is {here.get(name)};"
                    " runs of different versions are not mixed in one file"
                )

    def _write(self, values: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
        os.fsync(self._file.fileno())


def _read_header(path: str | Path, line: bytes) -> tuple[Settings, dict[str, str], str]:
    try:
        header = json.loads(line)
        if header["kt-compare"] != FORMAT:
            found = header["kt-compare"]
            raise InputError(f"has format {found!r} where this version writes {FORMAT}")
        settings = Settings.from_dict(header["settings"])
        made_with = {str(name): str(value) for name, value in header["versions"].items()}
        return settings, made_with, str(header["machine"])
    except InputError as error:
        raise InputError(f"{path}: line 1: {error}") from None
    except _MALFORMED:
        raise InputError(
            f"{path}: line 1 is not the settings of a comparison; give a file kt compare wrote"
        ) from None
