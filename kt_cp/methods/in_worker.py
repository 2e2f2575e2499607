"""Methods whose libraries may end the process they run in are called in a worker process.

Choco's virtual machine, for one, ends it with exit code 1 where it cannot get its memory; for this
package exit code 1 means that there is no tour.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import replace

from kt_cp.methods.answers import Answer, gave_up, out_of_time
from kt_cp.problem.task import Task
from kt_cp.workers import DeathError, OverTimeError, WorkerPool

# Seconds after the time limit in which a method may still stop by itself.
_GRACE = 1.0

_workers = WorkerPool()


def answer(function: str, name: str, task: Task) -> Answer:
    """Return the answer of a function, given as ``module:name``, from a worker process.

    ``name`` is that of the method. The answer is unknown where the process runs out of memory.
    Raises `RuntimeError` where it dies of anything else.
    """
    try:
        with task.clock.stopped():
            _workers.call(_load, function)
        asked = replace(task, progress=None)  # a function may not be pickled
        seconds = task.clock.remaining + _GRACE
        answer: Answer = _workers.call(_answer, function, asked, seconds=seconds)
    except OverTimeError:
        return out_of_time(task.instance, task.clock)
    except DeathError as error:
        if error.out_of_memory or "SIGKILL" in str(error):  # which systems send where memory ends
            why = f"the process of method {name} ran out of memory {error}"
            return gave_up(task.instance, why)
        raise RuntimeError(f"the process of method {name} crashed {error}") from None
    return answer


def _load(function: str) -> None:
    pkgutil.resolve_name(function)


def _answer(function: str, task: Task) -> Answer:
    loaded: Callable[[Task], Answer] = pkgutil.resolve_name(function)
    return loaded(task)
