"""Worker processes: functions called in other processes, which are watched and ended.

A `WorkerPool` calls functions in processes that it keeps. A `Worker` is one such process, either an
`Interpreter`, which answers one call after the other, or a `Fork`, which makes one call. Below come
the messages of a worker, then what goes wrong, then what runs inside the process, then the process
as its caller sees it, then the pool.

A call is a pickled tuple of a function and its arguments, a message a pickled `Message`. Both are
sent as bytes and unpickled where errors can be told, as the other side may lack a class or module.
"""

from __future__ import annotations

import io
import math
import multiprocessing
import os
import pickle
import pkgutil
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from kt_cp.messages import InputError

# -- messages --------------------------------------------------------------------------------------


class MessageKind(StrEnum):
    """What a message of a worker is about."""

    READY = "ready"  # the worker has imported what it needs
    REPORTED = "reported"  # progress of the function
    RETURNED = "returned"
    RAISED = "raised"
    ENDED = "ended"  # the process has ended; its caller makes this message


class Message(NamedTuple):
    """A message of a worker: what the function reported, returned or raised."""

    kind: MessageKind
    value: Any = None

    def result(self) -> Any:
        """Return what the function returned, or raise what it raised."""
        if self.kind is MessageKind.RAISED:
            raise self.value
        return self.value


# -- errors ----------------------------------------------------------------------------------------

# What the last line that a process prints says when it ends for lack of memory.
_OUT_OF_MEMORY = re.compile(
    r"^(MemoryError|numpy\._core\._exceptions\._ArrayMemoryError)|out of memory|bad_alloc"
    r"|cannot allocate memory|unable to allocate|failed to map segment|graal_create_isolate"
    r"|pthread_create",
    re.IGNORECASE,
)


class StartError(InputError):
    """The system cannot start another process at present."""


class WorkerError(Exception):
    """Base class: a worker gave no answer."""


class OverTimeError(WorkerError):
    """The worker was still busy at its time limit."""


class OverMemoryError(WorkerError):
    """The worker took more memory than its limit."""


class StoppedError(WorkerError):
    """The caller has stopped the call."""


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
        self.was_killed = code == -9
        """Whether SIGKILL ended the worker; systems send it when memory runs out."""
        names = {-each.value: each.name for each in signal.Signals}
        how = f"(killed by {names[code]})" if code in names else f"(exit code {code})"
        super().__init__(f"{how}: {self.last_line}" if lines else how)

    @property
    def out_of_memory(self) -> bool:
        """Whether the last line says that memory was the cause."""
        return _OUT_OF_MEMORY.search(self.last_line) is not None


# -- inside a worker -------------------------------------------------------------------------------

# How this process sends messages, if it is a worker.
_send: Callable[[bytes], None] | None = None


def is_worker() -> bool:
    """Return whether this process is a worker itself, so that it need not start another one."""
    return _send is not None


def send_report(value: object) -> None:
    """Send a value to the process that waits for this worker; elsewhere do nothing.

    Raises an exception if the value cannot be pickled and unpickled.
    """
    if _send is not None:
        _send(_checked_pickle(Message(MessageKind.REPORTED, value)))


def become_worker(parent: int, send: Callable[[bytes], None]) -> None:
    """Mark this process as a worker, which sends pickled messages by a function.

    It ends, with all that it has started, when its parent does; ``parent`` is the id of that
    process. Ctrl-C is ignored, since the parent handles it.
    """
    import psutil  # loaded only in a worker

    global _send
    _send = send
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # so that a crash loses nothing of it

    def watch() -> None:
        with suppress(psutil.NoSuchProcess):
            psutil.Process(parent).wait()
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def serve(parent: int, prepare: str) -> None:
    """Answer calls from standard input until it ends, or until the parent process ends.

    ``prepare`` names a function, as ``module:name``, that is called first, or is empty.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that nothing that a library prints is taken for an answer

    def send(pickled: bytes) -> None:
        # Pickled once more, so that the caller reads it whole even if it cannot be unpickled.
        pickle.dump(pickled, answers)
        answers.flush()

    become_worker(parent, send)
    if prepare:
        pkgutil.resolve_name(prepare)()
    send(pickle.dumps(Message(MessageKind.READY)))
    with suppress(EOFError):
        while True:
            send(_pickled_outcome(pickle.load(sys.stdin.buffer)))


def call_in_fork(parent: int, sender: Any, output: str, call: bytes) -> None:
    """Make the one call of a fork, a pickled function with its arguments, in a group of its own.

    ``sender`` is the pipe for messages, and ``output`` the file for what the call prints.
    """
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # so that what it starts can be ended with it
    printed = os.open(output, os.O_WRONLY | os.O_APPEND)
    os.dup2(printed, 2)
    os.dup2(printed, 1)
    become_worker(parent, sender.send_bytes)
    sender.send_bytes(_pickled_outcome(call))


def _pickled_outcome(call: bytes) -> bytes:
    """Return a pickled message with what a call returns, or with the exception that it raises.

    The call is a pickled function with its arguments.
    """
    try:
        function, *arguments = pickle.loads(call)
        return pickle.dumps(Message(MessageKind.RETURNED, function(*arguments)))
    except Exception as error:
        error.add_note(f"In a worker process:\n{traceback.format_exc()}")
        try:
            return _checked_pickle(Message(MessageKind.RAISED, error))
        except Exception:
            return pickle.dumps(Message(MessageKind.RAISED, _as_runtime_error(error)))


def _as_runtime_error(error: Exception) -> RuntimeError:
    """Return an exception of a class that every process has, with the text of another one."""
    return RuntimeError(f"{type(error).__name__}: {error}")


def _checked_pickle(message: Message) -> bytes:
    """Return a message as bytes. Raises an exception if it cannot be pickled and unpickled."""
    pickled = pickle.dumps(message)
    pickle.loads(pickled)
    return pickled


# -- the process, as its caller sees it ------------------------------------------------------------

STARTUP_LIMIT = 120.0
"""Seconds after which a worker that is still importing what it needs is given up."""

# Seconds between two checks of the time and the memory that a worker takes.
_CHECK_INTERVAL = 0.05

_MIB = 2**20

# The code of a new interpreter, whose arguments are those of `serve`.
_SERVER_CODE = "import sys; from kt_cp.workers import serve; serve(int(sys.argv[1]), sys.argv[2])"


class Worker:
    """A process that sends messages, has limits on its time and memory, and can be ended.

    ``pid`` is its id, ``peak_memory`` the largest resident memory that was measured, in MiB, and
    ``cpu_seconds`` the processor time at the last measurement.
    """

    pid: int
    _process: Any

    def __init__(self) -> None:
        self.peak_memory = 0.0
        self.cpu_seconds = 0.0
        self._output_file = tempfile.NamedTemporaryFile()  # noqa: SIM115 - closed with the process
        self._is_ready = True
        self._call_seconds = math.inf  # the time limit of a call
        self._deadline = math.inf
        self._max_memory = math.inf
        self._stop = threading.Event()
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def _listen(self, receive: Callable[[], bytes]) -> None:
        """Queue the messages as they arrive, in a thread, as reading a pipe has no timeout."""

        def read() -> None:
            with suppress(Exception):  # the process has ended, perhaps in the middle of a message
                while True:
                    pickled = receive()
                    try:
                        message: Message = pickle.loads(pickled)
                    except Exception as problem:
                        message = Message(MessageKind.RAISED, _as_runtime_error(problem))
                    self._messages.put(message)
            self._messages.put(Message(MessageKind.ENDED))

        threading.Thread(target=read, daemon=True).start()

    def limit(
        self,
        seconds: float = math.inf,
        memory: float | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        """Set the limits: the seconds of a call, the memory in MiB, and an event that stops it.

        The seconds count from now on or, if the process is still starting, from when it is ready.
        """
        self._call_seconds = seconds
        self._deadline = time.monotonic() + (seconds if self._is_ready else STARTUP_LIMIT)
        self._max_memory = math.inf if memory is None else memory
        self._stop = stop or threading.Event()

    def receive(self) -> Message:
        """Wait for the next message, and return it.

        Raises `OverTimeError` and `OverMemoryError` when a limit is passed, `StoppedError` when the
        call is stopped, and `DeathError` when the process ends without a message.
        """
        while True:
            message = None
            with suppress(queue.Empty):
                message = self._messages.get(timeout=_CHECK_INTERVAL)
            if message and message.kind is MessageKind.READY:
                message = None
                self._is_ready = True
                self._deadline = time.monotonic() + self._call_seconds
            if self._stop.is_set():
                raise StoppedError
            if self._measure() > self._max_memory:  # not the peak, perhaps of an earlier call
                raise OverMemoryError
            if message and message.kind is MessageKind.ENDED:
                self._output_file.seek(0)
                printed = self._output_file.read().decode(errors="replace")
                raise DeathError(self._join(), printed)
            if message:
                return message
            if time.monotonic() >= self._deadline:
                raise OverTimeError

    def outcome(self, on_report: Callable[[Any], None] | None = None) -> Message:
        """Wait for what the function returns or raises, and return that message.

        ``on_report`` is called with each value that the function reports. Raises what `receive`
        raises.
        """
        while True:
            message = self.receive()
            if message.kind is not MessageKind.REPORTED:
                return message
            if on_report is not None:
                on_report(message.value)

    def kill(self) -> None:
        """Kill the process with all that it has started; do not wait for its end."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):  # it is no group yet, or no more
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()

    def end(self) -> None:
        """End the process with all that it has started, and wait for its end."""
        self.kill()
        self._join()
        self._output_file.close()

    def _join(self) -> int:
        """Wait for the end of the process, and return its exit code, negative for a signal."""
        raise NotImplementedError

    def _measure(self) -> float:
        """Measure the memory and the processor time, and return the memory that is now in use."""
        import psutil  # loaded only when a worker runs

        memory = 0.0
        with suppress(psutil.Error):  # it has just ended
            process = psutil.Process(self.pid)
            memory = process.memory_info().rss / _MIB
            self.peak_memory = max(self.peak_memory, memory)
            times = process.cpu_times()
            self.cpu_seconds = max(self.cpu_seconds, times.user + times.system)
        return memory


class Interpreter(Worker):
    """A new Python process, which answers one call after the other.

    ``prepare`` names a function without parameters, as ``module:name``, that the process calls
    first. With ``shows_output``, what the process prints appears on standard error. Raises
    `StartError` if the system cannot start another process.
    """

    def __init__(self, prepare: str = "", shows_output: bool = False) -> None:
        # It has the import path of this process, and computes with one thread.
        paths = [*(path or os.getcwd() for path in sys.path), str(Path(__file__).parents[1])]
        environment = {"PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
        if shows_output:
            environment["PYTHONUNBUFFERED"] = "1"
        try:
            super().__init__()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _SERVER_CODE, str(os.getpid()), prepare],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if shows_output else self._output_file,
                env=os.environ | environment,
                start_new_session=True,  # Ctrl-C is for this process, which then ends the worker
            )
        except OSError as error:
            raise StartError(
                f"cannot start a process ({error.strerror});"
                " give fewer --jobs, or raise the limits of the system"
            ) from None
        self.pid = self._process.pid
        self._is_ready = False
        self.limit()
        self._listen(partial(pickle.load, self._process.stdout))

    def ask(self, *call: Any) -> None:
        """Send a call, a function with its arguments; `outcome` waits for its answer."""
        # Pickled by itself, so that a function that the worker cannot import is an error of the
        # call, and the worker can read the next one.
        pickled = pickle.dumps(call)
        with suppress(OSError):  # it has ended, which `receive` will find
            pickle.dump(pickled, self._process.stdin)
            self._process.stdin.flush()

    def end(self) -> None:
        """End the process with all that it has started, and wait for its end."""
        super().end()
        for pipe in (self._process.stdout, self._process.stdin):
            with suppress(OSError):  # a call may not have been read
                pipe.close()

    def _join(self) -> int:
        return int(self._process.wait())


class Fork(Worker):
    """A copy of this process that makes one call; outside of Linux, a new process.

    When it is made, no other thread of this process may hold a lock.
    """

    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        super().__init__()
        self._receiver, sender = self.context.Pipe(duplex=False)
        call = pickle.dumps((function, *arguments))
        self._process = self.context.Process(
            target=call_in_fork, args=(os.getpid(), sender, self._output_file.name, call)
        )
        self._process.start()
        sender.close()  # so that the receiver sees the end of the process
        self.pid = self._process.pid
        self._listen(self._receiver.recv_bytes)

    def _join(self) -> int:
        self._process.join()
        return int(self._process.exitcode)


# -- the pool --------------------------------------------------------------------------------------


class WorkerPool:
    """A pool of Python processes, each of which answers one call at a time.

    Workers are kept for the next calls, so that modules are imported once. ``ahead`` is the number
    of idle workers that are started before they are needed, from the first call or `start_ahead`
    on. ``prepare`` and ``shows_output`` are those of `Interpreter`.
    """

    def __init__(self, prepare: str = "", ahead: int = 0, shows_output: bool = False) -> None:
        self.prepare, self.ahead, self.shows_output = prepare, ahead, shows_output
        self.idle: list[Interpreter] = []
        self.busy: set[Interpreter] = set()
        self._owner_pid = os.getpid()

    def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        on_report: Callable[[Any], None] | None = None,
        **limits: Any,
    ) -> Any:
        """Call a function in a worker; return what it returns, or raise what it raises.

        ``on_report`` is called with each value that the function reports. The ``limits`` are those
        of `Worker.limit`. Raises `WorkerError` if the worker passes a limit or dies, and
        `StartError` if none can be started.
        """
        with self.asking(function, *arguments, **limits) as worker:
            outcome = worker.outcome(on_report)
        return outcome.result()

    @contextmanager
    def asking(
        self, function: Callable[..., Any], *arguments: Any, **limits: Any
    ) -> Iterator[Interpreter]:
        """Send a call to a worker, and yield the worker.

        The block must receive the answer (`Worker.outcome`). If the block raises an exception, the
        worker is ended.
        """
        if self._owner_pid != os.getpid():  # a fork must not use the workers of its parent
            self._owner_pid = os.getpid()
            self.idle.clear()
        try:
            worker = self.idle.pop()
        except IndexError:
            worker = Interpreter(self.prepare, self.shows_output)
        self.busy.add(worker)
        try:
            worker.limit(**limits)
            worker.ask(function, *arguments)
            yield worker
        except BaseException:
            self.busy.discard(worker)
            worker.end()
            raise
        else:
            self.busy.discard(worker)
            self.idle.append(worker)
        finally:
            with suppress(StartError):
                self.start_ahead()

    def start_ahead(self) -> None:
        """Start workers until ``ahead`` are idle; the new ones are used last."""
        while len(self.idle) < self.ahead:
            self.idle.insert(0, Interpreter(self.prepare, self.shows_output))

    def end(self, *, busy: bool = False) -> None:
        """End the workers that are idle and, if asked for, kill those that are busy."""
        if busy:
            for worker in list(self.busy):
                worker.kill()
        while self.idle:
            with suppress(IndexError):  # another thread was faster
                self.idle.pop().end()
