"""Colours that colour-blind readers can tell apart and that differ in grey too.

The single colours are those of Okabe and Ito, *Color Universal Design* (2008), the scale is cividis
(Nuñez, Anderton and Renslow, PLoS ONE 13, 2018), whose lightness rises evenly. Wherever two colours
are close in grey, the shape or the dashes differ as well.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

INK = "#1a1a1a"
FAINT_INK = "#666666"
LIGHT = "#ffffff"
DARK = "#e3e6ea"
HOLE = "#4d4d4d"
MOVE = "#0072b2"
FAINT_MOVE = "#8ab8d6"
START = "#009e73"
END = "#b34700"
FAULT = "#d55e00"
MISSING = "#ffd98a"
VISITED = "#b9c3cc"

Colours = npt.NDArray[np.uint8]

# Cividis at nine even places, dark to light.
_SCALE = np.array(
    [
        (0, 34, 78),
        (26, 56, 111),
        (67, 78, 108),
        (97, 101, 111),
        (125, 124, 120),
        (155, 148, 118),
        (188, 174, 108),
        (222, 201, 88),
        (254, 232, 56),
    ]
)


def rgb(colour: str) -> Colours:
    """Return the three parts of a colour.

    >>> rgb("#0072b2").tolist()
    [0, 114, 178]
    """
    return np.frombuffer(bytes.fromhex(colour[1:]), dtype=np.uint8)


def hexadecimal(colour: npt.NDArray[np.number]) -> str:
    """Write the three parts of a colour as SVG and matplotlib read it.

    >>> hexadecimal(rgb("#0072b2"))
    '#0072b2'
    """
    return "#" + colour.astype(np.uint8).tobytes().hex()


def shades(values: npt.NDArray[np.floating]) -> Colours:
    """Return the colour of each value from 0 (dark) to 1 (light) on the scale.

    >>> shades(np.array([0.0, 1.0])).tolist()
    [[0, 34, 78], [254, 232, 56]]
    """
    places = np.linspace(0, 1, len(_SCALE))
    parts = [np.interp(values, places, _SCALE[:, part]) for part in range(3)]
    return np.stack(parts, axis=-1).round().astype(np.uint8)


def is_dark(colours: Colours) -> npt.NDArray[np.bool_]:
    """Tell for each colour whether white letters read better on it than black ones."""
    return np.asarray(colours @ np.array([0.299, 0.587, 0.114]) < 128)
