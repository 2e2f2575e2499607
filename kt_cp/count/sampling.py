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
from tempfile import SpooledTemporaryFile
from typing import NamedTuple, Unpack

import numpy as np

from kt_cp.count.frontier import States, hash_states, sweep
from kt_cp.count.frontier_plan import (
    Choice,
    OutOfMemory,
    Plan,
    Step,
    memory_of,
    number_of,
    unsupported,
)
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
    draw, closings, layer = random.Random(seed), list[_Way](), States.first(plan)
    with _Record(memory / 2) as record:
        after = sweep(plan, layer, clock, memory / 2)
        for number, (step, (following, _)) in enumerate(zip(plan.steps, after, strict=False)):
            record.keep(layer)
            for choice, closing in layer.closings(step):
                closings.append(_Way(number, choice, closing.mates[0].tobytes(), closing.total))
            layer = following
        if not closings:
            return []
        edges = _edges(plan, record, _draw(closings, count, draw), draw, clock)
    return [_tour(plan, each, draw) for each in edges]


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


class _Way(NamedTuple):
    """A way to go on: at which step, by which choice, from which state, in how many tours."""

    step: int
    choice: Choice
    state: bytes
    tours: int


class _Record(SpooledTemporaryFile[bytes]):
    """The states before each step, in a file that is in memory up to a number of bytes."""

    def __init__(self, memory: float) -> None:
        super().__init__(int(memory))
        self._places: list[int] = []

    def keep(self, layer: States) -> None:
        """Keep the states before the next step."""
        self._places.append(self.tell())
        np.save(self, layer.mates)
        np.save(self, layer.counts)

    def before(self, number: int) -> States:
        """Return the states before a step."""
        self.seek(self._places[number])
        return States(np.load(self), np.load(self))


def _edges(
    plan: Plan, record: _Record, closings: list[_Way], draw: random.Random, clock: Clock
) -> list[list[tuple[int, int]]]:
    """Return the edges of a tour for each way to close one."""
    edges: list[list[tuple[int, int]]] = [[] for _ in closings]
    reached: dict[bytes, list[int]] = {}
    for number, step in reversed(list(enumerate(plan.steps))):
        clock.check()
        chosen = [(tour, way) for tour, way in enumerate(closings) if way.step == number]
        if reached:
            ways = _ways(number, step, record.before(number), reached)
            for state, tours in reached.items():
                chosen += zip(tours, _draw(ways[state], len(tours), draw), strict=True)
        reached = defaultdict(list)
        for tour, way in chosen:
            edges[tour] += [(step.vertices[0], step.vertices[at]) for at in way.choice]
            reached[way.state].append(tour)
    return edges


def _ways(
    number: int, step: Step, layer: States, wanted: dict[bytes, list[int]]
) -> dict[bytes, list[_Way]]:
    """Return all ways in which the states before a step lead to each state that is wanted."""
    after = np.frombuffer(b"".join(wanted), layer.mates.dtype).reshape(len(wanted), -1)
    keys, ways = hash_states(after), defaultdict[bytes, list[_Way]](list)
    for chunk in layer.chunks():
        for choice, rows, mates in chunk.moves(step):
            for hit in np.flatnonzero(np.isin(hash_states(mates), keys)).tolist():
                if (state := mates[hit].tobytes()) in wanted:
                    row = rows[hit]
                    tours = number_of(chunk.counts[:, row].tolist())
                    ways[state].append(_Way(number, choice, chunk.mates[row].tobytes(), tours))
    return ways


def _draw(ways: list[_Way], count: int, draw: random.Random) -> list[_Way]:
    """Draw some of the ways, in proportion to their counts."""
    totals = list(itertools.accumulate(way.tours for way in ways))
    return [ways[bisect_right(totals, draw.randrange(totals[-1]))] for _ in range(count)]


def _tour(plan: Plan, edges: list[tuple[int, int]], draw: random.Random) -> Tour:
    """Return the tour with these edges, those of the depot included."""
    instance = plan.instance
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
