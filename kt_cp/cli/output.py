"""What the commands write: answers, tables, files, and a sign of life."""

from __future__ import annotations

import itertools
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO

from kt_cp.errors import InputError
from kt_cp.files import check_writable, whole_file


def check_output(out: str | None, option: str = "--out") -> None:
    """Refuse an output that cannot be written, before the work is done.

    If ``--out`` is not given, the output is standard output; of another option there is none.
    """
    if out is not None:
        check_writable(out, option)
    elif option == "--out" and sys.stdout is None:
        raise InputError("standard output is closed; --out writes to a file")


def write_lines(lines: Iterable[str], out: str | None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    write_bytes((f"{line}\n".encode() for line in lines), out)


def write_table(rows: Mapping[str, str]) -> None:
    """Write two columns as wide as the terminal to standard output."""
    width = max(map(len, rows)) + 2
    columns = shutil.get_terminal_size().columns
    wrapper = textwrap.TextWrapper(columns, subsequent_indent=" " * width, break_on_hyphens=False)
    write_lines((wrapper.fill(f"{left:{width}}{right}") for left, right in rows.items()), None)


def write_bytes(chunks: Iterable[bytes], out: str | None) -> None:
    """Write bytes to standard output, or to a file that is replaced only once it is complete."""
    with output(out) as stream:
        stream.writelines(chunks)


@contextmanager
def output(out: str | None) -> Iterator[IO[bytes]]:
    """Open standard output, or a file that is replaced only once it is complete."""
    if out is not None:
        with whole_file(out) as stream:
            yield stream
    elif sys.stdout is None:
        raise InputError("standard output is closed")
    else:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()


_DELAY = 1.0
_INTERVAL = 0.1
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@contextmanager
def spinner(message: str) -> Iterator[Callable[[str], None]]:
    """Show a message with the elapsed time after a second, if standard error is a terminal.

    Yields a function that changes the message.
    """
    shown = [message]
    done = threading.Event()
    thread = threading.Thread(target=_spin, args=(shown, done), daemon=True)
    if sys.stderr.isatty():
        thread.start()
    try:
        yield lambda changed: shown.__setitem__(0, changed)
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()


def _spin(shown: list[str], done: threading.Event) -> None:
    began = time.monotonic()
    if done.wait(_DELAY):
        return
    with suppress(OSError):
        for frame in itertools.cycle(_FRAMES):
            minutes, seconds = divmod(int(time.monotonic() - began), 60)
            line = f"{frame} {shown[0]} {minutes}:{seconds:02}"
            line = line[: shutil.get_terminal_size().columns - 1]
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
            if done.wait(_INTERVAL):
                break
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
