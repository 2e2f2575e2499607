"""Draw tours at random, each of all tours with the same probability, without listing them.

The tours are counted by frontier (see `kt_cp.count.frontier`), and the states before each square
are kept. A tour is then drawn backwards: first one of the ways to close it, then square by square
one of the ways to reach the state that was drawn last, with probabilities proportional to the
numbers of partial tours. All tours are drawn in one pass over the states.
"""

from __future__ import annotations

import itertools
import random
from bisect import bisect_right
from collections import defaultdict
from itertools import repeat
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from kt_cp.count.frontier import States, sweep
from kt_cp.count.frontier_plan import Choice, OutOfMemory, Plan, memory_of, numbers, unsupported
from kt_cp.errors import InputError, checked_number
from kt_cp.graph import GraphLike, adjacency
from kt_cp.methods.answers import (
    Answer,
    UnsupportedError,
    exhausted,
    found,
    gave_up,
    out_of_time,
)
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import Tour


def sample_tours(
    board: GraphLike,
    count: int,
    seed: int = 0,
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    **constraints: Unpack[Constraints],
) -> list[Tour]:
    """Return ``count`` tours drawn at random with replacement, or none if there is no tour.

    Every tour that meets the constraints is equally likely: open tours in either direction, closed
    ones as cycles. (The tests compare draws with the uniform distribution by chi-squared.) The same
    ``seed`` gives the same tours. ``memory_limit`` is in MiB, by default three quarters of the
    memory that is free; what is kept beyond half of it is kept on disk.

    Raises `InputError` for one-way boards, directed moves, given steps and symmetries, and
    `OutOfTime` or `OutOfMemory` when a limit is reached.

    >>> [tour.names[:3] for tour in sample_tours("5x5", 2, seed=1)]
    [['e5', 'c4', 'a3'], ['a1', 'b3', 'a5']]
    """
    checked_number("count", count, 1)
    instance = Instance.of(board, **constraints)
    if reason := unsupported(instance):
        raise InputError(f"tours cannot be drawn at random under {reason}")
    plan, clock, memory = Plan(instance), Clock(time_limit), memory_of(memory_limit)
    if len(instance.graph) == 1:
        alone = Tour.of_ids(instance.graph, instance.graph.vertices, False)
        return [] if instance.closed else [alone] * count
    draw, closings, layer = random.Random(seed), list[_Closing](), States.first(plan)
    with _Record(memory / 2) as record:
        after = sweep(plan, layer, clock, memory / 2)
        for number, (step, (following, _)) in enumerate(zip(plan.steps, after, strict=False)):
            record.keep(layer)
            for choice, rows in layer.closings(step):
                tours = numbers(layer.counts[:, rows])
                closings += map(_Closing, repeat(number), repeat(choice), rows.tolist(), tours)
            layer = following
        if not closings:
            return []
        drawn = _draw([closing.tours for closing in closings], count, draw)
        chosen = _choices(plan, record, [closings[each] for each in drawn], draw, clock)
    return [_tour(plan, each, draw) for each in chosen]


def answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return a tour drawn at random, or the answer that there is none: the method ``frontier``."""
    if reason := unsupported(instance):
        raise UnsupportedError(f"method frontier does not support {reason}; method circuit does")
    limit = None if clock.limit is None else max(clock.remaining, 1e-9)
    try:
        tours = sample_tours(instance, 1, seed, time_limit=limit)
    except OutOfTime:
        return out_of_time(instance, clock)
    except OutOfMemory as error:
        return gave_up(instance, str(error))
    return (
        found(tours[0].squares)
        if tours
        else exhausted(instance, "counting by frontier finds none", {})
    )


class _Closing(NamedTuple):
    """A way to close tours: at which step, by which choice, from which state, and how many."""

    step: int
    choice: Choice
    state: int
    tours: int


class _Record(SpooledTemporaryFile[bytes]):
    """The states before each step, in a file that is in memory up to a number of bytes."""

    def __init__(self, memory: float) -> None:
        super().__init__(int(memory))
        self._places: list[int] = []

    def keep(self, layer: States) -> None:
        """Keep how many partial tours there are before the next step, and the ways to them."""
        self._places.append(self.tell())
        for values in (layer.counts, layer.sources, layer.choices, layer.bounds):
            np.save(self, values)

    def before(self, number: int) -> list[npt.NDArray[Any]]:
        """Return what was kept before a step."""
        self.seek(self._places[number])
        return [np.load(self) for _ in range(4)]


def _choices(
    plan: Plan, record: _Record, closings: list[_Closing], draw: random.Random, clock: Clock
) -> list[list[tuple[int, Choice]]]:
    """Return the steps and choices of a tour for each way to close one, from the last to the first.

    Tours that have reached the same state are taken on together.
    """
    chosen = [[(closing.step, closing.choice)] for closing in closings]
    reached = defaultdict[int, list[int]](list)
    for number in range(max(closing.step for closing in closings), 0, -1):
        clock.check()
        for tour, closing in enumerate(closings):
            if closing.step == number:
                reached[closing.state].append(tour)
        _, sources, choices, bounds = record.before(number)
        counts, *_ = record.before(number - 1)
        before = defaultdict[int, list[int]](list)
        for state, tours in reached.items():
            ways = slice(*bounds[state : state + 2])
            drawn = _draw(numbers(counts[:, sources[ways]]), len(tours), draw)
            for tour, way in zip(tours, drawn, strict=True):
                choice = plan.steps[number - 1].choices[choices[ways][way]]
                chosen[tour].append((number - 1, choice))
                before[int(sources[ways][way])].append(tour)
        reached = before
    return chosen


def _draw(weights: list[int], count: int, draw: random.Random) -> list[int]:
    """Draw some of the places in a list, in proportion to the weights there."""
    totals = list(itertools.accumulate(weights))
    return [bisect_right(totals, draw.randrange(totals[-1])) for _ in range(count)]


def _tour(plan: Plan, chosen: list[tuple[int, Choice]], draw: random.Random) -> Tour:
    """Return the tour that chooses so, as a path between its ends or from its start."""
    instance = plan.instance
    steps = [(plan.steps[number].vertices, choice) for number, choice in chosen]
    edges = [(vertices[0], vertices[at]) for vertices, choice in steps for at in choice]
    neighbors = adjacency(np.array(edges, dtype=np.int32))
    if instance.closed:
        first = min(neighbors) if instance.start is None else instance.start
        path = [first, min(neighbors[first])]
    else:
        ends = [end for end in neighbors[plan.depot] if end != instance.end]
        path = [plan.depot, draw.choice(ends) if instance.start is None else instance.start]
    while len(path) < len(neighbors):
        one, other = neighbors[path[-1]]
        path.append(other if one == path[-2] else one)
    return Tour.of_ids(instance.graph, path if instance.closed else path[1:], instance.closed)
