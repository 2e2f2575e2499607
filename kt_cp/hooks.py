"""What packages do by way of those above their own: values draw themselves, or read a path.

The root package says where these functions are. They are loaded on first use, so that a tour needs
neither pictures nor the readers of paths.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

Load = Callable[[], Callable[..., Any]]


class Hook(StrEnum):
    """A function that a package above provides."""

    NOTEBOOK_PICTURE = "notebook picture"  # of a value, as SVG, or None if it has none
    DRAW_TOUR = "draw tour"  # to a file, or as a picture
    VALIDATE = "validate"  # a path in any form, on a graph
    ANSWER_BY_FRONTIER = "answer by frontier"  # a task, as a method does


_LOADERS: dict[Hook, Load] = {}


def provide(hook: Hook, load: Load) -> None:
    """Say how the function of a hook is loaded."""
    _LOADERS[hook] = load


def load(hook: Hook) -> Callable[..., Any]:
    """Return the function of a hook, after importing its module."""
    return _LOADERS[hook]()


def call(hook: Hook, *args: Any, **options: Any) -> Any:
    """Call the function of a hook, and return its result."""
    return load(hook)(*args, **options)


class Pictured:
    """What a notebook shows as a picture; as text if it is large, or of a graph without places."""

    def _repr_svg_(self) -> str | None:
        """Return the picture as SVG, or None if the value has none."""
        picture: str | None = call(Hook.NOTEBOOK_PICTURE, self)
        return picture
