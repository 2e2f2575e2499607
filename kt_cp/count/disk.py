"""Count with the states in files: in parts, by several processes, and again after a crash.

A *layer*, the states after some steps, is kept in files. It is divided into *parts* that are
advanced through several steps on their own: the type of a vertex changes only when it chooses or is
chosen, so states that differ in the types of vertices that do neither in these steps lead to
different states. The more vertices a layer is divided by, the smaller the parts, but the fewer the
steps that they can be advanced. The results of a part are written once, sorted for the parts that
follow. Parts never lead to the same state, except for mirror images, which are merged when the
files are read. If a part needs more memory than there is, the layer is divided again, into smaller
parts, and at last fewer parts are advanced at a time.

Every file appears under its name as a whole, by renaming, and ``count.json``, which names the files
of the last complete layer, is replaced in the same way. So a count that was killed is resumed
from there, and from those parts of the next layer that are there already: a part is named after the
steps and the range of keys that it comes from, so its contents are always the same. Processes that
outlive their count notice that the file ``run`` has changed, and write nothing.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

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
from kt_cp.count.tables import Table, Tables, Words, column_map_bytes, merge, reordered
from kt_cp.files import write_atomically
from kt_cp.messages import InputError
from kt_cp.problem.task import Clock
from kt_cp.workers import DeathError, WorkerPool

_FORMAT = 4
_BYTES_PER_PROCESS = 48 * 2**20  # memory of a process that holds no states
_MIN_ROOM = 8 * 2**20  # the least memory for states with which a process is useful
_SHARE_FOR_STATES = 0.75  # of the room of a process; the rest is for temporary arrays
_SHARE_FOR_PART = 1 / 5  # of that: a part grows fourfold, and takes one more for temporary arrays
_FINENESSES = [2**halvings for halvings in range(8)]  # how much smaller parts are made, at most
_MIN_DIVIDED_BYTES = 4 * 2**20  # a smaller layer is not divided among processes
_MAX_DIVIDING_VERTICES = 10
_MAX_STEPS = 8  # of a part; a part that does not fit is advanced by fewer
_BLOCK = 2**20  # counts that are written in one go
_CHECK_INTERVAL = 0.2  # seconds between two checks of whether the count has ended


class CountStoppedError(Exception):
    """The disk is full, a process has died, or another has taken over; the count can be resumed."""


# -- files of states ------------------------------------------------------------------------------
#
# A file begins with a line of JSON, its head, in which "tables" has the number of paths, of digits
# and of rows of each table. The tables follow: each has the keys of its rows, ascending, then their
# counts. A key holds two bits for the type of each vertex on the frontier. The highest are those of
# the vertex that changes last, so a range of keys can be advanced on its own.


def _by_next_touch(next_touch: Sequence[int]) -> list[int]:
    """Return the positions of the vertices of a frontier, those first whose types change first."""
    return sorted(range(len(next_touch)), key=next_touch.__getitem__)


def _write_states(
    stream: IO[bytes], head: dict[str, Any], layer: Tables, order: Sequence[int]
) -> None:
    """Write states and the ``head`` of their file, to which the sizes of the tables are added.

    ``order`` lists the positions of the vertices, from the lowest bits of a key to the highest.
    """
    tables = [(paths, len(table.counts), len(table.types)) for paths, table in layer.items()]
    stream.write(json.dumps({**head, "tables": tables}).encode() + b"\n")
    for paths, table in layer.items():
        keys = reordered(table.types, order)
        rows = np.argsort(keys)
        stream.write(keys[rows].data)
        blocks = 1 + len(rows) * count_pairings(paths) // _BLOCK
        for block in np.array_split(rows, blocks):
            stream.write(table.counts[:, block].swapaxes(0, 1).tobytes())


def _head_of(file: Path) -> tuple[dict[str, Any], int]:
    """Return the head of a file, and its length in bytes, where the states begin."""
    with file.open("rb") as stream:
        line = stream.readline()
    return json.loads(line), len(line)


class _StoredTable(NamedTuple):
    """A table in a file: its number of paths, its keys, and how its counts are stored.

    The counts of a row take ``digits`` words for each pairing; those of the first row begin at byte
    ``offset``.
    """

    file: Path
    paths: int
    digits: int
    keys: Words
    offset: int

    @classmethod
    def all_of(cls, file: Path) -> Iterator[_StoredTable]:
        """Yield the tables of a file."""
        head, offset = _head_of(file)
        for paths, digits, rows in head["tables"]:
            keys = np.fromfile(file, np.uint64, rows, offset=offset)
            table = cls(file, paths, digits, keys, offset + keys.nbytes)
            yield table
            offset = table.offset + rows * table.row_bytes

    @property
    def row_bytes(self) -> int:
        """The bytes that the counts of a row take."""
        return 8 * self.digits * count_pairings(self.paths)

    def read(self, low: int, high: int, order: Sequence[int]) -> Table:
        """Return the rows with keys from ``low`` to below ``high``.

        ``order`` lists the places in a key of the vertices of the frontier, in their order.
        """
        bounds = np.array([low, high], np.uint64)
        start, end = np.searchsorted(self.keys, bounds).tolist()
        words = (end - start) * self.row_bytes // 8
        offset = self.offset + start * self.row_bytes
        counts = np.fromfile(self.file, np.uint64, words, offset=offset)
        shape = end - start, self.digits, count_pairings(self.paths)
        return Table(reordered(self.keys[start:end], order), counts.reshape(shape).swapaxes(0, 1))


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

    def write(self) -> None:
        """Advance the states of the part, and write the resulting states.

        The head of the file has the number of tours that are ``closed`` on the way, and for each
        step a row (states, bytes, seconds). Raises `CountStoppedError` and `OutOfMemoryError`.
        """
        last_check = 0.0

        def check() -> None:
            nonlocal last_check
            if time.monotonic() > last_check + _CHECK_INTERVAL:
                self._check_run()
                last_check = time.monotonic()

        check()
        layer = self._states()
        rows = []
        closed = 0
        for step in self.steps:
            began = time.process_time()
            try:
                layer, closed_by_step = layer.advance(step, self.memory, check)
            except OutOfMemoryError as error:
                raise error.with_traceback(None) from None  # the traceback would hold the states
            closed += sum(closed_by_step.values())
            rows.append((layer.size, layer.nbytes, time.process_time() - began))
        with write_atomically(self.directory / self.target) as stream:
            head = {"closed": closed, "rows": rows}
            _write_states(stream, head, layer, _by_next_touch(self.next_touch))
            self._check_run()

    def _check_run(self) -> None:
        """Raise `CountStoppedError` if another process has taken over, or the count has ended."""
        with suppress(OSError):
            if (self.directory / "run").read_text("utf-8") == self.run:
                return
        raise CountStoppedError(
            f"the count in {self.directory} was ended, or another process has taken it over"
        )

    def _states(self) -> Tables:
        """Return the states of the part, which are read from the files."""
        if not self.sources:
            return Tables.initial()
        order = np.argsort(_by_next_touch(self.steps[0].next_touch)).tolist()
        files = (self.directory / name for name in self.sources)
        tables = itertools.chain.from_iterable(map(_StoredTable.all_of, files))
        return merge((each.paths, each.read(self.low, self.high, order)) for each in tables)


@dataclass(frozen=True)
class Processes:
    """The processes that share a count: how many ``jobs`` the ``pool`` does at a time.

    Each process has ``room`` for states, in bytes. ``write`` has a part written, and waits for it.
    ``run`` identifies the run of the count for which they work.
    """

    jobs: int
    room: float
    run: str
    pool: Executor
    write: Callable[[Part], None]


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
            memory = describe_memory(plan.expected.memory_bytes)
            raise InputError(
                f"a frontier of {plan.width} vertices is too wide for spill, which takes at most "
                f"{MAX_WIDTH}; counting without it takes {memory}"
            )
        self.plan = plan
        self.directory = Path(directory)
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

        plan = self.plan
        file = self.directory / "count.json"
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
            raise InputError(
                f"{place}: {file.name} is no state of a count of this version"
            ) from None
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
        state = self.state
        directory = self.directory
        if state.count is not None:
            return state.count
        layers = CountProgress(self.plan.expected, progress, log, directory, state.rows)
        kept = f"what is done is kept in {directory}, and the same command goes on from there"
        try:
            self._write_state()
            self._complete_layers(clock, memory, jobs, executor, layers)
            state.count = self.plan.total(len(self.plan.instance.graph), state.closed)
            state.files = []
            self._write_state()
        except (futures.BrokenExecutor, DeathError):
            raise CountStoppedError(
                f"a process of the count has died, perhaps for lack of memory; {kept}"
            ) from None
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
        for number in range(jobs, 0, -1):  # each of fewer processes has more room
            room = self._room(memory, number, executor)
            if room < _MIN_ROOM:
                continue
            # One part at a time is written in a thread of this process; where there are several, a
            # thread waits for each worker.
            pool = executor or ThreadPoolExecutor(number)
            workers = WorkerPool()
            uses_workers = executor is None and number > 1
            write = partial(workers.call, Part.write) if uses_workers else Part.write
            try:
                with self._present_run() as run:
                    processes = Processes(number, room, run, pool, write)
                    while self.state.steps < len(self.plan.steps):
                        self._complete_layer(processes, clock, progress)
                return
            except OutOfMemoryError as error:
                failure = error.with_traceback(None)
            finally:
                if executor is None:
                    pool.shutdown(cancel_futures=True)
                    workers.end()
        if failure is not None:
            raise self.plan.out_of_memory(self.state.steps, failure)
        least = (memory + _MIN_ROOM - room) / 2**20
        raise InputError(f"memory limit {memory / 2**20:.0f}: give at least {least:.0f} MiB")

    def _room(self, memory: float, jobs: int, executor: Executor | None) -> float:
        """Return how many bytes each of ``jobs`` processes has for states; it may be negative.

        A single one is this process, unless there is an executor.
        """
        import psutil

        own = 0 if executor else psutil.Process().memory_info().rss
        others = jobs if executor or jobs > 1 else 0
        for_states = memory - own - others * _BYTES_PER_PROCESS
        return for_states / jobs - column_map_bytes(self.plan.width)

    @contextmanager
    def _present_run(self) -> Iterator[str]:
        """Yield the identity of a new run, whose processes work as long as it is in a file."""
        run = os.urandom(8).hex()
        file = self.directory / "run"
        file.write_text(run, encoding="utf-8")
        try:
            yield run
        finally:
            with suppress(OSError):
                if file.read_text("utf-8") == run:
                    file.unlink()

    def _complete_layer(self, processes: Processes, clock: Clock, progress: CountProgress) -> None:
        """Complete the next layer; parts that do not fit into memory are made smaller.

        Raises `OutOfMemoryError` if the smallest parts do not fit either.
        """
        state = self.state
        for fineness in _FINENESSES:
            parts = self.divide(processes, fineness)
            try:
                self._write_parts(parts, processes, clock, progress)
                break
            except OutOfMemoryError:
                if fineness == _FINENESSES[-1]:
                    raise
        heads = [_head_of(self.directory / part.target)[0] for part in parts]
        for rows in zip(*(head["rows"] for head in heads), strict=True):
            progress.add(*map(sum, zip(*rows, strict=True)))
        state.rows = progress.rows
        state.steps += len(parts[0].steps)
        state.closed += sum(head["closed"] for head in heads)
        state.files = [part.target for part in parts]
        self._write_state()
        self._remove_all_but(state.files)

    def _write_parts(
        self, parts: list[Part], processes: Processes, clock: Clock, progress: CountProgress
    ) -> None:
        """Have the parts written whose files are not there yet, one by each process at a time."""
        names = [*self.state.files, *(part.target for part in parts)]
        self._remove_all_but(names)
        files = [self.directory / name for name in names]
        waiting = [part for part in parts if not (self.directory / part.target).exists()]
        states_before = progress.rows[-1].states if progress.rows else 1
        running = set[Future[None]]()
        try:
            while waiting or running:
                while waiting and len(running) < processes.jobs:
                    running.add(processes.pool.submit(processes.write, waiting.pop(0)))
                clock.check()
                seconds = min(clock.remaining, 1)
                done, running = futures.wait(running, seconds, futures.FIRST_COMPLETED)
                for future in done:
                    future.result()
                used_bytes = sum(file.stat().st_size for file in files if file.exists())
                done_share = 1 - (len(waiting) + len(running)) / len(parts)
                progress.report_state(states_before, used_bytes, done_share)
        except OutOfMemoryError:
            futures.wait(running)  # before other parts take their memory
            raise
        finally:
            for future in running:
                future.cancel()

    # -- dividing a layer -------------------------------------------------------------------------

    def divide(self, processes: Processes, fineness: int = 1) -> list[Part]:
        """Divide the layer into parts that fit into memory for as many steps as possible.

        Each process gets at least two parts if that is worth it. Parts are sized for growth by a
        factor of four, and ``fineness`` times smaller than that. The bounds of a part are keys
        whose bits are 0 but for those of the dividing vertices, which are the highest.

        For example, with a frontier of five vertices of which two divide the layer, a key is ten
        bits, of which the highest four are a *class*: the types of the dividing vertices. Parts
        that begin with the classes 0, 6 and 11 have the bounds 0, 6 · 2**6, 11 · 2**6 and 2**10.
        """
        steps = self.plan.steps
        begin = self.state.steps
        width = len(steps[begin].next_touch)
        sizes = self._bytes_by_last_types(width)
        memory = _SHARE_FOR_STATES * processes.room
        part_bytes = _SHARE_FOR_PART * memory / fineness
        if processes.jobs > 1 and sizes.sum() > _MIN_DIVIDED_BYTES:
            part_bytes = min(part_bytes, float(sizes.sum()) / (2 * processes.jobs))
        end, dividing = self._end_of_parts(sizes, part_bytes, max(1, _MAX_STEPS // fineness))
        class_bytes = _by_types(sizes, dividing)
        first_classes = [0]  # of each part, which has as many as fit
        used_bytes = 0.0
        for each in np.flatnonzero(class_bytes).tolist():
            if used_bytes and used_bytes + class_bytes[each] > part_bytes:
                first_classes.append(each)
                used_bytes = 0.0
            used_bytes += class_bytes[each]
        other_bits = 2 * (width - dividing)
        bounds = [*(each << other_bits for each in first_classes), 1 << 2 * width]
        return [
            Part(
                directory=self.directory,
                run=processes.run,
                sources=tuple(self.state.files),
                low=low,
                high=high,
                steps=tuple(steps[begin:end]),
                next_touch=steps[end].next_touch if end < len(steps) else (),
                target=f"layer-{begin}-{end}-{low:x}-{high:x}",
                memory=memory,
            )
            for low, high in itertools.pairwise(bounds)
        ]

    def _end_of_parts(self, sizes: Floats, part_bytes: float, most_steps: int) -> tuple[int, int]:
        """Return the step before which parts end, and the number of vertices that divide them.

        The dividing vertices change only from that step on. So the later parts end, the fewer
        vertices divide them and the larger they are: they end as late as they fit into
        ``part_bytes``, but after at most ``most_steps`` steps, not later than the first step that
        merges mirror images, and not before the first step. ``sizes`` are those of
        `_bytes_by_last_types`.
        """
        steps = self.plan.steps
        begin = self.state.steps
        last = min(begin + most_steps, len(steps))
        mirror = next((number for number in range(begin, last) if steps[number].mirror), None)
        latest = last if mirror is None else mirror + 1
        for end in range(latest, begin, -1):
            unchanged_vertices = sum(step >= end for step in steps[begin].next_touch)
            dividing = min(_MAX_DIVIDING_VERTICES, unchanged_vertices)
            if _by_types(sizes, dividing).max() <= part_bytes:
                break
        return end, dividing

    def _bytes_by_last_types(self, width: int) -> Floats:
        """Return the bytes of the layer by the types of the vertices that change last.

        The index is the number that the highest bits of a key make, two for each of these vertices.
        """
        dividing = min(_MAX_DIVIDING_VERTICES, width)
        sizes = np.zeros(4**dividing)
        for name in self.state.files:
            for table in _StoredTable.all_of(self.directory / name):
                classes = (table.keys >> np.uint64(2 * (width - dividing))).astype(np.intp)
                sizes += np.bincount(classes, minlength=4**dividing) * table.row_bytes
        return sizes

    # -- the directory ----------------------------------------------------------------------------

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
