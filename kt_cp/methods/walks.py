"""Long paths and cycles from random walks in a graph, with which a search for longer ones begins.

A walk goes to a vertex with few free neighbors, as in Warnsdorff's rule, but avoids dead ends.
Where it cannot go on, a Pósa rotation makes another vertex the last one (see
`kt_cp.methods.rotations`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from random import Random

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.methods.rotations import rotate_end
from kt_cp.problem.instance import Instance
from kt_cp.tour.validator import FEWEST_CLOSED

# How many walks there are.
_WALKS = 8

# How often a walk may get stuck: the larger of a number and one for each vertex.
_FEWEST_DEAD_ENDS, _DEAD_ENDS_PER_VERTEX = 200, 3

Neighbors = dict[int, list[int]]
"""The vertices to which a walk can go from each vertex, by ids."""


def random_walks(instance: Instance, seed: int) -> Iterator[Squares]:
    """Yield paths, or cycles, that meet the constraints of an instance, as ids in visiting order.

    >>> from dataclasses import replace
    >>> instance = replace(Instance.of("5x5"), allows_partial=True)
    >>> max(map(len, random_walks(instance, seed=0)))
    25
    """
    random = Random(seed)
    neighbors: Neighbors = {vertex: [] for vertex in instance.graph.vertices.tolist()}
    for source, target in instance.arcs.tolist():
        neighbors[source].append(target)
    for _ in range(_WALKS):
        first = random.choice(list(neighbors)) if instance.first is None else instance.first
        path = _walk(neighbors, first, random, may_rotate=not instance.one_way)
        if instance.closed:
            tour = _longest_cycle_of(path, neighbors)
        elif instance.has_few_crossings or instance.has_no("chords"):
            tour = _longest_beginning_of(path, instance)
        else:
            tour = _cut_at_end(path, instance)
        if tour and instance.satisfied_by(np.array(tour)):
            yield np.array(tour, dtype=np.int32)


def _longest_beginning_of(path: list[int], instance: Instance) -> list[int]:
    """Return the longest beginning of a path that meets the constraints, or one square.

    Every beginning of an induced path is induced, too, and has no more crossings than the path.
    """
    squares = np.array(path, dtype=np.int32)

    def is_too_long(length: int) -> bool:
        return not instance.satisfied_by(squares[:length])

    return path[: 1 + bisect_left(range(2, len(path) + 1), True, key=is_too_long)]


def _walk(neighbors: Neighbors, first: int, random: Random, may_rotate: bool) -> list[int]:
    """Return the longest path that a random walk from a vertex meets.

    If the last vertex has no free neighbor, a rotation makes another vertex the last, provided that
    all edges run both ways. Without a rotation the walk steps back, and does not return there.
    """
    path, visited = [first], {first}
    longest = [first]
    for _ in range(max(_FEWEST_DEAD_ENDS, _DEAD_ENDS_PER_VERTEX * len(neighbors))):
        while following := _onward(neighbors, path[-1], visited):
            path.append(random.choice(following))
            visited.add(path[-1])
        if len(path) > len(longest):
            longest = list(path)
        pivots = _pivots(neighbors, path) if may_rotate else []
        if pivots:
            rotate_end(path, random.choice(pivots))
        elif len(path) > 1:
            path.pop()
        else:
            break
        if len(longest) == len(neighbors):
            break
    return longest


def _onward(neighbors: Neighbors, last: int, visited: set[int]) -> list[int]:
    """Return the free neighbors of a vertex that have the fewest free neighbors, but not none.

    Dead ends are returned if there are no others.
    """
    free = [each for each in neighbors[last] if each not in visited]
    counts = [sum(far not in visited for far in neighbors[each]) for each in free]
    fewest = min((count for count in counts if count > 0), default=0)
    return [each for each, count in zip(free, counts, strict=True) if count == fewest]


def _pivots(neighbors: Neighbors, path: list[int]) -> list[int]:
    """Return the places on a path of the last vertex's neighbors, but for the one before it."""
    around = set(neighbors[path[-1]])
    return [place for place, vertex in enumerate(path[:-2]) if vertex in around]


def _cut_at_end(path: list[int], instance: Instance) -> list[int]:
    """Return the part of a path that leads to the end of the instance, or all if it has none."""
    if instance.last is None or instance.last not in path:
        return path
    return path[: path.index(instance.last) + 1]


def _longest_cycle_of(path: list[int], neighbors: Neighbors) -> list[int]:
    """Return the longest part of a path that an arc from its last to its first vertex closes."""
    place = {vertex: index for index, vertex in enumerate(path)}
    longest: list[int] = []
    for last, vertex in enumerate(path):
        first = min((place[each] for each in neighbors[vertex] if each in place), default=last)
        length = last - first + 1
        if length >= max(FEWEST_CLOSED, len(longest) + 1):
            longest = path[first : last + 1]
    return longest
