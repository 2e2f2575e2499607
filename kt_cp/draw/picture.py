"""The description of a picture, layers of shapes and words in pixels, and its text as SVG.

x runs to the right and y downwards; the first layer is the lowest. A color is a role of
`kt_cp.draw.palette`, so that one description can be written in every theme.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from kt_cp.draw.palette import Theme, color, style_sheet
from kt_cp.errors import printable

Points = npt.NDArray[np.float64]

_FONT = "DejaVu Sans,Verdana,sans-serif"


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


Layer = Shapes | Discs | Texts


@dataclass(frozen=True, eq=False)
class Picture:
    """Layers, a caption, which is drawn as a layer too, and a text for those who cannot see it.

    The board's top left corner is at ``corner``, and its squares have the side ``cell``, so that a
    page can put controls over them.
    """

    width: float
    height: float
    caption: str
    description: str
    layers: tuple[Layer, ...]
    theme: Theme = Theme.AUTO
    corner: tuple[float, float] = (0, 0)
    cell: float = 0


def svg(picture: Picture, static: bool = False) -> str:
    """Return a picture as one SVG element, in which whatever a user typed is escaped.

    With the theme ``auto`` it follows the colors of the reader's screen, unless it is ``static``.
    """
    width, height = _number(picture.width), _number(picture.height)
    roles = ["paper"]
    for layer in picture.layers:
        roles += filter(None, [layer.fill, None if isinstance(layer, Texts) else layer.stroke])
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" class="kt" '
        'style="max-width:100%;height:auto">',
        f"<title>{_text(picture.caption)}</title>\n<desc>{_text(picture.description)}</desc>",
    ]
    if picture.theme is Theme.AUTO and not static:
        lines.append(f"<style>{style_sheet(roles, '.kt')}</style>")
    paper = color("paper", picture.theme)
    lines.append(f'<rect width="{width}" height="{height}" fill="{paper}"/>')
    lines += [_element(layer, picture.theme) for layer in picture.layers]
    return "\n".join([*lines, "</svg>\n"])


def _element(layer: Layer, theme: Theme) -> str:
    paint = f'fill="{color(layer.fill, theme) if layer.fill else "none"}"'
    if isinstance(layer, Texts):
        return _texts(layer, paint)
    if layer.stroke:
        paint += f' stroke="{color(layer.stroke, theme)}" stroke-width="{_number(layer.width)}"'
    if isinstance(layer, Shapes):
        return _shapes(layer, paint)
    radius = _number(layer.radius - layer.width / 2)
    circles = (
        f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{radius}"/>'
        for x, y in layer.centers.tolist()
    )
    return f"<g {paint}>{''.join(circles)}</g>"


def _shapes(shapes: Shapes, paint: str) -> str:
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


def _texts(texts: Texts, paint: str) -> str:
    weight = ' font-weight="bold"' if texts.bold else ""
    anchor = "middle" if texts.centered else "start"
    words = (
        f'<text x="{_number(x)}" y="{_number(y)}" dy=".35em">{_text(word)}</text>'
        for (x, y), word in zip(texts.points.tolist(), texts.words, strict=True)
    )
    return (
        f'<g font-family="{_FONT}" font-size="{_number(texts.size)}"{weight} '
        f'text-anchor="{anchor}" {paint}>{"".join(words)}</g>'
    )


def _text(words: str) -> str:
    return escape(printable(words))


def _pair(point: tuple[float, float]) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
