"""Pictures of boards: empty, or with the constraints of a tour."""

from __future__ import annotations

import numpy as np

from kt_cp.board import Board
from kt_cp.draw.picture import Layer, Picture, Points, Shapes
from kt_cp.draw.sheet import (
    END_MARK,
    START_MARK,
    USUAL,
    Entry,
    Look,
    Sheet,
    board_layers,
    finish,
    lay_out,
    line,
    shape,
)
from kt_cp.draw.tour import chevrons, segments
from kt_cp.errors import pluralize
from kt_cp.problem.instance import Instance

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
            legend.append((mark, f"{name}: {instance.board.list_names([end])}"))
    return layers, legend


def _arrow(points: Points, radius: float) -> list[Layer]:
    """Draw the mark of a move whose direction is given."""
    head = shape([(-0.2, -0.7), (0.6, 0), (-0.2, 0.7)], fill="given")
    return [*line("given", 0.5)(points, radius), *head(points, radius)]
