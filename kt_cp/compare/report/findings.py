"""What a comparison found, in sentences, and the notes without which its tables would mislead."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from kt_cp.board.square_names import chess_name
from kt_cp.compare.report.statistics import (
    contradictions,
    disturbed,
    grouped,
    median,
    solved,
    supported,
)
from kt_cp.compare.report.tables import WALK, by_method
from kt_cp.compare.run.log_file import Log
from kt_cp.compare.run.log_format import Record, RunStatus
from kt_cp.compare.run.settings import KINDS
from kt_cp.errors import join_words, pluralize

_MOST_NAMES = 3

Problems = dict[str, dict[str, list[Record]]]
"""The records of every board and kind, by method."""


def summary(log: Log) -> list[str]:
    """Return sentences on who answered most, who was fastest where, and who alone had an answer."""
    records = supported(log.records)
    asked = grouped(records, lambda record: (record.run.kind, record.run.board))
    problems = {
        f"{kind} {board}": dict(by_method(log, asked[kind, board]))
        for kind, board in itertools.product(KINDS, log.settings.boards)
        if (kind, board) in asked
    }
    return [
        *_most_and_least(dict(by_method(log, records))),
        *_fastest(problems),
        *_alone(problems, RunStatus.FOUND, "found a tour"),
        *_alone(problems, RunStatus.IMPOSSIBLE, "proved that there is no tour"),
        *_unanswered(problems),
    ]


def _most_and_least(methods: dict[str, list[Record]]) -> Iterator[str]:
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


def _fastest(problems: Problems) -> Iterator[str]:
    where: dict[str, list[str]] = {}
    for name, methods in problems.items():
        seconds = {m: median(r.seconds_if_solved for r in runs) for m, runs in methods.items()}
        fastest = min(seconds, key=lambda method: seconds[method])
        if len(seconds) > 1 and math.isfinite(seconds[fastest]):
            where.setdefault(fastest, []).append(name)
    for method, names in sorted(where.items(), key=lambda item: -len(item[1])):
        yield f"{method} was the fastest on {_listed(names)}."


def _alone(problems: Problems, status: RunStatus, deed: str) -> Iterator[str]:
    where: dict[str, list[str]] = {}
    for name, methods in problems.items():
        able = [m for m, runs in methods.items() if any(run.status is status for run in runs)]
        if len(able) == 1 < len(methods):
            where.setdefault(able[0], []).append(name)
    for method, names in where.items():
        yield f"Only {method} {deed}: {_listed(names)}."


def _unanswered(problems: Problems) -> Iterator[str]:
    names = [name for name, methods in problems.items() if not any(map(solved, methods.values()))]
    if names:
        yield f"No method had an answer: {_listed(names)}."


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
        "PAR-2: mean seconds, unsolved as twice the limit. 1/4, median, 3/4: seconds by which so"
        " many of the runs were solved.",
        "To best: median of time / best method's time on the instance. No tour: proven. Limit: the"
        " time limit came first; n/a: the method does not support it.",
    ]
    if not all(map(settings.can_prove, settings.methods)):
        lines.append(f"{WALK} cannot prove that there is no tour.")
    if log.missing:
        lines.append(f"{pluralize(log.missing, 'run')} of these settings are still to be done.")
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
    if differing := disturbed(log.records):
        yield (
            f"WARNING: in {len(differing)} of {pluralize(len(log.records), 'run')} the time on the"
            " clock and that of the processor differ by more than a tenth: the machine was busy"
            " with other work, or the method waited or used several threads."
        )
    for board, kind, start in contradictions(log.records):
        at = "" if start is None else f" from {chess_name(log.settings.boards[board], start)}"
        yield f"CONTRADICTION: {board} {kind}{at} was solved and proven impossible: one is wrong."
