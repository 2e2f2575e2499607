"""Search for a longer path or cycle than the longest so far, beside CP-SAT or before it.

In large graphs the tour becomes longer within one window after the other, before CP-SAT begins.

For uncrossed and induced tours there are three ways beside CP-SAT. Replacing a segment of the tour
takes little time, and proves nothing. Choosing the edges by CaDiCaL finds a tour that has more
squares, or proves that there is none. For tours that a symmetry maps onto themselves, that takes a
fraction of the time, and among the longest induced tours is often one of these. The ways take
turns, each longer than the one before.
"""

from __future__ import annotations

import itertools
import math
from contextlib import suppress

import numpy as np

from kt_cp.methods.incumbent import Incumbent
from kt_cp.methods.segments import SegmentSearch, can_replace_segments
from kt_cp.methods.windows import WindowSearch
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, distinct_symmetries
from kt_cp.problem.task import BoundProof, Clock, OutOfTimeError, Task
from kt_cp.proof.bounds import possible_length
from kt_cp.sat.partial import FEWEST_SQUARES, PartialSolver, can_choose_edges
from kt_cp.tour.validator import FEWEST_CLOSED

# The first turn of each way: about half a second of processor time. The turns of the next round are
# longer. The work of choosing edges is measured in propagations of CaDiCaL.
_FIRST_STEPS, _FIRST_PROPAGATIONS, _GROWTH = 25_000, 2_000_000, 1.5

# Symmetric tours are sought on larger boards only: on smaller ones the proof takes a few seconds.
_FEWEST_FOR_SYMMETRY = 80

# The propagations in which tours of one symmetry are sought, as a share of those for all tours.
_SYMMETRIC_SHARE = 1 / 2

# The most steps that replace segments in all turns: about a minute of processor time on 8x8.
_MAX_STEPS = 3_000_000

# The share of the time that is left, under a time limit, in which windows are changed.
_WINDOWS_SHARE = 0.75


def fewest_squares(instance: Instance) -> int:
    """Return the fewest squares that the bounds of a partial instance allow."""
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
        self.instance, self.seed, self.best = task.instance, task.seed, best
        self._segments: SegmentSearch | None = None
        if can_replace_segments(self.instance):
            self._segments = SegmentSearch(self.instance, self.seed)
        self._can_choose_edges = can_choose_edges(self.instance)

    @property
    def can_take_turns(self) -> bool:
        """Whether one of the ways is worth its time beside CP-SAT."""
        can_replace = self._segments is not None and self.instance.is_uncrossed_or_induced
        return can_replace or self._can_choose_edges

    def take_turns(self, clock: Clock) -> None:
        """Search in turns until the longest tour is proven, all ways have ended, or time is up.

        For induced tours only edges are chosen, which finds longer ones sooner.
        """
        steps, propagations = _FIRST_STEPS, _FIRST_PROPAGATIONS
        steps_left = _MAX_STEPS
        with suppress(OutOfTimeError):
            solvers = self._solvers(clock)
            if solvers and self.instance.has_no("chords"):
                steps_left = 0
            while not self.best.is_finished and (steps_left > 0 or solvers):
                self.replace_segments(min(steps, steps_left), clock)
                steps_left = max(0, steps_left - steps)
                for solver in solvers:
                    self._choose_edges(solver, propagations)
                solvers = [solver for solver in solvers if not solver.is_exhausted]
                steps, propagations = int(_GROWTH * steps), int(_GROWTH * propagations)

    def replace_segments(self, steps: int, clock: Clock) -> None:
        """Offer the tours that replacing segments finds in ``steps`` steps.

        Stop at a tour that is known to be a longest one. Raises `OutOfTimeError`.
        """
        if self._segments is None or steps == 0:
            return
        begin = None if self.best.squares is None else self.best.squares.tolist()
        for tour in self._segments.longer_tours(steps, begin, clock):
            squares = np.array(tour, dtype=np.int32)
            if self.instance.satisfied_by(squares):
                self.best.offer(squares)
            if self.best.is_finished:
                return

    def change_windows(self, clock: Clock) -> None:
        """Offer tours that become longer within a window, until many windows in a row have none.

        A share of the time that is left is kept.
        """
        if self.best.squares is None:
            return
        windows = WindowSearch(self.instance, self.seed)
        with suppress(OutOfTimeError):
            clock_of_windows = clock.for_share(_WINDOWS_SHARE)
            for squares in windows.longer_tours(self.best.squares, clock_of_windows):
                self.best.offer(squares)
                if self.best.is_finished:
                    return

    def _solvers(self, clock: Clock) -> list[PartialSolver]:
        """Return the solvers that choose edges: of symmetric tours first, and then of all tours."""
        if not self._can_choose_edges:
            return []
        symmetries: list[TourMap | None] = []
        is_large = len(self.instance.graph) >= _FEWEST_FOR_SYMMETRY
        if is_large and self.instance.has_no("chords"):
            symmetries += distinct_symmetries(self.instance)
        return [PartialSolver(self.instance, clock, symmetry=each) for each in [*symmetries, None]]

    def _choose_edges(self, solver: PartialSolver, propagations: int) -> None:
        """Offer the longer tours that CaDiCaL finds in about ``propagations`` propagations.

        If it proves that there is none, note the bound. A solver of symmetric tours has a smaller
        share, and proves nothing about other tours. Raises `OutOfTimeError`.
        """
        if solver.symmetry is not None:
            propagations = int(_SYMMETRIC_SHARE * propagations)
        until = solver.propagations + propagations
        while not self.best.is_finished and solver.propagations < until:
            fewest = self._wanted_squares()
            squares = solver.search(fewest, until)
            if squares is not None:
                self.best.offer(squares)
            elif solver.is_exhausted:
                if solver.symmetry is None:
                    self._note_fewer_than(fewest)
                return

    def _wanted_squares(self) -> int:
        """Return the smallest possible number of squares of a tour that is longer than the best."""
        if self.best.squares is None:
            return max(FEWEST_SQUARES, fewest_squares(self.instance))
        longer = itertools.count(len(self.best.squares) + 1)
        return next(each for each in longer if possible_length(self.instance, each) == each)

    def _note_fewer_than(self, squares: int) -> None:
        """Note that CaDiCaL has proven that every tour visits fewer squares."""
        if squares == fewest_squares(self.instance):  # fewer are not allowed
            self.best.tighten(0, math.inf, BoundProof.CADICAL)
        else:
            note_most_squares(self.best, 0, squares - 1, BoundProof.CADICAL)
