"""Draw tours at random, each of all tours with the same probability, without listing them.

The tours are counted by frontier (see `kt_cp.count.frontier`), and the states before each square
are kept. A tour is then drawn backwards: first one of the ways to close it, then square by square
one of the ways to reach the state that was drawn last, with probabilities proportional to the
numbers of partial tours. All tours are drawn in one pass over the states.
"""

from __future__ import annotations

import itertools
import pickle
import random
from bisect import bisect_right
from collections import defaultdict
from dataclasses import replace
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple, Unpack

import numpy as np

from kt_cp.count.cost import CountProgress, Progress, bytes_allowed
from kt_cp.count.counting import enumerate_tours
from kt_cp.count.frontier import States, sweep
from kt_cp.count.plan import Choice, Plan, unsupported
from kt_cp.count.tables import numbers
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError, checked_number
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.sat.edges import cycle_neighbors, cycles
from kt_cp.tour.tour import Tour

# The most tours that are drawn at a time if only those within bounds are kept.
_MAX_BATCH = 10_000


def sample_tours(
    board: GraphLike,
    count: int,
    seed: int = 0,
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    progress: Progress | None = None,
    **constraints: Unpack[Constraints],
) -> list[Tour]:
    """Return ``count`` tours drawn at random with replacement, or none if there is no tour.

    Every tour that meets the constraints is equally likely: open tours in either direction, closed
    ones as cycles. (The tests compare draws with the uniform distribution by chi-squared.) The same
    ``seed`` gives the same tours on every machine. ``memory_limit`` is in MiB, by default three
    quarters of the free memory; layers that exceed half of it are stored on disk. ``progress`` is
    that of `count_tours`.

    Under bounds on features, tours are drawn without the bounds until enough of them meet these,
    which takes long if few tours do.

    Raises `InputError` for given steps, symmetries and functions of the caller, and
    `OutOfTimeError` or `OutOfMemoryError` when a limit is reached.

    >>> [tour.names[:3] for tour in sample_tours("5x5", 2, seed=1)]
    [['a5', 'b3', 'a1'], ['e5', 'c4', 'a5']]
    """
    checked_number("count", count, 1)
    instance = Instance.of(board, **constraints)
    unbounded = replace(instance, having=())
    if reason := unsupported(unbounded):
        raise InputError(f"tours cannot be drawn at random under {reason}")
    clock = Clock(time_limit)
    memory = bytes_allowed(memory_limit)
    if not instance.having:
        return _draw_tours(instance, count, random.Random(seed), clock, memory, progress)
    kept = list[Tour]()  # since all tours are equally likely, those that meet the bounds are too
    for batch in itertools.count():
        number = min(count * 2**batch, _MAX_BATCH)
        rng = random.Random(f"{seed} {batch}")
        tours = _draw_tours(unbounded, number, rng, clock, memory, progress)
        kept += [tour for tour in tours if all(bound.holds(tour) for bound in instance.having)]
        if len(kept) >= count or not tours:
            break
        if batch == 0 and not kept:  # a tour that meets them is looked for, as there may be none
            some = enumerate_tours(instance, time_limit=clock.remaining_limit())
            if next(some, None) is None:
                break
        clock.check()
    return kept[:count]


def _draw_tours(
    instance: Instance,
    count: int,
    rng: random.Random,
    clock: Clock,
    memory: float,
    progress: Progress | None,
) -> list[Tour]:
    """Return tours drawn at random by frontier, or none if there is no tour."""
    plan = Plan(instance)
    if len(instance.graph) == 1:
        alone = Tour.from_ids(instance.graph, instance.graph.vertices, False)
        return [] if instance.closed else [alone] * count
    if plan.total(len(instance.graph), 1) == 0:  # two vertices
        return []
    ends = list[_End]()
    weights = list[int]()  # how many tours end in each of these ways
    with SpooledTemporaryFile(int(memory / 2)) as file:
        offsets = list[int]()  # the byte at which the layer before each step begins
        layer = States.initial(plan)
        layers = CountProgress(plan.expected, progress)
        for number, (following, _) in enumerate(sweep(plan, layer, clock, memory / 2)):
            offsets.append(file.tell())
            pickle.dump(replace(layer, mates=layer.mates[:0]), file)  # no mates are needed
            for closing, states in layer.closings(plan.steps[number]):
                ends += [_End(number, closing.choice, state) for state in states.tolist()]
                weights += numbers(layer.counts[:, states])
            layer = following
            layers.add(layer.size, layer.nbytes)
        if not ends:
            return []
        drawn = [ends[index] for index in _draw_indices(weights, count, rng)]
        choices = _draw_choices(plan, drawn, file, offsets, rng, clock)
    return [_tour_of(plan, each, rng) for each in choices]


class _End(NamedTuple):
    """How a tour is closed: at which step, by which choice, and from which state before it."""

    step: int
    choice: Choice
    state: int


def _read(file: IO[bytes], offset: int) -> States:
    """Return the layer at an offset of a file."""
    file.seek(offset)
    layer: States = pickle.load(file)
    return layer


def _draw_choices(
    plan: Plan,
    ends: list[_End],
    file: IO[bytes],
    offsets: list[int],
    rng: random.Random,
    clock: Clock,
) -> list[list[tuple[int, Choice]]]:
    """Draw a tour for each of the ends: its steps and choices, from the last to the first.

    A tour is an index in the ``ends``. Tours that have reached the same state are drawn together,
    and every layer is read once.
    """
    chosen = [[(end.step, end.choice)] for end in ends]
    last = len(offsets) - 1
    layer = _read(file, offsets[last])
    tours_at = defaultdict[int, list[int]](list)  # the tours that have reached each of its states
    for number in range(last, 0, -1):
        clock.check()
        for tour, end in enumerate(ends):
            if end.step == number:
                tours_at[end.state].append(tour)
        before = _read(file, offsets[number - 1])
        choices = plan.steps[number - 1].choices
        tours_before = defaultdict[int, list[int]](list)
        for state, tours in tours_at.items():
            ways = slice(layer.bounds[state], layer.bounds[state + 1])
            # Sorted, as their order in the layer depends on how the machine sorts.
            origins = sorted(
                zip(layer.sources[ways].tolist(), layer.choices[ways].tolist(), strict=True)
            )
            weights = numbers(before.counts[:, [source for source, _ in origins]])
            for tour, way in zip(tours, _draw_indices(weights, len(tours), rng), strict=True):
                source, choice = origins[way]
                chosen[tour].append((number - 1, choices[choice]))
                tours_before[source].append(tour)
        layer, tours_at = before, tours_before
    return chosen


def _draw_indices(weights: list[int], count: int, rng: random.Random) -> list[int]:
    """Draw ``count`` indices of the weights at random, in proportion to these."""
    totals = list(itertools.accumulate(weights))
    return [bisect_right(totals, rng.randrange(totals[-1])) for _ in range(count)]


def _tour_of(plan: Plan, chosen: list[tuple[int, Choice]], rng: random.Random) -> Tour:
    """Return the tour of these choices; if it has no given direction, in one drawn at random."""
    edges = list[tuple[int, int]]()
    for number, choice in chosen:
        node, *others = plan.steps[number].vertices
        edges += [(node, others[position - 1]) for position in choice]
    [cycle] = cycles(cycle_neighbors(len(plan.form), np.array(edges)))
    squares = plan.form.tour(cycle)
    instance = plan.instance
    if instance.free_end_count == 2 and not instance.one_way:
        squares = squares[:: rng.choice([1, -1])]  # forward or backward
    return Tour.from_ids(instance.graph, squares, instance.closed)
