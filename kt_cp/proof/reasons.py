"""The reasons why no tour meets the constraints that a person can check.

Each is a function that takes an instance and returns a `Reason`, or None if it does not apply. The
reasons are not complete: if none applies, only a search can decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kt_cp.problem.instance import Instance
from kt_cp.problem.task import FLOW, LOOP, SCAN, Clock
from kt_cp.proof.cases import few_cases
from kt_cp.proof.cut_reasons import hidden_separator, separator, too_few_moves
from kt_cp.proof.order_reasons import misplaced_order
from kt_cp.proof.reason import Find, Reason, degrees_of
from kt_cp.proof.scan_reasons import (
    colors,
    components,
    contradiction,
    forced_moves,
    low_degrees,
    misplaced_steps,
    must_be_ends,
    one_way_squares,
    schwenk,
    too_small,
)
from kt_cp.proof.separators import greedy_rounds
from kt_cp.proof.symmetry_reasons import no_symmetric_tour

# The most seconds that a proof by a few cases takes.
_FEW_CASES = 0.3


def degree_one_ends(instance: Instance) -> Reason | None:
    """Return a reason that follows from vertices of degree one being ends of the tour, or None."""
    graph = instance.graph
    if instance.direction_matters or not instance.free_end_count or len(graph) == 1:
        return None
    has_degree_one = degrees_of(graph, instance.edges) == 1
    others = np.setdiff1d(np.flatnonzero(has_degree_one), instance.ends).tolist()
    if not 0 < len(others) <= instance.free_end_count:
        return None
    ends = [*instance.ends, *others]
    with_ends = Instance(
        graph,
        start=ends[0],
        end=ends[1] if len(ends) > 1 else None,
        require=instance.require,
        forbid=instance.forbid,
    )
    for find in (colors, forced_moves, separator):
        if reason := find(with_ends):
            text = f"{must_be_ends(graph, 'degree_one', others)}; {reason.template}"
            squares = {"degree_one": tuple(others), **reason.groups}
            return replace(reason, template=text, groups=squares)
    return None


# Each of these scans the squares and moves, mostly in NumPy.
QUICK_REASONS: tuple[Find, ...] = (
    too_small,
    contradiction,
    colors,
    low_degrees,
    one_way_squares,
    components,
    schwenk,
    no_symmetric_tour,
    misplaced_steps,
    misplaced_order,
    forced_moves,
)

# These compute maximum flows or search the graph, which often takes longer than finding a tour.
SLOW_REASONS: tuple[Find, ...] = (
    degree_one_ends,
    separator,
    too_few_moves,
    few_cases,
    hidden_separator,
)

REASONS = (*QUICK_REASONS, *SLOW_REASONS)

# The only reasons that apply to full rectangles with sides from 6 on; they need no list of moves.
RECTANGLE_REASONS = (too_small, colors, schwenk)


def refute(
    instance: Instance, clock: Clock | None = None, reasons: Sequence[Find] = REASONS
) -> Reason | None:
    """Return the first reason that applies, or None if none does.

    A reason that may take longer than the clock has left is skipped.

    >>> from kt_cp.board import Board
    >>> print(refute(Instance(Board(4, 8), closed=True)))
    Schwenk's theorem (1991): no closed tour, as one side is 1, 2 or 4
    >>> print(refute(Instance(Board(9, 9), start=1)))
    moves alternate between 41 dark and 40 light squares, so an open tour starts and ends on dark; \
b9 is light
    >>> refute(Instance(Board(8, 8), closed=True)) is None
    True
    """
    for find in reasons:
        if clock is not None and clock.remaining <= _seconds(find, instance):
            continue
        reason = find(instance)
        if reason is not None:
            return reason
    return None


def _seconds(find: Find, instance: Instance) -> float:
    """Return an upper estimate of the seconds a reason takes, as none can be interrupted."""
    count = len(instance.graph)
    if find is hidden_separator:
        return LOOP * greedy_rounds(count) * count
    if find in (degree_one_ends, separator):
        return FLOW * count
    if find is few_cases:
        return _FEW_CASES
    if find is too_few_moves:
        return FLOW * count
    return SCAN * count
