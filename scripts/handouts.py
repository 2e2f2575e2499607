"""Make the PDFs for a class from their pages, or check that none is out of date.

``python scripts/handouts.py`` writes the sheet of exercises and the slides to ``docs/handouts``;
typst sets them. With ``--check`` it exits with 1 if a page or the way of setting it has changed
since its PDF was made.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kt_cp.draw.output import FONT_FOLDERS, require_typst

ROOT = Path(__file__).parents[1]
GUIDES = ROOT / "docs"
HANDOUTS = GUIDES / "handouts"

_COMMON = """#set document(title: "{title}", keywords: "{digest}", date: none)
#show raw.where(block: true): it => block(fill: luma(244), inset: 7pt, width: 100%, it)
"""
_SHEET = '#set page(paper: "a4", margin: 1.5cm)\n#set text(11pt)\n#show raw: set text(8.5pt)\n'
_SLIDES = """#set page(paper: "presentation-16-9", margin: 1.6cm)
#set text(22pt)
#set list(spacing: 1.1em)
#show raw: set text(15pt)
#show heading.where(level: 1): set text(34pt)
#show heading.where(level: 2): it => pagebreak(weak: true) + block(below: 1.2em, it)
"""
SETTINGS = {"exercises": _SHEET, "slides": _SLIDES}

# The height of a picture in a PDF, by its name.
_IMAGE_HEIGHT = {"exercises": "6cm", "slides": "11cm"}
_HEIGHT_BELOW_WORDS = "9.8cm"  # on a slide
_WIDE = 1.3  # times as wide as high, from which a picture stands below the text of a slide

# The tokens of Markdown that begin and end what typst calls otherwise.
_MARKUP = {
    "strong_open": "#strong[",
    "strong_close": "]",
    "em_open": "#emph[",
    "em_close": "]",
    "paragraph_close": "\n\n",
    "heading_close": "\n\n",
    "list_item_open": "- ",
    "softbreak": " ",
}


def typst_document(page: str, name: str) -> str:
    """Return a page of Markdown as a document of typst.

    What concerns the page alone is left out: its header, and the paragraphs and commands about
    the notebook and its installation.
    """
    text = re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.S)
    text = re.sub(r"^```sh\n.*?^```\n", "", text, flags=re.M | re.S)
    text = "\n\n".join(part for part in text.split("\n\n") if "handouts/" not in part)
    text = text.replace("```{code-cell} python\n%%bash\n", "```bash\n")
    if name == "slides":
        body = "".join(_slide(part) for part in re.split(r"\n(?=## )", text))
    else:
        body = _markup(text, name)
    title = text.strip().partition("\n")[0].removeprefix("# ")
    settings = SETTINGS[name] + _COMMON
    digest = hashlib.sha256((settings + body).encode()).hexdigest()
    return settings.replace("{title}", title).replace("{digest}", digest) + body


def _markup(text: str, name: str) -> str:
    """Return the markup of typst for text of Markdown."""
    return "".join(_typst(MarkdownIt("commonmark").parse(text), name))


def _slide(text: str) -> str:
    """Return the markup of a slide, whose picture stands at the right of its text if it is high."""
    heading, _, rest = text.strip().partition("\n")
    parts = rest.strip().split("\n\n")
    pictures = [part for part in parts if part.startswith("![")]
    words = "\n\n".join(part for part in parts if part not in pictures)
    begin = _markup(heading, "slides")
    if not pictures:
        return begin + _markup(words, "slides")
    [picture] = pictures
    if _width_of(picture) > _WIDE:
        image = _markup(picture, "slides").replace(_IMAGE_HEIGHT["slides"], _HEIGHT_BELOW_WORDS)
        return begin + _markup(words, "slides") + image
    columns = f"[{_markup(words, 'slides')}], [{_markup(picture, 'slides')}]"
    return f"{begin}#grid(columns: (1fr, auto), column-gutter: 1cm, {columns})\n\n"


def _width_of(picture: str) -> float:
    """Return the width of a picture in Markdown, relative to its height."""
    found = re.search(r"\((.*)\)", picture)
    assert found is not None
    svg = (GUIDES / found[1]).read_text(encoding="utf-8")
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', svg)
    assert box is not None
    return float(box[1]) / float(box[2])


def _typst(tokens: list[Token], name: str) -> Iterator[str]:
    """Yield the markup of typst for tokens of Markdown."""
    for token in tokens:
        if token.type == "inline":
            yield from _typst(token.children or [], name)
        elif token.type == "text":
            yield f"#{json.dumps(token.content, ensure_ascii=False)};"
        elif token.type == "code_inline":
            yield f"#raw({json.dumps(token.content, ensure_ascii=False)});"
        elif token.type == "fence":
            code = json.dumps(token.content.rstrip(), ensure_ascii=False)
            language = "bash" if token.info == "bash" else "python"
            yield f'#raw({code}, block: true, lang: "{language}")\n\n'
        elif token.type == "image":
            path = (GUIDES / str(token.attrs["src"])).resolve().relative_to(ROOT)
            yield f'#align(center, image("/{path}", height: {_IMAGE_HEIGHT[name]}))'
        elif token.type == "heading_open":
            yield f"{'=' * int(token.tag[1:])} "
        else:
            yield _MARKUP.get(token.type, "")


def digest_of(document: str) -> bytes:
    """Return the digest that a document of typst has among its keywords."""
    found = re.search(r'keywords: "(\w+)"', document)
    if found is None:
        raise ValueError("the document has no digest")
    return found[1].encode()


def main() -> int:
    """Make the PDFs that are out of date, or name them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    HANDOUTS.mkdir(exist_ok=True)
    stale = False
    for name in SETTINGS:
        document = typst_document((GUIDES / f"{name}.md").read_text(encoding="utf-8"), name)
        stored = HANDOUTS / f"{name}.pdf"
        if stored.exists() and digest_of(document) in stored.read_bytes():
            continue
        stale = True
        if is_check:
            print(f"{stored.name}: out of date; run scripts/handouts.py", file=sys.stderr)
        else:
            made = require_typst().compile(
                document.encode(), root=str(ROOT), font_paths=FONT_FOLDERS
            )
            stored.write_bytes(made)
    return 1 if is_check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
