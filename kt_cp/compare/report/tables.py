"""The tables of a comparison, as text cells: the command prints them, the page shows them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kt_cp.compare.report.statistics import (
    ending,
    grouped,
    median,
    par2,
    quartiles,
    ratios_to_best,
    solved,
    supported,
)
from kt_cp.compare.run.log_file import Log
from kt_cp.compare.run.log_format import SOLVED, Record
from kt_cp.compare.run.settings import KINDS

WALK = "*"
"""Marks a method that cannot prove that there is no tour."""


@dataclass(frozen=True)
class TextTable:
    """A title, the heads of the columns, and the rows; all columns but the first few are numbers.

    ``labels``: how many columns on the left are words.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int


def all_tables(log: Log) -> list[TextTable]:
    """Return the tables of a comparison for each kind of tour: by method, by board, by size."""
    by_kind = grouped(log.records, lambda record: record.run.kind)
    return [
        make(log, f"{kind.capitalize()} tours", by_kind[kind])
        for kind in KINDS
        if kind in by_kind
        for make in (methods_table, boards_table, sizes_table)
    ]


def methods_table(log: Log, title: str, records: Sequence[Record]) -> TextTable:
    """Return for each method how often it answered, and how fast."""
    ratios = ratios_to_best(records)
    rows = []
    for method, every in by_method(log, records):
        able = supported(every)
        endings = Counter(map(ending, able))
        rows.append(
            (
                marked(log, method),
                f"{solved(able)}/{len(able)}",
                str(endings["found"]),
                str(endings["impossible"]),
                _unsolved(every),
                number(par2(able, log.settings.time_limit)),
                *map(number, quartiles(record.seconds_if_solved for record in able)),
                number(median(ratios.get(record.run) for record in able)),
            )
        )
    heads = (
        *("method", "solved", "found", "no tour", "unsolved"),
        *("PAR-2 (s)", "1/4 (s)", "median (s)", "3/4 (s)", "to best"),
    )
    return TextTable(f"{title} by method", heads, tuple(rows), labels=1)


def boards_table(log: Log, title: str, records: Sequence[Record]) -> TextTable:
    """Return for each board the answer, and each method's solved runs and median time."""
    settings = log.settings
    groups = grouped(records, lambda record: (record.run.board, record.run.method))
    asked = grouped(records, lambda record: record.run.board)
    rows = [
        (
            board,
            _answer(asked[board]),
            str(len(settings.boards[board])),
            *(_board_cell(groups.get((board, method), [])) for method in settings.methods),
        )
        for board in settings.boards
        if board in asked
    ]
    methods = [marked(log, method) for method in settings.methods]
    heads = ("board", "answer", "squares", *methods)
    return TextTable(f"{title} by board: solved, median seconds", heads, tuple(rows), labels=2)


def _answer(records: Sequence[Record]) -> str:
    """Return what is known; it may differ from start to start."""
    known = {record.status for record in records}
    return " or ".join(status.value for status in SOLVED if status in known) or "unknown"


def _board_cell(records: Sequence[Record]) -> str:
    if not solved(records):
        return _unsolved(records) if records else ""
    records = supported(records)
    seconds = number(median(record.seconds_if_solved for record in records))
    return f"{solved(records)}/{len(records)} {seconds}"


def _unsolved(records: Sequence[Record]) -> str:
    """Return how many runs ended without an answer, and how."""
    endings = Counter(ending(record) for record in records if not record.solved)
    return ", ".join(f"{count} {how}" for how, count in endings.most_common()) or "0"


def sizes_table(log: Log, title: str, records: Sequence[Record]) -> TextTable:
    """Return for each method and number of squares the median time, effort and memory.

    The effort is in the method's own unit, and of all runs: that of a run which the limit ended
    would have been more. The memory is what the run took beyond that of its process before.
    """
    rows = []
    for method, members in by_method(log, supported(records)):
        by_size = grouped(members, lambda record: record.squares)
        for size, group in sorted(by_size.items()):
            efforts = [record.effort for record in group if record.effort]
            effort = f"{number(median(e for _, e in efforts))} {efforts[0][0]}" if efforts else ""
            cells = (
                str(size),
                f"{solved(group)}/{len(group)}",
                number(median(record.seconds_if_solved for record in group)),
                effort,
                number(median(record.memory_taken for record in group)),
                number(median(record.startup for record in group)),
            )
            rows.append((marked(log, method), *cells))
    heads = (
        *("method", "squares", "solved", "median (s)", "median effort"),
        *("memory (MiB)", "start-up (s)"),
    )
    return TextTable(f"{title} by size", heads, tuple(rows), labels=1)


def by_method(log: Log, records: Iterable[Record]) -> list[tuple[str, list[Record]]]:
    """Sort records by method, in the order of the settings."""
    groups = grouped(records, lambda record: record.run.method)
    return [(method, groups[method]) for method in log.settings.methods if method in groups]


def marked(log: Log, method: str) -> str:
    """Return a method's name, with a mark if it cannot prove that there is no tour."""
    return method if log.settings.can_prove(method) else method + WALK


def number(value: float) -> str:
    """Write a number with three digits, large ones in full; infinite as a dash.

    >>> number(1234567.0), number(0.00012345), number(math.inf)
    ('1,234,567', '0.000123', '–')
    """
    if not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
