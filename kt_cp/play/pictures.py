"""Pictures of a position on a board: its constraints and its path."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from kt_cp.draw.geometry import NUMBER_SHARE
from kt_cp.draw.look import Look
from kt_cp.draw.picture import END_MARK, START_MARK, Picture, disc_mark
from kt_cp.draw.puzzles import draw_constraints
from kt_cp.draw.sheet import DISC_RADIUS, DISC_SHARE, Sheet
from kt_cp.play.board_position import BoardPosition

BARE_LOOK = Look(title="", legend=False, coordinates=False)
"""The look of pictures of a board alone: the page itself has the title, legend and coordinates."""

# Width of the rings at the start and the end, in radii: on an empty square, and on the path.
_EMPTY_RING, _PATH_RING = 0.12, 0.18

# Radius of those rings on an empty square, and of the dots where the path can go on, in squares.
_RING_RADIUS, _DOT_RADIUS = 0.42, 0.09


def position_picture(
    position: BoardPosition,
    path: Sequence[int] | None = None,
    wrong_moves: Iterable[tuple[int, int]] = (),
) -> Picture:
    """Return the picture of a position: its constraints, its path, and dots where it can go on.

    Another ``path`` is drawn in place of its own, with ``wrong_moves`` marked and without the dots.
    """
    if path is None:
        path, dotted = position.path, _dotted_squares(position)
    else:
        dotted = []
    instance, board, steps = position.instance, position.board, position.steps
    sheet = Sheet(board, "", BARE_LOOK, word_length=len(str(len(board))))
    draw_constraints(sheet, instance)
    open_clues = {step: square for step, square in steps.items() if square not in path}
    sheet.fill("visited", list(steps.values()))
    is_closed = instance.closed and len(path) == len(board)
    _draw_path(sheet, path, set(wrong_moves), is_closed=is_closed)
    sheet.write_words([*open_clues.values()], open_clues, share=NUMBER_SHARE, fill="ink", bold=True)
    for role, square in (("start", instance.first), ("end", instance.last)):
        if square is not None and square not in path:
            sheet.draw_mark(disc_mark(None, role, _EMPTY_RING), [square], radius=_RING_RADIUS)
    sheet.draw_mark(disc_mark("start"), dotted, radius=_DOT_RADIUS)
    return sheet.finish(f"board {board.title}, {len(path)} squares visited")


def _dotted_squares(position: BoardPosition) -> list[int]:
    """Return the squares to which the path can go on, except those whose clue is written there."""
    clue_squares = set(position.steps.values())
    return [square for square in position.next_vertices if square not in clue_squares]


def _draw_path(
    sheet: Sheet, path: Sequence[int], wrong_moves: set[tuple[int, int]], is_closed: bool
) -> None:
    """Draw the moves of a path and the steps of its squares; wrong moves are dashed."""
    if not path:
        return
    moves = list(itertools.pairwise(path))
    if is_closed:
        moves.append((path[-1], path[0]))
    sheet.draw_moves([move for move in moves if move not in wrong_moves])
    sheet.draw_moves(
        [move for move in moves if move in wrong_moves],
        "fault",
        thickness=1.8,
        css_class="fault",
        dashes=(7, 5),
    )
    with sheet.group("steps"):
        sheet.draw_mark(disc_mark("visited"), path, radius=DISC_RADIUS)
        sheet.write_words(path, range(1, len(path) + 1), share=DISC_SHARE)
    sheet.draw_mark(disc_mark(None, "end", _PATH_RING), path[-1:], radius=DISC_RADIUS)
    sheet.draw_mark(disc_mark(None, "start", _PATH_RING), path[:1], radius=DISC_RADIUS)
    if not sheet.can_write(len(str(len(path))), share=DISC_SHARE):
        sheet.draw_mark(START_MARK, path[:1])
        sheet.draw_mark(END_MARK, path[-1:])
