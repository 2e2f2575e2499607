"""``kt methods``: what can answer, a line each."""

from __future__ import annotations

import click

from kt_cp.cli.files import write_lines
from kt_cp.methods.table import METHODS


@click.command()
def methods_command() -> int:
    """List the methods that solve and compare know."""
    width = max(map(len, METHODS))
    write_lines([f"{name:{width}}  {row.summary}" for name, row in METHODS.items()], None)
    return 0
