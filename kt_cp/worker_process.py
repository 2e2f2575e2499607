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

import psutil


class MessageKind(StrEnum):
    """What a message of a worker is about."""

    READY = "ready"  # the worker has imported what it needs
    REPORTED = "reported"  # progress of the function
    RETURNED = "returned"
    RAISED = "raised"


class Message(NamedTuple):
    """A message of a worker: what the function reported, returned or raised."""

    kind: MessageKind
    value: Any = None

    def result(self) -> Any:
        """Return what the function returned, or raise what it raised."""
        if self.kind is MessageKind.RAISED:
            raise self.value
        return self.value


# How this process sends messages, if it is a worker.
_send: Callable[[Message], None] | None = None


def is_worker() -> bool:
    """Return whether this process is a worker itself, so that it need not start another one."""
    return _send is not None


def send_report(value: object) -> None:
    """Send a value to the process that waits for this worker; elsewhere do nothing."""
    if _send is not None:
        _send(Message(MessageKind.REPORTED, value))


def end_with_parent() -> None:
    """Start a thread that ends this process, and all that it has started, when its parent ends.

    Ctrl-C is ignored, since the parent handles it.
    """
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
    """Answer calls from standard input until it ends.

    ``prepare`` names a function, as ``module:name``, that is called first, or is empty.
    """
    end_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that nothing that a library prints is taken for an answer

    def send(message: Message) -> None:
        answers.write(_pickled(message))
        answers.flush()

    become_worker(send)
    if prepare:
        pkgutil.resolve_name(prepare)()
    send(Message(MessageKind.READY))
    while True:
        try:
            call = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        send(_outcome(partial(_call_pickled, call)))


def call_in_fork(
    sender: Any, errors: str, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Make the one call of a fork, in a process group of its own.

    ``sender`` is the pipe for messages, and ``errors`` the file that gets what the call prints.
    """
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # so that what it starts can be ended with it
    printed = os.open(errors, os.O_WRONLY | os.O_APPEND)
    os.dup2(printed, 2)
    os.dup2(printed, 1)
    end_with_parent()

    def send(message: Message) -> None:
        sender.send_bytes(_pickled(message))

    become_worker(send)
    send(_outcome(partial(function, *arguments)))


def become_worker(send: Callable[[Message], None]) -> None:
    """Mark this process as a worker, which sends messages by a function."""
    global _send
    _send = send


def _call_pickled(pickled: bytes) -> Any:
    """Call a function with arguments, which are pickled together."""
    function, arguments = pickle.loads(pickled)
    return function(*arguments)


def _outcome(call: Callable[[], Any]) -> Message:
    """Return a message with what a call returns, or with the exception that it raises."""
    try:
        return Message(MessageKind.RETURNED, call())
    except Exception as error:
        error.add_note(f"In a worker process:\n{traceback.format_exc()}")
        return Message(MessageKind.RAISED, error)


def _pickled(message: Message) -> bytes:
    """Return a message as bytes, or an error in its place if it cannot be pickled."""
    try:
        packed = pickle.dumps(message)
        if message.kind is MessageKind.RAISED:
            pickle.loads(packed)  # fails if the class takes other arguments than the error holds
        return packed
    except Exception as problem:
        reported = message.value if message.kind is MessageKind.RAISED else problem
        error = RuntimeError(f"{type(reported).__name__}: {reported}")
        return pickle.dumps(Message(MessageKind.RAISED, error))
