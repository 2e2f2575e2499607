"""What a comparison found: statistics, the tables, and findings and notes in sentences.

An instance here is a board, a kind, a start, a seed and a repetition. A run that its method does
not support counts nowhere; one that was not solved is never dropped.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from kt_cp.compare.log import Log
from kt_cp.compare.records import SOLVED, Record, RunStatus
from kt_cp.compare.settings import KINDS
from kt_cp.errors import join_words, pluralize

Group = TypeVar("Group")

# Below this a difference of wall time and CPU time says nothing, in seconds.
_LEAST_DIFFERENCE = 0.01


def grouped(
    records: Iterable[Record], group: Callable[[Record], Group]
) -> dict[Group, list[Record]]:
    """Sort the records into groups, in the order in which these come up."""
    groups: dict[Group, list[Record]] = defaultdict(list)
    for record in records:
        groups[group(record)].append(record)
    return dict(groups)


def by_method(log: Log, records: Iterable[Record]) -> dict[str, list[Record]]:
    """Sort records by method, in the order of the settings."""
    groups = grouped(records, lambda record: record.run.method)
    return {method: groups[method] for method in log.settings.methods if method in groups}


def supported(records: Iterable[Record]) -> list[Record]:
    """Return the records of the runs that their method supports."""
    return [record for record in records if record.status is not RunStatus.UNSUPPORTED]


def ending(record: Record) -> str:
    """Return in a word or two how a run ended; every run ends in exactly one of these ways."""
    if record.status is RunStatus.UNKNOWN:
        return "limit" if record.timed_out else "gave up"
    return "n/a" if record.status is RunStatus.UNSUPPORTED else record.status.value


def solved(records: Iterable[Record]) -> int:
    """Return how many runs gave a tour, or a proof that there is none."""
    return sum(record.solved for record in records)


def par2(records: Sequence[Record], limit: float) -> float:
    """Return the mean of the seconds, where a run that was not solved counts twice the limit.

    PAR-2, the score of the SAT competitions; penalised average run times as in F. Hutter,
    H. H. Hoos, K. Leyton-Brown, T. Stützle, ParamILS, JAIR 36 (2009).
    """
    if not records:
        return math.nan
    return sum(r.seconds if r.solved else 2 * limit for r in records) / len(records)


def quartiles(values: Iterable[float | None]) -> tuple[float, float, float]:
    """Return the least values that a quarter, half and three quarters do not exceed.

    No mean of two values is taken, so that infinite ones (not solved) may be among them. Values
    that are None count nowhere.

    >>> quartiles([1, 2, 4, math.inf, None])
    (1.0, 2.0, 4.0)
    """
    known = [value for value in values if value is not None]
    if not known:
        return (math.nan, math.nan, math.nan)
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75], method="inverted_cdf").tolist()
    return (low, middle, high)


def median(values: Iterable[float | None]) -> float:
    """Return the second of the `quartiles`."""
    return quartiles(values)[1]


def disturbed(records: Iterable[Record]) -> list[Record]:
    """Return the records whose wall time and CPU time differ by more than a tenth."""
    return [
        record
        for record in supported(records)
        if abs(record.seconds - record.cpu_seconds) > max(0.1 * record.seconds, _LEAST_DIFFERENCE)
    ]


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
    labels: int = 1


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
    rows = []
    for method, every in by_method(log, records).items():
        able = supported(every)
        endings = Counter(map(ending, able))
        cells = (
            f"{solved(able)}/{len(able)}",
            str(endings["found"]),
            str(endings["impossible"]),
            _unsolved(every),
            number(par2(able, log.settings.time_limit)),
            *map(number, quartiles(record.seconds_if_solved for record in able)),
        )
        rows.append((_marked(log, method), *cells))
    answers = ("method", "solved", "found", "no tour", "unsolved")
    heads = (*answers, "PAR-2", "1/4", "median", "3/4")
    return TextTable(f"{title} by method, in seconds", heads, tuple(rows))


def boards_table(log: Log, title: str, records: Sequence[Record]) -> TextTable:
    """Return for each board the answer, and each method's solved runs and median time."""
    settings, rows = log.settings, []
    for board, every in grouped(records, lambda record: record.run.board).items():
        known = {record.status for record in every}  # it may differ from start to start
        answer = " or ".join(status.value for status in SOLVED if status in known) or "unknown"
        by = by_method(log, every)
        cells = (_board_cell(by.get(method, [])) for method in settings.methods)
        rows.append((board, answer, str(len(settings.boards[board])), *cells))
    rows.sort(key=lambda row: list(settings.boards).index(row[0]))
    heads = ("board", "answer", "squares", *(_marked(log, each) for each in settings.methods))
    return TextTable(f"{title} by board: solved, median seconds", heads, tuple(rows), labels=2)


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
    for method, members in by_method(log, supported(records)).items():
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
            rows.append((_marked(log, method), *cells))
    heads = ("method", "squares", "solved", "seconds", "effort", "MiB", "start-up")
    return TextTable(f"{title} by size: medians", heads, tuple(rows))


def _marked(log: Log, method: str) -> str:
    return method if log.settings.can_prove(method) else method + WALK


def number(value: float) -> str:
    """Write a number with three digits, large ones in full; infinite as a dash.

    >>> number(1234567.0), number(0.00012345), number(math.inf)
    ('1,234,567', '0.000123', '–')
    """
    if not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


_MOST_NAMES = 3


def summary(log: Log) -> list[str]:
    """Return sentences on who answered most, who was fastest where, and who alone had an answer."""
    return [*_contradicted(log), *_most_and_least(log), *_best(log), *_failed(log)]


def _contradicted(log: Log) -> Iterator[str]:
    """Yield where one run found a tour and another proved that there is none: one is wrong.

    A closed tour passes through every square, so there the start does not matter.
    """

    def question(record: Record) -> str:
        run, board = record.run, log.settings.boards[record.run.board]
        at = "" if run.start is None or run.kind == "closed" else f" from {board.name(run.start)}"
        return f"{run.board} {run.kind}{at}"

    for asked, members in grouped(log.records, question).items():
        if {record.status for record in members} >= {*SOLVED}:
            yield f"CONTRADICTION: {asked} was solved and proven impossible: one is wrong."


def _most_and_least(log: Log) -> Iterator[str]:
    methods = by_method(log, supported(log.records))
    shares = {method: solved(runs) / len(runs) for method, runs in methods.items()}
    for word, extreme in (("most", max), ("least", min)):
        if len(set(shares.values())) > 1:
            share = extreme(shares.values())
            names = [
                f"{method} ({solved(runs)} of {pluralize(len(runs), 'run')})"
                for method, runs in methods.items()
                if shares[method] == share
            ]
            yield f"{_listed(names)} answered {word}."


def _best(log: Log) -> Iterator[str]:
    """Yield who was the fastest where, and who alone had an answer, in this order."""
    where: dict[tuple[int, str], list[str]] = defaultdict(list)
    for name, methods in _problems(log).items():
        if fastest := _fastest(methods, lambda record: record.seconds_if_solved):
            where[0, f"{fastest} was the fastest on"].append(name)
        for place, status, deed in (
            (1, RunStatus.FOUND, "found a tour"),
            (2, RunStatus.IMPOSSIBLE, "proved that there is no tour"),
        ):
            able = [each for each, runs in methods.items() if status in {r.status for r in runs}]
            if len(able) == 1 < len(methods):
                where[place, f"Only {able[0]} {deed}:"].append(name)
        if not any(map(solved, methods.values())):
            where[3, "No method had an answer:"].append(name)
    for (_, words), names in sorted(where.items(), key=lambda item: (item[0][0], -len(item[1]))):
        yield f"{words} {_listed(names)}."


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
    """Return the method with the least median, if there are several and one has an answer."""
    medians = {method: median(map(seconds, runs)) for method, runs in methods.items()}
    best = min(medians, key=lambda method: medians[method])
    return best if len(medians) > 1 and math.isfinite(medians[best]) else None


def _failed(log: Log) -> Iterator[str]:
    failed = [record for record in log.records if record.status is RunStatus.ERROR]
    for method, runs in by_method(log, failed).items():
        yield f"{method} failed in {pluralize(len(runs), 'run')}: {runs[0].reason}."


def _listed(names: Sequence[str]) -> str:
    """Join names as a sentence does, the first few of many."""
    more = len(names) - _MOST_NAMES
    return join_words([*names[:_MOST_NAMES], *[pluralize(more, "other")] * (more > 0)])


def notes(log: Log) -> list[str]:
    """Return how the tables are to be read, and what casts doubt on them."""
    settings, records = log.settings, log.records
    memory = f", {settings.memory_limit:g} MiB" if settings.memory_limit else ""
    lines = [
        f"{pluralize(len(records), 'run')}, limit {settings.time_limit:g} s{memory} each, seed"
        f" {settings.seed}; a run is one process with one thread, start-up not counted.",
        "PAR-2: mean seconds, unsolved as twice the limit. 1/4, median, 3/4: seconds within"
        " which that share of the runs was solved. No tour: proven. Limit: the time limit came"
        " first; n/a: the method does not support it.",
    ]
    if not all(map(settings.can_prove, settings.methods)):
        lines.append(f"{WALK} cannot prove that there is no tour.")
    if log.missing:
        lines.append(f"Still to be done: {pluralize(log.missing, 'run')} of these settings.")
    found = [record for record in records if record.status is RunStatus.FOUND]
    validated = sum(record.validated is True for record in found)
    lines.append(
        f"{validated} of {pluralize(len(found), 'tour')} found passed the validator a second time."
    )
    machines = {record.machine for record in records}
    if len(machines) > 1:
        lines.append(f"Times are from {len(machines)} different machines: {'; '.join(machines)}.")
    return [*lines, *_doubts(log)]


def _doubts(log: Log) -> Iterator[str]:
    """Yield a warning where a finding would be another one by the processor's time."""
    busy = disturbed(log.records)
    doubtful = [
        name
        for name, methods in _problems(log).items()
        if _fastest(methods, lambda r: r.seconds_if_solved)
        != _fastest(methods, lambda r: r.cpu_seconds if r.solved else math.inf)
        and any(record in busy for runs in methods.values() for record in runs)
    ]
    early = [r for r in busy if r.timed_out and r.cpu_seconds < 0.9 * log.settings.time_limit]
    facts = []
    if doubtful:
        facts.append(f"by processor time another method is the fastest on {_listed(doubtful)}")
    if early:
        facts.append(f"{pluralize(len(early), 'run')} reached the limit with processor time left")
    if facts:
        yield (
            f"WARNING: {join_words(facts)}: the machine was busy with other work, or a method"
            " waited or used several threads."
        )


def aligned(cells: Sequence[str]) -> list[str]:
    """Return the cells of a column padded, so that decimal points stand below each other.

    >>> aligned(["1.25", "30", "0.5", "1 limit"])
    ['1.25', '30   ', '0.5 ', '1 limit']
    """
    matches = [re.search(r"\d(\.\d*)?$", cell) for cell in cells]
    places = [len(match[1] or "") if match else -1 for match in matches]
    return [
        cell + " " * (max(places) - each) if each >= 0 else cell
        for cell, each in zip(cells, places, strict=True)
    ]


def table_lines(table: TextTable, width: int) -> Iterator[str]:
    """Yield the lines of a table, which are no longer than ``width`` where a single column fits.

    Columns for which there is no room follow below, with the labels once more. Numbers are never
    cut; long labels lose their beginning.

    >>> table = TextTable("Seconds", ("method", "mean", "best"), (("dfs", "1.5", "0.25"),))
    >>> print(*table_lines(table, 12), sep="\\n")
    Seconds
    method  mean
    ------------
    dfs      1.5
    <BLANKLINE>
    method  best
    ------------
    dfs     0.25
    <BLANKLINE>
    """
    longest = max(6, width // (table.labels + 1))
    padded = []
    for place, (head, *cells) in enumerate(zip(table.columns, *table.rows, strict=True)):
        texts, pad = [head, *aligned(cells)], str.rjust
        if place < table.labels:
            pad = str.ljust
            texts = [each if len(each) <= longest else "…" + each[1 - longest :] for each in texts]
        padded.append([pad(text, max(map(len, texts))) for text in texts])
    labels, numbers = padded[: table.labels], padded[table.labels :]
    yield table.title
    while numbers:
        block = [*labels, numbers.pop(0)]
        while numbers and sum(len(cells[0]) + 2 for cells in [*block, numbers[0]]) <= width + 2:
            block.append(numbers.pop(0))
        head, *lines = ("  ".join(cells).rstrip() for cells in zip(*block, strict=True))
        yield from [head, "-" * len(head), *lines, ""]
