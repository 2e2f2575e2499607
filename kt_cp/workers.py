"""Worker processes, whose crashes become exceptions.

A worker runs what may crash, may not stop, or should run beside others. There are two kinds. An
`Interpreter` is a new Python process, which answers one call after the other; a `WorkerPool` keeps
some for the next calls. A `Fork` is a copy of this process that makes one call: it begins at once,
with everything imported. Both send messages of the same form, and both end when this process does.

    pool = WorkerPool()
    try:
        answer = pool.call(function, argument, seconds=10, memory=500)
    except OverTimeError:
        ...

The function is one that a module defines. While it runs, it may report progress by the function
`tell` of `kt_cp.worker_process`.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeVar

import psutil

from kt_cp.errors import InputError
from kt_cp.worker_process import Kind, Message, call_in_fork

T = TypeVar("T")

STARTUP_LIMIT = 120.0
"""Seconds after which a worker that is still importing what it needs is given up."""

# Seconds between two checks of the time and the memory that a worker takes.
_INTERVAL = 0.05

# Phrases in the last line that a process prints when it ends for lack of memory.
_MEMORY_PHRASES = (
    "out of memory",
    "cannot allocate memory",
    "unable to allocate",
    "failed to map segment",
    "bad_alloc",
    "graal_create_isolate",
    "pthread_create",
)

_MIB = 2**20

# What a new interpreter runs. Its argument names the function that prepares it, or is empty.
_SERVE = "import sys; from kt_cp.worker_process import serve; serve(sys.argv[1])"


class StartError(InputError):
    """The system has no room for another process at present."""


class WorkerError(Exception):
    """A worker has ended, or was ended, without an answer."""


class OverTimeError(WorkerError):
    """The worker was still at work when its seconds were over."""


class OverMemoryError(WorkerError):
    """The worker took more memory than it may."""


class NotReadyError(WorkerError):
    """The worker was still importing what it needs after `STARTUP_LIMIT` seconds."""


class DeathError(WorkerError):
    """A worker ended without an answer; the message says how, and what it printed last.

    ``code`` is the exit code, negative for a signal, and ``printed`` all that the process printed.

    >>> DeathError(-9, ""), DeathError(-9, "").was_killed
    (DeathError('(killed by SIGKILL)'), True)
    >>> DeathError(1, "KeyError: 'memory'").out_of_memory
    False
    """

    def __init__(self, code: int, printed: str) -> None:
        lines = [line.strip() for line in printed.splitlines() if line.strip()]
        self.last_line = lines[-1] if lines else ""
        names = {-each.value: each.name for each in signal.Signals}
        self.signal = names.get(code)
        how = f"(exit code {code})" if self.signal is None else f"(killed by {self.signal})"
        super().__init__(f"{how}: {self.last_line}" if lines else how)

    @property
    def was_killed(self) -> bool:
        """Whether the signal SIGKILL ended the worker; systems send it when memory runs out."""
        return self.signal == "SIGKILL"

    @property
    def out_of_memory(self) -> bool:
        """Whether the last line says that memory was the cause."""
        line = self.last_line.lower()
        is_python = line.startswith(("memoryerror", "numpy._core._exceptions._arraymemoryerror"))
        return is_python or any(phrase in line for phrase in _MEMORY_PHRASES)


class Worker(ABC):
    """A process whose messages are waited for within limits, and which can be ended.

    ``memory`` is the most resident memory, in MiB, that it was seen to take; ``cpu_seconds`` is its
    processor time when it was last checked.
    """

    pid: int

    def __init__(self) -> None:
        self.memory = self.cpu_seconds = 0.0
        self._deadline, self._max_memory = math.inf, math.inf

    def limit(self, seconds: float = math.inf, memory: float | None = None) -> None:
        """Limit the seconds from now on, and the memory in MiB."""
        self._deadline = time.monotonic() + seconds
        self._max_memory = math.inf if memory is None else memory

    def wait(self, seconds: float = math.inf) -> bool:
        """Wait at most ``seconds`` for a message, and return whether there is one.

        Raises `OverTimeError` and `OverMemoryError` when a limit is passed.
        """
        until = time.monotonic() + seconds
        while True:
            now = time.monotonic()
            has_message = self._poll(max(0.0, min(_INTERVAL, until - now)))
            self._look()
            if self.memory > self._max_memory:
                raise OverMemoryError
            if has_message:
                return True
            if time.monotonic() >= self._deadline:
                raise OverTimeError
            if time.monotonic() >= until:
                return False

    def receive(self) -> Message:
        """Wait for the next message, and return it.

        Raises `DeathError` when the process ends without one, and whatever `wait` raises.
        """
        self.wait()
        try:
            return self._next()
        except (EOFError, OSError, pickle.UnpicklingError):
            code = self._join()
            raise DeathError(code, self._printed()) from None

    def outcome(self, tell: Callable[[Any], None] | None = None) -> Message:
        """Wait for what the function returns or raises; call ``tell`` with what it reports."""
        while (message := self.receive()).kind is Kind.TOLD:
            if tell is not None:
                tell(message.value)
        return message

    def kill(self) -> None:
        """Kill the process with all that it has started; do not wait for its end."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):  # it is no group yet, or no more
                os.killpg(self.pid, signal.SIGKILL)
        self._kill()

    def end(self) -> None:
        """End the process with all that it has started, and wait for its end."""
        self.kill()
        self._join()
        self._close()

    def _look(self) -> None:
        """Measure the memory and the processor time of the process."""
        with suppress(psutil.Error):  # it has just ended
            process = psutil.Process(self.pid)
            self.memory = max(self.memory, process.memory_info().rss / _MIB)
            times = process.cpu_times()
            self.cpu_seconds = max(self.cpu_seconds, times.user + times.system)

    @abstractmethod
    def _poll(self, seconds: float) -> bool:
        """Wait for a message or the end of the process, and return whether there is either."""

    @abstractmethod
    def _next(self) -> Message:
        """Return the next message. Raises `EOFError` at the end of the process."""

    @abstractmethod
    def _printed(self) -> str:
        """Return what the process has printed."""

    @abstractmethod
    def _kill(self) -> None:
        """Kill the process itself."""

    @abstractmethod
    def _join(self) -> int:
        """Wait for the end, and return the exit code: a negative one for a signal."""

    @abstractmethod
    def _close(self) -> None:
        """Close the files and pipes that connect to the process."""


class Interpreter(Worker):
    """A new Python process, which answers one call after the other.

    ``prepare`` names a function without parameters, as ``module:name``, that it calls first. With
    ``shows_output``, what it prints appears on standard error. Raises `StartError` if the system
    cannot start another process.
    """

    def __init__(self, prepare: str = "", shows_output: bool = False) -> None:
        super().__init__()
        # It has the import path of this process, and computes with one thread.
        paths = [path or os.getcwd() for path in sys.path] + [str(Path(__file__).parents[1])]
        more = {"PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
        if shows_output:
            more["PYTHONUNBUFFERED"] = "1"
        try:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _SERVE, prepare],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if shows_output else self._errors,
                env=os.environ | more,
                start_new_session=True,  # Ctrl-C is for this process, which then ends the worker
            )
        except OSError as error:
            advice = "give fewer --jobs, or raise the limits of the system"
            raise StartError(f"cannot start a process ({error.strerror}); {advice}") from None
        self.pid = self._process.pid
        self._is_ready = False
        self._seconds = math.inf
        super().limit(STARTUP_LIMIT)
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._waiting: list[Message | None] = []
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Send a call; its answer is the next message that is no report by `tell`."""
        assert self._process.stdin is not None
        call = pickle.dumps((function, arguments))
        with suppress(OSError):  # it has ended, which `receive` will find
            pickle.dump(call, self._process.stdin)
            self._process.stdin.flush()

    def limit(self, seconds: float = math.inf, memory: float | None = None) -> None:
        """Limit the seconds from now on, or from when the process is ready, and the memory."""
        self._seconds = seconds
        super().limit(seconds if self._is_ready else STARTUP_LIMIT, memory)

    def wait(self, seconds: float = math.inf) -> bool:
        """Wait for a message as any worker does. Raises `NotReadyError` before the first call."""
        try:
            return super().wait(seconds)
        except OverTimeError:
            if self._is_ready:
                raise
            raise NotReadyError from None

    def _read(self) -> None:
        """Pass on messages; a thread does so, since reading a pipe has no time limit."""
        stream: IO[bytes] | None = self._process.stdout
        assert stream is not None
        with suppress(Exception):  # the process has ended, perhaps in the middle of a message
            while True:
                self._messages.put(pickle.load(stream))
        self._messages.put(None)

    def _poll(self, seconds: float) -> bool:
        if self._waiting:
            return True
        try:
            message = self._messages.get(timeout=seconds)
        except queue.Empty:
            return False
        if message is not None and message.kind is Kind.READY:
            self._is_ready = True
            self._deadline = time.monotonic() + self._seconds
            return False
        self._waiting.append(message)
        return True

    def _next(self) -> Message:
        message = self._waiting[0]
        if message is None:
            raise EOFError
        self._waiting.clear()
        return message

    def _printed(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")

    def _kill(self) -> None:
        self._process.kill()

    def _join(self) -> int:
        return self._process.wait()

    def _close(self) -> None:
        with suppress(OSError), self._errors, self._process:  # a call may not have been read
            pass


class Fork(Worker):
    """A copy of this process that makes one call; outside of Linux, a new process.

    When it is made, no other thread of this process may hold a lock.
    """

    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        super().__init__()
        # Closed at once, since Windows lets no other process open a file that is open here.
        descriptor, self._errors = tempfile.mkstemp()
        os.close(descriptor)
        self._receiver, sender = self.context.Pipe(duplex=False)
        self._process = self.context.Process(
            target=call_in_fork, args=(sender, self._errors, function, arguments)
        )
        self._process.start()
        sender.close()  # so that the receiver sees the end of the process
        self.pid = self._process.pid

    def _poll(self, seconds: float) -> bool:
        return bool(self._receiver.poll(seconds))

    def _next(self) -> Message:
        message: Message = pickle.loads(self._receiver.recv_bytes())
        return message

    def _printed(self) -> str:
        return Path(self._errors).read_text(encoding="utf-8", errors="replace")

    def _kill(self) -> None:
        self._process.kill()

    def _join(self) -> int:
        self._process.join()
        return int(self._process.exitcode)

    def _close(self) -> None:
        self._receiver.close()
        with suppress(OSError):
            os.unlink(self._errors)


class WorkerPool:
    """A pool of Python processes that answer calls; each answers one call at a time.

    They are kept for the next calls, so that modules are imported once; without ``reuse`` each
    answers one call only. ``ahead`` is the number of idle workers that are started before they are
    needed, from the first call or `start_ahead` on. ``prepare`` and ``shows_output`` are those of
    `Interpreter`.
    """

    def __init__(
        self,
        prepare: str = "",
        ahead: int = 0,
        reuse: bool = True,
        shows_output: bool = False,
    ) -> None:
        self.prepare, self.ahead, self.reuse = prepare, ahead, reuse
        self.shows_output = shows_output
        self.idle: list[Interpreter] = []
        self.busy: set[Interpreter] = set()
        if hasattr(os, "register_at_fork"):  # a fork must not use the workers of its parent
            os.register_at_fork(after_in_child=self.idle.clear)

    def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float = math.inf,
        memory: float | None = None,
        tell: Callable[[Any], None] | None = None,
    ) -> Any:
        """Call a function in a worker; return what it returns, or raise what it raises.

        ``seconds`` count from when the worker is ready; ``memory`` is in MiB. ``tell`` is called
        with what the function reports. Raises `WorkerError` if the worker passes a limit or dies,
        and `StartError` if none can be started.
        """
        with self.asked(function, *arguments, seconds=seconds, memory=memory) as worker:
            outcome = worker.outcome(tell)
        return outcome.result()

    @contextmanager
    def asked(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float = math.inf,
        memory: float | None = None,
    ) -> Iterator[Interpreter]:
        """Yield a worker that was sent a call, so that the caller can wait for its messages.

        The block has to receive the answer. If the block raises an exception, the worker is ended.
        """
        try:
            worker = self.idle.pop()
        except IndexError:
            worker = self._start()
        self.busy.add(worker)
        is_kept = False
        try:
            worker.limit(seconds, memory)
            worker.ask(function, arguments)
            yield worker
            is_kept = self.reuse
        finally:
            self.busy.discard(worker)
            if is_kept:
                self.idle.append(worker)
            else:
                worker.end()
            with suppress(StartError):
                self.start_ahead()

    def _start(self) -> Interpreter:
        """Return a new worker."""
        return Interpreter(self.prepare, self.shows_output)

    def start_ahead(self) -> None:
        """Start workers until ``ahead`` are idle; calls use those that were idle before first."""
        while len(self.idle) < self.ahead:
            self.idle.insert(0, self._start())

    def end(self, *, busy: bool = False) -> None:
        """End the workers that are idle and, if asked for, kill those that are busy."""
        if busy:
            for worker in list(self.busy):
                worker.kill()
        while self.idle:
            with suppress(IndexError):  # another thread was faster
                self.idle.pop().end()


class WorkerExecutor(ThreadPoolExecutor):
    """An executor that makes its calls in worker processes, ``jobs`` at a time.

    The result of a future is that of `WorkerPool.call`.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._pool = WorkerPool()

    def submit(self, function: Callable[..., T], /, *arguments: Any, **options: Any) -> Future[T]:
        """Return the future result of a function that is called in a worker."""
        return super().submit(self._pool.call, partial(function, *arguments, **options))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for the calls that have begun, and end the workers."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._pool.end(busy=not wait)
