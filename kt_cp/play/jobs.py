"""Long work in processes of its own, with limits of time and memory, which can be cancelled.

There are only so many at a time; who comes later is told that the playground is busy. A process
that crashes, or takes too much, is one message, and the page goes on.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from kt_cp.compare.records import memory_of
from kt_cp.errors import InputError

Tell = Callable[[str], None]
"""With this a job tells how far it is."""

MOST = max(2, os.cpu_count() or 1)
SECONDS, GRACE = 60.0, 3.0
MEMORY = 2_048
"""How many jobs there are at a time, the seconds that one may take, and the MiB of its memory."""

_POLL = 0.03

if sys.platform == "win32":
    _CONTEXT: Any = multiprocessing.get_context("spawn")
else:
    _CONTEXT = multiprocessing.get_context("forkserver")  # a fork of a server's threads is unsafe
    _CONTEXT.set_forkserver_preload(["kt_cp.play.work"])

_running = 0


class JobError(Exception):
    """A job has no answer; the message says why, in words for the visitor."""


async def run_job(work: Callable[..., Any], *arguments: Any, tell: Tell = lambda text: None) -> Any:
    """Return what ``work`` returns, which is called in another process with ``tell`` first.

    When this task is cancelled, the process is killed. Raises `JobError` where too many jobs are
    running, and for what the process could not do.
    """
    global _running
    if _running >= MOST:
        raise JobError(f"busy: {MOST} searches are running here; try again in a moment")
    _running += 1
    receiver, sender = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_perform, args=(sender, work, arguments), daemon=True)
    try:
        process.start()
        sender.close()
        return await _watch(process, receiver, tell)
    finally:
        _running -= 1
        process.kill()
        process.join()  # which is at once, after SIGKILL
        receiver.close()


def warm_up() -> None:
    """Start the process that starts the others, so that the first job need not wait for it."""
    process = _CONTEXT.Process(target=int)
    process.start()
    process.join()


async def _watch(process: Any, receiver: Connection, tell: Tell) -> Any:
    """Wait for the answer, and end the process at a limit."""
    deadline = time.monotonic() + SECONDS + GRACE
    while time.monotonic() < deadline:
        if not receiver.poll():
            if memory_of(process.pid) > MEMORY:
                raise JobError(f"unknown: the search took more than {MEMORY:,} MiB of memory")
            await asyncio.sleep(_POLL)
            continue
        try:
            kind, value = receiver.recv()
        except EOFError:
            raise JobError("a bug: the search crashed; please report what you did") from None
        if kind == "answer":
            return value
        if kind == "error":
            raise JobError(value)
        tell(value)
    raise JobError(f"unknown: the search did not stop within {SECONDS:g} s")


def _perform(sender: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Do the work in this process, and send what it tells and returns."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        answer = work(lambda text: sender.send(("told", text)), *arguments)
        sender.send(("answer", answer))
    except InputError as error:
        sender.send(("error", f"invalid: {error}"))
    except MemoryError:
        sender.send(("error", "unknown: the search ran out of memory"))
    except Exception as error:
        sender.send(
            ("error", f"a bug: {type(error).__name__}: {error}; please report what you did")
        )


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        with suppress(OSError):
            parent.join()
        os._exit(1)
