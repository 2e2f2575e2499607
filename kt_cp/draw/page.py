"""Self-contained HTML pages: their template, and the data of every page with a board."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from kt_cp.board import Board, Topology
from kt_cp.draw.ground import enclosed_holes
from kt_cp.draw.look import USUAL, Look, Theme, css_variables, glyph
from kt_cp.draw.picture import Drawing, Picture, mark_svg, one_line, svg
from kt_cp.messages import InputError

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.MULTILINE)

MAX_PAGE_SQUARES = 10_000
"""The largest number of squares on a page, as each of them is an element of it."""


def html_page(
    title: str,
    summary: str,
    script: str,
    data: object,
    look: Look = USUAL,
    *,
    controls: str = "player.html",
    styles: Sequence[str] = ("page.css", "board.css"),
) -> str:
    """Return an HTML page that needs no network and no other file.

    ``script``, ``controls`` and ``styles`` are names of files in the folder of the template; the
    script reads ``data``. Only the theme and the words of the ``look`` are used.
    """
    return Template(asset("page.html")).substitute(
        language=escape(look.words.language),
        script_needed=escape(look.words("needs script")),
        title=escape(one_line(title)),
        summary=escape(one_line(summary)),
        style="\n".join(
            [css_variables(look.theme, look.words.faces), *map(asset, ("base.css", *styles))]
        ),
        controls=asset(controls),
        data=script_json(data),
        script=bundle(script),
    )


def picture_page(picture: Picture, look: Look = USUAL) -> str:
    """Return an HTML page of a picture: its caption as the heading, its sentence, and its boards.

    The legend, which explains all of them, is below, unless the ``look`` has none.
    """
    heading = f"<h1>{escape(picture.caption)}</h1>" if picture.caption else ""
    sentence = f"<p>{escape(picture.sentence)}</p>" if picture.sentence else ""
    figures = "".join(map(figure, picture.boards or (picture,)))
    content = f'{heading}{sentence}<div class="figures">{figures}</div>{legend(picture, look)}'
    return static_page(picture.caption or picture.description, content, picture.look.theme)


def figure(drawing: Drawing) -> str:
    """Return HTML of a board without words, with its sentence above it."""
    sentence = f"<figcaption>{escape(drawing.sentence)}</figcaption>" if drawing.sentence else ""
    return f"<figure>{sentence}{svg(drawing)}</figure>"


def legend(picture: Picture, look: Look) -> str:
    """Return the legend of a picture as an HTML list, empty if the picture or look has none."""
    if not (picture.legend and look.legend):
        return ""
    items = (
        f"<li><i aria-hidden=true>{mark_svg(entry, picture.look.theme)}</i>"
        f"{escape(one_line(entry.text))}</li>"
        for entry in picture.legend
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def static_page(title: str, content: str, theme: Theme) -> str:
    """Return an HTML page without scripts; the ``content`` is HTML."""
    style = "\n".join([css_variables(theme), asset("base.css"), asset("static.css")])
    return Template(asset("static.html")).substitute(
        title=escape(one_line(title)), style=style, content=content
    )


def check_page_size(board: Board) -> None:
    """Raise `InputError` for a board too large for a page."""
    if board.area > MAX_PAGE_SQUARES:
        raise InputError(f"board {board.size}: a page shows at most {MAX_PAGE_SQUARES:,} squares")


def board_data(board: Board) -> dict[str, object]:
    """Return the data for ``makeBoardShape`` in ``board.js``.

    Raises `InputError` as `check_page_size` does.
    """
    check_page_size(board)
    return {
        "rows": board.rows,
        "columns": board.columns,
        "holes": board.holes,
        "enclosed": enclosed_holes(board).tolist(),
        "jumps": None if board.topology is Topology.FLAT else board.piece.jumps,
        "gluesRows": board.topology is Topology.TORUS,
        "glyph": glyph(board),
    }


def script_json(data: object) -> str:
    """Return data as JSON for a script element, escaped so that no text ends the element."""
    return json.dumps(data, separators=(",", ":")).replace("<", r"\u003c")


def bundle(name: str) -> str:
    """Return a script with all modules that it imports, as one script for a page without files.

    Each module becomes a function that returns what it exports, and comes after those that it
    imports, directly or not. They import names in braces from files of the same folder, and export
    where they declare.
    """
    functions: list[str] = []
    seen: set[str] = set()

    def add(module: str) -> None:
        """Add a module after those that it imports."""
        if module in seen:
            return
        seen.add(module)
        text = asset(module)
        for _, imported in _IMPORT.findall(text):
            add(imported)
        names = ", ".join(_EXPORT.findall(text))
        text = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {_variable(found[2])};", text)
        text = _EXPORT.sub(lambda found: found[0].removeprefix("export "), text)
        function = f"(() => {{\n{text}\nreturn {{ {names} }};\n}})()"
        functions.append(f"const {_variable(module)} = {function};")

    add(name)
    return "\n".join(functions)


def _variable(module: str) -> str:
    """Return the name of the variable that holds what a module exports."""
    return f"${module.removesuffix('.js').replace('-', '_')}"


def asset(name: str) -> str:
    """Return the text of a file in the folder of the template."""
    return files("kt_cp.draw").joinpath("pages", name).read_text(encoding="utf-8").strip()
