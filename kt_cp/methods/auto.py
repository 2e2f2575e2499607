"""Reasons first, then the methods that suit the instance, in the order of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from kt_cp.methods.answers import Answer, refuted
from kt_cp.methods.compose.parts import composable, worth_composing
from kt_cp.methods.table import METHODS
from kt_cp.model.parameters import Parameters
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import ReasonKind
from kt_cp.proof.reasons import QUICK_REASONS, REASONS, SHORT_REASONS, refute
from kt_dfs import Status

# Most boards take the method cuts a few hundred conflicts. Where they take more than this, the
# linear relaxation of the circuit model may see what clauses alone do not, such as colours.
_CONFLICTS = 30_000


def answer(
    instance: Instance,
    clock: Clock,
    workers: int,
    seed: int,
    parameters: Parameters | None = None,
) -> Answer:
    """Return the answer of the first method that has one; the circuit model is the last resort.

    With ``parameters`` for CP-SAT, the circuit model is asked right after the reasons.
    """
    methods = [m for m in METHODS.values() if m.suits(instance) and not m.unsupported(instance)]
    if parameters:
        row = METHODS["circuit"]
        with clock.stopped():
            circuit: Callable[..., Answer] = row.load()
        methods = [replace(row, function=partial(circuit, parameters=parameters))]
    # A board worth composing is too large for the slower reasons; the method tries the others.
    if not worth_composing(instance):
        short = composable(instance) and min(instance.board.rows, instance.board.columns) >= 6
        reasons = SHORT_REASONS if short else REASONS
        if METHODS["patch"] in methods:  # which looks for the others where it finds no tour soon
            reasons = QUICK_REASONS
        if reason := refute(instance, clock, reasons):
            return refuted(reason)
    for method in methods:
        limits = {"most": _CONFLICTS} if method.name == "cuts" else {}
        with clock.stopped():
            function = partial(method.load(), **limits)
        answer = function(instance, clock, workers, seed)
        late = answer.reason is not None and answer.reason.kind is ReasonKind.TIME_LIMIT
        if answer.status is not Status.UNKNOWN or late:
            break
    return replace(answer, method=answer.method or method.name)
