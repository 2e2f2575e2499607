"""Statistics of runs, as the field has them. Pure functions of the records.

What several of them mean by an instance: a board, a kind, a start, a seed and a repetition. A run
that the method does not support counts nowhere; one that was not solved is never dropped.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from kt_cp.compare.run.log_format import Record, Run, RunStatus

Group = TypeVar("Group")
Quartiles = tuple[float, float, float]


@dataclass(frozen=True)
class Summary:
    """What the runs of one method, on some boards, come to.

    ``runs`` = ``found`` + ``impossible`` + ``timed_out`` + ``gave_up`` + ``errors``; the runs that
    the method does not support are beside it. ``par2`` is in seconds, ``quartiles`` are the seconds
    by which a quarter, half and three quarters of the runs are solved (infinite: they are not), and
    ``ratios`` the same for the ratio to the best method on each instance.
    """

    runs: int
    found: int
    impossible: int
    timed_out: int
    gave_up: int
    errors: int
    unsupported: int
    par2: float
    quartiles: Quartiles
    ratios: Quartiles

    @property
    def solved(self) -> int:
        """How many runs ended with a tour, or a proof that there is none."""
        return self.found + self.impossible


def summarise(
    records: Iterable[Record], limit: float, group: Callable[[Record], Group]
) -> dict[Group, Summary]:
    """Summarise the records of each group. A ratio's best method is sought among all records."""
    records = list(records)
    ratio = ratios_to_best(records)
    return {
        key: _summary(members, limit, ratio) for key, members in grouped(records, group).items()
    }


def grouped(
    records: Iterable[Record], group: Callable[[Record], Group]
) -> dict[Group, list[Record]]:
    """Sort the records into groups, in the order in which these come up."""
    groups: dict[Group, list[Record]] = defaultdict(list)
    for record in records:
        groups[group(record)].append(record)
    return dict(groups)


def supported(records: Iterable[Record]) -> list[Record]:
    """Return the records of the runs that their method supports."""
    return [record for record in records if record.status is not RunStatus.UNSUPPORTED]


def par2(records: Sequence[Record], limit: float) -> float:
    """Return the mean of the seconds, where a run that was not solved counts twice the limit.

    PAR-2, the score of the SAT competitions; penalised average run times as in F. Hutter,
    H. H. Hoos, K. Leyton-Brown, T. Stützle, ParamILS, JAIR 36 (2009).
    """
    if not records:
        return math.nan
    return sum(r.seconds if r.solved else 2 * limit for r in records) / len(records)


def quartiles(values: Iterable[float]) -> Quartiles:
    """Return for a quarter, half and three quarters the least value that so many do not exceed.

    No mean of two values is taken, so that infinite ones (not solved) may be among them.

    >>> quartiles([1, 2, 4, math.inf])
    (1.0, 2.0, 4.0)
    """
    ordered = list(values)
    if not ordered:
        return (math.nan, math.nan, math.nan)
    low, middle, high = np.quantile(ordered, [0.25, 0.5, 0.75], method="inverted_cdf").tolist()
    return (low, middle, high)


def ratios_to_best(records: Iterable[Record]) -> dict[Run, float]:
    """Return for each run its time over the best method's time on the same instance.

    Infinite for a run that was not solved; instances that no method solved are left out. The
    performance ratio of E. D. Dolan and J. J. Moré, Benchmarking optimization software with
    performance profiles, Mathematical Programming 91 (2002).
    """
    ratios: dict[Run, float] = {}
    for rivals in grouped(supported(records), lambda record: record.run.instance).values():
        best = min(record.seconds_if_solved for record in rivals)
        if best < math.inf:
            ratios |= {r.run: r.seconds_if_solved / max(best, 1e-9) for r in rivals}
    return ratios


def steps(values: Iterable[float]) -> tuple[list[float], list[int]]:
    """Return the finite values in order, each once, and how many are that small or smaller.

    As a curve this is a cactus plot of seconds (M. Brain, J. H. Davenport, A. Griggio, Benchmarking
    Solvers, SAT-style, SC² 2017), and a performance profile of ratios (Dolan and Moré 2002).

    >>> steps([3, math.inf, 1, 1])
    ([1.0, 3.0], [2, 3])
    """
    finite = [value for value in values if math.isfinite(value)]
    distinct, number = np.unique(np.array(finite, dtype=float), return_counts=True)
    return distinct.tolist(), np.cumsum(number).tolist()


def contradictions(records: Iterable[Record]) -> list[tuple[str, str, int | None]]:
    """Return the board, kind and start where one run found a tour and another proved there is none.

    There must be none: if there is, one of the methods is wrong. A closed tour passes through every
    square, so there the start does not matter.
    """

    def question(record: Record) -> tuple[str, str, int | None]:
        run = record.run
        return run.board, run.kind, run.start if run.kind == "open" else None

    groups = grouped(records, question)
    return [
        key
        for key, members in groups.items()
        if {record.status for record in members} >= {RunStatus.FOUND, RunStatus.IMPOSSIBLE}
    ]


def _summary(records: Sequence[Record], limit: float, ratio: Mapping[Run, float]) -> Summary:
    counted = supported(records)
    number = {status: sum(r.status is status for r in counted) for status in RunStatus}
    return Summary(
        runs=len(counted),
        found=number[RunStatus.FOUND],
        impossible=number[RunStatus.IMPOSSIBLE],
        timed_out=sum(record.timed_out for record in counted),
        gave_up=sum(record.gave_up for record in counted),
        errors=number[RunStatus.ERROR],
        unsupported=len(records) - len(counted),
        par2=par2(counted, limit),
        quartiles=quartiles(record.seconds_if_solved for record in counted),
        ratios=quartiles(ratio[record.run] for record in counted if record.run in ratio),
    )
