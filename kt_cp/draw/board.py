"""Pictures of boards: empty, with constraints, or with groups of squares that stand out."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from string import ascii_uppercase

import numpy as np

from kt_cp.board import Board
from kt_cp.board.square_names import chess_names
from kt_cp.draw.palette import GROUPS
from kt_cp.draw.picture import Layer, Picture, Points, Shapes
from kt_cp.draw.sheet import (
    END_MARK,
    START_MARK,
    USUAL,
    Entry,
    Look,
    Sheet,
    board_layers,
    filled,
    finish,
    lay_out,
    line,
    shape,
)
from kt_cp.draw.tour import chevrons, segments
from kt_cp.errors import pluralize
from kt_cp.problem.instance import Instance

_MOST_NAMED = 4  # squares of a group in the legend
_DOT = 0.14  # radius of the mark of an end, in squares


def board_picture(board: Board, look: Look = USUAL) -> Picture:
    """Describe the picture of an empty board.

    >>> board_picture(Board(3, 3, holes=[4])).description
    'board 3x3, 1 hole'
    """
    holes = [pluralize(len(board.holes), "hole")] if board.holes else []
    title = ", ".join([f"board {board.title}", *holes])
    sheet = lay_out(board, title, look)
    return finish(sheet, board_layers(sheet), [], title)


def groups_picture(
    board: Board, groups: Mapping[str, Iterable[int]], title: str, look: Look = USUAL
) -> Picture:
    """Describe the picture of a board on which groups of squares stand out.

    The keys of ``groups`` are their names in the legend. Each group has a color and, unless
    squares are small, a letter; a square of several groups shows the last one.

    >>> groups = {"removed": [4, 7], "component": range(4)}
    >>> groups_picture(Board(3, 3), groups, "apart").description
    'apart; A: removed (b2 and b1); B: component (a3, b3, c3 and a2)'
    """
    sheet = lay_out(board, title, look)
    layers, legend = group_parts(sheet, groups)
    description = "; ".join([title, *(text for _, text in legend)])
    return finish(sheet, layers, legend, description)


def group_parts(
    sheet: Sheet, groups: Mapping[str, Iterable[int]]
) -> tuple[list[Layer], list[Entry]]:
    """Return the layers and the legend of a board with groups; the first one is the darkest."""
    fills: dict[str, list[int]] = {}
    letters: dict[int, str] = {}
    legend: list[Entry] = []
    for (label, group), letter, role in zip(
        groups.items(),
        itertools.cycle(ascii_uppercase),
        itertools.chain(["removed"], itertools.cycle(GROUPS)),
        strict=False,
    ):
        squares = list(group)
        fills.setdefault(role, []).extend(squares)
        letters |= dict.fromkeys(squares, letter)
        few = 0 < len(squares) <= _MOST_NAMED
        which = chess_names(sheet.board, squares) if few else pluralize(len(squares), "square")
        legend.append((filled(role), f"{letter}: {label} ({which})"))
    words = sheet.words(np.array(list(letters), dtype=np.int64), letters.values())
    return [*board_layers(sheet, fills), *words], legend


def constraint_parts(
    sheet: Sheet, instance: Instance, ends: bool = True
) -> tuple[list[Layer], list[Entry]]:
    """Return the marks, with their legend, of the moves and ``ends`` that an instance asks for."""
    layers: list[Layer] = []
    legend: list[Entry] = []
    width = 1.6 * sheet.line_width
    directed = [move[:2] for move in instance.require if move.directed]
    either = [move[:2] for move in instance.require if not move.directed]
    if either:
        layers.append(Shapes("move", segments(sheet, np.array(either)), "given", width))
        legend.append((line("given", 0.5), "a move of the tour"))
    if directed:
        arrows = segments(sheet, np.array(directed))
        layers += [Shapes("move", arrows, "given", width), *chevrons(sheet, arrows, "given")]
        legend.append((_arrow, "a move of the tour in this direction"))
    if instance.forbid:
        banned = segments(sheet, np.array([move[:2] for move in instance.forbid]))
        dashes = (0.12 * sheet.cell, 0.15 * sheet.cell)
        layers.append(Shapes("forbidden", banned, "fault", width, dashes=dashes))
        legend.append((line("fault", 0.5, (6, 5)), "not a move of the tour"))
    for name, end, mark in (
        ("start", instance.start, START_MARK),
        ("end", instance.end, END_MARK),
    ):
        if ends and end is not None:
            layers += mark(sheet.centers(np.array([end])), max(_DOT * sheet.cell, 4 * sheet.zoom))
            legend.append((mark, f"{name}: {chess_names(instance.board, [end])}"))
    return layers, legend


def _arrow(points: Points, radius: float) -> list[Layer]:
    """Draw the mark of a move whose direction is given."""
    head = shape([(-0.2, -0.7), (0.6, 0), (-0.2, 0.7)], fill="given")
    return [*line("given", 0.5)(points, radius), *head(points, radius)]
