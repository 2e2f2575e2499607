"""Chunks so small that a small path has several."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def in_chunks_of(size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kt_cp.graph.CHUNK", size)
        yield
