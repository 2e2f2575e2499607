"""The tables of a comparison, as text cells: the command prints them, the page shows them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kt_cp.board.square_names import chess_name
from kt_cp.compare.report.statistics import (
    Summary,
    contradictions,
    grouped,
    quartiles,
    summarise,
    supported,
)
from kt_cp.compare.run.log_file import Log
from kt_cp.compare.run.log_format import Record, RunStatus
from kt_cp.compare.run.settings import KINDS
from kt_cp.errors import counted

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
    """Return the tables of a comparison: by method, by board, by size."""
    return [methods_table(log), boards_table(log), sizes_table(log)]


def methods_table(log: Log) -> TextTable:
    """Return for each kind and method how often it answered, and how fast."""
    groups = summarise(log.records, log.settings.time_limit, lambda r: (r.run.kind, r.run.method))
    heads = (
        *("kind", "method", "solved", "found", "no tour", "unsolved"),
        *("PAR-2 (s)", "1/4 (s)", "median (s)", "3/4 (s)", "to best"),
    )
    rows = [
        (kind, marked(log, method), *_method_cells(groups[kind, method]))
        for kind in KINDS
        for method in log.settings.methods
        if (kind, method) in groups
    ]
    return TextTable("By method", heads, tuple(rows), labels=2)


def _method_cells(summary: Summary) -> tuple[str, ...]:
    return (
        f"{summary.solved}/{summary.runs}",
        str(summary.found),
        str(summary.impossible),
        _unsolved(summary),
        number(summary.par2),
        *map(number, summary.quartiles),
        number(summary.ratios[1]),
    )


def _unsolved(summary: Summary) -> str:
    """Say how many runs ended otherwise, and how."""
    causes = {
        "limit": summary.timed_out,
        "gave up": summary.gave_up,
        "error": summary.errors,
        "n/a": summary.unsupported,
    }
    return ", ".join(f"{count} {cause}" for cause, count in causes.items() if count) or "0"


def boards_table(log: Log) -> TextTable:
    """Return for each board and kind the answer, and each method's solved runs and median time."""
    limit, methods = log.settings.time_limit, log.settings.methods
    groups = summarise(log.records, limit, lambda r: (r.run.board, r.run.kind, r.run.method))
    asked = grouped(log.records, lambda r: (r.run.board, r.run.kind))
    rows = [
        (
            board,
            str(len(log.settings.boards[board])),
            kind,
            _answer(asked[board, kind]),
            *(_board_cell(groups.get((board, kind, method))) for method in methods),
        )
        for board in log.settings.boards
        for kind in KINDS
        if (board, kind) in asked
    ]
    heads = ("board", "squares", "kind", "answer", *(marked(log, method) for method in methods))
    return TextTable("By board: solved runs and median seconds", heads, tuple(rows), labels=4)


def _answer(records: Sequence[Record]) -> str:
    """Say what is known: it may differ from start to start."""
    known = {record.status for record in records}
    answers = (RunStatus.FOUND, RunStatus.IMPOSSIBLE)
    return " or ".join(status.value for status in answers if status in known) or "unknown"


def _board_cell(summary: Summary | None) -> str:
    if summary is None:
        return ""
    if not summary.solved:
        return _unsolved(summary)
    return f"{summary.solved}/{summary.runs} {number(summary.quartiles[1])}"


def sizes_table(log: Log) -> TextTable:
    """Return for each kind, method and number of squares the median time, effort and memory.

    The effort is in the method's own unit, and of all runs: that of a run which the limit ended
    would have been more.
    """
    groups = grouped(supported(log.records), lambda r: (r.run.kind, r.run.method, r.squares))
    sizes = sorted({record.squares for record in log.records})
    rows = [
        (kind, marked(log, method), *_size_cells(size, groups[kind, method, size]))
        for kind in KINDS
        for method in log.settings.methods
        for size in sizes
        if (kind, method, size) in groups
    ]
    heads = (
        *("kind", "method", "effort in", "squares", "solved", "median (s)", "median effort"),
        *("memory (MiB)", "start-up (s)"),
    )
    return TextTable("By size", heads, tuple(rows), labels=3)


def _size_cells(size: int, records: Sequence[Record]) -> tuple[str, ...]:
    efforts = [record.effort for record in records if record.effort]
    return (
        efforts[0][0] if efforts else "",
        str(size),
        f"{sum(record.solved for record in records)}/{len(records)}",
        number(quartiles(record.seconds_if_solved for record in records)[1]),
        number(quartiles(value for _, value in efforts)[1]),
        _measured(record.memory for record in records),
        _measured(record.startup for record in records),
    )


def _measured(values: Iterable[float | None]) -> str:
    """Return the median of the values that are known."""
    return number(quartiles(value for value in values if value is not None)[1])


def notes(log: Log) -> list[str]:
    """Return the sentences without which the tables would mislead."""
    settings, records = log.settings, log.records
    memory = f", {settings.memory_limit:g} MiB" if settings.memory_limit else ""
    lines = [
        f"{counted(len(records), 'run')}, limit {settings.time_limit:g} s{memory} each, seed"
        f" {settings.seed}; a run is one process with one thread, start-up not counted.",
        "PAR-2: mean seconds, unsolved as twice the limit. 1/4, median, 3/4: seconds by which so"
        " many of the runs were solved.",
        "To best: median of time / best method's time on the instance. No tour: proven.",
    ]
    walks = [method for method in settings.methods if not settings.can_prove(method)]
    if walks:
        lines.append(f"{WALK} a walk: it can find a tour but never prove that there is none.")
    if log.missing:
        lines.append(f"{counted(log.missing, 'run')} of these settings are still to be done.")
    found = [record for record in records if record.status is RunStatus.FOUND]
    validated = sum(record.validated is True for record in found)
    lines.append(
        f"{validated} of {counted(len(found), 'tour')} found passed the validator once more."
    )
    machines = {record.machine for record in records}
    if len(machines) > 1:
        lines.append(f"Times are from {len(machines)} different machines: {'; '.join(machines)}.")
    for board, kind, start in contradictions(records):
        where = "" if start is None else f" from {chess_name(settings.boards[board], start)}"
        lines.append(
            f"CONTRADICTION: {board} {kind}{where} was solved and proven impossible: one is wrong."
        )
    return lines


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
