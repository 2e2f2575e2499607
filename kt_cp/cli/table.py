"""Tables of two columns, as wide as the terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping


def two_columns(rows: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a table; what does not fit goes on below in the second column."""
    width = max(map(len, rows)) + 2
    columns = shutil.get_terminal_size().columns
    for left, right in rows.items():
        yield textwrap.fill(
            f"{left:{width}}{right}", columns, subsequent_indent=" " * width, break_on_hyphens=False
        )
