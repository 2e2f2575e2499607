"""The command ``kt``: parses, calls, prints. No logic."""

from __future__ import annotations

import sys
from typing import NoReturn

import typer

from kt_cp.cli.compare import compare_command
from kt_cp.cli.count import count_command
from kt_cp.cli.draw import draw_command
from kt_cp.cli.methods import methods_command
from kt_cp.cli.puzzle import puzzle_command
from kt_cp.cli.replay import replay_command
from kt_cp.cli.report import report_command
from kt_cp.cli.solve import solve_command
from kt_cp.cli.validate import validate_command
from kt_cp.errors import InputError, printable

_INTERRUPTED = 130

app = typer.Typer(
    name="kt",
    help="Knight's tours: find them, prove that there are none, validate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("solve")(solve_command)
app.command("validate")(validate_command)
app.command("compare")(compare_command)
app.command("report")(report_command)
app.command("count")(count_command)
app.command("puzzle")(puzzle_command)
app.command("draw")(draw_command)
app.command("replay")(replay_command)
app.command("methods")(methods_command)


def main() -> NoReturn:
    """Run the command and turn what happened into an exit code, and bad input into one line."""
    try:
        code = app(standalone_mode=False)
    except InputError as error:
        code = _fail(str(error))
    except typer.TyperException as error:
        # Without a command the help has been shown, and the message is empty.
        message = error.format_message()
        code = _fail(f"{message} (see 'kt --help')") if message else 2
    except BrokenPipeError:
        sys.stderr.close()  # whoever read the output has gone; there is nobody to tell
        code = 1
    except OSError as error:
        code = _fail(f"cannot read or write: {error.strerror or error}")
    if code == _INTERRUPTED:
        print("kt: interrupted", file=sys.stderr)
    sys.exit(code)


def _fail(message: str) -> int:
    print("kt:", printable(" ".join(message.split())), file=sys.stderr)
    return 2
