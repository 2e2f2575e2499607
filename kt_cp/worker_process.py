"""What runs inside a worker process: it calls a function, and sends messages about it.

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

import psutil


class Kind(StrEnum):
    """What a message of a worker is."""

    READY = "ready"
    TOLD = "told"
    ANSWERED = "answered"
    RAISED = "raised"


class Message(NamedTuple):
    """A message of a worker: what the function told, returned or raised."""

    kind: Kind
    value: Any = None

    def result(self) -> Any:
        """Return what the function returned, or raise what it raised."""
        if self.kind is Kind.RAISED:
            raise self.value
        return self.value


# How this process sends messages, if it is a worker.
_send: Callable[[Message], None] | None = None


def is_worker() -> bool:
    """Return whether this process is a worker itself, so that it need not start another one."""
    return _send is not None


def tell(value: object) -> None:
    """Send a value to the process that waits for this worker; elsewhere do nothing."""
    if _send is not None:
        _send(Message(Kind.TOLD, value))


def end_with_parent() -> None:
    """End this process, and all that it has started, when its parent ends; ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        else:
            with suppress(psutil.NoSuchProcess):
                psutil.Process(os.getppid()).wait()
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def serve(prepare: str) -> None:
    """Call the function ``prepare`` (``module:name``), and then answer calls on standard input."""
    end_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that nothing that a library prints is taken for an answer

    def send(message: Message) -> None:
        answers.write(_packed(message))
        answers.flush()

    become_worker(send)
    if prepare:
        pkgutil.resolve_name(prepare)()
    send(Message(Kind.READY))
    while True:
        try:
            call = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        send(_outcome(partial(_call, call)))


def call_in_fork(
    sender: Any, errors: str, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Make the one call of a fork, in a process group of its own."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # so that what it starts can be ended with it
    printed = os.open(errors, os.O_WRONLY | os.O_APPEND)
    os.dup2(printed, 2)
    os.dup2(printed, 1)
    end_with_parent()

    def send(message: Message) -> None:
        sender.send_bytes(_packed(message))

    become_worker(send)
    send(_outcome(partial(function, *arguments)))


def become_worker(send: Callable[[Message], None]) -> None:
    """Mark this process as a worker, which sends messages by a function."""
    global _send
    _send = send


def _call(pickled: bytes) -> Any:
    """Call a function with arguments, which are pickled together."""
    function, arguments = pickle.loads(pickled)
    return function(*arguments)


def _outcome(call: Callable[[], Any]) -> Message:
    """Return what a call returns, or the exception that it raises, as a message."""
    try:
        return Message(Kind.ANSWERED, call())
    except Exception as error:
        error.add_note(f"In a worker process:\n{traceback.format_exc()}")
        return Message(Kind.RAISED, error)


def _packed(message: Message) -> bytes:
    """Pickle a message, or an error in its place if it cannot be pickled and read again."""
    try:
        packed = pickle.dumps(message)
        if message.kind is Kind.RAISED:
            pickle.loads(packed)  # fails if the class takes other arguments than the error holds
        return packed
    except Exception as problem:
        told = message.value if message.kind is Kind.RAISED else problem
        error = RuntimeError(f"{type(told).__name__}: {told}")
        return pickle.dumps(Message(Kind.RAISED, error))
