"""``kt compare``: run methods on boards and show which is better, how much, and where."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import click

from kt_cp.cli import comparison
from kt_cp.cli.files import check_output
from kt_cp.cli.instance import further_constraint_options
from kt_cp.cli.messages import tell
from kt_cp.cli.options import FILE, complete_methods, piece_options
from kt_cp.errors import InputError


@click.command()
@click.option("--boards", help="Sizes, ranges, maps, folders or random holes; see above.")
@piece_options
@click.option(
    "--methods",
    shell_complete=complete_methods,
    help="Methods that 'kt methods' lists, separated by commas, or all.",
)
@click.option("--kinds", "--kind", help="open, closed or both (the default).")
@click.option(
    "--starts", "--start", help="any (the default), corner, all, or squares such as a1,12."
)
@further_constraint_options
@click.option("--repeat", type=int, help="Number of runs of each method on each instance (1).")
@click.option("--seed", type=int, help="Seed of the methods and of the order (0).")
@click.option("--time-limit", type=float, metavar="SECONDS", help="Time limit of each run (1).")
@click.option("--memory-limit", type=float, metavar="MIB", help="Memory limit of each run (none).")
@click.option("--jobs", type=int, default=1, help="Number of runs at the same time.")
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler.")
@click.option("--out", type=FILE, help="Write every run to this file.")
@click.option("--resume", "resume_file", type=FILE, help="Continue the comparison in this file.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@comparison.plot_options
def compare_command(
    jobs: int,
    dask: str | None,
    out: str | None,
    resume_file: str | None,
    quiet: bool,
    plots: str | None,
    plot_format: comparison.PlotFormat,
    **given: Any,
) -> int:
    """Compare methods on the same instances, under the same limits and the same clock.

    Every run is a process of its own. --boards is a list separated by commas: sizes such as 8x8;
    ranges such as 5x5..8x8 or 3x4..3x10, whose sides grow together; files with maps, folders of
    them and patterns such as 'maps/*.txt'; and random:8x8:holes=6:count=20:seed=1 for twenty boards
    with six random holes each. Without --boards a small comparison is run, which shows in less than
    a minute where a search wins and where it cannot.

    The constraints must make sense on every board and for every kind of tour; that is checked
    before the first run.
    """
    from kt_cp.cli.compare_progress import progress_display
    from kt_cp.compare.runs import compare, dask_executor, resume
    from kt_cp.compare.settings import settings_of

    given = {name: value for name, value in given.items() if value not in (None, ())}
    if resume_file is not None and (names := [*given, *["out"] * (out is not None)]):
        unwanted = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        raise InputError(f"--resume takes the settings from its file: leave out {unwanted}")
    check_output(out)
    comparison.check_plots(plots)
    settings = settings_of(**given)
    pool = nullcontext() if dask is None else dask_executor(dask)
    with pool as executor, progress_display(quiet) as observer:
        if resume_file is not None:
            log = resume(resume_file, executor=executor, jobs=jobs, observer=observer)
        else:
            log = compare(settings, out=out, executor=executor, jobs=jobs, observer=observer)
    if log.torn:
        tell(f"kt: {resume_file}: its last line was torn, so that run was repeated")
    comparison.print_comparison(log)
    comparison.save_plots(log, plots, plot_format)
    return 0
