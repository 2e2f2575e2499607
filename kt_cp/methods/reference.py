"""The reference searches of `kt_dfs`, on any board or graph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kt_cp.methods.method import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import FLOW, Task
from kt_dfs import Budget, Ending, Graph, Outcome, Status, Strategy, search, strategy

SEARCH_CONSTRAINTS = frozenset({"start", "forbid"})
"""The constraints that the searches of `kt_dfs` support."""


def graph_to_search(instance: Instance) -> Graph[int]:
    """Return the graph of the allowed arcs, on a board in the order of the piece's jumps.

    >>> from kt_cp.board import Board
    >>> [vertex.key for vertex in graph_to_search(Instance(Board(5, 5)))[4].neighbors]
    [7, 13]
    """
    neighbors: dict[int, list[int]] = {square: [] for square in instance.graph.vertices.tolist()}
    for source, target in instance.arcs.tolist():
        neighbors[source].append(target)
    return Graph.from_neighbors(neighbors)


def answer(method: Strategy | str, task: Task) -> Answer:
    """Search for a tour by a strategy, or by one of the methods of `kt_dfs.METHODS`.

    Without a start, a closed tour is searched for from the first square, and an open one from every
    square in turn. The counters are those of all searches together.
    """
    instance, clock, graph = task.instance, task.clock, task.instance.graph
    counters = {"calls": 0, "backtracks": 0, "deepest": 0}
    if clock.remaining < FLOW * len(graph):
        return out_of_time(instance, clock, counters)
    chosen = strategy(method, *graph.shape) if isinstance(method, str) else method
    outcome = _search_from_each(_starts(instance), chosen, task, counters)
    if outcome.status is Status.FOUND:
        return found(np.array(outcome.path, dtype=np.int32), counters)
    if outcome.ending is Ending.OUT_OF_TIME:
        return out_of_time(instance, clock, counters)
    reason = replace(outcome, calls=counters["calls"]).reason
    if outcome.ending is Ending.EXHAUSTED:
        return exhausted(instance, reason, counters)
    return gave_up(instance, reason, counters)


def _starts(instance: Instance) -> list[int]:
    """Return the squares from which to search: a closed tour can begin at any square."""
    if instance.first is not None:
        return [instance.first]
    squares: list[int] = instance.graph.vertices.tolist()
    return [squares[0]] if instance.closed else squares


def _search_from_each(
    starts: list[int], chosen: Strategy, task: Task, counters: dict[str, int]
) -> Outcome[int]:
    """Search from one start after the other, until a tour is found or a limit is reached.

    Return the outcome of the last search. If all of them ended without a tour and the strategy left
    out neighbors in some, return the outcome of such a search instead: then nothing is proven.
    """
    graph = graph_to_search(task.instance)
    incomplete = None
    for start in starts:
        budget = Budget(seconds=task.clock.remaining)
        outcome = search(graph, start, chosen, closed=task.instance.closed, budget=budget)
        counters["calls"] += outcome.calls
        counters["backtracks"] += outcome.backtracks
        counters["deepest"] = max(counters["deepest"], outcome.deepest)
        if outcome.ending is Ending.LEFT_OUT:
            incomplete = outcome
        elif outcome.ending is not Ending.EXHAUSTED:
            return outcome
    return outcome if incomplete is None else incomplete
