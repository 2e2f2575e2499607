"""Write pictures to files; the ending of the name says of which kind. Show them in notebooks.

SVG and pages need nothing else; typst turns the SVG into PNG and PDF, with the font in
`kt_cp/draw/fonts`, and Pillow puts the pictures of a GIF together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.board import Board
from kt_cp.draw.geometry import check_size
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.page import check_page_size, picture_page
from kt_cp.draw.picture import Picture, svg
from kt_cp.draw.proof import certificate_picture, proof_page, reason_picture
from kt_cp.draw.puzzle import board_picture, instance_picture, rules, solution_picture
from kt_cp.draw.puzzle_player import puzzle_page
from kt_cp.draw.replay import tour_page
from kt_cp.draw.tour import animation, as_tour, report_picture, tour_picture
from kt_cp.errors import InputError
from kt_cp.files import check_writable, import_optional, write_atomically
from kt_cp.graph import Graph
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate
from kt_cp.tour.report import PathReport, Report
from kt_cp.tour.tour import Tour

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle

# The endings that fit what is drawn: only tours of boards are animated.
STILL = (".svg", ".png", ".pdf", ".html")
MOVING = (".svg", ".png", ".pdf", ".gif", ".html")

FONTS = [str(files("kt_cp.draw").joinpath("fonts"))]
_METADATA = """#set document(
    title: sys.inputs.caption, description: sys.inputs.description, date: none
)
"""
_PAGE = '#set page(width: auto, height: auto, margin: 0pt)\n#image("0.svg")'
_SHARP = 1200  # pixels: below, a picture is drawn at twice its size
_GIF_SIDE = 560
_FRAME, _LAST_FRAME = 250, 2500  # milliseconds
_MOST_SQUARES = 10_000  # that a notebook shows


def check_picture(
    file: str | Path,
    role: str = "--draw",
    graph: Graph | None = None,
    fitting: tuple[str, ...] = MOVING,
) -> None:
    """Raise `InputError` if no picture of a graph can be written to a file; it names the ``role``.

    ``fitting`` are the endings that the name of the file may have.
    """
    if graph is not None:
        check_size(graph)
    if not isinstance(graph, Board | None):
        fitting = STILL
    ending = Path(file).suffix.lower()
    if ending not in fitting:
        only = "; only tours of boards are animated" if ending == ".gif" else ""
        raise InputError(f"{role} {file}: the name must end in {' or '.join(fitting)}{only}")
    if ending == ".html" and isinstance(graph, Board):
        check_page_size(graph)
    if ending not in (".svg", ".html"):
        _typst()
    check_writable(file, role)


def _typst() -> Any:
    """Return typst. Raises `InputError`, with the command that installs it, if it is missing."""
    install = "pip install 'knights-tours[plot]', or choose .svg"
    return import_optional("typst", "PNG, PDF, GIF and books", install)


class Svg(str):
    """The text of an SVG element, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return self


def draw_tour(tour: Tour, file: str | Path | None = None, **options: Any) -> Svg | None:
    """Draw a tour as `draw` does; without a file, return the picture as SVG.

    The options are the fields of `Look`, such as ``style="arrows"`` or ``legend=False``; an .html
    page uses title and theme only. Raises `InputError` as `draw` does, and for an unknown style.
    """
    look = Look(**options)
    if file is None:
        return Svg(svg(picture_of(tour, look)))
    draw(tour, file, look, role="picture")
    return None


def draw(value: Any, file: str | Path, look: Look = USUAL, role: str = "--draw") -> None:
    """Draw whatever has a picture: to .svg, .png, .pdf, .html, and a tour of a board to .gif too.

    As .html, a tour, a certificate and a puzzle are pages to step through or to play on. Raises
    `InputError` as `check_picture` does.
    """
    if isinstance(value, PathReport) and value.valid:
        value, look = as_tour(value, look)
    graph = value.graph if isinstance(value, Tour) else None
    check_picture(file, role, graph, MOVING if isinstance(value, Tour) else STILL)
    ending = Path(file).suffix.lower()
    if ending == ".html":
        content = page_of(value, look).encode()
    elif ending == ".gif":
        content = gif(animation(value, look))
    elif ending == ".svg":
        content = svg(picture_of(value, look)).encode()
    else:
        picture = picture_of(value, look)
        content = png(picture) if ending == ".png" else pdf(picture)
    with write_atomically(file) as stream:
        stream.write(content)


def picture_of(value: Any, look: Look = USUAL) -> Picture:
    """Return the picture of a board, tour, report, certificate, puzzle or result."""
    match value:
        case Picture():
            return value
        case Board():
            return board_picture(value, look)
        case Report():
            return report_picture(value, look)
        case Certificate():
            return certificate_picture(value, look)
        case Tour():
            return tour_picture(value, look)
    if hasattr(value, "solution"):  # a puzzle, without loading what makes them
        return instance_picture(value.instance, look, value.grade)
    if value.tour is not None:
        return tour_picture(value.tour, look)
    return reason_picture(value.explanation, look, value.instance)


def page_of(value: Any, look: Look = USUAL) -> str:
    """Return the page of a tour, certificate, puzzle or list of puzzles, or of another picture."""
    match value:
        case Tour(graph=Board()):
            return tour_page(value, look)
        case Certificate(instance=Instance(graph=Board())):
            return proof_page(value, look)
    if hasattr(value, "solution") or isinstance(value, list):
        return puzzle_page(value, look.theme)
    return picture_page(picture_of(value, look))


def notebook_svg(value: Any) -> str | None:
    """Return the picture of a value on a small board, for a notebook, and None of others."""
    holder = getattr(value, "instance", value)
    graph = getattr(holder, "graph", holder)
    is_small = isinstance(graph, Board) and graph.area <= _MOST_SQUARES
    return svg(picture_of(value)) if is_small else None


def png(picture: Picture, scale: float | None = None) -> bytes:
    """Return a picture as PNG, at twice its size unless it is large."""
    scale = scale or (2 if max(picture.width, picture.height) < _SHARP else 1)
    return _compiled([picture], _PAGE, "", "", format="png", ppi=96 * scale)


def pdf(picture: Picture) -> bytes:
    """Return a picture as PDF of one page, with its caption and description as metadata."""
    return _compiled([picture], _PAGE, picture.caption, picture.description, format="pdf")


def gif(pictures: Iterable[Picture]) -> bytes:
    """Return pictures of one size as an animation that stays on the last one and starts again."""
    from PIL import Image

    frames = []
    for picture in pictures:
        scale = min(1.0, _GIF_SIDE / max(picture.width, picture.height))
        with Image.open(BytesIO(png(picture, scale))) as image:
            frames.append(image.convert("RGB").quantize(64))
    times = [_FRAME] * (len(frames) - 1) + [_LAST_FRAME]
    file = BytesIO()
    frames[0].save(file, "gif", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return file.getvalue()


def _compiled(
    pictures: Sequence[Picture], source: str, caption: str, description: str, **options: Any
) -> bytes:
    """Return what typst makes of a source and of pictures, its files ``0.svg``, ``1.svg`` …"""
    files = {f"{place}.svg": svg(each, static=True) for place, each in enumerate(pictures)}
    shown = re.sub("<desc>.*</desc>", "", "".join(files.values()))
    fonts = fonts_for("".join(sorted(letter for letter in {*shown} if not letter.isascii())))
    files["main.typ"] = _METADATA + source
    sources = {name: text.encode() for name, text in files.items()}
    inputs = {"caption": caption, "description": description}
    return bytes(_typst().compile(sources, font_paths=fonts, sys_inputs=inputs, **options))


@lru_cache(maxsize=8)
def fonts_for(letters: str) -> Any:
    """Return the shipped fonts or, if they lack some of the letters, the installed ones too.

    Raises `InputError` if no font has a letter.
    """
    typst = _typst()
    source = b'#set text(font: "DejaVu Sans")\n#sys.inputs.letters'
    options = {"format": "pdf", "pdf_standards": "a-2b", "sys_inputs": {"letters": letters}}
    for system in (False, True):
        kinds = {"include_system_fonts": system, "include_embedded_fonts": False}
        fonts = typst.Fonts(font_paths=FONTS, **kinds)
        with suppress(typst.TypstError):  # PDF/A allows no letter that is not in a font
            typst.compile(source, font_paths=fonts, **options)
            return fonts
    wanted = "install one, such as Noto Sans CJK for Chinese, or choose .svg"
    raise InputError(f"no installed font has all of the letters {letters}: {wanted}")


_BOOK = """#set text(font: "DejaVu Sans", size: 10pt, costs: (orphan: 0%, widow: 0%))
#set page(paper: "a4", margin: (x: 15mm, top: 18mm, bottom: 20mm), numbering: "1")
#set par(leading: 8mm)
#show heading: set text(size: 15pt, weight: "regular")
= #sys.inputs.caption
#sys.inputs.description
"""


_SOLUTIONS = "\n#pagebreak()\n= Solutions\n"


def draw_book(puzzles: Sequence[Puzzle], file: str | Path) -> None:
    """Write puzzles and then their solutions to a PDF file; the heading tells a common rule.

    Raises `InputError` as `check_picture` does, and for a board too large to be drawn.
    """
    check_picture(file, "--book", fitting=(".pdf",))
    tasks = {rules(each.instance)[0] for each in puzzles}
    posed: list[Picture] = []
    solved: list[Picture] = []
    for number, puzzle in enumerate(puzzles, start=1):
        title = ", ".join(filter(None, [str(number), puzzle.title, puzzle.grade]))
        posed.append(instance_picture(puzzle.instance, Look(title=title, legend=len(tasks) > 1)))
        solved.append(solution_picture(puzzle, Look(title=f"{number}", legend=False)))
    pictures = [*posed, *solved]
    boxes = [_box(number, picture) for number, picture in enumerate(pictures)]
    flows = _flow(boxes[: len(posed)]) + _SOLUTIONS + _flow(boxes[len(posed) :])
    told = tasks.pop() if len(tasks) == 1 else ""
    content = _compiled(pictures, _BOOK + flows, "Knight's tour puzzles", told, format="pdf")
    with write_atomically(file) as stream:
        stream.write(content)


def _flow(boxes: Sequence[str]) -> str:
    """Return boxes beside each other, in as many rows as they need."""
    return f"#align(center)[{' #h(5mm, weak: true) '.join(boxes)}]"


def _box(number: int, picture: Picture) -> str:
    """Return a picture of a book, half as wide as the page if its squares have 9.9 to 14 mm so."""
    width, per_side = picture.width, picture.width / picture.cell
    half = min(max(87.5, 9.9 * per_side), 14 * per_side)
    shown = min(half, 180, 235 * width / picture.height)
    return f'#box(image("{number}.svg", width: {shown:.2f}mm))'
