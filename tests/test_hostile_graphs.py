"""Thousands of ways to hand over a graph: each is read as it is meant, or refused in one line."""

import itertools
import warnings
from typing import Any

import pytest

pytest.importorskip("networkx")

from kt_cp import Graph, InputError, hamiltonian_path
from tests.helpers.graph_values import Case, Meaning, cases


def reading(value: Any) -> Meaning | str:
    """Return what a value is read as, or the message with which it is refused."""
    try:
        graph = Graph.of(value)
    except InputError as error:
        return str(error)
    label = graph.label
    arcs = {(label(source), label(target)) for source, target in graph.arcs.tolist()}
    return Meaning(graph.directed, frozenset(map(label, graph.vertices)), frozenset(arcs))


def judge(case: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = reading(case.value)
    if isinstance(found, str):
        assert case.meaning is None or case.may_be_refused, (case.way, found)
        assert "\n" not in found
        assert len(found) < 400
    else:
        assert found == case.meaning, case.way


@pytest.mark.parametrize("seed", range(8))
def test_a_graph_is_read_as_it_is_meant_or_refused(seed: int) -> None:
    for case in cases(seed):
        judge(case)


@pytest.mark.exhaustive
@pytest.mark.parametrize("block", range(10))
def test_thousands_of_graphs_are_read_as_they_are_meant_or_refused(block: int) -> None:
    for seed in range(30 * block, 30 * (block + 1)):
        for case in cases(seed):
            judge(case)


def has_path(meaning: Meaning) -> bool:
    return any(
        all(arc in meaning.arcs for arc in itertools.pairwise(order))
        for order in itertools.permutations(meaning.names)
    )


@pytest.mark.parametrize("seed", range(100, 104))
def test_paths_of_what_is_handed_over_are_those_of_an_exhaustive_search(seed: int) -> None:
    for case in itertools.islice(cases(seed), 0, None, 5):
        if case.meaning is None or case.may_be_refused:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            path: list[Any] | None = hamiltonian_path(case.value)
        assert (path is not None) == has_path(case.meaning), case.way
        if path is not None:
            assert frozenset(path) == case.meaning.names
            assert set(itertools.pairwise(path)) <= case.meaning.arcs
