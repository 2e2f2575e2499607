"""What all subcommands share: options in groups in their help, and their names in messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from kt_cp.messages import InputError

# The headings of the options in the help of commands that have many, and the options below each.
# Those in no group belong to one command or two, and come first.
_GROUPS = {
    "The board and the tour": (
        "--board --graph --closed --start --end --order --require --forbid --symmetry --having"
        " --uncrossed --induced --piece --topology --constrain --visit --at-least --up-to-symmetry"
    ),
    "The search": (
        "--unique --method --minimize --maximize --hint --time-limit --memory-limit --spill --jobs"
        " --workers --seed --parameter --log"
    ),
    "The output": (
        "--explain --format --out --draw --draw-solution --solution --certificate --theme"
        " --paper --title --style --language --no-legend --no-coordinates"
        " --book --per-page --book-title --author --each --each-format -h"
    ),
}
_OTHERS = "Options"
_MANY = 16  # options, from which they are in groups


class Subcommand(click.Command):
    """A subcommand of ``kt``."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, in groups if there are many."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        for heading, members in grouped(options).items():
            records = [each.get_help_record(ctx) for each in members]
            with formatter.section(heading):
                formatter.write_dl([record for record in records if record is not None])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an `InputError` about an option names it as it was typed."""
        try:
            return super().invoke(ctx)
        except InputError as error:
            error.args = (_with_option(str(error), ctx),)
            raise


def as_subcommand() -> Callable[[Callable[..., Any]], Subcommand]:
    """Return a decorator that makes a subcommand of a function."""
    return click.command(cls=Subcommand)


def grouped(options: list[click.Option]) -> dict[str, list[click.Option]]:
    """Return the options below their headings, those that are in no group first.

    Hidden ones, which the command refuses with advice, are left out.
    """
    options = [each for each in options if not each.hidden]
    if len(options) < _MANY:
        return {_OTHERS: options}
    groups = {
        heading: [each for each in options if each.opts[0] in names.split()]
        for heading, names in _GROUPS.items()
    }
    placed = {id(each) for members in groups.values() for each in members}
    others = [each for each in options if id(each) not in placed]
    groups = {_OTHERS: others, **groups}
    return {heading: members for heading, members in groups.items() if members}


def _with_option(message: str, ctx: click.Context) -> str:
    """Return a message with the option that was typed in place of the parameter it begins with.

    What takes the values of options calls them by the names that they have in Python.
    """
    for parameter in ctx.command.params:
        name = parameter.name or ""
        is_typed = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not (is_typed and isinstance(parameter, click.Option)):
            continue
        pattern = rf"{name.replace('_', '[_ ]')}(?=:| '| -?\d)"
        if re.match(pattern, message):
            return re.sub(pattern, parameter.opts[0], message, count=1)
    return message
