"""What a comparison comes to: findings, warnings, notes and tables, computed by pandas.

Runs that their method does not support are left out of all statistics; unsolved runs never are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kt_cp.compare.log import Log, RunStatus
from kt_cp.compare.settings import KINDS, Run, board_label
from kt_cp.messages import join_words, pluralize

INCOMPLETE = "*"
"""Marks a method that cannot prove that there is no tour."""

BEST = "best"
"""The tone of a cell with the least median time of a row."""

UNSOLVED = "unsolved"
"""The tone of a cell about runs without a right answer."""

_MAX_METHODS = 4  # side by side in a table of boards
_MAX_BRIEF_ROWS = 40  # of a table of boards that is printed after a comparison
_MAX_NAMES = 3  # of boards or methods in a sentence
_MEASURED = ("squares", "status", "solved", "seconds", "cpu_seconds", "timed_out", "ending")
_COLUMNS = (*Run._fields, *_MEASURED, "reason", "unit", "effort")


class Cell(NamedTuple):
    """A cell of a table: its text, and its tone if it has one."""

    text: str
    tone: str = ""


@dataclass(frozen=True)
class Table:
    """A table of texts: a title, the heads of its columns, and its rows.

    The first ``labels`` columns hold labels, all others numbers.
    """

    title: str
    heads: Sequence[str]
    labels: int
    rows: Sequence[Sequence[Cell]]


class Results:
    """The results of a log, whose records that claim a wrong impossibility are marked as errors.

    Every tour has passed the validator, so a proof that contradicts it is wrong. ``runs`` is a data
    frame of the runs; ``supported`` leaves out runs that their method does not support. The column
    ``time`` is ``seconds``, infinite for runs that are not solved; ``start`` is -1 where it does
    not matter. ``contradictions`` are sentences on the wrong proofs.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.settings = log.settings
        self.runs = _runs_in(log)
        self.contradictions = self._mark_wrong_proofs()
        self.runs["solved"] = self.runs.solved.astype(bool)
        self.runs["time"] = self.runs.seconds.where(self.runs.solved, math.inf).astype(float)
        self.supported = _without_unsupported(self.runs)

    def _mark_wrong_proofs(self) -> list[str]:
        """Mark proofs that a tour contradicts as errors; return a sentence on each instance."""
        runs = self.runs
        instance_columns = [runs.kind, runs.board, runs.start]
        is_found = runs.status == RunStatus.FOUND
        has_tour = is_found.groupby(instance_columns, observed=True).transform("any")
        wrong = runs[has_tour & (runs.status == RunStatus.IMPOSSIBLE)]
        reason = "its answer that there is no tour is wrong, as another run found one"
        values = [RunStatus.ERROR, False, RunStatus.ERROR.value, reason]
        runs.loc[wrong.index, ["status", "solved", "ending", "reason"]] = values
        return [
            f"CONTRADICTION: {kind} {board_label(board)}{'' if start < 0 else f' from {start}'} was"
            f" solved, and proven impossible by {join_words(list(group.method.unique()))}: that is"
            " wrong."
            for (kind, board, start), group in wrong.groupby(instance_columns, observed=True)
        ]

    @property
    def findings(self) -> list[str]:
        """Sentences on which methods answered most, were fastest, or alone had an answer."""
        import pandas

        lines = []
        solved = self.supported.groupby("method", observed=True).solved.agg(["mean", "sum", "size"])
        if solved["mean"].nunique() > 1:
            best = solved[solved["mean"] == solved["mean"].max()]
            names = [
                f"{each.Index} ({each.sum} of {pluralize(each.size, 'run')})"
                for each in best.itertuples()
            ]
            lines.append(f"{_list_some(names)} answered most.")
        fastest = {}
        only_answers = {}
        for problem, runs in self._problems():
            fastest[problem] = _fastest_method(runs)
            answered = runs[runs.solved].method.unique()
            is_alone = len(answered) == 1 and runs.method.nunique() > 1
            only_answers[problem] = answered[0] if is_alone else None
        for by_problem, sentence in (
            (fastest, "{} was the fastest on {}."),
            (only_answers, "Only {} answered {}."),
        ):
            methods = pandas.Series(by_problem, dtype=object).dropna()
            for method in methods.value_counts().index:
                names = list(methods.index[methods == method])
                lines.append(sentence.format(method, _list_some(names)))
        return lines

    @property
    def warnings(self) -> list[str]:
        """Sentences on wrong proofs, on failures, and on findings that the machine's load made."""
        failed = self.runs[self.runs.status == RunStatus.ERROR]
        lines = self.contradictions + [
            f"{method} failed in {pluralize(len(runs), 'run')}: {runs.reason.iloc[0]}."
            for method, runs in failed.groupby("method", observed=True)
        ]
        if doubtful := [problem for problem, runs in self._problems() if self._is_doubtful(runs)]:
            lines.append(
                f"WARNING: the findings on {_list_some(doubtful)} may differ by processor time: the"
                " machine was busy with other work, or a method waited or used several threads."
            )
        return lines

    def _is_doubtful(self, runs: Any) -> bool:
        """Return whether by processor time another method would be fastest, or had time left.

        Wall and processor time differ if they do by more than a tenth, and by more than 10 ms.
        """
        cpu = runs.cpu_seconds
        differ = (runs.seconds - cpu).abs() > (0.1 * runs.seconds).clip(lower=0.01)
        starved = differ & runs.timed_out & (cpu < 0.9 * self.settings.time_limit)
        by_cpu = runs.assign(time=cpu.where(runs.solved, math.inf))
        return bool(
            starved.any() or (differ.any() and _fastest_method(runs) != _fastest_method(by_cpu))
        )

    def _problems(self) -> Iterator[tuple[str, Any]]:
        """Yield every kind and board, such as ``open 5x5``, with its supported runs."""
        for (kind, board), runs in self.supported.groupby(["kind", "board"], observed=True):
            yield f"{kind} {board_label(board)}", runs

    @property
    def has_quartiles(self) -> bool:
        """Whether a method has several runs on boards of one size, as quartiles need."""
        return bool(self.supported.duplicated(["kind", "method", "squares"]).any())

    @property
    def definitions(self) -> dict[str, str]:
        """The words in the tables, each with its meaning."""
        times = {"Median": "seconds within which half of the runs were solved"}
        if self.has_quartiles:
            shares = "a quarter, half and three quarters"
            times = {"Q1, median, Q3": f"seconds within which {shares} of the runs were solved"}
        return {
            "PAR-2": "mean seconds, unsolved as twice the limit",
            **times,
            "Effort": (
                "the median, in the unit of the method, such as the branches of CP-SAT or the calls"
                " of a search"
            ),
            "No tour": "proven",
            "Limit": "the time limit came first",
            "n/a": "the method does not support it",
        }

    @property
    def remarks(self) -> list[str]:
        """Sentences on what the runs were, and on what the tables do not say."""
        settings = self.settings
        memory = f", {settings.memory_limit:g} MiB" if settings.memory_limit else ""
        lines = [
            f"{pluralize(len(self.runs), 'run')}, limit {settings.time_limit:g} s{memory} each,"
            f" seed {settings.seed}; a run is one process with one thread, start-up not counted.",
            "Every tour found passed the validator.",
        ]
        if not all(method.proves for method in settings.methods.values()):
            lines.append(f"{INCOMPLETE} cannot prove that there is no tour.")
        if missing := self.log.missing:
            lines.append(f"Still to be done: {pluralize(missing, 'run')} of these settings.")
        return lines

    @property
    def tables(self) -> list[Table]:
        """The tables: by board, for at most four methods each; by method; by size."""
        methods = list(self.settings.methods)
        starts = range(0, len(methods), _MAX_METHODS)
        by_board = [self._boards_table(methods[first : first + _MAX_METHODS]) for first in starts]
        return [*by_board, self._methods_table(), self._sizes_table()]

    @property
    def brief_tables(self) -> list[Table]:
        """The tables by board, or that by method if there are many boards."""
        *by_board, by_method, _ = self.tables
        return by_board if len(by_board[0].rows) <= _MAX_BRIEF_ROWS else [by_method]

    def _boards_table(self, methods: Sequence[str]) -> Table:
        """Return the table of the answer for each board, and of each method's median time."""
        rows = []
        for (kind, board), group in self.runs.groupby(["kind", "board"], observed=True):
            statuses = {*group.status[group.solved]}
            answer = " or ".join(status for status in RunStatus if status in statuses)
            best = _median_times(_without_unsupported(group)).min()
            rows.append(
                [
                    Cell(kind),
                    Cell(board_label(board)),
                    Cell(answer or "unknown", "" if answer else UNSOLVED),
                    *(_time_cell(group[group.method == method], best) for method in methods),
                ]
            )
        heads = ("kind", "board", "answer", *map(self._marked, methods))
        return Table("Median seconds by board", heads, 3, rows)

    def _methods_table(self) -> Table:
        """Return the table of how often each method answered, and of its score.

        PAR-2 is that of the SAT competitions (Hutter et al., ParamILS, JAIR 36, 2009).
        """
        rows = []
        for (kind, method), group in self.runs.groupby(["kind", "method"], observed=True):
            runs = _without_unsupported(group)
            score = runs.seconds.where(runs.solved, 2 * self.settings.time_limit).mean()
            texts = (
                kind,
                self._marked(method),
                format_number(score),
                _share(runs),
                str((runs.status == RunStatus.FOUND).sum()),
                str((runs.status == RunStatus.IMPOSSIBLE).sum()),
            )
            unsolved = Cell(_count_unsolved(group), "" if runs.solved.all() else UNSOLVED)
            rows.append([*map(Cell, texts), unsolved])
        heads = ("kind", "method", "PAR-2", "solved", "found", "no tour", "unsolved")
        return Table("Answers by method", heads, 2, rows)

    def _sizes_table(self) -> Table:
        """Return the table of the median time and effort, by method and size.

        It has the quartiles of time too, unless each size has one run of a method. The effort is
        the median of all runs, so it is a lower bound if the limit ended some of them.
        """
        rows = []
        time_heads = ["Q1", "median", "Q3"] if self.has_quartiles else ["median"]
        for (kind, method, size), group in self.supported.groupby(
            ["kind", "method", "squares"], observed=True
        ):
            times = dict(zip(("Q1", "median", "Q3"), quartiles(group.time), strict=True))
            seconds = (format_number(times[head]) for head in time_heads)
            with_effort = group[group.unit != ""]
            effort = ""
            if len(with_effort):
                effort = f"{format_number(with_effort.effort.median())} {with_effort.unit.iloc[0]}"
            texts = (kind, self._marked(method), str(size), _share(group), *seconds, effort)
            rows.append([*map(Cell, texts)])
        heads = ("kind", "method", "squares", "solved", *time_heads, "effort")
        return Table("Seconds and effort by size", heads, 2, rows)

    def _marked(self, method: str) -> str:
        """Return the name of a method, marked if the method cannot prove that there is no tour."""
        return method if self.settings.methods[method].proves else method + INCOMPLETE


def _runs_in(log: Log) -> Any:
    """Return the runs of a log as a data frame, sorted by the order of the settings when grouped.

    The start of closed tours, to which it does not matter, and one that is not given are -1.
    """
    import pandas

    rows = (
        (
            *record.run,
            *(getattr(record, name) for name in _MEASURED),
            record.reason or "",
            *(record.effort or ("", math.nan)),
        )
        for record in log.records
    )
    runs = pandas.DataFrame(rows, columns=list(_COLUMNS))
    orders = {"method": log.settings.methods, "board": log.settings.boards, "kind": KINDS}
    for name, order in orders.items():
        runs[name] = pandas.Categorical(runs[name], list(order))
    runs["start"] = runs.start.where(runs.kind == "open").astype(float).fillna(-1).astype(int)
    return runs


def quartiles(values: Iterable[float]) -> list[float]:
    """Return the quartiles of values.

    They are the least values that at least a quarter, half and three quarters of the values do not
    exceed. No mean of two values is taken, so that infinite ones (not solved) may be among them.

    >>> quartiles([1, 2, 4, math.inf])
    [1.0, 2.0, 4.0]
    """
    numbers = list(values) or [math.nan]
    return [float(each) for each in np.quantile(numbers, [0.25, 0.5, 0.75], method="inverted_cdf")]


def format_number(value: float) -> str:
    """Return a number as text with three digits, large ones in full, infinite ones as a dash.

    >>> format_number(1234567.0), format_number(0.00012345), format_number(math.inf)
    ('1,234,567', '0.000123', '–')
    """
    if not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _without_unsupported(runs: Any) -> Any:
    """Return the runs whose method supports them."""
    return runs[runs.status != RunStatus.UNSUPPORTED]


def _median_times(runs: Any) -> Any:
    """Return the median time of each method."""
    return runs.groupby("method", observed=True).time.agg(lambda each: quartiles(each)[1])


def _time_cell(runs: Any, best: float) -> Cell:
    """Return the median time of a method's runs on a board, whose ``best`` median is given.

    The cell has the share solved unless all runs were, and how they ended where none was.
    """
    supported_runs = _without_unsupported(runs)
    median = quartiles(supported_runs.time)[1]
    if not supported_runs.solved.any():
        endings = runs.ending.unique()
        text = _count_unsolved(runs) if len(endings) > 1 else "".join(endings)
        return Cell(text, UNSOLVED if len(supported_runs) else "")
    if not supported_runs.solved.all():
        return Cell(f"{_share(supported_runs)} {format_number(median)}", UNSOLVED)
    return Cell(format_number(median), BEST if median == best else "")


def _fastest_method(runs: Any) -> str | None:
    """Return the method with the smallest median, if there are several and one has an answer."""
    medians = _median_times(runs)
    return medians.idxmin() if len(medians) > 1 and math.isfinite(medians.min()) else None


def _share(runs: Any) -> str:
    """Return how many of some runs were solved, such as ``3/4``."""
    return f"{runs.solved.sum()}/{len(runs)}"


def _count_unsolved(runs: Any) -> str:
    """Return how many runs ended without an answer, and how."""
    endings = runs.ending[~runs.solved.astype(bool)].value_counts(sort=True)
    return ", ".join(f"{count} {how}" for how, count in endings.items()) or "0"


def _list_some(names: Sequence[str]) -> str:
    """Return names joined for a sentence: at most three, and the number of the others."""
    if len(names) <= _MAX_NAMES:
        return join_words(names)
    return join_words([*names[:_MAX_NAMES], pluralize(len(names) - _MAX_NAMES, "other")])
