"""Plain text and its tokens: numbers, names of squares or vertices, marks and words."""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from html import unescape

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.board.maps import file_index
from kt_cp.graph import Graph
from kt_cp.messages import InputError

# What marks stand for, as the value of a cell. A step is not negative, but -1 may be written, too;
# no number of at most 18 digits is one of the last two.
UNNUMBERED_CODE = -2  # a square without a step
BULLET_CODE = -3  # the same, or the mark of a row
EMPTY_CODE = -(10**17)  # nothing, between two separators
HOLE_CODE = -(10**18)

# -- plain text -----------------------------------------------------------------------------------

_PUNCTUATION = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u201c\u201d\u300c\u300d", '"'),
    **dict.fromkeys("\u3010\u3014\u3016", "["),
    **dict.fromkeys("\u3011\u3015\u3017", "]"),
    **dict.fromkeys("\u2502\u2503\u2551", "|"),
    **dict.fromkeys("\u2190\u2192\u2194\u21d2\u27f6", ">"),
    **{"\u2658": "N", "\u265e": "N", "\u3001": ",", "\u3002": ".", "\ufeff": " "},
}
_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*+[A-Za-z]")
_HIDDEN = re.compile(r"<(style|script|head|title)\b[^>]*>.*?</\1>|<!--.*?-->", re.I | re.S)
_TAG = re.compile(r"<(/?)!?([a-z]{1,10}[1-6]?)(?:\s[^<>]*)?/?>", re.I)
_ENDS_ROW = {"tr", "br", "p", "li", "div", "pre", "h1", "h2", "table"}
_ENDS_CELL = {"td", "th"}

_EMPTY = "\u00a4"  # stands for a cell without any mark


def clean(text: str, graph: Graph | None = None) -> str:
    """Return a text with ASCII for typographic characters, and newlines for all line ends.

    Characters of the names of a ``graph`` without places stay as they are.
    """
    text = text.removeprefix("\ufeff")  # a byte-order mark
    if not text.isascii():
        kept: set[str] = set()
        if graph is not None and not graph.has_places:
            kept = {each for vertex in graph.vertices for each in str(graph.label(vertex))}
        text = text.translate({ord(each): _as_ascii(each) for each in {*text} - kept})
    return _LINE_END.sub("\n", text)


def _as_ascii(character: str) -> str:
    """Return a character as ASCII if it is typographic or a digit."""
    if character in _PUNCTUATION:
        return _PUNCTUATION[character]
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return character if character.isdigit() else unicodedata.normalize("NFKC", character)


def without_markup(text: str) -> str:
    """Return a text without escape sequences and HTML, with a line for each row of its tables."""
    text = _ESCAPE.sub("", text)
    if "</" in text or "<br" in text.lower():
        text = _TAG.sub(_separator_of_tag, _HIDDEN.sub(" ", text))
    return unescape(text).replace("\xa0", " ")


def _separator_of_tag(tag: re.Match[str]) -> str:
    """Return what stands in place of a tag: the end of a row or of a cell, or a blank."""
    is_end = tag[1]
    name = tag[2].lower()
    if name in _ENDS_ROW and (is_end or name in ("br", "p")):
        return "\n"
    return " | " if is_end and name in _ENDS_CELL else " "


# -- what a text leaves out ------------------------------------------------------------------------

# What `_spelled_out` replaces, in this order.
#
# 1. Two names without anything between them, as in d1e3.
_TWO_NAMES = re.compile(
    r"(?<![A-Za-z0-9_])([A-Za-z]{1,3}\d{1,4})(?=[A-Za-z]{1,3}\d{1,4}(?![A-Za-z0-9_]))", re.ASCII
)
# 2. Where the first row in brackets begins, and between two rows, as in [[1, 2], [3, 4]].
_FIRST_ROW = re.compile(r"(?<=\w)\s+(?=[\[({])|(?<=[\[({])\s*(?=[\[({])")
_ROW_END = re.compile(r"([\])}])\s*,?\s*([\[({])")
# 3. The number of a row or entry, as R prints it: [1,] or [13].
_ROW_LABEL = re.compile(r"^[ \t]*\[ *\d+,?\](?=[ \t]+[\d\"-])", re.MULTILINE)
# 4. An empty cell at the beginning of a row; between two separators, or at the end of a row.
_FIRST_EMPTY_CELL = re.compile(r"^(?=[,;&\t]\S)", re.MULTILINE)
_EMPTY_CELL = re.compile(
    r"(?<![\])}])([,;&])[ \t]*(?=[,;&]|$)|(\|)[ \t]+(?=\|)|(\t)(?=\t)", re.MULTILINE
)
_CELLS_PER_NUMBER = 20  # of a board with empty cells, at most


def _spelled_out(text: str) -> str:
    """Return a text in which names, rows and empty cells are set apart, as in a plain table.

    The order matters: a label is one only at the beginning of a line, so each row has its line
    before; labels have commas and rows have ends, neither of which may count as an empty cell.

    >>> _spelled_out("d1e3"), _spelled_out("[[1, 4], [3, 2]]"), _spelled_out("[1,] 5 8")
    ('d1-e3', '[\\n[1, 4]\\n[3, 2]]', ' 5 8')
    """
    text = _TWO_NAMES.sub(r"\1-", text)
    longest = max(text.split("\n"), key=len)
    holds_all_rows = 2 * len(longest) > len(text)
    if holds_all_rows:
        rows = _ROW_END.sub(r"\1\n\2", _FIRST_ROW.sub("\n", longest))
        semicolons_end_rows = 2 * rows.count(";") < len(re.findall(r"\d+", rows))  # as in MATLAB
        text = text.replace(longest, rows.replace(";", ";\n") if semicolons_end_rows else rows)
    text = _ROW_LABEL.sub("", text)
    separators = sum(map(text.count, ",;&|\t"))
    may_have_empty_cells = 0 < separators <= _CELLS_PER_NUMBER * len(re.findall(r"\d+", text))
    if may_have_empty_cells:
        text = _FIRST_EMPTY_CELL.sub(_EMPTY, text)
        text = _EMPTY_CELL.sub(rf"\1\2\3{_EMPTY}", text)
    return text


# -- tokens ---------------------------------------------------------------------------------------


class Kind(IntEnum):
    """What a token is."""

    NUMBER = 0
    NAME = 1
    MARK = 2
    WORD = 3


# The first alternative that fits is taken. So a size comes before numbers, as it begins like one,
# and words come last: they may be any letters and digits, also those of a name or of a mark.
_TOKEN = re.compile(
    rf"""
    # The sides of a board, as 3x4, and the number of a version, as 1.2.3: both are words.
    (?P<size>(?<![\w.])\d{{1,9}}[x\u00d7]\d{{1,9}}(?!\w) | (?<![\w.])\d+(?:\.\d+){{2,}})
    # The name of a square, as c3 or C3, perhaps with a piece, as Nc3 or Nxc3; not f(3) or x1[0].
    | (?P<name>(?<![\w.])(?:[A-Z]x?(?=[a-z]{{1,3}}\d))?(?:[a-z]{{1,3}}|[A-Z]{{1,3}})\d{{1,9}}
        (?![\w(\[]))
    # A number: 7, -1, 7.0, 7.0e0, 7L; not the 7 of 7th.
    | (?P<number>(?:(?<![\w)\]}}-])-)?(?<!\w)\d+(?:\.\d+(?:[eE][+-]?\d+)?)?(?!\d)
        (?:[LlUu]\b|(?![^\W\d])))
    # A cell without a step: a word for nothing, a hole, an empty cell, or a sign between blanks.
    | (?P<mark>(?<!\w)(?:None|none|null|nan|NaN|NA|nil|[xXoO])(?!\w) | \#+(?![(\w]) | {_EMPTY}
        | (?<![^\s|,;&\[(])(?:-{{1,2}}|\.+|_+|\*+|\?+)(?![^\s|,;&\])]))
    | (?P<word>\d*[^\W\d]\w*(?:[.!'][\w]+)*)
    """,
    re.VERBOSE,
)
QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_CODES = {"#": HOLE_CODE, _EMPTY: EMPTY_CODE, "-": BULLET_CODE, "*": BULLET_CODE}
_ONLY_ENTRIES = re.compile(
    r"(?>(?:[\s,;|\[\](){}>:/]++|-(?=[a-z>])|[a-z]{0,6}+\d{1,18}+(?![a-z0-9]))*)", re.ASCII
)
_MOST_DIGITS = 18  # a longer string of digits is not a square or a step of any board
_LONG_TEXT = 50_000  # characters
_MOST_NAMES = 5000  # with other characters than letters, that are looked for

_Token = tuple[int, int, int, int, int]  # its kind, value, file, start and end


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of a text, in arrays with an entry for each.

    ``values`` are numbers, the ranks of squares or the vertices that are named, and the codes of
    marks; ``files`` are those of squares, counted from 1. ``lines`` are numbers of lines, from 0;
    ``starts`` and ``ends`` are places in the text.
    """

    text: str
    kinds: Ints
    values: Ints
    files: Ints
    lines: Ints
    starts: Ints
    ends: Ints

    @classmethod
    def of(cls, text: str, graph: Graph | None = None) -> Tokens:
        """Return the tokens of a text, in which names are those of squares or of a graph."""
        if graph is not None:
            return cls._listed(text, _tokens_about(text, graph))
        if len(text) >= _LONG_TEXT and _ONLY_ENTRIES.fullmatch(text):
            return cls._of_plain(text)
        text = _spelled_out(text)
        return cls._listed(text, map(_token_of, _TOKEN.finditer(text)))

    @classmethod
    def _listed(cls, text: str, tokens: Iterable[_Token]) -> Tokens:
        """Return the tokens that are listed one by one."""
        flat = np.fromiter(itertools.chain.from_iterable(tokens), dtype=np.int64)
        kinds, values, files, starts, ends = flat.reshape(-1, 5).T.copy()
        lines = np.searchsorted(_line_starts(text), starts, side="right") - 1
        return cls(text, kinds, values, files, lines, starts, ends)

    @classmethod
    def _of_plain(cls, text: str) -> Tokens:
        """Return the tokens of a long text that has only numbers, names and separators."""
        content = np.frombuffer(text.encode(), dtype=np.uint8)
        is_digit = (content >= ord("0")) & (content <= ord("9"))
        is_letter = (content >= ord("a")) & (content <= ord("z"))
        changes = np.flatnonzero(np.diff(is_digit | is_letter, prepend=False, append=False))
        starts, ends = changes[::2], changes[1::2]
        blanks = np.where(is_digit, content, ord(" ")).astype(np.uint8).tobytes()
        values = np.fromstring(blanks if len(starts) else b"", dtype=np.int64, sep=" ")
        kinds = np.where(is_letter[starts], Kind.NAME, Kind.NUMBER)
        files = np.zeros(len(starts), dtype=np.int64)
        files[kinds == Kind.NAME] = [*map(_file, re.findall("[a-z]+", text))]
        lines = np.searchsorted(np.flatnonzero(content == ord("\n")), starts)
        return cls(text, kinds, values, files, lines, starts, ends)

    def take(self, chosen: Ints | Mask) -> Tokens:
        """Return some of the tokens, given by their indices or as a mask."""
        arrays = (self.kinds, self.values, self.files, self.lines, self.starts, self.ends)
        return Tokens(self.text, *(array[chosen] for array in arrays))

    def of_kind(self, *kinds: Kind) -> Tokens:
        """Return the tokens of some kinds."""
        return self.take(np.isin(self.kinds, kinds))

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def places(self) -> tuple[Ints, Ints]:
        """Where in its line each token begins and ends."""
        line_starts = _line_starts(self.text)[self.lines]
        return self.starts - line_starts, self.ends - line_starts

    @cached_property
    def rows(self) -> tuple[Ints, Ints]:
        """The index of the first token of each line that has any, and the number of its tokens."""
        firsts = np.flatnonzero(np.diff(self.lines, prepend=-1))
        return firsts, np.diff(firsts, append=len(self))

    @property
    def squares(self) -> Ints:
        """The file and the rank of each token."""
        return np.stack([self.files, self.values], axis=1)

    def shown(self, index: int) -> str:
        """Return the text of a token."""
        return self.text[self.starts[index] : self.ends[index]]

    def before(self, index: int) -> str:
        """Return what stands between a token and the one before it, without blanks and digits."""
        between = self.text[self.ends[index - 1] : self.starts[index]]
        return re.sub(r"[^\S\n]+|\d+", "", between)

    @cached_property
    def words_by_line(self) -> Mapping[int, str]:
        """The words of each line that has any, in lower case, with a blank between two of them."""
        words = self.of_kind(Kind.WORD)
        by_line = itertools.groupby(range(len(words)), key=words.lines.tolist().__getitem__)
        return {line: " ".join(map(words.shown, group)).lower() for line, group in by_line}

    def line(self, number: int) -> str:
        """Return a line of the text without the blanks around it."""
        return self._lines_of_text[number].strip().replace(_EMPTY, "")

    @cached_property
    def _lines_of_text(self) -> list[str]:
        return self.text.split("\n")


def _line_starts(text: str) -> Ints:
    """Return the places in a text at which lines begin."""
    return np.cumsum([0, *(len(line) + 1 for line in text.split("\n"))])


def _token_of(match: re.Match[str]) -> _Token:
    """Return the token that the groups of `_TOKEN` tell apart."""
    word = match[0]
    start, end = match.span()
    match match.lastgroup:
        case "number" if (number := _whole(word)) is not None:
            return Kind.NUMBER, number, 0, start, end
        case "name":
            letters = word.rstrip("0123456789")
            rank = int(word[len(letters) :])
            if letters not in (letters.lower(), letters.upper()):  # the first is that of a piece
                letters = letters[1:].removeprefix("x")
            return Kind.NAME, rank, _file(letters), start, end
        case "mark":
            return Kind.MARK, _CODES.get(word[0], UNNUMBERED_CODE), 0, start, end
    return Kind.WORD, 0, 0, start, end


def _tokens_about(text: str, graph: Graph) -> Iterator[_Token]:
    """Yield the tokens of a text about a graph, whose names may have any characters.

    A name may be a line, in quotes, or between any other characters.
    """
    names = [str(graph.label(vertex)) for vertex in graph.vertices]
    odd = [re.escape(name) for name in names if not re.fullmatch(r"\w+", name)][:_MOST_NAMES]
    parts = [rf"(?<!\w)(?:{'|'.join(sorted(odd, key=len, reverse=True))})(?!\w)"] if odd else []
    pattern = re.compile("|".join([QUOTED, *parts, r"\w+"]))
    for line in re.finditer(".+", text):
        is_name = graph.locate(line[0]) is not None
        for match in [line] if is_name else pattern.finditer(text, *line.span()):
            word = match[0]
            start, end = match.span()
            vertex = graph.locate(word)
            if vertex is None and word.startswith('"'):
                with suppress(ValueError):
                    vertex = graph.locate(str(json.loads(word)))
            if vertex is not None:
                yield Kind.NAME, vertex, 0, start, end
            elif word.isdecimal() and (number := _whole(word)) is not None:
                yield Kind.NUMBER, number, 0, start, end
            else:
                yield Kind.WORD, 0, 0, start, end


@lru_cache(maxsize=2**14)
def _file(letters: str) -> int:
    """Return the number of a file, counted from 1."""
    return file_index(letters.lower()) + 1


def _whole(word: str) -> int | None:
    """Return the whole number that a word writes, also as a decimal fraction; None for others."""
    word = word.rstrip("LlUu")
    if "." not in word:
        return int(word) if len(word) <= _MOST_DIGITS else None
    number = float(word)
    return int(number) if abs(number) < 10**_MOST_DIGITS and number % 1 == 0 else None


# -- errors ---------------------------------------------------------------------------------------


class UnreadableError(InputError):
    """The text cannot be read in a notation."""


def unreadable(text: str, place: int, wanted: str) -> UnreadableError:
    """Return an error that says what was found at which line and column, and what is wanted."""
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    word = re.compile(r"\S{1,20}").match(text, place)
    if word is not None:
        found_text = repr(word[0])
    else:
        found_text = "the end of the text" if place >= len(text) else "a gap"
    message = f"line {line}, column {column}: {found_text} where there should be {wanted}"
    return UnreadableError(message)
