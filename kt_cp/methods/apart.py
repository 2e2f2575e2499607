"""Processes apart, whose death is noticed: for libraries that may end the process they run in.

Choco's virtual machine, for one, ends it with exit code 1 where it cannot get its memory; for this
package exit code 1 means that there is no tour. ``python -m kt_cp.methods.apart`` is such a
process, and answers instances.
"""

from __future__ import annotations

import math
import os
import pickle
import pkgutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from kt_cp.errors import InputError
from kt_cp.methods.answers import Answer, gave_up, out_of_time
from kt_cp.problem.task import Task

inside = False
"""Whether this process is itself one that may die, so that no further one is needed."""

# Seconds after the time limit in which a method may still stop by itself.
_GRACE = 1.0

# What the end of a process says where memory ended.
_MEMORY_WORDS = ("memory", "bad_alloc", "graal_create_isolate", "pthread_create")


class StartError(InputError):
    """The system has no room for another process at present."""


class DeathError(Exception):
    """A process ended without an answer; the message says how, and what it printed last.

    It is made of the exit code and the file to which the process printed.

    >>> DeathError(-9, tempfile.TemporaryFile())
    DeathError('(killed by SIGKILL)')
    """

    def __init__(self, code: int, errors: IO[bytes]) -> None:
        errors.seek(0)
        lines = errors.read().decode(errors="replace").split("\n")
        last = next((f": {line.strip()}" for line in reversed(lines) if line.strip()), "")
        names = {-each.value: f"killed by {each.name}" for each in signal.Signals}
        super().__init__(f"({names.get(code, f'exit code {code}')}){last}")

    @property
    def out_of_memory(self) -> bool:
        """Whether what is known of the end says that memory was the cause."""
        return any(word in str(self).lower() for word in _MEMORY_WORDS)


class Server(subprocess.Popen[bytes]):
    """A process that runs a module, which answers one pickled question after the other.

    Raises `StartError` where the system has no room for it.
    """

    def __init__(self, module: str) -> None:
        # It imports what this process can, in the same order, and computes with one thread.
        paths = [path or os.getcwd() for path in sys.path] + [str(Path(__file__).parents[2])]
        more = {"PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
        try:
            self.printed = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
            super().__init__(
                [sys.executable, "-P", "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.printed,
                env=os.environ | more,
                start_new_session=True,  # Ctrl-C is for the parent, which then ends this process
            )
        except OSError as error:
            advice = "give fewer --jobs, or raise the limits of the system"
            raise StartError(f"cannot start a process ({error.strerror}); {advice}") from None

    def ask(self, question: object) -> Any:
        """Return the answer to a question. Raises `DeathError` when the process ends."""
        assert self.stdin is not None
        assert self.stdout is not None
        try:
            pickle.dump(question, self.stdin)
            self.stdin.flush()
            return pickle.load(self.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise DeathError(self.wait(), self.printed) from None

    def close(self) -> None:
        """End the process, and wait for its end."""
        self.kill()
        with suppress(OSError), self.printed, self:  # a question may not have been read
            pass


class Servers:
    """Servers that run the same module, one for each thread that asks at the same time.

    They are kept, so that what they import is imported once.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        self.idle: list[Server] = []
        self.busy: set[Server] = set()
        if hasattr(os, "register_at_fork"):  # the servers of a parent obey the parent alone
            os.register_at_fork(after_in_child=self.idle.clear)

    def ask(self, question: object, seconds: float = math.inf) -> Any:
        """Return the answer of a server, None after that many seconds.

        Raises `DeathError` when it ends and `StartError` where none can be started.
        """
        try:
            server = self.idle.pop()
        except IndexError:
            server = Server(self.module)
        self.busy.add(server)
        deadline = time.monotonic() + seconds
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), server.kill)
        timer.daemon = True
        timer.start()
        try:
            answer = server.ask(question)
        except BaseException as error:
            server.close()
            if isinstance(error, DeathError) and time.monotonic() >= deadline:
                return None
            raise
        finally:
            timer.cancel()
            self.busy.discard(server)
        self.idle.append(server)
        return answer

    def end(self, *, busy: bool = False) -> None:
        """End the servers that are idle and, if asked for, those that are busy."""
        for server in [*self.busy] if busy else []:
            server.kill()
        while self.idle:
            with suppress(IndexError):  # another thread was faster
                self.idle.pop().close()


_servers = Servers("kt_cp.methods.apart")


def answer(function: str, name: str, task: Task) -> Answer:
    """Return the answer of a function, given as ``module:name``, from a process apart.

    The answer is unknown where that process runs out of memory. Raises `RuntimeError` where it dies
    of anything else.
    """
    instance, clock = task.instance, task.clock
    try:
        with clock.stopped():
            _servers.ask((function,))  # which is answered when the function is loaded
        question = (function, replace(task, progress=None))  # a function may not be pickled
        told = _servers.ask(question, clock.remaining + _GRACE)
    except DeathError as error:
        if error.out_of_memory or "SIGKILL" in str(error):  # which systems send where memory ends
            return gave_up(instance, f"the process of method {name} ran out of memory {error}")
        raise RuntimeError(f"the process of method {name} crashed {error}") from None
    if isinstance(told, Exception):
        raise told
    return told if isinstance(told, Answer) else out_of_time(instance, clock)


def _reply(question: tuple[Any, ...]) -> Answer | Exception | None:
    """Answer an instance by a function, or only load the function."""
    name, *asked = question
    function: Callable[..., Answer] = pkgutil.resolve_name(name)
    try:
        return function(*asked) if asked else None
    except Exception as error:
        return error


def serve(reply: Callable[[Any], object]) -> None:
    """Answer the questions on standard input until it is closed, or the parent is gone."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # whatever a library prints is no answer
        while True:
            try:
                question = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            pickle.dump(reply(question), answers)
            answers.flush()


def _end_with_parent() -> None:
    import psutil

    with suppress(psutil.NoSuchProcess):
        psutil.Process(os.getppid()).wait()
    os._exit(1)


if __name__ == "__main__":
    serve(_reply)
