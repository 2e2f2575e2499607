"""Reading chess names: squares in visiting order, and moves."""

from __future__ import annotations

import itertools
import re

import numpy as np

from kt_cp.board.square_names import file_index
from kt_cp.notation.forms import Form, PathForm, path_or_moves
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import ChessNaming
from kt_cp.notation.text import Integers, integers, read_items, without_comments

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
    return _files_and_ranks([letters for letters, _ in names], [rank for _, rank in names])


def read_moves(text: str) -> Integers:
    """Read moves as rows of file and rank, two rows for each move: from and to.

    >>> read_moves("a1-b3 b3-c5").tolist()
    [[0, 1], [1, 3], [1, 3], [2, 5]]
    """
    moves = read_items(_MOVE, without_comments(text), "a move, as in a1-b3 b3-c5")
    words = list(itertools.chain.from_iterable(moves))
    return _files_and_ranks(words[::2], words[1::2])


def _files_and_ranks(letters: list[str], ranks: list[str]) -> Integers:
    files = {word: word for word in set(letters)}
    if all(_KNIGHT.match(word) or len(word) == 1 for word in files) or all(
        word[0] in "nN" for word in files if len(word) > 1
    ):
        files = {word: word[len(word) > 1 :] for word in files}
    indices = {word: file_index(file.lower()) for word, file in files.items()}
    return np.stack([[indices[word] for word in letters], integers(ranks)], axis=1)


def squares_form(notation: Notation, numbers: Integers) -> Form:
    """Take the names as squares in visiting order."""
    return PathForm(notation, ChessNaming(), numbers)


def moves_form(notation: Notation, numbers: Integers) -> Form:
    """Take the names in pairs, as moves."""
    return path_or_moves(notation, ChessNaming(), numbers)
