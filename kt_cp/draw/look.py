"""How pictures look: their options, their typefaces, and the colors of all pages, by their roles.

Lines have a contrast of at least 3:1 to the colors below them, and text of 4.5:1 (WCAG 2.2; the
tests compute it). Colors also differ in lightness, shape or dashes, for color-blind eyes and gray
print.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from kt_cp.board import KNIGHT, Board
from kt_cp.messages import (
    InputError,
    checked_choice,
    checked_class,
    checked_flag,
    checked_number,
    escape_unprintable,
)
from kt_cp.puzzles.words import ENGLISH, Words

PICTURE_SUFFIXES = (".svg", ".png", ".pdf", ".html")
"""The suffixes of files for pictures that do not move."""

TOUR_SUFFIXES = (*PICTURE_SUFFIXES, ".gif")
"""The suffixes of files for tours of boards, which can be animated too."""


class Style(StrEnum):
    """The style of a picture of a tour: a line, the order of its squares, or features."""

    LINES = "lines"
    NUMBERS = "numbers"
    ARROWS = "arrows"
    ORDER = "order"
    FILLED = "filled"
    CROSSINGS = "crossings"
    ANGLES = "angles"
    WEAVE = "weave"


class Theme(StrEnum):
    """The colors of a picture.

    ``auto`` is light, and dark where the reader's screen is dark. ``gray`` is for print in black
    and white: text, lines and clues are black, without halftone dots, other colors are the grays as
    light as those of ``light``, and angles get lighter from the smallest to the largest.
    """

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"
    WOOD = "wood"
    GRAY = "gray"


@dataclass(frozen=True)
class Paper:
    """A sheet of paper; its sides are in millimeters.

    Raises `InputError` unless both sides are from 50 to 2,000 mm.
    """

    width: float
    height: float

    def __post_init__(self) -> None:
        if not all(50 <= side <= 2_000 for side in (self.width, self.height)):
            sides = f"{self.width:g}x{self.height:g}mm"
            raise InputError(f"paper {sides}: sides are from 50 to 2,000 mm")

    @classmethod
    def of(cls, value: Paper | str) -> Paper:
        """Return a paper, given as one or as text: ``a0`` to ``a5``, ``letter`` or ``WxHmm``.

        Raises `InputError` for any other value.

        >>> Paper.of("a5"), Paper.of("297x210mm")
        (Paper(width=148, height=210), Paper(width=297.0, height=210.0))
        """
        wanted = "a0 to a5, letter, or a size as 210x297mm"
        if not isinstance(value, str):
            return checked_class(value, Paper, wanted)
        name = value.strip().lower()
        if name in NAMED_PAPERS:
            return NAMED_PAPERS[name]
        sides = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)x(\d{1,6}(?:\.\d{1,3})?)(?:mm)?", name)
        if sides is None:
            raise InputError(f"paper {escape_unprintable(value)!r}: give {wanted}")
        return cls(float(sides[1]), float(sides[2]))

    def margin(self, most: float) -> float:
        """Return a margin in millimeters: at most ``most``, and less on small paper."""
        return min(most, 0.07 * min(self.width, self.height))


_A_SIDES = (1189, 841, 594, 420, 297, 210, 148)
NAMED_PAPERS: Final = {
    "letter": Paper(215.9, 279.4),
    **{
        f"a{size}": Paper(width, height)
        for size, (height, width) in enumerate(itertools.pairwise(_A_SIDES))
    },
}
"""The papers that have a name, upright."""


@dataclass(frozen=True)
class Look:
    """The options of a picture.

    ``style`` is that of tours; graphs have lines, numbers, arrows and order. ``title`` replaces the
    usual caption, and an empty one omits it. ``first`` is the number that is written for step 1.
    ``paper`` is that of a PDF, which otherwise is as large as the picture; it is a `Paper` or its
    name. ``words`` has the texts of puzzles; it is `Words` or a language's code. A
    ``printed`` picture is written in the typeface of print, whose letters are narrower, as in PNG,
    PDF and GIF. Raises `InputError` for an invalid value, such as an unknown style.
    """

    style: Style = Style.LINES
    title: str | None = None
    legend: bool = True
    coordinates: bool = True
    first: int = 1
    theme: Theme = Theme.AUTO
    paper: Paper | None = None
    words: Words = ENGLISH
    printed: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.title, str | None):
            raise InputError(f"title {self.title!r}: give text, or None for the usual caption")
        checked = {
            "style": checked_choice("style", self.style, Style),
            "theme": checked_choice("theme", self.theme, Theme),
            "legend": checked_flag("legend", self.legend),
            "coordinates": checked_flag("coordinates", self.coordinates),
            "first": checked_number("first", self.first, 0),
            "paper": None if self.paper is None else Paper.of(self.paper),
            "words": Words.of(self.words),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def number_scale(self) -> float:
        """The enlargement of numbers in squares, as the figures of print are narrower."""
        return 1.18 if self.printed else 1.0


USUAL = Look()
"""The default look."""


def bare_look(theme: Theme, words: Words = ENGLISH) -> Look:
    """Return the look of boards without captions and names, for print with text of its own."""
    return Look(title="", legend=False, coordinates=False, theme=theme, words=words, printed=True)


PRINT_FACE = "Source Sans 3"
"""The typeface whose figures have equal widths; the folder ``fonts`` has it, for print."""

FACES = f"'{PRINT_FACE}','DejaVu Sans',Verdana"
"""The typefaces of pictures and pages, the first of which that is installed is used."""


# The widths of the characters from the blank to ~ in DejaVu Sans, the usual one on screens, and in
# Source Sans 3, that of print, in hundredths of the size of the font, as bytes. Other letters are
# as wide as a digit.
_WIDTHS, _PRINTED_WIDTHS = (
    bytes.fromhex(
        "20282e54405f4e1b272732542024202240404040404040404040222254545435644445464d3f3a4d"
        "4b1d1d4238564b4f3c4f453f3d494463453d452722275432323d3f373f3e233f3f1c1c3a1c613f3d"
        "3f3f2934273f3b523b3b3440224054"
    ),
    bytes.fromhex(
        "141d2b3232533d191f1f2a32192019233232323232323232323219193232322b55373b3a3e35323e"
        "421b303a31494143394339363641344f3430361f231f32323733382e38321e33371919321a533737"
        "3838232a22372f482d2f2b1f191f32"
    ),
)


def text_width(text: str, printed: bool = False) -> float:
    """Return the width of a text on a screen or in print, relative to the size of its font.

    Chinese, Japanese and Korean letters are as wide as the font is high.

    >>> text_width("路 path")
    3.58
    """
    widths = _PRINTED_WIDTHS if printed else _WIDTHS
    width = 0
    for letter in text:
        if " " <= letter <= "~":
            width += widths[ord(letter) - ord(" ")]
        elif unicodedata.east_asian_width(letter) in ("W", "F"):
            width += 100
        else:
            width += widths[ord("0") - ord(" ")]
    return width / 100


def glyph(board: Board) -> str:
    """Return the character that stands for the piece of a board."""
    return "♞" if board.piece == KNIGHT else "●"


# -- colors ----------------------------------------------------------------------------------------

# The column of each theme in the tables; `auto` is light, and dark colors are added to it.
_THEME_COLUMNS = {Theme.AUTO: 0, Theme.LIGHT: 0, Theme.DARK: 1, Theme.WOOD: 2}

ROLES: dict[str, tuple[str, str, str]] = {
    # grounds
    "paper": ("#ffffff", "#16191e", "#fdf6e9"),
    "light": ("#fefefe", "#1c2026", "#f3ddb8"),
    "dark": ("#eff1f4", "#262b33", "#e3c391"),
    "hole": ("#d5d9df", "#0b0d10", "#c9a877"),
    # lines and text
    "ink": ("#1f2328", "#e8eaed", "#2b1a0c"),
    "muted": ("#5b626c", "#a3abb6", "#654a2c"),
    "line": ("#1d3f66", "#c3d8ef", "#4d2408"),
    "faint": ("#848b95", "#79828e", "#866441"),
    "start": ("#00704f", "#4fd6a8", "#005e42"),
    "end": ("#7338b0", "#c9a3ff", "#5b2a8c"),
    "fault": ("#bf2a06", "#ff8f6b", "#9c2300"),
    "given": ("#0b559f", "#85bdf5", "#0a4685"),
    # lines of paths, each upon the tint of a group
    "path-1": ("#1d4068", "#8ec5f5", "#123a63"),
    "path-2": ("#00583e", "#6fdcb4", "#005238"),
    "path-3": ("#6b5200", "#e5d65c", "#5f4700"),
    "path-4": ("#7d2455", "#f0a5d0", "#701a48"),
    "path-5": ("#663c12", "#e8bd94", "#54300c"),
    # fills, which hold text in ink
    "visited": ("#d3e4f4", "#2b4763", "#cfd3c0"),
    "missing": ("#ffe3a6", "#5d4812", "#ffd98a"),
    "removed": ("#f7b267", "#7d4f14", "#ee9f4c"),
    "chess-dark": ("#a8d4f2", "#1d2127", "#a8cfe4"),
    "chess-light": ("#fdfdfd", "#2f5f83", "#f4ddb8"),
    "interior": ("#cfdeee", "#2c3d51", "#d9ab6c"),
    "group-1": ("#a9d4f2", "#254f6e", "#a9cfe4"),
    "group-2": ("#a3dcc5", "#1f5a46", "#a5d2b2"),
    "group-3": ("#f3ec9d", "#57521d", "#f1e78c"),
    "group-4": ("#e2b9d2", "#65385a", "#e0b2c4"),
    "group-5": ("#d3b79c", "#5b4634", "#c9a27e"),
    "angle-37": ("#f08a4b", "#8f4113", "#f08a4b"),
    "angle-53": ("#f6bd4f", "#775309", "#f6bd4f"),
    "angle-90": ("#f5ee86", "#55511b", "#f5ee86"),
    "angle-127": ("#a8dcfa", "#1f5878", "#a8dcfa"),
    "angle-143": ("#7fb2ea", "#274b86", "#7fb2ea"),
    "angle-180": ("#c9cdd4", "#4a505a", "#c9cdd4"),
}
"""The colors of each role in the themes light, dark and wood."""

GROUPS = tuple(role for role in ROLES if role.startswith("group"))
"""The fills of groups of squares, such as the components that a separator leaves."""

PATHS = tuple(role for role in ROLES if role.startswith("path"))
"""The lines of paths, each to be drawn upon the fill of the same number in `GROUPS`."""

# The grays of roles in the theme `gray` which are not those of their colors. Angles differ in
# lightness alone; all are light enough for black text.
_GRAYS = {
    **dict.fromkeys(("ink", "line", "given", "start", "end", *PATHS), "#000000"),
    "angle-37": "#828282",
    "angle-53": "#9f9f9f",
    "angle-90": "#b8b8b8",
    "angle-127": "#d0d0d0",
    "angle-143": "#e7e7e7",
    "angle-180": "#ffffff",
}

SHADES = 64
"""The number of shades of each of the two scales for the order of a tour."""

# Colors of the scales at equal distances, for each theme: light, dark and wood.
#
# For open tours, from the scale plasma of matplotlib (Smith and van der Walt 2015), whose lightness
# rises evenly, the part that is dark enough on light boards, light enough on dark boards, and dark
# enough on wood. For closed tours, once around the hues of OKLCH (Ottosson 2020), where equal
# distances look alike; the last color is the first one.
_SCALES = {
    "order": (
        "0d0887 3b049a 5c01a6 7e03a8 9a169f b12a90 c43e7f d14e72 d8576b",
        "c8459b d2527f dc6070 e66c5c ee7b51 f68d45 fca636 fcc626 f0f921",
        "0d0887 2f0596 4b03a1 6600a7 8004a8 930f9f a51f97 b12a82 b8326e",
    ),
    "cycle": (
        "051969 2b1069 481066 681860 882655 a33944 b4502a b56600 a67700 868100 568114 007838 "
        "00684d 00535a 003d62 002967 051969",
        "5d7dc8 8077c7 a478c4 c87fbd e98db2 ff9fa3 ffb493 ffc885 ffd87d e2e07f b6e08b 81d79a "
        "46c6aa 00b2b6 009dbf 358bc5 5d7dc8",
        "071b5d 27145c 401459 5a1953 74234a 8a323b 974426 985600 8b6500 716d00 496d16 006631 "
        "005943 00494e 003756 00275b 071b5d",
    ),
}
_SHADE = re.compile(r"(order|cycle)-(\d{1,2})", re.ASCII)


def color(role: str, theme: Theme = Theme.LIGHT) -> str:
    """Return the color of a role in a theme as ``#rrggbb``.

    ``order-0`` to ``order-63`` are shades of a scale, and ``cycle-0`` to ``cycle-63`` those of a
    cyclic scale, whose last shade is similar to the first one. Raises `KeyError` for any other role
    that is not in `ROLES`.

    >>> color("line"), color("order-0"), color("paper", Theme.DARK)
    ('#1d3f66', '#0d0887', '#16191e')
    """
    if theme is Theme.GRAY:
        return _GRAYS.get(role) or _gray(color(role))
    column = _THEME_COLUMNS[theme]
    if role in ROLES:
        return ROLES[role][column]
    match = _SHADE.fullmatch(role)
    if match is None or int(match[2]) >= SHADES:
        raise KeyError(role)
    scale = match[1]
    shade = int(match[2])
    stops = [_channels(each) for each in _SCALES[scale][column].split()]
    share = shade / (SHADES if scale == "cycle" else SHADES - 1)
    places = np.linspace(0, 1, len(stops))
    return _hex([np.interp(share, places, channel) for channel in zip(*stops, strict=True)])


def _gray(shade: str) -> str:
    """Return the gray with the relative luminance (WCAG 2.2) of a color, both as ``#rrggbb``."""
    channels = np.array(_channels(shade[1:])) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    light = float(linear @ [0.2126, 0.7152, 0.0722])
    encoded = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return _hex([255 * encoded] * 3)


def _channels(shade: str) -> tuple[int, ...]:
    """Return red, green and blue, from 0 to 255, of ``rrggbb``."""
    return tuple(bytes.fromhex(shade))


def _hex(channels: Sequence[float]) -> str:
    return "#" + bytes(round(channel) for channel in channels).hex()


def dark_style(roles: Iterable[str], selector: str) -> str:
    """Return CSS that recolors a drawing in the light theme where the reader's screen is dark.

    ``roles`` are those of the fills and strokes in the drawing, and ``selector`` selects it.
    """
    rules = [
        f'{selector} [{paint}="{color(role)}"]{{{paint}:{color(role, Theme.DARK)}}}'
        for role in dict.fromkeys(roles)
        for paint in ("fill", "stroke")
    ]
    return f"@media (prefers-color-scheme:dark){{{''.join(rules)}}}"


def css_variables(theme: Theme = Theme.AUTO, faces: str = "sans-serif") -> str:
    """Return CSS for a page that defines a variable for each role, such as ``--line``.

    ``--face`` are the typefaces, the last of which are ``faces``; ``--frame`` is the border of a
    part of a page, and ``--radius`` that of its corners.
    """
    scheme = {Theme.AUTO: "light dark", Theme.DARK: "dark"}.get(theme, "light")
    light, dark = (
        "".join(f"--{role}:{color(role, each)};" for role in ROLES) for each in (theme, Theme.DARK)
    )
    shared = f"--face:{FACES},{faces};--radius:0.4rem;--frame:1px solid var(--faint);"
    rules = f":root{{color-scheme:{scheme};{shared}{light}}}"
    if theme is Theme.AUTO:
        rules += f"\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return rules
