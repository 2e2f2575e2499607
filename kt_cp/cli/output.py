"""What the commands write: messages, exit codes, answers, pictures and progress."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from enum import IntEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from kt_cp.cli.colors import colored, wants_color
from kt_cp.files import write_atomically
from kt_cp.messages import escape_unprintable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from kt_cp.draw.look import Look


class Exit(IntEnum):
    """The exit codes. A crash is never reported as `NO`."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    BUG = 4
    INTERRUPTED = 130
    TERMINATED = 143


# The colors of the words with which an answer or a verdict begins.
_COLORS = {
    "found": "green",
    "holds": "green",
    "valid": "green",
    "impossible": "red",
    "does not hold": "red",
    "not a tour": "red",
    "not a cover": "red",
    "unknown": "yellow",
}
# The blank between a number and its unit, at which no line ends.
_UNIT = re.compile(r"(?<=\d) (?=(?:s|ms|min|h|MiB|GiB)\b)")
_NO_BREAK_SPACE = "\u00a0"
_VERDICT = re.compile(rf"(?:{'|'.join(_COLORS)})\b")


def tell(message: str, is_error: bool = False) -> None:
    """Write a line to standard error, with control characters escaped, as file names may hold.

    On a terminal, the lines of a message are written one below the other and wrapped between words.
    Where color is wanted, the verdict at the beginning has one, or the first word of an error.
    """
    lines = [escape_unprintable(" ".join(line.split())) for line in message.splitlines()]
    try:
        if sys.stderr.isatty():
            width = os.get_terminal_size(sys.stderr.fileno()).columns
            text = "\n".join(_wrapped(line, width) for line in lines)
        else:
            text = " ".join(lines)
        if wants_color(sys.stderr):
            text = _with_colored_error(text) if is_error else _with_colored_verdict(text)
        print(text, file=sys.stderr, flush=True)
    except OSError:  # standard error is closed, which changes no answer
        discard(sys.stderr)


def _wrapped(line: str, width: int, indent: int = 0) -> str:
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


def _with_colored_verdict(text: str) -> str:
    """Return text with the verdict with which it begins, if it does, in its color."""
    if verdict := _VERDICT.match(text):
        return colored(verdict[0], _COLORS[verdict[0]]) + text[verdict.end() :]
    return text


def _with_colored_error(text: str) -> str:
    """Return the text of an error with its first word in red."""
    word, colon, rest = text.partition(":")
    return colored(word, "red") + colon + rest


def discard(stream: IO[str]) -> None:
    """Discard the buffer of a broken stream, which Python would try to write again at exit."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def look_of(**options: Any) -> Look:
    """Return the look of a picture: the options of the command on looks, and other fields."""
    import click

    from kt_cp.draw.look import Look

    return Look(**click.get_current_context().ensure_object(dict), **options)


def write_picture(
    value: object, file: str | None, look: Look | None = None, role: str = "--draw"
) -> None:
    """Draw a value to the file that the option ``role`` names, and report it; None writes nothing.

    By default the look is that of `look_of`.
    """
    if file is not None:
        from kt_cp.draw.output import draw

        with spinner("drawing the picture") as progress:
            draw(value, file, look or look_of(), role, progress)
        tell(f"kt: wrote {file}")


def write_lines(lines: Iterable[str], out: str | Path | None = None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    write_bytes((f"{line}\n".encode(errors="backslashreplace") for line in lines), out)


def write_prose(lines: Iterable[str], indent: int = 0) -> None:
    """Write lines of prose to standard output.

    On a terminal, wrap them between words; all rows of a line but the first are then indented by
    ``indent`` spaces. Where color is wanted, the verdict with which a line begins has one.
    """
    if sys.stdout.isatty():
        width = os.get_terminal_size(sys.stdout.fileno()).columns
        lines = [_wrapped(line, width, indent) for line in lines]
    if wants_color(sys.stdout):
        lines = map(_with_colored_verdict, lines)
    write_lines(lines)


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


class ProgressDisplay(Protocol):
    """Changes the message of a `spinner`; with the share of the work done, it shows a bar."""

    def __call__(self, message: str, share: float | None = None, /) -> None:
        """Show this message and, unless the share is None, a bar."""


@contextmanager
def spinner(message: str, shown: bool = True) -> Iterator[ProgressDisplay]:
    """Show the elapsed time and a message after a second, if standard error is a terminal.

    Yield a function that changes the message; with a share it also shows a bar. Lines that are
    written by `tell` meanwhile appear above it.
    """
    began = time.monotonic()
    display = ExitStack()
    current_share: float | None = None

    def change(new_message: str, share: float | None = None) -> None:
        nonlocal message, current_share
        message, current_share = new_message, share

    def show() -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True)

        def line() -> RenderableType:
            elapsed = timedelta(seconds=int(time.monotonic() - began))
            return _progress_line(f"{elapsed}", message, current_share, console.width)

        live = Live(get_renderable=line, console=console, transient=True, redirect_stdout=False)
        display.enter_context(live)

    timer = threading.Timer(1.0, show)
    timer.daemon = True
    is_shown = shown and sys.stderr.isatty()
    if is_shown:
        timer.start()
    try:
        yield change
    finally:
        if is_shown:
            timer.cancel()
            timer.join()
        display.close()


def _progress_line(elapsed: str, message: str, share: float | None, width: int) -> RenderableType:
    """Return a line of at most this width: the time, a bar if the share is known, the message.

    The message is wrapped between words; what does not fit on two lines becomes an ellipsis.
    """
    import textwrap

    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    bar_width = min(20, width // 5)
    message_width = width - len(elapsed) - 1
    if share is not None:
        message_width -= bar_width + 1
    lines = textwrap.wrap(
        message, max(message_width, 2), break_on_hyphens=False, max_lines=2, placeholder=" …"
    )
    table = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
    cells: list[RenderableType] = [Text(elapsed)]
    if share is not None:
        cells.append(ProgressBar(total=1, completed=share, width=bar_width, complete_style="cyan"))
    table.add_row(*cells, Text("\n".join(lines), no_wrap=True, overflow="ellipsis"))
    return table
