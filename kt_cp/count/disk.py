"""Count with the states in files: in parts, by several processes, and again after a crash.

A layer, the states after some steps, is kept in files. It is divided into parts that are advanced
through several steps on their own: the type of a vertex changes only when it chooses or is chosen,
so states that differ in the types of vertices that do neither in these steps lead to different
states. The more vertices a layer is divided by, the smaller the parts, but the fewer the steps that
they can be advanced. The results of a part are written once, sorted for the parts that follow.
Parts never lead to the same state, except for mirror images, which are merged when the files are
read. If a part needs more memory than there is, the layer is divided again, into smaller parts, and
at last fewer parts are advanced at a time.

Every file appears under its name as a whole, by renaming, and ``count.json``, which names the files
of the last complete layer, is replaced in the same way. So a count that was killed is resumed
from there, and from those parts of the next layer that are there already: a part is named after the
steps and the range of keys that it comes from, so its contents are always the same. Processes that
outlive their count notice that ``run`` has changed, and write nothing.

A file begins with a line of JSON, its head: how many tours were closed on the way, rows for the
table of layers, and the tables that follow. Each table has the keys of its rows, then their counts.
A key has two bits for the type of each vertex on the frontier. The highest are those of the vertex
that changes last, so a range of keys can be advanced on its own.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import time
from collections.abc import Iterator
from concurrent import futures
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shutil import disk_usage
from typing import Any

import numpy as np

from kt_cp.arrays import Floats
from kt_cp.count.cost import (
    MAX_WIDTH,
    CountProgress,
    OutOfMemoryError,
    Progress,
    Row,
    count_pairings,
    describe_memory,
)
from kt_cp.count.plan import FrontierStep, Plan
from kt_cp.count.tables import Table, Tables, Words, columns_bytes, merge, reordered
from kt_cp.files import write_atomically
from kt_cp.messages import InputError
from kt_cp.problem.task import Clock
from kt_cp.workers import DeathError, WorkerPool

_FORMAT = 4
_BYTES_PER_PROCESS = 48 * 2**20  # memory of a process that holds no states
_MIN_STATE_BYTES = 8 * 2**20  # the least memory for states with which a process is useful
_SHARE_FOR_STATES = 0.75  # of the room of a process; the rest is for temporary arrays
_SHARE_FOR_PART = 0.2  # of this: a part grows to four times its size, and needs one for arrays
_MIN_SHARE = 2.0**-7  # the finest division: parts of this share of what should fit
_MIN_DIVIDED_BYTES = 4 * 2**20  # a smaller layer is not divided among processes
_MAX_DIVIDING_VERTICES = 10
_MAX_STEPS = 8  # of a part; a part that does not fit is advanced by fewer
_BLOCK = 2**20  # counts that are written in one go
_CHECK_INTERVAL = 0.2  # seconds between two checks of whether the count has ended


class CountStoppedError(Exception):
    """The disk is full, a process has died, or another has taken over; the count can be resumed."""


# -- parts ----------------------------------------------------------------------------------------


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

    def check_run(self) -> None:
        """Raise `CountStoppedError` if another process has taken over, or the count has ended."""
        with suppress(OSError):
            if (self.directory / "run").read_text("utf-8") == self.run:
                return
        over = "was ended, or another process has taken it over"
        raise CountStoppedError(f"the count in {self.directory} {over}")

    def write(self) -> None:
        """Advance the states of the part, and write the resulting states.

        Raises `CountStoppedError` and `OutOfMemoryError`.
        """
        last_check = 0.0

        def check() -> None:
            nonlocal last_check
            if time.monotonic() > last_check + _CHECK_INTERVAL:
                self.check_run()
                last_check = time.monotonic()

        check()
        layer = Tables.initial()
        if self.sources:
            layer = merge([piece for name in self.sources for piece in self._read(name)])
        rows, closed = [], 0
        for step in self.steps:
            began = time.process_time()
            try:
                layer, step_closed = layer.advance(step, self.memory, check)
            except OutOfMemoryError as error:
                raise error.with_traceback(None) from None  # the traceback would hold the states
            closed += sum(step_closed.values())
            rows.append((layer.size, layer.nbytes, time.process_time() - began))
        tables = [(paths, len(table.counts), len(table.types)) for paths, table in layer.items()]
        head = {"closed": closed, "rows": rows, "tables": tables}
        with write_atomically(self.directory / self.target) as stream:
            stream.write(json.dumps(head).encode() + b"\n")
            for paths, table in layer.items():
                keys = reordered(table.types, _by_touch(self.next_touch))
                order = np.argsort(keys)
                stream.write(keys[order].data)
                blocks = 1 + len(order) * count_pairings(paths) // _BLOCK
                for block in np.array_split(order, blocks):
                    stream.write(table.counts[:, block].swapaxes(0, 1).tobytes())
            self.check_run()

    def _read(self, name: str) -> Iterator[tuple[int, Table]]:
        """Yield the number of paths and the states of each table of a file, of keys in range."""
        file, order = self.directory / name, np.argsort(_by_touch(self.steps[0].next_touch))
        for paths, digits, keys, offset in _tables_of(file):
            start, end = np.searchsorted(keys, np.array([self.low, self.high], np.uint64)).tolist()
            if start < end:
                per_row = digits * count_pairings(paths)
                offset += 8 * start * per_row
                counts = np.fromfile(file, np.uint64, (end - start) * per_row, offset=offset)
                counts = counts.reshape(end - start, digits, -1).swapaxes(0, 1)
                yield paths, Table(reordered(keys[start:end], order.tolist()), counts)


def _by_touch(next_touch: tuple[int, ...]) -> list[int]:
    """Return the positions of vertices, those first whose types change first."""
    return sorted(range(len(next_touch)), key=next_touch.__getitem__)


def _head_of(file: Path) -> tuple[dict[str, Any], int]:
    """Return the head of a file, and its length in bytes, where the states begin."""
    with file.open("rb") as stream:
        line = stream.readline()
    return json.loads(line), len(line)


def _tables_of(file: Path) -> Iterator[tuple[int, int, Words, int]]:
    """Yield each table of a file: its paths, digits and keys, and the byte where counts begin."""
    head, offset = _head_of(file)
    for paths, digits, rows in head["tables"]:
        keys = np.fromfile(file, np.uint64, rows, offset=offset)
        yield paths, digits, keys, offset + keys.nbytes
        offset += 8 * rows * (1 + digits * count_pairings(paths))


# -- the count ------------------------------------------------------------------------------------


@dataclass
class _State:
    """The contents of ``count.json``: the identity of a count, and how far it has come.

    ``count`` is the result, or None while the count is incomplete. ``files`` hold the last complete
    layer, after ``steps`` steps, in which ``closed`` tours were closed; ``rows`` are those of the
    table of layers.
    """

    identity: dict[str, str]
    count: int | None = None
    steps: int = 0
    files: list[str] = field(default_factory=list)
    closed: int = 0
    rows: list[Row] = field(default_factory=list)


class CountOnDisk:
    """A directory with the states of a count, from which the count can be resumed.

    Raises `InputError` if the directory holds anything else.
    """

    def __init__(self, plan: Plan, directory: str | Path) -> None:
        """Read the state of the count in the directory, which is made if it does not exist."""
        if plan.width > MAX_WIDTH:
            wide = f"a frontier of {plan.width} vertices is too wide for spill"
            without = f"counting without it takes {describe_memory(plan.expected.memory_bytes)}"
            raise InputError(f"{wide}, which takes at most {MAX_WIDTH}; {without}")
        self.plan, self.directory = plan, Path(directory)
        place = f"spill {directory}"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self.state = self._read_state(place)
        except OSError as error:
            raise InputError(f"{place}: {error.strerror}") from None

    def _read_state(self, place: str) -> _State:
        """Return the state of the count in the directory, or a new one if the directory is empty.

        Raises `InputError`, which begins with the ``place``, if it holds anything else.
        """
        from importlib.metadata import version

        plan, file = self.plan, self.directory / "count.json"
        graph = plan.nodes, plan.edges.tolist(), plan.required.tolist()
        identity = {
            "instance": f"{plan.instance.kind} tours of {plan.instance.graph.title}",
            "format": f"{_FORMAT} of {version('knights-tours')}",
            "graph": hashlib.sha256(repr(graph).encode()).hexdigest(),
        }
        if not file.exists():
            if any(not each.name.startswith(".") for each in self.directory.iterdir()):
                raise InputError(f"{place}: give a new or empty directory")
            return _State(identity)
        try:
            state = _State(**json.loads(file.read_text("utf-8")))
            what = f"{state.identity['instance']}, format {state.identity['format']}"
        except (json.JSONDecodeError, UnicodeError, TypeError, KeyError):
            none = f"{file.name} is no state of a count of this version"
            raise InputError(f"{place}: {none}") from None
        if state.identity != identity:
            raise InputError(f"{place}: holds another count, of {what}; give another directory")
        return state

    def count(
        self,
        clock: Clock,
        memory: float,
        jobs: int,
        executor: Executor | None,
        progress: Progress | None = None,
        log: str | Path | None = None,
    ) -> int:
        """Return the number of tours: closed ones in one direction, open ones in both.

        ``memory`` is in bytes, for all processes together; of these there are ``jobs`` on this
        machine, or the executor's. ``progress`` and ``log`` are those of `CountProgress`. Raises
        `OutOfTimeError`, `OutOfMemoryError` and `CountStoppedError`.
        """
        state, directory = self.state, self.directory
        if state.count is not None:
            return state.count
        room = f", where {disk_usage(directory).free / 2**20:,.0f} MiB are free"
        layers = CountProgress(
            self.plan.expected, progress, log, f"in {directory}", state.rows, room
        )
        kept = f"what is done is kept in {directory}, and the same command goes on from there"
        try:
            self._write_state()
            self._complete_layers(clock, memory, jobs, executor, layers)
            state.count = self.plan.total(len(self.plan.instance.graph), state.closed)
            state.files = []
            self._write_state()
        except (futures.BrokenExecutor, DeathError):
            why = "a process of the count has died, perhaps for lack of memory"
            raise CountStoppedError(f"{why}; {kept}") from None
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise CountStoppedError(f"the disk of {directory} is full; {kept}") from None
        self._remove_all_but([])
        return state.count

    def _complete_layers(
        self,
        clock: Clock,
        memory: float,
        jobs: int,
        executor: Executor | None,
        progress: CountProgress,
    ) -> None:
        """Complete all layers, by as many processes at a time as memory suffices for.

        Raises `InputError` if it obviously does not suffice for one, and `OutOfMemoryError` if it
        turns out not to.
        """
        failure = None
        while jobs:
            room = self._room(memory, jobs, executor)
            if room >= _MIN_STATE_BYTES:
                try:
                    self._complete_layers_with(jobs, room, executor, clock, progress)
                    return
                except OutOfMemoryError as error:
                    failure = error.with_traceback(None)
            jobs -= 1  # each of fewer processes has more room
        if failure is not None:
            raise self.plan.out_of_memory(self.state.steps, failure)
        least = (memory + _MIN_STATE_BYTES - room) / 2**20
        raise InputError(f"memory limit {memory / 2**20:.0f}: give at least {least:.0f} MiB")

    def _room(self, memory: float, jobs: int, executor: Executor | None) -> float:
        """Return how many bytes each of ``jobs`` processes has for states; it may be negative.

        A single one is this process, unless there is an executor.
        """
        import psutil

        own = 0 if executor else psutil.Process().memory_info().rss
        others = jobs if executor or jobs > 1 else 0
        for_states = memory - own - others * _BYTES_PER_PROCESS
        return for_states / jobs - columns_bytes(self.plan.width)

    def _complete_layers_with(
        self,
        jobs: int,
        room: float,
        executor: Executor | None,
        clock: Clock,
        progress: CountProgress,
    ) -> None:
        """Complete all layers by ``jobs`` processes, each of which has ``room`` in bytes.

        Parts of a layer that do not fit are made smaller. Raises `OutOfMemoryError` if the smallest
        do not fit either.
        """
        pool = executor or (ThreadPoolExecutor(1) if jobs == 1 else WorkerExecutor(jobs))
        run, file = os.urandom(8).hex(), self.directory / "run"
        file.write_text(run, encoding="utf-8")  # the workers work as long as this is there
        share = 1.0  # of what should fit into memory
        try:
            while self.state.steps < len(self.plan.steps):
                parts = self.divide(run, _SHARE_FOR_STATES * room, jobs, share)
                try:
                    self._complete_layer(pool, parts, jobs, clock, progress)
                    share = 1.0
                except OutOfMemoryError:
                    if share <= _MIN_SHARE:
                        raise
                    share /= 2
        finally:
            with suppress(OSError):
                if file.read_text("utf-8") == run:
                    file.unlink()
            if executor is None:
                pool.shutdown(cancel_futures=True)

    def _complete_layer(
        self, pool: Executor, parts: list[Part], jobs: int, clock: Clock, progress: CountProgress
    ) -> None:
        """Complete the next layer, ``jobs`` of its parts at a time."""
        state = self.state
        self._remove_all_but([*state.files, *(part.target for part in parts)])
        targets = [self.directory / part.target for part in parts]
        files = [*targets, *(self.directory / name for name in state.files)]
        waiting = [part for part, file in zip(parts, targets, strict=True) if not file.exists()]
        before = progress.rows[-1].states if progress.rows else 1
        running = set[futures.Future[None]]()
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    running.add(pool.submit(Part.write, waiting.pop(0)))
                clock.check()
                seconds = min(clock.remaining, 1)
                done, running = futures.wait(running, seconds, futures.FIRST_COMPLETED)
                for future in done:
                    future.result()
                used_bytes = sum(file.stat().st_size for file in files if file.exists())
                done_share = 1 - (len(waiting) + len(running)) / len(parts)
                progress.report_state(before, used_bytes, done_share)
        except OutOfMemoryError:
            futures.wait(running)  # before other parts take their memory
            raise
        finally:
            for future in running:
                future.cancel()
        heads = [_head_of(file)[0] for file in targets]
        for rows in zip(*(head["rows"] for head in heads), strict=True):
            progress.add(*map(sum, zip(*rows, strict=True)))
        state.rows = progress.rows
        state.steps += len(parts[0].steps)
        state.closed += sum(head["closed"] for head in heads)
        state.files = [part.target for part in parts]
        self._write_state()
        self._remove_all_but(state.files)

    def divide(self, run: str, room: float, jobs: int, share: float) -> list[Part]:
        """Divide the layer into parts that fit into memory for as many steps as possible.

        ``room`` is the memory in bytes of each of ``jobs`` processes. Parts are sized for growth by
        a factor of four, to a ``share`` of it; each process gets at least two if that is worth it.
        The bounds of a part are keys whose bits are 0 but for those of the dividing vertices, which
        are the highest.
        """
        steps, begin = self.plan.steps, self.state.steps
        width = len(steps[begin].next_touch)
        sizes = self._bytes_by_last_types(width)
        part_bytes = room * share * _SHARE_FOR_PART
        if jobs > 1 and sizes.sum() > _MIN_DIVIDED_BYTES:
            part_bytes = min(part_bytes, float(sizes.sum()) / (2 * jobs))
        end, dividing = self._longest_run(sizes, part_bytes, max(1, int(_MAX_STEPS * share)))
        by_type = _by_types(sizes, dividing)
        starts, used_bytes = [0], 0.0  # classes of types, taken as long as they fit
        for number in np.flatnonzero(by_type).tolist():
            if used_bytes and used_bytes + by_type[number] > part_bytes:
                starts.append(number)
                used_bytes = 0.0
            used_bytes += by_type[number]
        other_bits = 2 * (width - dividing)
        bounds = [*(start << other_bits for start in starts), 1 << 2 * width]
        return [
            Part(
                directory=self.directory,
                run=run,
                sources=tuple(self.state.files),
                low=low,
                high=high,
                steps=tuple(steps[begin:end]),
                next_touch=steps[end].next_touch if end < len(steps) else (),
                target=f"layer-{begin}-{end}-{low:x}-{high:x}",
                memory=room,
            )
            for low, high in itertools.pairwise(bounds)
        ]

    def _longest_run(self, sizes: Floats, part_bytes: float, most_steps: int) -> tuple[int, int]:
        """Return where a run of at most so many steps ends, and the number of dividing vertices.

        These change only after the run. It is the longest for which parts fit into ``part_bytes``;
        if none is, it is a single step. It ends where mirror images are merged. ``sizes`` are those
        of `_bytes_by_last_types`.
        """
        steps, begin = self.plan.steps, self.state.steps
        last = min(begin + most_steps, len(steps))
        mirrors = (number for number in range(begin, last) if steps[number].mirror)
        runs = list[tuple[int, int]]()
        for end in range(next(mirrors, last - 1) + 1, begin, -1):
            unchanged = sum(step >= end for step in steps[begin].next_touch)
            runs.append((end, min(_MAX_DIVIDING_VERTICES, unchanged)))
        fitting = (run for run in runs if _by_types(sizes, run[1]).max() <= part_bytes)
        return next(fitting, runs[-1])

    def _bytes_by_last_types(self, width: int) -> Floats:
        """Return the bytes of the layer by the types of the vertices that change last.

        The index is the number that the highest bits of a key make, two for each of these vertices.
        """
        dividing = min(_MAX_DIVIDING_VERTICES, width)
        sizes = np.zeros(4**dividing)
        for name in self.state.files:
            for paths, digits, keys, _ in _tables_of(self.directory / name):
                classes = (keys >> np.uint64(2 * (width - dividing))).astype(np.intp)
                rows = np.bincount(classes, minlength=4**dividing)
                sizes += rows * digits * count_pairings(paths) * 8
        return sizes

    def _write_state(self) -> None:
        """Replace ``count.json`` by the present state."""
        with write_atomically(self.directory / "count.json") as stream:
            stream.write(json.dumps(asdict(self.state), indent=1).encode() + b"\n")

    def _remove_all_but(self, files: list[str]) -> None:
        """Remove unfinished files of a killed count, and all parts of layers except ``files``."""
        for file in [*self.directory.glob(".*"), *self.directory.glob("layer-*")]:
            if file.name not in files:
                file.unlink(missing_ok=True)


def _by_types(sizes: Floats, vertices: int) -> Floats:
    """Return sums of sizes by the types of fewer vertices, those that change last."""
    return np.asarray(sizes.reshape(4**vertices, -1).sum(axis=1))


class WorkerExecutor(ThreadPoolExecutor):
    """An executor whose calls run in worker processes, at most ``jobs`` at a time.

    The result of a future is that of `WorkerPool.call`.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._pool = WorkerPool()

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        """Call a function in a worker, and return the future result."""
        return super().submit(self._pool.call, function, *arguments, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers: once their calls are done or, without ``wait``, at once."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._pool.end(busy=not wait)
