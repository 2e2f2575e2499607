"""Methods that are called in a worker process, which may crash or be ended.

Some libraries end the process they run in: Choco's virtual machine, for one, with exit code 1 where
it cannot get its memory, while exit code 1 of this package means that there is no tour. Custom
methods may not stop at the time limit.
"""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial

import cloudpickle

from kt_cp.methods.answers import Answer, gave_up, out_of_time
from kt_cp.methods.custom import MethodError
from kt_cp.methods.method import Function, Method
from kt_cp.problem.task import Task
from kt_cp.workers import DeathError, OverTimeError, WorkerPool, is_worker

# Seconds after the time limit in which a method may still stop by itself.
_GRACE = 1.0

_workers = WorkerPool()
_custom_workers = WorkerPool(shows_output=True)


def worker_function(method: Method, task: Task) -> Function:
    """Return the function that answers a task in a worker process, if the method needs one.

    If this process is itself a worker, the function answers in this process.
    """
    if is_worker() or not method.needs_worker(task):
        return method.load(task)
    if method.is_custom:
        return partial(_answer_custom, method)
    method.check_installed()
    return partial(_answer_by_package, method)


def _answer_by_package(method: Method, task: Task) -> Answer:
    """Answer by a method of the table that has a package of its own.

    The answer is unknown where the process runs out of memory. Raises `RuntimeError` where it dies
    of anything else.
    """
    try:
        with task.clock.stopped():
            _workers.call(_load, method)
        sent_task = replace(task, progress=None)  # a function may not be pickled
        seconds = task.clock.remaining + _GRACE
        answer: Answer = _workers.call(_answer, method, sent_task, seconds=seconds)
    except OverTimeError:
        return out_of_time(task.instance, task.clock)
    except DeathError as error:
        if error.out_of_memory or error.was_killed:  # by the system, when memory runs out
            return _out_of_memory(method, task, error)
        raise RuntimeError(f"the process of method {method.name} crashed {error}") from None
    return answer


def _answer_custom(method: Method, task: Task) -> Answer:
    """Answer by a custom method, which is ended soon after the time limit.

    The worker has a copy of the function, so that what it changes is not seen here. A function that
    cannot be pickled is called in this process. Raises `MethodError` if the method fails.
    """
    assert callable(method.function)
    try:
        pickled_function = cloudpickle.dumps(method.function)
    except Exception:
        return method.function(task)
    try:
        with task.clock.stopped():
            _custom_workers.call(_import_this_module)
        pickled_task = cloudpickle.dumps(task)
        seconds = task.clock.remaining + _GRACE
        answer: Answer = _custom_workers.call(
            _answer_pickled, pickled_function, pickled_task, seconds=seconds
        )
    except OverTimeError:
        return out_of_time(task.instance, task.clock)
    except DeathError as error:
        if error.out_of_memory:
            return _out_of_memory(method, task, error)
        raise MethodError(f"method {method.name}: its process ended {error}") from None
    return answer


def _out_of_memory(method: Method, task: Task, error: DeathError) -> Answer:
    """Return the answer unknown, as the process of a method ran out of memory."""
    why = f"the process of method {method.name} ran out of memory {error}"
    return gave_up(task.instance, why)


# -- functions that a worker calls ----------------------------------------------------------------


def _load(method: Method) -> None:
    """Import what a method needs, before its clock runs."""
    method.load()


def _import_this_module() -> None:
    """Do nothing: to call this function, a worker has imported the module."""


def _answer(method: Method, task: Task) -> Answer:
    """Answer a task by a method of the table."""
    return method.load(task)(task)


def _answer_pickled(function: bytes, task: bytes) -> Answer:
    """Answer a task by a custom function; both are pickled by cloudpickle."""
    answer: Answer = pickle.loads(function)(pickle.loads(task))
    return answer
