"""The notations and their names, which are the same on the command line and in Python."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from kt_cp.errors import InputError


class Notation(StrEnum):
    """A notation in which tours are written and read.

    Where a notation may count from 0 or from 1, or name the row or the column first, the plain
    name is the way in which ``kt solve`` writes it, and longer names are the other ways.
    ``description`` is what the notation is called, ``first`` the number with which it counts.

    >>> Notation.IDS_FROM_1.description, Notation.IDS_FROM_1.first
    ('ids from 1', 1)
    """

    GRID = "grid", "numbered board from 1", 1
    GRID_FROM_0 = "grid-from-0", "numbered board from 0"
    IDS = "ids", "ids from 0"
    IDS_FROM_1 = "ids-from-1", "ids from 1", 1
    SQUARES = "squares", "chess names"
    COORDS = "coords", "coordinates from 0"
    COORDS_FROM_1 = "coords-from-1", "coordinates from 1", 1
    COORDS_COLUMN_FIRST = "coords-column-first", "coordinates from 0, column first"
    COORDS_COLUMN_FIRST_FROM_1 = (
        "coords-column-first-from-1",
        "coordinates from 1, column first",
        1,
    )
    MOVES = "moves", "moves"
    FACTS = "facts", "facts from 1", 1
    FACTS_FROM_0 = "facts-from-0", "facts from 0"
    FACTS_COLUMN_FIRST = "facts-column-first", "facts from 1, column first", 1
    FACTS_COLUMN_FIRST_FROM_0 = "facts-column-first-from-0", "facts from 0, column first"
    SUCCESSORS = "successors", "successors from 0"
    SUCCESSORS_FROM_1 = "successors-from-1", "successors from 1", 1
    TSPLIB = "tsplib", "TSPLIB tour", 1
    HCP = "hcp", "TSPLIB graph"
    JSON = "json", "JSON"
    NPY = "npy", "NumPy array"

    description: str
    first: int

    def __new__(cls, name: str, description: str = "", first: int = 0) -> Self:
        """Make a member of its name, the usual words, and the number with which it counts."""
        member = str.__new__(cls, name)
        member._value_, member.description, member.first = name, description, first
        return member

    @classmethod
    def parse(cls, name: Notation | str) -> Notation:
        """Return the notation of this name. Raises `InputError`, with all names, if there is none.

        >>> Notation.parse("squares")
        <Notation.SQUARES: 'squares'>
        """
        try:
            return cls(name)
        except ValueError:
            raise InputError(f"notation {name!r}: give one of {', '.join(cls)}") from None

    @property
    def base(self) -> Notation:
        """The plain notation, regardless of what it counts from and names first.

        >>> Notation("coords-column-first-from-1").base
        <Notation.COORDS: 'coords'>
        """
        return Notation(self.value.partition("-")[0])

    @property
    def ways(self) -> list[Notation]:
        """The notations with this base, the plain one first."""
        return [each for each in Notation if each.base is self.base]

    @property
    def column_first(self) -> bool:
        """Whether a pair of numbers names the column before the row."""
        return "column-first" in self.value

    @property
    def words(self) -> str:
        """The usual words for the base, such as ``chess names``."""
        return self.description.partition(" from ")[0]
