"""The method ``mend``: quick reasons, then walks that are mended."""

from __future__ import annotations

from kt_cp.methods.answer import Answer, UnsupportedError, found, gave_up, out_of_time, refuted
from kt_cp.methods.cover import MAX_WALKED
from kt_cp.methods.mend.gaps import mend
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import SHORT_REASONS, refute


def answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return a tour mended from walks; this method proves nothing beyond the quick reasons."""
    if len(instance.board) > MAX_WALKED:
        raise UnsupportedError(f"method mend: for boards of up to {MAX_WALKED:,} squares")
    if reason := refute(instance, clock, SHORT_REASONS):
        return refuted(reason)
    try:
        squares = mend(instance, clock, seed)
    except OutOfTime:
        return out_of_time(instance, clock)
    if squares is not None:
        return found(squares)
    return gave_up(instance, "no walks could be mended; method circuit may find a tour")
