"""Pictures of reports: paths with their faults, and covers by several paths."""

from __future__ import annotations

import itertools
from dataclasses import replace
from html import escape

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.draw.look import GROUPS, PATHS, USUAL, Look, Theme
from kt_cp.draw.page import figure, legend, static_page
from kt_cp.draw.picture import (
    END_MARK,
    SQUARE_CORNERS,
    START_MARK,
    Mark,
    Picture,
    Points,
    as_caption,
    as_sentence,
    combined_mark,
    disc_mark,
    move_mark,
    polygon_mark,
    square_mark,
    svg_path,
)
from kt_cp.draw.sheet import Sheet
from kt_cp.messages import pluralize
from kt_cp.tour.tour import CoverReport
from kt_cp.tour.validator import FaultKind, Report, on_board

_MAX_MESSAGES = 5  # in the description for screen readers
_MAX_LINKED = 500  # faults in the list of a page
_MAX_STEPS = 2  # written into one square
_FAULT_RADIUS, _SPOT_RADIUS = 0.44, 0.5  # in squares
_SPOT = disc_mark(None, "given", 0.16)  # around the squares of the fault that a page points out
_BOW = 0.48  # of the middle of an illegal move, in squares: it keeps off the numbers beside it
_SPOT_WIDTH = 5.0  # of the move that the page points out, in pixels
_CASING = 4.0  # how much wider the casing of an illegal move is, in pixels

# A fault between two squares is a dashed curve, a fault of one square is a mark on it.
_DASHES = {FaultKind.ILLEGAL_MOVE: (7.0, 6.0), FaultKind.NOT_CLOSED: (1.0, 6.0)}
_CROSS = [(-0.6, -0.6), (0.6, 0.6), (0, 0), (0.6, -0.6), (-0.6, 0.6), (0, 0)]
_MARKS: dict[FaultKind, Mark] = {
    FaultKind.HOLE: polygon_mark(_CROSS, "fault", 0.15),
    FaultKind.REPEAT: disc_mark(None, "fault", 0.06),
    FaultKind.ILLEGAL_MOVE: disc_mark(None, "fault", 0.12),  # from a square to itself
    FaultKind.SAME_STEP: polygon_mark(SQUARE_CORNERS * 0.9, "fault", 0.12),
    FaultKind.NO_STEP: polygon_mark([(-0.8, 0.9), (0.8, 0.9)], "fault", 0.15),
    FaultKind.SPLIT: polygon_mark([(0, -1), (1, 0), (0, 1), (-1, 0)], "fault", 0.12),
    FaultKind.NOT_CLOSED: polygon_mark([(0, -1), (1, 1), (-1, 1)], "fault", 0.12),
    FaultKind.MISSING: square_mark("missing"),
}

_MAX_LISTED = 12  # paths of a cover in the legend

# The colors of paths in their order; the fills of the first three differ in gray, too.
_COLOR_ORDER = (0, 2, 4, 1, 3)
_PATH_DASHES = (None, (9.0, 7.0), (1.0, 6.0))  # solid, dashed and dotted, in pixels
_THICKNESS = 1.8

# The tint behind the line in the legend, in radii of its mark.
_TINT = np.array([(-2, -1), (2, -1), (2, 1), (-2, 1)])


def report_picture(report: Report, look: Look = USUAL) -> Picture:
    """Return the picture of a report: the faults are marked, and the legal moves faint.

    The caption is the verdict unless the look has a title. Each kind of fault has a mark of its
    own, drawn once on a square.
    """
    report = replace(report, name_square=report.graph.name)
    return _finish(_sheet(report, look), report)


def report_page(report: Report, look: Look = USUAL) -> str:
    """Return an HTML page with the picture of a report, and beside it the list of its faults.

    Following the link of a fault marks its squares in the picture.
    """
    report = replace(report, name_square=report.graph.name)  # ids look like steps
    sheet = _sheet(report, look)
    items: list[str] = []
    for number, fault in enumerate(itertools.islice(report.iter_faults(), _MAX_LINKED), start=1):
        text = escape(as_sentence(fault.message))
        squares = [square for square in fault.squares if 0 <= square < report.graph.area]
        spot = _SPOT(sheet.pixel_centers(squares), _SPOT_RADIUS * sheet.cell)
        if fault.kind in _DASHES:
            ends = sheet.pixel_centers([squares])
            bows = _bows(ends, _BOW * sheet.cell)
            spot = svg_path("given", ends, "given", _SPOT_WIDTH, bows=bows) + spot
        sheet.draw(f'<g id="fault-{number}" class="spot">{spot}</g>')
        target = f' href="#fault-{number}"' if squares else ""
        items.append(f"<li><a{target}>{text}</a></li>")
    if more := sum(report.counts.values()) - len(items):
        items.append(f"<li><a>{more:,} more</a></li>")
    picture = _finish(sheet, report)
    title = picture.caption or as_caption(report.verdict)
    content = (
        f"<h1>{escape(title)}</h1><p>Choose a fault to see its squares.</p>"
        f'<div class="beside"><div>{figure(picture.boards[0])}{legend(picture, look)}</div>'
        f'<ol class="faults">{"".join(items)}</ol></div>'
    )
    return static_page(title, content, look.theme)


def _finish(sheet: Sheet, report: Report) -> Picture:
    """Write the steps above the faults, and return the picture, with its first faults in words."""
    if report.steps is not None:
        _write_steps(sheet, report, report.steps)
    sheet.write_words(report.missing, ["?"] * len(report.missing))
    faults = itertools.islice(report.iter_faults(), _MAX_MESSAGES)
    return sheet.finish(f"{report.verdict}: {'; '.join(fault.message for fault in faults)}")


def _sheet(report: Report, look: Look) -> Sheet:
    """Return a sheet with the legal moves of a report and its faults."""
    sheet = Sheet(report.graph, report.verdict, look)
    sheet.fill("missing", report.missing)
    sheet.draw_moves(report.legal_moves, "faint", thickness=0.75)
    pairs_by_kind = _squares_by_kind(report)
    # A kind is drawn as curves if any of its faults is between two different squares.
    curved = {
        kind: pairs
        for kind, pairs in pairs_by_kind.items()
        if kind in _DASHES and (pairs[:, 0] != pairs[:, 1]).any()
    }
    for kind, phrase in report.phrases.items():
        if kind in curved:
            sheet.add_legend(phrase, move_mark("fault", 1.4, _DASHES[kind]))
        elif kind in pairs_by_kind:
            squares = np.unique(pairs_by_kind[kind])
            sheet.draw_mark(_MARKS[kind], squares, radius=_FAULT_RADIUS, legend=phrase)
        else:
            sheet.add_legend(phrase, _MARKS.get(kind))
    for kind, pairs in curved.items():
        ends = sheet.pixel_centers(pairs)
        bows = _bows(ends, _BOW * sheet.cell)
        width = 1.4 * sheet.line_width
        # A casing separates the curves from rings and lines below them.
        sheet.draw(svg_path("casing", ends, "paper", width + _CASING, bows=bows))
        sheet.draw(svg_path("fault", ends, "fault", width, dashes=_DASHES[kind], bows=bows))
    return sheet


def _bows(ends: Points, length: float) -> Points:
    """Return the bows of curves between the centers of squares, which keep off others' numbers."""
    across = (ends[:, 1] - ends[:, 0])[:, ::-1] * [1, -1]
    bows: Points = across * (length / np.linalg.norm(across, axis=1, keepdims=True).clip(1))
    return bows


def _squares_by_kind(report: Report) -> dict[FaultKind, Ints]:
    """Return the squares of the faults of each kind as pairs of ids.

    A fault of one square repeats it, and a gap in the steps is between the squares before and after
    it. Faults off the board are omitted.
    """
    pairs_by_kind: dict[FaultKind, Ints] = {}
    for kind, rows in report.faulty.items():
        pairs = report.entries[rows]
        pairs_by_kind[kind] = pairs[on_board(report.graph, pairs).all(axis=1)].astype(np.int64)
    return {kind: pairs for kind, pairs in pairs_by_kind.items() if len(pairs)}


def _write_steps(sheet: Sheet, report: Report, steps: Ints) -> None:
    """Write into each square the steps at which it is visited, if they are legible.

    Of a square with more than two steps, their number is written.
    """
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), steps.tolist(), strict=True):
        if square in report.graph:
            visits.setdefault(square, []).append(step)
    single: dict[int, str] = {}
    several: dict[int, str] = {}  # whose words are smaller
    for square, visited in visits.items():
        texts = single if len(visited) == 1 else several
        texts[square] = "·".join(map(str, visited))
        if len(visited) > _MAX_STEPS:
            texts[square] = f"{len(visited)}×"
            sheet.add_legend("3× in a square: visited three times")
    for words in (single, several):
        sheet.write_words([*words], words.values(), share=0.9, on_disc=True)


# -- covers ----------------------------------------------------------------------------------------


def cover_picture(report: CoverReport, look: Look = USUAL) -> Picture:
    """Return the picture of a cover: the squares and the line of each path in its color.

    The caption is the summary of a valid cover, or the verdict. Squares that no path visits are
    marked as missing, and the ends of paths of two or more squares are marked.
    """
    graph = report.graph
    words = graph.vocabulary
    sheet = Sheet(graph, report.summary if report.valid else report.verdict, look)
    for number, path in enumerate(report.paths):
        color = _COLOR_ORDER[number % len(_COLOR_ORDER)]
        # In gray, dashes tell all paths apart, and otherwise those of one color.
        dash = number if look.theme is Theme.GRAY else number // len(_COLOR_ORDER)
        dashes = _PATH_DASHES[dash % len(_PATH_DASHES)]
        moves = [pair for pair in itertools.pairwise(path) if pair[1] in graph.neighbors(pair[0])]
        sheet.fill(GROUPS[color], path)
        sheet.draw_moves(moves, PATHS[color], thickness=_THICKNESS, dashes=dashes)
        if path and number < _MAX_LISTED:
            text = f"path {number + 1}: {words.count_vertices(len(path))}, "
            text += " to ".join(graph.name(end) for end in dict.fromkeys([path[0], path[-1]]))
            tint = polygon_mark(_TINT, fill=GROUPS[color])
            sheet.add_legend(text, combined_mark(tint, move_mark(PATHS[color], _THICKNESS, dashes)))
    if len(report.paths) > _MAX_LISTED:
        sheet.add_legend(f"and {pluralize(len(report.paths) - _MAX_LISTED, 'more path')}")
    missing = {*graph.vertices.tolist()}.difference(*report.paths)
    sheet.fill("missing", missing, "not visited")
    longer = [path for path in report.paths if len(path) > 1]
    sheet.draw_mark(START_MARK, [path[0] for path in longer], legend="starts")
    sheet.draw_mark(END_MARK, [path[-1] for path in longer], legend="ends")
    sheet.explain_joined_sides()
    return sheet.finish()
