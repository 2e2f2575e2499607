"""What the commands write: messages, exit codes, answers, pictures and progress."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import timedelta
from enum import IntEnum
from pathlib import Path
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING

from kt_cp.files import write_atomically
from kt_cp.messages import escape_unprintable

if TYPE_CHECKING:
    from kt_cp.draw.look import Look
    from kt_cp.graph import Graph
    from kt_dfs import Status


class Exit(IntEnum):
    """The exit codes. A crash is never reported as ``NO``."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    BUG = 4
    INTERRUPTED = 130
    TERMINATED = 143

    @classmethod
    def of(cls, status: Status) -> Exit:
        """Return the exit code for an answer: found, impossible or unknown."""
        return {"found": cls.YES, "impossible": cls.NO, "unknown": cls.NO_ANSWER}[status.value]


# The colors of the words with which an answer or a verdict begins.
_COLORS = {
    "found": "green",
    "holds": "green",
    "valid": "green",
    "impossible": "cyan",  # a proof, and no error
    "does not hold": "red",
    "not a tour": "red",
    "not a cover": "red",
    "unknown": "yellow",
}
_VERDICT = re.compile(rf"\A(?:{'|'.join(_COLORS)})\b")

# The blank between a number and its unit, at which no line ends.
_UNIT = re.compile(r"(?<=\d) (?=(?:s|ms|min|h|MiB|GiB)\b)")
_NO_BREAK_SPACE = "\u00a0"

# Seconds until a long search says what to try and, where there is no terminal, gives a sign of
# life; and from one such sign to the next.
_FIRST_SIGN = 15.0
_NEXT_SIGN = 60.0

END_ADVICE = "Ctrl-C ends it, and --time-limit SECONDS sets an end beforehand"
"""The advice of searches that can be given a time limit."""


def wants_color(stream: IO[str]) -> bool:
    """Return whether a stream is colored: on a terminal, unless the environment says otherwise.

    NO_COLOR and FORCE_COLOR count if they are not empty (https://no-color.org,
    https://force-color.org); the former counts more.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def wrapped(line: str, width: int, indent: int = 0) -> str:
    """Return a line wrapped between words to the width of a terminal, which may report 0.

    All rows but the first are indented by ``indent`` spaces.
    """
    import textwrap

    if width <= 0:
        return line
    rows = textwrap.fill(
        _UNIT.sub(_NO_BREAK_SPACE, line),
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return rows.replace(_NO_BREAK_SPACE, " ")


def _lines_for(stream: IO[str], lines: Iterable[str], indent: int = 0) -> list[str]:
    """Return lines as they are written to a stream.

    They are wrapped between words for a terminal. Where color is wanted, a verdict at the beginning
    of a line is colored.
    """
    if stream.isatty():
        width = os.get_terminal_size(stream.fileno()).columns
        lines = [wrapped(line, width, indent) for line in lines]
    if wants_color(stream):
        import click

        lines = [
            _VERDICT.sub(lambda word: click.style(word[0], _COLORS[word[0]], bold=True), line, 1)
            for line in lines
        ]
    return list(lines)


def tell(message: str) -> None:
    """Write a line to standard error, with control characters escaped, as file names may hold.

    On a terminal, the lines of a message are written one below the other.
    """
    lines = [escape_unprintable(" ".join(line.split())) for line in message.splitlines()]
    try:
        if not sys.stderr.isatty():
            lines = [" ".join(lines)]
        print(*_lines_for(sys.stderr, lines), sep="\n", file=sys.stderr, flush=True)
    except OSError:  # standard error is closed, which changes no answer
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Discard the buffer of a broken stream, which Python would try to write again at exit."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def check_picture(file: str | None, graph: Graph) -> None:
    """Raise `InputError`, before the work is done, for a picture of too large a graph."""
    if file is not None:
        from kt_cp.draw.output import check_picture_file

        check_picture_file(file, "--draw", graph)


def write_picture(value: object, file: str | None, look: Look, role: str = "--draw") -> None:
    """Draw a value to the file of the option ``role``, and report it; None writes nothing."""
    if file is not None:
        from kt_cp.draw.output import draw

        with spinner("drawing the picture") as progress:
            draw(value, file, look, role, progress)
        tell(f"kt: wrote {file}")


def write_lines(lines: Iterable[str], out: str | Path | None = None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    write_bytes((f"{line}\n".encode(errors="backslashreplace") for line in lines), out)


def write_prose(lines: Iterable[str], indent: int = 0) -> None:
    """Write lines of prose to standard output, on a terminal wrapped with a hanging indent."""
    write_lines(_lines_for(sys.stdout, lines, indent))


def write_table(rows: Iterable[tuple[str, str]]) -> None:
    """Write two columns as wide as the terminal to standard output."""
    import click

    table = click.HelpFormatter(width=get_terminal_size().columns)
    table.write_dl(list(rows))
    write_lines(table.getvalue().splitlines())


def write_bytes(chunks: Iterable[bytes], out: str | Path | None = None) -> None:
    """Write bytes to standard output, or to a file that is replaced only once it is complete."""
    with open_output(out) as stream:
        stream.writelines(chunks)


@contextmanager
def open_output(out: str | Path | None) -> Iterator[IO[bytes]]:
    """Open standard output, or a file that is replaced only once it is complete."""
    if out is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with write_atomically(out) as stream:
            yield stream
        tell(f"kt: wrote {out}")


def write_line_at_once(stream: IO[bytes], line: str) -> None:
    """Write a line to what `open_output` opened, so that a reader need not wait for it."""
    stream.write(f"{line}\n".encode())
    stream.flush()


class ProgressDisplay:
    """What a `spinner` shows: a message, which a call replaces.

    With the share of the work done, from 0 to 1, there is also a bar.
    """

    def __init__(self, message: str) -> None:
        self.message = message
        self.share: float | None = None
        self._began = time.monotonic()

    def __call__(self, message: str, share: float | None = None, /) -> None:
        """Show this message and, unless the share is None, a bar."""
        self.message = message
        self.share = share

    @property
    def elapsed(self) -> str:
        """The time since the work began, such as ``0:01:05``."""
        return str(timedelta(seconds=int(time.monotonic() - self._began)))

    def live_row(self) -> AbstractContextManager[object]:
        """Show elapsed time, bar and message in the last row of the terminal, kept up to date."""
        from rich.console import Console
        from rich.live import Live
        from rich.markup import escape
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        console = Console(stderr=True)

        def row() -> Table:
            table = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
            width = console.width // 5
            bar = [] if self.share is None else [ProgressBar(1, self.share, width=width)]
            table.add_row(self.elapsed, *bar, escape(self.message))
            return table

        return Live(get_renderable=row, console=console, transient=True, redirect_stdout=False)


@contextmanager
def spinner(message: str, is_shown: bool = True, advice: str = "") -> Iterator[ProgressDisplay]:
    """Show the elapsed time and a message after a second, if standard error is a terminal.

    Elsewhere tell the message after some seconds, and from time to time again. After those seconds
    tell the ``advice``, what to try if it takes too long. Yield a function that changes the
    message; with a share it also shows a bar. Lines that are written by `tell` meanwhile appear
    above it.
    """
    display = ProgressDisplay(message)
    is_done = threading.Event()
    waiting = threading.Thread(
        target=_show_until_done, args=(display, advice, is_done), daemon=True
    )
    if is_shown:
        waiting.start()
    try:
        yield display
    finally:
        is_done.set()
        if is_shown:
            waiting.join()


def _show_until_done(display: ProgressDisplay, advice: str, is_done: threading.Event) -> None:
    """Show how far work has come until it is done: in a live row, or in lines now and then."""
    has_terminal = sys.stderr.isatty()
    if has_terminal and is_done.wait(1):
        return
    with display.live_row() if has_terminal else nullcontext():
        pause = _FIRST_SIGN
        while not is_done.wait(pause):
            if not has_terminal:
                tell(f"{display.elapsed} {display.message}")
            if advice and pause == _FIRST_SIGN:
                tell(f"no answer yet: {advice}")
            pause = _NEXT_SIGN
