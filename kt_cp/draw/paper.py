"""The paper on which pictures and books are printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kt_cp.messages import InputError, checked_class, escape_unprintable

_MIN_SIDE = 50.0  # millimeters
_MAX_SIDE = 2_000.0  # millimeters; more than the longer side of A0


@dataclass(frozen=True)
class Paper:
    """A sheet of paper; its sides are in millimeters.

    Raises `InputError` unless both sides are from 50 to 2,000 mm.
    """

    width: float
    height: float

    def __post_init__(self) -> None:
        if not all(_MIN_SIDE <= side <= _MAX_SIDE for side in (self.width, self.height)):
            sides = f"{self.width:g}x{self.height:g}mm"
            raise InputError(f"paper {sides}: sides are from {_MIN_SIDE:g} to {_MAX_SIDE:,g} mm")

    @classmethod
    def parse(cls, text: str) -> Paper:
        """Return the paper of a name or of a size: ``a4``, ``a5``, ``letter`` or ``WxHmm``.

        Raises `InputError` for any other text.

        >>> Paper.parse("a5"), Paper.parse("297x210mm")
        (Paper(width=148, height=210), Paper(width=297.0, height=210.0))
        """
        lower = text.strip().lower()
        if lower in NAMED_PAPERS:
            return NAMED_PAPERS[lower]
        sides = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)x(\d{1,6}(?:\.\d{1,3})?)(?:mm)?", lower)
        if sides is None:
            names = ", ".join(NAMED_PAPERS)
            raise InputError(
                f"paper {escape_unprintable(text)!r}: give {names}, or a size as 210x297mm"
            )
        return cls(float(sides[1]), float(sides[2]))

    @classmethod
    def of(cls, value: Paper | str | None) -> Paper | None:
        """Return a paper, given as one or as text that `parse` reads; None stays None.

        Raises `InputError` for a value of another kind.
        """
        if isinstance(value, str):
            return cls.parse(value)
        if value is None:
            return None
        names = ", ".join(NAMED_PAPERS)
        return checked_class(value, Paper, f"{names}, or a size as 210x297mm")

    @property
    def margin(self) -> float:
        """The margin of a page of a book, in millimeters."""
        return min(15.0, 0.07 * min(self.width, self.height))

    @property
    def narrow_margin(self) -> float:
        """The margin of a picture that fills the paper, in millimeters: printers need some 5 mm."""
        return min(8.0, 0.07 * min(self.width, self.height))


NAMED_PAPERS: Final = {
    "a4": Paper(210, 297),
    "a5": Paper(148, 210),
    "letter": Paper(215.9, 279.4),
}
"""The papers that have a name, upright."""
