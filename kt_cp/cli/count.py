"""``kt count`` and ``kt enumerate``: how many tours there are, and which."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import click

from kt_cp.cli import options
from kt_cp.cli.options import (
    FOLDER,
    OutputFile,
    choice,
    instance_parameters,
    read_instance,
    take_instance_parameters,
)
from kt_cp.cli.output import Exit, ProgressDisplay, open_output, spinner, tell
from kt_cp.count.counting import COUNTING, Count
from kt_cp.count.enumeration import enumerate_tours
from kt_cp.count.progress import ProgressLine
from kt_cp.count.recurrences import check_growth, find_recurrence
from kt_cp.count.resources import OutOfMemoryError
from kt_cp.count.sampling import sample_tours
from kt_cp.count.sequences import count_boards, count_prefixes
from kt_cp.errors import InputError, pluralize
from kt_cp.notation.notations import Notation
from kt_cp.notation.writing import tour_bytes, write_tour
from kt_cp.problem.clock import OutOfTimeError
from kt_cp.problem.instance import Instance
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour


@click.command()
@instance_parameters
@options.up_to_symmetry_option
@choice("--method", of=COUNTING, default="auto", help="How to count")
@click.option("--limit", type=int, metavar="N", help="Stop after N tours.")
@click.option("--memory-limit", type=float, metavar="MIB", help="Stop before using more memory.")
@click.option("--spill", type=FOLDER, help="Keep the states here, from which a count goes on.")
@click.option("--jobs", type=int, default=1, help="Number of processes.")
@click.option("--log", type=OutputFile(), help="Write a table of the layers to this file.")
@options.time_limit_option
@options.format_option("bfile")
@click.option("--prefixes", is_flag=True, help="Count the first k squares, for every k.")
@click.option("--recurrence", is_flag=True, help="Add the shortest linear recurrence that fits.")
@click.option("--offset", type=int, default=1, metavar="N", help="First index of a b-file.")
@options.out_option
def count_command(
    form: str, offset: int, out: str | None, prefixes: bool, recurrence: bool, **given: Any
) -> int:
    """Count the tours of a board.

    An open tour and its reverse count as two tours, a closed tour and its reverse as one.

    BOARD may be several, separated by commas, and ranges such as 3x4..3x12, whose sides grow
    together: then each gets a line with its number, or with ? if that is unknown. A b-file has
    lines with an index and a number, as the OEIS has them. Boards that grow in one direction are
    counted in one sweep. --recurrence then says which linear recurrence the numbers satisfy, and
    whether that is proven.

    With --prefixes the squares are taken column by column, and each line has a number of squares
    and the number of tours of the first so many.

    With --spill the states are kept on disk, in about as much space as the estimate says, and the
    same command goes on after a crash.
    """
    asked = take_instance_parameters(given)
    board = asked.pop("board")
    boards = _listed(board)
    if boards and (given["spill"] or given["log"]):
        raise InputError("--spill and --log are for one board")
    instances = [read_instance(name, **asked)[0] for name in boards or [board]]
    if prefixes:
        return _write_prefixes(instances, given, form, out)
    if recurrence:
        check_growth(instances)
    counts = list[Count]()
    with open_output(out) as stream:
        for instance, count in zip(instances, _counts(instances, given), strict=True):
            line = _line(instance, count, form, offset + len(counts), is_listed=bool(boards))
            stream.write(f"{line}\n".encode())
            stream.flush()
            about = f"counted by {count.method}"
            if boards:
                about = f"{instance.graph.title}: {about}"
            if count.note:
                about = f"{about}: {count.note}"
            tell(about)
            counts.append(count)
        is_complete = all(count.complete for count in counts)
        if recurrence and is_complete:
            terms = [count.count for count in counts]
            limits = {name: given[name] for name in ("time_limit", "memory_limit")}
            stream.write(f"{find_recurrence(instances, terms, **limits)}\n".encode())
    return Exit.YES if is_complete else Exit.NO_ANSWER


def _line(instance: Instance, count: Count, form: str, number: int, is_listed: bool) -> str:
    """Return the line about one board, which is one of several if it ``is_listed``.

    ``number`` is its index in a b-file.
    """
    title = instance.graph.title
    known = f"{count.count}" if count.complete else "?"
    if form == "bfile":
        return f"{number} {known}"
    if form == "json":
        content: dict[str, object] = {"board": title} if is_listed else {}
        content |= {name: getattr(count, name) for name in ("count", "complete", "counted")}
        if count.with_translations is not None:
            content["with_translations"] = count.with_translations
        return json.dumps(content)
    return f"{title} {known}" if is_listed else _sentence(instance, count)


def _write_prefixes(
    instances: list[Instance], given: dict[str, Any], form: str, out: str | None
) -> int:
    """Write the numbers of tours of the first squares of a board, a line for each prefix."""
    limits = {name: given[name] for name in ("time_limit", "memory_limit")}
    others = any(given[name] for name in ("spill", "log", "limit", "up_to_symmetry"))
    if len(instances) > 1 or others or given["jobs"] != 1 or given["method"] == "enumerate":
        raise InputError("--prefixes: give one board, and no options but its kind and limits")
    [instance] = instances
    watch = _Watch()
    watch.doing = f"counting prefixes of {instance.graph.title}"
    with open_output(out) as stream:
        try:
            with spinner(watch.doing) as watch.say:
                for squares, number in count_prefixes(instance, progress=watch.watch, **limits):
                    line = f"{squares} {number}"
                    if form == "json":
                        line = json.dumps({"squares": squares, "count": number})
                    stream.write(f"{line}\n".encode())
                    stream.flush()
        except (OutOfTimeError, OutOfMemoryError) as error:
            tell(f"unknown: {str(error) or 'the time limit was reached'}")
            return Exit.NO_ANSWER
    return Exit.YES


def _listed(argument: str) -> list[str]:
    """Return the names of several boards, or none if the argument is one board."""
    if not ("," in argument or ".." in argument) or Path(argument).exists():
        return []
    from kt_cp.compare.reading import board_names

    return [name for word in argument.split(",") for name in board_names(word)]


class _Watch:
    """Shows in a spinner how far a count has come."""

    doing = "counting"

    def __init__(self) -> None:
        self.say: ProgressDisplay = lambda message, share=None, /: None

    def watch(self, line: str) -> None:
        """Show a line; what is expected of a count remains in sight."""
        if line.startswith("a frontier"):
            tell(f"{self.doing}: {line}")
        share = line.share if isinstance(line, ProgressLine) else None
        self.say(f"{self.doing}: {line}", share)


def _counts(instances: list[Instance], how: dict[str, Any]) -> Iterator[Count]:
    """Yield the number of tours of each board, and show how far that has come."""
    watch = _Watch()
    counts = count_boards(instances, progress=watch.watch, **how)
    for instance in instances:
        watch.doing = f"counting {instance.graph.title}"
        with spinner(watch.doing) as watch.say:
            count = next(counts)
        yield count


def _sentence(instance: Instance, count: Count) -> str:
    """Return the answer as a sentence that begins with the number, or says that it is unknown."""
    number = f"{count.count}" if count.complete else f"at least {count.count}"
    if not (count.complete or count.count):
        number = "unknown number of"
    if count.counted != "classes":
        return f"{number} {count.counted} tours of {instance.graph.title}"
    classes = f"{number} classes of {instance.kind} tours of {instance.graph.title}"
    if count.with_translations is None:
        return f"{classes}, up to rotations and reflections"
    both = f"up to rotations and reflections; {count.with_translations} up to translations too"
    return f"{classes}, {both}"


@click.command()
@options.with_instance
@options.up_to_symmetry_option
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Write at most N tours.")
@click.option("--random", "at_random", is_flag=True, help="Draw N tours, all equally likely.")
@options.seed_option
@options.time_limit_option
@choice("--format", "notation", of=Notation, help="How the tours are written, usually grid")
@options.out_option
def enumerate_command(
    instance: Instance,
    limit: int | None,
    at_random: bool,
    seed: int,
    notation: Notation | None,
    out: str | None,
    **how: Any,
) -> int:
    """Write the tours of a board: as ids a line each, otherwise with a blank line between them.

    An open tour and its reverse are two tours, a closed tour and its reverse are one. With
    --random, tours are drawn independently, so that the same tour may be written more than once.
    """
    notation = notation or options.usual_notation(instance.graph)
    if notation is Notation.NPY:
        raise InputError(f"--format {notation}: holds one tour; choose another")
    if at_random and (limit is None or how["up_to_symmetry"]):
        raise InputError("--random: say with --limit how many, and leave out --up-to-symmetry")
    number, title, stopped = 0, instance.graph.title, ""
    tours: Iterable[Tour]
    with spinner(f"enumerating tours of {title}", out is not None), open_output(out) as stream:
        try:
            if at_random:
                tours = sample_tours(instance, limit or 1, seed, time_limit=how["time_limit"])
            else:
                tours = itertools.islice(enumerate_tours(instance, **how), limit)
            for number, tour in enumerate(tours, start=1):
                _write_one_of_several(tour, notation, number, stream)
        except (OutOfTimeError, OutOfMemoryError) as error:
            stopped = str(error) or "the time limit was reached"
    written = f"{pluralize(number, 'tour')} of {title}"
    if stopped:
        tell(f"unknown: {written} found when {stopped}")
        return Exit.NO_ANSWER
    if not number:
        tell(solve(instance).summary)
        return Exit.NO
    if at_random:
        extent = ", drawn at random"
    elif number == limit:
        extent = f"; stopped at --limit {limit}"
    else:
        extent = "; there are no others"
    tell(f"found: {written}{extent}")
    return Exit.YES


def _write_one_of_several(tour: Tour, notation: Notation, number: int, stream: IO[bytes]) -> None:
    """Write the tour of this number: as ids on a line, otherwise after a blank line."""
    if notation.base is Notation.IDS:
        stream.write(f"{' '.join(write_tour(tour, notation))}\n".encode())
    else:
        if number > 1:
            stream.write(b"\n")
        stream.writelines(tour_bytes(tour, notation))
    stream.flush()
