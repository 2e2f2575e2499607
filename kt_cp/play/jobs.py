"""Calls of workers for the page: with limits, canceled by the visitor, so many at a time.

Whatever a visitor sends is computed in a worker process, which is started ahead and kept, so that
an answer comes soon, and the server stays free for others.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

from kt_cp.errors import InputError
from kt_cp.play import actions
from kt_cp.play.scene import Scene
from kt_cp.problem.clock import OutOfTimeError
from kt_cp.tour.tour import InvalidTourError
from kt_cp.worker_process import Kind, Message
from kt_cp.workers import (
    Interpreter,
    OverMemoryError,
    OverTimeError,
    WorkerError,
    WorkerPool,
)

MAX_SEARCHES = max(2, os.cpu_count() or 1)
"""How many searches run at a time; who comes later is told that the playground is busy."""

MEMORY = 2048
SECONDS, GRACE = actions.SECONDS, 3.0
BRIEF = 5.0
"""MiB of memory that a worker may take, and seconds: of a search, and of anything else."""

# Seconds between two looks at a worker: at first, and when it has been at work for a while.
_POLL, _LONGEST_POLL = 0.004, 0.05

POOL = WorkerPool("kt_cp.play.actions:prepare", ahead=2)
"""The workers: two are idle, and ready, at any time."""

running = 0
"""How many searches there are now."""

_MAX_BRIEF = 2
_brief = 0  # how many other calls there are now


class JobError(Exception):
    """A job has no answer; the message says why, in words for the visitor."""


async def search(
    work: Callable[..., Scene], *arguments: Any, tell: Callable[[Scene], None]
) -> Scene:
    """Return what a function returns that a worker calls, which may take `SECONDS`.

    ``tell`` is called with what the function tells. When this task is canceled, the worker is
    ended. Raises `JobError` where too many searches are running, and for what was not done.
    """
    global running
    if running >= MAX_SEARCHES:
        raise JobError(f"busy: {MAX_SEARCHES} searches are running here; try again in a moment")
    running += 1
    try:
        answer = await _call(work, arguments, SECONDS + GRACE, tell)
    finally:
        running -= 1
    assert isinstance(answer, Scene)
    return answer


async def briefly(work: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function returns that a worker calls, which should take no time.

    Calls wait for one another. Raises `JobError` for what was not done.
    """
    global _brief
    while _brief >= _MAX_BRIEF:
        await asyncio.sleep(_POLL)
    _brief += 1
    try:
        return await _call(work, arguments, BRIEF, lambda scene: None)
    finally:
        _brief -= 1


async def _call(
    work: Callable[..., Any],
    arguments: tuple[Any, ...],
    seconds: float,
    tell: Callable[[Scene], None],
) -> Any:
    try:
        with POOL.asked(
            actions.attempt, work, *arguments, seconds=seconds, memory=MEMORY
        ) as worker:
            outcome = await _outcome(worker, tell)
        return outcome.result()  # out of the block, as an error in it would end the worker
    except InputError as error:
        raise JobError(f"invalid: {error}") from None
    except InvalidTourError as error:
        raise JobError(f"there is no tour: {error}") from None
    except OverMemoryError:
        raise JobError(f"unknown: it took more than {MEMORY:,} MiB of memory") from None
    except OverTimeError:
        raise JobError(f"unknown: it took more than {seconds:g} s") from None
    except MemoryError:
        raise JobError("unknown: the search ran out of memory") from None
    except OutOfTimeError:
        raise JobError(f"unknown: the search ran out of time, {SECONDS:g} s") from None
    except WorkerError:
        raise JobError("a bug: the search crashed; please report what you did") from None
    except Exception as error:
        shown = f"{type(error).__name__}: {error}"
        raise JobError(f"a bug: {shown}; please report what you did") from None


async def _outcome(worker: Interpreter, tell: Callable[[Scene], None]) -> Message:
    """Wait for the answer of a worker without holding up the event loop."""
    pause = _POLL
    while True:
        while not worker.wait(0):
            await asyncio.sleep(pause)
            pause = min(_LONGEST_POLL, 1.05 * pause)
        message = worker.receive()
        if message.kind is not Kind.TOLD:
            return message
        tell(message.value)
