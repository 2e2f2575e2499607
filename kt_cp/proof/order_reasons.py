"""The reason that no tour visits some squares in the required order."""

from __future__ import annotations

import itertools

from kt_cp.graph import Graph
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason, ReasonKind


def misplaced_order(instance: Instance) -> Reason | None:
    """Return the reason that a square of the order cannot be reached in time, or None.

    From each square of the order to the next the tour takes at least as many moves as a shortest
    path.
    """
    order, graph = instance.order, instance.graph
    if not order:
        return None
    distances = [_distance(graph, *pair) for pair in itertools.pairwise(order)]
    earliest = _earliest_steps(instance, distances)
    latest = _latest_steps(instance, distances)
    for square, first, last in zip(order, earliest, latest, strict=True):
        if first > last:
            text = f"in the order {{order}}: {{square}} is reached at step {first} at the earliest"
            text += f", and has to be reached by step {last}"
            return Reason.about(ReasonKind.STEPS, graph, text, order=order, square=square)
    return None


def _earliest_steps(instance: Instance, distances: list[int]) -> list[int]:
    """Return for each square of the order the first step at which it can be visited.

    ``distances`` are the numbers of moves from each square of the order to the next. A square with
    a given step is not visited before that step.
    """
    given_step = {square: step for step, square in instance.steps.items()}
    earliest: list[int] = []
    step = 1
    for square, distance in zip(instance.order, [0, *distances], strict=True):
        step += distance
        step = max(step, given_step.get(square, step))
        earliest.append(step)
    return earliest


def _latest_steps(instance: Instance, distances: list[int]) -> list[int]:
    """Return for each square of the order the last step at which it can be visited.

    ``distances`` are the numbers of moves from each square of the order to the next. A square with
    a given step is not visited after that step.
    """
    given_step = {square: step for step, square in instance.steps.items()}
    latest: list[int] = []
    step = len(instance.graph)
    for square, distance in zip(reversed(instance.order), [0, *reversed(distances)], strict=True):
        step -= distance
        step = min(step, given_step.get(square, step))
        latest.append(step)
    return latest[::-1]


def _distance(graph: Graph, source: int, target: int) -> int:
    """Return the number of moves on a shortest path, or the number of vertices if there is none."""
    distance = {source: 0}
    queue = [source]
    for vertex in queue:
        if vertex == target:
            return distance[vertex]
        for neighbor in graph.neighbors(vertex):
            if neighbor not in distance:
                distance[neighbor] = distance[vertex] + 1
                queue.append(neighbor)
    return len(graph)
