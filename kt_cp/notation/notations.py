"""The notations and their names, which are the same on the command line and in Python."""

from __future__ import annotations

from enum import StrEnum

from kt_cp.errors import InputError


class Notation(StrEnum):
    """A notation in which tours are written and read.

    Where a notation may count from 0 or from 1, or name the row or the column first, the plain
    name is the way in which ``kt solve`` writes it, and longer names are the other ways.
    """

    GRID = "grid"
    GRID_FROM_0 = "grid-from-0"
    IDS = "ids"
    IDS_FROM_1 = "ids-from-1"
    SQUARES = "squares"
    COORDS = "coords"
    COORDS_FROM_1 = "coords-from-1"
    COORDS_COLUMN_FIRST = "coords-column-first"
    COORDS_COLUMN_FIRST_FROM_1 = "coords-column-first-from-1"
    MOVES = "moves"
    FACTS = "facts"
    FACTS_FROM_0 = "facts-from-0"
    FACTS_COLUMN_FIRST = "facts-column-first"
    FACTS_COLUMN_FIRST_FROM_0 = "facts-column-first-from-0"
    SUCCESSORS = "successors"
    SUCCESSORS_FROM_1 = "successors-from-1"
    TSPLIB = "tsplib"
    HCP = "hcp"
    JSON = "json"
    NPY = "npy"

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
    def first(self) -> int:
        """The number with which counting begins."""
        if self.value[-1] in "01":
            return int(self.value[-1])
        return int(self in _FROM_1)

    @property
    def column_first(self) -> bool:
        """Whether a pair of numbers names the column before the row."""
        return "column-first" in self.value

    @property
    def words(self) -> str:
        """The usual words for the base, such as ``chess names``."""
        return _TITLES[self.base]

    @property
    def description(self) -> str:
        """The usual words for the notation.

        >>> Notation.IDS_FROM_1.description, Notation.COORDS_COLUMN_FIRST.description
        ('ids from 1', 'coordinates from 0, column first')
        """
        text = self.words + (f" from {self.first}" if self.base in _COUNTED else "")
        return f"{text}, column first" if self.column_first else text


_TITLES = {
    Notation.GRID: "numbered board",
    Notation.IDS: "ids",
    Notation.SQUARES: "chess names",
    Notation.COORDS: "coordinates",
    Notation.MOVES: "moves",
    Notation.FACTS: "facts",
    Notation.SUCCESSORS: "successors",
    Notation.TSPLIB: "TSPLIB tour",
    Notation.HCP: "TSPLIB graph",
    Notation.JSON: "JSON",
    Notation.NPY: "NumPy array",
}
_COUNTED = {Notation.GRID, Notation.IDS, Notation.COORDS, Notation.FACTS, Notation.SUCCESSORS}
_FROM_1 = {Notation.GRID, Notation.FACTS, Notation.FACTS_COLUMN_FIRST, Notation.TSPLIB}
