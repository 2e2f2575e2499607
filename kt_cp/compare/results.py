"""The results of a comparison: its records with wrong proofs corrected, in groups, and statistics.

Runs that their method does not support are left out of all statistics; unsolved runs never are.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from kt_cp.compare.log import Log
from kt_cp.compare.reading import board_label
from kt_cp.compare.records import Record, RunStatus
from kt_cp.compare.settings import KINDS, Settings

Group = TypeVar("Group")

Question = tuple[str, str, int | None]
"""The problem of a run: the kind of tour, the board and, for an open tour, the start."""


@dataclass(frozen=True)
class Results:
    """The data of tables, plots and findings.

    Records of the ``log`` that claim impossibility although another run found a tour are marked as
    errors. ``wrong_provers`` has the methods that claimed it, for each question.
    """

    log: Log
    wrong_provers: Mapping[Question, tuple[str, ...]]

    @classmethod
    def of(cls, log: Log) -> Results:
        """Return the results of a comparison.

        Every tour has passed the validator, so a proof that contradicts it is wrong.
        """
        found = {question_of(record) for record in log.records if record.status is RunStatus.FOUND}
        records: list[Record] = []
        wrong: dict[Question, set[str]] = {}
        for record in log.records:
            question = question_of(record)
            if record.status is RunStatus.IMPOSSIBLE and question in found:
                reason = "its answer that there is no tour is wrong, as another run found one"
                records.append(replace(record, status=RunStatus.ERROR, reason=reason))
                wrong.setdefault(question, set()).add(record.run.method)
            else:
                records.append(record)
        wrong_provers = {
            question: tuple(method for method in log.settings.methods if method in wrong[question])
            for question in dict.fromkeys(map(question_of, log.records))
            if question in wrong
        }
        return cls(replace(log, records=tuple(records)), wrong_provers)

    @property
    def settings(self) -> Settings:
        """The settings of the comparison."""
        return self.log.settings

    @property
    def records(self) -> tuple[Record, ...]:
        """The corrected records."""
        return self.log.records

    def by_method(self, records: Iterable[Record]) -> dict[str, list[Record]]:
        """Return the records of each method, in the order of the settings."""
        groups = grouped(records, lambda record: record.run.method)
        return {method: groups[method] for method in self.settings.methods if method in groups}

    def by_problem(self) -> dict[str, dict[str, list[Record]]]:
        """Return the supported runs of every kind and board, such as ``open 5x5``, by method."""
        groups = grouped(
            supported_records(self.records), lambda record: (record.run.kind, record.run.board)
        )
        return {
            f"{kind} {board_label(board)}": self.by_method(groups[kind, board])
            for kind, board in itertools.product(KINDS, self.settings.boards)
            if (kind, board) in groups
        }


def by_kind(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Return the records of each kind of tour, those of open tours first."""
    groups = grouped(records, lambda record: record.run.kind)
    return {kind: groups[kind] for kind in KINDS if kind in groups}


def question_of(record: Record) -> Question:
    """Return the problem of a run; the start does not matter to a closed tour."""
    run = record.run
    return run.kind, run.board, run.start if run.kind == "open" else None


def grouped(
    records: Iterable[Record], group: Callable[[Record], Group]
) -> dict[Group, list[Record]]:
    """Return the records of each group, in the order in which the groups first occur."""
    groups: dict[Group, list[Record]] = defaultdict(list)
    for record in records:
        groups[group(record)].append(record)
    return dict(groups)


def supported_records(records: Iterable[Record]) -> list[Record]:
    """Return the records of the runs that their method supports."""
    return [record for record in records if record.status is not RunStatus.UNSUPPORTED]


def count_solved(records: Iterable[Record]) -> int:
    """Return how many runs gave a tour, or a proof that there is none."""
    return sum(1 for record in records if record.solved)


def par2(records: Sequence[Record], limit: float) -> float:
    """Return the mean of the seconds; a run that was not solved counts as twice the limit.

    It is the score of the SAT competitions (Hutter et al., ParamILS, JAIR 36, 2009).
    """
    if not records:
        return math.nan
    return sum(r.seconds if r.solved else 2 * limit for r in records) / len(records)


def quartiles(values: Iterable[float]) -> list[float]:
    """Return the quartiles of values.

    They are the least values that at least a quarter, half and three quarters of the values do not
    exceed. No mean of two values is taken, so that infinite ones (not solved) may be among them.

    >>> quartiles([1, 2, 4, math.inf])
    [1.0, 2.0, 4.0]
    """
    numbers = list(values) or [math.nan]
    return [float(each) for each in np.quantile(numbers, [0.25, 0.5, 0.75], method="inverted_cdf")]
