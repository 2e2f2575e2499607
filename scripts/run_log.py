"""The log of a script: a line of JSON for each run, written as soon as the run ends.

A script reads its log to go on where it was stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row")


def read_rows(log: Path, row_of: Callable[..., Row]) -> list[Row]:
    """Return the rows of a log, made by ``row_of`` of the fields of each line.

    There are none if the file does not exist. A line that was cut off, as the script was stopped or
    the disk was full, is left out.
    """
    if not log.exists():
        return []
    rows = list[Row]()
    for line in log.read_text(encoding="utf-8").splitlines():
        try:
            fields = json.loads(line)
        except json.JSONDecodeError:
            continue
        rows.append(row_of(**fields))
    return rows


def append_row(log: Path, row: DataclassInstance) -> None:
    """Append a row to a log, on a line of its own also where the last line was cut off."""
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    with log.open("a", encoding="utf-8") as lines:
        if text and not text.endswith("\n"):
            lines.write("\n")
        lines.write(f"{json.dumps(asdict(row))}\n")
