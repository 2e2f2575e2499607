"""The layout of pages: numbers in tables, and what pictures tell in words."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

from docutils import nodes

# A number as tables have it, with what may stand beside it: 1,234; 0.5 s; 12/40; 3 % or a dash.
_NUMBER = re.compile(
    r"[-−–+±<>≥≤~]?\s*(?:[\d,.]+(?:e[+-]?\d+)?|–|\?)(?:\s*[/×]\s*[\d,.]+)?"
    r"\s*(?:%|s|ms|min|h|MiB|GiB|MB|GB|\([\d,.]+\))?"
)


_PHONE = 44  # characters in a line on a phone
_SHELL_LINE = "!"  # passes a line of a cell to a shell
_COLUMNS = re.compile(r"\S {2,}\S")  # a gap between two columns


def align_numbers(app: Any, document: nodes.document) -> None:
    """Align the columns of tables that hold numbers at the right, and mark pairs of numbers."""
    for group in document.findall(nodes.tgroup):
        rows = list(group.findall(nodes.row))
        for column in zip(*(row.children for row in rows), strict=False):
            _, *cells = (cell.astext().strip() for cell in column)
            known = [cell for cell in cells if cell]
            if known and all(map(_NUMBER.fullmatch, known)):
                for cell in column:
                    if not any(name.startswith("text-") for name in cell["classes"]):
                        cell["classes"].append("text-right")
                    if "(" in cell.astext():
                        cell["classes"].append("pair")


def describe_pictures(app: Any, document: nodes.document) -> None:
    """Give the pictures that cells show their own description as alternative text."""
    for image in document.findall(nodes.image):
        uri = image["uri"]
        alt = image.get("alt", "")
        if alt and Path(uri).stem not in alt:
            continue
        file = Path(app.srcdir) / uri.lstrip("/")
        file = file if file.exists() else Path(uri)
        text = file.read_text() if file.suffix == ".svg" and file.exists() else ""
        found = re.search(r"<desc>(.*?)</desc>", text, re.S)
        image["alt"] = unescape(found[1]) if found else "plot"


def locate_pictures(app: Any, document: nodes.document) -> None:
    """Find the pictures of the README, which is included and names them from its own folder.

    A picture that stands in a link opens the page of the link, not the picture.
    """
    for image in document.findall(nodes.image):
        image["classes"].append("no-scaled-link")
        if image["uri"].startswith(".images/"):
            image["uri"] = f"../{image['uri']}"


def add_dark_pictures(app: Any, document: nodes.document) -> None:
    """Show ``name-dark.png`` in place of ``name.png`` on a dark page, if there is such a file."""
    for image in [*document.findall(nodes.image)]:
        path = Path(image["uri"])
        dark = path.with_stem(f"{path.stem}-dark")
        if (Path(app.env.doc2path(app.env.docname)).parent / dark).exists():
            other = image.deepcopy()
            other["uri"] = str(dark)
            image["classes"].append("only-light")
            other["classes"].append("only-dark")
            image.parent.insert(image.parent.index(image) + 1, other)


def _without_command(line: str) -> str:
    """Return a line that a command prints, or an empty text for a command; without a comment."""
    return "" if line.startswith(("$ ", "kt ")) else line.partition("#")[0].strip()


def prepare_blocks(app: Any, document: nodes.document) -> None:
    """Remove the blank line after a doctest, and mark columns, which are not wrapped.

    Lines that a notebook passes to a shell name the Python that runs it, so that they work in every
    environment. They are shown as commands that can be typed at a prompt.
    """
    for block in document.findall(nodes.literal_block):
        text = block.astext().rstrip()
        if text.startswith(_SHELL_LINE):
            text = text.replace(_SHELL_LINE, "").replace("{sys.executable} -m kt_cp", "kt")
            text = text.replace("{sys.executable}", "python")
            block["language"] = "sh"
        block.rawsource = text
        block.children = [nodes.Text(text)]
        if not text.startswith(">>>") and _has_wide_columns(text):
            block["classes"].append("columns")


def _has_wide_columns(text: str) -> bool:
    """Return whether text that is too wide for a phone stands in columns."""
    long_lines = (line for line in text.splitlines() if len(line) > _PHONE)
    return any(_COLUMNS.search(_without_command(line)) for line in long_lines)


def keep_sizes_on_a_line(app: Any, document: nodes.document) -> None:
    """Let no line of prose break within the size of a board, such as 8 × 8."""
    for paragraph in document.findall(nodes.TextElement):
        if isinstance(paragraph, nodes.FixedTextElement | nodes.literal):
            continue
        for text in [*paragraph.children]:
            if isinstance(text, nodes.Text) and unbroken(text) != text:
                paragraph.replace(text, nodes.Text(unbroken(text)))


def unbroken(text: str) -> str:
    """Return a text with blanks at which no line breaks in the sizes of boards."""
    return re.sub(r"(\w) × (?=\w)", "\\1\u00a0×\u00a0", text)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx what to do after it has read a page."""
    before_pictures_are_collected = 400
    app.connect("doctree-read", locate_pictures, before_pictures_are_collected - 1)
    app.connect("doctree-read", add_dark_pictures, before_pictures_are_collected)
    app.connect("doctree-read", align_numbers)
    app.connect("doctree-read", describe_pictures)
    app.connect("doctree-read", prepare_blocks)
    app.connect("doctree-read", keep_sizes_on_a_line)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
