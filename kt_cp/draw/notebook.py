"""What values show in a notebook; `kt_cp.files.drawn` finds these functions by name.

They return None for a large board, which is then shown as text, because its picture would make the
notebook slow.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from kt_cp.board import Board
from kt_cp.draw.board import board_picture
from kt_cp.draw.faults import report_picture
from kt_cp.draw.picture import Picture, svg
from kt_cp.draw.proof import reason_picture, verdict_picture
from kt_cp.draw.puzzle import puzzle_picture
from kt_cp.draw.sheet import Look
from kt_cp.draw.tour import tour_picture
from kt_cp.graph import Graph
from kt_cp.proof.certificate import Certificate
from kt_cp.proof.checker import check
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import Report

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle
    from kt_cp.solving import Result

_MOST_SQUARES = 10_000
_MOST_FAULTS = 20


def tour_svg(tour: Tour) -> str | None:
    """Return a tour as SVG; of a graph that is no board, None."""
    return _small(tour.graph, lambda: tour_picture(tour))


def board_svg(board: Board) -> str | None:
    """Return a board as SVG."""
    return _small(board, lambda: board_picture(board))


def puzzle_svg(puzzle: Puzzle) -> str | None:
    """Return a puzzle as SVG."""
    return _small(puzzle.solution.board, lambda: puzzle_picture(puzzle))


def result_svg(result: Result) -> str | None:
    """Return the tour that was found, or the reason why there is none, as SVG."""
    if result.tour is not None:
        return tour_svg(result.tour)
    if (reason := result.explanation) is not None:
        return _small(reason.graph, lambda: reason_picture(reason, instance=result.instance))
    return None


def certificate_svg(certificate: Certificate) -> str | None:
    """Return the verdict on a certificate, with the squares that decide it, as SVG."""
    board = certificate.instance.graph
    return _small(board, lambda: verdict_picture(certificate, check(certificate)))


def report_html(report: Report) -> str:
    """Return a report as HTML: verdict, notes, a picture unless it is large, the first faults."""
    parts = [f"<p><strong>{escape(report.verdict)}</strong></p>"]
    parts += [f"<p>note: {escape(note)}</p>" for note in report.notes]
    if len(report.path) <= _MOST_SQUARES:
        look = Look(title="")
        parts.append(_small(report.graph, lambda: report_picture(report, look)) or "")
    faults = [fault.message for fault in itertools.islice(report.iter_faults(), _MOST_FAULTS)]
    if faults:
        items = "".join(f"<li>{escape(message)}</li>" for message in faults)
        parts.append(f"<ul>{items}</ul>")
    more = sum(report.counts.values()) - len(faults)
    if more:
        parts.append(f"<p>and {more:,} more</p>")
    return f"<div>{''.join(parts)}</div>"


def _small(board: Graph, picture: Callable[[], Picture]) -> str | None:
    is_small = isinstance(board, Board) and board.area <= _MOST_SQUARES
    return svg(picture()) if is_small else None
