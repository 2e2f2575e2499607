"""Ranges of board sizes."""

from __future__ import annotations

import re

from kt_cp.errors import InputError

# Beyond this a range is a slip of the pen.
_MOST = 10_000

_RANGE = re.compile(r"(\d{1,9})[xX×](\d{1,9})\.\.(\d{1,9})[xX×](\d{1,9})", re.ASCII)


def expand_sizes(text: str) -> list[str]:
    """Return the sizes that a range such as ``5x5..8x8`` stands for; other words as they are.

    The sides that differ grow by 1 together, so that a range is a row of boards and no rectangle of
    them. Raises `InputError` for sides that cannot grow together, and for ranges beyond reason.

    >>> expand_sizes("5x5..8x8"), expand_sizes("3x4..3x7"), expand_sizes("board.txt")
    (['5x5', '6x6', '7x7', '8x8'], ['3x4', '3x5', '3x6', '3x7'], ['board.txt'])
    """
    ends = _RANGE.fullmatch(text)
    if not ends:
        return [text]
    rows, columns, last_rows, last_columns = map(int, ends.groups())
    taller, wider = last_rows - rows, last_columns - columns
    length = max(taller, wider)
    if length < 0 or {taller, wider} - {0, length}:
        raise InputError(
            f"boards {text!r}: the sides that differ must grow alike, as in 5x5..8x8 or 3x4..3x10"
        )
    if length >= _MOST:
        raise InputError(f"boards {text!r}: more than {_MOST:,} sizes; give fewer")
    return [
        f"{rows + min(step, taller)}x{columns + min(step, wider)}" for step in range(length + 1)
    ]
