"""Write pictures to files; the ending of the name says of which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.board import Board
from kt_cp.draw.board import reason_picture
from kt_cp.draw.faults import as_tour, report_picture
from kt_cp.draw.html_page import check_page_size, tour_page
from kt_cp.draw.image import gif, pdf, png
from kt_cp.draw.picture import Picture
from kt_cp.draw.sheet import USUAL, Look, check_size
from kt_cp.draw.svg_text import svg
from kt_cp.draw.tour import animation, tour_picture
from kt_cp.errors import InputError
from kt_cp.files import check_writable, require_matplotlib, whole_file
from kt_cp.tour.report import Report
from kt_cp.tour.tour import Tour
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.solving import Result

Progress = Callable[[str], None]  # is called with a message

_STILL: dict[str, Callable[[Picture], bytes]] = {
    ".svg": lambda picture: svg(picture).encode(),
    ".png": png,
    ".pdf": pdf,
}
_MOVING = (".gif", ".html")


def check_picture(file: str | Path, role: str = "--draw", board: Board | None = None) -> None:
    """Raise `InputError` if no picture can be written to a file of this name.

    The reason is the ending of the name (unknown, or matplotlib is missing), a place that may not
    be written, or a board that is too large. ``role`` is what the message calls the file.
    """
    ending = _ending(file)
    if ending not in (*_STILL, *_MOVING):
        known = ", ".join((*_STILL, *_MOVING))
        raise InputError(f"{role} {file}: a picture's name ends in one of {known}")
    if ending not in (".svg", ".html"):
        require_matplotlib("PNG, PDF and GIF", ", or choose .svg")
    check_writable(file, role)
    if board is not None:
        (check_page_size if ending == ".html" else check_size)(board)


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
    ``style="arrows"`` or ``legend=False``; an .html page uses the title only. ``progress`` is
    called with a message before each picture of a .gif. Raises `InputError` as `check_picture`
    does, and for an unknown style.
    """
    if unknown := changes.keys() - Look.__annotations__:
        known = ", ".join(Look.__annotations__)
        raise TypeError(f"unknown keyword {min(unknown)!r}: the options of a picture are {known}")
    look = replace(look, **changes)
    if file is None:
        return Svg(svg(tour_picture(tour, look)))
    check_picture(file, "picture", tour.board)
    ending = _ending(file)
    if ending == ".html":
        content = tour_page(tour, look.title, look.first).encode()
    elif ending == ".gif":
        content = gif(_told(animation(tour, look), progress))
    else:
        content = _STILL[ending](tour_picture(tour, look))
    _write(content, file)
    return None


def draw_result(result: Result, file: str | Path, progress: Progress) -> None:
    """Draw the tour that was found, as `draw_tour` does, or the reason why there is none.

    Nothing is drawn for an unknown answer, nor of a reason as .gif or .html.
    """
    if result.tour is not None:
        draw_tour(result.tour, file, progress=progress)
    elif result.explanation and result.status is Status.IMPOSSIBLE and _ending(file) in _STILL:
        draw_picture(reason_picture(result.explanation), file)


def draw_report(
    report: Report,
    file: str | Path,
    look: Look = USUAL,
    progress: Progress = lambda message: None,
    role: str = "--draw",
) -> None:
    """Draw a validation report to a file: the path and its faults, or the tour if it is one.

    Raises `InputError` as `check_picture` does, and for faults as .gif or .html.
    """
    if report.valid:
        tour, look = as_tour(report, look)
        draw_tour(tour, file, look, progress)
    else:
        draw_picture(report_picture(report, look), file, role)


def draw_picture(picture: Picture, file: str | Path, role: str = "--draw") -> None:
    """Write a picture to a file: .svg, .png or .pdf.

    Raises `InputError` as `check_picture` does, and for .gif and .html, which show tours only.
    """
    check_picture(file, role)
    ending = _ending(file)
    if ending in _MOVING:
        raise InputError(f"{role} {file}: {picture.description}; choose .svg, .png or .pdf")
    _write(_STILL[ending](picture), file)


def _told(pictures: Iterable[Picture], progress: Progress) -> Iterator[Picture]:
    for picture in pictures:
        progress(f"drawing {picture.description}")
        yield picture


def _write(content: bytes, file: str | Path) -> None:
    with whole_file(file) as stream:
        stream.write(content)


def _ending(file: str | Path) -> str:
    return Path(file).suffix.lower()
