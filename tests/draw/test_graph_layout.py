"""Graphs in their usual drawings."""

import itertools
import pickle
import random
from typing import Any

import numpy as np
import pytest

from kt_cp import solve
from kt_cp.draw.geometry import least_clearance
from kt_cp.draw.graph_layout import _FAMILIES, lay_out
from kt_cp.draw.output import picture_of
from kt_cp.graph import Graph
from kt_cp.notation.graphs import GraphFormat, parse_graph
from kt_cp.proof.reason import ReasonKind
from tests.helpers.pictures import elements, segments, words

nx = pytest.importorskip("networkx")
pytest.importorskip("scipy")


def shuffled(graph: Any) -> Graph:
    """A graph of networkx with its vertices in a random order and under other names."""
    numbers = list(range(len(graph)))
    random.Random(7).shuffle(numbers)
    return Graph.of(nx.relabel_nodes(graph, dict(zip(graph, numbers, strict=True))))


def lengths(graph: Graph) -> list[float]:
    """The different lengths of the edges as drawn, to two decimals."""
    layout = lay_out(graph)
    ends = np.array([[layout[tail], layout[head]] for tail, head in graph.arcs.tolist()])
    found = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    return sorted({round(float(length), 2) for length in found})


def words_sizes(graph: Graph) -> set[float]:
    """The sizes of the names of the vertices of a graph, in pixels."""
    drawn = picture_of(solve(graph, closed=True))
    groups = elements(drawn, "g", **{"text-anchor": "middle"})
    return {float(group.attrib["font-size"]) for group in groups}


@pytest.mark.parametrize(
    ("graph", "count"),
    [
        (nx.grid_2d_graph(3, 7), 1),
        (nx.ladder_graph(6), 1),
        (nx.petersen_graph(), 3),  # outer edges, spokes and the star
        (nx.kneser_graph(5, 2), 3),  # the same graph
        (nx.circular_ladder_graph(9), 3),
        (nx.dodecahedral_graph(), 3),
        (nx.hypercube_graph(3), 2),
        (nx.hypercube_graph(4), 3),
        (nx.moebius_kantor_graph(), 3),
        (nx.circulant_graph(10, [1, 5]), 2),
        (nx.complete_graph(5), 2),
    ],
    ids=str,
)
def test_a_graph_of_a_family_has_edges_of_few_lengths(graph: Any, count: int) -> None:
    assert len(lengths(shuffled(graph))) == count


def test_a_cycle_of_another_graph_is_a_circle() -> None:
    tour = solve(shuffled(nx.random_regular_graph(4, 24, seed=3)), closed=True).tour
    assert tour is not None
    layout = lay_out(tour.graph, tour.squares.tolist())
    points = np.array([layout[vertex] for vertex in tour.squares.tolist()])
    assert np.allclose(np.linalg.norm(points, axis=1), 1)
    steps = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
    assert np.allclose(steps, steps[0])
    assert "cycle" in picture_of(tour).caption


def test_a_small_planar_graph_without_a_cycle_is_drawn_without_crossings() -> None:
    graph = shuffled(nx.truncated_tetrahedron_graph())
    layout = lay_out(graph)
    ends = [[complex(*layout[end]) for end in edge] for edge in graph.arcs.tolist()]
    for (tail, head), (other_tail, other_head) in itertools.combinations(ends, 2):
        along, across = head - tail, other_head - other_tail
        turn = (along.conjugate() * across).imag
        if abs(turn) > 1e-9 and len({tail, head, other_tail, other_head}) == 4:
            apart = other_tail - tail
            shares = (
                (apart.conjugate() * across).imag / turn,
                (apart.conjugate() * along).imag / turn,
            )
            assert not all(0 <= share <= 1 for share in shares)


def test_the_positions_of_a_graph_of_networkx_are_used() -> None:
    given = nx.cycle_graph(4)
    nx.set_node_attributes(given, {0: (0, 0), 1: (3, 0), 2: (3, 1), 3: (9, 5)}, "pos")
    assert list(lay_out(Graph.of(given)).values()) == [(0, 0), (3, 0), (3, -1), (9, -5)]


@pytest.mark.parametrize("section", ["NODE_COORD_SECTION", "DISPLAY_DATA_SECTION"])
def test_the_positions_in_a_file_of_tsplib_are_used(section: str) -> None:
    edges = "EDGE_DATA_SECTION\n1 2\n2 3\n-1\n"
    text = f"DIMENSION : 3\n{edges}{section}\n1 0 0\n2 1.5 2e0\n3 -1 4\nEOF\n"
    graph = parse_graph(text.encode(), GraphFormat.HCP)
    assert list(lay_out(graph).values()) == [(0, 0), (1.5, -2), (-1, -4)]


@pytest.mark.parametrize("form", [GraphFormat.GML, GraphFormat.GRAPHML])
def test_x_and_y_in_a_file_are_positions(form: GraphFormat) -> None:
    given = nx.path_graph(3)
    for node, (x, y) in enumerate([(0, 0), (1, 5), (4, 2)]):
        given.add_node(node, x=x, y=y)
    write = {GraphFormat.GML: nx.generate_gml, GraphFormat.GRAPHML: nx.generate_graphml}[form]
    graph = parse_graph("\n".join(write(given)).encode(), form)
    assert list(lay_out(graph).values()) == [(0, 0), (1, 5), (4, 2)]


@pytest.mark.parametrize(
    "positions",
    [{0: (0, 0), 1: (1, 1)}, {0: (0, 0), 1: (0, 0), 2: (1, 1)}, {0: (0, 0), 1: (1, 0), 2: "no"}],
    ids=["missing", "repeated", "text"],
)
def test_positions_are_ignored_unless_each_vertex_has_its_own(positions: dict[int, Any]) -> None:
    given = nx.path_graph(3)
    plain = Graph.of(given)
    nx.set_node_attributes(given, positions, "pos")
    layout, usual = (list(lay_out(graph).values()) for graph in (Graph.of(given), plain))
    assert np.array_equal(layout, usual)


def test_graphs_that_differ_in_positions_are_equal_and_keep_them_when_pickled() -> None:
    given = nx.path_graph(2)
    plain = Graph.of(given)
    nx.set_node_attributes(given, {0: (0, 0), 1: (1, 0)}, "pos")
    graph = Graph.of(given)
    assert graph == plain
    assert hash(graph) == hash(plain)
    assert lay_out(pickle.loads(pickle.dumps(graph))) == {0: (0, 0), 1: (1, 0)}


@pytest.mark.parametrize(("count", "edges"), [(10, 15), (20, 30), (12, 18)])
def test_a_layout_does_not_depend_on_the_hash_of_texts(count: int, edges: int) -> None:
    """The hash of a text differs from process to process, and with it the order of a set."""
    models = [model for family in _FAMILIES for model, _ in family(count, edges)]
    vertices = [vertex for model in models for vertex in model]
    assert vertices
    assert not any(isinstance(part, str) for vertex in vertices for part in np.ravel(vertex))


def test_a_search_that_finds_no_cycle_shows_the_longest_one() -> None:
    result = solve(nx.petersen_graph(), closed=True)
    assert result.reason_kind is ReasonKind.EXHAUSTED
    picture = picture_of(result)
    assert picture.caption == "No Hamiltonian cycle in a graph of 10 vertices and 15 edges"
    assert "the longest cycle visits only 9 of 10 vertices" in words(picture)
    assert any(word.startswith("left out: ") for word in words(picture))
    assert segments(picture, "move") == 9


def test_vertices_that_are_far_apart_are_larger_and_so_are_the_names_in_them() -> None:
    ladders = [Graph.of(nx.ladder_graph(rungs)) for rungs in (4, 40)]
    spacious, crowded = [words_sizes(ladder) for ladder in ladders]
    assert min(spacious) > max(crowded) >= 12


@pytest.mark.parametrize("dimension", [3, 4, 5])
def test_no_edge_of_a_cube_passes_another_vertex_closely(dimension: int) -> None:
    cube = Graph.of(nx.hypercube_graph(dimension))
    points = np.array(list(lay_out(cube).values()))
    assert least_clearance(points, cube.arcs) > 0.05 * np.ptp(points, axis=0).max()


def test_an_arrow_shows_the_direction_of_a_cycle() -> None:
    cycle, path = (solve(nx.cycle_graph(5), closed=closed) for closed in (True, False))
    assert segments(picture_of(cycle), "head") == 2
    assert not segments(picture_of(path), "head"), "its ends show the direction"


@pytest.mark.parametrize(("upper", "lower"), [(2, 5), (3, 4), (4, 4)])
def test_both_rows_of_a_complete_bipartite_graph_have_one_center(upper: int, lower: int) -> None:
    layout = lay_out(Graph.of(nx.complete_bipartite_graph(upper, lower)))
    rows: dict[float, list[float]] = {}
    for x, y in layout.values():
        rows.setdefault(y, []).append(x)
    upper_row, lower_row = rows.values()
    assert np.mean(upper_row) == pytest.approx(np.mean(lower_row))
