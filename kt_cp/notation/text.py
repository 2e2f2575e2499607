"""The text of a path as plain text: what people paste made readable, and what its words tell.

Where possible, what is removed is replaced by blanks, so that messages name the right place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import numpy as np
import numpy.typing as npt

from kt_cp.errors import InputError
from kt_cp.notation.columns import column_names

Integers = npt.NDArray[np.integer]
Rewrites = tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]

_MAX_HTML = 2**20

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

# The board, piece and topology that lines such as ``; piece: zebra`` tell.
NOTE = re.compile(
    r"^[ \t]*(?:[;%]|COMMENT[ \t]*:)[ \t]*(board|piece|topology)[ \t]*:[ \t]*(.*\S)", re.MULTILINE
)
_REMARK = re.compile(r"^[ \t]*;.*[A-Za-z]{2}.*$", re.MULTILINE)
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
    """Return whether the words of a text say that its tour is closed, and nothing else of it."""
    return bool(_CLOSED.search(text)) and not _NOT_CLOSED.search(text)


def blank(match: re.Match[str]) -> str:
    """Return as many blanks as a match is long."""
    return " " * len(match[0])


def _whole(number: re.Match[str]) -> str:
    value = float(number[0])
    return str(int(value)).rjust(len(number[0])) if value.is_integer() else number[0]


_MARKUP = re.compile(r"[^\w\s,;#-]|\n[ \t]*- ?\S")
_FACTS = re.compile(r"(?>(?:[a-z]\w*+\((?:\d++,){3}\d++\)[.\s]*+)*)")
_ELIDED = re.compile(r"[\d\[\],]\s{0,40}\.\.\.")
_HTML_CELL = re.compile(r"<t[dh][\s>]", re.IGNORECASE)
_HTML: Rewrites = (
    (r"(?is)<(head|style|script|caption)\b(?:(?!<\1\b).)*?</\1>", " "),
    (r"\s+", " "),
    (r"(?i)</tr\b[^<>]*>", "|\n"),
    (r"(?i)</?(?:tr|table|p|div|h\d|br)\b[^<>]*>", "\n"),
    (r"(?i)<t[dh]\b[^<>]*>", "|"),
    (r"<[!/]?[A-Za-z][^<>]*>", " "),
)
_TABLE_HEAD = r"(?m)^(?=.*[A-Za-z]{2})(.*+\n)[ \t]*+\|?+[ \t]*+:?+-{2,}+:?+[ \t]*+\|[-|: \t]*+$"
# A heading of single letters, and the line below it, which may be of single dashes.
_LETTER_HEAD = (
    r"(?m)^(?=[^\n\d]*+\n)(?=.*[A-Za-z])(.*+\n)[ \t]*+\|?+[ \t]*+:?+-++:?+[ \t]*+\|[-|: \t]*+$"
)
_PAIR = r"\s*+-?\d++\s*+,\s*+-?\d++\s*+"
_KEY = r"\s*+[\"']?+(?:%s)[\"']?+\s*+[:=]\s*+(-?\d++)\s*+"
_ROW, _COLUMN = _KEY % "row|r|y", _KEY % "column|col|c|x"
_KEYED = r"(?i)(?>(?:(?>(?:new\s++)?)\b[A-Za-z]\w{0,40}+\s*+)?)[({](?:%s,%s),?+\s*+[)}]"
_REWRITTEN: Rewrites = (
    # Lists of pairs in YAML, and what NumPy 2 prints for a number.
    (r"(?m)^- - (-?\d{1,9})\n  - (-?\d{1,9})$", r"[\1, \2]"),
    (r"(?a)(?:np|numpy)\.u?int\d*\((-?\d+)\)", lambda number: number[1].rjust(len(number[0]))),
    # Emphasis and labels of rows in Markdown.
    (r"(?<=[\s|])[*_`]{1,3}(?=[\w#.-])|(?<=[\w#.-])[*_`]{1,3}(?=[\s|])", blank),
    (r"(?im)^[ \t]*+\|?+[ \t]*+(?:line|rank|row)[ \t]*+\d*+[ \t]*+(?=\|)", blank),
    # Types, as in `new Point(0, 1)` and `array([0, 1], dtype=int8)`.
    (r"\bnew\s++\w{1,40}+\s*+(?=[({])", blank),
    (
        r"\b(?:[A-Z][A-Za-z]{1,40}+|[a-z]\w{0,40}+\.[a-z_]{1,40}+|coord|make_pair|point|pos)\s*+"
        rf"(?=[({{](?:{_PAIR}|\s*+[\[({{]{_PAIR}[\])}}]\s*+)[)}}](?!\s*+\.))",
        blank,
    ),
    (r"\b(?:\w{1,9}\.)?(?:array|tensor)(?=\()|,\s*dtype=[\w.'\"]+(?=\s*\))", blank),
    # Dashes of lists in YAML, commands of LaTeX, indices printed by R.
    (r"(?m)^[ \t]*+-[ \t]++(?=[\[(]|[a-z]{1,6}+\d{1,9}+[ \t]*+$)", blank),
    (r"\\(?:begin|end)(?:\{[^{}\n]{0,40}\}){1,2}|\\[a-z]{0,9}(?:line|rule)\b", blank),
    (r"(?m)\[(?:,\d{1,9}|\d{1,9},)\]|^[ \t]*+\[\d{1,9}\](?=[ \t]+[\d\"])", blank),
    # Pairs with names, or in two pairs of brackets; rows of LaTeX; whole numbers with a point.
    (_KEYED % (_ROW, _COLUMN), r"[\1,\2]"),
    (_KEYED % (_COLUMN, _ROW), r"[\2,\1]"),
    (rf"\((\s*+[\[({{]{_PAIR}[\])}}]\s*+)\)(?=\s*+;)", r" \1 "),
    (r"\\\\([ \t]*\n)?", "\n"),
    ("&", "|"),
    (r"(?a)(?<![\w.])-?\d{1,15}\.(?:\d+(?:[eE][+-]?\d{1,3})?|(?!\s*[A-Za-z]))(?![\w.])", _whole),
)
# A row of numbers that NumPy prints on several lines, within the brackets of a matrix.
_MATRIX = re.compile(r"^[ \t]*+(?>(?:\w{1,40}+[ \t]*+=[ \t]*+)?)[\[({]\s*+[\[({]", re.MULTILINE)
_LONG_ROW = re.compile(r"[\[({]([^\[\](){}\n]*+\n[^\[\](){}]*+)([\])}])")


def _join_row(row: re.Match[str]) -> str:
    """Return a row on one line; the line ends come after it, so that other lines stay in place."""
    inside = row[1].replace("\n", " ")
    lines = row[1].count("\n")
    return f"{row[0][0]}{inside}{row[2]}" + "\n" * lines


_STEP_LABEL = re.compile(
    r"(?ima)^[ \t]*+(?>(?:step|move|row|rank)?)[ \t]*+(\d{1,9}+)[ \t]*+[:)][ \t]*+"
)
_PAIR_BY_COLON = re.compile(r"\s*+\d++:\d")


def plain_text(text: str) -> str:
    r"""Turn tables, points with names, lists of YAML and what NumPy prints into plain text.

    Remarks, in lines that begin with ``;``, are removed. Raises `InputError` for a text from which
    NumPy left something out.

    >>> plain_text("| **1** | 4 |"), plain_text("new Point(0, 1), {x: 2, y: 1}")
    ('|   1   | 4 |', '         (0, 1), [1,2]')
    """
    text = _REMARK.sub(blank, text)
    if not _MARKUP.search(text) or _FACTS.fullmatch(text):
        return text
    if _ELIDED.search(text) and "[" in text:
        raise InputError(
            "NumPy has left out a part of the path, where '...' stands; write it with np.save, or "
            "print it after np.set_printoptions(threshold=10**9)"
        )
    if len(text) < _MAX_HTML and _HTML_CELL.search(text):
        for pattern, rewritten in _HTML:
            text = re.sub(pattern, rewritten, text)
        text = clean(unescape(text))
    text = re.sub(_TABLE_HEAD, lambda head: head[1] if column_names(head[1]) else "\n", text)
    text = re.sub(_LETTER_HEAD, r"\1", text)
    for pattern, rewritten in _REWRITTEN:
        text = re.sub(pattern, rewritten, text)
    if _MATRIX.search(text):
        text = _LONG_ROW.sub(_join_row, text)
    return _without_step_labels(text)


def _without_step_labels(text: str) -> str:
    """Return a text without the labels of its lines, if each line has one and they count up."""
    lines = sum(bool(line.strip()) for line in text.split("\n"))
    steps = [int(label[1]) for label in _STEP_LABEL.finditer(text)]
    if not steps or steps[0] not in (0, 1) or steps != [*range(steps[0], steps[0] + lines)]:
        return text
    if lines == 1 and _PAIR_BY_COLON.match(text):
        return text
    return _STEP_LABEL.sub(blank, text)
