"""``kt methods``: what can answer, and what a method can do."""

from __future__ import annotations

from importlib.util import find_spec

import click

from kt_cp.cli.files import write_table
from kt_cp.cli.options import complete_methods
from kt_cp.methods.table import CONSTRAINTS, METHODS, PEERS, Method, method_of


@click.command()
@click.argument("method", required=False, shell_complete=complete_methods)
def methods_command(method: str | None) -> int:
    """List the methods that solve and compare know, or describe one METHOD."""
    if method is None:
        write_table({name: f"{row.summary}{_missing(row)}" for name, row in METHODS.items()})
    else:
        write_table(_description(method_of(method)))
    return 0


def _missing(method: Method) -> str:
    if method.package is None or find_spec(method.package):
        return ""
    return f" (not installed: {PEERS})"


def _description(method: Method) -> dict[str, str]:
    known = [words for name, words in CONSTRAINTS.items() if name in method.constraints]
    return {
        "method": method.name,
        "summary": f"{method.summary}{_missing(method)}",
        "proves": "that there is none" if method.proves else "nothing",
        "constraints": "all" if len(known) == len(CONSTRAINTS) else ", ".join(known),
        "source": method.source,
    }
