"""Reading chess names: squares in visiting order, and moves."""

from __future__ import annotations

import re

import numpy as np

from kt_cp.notation.forms import Form, PathForm, path_or_moves
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import ChessNaming
from kt_cp.notation.text import Integers, read_items, without_comments
from kt_cp.squares import file_index

# A file of six letters, or a rank of nine digits, is on no board that is allowed.
_NAME = r"([A-Za-z]{1,7}+)([0-9]{1,9}+)"
_OPEN, _CLOSE = r"[\s(\[{'\"]*+", r"[\s)\]}'\"]*+"
_NUMBER_OF_MOVE = r"(?:[0-9]{1,9}+\.++\s*+)?+"
_ITEM = re.compile(
    rf"{_OPEN}{_NUMBER_OF_MOVE}{_OPEN}{_NAME}(?![A-Za-z0-9]){_CLOSE}(?:[,;.]|->?+|>)?+{_CLOSE}"
)
_MOVE = re.compile(
    rf"{_OPEN}{_NAME}\s*+(?:->?+|>)\s*+{_NAME}(?![A-Za-z0-9]|\s*+[->]){_CLOSE}[,;.]?+{_CLOSE}"
)
_KNIGHT = re.compile(r"N[a-z]")


def read_squares(text: str) -> Integers:
    """Read chess names as rows of file from 0 and rank from 1; a knight's N before them goes.

    Raises `UnreadableError` for anything else.

    >>> read_squares("a1-b3-c5").tolist() == read_squares("1. Na1 Nb3 2. Nc5").tolist()
    True
    """
    names = read_items(_ITEM, without_comments(text), "a chess name, as in a1 b3 c5")
    return _files_and_ranks([(name[0], name[1]) for name in names])


def read_moves(text: str) -> Integers:
    """Read moves as rows of file and rank, two rows for each move: from and to.

    >>> read_moves("a1-b3 b3-c5").tolist()
    [[0, 1], [1, 3], [1, 3], [2, 5]]
    """
    moves = read_items(_MOVE, without_comments(text), "a move, as in a1-b3 b3-c5")
    return _files_and_ranks([pair for move in moves for pair in ((move[0], move[1]), move[2:])])


def _files_and_ranks(names: list[tuple[str, ...]]) -> Integers:
    files = {letters: letters for letters, _ in names}
    if all(_KNIGHT.match(letters) or len(letters) == 1 for letters in files) or all(
        letters[0] in "nN" for letters in files if len(letters) > 1
    ):
        files = {letters: letters[len(letters) > 1 :] for letters in files}
    indices = {letters: file_index(name.lower()) for letters, name in files.items()}
    return np.array([(indices[letters], int(rank)) for letters, rank in names], dtype=np.int64)


def squares_form(notation: Notation, numbers: Integers) -> Form:
    """Take the names as squares in visiting order."""
    return PathForm(notation, ChessNaming(), numbers)


def moves_form(notation: Notation, numbers: Integers) -> Form:
    """Take the names in pairs, as moves."""
    return path_or_moves(notation, ChessNaming(), numbers)
