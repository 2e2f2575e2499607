"""``kt compare``, ``report`` and ``methods``: compare methods, show the results, list methods."""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import nullcontext
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import FILE, FOLDER, OutputFile
from kt_cp.cli.output import ProgressDisplay, spinner, tell, wants_color, write_lines, write_table
from kt_cp.count.cost import describe_duration
from kt_cp.files import import_optional, names_script_object

if TYPE_CHECKING:  # the other commands do not need it
    from kt_cp.compare.log import Log
    from kt_cp.compare.runs import Progress
    from kt_cp.methods.method import Method

report_options = options.combine(
    click.option("--html", type=OutputFile(), help="Write a self-contained page to this file."),
    click.option("--plots", type=FOLDER, help="Write plots to this folder."),
)


@as_subcommand()
@click.argument("boards", nargs=-1, metavar="[BOARDS]...")
@click.option(
    "--boards", "typed_boards", help="Sizes, ranges, maps, folders or random holes; see above."
)
@options.piece_options
@click.option(
    "--methods",
    shell_complete=options.complete_methods,
    help="Methods that 'kt methods' lists, your own as FILE.py:NAME, with commas between; or all.",
)
@click.option("--kinds", "--kind", help="open, closed or both (the default).")
@click.option("--starts", "--start", help="any (the default), all, or squares such as a1,12.")
@click.option("--repeat", type=int, help="Number of runs of each method on each instance (1).")
@click.option("--seed", type=int, help="Seed of the methods and of the order (0).")
@click.option("--time-limit", type=float, metavar="SECONDS", help="Time limit of each run (1).")
@click.option("--memory-limit", type=int, metavar="MIB", help="Memory limit of each run (none).")
@click.option("--jobs", type=int, default=1, help="Number of runs at the same time.")
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler.")
@click.option("--out", type=OutputFile(), help="Write every run to this file.")
@click.option("--resume", "log_file", type=FILE, help="Continue the comparison in this file.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@report_options
def compare_command(
    jobs: int,
    dask: str | None,
    out: str | None,
    log_file: str | None,
    quiet: bool,
    html: str | None,
    plots: str | None,
    **given: Any,
) -> int:
    """Compare methods on the same instances, under the same limits and the same clock.

    Every run is a process of its own. BOARDS may be sizes such as 8x8; ranges such as 5x5..8x8 or
    3x4..3x10, whose sides grow together; files with maps, folders of them and patterns such as
    'maps/*.txt'; and random:8x8:holes=6:count=20:seed=1 for twenty boards with six random holes
    each. --boards takes the same, with commas between. Without boards a small comparison is run,
    which shows in less than a minute where a search wins and where it cannot.

    The answer is a table of median seconds by board; 'kt report' and --html show more.
    """
    from kt_cp.compare.runs import compare, dask_executor, resume
    from kt_cp.compare.settings import settings_of

    prepare_plot_folder(plots)
    boards = given.pop("boards")
    typed_boards = given.pop("typed_boards")
    if log_file is None:
        if boards:
            options.refuse(["typed_boards"], "beside boards that are arguments")
        command = options.typed_command("compare", {*given, "boards", "typed_boards"})
        given |= {"boards": ",".join(boards) or typed_boards, "command": command}
        settings = {name: value for name, value in given.items() if value is not None}
        run = partial(compare, settings_of(**settings), out=out)
    else:
        # The log names custom methods, but does not hold them.
        custom = [word for word in (given["methods"] or "").split(",") if names_script_object(word)]
        in_log = {*given, "boards", "typed_boards", "out"}
        if custom:
            in_log.remove("methods")
        options.refuse(in_log, "with --resume, whose file has the settings")
        run = partial(resume, log_file, methods=custom)
    pool = nullcontext() if dask is None else dask_executor(dask)
    with pool as executor, spinner("comparing", is_shown=not quiet) as show:
        observer = _Observer(show, quiet)
        log = run(executor=executor, jobs=jobs, observer=observer.show)
    if log.last_line_torn:
        tell(f"kt: {log_file}: its last line was torn, so that run was repeated")
    show_comparison(log, html, plots, brief=True)
    if out is not None and not quiet:
        tell(f"kt: wrote {out}")
    return 0


class _Observer:
    """Shows how far a comparison has come: in a spinner, or in lines where there is no terminal."""

    def __init__(self, show_message: ProgressDisplay, is_quiet: bool) -> None:
        self._show_message = show_message
        self._tells_runs = not is_quiet and not sys.stderr.isatty()
        self._began = time.monotonic()
        self._runs = 0  # without those that a resumed comparison had done before

    def show(self, progress: Progress) -> None:
        """Show the runs done so far, the time left, and the runs that were lost."""
        self._runs += len(progress.new)
        message = f"comparing: {progress.done}/{progress.total} runs"
        if self._runs and progress.done < progress.total:
            seconds = (time.monotonic() - self._began) / self._runs
            duration = describe_duration(seconds * (progress.total - progress.done))
            message += f", about {duration} left"
        self._show_message(message, progress.done / max(progress.total, 1))
        if self._tells_runs:
            first = progress.done - len(progress.new) + 1
            for number, record in enumerate(progress.new, start=first):
                tell(f"{number}/{progress.total} {record.summary}")
        for run, reason in progress.lost:
            tell(f"kt: {run.describe()}: has no record ({reason}); --resume repeats it")


@as_subcommand()
@click.argument("file", type=FILE)
@click.option("--csv", type=OutputFile(), help="Write the records as a table, for a spreadsheet.")
@report_options
def report_command(file: str, html: str | None, csv: str | None, plots: str | None) -> int:
    """Show the results of a comparison as tables and, on request, as plots and a page.

    FILE is what kt compare --out wrote.
    """
    from kt_cp.compare.log import read_log  # the help does not need it

    prepare_plot_folder(plots)
    log = read_log(file)
    if log.last_line_torn:
        tell(f"kt: {file}: the last line is torn and was left out")
    if csv is not None:
        write_lines([log.to_csv().removesuffix("\n")], csv)
    show_comparison(log, html, plots)
    return 0


def prepare_plot_folder(folder: str | None) -> None:
    """Create the folder of plots, if there is one. Raises `InputError` if matplotlib is missing."""
    if folder is not None:
        import_optional("matplotlib", "plots", "pip install 'knights-tours[plot]'")
        Path(folder).mkdir(parents=True, exist_ok=True)


def show_comparison(log: Log, html: str | None, folder: str | None, brief: bool = False) -> None:
    """Print the results of a comparison; write plots and a page, if they are wanted."""
    from kt_cp.compare.report import page_html, text_lines, write_plots
    from kt_cp.compare.results import Results

    results = Results(log)
    width = shutil.get_terminal_size((10_000, 0)).columns  # unlimited where there is no terminal
    write_lines(text_lines(results, width, colored=wants_color(sys.stdout), brief=brief))
    if folder is not None:
        for path in write_plots(results, folder):
            tell(f"kt: wrote {path}")
    if html is not None:
        write_lines(page_html(results).splitlines(), html)


# The methods that a newcomer compares first: the model beside the search.
_COMPARED_FIRST = ("auto", "circuit", "cuts", "dfs", "warnsdorff", "greedy")


@as_subcommand()
@click.argument("method", required=False, shell_complete=options.complete_methods)
@click.option("--all", "lists_all", is_flag=True, help="List the others too.")
def methods_command(method: str | None, lists_all: bool) -> int:
    """List the methods that one compares first, with --all every method, or describe one METHOD.

    The description of auto, the usual method, has its steps for boards and for other graphs.
    """
    from kt_cp.methods.table import CONSTRAINTS, METHODS, load_method, method_of

    if method is None:
        names = METHODS if lists_all else _COMPARED_FIRST
        write_table((name, _summary(METHODS[name])) for name in names)
        if not lists_all:
            tell(f"{len(METHODS) - len(names)} more: kt methods --all")
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
            write_table(
                (f"{number}.  {step.__name__.replace('_', ' ')}", step.__doc__ or "")
                for number, step in enumerate(steps, start=1)
            )
    return 0


def _summary(method: Method) -> str:
    """Return what a method does, and whether a package that it needs is missing."""
    from kt_cp.methods.table import INSTALL_PEERS

    if method.package is None or find_spec(method.package):
        return method.summary
    return f"{method.summary} (not installed: {INSTALL_PEERS})"
