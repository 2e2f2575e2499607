"""Packages that are not always installed."""

from __future__ import annotations

from kt_cp.errors import InputError


def require_matplotlib(purpose: str, instead: str = "") -> None:
    """Raise `InputError`, with the command that installs it, where matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        install = "pip install 'knights-tours[plot]'"
        raise InputError(f"{purpose} need matplotlib: {install}{instead}") from None
