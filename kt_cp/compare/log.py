"""The log of a comparison as a value: its settings and its records.

`kt_cp.compare.log_file` reads and writes it.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kt_cp.compare.records import Record
from kt_cp.compare.settings import Settings
from kt_cp.files import import_optional
from kt_cp.messages import pluralize

# A spreadsheet runs text that begins with one of these as a formula (OWASP, CSV Injection).
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True)
class Log:
    """The contents of a log.

    ``last_line_torn`` tells whether the last line was incomplete and has been dropped; ``size`` is
    the number of bytes before that line. ``date`` is the day on which the comparison began, None
    if the log does not tell.
    """

    settings: Settings
    versions: Mapping[str, str]
    machine: str
    records: tuple[Record, ...] = ()
    last_line_torn: bool = False
    size: int = 0
    date: datetime.date | None = None

    def __repr__(self) -> str:
        boards = pluralize(len(self.settings.boards), "board")
        return f"<comparison on {boards}: {pluralize(len(self.records), 'run')}>"

    @property
    def missing(self) -> int:
        """The number of runs of the settings that have no record yet."""
        return sum(1 for _ in self.settings.runs()) - len(self.records)

    def rows(self) -> list[dict[str, Any]]:
        """Return the records as flat dictionaries with the same keys, among them the counters."""
        units = sorted({unit for record in self.records for unit in record.counters})
        rows = []
        for record in self.records:
            row = record.as_dict()
            del row["counters"], row["versions"]
            rows.append({**row, **dict.fromkeys(units), **record.counters})
        return rows

    def to_csv(self) -> str:
        """Return the `rows` as the content of a CSV file, with an empty cell for None.

        Text that a spreadsheet would run as a formula, such as ``=1+1``, is preceded by an
        apostrophe, also among the names of the columns.
        """
        rows, text = self.rows(), io.StringIO()
        names = list(rows[0]) if rows else []
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([_without_formula(name) for name in names])
        for row in rows:
            writer.writerow([_without_formula(row[name]) for name in names])
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
