"""Pictures of graphs."""

from typing import Any

import numpy as np
import pytest

from kt_cp import solve
from kt_cp.draw.layout import centers, least_clearance
from kt_cp.draw.look import Look, Style
from kt_cp.draw.output import picture_of
from kt_cp.draw.proofs import directed_moves
from kt_cp.graph import Graph
from kt_cp.graph_files import GraphFormat, parse_graphs
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from tests.helpers.pictures import elements, segments, words

nx = pytest.importorskip("networkx")
pytest.importorskip("scipy")


def drawn(graph: Any) -> Any:
    """The points of the drawing of a graph, n x (x, y), and its edges."""
    read = Graph.of(graph)
    return centers(read), read.arcs[read.arcs[:, 0] < read.arcs[:, 1]]


def has_crossing(points: Any, edges: Any) -> bool:
    """Whether two edges without a common end cross."""
    tails, heads = points[edges].transpose(1, 0, 2)
    along = heads - tails

    def sides(ends: Any) -> Any:
        apart = ends[:, None] - tails
        return np.sign(along[:, 0] * apart[..., 1] - along[:, 1] * apart[..., 0])

    is_cut = sides(tails) * sides(heads) < 0  # whether the line of an edge cuts another edge
    share_end = (edges[:, None, :, None] == edges[None, :, None, :]).any(axis=(2, 3))
    return bool((is_cut & is_cut.T & ~share_end).any())


def shape(points: Any) -> list[list[float]]:
    """Points from the corner (0, 0) on, with a larger side of 1: the same at every scale."""
    apart = points - points.min(axis=0)
    return np.round(apart / apart.max(), 6).tolist()  # type: ignore[no-any-return]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "graph",
    [
        nx.wheel_graph(10),
        nx.dodecahedral_graph(),
        nx.icosahedral_graph(),
        nx.frucht_graph(),
        nx.tutte_graph(),
        nx.truncated_tetrahedron_graph(),
        nx.triangular_lattice_graph(5, 6),
        nx.hexagonal_lattice_graph(3, 3),
        nx.grid_2d_graph(4, 5),
        nx.balanced_tree(2, 3),
        nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]),
    ],
    ids=str,
)
def test_planar_graphs_are_drawn_without_crossings_and_with_room_for_vertices(graph: Any) -> None:
    points, edges = drawn(nx.convert_node_labels_to_integers(graph))
    assert not has_crossing(points, edges)
    assert least_clearance(points, edges) > 0.01 * np.ptp(points, axis=0).max()


def test_the_petersen_graph_is_a_star_in_a_ring_however_its_vertices_are_named() -> None:
    for graph in (nx.petersen_graph(), nx.kneser_graph(5, 2)):
        points, edges = drawn(graph)
        lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
        assert len({round(float(length), 2) for length in lengths}) == 3  # ring, spokes, star


def test_a_cycle_of_another_graph_is_a_circle() -> None:
    tour = solve(nx.random_regular_graph(4, 24, seed=3), closed=True).tour
    assert tour is not None
    points = centers(tour.graph, tour.squares.tolist())
    steps = np.diff(points[tour.squares], axis=0)
    assert np.ptp(np.linalg.norm(steps, axis=1)) < 0.01


def test_the_positions_that_come_with_a_graph_are_used() -> None:
    given = nx.cycle_graph(4)
    nx.set_node_attributes(given, {0: (0, 0), 1: (3, 0), 2: (3, 1), 3: (9, 5)}, "pos")
    points = np.array([(0, 0), (3, 0), (3, -1), (9, -5)])  # y points upwards in the graph
    assert shape(centers(Graph.of(given))) == shape(points)
    edges = "EDGE_DATA_SECTION\n1 2\n2 3\n-1\n"
    for section in ("NODE_COORD_SECTION", "DISPLAY_DATA_SECTION"):
        text = f"DIMENSION : 3\n{edges}{section}\n1 0 0\n2 1.5 2e0\n3 -1 4\nEOF\n"
        [file] = parse_graphs(text.encode(), GraphFormat.HCP)
        assert shape(centers(file.graph)) == shape(np.array([(0, 0), (1.5, -2), (-1, -4)]))


@pytest.mark.parametrize(
    "positions",
    [{0: (0, 0), 1: (1, 1)}, {0: (0, 0), 1: (0, 0), 2: (1, 1)}, {0: (0, 0), 1: (1, 0), 2: "no"}],
    ids=["missing", "repeated", "text"],
)
def test_positions_are_ignored_unless_each_vertex_has_its_own(positions: dict[int, Any]) -> None:
    given = nx.path_graph(3)
    plain = centers(Graph.of(given))
    nx.set_node_attributes(given, positions, "pos")
    assert np.array_equal(centers(Graph.of(given)), plain)


def test_components_are_side_by_side() -> None:
    points, _ = drawn(nx.disjoint_union(nx.cycle_graph(5), nx.complete_graph(4)))
    assert points[:5, 0].max() < points[5:, 0].min()


def test_a_forced_pair_of_a_directed_graph_is_drawn_as_the_arcs_that_join_it() -> None:
    instance = Instance.of(nx.DiGraph([(0, 1), (1, 0), (2, 1), (2, 0)]), closed=True)
    drawn = directed_moves(instance, [(0, 1), (1, 2)]).tolist()
    assert sorted(drawn) == [[0, 1], [1, 0], [2, 1]]


def test_only_directed_graphs_have_arrows_a_head_for_each_arc() -> None:
    assert not elements(
        picture_of(solve(nx.cycle_graph(5), closed=True)), "path", **{"class": "head"}
    )
    directed = nx.DiGraph([(at, (at + step) % 8) for at in range(8) for step in (1, 3, 7)])
    picture = picture_of(solve(directed, closed=True))
    below, above = elements(picture, "path", **{"class": "head"})
    assert below.attrib["d"].count("z") == len(directed.edges)
    assert above.attrib["d"].count("z") == 8, "those of the cycle"


@pytest.mark.parametrize("style", ["weave", "filled", "angles", "crossings"])
def test_styles_that_only_boards_have_are_refused_for_graphs(style: str) -> None:
    tour = solve(nx.petersen_graph()).tour
    with pytest.raises(InputError, match=f"style {style}: only for boards"):
        picture_of(tour, Look(style=Style(style)))


def test_the_numbers_the_order_and_the_direction_of_a_tour_of_a_graph_are_drawn() -> None:
    tour = solve(nx.petersen_graph()).tour
    assert tour is not None
    plain, numbers, order, arrows = (
        picture_of(tour, Look(style=Style(style)))
        for style in ("lines", "numbers", "order", "arrows")
    )
    assert words(numbers).count("10") == words(plain).count("10") + 1
    assert len(elements(order, "path", **{"class": "move"})) == 9
    assert segments(arrows, "head") == 2 * 9


def test_the_tour_of_a_large_graph_is_colored_by_its_order_and_the_legend_says_only_that() -> None:
    shown = words(picture_of(solve(nx.cycle_graph(90), closed=True)))
    assert "the line is colored by its order" in shown
    assert not any("too small" in word for word in shown)
