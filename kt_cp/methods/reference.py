"""The reference searches of `kt_dfs`, on any board."""

from __future__ import annotations

from kt_cp.errors import InputError
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_dfs import Budget, Graph, Outcome, Status, search, strategy


def board_graph(instance: Instance) -> Graph[int]:
    """Return the board's graph to search: allowed arcs only, in the order of the piece's jumps.

    >>> from kt_cp.board import Board
    >>> [vertex.key for vertex in board_graph(Instance(Board(5, 5)))[4].neighbors]
    [7, 13]
    """
    neighbors: dict[int, list[int]] = {square: [] for square in instance.board.squares.tolist()}
    for source, target in instance.arcs.tolist():
        neighbors[source].append(target)
    return Graph.from_neighbors(neighbors)


def solve_search(instance: Instance, clock: Clock, method: str) -> Outcome[int]:
    """Search for a tour by one of the methods of `kt_dfs.METHODS`.

    Without a start a closed tour is searched from the first square, and an open one from every
    square in turn, each when the tree of the one before is exhausted; the counters add up. Raises
    `InputError` for constraints that the searches do not know.
    """
    if instance.end is not None or instance.require or instance.symmetry or instance.givens:
        known = "start, forbidden moves and closed"
        raise InputError(f"method {method}: knows no constraints but {known}; circuit knows all")
    board = instance.board
    starts = board.squares.tolist() if instance.start is None else [instance.start]
    if instance.closed:
        starts = starts[:1]
    graph = board_graph(instance)
    plan = strategy(method, board.rows, board.columns)
    calls = backtracks = deepest = 0
    for start in starts:
        budget = Budget(seconds=clock.remaining)
        outcome = search(graph, start, plan, closed=instance.closed, budget=budget)
        calls += outcome.calls
        backtracks += outcome.backtracks
        deepest = max(deepest, outcome.deepest)
        if outcome.status is not Status.IMPOSSIBLE:
            break
    return Outcome(outcome.ending, outcome.path, outcome.wanted, calls, backtracks, deepest)
