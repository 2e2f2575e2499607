"""Text as in print: on one line, with its sizes and numbers, and as a caption."""

from __future__ import annotations

import re
import unicodedata

from kt_cp.messages import escape_unprintable


def one_line(text: str) -> str:
    """Return a text on one line, with control characters escaped."""
    blanks = r"[^\S\u00a0]+"  # all but the blanks at which no line may break
    return escape_unprintable(re.sub(blanks, " ", text).strip())


def with_print_signs(text: str) -> str:
    """Return a text with its sizes and numbers as in print.

    >>> with_print_signs("dfs on 5x5"), with_print_signs("a tour of 1600 squares")
    ('dfs on 5 × 5', 'a tour of 1,600 squares')
    """
    # Neither a part of a name, nor the decimals of a number.
    text = re.sub(r"(?<![\w.])(\d+)x(\d+)(?![\w.])", r"\1 × \2", text, flags=re.ASCII)
    return re.sub(r"(?<![\w.])[1-9]\d{3,}(?= [a-z])", lambda number: f"{int(number[0]):,}", text)


def as_caption(text: str) -> str:
    """Return a text as in print, with a capital letter unless it begins with a name.

    >>> as_caption("closed tour of 8x8"), as_caption("a1 to b3")
    ('Closed tour of 8 × 8', 'a1 to b3')
    """
    text = with_print_signs(text)
    # The name of a square is letters and then digits. A single letter is no word.
    return re.sub(r"^[a-z](?=[a-z])(?![a-z]*\d)", lambda first: first[0].upper(), text)


def as_sentence(text: str) -> str:
    """Return a text as in print, with a capital letter and a full stop.

    >>> as_sentence("b2 has no move"), as_sentence("a tour joins no two of them")
    ('b2 has no move.', 'A tour joins no two of them.')
    """
    text = as_caption(text).removesuffix(".")
    text = re.sub(r"^a(?= (?:tour|path|cycle|search)\b)", "A", text)  # elsewhere, a may be a vertex
    return f"{text}."


def text_width(text: str, letter_width: float) -> float:
    """Return an estimate of the width of a text, relative to the size of its font.

    Chinese, Japanese and Korean letters are as wide as the font is high; ``letter_width`` is the
    mean width of any other letter.

    >>> text_width("路 path", 0.5)
    3.5
    """
    widths = (
        1.0 if unicodedata.east_asian_width(letter) in ("W", "F") else letter_width
        for letter in text
    )
    return sum(widths)
