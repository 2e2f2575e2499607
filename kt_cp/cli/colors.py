"""Whether text is colored: on a terminal, unless NO_COLOR forbids it or FORCE_COLOR demands it."""

from __future__ import annotations

import os
from typing import IO


def wants_color(stream: IO[str]) -> bool:
    """Return whether what is written to a stream is colored.

    NO_COLOR and FORCE_COLOR count if they are not empty (https://no-color.org,
    https://force-color.org); the former counts more.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def colored(words: str, color: str | None = None) -> str:
    """Return words in bold, and in a color if one is given."""
    import click

    return click.style(words, fg=color, bold=True)
