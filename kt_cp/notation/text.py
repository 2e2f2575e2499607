"""Text before it is read: cleaned of what people's keyboards and editors add, and its places."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.errors import InputError

Integers = npt.NDArray[np.integer]

# Longer digit strings are no square and no step of any board.
MAX_DIGITS = 18

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PUNCTUATION = {
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u201c\u201d\u300c\u300d", '"'),
    **dict.fromkeys("\u3010\u3014\u3016", "["),
    **dict.fromkeys("\u3011\u3015\u3017", "]"),
    "\u2192": ">",
    "\u3001": ",",
    "\u3002": ".",
    "\ufeff": " ",
}
_TO_ASCII = _FULL_WIDTH | {ord(key): value for key, value in _PUNCTUATION.items()}
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_COMMENT = re.compile(r"^[ \t]*(?:#|%|//).*$", re.MULTILINE)
_WORD = re.compile(r"\S{1,20}")


class UnreadableError(InputError):
    """The text cannot be read in a notation; ``place`` is how far into it that shows."""

    def __init__(
        self, text: str, place: int, wanted: str, first_line: int = 1, first_column: int = 1
    ) -> None:
        """Say the line, the column, what stands there and what would be right.

        ``first_line`` and ``first_column`` are where the text begins.
        """
        self.place = place
        line = text.count("\n", 0, place) + first_line
        column = place - text.rfind("\n", 0, place) + (line == first_line) * (first_column - 1)
        word = _WORD.match(text, place)
        found = repr(word[0]) if word else "the end of the text" if place >= len(text) else "a gap"
        super().__init__(f"line {line}, column {column}: {found} where there should be {wanted}")


def clean(text: str) -> str:
    """Put full-width and other typographic characters into ASCII, and line ends into newlines.

    >>> clean("（１，２）、（３，４）\\r\\n")
    '(1,2),(3,4)\\n'
    """
    if not text.isascii():
        text = text.translate(_TO_ASCII)
    return _LINE_ENDS.sub("\n", text)


def without_comments(text: str) -> str:
    """Empty the lines that begin with ``#``, ``%`` or ``//``; their numbers stay.

    >>> without_comments("# by hand\\na1 b3\\n// end")
    '\\na1 b3\\n'
    """
    return _COMMENT.sub("", text)


def read_items(item: re.Pattern[str], text: str, wanted: str) -> list[Any]:
    """Split a text that is nothing but items, and give what `re.findall` gives of them.

    The pattern takes the blanks before an item and whatever may stand after it. Raises
    `UnreadableError` where something else stands, or when there is nothing. The time is linear: an
    item is looked for only where the one before has ended.
    """
    run = re.compile(rf"(?:{item.pattern})*+\s*+", item.flags).match(text)
    end = run.end() if run else 0
    if end < len(text) or not text.strip():
        raise UnreadableError(text, end, wanted)
    return item.findall(text)


def integers(words: list[str]) -> Integers:
    """Turn digit strings that are known to be short enough into an array."""
    return np.array(list(map(int, words)), dtype=np.int64)
