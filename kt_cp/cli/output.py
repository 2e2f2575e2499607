"""What the commands write: answers, tables, files, and a sign of life."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import click

from kt_cp.cli.process import tell
from kt_cp.errors import InputError
from kt_cp.files import check_writable, whole_file

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from kt_cp.graph import Graph

# Seconds until a spinner appears, and between two of its frames.
_DELAY, _INTERVAL = 1.0, 0.1


def check_output(out: str | None, option: str = "--out") -> None:
    """Refuse an output that cannot be written, before the work is done.

    If ``--out`` is not given, the output is standard output; of another option there is none.
    """
    if out is not None:
        check_writable(out, option)
    elif option == "--out" and sys.stdout is None:
        raise InputError("standard output is closed; --out writes to a file")


def check_drawing(
    file: str | None, board: Graph | None = None, animated: bool = True, option: str = "--draw"
) -> None:
    """Refuse a picture that cannot be drawn, before the work is done."""
    if file is not None:
        from kt_cp.draw.output import MOVING, STILL, check_picture

        check_picture(file, option, board, MOVING if animated else STILL)


def write_picture(value: object, file: str | None) -> None:
    """Draw to the file that --draw names, if any, in the colors of --theme."""
    if file is not None:
        from kt_cp.draw.output import draw
        from kt_cp.draw.sheet import Look

        with spinner("drawing the picture") as say:
            draw(value, file, Look(theme=click.get_current_context().meta["theme"]), say)
        tell_written(file)


def write_lines(lines: Iterable[str], out: str | None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    write_bytes((f"{line}\n".encode() for line in lines), out)


def write_bytes(chunks: Iterable[bytes], out: str | None) -> None:
    """Write bytes to standard output, or to a file that is replaced only once it is complete."""
    with open_output(out) as stream:
        stream.writelines(chunks)


def write_table(rows: Iterable[tuple[str, ...]]) -> None:
    """Write columns as wide as the terminal to standard output; only the last may be broken."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*(Text(cell, no_wrap=True) for cell in row[:-1]), Text(row[-1]))
    text = io.StringIO()
    Console(file=text).print(table)
    write_lines((line.rstrip() for line in text.getvalue().splitlines()), None)


def tell_written(file: str | None) -> None:
    """Tell that a file was written, if there is one."""
    if file is not None:
        tell(f"kt: wrote {file}")


@contextmanager
def open_output(out: str | None) -> Iterator[IO[bytes]]:
    """Open standard output, or a file that is replaced only once it is complete."""
    if out is not None:
        with whole_file(out) as stream:
            yield stream
        tell_written(out)
    elif sys.stdout is None:
        raise InputError("standard output is closed")
    else:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()


@contextmanager
def spinner(message: str, shown: bool = True) -> Iterator[Callable[[str], None]]:
    """Show a message with the elapsed time after a second, if standard error is a terminal.

    Yields a function that changes the message.
    """
    messages, done = [message], threading.Event()
    thread = threading.Thread(target=_spin, args=(messages, done), daemon=True)
    if shown and sys.stderr.isatty():
        thread.start()
    try:
        yield lambda changed: messages.__setitem__(0, changed)
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()


def _spin(messages: list[str], done: threading.Event) -> None:
    """Show the message; lines that are written to standard error meanwhile appear above it."""
    began = time.monotonic()
    if done.wait(_DELAY):
        return
    from rich.progress import SpinnerColumn, TimeElapsedColumn

    with progress_line(SpinnerColumn(), TimeElapsedColumn()) as line:
        task = line.add_task(messages[0], total=None)
        line.tasks[0].start_time = began
        while not done.wait(_INTERVAL):
            line.update(task, description=messages[0])


def progress_line(*columns: ProgressColumn) -> Progress:
    """Return a line on standard error: some columns, and a description that is cut to fit."""
    from rich.console import Console
    from rich.progress import Progress, TextColumn
    from rich.table import Column

    rest_of_the_line = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    description = TextColumn("{task.description}", markup=False, table_column=rest_of_the_line)
    return Progress(
        *columns,
        description,
        console=Console(stderr=True),
        get_time=time.monotonic,
        transient=True,
        expand=True,
        redirect_stdout=False,
    )
