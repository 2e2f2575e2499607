"""The subcommands of ``kt``, how one is found and run, and the two that need nothing else."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from mmap import mmap
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

from kt_cp.cli.output import write_bytes, write_lines
from kt_cp.errors import InputError, printable

# What each does, and its module.
SUBCOMMANDS = {
    "solve": ("Find a tour, or prove that there is none.", "solve"),
    "validate": ("Tell whether a path is a tour, and where it goes wrong.", "check"),
    "describe": ("Print the features of a tour, such as its turns and crossings.", "check"),
    "count": ("Count the tours of a board.", "count"),
    "enumerate": ("Write the tours of a board, one after the other.", "count"),
    "check": ("Check a certificate: the proof that a board has no tour.", "check"),
    "export": ("State a problem for other tools.", "solve"),
    "board": ("Make a random board that has a tour.", "puzzle"),
    "puzzle": ("Make a puzzle: step numbers from which one tour follows.", "puzzle"),
    "compare": ("Compare methods on the same boards under the same limits.", "compare"),
    "report": ("Show the tables and plots of a comparison again.", "compare"),
    "draw": ("Draw a tour, or what is wrong with a path.", "draw"),
    "play": ("Open a page on which to draw, solve, check and watch tours.", "draw"),
    "replay": ("Record a search on a page that replays it step by step.", "draw"),
    "samples": ("List or write files to try the commands on.", "app"),
    "methods": ("List the methods that solve and compare know.", "methods"),
}

EXIT_CODES = "Exit code 0: yes, or done; 1: no; 2: invalid input; 3: unknown, as at a time limit."


_SIZE = re.compile(r"\d+[xX×]\d+")


class _Subcommand(click.Command):
    """Stands for a subcommand, whose module is imported when it is run or asked for its help."""

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each takes memory; none has work here
        mmap(-1, 100 * 2**20).close()  # what NumPy takes, without which OpenBLAS exits with code 1
        module = import_module(f"kt_cp.cli.{SUBCOMMANDS[str(self.name)][1]}")
        command: click.Command = getattr(module, f"{self.name}_command")
        command.epilog = EXIT_CODES
        return command.make_context(*arguments, **extra)


def completing(names: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a function that completes a name for a shell, also after a comma."""

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
        before, comma, begun = typed.rpartition(",")
        return [f"{before}{comma}{name}" for name in names() if name.startswith(begun)]

    return complete


class _Commands(click.Group):
    """Lists the subcommands in the order of the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


app = _Commands(
    "kt",
    commands=[_Subcommand(name, help=line) for name, (line, _) in SUBCOMMANDS.items()],
    context_settings={
        "help_option_names": ["-h", "--help"],
        "show_default": True,
        "max_content_width": 10_000,  # as wide as the terminal
    },
    help="Knight's tours: find them, prove that there are none, count and validate them.",
)
click.version_option(package_name="knights-tours", message="kt %(version)s")(app)


@app.command("help", help="Show the help of kt or of a subcommand.")
@click.argument("command", required=False, shell_complete=completing(lambda: SUBCOMMANDS))
def _help(command: str | None) -> int:
    return invoke([*([command] if command else []), "--help"])


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
        raise InputError(f"{error.format_message()} ({_advice(arguments)})") from None


def _advice(arguments: Sequence[str]) -> str:
    """Return what may have been meant by arguments that are not understood."""
    for rows, columns in itertools.pairwise(arguments):
        if rows.isdecimal() and columns.isdecimal():
            return f"did you mean {rows}x{columns}?"
    first = arguments[0]
    if first in SUBCOMMANDS:
        return f"see 'kt {first} --help'"
    if _SIZE.fullmatch(first) or Path(first).is_file():
        return f"did you mean 'kt solve {printable(first)}'?"
    return "see 'kt --help'"


def write_table(rows: Iterable[tuple[str, str]]) -> None:
    """Write two columns as wide as the terminal to standard output."""
    table = click.HelpFormatter(width=get_terminal_size().columns)
    table.write_dl(list(rows))
    write_lines(table.getvalue().splitlines())


SAMPLES = {
    "board.txt": "a map with holes; try kt solve board.txt --closed",
    "puzzle.txt": "step numbers from which one tour follows; try kt solve puzzle.txt --unique",
    "path.txt": "a closed tour in chess names; try kt draw path.txt --out tour.svg",
    "broken.txt": "a numbered board with mistakes; try kt validate broken.txt --draw faults.svg",
    "heart-board.txt": "a heart; try kt solve heart-board.txt --closed --draw heart.svg",
    "ring.txt": "a ring; try kt solve ring.txt --closed --draw ring.svg",
    "letter.txt": "a letter; try kt solve letter.txt --closed --draw letter.svg",
    "cross.txt": "a board without a tour; try kt solve cross.txt --draw proof.svg",
    "published.txt": "a path printed as a tour, which it is not; try kt validate published.txt",
    "petersen.hcp": "a graph that is no board; try kt solve petersen.hcp --closed",
}
_FOLDER = Path(__file__).parents[1] / "samples"


@click.command()
@click.argument("name", required=False, metavar="[NAME]", type=click.Choice([*SAMPLES]))
@click.option("--out", type=click.Path(file_okay=False), help="Write it, or all, to this folder.")
def samples_command(name: str | None, out: str | None) -> int:
    """List the sample files, print the one with this NAME, or write them to a folder."""
    if out is None and name is None:
        write_table(SAMPLES.items())
        return 0
    chosen = SAMPLES if name is None else [name]
    contents = {each: (_FOLDER / each).read_bytes() for each in chosen}
    if out is None:
        write_bytes(contents.values())
        return 0
    for each, content in contents.items():
        file = Path(out, each)
        if file.exists() and file.read_bytes() != content:
            raise InputError(f"--out {out}: another {each} is there already; name another folder")
    Path(out).mkdir(parents=True, exist_ok=True)
    for each, content in contents.items():
        write_bytes([content], Path(out, each))
    return 0
