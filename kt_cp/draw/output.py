"""Pictures written to files: the ending of the name says what is made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO

from kt_cp.draw.faults import report_picture
from kt_cp.draw.image import write_gif, write_png
from kt_cp.draw.picture import Picture
from kt_cp.draw.svg import svg
from kt_cp.draw.tour import Style, tour_picture, walk_pictures
from kt_cp.draw.walk_page import walk_page
from kt_cp.errors import InputError
from kt_cp.files import check_writable, require_matplotlib, whole_file
from kt_cp.tour.report import Report
from kt_cp.tour.tour import Tour

_STATIC = (".svg", ".png")
_MOVING = (".gif", ".html")
_BY_MATPLOTLIB = (".png", ".gif")


def check_picture(file: str | Path, role: str = "--draw") -> None:
    """Raise `InputError` where no picture can be written to a file of this name.

    That is an ending of the name that is unknown or needs a missing matplotlib, or a place that may
    not be written; ``role`` is how the message calls the file.
    """
    ending = _ending(file)
    if ending not in _STATIC + _MOVING:
        known = ", ".join(_STATIC + _MOVING)
        raise InputError(f"{role} {file}: a picture's name ends in one of {known}")
    if ending in _BY_MATPLOTLIB:
        require_matplotlib("PNG and GIF", ", or choose .svg")
    check_writable(file, role)


def draw_tour(
    tour: Tour, file: str | Path, style: Style | str = Style.LINES, title: str | None = None
) -> None:
    """Draw a tour to a file: .svg, .png, .gif (the knight walks) or .html (step by step).

    The style is for the first two. Raises `InputError` as `check_picture` does.
    """
    check_picture(file)
    ending = _ending(file)
    with whole_file(file) as stream:
        if ending == ".gif":
            write_gif(walk_pictures(tour, title), stream)
        elif ending == ".html":
            stream.write(walk_page(tour, title).encode())
        else:
            _WRITERS[ending](tour_picture(tour, Style(style), title), stream)


def draw_report(
    report: Report, file: str | Path, title: str | None = None, role: str = "--draw"
) -> None:
    """Draw a validation report to a file, .svg or .png: the path and its faults.

    A valid path is drawn as a tour. Raises `InputError` as `check_picture` does, and for a walk
    along a path that is no tour.
    """
    if report.valid:
        draw_tour(Tour(report.board, report.path, report.closed), file, title=title)
        return
    check_picture(file, role)
    ending = _ending(file)
    if ending in _MOVING:
        raise InputError(f"{role} {file}: {report.verdict}; choose .svg or .png to see the faults")
    with whole_file(file) as stream:
        _WRITERS[ending](report_picture(report, title), stream)


def _write_svg(picture: Picture, stream: IO[bytes]) -> None:
    stream.write(svg(picture).encode())


_WRITERS: dict[str, Callable[[Picture, IO[bytes]], None]] = {".svg": _write_svg, ".png": write_png}


def _ending(file: str | Path) -> str:
    return Path(file).suffix.lower()
