"""The files of a count on disk: a part of a layer each, written once, in the order of their keys.

A file begins with a line of JSON, its head: how many tours were closed on the way, rows for the
table of layers, and the tables that follow. Each table has the keys of its rows, then their counts.
The most significant digits of a key are the types of the vertices that change last, so a range of
keys can be advanced on its own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kt_cp.count.digits import Words
from kt_cp.count.frontier_steps import FrontierStep
from kt_cp.count.pairings import count_pairings
from kt_cp.count.resources import OutOfMemoryError
from kt_cp.count.tables import Table, Tables, merge
from kt_cp.count.vertex_types import reordered
from kt_cp.files import write_atomically

_BLOCK = 2**20  # counts that are written in one go
_CHECK_INTERVAL = 0.2  # seconds between two checks of whether the count has ended


class CountStoppedError(Exception):
    """The disk is full, a process has died, or another has taken over; the count can be resumed."""


@dataclass(frozen=True)
class Part:
    """A piece of work for one process: advance the states in a range of keys by some steps.

    The states are those of the files ``sources`` with keys from ``low`` to below ``high``; they may
    use ``memory`` bytes. The results are written to the file ``target``, with keys in the order of
    ``next_touch``, which is that of the step after the last (see `FrontierStep`). ``run``
    identifies the present run of the count.
    """

    directory: Path
    run: str
    sources: tuple[str, ...]
    low: int
    high: int
    steps: tuple[FrontierStep, ...]
    next_touch: tuple[int, ...]
    target: str
    memory: float


def check_run(directory: Path, run: str) -> None:
    """Raise `CountStoppedError` if another process has taken over the count, or it has ended."""
    with suppress(OSError):
        if (directory / "run").read_text("utf-8") == run:
            return
    raise CountStoppedError(
        f"the count in {directory} was ended, or another process has taken it over"
    )


def write_part(part: Part) -> None:
    """Advance the states of a part, and write the resulting states.

    Raises `CountStoppedError` and `OutOfMemoryError`.
    """
    last_check = 0.0

    def check() -> None:
        """Check the run, but not too often. Raises `CountStoppedError`."""
        nonlocal last_check
        if time.monotonic() > last_check + _CHECK_INTERVAL:
            check_run(part.directory, part.run)
            last_check = time.monotonic()

    check()
    layer = Tables.initial()
    if part.sources:
        layer = merge([piece for name in part.sources for piece in _read(part, name)])
    rows, closed = [], 0
    for step in part.steps:
        began = time.process_time()
        try:
            layer, step_closed = layer.advance(step, part.memory, check)
        except OutOfMemoryError as error:
            raise error.with_traceback(None) from None  # the traceback would hold the states
        closed += sum(step_closed.values())
        rows.append((layer.size, layer.nbytes, time.process_time() - began))
    _write(part, layer, {"closed": closed, "rows": rows})


def _write(part: Part, layer: Tables, head: Mapping[str, Any]) -> None:
    """Write states in the order of their keys."""
    tables = [(paths, len(table.counts), len(table.types)) for paths, table in layer.items()]
    with write_atomically(part.directory / part.target) as stream:
        stream.write(json.dumps({**head, "tables": tables}).encode() + b"\n")
        for paths, table in layer.items():
            keys = reordered(table.types, _by_touch(part.next_touch))
            order = np.argsort(keys)
            stream.write(keys[order].data)
            for rows in np.array_split(order, 1 + len(order) * count_pairings(paths) // _BLOCK):
                stream.write(table.counts[:, rows].swapaxes(0, 1).tobytes())
        check_run(part.directory, part.run)


def head_of(file: Path) -> tuple[dict[str, Any], int]:
    """Return the head of a file, and its length in bytes, where the states begin."""
    with file.open("rb") as stream:
        line = stream.readline()
    return json.loads(line), len(line)


def tables_of(file: Path) -> Iterator[tuple[int, int, Words, int]]:
    """Yield each table of a file: its paths, digits and keys, and the byte where counts begin."""
    head, offset = head_of(file)
    for paths, digits, rows in head["tables"]:
        keys = np.fromfile(file, np.uint64, rows, offset=offset)
        yield paths, digits, keys, offset + keys.nbytes
        offset += 8 * rows * (1 + digits * count_pairings(paths))


def _read(part: Part, name: str) -> Iterator[tuple[int, Table]]:
    """Yield the number of paths and the states of each table of a file, in the range of a part."""
    file, order = part.directory / name, np.argsort(_by_touch(part.steps[0].next_touch)).tolist()
    bounds = np.array([part.low, part.high], dtype=np.uint64)
    for paths, digits, keys, offset in tables_of(file):
        start, end = np.searchsorted(keys, bounds).tolist()
        if start < end:
            words_per_row = digits * count_pairings(paths)
            offset += 8 * start * words_per_row
            counts = np.fromfile(file, np.uint64, (end - start) * words_per_row, offset=offset)
            counts = counts.reshape(end - start, digits, -1).swapaxes(0, 1)
            yield paths, Table(reordered(keys[start:end], order), counts)


def _by_touch(next_touch: tuple[int, ...]) -> list[int]:
    """Return the positions of vertices, those first whose types change first."""
    return sorted(range(len(next_touch)), key=next_touch.__getitem__)
