"""Files, read up to a limit and written as a whole; optional packages; and the code of users."""

from __future__ import annotations

import inspect
import os
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO

from kt_cp.messages import InputError

# -- reading ---------------------------------------------------------------------------------------

MAX_BYTES = 2**24
"""The most bytes that are read of a file, unless the reader says otherwise."""


def read_bounded(file: IO[bytes], most: int = MAX_BYTES) -> bytes:
    """Return the rest of a file. Raises `InputError` for more than ``most`` bytes."""
    content = file.read(most + 1)
    if len(content) > most:
        raise InputError(f"more than {most >> 20:,} MiB, the most that is read of such a file")
    return content


def read_text(file: IO[bytes], wanted: str) -> str:
    """Return the rest of a UTF-8 file.

    Raises `InputError`, which says what is ``wanted``, for a file of another kind.
    """
    content = read_bounded(file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if content.startswith(b"\x93NUMPY"):
            wanted = "this is a NumPy array: write a matrix as text, by numpy.savetxt"
        raise InputError(f"not a text file; {wanted}") from None


@contextmanager
def open_input(argument: str, wanted: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for ``-``; errors that are raised in the block name it.

    ``wanted`` is what to give if the file cannot be read, such as "a file with a map".
    """
    is_input = argument == "-"
    try:
        if is_input and sys.stdin is None:
            raise InputError("it is closed")
        with nullcontext(sys.stdin.buffer) if is_input else open(argument, "rb") as file:
            yield file
    except (InputError, OSError) as error:
        place = "standard input" if is_input else argument
        problem = str(error)
        if isinstance(error, OSError):
            problem = f"{error.strerror or error}; give {wanted}"
        raise InputError(f"{place}: {problem}") from None


# -- writing ---------------------------------------------------------------------------------------

# The files that are being written and have not replaced the old ones yet.
_partial_files: set[Path] = set()


def check_writable(file: str | Path, role: str) -> None:
    """Raise `InputError` if a file cannot be written; the message begins with its ``role``."""
    import tempfile  # its import takes long

    path = Path(os.path.realpath(file))
    try:
        if path.is_dir() or str(file).endswith("/"):
            raise InputError(f"{role} {file}: is a directory; give a file")
        if not path.parent.is_dir():
            raise InputError(f"{role} {file}: there is no directory {path.parent}")
        if path.exists() and not os.access(path, os.W_OK):
            raise InputError(f"{role} {file}: may not be written")
        if path.is_file() or not path.exists():
            tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise InputError(f"{role} {file}: {error.strerror}; give another file") from None


@contextmanager
def write_atomically(file: str | Path) -> Iterator[IO[bytes]]:
    """Open a new file for writing, which replaces the old one only when it is complete.

    A file that is not regular, such as a pipe, is written directly.
    """
    path = Path(file)
    if path.exists() and not path.is_file():
        with name_in_errors(file), path.open("wb") as stream:
            yield stream
        return
    path = Path(os.path.realpath(path))  # a link stays a link
    partial = path.with_name(f".{path.name[:50]}.{os.urandom(8).hex()}")
    _partial_files.add(partial)
    try:
        with name_in_errors(file), partial.open("xb") as stream:
            yield stream
        if path.exists():
            partial.chmod(path.stat().st_mode & 0o777)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    finally:
        _partial_files.discard(partial)


def remove_partial_files() -> None:
    """Remove what `write_atomically` is writing, before a process ends without cleaning up."""
    for partial in list(_partial_files):
        with suppress(OSError):
            partial.unlink(missing_ok=True)


@contextmanager
def name_in_errors(file: str | Path) -> Iterator[None]:
    """Add the name of the file to errors in the block, such as that the disk is full."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(file)
        raise


# -- optional packages and the code of users -------------------------------------------------------


def import_optional(package: str, purpose: str, install: str) -> Any:
    """Import a package and return it.

    Raises `InputError` if it is missing: ``purpose`` is the plural noun of what needs it, and
    ``install`` the command that installs it.
    """
    try:
        return import_module(package)
    except ModuleNotFoundError:
        raise InputError(f"{purpose} need {package}: {install}") from None


def names_script_object(word: str) -> bool:
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
    if not Path(file).is_file():
        raise InputError(f"{role} {word}: {file}: No such file or directory")
    with script_errors(word, role):
        values: dict[str, Any] = runpy.run_path(file)
    if name not in values:
        functions = [each for each, value in values.items() if inspect.isfunction(value)]
        raise InputError(f"{role} {word}: {file} has {', '.join(functions) or 'no function'}")
    return values[name]


@contextmanager
def script_errors(word: str, role: str) -> Iterator[None]:
    """Raise exceptions of a user's function ``FILE.py:NAME`` as `InputError`s that say where.

    A call of `sys.exit` is such an exception, as it would end the program of the caller.
    """
    try:
        yield
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"{role} {word}: {describe_caller_error(error)}") from error


def describe_caller_error(error: BaseException) -> str:
    """Return where the caller's code raised an exception, and what it is.

    The result is, say, ``mine.py, line 7: KeyError: 3``, without the class for an `InputError`. The
    place is the innermost one outside of this package, of `kt_dfs` and of all installed packages.
    """
    import sysconfig  # only where the caller's code has failed
    from traceback import extract_tb

    import kt_dfs

    folders = [Path(__file__).parent, Path(kt_dfs.__file__).parent]
    folders += [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")]
    what = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    places = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno))
    for name, line in reversed(places):
        is_installed = any(Path(name).is_relative_to(folder) for folder in folders)
        if not is_installed and not name.startswith("<frozen"):
            return f"{Path(name).name}, line {line}: {what}"
    return what
