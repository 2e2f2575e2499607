"""Helpers of all readers of text: plain characters, errors, items and the numbers in them.

Items are found in linear time, since the patterns of this package have possessive quantifiers and
atomic groups, which never backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import Graph
from kt_cp.messages import InputError

_PUNCTUATION = {
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000\ufeff", " "),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u201c\u201d\u300c\u300d", '"'),
    **dict.fromkeys("\u3010\u3014\u3016", "["),
    **dict.fromkeys("\u3011\u3015\u3017", "]"),
    **dict.fromkeys("\u2658\u265e", "N"),
    **{"\u2192": ">", "\u2026": "...", "\u3001": ",", "\u3002": "."},
}
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_TO_ASCII = _FULL_WIDTH | {ord(key): value for key, value in _PUNCTUATION.items()}
_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")

# Lines that state the board or the kind of path, such as ``; piece: zebra`` or ``; holes: b2 c1``.
NOTE = re.compile(
    r"^[ \t]*(?:[;%]|COMMENT[ \t]*:)[ \t]*(board|holes|kind|piece|topology)[ \t]*:[ \t]*(.*\S)",
    re.MULTILINE,
)
# One of these words is in every text that `_CLOSED` matches.
_CLOSED_WORDS = ("closed", "entrant", "hamiltonian")
_CLOSED = re.compile(
    r"\b(?:closed|re-?entrant|hamiltonian\s(?:cycle|circuit))\b(?!\s*[\"'(=])", re.IGNORECASE
)
_NOT_CLOSED = re.compile(r"\b(?:cannot|never|no(?!\.)|non|not|open|or|un)\b|n't\b", re.IGNORECASE)


class UnreadableError(InputError):
    """The text cannot be read in a notation; ``place`` is the index of the first error."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place

    def __reduce__(self) -> tuple[type[UnreadableError], tuple[str, int]]:
        """Return how to restore the exception from a pickle, with both arguments."""
        return type(self), (str(self), self.place)


def clean(text: str, graph: Graph | None = None) -> str:
    """Return a text with ASCII for typographic characters, and newlines for all line ends.

    Characters of the names of a ``graph`` without places stay as they are.
    """
    text = text.removeprefix("\ufeff")  # a byte-order mark
    if not text.isascii():
        text = text.translate(_to_ascii_but_names(graph))
    return _LINE_END.sub("\n", text)


def _to_ascii_but_names(graph: Graph | None) -> Mapping[int, str | int]:
    """Return a translation to ASCII, without the characters of the names of a graph."""
    if graph is None or graph.has_places:
        return _TO_ASCII
    in_names = {ord(each) for vertex in graph.vertices for each in str(graph.label(vertex))}
    return {code: written for code, written in _TO_ASCII.items() if code not in in_names}


def are_consecutive_steps(numbers: Sequence[int]) -> bool:
    """Return whether numbers are 0, 1, 2 and so on, or 1, 2, 3 and so on.

    >>> are_consecutive_steps([1, 2, 3]), are_consecutive_steps([2, 3]), are_consecutive_steps([])
    (True, False, False)
    """
    if not numbers or numbers[0] not in (0, 1):
        return False
    return list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))


def says_closed(text: str) -> bool:
    """Return whether a text says that its tour is closed, without a negation or an alternative."""
    lower = text.lower()
    if not any(word in lower for word in _CLOSED_WORDS):  # a tenth of the time of the pattern
        return False
    return bool(_CLOSED.search(text)) and not _NOT_CLOSED.search(text)


def partial_kind(text: str) -> str | None:
    """Return the kind of a tour that leaves squares out, if a text states it: path or cycle."""
    kind = dict(NOTE.findall(text)).get("kind")
    return kind if kind in ("path", "cycle") else None


def blank(match: re.Match[str]) -> str:
    """Return blanks of the length of a match, so that the text after it stays in its place."""
    return " " * len(match[0])


# -- items and numbers ----------------------------------------------------------------------------

# A longer string of digits is not a square or a step of any board.
MAX_DIGITS = 18
NUMBER = rf"-?+\d{{1,{MAX_DIGITS}}}+"

_WORD = re.compile(r"\S{1,20}")
_SIGN_ALONE = re.compile(r"-(?![0-9])")
_TO_BLANKS = bytes(byte if byte in b"-0123456789" else ord(" ") for byte in range(256))


def unreadable(text: str, place: int, wanted: str) -> UnreadableError:
    """Return an error that says what was found at which line and column, and what is wanted."""
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    word = _WORD.match(text, place)
    if word is not None:
        found = repr(word[0])
    else:
        found = "the end of the text" if place >= len(text) else "a gap"
    message = f"line {line}, column {column}: {found} where there should be {wanted}"
    return UnreadableError(message, place)


def run_of(item: str) -> re.Pattern[str]:
    """Return a pattern that matches as many consecutive items as possible, in linear time."""
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
    """Return the whole numbers in a text, whatever separates them, as int32 or else int64."""
    digits = _SIGN_ALONE.sub(" ", text).encode().translate(_TO_BLANKS)
    if not digits.strip():
        return np.empty(0, dtype=np.int32)
    numbers = np.fromstring(digits, dtype=np.int64, sep=" ")
    limits = np.iinfo(np.int32)
    fits = limits.min <= numbers.min() and numbers.max() <= limits.max
    return numbers.astype(np.int32) if fits else numbers
