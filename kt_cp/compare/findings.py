"""The findings of a comparison as sentences, and notes on how to read its tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from kt_cp.compare.reading import board_label
from kt_cp.compare.records import Record, RunStatus
from kt_cp.compare.results import Results, count_solved, quartiles, supported_records
from kt_cp.compare.tables import INCOMPLETE, has_quartiles
from kt_cp.messages import join_words, pluralize

_MAX_NAMES = 3  # of boards or methods in a sentence

Problems = Mapping[str, Mapping[str, Sequence[Record]]]
"""The supported runs of each kind and board, by method; see `Results.by_problem`."""


def list_findings(results: Results) -> list[str]:
    """Return sentences on which methods answered most, were fastest, or alone had an answer.

    Wrong answers come first, and failures last.
    """
    problems = results.by_problem()
    return [
        *_contradictions(results),
        *_most_answers(results),
        *_fastest_sentences(problems),
        *_only_sentences(problems, RunStatus.FOUND, "found a tour"),
        *_only_sentences(problems, RunStatus.IMPOSSIBLE, "proved that there is no tour"),
        *_unanswered(problems),
        *_failures(results),
    ]


def _contradictions(results: Results) -> Iterator[str]:
    """Yield a sentence for each question that one run answered by a tour, another by a proof."""
    for (kind, board, start), methods in results.wrong_provers.items():
        at = "" if start is None else f" from {start}"
        yield (
            f"CONTRADICTION: {kind} {board_label(board)}{at} was solved, and proven impossible by"
            f" {join_words(methods)}: that is wrong."
        )


def _most_answers(results: Results) -> Iterator[str]:
    """Yield a sentence on the methods that solved the largest share, unless all did alike."""
    methods = results.by_method(supported_records(results.records))
    shares = {method: count_solved(runs) / len(runs) for method, runs in methods.items()}
    if len(set(shares.values())) > 1:
        names = [
            f"{method} ({count_solved(runs)} of {pluralize(len(runs), 'run')})"
            for method, runs in methods.items()
            if shares[method] == max(shares.values())
        ]
        yield f"{_listed(names)} answered most."


def _fastest_sentences(problems: Problems) -> Iterator[str]:
    """Yield a sentence for each method on the boards on which it was the fastest."""
    fastest = {
        name: _fastest(methods, lambda record: record.seconds_if_solved)
        for name, methods in problems.items()
    }
    for method, names in _by_method(fastest):
        yield f"{method} was the fastest on {_listed(names)}."


def _only_sentences(problems: Problems, status: RunStatus, deed: str) -> Iterator[str]:
    """Yield a sentence for each method on the boards on which it alone has runs of a status.

    ``deed`` says what such a run did.
    """
    only = {name: _only_method_with(status, methods) for name, methods in problems.items()}
    for method, names in _by_method(only):
        yield f"Only {method} {deed}: {_listed(names)}."


def _unanswered(problems: Problems) -> Iterator[str]:
    """Yield a sentence on the boards on which no method had an answer."""
    names = [
        name for name, methods in problems.items() if not any(map(count_solved, methods.values()))
    ]
    if names:
        yield f"No method had an answer: {_listed(names)}."


def _failures(results: Results) -> Iterator[str]:
    """Yield a sentence for each method that failed: in how many runs, and why in the first."""
    failed = [record for record in results.records if record.status is RunStatus.ERROR]
    for method, runs in results.by_method(failed).items():
        yield f"{method} failed in {pluralize(len(runs), 'run')}: {runs[0].reason}."


def _only_method_with(status: RunStatus, methods: Mapping[str, Sequence[Record]]) -> str | None:
    """Return the only one of several methods that has a run with a status, or None."""
    having = [name for name, runs in methods.items() if status in {run.status for run in runs}]
    return having[0] if len(having) == 1 and len(methods) > 1 else None


def _fastest(
    methods: Mapping[str, Sequence[Record]], seconds: Callable[[Record], float]
) -> str | None:
    """Return the method with the smallest median, if there are several and one has an answer."""
    medians = {method: quartiles(map(seconds, runs))[1] for method, runs in methods.items()}
    best = min(medians, key=lambda method: medians[method])
    return best if len(medians) > 1 and math.isfinite(medians[best]) else None


def _by_method(chosen: Mapping[str, str | None]) -> Iterable[tuple[str, list[str]]]:
    """Return each method with the problems for which it is chosen, most problems first."""
    problems = defaultdict[str, list[str]](list)
    for name, method in chosen.items():
        if method is not None:
            problems[method].append(name)
    return sorted(problems.items(), key=lambda item: len(item[1]), reverse=True)


def _listed(names: Sequence[str]) -> str:
    """Return names joined for a sentence: at most three, and the number of the others."""
    more = len(names) - _MAX_NAMES
    if more <= 0:
        return join_words(names)
    return join_words([*names[:_MAX_NAMES], pluralize(more, "other")])


def notes(results: Results) -> list[str]:
    """Return sentences on how to read the tables, with the definitions of their words."""
    first, *others = remarks(results)
    words = " ".join(f"{word}: {meaning}." for word, meaning in definitions(results).items())
    return [first, words, *others]


def definitions(results: Results) -> dict[str, str]:
    """Return the words in the tables, each with its meaning."""
    times = {"Median": "seconds within which half of the runs were solved"}
    if has_quartiles(results):
        shares = "a quarter, half and three quarters"
        times = {"Q1, median, Q3": f"seconds within which {shares} of the runs were solved"}
    return {
        "PAR-2": "mean seconds, unsolved as twice the limit",
        **times,
        "Effort": (
            "the median, in the unit of the method, such as the branches of CP-SAT or the calls of"
            " a search"
        ),
        "No tour": "proven",
        "Limit": "the time limit came first",
        "n/a": "the method does not support it",
    }


def remarks(results: Results) -> list[str]:
    """Return sentences on what the runs were, and on what the tables do not say."""
    settings = results.settings
    memory = f", {settings.memory_limit:g} MiB" if settings.memory_limit else ""
    lines = [
        f"{pluralize(len(results.records), 'run')}, limit {settings.time_limit:g} s{memory} each,"
        f" seed {settings.seed}; a run is one process with one thread, start-up not counted.",
        "Every tour found passed the validator.",
    ]
    if not all(method.proves for method in settings.methods.values()):
        lines.append(f"{INCOMPLETE} cannot prove that there is no tour.")
    missing = results.log.missing
    if missing:
        lines.append(f"Still to be done: {pluralize(missing, 'run')} of these settings.")
    return lines


def warnings(results: Results) -> list[str]:
    """Return a sentence on the findings that processor time might change, if there are any."""
    doubtful = _doubtful_problems(results)
    if not doubtful:
        return []
    return [
        f"WARNING: the findings on {_listed(doubtful)} may differ by processor time: the machine"
        " was busy with other work, or a method waited or used several threads."
    ]


def _doubtful_problems(results: Results) -> list[str]:
    """Return the problems with disturbed runs on which processor time might change the findings.

    By processor time another method would be the fastest, or a run had time left when it was ended.
    """
    limit = 0.9 * results.settings.time_limit
    doubtful = []
    for name, methods in results.by_problem().items():
        disturbed = [r for runs in methods.values() for r in runs if r.disturbed]
        by_wall = _fastest(methods, lambda r: r.seconds_if_solved)
        by_cpu = _fastest(methods, lambda r: r.cpu_seconds if r.solved else math.inf)
        starved = any(record.timed_out and record.cpu_seconds < limit for record in disturbed)
        if starved or (disturbed and by_wall != by_cpu):
            doubtful.append(name)
    return doubtful
