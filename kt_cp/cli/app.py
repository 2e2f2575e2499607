"""The table of the subcommands of ``kt``, and how one is run."""

from __future__ import annotations

import difflib
import itertools
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from mmap import mmap
from pathlib import Path
from typing import Any, NamedTuple

import click

from kt_cp.cli.colors import wants_color
from kt_cp.cli.help import HelpFormatter
from kt_cp.messages import InputError, escape_unprintable


class SubcommandEntry(NamedTuple):
    """A subcommand: its line in the help of ``kt``, the module that defines it, and examples.

    The examples work beside the files that ``kt samples --out .`` writes.
    """

    summary: str
    module: str
    examples: tuple[str, str]


SUBCOMMANDS = {
    "solve": SubcommandEntry(
        "Find a tour, or prove that there is none.",
        "solve",
        (
            "kt solve 8x8 --closed --draw tour.svg",
            "kt solve 6x6 --closed --minimize turns",
        ),
    ),
    "longest": SubcommandEntry(
        "Find the longest path or cycle, with a proven bound.",
        "partial",
        (
            "kt longest 4x4",
            "kt longest 5x5 --closed --uncrossed --draw cycle.svg",
        ),
    ),
    "cover": SubcommandEntry(
        "Find the fewest paths that visit every square once.",
        "partial",
        (
            "kt cover 4x4",
            "kt cover petersen.hcp --format json",
        ),
    ),
    "validate": SubcommandEntry(
        "Tell whether a path is a tour, and where it goes wrong.",
        "check",
        (
            "kt validate path.txt",
            "kt solve 8x8 --closed --format squares | kt validate -",
        ),
    ),
    "describe": SubcommandEntry(
        "Print the features of a tour, such as its turns and crossings.",
        "check",
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
    ),
    "enumerate": SubcommandEntry(
        "Write the tours of a board, one after the other.",
        "count",
        (
            "kt enumerate 5x5 --start a1 --limit 3",
            "kt enumerate 6x6 --closed --random --limit 5 --format squares",
        ),
    ),
    "check": SubcommandEntry(
        "Check a certificate: the proof that a board has no tour.",
        "check",
        (
            "kt check no.json",
            "kt check no.json --draw proof.svg",
        ),
    ),
    "export": SubcommandEntry(
        "State a problem for other tools.",
        "export",
        (
            "kt export 8x8 --closed --format minizinc --out tour.mzn",
            "kt export 6x6 --start a1 --format dimacs --out tour.cnf",
        ),
    ),
    "board": SubcommandEntry(
        "Make a random board that has a tour.",
        "puzzle",
        (
            "kt board 7x7 --holes 4 --seed 1",
            "kt board 6x6 --holes 4 --closed --symmetric --draw board.svg",
        ),
    ),
    "puzzle": SubcommandEntry(
        "Make a puzzle: step numbers from which one tour follows.",
        "puzzle",
        (
            "kt puzzle 6x6 --closed --difficulty easy --draw puzzle.svg",
            "kt puzzle 6x6 6x8 --book book.pdf",
        ),
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
        "samples",
        (
            "kt samples --out .",
            "kt samples board.txt",
        ),
    ),
    "methods": SubcommandEntry(
        "List the methods that solve and compare know.",
        "methods",
        (
            "kt methods",
            "kt methods auto",
        ),
    ),
}

GROUPS = {
    "Find tours": ("solve", "longest", "cover", "count", "enumerate"),
    "Judge what others found": ("validate", "describe", "check"),
    "Make and show": ("board", "puzzle", "draw", "replay", "play", "export"),
    "Compare methods": ("compare", "report", "methods"),
    "Begin": ("samples", "help"),
}
"""The headings of the subcommands in the help of ``kt``, and the subcommands below each."""

_EXIT_CODES_LINE = (
    "Exit code 0: yes, or done; 1: no; 2: invalid input; 3: unknown, as at a time limit; 4: a bug."
)
_SIZE = re.compile(r"\d+[xX×]\d+")
_SIMILAR = 0.75  # less is no slip of the fingers: '--closed' is 0.71 like '--seed'


class _Context(click.Context):
    """The context of a command, whose help `HelpFormatter` writes."""

    formatter_class = HelpFormatter

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.color = wants_color(sys.stdout)


def load_command(name: str) -> click.Command:
    """Return a subcommand with its options, from the module that defines it."""
    module = import_module(f"kt_cp.cli.{SUBCOMMANDS[name].module}")
    command: click.Command = getattr(module, f"{name}_command")
    return command


def _prepare_numpy() -> None:
    """Let NumPy be imported with one thread, and only if there is memory for it.

    Each further thread of OpenBLAS takes memory, and nothing here uses them. Without the memory
    that it needs, OpenBLAS would end the process with exit code 1; allocating that memory before
    raises an exception instead.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    mmap(-1, 100 * 2**20).close()


class _LazyCommand(click.Command):
    """A placeholder for a subcommand, whose module is imported when it is run or shows its help."""

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        _prepare_numpy()
        name = str(self.name)
        command = load_command(name)
        command.context_class = _Context
        examples = "\n".join(f"  {line}" for line in SUBCOMMANDS[name].examples)
        command.epilog = f"\b\nExamples:\n{examples}\n\n{_EXIT_CODES_LINE}"
        return command.make_context(*arguments, **extra)


def completing(names: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a function that completes one of some names for a shell, also after a comma."""

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
        before, comma, begun = typed.rpartition(",")
        return [f"{before}{comma}{name}" for name in names() if name.startswith(begun)]

    return complete


class _Commands(click.Group):
    """The group of all subcommands, which lists them in the order of the table."""

    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands in groups, with their whole lines; click's own shortens them."""
        width = max(map(len, self.commands))
        for heading, names in GROUPS.items():
            with formatter.section(heading):
                rows = [(f"{name:{width}}", self.commands[name].help or "") for name in names]
                formatter.write_dl(rows)


app = _Commands(
    "kt",
    commands=[_LazyCommand(name, help=each.summary) for name, each in SUBCOMMANDS.items()],
    context_settings={
        "help_option_names": ["-h", "--help"],
        "show_default": True,
        "max_content_width": 10_000,  # as wide as the terminal
    },
    help="Knight's tours: find them, prove that there are none, count and validate them.",
)


def _show_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    """Print the version, and the commit where the package is a clone, and end the command."""
    if is_asked and not context.resilient_parsing:
        from kt_cp import __version__

        commit = _commit_of(Path(__file__).parents[2])
        click.echo(f"kt {__version__}" + (f" (commit {commit})" if commit else ""))
        context.exit()


def _commit_of(folder: Path) -> str:
    """Return the short name of the commit of a clone, or an empty string for any other folder."""
    if not (folder / ".git").exists():
        return ""
    import subprocess

    command = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    with suppress(OSError):  # git is not installed
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return ""


click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)(app)


@app.command("help", help="Show the help of kt or of a subcommand.")
@click.argument("command", required=False, shell_complete=completing(lambda: SUBCOMMANDS))
def _help(command: str | None) -> int:
    """Show the help of ``kt``, or of one subcommand."""
    if command is None:
        return invoke(["--help"])
    return invoke([command, "--help"])


def invoke(arguments: Sequence[str]) -> int:
    """Run the command with these arguments and return its exit code.

    Raises `InputError` for invalid arguments.
    """
    if request := os.environ.get("_KT_COMPLETE"):  # a shell asks
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "kt", "_KT_COMPLETE", request)
    try:
        with app.make_context("kt", list(arguments) or ["--help"]) as context:
            return int(app.invoke(context) or 0)
    except click.exceptions.Exit as done:  # help or the version was shown
        return done.exit_code
    except click.ClickException as error:
        raise InputError(_describe_error(error, arguments)) from None


def _describe_error(error: click.ClickException, arguments: Sequence[str]) -> str:
    """Return sentences, a line each, on what is wrong with arguments and what would be right."""
    match error:
        case click.NoSuchOption(option_name=typed) | click.NoSuchCommand(command_name=typed):
            sentences = [error.message, _similar_name(typed, error.possibilities or [], _SIMILAR)]
        case click.BadParameter(param=click.Parameter(type=click.Choice(choices=choices))):
            sentences = [_sentence(error), _similar_choice(error.message, map(str, choices))]
        case _:
            sentences = [_sentence(error)]
    return "\n".join(filter(None, [*sentences, _advice(arguments)]))


def _sentence(error: click.ClickException) -> str:
    """Return the message of click as a sentence, in which numbers have the usual names."""
    message = error.format_message().removesuffix(".")
    for kind, number in (("a valid float", "a number"), ("a valid integer", "a whole number")):
        message = message.replace(kind, number)
    return f"{message}."


def _similar_choice(message: str, choices: Iterable[str]) -> str:
    """Return a question that names the choice most similar to the refused value, if there is one.

    The message of click begins with that value, in quotes.
    """
    refused = re.match("'(.*?)' is not one of", message)
    return _similar_name(refused[1], choices) if refused else ""


def _similar_name(typed: str, names: Iterable[str], similarity: float = 0.6) -> str:
    """Return a question that names the one most similar to what was typed, if there is one.

    The least ``similarity`` is the ratio of `difflib`.
    """
    similar = difflib.get_close_matches(typed, list(names), n=1, cutoff=similarity)
    return f"Did you mean '{similar[0]}'?" if similar else ""


def _advice(arguments: Sequence[str]) -> str:
    """Return a sentence on what may have been meant by arguments that are not understood."""
    for rows, columns in itertools.pairwise(arguments):
        if rows.isdecimal() and columns.isdecimal():
            return f"Did you mean {rows}x{columns}?"
    first = arguments[0]
    if first in SUBCOMMANDS:
        return f"See 'kt {first} --help'."
    if _SIZE.fullmatch(first) or Path(first).is_file():
        return f"Did you mean 'kt solve {escape_unprintable(first)}'?"
    return "See 'kt --help'."
