"""Guess the board of a path whose text does not state it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.messages import InputError
from kt_cp.notation.forms import Form, GridForm, SuccessorForm

Sides = tuple[int, int]

# A path has a mistake if the smallest board that fits has more squares than this number for each
# entry of the path, in addition to the squares that are always allowed.
_SQUARES_PER_ENTRY = 4
_ALWAYS_ALLOWED = 20**2

# No rectangle smaller than 3x4 has a tour, so a shorter path cannot be a tour with a slip.
_MIN_ENTRIES_OF_SLIP = 12

_LEGAL_SHARE = 2 / 3  # of the moves, at a likely width
_MAX_WIDTHS = 3


def boards_for(form: Form, given: Board | None, headed: Sides | None = None) -> list[Board]:
    """Return the given board, or else plausible boards of a form, the most likely first.

    ``headed`` are the sides of the board in a heading: its rows and columns, or its columns and
    rows. Raises `InputError` if the form fits on no board.
    """
    stated = form.stated
    if stated.fills_board and given is not None and len(given) != len(form.numbers):
        return []
    known = stated.board if given is None else given
    if known is not None:
        _check_board(form, known)
        return [known]
    boards = _plausible_boards(form, headed)
    if not boards and not stated.fills_board:
        why = "some squares are too far off for so short a path"
        if isinstance(form, SuccessorForm):
            why = f"{stated.size} successors fill no rectangle"
        raise InputError(f"the board cannot be detected: {why}; give the board, as in 8x8")
    return boards


def _plausible_boards(form: Form, headed: Sides | None) -> list[Board]:
    """Return the boards that a form may be on, each once, the most likely first."""
    sides_to_try = list(dict.fromkeys(_sides_to_try(form, headed)))
    has_every_id = isinstance(form, SuccessorForm) or form.stated.fills_board
    if has_every_id:
        sides_to_try = [sides for sides in sides_to_try if math.prod(sides) == form.stated.size]
    holes = form.holes if isinstance(form, SuccessorForm) else ()
    return [Board(*sides, holes) for sides in sides_to_try]


def _check_board(form: Form, board: Board) -> None:
    """Raise `InputError` if a board is not the one that the text states."""
    if isinstance(form, SuccessorForm) and board.area != form.stated.size:
        wanted = f"{board.size} has {board.area} ids, and each needs a successor"
        raise InputError(f"{form.stated.size} successors: {wanted}")
    stated = form.stated.board
    if stated is None:
        return
    differs = board.size != stated.size if isinstance(form, GridForm) else board != stated
    if differs:
        raise InputError(f"the path is on the board {stated.title}, not {board.title}")


def _sides_to_try(form: Form, headed: Sides | None) -> Iterator[Sides]:
    """Yield the sides in a heading, or those that are likely and not too large for the path."""
    if headed is not None:
        yield from (headed, headed[::-1])
        return
    most = _SQUARES_PER_ENTRY * len(form.numbers) + _ALWAYS_ALLOWED
    yield from (sides for sides in _likely_sides(form) if math.prod(sides) <= most)


def _likely_sides(form: Form) -> Iterator[Sides]:
    """Yield the sides of the smallest rectangles and square boards that contain the squares."""
    if form.numbers.shape[1] == 2:
        rows, columns = map(_plausible_counts, form.naming.rows_and_columns(form.numbers))
        rectangles = list(itertools.product(rows, columns))
        yield from rectangles
        for rectangle in rectangles:
            yield max(rectangle), max(rectangle)
        return
    ids = form.numbers[:, 0] - form.naming.first
    moves = ids[form.sampled_moves].astype(np.int64)
    areas = [form.stated.size] if form.stated.size else _plausible_counts(ids)
    for area in areas:
        for width in _likely_widths(moves, area):
            yield math.ceil(area / width), width
        side = math.isqrt(area - 1) + 1
        yield side, side


def _likely_widths(moves: Ints, area: int) -> Iterator[int]:
    """Yield the widths at which most moves between ids are a knight's, the likeliest first.

    ``moves`` are rows of two ids, from 0, on a board with ``area`` ids. A knight's move changes the
    id by the width plus or minus 2, or by twice the width plus or minus 1: every move votes for the
    widths at which it is legal.
    """
    inside = moves[((moves >= 0) & (moves < area)).all(axis=1)]
    jumps = np.abs(np.diff(inside)).ravel()
    odd = jumps[jumps % 2 == 1]
    votes = np.concatenate([jumps - 2, jumps + 2, (odd - 1) // 2, (odd + 1) // 2])
    widths, counts = np.unique(votes[(votes > 0) & (votes <= area)], return_counts=True)
    for width in widths[np.argsort(-counts, kind="stable")[:_MAX_WIDTHS]].tolist():
        rows, columns = np.divmod(inside, width)
        down, right = np.abs(np.diff(rows)), np.abs(np.diff(columns))
        if (down * right == 2).sum() >= _LEGAL_SHARE * len(inside):
            yield width


def _plausible_counts(values: Ints) -> list[int]:
    """Return plausible numbers of rows, columns or ids, given their values, from 0, in a path.

    Usually that is one more than the highest value. If this value occurs only once in a long path
    it may be a mistake: the next lower value is tried as well.
    """
    top = int(values.max())
    sizes = [top + 1]
    may_be_slip = len(values) >= _MIN_ENTRIES_OF_SLIP and np.count_nonzero(values == top) == 1
    if may_be_slip:
        sizes.append(int(values.max(where=values < top, initial=-1)) + 1)
    return [size for size in sizes if size > 0]
