"""Pictures of reports: paths with their faults, and covers by several paths."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.draw.geometry import curve
from kt_cp.draw.look import GROUPS, PATHS, USUAL, Look, Theme
from kt_cp.draw.picture import (
    END_MARK,
    SQUARE_CORNERS,
    START_MARK,
    Mark,
    Picture,
    Points,
    disc_mark,
    move_mark,
    polygon_mark,
    square_mark,
    svg_path,
)
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.tours import tour_picture
from kt_cp.messages import pluralize
from kt_cp.tour.tour import CoverReport, Tour
from kt_cp.tour.validator import FaultKind, PathReport, Report, on_board

_MAX_MESSAGES = 5  # in the description for screen readers
_MAX_STEPS = 2  # written into one square
_FAULT_RADIUS = 0.44  # in squares
_CURVE_OFFSET = 0.12  # of the middle of an illegal move, relative to its length
_LINES_IN_CURVE = 12
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

# The numbers of the colors of its paths in order; the fills of the first three differ in gray, too.
_ORDER = (0, 2, 4, 1, 3)
_PATH_DASHES = (None, (9.0, 7.0), (1.0, 6.0))  # solid, dashed and dotted, in pixels
_THICKNESS = 1.8

# The tint behind the line in the legend, in radii of its mark.
_TINT = np.array([(-2, -1), (2, -1), (2, 1), (-2, 1)])


def report_picture(report: Report, look: Look = USUAL) -> Picture:
    """Return the picture of a report: the faults are marked, and the legal moves faint.

    The caption is the verdict unless the look has a title. Each kind of fault has a mark of its
    own, drawn once on a square. The picture of a valid path is that of its tour.
    """
    if isinstance(report, PathReport) and report.valid:
        return tour_picture(tour_of(report), with_own_steps(look, report))
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
        chains = [
            curve(tail, head, (head - tail)[::-1] * [1, -1] * _CURVE_OFFSET, _LINES_IN_CURVE)
            for tail, head in sheet.frame.pixel_centers(pairs)
        ]
        curves = np.concatenate(chains)
        width = 1.4 * sheet.line_width
        # A casing separates the curves from rings and lines below them.
        sheet.draw(svg_path("casing", curves, "paper", width + _CASING))
        sheet.draw(svg_path("fault", curves, "fault", width, dashes=_DASHES[kind]))
    if isinstance(report, PathReport):
        faulty = {int(square) for pairs in pairs_by_kind.values() for square in pairs.flat}
        _write_steps(sheet, report, faulty)
    sheet.write_words(report.missing, ["?"] * len(report.missing))
    messages = [fault.message for fault in itertools.islice(report.iter_faults(), _MAX_MESSAGES)]
    return sheet.finish(f"{report.verdict}: {'; '.join(messages)}")


def tour_of(report: PathReport) -> Tour:
    """Return the tour that a valid report describes."""
    return Tour.from_ids(report.graph, report.path, report.closed, report.allows_partial)


def with_own_steps(look: Look, report: PathReport) -> Look:
    """Return a look that numbers the first step as the path of a report does."""
    return replace(look, first=int(report.steps[0]))


def _squares_by_kind(report: Report) -> dict[FaultKind, Ints]:
    """Return the squares of the faults of each kind as pairs of ids.

    A fault of one square repeats it. Faults off the board are omitted. Each row of the report's
    places has the indices in its entries of the squares of one fault: one or two.
    """
    found: dict[FaultKind, list[Ints]] = {}
    for kind, indices in report.places.items():
        if kind is FaultKind.NO_STEP:
            # A gap has no square: its row begins with the index of the entry after it.
            after = indices[indices[:, 0] > 0, :1]
            indices = np.concatenate([after - 1, after], axis=1)
        if indices.size and kind is not FaultKind.OFF_BOARD:
            pairs = report.entries[indices]
            is_inside = on_board(report.graph, pairs).all(axis=1)
            found[kind] = [np.asarray(pairs[is_inside].astype(np.int64))]
    for fault in report.joint_faults:
        square = fault.squares[0]
        found.setdefault(fault.kind, []).append(np.array([[square, square]]))
    return {kind: np.concatenate(pairs) for kind, pairs in found.items()}


def _write_steps(sheet: Sheet, report: PathReport, faulty: set[int]) -> None:
    """Write into each square the steps at which it is visited, if they are legible.

    Of a square with more than two steps, their number is written. Steps in ``faulty`` squares are
    darker than others.
    """
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
        if square in report.graph:
            visits.setdefault(square, []).append(step)
    length = max((len(str(steps[-1])) for steps in visits.values()), default=0)
    if any(len(steps) > _MAX_STEPS for steps in visits.values()):
        sheet.add_legend("3× in a square: visited three times")
    words_in: dict[str, dict[int, str]] = {"muted": {}, "ink": {}}
    for square, steps in visits.items():
        word = "·".join(map(str, steps)) if len(steps) <= _MAX_STEPS else f"{len(steps)}×"
        words_in["ink" if square in faulty else "muted"][square] = word
    for fill, words in words_in.items():
        sheet.write_words(
            list(words), words.values(), share=0.9, fill=fill, word_length=length, on_disc=True
        )


# -- covers ----------------------------------------------------------------------------------------


def cover_picture(report: CoverReport, look: Look = USUAL) -> Picture:
    """Return the picture of a cover: the squares and the line of each path in its color.

    The caption is the summary of a valid cover, or the verdict. Squares that no path visits are
    marked as missing, and the ends of paths of two or more squares are marked.
    """
    graph = report.graph
    caption = report.summary if report.valid else report.verdict
    sheet = Sheet(graph, caption, look)
    for number, path in enumerate(report.paths):
        sheet.fill(GROUPS[_ORDER[number % len(_ORDER)]], path)
    visited = np.unique([vertex for path in report.paths for vertex in path]).astype(np.int64)
    sheet.fill("missing", np.setdiff1d(graph.vertices, visited), "not visited")
    for number, path in enumerate(report.paths):
        color = _ORDER[number % len(_ORDER)]
        # In gray, dashes tell all paths apart, and otherwise those of one color.
        dash = number if look.theme is Theme.GRAY else number // len(_ORDER)
        dashes = _PATH_DASHES[dash % len(_PATH_DASHES)]
        moves = [pair for pair in itertools.pairwise(path) if pair[1] in graph.neighbors(pair[0])]
        sheet.draw_moves(moves, PATHS[color], thickness=_THICKNESS, dashes=dashes)
        if path and number < _MAX_LISTED:
            text = f"path {number + 1}: {graph.vocabulary.count_vertices(len(path))}, "
            text += " to ".join(graph.name(end) for end in dict.fromkeys([path[0], path[-1]]))
            sheet.add_legend(text, _path_mark(color, dashes))
    if len(report.paths) > _MAX_LISTED:
        sheet.add_legend(f"and {pluralize(len(report.paths) - _MAX_LISTED, 'more path')}")
    longer: Sequence[Sequence[int]] = [path for path in report.paths if len(path) > 1]
    if longer:
        sheet.draw_mark(START_MARK, [path[0] for path in longer], legend="starts")
        sheet.draw_mark(END_MARK, [path[-1] for path in longer], legend="ends")
    sheet.explain_joined_sides()
    return sheet.finish()


def _path_mark(color: int, dashes: tuple[float, float] | None) -> Mark:
    """Return the mark of a path in the legend: a piece of its line upon the fill."""
    tint = polygon_mark(_TINT, fill=GROUPS[color])
    line = move_mark(PATHS[color], _THICKNESS, dashes)

    def draw(points: Points, radius: float) -> str:
        return tint(points, radius) + line(points, radius)

    return draw
