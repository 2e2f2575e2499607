"""The text of a path as plain text: what people paste made readable, and the numbers in it.

What is removed is replaced by blanks, so that messages name the right place in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.errors import InputError

Integers = npt.NDArray[np.integer]

# A longer string of digits is no square and no step of any board.
MAX_DIGITS = 18
NUMBER = rf"-?+\d{{1,{MAX_DIGITS}}}+"

MAX_TEXT = 64 * 2**20  # bytes
TOO_LONG = "more than 64 MiB of text; give so long a tour as a NumPy file (--format npy)"

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PUNCTUATION = {
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u201c\u201d\u300c\u300d", '"'),
    **dict.fromkeys("\u3010\u3014\u3016", "["),
    **dict.fromkeys("\u3011\u3015\u3017", "]"),
    **dict.fromkeys("\u2658\u265e", "N"),
    "\u2192": ">",
    "\u2026": "...",
    "\u3001": ",",
    "\u3002": ".",
    "\ufeff": " ",
}
_TO_ASCII = _FULL_WIDTH | {ord(key): value for key, value in _PUNCTUATION.items()}
_LINE_ENDS = ("\r\n", *"\r\x0b\x0c\x85\u2028\u2029")
_COMMENT = re.compile(r"^[ \t]*(?:#|%|//).*$", re.MULTILINE)

_NOTE = re.compile(
    r"^[ \t]*(?:[;%]|COMMENT[ \t]*:)[ \t]*(board|piece|topology)[ \t]*:[ \t]*(\S.*?)[ \t]*$",
    re.MULTILINE,
)
_REMARK = re.compile(r"^[ \t]*;.*[A-Za-z]{2}.*$", re.MULTILINE)
_CLOSED = re.compile(
    r"\b(?:closed|re-?entrant|hamiltonian\s(?:cycle|circuit))\b(?!\s*[\"'(=])", re.IGNORECASE
)
_NOT_CLOSED = re.compile(r"\b(?:cannot|never|no(?!\.)|non|not|open|or|un)\b|n't\b", re.IGNORECASE)

_NUMPY_NUMBER = re.compile(r"(?:np|numpy)\.u?int\d*\((-?\d+)\)", re.ASCII)
_ARRAY = re.compile(
    r"(\s*(?:\w{1,9}\.)?(?:array|tensor)\()([\[(].*[\])])(\s*(?:,\s*dtype=[\w.'\"]+\s*)?\)\s*)",
    re.DOTALL,
)
_ELIDED = re.compile(r"[\d\[\],]\s{0,40}\.\.\.")
_MATRIX = re.compile(
    r"(\s*)\[([^\[\]\n;]*;[^\[\]\n]*)\](\s*;?\s*)"
)  # of MATLAB, with rows that end in ;
_INDEX = re.compile(  # with which R labels rows, columns and the lines of a vector
    r"\[(?:,\d{1,9}|\d{1,9},)\]|^[ \t]*+\[\d{1,9}\](?=[ \t]+[\d\"])", re.ASCII | re.MULTILINE
)
_STEP_LABEL = re.compile(
    r"^[ \t]*(?:step|move|row|rank)?[ \t]*(\d{1,9})[ \t]*[:)][ \t]*",
    re.IGNORECASE | re.MULTILINE | re.ASCII,
)
_LATEX = re.compile(
    r"\\(?:begin|end)(?:\{[^{}\n]{0,40}\}){1,2}|\\[a-z]{0,9}(?:line|rule)\b(?:\{[^{}\n]{0,40}\})?"
)
_LATEX_ROW = re.compile(r"\\\\([ \t]*\n)?")
_FLOAT = re.compile(r"(?<![\w.])-?\d{1,15}\.(\d*)(?:[eE][+-]?\d{1,3})?(?![\w.])", re.ASCII)
_LETTER = re.compile(r"[A-Za-z]")

_HEAD, _LARGE = 1000, 2**20  # characters: the beginning of a text, and the longest in HTML
_HTML_CELL = re.compile(r"<t[dh][\s>]", re.IGNORECASE)
_HTML = (
    (re.compile(r"<(head|style|script|caption)\b(?:(?!<\1\b).)*?</\1>", re.I | re.S), " "),
    (re.compile(r"\s+"), " "),
    (re.compile(r"</?(?:tr|table|p|div|h\d|br)\b[^<>]*>", re.IGNORECASE), "\n"),
    (re.compile(r"<t[dh]\b[^<>]*>", re.IGNORECASE), "|"),
    (re.compile(r"<[!/]?[A-Za-z][^<>]*>"), " "),
)
_EMPHASIS = re.compile(r"(?<=[\s|])[*_`]{1,3}(?=[\w#.-])|(?<=[\w#.-])[*_`]{1,3}(?=[\s|])")
_ROW_LABEL = re.compile(
    r"^[ \t]*+\|?+[ \t]*+(?:line|rank|row)[ \t]*+\d*+[ \t]*+(?=\|)", re.IGNORECASE | re.MULTILINE
)
_RULE = r"[ \t]*+\|?+[ \t]*+:?+-{2,}+:?+[ \t]*+\|[-|: \t]*+"
_TABLE_HEAD = re.compile(rf"^(?=.*[A-Za-z]{{2}}).*+\n(?={_RULE}$)", re.MULTILINE)
_TABLE_RULE = re.compile(rf"^{_RULE}\n", re.MULTILINE)

# Points: `new Point(0, 1)`, `Point(x=0, y=1)`, `{"x": 0, "y": 1}`; and a list in YAML.
_CALL = re.compile(
    r"\b(?:new\s++\w{1,40}+|[A-Z]\w{1,40}+|\w{1,40}+\.\w{1,40}+|coord|make_pair|point|pos)\s*+"
    r"(?=[({]\s*+-?\d++\s*+,\s*+-?\d++\s*+[)}](?!\s*+\.))"
)
_ADDED = re.compile(
    r"\b\w{1,40}+\.\w{1,40}+\((\s*+[\[({]\s*+-?\d++\s*+,\s*+-?\d++\s*+[\])}]\s*+)\)"
)
_KEY = r"\s*+[\"']?+([A-Za-z]{1,6}+)[\"']?+\s*+[:=]\s*+(-?\d++)\s*+"
_KEYED = re.compile(rf"(?:(?:new\s++)?+\b[A-Za-z]\w{{0,40}}+\s*+)?+[({{]{_KEY},{_KEY},?+\s*+[)}}]")
_YAML = re.compile(r"^[ \t]*-[ \t]+(?=[\[(\w].*$)", re.MULTILINE)
_YAML_ROWS = re.compile(r"(?:[ ]*+- - [^\s-]++\n(?:[ ]++- [^\s-]++(?:\n|\Z))++)++")

_NAMED = re.compile(r"(?<![A-Za-z0-9])[A-Z]?([a-z]{1,2}[1-9][0-9]?)(?![A-Za-z0-9])")

_LABEL = re.compile(
    r"^[ \t]*(?:step|move)?[ \t]*(\d{1,9})[ \t]*[:)][ \t]*", re.IGNORECASE | re.MULTILINE | re.ASCII
)
_LATEX = re.compile(
    r"\\(?:begin|end)(?:\{[^{}\n]{0,40}\}){1,2}|\\[a-z]{0,9}(?:line|rule)\b(?:\{[^{}\n]{0,40}\})?"
)
_LATEX_ROW = re.compile(r"\\\\([ \t]*\n)?")
_FLOAT = re.compile(r"(?<![\w.])-?\d{1,15}\.(\d*)(?:[eE][+-]?\d{1,3})?(?![\w.])", re.ASCII)
_LETTER = re.compile(r"[A-Za-z]")

_LABEL = re.compile(
    r"[^\n\d:=]{0,40}\b(?:answer|moves?|path|result|route|sequence|solution|squares|steps|tour)"
    r"\s*[:=](?=.*\d)|[^\n=]{1,80}=\s*(?=[\[({])",
    re.IGNORECASE,
)
_WORDS, _DATA = re.compile(r"[A-Za-z]{2,}+(?![(\w])"), re.compile(r"\b[A-Za-z]?\d+")
_SIZE = re.compile(r"\b([1-9]\d{0,4})\s?[xX×]\s?([1-9]\d{0,4})\b", re.ASCII)
_DECIMALS = re.compile(r"\.\d+")
_MOST_LINES = 10  # of a heading
_LINKS = {"and", "from", "next", "then", "to"}

# Names of columns.
_STEPS = {"", "#", "i", "index", "k", "move", "n", "no", "nr", "number", "order", "step", "t"}
_ROWS, _COLUMNS = {"r", "row", "y"}, {"c", "col", "column", "x"}
_SQUARES = {"cell", "id", "name", "node", "position", "square", "vertex"}
_CELL_END = re.compile(r"[ ]*[,;\t|][ ]*|[ ]+")


def plain_text(text: str) -> str:
    """Return a text that people paste as plain text, without remarks in lines that begin with ;.

    Raises `InputError` for a text that is too long, and for one from which NumPy left something
    out.

    >>> plain_text("array([１, 2])")
    '      [1, 2] '
    """
    if len(text) > MAX_TEXT:
        raise InputError(TOO_LONG)
    text = blanked(_REMARK, clean(text), ";")
    if "..." in text and "[" in text and _ELIDED.search(text):
        raise InputError(
            "NumPy has left out a part of the path, where '...' stands; write it with np.save, or "
            "print it after np.set_printoptions(threshold=10**9)"
        )
    return without_code(without_markup(text))


def told_board(text: str) -> dict[str, str]:
    r"""Return the size, piece and topology of the board that lines of a text tell.

    >>> told_board("; piece: zebra\n1 2 3")
    {'piece': 'zebra'}
    """
    return dict(_NOTE.findall(text)) if ":" in text else {}


def says_closed(text: str) -> bool:
    r"""Return whether the words of a text say that its tour is closed, and nothing else of it.

    >>> says_closed("A closed tour:\na1 b3"), says_closed("open or closed?\na1 b3")
    (True, False)
    """
    return bool(_CLOSED.search(text)) and not _NOT_CLOSED.search(text)


def squares_in_prose(text: str) -> list[str]:
    """Return the squares that are named in sentences, or none if there are no words beside them.

    >>> squares_in_prose("It begins on a1, then c2"), squares_in_prose("a1 c2 x9y")
    (['a1', 'c2'], [])
    """
    squares = _NAMED.findall(text)
    words = _WORDS.findall(_NAMED.sub(" ", text))
    return squares if len(squares) > 1 and words and (len(words) > 1 or words[0] in _LINKS) else []


def clean(text: str) -> str:
    r"""Replace full-width and other typographic characters by ASCII, and line ends by newlines.

    >>> clean("（１，２）、（３，４）\r\n")
    '(1,2),(3,4)\n'
    """
    if not text.isascii():
        text = text.translate(_TO_ASCII)
    for end in _LINE_ENDS:
        text = text.replace(end, "\n")
    return text


def without_markup(text: str) -> str:
    r"""Turn tables of HTML and Markdown, points with names, and lists of YAML into plain text.

    >>> without_markup("<table><tr><td>1<td><b>4</b></tr></table>").strip()
    '|1| 4'
    >>> without_markup("| **1** | 4 |"), without_markup("new Point(0, 1), {x: 2, y: 1}")
    ('|   1   | 4 |', '         (0, 1), [1,2]')
    """
    if "<" in text and len(text) < _LARGE and _HTML_CELL.search(text):
        for pattern, other in _HTML:
            text = pattern.sub(other, text)
        text = clean(unescape(text))
    if "|" in text:
        text = _EMPHASIS.sub(lambda mark: " " * len(mark[0]), text)
        text = _ROW_LABEL.sub(lambda label: " " * len(label[0]), text)
        heads = _TABLE_HEAD.findall(text)
        if any(column_names(head.strip("\n")) for head in heads):
            text = _TABLE_RULE.sub("\n", text)
        else:
            text = _TABLE_HEAD.sub("\n", text)
    if "(" in text or "{" in text:
        text = _CALL.sub(lambda name: " " * len(name[0]), text)
        text = _KEYED.sub(_pair, text)
        text = _ADDED.sub(lambda call: f"{' ' * (len(call[0]) - len(call[1]) - 1)}{call[1]} ", text)
    if "- " in text[:_HEAD]:
        if _YAML_ROWS.fullmatch(text):
            text = re.sub(r"\n[ ]+- (?!- )", " ", text).replace("- - ", "    ")
        lines = [line for line in text.split("\n") if line.strip()]
        items = [line for line in lines if _YAML.match(line)]
        if len(items) > 1 and len(items) >= len(lines) - 1 and _is_list(items):
            text = _YAML.sub(lambda dash: " " * len(dash[0]), text)
    return text


def _is_list(items: list[str]) -> bool:
    """Return whether each item is one square, and not a row of a numbered board."""
    return all(item.rstrip()[-1] in "])" or len(item.split()) == 2 for item in items)


def _pair(keyed: re.Match[str]) -> str:
    """Return two numbers with keys as row and column, if the keys say so."""
    one, first, other, second = keyed.groups()
    if one.lower() in _ROWS and other.lower() in _COLUMNS:
        return f"[{first},{second}]"
    if one.lower() in _COLUMNS and other.lower() in _ROWS:
        return f"[{second},{first}]"
    return keyed[0]


def without_code(text: str) -> str:
    r"""Turn what NumPy prints, LaTeX tables, and whole numbers with a point into plain text.

    >>> without_code("array([np.int64(0), 6.0])").split()
    ['[', '0,', '6]']
    >>> without_code(r"1 & 4 \\ 3 & 2 \\")
    '1 | 4  \n 3 | 2  \n'
    """
    if "[" in text:
        text = _INDEX.sub(lambda index: " " * len(index[0]), text)
        if matrix := _MATRIX.fullmatch(text):
            text = f"{matrix[1]} {matrix[2].replace(';', chr(10))} {' ' * len(matrix[3])}"
    if "(" in text:
        text = _NUMPY_NUMBER.sub(lambda number: number[1].rjust(len(number[0])), text)
        if array := _ARRAY.fullmatch(text):
            text = " " * len(array[1]) + array[2] + " " * len(array[3])
    if "\\" in text:
        text = _LATEX_ROW.sub(lambda end: f"  {end[1]}" if end[1] else " \n", text)
        text = blanked(_LATEX, text, "\\")
    if "." in text:
        bare = not _LETTER.search(text)  # with letters, "1." is the number of a move
        text = _FLOAT.sub(lambda number: _whole(number) if number[1] or bare else number[0], text)
    if _STEP_LABEL.match(text.lstrip("\n")):
        lines = sum(bool(line.strip()) for line in text.split("\n"))
        steps = [int(label[1]) for label in _STEP_LABEL.finditer(text)]
        if steps == [*range(steps[0], steps[0] + lines)] and steps[0] in (0, 1):
            text = blanked(_STEP_LABEL, text, ":)")
    return text.replace("&", "|")


def _whole(number: re.Match[str]) -> str:
    value = float(number[0])
    return str(int(value)).rjust(len(number[0])) if value.is_integer() else number[0]


def blanked(pattern: re.Pattern[str], text: str, marks: str) -> str:
    """Replace each match by blanks.

    A match has one of the ``marks``; to look for these first is much faster.
    """
    if not any(mark in text for mark in marks):
        return text
    return pattern.sub(lambda match: " " * len(match[0]), text)


def without_comments(text: str) -> str:
    r"""Replace the lines that begin with ``#``, ``%`` or ``//`` by blanks.

    >>> without_comments("# by hand\na1 b3\n// end")
    '         \na1 b3\n      '
    """
    return blanked(_COMMENT, text, "#%/")


class Body(NamedTuple):
    """A text without its heading: where it starts and ends, the words, and the board in them."""

    text: str
    start: int
    end: int
    heading: str
    board: Board | None


def without_heading(text: str) -> Body | None:
    r"""Return a text without the lines of words before and after it, or None if there are none.

    If the last of these names columns, only the square is left of each line.

    >>> without_heading("Board: 3x4\nstep,col,row\n1,0,0\n2,1,2").text
    '\n\n0,0\n2,1'
    >>> without_heading("Tour: a3 c2").text, without_heading("a3 c2")
    ('      a3 c2', None)
    """
    lines = text.split("\n")
    heading: list[str] = []
    start = 0
    for number, line in enumerate(lines[:_MOST_LINES]):
        if label := _LABEL.match(line):
            heading.append(label[0])
            start += label.end()
            lines[number] = " " * len(label[0]) + line[label.end() :]
            break
        names = column_names(line)
        if line.strip() and not names and not _is_sentence(line):
            break
        heading.append(line)
        start += len(line) + 1
        lines[number] = ""
        if names:
            lines[number + 1 :] = _squares(lines[number + 1 :], names, number + 2)
            break
    end = len(text)
    for number in range(len(lines) - 1, max(0, len(lines) - _MOST_LINES), -1):
        if lines[number].strip() and not _is_remark(lines[number]):
            break
        heading.append(lines[number])
        end -= len(lines[number]) + 1
        lines[number] = ""
    words = " ".join(" ".join(heading).split())
    if not words or "TOUR_SECTION" in text or not "".join(lines).strip():
        return None
    size = _SIZE.search(words)
    board = Board(int(size[1]), int(size[2])) if size else None
    shown = words if len(words) <= 40 else f"{words[:39]}…"
    return Body("\n".join(lines), start, end, shown, board)


def _is_sentence(line: str) -> bool:
    in_words, in_data = len(_WORDS.findall(line)), len(_DATA.findall(_SIZE.sub("", line)))
    return 0 < in_words >= in_data


def _is_remark(line: str) -> bool:
    """Return whether a line below a path says something else, and does not go on with it."""
    words = _WORDS.findall(line)
    goes_on = _NAMED.search(line) or not _LINKS.isdisjoint(map(str.lower, words))
    return not goes_on and len(words) > len(_DATA.findall(_DECIMALS.sub("", line)))


def column_names(line: str) -> list[str] | None:
    """Return the names in a line that names columns with squares in them, or None."""
    names = [name.strip("\"'").lower() for name in _CELL_END.split(line.strip(" "))]
    if not set(names) <= _STEPS | _ROWS | _COLUMNS | _SQUARES:
        return None
    has_pairs = not _ROWS.isdisjoint(names) and not _COLUMNS.isdisjoint(names)
    return names if has_pairs or not _SQUARES.isdisjoint(names) else None


def _squares(lines: list[str], names: list[str], first_line: int) -> list[str]:
    """Return the square, or row and column, in each line. Steps, if any, must count up by one.

    Raises `InputError`, with the line, if they do not, and for too few or too many values.
    """
    squares, step = [], None
    for number, line in enumerate(lines, start=first_line):
        cells = _CELL_END.split(line.strip(" "))
        if step is None and len(cells) == len(names) + 1:
            names = ["", *names]  # the index that pandas prints has no name
        if line.strip() and len(cells) != len(names):
            raise InputError(f"line {number}: {len(cells)} values for {len(names)} columns")
        found = dict(zip(names, cells, strict=False)) if line.strip() else {}
        for name in [name for name in found if name in _STEPS][-1:]:
            wanted = ["0", "1"] if step is None else [str(step + 1)]
            if found[name] not in wanted:
                there = f"{found[name]!r} where there should be {' or '.join(wanted)}"
                raise InputError(f"line {number}: step {there}")
            step = int(found[name])
        pair = [found[name] for kind in (_ROWS, _COLUMNS) for name in kind & set(found)]
        names_of_squares = [found[name] for name in _SQUARES & set(found)]
        squares.append(",".join(pair if len(pair) == 2 else names_of_squares))
    return squares


_WORD = re.compile(r"\S{1,20}")
_NO_SIGN = re.compile(r"-(?![0-9])")
_TO_BLANKS = bytes(byte if byte in b"-0123456789" else ord(" ") for byte in range(256))


class UnreadableError(InputError):
    """The text cannot be read in a notation; ``place`` is where in the text it goes wrong."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


def unreadable(text: str, place: int, wanted: str) -> UnreadableError:
    """Return an error that names line and column, what stands there and what is expected."""
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    word = _WORD.match(text, place)
    at_end = "the end of the text" if place >= len(text) else "a gap"
    found = f"{repr(word[0]) if word else at_end} where there should be {wanted}"
    return UnreadableError(f"line {line}, column {column}: {found}", place)


def run_of(item: str) -> re.Pattern[str]:
    """Compile a pattern that matches as many items as there are, and the blanks after them.

    It takes linear time, as an item is looked for only where the one before has ended.
    """
    return re.compile(rf"(?:{item})*+\s*+", re.ASCII)


def items_in(
    text: str,
    run: re.Pattern[str],
    wanted: str,
    prepare: Callable[[str], str] = without_comments,
) -> str:
    """Return a text that consists of items, as ``prepare`` returns it.

    ``prepare`` replaces by blanks what is no item, such as comments. Raises `UnreadableError` for
    anything else, and for a text without items; ``wanted`` is what the message asks for.
    """
    plain = prepare(text)
    match = run.match(plain)
    end = match.end() if match else 0
    if end < len(plain) or not plain.strip():
        raise unreadable(text, end, wanted)
    return plain


def numbers_in(plain: str) -> Integers:
    """Return the whole numbers in a text with anything else between them; as int32 if they fit.

    >>> numbers_in("(0, 0)->(-2, 1)").tolist()
    [0, 0, -2, 1]
    """
    digits = blanked(_NO_SIGN, plain, "-").encode().translate(_TO_BLANKS)
    if digits.isspace() or not digits:
        return np.empty(0, dtype=np.int32)
    numbers = np.fromstring(digits, dtype=np.int64, sep=" ")
    fits = max(numbers.max(), ~numbers.min()) <= np.iinfo(np.int32).max
    return numbers.astype(np.int32) if fits else numbers


def numbers_of(
    text: str, run: re.Pattern[str], wanted: str, prepare: Callable[[str], str]
) -> Integers:
    """Return the numbers in a text that consists of items; see `items_in`."""
    return numbers_in(items_in(text, run, wanted, prepare))
