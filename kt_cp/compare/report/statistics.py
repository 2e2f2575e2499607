"""Statistics of runs, as the field has them. Pure functions of the records.

An instance here is a board, a kind, a start, a seed and a repetition. A run that its method does
not support counts nowhere; one that was not solved is never dropped.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from kt_cp.compare.run.log_format import Record, Run, RunStatus

Group = TypeVar("Group")
Quartiles = tuple[float, float, float]

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


def supported(records: Iterable[Record]) -> list[Record]:
    """Return the records of the runs that their method supports."""
    return [record for record in records if record.status is not RunStatus.UNSUPPORTED]


def ending(record: Record) -> str:
    """Return in a word or two how a run ended; every run ends in exactly one of these ways."""
    if record.status is RunStatus.UNKNOWN:
        return "limit" if record.timed_out else "gave up"
    return {RunStatus.UNSUPPORTED: "n/a"}.get(record.status, record.status.value)


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


def quartiles(values: Iterable[float | None]) -> Quartiles:
    """Return for a quarter, half and three quarters the least value that so many do not exceed.

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

    return [
        key
        for key, members in grouped(records, question).items()
        if {record.status for record in members} >= {RunStatus.FOUND, RunStatus.IMPOSSIBLE}
    ]


def disturbed(records: Iterable[Record]) -> list[Record]:
    """Return the records whose wall time and CPU time differ by more than a tenth."""
    return [
        record
        for record in supported(records)
        if abs(record.seconds - record.cpu_seconds) > max(0.1 * record.seconds, _LEAST_DIFFERENCE)
    ]
