"""Custom methods: strategies and functions of the caller, as rows like those of the table."""

from __future__ import annotations

import inspect
import pkgutil
import reprlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import kt_dfs
from kt_cp.messages import InputError, describe_caller_error
from kt_cp.methods.answers import Answer, UnsupportedError, gave_up, out_of_time
from kt_cp.methods.method import ALL_CONSTRAINTS, Function, Method
from kt_cp.methods.reference import answer as search
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.proof.reason import Reason
from kt_dfs import Status
from kt_dfs.strategies import Order

SEARCH_CONSTRAINTS = frozenset({"start", "forbid"})
"""The constraints that the searches of `kt_dfs` support."""

FourArgumentFunction = Callable[[Instance, Clock, int, int], Answer]
"""The deprecated signature of custom methods: an instance, a clock, workers and a seed."""

CustomMethod = Method | kt_dfs.Strategy | Order | Function | FourArgumentFunction
"""What `solve` takes as a method besides a name.

A `Method`; a strategy; a function ``order(graph, path)`` as in the textbook; or a function of a
`Task`, as `Method` describes it.
"""


class MethodError(InputError):
    """A custom method raised an exception, crashed, or returned something that is no answer."""


@contextmanager
def custom_errors(name: str) -> Iterator[None]:
    """Raise exceptions of a custom method, also `SystemExit`, as `MethodError` that says where."""
    try:
        yield
    except (UnsupportedError, MethodError, OutOfTimeError, MemoryError):
        raise
    except kt_dfs.OrderError as error:
        raise MethodError(str(error)) from error
    except (Exception, SystemExit) as error:
        raise MethodError(f"method {name}: {describe_caller_error(error)}") from error


@dataclass(frozen=True)
class CustomFunction:
    """The function of a custom method, whose errors are raised as `MethodError`."""

    name: str
    function: Function

    def __call__(self, task: Task) -> Answer:
        """Return the answer of the function. Raises `MethodError` where it gives none."""
        try:
            with custom_errors(self.name):
                answer = self.function(task)
        except OutOfTimeError:
            if task.clock.limit is None:
                return gave_up(task.instance, f"method {self.name} raised OutOfTimeError")
            return out_of_time(task.instance, task.clock)
        problem = _problem(answer)
        if problem is not None:
            wanted = "return found(squares) or gave_up(instance, why) of kt_cp.methods.answers"
            raise MethodError(f"method {self.name} {problem}: {wanted}")
        # Custom methods take no objective, and are not interrupted.
        return replace(answer, objective=None, interrupted=False)


def _problem(answer: object) -> str | None:
    """Return what is wrong with what a custom method returned, or None if it is an answer."""
    if not isinstance(answer, Answer):
        return f"returned {reprlib.repr(answer)}"
    if not isinstance(answer.status, Status):
        return f"returned an answer with the status {reprlib.repr(answer.status)}"
    if answer.status is Status.FOUND and answer.squares is None:
        return "answered found without a tour"
    if answer.status is not Status.FOUND and answer.squares is not None:
        return f"answered {answer.status.value} with a tour"
    reason = answer.explanation
    if answer.status is not Status.FOUND and not isinstance(reason, Reason):
        return f"answered {answer.status.value} without a reason"
    if isinstance(reason, Reason) and not isinstance(reason.template, str):
        return f"gave the reason {reprlib.repr(reason.template)}, which is no text"
    if not isinstance(answer.method, str | None):
        return f"named the method {reprlib.repr(answer.method)}"
    if not isinstance(answer.counters, Mapping):
        return f"returned the counters {reprlib.repr(answer.counters)}"
    return None


def custom_method(method: CustomMethod, name: str | None = None) -> Method:
    """Return the row of a custom method, whose exceptions will be raised as `MethodError`.

    By default the name of the row is that of the method. Raises `TypeError` for anything else than
    a custom method.
    """
    strategy = strategy_of(method)
    if isinstance(method, Method):
        row = method
    elif strategy is not None:
        row = _row_of_strategy(strategy)
    elif callable(method):
        row = _row_of_function(cast(Function | FourArgumentFunction, method))
    else:
        wanted = "give a name, a Method, a kt_dfs.Strategy or a function"
        raise TypeError(f"method {method!r}: {wanted}")
    name = row.name if name is None else name
    function = CustomFunction(name, _function_of_row(row))
    return replace(row, name=name, function=function, is_custom=True)


def _function_of_row(row: Method) -> Function:
    """Return the function of a row: imported when it is called, and as the caller gave it."""
    if isinstance(row.function, str):
        return partial(_call_by_name, row.function)
    if isinstance(row.function, CustomFunction):
        return row.function.function
    return row.function


def _row_of_strategy(strategy: kt_dfs.Strategy) -> Method:
    """Return the row of a strategy."""
    return Method(
        name=strategy.name,
        summary="a custom strategy",
        source="the caller",
        constraints=SEARCH_CONSTRAINTS,
        function=partial(search, strategy),
        proves=strategy.backtracks,
    )


def _row_of_function(given: Function | FourArgumentFunction) -> Method:
    """Return the row of a function of a task. Raises `InputError` for other functions."""
    return Method(
        name=_name_of(given),
        summary="",
        source="the caller",
        constraints=ALL_CONSTRAINTS,
        function=_function_of_task(given),
    )


def _call_by_name(name: str, task: Task) -> Answer:
    """Answer a task by the function at ``module:name``, which is imported now."""
    function: Function = pkgutil.resolve_name(name)
    return function(task)


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


@dataclass(frozen=True)
class _AsFunctionOfTask:
    """Adapter: a function of a task that calls one of the deprecated signature."""

    function: FourArgumentFunction

    def __call__(self, task: Task) -> Answer:
        return self.function(task.instance, task.clock, task.workers, task.seed)


def _function_of_task(function: Function | FourArgumentFunction) -> Function:
    """Return a function that takes a task. Raises `InputError` for other numbers of arguments."""
    name = _name_of(function)
    if _takes(function, 1):
        return cast(Function, function)
    if _takes(function, 4):
        advice = f"write {name}(task), with task.instance, task.clock, task.workers and task.seed"
        warnings.warn(
            f"method {name} takes four arguments, which is deprecated: {advice}",
            DeprecationWarning,
            stacklevel=6,  # the caller of the public function, such as `solve`
        )
        return _AsFunctionOfTask(cast(FourArgumentFunction, function))
    wanted = "a function of one argument, a Task, or of two, graph and path"
    raise InputError(f"method {name}: give {wanted}")


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
