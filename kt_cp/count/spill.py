"""Count with the states in files: in parts, by several processes, and again after a crash.

A layer is divided into parts that are advanced through several steps on their own (see
`kt_cp.count.layer_division`). The resulting states are written once, sorted for the parts that
follow. Parts never lead to the same state, except for mirror images, which are merged when the
files are read.

Every file appears under its name as a whole, by renaming, and ``count.json``, which names the files
of the last complete layer, is replaced in the same way. So a count that was killed is resumed
from there, and from those parts of the next layer that are there already: a part is named after the
steps and the range of keys that it comes from, so its contents are always the same. Processes that
outlive their count notice that ``run`` has changed, and write nothing.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterator
from concurrent import futures
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shutil import disk_usage
from typing import Any

from kt_cp.count.frontier_plan import Plan
from kt_cp.count.layer_division import StoredLayer
from kt_cp.count.layer_files import CountStoppedError, Part, check_run, head_of, write_part
from kt_cp.count.pairings import columns_bytes
from kt_cp.count.progress import CountProgress, Observer, Row
from kt_cp.count.resources import MAX_WIDTH, OutOfMemoryError
from kt_cp.files import write_atomically
from kt_cp.messages import InputError
from kt_cp.problem.task import Clock
from kt_cp.workers import DeathError, WorkerExecutor

_FORMAT = 4
_BYTES_PER_PROCESS = 48 * 2**20  # memory of a process that holds no states
_MIN_STATE_BYTES = 8 * 2**20  # the least memory for states with which a process is useful
_SHARE_FOR_STATES = 0.75  # of the room of a process; the rest is for temporary arrays
_MAX_DIVISIONS = 8  # attempts to divide a layer, each finer than the one before


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


@dataclass(frozen=True, eq=False)
class _Workers:
    """The workers of a ``run``: ``jobs`` processes, each with ``room`` bytes for states."""

    pool: Executor
    run: str
    jobs: int
    room: float


class Spill:
    """A directory with the states of a count, from which the count can be resumed.

    Raises `InputError` if the directory holds anything else.
    """

    def __init__(self, plan: Plan, directory: str | Path) -> None:
        """Read the state of the count in the directory, which is made if it does not exist."""
        if plan.width > MAX_WIDTH:
            wide = f"a frontier of {plan.width} vertices is too wide for spill"
            without = f"counting without it takes {plan.expected.memory_text}"
            raise InputError(f"{wide}, which takes at most {MAX_WIDTH}; {without}")
        self.plan, self.directory = plan, Path(directory)
        place = f"spill {directory}"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self.state = self._read_state(place)
        except OSError as error:
            raise InputError(f"{place}: {error.strerror}") from None

    def _identity(self) -> dict[str, str]:
        """Return the values by which ``count.json`` identifies the count."""
        from importlib.metadata import version

        plan = self.plan
        graph = plan.order.nodes, plan.edges.tolist(), plan.required.tolist()
        return {
            "instance": f"{plan.instance.kind} tours of {plan.instance.graph.title}",
            "format": f"{_FORMAT} of {version('knights-tours')}",
            "graph": hashlib.sha256(repr(graph).encode()).hexdigest(),
        }

    def _read_state(self, place: str) -> _State:
        """Return the state of the count in the directory, or a new one if the directory is empty.

        Raises `InputError`, which begins with the ``place``, if it holds anything else.
        """
        file, identity = self.directory / "count.json", self._identity()
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
        observer: Observer = lambda line: None,
        log: str | Path | None = None,
    ) -> int:
        """Return the number of tours: closed ones in one direction, open ones in both.

        ``memory`` is in bytes, for all processes together; of these there are ``jobs`` on this
        machine, or the executor's. ``observer`` and ``log`` are those of `CountProgress`. Raises
        `OutOfTimeError`, `OutOfMemoryError` and `CountStoppedError`.
        """
        state = self.state
        if state.count is not None:
            return state.count
        room = f", where {disk_usage(self.directory).free / 2**20:,.0f} MiB are free"
        where = f"in {self.directory}"
        progress = CountProgress(self.plan, observer, log, where, state.rows, room)
        kept = f"what is done is kept in {self.directory}, and the same command goes on from there"
        try:
            self._write_state()
            self._complete_layers(clock, memory, jobs, executor, progress)
            state.count = self.plan.total(len(self.plan.instance.graph), state.closed)
            state.files = []
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
        clock: Clock,
        memory: float,
        jobs: int,
        executor: Executor | None,
        progress: CountProgress,
    ) -> None:
        """Complete all layers, with fewer processes if memory does not suffice for ``jobs``.

        Even processes that have room for the smallest parts may find that a part grows too much.
        """
        for process_count in self._feasible_jobs(memory, jobs, executor is not None):
            room = self._room(memory, process_count, executor is not None)
            try:
                with self._workers(process_count, executor, room) as workers:
                    while self.state.steps < len(self.plan.steps):
                        self._complete_layer(workers, clock, progress)
                return
            except OutOfMemoryError:
                if process_count == 1:
                    raise

    def _feasible_jobs(self, memory: float, jobs: int, is_remote: bool) -> list[int]:
        """Return the numbers of processes for which memory suffices, the largest first.

        Raises `InputError` if it does not suffice for one.
        """
        feasible = [
            process_count
            for process_count in range(jobs, 0, -1)
            if self._room(memory, process_count, is_remote) >= _MIN_STATE_BYTES
        ]
        if not feasible:
            lacking = _MIN_STATE_BYTES - self._room(memory, 1, is_remote)
            least = memory + lacking
            given, needed = memory / 2**20, least / 2**20
            raise InputError(f"memory limit {given:.0f}: give at least {needed:.0f} MiB")
        return feasible

    def _room(self, memory: float, jobs: int, is_remote: bool) -> float:
        """Return how many bytes each of ``jobs`` processes has for states; it may be negative."""
        import psutil

        own = 0 if is_remote else psutil.Process().memory_info().rss
        processes = jobs if is_remote or jobs > 1 else 0
        for_states = memory - own - processes * _BYTES_PER_PROCESS
        return for_states / jobs - columns_bytes(self.plan.width)

    @contextmanager
    def _workers(self, jobs: int, executor: Executor | None, room: float) -> Iterator[_Workers]:
        """Yield workers of a new run, by default in a new executor.

        They work as long as the file ``run`` holds the name of the run.
        """
        run = os.urandom(8).hex()
        file = self.directory / "run"
        file.write_text(run, encoding="utf-8")
        pool = executor
        if pool is None and jobs == 1:
            pool = futures.ThreadPoolExecutor(1)
        elif pool is None:
            pool = WorkerExecutor(jobs)
        try:
            yield _Workers(pool, run, jobs, _SHARE_FOR_STATES * room)
        finally:
            with suppress(OSError, CountStoppedError):
                check_run(self.directory, run)
                file.unlink()
            if executor is None:
                pool.shutdown(cancel_futures=True)

    def _complete_layer(self, workers: _Workers, clock: Clock, progress: CountProgress) -> None:
        """Complete the next stored layer, in smaller parts if memory does not suffice."""
        state = self.state
        layer = StoredLayer(self.directory, state.files, state.steps, self.plan.steps)
        for attempt in range(_MAX_DIVISIONS):
            parts = layer.parts(workers.run, workers.room, workers.jobs, share=2.0**-attempt)
            self._remove_all_but([*state.files, *(part.target for part in parts)])
            try:
                heads = self._advance(parts, workers.pool, clock, progress)
                break
            except OutOfMemoryError as error:
                if attempt == _MAX_DIVISIONS - 1:
                    raise self.plan.out_of_memory(state.steps, error) from None
        for rows in zip(*(head["rows"] for head in heads), strict=True):
            states, used_bytes, seconds = (sum(column) for column in zip(*rows, strict=True))
            progress.add(states, used_bytes, seconds)
        state.rows = progress.rows
        state.steps += len(parts[0].steps)
        state.closed += sum(head["closed"] for head in heads)
        state.files = [part.target for part in parts]
        self._write_state()
        self._remove_all_but(state.files)

    def _advance(
        self, parts: list[Part], pool: Executor, clock: Clock, progress: CountProgress
    ) -> list[dict[str, Any]]:
        """Write the parts that are missing, and return the heads of the files of all parts."""
        targets = [self.directory / part.target for part in parts]
        files = [*targets, *(self.directory / name for name in self.state.files)]
        missing = [part for part, file in zip(parts, targets, strict=True) if not file.exists()]
        before = progress.rows[-1].states if progress.rows else 1
        running = {pool.submit(write_part, part) for part in missing}
        try:
            while running:
                clock.check()
                seconds = min(clock.remaining, 1)
                done, running = futures.wait(running, seconds, futures.FIRST_COMPLETED)
                for future in done:
                    future.result()
                used_bytes = sum(file.stat().st_size for file in files if file.exists())
                progress.report_state(before, used_bytes, 1 - len(running) / len(parts))
        finally:
            for future in running:
                future.cancel()
        return [head_of(file)[0] for file in targets]

    def _write_state(self) -> None:
        """Replace ``count.json`` by the present state."""
        with write_atomically(self.directory / "count.json") as stream:
            stream.write(json.dumps(asdict(self.state), indent=1).encode() + b"\n")

    def _remove_all_but(self, files: list[str]) -> None:
        """Remove unfinished files of a killed count, and all parts of layers except ``files``."""
        for file in [*self.directory.glob(".*"), *self.directory.glob("layer-*")]:
            if file.name not in files:
                file.unlink(missing_ok=True)
