"""``kt count`` and ``kt enumerate``: how many tours there are, and which."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, Unpack

import click

from kt_cp.board import Board
from kt_cp.cli import options
from kt_cp.cli.options import Asked, instance_parameters, read_instance
from kt_cp.cli.output import check_output, output, spinner, write_lines
from kt_cp.cli.process import Exit, tell
from kt_cp.count.counting import COUNTING, Count, count_tours, enumerate_tours
from kt_cp.count.frontier import OutOfMemory
from kt_cp.count.sampling import sample_tours
from kt_cp.errors import InputError, pluralize
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import tour_bytes, write_tour
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import refute
from kt_cp.tour.tour import Tour


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
@options.time_limit_option
@options.format_option
@options.out_option
def count_command(
    up_to_symmetry: bool,
    method: str,
    limit: int | None,
    memory_limit: float | None,
    time_limit: float | None,
    answer_format: options.AnswerFormat,
    out: str | None,
    **asked: Unpack[Asked],
) -> int:
    """Count the tours of a board.

    An open tour and its reverse count as two tours, a closed tour and its reverse as one.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input.

    Exit code 0: the count is complete; 2: invalid input; 3: a limit was reached, and
    the number is a lower bound.
    """
    board, constraints = read_instance(**asked)
    check_output(out)
    doing = f"counting {board.title}"
    with spinner(doing) as say:
        count = count_tours(
            board,
            method=method,
            up_to_symmetry=up_to_symmetry,
            limit=limit,
            time_limit=time_limit,
            memory_limit=memory_limit,
            progress=lambda so_far: say(f"{doing}: {so_far:,} so far"),
            tell=lambda line: say(f"{doing}: {line}"),
            **constraints,
        )
    if answer_format is options.AnswerFormat.JSON:
        fields = ("count", "complete", "counted")
        write_lines([json.dumps({name: getattr(count, name) for name in fields})], out)
    else:
        write_lines([_sentence(board, count, bool(constraints.get("closed")))], out)
    tell(f"counted by {count.method}" + (f": {count.note}" if count.note else ""))
    return 0 if count.complete else 3


def _sentence(board: Board, count: Count, closed: bool) -> str:
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
    **asked: Unpack[Asked],
) -> int:
    """Write the tours of a board: as ids a line each, otherwise with a blank line between them.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input. An
    open tour and its reverse are two tours, a closed tour and its reverse are one. With --random,
    tours are drawn independently, so that the same tour may be written more than once.

    Exit code 0: all tours were written, or as many as --limit says; 1: there is none; 2: invalid
    input; 3: the limit of time or memory was reached first.
    """
    board, constraints = read_instance(**asked)
    check_output(out)
    if limit is not None and limit < 1:
        raise InputError(f"--limit {limit}: give at least 1")
    if notation is Notation.NPY:
        raise InputError(f"--format {notation}: holds one tour; choose another")
    if at_random and (limit is None or up_to_symmetry):
        raise InputError("--random: say with --limit how many, and leave out --up-to-symmetry")
    if at_random:
        tours = _drawn(board, limit or 1, seed, time_limit=time_limit, **constraints)
    else:
        tours = enumerate_tours(
            board, up_to_symmetry=up_to_symmetry, time_limit=time_limit, **constraints
        )
    number, stopped = 0, None
    working = nullcontext() if out is None else spinner(f"enumerating tours of {board.title}")
    with working, output(out) as stream:
        try:
            for tour in itertools.islice(tours, limit):
                if notation.base is Notation.IDS:
                    ids = " ".join(write_tour(tour, notation))
                    stream.write(f"{ids}\n".encode())
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
        tell(f"impossible: {_why_none(Instance.of(board, **constraints), at_random)}")
        return Exit.NO
    if at_random:
        extent = ", drawn at random"
    else:
        extent = f"; stopped at --limit {limit}" if number == limit else "; there are no others"
    tell(f"found: {written}{extent}")
    return Exit.YES


def _why_none(instance: Instance, counted_first: bool) -> str:
    from kt_cp.methods.circuit import exhausted_by

    how = "the count by frontier is 0" if counted_first else exhausted_by(instance)
    return str(refute(instance) or how)


def _drawn(*arguments: Any, **given: Any) -> Iterator[Tour]:
    """Yield the tours that `sample_tours` returns, which it begins to draw when it is asked."""
    yield from sample_tours(*arguments, **given)
