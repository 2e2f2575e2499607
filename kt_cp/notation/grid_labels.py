"""The labels around a numbered board: outer rows and columns that count up or down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.notation.forms import UNNUMBERED_CODE


def remove_short_labels(rows: dict[int, list[int]]) -> None:
    """Remove a line of labels above or below the board that is shorter than the rows.

    Such a line has no cell above the column of labels.
    """
    for outer, inner in ((0, 1), (-1, -2)):
        lines = list(rows)
        if len(lines) < 2:
            return
        labels = rows[lines[outer]]
        if len(labels) < len(rows[lines[inner]]) and _count_up_or_down(labels):
            del rows[lines[outer]]


def without_labels(cells: Ints) -> Ints:
    """Return a board without the labels in its outer rows and columns."""
    for _ in ("rows", "columns"):
        if _are_labels(cells[0], cells[1:]):
            cells = cells[1:]
        if _are_labels(cells[-1], cells[:-1]):
            cells = cells[:-1]
        cells = cells.T
    return cells


def _are_labels(cells: Ints, rest: Ints) -> bool:
    """Return whether an outer row holds labels: they count up or down, and some occur as steps."""
    labels = cells[cells != UNNUMBERED_CODE]
    if len(labels) < len(cells) - 2 or len(rest) < 2:  # the corners may be empty
        return False
    return _count_up_or_down(labels) and bool(np.isin(labels, rest).any())


def _count_up_or_down(numbers: Sequence[int] | Ints) -> bool:
    """Return whether two or more numbers count up from 0 or 1, or down to 0 or 1."""
    if len(numbers) < 2:
        return False
    low = min(numbers[0], numbers[-1])
    up = list(range(low, low + len(numbers)))
    return low in (0, 1) and list(numbers) in (up, up[::-1])
