"""``kt compare``: run methods on boards and show which is better, how much, and where."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from kt_cp.cli.comparison import (
    PlotFormat,
    check_plots,
    plot_options,
    print_comparison,
    save_plots,
)
from kt_cp.cli.files import check_output, read_board
from kt_cp.cli.messages import tell
from kt_cp.cli.options import FILE
from kt_cp.errors import InputError
from kt_cp.methods.table import METHODS

if TYPE_CHECKING:  # the other commands, and the help of this one, do without
    from kt_cp.compare.run.settings import Settings

_NUMBERS = frozenset({"repeat", "seed", "time_limit", "memory_limit"})


@click.command()
@click.option("--boards", help="Sizes, ranges and map files: 6x6,3x10,board.txt (5x5..8x8).")
@click.option("--methods", help="Some of 'kt methods', or all (circuit,dfs,warnsdorff).")
@click.option("--kind", help="open, closed or both (both).")
@click.option("--starts", help="any (the method's choice), corner, all, or squares: a1,12 (any).")
@click.option("--repeat", type=int, help="Runs of each, each with its seed (1).")
@click.option("--seed", type=int, help="Seed of the methods and of the order (0).")
@click.option("--time-limit", type=float, metavar="SECONDS", help="For each run (1).")
@click.option("--memory-limit", type=float, metavar="MIB", help="For each run (none).")
@click.option("--jobs", type=int, default=1, help="Runs at once.")
@click.option("--dask", metavar="ADDRESS", help="Run on the cluster of this scheduler.")
@click.option("--out", type=FILE, help="File to keep every run in.")
@click.option("--resume", "resume_file", type=FILE, help="Go on with such a file.")
@plot_options
def compare_command(
    jobs: int,
    dask: str | None,
    out: str | None,
    resume_file: str | None,
    plots: str | None,
    plot_format: PlotFormat,
    **settings_asked: Any,
) -> int:
    """Compare methods on the same boards, under the same limit and the same clock.

    Every run is a process of its own. A range 5x5..8x8 stands for 5x5, 6x6, 7x7, 8x8, and 3x4..3x10
    for 3x4, 3x5 and so on: the sides that differ grow together.
    """
    from kt_cp.cli.compare_progress import progress_display
    from kt_cp.compare.run.campaign import compare, resume
    from kt_cp.compare.run.cluster import dask_executor

    given = {name: value for name, value in settings_asked.items() if value is not None}
    if resume_file is not None and (names := [*given, *["out"] * (out is not None)]):
        unwanted = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        raise InputError(f"--resume takes the settings from its file: leave out {unwanted}")
    check_output(out)
    check_plots(plots)
    settings = _settings(given)
    pool = nullcontext() if dask is None else dask_executor(dask)
    with pool as executor, progress_display() as observer:
        if resume_file is not None:
            log = resume(resume_file, executor=executor, jobs=jobs, observer=observer)
        else:
            log = compare(settings, out=out, executor=executor, jobs=jobs, observer=observer)
    if log.torn:
        tell(f"kt: {resume_file}: its last line was torn, so that run was repeated")
    print_comparison(log)
    save_plots(log, plots, plot_format)
    return 0


def _settings(given: dict[str, Any]) -> Settings:
    """Read what was given; the rest is as `Settings` has it."""
    from kt_cp.compare.run.boards import expand_sizes
    from kt_cp.compare.run.settings import KINDS, Settings

    values = {name: given[name] for name in given if name in _NUMBERS}
    if "boards" in given:
        names = [name for word in _words(given["boards"]) for name in expand_sizes(word)]
        values["boards"] = {name: read_board(name) for name in names}
    if "methods" in given:
        words = _words(given["methods"])
        values["methods"] = tuple(METHODS) if words == ["all"] else tuple(words)
    if "kind" in given:
        values["kinds"] = KINDS if given["kind"] == "both" else (given["kind"],)
    if "starts" in given:
        values["starts"] = tuple(_words(given["starts"]))
    return Settings(**values)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
