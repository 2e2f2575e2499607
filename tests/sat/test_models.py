"""The two models of a tour, the constraints that they state, and the edges left to them."""

import itertools

import networkx as nx
import pytest
from hypothesis import assume, given

from kt_cp.board import Board
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.sat.edges import ArcSolver, EdgeSolver, edge_graph, propagate
from kt_cp.sat.formula import Formula
from kt_cp.sat.two_factors import tighten
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import graph_instances, instances


def solutions(formula: Formula, variables: int) -> set[tuple[bool, ...]]:
    """Return the values of the first variables in every solution."""
    found = set()
    while formula.solve(Clock()):
        values = tuple(formula.values()[:variables].tolist())
        found.add(values)
        formula.add([-(i + 1) if value else i + 1 for i, value in enumerate(values)])
    return found


@pytest.mark.parametrize("count", [2, 5, 13])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_exactly_so_many_literals_are_true(count: int, number: int) -> None:
    formula = Formula(count)
    formula.exactly(number, range(1, count + 1))
    found = solutions(formula, count)
    assert found == {
        tuple(i in chosen for i in range(count))
        for chosen in itertools.combinations(range(count), number)
    }


@pytest.mark.parametrize("is_odd", [False, True])
def test_an_even_or_odd_number_of_literals_is_true(is_odd: bool) -> None:
    formula = Formula(5)
    formula.add_parity(range(1, 6), is_odd)
    found = solutions(formula, 5)
    assert len(found) == 16
    assert all(sum(values) % 2 == is_odd for values in found)


def test_borders_are_crossed_evenly_by_every_solution() -> None:
    solver = ArcSolver(edge_graph(Instance.of(nx.petersen_graph(), closed=True)), Clock(), 0)
    solver.require_even_crossing(range(5))
    assert solver.formula.solve(Clock())
    crossing = (solver.two_factor() < 5).sum(axis=1) == 1
    assert crossing.sum() in (2, 4)


@given(instances() | graph_instances())
def test_propagation_and_tightening_keep_every_tour(instance: Instance) -> None:
    assume(len(instance.graph) > 1)
    graph = propagate(edge_graph(instance))
    graph = graph and tighten(graph, Clock())
    for tour in all_tours(instance):
        assert graph is not None
        path = [instance.graph.vertices.tolist().index(square) for square in tour]
        if not instance.closed:
            path.append(graph.depot)
        moves = zip(path, path[1:] + path[:1], strict=True)
        made = {
            (a, b + graph.node_count // 2) if graph.is_split else (min(a, b), max(a, b))
            for a, b in moves
        }
        made |= {(a, a + graph.node_count // 2) for a in path if graph.is_split}
        left, forced = ({*map(tuple, graph.edges[mask].tolist())} for mask in (..., graph.required))
        assert forced <= made <= left


def test_the_time_limit_holds_in_the_middle_of_a_search() -> None:
    # Clauses alone do not see that the colors are unbalanced.
    graph = edge_graph(Instance(Board(9, 9), closed=True))
    with pytest.raises(OutOfTimeError):
        EdgeSolver(graph.node_count, graph.edges, graph.edges[:0], Clock(0.2)).solve()
