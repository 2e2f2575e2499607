"""The error for invalid input, and checks that raise it."""

from __future__ import annotations

import reprlib
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeVar

from kt_cp.phrases import give_one_of, not_a, show_number

Choice = TypeVar("Choice", bound=StrEnum)
T = TypeVar("T")


class InputError(ValueError):
    """Invalid input; the message says what is wrong, where, and what would be right."""


def checked_flag(name: str, value: object) -> bool:
    """Return True or False, or what is equal to either, as a bool.

    Raises `InputError` for anything else, such as "open" or an array.
    """
    if not isinstance(value, Hashable) or value not in (True, False):
        raise InputError(f"{name} {value!r}: give True or False")
    return bool(value)


def checked_number(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return an integer, Python's or NumPy's, as an int.

    Raises `InputError` for anything else, and for a number outside the limits, which are included.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if number >= least and (most is None or number <= most):
            return number
    wanted = f"at least {least}" if most is None else f"{least} to {most}"
    raise InputError(f"{name} {value!r}: give {wanted}")


def checked_time_limit(value: object) -> float:
    """Return a time limit in seconds, a number of Python or of NumPy, as a float.

    Raises `InputError` unless it is a number above 0.
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        seconds = float(value)
        if seconds > 0:
            return seconds
    raise InputError(f"time limit {show_number(value)}: give a number of seconds above 0")


def checked_choice(name: str, value: object, choices: type[Choice]) -> Choice:
    """Return the member of an enumeration with this value.

    Raises `InputError`, which lists all values, if there is none.
    """
    if value not in list(choices):
        raise InputError(f"{name} {value!r}: {give_one_of(choices, value)}")
    return choices(str(value))


def as_items(name: str, values: object, example: str) -> Iterable[Any]:
    """Return an iterable unchanged, and a single string as a list of one item.

    Raises `InputError`, with an ``example`` of an item, for what is not iterable.
    """
    if isinstance(values, str):
        return [values]
    if not isinstance(values, Iterable):
        raise InputError(f"{name} {values!r}: give a list, such as ['{example}']")
    return values


def as_ordered(name: str, values: object, wanted: str) -> Iterable[Any]:
    """Return an iterable unchanged if it has an order.

    Raises `InputError`, with what is ``wanted``, for a set, for text and for what is not iterable.
    """
    if isinstance(values, set | frozenset):
        raise InputError(f"{name} {reprlib.repr(values)}: {wanted}, as a set has no order")
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{name} {reprlib.repr(values)}: {wanted}")
    return values


def checked_class(value: object, expected: type[T], wanted: str) -> T:
    """Return a value unchanged if it is an instance of the expected class.

    Raises `InputError` otherwise, which says what is ``wanted``.
    """
    if not isinstance(value, expected):
        raise InputError(f"{not_a(reprlib.repr(value), expected.__name__)}: give {wanted}")
    return value


def describe_caller_error(error: BaseException) -> str:
    """Return where the caller's code raised an exception, and what it is.

    The result is, say, ``mine.py, line 7: KeyError: 3``. The place is the innermost one outside of
    this package, of `kt_dfs` and of all installed packages.
    """
    import kt_dfs
    from kt_dfs.backtracking import describe_error

    return describe_error(error, [Path(__file__).parent, Path(kt_dfs.__file__).parent])


@contextmanager
def malformed_as(error: Exception) -> Iterator[None]:
    """Raise ``error`` in place of the errors of parsing JSON and building values from it.

    An `InputError` is raised unchanged.
    """
    try:
        yield
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise error from None
