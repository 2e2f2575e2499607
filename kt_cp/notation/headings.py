"""Find the words around a path: headings, labels and remarks, and squares named in sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kt_cp.notation.columns import column_names, squares_in_columns
from kt_cp.notation.text import blank

# A square, perhaps after the letter of a piece, as in Na1.
_SQUARE_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Z]?([a-z]{1,2}[1-9][0-9]?)(?![A-Za-z0-9])")
_LABEL = re.compile(
    r"[^\n\d:=]{0,40}\b(?:answer|moves?|path|result|route|sequence|solution|squares|steps|tour)"
    r"\s*[:=](?=.*\d)|[^\n=]{1,80}=\s*(?=[\[({])",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]{2,}+(?![(\w])")
_NUMBER_OR_SQUARE = re.compile(r"\b[A-Za-z]?\d+")
_SIZE = re.compile(r"\b([1-9]\d{0,4})\s?[xX×]\s?([1-9]\d{0,4})\b", re.ASCII)
_DECIMALS = re.compile(r"\.\d+")
_LINKS = {"and", "from", "next", "then", "to"}

_MAX_LINES = 10  # of a heading
_MAX_SHOWN = 40  # characters of a heading in messages


@dataclass(frozen=True)
class Body:
    """A text without the lines of words around it.

    ``heading`` holds these words, which may be shortened, and ``sides`` the sides of the board that
    they state.
    """

    text: str
    heading: str
    sides: tuple[int, int] | None


def squares_in_prose(text: str) -> list[str]:
    """Return the squares that are named in sentences; empty if there are no other words."""
    squares = _SQUARE_NAME.findall(text)
    words = _WORD.findall(_SQUARE_NAME.sub(" ", text))
    is_sentence = len(words) > 1 or (len(words) == 1 and words[0] in _LINKS)
    return squares if len(squares) > 1 and is_sentence else []


def without_heading(text: str) -> Body | None:
    """Return a text without the lines of words around it, or None if there are none.

    If the last line of the heading names columns, each line below it is reduced to its square.
    """
    lines = text.split("\n")
    taken = [*_take_heading(lines), *_take_remarks(lines)]
    heading = " ".join(" ".join(taken).split())
    if not heading or "TOUR_SECTION" in text or not "".join(lines).strip():
        return None
    size = _SIZE.search(heading)
    sides = (int(size[1]), int(size[2])) if size else None
    if len(heading) > _MAX_SHOWN:
        heading = f"{heading[: _MAX_SHOWN - 1]}…"
    return Body("\n".join(lines), heading, sides)


def _take_heading(lines: list[str]) -> list[str]:
    """Remove the heading at the top, and return its lines; they become empty in ``lines``.

    The heading ends with a label such as ``Path:`` (the rest of that line is kept), with the names
    of columns, or before a line with more numbers and squares than words.
    """
    taken: list[str] = []
    for index, line in enumerate(lines[:_MAX_LINES]):
        label = _LABEL.match(line)
        if label is not None:
            lines[index] = blank(label) + line[label.end() :]
            return [*taken, label[0]]
        names = column_names(line)
        if names is not None:
            first_below = index + 2  # the number of the line below, from 1
            lines[index] = ""
            lines[index + 1 :] = squares_in_columns(lines[index + 1 :], names, first_below)
            return [*taken, line]
        if line.strip() and not _is_of_words(line):
            break
        taken.append(line)
        lines[index] = ""
    return taken


def _is_of_words(line: str) -> bool:
    """Return whether a line has words, and at least as many as numbers and squares.

    The size of a board is not counted among the numbers.
    """
    words, data = len(_WORD.findall(line)), len(_NUMBER_OR_SQUARE.findall(_SIZE.sub("", line)))
    return words > 0 and words >= data


def _take_remarks(lines: list[str]) -> list[str]:
    """Remove the remarks below the path, and return them; they become empty in ``lines``."""
    taken: list[str] = []
    for index in range(len(lines) - 1, max(0, len(lines) - _MAX_LINES), -1):
        line = lines[index]
        if line.strip() and not _is_remark(line):
            break
        taken.append(line)
        lines[index] = ""
    return taken


def _is_remark(line: str) -> bool:
    """Return whether a line has more words than numbers, and does not belong to a path in prose."""
    words = _WORD.findall(line)
    has_link = any(word.lower() in _LINKS for word in words)
    data = len(_NUMBER_OR_SQUARE.findall(_DECIMALS.sub("", line)))
    return not has_link and _SQUARE_NAME.search(line) is None and len(words) > data
