"""Write pictures to files, in the format that the suffix names, and show them in notebooks.

SVG and pages need nothing else; `kt_cp.draw.typesetting` makes PNG, PDF and GIF of the SVG.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from kt_cp.board import Board
from kt_cp.cover import CoverResult
from kt_cp.draw.claims import best_tour_claim
from kt_cp.draw.cover import cover_picture
from kt_cp.draw.faults import report_picture, tour_of, with_own_steps
from kt_cp.draw.geometry import check_drawable
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.page import check_page_size, picture_page
from kt_cp.draw.picture import Picture, svg
from kt_cp.draw.proof import certificate_picture, reason_picture
from kt_cp.draw.proof_player import proof_page
from kt_cp.draw.puzzle import board_picture, instance_picture
from kt_cp.draw.puzzle_player import puzzle_page
from kt_cp.draw.replay import tour_page
from kt_cp.draw.suffixes import PICTURE_SUFFIXES, TOUR_SUFFIXES
from kt_cp.draw.tour import animation, tour_picture
from kt_cp.draw.typesetting import ShowProgress, gif, pdf, png, require_typst
from kt_cp.draw.wording import as_caption
from kt_cp.files import check_writable, write_atomically
from kt_cp.graph import Graph
from kt_cp.longest import longest_tour
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.solving import Result
from kt_cp.tour.covers import CoverReport
from kt_cp.tour.report import PathReport, Report
from kt_cp.tour.tour import Tour

_MAX_NOTEBOOK_SQUARES = 10_000  # of a board that a notebook shows

# The search for the longest path or cycle of a graph without a tour.
_MAX_SEARCHED = 50  # vertices of a graph for which it is made
_LONGEST_SECONDS = 1.0  # its time limit


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
    if graph is not None:
        check_drawable(graph)
    if graph is not None and not isinstance(graph, Board):
        suffixes = tuple(suffix for suffix in suffixes if suffix != ".gif")
    suffix = Path(file).suffix.lower()
    if suffix not in suffixes:
        *others, last = suffixes
        wanted = f"{', '.join(others)} or {last}" if others else last
        only = "; only tours of boards are animated" if suffix == ".gif" else ""
        raise InputError(f"{role} {file}: the name must end in {wanted}{only}")
    if suffix == ".html" and isinstance(graph, Board):
        check_page_size(graph)
    if suffix not in (".svg", ".html"):
        require_typst()
    check_writable(file, role)


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
    certificates and puzzles are pages to step through or to play on. The ``paper`` of a look is
    that of a .pdf. ``progress`` shows how far an animation is. Raises `InputError` as
    `check_picture_file` does, and `TypeError` for a value that has no picture.
    """
    if isinstance(value, PathReport) and value.valid:
        value, look = tour_of(value), with_own_steps(look, value)
    elif isinstance(value, Result) and value.tour is not None:
        value, look = value.tour, _with_claim(look, value)
    graph = value.graph if isinstance(value, Tour) else None
    suffixes = TOUR_SUFFIXES if isinstance(value, Tour) else PICTURE_SUFFIXES
    check_picture_file(file, role, graph, suffixes)
    match Path(file).suffix.lower():
        case ".html":
            content = page_of(value, look).encode()
        case ".gif":
            content = gif(animation(value, look), progress)
        case ".svg":
            content = svg(picture_of(value, look), alone=True).encode()
        case ".png":
            content = png(picture_of(value, look))
        case _:
            content = pdf(picture_of(value, look), look.paper)
    with write_atomically(file) as stream:
        stream.write(content)


def picture_of(value: Any, look: Look = USUAL) -> Picture:
    """Return the picture of a board, tour, cover, report, certificate, puzzle or result.

    Raises `TypeError` for a value of another class.
    """
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
        case CoverReport():
            return cover_picture(value, look)
        case CoverResult():
            return cover_picture(value.report, _with_verdict(look, value))
        case Puzzle():
            return instance_picture(value.instance, look, value.level, heading=value.title)
        case Result(tour=Tour()) | Result(explanation=Reason()):
            return _result_picture(value, look)
        case _:
            raise TypeError(f"{type(value).__name__} objects have no picture")


def _result_picture(result: Result, look: Look) -> Picture:
    """Return the picture of the tour of a result, or of the reason why there is none."""
    if result.tour is not None:
        return tour_picture(result.tour, _with_claim(look, result))
    assert result.explanation is not None
    instead = _longest_instead(result)
    return reason_picture(result.explanation, look, result.instance, instead)


def _with_claim(look: Look, result: Result) -> Look:
    """Return a look whose title, unless it has one, tells how good the tour of a result is."""
    tour, objective = result.tour, result.objective
    if tour is None or objective is None or look.title is not None:
        return look
    return replace(look, title=as_caption(best_tour_claim(result.instance, tour, objective)))


def _with_verdict(look: Look, cover: CoverResult) -> Look:
    """Return a look whose title, unless it has one, tells how good a cover is."""
    if look.title is not None:
        return look
    verdict = "the fewest" if cover.objective.optimal else cover.objective.verdict
    return replace(look, title=as_caption(f"{cover.report.summary}: {verdict}"))


def _longest_instead(result: Result) -> Result | None:
    """Return the result of a brief search for the longest path or cycle where there is no tour.

    It is made where an exhaustive search of a small graph is the only reason. Return None
    otherwise, also if the longest one was asked for, and if the constraints are only for tours of
    all squares, such as given steps.
    """
    is_exhausted = result.reason_kind is ReasonKind.EXHAUSTED
    if not is_exhausted or len(result.instance.graph) > _MAX_SEARCHED:
        return None
    if result.instance.allows_partial:
        return None
    try:
        return longest_tour(result.instance, time_limit=_LONGEST_SECONDS, workers=1)
    except InputError:
        return None


def page_of(value: Any, look: Look = USUAL) -> str:
    """Return the HTML page of a tour, certificate, puzzle or list of puzzles, or of a picture.

    Raises `TypeError` for a value that has no picture, and `InputError` for an empty list and for a
    board too large for a page.
    """
    match value:
        case Tour(graph=Board()):
            return tour_page(value, look)
        case Certificate(instance=Instance(graph=Board())):
            return proof_page(value, look)
        case []:
            raise InputError("give at least one puzzle")
        case Puzzle() | list():
            return puzzle_page(value, look)
        case _:
            return picture_page(picture_of(value, look))


def notebook_svg(value: Any) -> str | None:
    """Return the picture of a value as SVG for a notebook, or None unless its board is small."""
    graph = _graph_of(value)
    if isinstance(graph, Board) and graph.area <= _MAX_NOTEBOOK_SQUARES:
        return svg(picture_of(value), alone=True)
    return None


def _graph_of(value: Any) -> Graph | None:
    """Return the board or graph of a value that has a picture."""
    match value:
        case Graph():
            return value
        case Tour() | Report() | CoverReport() | CoverResult():
            return value.graph
        case Result() | Puzzle() | Certificate():
            return value.instance.graph
        case _:
            return None
