"""Which constraints of an instance are in conflict: a minimal unsatisfiable subset, by deletion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kt_cp.messages import join_words
from kt_cp.methods.method import Answer
from kt_cp.model.parameters import BRIEF_SEARCH
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_dfs import Status

# With more constraints, no subset is searched for.
_MAX_CONSTRAINTS = 50


# The words of a constraint in a message, the fields that hold it, and its entry if the field is a
# tuple of several constraints; otherwise it is all that the fields hold.
Single = tuple[str, tuple[str, ...], Any]


def constraints_of(instance: Instance) -> list[Single]:
    """Return the constraints of an instance one by one.

    Given steps count as one constraint, together with the start and the end.

    >>> asked = Instance.of("5x5", start="a1", forbid=["b3-a1"], having=["turns<=9"])
    >>> [words for words, _, _ in constraints_of(asked)]
    ['the start a1', 'the forbidden move b3-a1', 'turns<=9']
    """
    graph, constraints = instance.graph, list[Single]()
    if instance.givens:
        constraints.append(("the given steps", ("givens", "start", "end"), None))
    for field, vertex in (("start", instance.start), ("end", instance.end)):
        if vertex is not None and not instance.givens:
            constraints.append((f"the {field} {graph.name(vertex)}", (field,), None))
    for field, word in (("require", "required"), ("forbid", "forbidden")):
        for move in getattr(instance, field):
            text = f"the {word} {graph.vocabulary.edge} {move.describe(graph)}"
            constraints.append((text, (field,), move))
    if instance.symmetry is not None:
        constraints.append((f"the symmetry {instance.symmetry}", ("symmetry",), None))
    if instance.order:
        names = ", ".join(map(graph.name, instance.order))
        constraints.append((f"the order {names}", ("order",), None))
    constraints += [(str(bound), ("having",), bound) for bound in instance.having]
    for function in instance.constrain:
        name = getattr(function, "__name__", type(function).__name__)
        constraints.append((f"the constraints of {name}", ("constrain",), function))
    return constraints


def without(instance: Instance, fields: tuple[str, ...], value: Any) -> Instance:
    """Return an instance without a constraint, given as by `constraints_of`."""
    changes: dict[str, Any] = {field: getattr(Instance, field) for field in fields}  # defaults
    if value is not None:
        [field] = fields
        changes[field] = tuple(each for each in getattr(instance, field) if each != value)
    return replace(instance, **changes)


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
    conflicting: list[str] = []
    for words, fields, value in constraints:
        if not task.clock.remaining:
            return None
        others = without(instance, fields, value)
        result = answer(replace(task, instance=others, parameters=BRIEF_SEARCH, hint=None))
        if result.status is Status.IMPOSSIBLE:
            instance = others
        else:
            conflicting.append(words)
    no_tour = f"no {instance.graph.vocabulary.tour(instance.closed)}"
    if not conflicting:
        return f"{no_tour} exists even without the constraints"
    clause = f"{no_tour} meets {join_words(conflicting)}"
    if len(conflicting) < len(constraints):
        clause += ", even without the other constraints"
    return clause
