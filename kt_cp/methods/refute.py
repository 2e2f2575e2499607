"""The method ``refute``: reasons why there is no tour that a person can check."""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.methods.answers import Answer, gave_up, refuted
from kt_cp.problem.task import Task
from kt_cp.proof import reasons
from kt_cp.proof.reason import Find


def answer(task: Task, finders: Sequence[Find] = reasons.REASONS) -> Answer:
    """Return the answer of the first of the reasons that applies, or give up."""
    reason = reasons.refute(task.instance, task.clock, finders)
    if reason is None:
        return gave_up(task.instance, "no known reason applies")
    return refuted(reason)
