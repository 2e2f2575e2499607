"""``kt count`` and ``kt enumerate``: how many tours there are, and which."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.options import FOLDER, OutputFile, choice, instance_parameters, read_instance, taken
from kt_cp.cli.output import Exit, open_output, spinner, tell
from kt_cp.count.counting import COUNTING, Count, count_tours
from kt_cp.count.enumeration import enumerate_tours
from kt_cp.count.memory import OutOfMemoryError
from kt_cp.count.sampling import sample_tours
from kt_cp.errors import InputError, pluralize
from kt_cp.notation.notations import Notation, tour_bytes, write_tour
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
@click.option("--offset", type=int, default=1, metavar="N", help="First index of a b-file.")
@options.out_option
def count_command(form: str, offset: int, out: str | None, **given: Any) -> int:
    """Count the tours of a board.

    An open tour and its reverse count as two tours, a closed tour and its reverse as one.

    BOARD may be several, separated by commas, and ranges such as 3x4..3x12, whose sides grow
    together: then each gets a line with its number, or with ? if that is unknown. A b-file has
    lines with an index and a number, as the OEIS has them.

    With --spill the states are kept on disk, in about as much space as the estimate says, and the
    same command goes on after a crash.
    """
    asked = taken(given)
    boards = _listed(board := asked.pop("board"))
    if boards and (given["spill"] or given["log"]):
        raise InputError("--spill and --log are for one board")
    instances = [read_instance(name, **asked)[0] for name in boards or [board]]
    code = Exit.YES
    with open_output(out) as stream:
        for number, instance in enumerate(instances, offset):
            count, title = _count(instance, given), instance.graph.title
            known = f"{count.count}" if count.complete else "?"
            if form == "json":
                content: dict[str, object] = {"board": title} if boards else {}
                content |= {name: getattr(count, name) for name in ("count", "complete", "counted")}
                if count.with_translations is not None:
                    content["with_translations"] = count.with_translations
                line = json.dumps(content)
            elif form == "bfile":
                line = f"{number} {known}"
            else:
                line = f"{title} {known}" if boards else _sentence(instance, count)
            stream.write(f"{line}\n".encode())
            stream.flush()
            where = f"{title}: " if boards else ""
            tell(f"{where}counted by {count.method}" + (f": {count.note}" if count.note else ""))
            code = code if count.complete else Exit.NO_ANSWER
    return code


def _listed(argument: str) -> list[str]:
    """Return the names of several boards, or none if the argument is one board."""
    if not ("," in argument or ".." in argument) or Path(argument).exists():
        return []
    from kt_cp.compare.settings import board_names

    return [name for word in argument.split(",") for name in board_names(word)]


def _count(instance: Instance, how: dict[str, Any]) -> Count:
    """Count the tours of a board, and show how far that has come."""
    doing = f"counting {instance.graph.title}"
    with spinner(doing) as say:

        def watch(line: str) -> None:
            if line.startswith("a frontier"):  # what is expected remains in sight
                tell(f"{doing}: {line}")
            say(f"{doing}: {line}")

        return count_tours(instance, progress=watch, **how)


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
                if notation.base is Notation.IDS:
                    stream.write(f"{' '.join(write_tour(tour, notation))}\n".encode())
                else:
                    stream.write(b"\n" if number > 1 else b"")
                    stream.writelines(tour_bytes(tour, notation))
                stream.flush()
        except (OutOfTimeError, OutOfMemoryError) as error:
            stopped = str(error) or "the time limit was reached"
    written = f"{pluralize(number, 'tour')} of {title}"
    if stopped:
        tell(f"unknown: {written} found when {stopped}")
        return Exit.NO_ANSWER
    if not number:
        tell(solve(instance).summary)
        return Exit.NO
    extent = f"; stopped at --limit {limit}" if number == limit else "; there are no others"
    tell(f"found: {written}{', drawn at random' if at_random else extent}")
    return Exit.YES
