"""The notes with which a text of squares states its board: size, holes, piece and topology."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kt_cp.board import Board

# Lines that state the board or the kind of path, such as ``; piece: zebra`` or ``; holes: b2 c1``.
NOTE = re.compile(
    r"^[ \t]*(?:[;%]|COMMENT[ \t]*:)[ \t]*(board|holes|kind|piece|topology)[ \t]*:[ \t]*(.*\S)",
    re.MULTILINE,
)


def notes_of_board(board: Board) -> dict[str, str]:
    """Return the notes that state a board, by name; the usual piece and topology are left out.

    >>> notes_of_board(Board(3, 3, holes=[4]))
    {'board': '3x3', 'holes': 'b2'}
    """
    notes = {"board": board.size}
    if board.holes:
        notes["holes"] = " ".join(board.name(hole) for hole in board.holes)
    return notes | board.unusual


def board_of_notes(notes: Mapping[str, str]) -> Board | None:
    """Return the board that the notes of a text state, or None if they do not state its size.

    Raises `InputError` for a size, hole, piece or topology that is none.

    >>> board_of_notes({"board": "3x3", "holes": "b2", "kind": "cover"})
    Board(rows=3, columns=3, holes=(4,))
    """
    if "board" not in notes:
        return None
    whole = Board.parse(notes["board"], notes.get("piece"), notes.get("topology"))
    holes = notes.get("holes", "").split()
    return Board(whole.rows, whole.columns, holes, whole.piece, whole.topology)
