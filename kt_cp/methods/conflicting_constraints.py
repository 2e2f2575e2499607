"""Which constraints of an instance are in conflict: a minimal unsatisfiable subset, by deletion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kt_cp.messages import join_words
from kt_cp.methods.answers import Answer
from kt_cp.model.parameters import BRIEF_SEARCH
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_dfs import Status

# With more constraints, no subset is searched for.
_MAX_CONSTRAINTS = 50


@dataclass(frozen=True)
class SingleConstraint:
    """One constraint of an instance: its words in a message, and the fields that hold it.

    ``value`` is its entry if the field is a tuple of several constraints; otherwise the constraint
    is all that the fields hold.
    """

    words: str
    fields: tuple[str, ...]
    value: Any = None

    def removed_from(self, instance: Instance) -> Instance:
        """Return the instance without the constraint."""
        changes: dict[str, Any] = {}
        for field in self.fields:
            if self.value is None:
                changes[field] = getattr(Instance, field)  # the default
            else:
                values = getattr(instance, field)
                changes[field] = tuple(value for value in values if value != self.value)
        return replace(instance, **changes)


def constraints_of(instance: Instance) -> list[SingleConstraint]:
    """Return the constraints of an instance one by one.

    Given steps count as one constraint, together with the start and the end.

    >>> asked = Instance.of("5x5", start="a1", forbid=["b3-a1"], having=["turns<=9"])
    >>> [each.words for each in constraints_of(asked)]
    ['the start a1', 'the forbidden move b3-a1', 'turns<=9']
    """
    constraints = []
    graph = instance.graph
    noun = graph.vocabulary.edge
    if instance.givens:
        constraints.append(SingleConstraint("the given steps", ("givens", "start", "end")))
    else:
        for field, vertex in (("start", instance.start), ("end", instance.end)):
            if vertex is not None:
                text = f"the {field} {graph.name(vertex)}"
                constraints.append(SingleConstraint(text, (field,)))
    for move in instance.require:
        text = f"the required {noun} {move.describe(graph)}"
        constraints.append(SingleConstraint(text, ("require",), move))
    for move in instance.forbid:
        text = f"the forbidden {noun} {move.describe(graph)}"
        constraints.append(SingleConstraint(text, ("forbid",), move))
    if instance.symmetry is not None:
        text = f"the symmetry {instance.symmetry}"
        constraints.append(SingleConstraint(text, ("symmetry",)))
    if instance.order:
        names = ", ".join(map(graph.name, instance.order))
        constraints.append(SingleConstraint(f"the order {names}", ("order",)))
    for bound in instance.having:
        constraints.append(SingleConstraint(str(bound), ("having",), bound))
    for function in instance.constrain:
        name = getattr(function, "__name__", type(function).__name__)
        text = f"the constraints of {name}"
        constraints.append(SingleConstraint(text, ("constrain",), function))
    return constraints


def conflict_clause(task: Task, answer: Callable[[Task], Answer]) -> str | None:
    """Return a clause that names the constraints in conflict, for a task without a tour.

    Each constraint in turn is removed, and stays removed if ``answer`` proves that there is no tour
    without it either. If a brief search gives no answer, the constraint is put back and counts as
    conflicting. Returns None if there is just one constraint, if there are too many, or when the
    time limit is reached.
    """
    instance = task.instance
    constraints = constraints_of(instance)
    if not 1 < len(constraints) <= _MAX_CONSTRAINTS:
        return None
    conflicting: list[SingleConstraint] = []
    for each in constraints:
        if not task.clock.remaining:
            return None
        without = each.removed_from(instance)
        result = answer(replace(task, instance=without, parameters=BRIEF_SEARCH, hint=None))
        if result.status is Status.IMPOSSIBLE:
            instance = without
        else:
            conflicting.append(each)
    no_tour = f"no {instance.graph.vocabulary.tour(instance.closed)}"
    if not conflicting:
        return f"{no_tour} exists even without the constraints"
    clause = f"{no_tour} meets {join_words([each.words for each in conflicting])}"
    if len(conflicting) < len(constraints):
        clause += ", even without the other constraints"
    return clause
