"""The reason that no tour visits squares in the order asked for."""

from __future__ import annotations

import itertools

from kt_cp.graph import Graph
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Reason, ReasonKind


def misplaced_order(instance: Instance) -> Reason | None:
    """Find a square of the order that cannot be reached before it has to be left.

    From each square of the order to the next the tour takes at least as many moves as a shortest
    path.
    """
    order, graph = instance.order, instance.graph
    if not order:
        return None
    step_of = {square: step for step, square in instance.steps.items()}
    moves = [_distance(graph, *pair) for pair in itertools.pairwise(order)]
    latest = [0] * len(order)
    last = len(graph)
    for index in range(len(order) - 1, -1, -1):
        after = moves[index] if index < len(moves) else 0
        last = min(last - after, step_of.get(order[index], last - after))
        latest[index] = last
    first = 1
    for index, square in enumerate(order):
        before = moves[index - 1] if index else 0
        first = max(first + before, step_of.get(square, first + before))
        if first > latest[index]:
            names = ", ".join(map(graph.name, order))
            text = f"in the order {names}: {{square}} is reached at step {first} at the earliest"
            text += f", and has to be reached by step {latest[index]}"
            return Reason.about(ReasonKind.STEPS, graph, text, square=square)
    return None


def _distance(graph: Graph, source: int, target: int) -> int:
    """Return the number of moves on a shortest path, or that of all squares without any."""
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
