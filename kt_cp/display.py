"""The hook by which values show themselves: it finds the function that does so by name.

Boards, tours and reports cannot import `kt_cp.draw`, which imports them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def drawn(name: str, *args: Any, **options: Any) -> Any:
    """Call a function of `kt_cp.draw`, such as ``output.draw_tour``, and return its result."""
    return shown(f"draw.{name}", *args, **options)


def shown(name: str, *args: Any, **options: Any) -> Any:
    """Call a function of `kt_cp`, such as ``compare.page.log_html``; return its result."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"kt_cp.{module}"), function)(*args, **options)
