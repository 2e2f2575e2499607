"""What a comparison found: statistics, tables, and findings and notes in sentences.

Runs that their method does not support are left out of all statistics; unsolved runs never are.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import TypeVar

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from kt_cp.compare.log import SOLVED, Log, Record, RunStatus
from kt_cp.compare.settings import KINDS
from kt_cp.errors import join_words, pluralize

Group = TypeVar("Group")

_INCOMPLETE = "*"  # marks a method that cannot prove that there is no tour

# How many methods stand side by side in a table of boards, and how many boards a sentence names.
_MOST_METHODS, _MOST_NAMES = 4, 3

# In characters: labels that are longer may be broken, and the room between two columns.
_LABEL_WIDTH, _GAP = 16, 3
_NO_BREAK = "\u00a0"


def grouped(
    records: Iterable[Record], group: Callable[[Record], Group]
) -> dict[Group, list[Record]]:
    """Return the records of each group, in the order in which the groups first occur."""
    groups: dict[Group, list[Record]] = defaultdict(list)
    for record in records:
        groups[group(record)].append(record)
    return dict(groups)


def by_method(log: Log, records: Iterable[Record]) -> dict[str, list[Record]]:
    """Return the records of each method, in the order of the settings."""
    groups = grouped(records, lambda record: record.run.method)
    return {method: groups[method] for method in log.settings.methods if method in groups}


def supported(records: Iterable[Record]) -> list[Record]:
    """Return the records of the runs that their method supports."""
    return [record for record in records if record.status is not RunStatus.UNSUPPORTED]


def solved(records: Iterable[Record]) -> int:
    """Return how many runs gave a tour, or a proof that there is none."""
    return sum(record.solved for record in records)


def par2(records: Sequence[Record], limit: float) -> float:
    """Return the mean of the seconds, where a run that was not solved counts twice the limit.

    It is the score of the SAT competitions (Hutter et al., ParamILS, JAIR 36, 2009).
    """
    if not records:
        return math.nan
    return sum(r.seconds if r.solved else 2 * limit for r in records) / len(records)


def quartiles(values: Iterable[float]) -> list[float]:
    """Return the least values that a quarter, half and three quarters do not exceed.

    No mean of two values is taken, so that infinite ones (not solved) may be among them.

    >>> quartiles([1, 2, 4, math.inf])
    [1.0, 2.0, 4.0]
    """
    known = list(values) or [math.nan]
    return [float(each) for each in np.quantile(known, [0.25, 0.5, 0.75], method="inverted_cdf")]


def all_tables(log: Log) -> Iterator[Table]:
    """Yield the tables of a comparison for each kind of tour: by method, by board, by size."""
    log = without_wrong_proofs(log)
    by_kind = grouped(log.records, lambda record: record.run.kind)
    for kind in KINDS:
        if records := by_kind.get(kind):
            title, methods = f"{kind.capitalize()} tours", list(log.settings.methods)
            yield methods_table(log, title, records)
            for first in range(0, len(methods), _MOST_METHODS):
                yield _boards_table(log, title, records, methods[first : first + _MOST_METHODS])
            yield _sizes_table(log, title, records)


def _table(title: str, *heads: str, labels: int = 1) -> Table:
    """Return a table without rows; all columns but the first few, the labels, are numbers."""
    table = Table(title=title, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in heads[:labels]:
        table.add_column(head, overflow="fold")
    for head in heads[labels:]:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def write_table(table: Table, width: int) -> list[str]:
    """Return the lines of a table without its title, at most ``width`` characters wide.

    Where that would shorten a number or leave little room for the labels, each row is a sentence.
    """
    if _least_width(table) > width:
        return list(_sentences(table, width))
    plain = Console(width=width, color_system=None, markup=False, emoji=False, highlight=False)
    untitled = copy(table)
    untitled.title = None
    with plain.capture() as captured:
        plain.print(untitled)
    return [line.rstrip() for line in captured.get().splitlines()]


def _least_width(table: Table) -> int:
    """Return the width of a table with whole numbers, and labels that may be broken if long."""
    widths = []
    for column in table.columns:
        width = max(len(str(cell)) for cell in (column.header, *column.cells))
        widths.append(width if column.no_wrap else min(width, _LABEL_WIDTH))
    return sum(widths) + _GAP * (len(widths) - 1)


def _sentences(table: Table, width: int) -> Iterator[str]:
    """Yield the rows of a table as sentences: the labels, and below them each number by name."""
    heads = [str(column.header) for column in table.columns]
    labels = sum(not column.no_wrap for column in table.columns)
    previous = ""
    for cells in zip(*(map(str, column.cells) for column in table.columns), strict=True):
        label = ", ".join(
            f"{head} {cell}" for head, cell in zip(heads[:labels], cells, strict=False)
        )
        if label != previous:
            yield label
        previous = label
        numbers = zip(heads[labels:], cells[labels:], strict=True)
        pairs = [f"{head} {cell}".replace(" ", _NO_BREAK) for head, cell in numbers if cell]
        lines = textwrap.wrap(
            ", ".join(pairs),
            width,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in lines:
            yield line.replace(_NO_BREAK, " ")


def methods_table(log: Log, title: str, records: Sequence[Record]) -> Table:
    """Return for each method how often it answered, and its score."""
    heads = ("method", "solved", "found", "no tour", "unsolved", "PAR-2")
    table = _table(f"{title} by method", *heads)
    for method, every in by_method(log, records).items():
        able = supported(every)
        table.add_row(
            _marked(log, method),
            f"{solved(able)}/{len(able)}",
            str(sum(record.status is RunStatus.FOUND for record in able)),
            str(sum(record.status is RunStatus.IMPOSSIBLE for record in able)),
            _unsolved(every),
            number(par2(able, log.settings.time_limit)),
        )
    return table


def _boards_table(log: Log, title: str, records: Sequence[Record], methods: Sequence[str]) -> Table:
    """Return for each board the answer, and each method's median time."""
    heads = ("board", "answer", *(_marked(log, method) for method in methods))
    table = _table(f"{title} by board: median seconds", *heads, labels=2)
    by_board = grouped(records, lambda record: record.run.board)
    for board in log.settings.boards:
        if every := by_board.get(board):
            known = {record.status for record in every}  # it may differ from start to start
            answer = " or ".join(status for status in SOLVED if status in known) or "unknown"
            by = by_method(log, every)
            table.add_row(board, answer, *(_board_cell(by.get(each, [])) for each in methods))
    return table


def _board_cell(records: Sequence[Record]) -> str:
    """Return the median time of a method on a board, after the share of runs solved if not all."""
    if not solved(records):
        return _unsolved(records) if records else ""
    able = supported(records)
    share = f"{solved(able)}/{len(able)} " if solved(able) < len(able) else ""
    return share + number(quartiles(record.seconds_if_solved for record in able)[1])


def _sizes_table(log: Log, title: str, records: Sequence[Record]) -> Table:
    """Return for each method and number of squares the quartiles of time, and the median effort.

    The effort is in the method's own unit, and of all runs: that of a run which the limit ended
    would have been more.
    """
    heads = ("method", "squares", "solved", "1/4", "median", "3/4", "effort")
    table = _table(f"{title} by size, in seconds", *heads)
    for method, runs in by_method(log, supported(records)).items():
        sizes = grouped(sorted(runs, key=lambda r: r.squares), lambda r: f"{r.squares}")
        for size, group in {"all": runs, **sizes}.items():
            efforts = [record.effort for record in group if record.effort]
            _, effort, _ = quartiles(count for _, count in efforts)
            table.add_row(
                _marked(log, method),
                size,
                f"{solved(group)}/{len(group)}",
                *map(number, quartiles(record.seconds_if_solved for record in group)),
                f"{number(effort)} {efforts[0][0]}" if efforts else "",
            )
    return table


def _unsolved(records: Sequence[Record]) -> str:
    """Return how many runs ended without an answer, and how."""
    endings = Counter(record.ending for record in records if not record.solved)
    return ", ".join(f"{count} {how}" for how, count in endings.most_common()) or "0"


def _marked(log: Log, method: str) -> str:
    """Return the name of a method, marked if the method cannot prove that there is no tour."""
    return method if log.settings.methods[method].proves else method + _INCOMPLETE


def number(value: float) -> str:
    """Write a number with three digits, large ones in full; infinite as a dash.

    >>> number(1234567.0), number(0.00012345), number(math.inf)
    ('1,234,567', '0.000123', '–')
    """
    if not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def summary(log: Log) -> list[str]:
    """Return sentences on who answered most, who was fastest where, and who alone had an answer."""
    right = without_wrong_proofs(log)
    contradictions = _contradictions(log)
    return [*contradictions, *_most_answers(right), *_fastest_and_only(right), *_failures(right)]


def without_wrong_proofs(log: Log) -> Log:
    """Return a log in which proofs that there is no tour are errors where a run found a tour.

    Every tour has passed the validator, so that such a proof is wrong.
    """
    found = {_question(record) for record in log.records if record.status is RunStatus.FOUND}
    records = []
    for record in log.records:
        if record.status is RunStatus.IMPOSSIBLE and _question(record) in found:
            reason = "its answer that there is no tour is wrong, as another run found one"
            record = replace(record, status=RunStatus.ERROR, reason=reason)
        records.append(record)
    return replace(log, records=tuple(records))


def _question(record: Record) -> tuple[str, str, int | None]:
    """Return what was asked: kind, board and start, which does not matter to a closed tour."""
    run = record.run
    start = run.start if run.kind == "open" else None
    return run.kind, run.board, start


def _contradictions(log: Log) -> Iterator[str]:
    """Yield a sentence for each question that some run answered by a tour, another by a proof."""
    for (kind, board, start), records in grouped(log.records, _question).items():
        if {record.status for record in records} >= {*SOLVED}:
            at = "" if start is None else f" from {start}"
            wrong = [each for each in records if each.status is RunStatus.IMPOSSIBLE]
            methods = join_words(list(by_method(log, wrong)))
            yield (
                f"CONTRADICTION: {kind} {board}{at} was solved, and proven impossible by {methods}:"
                " that is wrong."
            )


def _most_answers(log: Log) -> Iterator[str]:
    """Yield which methods solved the largest share of their runs, unless all did alike."""
    methods = by_method(log, supported(log.records))
    shares = {method: solved(runs) / len(runs) for method, runs in methods.items()}
    if len(set(shares.values())) > 1:
        names = [
            f"{method} ({solved(runs)} of {pluralize(len(runs), 'run')})"
            for method, runs in methods.items()
            if shares[method] == max(shares.values())
        ]
        yield f"{_listed(names)} answered most."


def _fastest_and_only(log: Log) -> Iterator[str]:
    """Yield which method was the fastest on which boards, and which one alone had an answer."""
    fastest_on = defaultdict[str, list[str]](list)
    only_found = defaultdict[str, list[str]](list)
    only_proved = defaultdict[str, list[str]](list)
    unanswered: list[str] = []
    for name, methods in _problems(log).items():
        fastest = _fastest(methods, lambda record: record.seconds_if_solved)
        if fastest is not None:
            fastest_on[fastest].append(name)
        finder = _only_method_with(RunStatus.FOUND, methods)
        if finder is not None:
            only_found[finder].append(name)
        prover = _only_method_with(RunStatus.IMPOSSIBLE, methods)
        if prover is not None:
            only_proved[prover].append(name)
        if not any(map(solved, methods.values())):
            unanswered.append(name)
    for method, names in _most_first(fastest_on):
        yield f"{method} was the fastest on {_listed(names)}."
    for method, names in _most_first(only_found):
        yield f"Only {method} found a tour: {_listed(names)}."
    for method, names in _most_first(only_proved):
        yield f"Only {method} proved that there is no tour: {_listed(names)}."
    if unanswered:
        yield f"No method had an answer: {_listed(unanswered)}."


def _only_method_with(status: RunStatus, methods: Mapping[str, Sequence[Record]]) -> str | None:
    """Return the only one of several methods that has a run with a status, or None."""
    having = [name for name, runs in methods.items() if status in {run.status for run in runs}]
    return having[0] if len(having) == 1 and len(methods) > 1 else None


def _most_first(names: Mapping[str, list[str]]) -> list[tuple[str, list[str]]]:
    """Return each method with its names of problems, the method with most names first."""
    return sorted(names.items(), key=lambda item: len(item[1]), reverse=True)


def _problems(log: Log) -> dict[str, dict[str, list[Record]]]:
    """Return the records of every kind and board, by method."""
    asked = grouped(supported(log.records), lambda record: (record.run.kind, record.run.board))
    return {
        f"{kind} {board}": by_method(log, asked[kind, board])
        for kind, board in itertools.product(KINDS, log.settings.boards)
        if (kind, board) in asked
    }


def _fastest(
    methods: Mapping[str, Sequence[Record]], seconds: Callable[[Record], float]
) -> str | None:
    """Return the method with the smallest median, if there are several and one has an answer."""
    medians = {method: quartiles(map(seconds, runs))[1] for method, runs in methods.items()}
    best = min(medians, key=lambda method: medians[method])
    return best if len(medians) > 1 and math.isfinite(medians[best]) else None


def _failures(log: Log) -> Iterator[str]:
    """Yield for each method in how many runs it failed, and why in the first of them."""
    failed = [record for record in log.records if record.status is RunStatus.ERROR]
    for method, runs in by_method(log, failed).items():
        yield f"{method} failed in {pluralize(len(runs), 'run')}: {runs[0].reason}."


def _listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them; of many, the first few and how many others."""
    more = len(names) - _MOST_NAMES
    if more <= 0:
        return join_words(names)
    return join_words([*names[:_MOST_NAMES], pluralize(more, "other")])


def notes(log: Log) -> list[str]:
    """Return sentences on how to read the tables, and on what casts doubt on them."""
    log = without_wrong_proofs(log)
    settings, records = log.settings, log.records
    memory = f", {settings.memory_limit:g} MiB" if settings.memory_limit else ""
    lines = [
        f"{pluralize(len(records), 'run')}, limit {settings.time_limit:g} s{memory} each, seed"
        f" {settings.seed}; a run is one process with one thread, start-up not counted.",
        "PAR-2: mean seconds, unsolved as twice the limit. 1/4, median, 3/4: seconds within"
        " which that share of the runs was solved. No tour: proven. Limit: the time limit came"
        " first; n/a: the method does not support it. Every tour found passed the validator.",
    ]
    if not all(method.proves for method in settings.methods.values()):
        lines.append(f"{_INCOMPLETE} cannot prove that there is no tour.")
    if log.missing:
        lines.append(f"Still to be done: {pluralize(log.missing, 'run')} of these settings.")
    if doubtful := _doubtful(log):
        lines.append(
            f"WARNING: by processor time the findings on {_listed(doubtful)} may be others: the"
            " machine was busy with other work, or a method waited or used several threads."
        )
    return lines


def _doubtful(log: Log) -> list[str]:
    """Return the problems with disturbed runs on which processor time might change the findings.

    By processor time another method would be the fastest, or a run had time left when it was ended.
    """
    limit = 0.9 * log.settings.time_limit
    doubtful = []
    for name, methods in _problems(log).items():
        disturbed = [r for runs in methods.values() for r in runs if r.disturbed]
        by_wall = _fastest(methods, lambda r: r.seconds_if_solved)
        by_cpu = _fastest(methods, lambda r: r.cpu_seconds if r.solved else math.inf)
        starved = any(record.timed_out and record.cpu_seconds < limit for record in disturbed)
        if starved or (disturbed and by_wall != by_cpu):
            doubtful.append(name)
    return doubtful
