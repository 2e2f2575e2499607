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
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from kt_cp.errors import InputError
from kt_cp.methods.answers import Answer, gave_up, out_of_time
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance

inside = False
"""Whether this process is itself one that may die, so that no further one is needed."""

# Seconds after the time limit in which a method may still stop by itself.
_GRACE = 1.0

_MEMORY_WORDS = ("memory", "bad_alloc", "graal_create_isolate", "pthread_create")


class StartError(InputError):
    """The system has no room for another process at present."""


class DeathError(Exception):
    """A process ended without an answer; the message says how."""

    @property
    def out_of_memory(self) -> bool:
        """Whether what is known of the end says that memory was the cause."""
        return any(word in str(self).lower() for word in _MEMORY_WORDS)


class Server:
    """A process that answers one pickled question after the other, as `serve` does.

    Raises `StartError` where the system has no room for it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        paths = [path or os.getcwd() for path in sys.path] + [str(Path(__file__).parents[2])]
        try:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # It imports what this process can, in the same order, and computes with one thread.
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(paths),
                    "OPENBLAS_NUM_THREADS": "1",
                },
                start_new_session=True,  # Ctrl-C is for the parent, which then ends this process
            )
        except OSError as error:
            advice = "give fewer --jobs, or raise the limits of the system"
            raise StartError(f"cannot start a process ({error.strerror}); {advice}") from None

    def ask(self, question: object) -> Any:
        """Return the answer to a question. Raises `DeathError` when the process ends."""
        questions, answers = self._process.stdin, self._process.stdout
        assert questions is not None
        assert answers is not None
        try:
            pickle.dump(question, questions)
            questions.flush()
            return pickle.load(answers)
        except (EOFError, OSError, pickle.UnpicklingError):
            end = describe_exit(self._process.wait())
            raise DeathError(f"({end}){last_line(self._errors)}") from None

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def close(self) -> None:
        """End the process, and wait for its end."""
        self.kill()
        with suppress(OSError), self._errors, self._process:  # a question may not have been read
            pass


class Servers:
    """Servers of one kind, one for each thread that asks at the same time.

    They are kept, so that what they import is imported once.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
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
            server = Server(self.command)
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


def command(module: str) -> list[str]:
    """Return the command that runs a module; ``-P``: it imports only what this process would."""
    return [sys.executable, "-P", "-m", module]


_servers = Servers(command("kt_cp.methods.apart"))


def answer(
    function: str, name: str, instance: Instance, clock: Clock, workers: int, seed: int
) -> Answer:
    """Return the answer of a function, given as ``module:name``, from a process apart.

    The answer is unknown where that process runs out of memory. Raises `RuntimeError` where it dies
    of anything else.
    """
    try:
        with clock.stopped():
            _servers.ask((function, None))  # which is answered when the function is loaded
        question = instance, clock.limit, clock.seconds, workers, seed
        told = _servers.ask((function, question), clock.remaining + _GRACE)
    except DeathError as error:
        if error.out_of_memory or "SIGKILL" in str(error):  # which systems send where memory ends
            return gave_up(instance, f"the process of method {name} ran out of memory {error}")
        raise RuntimeError(f"the process of method {name} crashed {error}") from None
    if isinstance(told, Exception):
        raise told
    return told if isinstance(told, Answer) else out_of_time(instance, clock)


def _reply(asked: tuple[str, tuple[Any, ...] | None]) -> Answer | Exception | None:
    """Answer an instance by a function, or only load the function."""
    name, question = asked
    function = pkgutil.resolve_name(name)
    if question is None:
        return None
    instance, limit, seconds, workers, seed = question
    try:
        answer: Answer = function(
            instance, Clock(limit, time.perf_counter() - seconds), workers, seed
        )
    except Exception as error:
        return error
    return answer


def serve(reply: Callable[[Any], object]) -> None:
    """Answer the questions on standard input until it is closed."""
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


def describe_exit(code: int) -> str:
    """Return how a process ended: by a signal, or with an exit code.

    >>> describe_exit(-9), describe_exit(3)
    ('killed by SIGKILL', 'exit code 3')
    """
    if code >= 0:
        return f"exit code {code}"
    names = {known.value: known.name for known in signal.Signals}
    return f"killed by {names.get(-code, f'signal {-code}')}"


def last_line(errors: IO[bytes]) -> str:
    """Return the last line that a process printed, after a colon; empty if there is none."""
    errors.seek(0)
    lines = errors.read().decode(errors="replace").split("\n")
    return next((f": {line.strip()}" for line in reversed(lines) if line.strip()), "")


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    serve(_reply)
