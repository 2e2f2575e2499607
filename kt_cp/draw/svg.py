"""A picture as SVG, with the standard library only, so that any notebook can show it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np

from kt_cp.draw.picture import Discs, Layer, Lines, Picture, Points, Polygons, Texts, Tiles


def svg(picture: Picture) -> str:
    """Write a picture as one SVG element.

    Each move is one line command of a path; whatever a user typed is escaped.

    >>> svg(Picture(9, 9, "a < b", "text", ()))
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9" role="img" \
style="max-width:100%;height:auto">\\n<title>a &lt; b</title>\\n<desc>text</desc>\\n\
<rect width="9" height="9" fill="#fff"/>\\n</svg>\\n'
    """
    return "\n".join([*_head(picture), *map(_layer, picture.layers), "</svg>\n"])


def _head(picture: Picture) -> Iterator[str]:
    width, height = _number(picture.width), _number(picture.height)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" style="max-width:100%;height:auto">'
    )
    yield f"<title>{_text(picture.title)}</title>"
    yield f"<desc>{_text(picture.description)}</desc>"
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'


def _layer(layer: Layer) -> str:
    match layer:
        case Tiles():
            return _tiles(layer)
        case Lines():
            return _lines(layer)
        case Polygons():
            return _polygons(layer)
        case Discs():
            return _discs(layer)
        case Texts():
            return _texts(layer)


def _tiles(tiles: Tiles) -> str:
    """Draw one path for each colour, in which squares side by side are one rectangle."""
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


def _lines(lines: Lines) -> str:
    dashes = ""
    if lines.dashes:
        dashes = f' stroke-dasharray="{" ".join(map(_number, lines.dashes))}"'
    return (
        f'<path class="{lines.name}" fill="none" stroke="{lines.colour}" '
        f'stroke-width="{_number(lines.width)}" stroke-linejoin="round" '
        f'stroke-linecap="round"{dashes} d="{"".join(map(_chain, lines.chains()))}"/>'
    )


def _polygons(polygons: Polygons) -> str:
    shapes = "".join(f"{_chain(corners)}z" for corners in polygons.corners)
    return f'<path d="{shapes}" fill="{polygons.colour}"/>'


def _chain(points: Points) -> str:
    return "M" + "L".join(map(_pair, points.tolist()))


def _discs(discs: Discs) -> str:
    radius, paint = discs.radius, f'fill="{discs.colour}"'
    if discs.hollow:
        width = 0.25 * radius
        radius -= width / 2
        paint = f'fill="none" stroke="{discs.colour}" stroke-width="{_number(width)}"'
    circles = (
        f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"/>'
        for x, y in discs.centres.tolist()
    )
    return f"<g {paint}>{''.join(circles)}</g>"


def _texts(texts: Texts) -> str:
    weight = ' font-weight="bold"' if texts.bold else ""
    words = (
        f'<text x="{_number(x)}" y="{_number(y)}" dy=".35em">{_text(word)}</text>'
        for (x, y), word in zip(texts.points.tolist(), texts.words, strict=True)
    )
    return (
        f'<g font-family="DejaVu Sans,Verdana,sans-serif" font-size="{_number(texts.size)}"{weight}'
        f' text-anchor="{texts.anchor.value}" fill="{texts.colour}">{"".join(words)}</g>'
    )


def _text(words: str) -> str:
    """Escape what has a meaning in XML, and leave out what XML cannot hold."""
    return escape("".join(letter for letter in words if letter.isprintable()))


def _pair(point: list[float]) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
