"""Searches side by side in processes: the first that decides is the answer."""

import os

import networkx as nx
import pytest

from kt_cp import Graph, Instance, Status, Tour
from kt_cp.methods.answers import Answer, gave_up
from kt_cp.methods.auto import answer_by_arcs, answer_by_edges_and_circuit
from kt_cp.methods.method import Function
from kt_cp.methods.side_by_side import first_answer
from kt_cp.problem.clock import Clock
from kt_cp.problem.task import Task

CUBIC = Graph.of(nx.random_regular_graph(3, 100, seed=1))


def give_up(task: Task) -> Answer:
    return gave_up(task.instance, "not tried")


def die(task: Task) -> Answer:
    os._exit(3)


@pytest.mark.parametrize(
    "functions", [(answer_by_arcs, answer_by_edges_and_circuit), (die, answer_by_arcs)]
)
def test_one_of_the_models_finds_a_cycle_beside_the_other(functions: tuple[Function, ...]) -> None:
    task = Task(Instance.of(CUBIC, closed=True), Clock(60), progress=lambda _: None)
    answer = first_answer(functions, task)
    assert answer is not None
    assert answer.squares is not None
    assert Tour.of_ids(CUBIC, answer.squares, closed=True)  # which validates it


@pytest.mark.exhaustive
def test_what_gives_up_is_the_answer_if_nothing_else_is() -> None:
    answer = first_answer((give_up, die), Task(Instance.of(CUBIC, closed=True), Clock(60)))
    assert answer is not None
    assert answer.status is Status.UNKNOWN


@pytest.mark.exhaustive
def test_there_is_no_answer_if_all_processes_died() -> None:
    assert first_answer((die,), Task(Instance.of(CUBIC, closed=True), Clock(60))) is None
