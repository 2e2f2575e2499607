"""``kt solve``, ``longest``, ``cover`` and ``decompose``: find tours and paths, or why not."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from kt_cp.board import Board, as_board
from kt_cp.board.maps import HOLE, SQUARE
from kt_cp.cli import options
from kt_cp.cli.answer import TABLE, AnswerOutput, search_and_write
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.arguments import (
    INSTANCE_NAMES,
    InstanceWithNotes,
    instance_parameters,
    read_bare_instance,
    read_instance,
    take_instance_parameters,
    with_instance,
    with_instances,
)
from kt_cp.cli.options import FILE, OutputFile, refuse, take_options, typed_command
from kt_cp.cli.output import (
    END_ADVICE,
    Exit,
    open_output,
    spinner,
    tell,
    write_bytes,
    write_line_at_once,
    write_lines,
    write_picture,
)
from kt_cp.draw.look import PICTURE_SUFFIXES, TOUR_SUFFIXES
from kt_cp.files import open_input
from kt_cp.graph import Graph
from kt_cp.messages import InputError, pluralize
from kt_cp.methods.table import load_method
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import tour_bytes
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.solving import decompose, longest_path, path_cover, solve
from kt_cp.tour.tour import differing_squares
from kt_cp.tour.validator import FaultKind
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.puzzles.uniqueness import Uniqueness

# -- kt solve --------------------------------------------------------------------------------------

# What cannot be used with --unique, and with several graphs or puzzles in a file.
_NOT_WITH_UNIQUE = (
    "certificate explain log minimize maximize parameter hint workers seed".split()  # noqa: SIM905
)
_NOT_WITH_SEVERAL = ("draw", "certificate", "explain", "unique", "log", "hint")


@as_subcommand()
@with_instances
@click.option("--explain", is_flag=True, help="Also write how a person can deduce the tour.")
@click.option("--unique", is_flag=True, help="Tell whether there is exactly one tour.")
@click.option(
    "--method",
    default="auto",
    shell_complete=options.complete_methods,
    help="The method that solves: one that 'kt methods' lists, or your own as FILE.py:NAME.",
)
@click.option(
    "--first", is_flag=True, help="Find the tour whose ids come first, as words in a dictionary."
)
@click.option(
    "--minimize",
    metavar="FEATURE",
    shell_complete=options.complete_features,
    help="Find a tour with the least of this: turns, or the weight of edges.",
)
@click.option(
    "--maximize",
    metavar="FEATURE",
    shell_complete=options.complete_features,
    help="Find a tour with the most of this.",
)
@click.option("--hint", type=FILE, help="Begin the search with the path in this file.")
@options.search_options(workers=1)
@options.notation_option("--format", "form", help="How the tour is written, usually grid")
@options.out_option
@options.draw_option(*TOUR_SUFFIXES)
@click.option("--certificate", type=OutputFile(), help="If there is no tour, write the proof.")
def solve_command(
    instances: Iterator[InstanceWithNotes],
    unique: bool,
    explain: bool,
    first: bool,
    hint: str | None,
    method: str,
    **given: Any,
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    A map may hold step numbers: the tour visits those squares at those steps.

    With --minimize or --maximize, the best tour found before the time limit or Ctrl-C is written,
    and a message says whether it is optimal or which bound is proven.
    'kt describe' prints the features of a tour.

    --unique trusts a saved puzzle whose solution and checksum match; delete its line '; unique:' to
    have it solved again.

    Of several graphs or puzzles in a file, each gets a line of JSON; the exit code is the worst.
    """
    if first:
        refuse(["method", "unique"], "with --first")
        method = "first"
    (instance, notes), *others = itertools.islice(instances, 2)
    if others:
        refuse(_NOT_WITH_SEVERAL, "with several graphs or puzzles")
        if given["form"] not in (None, Notation.JSON):
            raise InputError(f"--format {given['form']}: several are answered as json")
        given["form"] = Notation.JSON
    output = take_options(AnswerOutput, given, graph=instance.graph)
    if others:
        every = itertools.chain([(instance, notes)], others, instances)
        return _solve_several(every, {**given, "method": load_method(method)}, output.out)
    clock = Clock(given["time_limit"])
    if unique:
        refuse(_NOT_WITH_UNIQUE, "with --unique")
        if method not in ("auto", "circuit"):
            raise InputError(f"--unique: method {method} cannot tell; leave --method out")
        return _solve_unique(instance, notes, output, clock)
    comments: Iterable[str] = ()
    if explain:
        from kt_cp.puzzles.deduction import explanation_lines  # takes a while to import

        as_board(instance.graph, "--explain")
        if output.form != Notation.GRID:
            raise InputError(f"--explain: --format {output.form} has no comments")
        comments = explanation_lines(instance, clock)
    given |= {"method": load_method(method), "hint": _read_hint(hint, instance.graph)}
    code = search_and_write(
        partial(solve, instance),
        given,
        output,
        f"solving {instance.graph.title}",
        measured=given["minimize"] or given["maximize"] or "value",
        comments=comments,
    )
    _suggest_next_command(instance, code)
    return code


def _read_hint(file: str | None, graph: Graph) -> list[Any] | None:
    """Return the squares on a path in a file, which need not be a tour, by their labels."""
    if file is None:
        return None
    from kt_cp.notation.read import parse_path
    from kt_cp.notation.values import load_path

    with open_input(file, "a file that holds a path") as stream:
        report = parse_path(load_path(stream), graph)
    wrong = {FaultKind.OFF_BOARD, FaultKind.HOLE, FaultKind.REPEAT}
    if report.steps is None or wrong & report.counts.keys():
        raise InputError(f"--hint {file}: give a path on the board that visits no square twice")
    return [graph.label(square) for square in report.entries.tolist()]


def _suggest_next_command(instance: Instance, answer: Exit) -> None:
    """Suggest `kt longest` if there is no tour, or the usual methods if the one chosen gave up.

    Nothing is suggested for constraints that partial tours do not take, nor for standard input,
    which cannot be read again.
    """
    arguments = click.get_current_context().params
    takes_partial = not (instance.givens or instance.order or instance.constrain)
    if arguments["board"] == "-" or not takes_partial:
        return
    if answer is Exit.NO:
        kind = instance.graph.vocabulary.partial_tour(instance.closed)
        tell(f"the longest {kind}: {typed_command('longest', INSTANCE_NAMES)}")
    elif answer is Exit.NO_ANSWER and arguments["method"] != "auto":
        tell(f"the usual methods: {typed_command('solve', INSTANCE_NAMES)}")


def impossible_line(instance: Instance, clock: Clock) -> str:
    """Return the line for an instance that a complete search has proven to have no tour.

    The line contains the reason if that is found before the clock's limit.
    """
    try:
        result = solve(instance, time_limit=clock.remaining_limit())
        if result.status is Status.IMPOSSIBLE:
            return result.summary
    except OutOfTimeError:
        pass
    return f"impossible: {instance.graph.title} has no {instance.kind} tour"


def _solve_several(
    instances: Iterable[tuple[Instance, Any]], given: Mapping[str, Any], out: str | None
) -> int:
    """Write the answers to several instances as lines of JSON, one after the other."""
    worst = Exit.YES
    with open_output(out) as stream:
        for instance, _ in instances:
            result = solve(instance, **given)
            write_line_at_once(stream, json.dumps(result.as_dict()))
            worst = max(worst, Exit.of(result.status))
    return worst


# -- kt solve --unique -----------------------------------------------------------------------------


def _solve_unique(
    instance: Instance, notes: dict[str, str], output: AnswerOutput, clock: Clock
) -> Exit:
    """Write the only tour, or two of several with a blank line between them."""
    from kt_cp.problem.tour_graph import needs_steps

    answer, verdict = _read_or_find_uniqueness(instance, notes, clock)
    differing: list[int] = []
    if len(answer.tours) > 1:
        by_steps = needs_steps(instance) or not instance.closed
        differing = differing_squares(answer.tours[0], answer.tours[1], by_steps)
        names = " ".join(map(instance.graph.name, differing))
        count = instance.graph.vocabulary.count_vertices(len(differing))
        verdict += f"; they differ on {count}: {names}"
    if output.form == Notation.JSON:
        values = {
            "unique": answer.is_unique,
            "tours": [tour.json_names for tour in answer.tours],
            "differ": instance.graph.json_names(differing),
            **instance.graph.json_field,
        }
        write_lines([json.dumps(values)], output.out)
    elif answer.tours:
        texts = [b"".join(tour_bytes(tour, output.notation)) for tour in answer.tours]
        if differing and output.notation is Notation.GRID:
            texts.append(_marked_map(instance.board, differing))
        write_bytes([b"\n".join(texts)], output.out)
    tell(verdict)
    if not answer.tours and answer.is_unique is False:
        _suggest_next_command(instance, Exit.NO)
    if answer.tours and output.draw is not None:
        drawn: object = answer.tours[0]
        if differing and isinstance(instance.graph, Board):
            from kt_cp.draw.tours import difference_picture

            drawn = difference_picture(answer.tours[0], answer.tours[1], differing)
        write_picture(drawn, output.draw, output.look)
    if answer.is_unique is None:
        return Exit.NO_ANSWER
    return Exit.YES if answer.is_unique else Exit.NO


def _read_or_find_uniqueness(
    instance: Instance, notes: dict[str, str], clock: Clock
) -> tuple[Uniqueness, str]:
    """Return the tours that tell whether there is exactly one, and the verdict in words.

    The ``notes`` of a saved puzzle hold its solution, and spare the search.
    """
    from kt_cp.puzzles.puzzle import saved_puzzle
    from kt_cp.puzzles.uniqueness import Uniqueness, check_uniqueness  # takes a while to import

    # Custom constraints are no part of the checksum of a saved puzzle.
    saved = saved_puzzle(instance, notes) if notes and not instance.constrain else None
    if saved is not None:
        verdict = "unique: this is the only tour, as was proven when the puzzle was saved"
        return Uniqueness([saved.solution], is_unique=True), verdict
    with spinner(f"solving {instance.graph.title}", advice=END_ADVICE):
        answer = check_uniqueness(instance, clock.limit)
    if answer.is_unique is None:
        count = pluralize(len(answer.tours), "tour")
        return answer, f"unknown: {count} found when the time limit was reached"
    if answer.is_unique:
        return answer, "unique: this is the only tour"
    if answer.tours:
        return answer, "not unique: these are two of the tours"
    return answer, impossible_line(instance, clock)


def _marked_map(board: Board, squares: list[int]) -> bytes:
    """Return the comment lines of a map on which some squares are marked with an asterisk."""
    cells = np.where(board.mask, SQUARE, HOLE)
    cells[squares] = "*"
    rows = cells.reshape(board.rows, board.columns)
    return "".join(f"; {' '.join(row)}\n" for row in rows).encode()


# -- kt longest, cover and decompose ---------------------------------------------------------------


@as_subcommand()
@options.hide_option("--order")
@with_instance
@options.repeated_option("--visit", "SQUARE", "A square that must be visited.")
@click.option("--at-least", type=int, metavar="N", help="The least number of squares to visit.")
@click.option("--weight", metavar="NAME", help="Maximize this attribute of edges, not the squares.")
@options.search_options(None, ", by default 8; with --uncrossed or --induced 2")
@options.notation_option(
    "--format", "form", extra=(TABLE,), help="How the path is written, usually grid"
)
@options.out_option
@options.draw_option(*TOUR_SUFFIXES)
@options.bound_certificate_option
def longest_command(instance: Instance, **given: Any) -> int:
    """Find the longest path of a board, or with --closed the longest cycle.

    Squares may be left out. The last line says how many are visited, and whether it is proven that
    no path visits more; under a time limit, the proven bound. Given steps and an order are refused.
    """
    output = take_options(AnswerOutput, given, graph=instance.graph)
    return search_and_write(
        partial(longest_path, instance),
        given,
        output,
        f"searching {instance.graph.title}",
        measured=given["weight"] or "squares",
    )


@as_subcommand()
@click.argument("board", type=options.FILE, help=options.BOARD_HELP)
@options.graph_options
@click.option("--closed/--open", default=None, hidden=True)
@options.piece_options
@options.search_options(8)
@options.format_option(TABLE)
@options.out_option
@options.draw_option(*PICTURE_SUFFIXES)
@options.bound_certificate_option
def cover_command(closed: bool | None, form: str, **given: Any) -> int:
    """Find the fewest paths that together visit every square of a board once.

    Each path is a line of squares, or in CSV each square a line with its path and step. The last
    line says how many paths there are, and whether it is proven that fewer are not enough; under a
    time limit, or after Ctrl-C, the proven bound.
    """
    if closed is not None:
        raise InputError(
            "kt cover finds paths: leave out --closed and --open; for one cycle, kt longest "
            "--closed"
        )
    covered = read_bare_instance(**take_instance_parameters(given)).graph
    form = Notation.SQUARES if form == "text" else form
    output = take_options(AnswerOutput, given, graph=covered, form=form)
    return search_and_write(
        partial(path_cover, covered), given, output, f"covering {covered.title}"
    )


@as_subcommand()
@options.hide_option("--symmetry")
@options.hide_option("--require")
@instance_parameters
@click.option(
    "--tours", "count", type=int, metavar="K", help="Find K tours; without it, use every move."
)
@options.search_options(2)
@options.notation_option("--format", "form", help="How the tours are written, usually grid")
@options.out_option
@options.draw_option(*PICTURE_SUFFIXES)
def decompose_command(**given: Any) -> int:
    """Decompose a board or graph into closed tours that together use every move once.

    With --tours, find that many tours of which no two share a move, with --open open ones. Each
    meets all constraints. A line such as '; closed tour 1 of 4' is above each, and 'kt validate'
    judges them all.
    """
    given["closed"] = given["closed"] is not False
    instance = read_instance(**take_instance_parameters(given)).instance
    output = take_options(AnswerOutput, given, graph=instance.graph)
    if output.notation is Notation.NPY:
        raise InputError("npy holds one tour; choose another --format")
    title = f"decomposing {instance.graph.title}"
    return search_and_write(partial(decompose, instance), given, output, title)
