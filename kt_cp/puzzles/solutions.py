"""Random tours that meet given constraints: the solutions of which puzzles are made."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from kt_cp.arrays import Squares
from kt_cp.methods.rotations import random_walk_tour
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.solving import solve
from kt_dfs import Status

# The number of moves that are excluded, one after the other, from a tour that a solver found.
_EXCLUDED_MOVES = 8


def random_solution(instance: Instance, seed: int, clock: Clock | None = None) -> Squares | None:
    """Return a random tour that meets the constraints, as ids, or None if there is none.

    Different seeds usually give different tours, if there are several; the ends of an open tour may
    be on any squares. Raises `OutOfTimeError` when the clock's limit is reached.
    """
    clock, random = clock or Clock(), Random(seed)
    tour = _solved(instance, seed, clock)
    if tour is None or len(tour) == 1:
        return tour
    if not instance.givens and instance.symmetry is None:
        return random_walk_tour(instance, tour, random, clock)
    for _ in range(_EXCLUDED_MOVES):
        index = random.randrange(0 if instance.closed else 1, len(tour))
        excluded = Move(int(tour[index - 1]), int(tour[index]))
        without = replace(instance, forbid=(*instance.forbid, excluded))
        try:
            other = _solved(without, seed, clock)
        except OutOfTimeError:
            break
        if other is not None:
            tour, instance = other, without
    return tour


def _solved(instance: Instance, seed: int, clock: Clock) -> Squares | None:
    """Return a tour as ids, or None if there is none. Raises `OutOfTimeError`."""
    result = solve(instance, seed=seed, time_limit=clock.remaining_limit())
    if result.status is Status.UNKNOWN:
        raise OutOfTimeError
    return None if result.tour is None else result.tour.squares
