"""The options of a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from numbers import Real

from kt_cp.board import KNIGHT, Board
from kt_cp.draw.palette import Theme
from kt_cp.draw.paper import Paper
from kt_cp.messages import InputError, checked_choice, checked_flag, checked_number, show_number
from kt_cp.puzzles.words import ENGLISH, Words


class Style(StrEnum):
    """The style of a picture of a tour: a line, the order of its squares, or features."""

    LINES = "lines"
    NUMBERS = "numbers"
    ARROWS = "arrows"
    ORDER = "order"
    HEAT = "heat"
    FILLED = "filled"
    CROSSINGS = "crossings"
    ANGLES = "angles"
    WEAVE = "weave"


@dataclass(frozen=True)
class Look:
    """The options of a picture.

    ``style`` is that of tours; graphs have lines, numbers, arrows and order. ``heat`` is another
    name for ``order``. ``title``
    replaces the usual caption, and an empty one omits it. ``first`` is the number that is written
    for step 1. ``paper`` is that of a PDF, which otherwise is as large as the picture; it is a
    `Paper` or its name. ``words`` has the texts of puzzles; it is `Words` or a language's code.
    ``number_scale`` enlarges the numbers in squares, for a narrow typeface. Raises `InputError` for
    an invalid value, such as an unknown style.
    """

    style: Style = Style.LINES
    title: str | None = None
    legend: bool = True
    coordinates: bool = True
    first: int = 1
    theme: Theme = Theme.AUTO
    paper: Paper | None = None
    words: Words = ENGLISH
    number_scale: float = 1.0

    def __post_init__(self) -> None:
        style = checked_choice("style", self.style, Style)
        if style is Style.HEAT:
            style = Style.ORDER
        object.__setattr__(self, "style", style)
        object.__setattr__(self, "theme", checked_choice("theme", self.theme, Theme))
        if not isinstance(self.title, str | None):
            raise InputError(f"title {self.title!r}: give text, or None for the usual caption")
        object.__setattr__(self, "legend", checked_flag("legend", self.legend))
        object.__setattr__(self, "coordinates", checked_flag("coordinates", self.coordinates))
        object.__setattr__(self, "first", checked_number("first", self.first, 0))
        object.__setattr__(self, "paper", Paper.of(self.paper))
        object.__setattr__(self, "words", Words.of(self.words))
        object.__setattr__(self, "number_scale", _checked_scale(self.number_scale))


def _checked_scale(value: object) -> float:
    """Return the scale of numbers. Raises `InputError` unless it is a finite number above 0."""
    if isinstance(value, Real) and not isinstance(value, bool):
        scale = float(value)
        if 0 < scale < math.inf:
            return scale
    raise InputError(f"number_scale {show_number(value)}: give a number above 0")


USUAL = Look()
"""The default look."""


def bare_look(theme: Theme, words: Words = ENGLISH) -> Look:
    """Return the look of boards without captions and names, for printed pages with their own text.

    Numbers are larger than on screens, since the figures of the typeface of print are narrower.
    """
    return Look(
        title="", legend=False, coordinates=False, theme=theme, words=words, number_scale=1.18
    )


def glyph(board: Board) -> str:
    """Return the character that stands for the piece of a board."""
    return "♞" if board.piece == KNIGHT else "●"
