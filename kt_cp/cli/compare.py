"""``kt compare`` and ``kt report``: which method is better, how much, and where."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kt_cp.cli.options import (
    FILE,
    choice,
    complete_methods,
    further_constraint_options,
    piece_options,
    together,
)
from kt_cp.cli.output import check_output, progress_line, tell_written, write_lines
from kt_cp.cli.process import tell
from kt_cp.errors import InputError
from kt_cp.files import require_matplotlib

if TYPE_CHECKING:  # the other commands do without
    from kt_cp.compare.log import Log
    from kt_cp.compare.records import Record
    from kt_cp.compare.runs import Observer, Progress

# Where the output is no terminal, tables are not broken to fit one.
_UNLIMITED = 10_000

# The runs that the bar names.
_SHOWN = 4


class PlotFormat(StrEnum):
    """The formats of plots."""

    SVG = "svg"
    PNG = "png"


report_options = together(
    click.option("--html", type=FILE, help="Write a self-contained HTML page to this file."),
    click.option("--plots", type=FILE, metavar="FOLDER", help="Write plots to this folder."),
    choice("--plot-format", of=PlotFormat, default="svg", help="The format of the plots"),
)


@click.command()
@click.option("--boards", help="Sizes, ranges, maps, folders or random holes; see above.")
@piece_options
@click.option(
    "--methods",
    shell_complete=complete_methods,
    help="Methods that 'kt methods' lists, your own as FILE.py:NAME, with commas between; or all.",
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
@report_options
def compare_command(
    jobs: int,
    dask: str | None,
    out: str | None,
    resume_file: str | None,
    quiet: bool,
    html: str | None,
    plots: str | None,
    plot_format: PlotFormat,
    **given: Any,
) -> int:
    """Compare methods on the same instances, under the same limits and the same clock.

    Every run is a process of its own. --boards is a list separated by commas: sizes such as 8x8;
    ranges such as 5x5..8x8 or 3x4..3x10, whose sides grow together; files with maps, folders of
    them and patterns such as 'maps/*.txt'; and random:8x8:holes=6:count=20:seed=1 for twenty boards
    with six random holes each. Without --boards a small comparison is run, which shows in less than
    a minute where a search wins and where it cannot.

    The constraints must be valid on every board and for every kind of tour, which is checked
    before the first run.
    """
    from kt_cp.compare.runs import compare, dask_executor, resume
    from kt_cp.compare.settings import settings_of

    given = {name: value for name, value in given.items() if value not in (None, ())}
    own = [word for word in given.get("methods", "").split(",") if ".py:" in word]
    if resume_file is not None and own:
        del given["methods"]
    if resume_file is not None and (names := [*given, *["out"] * (out is not None)]):
        unwanted = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        raise InputError(f"--resume takes the settings from its file: leave out {unwanted}")
    check_output(out)
    check_output(html, "--html")
    check_plots(plots)
    settings = settings_of(**given)
    pool = nullcontext() if dask is None else dask_executor(dask)
    with pool as executor, progress_display(quiet) as observer:
        how: dict[str, Any] = {"executor": executor, "jobs": jobs, "observer": observer}
        if resume_file is not None:
            log = resume(resume_file, methods=own, **how)
        else:
            log = compare(settings, out=out, **how)
    if log.torn:
        tell(f"kt: {resume_file}: its last line was torn, so that run was repeated")
    print_comparison(log)
    save_report(log, html, plots, plot_format)
    return 0


@click.command()
@click.argument("file", type=FILE)
@click.option("--csv", type=FILE, help="Write the records as a table, for pandas or a spreadsheet.")
@report_options
def report_command(
    file: str, html: str | None, csv: str | None, plots: str | None, plot_format: PlotFormat
) -> int:
    """Show the results of a comparison as tables and, on request, as plots and a page.

    FILE is what kt compare --out wrote. With '--csv -' only the records are written to
    standard output.
    """
    from kt_cp.compare.log import read_log  # the help does without

    check_output(html, "--html")
    check_output(None if csv == "-" else csv, "--csv")
    check_plots(plots)
    log = read_log(file)
    if log.torn:
        tell(f"kt: {file}: the last line is torn and was left out")
    if csv is not None:
        write_lines(log.csv_lines(), None if csv == "-" else csv)
    if csv != "-":
        print_comparison(log)
    save_report(log, html, plots, plot_format)
    return 0


@contextmanager
def progress_display(quiet: bool) -> Iterator[Observer]:
    """Return an observer: a bar on a terminal, elsewhere a line for each run.

    If quiet, it tells only of the runs that have no record.
    """
    if quiet or not sys.stderr.isatty():
        yield _tell_lost if quiet else _write_lines
        return
    from rich import progress as rich

    elapsed, left = rich.TimeElapsedColumn(), (rich.TextColumn("left"), rich.TimeRemainingColumn())
    columns = rich.BarColumn(bar_width=16), rich.MofNCompleteColumn(), elapsed, *left
    with progress_line(*columns) as bar:
        task = bar.add_task("", total=None)

        def show(progress: Progress) -> None:
            running = ", ".join(run.describe() for run in progress.running[:_SHOWN])
            bar.update(task, total=progress.total, completed=progress.done, description=running)
            _tell_lost(progress)

        yield show


def _write_lines(progress: Progress) -> None:
    first = progress.done - len(progress.new) + 1
    for number, record in enumerate(progress.new, start=first):
        tell(f"{number}/{progress.total} {_line(record)}")
    _tell_lost(progress)


def _tell_lost(progress: Progress) -> None:
    for run, reason in progress.lost:
        tell(f"kt: {run.describe()}: has no record ({reason}); --resume repeats it")


def _line(record: Record) -> str:
    reason = f": {record.reason}" if record.reason and not record.solved else ""
    return f"{record.run.describe()}: {record.status.value} in {record.seconds:.3g} s{reason}"


def print_comparison(log: Log) -> None:
    """Print the findings, the tables and the notes to standard output, as wide as the terminal."""
    from kt_cp.compare.tables import all_tables, notes, summary, table_lines

    def print_all(sentences: list[str]) -> None:
        if sentences:
            print(*(textwrap.fill(sentence, width) for sentence in sentences), "", sep="\n")

    width = shutil.get_terminal_size((_UNLIMITED, 0)).columns
    print_all(summary(log))
    for table in all_tables(log):
        print(*table_lines(table, width), sep="\n")
    print_all(notes(log))


def check_plots(folder: str | None) -> None:
    """Make the folder of the plots, and refuse plots that cannot be drawn or written."""
    if folder is None:
        return
    require_matplotlib("plots")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--plots {folder}: {error.strerror}; give a folder") from None
    if not os.access(folder, os.W_OK):
        raise InputError(f"--plots {folder}: may not be written")


def save_report(log: Log, html: str | None, folder: str | None, suffix: PlotFormat) -> None:
    """Write the page and the plots, if they are asked for, and say where."""
    if folder is not None:
        from kt_cp.compare.plots import write_plots

        for path in write_plots(log, folder, suffix.value):
            tell_written(str(path))
    if html is not None:
        from kt_cp.compare.page import write_page

        write_lines(write_page(log).splitlines(), html)
