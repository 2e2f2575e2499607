"""The graph with the depot: every tour is a cycle through all of its nodes, and the other way."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import instances


def some_tours(instance: Instance) -> list[list[int]]:
    return [list(tour) for tour in itertools.islice(all_tours(instance), 20)]


@given(instances())
def test_nodes_and_vertices_are_each_others_inverse(instance: Instance) -> None:
    graph = TourGraph(instance)
    nodes = np.arange(len(graph))
    assert graph.nodes(graph.vertices(nodes)).tolist() == nodes.tolist()
    assert graph.vertices(nodes)[: graph.depot].tolist() == instance.graph.vertices.tolist()


@given(instances(), st.integers(0, 99), st.booleans())
def test_a_cycle_turned_or_reversed_is_the_tour_that_was_asked_for(
    instance: Instance, turn: int, is_reversed: bool
) -> None:
    graph = TourGraph(instance)
    for tour in some_tours(instance):
        cycle = np.roll(graph.cycle(tour), turn)
        if is_reversed and not instance.one_way:
            cycle = cycle[::-1]
        found = graph.tour(cycle)
        assert sorted(found) == sorted(tour)
        assert instance.satisfied_by(found)


@given(instances())
def test_every_tour_uses_arcs_and_edges_of_the_graph_and_all_that_are_forced(
    instance: Instance,
) -> None:
    graph = TourGraph(instance)
    arcs = set(map(tuple, graph.arcs.tolist()))
    edges, forced = (set(map(tuple, graph.edges[mask].tolist())) for mask in (..., graph.forced))
    for tour in some_tours(instance):
        cycle = graph.cycle(tour).tolist()
        steps = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
        used = {(min(step), max(step)) for step in steps}
        assert set(steps) <= arcs
        assert forced <= used <= edges
        assert not graph.is_contradictory


@given(instances(), st.integers(0, 99), st.booleans())
def test_the_split_form_keeps_the_direction_of_a_tour(
    instance: Instance, turn: int, is_reversed: bool
) -> None:
    split = TourGraph(instance).split
    edges = set(map(tuple, split.edges.tolist()))
    required = set(map(tuple, split.edges[split.required].tolist()))
    for tour in some_tours(instance):
        cycle = np.roll(split.cycle(tour), turn)
        pairs = zip(cycle.tolist(), np.roll(cycle, -1).tolist(), strict=True)
        used = {(min(pair), max(pair)) for pair in pairs}
        assert required <= used <= edges
        found = split.tour(cycle[::-1] if is_reversed else cycle)
        assert instance.satisfied_by(found)


@pytest.mark.parametrize(
    "constraints", [{"start": "c3"}, {"end": "c3"}, {"givens": {"c3": 7}}, {"givens": {"c3": 1}}]
)
def test_a_closed_tour_is_cut_where_an_open_one_needs_it(constraints: dict[str, object]) -> None:
    instance = Instance.of("5x6", **constraints)  # type: ignore[arg-type]
    closed = solve("5x6", closed=True).tour
    assert closed is not None
    graph = TourGraph(instance)
    assert instance.satisfied_by(graph.tour(graph.nodes(list(closed))))


def test_arrays_of_the_graph_cannot_be_changed() -> None:
    graph = TourGraph(Instance.of("3x4", require=["a3-c2"]))
    for array in (
        graph.ids,
        graph.arcs,
        graph.edges,
        graph.required,
        graph.forced,
        graph.required_pairs,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
