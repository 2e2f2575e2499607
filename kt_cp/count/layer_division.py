"""Divide a layer in files into parts that are advanced on their own, within a limit of memory.

The type of a vertex changes only when it chooses or is chosen. Vertices that do neither in the next
steps keep their types, so states that differ in these types lead to different states: a layer is
divided by them. The more vertices it is divided by, the smaller the parts, but the fewer the steps
that parts can be advanced.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kt_cp.count.frontier_steps import FrontierStep
from kt_cp.count.layer_files import Part, tables_of
from kt_cp.count.pairings import count_pairings

_MIN_DIVIDED_BYTES = 4 * 2**20  # a smaller layer is not divided among processes
_ROOM_PER_PART_BYTE = 5  # a part grows to four times its size, and needs one size for arrays
_MAX_DIVIDING_VERTICES = 10

Sizes = npt.NDArray[np.float64]
"""Bytes of a layer for each combination of types of its dividing vertices."""


@dataclass(frozen=True, eq=False)
class StoredLayer:
    """The states after the first ``begin`` of all ``steps`` of a count, in ``files``."""

    directory: Path
    files: Sequence[str]
    begin: int
    steps: Sequence[FrontierStep]

    def parts(self, run: str, room: float, jobs: int, share: float = 1) -> list[Part]:
        """Divide the layer into parts that fit into memory for as many steps as possible.

        ``run`` identifies the present run of the count, and ``room`` is the memory in bytes of each
        of ``jobs`` processes. Parts are sized for growth by a factor of four. If one grows more,
        call again with a smaller ``share`` of the room.
        """
        part_bytes = self._part_bytes(room * share, jobs)
        end = self._last_step(part_bytes)
        next_touch = self.steps[end].next_touch if end < len(self.steps) else ()
        bounds = self._key_bounds(end, part_bytes)
        return [
            Part(
                directory=self.directory,
                run=run,
                sources=tuple(self.files),
                low=low,
                high=high,
                steps=tuple(self.steps[self.begin : end]),
                next_touch=next_touch,
                target=f"layer-{self.begin}-{end}-{low:x}-{high:x}",
                memory=room,
            )
            for low, high in itertools.pairwise(bounds)
        ]

    @property
    def _next_touch(self) -> tuple[int, ...]:
        """For each vertex of the frontier the step at which its type changes."""
        return self.steps[self.begin].next_touch

    @cached_property
    def _sizes(self) -> Sizes:
        """The bytes of the layer by the types of the vertices that change last."""
        dividing = min(_MAX_DIVIDING_VERTICES, len(self._next_touch))
        other_bits = np.uint64(2 * (len(self._next_touch) - dividing))
        sizes = np.zeros(4**dividing)
        for name in self.files:
            for paths, digits, keys, _ in tables_of(self.directory / name):
                classes = (keys >> other_bits).astype(np.intp)
                rows = np.bincount(classes, minlength=4**dividing)
                sizes += rows * digits * count_pairings(paths) * 8
        return sizes

    def _part_bytes(self, room: float, jobs: int) -> float:
        """Return how large a part may be: each process gets at least two if that is worth it."""
        part_bytes = room / _ROOM_PER_PART_BYTE
        layer_bytes = float(self._sizes.sum())
        if jobs > 1 and layer_bytes > _MIN_DIVIDED_BYTES:
            return min(part_bytes, layer_bytes / (2 * jobs))
        return part_bytes

    def _last_step(self, part_bytes: float) -> int:
        """Return the step up to which parts of at most ``part_bytes`` can be advanced.

        It is at least the next step, even if that needs larger parts.
        """
        for end in range(self._next_mirror(), self.begin + 1, -1):
            if self._bytes_by_type(end).max() <= part_bytes:
                return end
        return self.begin + 1

    def _next_mirror(self) -> int:
        """Return the number of steps up to the next one after which mirror images are merged.

        That step is included. Without such a step, return the number of all steps.
        """
        for number in range(self.begin, len(self.steps)):
            if self.steps[number].mirror:
                return number + 1
        return len(self.steps)

    def _dividing_vertices(self, end: int) -> int:
        """Return the number of vertices, at most ten, whose types do not change until a step."""
        unchanged = sum(step >= end for step in self._next_touch)
        return min(_MAX_DIVIDING_VERTICES, unchanged)

    def _bytes_by_type(self, end: int) -> Sizes:
        """Return the bytes of the layer by the types of the dividing vertices until a step."""
        return np.asarray(self._sizes.reshape(4 ** self._dividing_vertices(end), -1).sum(axis=1))

    def _key_bounds(self, end: int, part_bytes: float) -> list[int]:
        """Return the keys at which the layer is divided into parts that are advanced until a step.

        The first is the lowest key, and the last is above all keys.
        """
        width = len(self._next_touch)
        other_bits = 2 * (width - self._dividing_vertices(end))  # bits of the other vertices
        starts = _starts(self._bytes_by_type(end), part_bytes)
        return [*(start << other_bits for start in starts), 1 << 2 * width]


def _starts(sizes: Sizes, most_bytes: float) -> list[int]:
    """Divide the classes into stretches of at most ``most_bytes``; return where each begins.

    ``sizes`` are the bytes of each class. A larger class is a stretch of its own.
    """
    starts, used_bytes = [0], 0.0
    for number in np.flatnonzero(sizes).tolist():
        if used_bytes and used_bytes + sizes[number] > most_bytes:
            starts.append(number)
            used_bytes = 0.0
        used_bytes += sizes[number]
    return starts
