"""What surrounds a board in a picture: a frame, the names of files and ranks, title and legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.board.square_names import file_letters
from kt_cp.draw import palette
from kt_cp.draw.marks import SQUARE, Mark, unmarked
from kt_cp.draw.picture import Layer, Picture, Shapes, Texts, Tiles
from kt_cp.draw.sheet import MARGIN, NAMES_ROOM, TITLE_LINE, TITLE_SIZE, Sheet, wrapped

Entry = tuple[Mark, str]
Parts = tuple[list[Layer], list[Entry]]  # what lies on the board, and the legend

_TEXT_SIZE, _TEXT_LINE = 13, 22
_MARK = 6  # radius of a mark in the legend
_PROSE = 0.54  # width of a letter on average, for a size of 1
_BEFORE_TEXT = 52  # from the left edge of an entry of the legend


def finish(
    sheet: Sheet, layers: Sequence[Layer], legend: Sequence[Entry], description: str
) -> Picture:
    """Return the picture: what was drawn on the board, with frame, names, title and legend."""
    entries, lines = _legend(sheet, legend if sheet.look.legend else ())
    height = _legend_top(sheet) + (lines * _TEXT_LINE + MARGIN / 2) * sheet.zoom
    every = [*layers, _frame(sheet), *_names(sheet), *_title(sheet), *entries]
    if sheet.look.monochrome:
        every = [_in_grey(layer) for layer in every]
    return Picture(sheet.width, height, " ".join(sheet.title), description, tuple(every))


def _frame(sheet: Sheet) -> Layer:
    half = np.array([sheet.board.columns, sheet.board.rows]) * sheet.cell / 2
    corners = half * (SQUARE + 1) + [sheet.left, sheet.top]
    return Shapes("frame", corners[None], palette.FAINT_INK, 1)


def _names(sheet: Sheet) -> list[Layer]:
    """Write the names of the files below the board and those of the ranks on its left."""
    if not sheet.look.coordinates:
        return []
    board = sheet.board
    files = sheet.centres(np.arange(board.columns))
    files[:, 1] = sheet.bottom + NAMES_ROOM / 2
    ranks = sheet.centres(np.arange(board.rows) * board.columns)
    ranks[:, 0] = sheet.left - NAMES_ROOM / 2
    words = [file_letters(column) for column in range(board.columns)]
    words += [str(board.rows - row) for row in range(board.rows)]
    return [Texts(np.concatenate([files, ranks]), tuple(words), 11, palette.FAINT_INK)]


def _title(sheet: Sheet) -> list[Layer]:
    if not sheet.title:
        return []
    heights = MARGIN + (np.arange(len(sheet.title)) + 0.5) * TITLE_LINE
    points = np.stack([np.full(len(heights), sheet.width / 2), heights * sheet.zoom], axis=1)
    return [Texts(points, sheet.title, TITLE_SIZE * sheet.zoom, palette.INK, bold=True)]


def _legend_top(sheet: Sheet) -> float:
    return sheet.bottom + MARGIN * sheet.zoom + NAMES_ROOM * sheet.look.coordinates


def _legend(sheet: Sheet, entries: Sequence[Entry]) -> tuple[list[Layer], int]:
    """Write the legend, in columns if its texts are short; return its number of lines too."""
    room = sheet.width / sheet.zoom - MARGIN
    longest = max((len(text) for _, text in entries), default=0) * _TEXT_SIZE * _PROSE
    columns = max(1, min(len(entries), int(room / (_BEFORE_TEXT + longest))))
    layers: list[Layer] = []
    line = 0
    for place, (mark, text) in enumerate(entries):
        before = MARGIN if mark is unmarked and columns == 1 else _BEFORE_TEXT
        lines = wrapped(text, room - before, _TEXT_SIZE, _PROSE)
        x = place % columns * room / columns
        ys = (line + 0.5 + np.arange(len(lines))) * _TEXT_LINE
        points = np.stack([np.full(len(ys), x + before), ys], 1)
        points = points * sheet.zoom + [0, _legend_top(sheet)]
        layers += mark(points[:1] - [_BEFORE_TEXT / 2 * sheet.zoom, 0], _MARK * sheet.zoom)
        size = _TEXT_SIZE * sheet.zoom
        layers.append(Texts(points, lines, size, palette.INK, centred=False))
        if place % columns == columns - 1 or place == len(entries) - 1:
            line += len(lines)
    return layers, line


def _in_grey(layer: Layer) -> Layer:
    """Return a layer in shades of grey."""
    if isinstance(layer, Tiles):
        return replace(layer, colours=palette.grey(layer.colours))
    colours = {name: getattr(layer, name, None) for name in ("fill", "stroke")}
    greys: Any = {name: palette.printed(colour) for name, colour in colours.items() if colour}
    return replace(layer, **greys)
