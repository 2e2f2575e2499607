"""A method as a row of the table: its function, and which tasks it takes."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from kt_cp.messages import InputError, join_words
from kt_cp.methods.answers import Answer, UnsupportedError
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task

CONSTRAINTS: Mapping[str, str] = {
    "start": "a start",
    "end": "an end",
    "require": "required moves",
    "forbid": "forbidden moves",
    "symmetry": "a symmetry",
    "givens": "given steps",
    "order": "an order of squares",
    "having": "bounds on features",
    "constrain": "custom constraints",
}
"""The constraints of an instance, as messages name them."""

ALL_CONSTRAINTS = frozenset(CONSTRAINTS)
MOVES_AND_ENDS = frozenset({"start", "end", "require", "forbid"})
STEPS_AND_ENDS = frozenset({"start", "end", "forbid", "givens"})

INSTALL_PEERS = "pip install 'knights-tours[peers]'"
"""The command that installs what the methods with a package of their own need."""

Function = Callable[[Task], Answer]
"""A function that answers a task."""


@dataclass(frozen=True)
class Method:
    """A way to answer an instance.

    ``function`` takes a `Task` and returns an `Answer`, or raises `UnsupportedError` for an
    instance that it does not take. In the table it is given as ``module:name``, because importing
    the solver takes longer than many answers. A module for a method looks like this::

        def answer(task: Task) -> Answer:
            for candidate in candidates(task.instance, task.seed):
                if not task.clock.remaining:
                    return out_of_time(task.instance, task.clock)
                if is_tour(candidate):
                    return found(candidate)
            return gave_up(task.instance, "no candidate is a tour")

    The functions that make answers are those of `kt_cp.methods.answers`.

    ``summary`` is a line for lists of methods, and ``source`` the publication, or "this package".
    ``constraints`` names those that the method supports, and ``proves`` tells whether it can prove
    that there is no tour. ``package`` names a package that it needs and that is not installed with
    this one. ``optimizer`` answers tasks with an objective; without one the method takes none.
    ``takes_parameters`` tells whether it takes parameters and a hint for CP-SAT. ``is_custom``
    marks methods that are not part of this package.
    """

    name: str
    summary: str
    source: str
    constraints: frozenset[str]
    function: str | Function
    proves: bool = True
    package: str | None = None
    optimizer: str | Function | None = None
    takes_parameters: bool = False
    is_custom: bool = False

    def load(self, task: Task | None = None) -> Function:
        """Return the function that answers a task, after importing what it needs.

        Without a task, return the function for tasks without an objective. Raises `InputError` if a
        package is not installed.
        """
        function = self.function
        if task is not None and task.objective is not None:
            assert self.optimizer is not None
            function = self.optimizer
        if not isinstance(function, str):
            return function
        self.check_installed()
        loaded: Function = pkgutil.resolve_name(function)
        return loaded

    def check_installed(self) -> None:
        """Raise `InputError` if a package of the method is not installed."""
        if self.package is not None and not find_spec(self.package):
            raise InputError(f"answers by {self.name} need {self.package}: {INSTALL_PEERS}")

    def needs_worker(self, task: Task) -> bool:
        """Return whether a task has to be answered in a worker process.

        The library of a method with a package of its own may end the process it runs in, and under
        a time limit a custom method may not stop by itself.
        """
        has_limit = task.clock.limit is not None
        return self.package is not None or (self.is_custom and has_limit)

    def check(self, task: Task) -> None:
        """Raise `InputError` for a constraint, objective or parameters that it does not take."""
        unsupported = self.unsupported(task.instance)
        if unsupported:
            supported = [CONSTRAINTS[each] for each in CONSTRAINTS if each in self.constraints]
            only = join_words(supported)
            what = f"method {self.name} does not support {CONSTRAINTS[unsupported[0]]}, only {only}"
            raise UnsupportedError(f"{what}; method circuit supports every constraint")
        if task.objective is not None and self.optimizer is None:
            sense = task.objective.sense
            raise InputError(f"method {self.name} cannot {sense}; method circuit can")
        if task.parameters and not self.takes_parameters:
            raise InputError(f"method {self.name} takes no CP-SAT parameters; method circuit does")
        if task.hint is not None and not self.takes_parameters:
            raise InputError(f"method {self.name} takes no hint; method circuit does")

    def unsupported(self, instance: Instance) -> list[str]:
        """Return the names of the constraints that the method does not support."""
        used = used_constraints(instance)
        return [name for name in CONSTRAINTS if name in used - self.constraints]


def used_constraints(instance: Instance) -> frozenset[str]:
    """Return the names of the constraints that an instance has."""
    return frozenset(name for name in CONSTRAINTS if getattr(instance, name) not in (None, ()))
