"""What runs inside a worker process: it calls functions and sends messages about them.

`kt_cp.workers` starts such processes and waits for their messages.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import pkgutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple


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

    @staticmethod
    def unpickle(pickled: bytes) -> Message:
        """Return the message that a worker sent.

        If it cannot be unpickled, return a message that tells so as an exception of the function.
        """
        try:
            message: Message = pickle.loads(pickled)
        except Exception as problem:
            return Message(MessageKind.RAISED, _as_runtime_error(problem))
        return message

    def result(self) -> Any:
        """Return what the function returned, or raise what it raised."""
        if self.kind is MessageKind.RAISED:
            raise self.value
        return self.value


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


def end_with_parent(wait_for_parent: Callable[[], object]) -> None:
    """Start a thread that ends this process, and all that it has started, when its parent ends.

    ``wait_for_parent`` returns when the parent has ended. Ctrl-C is ignored, since the parent
    handles it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        wait_for_parent()
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _wait_for_process(pid: int) -> None:
    """Wait until a process ends, or return at once if it has ended already."""
    import psutil  # loaded only in a worker

    with suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait()


def serve(parent: int, prepare: str) -> None:
    """Answer calls from standard input until it ends, or until the parent process ends.

    ``parent`` is the id of that process. ``prepare`` names a function, as ``module:name``, that is
    called first, or is empty.
    """
    end_with_parent(partial(_wait_for_process, parent))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that nothing that a library prints is taken for an answer

    def send(pickled: bytes) -> None:
        # Pickled once more, so that the caller reads it whole even if it cannot be unpickled.
        pickle.dump(pickled, answers)
        answers.flush()

    become_worker(send)
    if prepare:
        pkgutil.resolve_name(prepare)()
    send(pickle.dumps(Message(MessageKind.READY)))
    while True:
        try:
            call = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        send(_pickled_outcome(partial(_call_pickled, call)))


def call_in_fork(
    sender: Any, output_path: str, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Make the one call of a fork, in a process group of its own.

    ``sender`` is the pipe for messages, and ``output_path`` the file for what the call prints.
    """
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # so that what it starts can be ended with it
    printed = os.open(output_path, os.O_WRONLY | os.O_APPEND)
    os.dup2(printed, 2)
    os.dup2(printed, 1)
    parent = multiprocessing.parent_process()
    assert parent is not None
    end_with_parent(parent.join)
    become_worker(sender.send_bytes)
    sender.send_bytes(_pickled_outcome(partial(function, *arguments)))


def become_worker(send: Callable[[bytes], None]) -> None:
    """Mark this process as a worker, which sends pickled messages by a function."""
    global _send
    _send = send


def _call_pickled(pickled: bytes) -> Any:
    """Unpickle a function with its arguments, and call it."""
    function, arguments = pickle.loads(pickled)
    return function(*arguments)


def _pickled_outcome(call: Callable[[], Any]) -> bytes:
    """Return a pickled message with what a call returns, or with the exception that it raises."""
    try:
        return pickle.dumps(Message(MessageKind.RETURNED, call()))
    except Exception as error:
        error.add_note(f"In a worker process:\n{traceback.format_exc()}")
        return _pickled_error(error)


def _pickled_error(error: Exception) -> bytes:
    """Return a pickled message with an exception, or with its text if it cannot be pickled."""
    try:
        return _checked_pickle(Message(MessageKind.RAISED, error))
    except Exception:
        return pickle.dumps(Message(MessageKind.RAISED, _as_runtime_error(error)))


def _as_runtime_error(error: Exception) -> RuntimeError:
    """Return an exception of a class that every process has, with the text of another one."""
    return RuntimeError(f"{type(error).__name__}: {error}")


def _checked_pickle(message: Message) -> bytes:
    """Return a message as bytes. Raises an exception if it cannot be pickled and unpickled.

    An exception can be unpickled only if its class takes the arguments that the exception holds.
    """
    pickled = pickle.dumps(message)
    pickle.loads(pickled)
    return pickled
