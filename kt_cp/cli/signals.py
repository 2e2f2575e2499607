"""Ctrl-C ends the command at any moment, and files half written are removed."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from kt_cp.cli.messages import Exit

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

# Seconds until Ctrl-C is tried again: after something that swallowed it, and after something that
# might have.
_AT_ONCE, _PATIENCE = 0.01, 0.3

_interrupted = False


def handle_signals() -> None:
    """Raise `KeyboardInterrupt` for Ctrl-C until it comes through, and `SystemExit` for SIGTERM."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _terminate)
    sys.unraisablehook = _ignored


def was_interrupted() -> bool:
    """Whether Ctrl-C was pressed; from now on it is not tried again."""
    if _interrupted:
        signal.setitimer(signal.ITIMER_REAL, 0)
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
    else:
        sys.__unraisablehook__(problem)


def _try_again(seconds: float) -> None:
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _terminate(*_: object) -> NoReturn:
    raise SystemExit(Exit.TERMINATED)
