"""Do the runs on whatever executor, and keep each record the moment it is known."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from kt_cp.compare.run.environment import machine, peak_memory, versions
from kt_cp.compare.run.launch import end_children, execute
from kt_cp.compare.run.log_file import Log, LogWriter
from kt_cp.compare.run.log_format import Record, Run, RunStatus
from kt_cp.compare.run.settings import Settings, Task
from kt_cp.errors import InputError

_TICK = 0.25


@dataclass(frozen=True)
class Progress:
    """How far a comparison is: what is new since the last time, and what is running.

    Not every executor tells what is running.
    """

    total: int
    done: int
    new: tuple[Record, ...]
    running: tuple[Run, ...]


Observer = Callable[[Progress], None]


def compare(
    settings: Settings,
    *,
    out: str | Path | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    observer: Observer | None = None,
) -> Log:
    """Run every method on every instance of the settings, each run in a process of its own.

    Without an ``executor`` at most ``jobs`` runs go on at once on this machine; any other
    `concurrent.futures.Executor` will do, such as Dask's ``Client.get_executor()``, and stays open.
    With ``out`` every record is in that file as soon as it is known, and `resume` goes on with it.
    ``observer`` is told of the progress several times a second. Raises `InputError` for a file that
    is there already, and for an executor that breaks down.

    >>> from kt_cp.board import Board
    >>> settings = Settings({"5x5": Board(5, 5)}, methods=["warnsdorff"], kinds=["open"])
    >>> [(record.status.value, record.validated) for record in compare(settings).records]
    [('found', True)]
    """
    _check_jobs(jobs)
    if out is None:
        log = Log(settings, versions(), machine(), ())
        return _complete(log, lambda record: None, executor, jobs, observer)
    with LogWriter(Path(out), settings) as writer:
        return _complete(writer.log, writer.write, executor, jobs, observer)


def resume(
    path: str | Path,
    *,
    executor: Executor | None = None,
    jobs: int = 1,
    observer: Observer | None = None,
) -> Log:
    """Go on with a file of runs: do the runs of its settings that have no record yet.

    The rest is as in `compare`. Raises `InputError` for a file that is none, that was made with
    other versions, or that another process is writing to.
    """
    _check_jobs(jobs)
    with LogWriter(Path(path), None) as writer:
        return _complete(writer.log, writer.write, executor, jobs, observer)


def _check_jobs(jobs: int) -> None:
    if jobs < 1:
        raise InputError(f"jobs {jobs}: give at least 1")


def _complete(
    log: Log,
    keep: Callable[[Record], None],
    executor: Executor | None,
    jobs: int,
    observer: Observer | None,
) -> Log:
    if log.settings.memory_limit is not None and peak_memory() is None:
        raise InputError("memory limit: this system does not tell how much memory a process takes")
    records = list(log.records)
    done = {record.run for record in records}
    runs = [run for run in log.settings.runs() if run not in done]
    with (
        nullcontext(executor) if executor else _local_executor(jobs) as pool,
        closing(_batches(pool, log.settings, runs, keep)) as batches,
    ):
        for new, running in batches:
            records += new
            if observer:
                observer(Progress(len(done) + len(runs), len(records), new, running))
    return replace(log, records=tuple(records))


Batch = tuple[tuple[Record, ...], tuple[Run, ...]]


def _batches(
    pool: Executor, settings: Settings, runs: Iterable[Run], keep: Callable[[Record], None]
) -> Generator[Batch, None, None]:
    """Yield several times a second the records that are new, already kept, and what is running."""
    futures: dict[Future[Record], Run] = {}
    try:
        for run in runs:
            futures[pool.submit(execute, settings.task(run))] = run
        while futures:
            ended, _ = wait(futures, timeout=_TICK, return_when=FIRST_COMPLETED)
            new = []
            for future in sorted(ended, key=_is_lost):  # first keep what there is to keep
                # Popped, because a cluster keeps what somebody still refers to.
                new.append(_result(future, settings.task(futures.pop(future))))
                keep(new[-1])
            yield tuple(new), tuple(run for future, run in futures.items() if future.running())
    except (BrokenExecutor, CancelledError) as error:
        name = type(error).__name__
        raise InputError(f"the executor broke down ({name}); what is done is kept") from error
    finally:
        for future in futures:
            future.cancel()


def _is_lost(future: Future[Record]) -> bool:
    """Tell whether the executor gave up this run together with all others."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


def _result(future: Future[Record], task: Task) -> Record:
    """Return the record of a run; that the executor failed this one run is one, too."""
    try:
        return future.result()
    except (BrokenExecutor, CancelledError):
        raise
    except Exception as error:
        return Record(
            task.run,
            len(task.board),
            RunStatus.ERROR,
            seconds=0.0,
            startup=None,
            reason=f"{type(error).__name__}: {error}",
            versions=versions(),
            machine=machine(),
        )


@contextmanager
def _local_executor(jobs: int) -> Iterator[Executor]:
    """Threads that wait for child processes; if anything goes wrong here, these are ended."""
    executor = ThreadPoolExecutor(jobs)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        waiting = threading.Thread(target=executor.shutdown)
        waiting.start()
        while waiting.is_alive():  # a thread may be just about to start its child
            end_children()
            waiting.join(timeout=0.05)
        raise
    executor.shutdown()
