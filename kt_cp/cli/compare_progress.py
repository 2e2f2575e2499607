"""How far a comparison is, on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar
from rich.table import Column

from kt_cp.cli.messages import tell
from kt_cp.compare.records import Record
from kt_cp.compare.runs import Observer, Progress

_SHOWN = 4


@contextmanager
def progress_display(quiet: bool) -> Iterator[Observer]:
    """Return an observer: a bar on a terminal, elsewhere a line for each run.

    If quiet, it tells only of the runs that have no record.
    """
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield _tell_lost if quiet else _write_lines
        return
    rest_of_the_line = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    columns = (
        BarColumn(bar_width=16),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False, table_column=rest_of_the_line),
    )
    with Bar(*columns, console=console, transient=True, expand=True) as bar:
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
