"""Reading coordinates: pairs of whole numbers."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from kt_cp.notation.forms import Form, PathForm
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import CoordinateNaming
from kt_cp.notation.read_numbers import NUMBER
from kt_cp.notation.text import Integers, integers, read_items, without_comments

_WANTED = "a pair of whole numbers, as in (0, 0), (2, 1) or 0,0 2,1"
_JOINED = rf"({NUMBER})(?:\s*+[,;/:]\s*+|\s++)({NUMBER})"
_BRACKETED = re.compile(
    rf"\s*+[(\[{{]\s*+{_JOINED}\s*+,?+\s*+[)\]}}]\s*+(?:[,;]|->?+|>)?+", re.ASCII
)
_TIGHT = re.compile(rf"\s*+({NUMBER})[,/:]({NUMBER})(?=[\s;]|\Z)\s*+;?+", re.ASCII)
_ONE_A_LINE = re.compile(
    rf"\s*+({NUMBER})(?:[ \t]*+[,;/:][ \t]*+|[ \t]++)({NUMBER})[ \t]*+[,;]?+[ \t]*+(?:\n|\Z)",
    re.ASCII,
)
_LIST = re.compile(r"(\s*+)[\[({](\s*+[\[({].*[\])}]\s*+,?+\s*+)[\])}]\s*+;?+\s*+", re.DOTALL)


class Pairs(NamedTuple):
    """Pairs of numbers, and how the first of them is written, with ``{}`` for each number."""

    numbers: Integers
    form: str


def read_coords(text: str) -> Pairs:
    """Read pairs in brackets, pairs joined by a comma, slash or colon, or one pair a line.

    Raises `UnreadableError` for anything else.

    >>> read_coords("[(0, 0), (2, 1)]").numbers.tolist(), read_coords("3/1 1/2").form
    ([[0, 0], [2, 1]], '{}/{}')
    """
    text = without_comments(text)
    if text.lstrip()[:1] in tuple("[({"):
        if listed := _LIST.fullmatch(text):
            text = f"{listed[1]} {listed[2]}"
        item = _BRACKETED
    else:
        item = _TIGHT if _TIGHT.match(text) else _ONE_A_LINE
    pairs = read_items(item, text, _WANTED)
    numbers = integers(list(itertools.chain.from_iterable(pairs))).reshape(-1, 2)
    first = item.match(text)
    written = first[0].strip(" \t\n,;->") if first else ""
    return Pairs(numbers, re.sub(r"-?\d+", "{}", re.sub(r"[{}]", "", written)))


def coords_form(notation: Notation, pairs: Pairs) -> Form:
    """Take the pairs as squares in visiting order."""
    naming = CoordinateNaming(notation.first, notation.column_first, pairs.form)
    return PathForm(notation, naming, pairs.numbers)
