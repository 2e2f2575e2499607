"""The readers of text, by notation."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from kt_cp.notation.forms import Form
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_boards import read_grid
from kt_cp.notation.read_facts import read_answer_set
from kt_cp.notation.read_lists import (
    read_coords,
    read_moves,
    read_numbers,
    read_squares,
    without_brackets,
)
from kt_cp.notation.read_tours import read_tour
from kt_cp.notation.text import blank

Reader = Callable[[], list[Form]]

_COMMENT = re.compile(r"^[ \t]*(?:#|%|//).*$", re.MULTILINE)


def readers_of(text: str) -> dict[Notation, Reader]:
    """Return, for each text notation except JSON, a function that reads a text in it.

    Each returns the forms that the text may have in its notation, and raises `UnreadableError` if
    it is not written so.
    """
    without_comments = _COMMENT.sub(blank, text)
    items = without_brackets(without_comments)
    return {
        Notation.GRID: partial(read_grid, text),
        Notation.IDS: partial(read_numbers, items),
        Notation.SQUARES: partial(read_squares, items),
        Notation.COORDS: partial(read_coords, items),
        Notation.MOVES: partial(read_moves, items),
        Notation.FACTS: partial(read_answer_set, without_comments),
        Notation.TSPLIB: partial(read_tour, text),
    }
