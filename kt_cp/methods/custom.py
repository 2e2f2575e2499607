"""Methods of the caller: strategies and functions, as rows like those of the table."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import cast

import kt_dfs
from kt_cp.errors import InputError
from kt_cp.methods.answers import Answer
from kt_cp.methods.method import ALL_CONSTRAINTS, Function, Method
from kt_cp.methods.reference import answer as search
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_dfs.strategies import Order

SEARCH_CONSTRAINTS = frozenset({"start", "forbid"})
"""The constraints that the searches of `kt_dfs` support."""

OldFunction = Callable[[Instance, Clock, int, int], Answer]
"""A function of an instance, a clock, workers and a seed, as methods were called once."""

CustomMethod = Method | kt_dfs.Strategy | Order | Function | OldFunction
"""A row like those of the table; a strategy, or the textbook's form of one, a function of graph and
path; or a function of a `Task`, as `Method` describes it."""


def custom_method(method: CustomMethod) -> Method:
    """Return the row of a custom method. Raises `TypeError` for what is none."""
    if isinstance(method, Method):
        return method
    plan = as_strategy(method)
    if isinstance(plan, kt_dfs.Strategy):
        by = partial(search, plan)
        summary, source = "a custom strategy", "the caller"
        return Method(plan.name, summary, source, SEARCH_CONSTRAINTS, by, plan.backtracks)
    if not callable(plan):
        raise TypeError(f"method {plan!r}: give a name, a Method, a kt_dfs.Strategy or a function")
    return Method(_name_of(plan), "", "the caller", ALL_CONSTRAINTS, _function_of_task(plan))


def as_strategy(
    method: str | CustomMethod,
) -> str | Method | kt_dfs.Strategy | Function | OldFunction:
    """Return a function of two arguments, graph and path, as a strategy; anything else as it is."""
    if isinstance(method, str | Method | kt_dfs.Strategy) or not callable(method):
        return method
    if _takes(method, 2) and not _takes(method, 1):
        return kt_dfs.Strategy(order=cast(Order, method), name=_name_of(method))
    return cast(Function, method)


@dataclass(frozen=True)
class _CalledInTheOldWay:
    """Answers a task by a function of an instance, a clock, workers and a seed."""

    function: OldFunction

    def __call__(self, task: Task) -> Answer:
        return self.function(task.instance, task.clock, task.workers, task.seed)


def _function_of_task(function: Function | OldFunction) -> Function:
    """Return a function that takes a task. Raises `InputError` for other numbers of arguments."""
    name = _name_of(function)
    if _takes(function, 1):
        return cast(Function, function)
    if _takes(function, 4):
        advice = f"write {name}(task), with task.instance, task.clock, task.workers and task.seed"
        warnings.warn(
            f"method {name} takes four arguments, which is deprecated: {advice}",
            DeprecationWarning,
            stacklevel=5,
        )
        return _CalledInTheOldWay(cast(OldFunction, function))
    wanted = "a function of one argument, a Task, or of two, graph and path"
    raise InputError(f"method {name}: give {wanted}")


def _takes(function: Callable[..., object], count: int) -> bool:
    """Return whether a function can be called with so many positional arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of some compiled functions
        return count == 1
    with suppress(TypeError):
        signature.bind(*[None] * count)
        return True
    return False


def _name_of(function: object) -> str:
    return getattr(function, "__name__", type(function).__name__)
