"""Write pictures to files, in the format that the suffix names, and show them in notebooks.

SVG and pages need nothing else. For PNG, PDF and GIF typst draws the SVG, in Source Sans 3, made
for print; letters that it lacks come from DejaVu Sans, in the same folder `kt_cp/draw/fonts`, or
from installed fonts. Pillow puts animations together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.board import Board
from kt_cp.draw.ground import check_drawable
from kt_cp.draw.look import PICTURE_SUFFIXES, PRINT_FACE, TOUR_SUFFIXES, USUAL, Look, Paper, color
from kt_cp.draw.page import check_page_size, picture_page
from kt_cp.draw.picture import Picture, as_caption, svg
from kt_cp.files import check_writable, import_optional, write_atomically
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.tour.tour import CoverReport, Tour
from kt_cp.tour.validator import Report

if TYPE_CHECKING:
    from PIL import Image

ShowProgress = Callable[[str], None]
"""A function that is called with the progress of a long drawing, as a phrase."""

FONT_FOLDERS = [str(files("kt_cp.draw").joinpath("fonts"))]
"""The folders with the shipped fonts."""

_MAX_NOTEBOOK_SQUARES = 10_000  # of a board that a notebook shows

_METADATA = """#set document(
    title: sys.inputs.caption, description: sys.inputs.description, date: none
)
"""
_FITTING_PAGE = "#set page(width: auto, height: auto, margin: 0pt)\n"
_WIDE = 1.2  # the proportion of a picture, width to height, for which paper is turned
_MAX_LISTED_LETTERS = 8  # in the message that no font has them
_MAX_ENLARGED_SIDE = 1200  # of a picture that is drawn at twice its size as PNG, in pixels

_MAX_GIF_SIDE = 640  # in pixels
_FRAME_TIME, _LAST_FRAME_TIME = 250, 2500  # in milliseconds
_GIF_COLORS = 128


# -- which picture ---------------------------------------------------------------------------------


def picture_of(value: Any, look: Look = USUAL) -> Picture:
    """Return the picture of a board, tour, cover, report, certificate, puzzle or result.

    Each kind is imported when it is drawn: a picture of a tour loads neither proofs nor puzzles.
    Raises `TypeError` for a value of another class.
    """
    value, look = _shown(value, look)
    match value:
        case Picture():
            return value
        case Tour():
            from kt_cp.draw.tours import tour_picture

            return tour_picture(value, look)
        case Board():
            from kt_cp.draw.puzzles import board_picture

            return board_picture(value, look)
        case Report():
            from kt_cp.draw.faults import report_picture

            return report_picture(value, look)
        case CoverReport():
            from kt_cp.draw.faults import cover_picture

            return cover_picture(value, look)
    return _picture_of_answer(value, look)


def _picture_of_answer(value: Any, look: Look) -> Picture:
    """Return the picture of a result, certificate or puzzle, for which it loads their modules."""
    from kt_cp.draw import proofs
    from kt_cp.draw.puzzles import instance_picture
    from kt_cp.draw.tours import disjoint_tours_picture
    from kt_cp.methods.result import CoverResult, DisjointTours, Result
    from kt_cp.proof.certificate import Certificate
    from kt_cp.proof.reasons import Reason
    from kt_cp.puzzles.puzzle import Puzzle

    match value:
        case DisjointTours(explanation=None):
            return disjoint_tours_picture(value.tours, value.title, look)
        case DisjointTours(explanation=Reason() as reason):
            claim = f"not so many tours of {value.instance.graph.title} without a common move"
            return proofs.reason_picture(reason, look, value.instance, claim)
        case Result(explanation=Reason() as reason):
            return proofs.reason_picture(reason, look, value.instance)
        case Certificate():
            return proofs.certificate_picture(value, look)
        case Puzzle():
            return instance_picture(value.instance, look, value.level, heading=value.title)
        case CoverResult():
            verdict = "the fewest" if value.objective.optimal else value.objective.verdict
            title = as_caption(f"{value.report.summary}: {verdict}")
            return picture_of(value.report, look if look.title else replace(look, title=title))
        case _:
            raise TypeError(f"{type(value).__name__} objects have no picture")


def _shown(value: Any, look: Look) -> tuple[Any, Look]:
    """Return what is drawn for a value and its look: the tour of a result or of a valid report.

    The title, unless the look has one, tells how good the tour of a result is. The steps of a path
    are numbered as it numbers them.
    """
    if isinstance(value, Report):
        if value.steps is None or not value.valid:
            return value, look
        tour = Tour.from_ids(value.graph, value.path, value.closed, value.allows_partial)
        return tour, replace(look, first=int(value.steps[0]))
    found_tour = getattr(value, "tour", None)  # of a result
    if not isinstance(found_tour, Tour):
        return value, look
    if value.objective is not None and look.title is None:
        from kt_cp.draw.proofs import best_tour_claim

        claim = best_tour_claim(value.instance, found_tour, value.objective)
        look = replace(look, title=as_caption(claim))
    return found_tour, look


def page_of(value: Any, look: Look = USUAL) -> str:
    """Return the HTML page of a tour, report, certificate, puzzle, list of puzzles, or picture.

    Raises `TypeError` for a value that has no picture, and `InputError` for an empty list and for a
    board too large for a page.
    """
    from kt_cp.draw.faults import report_page
    from kt_cp.draw.proofs import proof_page
    from kt_cp.draw.puzzles import puzzle_page
    from kt_cp.draw.replays import tour_page
    from kt_cp.proof.certificate import Certificate
    from kt_cp.puzzles.puzzle import Puzzle

    value, look = _shown(value, look)
    match value:
        case Tour(graph=Board()):
            return tour_page(value, look)
        case Report():
            return report_page(value, look)
        case Certificate() if isinstance(value.instance.graph, Board):
            return proof_page(value, look)
        case []:
            raise InputError("give at least one puzzle")
        case Puzzle() | list():
            return puzzle_page(value, look)
        case _:
            return picture_page(picture_of(value, look), look)


# -- where to --------------------------------------------------------------------------------------


def check_picture_file(
    file: str | Path,
    role: str = "picture",
    graph: Graph | None = None,
    suffixes: tuple[str, ...] = TOUR_SUFFIXES,
) -> None:
    """Raise `InputError` if a picture cannot be written to a file.

    A graph, if given, must be small enough to be drawn and, for an .html file, a board must be
    small enough for a page. The name must have one of the ``suffixes``; only boards are
    animated. The packages for its format must be installed, and the file must be writable. ``role``
    is the name of the file in the message, such as the option of a command.
    """
    if graph is not None and not isinstance(graph, Board):
        suffixes = tuple(suffix for suffix in suffixes if suffix != ".gif")
    suffix = Path(file).suffix.lower()
    if suffix not in suffixes:
        *others, last = suffixes
        wanted = f"{', '.join(others)} or {last}" if others else last
        only = "; only tours of boards are animated" if suffix == ".gif" else ""
        raise InputError(f"{role} {file}: the name must end in {wanted}{only}")
    if graph is not None:
        check_drawable(graph)
    if suffix == ".html" and isinstance(graph, Board):
        check_page_size(graph)
    if is_printed(file):
        require_typst()
    check_writable(file, role)


def is_printed(file: str | Path) -> bool:
    """Return whether a picture in a file is written in the typeface of print, by typst."""
    return Path(file).suffix.lower() not in (".svg", ".html")


class Svg(str):
    """The text of an SVG element, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return self


def draw_tour(tour: Tour, file: str | Path | None = None, **options: Any) -> Svg | None:
    """Draw a tour as `draw` does; without a file, return the picture as SVG.

    The options are the fields of `Look`, such as ``style="arrows"`` or ``legend=False``. The .html
    page of a tour of a board uses ``title``, ``theme``, ``first`` and ``words`` only.

    Raises `InputError` as `draw` does, and for an unknown style.
    """
    look = Look(**options)
    if file is None:
        return Svg(svg(picture_of(tour, look), alone=True))
    draw(tour, file, look)
    return None


def draw(
    value: Any,
    file: str | Path,
    look: Look = USUAL,
    role: str = "picture",
    progress: ShowProgress | None = None,
) -> None:
    """Draw a value to a file, in the format that its suffix names.

    `picture_of` lists the values that have a picture; a list of puzzles has a page only. The
    suffixes are .svg, .png, .pdf, .html and, for a tour of a board, .gif. As .html, tours,
    puzzles and proofs are pages to step through, to play on, or to read, and faults are a list. The
    ``paper`` of a look is that of a .pdf. ``progress`` shows how far an animation is. Raises
    `InputError` as `check_picture_file` does, and `TypeError` for a value that has no picture.
    """
    value, look = _shown(value, look)
    graph = value.graph if isinstance(value, Tour) else None
    suffixes = TOUR_SUFFIXES if isinstance(value, Tour) else PICTURE_SUFFIXES
    check_picture_file(file, role, graph, suffixes)
    look = replace(look, printed=is_printed(file))
    match Path(file).suffix.lower():
        case ".html":
            content = page_of(value, look).encode()
        case ".gif":
            from kt_cp.draw.tours import animation

            content = gif(animation(value, look), progress)
        case ".svg":
            content = svg(picture_of(value, look), alone=True).encode()
        case ".png":
            content = png(picture_of(value, look))
        case _:
            content = pdf(picture_of(value, look), look.paper)
    with write_atomically(file) as stream:
        stream.write(content)


def notebook_svg(value: Any) -> str | None:
    """Return the picture of a value as SVG for a notebook, or None unless its board is small."""
    owner = getattr(value, "instance", value)  # of a result, puzzle or certificate
    graph = owner if isinstance(owner, Graph) else owner.graph
    if isinstance(graph, Board) and graph.area <= _MAX_NOTEBOOK_SQUARES:
        return svg(picture_of(value), alone=True)
    return None


# -- print -----------------------------------------------------------------------------------------


def require_typst() -> Any:
    """Return typst. Raises `InputError`, with the command that installs it, if it is missing."""
    install = "pip install 'knights-tours[plot]', or choose .svg"
    return import_optional("typst", "PNG, PDF, GIF and books", install)


def png(picture: Picture, scale: int | None = None) -> bytes:
    """Return a picture as PNG, by default at twice its size unless it is large."""
    if scale is None:
        scale = 2 if max(picture.width, picture.height) < _MAX_ENLARGED_SIDE else 1
    source = f'{_FITTING_PAGE}#image("0.svg")'
    [page] = compile_pages([picture], source, format="png", ppi=96 * scale)
    return page


def pdf(picture: Picture, paper: Paper | None = None) -> bytes:
    """Return a picture as PDF of one page, with its caption and description as metadata.

    The page has the size of the picture; on ``paper`` the picture is as large as the margins allow.
    For a picture that is much wider than high, upright paper is turned.
    """
    source = f'{_FITTING_PAGE}#image("0.svg")'
    if paper is not None:
        width, height = paper.width, paper.height
        if height > width and picture.width > _WIDE * picture.height:
            width, height = height, width
        source = (
            f"#set page(width: {width}mm, height: {height}mm, "
            f'margin: {paper.margin(8)}mm, fill: rgb("{color("paper", picture.look.theme)}"))\n'
            '#align(center + horizon, image("0.svg", width: 100%, height: 100%, fit: "contain"))'
        )
    [document] = compile_pages(
        [picture], source, picture.caption, picture.description, format="pdf"
    )
    return document


def gif(pictures: Iterable[Picture], progress: ShowProgress | None = None) -> bytes:
    """Return pictures of one size as an animation, which repeats and shows the last one longest.

    ``progress`` is called with a phrase on how many of them are drawn.
    """
    from PIL import Image

    pictures = list(pictures)
    images: list[Image.Image] = []
    for picture in pictures:
        # They are drawn in their own size and then reduced: at other scales, at which squares are
        # not a whole number of pixels, typst omits rows of pixels, which clips the joins of lines.
        image = Image.open(BytesIO(png(picture, scale=1))).convert("RGB")
        image.thumbnail((_MAX_GIF_SIDE, _MAX_GIF_SIDE), Image.Resampling.LANCZOS)
        images.append(image)
        if progress is not None:
            progress(f"drawing the animation: {len(images)} of {len(pictures)} pictures")
    # One palette: that of the last image, which has most to show.
    palette = images[-1].quantize(_GIF_COLORS)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times = [_FRAME_TIME] * (len(frames) - 1) + [_LAST_FRAME_TIME]
    file = BytesIO()
    frames[0].save(file, "gif", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return file.getvalue()


def compile_pages(
    pictures: Sequence[Picture],
    source: str,
    caption: str = "",
    description: str = "",
    **options: Any,
) -> list[bytes]:
    """Return the documents that typst compiles from a source and pictures.

    They are one PDF, or a PNG for each page. The pictures are the files ``0.svg``, ``1.svg`` … of
    the source. ``options`` are those of ``typst.compile``. Raises `InputError` if typst or a font
    is missing.
    """
    texts = {
        f"{index}.svg": svg(replace(each, look=replace(each.look, printed=True)))
        for index, each in enumerate(pictures)
    }
    # Descriptions are not drawn, so that their letters need no font.
    written = source + re.sub("<desc>.*</desc>", "", "".join(texts.values()))
    fonts = fonts_for(written)
    texts["main.typ"] = _METADATA + source
    sources = {name: text.encode() for name, text in texts.items()}
    inputs = {"caption": caption, "description": description}
    compiled = require_typst().compile(sources, font_paths=fonts, sys_inputs=inputs, **options)
    return compiled if isinstance(compiled, list) else [bytes(compiled)]


def fonts_for(text: str) -> Any:
    """Return the shipped fonts or, if they lack some of the letters, the installed ones too.

    Raises `InputError` if no font has a letter.
    """
    return _fonts_with("".join(sorted(letter for letter in {*text} if not letter.isascii())))


@lru_cache(maxsize=8)
def _fonts_with(letters: str) -> Any:
    """Return fonts for letters that are not ASCII."""
    typst = require_typst()
    source = f'#set text(font: "{PRINT_FACE}")\n#sys.inputs.letters'.encode()
    options = {"format": "pdf", "pdf_standards": "a-2b", "sys_inputs": {"letters": letters}}
    for system in (False, True):
        sources = {"include_system_fonts": system, "include_embedded_fonts": False}
        fonts = typst.Fonts(font_paths=FONT_FOLDERS, **sources)
        with suppress(typst.TypstError):  # PDF/A allows no letter that is not in a font
            typst.compile(source, font_paths=fonts, **options)
            return fonts
    listed_letters = letters
    if len(letters) > _MAX_LISTED_LETTERS:
        listed_letters = f"{letters[:_MAX_LISTED_LETTERS]}…"
    noto = "Noto Sans CJK for Chinese and Japanese (Debian's package fonts-noto-cjk)"
    wanted = f"install one, such as {noto}, or choose .svg"
    raise InputError(f"no installed font has all of the letters {listed_letters}: {wanted}")
