"""``kt compare``: run methods on boards and show which is better, how much, and where."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.comparison import PlotFormat, check_plots, print_comparison, save_plots
from kt_cp.cli.files import check_output, read_board
from kt_cp.errors import InputError
from kt_cp.methods.table import METHODS

if TYPE_CHECKING:  # the other commands, and the help of this one, do without
    from kt_cp.compare.run.settings import Settings

_NUMBERS = frozenset({"repeat", "seed", "time-limit", "memory-limit"})


def compare_command(
    boards: Annotated[
        str | None,
        typer.Option(help="sizes, ranges and map files: 6x6,3x10,board.txt (default 5x5..8x8)"),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(help="those that 'kt methods' lists, or all (default circuit,dfs,warnsdorff)"),
    ] = None,
    kind: Annotated[str | None, typer.Option(help="open, closed or both (default both)")] = None,
    starts: Annotated[
        str | None,
        typer.Option(
            help="any (the method's choice), corner, all, or squares: a1,12 (default any)"
        ),
    ] = None,
    repeat: Annotated[
        int | None, typer.Option(help="runs of each, each with its seed (default 1)")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="of the methods and the order (default 0)")
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="seconds for each run (default 1)")
    ] = None,
    memory_limit: Annotated[
        float | None, typer.Option(help="MiB for each run (default none)")
    ] = None,
    jobs: Annotated[int, typer.Option(help="runs at once")] = 1,
    dask: Annotated[str | None, typer.Option(help="run on the cluster of this scheduler")] = None,
    out: Annotated[str | None, typer.Option(help="file to keep every run in")] = None,
    resume_file: Annotated[
        str | None, typer.Option("--resume", metavar="FILE", help="go on with such a file")
    ] = None,
    plots: Annotated[str | None, typer.Option(help="folder to write plots to")] = None,
    plot_format: Annotated[PlotFormat, typer.Option(help="of --plots")] = PlotFormat.SVG,
) -> int:
    """Compare methods on the same boards, under the same limit and the same clock.

    Every run is a process of its own. A range 5x5..8x8 stands for 5x5, 6x6, 7x7, 8x8, and 3x4..3x10
    for 3x4, 3x5 and so on: the sides that differ grow together.
    """
    from kt_cp.cli.compare_progress import progress_display
    from kt_cp.compare.run.cluster import dask_executor
    from kt_cp.compare.run.loop import compare, resume

    given = {
        name: value
        for name, value in {
            "boards": boards,
            "methods": methods,
            "kind": kind,
            "starts": starts,
            "repeat": repeat,
            "seed": seed,
            "time-limit": time_limit,
            "memory-limit": memory_limit,
            "out": out,
        }.items()
        if value is not None
    }
    if resume_file is not None and given:
        unwanted = ", ".join(f"--{name}" for name in given)
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
        print(
            f"kt: {resume_file}: its last line was torn, so that run was repeated", file=sys.stderr
        )
    print_comparison(log)
    save_plots(log, plots, plot_format)
    return 0


def _settings(given: dict[str, Any]) -> Settings:
    """Read what was given; the rest is as `Settings` has it."""
    from kt_cp.compare.run.boards import expand_sizes
    from kt_cp.compare.run.settings import KINDS, Settings

    values = {name.replace("-", "_"): given[name] for name in given if name in _NUMBERS}
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
