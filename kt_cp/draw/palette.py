"""Colours that colour-blind readers can tell apart and that differ in grey too.

The single colours are those of Okabe and Ito, *Color Universal Design* (2008); the scale is cividis
(Nuñez, Anderton and Renslow, PLoS ONE 13, 2018), whose lightness rises evenly. Wherever two colours
are close in grey, the shape, the dashes or a letter differ as well.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

INK = "#1a1a1a"
FAINT_INK = "#666666"
LIGHT = "#ffffff"
DARK = "#e3e6ea"
HOLE = "#a3a3a3"
MOVE = "#0072b2"
START = "#009e73"
END = "#b34700"
FAULT = "#d55e00"
MISSING = "#ffd98a"
VISITED = "#b3d4ee"
FIRST_GROUP = "#e69f00"
ANGLES = ("#d95f02", "#e69f00", "#f0e442", "#8fd0f5", "#005a94", "#1a1a1a")
GROUPS = ("#8fd0f5", "#7fd1b6", "#f4ee8e", "#dba3c4", "#c9a27e")

Colours = npt.NDArray[np.uint8]


def rgb(colour: str) -> Colours:
    """Return the red, green and blue parts of a colour.

    >>> rgb("#0072b2").tolist()
    [0, 114, 178]
    """
    return np.frombuffer(bytes.fromhex(colour[1:]), dtype=np.uint8)


def hexadecimal(colour: npt.NDArray[np.number]) -> str:
    """Return a colour, given by its parts, as SVG and matplotlib read it.

    >>> hexadecimal(rgb("#0072b2"))
    '#0072b2'
    """
    return "#" + colour.astype(np.uint8).tobytes().hex()


# Cividis at nine even places, dark to light.
_SCALE = np.frombuffer(
    bytes.fromhex("00224e 1a386f 434e6c 61656f 7d7c78 9b9476 bcae6c dec958 fee838"), dtype=np.uint8
).reshape(-1, 3)


def shades(values: npt.NDArray[np.floating]) -> Colours:
    """Return the colour of each value from 0 (dark) to 1 (light) on the scale.

    >>> shades(np.array([0.0, 1.0])).tolist()
    [[0, 34, 78], [254, 232, 56]]
    """
    places = np.linspace(0, 1, len(_SCALE))
    parts = [np.interp(values, places, _SCALE[:, part]) for part in range(3)]
    return np.stack(parts, axis=-1).round().astype(np.uint8)


def lightness(colours: Colours) -> npt.NDArray[np.float64]:
    """Return how light each colour looks, from 0 (black) to 255 (white)."""
    return np.asarray(colours @ np.array([0.299, 0.587, 0.114]))


def grey(colours: Colours) -> Colours:
    """Return for each colour the grey of the same lightness."""
    return np.repeat(lightness(colours)[..., None], 3, axis=-1).round().astype(np.uint8)


def printed(colour: str) -> str:
    """Return the grey of a line or letter in monochrome: black for a colour that stands out.

    >>> printed(FAULT), printed("#fee838")
    ('#1a1a1a', '#dbdbdb')
    """
    return INK if colour in (MOVE, START, END, FAULT) else hexadecimal(grey(rgb(colour)))
