"""What the commands write: messages and exit codes, answers, tables, files, and a sign of life."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING

from kt_cp.errors import InputError, printable
from kt_cp.files import check_writable, whole_file

if TYPE_CHECKING:
    from kt_cp.graph import Graph


class Exit(IntEnum):
    """What an exit code means; `NO` is never the answer to a crash."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    BUG = 4
    INTERRUPTED = 130
    TERMINATED = 143


# The colors of the words with which an answer begins.
_COLORS = {"found": "green", "impossible": "red", "unknown": "yellow"}

# Seconds until a spinner appears, and between two of its frames.
_DELAY, _INTERVAL = 1.0, 0.1


def tell(message: str) -> None:
    """Write a line to standard error. Control characters, as file names may hold, are escaped.

    On a terminal, the word with which an answer begins has a color, unless NO_COLOR is set.
    """
    line = printable(" ".join(message.split()))
    word, colon, rest = line.partition(":")
    try:
        if word in _COLORS and sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
            import click

            click.secho(word, fg=_COLORS[word], bold=True, nl=False, err=True)
            line = colon + rest
        print(line, file=sys.stderr, flush=True)
    except OSError:  # there is nobody to tell, which changes no answer
        discard(sys.stderr)


def discard(stream: IO[str] | None) -> None:
    """Discard what a broken stream still holds, which Python would try to write again at exit."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def tell_written(file: str | None) -> None:
    """Tell that a file was written, if there is one."""
    if file is not None:
        tell(f"kt: wrote {file}")


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
        import click

        from kt_cp.draw.output import draw
        from kt_cp.draw.sheet import Look

        with spinner("drawing the picture"):
            draw(value, file, Look(theme=click.get_current_context().meta["theme"]))
        tell_written(file)


def write_lines(lines: Iterable[str], out: str | None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    write_bytes((f"{line}\n".encode() for line in lines), out)


def write_bytes(chunks: Iterable[bytes], out: str | None) -> None:
    """Write bytes to standard output, or to a file that is replaced only once it is complete."""
    with open_output(out) as stream:
        stream.writelines(chunks)


def write_table(rows: Iterable[tuple[str, str]]) -> None:
    """Write two columns as wide as the terminal to standard output."""
    import click

    table = click.HelpFormatter(width=get_terminal_size().columns)
    table.write_dl(list(rows))
    write_lines(table.getvalue().splitlines(), None)


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
    """Show the message, cut to fit; lines written to standard error meanwhile appear above it."""
    began = time.monotonic()
    if done.wait(_DELAY):
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    rest_of_the_line = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    with Progress(
        SpinnerColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False, table_column=rest_of_the_line),
        console=Console(stderr=True),
        get_time=time.monotonic,
        transient=True,
        expand=True,
        redirect_stdout=False,
    ) as line:
        task = line.add_task(messages[0], total=None)
        line.tasks[0].start_time = began
        while not done.wait(_INTERVAL):
            line.update(task, description=messages[0])
