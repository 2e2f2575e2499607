"""Write pictures to files; the ending of the name says of which kind.

SVG and pages need nothing else; typst turns the SVG into PNG and PDF, with the font in
`kt_cp/draw/fonts`, and Pillow puts the pictures of a GIF together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.board import Board
from kt_cp.draw.faults import as_tour, report_picture
from kt_cp.draw.graph import check_drawable, graph_picture
from kt_cp.draw.page import check_page_size, picture_page, tour_page
from kt_cp.draw.picture import Picture, Texts, svg
from kt_cp.draw.sheet import USUAL, Look, check_size
from kt_cp.draw.tour import animation, tour_picture
from kt_cp.errors import InputError
from kt_cp.files import check_writable, optional, whole_file
from kt_cp.graph import Graph
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import Report
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.proof.certificate import Certificate
    from kt_cp.proof.checker import Verdict
    from kt_cp.solving import Result

Progress = Callable[[str], None]  # is called with a message

# The endings that fit what is drawn.
STILL = (".svg", ".png", ".pdf", ".html")
MOVING = (".svg", ".png", ".pdf", ".gif", ".html")

FONTS = [str(files("kt_cp.draw").joinpath("fonts"))]
_POINTS = 0.75  # in a pixel
_SHARP = 1200  # pixels: below, a picture is drawn at twice its size
_GIF_SIDE = 560
_FRAME, _LAST_FRAME = 250, 2500  # milliseconds


def check_picture(
    file: str | Path,
    role: str = "--draw",
    board: Graph | None = None,
    fitting: tuple[str, ...] = MOVING,
    what: str = "this is",
) -> None:
    """Raise `InputError` if no picture can be written to a file of this name.

    The reason is an ending that is not among the ``fitting`` ones of ``what`` is drawn, a package
    that is missing, a place that may not be written, or a board that is too large. ``role`` is what
    the message calls the file.
    """
    if board is not None and not isinstance(board, Board):
        check_drawable(board)
        board, fitting, what = None, STILL, "a graph is"
    ending = Path(file).suffix.lower()
    if ending not in fitting:
        if fitting is MOVING:
            known = f"a picture's name ends in one of {', '.join(MOVING)}"
        else:
            *others, last = fitting
            known = f"{what} drawn as {', '.join(others)}{' or ' if others else ''}{last}"
        raise InputError(f"{role} {file}: {known}")
    if ending not in (".svg", ".html"):
        require_typst("PNG, PDF and GIF", ", or choose .svg")
    check_writable(file, role)
    if board is not None:
        (check_page_size if ending == ".html" else check_size)(board)


def require_typst(purpose: str, instead: str = "") -> Any:
    """Return typst. Raises `InputError`, with the command that installs it, if it is missing."""
    return optional("typst", purpose, f"pip install 'knights-tours[plot]'{instead}")


class Svg(str):
    """The text of an SVG element, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return self


def draw_tour(
    tour: Tour,
    file: str | Path | None = None,
    look: Look = USUAL,
    progress: Progress = lambda message: None,
    **changes: Any,
) -> Svg | None:
    """Draw a tour to a file: .svg, .png, .pdf, .gif (animated) or .html (to step through).

    Without a file, return the picture as SVG. ``changes`` are fields of `Look`, such as
    ``style="arrows"`` or ``legend=False``; an .html page uses title and theme only. ``progress`` is
    called with a message before each picture of a .gif. Raises `InputError` as `check_picture`
    does, and for an unknown style.
    """
    if unknown := changes.keys() - Look.__annotations__:
        known = ", ".join(Look.__annotations__)
        raise TypeError(f"unknown keyword {min(unknown)!r}: the options of a picture are {known}")
    look = replace(look, **changes)
    if not isinstance(tour.graph, Board):
        picture = graph_picture(tour, look)
        if file is None:
            return Svg(svg(picture))
        check_picture(file, "picture", tour.graph)
        draw_picture(picture, file, "picture")
        return None
    if file is None:
        return Svg(svg(tour_picture(tour, look)))
    check_picture(file, "picture", tour.board)
    ending = Path(file).suffix.lower()
    if ending == ".html":
        _write(tour_page(tour, look.title, look.first, look.theme).encode(), file)
    elif ending == ".gif":
        _write(gif(_announced(animation(tour, look), progress)), file)
    else:
        _write(_WRITERS[ending](tour_picture(tour, look)), file)
    return None


def draw_result(result: Result, file: str | Path, progress: Progress) -> str | None:
    """Draw the tour that was found, as `draw_tour` does, or the reason why there is none.

    Return why nothing was drawn, or None: there is nothing to show for an unknown answer, and a
    reason is not drawn as .gif.
    """
    if result.tour is not None:
        draw_tour(result.tour, file, progress=progress)
        return None
    if result.status is not Status.IMPOSSIBLE or not result.explanation:
        return f"{file} is not written: there is no answer to draw"
    if Path(file).suffix.lower() not in STILL:
        return f"{file} is not written: a reason is drawn as {', '.join(STILL[:-1])} or {STILL[-1]}"
    from kt_cp.draw.proof import reason_picture

    picture = reason_picture(result.explanation, instance=result.instance)
    draw_picture(picture, file)
    return None


def draw_proof(certificate: Certificate, verdict: Verdict, file: str | Path) -> None:
    """Draw a certificate to a file: its decisive step, or as .html a page of all its steps.

    Raises `InputError` as `check_picture` does, and for a page of more than 2,000 steps.
    """
    from kt_cp.draw.proof import proof_page, verdict_picture

    check_picture(file, fitting=STILL, what="a proof is")
    if Path(file).suffix.lower() == ".html":
        _write(proof_page(certificate).encode(), file)
    else:
        draw_picture(verdict_picture(certificate, verdict), file)


def draw_report(
    report: Report,
    file: str | Path,
    look: Look = USUAL,
    progress: Progress = lambda message: None,
    role: str = "--draw",
) -> None:
    """Draw a validation report to a file: the path and its faults, or the tour if it is one.

    Raises `InputError` as `check_picture` does, and for faults as .gif.
    """
    if report.valid:
        tour, look = as_tour(report, look)
        draw_tour(tour, file, look, progress)
    else:
        check_picture(file, role, fitting=STILL, what="faults are")
        draw_picture(report_picture(report, look), file, role)


def draw_picture(picture: Picture, file: str | Path, role: str = "--draw") -> None:
    """Write a picture to a file: .svg, .png or .pdf, or a page (.html) that shows it.

    Raises `InputError` as `check_picture` does.
    """
    check_picture(file, role, fitting=STILL)
    _write(_WRITERS[Path(file).suffix.lower()](picture), file)


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


_WRITERS: dict[str, Callable[[Picture], bytes]] = {
    ".svg": lambda picture: svg(picture).encode(),
    ".png": png,
    ".pdf": pdf,
    ".html": lambda picture: picture_page(picture).encode(),
}


def _announced(pictures: Iterable[Picture], progress: Progress) -> Iterator[Picture]:
    for picture in pictures:
        progress(f"drawing {picture.description}")
        yield picture


def _write(content: bytes, file: str | Path) -> None:
    with whole_file(file) as stream:
        stream.write(content)
