"""Solve each part that two edges or two vertices separate from the rest of the graph."""

from __future__ import annotations

from dataclasses import replace

from kt_cp.graph import NamedGraph
from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.methods.cuts import reduced_graph
from kt_cp.methods.method import Function
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError, Task
from kt_cp.proof.reason import ReasonKind
from kt_cp.sat.edges import EdgeGraph
from kt_cp.sat.separations import SMALLEST_SIDE, Part, Separations
from kt_cp.sat.two_factors import tighten_fractionally
from kt_dfs import Status


def answer(task: Task, answer_part: Function) -> Answer:
    """Answer by ``answer_part`` for each of the parts of the graph, the smallest first.

    A part is a graph of its own, whose Hamiltonian cycle is searched for. The answer is UNKNOWN if
    no separation into large enough parts is found, or if there is no answer for a part.
    """
    try:
        graph = _tight_graph(task)
        if graph is None:
            how = "the edges that every tour uses contradict one another"
            return replace(exhausted(task.instance, how), method="cuts")
        separations = Separations(graph, task.clock, task.seed)
    except OutOfTimeError:
        return out_of_time(task.instance, task.clock)
    if not separations.parts:
        return replace(exhausted(task.instance, "the graph is not connected"), method="cuts")
    if len(separations.parts) == 1:
        how = f"no two edges or vertices were found that separate {SMALLEST_SIDE} edges or more"
        return gave_up(task.instance, how)
    cycles = dict[Part, list[int]]()  # the parts are told apart by identity
    method = None
    # A small part without a cycle ends the search soonest.
    for part in sorted(separations.parts, key=lambda part: len(part.edges)):
        graph_of_part = NamedGraph(range(len(part.nodes)), part.indexed_edges)
        result = answer_part(replace(task, instance=Instance(graph_of_part, closed=True)))
        if result.squares is None:
            return _without_part(task, result, len(part.nodes))
        cycles[part] = part.nodes[result.squares].tolist()
        method = result.method  # of the largest part in the end
    tour = graph.tour(separations.cycle(cycles))
    return replace(found(tour, {"parts": len(cycles)}), method=method)


def _tight_graph(task: Task) -> EdgeGraph | None:
    """Return the graph without edges that no tour uses, or None if there is no tour.

    Raises `OutOfTimeError`.
    """
    graph = reduced_graph(task)
    if graph is None:
        return None
    return tighten_fractionally(graph, task.clock)


def _without_part(task: Task, result: Answer, vertices: int) -> Answer:
    """Return the answer for the whole graph, given the answer for a part without a cycle."""
    instance = task.instance
    part = f"a part of {vertices:,} vertices that two edges or vertices separate"
    if result.status is Status.IMPOSSIBLE:
        answer = exhausted(instance, f"no tour passes {part}")
    elif result.reason_kind is ReasonKind.TIME_LIMIT:
        answer = out_of_time(instance, task.clock)
    else:
        answer = gave_up(instance, f"no answer for {part}")
    return replace(answer, method=result.method)
