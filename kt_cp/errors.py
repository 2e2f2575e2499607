"""The error for invalid input, checks of values, and small functions for messages."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeVar

Choice = TypeVar("Choice", bound=StrEnum)
T = TypeVar("T")


_NO_BREAK_SPACE = "\u00a0"  # which French has before a colon


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
    number = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if number is None or number < least or (most is not None and number > most):
        wanted = f"at least {least}" if most is None else f"{least} to {most}"
        raise InputError(f"{name} {value!r}: give {wanted}")
    return number


def checked_seconds(name: str, value: object) -> float:
    """Return a number of seconds, Python's or NumPy's, as a float.

    Raises `InputError` unless it is a number above 0.
    """
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    seconds = float(value) if is_number else math.nan  # type: ignore[arg-type]
    if not seconds > 0:
        raise InputError(f"{name} {show_number(value)}: give a number of seconds above 0")
    return seconds


def checked_choice(name: str, value: object, choices: type[Choice]) -> Choice:
    """Return the member with this value. Raises `InputError`, which lists all values, otherwise."""
    if value not in list(choices):
        raise InputError(f"{name} {value!r}: give one of {', '.join(choices)}")
    return choices(str(value))


def as_list(name: str, values: object, example: str) -> Iterable[Any]:
    """Return the values; a single string becomes a list of one.

    Raises `InputError`, with an ``example`` of an item, for what is not iterable.
    """
    if isinstance(values, str):
        return [values]
    if not isinstance(values, Iterable):
        raise InputError(f"{name} {values!r}: give a list, such as ['{example}']")
    return values


def checked_kind(value: object, kind: type[T], wanted: str) -> T:
    """Return a value of a class unchanged. Raises `InputError`, with what to give, for others."""
    if not isinstance(value, kind):
        raise InputError(f"{not_a(reprlib.repr(value), kind.__name__)}: give {wanted}")
    return value


def describe_caller_error(error: BaseException) -> str:
    """Return where the caller's code raised an exception, and what it is.

    Such as ``mine.py, line 7: KeyError: 3``. The place is the innermost one outside of this
    package, of `kt_dfs` and of all that is installed.
    """
    import kt_dfs
    from kt_dfs.backtracking import describe_error

    return describe_error(error, [Path(__file__).parent, Path(kt_dfs.__file__).parent])


def pluralize(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the plural (by default with an s) unless it is 1.

    >>> pluralize(1, "square"), pluralize(1600, "square")
    ('1 square', '1,600 squares')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def not_a(shown: str, noun: str) -> str:
    """Return a phrase such as ``a1 to a2 is not a knight's move``, whose noun is given."""
    return f"{shown} is not {with_article(noun)}"


def with_article(noun: str) -> str:
    """Return a noun phrase with its indefinite article.

    >>> with_article("open tour"), with_article("closed tour")
    ('an open tour', 'a closed tour')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def join_words(words: Sequence[str]) -> str:
    """Return words as a sentence lists them.

    >>> join_words(["a"]), join_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def show_number(value: object) -> str:
    """Return a number as a person types it, without the .0 of a float; others as ``repr`` does."""
    return f"{value:g}" if isinstance(value, float) else repr(value)


def escape_unprintable(text: str) -> str:
    """Escape characters that are not printable, so that no name can control a terminal.

    >>> escape_unprintable("tour\\x1b[2J.txt")
    'tour\\\\x1b[2J.txt'
    """
    return "".join(
        each if each.isprintable() or each == _NO_BREAK_SPACE else repr(each)[1:-1] for each in text
    )
