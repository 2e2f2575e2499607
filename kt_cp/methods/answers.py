"""The answer of a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kt_cp.arrays import Squares
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Optimum
from kt_cp.proof.reason import Reason, ReasonKind
from kt_dfs import Status


@dataclass(frozen=True)
class Answer:
    """The answer of a method to an instance.

    ``squares`` are the ids of a tour in visiting order when the status is found; otherwise
    ``explanation`` says why there is none, or why there is no answer. ``counters`` are the method's
    own. ``method`` names the method that found the answer, if it is not the one that was called;
    `refuted` sets it to ``refute``. ``objective`` is the value of the best tour, if one was wanted;
    ``interrupted`` tells whether Ctrl-C ended the search for a better one.
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


class UnsupportedError(InputError):
    """The method does not take such an instance; the message says what it takes."""
