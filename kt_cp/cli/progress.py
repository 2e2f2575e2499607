"""A sign of life on standard error while a command works."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

_DELAY = 1.0


@contextmanager
def spinner(message: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner with the elapsed time once a second has passed, if stderr is a terminal.

    Gives a function that changes the message.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True)
    task = progress.add_task(message, total=None)
    timer = threading.Timer(_DELAY, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda changed: progress.update(task, description=changed)
    finally:
        timer.cancel()
        timer.join()
        progress.stop()
