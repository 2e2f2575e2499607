"""Reasons first, then the methods that suit the instance, in the order of the table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kt_cp.methods.answers import Answer, refuted
from kt_cp.methods.compose.parts import composable, worth_composing
from kt_cp.methods.table import METHODS
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import REASONS, SHORT_REASONS, refute
from kt_cp.proof.two_factor import too_few_moves
from kt_dfs import Status

# Most boards take the method cuts a few hundred conflicts. Where they take more than this, the
# linear relaxation of the circuit model may see what clauses alone do not, such as colours.
_CONFLICTS = 30_000


def answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return the answer of the first method that has one; the circuit model is the last resort."""
    methods = [m for m in METHODS.values() if m.suits(instance) and not m.unsupported(instance)]
    # A board worth composing is too large for the slower reasons; the method tries the others.
    if not worth_composing(instance):
        short = composable(instance) and min(instance.board.rows, instance.board.columns) >= 6
        reasons = SHORT_REASONS if short else REASONS
        if METHODS["patch"] in methods:  # which finds out about the moves by itself
            reasons = tuple(find for find in reasons if find is not too_few_moves)
        if reason := refute(instance, clock, reasons):
            return refuted(reason)
    for method in methods:
        limits = {"most": _CONFLICTS} if method.name == "cuts" else {}
        with clock.stopped():
            function = partial(method.load(), **limits)
        answer = function(instance, clock, workers, seed)
        if answer.status is not Status.UNKNOWN or clock.remaining == 0:
            break
    return replace(answer, method=answer.method or method.name)
