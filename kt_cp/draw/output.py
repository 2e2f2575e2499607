"""Write pictures to files; the ending of the name says of which kind. Show them in notebooks.

SVG and pages need nothing else; typst turns the SVG into PNG and PDF, with the font in
`kt_cp/draw/fonts`, and Pillow puts the pictures of a GIF together.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.board import Board
from kt_cp.draw.faults import as_tour, report_picture
from kt_cp.draw.graph import check_drawable, graph_tour_picture
from kt_cp.draw.page import check_page_size, picture_page, tour_page
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import Picture, Texts, svg
from kt_cp.draw.proof import certificate_picture, proof_page, reason_picture
from kt_cp.draw.puzzle import (
    board_picture,
    instance_picture,
    puzzle_page,
    rule,
    solution_picture,
)
from kt_cp.draw.sheet import USUAL, Look, check_size
from kt_cp.draw.tour import animation, tour_picture
from kt_cp.errors import InputError
from kt_cp.files import check_writable, optional, whole_file
from kt_cp.graph import Graph
from kt_cp.proof.certificate import Certificate
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import Report

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle

Progress = Callable[[str], None]  # is called with a message

# The endings that fit what is drawn: only tours of boards are animated.
STILL = (".svg", ".png", ".pdf", ".html")
MOVING = (".svg", ".png", ".pdf", ".gif", ".html")

FONTS = [str(files("kt_cp.draw").joinpath("fonts"))]
_POINTS = 0.75  # in a pixel
_SHARP = 1200  # pixels: below, a picture is drawn at twice its size
_GIF_SIDE = 560
_FRAME, _LAST_FRAME = 250, 2500  # milliseconds
_MOST_SQUARES, _MOST_FAULTS = 10_000, 20  # that a notebook shows


def check_picture(
    file: str | Path,
    role: str = "--draw",
    graph: Graph | None = None,
    fitting: tuple[str, ...] = MOVING,
) -> None:
    """Raise `InputError` if no picture can be written to a file of this name.

    The reason is an ending that is not among the ``fitting`` ones, a package that is missing, a
    place that may not be written, or a graph that is too large. ``role`` is what the message calls
    the file.
    """
    if graph is not None and not isinstance(graph, Board):
        check_drawable(graph)
        fitting = STILL
    ending = Path(file).suffix.lower()
    if ending not in fitting:
        only = "; only tours of boards are animated" if ending == ".gif" else ""
        raise InputError(f"{role} {file}: the name must end in {' or '.join(fitting)}{only}")
    if ending not in (".svg", ".html"):
        require_typst("PNG, PDF and GIF", ", or choose .svg")
    check_writable(file, role)
    if isinstance(graph, Board):
        (check_page_size if ending == ".html" else check_size)(graph)


def require_typst(purpose: str, instead: str = "") -> Any:
    """Return typst. Raises `InputError`, with the command that installs it, if it is missing."""
    return optional("typst", purpose, f"pip install 'knights-tours[plot]'{instead}")


class Svg(str):
    """The text of an SVG element, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return self


def draw_tour(
    tour: Tour, file: str | Path | None = None, look: Look = USUAL, **changes: Any
) -> Svg | None:
    """Draw a tour to a file: .svg, .png, .pdf, .gif (animated) or .html (to step through).

    Without a file, return the picture as SVG. ``changes`` are fields of `Look`, such as
    ``style="arrows"`` or ``legend=False``; an .html page uses title and theme only. Raises
    `InputError` as `check_picture` does, and for an unknown style.
    """
    if unknown := changes.keys() - Look.__annotations__:
        known = ", ".join(Look.__annotations__)
        raise TypeError(f"unknown keyword {min(unknown)!r}: the options of a picture are {known}")
    look = replace(look, **changes)
    if file is None:
        return Svg(svg(picture_of(tour, look)))
    draw(tour, file, look, role="picture")
    return None


def draw(
    value: object,
    file: str | Path,
    look: Look = USUAL,
    progress: Progress = lambda message: None,
    role: str = "--draw",
) -> None:
    """Draw whatever has a picture to a file.

    As .html, a tour, a certificate and a puzzle are pages to step through or to play on, and
    whatever else is a page that shows the picture. ``progress`` is called with a message before
    each picture of a .gif. Raises `InputError` as `check_picture` does.
    """
    if isinstance(value, Report) and value.valid:
        value, look = as_tour(value, look)
    graph = value.graph if isinstance(value, Tour) else None
    check_picture(file, role, graph, MOVING if isinstance(value, Tour) else STILL)
    ending = Path(file).suffix.lower()
    if ending == ".html":
        content = page_of(value, look).encode()
    elif ending == ".gif" and isinstance(value, Tour):
        content = gif(_announced(animation(value, look), progress))
    else:
        content = _WRITERS[ending](picture_of(value, look))
    with whole_file(file) as stream:
        stream.write(content)


def picture_of(value: Any, look: Look = USUAL) -> Picture:
    """Describe the picture of a board, tour, report, certificate, puzzle or result."""
    match value:
        case Picture():
            return value
        case Board():
            return board_picture(value, look)
        case Tour(graph=Board()):
            return tour_picture(value, look)
        case Tour():
            return graph_tour_picture(value, look)
        case Report():
            return report_picture(value, look)
        case Certificate():
            return certificate_picture(value, look)
    if _is_puzzle(value):
        return instance_picture(value.instance, look, value.grade)
    if value.tour is not None:
        return picture_of(value.tour, look)
    return reason_picture(value.explanation, look, value.instance)


def page_of(value: Any, look: Look = USUAL) -> str:
    """Return the page of a tour, certificate or puzzle, or one that shows the picture."""
    match value:
        case Tour(graph=Board()):
            return tour_page(value, look.title, look.first, look.theme)
        case Certificate() if isinstance(value.instance.graph, Board):
            return proof_page(value, look)
    return (
        puzzle_page(value, look.theme)
        if _is_puzzle(value)
        else picture_page(picture_of(value, look))
    )


def _is_puzzle(value: object) -> bool:
    return hasattr(value, "solution")  # without loading what makes puzzles


def notebook_svg(value: object, graph: Graph) -> str | None:
    """Return the picture of a value on a small board, for a notebook; otherwise it shows text."""
    is_small = isinstance(graph, Board) and graph.area <= _MOST_SQUARES
    return svg(picture_of(value)) if is_small else None


def report_html(report: Report) -> str:
    """Return a report as HTML: verdict, notes, a picture unless it is large, the first faults."""
    parts = [f"<p><strong>{escape(report.verdict)}</strong></p>"]
    parts += [f"<p>note: {escape(note)}</p>" for note in report.notes]
    if (
        isinstance(report.graph, Board)
        and max(report.graph.area, len(report.path)) <= _MOST_SQUARES
    ):
        parts.append(svg(report_picture(report, Look(title=""))))
    faults = [fault.message for fault in itertools.islice(report.iter_faults(), _MOST_FAULTS)]
    if faults:
        items = "".join(f"<li>{escape(message)}</li>" for message in faults)
        parts.append(f"<ul>{items}</ul>")
    more = sum(report.counts.values()) - len(faults)
    if more:
        parts.append(f"<p>and {more:,} more</p>")
    return f"<div>{''.join(parts)}</div>"


def png(picture: Picture) -> bytes:
    """Return a picture as PNG, at twice its size unless it is large."""
    return _png(picture, 2 if max(picture.width, picture.height) < _SHARP else 1)


def pdf(picture: Picture) -> bytes:
    """Return a picture as PDF of one page, with its caption and description as metadata."""
    size = picture.width * _POINTS, picture.height * _POINTS
    return pdf_document([picture], _page(size), picture.caption, description=picture.description)


def gif(pictures: Iterable[Picture]) -> bytes:
    """Return pictures of one size as an animation that stays on the last one and starts again."""
    from PIL import Image

    frames = []
    for picture in pictures:
        scale = min(1.0, _GIF_SIDE / max(picture.width, picture.height))
        with Image.open(BytesIO(_png(picture, scale))) as image:
            frames.append(image.convert("RGB").quantize(64))
    times = [_FRAME] * (len(frames) - 1) + [_LAST_FRAME]
    file = BytesIO()
    frames[0].save(file, "gif", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return file.getvalue()


def pdf_document(pictures: Iterable[Picture], source: str, caption: str, **inputs: str) -> bytes:
    """Return a PDF that a typst source makes of pictures, as files ``0.svg``, ``1.svg`` …

    The source finds the ``inputs`` in ``sys.inputs``. Raises `InputError` for a letter that no
    installed font has.
    """
    inputs = {"caption": caption, "description": "", **inputs}
    document = "title: sys.inputs.caption, description: sys.inputs.description, date: none"
    source = f"#set document({document})\n{source}"
    return _compiled(pictures, source, format="pdf", sys_inputs=inputs)


def _png(picture: Picture, scale: float) -> bytes:
    size = picture.width * _POINTS, picture.height * _POINTS
    return _compiled([picture], _page(size), format="png", ppi=96 * scale)


def _page(size: tuple[float, float]) -> str:
    page = f"#set page(width: {size[0]}pt, height: {size[1]}pt, margin: 0pt)"
    return f'{page}\n#image("0.svg", width: 100%, height: 100%)'


def _compiled(pictures: Iterable[Picture], source: str, **options: Any) -> bytes:
    typst = require_typst("PNG, PDF and GIF")
    shown = list(pictures)
    texts = (layer for picture in shown for layer in picture.layers if isinstance(layer, Texts))
    letters = frozenset().union(*(word for layer in texts for word in layer.words))
    drawn = {f"{number}.svg": svg(each, static=True).encode() for number, each in enumerate(shown)}
    sources: Mapping[str, bytes] = {"main.typ": source.encode(), **drawn}
    return bytes(typst.compile(sources, font_paths=_fonts(letters), **options))


@lru_cache(maxsize=8)
def _fonts(letters: frozenset[str]) -> Any:
    """Return fonts that have the letters: the one of this package and, if need be, installed ones.

    Raises `InputError` for a letter that no installed font has.
    """
    typst = require_typst("PNG, PDF and GIF")
    rare = "".join(sorted(letter for letter in letters if not letter.isascii()))
    for system in (False, True):
        options = {"include_system_fonts": system, "include_embedded_fonts": False}
        fonts = typst.Fonts(font_paths=FONTS, **options)
        if _has(typst, fonts, rare):
            return fonts
    letter = next(letter for letter in rare if not _has(typst, fonts, letter))
    wanted = "install one, such as Noto Sans CJK for Chinese, or choose .svg"
    raise InputError(f"no installed font has the letter {letter!r}: {wanted}")


def _has(typst: Any, fonts: Any, letters: str) -> bool:
    """Return whether fonts have the letters: PDF/A allows no letter that is not in a font."""
    source = b'#set text(font: "DejaVu Sans")\n#sys.inputs.letters'
    options = {"format": "pdf", "pdf_standards": "a-2b", "sys_inputs": {"letters": letters}}
    try:
        typst.compile(source, font_paths=fonts, **options)
    except typst.TypstError:
        return False
    return True


# Of a page of a book, in millimeters: its width and height without margins, the gap between
# pictures, and the side of a square, which is larger if two pictures stand side by side even so.
_PAGE, _GAP, _SIDES = (180, 235), 5, (9.9, 14)
_BOOK = """#set text(font: "DejaVu Sans", size: 10pt, costs: (orphan: 0%, widow: 0%))
#set page(paper: "a4", margin: (x: 15mm, top: 18mm, bottom: 20mm), numbering: "1")
#set par(leading: 8mm)
#show heading: set text(size: 15pt, weight: "regular")
"""


def check_book(file: str | Path, role: str = "--book") -> None:
    """Raise `InputError` if no book can be written to a file of this name."""
    if Path(file).suffix.lower() != ".pdf":
        raise InputError(f"{role} {file}: a book of puzzles is a .pdf")
    require_typst("books of puzzles")
    check_writable(file, role)


def draw_book(puzzles: Sequence[Puzzle], file: str | Path) -> None:
    """Write puzzles and then their solutions to a PDF file, to be printed.

    The squares have a side of some 10 mm at least unless a board is too large for that. The heading
    tells the kind of tour and the rule if all puzzles share them. Raises `InputError` as
    `check_book` does, and for a board too large to be drawn.
    """
    check_book(file)
    rules = {(each.instance.kind, rule(each.instance)) for each in puzzles}
    posed: list[Picture] = []
    solved: list[Picture] = []
    for number, puzzle in enumerate(puzzles, start=1):
        title = ", ".join(filter(None, [str(number), puzzle.title, puzzle.grade]))
        look = Look(title=title, legend=len(rules) > 1, theme=Theme.LIGHT)
        posed.append(instance_picture(puzzle.instance, look))
        look = Look(title=f"{number}", legend=False, theme=Theme.LIGHT)
        solved.append(solution_picture(puzzle, look))
    title = "Knight's tour puzzles"
    inputs = {"heading": title, "rule": ""}
    if len(rules) == 1:
        piece = puzzles[0].instance.board.piece.move_name.removesuffix(" move")
        ((kind, inputs["rule"]),) = rules
        inputs["heading"] = f"{kind.capitalize()} {piece} tours"
    pictures = [*posed, *solved]
    half = (_PAGE[0] - _GAP) / 2 / max(picture.width for picture in pictures)
    images: list[str] = []
    for number, each in enumerate(pictures):
        least, most = (side / each.cell for side in _SIDES)
        scale = min(max(least, min(most, half)), _PAGE[0] / each.width, _PAGE[1] / each.height)
        images.append(f'#box(image("{number}.svg", width: {scale * each.width:.2f}mm))')
    gap = f" #h({_GAP}mm, weak: true) "
    puzzles_shown, solutions = gap.join(images[: len(posed)]), gap.join(images[len(posed) :])
    source = (
        f"{_BOOK}= #sys.inputs.heading\n#sys.inputs.rule\n#align(center)[{puzzles_shown}]\n"
        f"#pagebreak()\n= Solutions\n#align(center)[{solutions}]\n"
    )
    with whole_file(file) as stream:
        stream.write(pdf_document(pictures, source, title, **inputs))


_WRITERS: dict[str, Callable[[Picture], bytes]] = {
    ".svg": lambda picture: svg(picture).encode(),
    ".png": png,
    ".pdf": pdf,
}


def _announced(pictures: Iterable[Picture], progress: Progress) -> Iterator[Picture]:
    for picture in pictures:
        progress(f"drawing {picture.description}")
        yield picture
