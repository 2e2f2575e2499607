"""What a method is: a function from a task to an answer, and which tasks it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec

import kt_dfs
from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.messages import InputError, join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Optimum, Task
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_dfs import Status
from kt_dfs.strategies import Order


class UnsupportedError(InputError):
    """The method does not take such an instance; the message says what it takes."""


class MethodError(InputError):
    """A custom method raised an exception, crashed, or returned something that is no answer."""


@dataclass(frozen=True)
class Answer:
    """The answer of a method to an instance.

    ``squares`` are the ids of a tour in visiting order when the status is found, or a row of them
    for each tour of a decomposition; otherwise ``explanation`` says why there is none, or why there
    is no answer. ``counters`` are the method's own. ``method`` names the method that found the
    answer, if it is not the one that was called; `refuted` sets it to ``refute``. ``objective`` is
    the value of the best tour, if one was wanted; ``interrupted`` tells whether Ctrl-C ended the
    search for a better one.
    """

    status: Status
    squares: Squares | None = None
    explanation: Reason | None = None
    counters: Mapping[str, float] = field(default_factory=dict)
    method: str | None = None
    objective: Optimum | None = None
    interrupted: bool = False

    @property
    def reason_kind(self) -> ReasonKind | None:
        """The kind of the explanation, or None if there is a tour."""
        return None if self.explanation is None else self.explanation.kind

    @property
    def is_final(self) -> bool:
        """Whether it decides the instance, or no time is left for another method."""
        return self.status is not Status.UNKNOWN or self.reason_kind is ReasonKind.TIME_LIMIT


Counters = Mapping[str, float] | None


def found(squares: Squares, counters: Counters = None) -> Answer:
    """Return an answer with a tour: its ids in visiting order."""
    return Answer(Status.FOUND, squares, counters=counters or {})


def refuted(reason: Reason) -> Answer:
    """Return the answer that there is no tour, for a reason that a person can check."""
    return Answer(Status.IMPOSSIBLE, explanation=reason, method="refute")


def exhausted(instance: Instance, how: str, counters: Counters = None) -> Answer:
    """Return the answer that there is no tour, since a search went through all possibilities."""
    reason = Reason(ReasonKind.EXHAUSTED, instance.graph, how)
    return Answer(Status.IMPOSSIBLE, explanation=reason, counters=counters or {})


def gave_up(instance: Instance, why: str, counters: Counters = None) -> Answer:
    """Return the answer that the method ended without a tour and without a proof."""
    reason = Reason(ReasonKind.GAVE_UP, instance.graph, why)
    return Answer(Status.UNKNOWN, explanation=reason, counters=counters or {})


def out_of_time(instance: Instance, clock: Clock, counters: Counters = None) -> Answer:
    """Return the answer that the clock has no time left."""
    if clock.limit is None:
        text = "the search was interrupted"
    else:
        text = f"the time limit of {clock.limit:g} s was reached"
    reason = Reason(ReasonKind.TIME_LIMIT, instance.graph, text)
    return Answer(Status.UNKNOWN, explanation=reason, counters=counters or {})


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
START_AND_FORBID = frozenset({"start", "forbid"})

INSTALL_PEERS = "pip install 'knights-tours[peers]'"
"""The command that installs what the methods with a package of their own need."""

AnswerFunction = Callable[[Task], Answer]
"""A function that answers a task."""


@dataclass(frozen=True)
class Method:
    """A way to answer an instance.

    ``function`` takes a `Task` and returns an `Answer`, or raises `UnsupportedError` for an
    instance that it does not take. A module for a method looks like this::

        def answer(task: Task) -> Answer:
            for candidate in candidates(task.instance, task.seed):
                if not task.clock.remaining:
                    return out_of_time(task.instance, task.clock)
                if is_tour(candidate):
                    return found(candidate)
            return gave_up(task.instance, "no candidate is a tour")

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
    function: AnswerFunction
    proves: bool = True
    package: str | None = None
    optimizer: AnswerFunction | None = None
    takes_parameters: bool = False
    is_custom: bool = False

    def function_for(self, task: Task) -> AnswerFunction:
        """Return the function that answers a task: the optimizer if it has an objective."""
        if task.objective is None:
            return self.function
        assert self.optimizer is not None
        return self.optimizer

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
            raise UnsupportedError(
                f"method {self.name} does not support {CONSTRAINTS[unsupported[0]]}, only "
                f"{join_words(supported)}; method circuit supports every constraint"
            )
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


CustomMethod = Method | kt_dfs.Strategy | Order | AnswerFunction
"""What `solve` takes as a method besides a name.

A `Method`; a strategy; a function ``order(graph, path)`` as in the textbook; or a function of a
`Task`, as `Method` describes it.
"""


def used_constraints(instance: Instance) -> frozenset[str]:
    """Return the names of the constraints that an instance has.

    A single square is start and end, and the end asks for nothing more.
    """
    used = {name for name in CONSTRAINTS if getattr(instance, name) not in (None, ())}
    return frozenset(used - {"end"} if instance.end == instance.start else used)


def is_composable(instance: Instance, shortest: int = 5) -> bool:
    """Return whether ``compose`` takes an instance: a knight on a full rectangle, unconstrained.

    No side is below ``shortest``. One end may be given if the number of squares is even.

    >>> is_composable(Instance(Board(5, 100), start=7)), is_composable(Instance(Board(4, 7)))
    (True, False)
    """
    board = instance.graph
    ends = len(instance.ends)
    if not isinstance(board, Board) or min(board.shape) < shortest:
        return False
    has_only_ends = used_constraints(instance) <= {"start", "end"} and not instance.allows_partial
    may_have_ends = ends == 0 or (ends == 1 and len(board) % 2 == 0)
    return has_only_ends and may_have_ends and board == Board(board.rows, board.columns)
