"""Preparing text: plain characters, notes on the board, and whether it claims a closed tour."""

from __future__ import annotations

import re

from kt_cp.errors import InputError

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

# Lines that state the board, piece or topology, such as ``; piece: zebra``.
NOTE = re.compile(
    r"^[ \t]*(?:[;%]|COMMENT[ \t]*:)[ \t]*(board|piece|topology)[ \t]*:[ \t]*(.*\S)", re.MULTILINE
)
_CLOSED = re.compile(
    r"\b(?:closed|re-?entrant|hamiltonian\s(?:cycle|circuit))\b(?!\s*[\"'(=])", re.IGNORECASE
)
_NOT_CLOSED = re.compile(r"\b(?:cannot|never|no(?!\.)|non|not|open|or|un)\b|n't\b", re.IGNORECASE)


class UnreadableError(InputError):
    """The text cannot be read in a notation; ``place`` is where in the text it goes wrong."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


def clean(text: str) -> str:
    """Replace full-width and other typographic characters by ASCII, and line ends by newlines."""
    text = text.removeprefix("\ufeff")  # a byte-order mark
    return _LINE_END.sub("\n", text if text.isascii() else text.translate(_TO_ASCII))


def says_closed(text: str) -> bool:
    """Return whether a text says that its tour is closed, without a negation or an alternative."""
    return bool(_CLOSED.search(text)) and not _NOT_CLOSED.search(text)


def blank(match: re.Match[str]) -> str:
    """Return blanks of the length of a match, which keeps the places of what follows."""
    return " " * len(match[0])
