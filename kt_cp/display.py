"""The hook by which values draw themselves: it finds the function of `kt_cp.draw` by name.

Boards, tours and reports cannot import `kt_cp.draw`, which imports them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def drawn(name: str, *args: Any, **options: Any) -> Any:
    """Call a function of `kt_cp.draw`, such as ``notebook.tour_svg``, and return its result."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"kt_cp.draw.{module}"), function)(*args, **options)
