"""A companion searches in a process beside this one: the first that decides has the answer."""

import os
import time
from dataclasses import replace

import networkx as nx
import pytest

from kt_cp import Graph, Instance, Status, Tour
from kt_cp.methods.answers import Answer, gave_up
from kt_cp.methods.auto import ScheduleRun, answer_beside
from kt_cp.methods.companion import Companion
from kt_cp.methods.method import Function
from kt_cp.problem.clock import Clock
from kt_cp.problem.objectives import Objective, Sense
from kt_cp.problem.task import Task

CUBIC = Graph.of(nx.random_regular_graph(3, 100, seed=1))


def task_with(graph: Graph) -> Task:
    return Task(Instance.of(graph, closed=True), Clock(60), workers=2, progress=lambda _: None)


def wait_for(companion: Companion) -> None:
    """Wait until the companion has decided its task or has ended."""
    until = time.monotonic() + 60
    while not companion.has_decided() and companion.is_running and time.monotonic() < until:
        time.sleep(0.02)


def give_up(task: Task) -> Answer:
    return gave_up(task.instance, "not tried")


def die(task: Task) -> Answer:
    os._exit(3)


def never() -> bool:
    return False


def fail(task: Task) -> Answer:
    raise ValueError("an error of the method")


def test_what_a_companion_finds_is_the_answer_and_ends_the_search_beside_it() -> None:
    task = task_with(CUBIC)
    task.clock.is_interrupted = never
    run = ScheduleRun(task)
    run.start_companion()
    assert run.companion is not None
    wait_for(run.companion)
    assert task.clock.remaining == 0
    assert run.finish().status is Status.UNKNOWN
    answer = run.end_companion()
    assert task.clock.remaining > 0
    assert task.clock.is_interrupted is never
    assert answer is not None
    assert answer.squares is not None
    assert Tour.from_ids(CUBIC, answer.squares, closed=True)  # which validates it


@pytest.mark.parametrize(
    "function", [give_up, pytest.param(die, marks=pytest.mark.exhaustive), fail]
)
def test_a_companion_that_fails_or_gives_up_decides_nothing(function: Function) -> None:
    companion = Companion(function, task_with(CUBIC))
    try:
        wait_for(companion)
        assert not companion.is_running
        assert not companion.has_decided()
    finally:
        companion.end()


def test_one_worker_searches_alone() -> None:
    run = ScheduleRun(Task(Instance.of(CUBIC, closed=True), Clock(60)))
    run.start_companion()
    assert run.companion is None
    assert run.end_companion() is None


def test_functions_of_the_caller_stay_in_this_process() -> None:
    task = Task(Instance.of("8x8", closed=True, constrain=lambda model: None), workers=2)
    run = ScheduleRun(task)
    run.start_companion()
    assert run.companion is None


def test_what_cannot_be_sent_to_another_process_is_searched_here_alone() -> None:
    class Vertex:
        """A class that no other process can import."""

    vertices = [Vertex() for _ in range(100)]
    edges = [(vertices[one], vertices[other]) for one, other in CUBIC.arcs.tolist() if one < other]
    companion = Companion(give_up, task_with(Graph.of(edges)))
    assert not companion.is_running
    assert not companion.has_decided()


def test_the_objective_of_the_caller_stays_in_this_process() -> None:
    objective = Objective(lambda model: 0, Sense.MINIMIZE)
    companion = Companion(answer_beside, replace(task_with(CUBIC), objective=objective))
    try:
        wait_for(companion)
        assert companion.has_decided()
    finally:
        companion.end()
