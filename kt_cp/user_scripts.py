"""Functions that users define in Python files of their own, named as ``FILE.py:NAME``."""

from __future__ import annotations

import inspect
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Any

from kt_cp.messages import InputError


def is_in_script(word: str) -> bool:
    """Return whether a word has the form ``FILE.py:NAME``."""
    file, _, name = word.rpartition(":")
    return file.endswith(".py") and bool(name)


def load_from_script(word: str, role: str) -> Any:
    """Return what a user's file defines under a name; the ``word`` is ``FILE.py:NAME``.

    The file is run as a script, with its folder on the import path. Raises `InputError`, which
    begins with the ``role`` and names the line of the file, if that fails or the name is missing.
    """
    file, _, name = word.rpartition(":")
    folder = str(Path(file).resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    with script_errors(word, role):
        found: dict[str, Any] = runpy.run_path(file)
    if name not in found:
        functions = [each for each, value in found.items() if inspect.isfunction(value)]
        raise InputError(f"{role} {word}: {file} has {', '.join(functions) or 'no function'}")
    return found[name]


@contextmanager
def script_errors(word: str, role: str) -> Iterator[None]:
    """Raise exceptions of a user's function ``FILE.py:NAME`` as `InputError`s that say where.

    A call of `sys.exit` is such an exception, as it would end the program of the caller.
    """
    file, _, _ = word.rpartition(":")
    try:
        yield
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        line = _line_of(error, file)
        if line is None and isinstance(error, OSError):  # the file itself cannot be read
            raise InputError(f"{role} {word}: {file}: {error.strerror}") from None
        place = file if line is None else f"{file}, line {line}"
        raise InputError(f"{role} {word}: {place}: {type(error).__name__}: {error}") from error


def _line_of(error: BaseException, file: str) -> int | None:
    """Return the number of the innermost line of a file that an error passed, if any."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None
