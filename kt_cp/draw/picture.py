"""The description of a picture, layers of shapes and words in pixels, and its text as SVG.

x runs to the right and y downwards; the first layer is the lowest. Whatever is written draws the
same layers.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from kt_cp.draw.palette import Colours
from kt_cp.errors import printable

Points = npt.NDArray[np.float64]

_LONGEST_CHAIN = 10_000


@dataclass(frozen=True, eq=False)
class Tiles:
    """Squares of one size in rows and columns, each of one colour: uint8, rows x columns x RGB."""

    x: float
    y: float
    side: float
    colours: Colours


@dataclass(frozen=True, eq=False)
class Shapes:
    """Lines between two points each, or closed polygons of more, all in the same colours.

    ``corners`` are n shapes x k points x (x, y); ``name`` says what they are, such as ``move``.
    """

    name: str
    corners: Points
    stroke: str | None = None
    width: float = 0.0
    fill: str | None = None
    dashes: tuple[float, float] | None = None

    @property
    def closed(self) -> bool:
        """Whether these are polygons."""
        return bool(self.corners.shape[1] > 2)

    def outlines(self) -> list[Points]:
        """Return the points of each polygon, or of each chain of lines.

        A line that begins where the previous one ended continues its chain. Chains are bounded,
        because matplotlib is slow with long ones.
        """
        if self.closed:
            return list(self.corners)
        tails, heads = self.corners[:, 0], self.corners[:, 1]
        breaks = np.flatnonzero((tails[1:] != heads[:-1]).any(axis=1)) + 1
        starts = np.union1d(breaks, np.arange(0, len(tails), _LONGEST_CHAIN))
        starts = np.append(starts, len(tails)).astype(int)
        return [
            np.concatenate([tails[first : first + 1], heads[first:after]])
            for first, after in itertools.pairwise(starts.tolist())
        ]


@dataclass(frozen=True, eq=False)
class Discs:
    """Circles of one radius, n x (x, y); the stroke lies inside the radius."""

    centres: Points
    radius: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, eq=False)
class Texts:
    """Words of one size, centred at the points n x (x, y) or beginning there."""

    points: Points
    words: tuple[str, ...]
    size: float
    fill: str
    centred: bool = True
    bold: bool = False


Layer = Tiles | Shapes | Discs | Texts


@dataclass(frozen=True, eq=False)
class Picture:
    """Layers on a white sheet, with a title and a text for those who cannot see it.

    ``title`` is also drawn, as a layer; here it is for the reader's programs.
    """

    width: float
    height: float
    title: str
    description: str
    layers: tuple[Layer, ...]


_FONT = "DejaVu Sans,Verdana,sans-serif"


def svg(picture: Picture) -> str:
    """Return a picture as one SVG element, in which whatever a user typed is escaped.

    >>> svg(Picture(9, 9, "a < b", "text", ()))
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9" role="img" \
style="max-width:100%;height:auto">\\n<title>a &lt; b</title>\\n<desc>text</desc>\\n\
<rect width="9" height="9" fill="#fff"/>\\n</svg>\\n'
    """
    width, height = _number(picture.width), _number(picture.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" style="max-width:100%;height:auto">\n'
        f"<title>{_text(picture.title)}</title>\n<desc>{_text(picture.description)}</desc>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
    )
    return "\n".join([head, *map(_layer, picture.layers), "</svg>\n"])


def _layer(layer: Layer) -> str:
    match layer:
        case Tiles():
            return _tiles(layer)
        case Shapes():
            return _shapes(layer)
        case Discs():
            return _discs(layer)
        case Texts():
            return _texts(layer)


def _tiles(tiles: Tiles) -> str:
    """Draw one path for each colour, with one rectangle for squares side by side."""
    rows, columns, _ = tiles.colours.shape
    keys = tiles.colours.astype(np.int64) @ [1 << 16, 1 << 8, 1]
    changes = np.ones((rows, columns), dtype=np.bool_)
    changes[:, 1:] = keys[:, 1:] != keys[:, :-1]
    starts = np.flatnonzero(changes)
    lengths = np.diff(starts, append=rows * columns)
    runs: dict[int, list[str]] = {}
    for key, start, length in zip(
        keys.ravel()[starts].tolist(), starts.tolist(), lengths.tolist(), strict=True
    ):
        row, column = divmod(start, columns)
        runs.setdefault(key, []).append(f"M{column} {row}h{length}v1h-{length}z")
    place = f"translate({_number(tiles.x)} {_number(tiles.y)}) scale({_number(tiles.side)})"
    paths = (f'<path fill="#{key:06x}" d="{"".join(run)}"/>' for key, run in runs.items())
    return f'<g transform="{place}" shape-rendering="crispEdges">{"".join(paths)}</g>'


def _shapes(shapes: Shapes) -> str:
    end = "z" if shapes.closed else ""
    path = "".join(f"M{'L'.join(map(_pair, points.tolist()))}{end}" for points in shapes.outlines())
    paint = _paint(shapes)
    if shapes.stroke:
        paint += ' stroke-linejoin="round" stroke-linecap="round"'
    if shapes.dashes:
        paint += f' stroke-dasharray="{_pair(shapes.dashes)}"'
    return f'<path class="{shapes.name}" {paint} d="{path}"/>'


def _discs(discs: Discs) -> str:
    radius = _number(discs.radius - discs.width / 2)
    circles = (
        f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{radius}"/>'
        for x, y in discs.centres.tolist()
    )
    return f"<g {_paint(discs)}>{''.join(circles)}</g>"


def _texts(texts: Texts) -> str:
    weight = ' font-weight="bold"' if texts.bold else ""
    anchor = "middle" if texts.centred else "start"
    words = (
        f'<text x="{_number(x)}" y="{_number(y)}" dy=".35em">{_text(word)}</text>'
        for (x, y), word in zip(texts.points.tolist(), texts.words, strict=True)
    )
    return (
        f'<g font-family="{_FONT}" font-size="{_number(texts.size)}"{weight} '
        f'text-anchor="{anchor}" fill="{texts.fill}">{"".join(words)}</g>'
    )


def _paint(layer: Shapes | Discs) -> str:
    stroke = f' stroke="{layer.stroke}" stroke-width="{_number(layer.width)}"'
    return f'fill="{layer.fill or "none"}"{stroke if layer.stroke else ""}'


def _text(words: str) -> str:
    return escape(printable(words))


def _pair(point: Points | tuple[float, float]) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
