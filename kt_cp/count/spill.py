"""Count with the states in files: in parts, by several processes, and again after a crash.

The type of a vertex changes only when it chooses or is chosen. So states that differ in the types
of vertices of which neither happens in the next steps lead to different states, and parts of a
layer by these types are advanced through all these steps on their own. What comes out is written
once, sorted for the parts that follow; only mirror images meet when it is read.

A layer is complete when all its parts are written, and remains until the next one is. It is named
in ``count.json``, which is replaced as a whole, as parts are, so that a count that was killed goes
on from there. A part is named after the division of its layer, and its contents are always the
same, so that none is counted twice. Processes that outlive their count notice that ``run`` has
changed, and write nothing.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import math
import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from kt_cp.count.frontier_plan import MAX_WIDTH, OutOfMemory, Plan, Progress, Row, Words
from kt_cp.count.pairings import (
    Layer,
    Table,
    TypedStep,
    advance,
    columns_bytes,
    count_pairings,
    first_layer,
    fold,
    kind_at,
    merge,
    size_of,
    states_of,
    typed_steps,
)
from kt_cp.errors import InputError
from kt_cp.files import whole_file
from kt_cp.problem.clock import Clock

_FORMAT = 1
_PROCESS = 48 * 2**20  # bytes that a process takes before it does anything
_LEAST = 8 * 2**20  # bytes of states with which a process can do something
_SMALL = 4 * 2**20  # bytes of a layer that is not worth dividing
_BLOCK = 2**20  # counts that are written in one go
_DIVIDING = 10  # vertices by whose types a layer can be divided
_CHECKING = 0.2  # seconds after which a process looks again whether the count goes on
_TRIES = 8  # divisions of a layer, each finer than the one before, until memory is found too small


class Stopped(OutOfMemory):
    """The disk is full, or a process has died; the count can go on later."""


class _Superseded(Exception):  # noqa: N818 - an answer, not an error
    """Another process has taken over the count, or it has ended."""


@dataclass(frozen=True)
class _Part:
    """What one process does: advance the states in a range of keys by some steps, and write them.

    ``touched`` is that of the layer which is written, the part ``target`` of it.
    """

    directory: str
    run: str
    sources: tuple[str, ...]
    low: int
    high: int
    steps: tuple[TypedStep, ...]
    touched: tuple[int, ...]
    target: str
    memory: float


@dataclass
class _State:
    """What ``count.json`` holds besides the owner: the last complete layer, or the number.

    ``files`` hold the layer after some ``steps``, in which so many tours were ``closed``.
    """

    count: int | None = None
    steps: int = 0
    files: list[str] = field(default_factory=list)
    closed: int = 0
    rows: list[Row] = field(default_factory=list)


class Spill:
    """A directory with the states of a count, which goes on where it ended.

    Raises `InputError` if the directory holds anything else.
    """

    def __init__(self, plan: Plan, directory: str | Path, mirror: bool = True) -> None:
        """Read what is there."""
        from importlib.metadata import version

        if plan.width > MAX_WIDTH:
            wide = f"a frontier of {plan.width} vertices is too wide for states in files"
            raise InputError(f"{wide}, which take up to {MAX_WIDTH}: count without spill")
        self.plan, self.directory = plan, Path(directory)
        self.steps = typed_steps(plan, mirror)
        graph = (plan.order, plan.edges.tolist(), sorted(map(sorted, plan.required)), mirror)
        instance = plan.instance
        self._owner = {
            "format": f"{_FORMAT} of {version('knights-tours')}",
            "instance": f"{instance.kind} tours of {instance.graph.title}",
            "graph": hashlib.sha256(repr(graph).encode()).hexdigest(),
        }
        self._where = f"in {directory}"
        self.state = self._read_state()

    def count(
        self, clock: Clock, memory: float, jobs: int, executor: Executor | None, progress: Progress
    ) -> int:
        """Return the number of tours: closed ones in one direction, open ones in both.

        ``memory`` is in bytes, for all processes together; of these there are ``jobs`` on this
        machine, or the executor's. Raises `OutOfTime`, `OutOfMemory` and `Stopped`.
        """
        if self.state.count is not None:
            return self.state.count
        if self.plan.is_single:
            return 1 - self.plan.instance.closed
        room, jobs = self._room(memory, jobs, executor is not None)
        run = os.urandom(8).hex()
        with _stops_told(self.directory), self._held(run):
            if not self.state.files:
                self._begin()
            progress.resume(self.state.rows)
            with _workers(self.directory, run, jobs, executor) as pool:
                while self.state.steps < len(self.steps):
                    self._complete_layer(pool, run, room, jobs, clock, progress)
            self.state.count, self.state.files = self.plan.directions * self.state.closed, []
            self._write_state()
            self._remove_all_but([])
        return self.state.count

    def _room(self, memory: float, jobs: int, elsewhere: bool) -> tuple[float, int]:
        """Return the bytes for the states in one process, and how many processes fit."""
        import psutil

        own = 0 if elsewhere else psutil.Process().memory_info().rss
        tables = columns_bytes(self.plan.width)
        for number in range(jobs, 0, -1):
            processes = number if elsewhere or number > 1 else 0
            room = (memory - own - processes * _PROCESS) / number - tables
            if room >= _LEAST:
                return room, number
        least = (own + tables + _LEAST) / 2**20
        raise InputError(f"memory limit {memory / 2**20:.0f}: give at least {least:.0f} MiB")

    @contextmanager
    def _held(self, run: str) -> Iterator[None]:
        """Let the files of this run count, and no others."""
        file = self.directory / "run"
        file.write_text(run)
        try:
            yield
        finally:
            with suppress(OSError, _Superseded):
                _check_run(self.directory, run)
                file.unlink()

    def _begin(self) -> None:
        name = "layer-0/0"
        (self.directory / name).parent.mkdir(exist_ok=True)
        _write(self.directory / name, first_layer(), (), {"closed": 0, "rows": []}, lambda: None)
        self.state = _State(files=[name])
        self._write_state()

    def _complete_layer(
        self,
        pool: Executor | None,
        run: str,
        room: float,
        jobs: int,
        clock: Clock,
        progress: Progress,
    ) -> None:
        """Go to the next layer that is written; where memory does not suffice, in more parts."""
        for attempt in range(_TRIES):
            parts = self._parts(run, room, jobs, 2.0**-attempt)
            self._remove_all_but([*self.state.files, parts[0].target])
            try:
                heads = self._advance(parts, pool, clock, progress)
                break
            except OutOfMemory as error:
                if isinstance(error, Stopped):
                    raise
                if attempt == _TRIES - 1:
                    raise self.plan.out_of_memory(self.state.steps, error) from None
        squares = self.state.steps
        for number, rows in enumerate(zip(*(head["rows"] for head in heads), strict=True), 1):
            states, taken, seconds = map(sum, zip(*rows, strict=True))
            row = Row(squares + number, states, taken, round(seconds, 3))
            progress.add(row, self._where)
            self.state.rows.append(row)
        self.state.steps += len(parts[0].steps)
        self.state.closed += sum(head["closed"] for head in heads)
        self.state.files = [part.target for part in parts]
        self._write_state()
        self._remove_all_but(self.state.files)

    def _parts(self, run: str, room: float, jobs: int, share: float) -> list[_Part]:
        """Divide the layer for as many steps as possible, into parts for which memory suffices.

        A part is expected to grow to four times its size, and by a half of that in a single step;
        if it grows to more, a smaller ``share`` of the memory is used.
        """
        state, touched = self.state, self.steps[self.state.steps].touched
        digits = min(_DIVIDING, len(touched))
        sizes = np.zeros(4**digits)
        for name in state.files:
            for paths, planes, keys, _ in _Reader(self.directory / name).tables():
                classes = (keys >> np.uint64(2 * (len(touched) - digits))).astype(np.intp)
                sizes += (
                    np.bincount(classes, minlength=4**digits) * planes * count_pairings(paths) * 8
                )
        most = room * share / 5
        if jobs > 1 and sizes.sum() > _SMALL:
            most = min(most, sizes.sum() / jobs / 2)
        last = state.steps
        while last + 1 < len(self.steps) and self.steps[last].mirror is None:
            last += 1
        for end in range(last + 1, state.steps, -1):
            fixed = min(digits, sum(number >= end for number in touched))
            classes = sizes.reshape(4**fixed, -1).sum(axis=1)
            if classes.max() <= (most if end > state.steps + 1 else math.inf):
                break
        starts, taken = [0], 0.0
        for number in np.flatnonzero(classes).tolist():
            if taken and taken + classes[number] > most:
                starts.append(number)
                taken = 0.0
            taken += classes[number]
        width = 2 * (len(touched) - fixed)
        bounds = [start << width for start in starts] + [1 << 2 * len(touched)]
        after = self.steps[end].touched if end < len(self.steps) else ()
        name = hashlib.sha256(repr((state.steps, end, bounds)).encode()).hexdigest()[:8]
        return [
            _Part(
                str(self.directory), run, tuple(state.files), low, high,
                tuple(self.steps[state.steps : end]), after, f"layer-{end}-{name}/{number}", room,
            )
            for number, (low, high) in enumerate(itertools.pairwise(bounds))
        ]  # fmt: skip

    def _advance(
        self, parts: list[_Part], pool: Executor | None, clock: Clock, progress: Progress
    ) -> list[dict[str, Any]]:
        """Write the parts that are not there yet, and return the heads of all of them."""
        (self.directory / parts[0].target).parent.mkdir(exist_ok=True)
        missing = [part for part in parts if not (self.directory / part.target).exists()]
        before = self.state.rows[-1] if self.state.rows else Row(0, 1, 0, 0)
        running = set[Future[None]]()
        try:
            if pool is not None:
                running = {pool.submit(_write_part, part) for part in missing}
            while missing if pool is None else running:
                clock.check()
                if pool is None:
                    _write_part(missing.pop(), clock)
                else:
                    done, running = wait(running, min(clock.remaining, 1), FIRST_COMPLETED)
                    for future in done:
                        future.result()
                left = len(missing) if pool is None else len(running)
                names = [*self.state.files, *(part.target for part in parts)]
                files = [self.directory / name for name in names]
                taken = sum(file.stat().st_size for file in files if file.exists())
                progress.tell(before.states, taken, self._where, 1 - left / len(parts))
        finally:
            for future in running:
                future.cancel()
        return [_Reader(self.directory / part.target).head for part in parts]

    def _read_state(self) -> _State:
        """Return how far the count has come that is here; make the directory if it is not there."""
        file, place = self.directory / "count.json", f"--spill {self.directory}"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            is_other = not file.exists() and any(self.directory.iterdir())
            content = json.loads(file.read_text()) if file.exists() else {}
            owner, state = content.get("owner", self._owner), _State(**content.get("state", {}))
            state.rows = [Row(*row) for row in state.rows]
            there = f"{place}: holds a count of {owner['instance']}, format {owner['format']}"
        except OSError as error:
            raise InputError(f"{place}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{place}: {file.name} is no state of a count") from None
        if is_other:
            raise InputError(f"{place}: give a new or empty directory")
        if owner["graph"] != self._owner["graph"]:
            alike = owner["instance"] == self._owner["instance"]
            other = ", under other constraints" if alike else ""
            raise InputError(f"{there}{other}; give another directory")
        if owner["format"] != self._owner["format"] and state.count is None:
            raise InputError(f"{there}; give another directory")
        return state

    def _write_state(self) -> None:
        with whole_file(self.directory / "count.json") as stream:
            content = {"owner": self._owner, "state": asdict(self.state)}
            stream.write(json.dumps(content, indent=1).encode() + b"\n")

    def _remove_all_but(self, files: list[str]) -> None:
        """Remove all layers but those of some files, and what a killed count left unfinished.

        Among them is the next layer where memory or jobs divide it in a new way.
        """
        kept = {name.split("/")[0] for name in files}
        for folder in self.directory.glob("layer-*"):
            if folder.name not in kept:
                shutil.rmtree(folder, ignore_errors=True)
        for file in [*self.directory.glob(".*"), *self.directory.glob("layer-*/.*")]:
            file.unlink(missing_ok=True)


@contextmanager
def _stops_told(directory: Path) -> Iterator[None]:
    """Say in one line why a count cannot go on, where that is no bug."""
    kept = f"what is done is kept in {directory}, and the same command goes on from there"
    try:
        yield
    except BrokenExecutor:
        why = "a process of the count has died, perhaps for lack of memory"
        raise Stopped(f"{why}; {kept}") from None
    except _Superseded as error:
        raise Stopped(str(error)) from None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise Stopped(f"the disk of {directory} is full; {kept}") from None


@contextmanager
def _workers(
    directory: Path, run: str, jobs: int, executor: Executor | None
) -> Iterator[Executor | None]:
    """Yield the executor, or one with processes, or None for one job, which needs no other process.

    Processes end with the count, however it ends.
    """
    if executor is not None or jobs == 1:
        yield executor
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _watch_run, (str(directory), run))
    try:
        yield pool
    finally:
        with suppress(OSError):
            (directory / "run").unlink()
        pool.shutdown(cancel_futures=True)


def _watch_run(directory: str, run: str) -> None:
    """End this process when the run that it belongs to has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        with suppress(_Superseded):
            while parent is not None and parent.is_alive():
                _check_run(Path(directory), run)
                time.sleep(_CHECKING)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _check_run(directory: Path, run: str) -> None:
    try:
        if (directory / "run").read_text() == run:
            return
    except OSError:
        pass
    raise _Superseded(f"the count in {directory} was ended, or another process has taken it over")


def _write_part(part: _Part, clock: Clock | None = None) -> None:
    """Advance a part of a layer, and write what comes out."""
    directory, checked = Path(part.directory), 0.0

    def check() -> None:
        nonlocal checked
        if time.monotonic() > checked + _CHECKING:
            _check_run(directory, part.run)
            checked = time.monotonic()
        if clock is not None:
            clock.check()

    check()
    readers = [_Reader(directory / name) for name in part.sources]
    layer = merge(piece for reader in readers for piece in reader.read(part.low, part.high))
    rows, closed = [], 0
    for step in part.steps:
        began = time.process_time()
        layer, more = advance(step, layer, part.memory, check)
        closed += more
        if step.mirror is not None:
            layer = fold(layer, step.mirror)
        rows.append((states_of(layer), size_of(layer), time.process_time() - began))
    head = {"closed": closed, "rows": rows}
    current = partial(_check_run, directory, part.run)
    _write(directory / part.target, layer, part.touched, head, current)


# -- files of states ------------------------------------------------------------------------------


def _write(
    file: Path,
    layer: Layer,
    touched: tuple[int, ...],
    head: Mapping[str, Any],
    check: Callable[[], None],
) -> None:
    """Write states in the order of their keys: a line of JSON, then keys and counts by paths.

    ``check`` is called before the file appears under its name.
    """
    tables = [(paths, *table.counts.shape[:2]) for paths, table in sorted(layer.items())]
    with whole_file(file) as stream:
        stream.write(json.dumps({**head, "touched": touched, "tables": tables}).encode() + b"\n")
        for paths, table in sorted(layer.items()):
            keys = _keys(table.types, touched)
            order = np.argsort(keys)
            stream.write(keys[order].data)
            for counts in table.counts:
                for rows in np.array_split(order, 1 + len(order) * count_pairings(paths) // _BLOCK):
                    stream.write(counts[rows].data)
        stream.flush()
        check()


class _Reader:
    """A file of states; ``head`` is what was told of it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with file.open("rb") as stream:
            line = stream.readline()
        self.head: dict[str, Any] = json.loads(line)
        self._begin = len(line)

    def tables(self) -> Iterator[tuple[int, int, Words, int]]:
        """Yield of each table: paths, digits, the keys of its rows, and where its counts begin."""
        offset = self._begin
        for paths, digits, rows in self.head["tables"]:
            keys = np.fromfile(self._file, np.uint64, rows, offset=offset)
            yield paths, digits, keys, offset + keys.nbytes
            offset += 8 * rows * (1 + digits * count_pairings(paths))

    def read(self, low: int, high: int) -> Iterator[tuple[int, Table]]:
        """Yield the numbers of paths, and the states whose keys are in a range."""
        for paths, digits, keys, offset in self.tables():
            start, end = np.searchsorted(keys, np.array([low, high], dtype=np.uint64)).tolist()
            if start == end:
                continue
            columns = count_pairings(paths)
            counts = np.empty((digits, end - start, columns), dtype=np.uint64)
            for digit in range(digits):
                begin = offset + 8 * (digit * len(keys) + start) * columns
                held = np.fromfile(self._file, np.uint64, counts[digit].size, offset=begin)
                counts[digit] = held.reshape(-1, columns)
            yield paths, Table(_types(keys[start:end], self.head["touched"]), counts)


def _keys(types: Words, touched: Sequence[int]) -> Words:
    """Return the types with those vertices first that are touched last."""
    keys = np.zeros_like(types)
    for at in _by_touch(touched):
        keys = keys << np.uint64(2) | kind_at(types, at)
    return keys


def _types(keys: Words, touched: Sequence[int]) -> Words:
    """Return the types that have these keys."""
    types = np.zeros_like(keys)
    for place, at in enumerate(_by_touch(touched)[::-1]):
        types |= kind_at(keys, place) << np.uint64(2 * at)
    return types


def _by_touch(touched: Sequence[int]) -> list[int]:
    return sorted(range(len(touched)), key=lambda at: (-touched[at], at))
