"""Reading ``.tour`` files of TSPLIB (Reinelt 1991), as LKH and other solvers write them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from kt_cp.notation.forms import Form
from kt_cp.notation.notations import Notation, naming
from kt_cp.notation.scanning import MAX_DIGITS, check_items, numbers_in, unreadable

_HEADER = re.compile(
    r"(?:[ \t]*+(?>(?:[A-Z_]++[ \t]*+:.*+)?)\n)*?[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+$", re.I | re.M
)
_DIMENSION = re.compile(r"(?im)^[ \t]*+DIMENSION[ \t]*+:[ \t]*+(\d{1,18}+)[ \t]*+$", re.ASCII)
_TOUR = re.compile(
    rf"(?>(?:\s*+[0-9]{{1,{MAX_DIGITS}}}+(?!\S))+)(?>(?:\s*+-1(?!\S))?)\s*+(?>(?:EOF)?)\s*+",
    re.I | re.A,
)


def read_tour(text: str) -> list[Form]:
    """Read the one tour of a file, with the depot of an open tour as a square, and without it.

    Squares have numbers from 1, in which holes are left out. The depot is the last of them.
    """
    header = _HEADER.match(text)
    if header is None:
        wanted = "a TSPLIB file: lines such as TYPE : TOUR, then TOUR_SECTION"
        raise unreadable(text, 0, wanted)
    start = header.end()
    body = " " * start + text[start:]
    check_items(body, _TOUR, "the numbers of one tour, with -1 at the end")
    numbers = numbers_in(body)
    numbers = numbers[numbers >= 0]
    dimension = _DIMENSION.search(header[0])
    size = int(dimension[1]) if dimension else None
    form = Form(Notation.TSPLIB, numbers[:, None], naming(Notation.TSPLIB), size=size)
    depots = np.flatnonzero(numbers == len(numbers))
    if len(depots) != 1 or len(numbers) == 1 or size not in (None, len(numbers)):
        return [form]
    return [form, _without_depot(form, int(depots[0]))]


def _without_depot(form: Form, place: int) -> Form:
    """Return a closed tour as the open one that begins after the depot and ends before it."""
    numbers = np.roll(form.numbers, -place, axis=0)[1:]
    remark = f"without the depot, vertex {len(numbers) + 1}"
    changed = replace(form, numbers=numbers, size=len(numbers), fills_board=True)
    return replace(changed, closed=False, remarks=(remark,))
