"""Pictures of reports: paths with their faults, and covers by several paths."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
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
from kt_cp.tour.validator import Fault, FaultKind, Report, on_board

_MAX_MESSAGES = 5  # in the description for screen readers
_MAX_LINKED = 500  # faults in the list of a page
_MAX_STEPS = 2  # written into one square
_FAULT_RADIUS, _SPOT_RADIUS = 0.44, 0.5  # in squares
_SPOT = disc_mark(None, "given", 0.16)  # around the squares of the fault that a page points out
_BOWS = (0.12, -0.12, 0.2, -0.2)  # of the middle of an illegal move, relative to its length
_CLEAR = 0.42  # distance in squares at which a curve passes a number
_MAX_CHOSEN = 200  # curves whose bows are chosen
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
    return _sheet(report, look).finish(_description(report))


def report_page(report: Report, look: Look = USUAL) -> str:
    """Return an HTML page with the picture of a report, and beside it the list of its faults.

    Following the link of a fault marks its squares in the picture.
    """
    faults = [*itertools.islice(_faults(report), _MAX_LINKED)]
    sheet = _sheet(report, look, faults)
    items: list[str] = []
    for number, fault in enumerate(faults, start=1):
        text = escape(as_sentence(fault.message))
        target = f' href="#fault-{number}"' if _squares_of(report, fault) else ""
        items.append(f"<li><a{target}>{text}</a></li>")
    if more := sum(report.counts.values()) - len(items):
        items.append(f"<li><a>{more:,} more</a></li>")
    picture = sheet.finish(_description(report))
    title = picture.caption or as_caption(report.verdict)
    content = (
        f"<h1>{escape(title)}</h1><p>Choose a fault to see its squares.</p>"
        f'<div class="beside"><div>{figure(picture.boards[0])}{legend(picture, look)}</div>'
        f'<ol class="faults">{"".join(items)}</ol></div>'
    )
    return static_page(title, content, look.theme)


def _description(report: Report) -> str:
    """Return the verdict with the first faults, for screen readers."""
    faults = itertools.islice(_faults(report), _MAX_MESSAGES)
    return f"{report.verdict}: {'; '.join(fault.message for fault in faults)}"


def _faults(report: Report) -> Iterator[Fault]:
    """Yield the faults; on a board, whose numbers are steps, ids would look like these."""
    if isinstance(report.graph, Board):
        report = replace(report, name_square=report.graph.name)
    return report.iter_faults()


def _squares_of(report: Report, fault: Fault) -> list[int]:
    """Return the squares of a fault that are on the board."""
    return [square for square in fault.squares if 0 <= square < report.graph.area]


def _sheet(report: Report, look: Look, linked: Sequence[Fault] = ()) -> Sheet:
    """Return a sheet with the legal moves of a report and its faults.

    The squares and the move of each ``linked`` fault are marked once a page points it out.
    """
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
    ends_of_curves = {square for pairs in curved.values() for square in pairs.ravel().tolist()}
    chosen: dict[frozenset[int], str] = {}  # the curves of faults that a page points out
    # A curve begins and ends below the numbers there, and passes above others.
    _write_steps(sheet, report, [*{*report.graph.vertices.tolist()} - ends_of_curves])
    for kind, pairs in curved.items():
        ends = sheet.pixel_centers(pairs)
        width = 1.4 * sheet.line_width
        bows = _bows(sheet, pairs)
        # A casing separates the curves from rings and lines below them.
        sheet.draw(svg_path("casing", ends, "paper", width + _CASING, bows=bows))
        sheet.draw(svg_path("fault", ends, "fault", width, dashes=_DASHES[kind], bows=bows))
        wide = 2.4 * sheet.line_width
        for index, pair in enumerate(map(frozenset, pairs.tolist())):
            one = slice(index, index + 1)
            chosen[pair] = svg_path("fault", ends[one], "given", wide, bows=bows[one])
    for number, fault in enumerate(linked, start=1):
        marked = _squares_of(report, fault)
        spot = _SPOT(sheet.pixel_centers(marked), _SPOT_RADIUS * sheet.cell)
        if fault.kind in curved:
            spot = chosen.get(frozenset(marked), "") + spot
        sheet.draw(f'<g id="fault-{number}" class="spot">{spot}</g>')
    _write_steps(sheet, report, [*ends_of_curves])
    sheet.write_words(report.missing, ["?"] * len(report.missing))
    return sheet


def _squares_by_kind(report: Report) -> dict[FaultKind, Ints]:
    """Return the squares of the faults of each kind as pairs of ids.

    A fault of one square repeats it, and a gap in the steps is between the squares before and after
    it. Faults off the board are omitted.
    """
    pairs_by_kind: dict[FaultKind, Ints] = {}
    for kind, rows in report.faulty.items():
        if kind is not FaultKind.OFF_BOARD:
            pairs = report.entries[rows]
            pairs_by_kind[kind] = pairs[on_board(report.graph, pairs).all(axis=1)].astype(np.int64)
    return {kind: pairs for kind, pairs in pairs_by_kind.items() if len(pairs)}


def _bows(sheet: Sheet, pairs: Ints) -> Points:
    """Return the bows of curves between squares; a few curves keep off other squares' numbers."""
    ends, centers = sheet.pixel_centers(pairs), sheet.pixel_centers(sheet.graph.vertices)
    bows = (ends[:, 1] - ends[:, 0])[:, ::-1] * [1, -1]
    factors = np.full((len(ends), 1), _BOWS[0])
    shares = np.linspace(0, 1, 25)[:, None]
    middle = (centers.max(axis=0) + centers.min(axis=0)) / 2
    room = np.ptp(centers, axis=0) / 2 + sheet.cell / 2
    for index, (start, end) in enumerate(ends if len(ends) <= _MAX_CHOSEN else ends[:0]):
        others = centers[(centers != start).any(axis=1) & (centers != end).any(axis=1), None]
        gaps: list[float] = []
        for factor in _BOWS:
            curve = (
                start + shares * (end - start) + 4 * shares * (1 - shares) * factor * bows[index]
            )
            gap = float(np.linalg.norm(others - curve, axis=2).min(initial=sheet.cell))
            off_board = (np.abs(curve - middle) > room).any()  # it would run over the names there
            gaps.append(-1.0 if off_board else min(gap, _CLEAR * sheet.cell))
        factors[index] = _BOWS[int(np.argmax(gaps))]
    return factors * bows


def _write_steps(sheet: Sheet, report: Report, squares: Iterable[int]) -> None:
    """Write into each of some squares the steps at which it is visited, if they are legible.

    Of a square with more than two steps, their number is written.
    """
    if report.steps is None:
        return
    visits: dict[int, list[int]] = {}
    for square, step in zip(report.path.tolist(), report.steps.tolist(), strict=True):
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
    wanted = {*squares}
    for words in (single, several):
        written = {square: word for square, word in words.items() if square in wanted}
        longest = max(map(len, words.values()), default=0)
        sheet.write_words(
            [*written], written.values(), share=0.9, word_length=longest, on_disc=True
        )


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
