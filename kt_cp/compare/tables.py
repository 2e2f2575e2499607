"""The tables of a comparison: by method, by board and by size, for each kind of tour."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from kt_cp.compare.reading import board_label
from kt_cp.compare.records import SOLVED, Record, RunStatus
from kt_cp.compare.results import (
    Results,
    by_kind,
    count_solved,
    grouped,
    par2,
    quartiles,
    supported_records,
)
from kt_cp.messages import escape_unprintable

INCOMPLETE = "*"
"""Marks a method that cannot prove that there is no tour."""

QUARTILES = ("Q1", "Q3")
"""The heads of the columns of the quartiles beside the median."""

_UNKNOWN = "unknown"  # the answer for a board on which no run had one
_MAX_METHODS = 4  # side by side in a table of boards

# In characters: the width from which labels may be broken, and the gap between two columns.
_LABEL_WIDTH, _GAP = 16, 3
_NO_BREAK = "\u00a0"


class Tone(Enum):
    """Why a cell is colored on a terminal; the value is a style of rich."""

    BEST = "bold green"  # the least median time of a row
    UNSOLVED = "red"  # a run ended without an answer, or with a wrong one


@dataclass
class Table:
    """A table of texts: a title, the heads of its columns, and its rows.

    The first ``labels`` columns hold labels, which may be broken; all others hold numbers.
    ``tones`` has the tones of cells by row and column.
    """

    title: str
    heads: Sequence[str]
    labels: int = 1
    rows: list[Sequence[str]] = field(default_factory=list)
    tones: dict[tuple[int, int], Tone | None] = field(default_factory=dict)


def all_tables(results: Results) -> Iterator[Table]:
    """Yield the tables of a comparison, those of open tours first."""
    for tables in tables_by_kind(results):
        yield from tables


def tables_by_kind(results: Results) -> Iterator[list[Table]]:
    """Yield for each kind of tour its tables: by method, by board, by size."""
    methods = list(results.settings.methods)
    for kind, records in by_kind(results.records).items():
        title = f"{kind.capitalize()} tours"
        groups = (
            methods[first : first + _MAX_METHODS] for first in range(0, len(methods), _MAX_METHODS)
        )
        yield [
            methods_table(results, title, records),
            *(_boards_table(results, title, records, group) for group in groups),
            _sizes_table(results, title, records),
        ]


def methods_table(results: Results, title: str, records: Sequence[Record]) -> Table:
    """Return the table of how often each method answered, and of its score."""
    heads = ("method", "PAR-2", "solved", "found", "no tour", "unsolved")
    table = Table(f"{title} by method", heads)
    for method, runs in results.by_method(records).items():
        supported = supported_records(runs)
        statuses = Counter(record.status for record in supported)
        table.rows.append(
            (
                _marked(results, method),
                format_number(par2(supported, results.settings.time_limit)),
                f"{count_solved(supported)}/{len(supported)}",
                str(statuses[RunStatus.FOUND]),
                str(statuses[RunStatus.IMPOSSIBLE]),
                _unsolved(runs),
            )
        )
        if count_solved(supported) < len(supported):
            table.tones[len(table.rows) - 1, heads.index("unsolved")] = Tone.UNSOLVED
    return table


def _boards_table(
    results: Results, title: str, records: Sequence[Record], methods: Sequence[str]
) -> Table:
    """Return the table of the answer for each board, and of each method's median time."""
    heads = ("board", "answer", *(_marked(results, method) for method in methods))
    table = Table(f"{title} by board: median seconds", heads, labels=2)
    by_board = grouped(records, lambda record: record.run.board)
    for board in results.settings.boards:
        if board in by_board:
            by_method = results.by_method(by_board[board])
            runs = [by_method.get(method, []) for method in methods]
            answer = _answer(by_board[board])
            best = _best_median(by_method.values())
            tones = (None, _answer_tone(answer), *(_tone(each, best) for each in runs))
            for column, tone in enumerate(tones):
                table.tones[len(table.rows), column] = tone
            table.rows.append((board_label(board), answer, *map(_board_cell, runs)))
    return table


def _best_median(groups: Iterable[Sequence[Record]]) -> float:
    """Return the least median time of the methods that solved all their runs on a board."""
    supported = [supported_records(records) for records in groups]
    solved = [records for records in supported if records and count_solved(records) == len(records)]
    return min(map(_median, solved), default=math.inf)


def _median(records: Sequence[Record]) -> float:
    """Return the median time of runs."""
    return quartiles(record.seconds_if_solved for record in records)[1]


def _answer_tone(answer: str) -> Tone | None:
    """Return the tone of the answer for a board."""
    return Tone.UNSOLVED if answer == _UNKNOWN else None


def _tone(records: Sequence[Record], best: float) -> Tone | None:
    """Return the tone of a method's runs on a board, where ``best`` is the least median time."""
    supported = supported_records(records)
    if count_solved(supported) < len(supported):
        return Tone.UNSOLVED
    return Tone.BEST if supported and _median(supported) == best else None


def _answer(records: Sequence[Record]) -> str:
    """Return whether there is a tour, which may differ from start to start."""
    statuses = {record.status for record in records}
    return " or ".join(status for status in SOLVED if status in statuses) or _UNKNOWN


def _board_cell(records: Sequence[Record]) -> str:
    """Return the median time of a method on a board, with the share solved unless all runs were.

    Where none was solved, return how the runs ended.
    """
    if not count_solved(records):
        endings = {record.ending for record in records}
        return _unsolved(records) if len(endings) > 1 else "".join(endings)
    supported = supported_records(records)
    median = format_number(_median(supported))
    solved = count_solved(supported)
    return median if solved == len(supported) else f"{solved}/{len(supported)} {median}"


def has_quartiles(results: Results) -> bool:
    """Return whether a method has several runs on boards of one size, as quartiles need."""
    records = supported_records(results.records)
    runs = Counter((record.run.kind, record.run.method, record.squares) for record in records)
    return any(count > 1 for count in runs.values())


def _sizes_table(results: Results, title: str, records: Sequence[Record]) -> Table:
    """Return the table of the median time and effort, by method and size.

    It has the quartiles of time too, unless each size has one run of a method.
    """
    heads: tuple[str, ...] = ("method", "squares", "solved", "median", "effort")
    with_quartiles = has_quartiles(results)
    if with_quartiles:
        heads = ("method", "squares", "solved", QUARTILES[0], "median", QUARTILES[1], "effort")
    table = Table(f"{title} by size, in seconds", heads)
    for method, runs in results.by_method(supported_records(records)).items():
        name = _marked(results, method)
        by_size = grouped(sorted(runs, key=lambda r: r.squares), lambda r: r.squares)
        if len(by_size) > 1:
            table.rows.append((name, "all", *_size_cells(runs, with_quartiles)))
        for squares, group in by_size.items():
            table.rows.append((name, str(squares), *_size_cells(group, with_quartiles)))
    return table


def _size_cells(records: Sequence[Record], with_quartiles: bool) -> list[str]:
    """Return the share of runs solved, the median of time or its quartiles, and the median effort.

    The effort is in the method's own unit. It is that of all runs, so it is a lower bound if the
    limit ended some of them.
    """
    efforts = [record.effort for record in records if record.effort]
    effort = ""
    if efforts:
        unit = efforts[0][0]
        effort = f"{format_number(statistics.median(count for _, count in efforts))} {unit}"
    times = [_median(records)]
    if with_quartiles:
        times = quartiles(record.seconds_if_solved for record in records)
    share = f"{count_solved(records)}/{len(records)}"
    return [share, *map(format_number, times), effort]


def _unsolved(records: Sequence[Record]) -> str:
    """Return how many runs ended without an answer, and how."""
    endings = Counter(record.ending for record in records if not record.solved)
    return ", ".join(f"{count} {how}" for how, count in endings.most_common()) or "0"


def _marked(results: Results, method: str) -> str:
    """Return the name of a method, marked if the method cannot prove that there is no tour."""
    return method if results.settings.methods[method].proves else method + INCOMPLETE


def format_number(value: float) -> str:
    """Return a number as text with three digits, large ones in full, infinite ones as a dash.

    >>> format_number(1234567.0), format_number(0.00012345), format_number(math.inf)
    ('1,234,567', '0.000123', '–')
    """
    if not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


# -- as text ---------------------------------------------------------------------------------------


def table_lines(table: Table, width: int, *, colored: bool = False) -> list[str]:
    """Return the lines of a table without its title, at most ``width`` characters wide.

    If that would shorten a number or leave little room for the labels, each row is a sentence.
    Cells in columns have the colors of their tones if ``colored``. Characters that are not
    printable are escaped.
    """
    table = replace(
        table,
        heads=list(map(escape_unprintable, table.heads)),
        rows=[list(map(escape_unprintable, row)) for row in table.rows],
    )
    if _least_width(table) > width:
        return list(_sentences(table, width))
    return _aligned_lines(table, width, colored)


def _aligned_lines(table: Table, width: int, colored: bool) -> list[str]:
    """Return the lines of a table in columns, as rich lays them out."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in table.heads[: table.labels]:
        drawn.add_column(head, overflow="fold")
    for head in table.heads[table.labels :]:
        drawn.add_column(head, justify="right", no_wrap=True)
    for place, row in enumerate(_without_repeats(table.rows)):
        tones = [table.tones.get((place, column)) for column in range(len(row))]
        styles = [tone.value if tone else "" for tone in tones]
        drawn.add_row(*map(Text, row, styles))
    console = Console(
        width=width,
        color_system="standard" if colored else None,
        markup=False,
        emoji=False,
        highlight=False,
    )
    with console.capture() as captured:
        console.print(drawn)
    return [line.rstrip() for line in captured.get().splitlines()]


def _without_repeats(rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield rows of a table, where a first label that is that of the row above it is left out."""
    above = None
    for label, *rest in rows:
        yield (label if label != above else "", *rest)
        above = label


def _least_width(table: Table) -> int:
    """Return the least width of a table in which only long labels are broken."""
    widths = []
    for place, cells in enumerate(zip(table.heads, *table.rows, strict=True)):
        width = max(map(len, cells))
        widths.append(min(width, _LABEL_WIDTH) if place < table.labels else width)
    return sum(widths) + _GAP * (len(widths) - 1)


def _sentences(table: Table, width: int) -> Iterator[str]:
    """Yield the rows of a table as sentences: the labels, and below them each number by name."""
    previous = ""
    for row in table.rows:
        named = [f"{head} {cell}" for head, cell in zip(table.heads, row, strict=True)]
        label = ", ".join(named[: table.labels])
        if label != previous:
            yield label
        previous = label
        numbers = [
            name.replace(" ", _NO_BREAK)
            for name, cell in zip(named[table.labels :], row[table.labels :], strict=True)
            if cell
        ]
        lines = textwrap.wrap(
            ", ".join(numbers),
            width,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in lines:
            yield line.replace(_NO_BREAK, " ")
