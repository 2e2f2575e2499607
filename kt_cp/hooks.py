"""Functions that lower packages call although higher ones define them.

A tour draws itself, for instance, but `kt_cp.draw` imports tours. The root package provides these
functions; each is imported on first use, so that a tour loads no drawing code until it is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

Load = Callable[[], Callable[..., Any]]


class Hook(StrEnum):
    """A function that a higher package provides."""

    NOTEBOOK_PICTURE = "notebook picture"  # returns the SVG of a value, or None
    DRAW_TOUR = "draw tour"  # writes a file, or returns a picture
    VALIDATE = "validate"  # takes a path in any form, and a graph
    ANSWER_BY_FRONTIER = "answer by frontier"  # takes a task, as every method does


_LOADERS: dict[Hook, Load] = {}


def provide(hook: Hook, load: Load) -> None:
    """Register the function that imports and returns the function of a hook."""
    _LOADERS[hook] = load


def load(hook: Hook) -> Callable[..., Any]:
    """Return the function of a hook, after importing its module."""
    return _LOADERS[hook]()


def call(hook: Hook, *args: Any, **options: Any) -> Any:
    """Call the function of a hook, and return its result."""
    return load(hook)(*args, **options)


class Pictured:
    """Mixin: notebooks show the value as a picture, or as text if it cannot be drawn."""

    def _repr_svg_(self) -> str | None:
        """Return the picture as SVG, or None if the value has none."""
        picture: str | None = call(Hook.NOTEBOOK_PICTURE, self)
        return picture
