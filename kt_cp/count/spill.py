"""Count with the states in files: in parts, by several processes, and again after a crash.

The type of a vertex changes only when it chooses or is chosen. So states that differ in the types
of vertices of which neither happens in the next steps lead to different states, and parts of a
layer by these types are advanced through all these steps on their own. What comes out is written
once, sorted for the parts that follow; only mirror images meet when it is read.

Every file appears under its name as a whole, by renaming, and ``count.json``, which names the files
of the last complete layer, is replaced in the same way. So a count that was killed goes on from
there, and from those parts of the next layer that are there already: a part is named after the
steps and the range of keys that it comes from, so its contents are always the same. Processes that
outlive their count notice that ``run`` has changed, and write nothing.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kt_cp.count.digits import Words
from kt_cp.count.frontier_plan import MAX_WIDTH, Plan, Step
from kt_cp.count.memory import OutOfMemoryError
from kt_cp.count.pairings import Table, Tables, columns_bytes, count_pairings, merge, reordered
from kt_cp.count.progress import Progress, Row
from kt_cp.errors import InputError
from kt_cp.files import whole_file
from kt_cp.problem.clock import Clock
from kt_cp.workers import DeathError, WorkerExecutor

_FORMAT = 3
_PROCESS = 48 * 2**20  # bytes that a process takes before it does anything
_LEAST = 8 * 2**20  # bytes of states with which a process can do something
_SMALL = 4 * 2**20  # bytes of a layer that is not worth dividing
_BLOCK = 2**20  # counts that are written in one go
_DIVIDING = 10  # vertices by whose types a layer can be divided
_CHECKING = 0.2  # seconds after which a process looks again whether the count goes on
_TRIES = 8  # divisions of a layer, each finer than the one before, until memory is found too small


class CountStoppedError(Exception):
    """The disk is full, a process has died, or another has taken over; the count can go on."""


@dataclass(frozen=True)
class _Part:
    """What one process does: advance the states in a range of keys by some steps, and write them.

    ``touched`` is that of the layer which is written, the part ``target`` of it.
    """

    directory: Path
    run: str
    sources: tuple[str, ...]
    low: int
    high: int
    steps: tuple[Step, ...]
    touched: tuple[int, ...]
    target: str
    memory: float


@dataclass
class _State:
    """What ``count.json`` holds: whose count it is, and the last complete layer, or the number.

    ``files`` hold the layer after some ``steps``, in which ``closed`` tours were closed.
    """

    owner: dict[str, str]
    count: int | None = None
    steps: int = 0
    files: list[str] = field(default_factory=list)
    closed: int = 0
    rows: list[Row] = field(default_factory=list)


class Spill:
    """A directory with the states of a count, which goes on where it ended.

    Raises `InputError` if the directory holds anything else.
    """

    def __init__(self, plan: Plan, directory: str | Path) -> None:
        """Read what is there; make the directory if it is not."""
        from importlib.metadata import version

        if plan.width > MAX_WIDTH:
            wide = f"a frontier of {plan.width} vertices is too wide for --spill"
            without = f"counting without it takes {plan.expected_memory}"
            raise InputError(f"{wide}, which takes at most {MAX_WIDTH}; {without}")
        self.plan, self.directory = plan, Path(directory)
        graph = plan.order, plan.edges.tolist(), plan.required.tolist()
        self.state = _State(
            {
                "instance": f"{plan.instance.kind} tours of {plan.instance.graph.title}",
                "format": f"{_FORMAT} of {version('knights-tours')}",
                "graph": hashlib.sha256(repr(graph).encode()).hexdigest(),
            }
        )
        owner, file, place = self.state.owner, self.directory / "count.json", f"--spill {directory}"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            if file.exists():
                self.state = _State(**json.loads(file.read_text()))
            elif any(not each.name.startswith(".") for each in self.directory.iterdir()):
                raise InputError(f"{place}: give a new or empty directory")
            what = "{instance}, format {format}".format(**self.state.owner)
        except OSError as error:
            raise InputError(f"{place}: {error.strerror}") from None
        except (json.JSONDecodeError, UnicodeError, TypeError, KeyError):
            raise InputError(f"{place}: {file.name} is no state of a count") from None
        if self.state.owner != owner:
            raise InputError(f"{place}: holds another count, of {what}; give another directory")

    def count(
        self,
        clock: Clock,
        memory: float,
        jobs: int,
        executor: Executor | None,
        tell: Callable[[str], None] = lambda line: None,
        log: str | Path | None = None,
    ) -> int:
        """Return the number of tours: closed ones in one direction, open ones in both.

        ``memory`` is in bytes, for all processes together; of these there are ``jobs`` on this
        machine, or the executor's. ``tell`` and ``log`` are those of `Progress`. Raises
        `OutOfTimeError`, `OutOfMemoryError` and `CountStoppedError`.
        """
        state = self.state
        if state.count is not None:
            return state.count
        progress = Progress(self.plan, tell, log, f"in {self.directory}", state.rows)
        kept = f"what is done is kept in {self.directory}, and the same command goes on from there"
        try:
            self._write_state()
            self._complete_layers(memory, jobs, executor, clock, progress)
            state.count, state.files = (
                self.plan.total(len(self.plan.instance.graph), state.closed),
                [],
            )
            self._write_state()
        except (futures.BrokenExecutor, DeathError):
            why = "a process of the count has died, perhaps for lack of memory"
            raise CountStoppedError(f"{why}; {kept}") from None
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise CountStoppedError(f"the disk of {self.directory} is full; {kept}") from None
        self._remove_all_but([])
        return state.count

    def _complete_layers(
        self,
        memory: float,
        jobs: int,
        executor: Executor | None,
        clock: Clock,
        progress: Progress,
    ) -> None:
        """Complete all layers, by fewer processes where the memory does not suffice for ``jobs``.

        Processes that have room for the smallest parts may still find that a part grows too much.
        """
        for number in range(jobs, 0, -1):
            room = self._room(memory, number, executor is not None)
            if room < _LEAST and number > 1:
                continue
            if room < _LEAST:
                least = (memory + _LEAST - room) / 2**20
                raise InputError(
                    f"memory limit {memory / 2**20:.0f}: give at least {least:.0f} MiB"
                )
            try:
                with self._workers(number, executor) as (pool, run):
                    while self.state.steps < len(self.plan.steps):
                        # a quarter of the room is for arrays that are soon gone
                        self._complete_layer(pool, run, 0.75 * room, number, clock, progress)
                return
            except OutOfMemoryError:
                if number == 1:
                    raise

    def _room(self, memory: float, jobs: int, elsewhere: bool) -> float:
        """Return the bytes that one of ``jobs`` processes has for states; they may be negative."""
        import psutil

        own = 0 if elsewhere else psutil.Process().memory_info().rss
        processes = jobs if elsewhere or jobs > 1 else 0
        return (memory - own - processes * _PROCESS) / jobs - columns_bytes(self.plan.width)

    @contextmanager
    def _workers(self, jobs: int, executor: Executor | None) -> Iterator[tuple[Executor, str]]:
        """Yield the executor, or one with threads or processes, and the name of this run.

        While the file ``run`` holds that name, they work.
        """
        run, file, pool = os.urandom(8).hex(), self.directory / "run", executor
        file.write_text(run)
        if pool is None and jobs == 1:
            pool = futures.ThreadPoolExecutor(1)
        elif pool is None:
            pool = WorkerExecutor(jobs)
        try:
            yield pool, run
        finally:
            with suppress(OSError, CountStoppedError):
                _check_run(self.directory, run)
                file.unlink()
            if executor is None:
                pool.shutdown(cancel_futures=True)

    def _complete_layer(
        self, pool: Executor, run: str, room: float, jobs: int, clock: Clock, progress: Progress
    ) -> None:
        """Go to the next layer that is written; where memory does not suffice, in more parts."""
        state = self.state
        for attempt in range(_TRIES):
            parts = self._parts(run, room, jobs, 2.0**-attempt)
            self._remove_all_but([*state.files, *(part.target for part in parts)])
            try:
                heads = self._advance(parts, pool, clock, progress)
                break
            except OutOfMemoryError as error:
                if attempt == _TRIES - 1:
                    raise self.plan.out_of_memory(state.steps, error) from None
        for rows in zip(*(head["rows"] for head in heads), strict=True):
            progress.add(*map(sum, zip(*rows, strict=True)))
        state.rows = progress.rows
        state.steps += len(parts[0].steps)
        state.closed += sum(head["closed"] for head in heads)
        state.files = [part.target for part in parts]
        self._write_state()
        self._remove_all_but(state.files)

    def _parts(self, run: str, room: float, jobs: int, share: float) -> list[_Part]:
        """Divide the layer for as many steps as possible, into parts for which memory suffices.

        A part is expected to grow to four times its size, and by a half of that in a single step;
        if it grows to more, a smaller ``share`` of the memory is used.
        """
        begin, steps = self.state.steps, self.plan.steps
        touched = steps[begin].touched
        digits = min(_DIVIDING, len(touched))
        sizes = np.zeros(4**digits)
        for name in self.state.files:
            for paths, planes, keys, _ in _tables(self.directory / name):
                classes = (keys >> np.uint64(2 * (len(touched) - digits))).astype(np.intp)
                rows = np.bincount(classes, minlength=4**digits)
                sizes += rows * planes * count_pairings(paths) * 8
        most = room * share / 5
        if jobs > 1 and sizes.sum() > _SMALL:
            most = min(most, sizes.sum() / jobs / 2)
        last = begin
        while last + 1 < len(steps) and not steps[last].mirror:
            last += 1
        for end in range(last + 1, begin, -1):
            fixed = min(digits, sum(number >= end for number in touched))
            classes = sizes.reshape(4**fixed, -1).sum(axis=1)
            if classes.max() <= most:
                break
        starts, taken = [0], 0.0
        for number in np.flatnonzero(classes).tolist():
            if taken and taken + classes[number] > most:
                starts.append(number)
                taken = 0.0
            taken += classes[number]
        width = 2 * (len(touched) - fixed)
        bounds = [start << width for start in starts] + [1 << 2 * len(touched)]
        sources, chosen = tuple(self.state.files), tuple(steps[begin:end])
        after = steps[end].touched if end < len(steps) else ()
        return [
            _Part(
                self.directory, run, sources, low, high, chosen, after,
                f"layer-{begin}-{end}-{low:x}-{high:x}", room,
            )
            for low, high in itertools.pairwise(bounds)
        ]  # fmt: skip

    def _advance(
        self, parts: list[_Part], pool: Executor, clock: Clock, progress: Progress
    ) -> list[dict[str, Any]]:
        """Write the parts that are not there yet, and return the heads of all of them."""
        targets = [self.directory / part.target for part in parts]
        files = [*targets, *(self.directory / name for name in self.state.files)]
        missing = [part for part, file in zip(parts, targets, strict=True) if not file.exists()]
        before = progress.rows[-1].states if progress.rows else 1
        running = {pool.submit(_write_part, part) for part in missing}
        try:
            while running:
                clock.check()
                seconds = min(clock.remaining, 1)
                done, running = futures.wait(running, seconds, futures.FIRST_COMPLETED)
                for future in done:
                    future.result()
                taken = sum(file.stat().st_size for file in files if file.exists())
                progress.tell(before, taken, 1 - len(running) / len(parts))
        finally:
            for future in running:
                future.cancel()
        return [_head(file)[0] for file in targets]

    def _write_state(self) -> None:
        with whole_file(self.directory / "count.json") as stream:
            stream.write(json.dumps(asdict(self.state), indent=1).encode() + b"\n")

    def _remove_all_but(self, files: list[str]) -> None:
        """Remove all parts of layers but some, and what a killed count left unfinished."""
        for file in [*self.directory.glob(".*"), *self.directory.glob("layer-*")]:
            if file.name not in files:
                file.unlink(missing_ok=True)


def _check_run(directory: Path, run: str) -> None:
    """Raise `CountStoppedError` if another process has taken over the count, or it has ended."""
    with suppress(OSError):
        if (directory / "run").read_text() == run:
            return
    raise CountStoppedError(
        f"the count in {directory} was ended, or another process has taken it over"
    )


def _write_part(part: _Part) -> None:
    """Advance a part of a layer, and write what comes out."""
    checked = 0.0

    def check() -> None:
        nonlocal checked
        if time.monotonic() > checked + _CHECKING:
            _check_run(part.directory, part.run)
            checked = time.monotonic()

    check()
    layer = Tables.first()
    if part.sources:
        layer = merge([piece for name in part.sources for piece in _read(part, name)])
    rows, closed = [], 0
    for step in part.steps:
        began = time.process_time()
        try:
            layer, more = layer.advance(step, part.memory, check)
        except OutOfMemoryError as error:
            raise error.with_traceback(None) from None  # which would hold the states
        closed += sum(more.values())
        rows.append((layer.size, layer.nbytes, time.process_time() - began))
    _write(part, layer, {"closed": closed, "rows": rows})


# -- files of states ------------------------------------------------------------------------------


def _write(part: _Part, layer: Tables, head: Mapping[str, Any]) -> None:
    """Write states in the order of their keys: a line of JSON, then keys and counts by paths.

    In a key those vertices come first that are touched last.
    """
    tables = [(paths, *table.counts.shape[:2]) for paths, table in layer.items()]
    with whole_file(part.directory / part.target) as stream:
        stream.write(json.dumps({**head, "tables": tables}).encode() + b"\n")
        for paths, table in layer.items():
            keys = reordered(table.types, _by_touch(part.touched))
            order = np.argsort(keys)
            stream.write(keys[order].data)
            for rows in np.array_split(order, 1 + len(order) * count_pairings(paths) // _BLOCK):
                stream.write(table.counts[:, rows].swapaxes(0, 1).tobytes())
        _check_run(part.directory, part.run)


def _head(file: Path) -> tuple[dict[str, Any], int]:
    """Return what was told of a file, and where its states begin."""
    with file.open("rb") as stream:
        line = stream.readline()
    return json.loads(line), len(line)


def _tables(file: Path) -> Iterator[tuple[int, int, Words, int]]:
    """Yield of each table: paths, digits, the keys of its rows, and where its counts begin."""
    head, offset = _head(file)
    for paths, digits, rows in head["tables"]:
        keys = np.fromfile(file, np.uint64, rows, offset=offset)
        yield paths, digits, keys, offset + keys.nbytes
        offset += 8 * rows * (1 + digits * count_pairings(paths))


def _read(part: _Part, name: str) -> Iterator[tuple[int, Table]]:
    """Yield the states of a file whose keys are in the range of a part, by numbers of paths."""
    file, order = part.directory / name, np.argsort(_by_touch(part.steps[0].touched)).tolist()
    bounds = np.array([part.low, part.high], dtype=np.uint64)
    for paths, digits, keys, offset in _tables(file):
        start, end = np.searchsorted(keys, bounds).tolist()
        if start < end:
            row = digits * count_pairings(paths)
            offset += 8 * start * row
            counts = np.fromfile(file, np.uint64, (end - start) * row, offset=offset)
            counts = counts.reshape(end - start, digits, -1).swapaxes(0, 1)
            yield paths, Table(reordered(keys[start:end], order), counts)


def _by_touch(touched: tuple[int, ...]) -> list[int]:
    return sorted(range(len(touched)), key=touched.__getitem__)
