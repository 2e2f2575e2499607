"""The command ``kt``: parse, call, print. Each subcommand is a module, imported when it is run."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from kt_cp.cli.process import (
    Exit,
    discard,
    handle_signals,
    occupy_standard_streams,
    tell,
    was_interrupted,
)
from kt_cp.errors import InputError

# The disk, or what a user or a process may write, is full.
_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}

# What the loader of libraries says.
_NO_MEMORY = re.compile("failed to map segment|cannot allocate memory", re.IGNORECASE)

_REPORT = "please report it to the authors, with the command and its input"


def main() -> NoReturn:
    """Run ``kt`` with the arguments of this process and exit with its code."""
    handle_signals()
    occupy_standard_streams()
    code = run(sys.argv[1:])
    if code == Exit.INTERRUPTED:
        os._exit(code)  # Python itself might end with a signal instead
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run ``kt`` with these arguments and return its exit code; say in one line what went wrong."""
    try:
        from kt_cp.cli.app import invoke

        code = invoke(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SystemExit:
        raise
    except BaseException as error:
        return _explain(error)


def _explain(error: BaseException) -> Exit:
    """Say in one line what went wrong and return the exit code for it."""
    if was_interrupted() or isinstance(error, KeyboardInterrupt):
        tell("kt: interrupted")
        return Exit.INTERRUPTED
    discard(sys.stdout)
    match error:
        case InputError():
            tell(f"kt: {error}")
            return Exit.BAD_INPUT
        case BrokenPipeError():  # whoever read the output has closed it
            return Exit.YES
        case MemoryError() | OSError(errno=errno.ENOMEM):
            tell("kt: there is not enough memory")
            return Exit.NO_ANSWER
        case OSError() if error.errno in _FULL:
            tell(f"kt: {error.filename or 'standard output'}: {error.strerror}")
            return Exit.NO_ANSWER
        case OSError():
            tell(f"kt: cannot read or write: {error.strerror or error}")
            return Exit.BAD_INPUT
        case ImportError() if _NO_MEMORY.search(str(error)):
            tell("kt: there is not enough memory to load a library")
            return Exit.NO_ANSWER
    tell(f"kt: a bug in this package or in a library: {type(error).__name__}: {error} ({_REPORT})")
    if os.environ.get("KT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return Exit.BUG
