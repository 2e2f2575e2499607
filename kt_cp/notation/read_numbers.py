"""Reading lists of whole numbers: ids and successors."""

from __future__ import annotations

import re

from kt_cp.notation.forms import Form, PathForm, SuccessorsForm
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import IdNaming
from kt_cp.notation.text import MAX_DIGITS, Integers, integers, read_items, without_comments

NUMBER = rf"-?+\d{{1,{MAX_DIGITS}}}+"
_ITEM = re.compile(rf"\s*+({NUMBER})(?=[\s,;]|\Z)\s*+[,;]?+", re.ASCII)
_WRAPPED = re.compile(r"(\s*+)[\[({]([^\[\](){}]*+)[\])}][\s,;.]*+", re.ASCII)


def read_numbers(text: str) -> Integers:
    """Read numbers separated by blanks, commas or semicolons, in one pair of brackets or none.

    Raises `UnreadableError` for anything else.

    >>> read_numbers("[4, 7, 0, 11]").tolist()
    [4, 7, 0, 11]
    """
    text = without_comments(text)
    if wrapped := _WRAPPED.fullmatch(text):
        text = wrapped[1] + " " + wrapped[2]
    return integers(read_items(_ITEM, text, "a whole number, as in 4 7 0 11"))


def ids_form(notation: Notation, numbers: Integers) -> Form:
    """Take the numbers as ids in visiting order."""
    return PathForm(notation, IdNaming(notation.first), numbers[:, None])


def successors_form(notation: Notation, numbers: Integers) -> Form:
    """Take the numbers as the ids visited after each id in turn."""
    return SuccessorsForm(notation, numbers)
