"""Turn tables, lists and values as people paste them into plain text that the readers know.

If possible, removed characters are replaced by blanks, so that messages name the right place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape

from kt_cp.messages import InputError
from kt_cp.notation.columns import column_names
from kt_cp.notation.text import are_consecutive_steps, blank, clean

_MAX_HTML = 2**20  # characters


@dataclass(frozen=True)
class Rewrite:
    """A pattern and its replacement, with an example and its result."""

    example: str
    result: str
    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str]

    def apply(self, text: str) -> str:
        """Return a text with every match replaced."""
        return self.pattern.sub(self.replacement, text)


def _rewrite(
    example: str,
    result: str,
    pattern: str,
    replacement: str | Callable[[re.Match[str]], str] = blank,
) -> Rewrite:
    """Return a rewrite; without a replacement, matches are replaced by blanks."""
    return Rewrite(example, result, re.compile(pattern), replacement)


def _whole_number(number: re.Match[str]) -> str:
    """Return a number without its decimals if they are zero, padded to its length."""
    value = float(number[0])
    if not value.is_integer():
        return number[0]
    return str(int(value)).rjust(len(number[0]))


def _argument(call: re.Match[str]) -> str:
    """Return the number in a call such as ``np.int64(5)``, padded to the length of the call."""
    return call[1].rjust(len(call[0]))


HTML = (
    _rewrite(
        "<style>td {}</style>5",
        " 5",
        r"(?is)<(head|style|script|caption)\b(?:(?!<\1\b).)*?</\1>",
        " ",
    ),
    _rewrite("1\n2", "1 2", r"\s+", " "),
    _rewrite("1</tr>", "1|\n", r"(?i)</tr\b[^<>]*>", "|\n"),
    _rewrite("1<br/>2", "1\n2", r"(?i)</?(?:tr|table|p|div|h\d|br)\b[^<>]*>", "\n"),
    _rewrite("<td class=a>1", "|1", r"(?i)<t[dh]\b[^<>]*>", "|"),
    _rewrite("<b>1</b>", " 1 ", r"<[!/]?[A-Za-z][^<>]*>", " "),
)
"""Rewrites that turn a page with a table into the cells of the table, separated by bars."""

_BLANKS = r"[ \t]*+"

# Two numbers, and the same with one or two pairs of brackets around them.
_PAIR = r"\s*+-?\d++\s*+,\s*+-?\d++\s*+"
_PAIR_IN_BRACKETS = rf"\s*+[\[({{]{_PAIR}[\])}}]\s*+"

# The fields of a point, such as row: 1 and "x" = 2, and the name of its type before them.
_ROW = r"\s*+[\"']?+(?:row|r|y)[\"']?+\s*+[:=]\s*+(-?\d++)\s*+"
_COLUMN = r"\s*+[\"']?+(?:column|col|c|x)[\"']?+\s*+[:=]\s*+(-?\d++)\s*+"
_TYPE = r"(?>(?:(?>(?:new\s++)?)\b[A-Za-z]\w{0,40}+\s*+)?)"

# The name of a class, a method, or one of a few functions that is called with a point.
_CALLED = (
    r"\b(?:[A-Z][A-Za-z]{1,40}+|[a-z]\w{0,40}+\.[a-z_]{1,40}+|coord|make_pair|point|pos)\s*+"
    rf"(?=[({{](?:{_PAIR}|{_PAIR_IN_BRACKETS})[)}}](?!\s*+\.))"
)

# Marks of bold, italic or code before and after a word in a cell of Markdown.
_EMPHASIS = r"(?<=[\s|])[*_`]{1,3}(?=[\w#.-])|(?<=[\w#.-])[*_`]{1,3}(?=[\s|])"

_LATEX_COMMAND = r"\\(?:begin|end)(?:\{[^{}\n]{0,40}\}){1,2}|\\[a-z]{0,9}(?:line|rule)\b"

# The labels that R prints: of a row or a column of a matrix, and of a line of a vector.
_R_LABEL = rf"(?m)\[(?:,\d{{1,9}}|\d{{1,9}},)\]|^{_BLANKS}\[\d{{1,9}}\](?=[ \t]+[\d\"])"

_FLOAT = r"(?a)(?<![\w.])-?\d{1,15}\.(?:\d+(?:[eE][+-]?\d{1,3})?|(?!\s*[A-Za-z]))(?![\w.])"

REWRITES = (
    # a pair in YAML
    _rewrite("- - 1\n  - 2", "[1, 2]", r"(?m)^- - (-?\d{1,9})\n  - (-?\d{1,9})$", r"[\1, \2]"),
    # a number as NumPy prints it
    _rewrite("np.int64(5)", "          5", r"(?a)(?:np|numpy)\.u?int\d*\((-?\d+)\)", _argument),
    # cells of Markdown, and the label of a row
    _rewrite("|**12**|", "|  12  |", _EMPHASIS),
    _rewrite(
        "| row 8 | 1 |",
        "        | 1 |",
        rf"(?im)^{_BLANKS}\|?+{_BLANKS}(?:line|rank|row){_BLANKS}\d*+{_BLANKS}(?=\|)",
    ),
    # what is called with a point, or holds an array
    _rewrite("new Point(0, 1)", "         (0, 1)", r"\bnew\s++\w{1,40}+\s*+(?=[({])"),
    _rewrite("path.add(0, 1)", "        (0, 1)", _CALLED),
    _rewrite(
        "array([0, 1], dtype=int8)",
        "     ([0, 1]            )",
        r"\b(?:\w{1,9}\.)?(?:array|tensor)(?=\()|,\s*dtype=[\w.'\"]+(?=\s*\))",
    ),
    # an item of a list in YAML
    _rewrite(
        "- [0, 1]",
        "  [0, 1]",
        rf"(?m)^{_BLANKS}-[ \t]++(?=[\[(]|[a-z]{{1,6}}+\d{{1,9}}+{_BLANKS}$)",
    ),
    # lines and environments of LaTeX, and labels of R
    _rewrite(r"\hline 1", "       1", _LATEX_COMMAND),
    _rewrite("[1,]  5", "      5", _R_LABEL),
    # points with named fields
    _rewrite(
        "{row: 1, col: 2}",
        "[1,2]",
        rf"(?i){_TYPE}[({{](?:{_ROW},{_COLUMN}),?+\s*+[)}}]",
        r"[\1,\2]",
    ),
    _rewrite(
        "{x: 2, y: 1}", "[1,2]", rf"(?i){_TYPE}[({{](?:{_COLUMN},{_ROW}),?+\s*+[)}}]", r"[\2,\1]"
    ),
    # a pair in two pairs of brackets, as an argument alone in a statement
    _rewrite("((0, 1));", " (0, 1) ;", rf"\(({_PAIR_IN_BRACKETS})\)(?=\s*+;)", r" \1 "),
    # ends of rows and of cells in LaTeX
    _rewrite("1 \\\\\n2", "1 \n2", r"\\\\([ \t]*\n)?", "\n"),
    _rewrite("1 & 2", "1 | 2", "&", "|"),
    # whole numbers as floats
    _rewrite("5.0", "  5", _FLOAT, _whole_number),
)
"""Rewrites that are applied to any text with markup, in this order."""

# Lines that begin with ; and have words.
_REMARK = re.compile(r"^[ \t]*;.*[A-Za-z]{2}.*$", re.MULTILINE)

# Only a text that matches is rewritten, except a long list of facts, which has no markup.
_MARKUP = re.compile(r"[^\w\s,;#-]|\n[ \t]*- ?\S")
_FACTS = re.compile(r"(?>(?:[a-z]\w*+\((?:\d++,){3}\d++\)[.\s]*+)*)")

_ELIDED = re.compile(r"[\d\[\],]\s{0,40}\.\.\.")
_HTML_CELL = re.compile(r"<t[dh][\s>]", re.IGNORECASE)

# The line below the head of a table in Markdown, such as |---|:-:|, with one dash or more, or with
# two or more, in its first cell.
_DASHES = rf"{_BLANKS}\|?+{_BLANKS}:?+-++:?+{_BLANKS}\|[-|: \t]*+$"
_TWO_DASHES = rf"{_BLANKS}\|?+{_BLANKS}:?+-{{2,}}+:?+{_BLANKS}\|[-|: \t]*+$"

# A head of words, such as "| row | column |\n|-----|--------|".
_WORD_HEAD = re.compile(rf"^(?=.*[A-Za-z]{{2}})(.*+\n){_TWO_DASHES}", re.MULTILINE)

# A head of single letters without digits, such as "| a | b |\n|---|---|".
_LETTER_HEAD = re.compile(rf"^(?=[^\n\d]*+\n)(?=.*[A-Za-z])(.*+\n){_DASHES}", re.MULTILINE)

# An empty head, such as "|   |   |\n|---|---|". A dash by itself would otherwise be read as a
# square without a number.
_EMPTY_HEAD = re.compile(rf"^{_BLANKS}\|[| \t]*+\n{_DASHES}", re.MULTILINE)

# The beginning of a matrix, such as "[[" or "board = [[", and a row in brackets that goes on in the
# next line, as NumPy prints long rows: "[1 2 3\n  4 5]".
_MATRIX = re.compile(r"^[ \t]*+(?>(?:\w{1,40}+[ \t]*+=[ \t]*+)?)[\[({]\s*+[\[({]", re.MULTILINE)
_LONG_ROW = re.compile(r"[\[({]([^\[\](){}\n]*+\n[^\[\](){}]*+)([\])}])")

# A label at the beginning of a line, such as the "Step 3:" in "Step 3: a1" and the "3)" in "3) a1".
_STEP_LABEL = re.compile(
    r"(?ima)^[ \t]*+(?>(?:step|move|row|rank)?)[ \t]*+(\d{1,9}+)[ \t]*+[:)][ \t]*+"
)

# A pair at the beginning of a text that may be taken for a label, such as 0:1.
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
            "NumPy has left out a part of the path, at '...'; write it with np.save, or "
            "print it after np.set_printoptions(threshold=10**9)"
        )
    if len(text) < _MAX_HTML and _HTML_CELL.search(text):
        text = _cells_of_html(text)
    text = _without_table_head(text)
    for rewrite in REWRITES:
        text = rewrite.apply(text)
    if _MATRIX.search(text):
        text = _LONG_ROW.sub(_on_one_line, text)
    return _without_step_labels(text)


def _cells_of_html(text: str) -> str:
    """Return the text of a page, with a line for each row of its table."""
    for rewrite in HTML:
        text = rewrite.apply(text)
    return clean(unescape(text))


def _without_table_head(text: str) -> str:
    """Return a text without the heads of Markdown tables, except those that name columns."""
    text = _EMPTY_HEAD.sub("\n", text)
    text = _WORD_HEAD.sub(lambda head: head[1] if column_names(head[1]) else "\n", text)
    return _LETTER_HEAD.sub(r"\1", text)


def _on_one_line(row: re.Match[str]) -> str:
    """Return a row on one line, followed by its line ends, so that line numbers stay the same."""
    bracket, inside, closing = row[0][0], row[1], row[2]
    line = bracket + inside.replace("\n", " ") + closing
    return line + "\n" * inside.count("\n")


def _without_step_labels(text: str) -> str:
    """Return a text without labels of lines, if every line has one and they count up by one."""
    lines = sum(bool(line.strip()) for line in text.split("\n"))
    steps = [int(label[1]) for label in _STEP_LABEL.finditer(text)]
    if len(steps) != lines or not are_consecutive_steps(steps):
        return text
    if lines == 1 and _PAIR_BY_COLON.match(text):
        return text
    return _STEP_LABEL.sub(blank, text)
