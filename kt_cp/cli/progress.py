"""A sign of life on standard error while a command works."""

from __future__ import annotations

import itertools
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

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
