"""``kt count`` and ``kt enumerate``: how many tours there are, and which."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.options import instance_parameters, read_instance
from kt_cp.cli.output import Exit, check_output, open_output, spinner, tell
from kt_cp.count.counting import COUNTING, Count, count_tours, enumerate_tours
from kt_cp.count.frontier_plan import OutOfMemory
from kt_cp.count.sampling import sample_tours
from kt_cp.errors import InputError, pluralize
from kt_cp.graph import Graph
from kt_cp.notation.notations import Notation, tour_bytes, write_tour
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import refute
from kt_cp.tour.tour import Tour


class CountFormat(StrEnum):
    """How the numbers are written."""

    TEXT = "text"
    JSON = "json"
    BFILE = "bfile"


@click.command()
@instance_parameters
@options.up_to_symmetry_option
@click.option(
    "--method",
    type=click.Choice(COUNTING),
    metavar="METHOD",
    default="auto",
    help=f"How to count: {', '.join(COUNTING)}.",
)
@click.option("--limit", type=int, metavar="N", help="Stop after N tours.")
@click.option(
    "--memory-limit", type=float, metavar="MIB", help="Stop before using more memory than this."
)
@click.option(
    "--spill",
    type=click.Path(file_okay=False),
    metavar="DIRECTORY",
    help="Keep the states in this directory, from which a count that was stopped goes on.",
)
@click.option("--jobs", type=int, default=1, help="Number of processes.")
@click.option("--log", type=options.FILE, help="Write a table of the layers to this file.")
@options.time_limit_option
@options.choice(
    "--format", "count_format", of=CountFormat, default="text", help="How the numbers are written"
)
@click.option("--offset", type=int, default=1, metavar="N", help="First index of a b-file.")
@options.out_option
def count_command(
    log: str | None, count_format: CountFormat, offset: int, out: str | None, **given: Any
) -> int:
    """Count the tours of a board.

    An open tour and its reverse count as two tours, a closed tour and its reverse as one.

    BOARD may be several, separated by commas, and ranges such as 3x4..3x12, whose sides grow
    together: then each gets a line with its number, or with ? if that is unknown. A b-file has
    lines with an index and a number, as the OEIS has them.

    With --spill the states are kept on disk, in about as much space as the estimate says, and the
    same command goes on after a crash.

    Exit code 0: the count is complete; 2: invalid input; 3: a limit of time, memory or disk
    was reached, and the number is a lower bound.
    """
    names = ("method", "limit", "memory_limit", "spill", "jobs", "time_limit", "up_to_symmetry")
    how = {name: given.pop(name) for name in names}
    boards = _listed(given["board"])
    check_output(out)
    check_output(log, "--log")
    if boards and (how["spill"] or log or given["board"] == "-"):
        raise InputError("--spill, --log and -: are for one board")
    asked = [read_instance(**{**given, "board": name}) for name in boards or [given["board"]]]
    complete = True
    with open_output(out) as stream:
        for number, (board, constraints, _) in enumerate(asked, offset):
            count = _count(board, {**how, "log": log, **constraints})
            known = f"{count.count}" if count.complete else "?"
            if count_format is CountFormat.JSON:
                fields = ("count", "complete", "counted")
                content = {name: getattr(count, name) for name in fields}
                line = json.dumps({"board": board.title, **content} if boards else content)
            elif count_format is CountFormat.BFILE:
                line = f"{number} {known}"
            elif boards:
                line = f"{board.title} {known}"
            else:
                line = _sentence(board, count, bool(constraints.get("closed")))
            stream.write(f"{line}\n".encode())
            stream.flush()
            where = f"{board.title}: " if boards else ""
            tell(f"{where}counted by {count.method}" + (f": {count.note}" if count.note else ""))
            complete = complete and count.complete
    return Exit.YES if complete else Exit.NO_ANSWER


def _listed(argument: str) -> list[str]:
    """Return the names of several boards, or none if the argument is one board."""
    if not ("," in argument or ".." in argument) or Path(argument).exists():
        return []
    from kt_cp.compare.settings import board_names

    return [name for word in argument.split(",") for name in board_names(word)]


def _count(board: Graph, asked: dict[str, Any]) -> Count:
    """Count the tours of a board, and show how far that has come."""
    doing = f"counting {board.title}"
    with spinner(doing) as say:

        def watch(line: str) -> None:
            if line.startswith("a frontier"):  # what is expected remains in sight
                tell(f"{doing}: {line}")
            say(f"{doing}: {line}")

        def enumerated(so_far: int) -> None:
            say(f"{doing}: {so_far:,} so far")

        return count_tours(board, progress=enumerated, tell=watch, **asked)


def _sentence(board: Graph, count: Count, closed: bool) -> str:
    number = f"{count.count}" if count.complete else f"at least {count.count}"
    if count.counted == "classes":
        kind = "closed" if closed else "open"
        return f"{number} classes of {kind} tours of {board.title}, up to symmetry"
    return f"{number} {count.counted} tours of {board.title}"


@click.command()
@instance_parameters
@options.up_to_symmetry_option
@click.option("--limit", type=int, metavar="N", help="Write at most N tours.")
@click.option(
    "--random", "at_random", is_flag=True, help="Draw N tours at random, all equally likely."
)
@options.seed_option
@options.time_limit_option
@options.choice(
    "--format", "notation", of=Notation, default="grid", help="How the tours are written"
)
@options.out_option
def enumerate_command(
    up_to_symmetry: bool,
    limit: int | None,
    at_random: bool,
    seed: int,
    time_limit: float | None,
    notation: Notation,
    out: str | None,
    **asked: Any,
) -> int:
    """Write the tours of a board: as ids a line each, otherwise with a blank line between them.

    An open tour and its reverse are two tours, a closed tour and its reverse are one. With
    --random, tours are drawn independently, so that the same tour may be written more than once.

    Exit code 0: all tours were written, or as many as --limit says; 1: there is none; 2: invalid
    input; 3: the limit of time or memory was reached first.
    """
    board, constraints, _ = read_instance(**asked)
    check_output(out)
    if limit is not None and limit < 1:
        raise InputError(f"--limit {limit}: give at least 1")
    if notation is Notation.NPY:
        raise InputError(f"--format {notation}: holds one tour; choose another")
    if at_random and (limit is None or up_to_symmetry):
        raise InputError("--random: say with --limit how many, and leave out --up-to-symmetry")
    number, stopped = 0, None
    doing = f"enumerating tours of {board.title}"
    with spinner(doing, shown=out is not None), open_output(out) as stream:
        tours: Iterable[Tour]
        try:
            if at_random:
                tours = sample_tours(board, limit or 1, seed, time_limit=time_limit, **constraints)
            else:
                tours = enumerate_tours(
                    board, up_to_symmetry=up_to_symmetry, time_limit=time_limit, **constraints
                )
            for tour in itertools.islice(tours, limit):
                if notation.base is Notation.IDS:
                    stream.write(f"{' '.join(write_tour(tour, notation))}\n".encode())
                else:
                    stream.writelines([b"\n"] if number else [])
                    stream.writelines(tour_bytes(tour, notation))
                stream.flush()
                number += 1
        except (OutOfTime, OutOfMemory) as error:
            stopped = str(error) or "the time limit was reached"
    written = f"{pluralize(number, 'tour')} of {board.title}"
    if stopped:
        tell(f"unknown: {written} found when {stopped}")
        return Exit.NO_ANSWER
    if not number:
        from kt_cp.methods.circuit import exhausted_by

        instance = Instance.of(board, **constraints)
        how_known = "counting by frontier finds none" if at_random else exhausted_by(instance)
        tell(f"impossible: {refute(instance) or how_known}")
        return Exit.NO
    if at_random:
        extent = ", drawn at random"
    else:
        extent = f"; stopped at --limit {limit}" if number == limit else "; there are no others"
    tell(f"found: {written}{extent}")
    return Exit.YES
