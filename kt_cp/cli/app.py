"""The subcommands of ``kt``, and how one is found and run."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from importlib import import_module
from mmap import mmap
from typing import Any

import click

from kt_cp.cli.process import UNBROKEN
from kt_cp.errors import InputError

SUBCOMMANDS = {
    "solve": "Find a tour, or prove that there is none.",
    "validate": "Tell whether a path is a tour, and where it goes wrong.",
    "describe": "Print the features of a tour, such as its turns and crossings.",
    "count": "Count the tours of a board.",
    "enumerate": "Write the tours of a board, one after the other.",
    "check": "Check a certificate: the proof that a board has no tour.",
    "export": "State a problem for other tools.",
    "board": "Make a random board that has a tour.",
    "puzzle": "Make a puzzle: step numbers from which one tour follows.",
    "compare": "Compare methods on the same boards under the same limits.",
    "report": "Show the tables and plots of a comparison again.",
    "draw": "Draw a tour, or what is wrong with a path.",
    "play": "Open a page on which to draw, solve, check and watch tours.",
    "replay": "Record a search on a page that replays it step by step.",
    "samples": "List or write files to try the commands on.",
    "methods": "List the methods that solve and compare know.",
}

# What NumPy takes at most to be loaded, with one thread of OpenBLAS, in bytes.
_ROOM = 100 * 2**20

# The modules of those that share one with others.
_MODULES = {
    "validate": "check",
    "describe": "check",
    "enumerate": "count",
    "export": "solve",
    "board": "puzzle",
    "report": "compare",
    "replay": "draw",
    "play": "draw",
    "samples": "lookup",
    "methods": "lookup",
}


class _Formatter(click.HelpFormatter):
    """Breaks lines at blanks only, where values are written with `UNBROKEN` hyphens."""

    def getvalue(self) -> str:
        return super().getvalue().replace(UNBROKEN, "-")


class _Context(click.Context):
    formatter_class = _Formatter


class _Subcommand(click.Command):
    """Stands for a subcommand, whose module is imported when it is run or asked for its help."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        _make_room()
        module = import_module(f"kt_cp.cli.{_MODULES.get(str(self.name), self.name)}")
        command: click.Command = getattr(module, f"{self.name}_command")
        command.context_class = _Context
        return command.make_context(info_name, args, parent, **extra)


def _make_room() -> None:
    """Raise an error here if NumPy lacks the memory, where its OpenBLAS would exit with code 1."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each takes memory; none has work here
    mmap(-1, _ROOM).close()


class _Commands(click.Group):
    """Lists the subcommands in the order of the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


app = _Commands(
    "kt",
    commands=[_Subcommand(name, help=line) for name, line in SUBCOMMANDS.items()],
    context_settings={
        "help_option_names": ["-h", "--help"],
        "show_default": True,
        "max_content_width": 10_000,  # as wide as the terminal
    },
    help="Knight's tours: find them, prove that there are none, count and validate them.",
    no_args_is_help=True,
)
click.version_option(package_name="knights-tours", message="kt %(version)s")(app)


@app.command("help", help="Show the help of kt or of a subcommand.")
@click.argument(
    "command",
    required=False,
    shell_complete=lambda *asked: [name for name in SUBCOMMANDS if name.startswith(asked[-1])],
)
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
        with app.make_context("kt", list(arguments)) as context:
            return int(app.invoke(context) or 0)
    except click.exceptions.Exit as done:  # help or the version was shown
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        where = f"kt {arguments[0]}" if arguments[0] in SUBCOMMANDS else "kt"
        asked = f"see '{where} --help'"
        for rows, columns in itertools.pairwise(arguments):
            if rows.isdecimal() and columns.isdecimal():
                asked = f"did you mean {rows}x{columns}?"
        raise InputError(f"{error.format_message()} ({asked})") from None
