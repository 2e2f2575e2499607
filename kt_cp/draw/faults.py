"""The picture of a validation report: the path, with the faults marked where they are."""

from __future__ import annotations

import itertools

import numpy as np

from kt_cp.board import Squares
from kt_cp.draw import palette
from kt_cp.draw.picture import Discs, Layer, Lines, Picture, Points, Texts
from kt_cp.draw.sheet import Entry, Mark, Sheet, chequered, finish, lay_out, stroke, swatch, tiles
from kt_cp.draw.tour import NODE, line_width, node_layers, tour_picture
from kt_cp.tour import Tour
from kt_cp.validate import FaultKind, Report

_MOST_MESSAGES = 5
_DASHES, _DOTS = (7.0, 6.0), (1.0, 6.0)
_MOVES = (FaultKind.ILLEGAL_MOVE, FaultKind.NOT_CLOSED)


def report_picture(report: Report, title: str | None = None) -> Picture:
    """Describe the picture of a report; the title is its verdict unless given.

    A valid path is drawn as the tour it is. Steps off the board have no place on it; the legend
    counts them.

    >>> from kt_cp.validate import Board, validate
    >>> report_picture(validate(Board(2, 2), [0, 1])).description
    'not a tour: 1 illegal move, 2 squares missing: step 1 to 2: 0 (a2) to 1 (b2) is no \
knight\\'s move; square 2 (a1) is not visited; square 3 (b1) is not visited'
    """
    if report.valid:
        tour = Tour(report.board, report.path, report.closed)
        return tour_picture(tour, title=report.verdict if title is None else title)
    sheet = lay_out(report.board, report.verdict if title is None else title)
    colours = chequered(report.board)
    colours[report.places(FaultKind.MISSING)[:, 0]] = palette.rgb(palette.MISSING)
    layers = [
        tiles(sheet, colours),
        *_legal_moves(sheet, report),
        *_wrong_moves(sheet, report),
        *_steps(sheet, report),
        *_marks(sheet, report),
    ]
    messages = (fault.message for fault in itertools.islice(report.iter_faults(), _MOST_MESSAGES))
    more = "; …" if sum(report.counts.values()) > _MOST_MESSAGES else ""
    description = f"{report.verdict}: {'; '.join(messages)}{more}"
    return finish(sheet, layers, _legend(report), description)


def _inside(report: Report) -> Squares:
    """Give the path with -1 for every step off the board."""
    path = report.path.copy()
    path[report.places(FaultKind.OFF_BOARD)[:, 0]] = -1
    return path.astype(np.int32)


def _legal_moves(sheet: Sheet, report: Report) -> list[Layer]:
    path = _inside(report)
    pairs = np.stack([path[:-1], path[1:]], axis=1)
    legal = (pairs >= 0).all(axis=1)
    legal[report.places(FaultKind.ILLEGAL_MOVE)[:, 0]] = False
    ends = sheet.centres(pairs[legal])
    if report.closed and FaultKind.NOT_CLOSED not in report.counts and (path[[0, -1]] >= 0).all():
        ends = np.concatenate([ends, sheet.centres(path[[[-1, 0]]])])
    return [Lines(ends, palette.MOVE, line_width(sheet))]


def _wrong_moves(sheet: Sheet, report: Report) -> list[Layer]:
    path = _inside(report)
    width = 1.6 * line_width(sheet)
    return [
        Lines(sheet.centres(path[report.places(kind)]), palette.FAULT, width, dashes)
        for kind, dashes in zip(_MOVES, (_DASHES, _DOTS), strict=True)
    ]


def _steps(sheet: Sheet, report: Report) -> list[Layer]:
    """Write into each square the steps at which it is visited."""
    steps: dict[int, list[int]] = {}
    longest = len(str(len(report.path)))
    if not sheet.font_size(longest, 2 * NODE):
        return []
    for step, square in enumerate(_inside(report).tolist(), start=1):
        if square >= 0:
            steps.setdefault(square, []).append(step)
    squares = np.array(list(steps), dtype=np.int32)
    words = [_list(visits) for visits in steps.values()]
    sizes = [sheet.font_size(len(word), 2 * NODE) or 6.5 for word in words]
    layers = node_layers(sheet, squares)
    for size in sorted(set(sizes)):
        chosen = [place for place, value in enumerate(sizes) if value == size]
        points = sheet.centres(squares[chosen])
        layers.append(Texts(points, tuple(words[i] for i in chosen), size, palette.INK))
    return layers


def _list(visits: list[int]) -> str:
    return ",".join(map(str, visits[:2])) + "…" * (len(visits) > 2)


def _marks(sheet: Sheet, report: Report) -> list[Layer]:
    """Ring the squares visited again, cross out the holes visited, query the missing squares."""
    path = _inside(report)
    again = sheet.centres(np.unique(path[report.places(FaultKind.REPEAT)[:, 0]]))
    holes = sheet.centres(np.unique(path[report.places(FaultKind.HOLE)[:, 0]]))
    radius = max(0.42 * sheet.cell, 4 * sheet.zoom)
    layers = [*_ring(again, radius), *_cross(holes, radius)]
    if sheet.fine:
        missing = sheet.centres(report.places(FaultKind.MISSING)[:, 0])
        size = 0.5 * sheet.cell
        layers.append(Texts(missing, ("?",) * len(missing), size, palette.INK, bold=True))
    return layers


def _ring(points: Points, radius: float) -> list[Layer]:
    return [Discs(points, radius, palette.FAULT, hollow=True)]


def _cross(points: Points, radius: float) -> list[Layer]:
    arms = 0.8 * radius * np.array([[(-1, -1), (1, 1)], [(-1, 1), (1, -1)]])
    ends = (points[:, None, None] + arms).reshape(-1, 2, 2)
    return [Lines(ends, palette.FAULT, 0.25 * radius)]


def _legend(report: Report) -> list[Entry]:
    marks: dict[FaultKind, Mark] = {
        FaultKind.OFF_BOARD: lambda points, radius: [],
        FaultKind.HOLE: _cross,
        FaultKind.REPEAT: _ring,
        FaultKind.ILLEGAL_MOVE: stroke(palette.FAULT, 4, _DASHES),
        FaultKind.NOT_CLOSED: stroke(palette.FAULT, 4, _DOTS),
        FaultKind.MISSING: swatch(palette.rgb(palette.MISSING)),
    }
    return [(marks[kind], phrase) for kind, phrase in report.phrases.items()]
