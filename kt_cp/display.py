"""How values show themselves: the code that draws them is found by name when it is called.

Boards, tours and reports know no pictures, as `kt_cp.draw` is built upon them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def drawn(name: str, *args: Any, **options: Any) -> Any:
    """Call a function of `kt_cp.draw`, such as ``notebook.tour_svg``, and return its result."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"kt_cp.draw.{module}"), function)(*args, **options)
