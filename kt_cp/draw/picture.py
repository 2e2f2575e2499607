"""The description of a picture, layers of shapes and words in pixels, and its text as SVG.

x runs to the right and y downwards; the first layer is the lowest. A color is a role of
`kt_cp.draw.palette`, so that one description can be written in every theme.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from kt_cp.draw import palette
from kt_cp.draw.palette import Theme
from kt_cp.errors import printable

Points = npt.NDArray[np.float64]

_FONT = "DejaVu Sans,Verdana,sans-serif"


@dataclass(frozen=True, eq=False)
class Tiles:
    """Squares of one size in rows and columns: for each its place in ``fills``, -1 for none."""

    x: float
    y: float
    side: float
    kinds: npt.NDArray[np.int8]
    fills: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Shapes:
    """Lines between two points each, or closed polygons of more, all in the same colors.

    ``corners`` are n shapes x k points x (x, y); ``name`` says what they are, such as ``move``. A
    line that begins where the previous one ended continues it.
    """

    name: str
    corners: Points
    stroke: str | None = None
    width: float = 0.0
    fill: str | None = None
    dashes: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Discs:
    """Circles of one radius, n x (x, y); the stroke lies inside the radius."""

    centers: Points
    radius: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, eq=False)
class Texts:
    """Words of one size, centered at the points n x (x, y) or beginning there."""

    points: Points
    words: tuple[str, ...]
    size: float
    fill: str
    centered: bool = True
    bold: bool = False


Layer = Tiles | Shapes | Discs | Texts


@dataclass(frozen=True, eq=False)
class Picture:
    """Layers on a sheet, with a caption and a text for those who cannot see it.

    ``caption`` is also drawn, as a layer; here it is for the reader's programs. The board's top
    left corner is at ``corner``, and its squares have the side ``cell``, so that a page can put
    controls over them.
    """

    width: float
    height: float
    caption: str
    description: str
    layers: tuple[Layer, ...]
    theme: Theme = Theme.AUTO
    corner: tuple[float, float] = (0, 0)
    cell: float = 0

    def color(self, role: str | None) -> str:
        """Return a color as SVG reads it."""
        return palette.color(role, self.theme) if role else "none"

    def roles(self) -> Iterator[str]:
        """Yield the roles of all colors, in the order of the layers."""
        yield "paper"
        for layer in self.layers:
            if isinstance(layer, Tiles):
                yield from layer.fills
            else:
                yield from filter(None, [layer.fill, getattr(layer, "stroke", None)])


def svg(picture: Picture, static: bool = False) -> str:
    """Return a picture as one SVG element, in which whatever a user typed is escaped.

    With the theme ``auto`` it follows the colors of the reader's screen, unless it is ``static``.

    >>> svg(Picture(9, 9, "a < b", "text", (), Theme.LIGHT))
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9" role="img" \
class="kt" style="max-width:100%;height:auto">\\n<title>a &lt; b</title>\\n<desc>text</desc>\\n\
<rect width="9" height="9" fill="#ffffff"/>\\n</svg>\\n'
    """
    width, height = _number(picture.width), _number(picture.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" class="kt" '
        'style="max-width:100%;height:auto">',
        f"<title>{_text(picture.caption)}</title>\n<desc>{_text(picture.description)}</desc>",
    ]
    if picture.theme is Theme.AUTO and not static:
        lines.append(f"<style>{palette.style_sheet(picture.roles(), '.kt')}</style>")
    lines.append(f'<rect width="{width}" height="{height}" fill="{picture.color("paper")}"/>')
    return "\n".join([*lines, *(_element(picture, each) for each in picture.layers), "</svg>\n"])


def _element(picture: Picture, layer: Layer) -> str:
    match layer:
        case Tiles():
            return _tiles(picture, layer)
        case Shapes():
            return _shapes(picture, layer)
        case Texts():
            return _texts(picture, layer)
        case Discs():
            radius = _number(layer.radius - layer.width / 2)
            circles = (
                f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{radius}"/>'
                for x, y in layer.centers.tolist()
            )
            return f"<g {_paint(picture, layer)}>{''.join(circles)}</g>"


def _tiles(picture: Picture, tiles: Tiles) -> str:
    """Draw one path for each color, with one rectangle for squares side by side."""
    rows, columns = tiles.kinds.shape
    changes = np.ones((rows, columns), dtype=np.bool_)
    changes[:, 1:] = tiles.kinds[:, 1:] != tiles.kinds[:, :-1]
    starts = np.flatnonzero(changes)
    lengths = np.diff(starts, append=rows * columns)
    runs: dict[int, list[str]] = {}
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        row, column = divmod(start, columns)
        run = f"M{column} {row}h{length}v1h-{length}z"
        runs.setdefault(int(tiles.kinds[row, column]), []).append(run)
    place = f"translate({_pair((tiles.x, tiles.y))}) scale({_number(tiles.side)})"
    paths = (
        f'<path fill="{picture.color(tiles.fills[kind])}" d="{"".join(run)}"/>'
        for kind, run in runs.items()
        if kind >= 0
    )
    return f'<g transform="{place}" shape-rendering="crispEdges">{"".join(paths)}</g>'


def _shapes(picture: Picture, shapes: Shapes) -> str:
    paint = _paint(picture, shapes)
    if shapes.fill:
        paint += ' fill-rule="evenodd"'
    if shapes.stroke:
        paint += ' stroke-linejoin="round" stroke-linecap="round"'
    if shapes.dashes:
        paint += f' stroke-dasharray="{_pair(shapes.dashes)}"'
    is_closed = shapes.corners.shape[1] > 2
    parts: list[str] = []
    end: tuple[float, ...] | None = None
    for first, *rest in shapes.corners.tolist():
        parts += [] if first == end else [f"M{_pair(first)}"]
        parts += [f"L{_pair(point)}" for point in rest]
        parts += ["z"] if is_closed else []
        end = None if is_closed else rest[-1]
    return f'<path class="{shapes.name}" {paint} d="{"".join(parts)}"/>'


def _texts(picture: Picture, texts: Texts) -> str:
    weight = ' font-weight="bold"' if texts.bold else ""
    anchor = "middle" if texts.centered else "start"
    words = (
        f'<text x="{_number(x)}" y="{_number(y)}" dy=".35em">{_text(word)}</text>'
        for (x, y), word in zip(texts.points.tolist(), texts.words, strict=True)
    )
    return (
        f'<g font-family="{_FONT}" font-size="{_number(texts.size)}"{weight} '
        f'text-anchor="{anchor}" fill="{picture.color(texts.fill)}">{"".join(words)}</g>'
    )


def _paint(picture: Picture, layer: Shapes | Discs) -> str:
    paint = f'fill="{picture.color(layer.fill)}"'
    if layer.stroke:
        paint += f' stroke="{picture.color(layer.stroke)}" stroke-width="{_number(layer.width)}"'
    return paint


def _text(words: str) -> str:
    return escape(printable(words))


def _pair(point: tuple[float, float]) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
