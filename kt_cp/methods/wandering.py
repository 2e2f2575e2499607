"""A random tour from any: a walk along paths and cycles, which forgets where it began.

One edge of the cycle is left out, so that it is a path, and the path's end is joined with a node in
its middle in place of the edge behind that node (L. Pósa, Hamiltonian circuits in random graphs,
1976). Unlike annealing, it takes every step.
"""

from __future__ import annotations

from collections import deque
from random import Random

import numpy as np

from kt_cp.board import Squares
from kt_cp.problem.instance import Instance
from kt_cp.sat.edges import edge_graph

# Steps for each node, and how many of the last tours are looked at.
_STEPS, _LAST = 100, 200


def wandered(instance: Instance, tour: Squares, random: Random) -> Squares:
    """Return another tour that meets the constraints, or the same if the walk met no other.

    Not all tours are equally likely. Given steps and symmetries are kept by chance only.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> wandered(Instance.of("3x4", start="a3"), tour, Random(1)).tolist()
    [0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4]
    """
    graph = edge_graph(instance)
    cycle = np.searchsorted(instance.graph.vertices, tour)
    if not instance.closed:
        cycle = np.append(cycle, graph.depot)
    if graph.split:
        cycle = np.stack([cycle + graph.stops, cycle], axis=1).ravel()
    near: list[list[int]] = [[] for _ in range(graph.nodes)]
    fixed = set[tuple[int, int]]()
    for (one, other), is_required in zip(graph.edges.tolist(), graph.required, strict=True):
        if is_required:
            fixed |= {(one, other), (other, one)}
        else:
            near[one].append(other)
            near[other].append(one)
    path = cycle.tolist()
    free = [place for place, node in enumerate(path) if (path[place - 1], node) not in fixed]
    if not free:
        return tour
    place = random.choice(free)
    path = path[place:] + path[:place]
    found = deque[list[int]](maxlen=_LAST)
    for _ in range(_STEPS * graph.nodes):
        if random.random() < 0.5:
            path.reverse()
        if not (around := near[path[-1]]):
            continue
        node = random.choice(around)
        if node == path[0]:
            found.append(path)
            place = random.randrange(graph.nodes)  # where the cycle is opened again
            if (path[place - 1], path[place]) in fixed:
                place = 0
            path = path[place:] + path[:place]
        else:
            place = path.index(node)
            if (node, path[place + 1]) not in fixed:
                path[place + 1 :] = path[:place:-1]
    for each in reversed(found):
        other_tour = graph.tour(np.array(each))
        if instance.satisfied_by(other_tour):
            return other_tour
    return tour
