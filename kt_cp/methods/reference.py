"""The reference searches of `kt_dfs`, on any board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.problem.costs import REFERENCE_VERTEX
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_dfs import Budget, Ending, Graph, Status, Strategy, search, strategy


def board_graph(instance: Instance) -> Graph[int]:
    """Return the graph to search: allowed arcs only, in the order of the piece's jumps.

    >>> from kt_cp.board import Board
    >>> [vertex.key for vertex in board_graph(Instance(Board(5, 5)))[4].neighbors]
    [7, 13]
    """
    neighbors: dict[int, list[int]] = {square: [] for square in instance.graph.vertices.tolist()}
    for source, target in instance.arcs.tolist():
        neighbors[source].append(target)
    return Graph.from_neighbors(neighbors)


def answer(plan: Strategy | str, task: Task) -> Answer:
    """Search for a tour by a strategy, or by one of the methods of `kt_dfs.METHODS`.

    Without a start a closed tour is searched from the first square, and an open one from every
    square in turn, each when the tree of the one before is exhausted; the counters add up.
    """
    instance, clock, board = task.instance, task.clock, task.instance.graph
    counters = {"calls": 0, "backtracks": 0, "deepest": 0}
    if clock.remaining < REFERENCE_VERTEX * len(board):
        return out_of_time(instance, clock, counters)
    if isinstance(plan, str):
        plan = strategy(plan, *board.shape)
    starts = board.vertices.tolist() if instance.start is None else [instance.start]
    graph, incomplete = board_graph(instance), None
    for start in starts[:1] if instance.closed else starts:
        budget = Budget(seconds=clock.remaining)
        outcome = search(graph, start, plan, closed=instance.closed, budget=budget)
        counters["calls"] += outcome.calls
        counters["backtracks"] += outcome.backtracks
        counters["deepest"] = max(counters["deepest"], outcome.deepest)
        if outcome.ending is Ending.LEFT_OUT:
            incomplete = outcome
        elif outcome.status is not Status.IMPOSSIBLE:
            break
    else:
        outcome = incomplete or outcome
    if outcome.status is Status.FOUND:
        return found(np.array(outcome.path, dtype=np.int32), counters)
    if outcome.ending is Ending.OUT_OF_TIME:
        return out_of_time(instance, clock, counters)
    reason = replace(outcome, calls=counters["calls"]).reason
    if outcome.ending is Ending.EXHAUSTED:
        return exhausted(instance, reason, counters)
    return gave_up(instance, reason, counters)
