"""What values do by way of packages above their own: draw themselves, and read a path.

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


_LOADERS: dict[Hook, Load] = {}


def provide(hook: Hook, load: Load) -> None:
    """Say how the function of a hook is loaded."""
    _LOADERS[hook] = load


def call(hook: Hook, *args: Any, **options: Any) -> Any:
    """Call the function of a hook, and return its result."""
    return _LOADERS[hook]()(*args, **options)


class Pictured:
    """What a notebook shows as a picture; as text if it is large, or of a graph without places."""

    def _repr_svg_(self) -> str | None:
        """Return the picture as SVG, or None if the value has none."""
        picture: str | None = call(Hook.NOTEBOOK_PICTURE, self)
        return picture
