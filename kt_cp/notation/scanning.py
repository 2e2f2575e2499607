"""What the readers of text share: finding items, and the numbers in them, in linear time."""

from __future__ import annotations

import re

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.notation.text import UnreadableError

# A longer string of digits is no square and no step of any board.
MAX_DIGITS = 18
NUMBER = rf"-?+\d{{1,{MAX_DIGITS}}}+"

_WORD = re.compile(r"\S{1,20}")
_SIGN_ALONE = re.compile(r"-(?![0-9])")
_TO_BLANKS = bytes(byte if byte in b"-0123456789" else ord(" ") for byte in range(256))


def unreadable(text: str, place: int, wanted: str) -> UnreadableError:
    """Return an error that names line and column, what stands there and what is expected."""
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    if word := _WORD.match(text, place):
        found = repr(word[0])
    else:
        found = "the end of the text" if place >= len(text) else "a gap"
    message = f"line {line}, column {column}: {found} where there should be {wanted}"
    return UnreadableError(message, place)


def run_of(item: str) -> re.Pattern[str]:
    """Compile a pattern that matches as many items as there are, in linear time."""
    return re.compile(rf"(?>(?:{item})*)\s*+", re.ASCII)


def check_items(text: str, run: re.Pattern[str], wanted: str) -> None:
    """Raise `UnreadableError` if a text does not consist of items, or has none.

    ``run`` is a pattern that `run_of` returns, and ``wanted`` says what an item is.
    """
    match = run.match(text)
    end = match.end() if match else 0
    if end < len(text) or not text.strip():
        raise unreadable(text, end, wanted)


def numbers_in(text: str) -> Ints:
    """Return the whole numbers in a text, whatever stands between them.

    They are of the type int32 if they all fit, otherwise int64.
    """
    digits = _SIGN_ALONE.sub(" ", text).encode().translate(_TO_BLANKS)
    if not digits.strip():
        return np.empty(0, dtype=np.int32)
    numbers = np.fromstring(digits, dtype=np.int64, sep=" ")
    fits = max(numbers.max(), ~numbers.min()) <= np.iinfo(np.int32).max
    return numbers.astype(np.int32) if fits else numbers
