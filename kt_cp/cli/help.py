"""``kt help``: the same as ``--help``, for those who type it first."""

from __future__ import annotations

import click

from kt_cp.cli.app import SUBCOMMANDS, invoke
from kt_cp.cli.options import completing


@click.command()
@click.argument("command", required=False, shell_complete=completing(lambda: SUBCOMMANDS))
def help_command(command: str | None) -> int:
    """Show the help of kt, or of a subcommand."""
    return invoke([*([command] if command else []), "--help"])
