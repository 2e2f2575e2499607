"""``kt methods``: what can answer, a line each."""

from __future__ import annotations

from kt_cp.methods.table import METHODS


def methods_command() -> int:
    """List the methods that solve and compare know."""
    width = max(map(len, METHODS))
    for name, method in METHODS.items():
        print(f"{name:{width}}  {method.summary}")
    return 0
