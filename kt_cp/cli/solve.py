"""``kt solve``: find a tour, or prove that there is none; and what other searches share with it."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from shutil import get_terminal_size
from typing import Any, TypeVar, cast

import click

from kt_cp.board import Board, as_board
from kt_cp.board.maps import HOLE, SQUARE
from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import (
    EXIT_CODE_OF,
    FILE,
    INSTANCE_NAMES,
    InstanceWithNotes,
    OutputFile,
    check_drawable,
    draw_option,
    refuse,
    typed_command,
    usual_notation,
    with_instances,
)
from kt_cp.cli.output import (
    END_ADVICE,
    Exit,
    open_output,
    spinner,
    tell,
    wrapped,
    write_bytes,
    write_lines,
    write_picture,
)
from kt_cp.files import open_input
from kt_cp.graph import Graph
from kt_cp.messages import InputError, pluralize
from kt_cp.methods.result import (
    CoverResult,
    DisjointTours,
    InterruptedWithResultError,
    Result,
)
from kt_cp.methods.table import load_method
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import check_length, tour_bytes, tour_table
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Improvement, OutOfTimeError
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour, differing_squares
from kt_cp.tour.validator import FaultKind
from kt_dfs import Status

R = TypeVar("R", bound=Result | CoverResult | DisjointTours)

TABLE = "csv"
"""The value of --format that asks for a table of steps and squares."""

# What cannot be used with --unique, and with several graphs or puzzles in a file.
_NOT_WITH_UNIQUE = (
    "certificate explain log minimize maximize parameter hint workers seed".split()  # noqa: SIM905
)
_NOT_WITH_SEVERAL = ("draw", "certificate", "explain", "unique", "log", "hint")


def search_options(workers: int | None, workers_help: str = "") -> options.Decorator:
    """Return a decorator that adds the options of every search to a command.

    The command gets --log and --parameter as its argument ``parameters``, the fields of
    ``SatParameters``. The number of workers is usually ``workers``.
    """
    help = f"Number of threads of the solver{workers_help}."
    add = options.combine(
        options.time_limit_option,
        click.option("--workers", type=int, default=workers, help=help),
        options.seed_option,
        click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error."),
        options.repeated_option(
            "--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters."
        ),
    )

    def decorate(command: Callable[..., int]) -> Any:
        @wraps(command)
        def run(*arguments: Any, log: bool, parameter: tuple[str, ...], **given: Any) -> int:
            parameters: dict[str, object] = {"log_search_progress": True} if log else {}
            for assignment in parameter:
                name, _, value = assignment.partition("=")
                if not (name and value):
                    raise InputError(f"--parameter {assignment}: give NAME=VALUE")
                parameters[name] = value
            return command(*arguments, parameters=parameters, **given)

        return add(run)

    return decorate


@dataclass(frozen=True)
class AnswerOutput:
    """How and where the answer about a graph is written; an impossible way is refused.

    ``form`` is a notation or `TABLE`, the usual notation by default. ``draw`` and ``certificate``
    are the files of a picture and of a certificate, if these are wanted.
    """

    graph: Graph
    form: str | None
    out: str | None
    draw: str | None
    certificate: str | None = None

    def __post_init__(self) -> None:
        if self.form is None:
            is_npy = self.out is not None and self.out.endswith(".npy")
            usual = Notation.NPY if is_npy else usual_notation(self.graph)
            object.__setattr__(self, "form", usual)
        check_length(self.graph, self.notation)
        check_drawable(self.draw, self.graph)

    @property
    def notation(self) -> Notation:
        """The notation in which squares are named."""
        return Notation.SQUARES if self.form == TABLE else Notation(str(self.form))

    def write(self, result: R, text: Callable[[R], Iterable[bytes]]) -> None:
        """Write a result: as JSON or as ``text`` gives it; the picture, the proof, the summary."""
        if self.form == Notation.JSON:
            write_lines([json.dumps(result.as_dict())], self.out)
        elif result:
            write_bytes(text(result), self.out)
        if self.draw is not None and result.status is Status.UNKNOWN:
            tell(f"{self.draw} is not written: there is no answer to draw")
        elif self.draw is not None and not result and self.draw.lower().endswith(".gif"):
            others = "choose .svg, .png, .pdf or .html"
            tell(f"{self.draw} is not written: a reason is not animated; {others}")
        else:
            write_picture(result, self.draw)
        if self.certificate is not None and result.certificate is not None:
            write_lines(result.certificate.lines(), self.certificate)
        tell(result.summary)
        if result.no_certificate is not None:
            tell(f"no certificate was made: {result.no_certificate}")

    def tour_text(self, result: Result, comments: Iterable[str] = ()) -> Iterable[bytes]:
        """Return the tour below comments, or nothing if it is wider than the terminal."""
        tour, width = result.tour, 0
        assert tour is not None
        if self.form == TABLE:
            return (f"{line}\n".encode() for line in tour_table(tour))
        if self.out is None and sys.stdout.isatty():
            width = get_terminal_size().columns
        is_grid = self.notation is Notation.GRID and tour.graph.has_places
        if width and is_grid and tour.board.columns * (len(str(len(tour.graph))) + 1) - 1 > width:
            tell("the tour is wider than the terminal: --draw FILE draws it, --out FILE writes it")
            return ()
        rows = [f"; {row}" for each in comments for row in wrapped(each, width - 2, 5).splitlines()]
        lines = (f"{row}\n".encode() for row in rows)
        return itertools.chain(lines, tour_bytes(tour, self.notation))


def search_and_write(
    search: Callable[..., R],
    given: Mapping[str, Any],
    output: AnswerOutput,
    text: Callable[[R], Iterable[bytes]],
    title: str,
    measured: str = "",
) -> R:
    """Search by the given arguments with a spinner; write the result, and return it.

    If the search improves what is ``measured``, the spinner shows how far. After Ctrl-C the best
    result so far is written, and then `InterruptedWithResultError` is raised.
    """
    advice, method = END_ADVICE, click.get_current_context().params.get("method")
    if method is not None:
        try_first = "without --method the usual methods are tried"
        if method == "auto":
            try_first = "--workers 8 searches in more threads"
        advice = f"{try_first}; {advice}"
    interruption: InterruptedWithResultError | None = None
    with spinner(title, "log_search_progress" not in given["parameters"], advice) as show:

        def display(improvement: Improvement) -> None:
            bound = "" if improvement.bound is None else f", proven bound {improvement.bound}"
            show(f"{title}: {measured} {improvement.value} so far{bound}")

        progress = {"progress": display} if measured else {}
        try:
            result = search(**given, **progress)
        except InterruptedWithResultError as error:
            result, interruption = cast(R, error.result), error
    output.write(result, text)
    if interruption is not None:
        raise interruption
    return result


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
@search_options(workers=1)
@options.notation_option("--format", "form", help="How the tour is written, usually grid")
@options.out_option
@draw_option
@click.option("--certificate", type=OutputFile(), help="If there is no tour, write the proof.")
def solve_command(  # noqa: PLR0913 (its options)
    instances: Iterator[InstanceWithNotes],
    unique: bool,
    explain: bool,
    first: bool,
    form: str | None,
    out: str | None,
    draw: str | None,
    certificate: str | None,
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
        if form not in (None, Notation.JSON):
            raise InputError(f"--format {form}: several are answered as json")
        given["method"] = load_method(method)
        return _solve_several(itertools.chain([(instance, notes)], others, instances), given, out)
    output = AnswerOutput(instance.graph, form, out, draw, certificate)
    clock = Clock(given["time_limit"])
    if unique:
        refuse(_NOT_WITH_UNIQUE, "with --unique")
        if method not in ("auto", "circuit"):
            raise InputError(f"--unique: method {method} cannot tell; leave --method out")
        return _solve_unique(instance, notes, output, clock)
    if explain:
        as_board(instance.graph, "--explain")
        if output.form != Notation.GRID:
            raise InputError(f"--explain: --format {output.form} has no comments")

    def text(result: Result) -> Iterable[bytes]:
        if not explain:
            return output.tour_text(result)
        from kt_cp.puzzles.deduction import explanation_lines  # takes a while to import

        return output.tour_text(result, explanation_lines(instance, clock))

    given |= {"method": load_method(method), "hint": _read_hint(hint, instance.graph)}
    result = search_and_write(
        partial(solve, instance, certificate=certificate is not None),
        given,
        output,
        text,
        f"solving {instance.graph.title}",
        given["minimize"] or given["maximize"] or "value",
    )
    _suggest_next_command(instance, result.status)
    return EXIT_CODE_OF[result.status]


def _read_hint(file: str | None, graph: Graph) -> list[Any] | None:
    """Return the squares on a path in a file, which need not be a tour, by their labels."""
    if file is None:
        return None
    from kt_cp.notation.read import parse_path
    from kt_cp.notation.values import load_path

    with open_input(file, "a file that holds a path") as stream:
        report = parse_path(load_path(stream), graph).report
    wrong = {FaultKind.OFF_BOARD, FaultKind.HOLE, FaultKind.REPEAT}
    if report.steps is None or wrong & report.counts.keys():
        wanted = "give a path on the board that visits no square twice"
        raise InputError(f"--hint {file}: {wanted}")
    return [graph.label(square) for square in report.entries.tolist()]


def _suggest_next_command(instance: Instance, status: Status) -> None:
    """Suggest `kt longest` if there is no tour, or the usual methods if the one chosen gave up.

    Nothing is suggested for constraints that partial tours do not take, nor for standard input,
    which cannot be read again.
    """
    arguments = click.get_current_context().params
    takes_partial = not (instance.givens or instance.order or instance.constrain)
    if arguments["board"] == "-" or not takes_partial:
        return
    if status is Status.IMPOSSIBLE:
        kind = instance.graph.vocabulary.partial_tour(instance.closed)
        tell(f"the longest {kind}: {typed_command('longest', INSTANCE_NAMES)}")
    elif status is Status.UNKNOWN and arguments["method"] != "auto":
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
            stream.write(f"{json.dumps(result.as_dict())}\n".encode())
            stream.flush()
            worst = max(worst, EXIT_CODE_OF[result.status])
    return worst


def _solve_unique(
    instance: Instance, notes: dict[str, str], output: AnswerOutput, clock: Clock
) -> int:
    """Write the only tour, or two of several with a blank line between them.

    The ``notes`` of a saved puzzle hold its solution, and spare the search.
    """
    from kt_cp.problem.tour_graph import needs_steps
    from kt_cp.puzzles.puzzle import saved_puzzle
    from kt_cp.puzzles.uniqueness import Uniqueness, check_uniqueness  # takes a while to import

    # Custom constraints are no part of the checksum of a saved puzzle.
    saved = saved_puzzle(instance, notes) if notes and not instance.constrain else None
    if saved is not None:
        found = Uniqueness([saved.solution], is_unique=True)
        verdict = "unique: this is the only tour, as was proven when the puzzle was saved"
    else:
        with spinner(f"solving {instance.graph.title}", advice=END_ADVICE):
            found = check_uniqueness(instance, clock.limit)
        verdict = _unique_verdict(instance, found.is_unique, found.tours, clock)
    differing: list[int] = []
    if len(found.tours) > 1:
        by_steps = needs_steps(instance) or not instance.closed
        differing = differing_squares(found.tours[0], found.tours[1], by_steps)
        names = " ".join(map(instance.graph.name, differing))
        count = instance.graph.vocabulary.count_vertices(len(differing))
        verdict += f"; they differ on {count}: {names}"
    if output.form == Notation.JSON:
        values = {
            "unique": found.is_unique,
            "tours": [tour.json_names for tour in found.tours],
            "differ": instance.graph.json_names(differing),
            **instance.graph.json_field,
        }
        write_lines([json.dumps(values)], output.out)
    elif found.tours:
        texts = [b"".join(tour_bytes(tour, output.notation)) for tour in found.tours]
        if differing and output.notation is Notation.GRID:
            texts.append(_marked_map(instance.board, differing))
        write_bytes([b"\n".join(texts)], output.out)
    tell(verdict)
    if found.is_unique is not None and not found.tours:
        _suggest_next_command(instance, Status.IMPOSSIBLE)
    if output.draw is not None and found.tours:
        shown: object = found.tours[0]
        if differing and isinstance(instance.graph, Board):
            from kt_cp.draw.tours import difference_picture

            shown = difference_picture(found.tours[0], found.tours[1], differing)
        write_picture(shown, output.draw)
    if found.is_unique is None:
        return Exit.NO_ANSWER
    return Exit.YES if found.is_unique else Exit.NO


def _unique_verdict(
    instance: Instance, is_unique: bool | None, tours: Sequence[Tour], clock: Clock
) -> str:
    """Return in words whether there is exactly one tour."""
    if is_unique is None:
        return f"unknown: {pluralize(len(tours), 'tour')} found when the time limit was reached"
    if is_unique:
        return "unique: this is the only tour"
    return "not unique: these are two of the tours" if tours else impossible_line(instance, clock)


def _marked_map(board: Board, squares: list[int]) -> bytes:
    """Return the comment lines of a map on which some squares are marked with an asterisk."""
    cells = [SQUARE if is_square else HOLE for is_square in board.mask.tolist()]
    for square in squares:
        cells[square] = "*"
    rows = (cells[start : start + board.columns] for start in range(0, board.area, board.columns))
    return "".join(f"; {' '.join(row)}\n" for row in rows).encode()
