"""Reading ``.tour`` files of TSPLIB (Reinelt 1991), as LKH and other solvers write them."""

from __future__ import annotations

import re
from typing import NamedTuple

from kt_cp.board import MAX_SQUARES
from kt_cp.errors import InputError
from kt_cp.notation.forms import Form, PathForm
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import PlaceNaming
from kt_cp.notation.read_numbers import NUMBER
from kt_cp.notation.text import Integers, UnreadableError, integers, read_items

_SECTION = re.compile(r"(?im)^[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+$")
_HEADER = re.compile(r"[ \t]*+([A-Za-z_]++)[ \t]*+:[^\n]*+")
_DIMENSION = re.compile(r"(?im)^[ \t]*+DIMENSION[ \t]*+:[ \t]*+(\d{1,18}+)[ \t]*+$", re.ASCII)
_ITEM = re.compile(rf"\s*+({NUMBER})(?!\S)", re.ASCII)
_END = "EOF"


class TourFile(NamedTuple):
    """The numbers of the tour section, and the dimension that the header tells, if any."""

    numbers: Integers
    dimension: int | None


def read_tsplib(text: str) -> TourFile:
    """Read the one tour of a file: numbers after ``TOUR_SECTION``, -1 at the end.

    Raises `UnreadableError` for anything else, and `InputError` for a dimension that is too large.

    >>> read_tsplib("TYPE : TOUR\\nTOUR_SECTION\\n1\\n3\\n2\\n-1\\nEOF").numbers.tolist()
    [1, 3, 2]
    """
    section = _SECTION.search(text)
    if section is None:
        raise UnreadableError(text, 0, "a TSPLIB file with a line TOUR_SECTION")
    header = text[: section.start()]
    place = 0
    for line in header.splitlines(keepends=True):
        if line.strip() and not _HEADER.fullmatch(line.rstrip()):
            raise UnreadableError(text, place, "a header line, as in TYPE : TOUR")
        place += len(line)
    body = text[section.end() :].rstrip()
    if body[-len(_END) :].upper() == _END:
        body = body[: -len(_END)]
    wanted = "a square's number from 1, or -1 at the end"
    numbers = integers(read_items(_ITEM, "\n" * header.count("\n") + body, wanted))
    ends = (numbers == -1).nonzero()[0]
    if len(ends) > 1 or (len(ends) and ends[0] < len(numbers) - 1):
        raise UnreadableError(text, section.end() + 1, "one tour: -1 comes once, at the end")
    if len(numbers) - len(ends) == 0:
        raise UnreadableError(text, len(text), "the numbers of the squares")
    dimension = _DIMENSION.search(header)
    if dimension and int(dimension[1]) > MAX_SQUARES:
        raise InputError(f"DIMENSION {dimension[1]}: more than {MAX_SQUARES:,} squares are refused")
    return TourFile(numbers[: len(numbers) - len(ends)], dimension and int(dimension[1]))


def tsplib_form(notation: Notation, file: TourFile) -> Form:
    """Take the numbers as squares in visiting order."""
    return PathForm(notation, PlaceNaming(file.dimension), file.numbers[:, None])
