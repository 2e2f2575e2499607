"""``kt methods``: list the methods, or describe one of them."""

from __future__ import annotations

from importlib.util import find_spec

import click

from kt_cp.cli import options
from kt_cp.cli.help import write_table
from kt_cp.cli.output import write_lines
from kt_cp.cli.subcommand import as_subcommand
from kt_cp.methods.table import CONSTRAINTS, INSTALL_PEERS, METHODS, Method, load_method, method_of


@as_subcommand()
@click.argument("method", required=False, shell_complete=options.complete_methods)
def methods_command(method: str | None) -> int:
    """List the methods that solve and compare know, or describe one METHOD.

    The description of auto, the usual method, has its steps for boards and for other graphs.
    """
    if method is None:
        write_table((name, _summary(each)) for name, each in METHODS.items())
        return 0
    described = method_of(load_method(method))
    constraints = [words for name, words in CONSTRAINTS.items() if name in described.constraints]
    takes_all = len(constraints) == len(CONSTRAINTS)
    properties = {
        "method": method,
        "summary": _summary(described),
        "proves": "that there is none" if described.proves else "nothing",
        "constraints": "all" if takes_all else ", ".join(constraints),
        "source": described.source,
    }
    write_table((name, words) for name, words in properties.items() if words)
    if method == "auto":
        from kt_cp.methods.auto import STEPS

        for kind, steps in STEPS.items():
            write_lines(["", f"On {kind} the first of these steps with an answer decides:"])
            rows = ((step.__name__.replace("_", " "), step.__doc__ or "") for step in steps)
            write_table(
                (f"{number}.  {name}", words) for number, (name, words) in enumerate(rows, 1)
            )
    return 0


def _summary(method: Method) -> str:
    """Return what a method does, and whether a package that it needs is missing."""
    if method.package is None or find_spec(method.package):
        return method.summary
    return f"{method.summary} (not installed: {INSTALL_PEERS})"
