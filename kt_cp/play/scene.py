"""What the page shows at one time, as plain values: a worker computes them, the server sends them.

The server itself never looks into a position, which a visitor may have made expensive to look into.
"""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kt_cp.draw.look import Look
from kt_cp.draw.picture import END_MARK, START_MARK, Picture, disc, svg
from kt_cp.draw.puzzle import draw_constraints
from kt_cp.draw.sheet import DISC, ROOM, Sheet
from kt_cp.play.state import Position

BARE = Look(title="", legend=False, coordinates=False)
EXPLAINED = Look(title="", coordinates=False)
"""Pictures without and with a legend; the page itself says what is in them, and names the lines."""

Box = tuple[float, float, float, float]
"""A part of a picture: left, top, width and height in its pixels."""


@dataclass(frozen=True)
class Drawing:
    """A picture as SVG with its width, the part of it that is the board, and that of its legend."""

    svg: str
    width: float
    board: Box
    legend: Box | None


@dataclass(frozen=True)
class Scene:
    """What the page shows: a board with what is on it, and what was answered.

    ``position`` is a pickled `Position`. ``labels`` are the accessible names of all squares in
    order, ``lost`` those that the path can no longer reach. ``query`` is the address. Of an answer,
    ``words`` are the sentence, ``certificate`` and ``race`` the content of files, and ``puzzle``
    what the player of puzzles needs.
    """

    words: str
    position: bytes
    rows: int
    columns: int
    closed: bool
    piece: str
    topology: str
    labels: tuple[str, ...]
    query: str
    drawing: Drawing
    squares: int
    visited: int
    lost: tuple[int, ...] = ()
    certificate: str = ""
    race: str = ""
    puzzle: dict[str, object] | None = None


def show(
    position: Position,
    words: str = "",
    *,
    picture: Picture | None = None,
    lost: tuple[int, ...] = (),
    certificate: str = "",
    race: str = "",
    puzzle: dict[str, object] | None = None,
) -> Scene:
    """Return the scene of a position, or of a ``picture`` of an answer on its board."""
    board = position.board
    has_legend = picture is not None
    picture = picture or position_picture(position)
    return Scene(
        words=words,
        position=pickle.dumps(position),
        rows=board.rows,
        columns=board.columns,
        closed=position.instance.closed,
        piece=board.piece.name,
        topology=board.topology.value,
        labels=tuple(position.labels),
        query=position.query,
        drawing=_drawing(picture, board.rows, board.columns, has_legend),
        squares=len(board),
        visited=len(position.path),
        lost=lost,
        certificate=certificate,
        race=race,
        puzzle=puzzle,
    )


def _drawing(picture: Picture, rows: int, columns: int, has_legend: bool) -> Drawing:
    (left, top), cell = picture.corner, picture.cell
    bottom = top + rows * cell
    board = (left, top, columns * cell, rows * cell)
    below = (0.0, bottom + 4, picture.width, picture.height - bottom - 4)
    return Drawing(svg(picture), picture.width, board, below if has_legend else None)


def position_picture(
    position: Position,
    path: Sequence[int] | None = None,
    wrong: Iterable[tuple[int, int]] = (),
) -> Picture:
    """Describe the picture of a position: its constraints, its path, and where this can go on.

    Another ``path`` can be drawn in place of its own, with its ``wrong`` moves.
    """
    instance, board, steps = position.instance, position.board, position.steps
    sheet = Sheet(board, "", BARE, letters=len(str(len(board))))
    draw_constraints(sheet, instance, ends=False)
    path = position.path if path is None else path
    clues = {step: square for step, square in steps.items() if square not in path}
    sheet.fill("visited", list(steps.values()))
    _draw_path(sheet, path, set(wrong), is_closed=instance.closed and len(path) == len(board))
    sheet.words([*clues.values()], clues, ROOM, "ink", bold=True)
    if instance.start is not None and instance.start not in path:
        sheet.mark(disc(None, "start", 0.12), [instance.start], 0.42)
    if instance.end is not None and instance.end not in path:
        sheet.mark(disc(None, "end", 0.12), [instance.end], 0.42)
    if path is position.path and len(path) < len(board):
        free = [square for square in position.next_squares if square not in clues.values()]
        sheet.mark(disc("start"), free, 0.09)
    return sheet.finish(f"board {board.title}, {len(path)} squares visited")


def _draw_path(
    sheet: Sheet, path: Sequence[int], wrong: set[tuple[int, int]], is_closed: bool
) -> None:
    """Draw the moves of a path and the numbers of its squares; wrong moves are dashed."""
    if not path:
        return
    closing = path[:1] if is_closed else ()
    moves = list(itertools.pairwise([*path, *closing]))
    sheet.moves([move for move in moves if move not in wrong])
    sheet.moves([move for move in moves if move in wrong], "fault", 1.8, "fault", (7, 5))
    sheet.mark(disc("visited"), path, DISC)
    sheet.mark(disc(None, "end", 0.18), path[-1:], DISC)
    sheet.mark(disc(None, "start", 0.18), path[:1], DISC)
    if not sheet.words(path, range(1, len(path) + 1), 2 * DISC):
        sheet.mark(START_MARK, path[:1])
        sheet.mark(END_MARK, path[-1:])
