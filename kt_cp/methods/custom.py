"""Methods of the caller, as rows like those of the table, and methods in worker processes.

Custom methods may not stop at the time limit. Some libraries end the process they run in: Choco's
virtual machine, for one, with exit code 1 where it cannot get its memory, while exit code 1 of this
package means that there is no tour. Both are called in a worker process.
"""

from __future__ import annotations

import inspect
import io
import marshal
import pickle
import reprlib
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, cast

import kt_dfs
from kt_cp.files import describe_caller_error
from kt_cp.messages import InputError
from kt_cp.methods.method import (
    ALL_CONSTRAINTS,
    START_AND_FORBID,
    Answer,
    AnswerFunction,
    CustomMethod,
    Method,
    MethodError,
    UnsupportedError,
    gave_up,
    out_of_time,
)
from kt_cp.methods.peers import search
from kt_cp.problem.task import OutOfTimeError, Task
from kt_cp.proof.reasons import Reason
from kt_dfs import Status
from kt_dfs.strategies import Order

if TYPE_CHECKING:
    from kt_cp.workers import WorkerPool

# Seconds after the time limit in which a method may still stop by itself.
_GRACE = 1.0

# The workers for custom methods, whose output is shown, and those for others.
_pools: dict[bool, WorkerPool] = {}


@contextmanager
def custom_errors(name: str) -> Iterator[None]:
    """Raise exceptions of a custom method, also `SystemExit`, as `MethodError` that says where."""
    try:
        yield
    except (UnsupportedError, MethodError, OutOfTimeError, MemoryError):
        raise
    except kt_dfs.OrderError as error:
        cause = error.__cause__  # what the order of a strategy raised
        message = f"{name}: {describe_caller_error(cause)}" if cause else str(error)
        raise MethodError(message) from error
    except (Exception, SystemExit) as error:
        raise MethodError(f"method {name}: {describe_caller_error(error)}") from error


@dataclass(frozen=True)
class CustomFunction:
    """The function of a custom method, whose errors are raised as `MethodError`."""

    name: str
    function: AnswerFunction

    def __call__(self, task: Task) -> Answer:
        """Return the answer of the function. Raises `MethodError` where it gives none."""
        try:
            with custom_errors(self.name):
                answer = self.function(task)
        except OutOfTimeError:
            if task.clock.limit is None:
                return gave_up(task.instance, f"method {self.name} raised OutOfTimeError")
            return out_of_time(task.instance, task.clock)
        if not _is_answer(answer):
            is_answer = isinstance(answer, Answer)
            what = "an answer that contradicts itself" if is_answer else reprlib.repr(answer)
            raise MethodError(
                f"method {self.name} returned {what}: "
                "return found(squares) or gave_up(instance, why) of kt_cp.methods.method"
            )
        # Custom methods take no objective, and are not interrupted.
        return replace(answer, objective=None, interrupted=False)


def _is_answer(answer: object) -> bool:
    """Return whether what a custom method returned is an answer with a tour or with a reason."""
    if not isinstance(answer, Answer) or not isinstance(answer.status, Status):
        return False
    is_found = answer.status is Status.FOUND
    reason = answer.explanation
    has_reason = isinstance(reason, Reason) and isinstance(reason.template, str)
    has_text = isinstance(answer.method, str | None) and isinstance(answer.counters, Mapping)
    return is_found == (answer.squares is not None) and (is_found or has_reason) and has_text


def custom_method(method: CustomMethod, name: str | None = None) -> Method:
    """Return the row of a custom method, whose exceptions will be raised as `MethodError`.

    By default the name of the row is that of the method. Raises `TypeError` for anything else than
    a custom method, and `InputError` for a function with other arguments.
    """
    strategy = strategy_of(method)
    if isinstance(method, Method):
        row = method
    elif strategy is not None:
        row = Method(
            name=strategy.name,
            summary="a custom strategy",
            source="the caller",
            constraints=START_AND_FORBID,
            function=partial(search, strategy),
            proves=strategy.backtracks,
        )
    elif not callable(method):
        raise TypeError(
            f"method {method!r}: give a name, a Method, a kt_dfs.Strategy or a function"
        )
    elif not _takes(method, 1):
        raise InputError(
            f"method {_name_of(method)}: give a function of one argument, a Task, or of two, "
            "graph and path"
        )
    else:
        function = cast(AnswerFunction, method)
        row = Method(_name_of(method), "", "the caller", ALL_CONSTRAINTS, function)
    function = row.function
    if isinstance(function, CustomFunction):
        function = function.function
    name = name or row.name
    return replace(row, name=name, function=CustomFunction(name, function), is_custom=True)


def strategy_of(method: CustomMethod) -> kt_dfs.Strategy | None:
    """Return a method as a strategy, or None if it is none.

    A strategy is returned unchanged. A function ``order(graph, path)`` becomes a strategy that
    tries neighbors in the order it returns.

    >>> strategy_of(lambda graph, path: []).name, strategy_of(lambda task: None)
    ('<lambda>', None)
    """
    if isinstance(method, kt_dfs.Strategy):
        return method
    if isinstance(method, Method) or not callable(method):
        return None
    if _takes(method, 2) and not _takes(method, 1):
        return kt_dfs.Strategy(order=cast(Order, method), name=_name_of(method))
    return None


def _takes(function: Callable[..., object], count: int) -> bool:
    """Return whether a function can be called with ``count`` positional arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of some compiled functions
        return count == 1
    with suppress(TypeError):
        signature.bind(*[None] * count)
        return True
    return False


def _name_of(function: object) -> str:
    """Return the name of a function, or that of the class of another callable."""
    return getattr(function, "__name__", type(function).__name__)


# -- in a worker process --------------------------------------------------------------------------


def pickle_with_functions(value: object) -> bytes:
    """Return a value as bytes for `pickle.loads`, also with functions that no module defines.

    Functions that can be imported are pickled by name; others, such as lambdas and those of a
    script, by value: the code as it is, so that a traceback still names their file.
    """
    import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        dispatch_table: ClassVar[Any] = ChainMap(
            {CodeType: _reduce_code}, cloudpickle.Pickler.dispatch_table
        )

    pickled = io.BytesIO()
    Pickler(pickled).dump(value)
    return pickled.getvalue()


def _reduce_code(code: CodeType) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
    """Pickle code by `marshal`; cloudpickle itself leaves out the name of the file since 3.1.3."""
    return marshal.loads, (marshal.dumps(code),)


def answer_in_worker(method: Method, task: Task) -> Answer:
    """Answer a task by a method in a worker process, which is ended soon after the time limit.

    The worker has a copy of a custom function, so that what it changes is not seen here. What
    cannot be pickled is called in this process, and so is everything in a process that is itself a
    worker. The answer is unknown if the worker runs out of memory. Raises `MethodError` if a custom
    method fails otherwise, and `RuntimeError` if another one does.
    """
    with task.clock.stopped():
        from kt_cp.workers import DeathError, OverTimeError, WorkerPool, is_worker

    method.check_installed()
    function = method.function_for(task)
    if is_worker():
        return function(task)
    if method.is_custom not in _pools:
        _pools[method.is_custom] = WorkerPool(shows_output=method.is_custom)
    pool = _pools[method.is_custom]
    try:
        pickled_function = pickle_with_functions(function)
    except Exception:  # whatever pickling the caller's objects raises
        return function(task)
    try:
        with task.clock.stopped():
            pool.call(_import, method.package or __name__)
        pickled_task = pickle_with_functions(replace(task, progress=None))
        seconds = task.clock.remaining + _GRACE
        answer: Answer = pool.call(_call, pickled_function, pickled_task, seconds=seconds)
    except OverTimeError:
        return out_of_time(task.instance, task.clock)
    except DeathError as error:
        # The system kills the process that takes most memory; a custom method may end itself.
        if error.out_of_memory or (error.was_killed and not method.is_custom):
            why = f"the process of method {method.name} ran out of memory {error}"
            return gave_up(task.instance, why)
        if method.is_custom:
            raise MethodError(f"method {method.name}: its process ended {error}") from None
        raise RuntimeError(f"the process of method {method.name} crashed {error}") from None
    return answer


def _import(name: str) -> None:
    import_module(name)


def _call(function: bytes, task: bytes) -> Answer:
    answer: Answer = pickle.loads(function)(pickle.loads(task))
    return answer
