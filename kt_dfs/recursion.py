"""Room for deep recursion, given back afterwards."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()


@contextmanager
def recursion_room(levels: int) -> Iterator[None]:
    """Allow that many more levels of recursion inside the `with`, and no more afterwards.

    Since Python 3.11 a Python function that calls a Python function uses no C stack, so the
    limit is all that stands in the way of a recursion 100,000 deep. The limit belongs to the
    whole interpreter: it is raised and lowered by a difference, so that two searches in two
    threads do not take each other's room.
    """
    _raise_limit(levels)
    try:
        yield
    finally:
        _raise_limit(-levels)


def _raise_limit(levels: int) -> None:
    with _lock:
        sys.setrecursionlimit(sys.getrecursionlimit() + levels)
