"""The command ``kt``: it parses what was typed, calls the package, and writes the answer.

This file is the process: signals, standard streams and the exit code. A subcommand is a function
whose module is imported when it is run.

The files, in the order of reading:

- ``output``: exit codes, messages, progress, and the writing of text and pictures.
- ``app``: the table of the subcommands, their help, and the samples to try them on.
- ``options``: the options that several subcommands share.
- ``arguments``: the boards, graphs and paths that arguments name.
- ``answer``: how a search runs, and how its answer is written.
- ``solve``: searches for a tour, the longest path, a cover by paths and disjoint tours.
- ``paths``: verdicts on paths and certificates, and the features of tours.
- ``count``, ``puzzle``, ``draw``, ``compare``: the other subcommands; `SUBCOMMANDS` in ``app``
  names the file of each.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from kt_cp.cli.output import Exit, discard, tell
from kt_cp.files import remove_partial_files
from kt_cp.messages import InputError

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

# The error numbers of a full disk, and of limits on what a user or a process may write.
_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}

# Messages of the operating system and of the loader of libraries when memory is short.
_NO_MEMORY = re.compile("failed to map segment|cannot allocate memory", re.IGNORECASE)

_REPORT_ADVICE = "please report it to the authors, with the command and its input"

# The exit code for the signal that has been received, if any.
_ended_by: Exit | None = None


def main() -> NoReturn:
    """Run ``kt`` with the arguments of this process and exit with its code."""
    signal.signal(signal.SIGINT, _end)
    signal.signal(signal.SIGTERM, _end)
    sys.unraisablehook = _handle_unraisable
    _occupy_standard_streams()
    code = run(sys.argv[1:])
    if code == Exit.INTERRUPTED:
        os._exit(code)  # Python itself might end with a signal instead
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run ``kt`` with these arguments, report an error in one line, and return the exit code."""
    try:
        from kt_cp.cli.app import invoke

        code = invoke(arguments)
        sys.stdout.flush()
        return code
    except BaseException as error:
        return _report(error)


def _report(error: BaseException) -> Exit:
    """Report an error in one line, and return the exit code for it."""
    if _ended_by is Exit.TERMINATED:
        return Exit.TERMINATED
    if _ended_by is Exit.INTERRUPTED or isinstance(error, KeyboardInterrupt):
        tell("kt: interrupted")
        return Exit.INTERRUPTED
    discard(sys.stdout)
    match error:
        case InputError():
            tell(f"kt: {error}")
            return Exit.BAD_INPUT
        case BrokenPipeError():  # whoever read the output has closed it
            return Exit.YES
        case _ if isinstance(error, MemoryError) or _NO_MEMORY.search(str(error)):
            tell("kt: there is not enough memory")
            return Exit.NO_ANSWER
        case OSError():
            where = error.filename or "standard output"
            tell(f"kt: {where}: {error.strerror or error}")
            return Exit.NO_ANSWER if error.errno in _FULL else Exit.BAD_INPUT
    problem = f"{type(error).__name__}: {error} ({_REPORT_ADVICE})"
    tell(f"kt: a bug in this package or in a library: {problem}")
    if os.environ.get("KT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return Exit.BUG


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Raise `KeyboardInterrupt` for Ctrl-C or exit for SIGTERM; leave at once while importing.

    Compiled modules that are being imported may swallow any exception, or raise another one.
    """
    global _ended_by
    _ended_by = Exit.INTERRUPTED if number == signal.SIGINT else Exit.TERMINATED
    if _is_importing(frame):
        _leave(_ended_by)
    if _ended_by is Exit.INTERRUPTED:
        raise KeyboardInterrupt
    sys.exit(_ended_by)


def _is_importing(frame: FrameType | None) -> bool:
    """Return whether this frame, or one that called it, is importing a module."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _handle_unraisable(problem: UnraisableHookArgs) -> None:
    """Handle an exception that cannot be raised where it occurs, such as in a finalizer."""
    if isinstance(problem.exc_value, KeyboardInterrupt):
        _leave(Exit.INTERRUPTED)
    elif isinstance(problem.exc_value, MemoryError):
        return  # the next allocation that fails ends the command
    else:
        sys.__unraisablehook__(problem)


def _leave(code: Exit) -> NoReturn:
    """End the process at once, without unwinding the stack and without partial files."""
    remove_partial_files()
    if code is Exit.INTERRUPTED:
        tell("kt: interrupted")
    os._exit(code)


def _occupy_standard_streams() -> None:
    """Open the null device in place of closed standard streams.

    Otherwise the first files that are opened would get their numbers.
    """
    while (descriptor := os.open(os.devnull, os.O_RDONLY)) <= 2:
        pass  # the system gives the lowest number that is free
    os.close(descriptor)
    # Python has no stream for a descriptor that was closed. Writing to these streams raises an
    # `OSError`, since the null device is open for reading only.
    sys.stdout = sys.stdout or open(1, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w")  # noqa: SIM115
