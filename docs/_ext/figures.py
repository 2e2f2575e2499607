"""Pictures with their words as text of the page.

A picture of a board has its caption and legend below the board. Where a page reduces the picture,
as on a phone, they would be too small to be read. So pages of the site show the board alone, and
below it the caption and the legend as HTML.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from copy import deepcopy
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from docutils import nodes
from layout import unbroken

from kt_cp.draw.look import Theme, color

_SVG = "{http://www.w3.org/2000/svg}"
_WORDS = f"{_SVG}g[@class='words-below']"

_LINE_SHARE = 0.73  # half the height of a line, relative to the size of its font
_ROOM = 4  # left below the board and around a mark, in pixels of the picture
_DARK_PAGE = "#131416"  # the background of a dark page; the paper of a dark picture takes its color
_TEXT_SIZE = 14  # of the text on the page, in pixels; see pictures.css

_NUMBER = r"-?\d+(?:\.\d+)?"


class LegendLine(NamedTuple):
    """A line of the legend: the elements of its mark, if any, its text, and the size of that."""

    mark: list[Element]
    text: str
    size: float


class Words(NamedTuple):
    """The words below a board: its caption, which may be empty, its sentences and its legend."""

    caption: str
    sentences: list[str]
    legend: list[LegendLine]


def parts_of(root: Element) -> tuple[Element, Words] | None:
    """Return a picture without the words below its board, and these words, if it has any."""
    if root.find(_WORDS) is None:
        return None
    board = deepcopy(root)
    group = board.find(_WORDS)
    assert group is not None
    board.remove(group)
    first_line = next(group.iter(f"{_SVG}text"))
    size = _font_size(group)
    top = float(first_line.attrib["y"]) - _LINE_SHARE * size
    left, upper, width, _ = board.attrib["viewBox"].split()
    board.set("viewBox", f"{left} {upper} {width} {top - float(upper):g}")
    board.set("height", f"{top - float(upper):g}")
    captions = [_text(each) for each in group.findall(f"{_SVG}g[@class='caption']")]
    sentences = [_text(each) for each in group.findall(f"{_SVG}g[@class='sentence']")]
    lines = [
        LegendLine([*entry][:-1], _text(entry[-1]), _font_size(entry[-1]))
        for entry in group.findall(f"{_SVG}g[@class='entry']")
    ]
    return board, Words("".join(captions), sentences, lines)


def _text(group: Element) -> str:
    """Return the lines of text of a group as one line."""
    return " ".join(text.text or "" for text in group.iter(f"{_SVG}text"))


def _font_size(group: Element) -> float:
    """Return the size of the font of the first text of a group, in pixels of the picture."""
    sizes = [each.attrib["font-size"] for each in group.iter() if each.get("font-size")]
    return float(sizes[0])


def _points(element: Element) -> Iterator[tuple[float, float]]:
    """Yield points of a mark: those of its paths, and corners around its circles."""
    for each in element.iter():
        numbers = [float(number) for number in re.findall(_NUMBER, each.get("d", ""))]
        yield from zip(numbers[::2], numbers[1::2], strict=True)
        if each.get("r"):
            x, y, radius = (float(each.attrib[name]) for name in ("cx", "cy", "r"))
            yield from ((x - radius, y - radius), (x + radius, y + radius))


def mark_picture(line: LegendLine, style: str) -> str:
    """Return the mark of a line for HTML; ``style`` recolors it where the page is dark.

    The mark is as large in relation to the text as in the picture.
    """
    drawn = "".join(ElementTree.tostring(element, encoding="unicode") for element in line.mark)
    points = [point for element in line.mark for point in _points(element)]
    left, right = min(x for x, _ in points) - _ROOM, max(x for x, _ in points) + _ROOM
    top, bottom = min(y for _, y in points) - _ROOM, max(y for _, y in points) + _ROOM
    width, height = right - left, bottom - top
    rules = [rule for rule in re.findall(r"\.kt \[[^}]*\}", style) if _color(rule) in drawn]
    dark = f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="kt" '
        f'viewBox="{left:g} {top:g} {width:g} {height:g}">{dark}{drawn}</svg>'
    )
    data = base64.b64encode(picture.encode()).decode()
    scale = _TEXT_SIZE / line.size
    return (
        f'<img alt="" width="{scale * width:.1f}" height="{scale * height:.1f}" '
        f'src="data:image/svg+xml;base64,{data}">'
    )


def _color(rule: str) -> str:
    """Return the attribute that a rule of a style sheet recolors, such as ``fill="#ffffff"``."""
    return rule[rule.index("[") + 1 : rule.index("]")]


def caption_html(words: Words, style: str) -> str:
    """Return the caption, the sentences and the legend of a picture as HTML.

    A caption above sentences is bold, as in the picture.
    """
    parts: list[str] = []
    if words.caption:
        caption = escape(unbroken(words.caption))
        parts.append(f"<p><b>{caption}</b></p>" if words.sentences else f"<p>{caption}</p>")
    parts += [f"<p>{escape(unbroken(sentence))}</p>" for sentence in words.sentences]
    items: list[str] = []
    for line in words.legend:
        mark = f"{mark_picture(line, style)} " if line.mark else ""
        items.append(f"<li>{mark}{escape(unbroken(line.text))}</li>")
    if items:
        parts.append(f"<ul>{''.join(items)}</ul>")
    return "".join(parts)


def make_figures(app: Any, document: nodes.document) -> None:
    """Replace pictures in paragraphs and in outputs of cells by figures whose captions are HTML."""
    page = Path(app.env.doc2path(app.env.docname)).parent
    for paragraph in [*document.findall(nodes.paragraph)]:
        images = [child for child in paragraph.children if isinstance(child, nodes.image)]
        others = [child for child in paragraph.children if not isinstance(child, nodes.image)]
        if not images or any(other.astext().strip() for other in others):
            continue
        figures = [node for image in images for node in _figure(app, page, image)]
        paragraph.parent.replace(paragraph, figures)
    for image in [*document.findall(nodes.image)]:
        if image.parent.get("mime_type") == "image/svg+xml":  # the output of a cell
            image.parent.replace(image, _figure(app, page, image))


def _figure(app: Any, page: Path, image: nodes.image) -> list[nodes.Node]:
    """Return a figure of the board of a picture, or the image alone if it has no words.

    The paper of a dark picture takes the color of a dark page.
    """
    file = page / image["uri"]
    if file.suffix != ".svg" or not file.exists():
        return [image]
    ElementTree.register_namespace("", _SVG.strip("{}"))
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    if root.get("class") != "kt":  # a plot
        return [image]
    rules = root.findtext(f"{_SVG}style") or ""
    parts = parts_of(root)
    board = root if parts is None else parts[0]
    for style in board.iter(f"{_SVG}style"):
        style.text = (style.text or "").replace(color("paper", Theme.DARK), _DARK_PAGE)
    folder = Path(app.doctreedir) / "boards"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file.name).write_text(ElementTree.tostring(board, encoding="unicode"), "utf-8")
    image["uri"] = Path(os.path.relpath(folder / file.name, page)).as_posix()
    if parts is None:
        return [image]
    caption = f"<figcaption>{caption_html(parts[1], rules)}</figcaption></figure>"
    return [
        nodes.raw("", '<figure class="picture">', format="html"),
        image,
        nodes.raw("", caption, format="html"),
    ]


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx to make figures before it collects the images of a page."""
    app.connect("doctree-read", make_figures, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
