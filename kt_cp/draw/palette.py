"""The colors of all pictures and pages, by their roles, in several themes.

Lines have a contrast of at least 3:1 to the colors below them, and text of 4.5:1 (WCAG 2.2; the
tests compute it). Colors also differ in lightness, shape or dashes, for color-blind eyes and gray
print.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt


class Theme(StrEnum):
    """The colors of a picture.

    ``auto`` is light, and dark where the reader's screen is dark. ``gray`` is for print in black
    and white: text, lines and clues are black, without halftone dots, and other colors are the
    grays as light as those of ``light``.
    """

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"
    WOOD = "wood"
    GRAY = "gray"


# The column of each theme in the table `ROLES`; `auto` is light, and dark colors are added to it.
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

# The roles that are black in the theme `gray`.
_BLACK = frozenset({"ink", "line", "given", "start", "end", *PATHS})

SHADES = 64
"""The number of shades of each of the two scales for the order of a tour."""

_SHADE = re.compile(r"(order|cycle)-(\d{1,2})", re.ASCII)

# From the scale plasma of matplotlib (Smith and van der Walt 2015), whose lightness rises evenly,
# the part that is dark enough on light boards, the one that is light enough on dark boards, and the
# one that is dark enough on wood.
_SCALES = tuple(
    np.frombuffer(bytes.fromhex(shades), dtype=np.uint8).reshape(-1, 3)
    for shades in (
        "0d0887 3b049a 5c01a6 7e03a8 9a169f b12a90 c43e7f d14e72 d8576b",
        "c8459b d2527f dc6070 e66c5c ee7b51 f68d45 fca636 fcc626 f0f921",
        "0d0887 2f0596 4b03a1 6600a7 8004a8 930f9f a51f97 b12a82 b8326e",
    )
)

# The cyclic scale for closed tours runs once around the hues of OKLCH (Ottosson 2020), where equal
# distances look alike. There is a row for each theme, light, dark and wood: the lightness at the
# first shade and half-way, and the chroma.
_CYCLES = ((0.27, 0.60, 0.14), (0.60, 0.90, 0.12), (0.26, 0.53, 0.12))
_FIRST_HUE = 265.0  # blue, in degrees

# From OKLab to the responses of the three kinds of cones, and from their cubes to linear sRGB.
_LAB_TO_CONES = np.array(
    [[0.3963377774, 0.2158037573], [-0.1055613458, -0.0638541728], [-0.0894841775, -1.2914855480]]
)
_CONES_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)

# The weights of linear red, green and blue in the relative luminance.
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def color(role: str, theme: Theme = Theme.LIGHT) -> str:
    """Return the color of a role in a theme as ``#rrggbb``.

    ``order-0`` to ``order-63`` are shades of a scale, and ``cycle-0`` to ``cycle-63`` those of a
    cyclic scale, whose last shade is similar to the first one. Raises `KeyError` for any other role
    that is not in `ROLES`.

    >>> color("line"), color("order-0"), color("paper", Theme.DARK)
    ('#1d3f66', '#0d0887', '#16191e')
    """
    if theme is Theme.GRAY:
        return "#000000" if role in _BLACK else _gray(color(role))
    column = _THEME_COLUMNS[theme]
    if role in ROLES:
        return ROLES[role][column]
    match = _SHADE.fullmatch(role)
    if match is None or int(match[2]) >= SHADES:
        raise KeyError(role)
    scale, shade = match[1], int(match[2])
    return _cyclic_color(shade, column) if scale == "cycle" else _ordered_color(shade, column)


def _ordered_color(shade: int, column: int) -> str:
    """Return a color of the scale for open tours, interpolated between colors of the table."""
    scale = _SCALES[column]
    position = shade / (SHADES - 1) * (len(scale) - 1)
    return _hex([np.interp(position, range(len(scale)), channel) for channel in scale.T])


def _cyclic_color(shade: int, column: int) -> str:
    """Return a color of the scale for closed tours."""
    darkest, lightest, chroma = _CYCLES[column]
    share = shade / SHADES
    lightness = darkest + (lightest - darkest) * (1 - math.cos(2 * math.pi * share)) / 2
    hue = math.radians(_FIRST_HUE + 360 * share)
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    cones = lightness + _LAB_TO_CONES @ [a, b]
    linear = np.clip(_CONES_TO_RGB @ cones**3, 0, 1)
    return _hex(255 * _encoded(linear))


def _gray(shade: str) -> str:
    """Return the gray with the relative luminance (WCAG 2.2) of a color, both as ``#rrggbb``."""
    channels = np.frombuffer(bytes.fromhex(shade[1:]), dtype=np.uint8) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = linear @ _LUMINANCE
    return _hex(255 * _encoded(np.full(3, luminance)))


def _encoded(linear: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return channels of sRGB, gamma-encoded, for linear ones; both are from 0 to 1."""
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def _hex(channels: npt.NDArray[np.float64] | Sequence[float]) -> str:
    """Return red, green and blue, from 0 to 255, as ``#rrggbb``."""
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


def css_variables(theme: Theme = Theme.AUTO) -> str:
    """Return CSS for a page that defines a variable for each role, such as ``--line``."""
    scheme = {Theme.AUTO: "light dark", Theme.DARK: "dark"}.get(theme, "light")
    rules = f":root{{color-scheme:{scheme};{_declarations(theme)}}}"
    if theme is Theme.AUTO:
        dark = _declarations(Theme.DARK)
        rules += f"\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return rules


def _declarations(theme: Theme) -> str:
    """Return the definition of a CSS variable for each role."""
    return "".join(f"--{role}:{color(role, theme)};" for role in ROLES)
