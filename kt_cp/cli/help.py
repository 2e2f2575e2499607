"""``kt help``: the same as ``--help``, for those who type it first."""

from __future__ import annotations

import click

from kt_cp.cli.app import SUBCOMMANDS, invoke


def _subcommands(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    return [name for name in SUBCOMMANDS if name.startswith(typed)]


@click.command()
@click.argument("command", required=False, shell_complete=_subcommands)
def help_command(command: str | None) -> int:
    """Show the help of kt, or of a subcommand."""
    return invoke([*([command] if command else []), "--help"])
