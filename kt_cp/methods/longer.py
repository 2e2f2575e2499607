"""Search for a longer path or cycle than the longest so far, beside CP-SAT or before it.

In large graphs the tour becomes longer within one window after the other, before CP-SAT begins.

For uncrossed and induced tours there are two ways beside CP-SAT. Replacing a segment of the tour
takes little time, and proves nothing. Choosing the edges by CaDiCaL finds a tour that has more
squares, or proves that there is none. They take turns, each longer than the one before.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace

import numpy as np

from kt_cp.methods.incumbent import Incumbent
from kt_cp.methods.segments import SegmentSearch, can_replace_segments
from kt_cp.methods.windows import WindowSearch
from kt_cp.problem.clock import OutOfTimeError
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import BoundProof
from kt_cp.problem.task import Task
from kt_cp.proof.bounds import possible_length
from kt_cp.sat.partial import FEWEST_SQUARES, PartialSolver, can_choose_edges
from kt_cp.tour.kinds import FEWEST_CLOSED

# The first turn of each way: about half a second of processor time. The turns of the next round are
# longer. The work of choosing edges is measured in propagations of CaDiCaL.
_FIRST_STEPS, _FIRST_PROPAGATIONS, _GROWTH = 25_000, 2_000_000, 1.5

# The most steps that replace segments in all turns: about a minute of processor time on 8x8.
_MAX_STEPS = 3_000_000

# The share of the time that is left, under a time limit, in which windows are changed.
_WINDOWS_SHARE = 0.75


def fewest_squares(instance: Instance) -> int:
    """Return how many squares a tour of a partial instance has at least, by its bounds."""
    fewest = [FEWEST_CLOSED if instance.closed else 1]
    for bound in instance.having:
        low, _ = bound.limits
        if bound.feature == "squares" and low is not None:
            fewest.append(low)
    return max(fewest)


def note_most_squares(best: Incumbent, index: int, most: float, proof: BoundProof) -> None:
    """Keep a bound on the squares of all tours of a model, and what proves it, if it is better.

    It is rounded down to a possible length: a cycle of a bipartite graph is even.
    """
    best.tighten(index, -possible_length(best.task.instance, most), proof)


class LongerTours:
    """Offers longer and longer tours of a task's instance to the incumbent, and notes bounds."""

    def __init__(self, task: Task, best: Incumbent) -> None:
        self.task, self.best = task, best
        self._segments: SegmentSearch | None = None
        if can_replace_segments(task.instance):
            self._segments = SegmentSearch(task.instance, task.seed)
        self._edges: PartialSolver | None = None

    @property
    def can_take_turns(self) -> bool:
        """Whether one of the ways is worth its time beside CP-SAT."""
        instance = self.task.instance
        can_replace = self._segments is not None and instance.is_uncrossed_or_induced
        return can_replace or can_choose_edges(instance)

    def take_turns(self) -> None:
        """Search in turns until the best is finished, both ways are, or the clock's limit.

        Longer induced tours are found sooner by choosing edges, so that this takes all turns.
        """
        steps, propagations = _FIRST_STEPS, _FIRST_PROPAGATIONS
        steps_left = _MAX_STEPS
        with suppress(OutOfTimeError):
            if can_choose_edges(self.task.instance):
                self._edges = PartialSolver(self.task.instance, self.task.clock)
                if self.task.instance.has_no("chords"):
                    steps_left = 0
            while not self.best.is_finished and (steps_left > 0 or self._edges is not None):
                self.replace_segments(min(steps, steps_left))
                steps_left = max(0, steps_left - steps)
                self._choose_edges(propagations)
                steps, propagations = int(_GROWTH * steps), int(_GROWTH * propagations)

    def replace_segments(self, steps: int) -> None:
        """Offer the tours that replacing segments finds in ``steps`` steps.

        It ends with a tour that is known to be a longest one. Raises `OutOfTimeError`.
        """
        if self._segments is None or steps == 0:
            return
        instance = self.task.instance
        begin = None if self.best.squares is None else self.best.squares.tolist()
        for tour in self._segments.longer_tours(steps, begin, self.task.clock):
            squares = np.array(tour, dtype=np.int32)
            if instance.satisfied_by(squares):
                self.best.offer(squares)
            if self.best.is_finished:
                return

    def change_windows(self) -> None:
        """Offer tours that become longer within a window, until many windows in a row have none.

        A share of the time that is left is kept.
        """
        if self.best.squares is None:
            return
        clock = self.task.clock
        if clock.limit is not None:
            clock = replace(clock, limit=clock.seconds + _WINDOWS_SHARE * clock.remaining)
        windows = WindowSearch(self.task.instance, self.task.seed)
        with suppress(OutOfTimeError):
            for squares in windows.longer_tours(self.best.squares, clock):
                self.best.offer(squares)
                if self.best.is_finished:
                    return

    def _choose_edges(self, propagations: int) -> None:
        """Offer the longer tours that CaDiCaL finds in about so many propagations, or a bound.

        Raises `OutOfTimeError`.
        """
        if self._edges is None:
            return
        until = self._edges.propagations + propagations
        while not self.best.is_finished and self._edges.propagations < until:
            fewest = self._wanted_squares()
            squares = self._edges.search(fewest, until)
            if squares is not None:
                self.best.offer(squares)
            elif self._edges.is_exhausted:
                self._note_fewer_than(fewest)
                self._edges = None
                return

    def _wanted_squares(self) -> int:
        """Return the smallest possible number of squares of a tour that is longer than the best."""
        if self.best.squares is None:
            return max(FEWEST_SQUARES, fewest_squares(self.task.instance))
        wanted = len(self.best.squares) + 1
        while possible_length(self.task.instance, wanted) < wanted:
            wanted += 1
        return wanted

    def _note_fewer_than(self, squares: int) -> None:
        """Note that CaDiCaL has proven that every tour visits fewer squares."""
        if squares == fewest_squares(self.task.instance):  # the constraints ask for as many
            self.best.tighten(0, math.inf, BoundProof.CADICAL)
        else:
            note_most_squares(self.best, 0, squares - 1, BoundProof.CADICAL)
