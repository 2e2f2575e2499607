"""The table of the subcommands of ``kt``, how one is run, and the samples to try them on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from mmap import mmap
from pathlib import Path
from typing import Any, NamedTuple

import click

from kt_cp.cli.output import write_bytes, write_lines
from kt_cp.messages import InputError, probably_meant


class SubcommandEntry(NamedTuple):
    """A subcommand: its line in the help of ``kt``, the module that defines it, and examples.

    The examples work beside the files that ``kt samples --out .`` writes. Of a subcommand with many
    options, ``usual`` are those that its help shows.
    """

    summary: str
    module: str
    examples: tuple[str, str]
    usual: str = ""


SUBCOMMANDS = {
    "solve": SubcommandEntry(
        "Find a tour, or prove that there is none.",
        "solve",
        (
            "kt solve 8x8 --closed --draw tour.svg",
            "kt solve 6x6 --closed --minimize turns",
        ),
        "--closed --start --end --unique --method --minimize --time-limit --format --out --draw",
    ),
    "longest": SubcommandEntry(
        "Find the longest path or cycle, with a proven bound.",
        "solve",
        (
            "kt longest 4x4",
            "kt longest 5x5 --closed --uncrossed --draw cycle.svg",
        ),
        "--closed --start --end --uncrossed --visit --at-least --time-limit --format --out --draw",
    ),
    "cover": SubcommandEntry(
        "Find the fewest paths that visit every square once.",
        "solve",
        (
            "kt cover 4x4",
            "kt cover petersen.hcp --format json",
        ),
    ),
    "decompose": SubcommandEntry(
        "Find tours of which no two share a move.",
        "solve",
        (
            "kt decompose 5x5 --topology torus",
            "kt decompose 5x5 --topology torus --tours 3 --format squares",
        ),
        "--closed --start --end --topology --tours --time-limit --format --out --draw",
    ),
    "validate": SubcommandEntry(
        "Tell whether a path is a tour, and where it goes wrong.",
        "paths",
        (
            "kt validate path.txt",
            "kt solve 8x8 --closed --format squares | kt validate -",
        ),
    ),
    "describe": SubcommandEntry(
        "Print the features of a tour, such as its turns and crossings.",
        "paths",
        (
            "kt describe path.txt",
            "kt solve 6x6 --format squares | kt describe - --format json",
        ),
    ),
    "count": SubcommandEntry(
        "Count the tours of a board.",
        "count",
        (
            "kt count 6x6 --closed",
            "kt count 3x4..3x10",
        ),
        "--closed --start --end --up-to-symmetry --limit --memory-limit"
        " --spill --time-limit --format --out",
    ),
    "enumerate": SubcommandEntry(
        "Write the tours of a board, one after the other.",
        "count",
        (
            "kt enumerate 5x5 --start a1 --limit 3",
            "kt enumerate 6x6 --closed --random --limit 5 --format squares",
        ),
        "--closed --start --end --up-to-symmetry --limit --random"
        " --seed --time-limit --format --out",
    ),
    "check": SubcommandEntry(
        "Check a certificate: the proof that a board has no tour.",
        "paths",
        (
            "kt check no.json",
            "kt check no.json --draw proof.svg",
        ),
    ),
    "export": SubcommandEntry(
        "State a problem for other tools.",
        "draw",
        (
            "kt export 8x8 --closed --format minizinc --out tour.mzn",
            "kt export 6x6 --start a1 --format dimacs --out tour.cnf",
        ),
        "--closed --start --end --format --out",
    ),
    "board": SubcommandEntry(
        "Make a random board that has a tour.",
        "puzzle",
        (
            "kt board 7x7 --holes 4 --seed 1",
            "kt board 6x6 --holes 4 --closed --symmetric --draw board.svg",
        ),
        "--closed --start --end --holes --symmetric --seed --time-limit --out --draw",
    ),
    "puzzle": SubcommandEntry(
        "Make a puzzle: step numbers from which one tour follows.",
        "puzzle",
        (
            "kt puzzle 6x6 --closed --difficulty easy --draw puzzle.svg",
            "kt puzzle 6x6 6x8 --book book.pdf",
        ),
        "--closed --clues --difficulty --count --seed --hint --solution --out --draw --book",
    ),
    "compare": SubcommandEntry(
        "Compare methods on the same boards under the same limits.",
        "compare",
        (
            "kt compare --boards 5x5..6x6 --methods circuit,dfs --out runs.jsonl",
            "kt compare --resume runs.jsonl",
        ),
    ),
    "report": SubcommandEntry(
        "Show the tables and plots of a comparison again.",
        "compare",
        (
            "kt report runs.jsonl",
            "kt report runs.jsonl --html report.html --csv runs.csv",
        ),
    ),
    "draw": SubcommandEntry(
        "Draw a tour, or what is wrong with a path.",
        "draw",
        (
            "kt draw path.txt --out tour.svg --style numbers",
            "kt draw path.txt --out tour.gif",
        ),
    ),
    "play": SubcommandEntry(
        "Open a page on which to draw, solve, check and watch tours.",
        "draw",
        (
            "kt play",
            "kt play heart-board.txt --closed --port 8081",
        ),
    ),
    "replay": SubcommandEntry(
        "Record a search on a page that replays it step by step.",
        "draw",
        (
            "kt replay 6x6 --method dfs --versus warnsdorff --out replay.html",
            "kt replay --graph '3,0 1,1 2' --out graph.html",
        ),
    ),
    "samples": SubcommandEntry(
        "List or write files to try the commands on.",
        "app",
        (
            "kt samples --out .",
            "kt samples board.txt",
        ),
    ),
    "methods": SubcommandEntry(
        "List the methods that solve and compare know.",
        "compare",
        (
            "kt methods",
            "kt methods auto",
        ),
    ),
}

GROUPS = {
    "The three main jobs": ("solve", "validate", "compare"),
    "Find more tours": ("longest", "cover", "decompose", "count", "enumerate"),
    "Judge what others found": ("describe", "check"),
    "Make and show": ("board", "puzzle", "draw", "replay", "play", "export"),
    "Look up": ("methods", "report", "samples", "help"),
}
"""The headings of the subcommands in the help of ``kt``, and the subcommands below each."""

_EXIT_CODES = (
    "Exit code 0: yes, or done; 1: no; 2: invalid input; 3: unknown, as at a time limit; 4: a bug."
)

_EVERYTHING = "all options"


class Subcommand(click.Command):
    """A subcommand of ``kt``, whose help has only the usual options if there are many."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usual options and, for ``kt help SUBCOMMAND``, the others below them."""
        name = str(self.name)
        usual, others = sorted_options(name, self.get_params(ctx))
        sections = [("Options", usual)]
        if others and ctx.obj == _EVERYTHING:
            sections.append(("More options", others))
        for heading, members in sections:
            with formatter.section(heading):
                records = (each.get_help_record(ctx) for each in members)
                formatter.write_dl([record for record in records if record is not None])
        if others and ctx.obj != _EVERYTHING:
            formatter.write_paragraph()
            formatter.write_text(f"{len(others)} more options: 'kt help {name}' shows them")


def as_subcommand() -> Callable[[Callable[..., Any]], Subcommand]:
    """Return a decorator that makes a subcommand of a function."""
    return click.command(cls=Subcommand)


def sorted_options(
    name: str, parameters: Iterable[click.Parameter]
) -> tuple[list[click.Option], list[click.Option]]:
    """Return the usual options of a subcommand, and its other options, both without hidden ones.

    The command refuses hidden options, with advice.
    """
    usual_names = SUBCOMMANDS[name].usual.split()
    usual: list[click.Option] = []
    others: list[click.Option] = []
    for each in parameters:
        if isinstance(each, click.Option) and not each.hidden:
            is_usual = not usual_names or each.opts[0] in (*usual_names, "-h")
            (usual if is_usual else others).append(each)
    return usual, others


def load_command(name: str) -> click.Command:
    """Return a subcommand with its options, from the module that defines it."""
    module = import_module(f"kt_cp.cli.{SUBCOMMANDS[name].module}")
    command: click.Command = getattr(module, f"{name}_command")
    return command


class _LazyCommand(click.Command):
    """A placeholder for a subcommand, whose module is imported when it is run or shows its help."""

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        # Let NumPy be imported with one thread, and only if there is memory for it: without it,
        # OpenBLAS would end the process with exit code 1.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        mmap(-1, 100 * 2**20).close()
        name = str(self.name)
        command = load_command(name)
        examples = "\n".join(f"  {line}" for line in SUBCOMMANDS[name].examples)
        command.epilog = f"\b\nExamples:\n{examples}\n\n{_EXIT_CODES}"
        return command.make_context(*arguments, **extra)


def completing(names: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a function that completes one of some names for a shell, also after a comma."""

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
        before, comma, begun = typed.rpartition(",")
        return [f"{before}{comma}{name}" for name in names() if name.startswith(begun)]

    return complete


class _Commands(click.Group):
    """The group of all subcommands, which lists them by the headings of `GROUPS`."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, names in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(f"{name:9}", self.commands[name].help or "") for name in names]
                )


app = click.version_option(package_name="knights-tours", message="kt %(version)s")(
    _Commands(
        "kt",
        commands=[_LazyCommand(name, help=each.summary) for name, each in SUBCOMMANDS.items()],
        context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
        help="Knight's tours: find them, prove that there are none, count and validate them.",
    )
)


@app.command("help", help="Show the help of kt or of a subcommand.")
@click.argument("command", required=False, shell_complete=completing(lambda: SUBCOMMANDS))
def _help(command: str | None) -> int:
    return invoke(["--help"] if command is None else [command, "--help"], _EVERYTHING)


def invoke(arguments: Sequence[str], obj: object = None) -> int:
    """Run the command with these arguments and return its exit code.

    ``obj`` is handed to click: with `_EVERYTHING`, the help shows all options. Raises `InputError`
    for invalid arguments.
    """
    if request := os.environ.get("_KT_COMPLETE"):  # a shell asks
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "kt", "_KT_COMPLETE", request)
    try:
        with app.make_context("kt", list(arguments) or ["--help"], obj=obj) as context:
            return int(app.invoke(context) or 0)
    except click.exceptions.Exit as done:  # help or the version was shown
        return done.exit_code
    except click.ClickException as error:
        see = f"kt {arguments[0]}" if arguments[0] in SUBCOMMANDS else "kt"
        message = error.format_message()
        if similar := getattr(error, "possibilities", None):  # also those that differ much
            typed = error.message.split("'")[1]
            message = f"{error.message.rstrip('.')}{probably_meant(typed, similar) or '.'}"
        raise InputError(f"{message}\nSee '{see} --help'.") from None


# -- kt samples ------------------------------------------------------------------------------------

SAMPLES = {
    "board.txt": ("a map with holes", "kt solve board.txt --closed"),
    "puzzle.txt": ("step numbers from which one tour follows", "kt solve puzzle.txt --unique"),
    "path.txt": ("a closed tour in chess names", "kt draw path.txt --out tour.svg"),
    "broken.txt": ("a numbered board with mistakes", "kt validate broken.txt --draw faults.svg"),
    "heart-board.txt": ("a heart", "kt solve heart-board.txt --closed --draw heart.svg"),
    "ring.txt": ("a ring", "kt solve ring.txt --closed --draw ring.svg"),
    "letter.txt": ("a letter", "kt solve letter.txt --closed --draw letter.svg"),
    "cross.txt": ("a board without a tour", "kt solve cross.txt --draw proof.svg"),
    "published.txt": ("a path printed as a tour, which it is not", "kt validate published.txt"),
    "cube.gml": ("a directed graph of three cycles", "kt decompose cube.gml"),
    "petersen.hcp": ("a graph that is no board", "kt solve petersen.hcp --closed"),
    "towns.tsp": ("places and their distances", "kt solve towns.tsp --minimize weight"),
}
"""For each sample file what it holds, and a command to try on it."""

_SAMPLES_FOLDER = Path(__file__).parents[1] / "samples"


@as_subcommand()
@click.argument("name", required=False, metavar="[NAME]", type=click.Choice([*SAMPLES]))
@click.option("--out", type=click.Path(file_okay=False), help="Write it, or all, to this folder.")
def samples_command(name: str | None, out: str | None) -> int:
    """List the sample files, print the one with this NAME, or write them to a folder."""
    if out is None and name is None:
        width = max(map(len, SAMPLES))
        for sample, (contents, command) in SAMPLES.items():  # the command can be copied whole
            write_lines([f"{sample:{width}}  {contents}", f"{'':{width}}  {command}"])
        return 0
    files = [_SAMPLES_FOLDER / each for each in SAMPLES if name in (None, each)]
    if out is None:
        write_bytes(file.read_bytes() for file in files)
        return 0
    for file in files:
        there = Path(out, file.name)
        if there.exists() and there.read_bytes() != file.read_bytes():
            raise InputError(
                f"--out {out}: another {file.name} is there already; name another folder"
            )
    Path(out).mkdir(parents=True, exist_ok=True)
    for file in files:
        write_bytes([file.read_bytes()], Path(out, file.name))
    return 0
