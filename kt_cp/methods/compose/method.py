"""The method ``compose``: quick reasons, then a composition of small tours."""

from __future__ import annotations

from kt_cp.methods.answers import Answer, UnsupportedError, found, gave_up, out_of_time, refuted
from kt_cp.methods.compose.parts import composable
from kt_cp.methods.compose.rectangle import compose_rectangle
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import REASONS, SHORT_REASONS, refute


def answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return a composed tour of a full rectangle, or a reason why there is none."""
    board = instance.board
    if not composable(instance):
        raise UnsupportedError(
            "method compose: for a knight on a full rectangle with sides from 3 on, and no "
            "constraints but a start and an end; method circuit supports every board"
        )
    # Only the ends on a strip may take longer to give up than all reasons do.
    doubtful = min(board.rows, board.columns) < 5 and instance.ends
    if reason := refute(instance, clock, REASONS if doubtful else SHORT_REASONS):
        return refuted(reason)
    try:
        squares = compose_rectangle(instance, clock, seed)
    except OutOfTime:
        return out_of_time(instance, clock)
    if squares is not None:
        return found(squares)
    if not doubtful and (reason := refute(instance, clock)):
        return refuted(reason)
    return gave_up(instance, "no composition of small tours was found; method circuit may find one")
