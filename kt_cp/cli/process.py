"""The process: exit codes, messages, signals, and streams that are closed or broken."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from enum import IntEnum
from types import FrameType
from typing import IO, TYPE_CHECKING, NoReturn

from kt_cp.errors import printable

UNBROKEN = "\N{NON-BREAKING HYPHEN}"  # a hyphen in help at which no line is broken


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


def occupy_standard_streams() -> None:
    """Open the null device in place of closed streams, so that no other file gets their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


if TYPE_CHECKING:
    import threading
    from sys import UnraisableHookArgs

# Seconds until Ctrl-C is tried again: after something that swallowed it, and after something that
# might have.
_AT_ONCE, _PATIENCE = 0.01, 0.3

_interrupted = False
_retry: threading.Timer | None = None  # where the system has no timers of its own


def handle_signals() -> None:
    """Raise `KeyboardInterrupt` for Ctrl-C until it comes through, and `SystemExit` for SIGTERM."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _terminate)
    sys.unraisablehook = _ignored


def was_interrupted() -> bool:
    """Whether Ctrl-C was pressed; from now on it is not tried again."""
    if _interrupted:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        if _retry is not None:
            _retry.cancel()
    return _interrupted


def _interrupt(_: int, frame: FrameType | None) -> NoReturn:
    global _interrupted
    _interrupted = True
    while frame is not None:
        # Compiled modules that are being imported may swallow any exception, or raise another one.
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            _try_again(_PATIENCE)
            break
        frame = frame.f_back
    raise KeyboardInterrupt


def _ignored(problem: UnraisableHookArgs) -> None:
    """Take care of an exception in a place that cannot raise one, such as a finalizer."""
    if isinstance(problem.exc_value, KeyboardInterrupt):
        _try_again(_AT_ONCE)
    elif not isinstance(problem.exc_value, MemoryError):  # the next one ends the command
        sys.__unraisablehook__(problem)


def _try_again(seconds: float) -> None:
    global _retry
    if hasattr(signal, "setitimer"):  # it also ends a system call that blocks
        signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    else:  # Windows
        import threading

        _retry = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
        _retry.daemon = True
        _retry.start()


def _terminate(*_: object) -> NoReturn:
    raise SystemExit(Exit.TERMINATED)
