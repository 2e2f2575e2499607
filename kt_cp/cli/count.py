"""``kt count`` and ``kt enumerate``: how many tours there are, and which."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.answer import usual_notation
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.arguments import (
    instance_parameters,
    read_instance,
    take_instance_parameters,
    with_instance,
)
from kt_cp.cli.options import FOLDER, OutputFile, choice_option
from kt_cp.cli.output import END_ADVICE, Exit, open_output, spinner, tell, write_line_at_once
from kt_cp.cli.solve import impossible_line
from kt_cp.count.cost import OutOfMemoryError, ProgressLine
from kt_cp.count.counting import COUNT_METHODS, Count, enumerate_tours
from kt_cp.count.sampling import sample_tours
from kt_cp.count.sequences import (
    RecurrenceReport,
    check_growth,
    count_boards,
    count_prefixes,
    find_recurrence,
)
from kt_cp.messages import InputError, pluralize
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import tour_bytes, write_tour
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.tour.tour import Tour

# The parameters of `count_command` that cannot be used with --prefixes.
_NOT_WITH_PREFIXES = ("spill", "log", "limit", "up_to_symmetry", "jobs", "recurrence", "offset")


@contextmanager
def _counting(title: str, is_shown: bool = True) -> Iterator[Callable[[ProgressLine], None]]:
    """Show a title in a spinner; yield a function that adds how far a count has come.

    A forecast is also printed.
    """
    with spinner(title, is_shown, END_ADVICE) as show:

        def observe(line: ProgressLine) -> None:
            message = f"{title}: {line}"
            if line.is_forecast:
                tell(message)
            show(message, line.share)

        yield observe


@as_subcommand()
@instance_parameters
@options.up_to_symmetry_option
@choice_option("--method", of=COUNT_METHODS, default="auto", help="How to count")
@click.option("--limit", type=int, metavar="N", help="Stop after N tours.")
@click.option("--memory-limit", type=float, metavar="MIB", help="Stop before using more memory.")
@click.option(
    "--spill",
    type=FOLDER,
    help="Keep the states in this folder; the same command resumes a count from them.",
)
@click.option("--jobs", type=int, default=1, help="Number of processes.")
@click.option("--log", type=OutputFile(), help="Write a table of the layers to this file.")
@options.time_limit_option
@options.format_option("bfile")
@click.option("--prefixes", is_flag=True, help="Count the first k squares, for every k.")
@click.option("--recurrence", is_flag=True, help="Add the shortest linear recurrence that fits.")
@click.option("--offset", type=int, default=1, metavar="N", help="First index of a b-file.")
@options.out_option
def count_command(
    form: str, prefixes: bool, recurrence: bool, offset: int, out: str | None, **given: Any
) -> int:
    """Count the tours of a board.

    An open tour and its reverse count as two tours, a closed tour and its reverse as one.

    BOARD may be several, separated by commas, and ranges such as 3x4..3x12, whose sides grow
    together: then each gets a line with its number, or with ? if that is unknown. A b-file has
    lines with an index and a number, as the OEIS has them. Boards that grow in one direction are
    counted in one sweep. --recurrence then says which linear recurrence the numbers satisfy, and
    whether that is proven: in a last line, which is a comment in a b-file.

    With --prefixes the squares are taken column by column, and each line has a number of squares
    and the number of tours of that many first squares.

    With --spill the states are kept on disk, in about as much space as the estimate says, and the
    same command goes on after a crash.
    """
    constraints = take_instance_parameters(given)
    names, is_listed = _listed_boards(constraints.pop("board"))
    if is_listed and (given["spill"] or given["log"]):
        raise InputError("--spill and --log are for one board")
    instances = [read_instance(name, **constraints).instance for name in names]
    if form != "bfile":
        options.refuse(["offset"], "without --format bfile")
    if prefixes:
        options.refuse(_NOT_WITH_PREFIXES, "with --prefixes")
        if len(instances) > 1 or given["method"] == "enumerate":
            raise InputError("--prefixes: give one board, to be counted by frontier")
        limits = {name: given[name] for name in ("time_limit", "memory_limit")}
        return _write_prefixes(instances[0], limits, form, out)
    if recurrence:
        check_growth(instances)
    counts: list[Count] = []
    titles_by_method: dict[str, list[str]] = {}
    with open_output(out) as stream:
        for instance, count in zip(instances, _counted(instances, given), strict=True):
            line = _count_line(instance, count, form, offset + len(counts), is_listed)
            write_line_at_once(stream, line)
            counts.append(count)
            titles_by_method.setdefault(_method_message(count), []).append(instance.graph.title)
        for message, titles in titles_by_method.items():
            boards = titles[0] if len(titles) == 1 else f"{len(titles)} boards"
            tell(f"{boards}: {message}" if is_listed else message)
        is_complete = all(count.complete for count in counts)
        if recurrence and is_complete:
            terms = [count.count for count in counts]
            report = find_recurrence(instances, terms, given["time_limit"], given["memory_limit"])
            write_line_at_once(stream, _recurrence_line(report, form))
    return Exit.YES if is_complete else Exit.NO_ANSWER


def _listed_boards(argument: str) -> tuple[list[str], bool]:
    """Return the boards that an argument names, and whether it is a list or a range.

    It is neither if there is a file of that name.
    """
    if not ("," in argument or ".." in argument) or os.path.exists(argument):
        return [argument], False
    from kt_cp.compare.settings import board_names

    return [name for word in argument.split(",") for name in board_names(word)], True


def _counted(instances: list[Instance], given: dict[str, Any]) -> Iterator[Count]:
    """Yield the count of each board, while a spinner shows how far it has come."""
    # Counts are computed when they are asked for, and report to the spinner of their board.
    observe: Callable[[ProgressLine], None]
    counts = count_boards(instances, **given, progress=lambda line: observe(line))
    for instance in instances:
        with _counting(f"counting {instance.graph.title}") as observe:
            count = next(counts)
        yield count


def _count_line(instance: Instance, count: Count, form: str, index: int, is_listed: bool) -> str:
    """Return the line about one board, which is one of several if it ``is_listed``.

    ``index`` is the index of the line in a b-file.
    """
    title = instance.graph.title
    number = f"{count.count}" if count.complete else "?"
    if form == "bfile":
        return f"{index} {number}"
    if form == "json":
        content: dict[str, object] = {"board": title} if is_listed else {}
        content |= {name: getattr(count, name) for name in ("count", "complete", "counted")}
        if count.with_translations is not None:
            content["with_translations"] = count.with_translations
        return json.dumps(content)
    return f"{title} {number}" if is_listed else _answer_sentence(instance, count)


def _recurrence_line(report: RecurrenceReport, form: str) -> str:
    """Return the line about the recurrence of a sequence; in a b-file it is a comment."""
    if form == "json":
        values = {
            "recurrence": report.recurrence and report.recurrence.coefficients,
            "proven": report.is_proven,
            "description": f"{report}",
        }
        return json.dumps(values)
    return f"# {report}" if form == "bfile" else f"{report}"


def _method_message(count: Count) -> str:
    """Return the message about how a board was counted, and what there is to note."""
    if count.complete and count.method == "refute":  # by a reason that a person can check
        return f"proven: {count.note}"
    is_counted = count.complete or count.count
    message = f"{'counted' if is_counted else 'not counted'} by {count.method}"
    return f"{message}: {count.note}" if count.note else message


def _answer_sentence(instance: Instance, count: Count) -> str:
    """Return the answer as a sentence that begins with the number, or says that it is unknown."""
    number = f"{count.count}" if count.complete else f"at least {count.count}"
    if not (count.complete or count.count):
        number = "unknown number of"
    if count.counted != "classes":
        return f"{number} {count.counted} tours of {instance.graph.title}"
    classes = f"{number} classes of {instance.kind} tours of {instance.graph.title}"
    if count.with_translations is None:
        return f"{classes}, up to rotations and reflections"
    return (
        f"{classes}, up to rotations and reflections; "
        f"{count.with_translations} up to translations too"
    )


def _write_prefixes(instance: Instance, limits: dict[str, Any], form: str, out: str | None) -> Exit:
    """Write the numbers of tours of the first squares of a board, a line for each prefix."""
    title = f"counting prefixes of {instance.graph.title}"
    with open_output(out) as stream, _counting(title) as observe:
        try:
            for squares, number in count_prefixes(instance, **limits, progress=observe):
                values = {"squares": squares, "count": number}
                is_json = form == "json"
                write_line_at_once(stream, json.dumps(values) if is_json else f"{squares} {number}")
        except (OutOfTimeError, OutOfMemoryError) as error:
            tell(f"unknown: {error}")
            return Exit.NO_ANSWER
    return Exit.YES


@as_subcommand()
@with_instance
@options.up_to_symmetry_option
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Write at most N tours.")
@click.option("--random", "at_random", is_flag=True, help="Draw N tours, all equally likely.")
@options.seed_option
@options.time_limit_option
@choice_option("--format", "notation", of=Notation, help="How the tours are written, usually grid")
@options.out_option
def enumerate_command(  # noqa: PLR0913 (its options)
    instance: Instance,
    notation: Notation | None,
    out: str | None,
    limit: int | None,
    at_random: bool,
    seed: int,
    up_to_symmetry: bool,
    time_limit: float | None,
) -> int:
    """Write the tours of a board.

    Tours as ids take one line each; others are separated by blank lines.

    An open tour and its reverse are two tours, a closed tour and its reverse are one. With
    --random, tours are drawn independently, so that the same tour may be written more than once.
    """
    notation = notation or usual_notation(instance.graph)
    if notation is Notation.NPY:
        raise InputError(f"--format {notation}: holds one tour; choose another")
    if not at_random:
        options.refuse(["seed"], "without --random")
    elif limit is None or up_to_symmetry:
        raise InputError("--random: say with --limit how many, and leave out --up-to-symmetry")
    clock = Clock(time_limit)
    title = instance.graph.title
    number = 0
    limit_reached = ""
    shows = out is not None
    with _counting(f"enumerating tours of {title}", shows) as observe, open_output(out) as stream:
        if at_random and limit is not None:
            tours: Iterable[Tour] = sample_tours(
                instance, limit, seed, time_limit=time_limit, progress=observe
            )
        else:
            every = enumerate_tours(instance, up_to_symmetry=up_to_symmetry, time_limit=time_limit)
            tours = itertools.islice(every, limit)
        try:
            for number, tour in enumerate(tours, start=1):
                if notation.base is Notation.IDS:
                    stream.write(f"{' '.join(write_tour(tour, notation))}\n".encode())
                else:
                    stream.write(b"\n" if number > 1 else b"")
                    stream.writelines(tour_bytes(tour, notation))
                stream.flush()
        except (OutOfTimeError, OutOfMemoryError) as error:
            limit_reached = str(error)
    count_text = f"{pluralize(number, 'tour')} of {title}"
    if limit_reached:
        tell(f"unknown: {count_text} found when {limit_reached}")
        return Exit.NO_ANSWER
    if number == 0:
        tell(impossible_line(instance, clock))
        return Exit.NO
    is_cut = number == limit
    others = f"; stopped at --limit {number}" if is_cut else "; there are no others"
    tell(f"found: {count_text}{', drawn at random' if at_random else others}")
    return Exit.YES
