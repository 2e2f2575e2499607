"""A recursion limit that is raised for a while."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()


@contextmanager
def recursion_room(levels: int) -> Iterator[None]:
    """Allow that many more levels of recursion inside the `with` statement.

    Since Python 3.11 a Python function that calls another uses no C stack, so that only the limit
    prevents a recursion 100,000 levels deep. The limit holds for the whole interpreter; it is
    raised and lowered by a difference, so that searches in two threads do not disturb each other.
    """
    _raise_limit(levels)
    try:
        yield
    finally:
        _raise_limit(-levels)


def _raise_limit(levels: int) -> None:
    with _lock:
        sys.setrecursionlimit(sys.getrecursionlimit() + levels)
