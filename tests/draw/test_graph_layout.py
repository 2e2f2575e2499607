"""Graphs in their usual drawings."""

import itertools
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pytest
from kt_cp.draw.graph_ground import VertexSigns

from kt_cp import Instance, solve
from kt_cp.draw.geometry import MoveLines
from kt_cp.draw.layout import FAMILIES, lay_out, least_clearance
from kt_cp.draw.look import Look, Style
from kt_cp.draw.output import picture_of
from kt_cp.draw.proofs import certificate_picture, reason_picture
from kt_cp.draw.sheet import Sheet
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.graphs import GraphFormat, parse_graph
from kt_cp.proof.cut_reasons import separator
from kt_cp.proof.reason import ReasonKind
from tests.helpers.graphs import flower_snark
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
    models = [model for family in FAMILIES for model, _ in family(count, edges)]
    vertices = [vertex for model in models for vertex in model]
    assert vertices
    assert not any(isinstance(part, str) for vertex in vertices for part in np.ravel(vertex))


def test_a_search_that_finds_no_cycle_shows_the_longest_one() -> None:
    flower = solve(flower_snark(5), closed=True)
    assert flower.reason_kind is ReasonKind.EXHAUSTED
    picture = picture_of(flower)
    assert picture.caption == "No Hamiltonian cycle in a graph of 20 vertices and 30 edges"
    assert "the longest cycle visits only 19 of 20 vertices" in words(picture)
    assert any(word.startswith("left out: ") for word in words(picture))
    assert segments(picture, "move") == 19


def test_a_search_of_the_petersen_graph_is_replaced_by_a_proof_in_two_cases() -> None:
    """Its edges are alike, so that a cycle may be assumed to omit any of them."""
    result = solve(nx.petersen_graph(), closed=True)
    shown = " ".join(words(picture_of(result)))
    assert "Symmetries map any edge to any other" in shown
    assert "In each of 2 cases, forced edges end in a contradiction." in shown
    assert "would have 3 edges, and a tour uses two" in shown


def test_vertices_that_are_far_apart_are_larger_and_so_are_the_names_in_them() -> None:
    ladders = [Graph.of(nx.ladder_graph(rungs)) for rungs in (4, 40)]
    spacious, crowded = [words_sizes(ladder) for ladder in ladders]
    assert min(spacious) > max(crowded) >= 11


@pytest.mark.parametrize("dimension", [3, 4, 5])
def test_no_edge_of_a_cube_passes_another_vertex_closely(dimension: int) -> None:
    cube = Graph.of(nx.hypercube_graph(dimension))
    points = np.array(list(lay_out(cube).values()))
    assert least_clearance(points, cube.arcs) > 0.05 * np.ptp(points, axis=0).max()


def test_no_edge_of_the_coxeter_graph_passes_another_vertex_closely() -> None:
    triples = [frozenset(each) for each in itertools.combinations(range(7), 3)]
    lines = {frozenset((start + step) % 7 for step in (0, 1, 3)) for start in range(7)}
    others = [triple for triple in triples if triple not in lines]  # of the Fano plane
    pairs = itertools.combinations(others, 2)
    coxeter = nx.Graph((one, other) for one, other in pairs if one.isdisjoint(other))
    points, edges = sides_of(nx.convert_node_labels_to_integers(coxeter))
    assert least_clearance(points, edges) > 0.05 * np.ptp(points, axis=0).max()


def test_a_vertex_with_its_name_beside_it_has_room_for_the_letter_of_its_component() -> None:
    cities = ["Berlin Munich", "Munich Zurich", "Zurich Lyon", "Lyon Paris", "Paris Zurich"]
    roads = [tuple(road.split()) for road in [*cities, "Berlin Zurich"]]
    instance = Instance.of(roads, closed=True)
    reason = separator(instance)
    assert reason is not None
    picture = reason_picture(reason, instance=instance)
    discs = elements(picture, "circle")
    letters = [each for each in elements(picture, "text") if each.text in ("A", "B")]
    assert len(letters) == 4
    for letter in letters:
        place = letter.get("x"), letter.get("y")
        radii = [
            float(disc.attrib["r"]) for disc in discs if place == (disc.get("cx"), disc.get("cy"))
        ]
        assert max(radii) >= 7


def test_only_directed_graphs_have_arrows_a_head_for_each_arc() -> None:
    assert not elements(
        picture_of(solve(nx.cycle_graph(5), closed=True)), "path", **{"class": "head"}
    )
    directed = nx.DiGraph([(at, (at + step) % 8) for at in range(8) for step in (1, 3, 7)])
    picture = picture_of(solve(directed, closed=True))
    below, above = elements(picture, "path", **{"class": "head"})
    assert below.attrib["d"].count("z") == len(directed.edges)
    assert above.attrib["d"].count("z") == 8, "those of the cycle"


def test_two_opposite_arcs_are_bowed_apart() -> None:
    frame = Sheet(Graph.of(nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 0)])), "").frame
    lines = MoveLines(frame)
    there, back = lines.lines([(0, 1)]), lines.lines([(1, 0)])
    assert len(there) == len(back) > 1
    middle = len(there) // 2
    assert np.linalg.norm(there[middle, 0] - back[middle, 0]) > 8
    assert len(lines.lines([(1, 2)])) == 1


def sides_of(graph: Any) -> Any:
    """The points of the layout of a graph, n x (x, y), and its edges."""
    read = Graph.of(graph)
    layout = lay_out(read)
    points = np.array([layout[vertex] for vertex in read.vertices.tolist()])
    return points, read.arcs[read.arcs[:, 0] < read.arcs[:, 1]]


@pytest.mark.parametrize(
    "graph",
    [
        nx.wheel_graph(10),
        nx.dodecahedral_graph(),
        nx.icosahedral_graph(),
        nx.frucht_graph(),
        nx.tutte_graph(),
        nx.triangular_lattice_graph(5, 6),
        nx.hexagonal_lattice_graph(3, 3),
    ],
    ids=["wheel", "dodecahedron", "icosahedron", "Frucht", "Tutte", "triangles", "hexagons"],
)
def test_planar_graphs_are_drawn_without_crossings_and_with_room_for_vertices(graph: Any) -> None:
    points, edges = sides_of(nx.convert_node_labels_to_integers(graph))
    tails, heads = points[edges].transpose(1, 0, 2)

    def side(edge: int, point: Any) -> float:
        """The side of an edge's line on which a point is, 1 or -1, or 0 on the line itself."""
        matrix = np.stack([heads[edge] - tails[edge], point - tails[edge]])
        return float(np.sign(np.linalg.det(matrix).round(9)))

    for one, other in itertools.combinations(range(len(edges)), 2):
        if not set(edges[one]).isdisjoint(edges[other]):
            continue
        is_cut = side(one, tails[other]) * side(one, heads[other]) < 0
        cuts = side(other, tails[one]) * side(other, heads[one]) < 0
        assert not (is_cut and cuts)
    assert least_clearance(points, edges) > 0.01 * np.ptp(points, axis=0).max()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "graph", [nx.barbell_graph(4, 1), nx.lollipop_graph(4, 5), nx.krackhardt_kite_graph()]
)
def test_vertices_with_the_same_neighbors_are_apart(graph: Any) -> None:
    points, edges = sides_of(graph)
    assert least_clearance(points, edges) > 0.04 * np.ptp(points, axis=0).max()


def test_the_hub_of_a_wheel_is_in_the_middle_and_a_path_is_a_row() -> None:
    points, _ = sides_of(nx.wheel_graph(8))
    assert np.allclose(points[0], points[1:].mean(axis=0), atol=1e-9)
    row, _ = sides_of(nx.path_graph(9))
    assert len(set(row[:, 1])) == 1


def test_components_are_side_by_side_each_in_its_usual_drawing() -> None:
    points, _ = sides_of(nx.disjoint_union(nx.cycle_graph(5), nx.complete_graph(4)))
    pentagon, rest = points[:5], points[5:]
    distances = np.linalg.norm(pentagon - pentagon.mean(axis=0), axis=1)
    assert np.ptp(distances) < 0.1 * distances.mean()
    assert pentagon[:, 0].max() < rest[:, 0].min()


def test_the_cycle_of_a_large_graph_is_longer_than_its_vertices_are_wide() -> None:
    graph = Graph.of(nx.random_regular_graph(3, 60, seed=1))
    tour = list(range(60))
    frame = Sheet(graph, "", tour=tour).frame
    chord = np.linalg.norm(frame.pixel_centers([0])[0] - frame.pixel_centers([1])[0])
    assert VertexSigns.of(frame).radius < 0.31 * chord


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


@pytest.mark.parametrize(("upper", "lower"), [(2, 5), (3, 4), (4, 4)])
def test_both_rows_of_a_complete_bipartite_graph_have_one_center(upper: int, lower: int) -> None:
    layout = lay_out(Graph.of(nx.complete_bipartite_graph(upper, lower)))
    rows: dict[float, list[float]] = {}
    for x, y in layout.values():
        rows.setdefault(y, []).append(x)
    upper_row, lower_row = rows.values()
    assert np.mean(upper_row) == pytest.approx(np.mean(lower_row))


FORCED = [(0, 2), (0, 4), (1, 3), (1, 4), (2, 0), (2, 3), (3, 1)]
FORCED += [(3, 2), (3, 5), (4, 0), (4, 1), (4, 2), (4, 5), (5, 4)]

# Directed graphs without a Hamiltonian cycle, and a part of the proof in words.
NO_CIRCUIT = [
    (nx.gnp_random_graph(10, 0.3, seed=3, directed=True), "no allowed edge leaves 3"),
    (nx.DiGraph(FORCED), "forced edges"),
    (nx.DiGraph([*nx.petersen_graph().edges][:-1]), "closes too early"),
    (nx.DiGraph([(i, j) for i in range(5) for j in range(5) if (i < 2) != (j < 2)]), "separator"),
]


@pytest.mark.parametrize(("graph", "told"), NO_CIRCUIT)
def test_every_head_in_the_proof_of_a_directed_graph_is_that_of_an_arc(
    graph: Any, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[list[int]] = []
    heads = MoveLines.heads

    def note(lines: MoveLines, arcs: Any, gap: float, length: float) -> Any:
        drawn.extend(np.array(arcs).tolist())
        return heads(lines, arcs, gap, length)

    monkeypatch.setattr(MoveLines, "heads", note)
    instance = Instance.of(graph, closed=True)
    result = solve(instance, certificate=True)
    arcs = instance.graph.arcs.tolist()
    pictures = [picture_of(result)]
    if result.certificate is not None:
        pictures.append(certificate_picture(result.certificate))
    assert told in " ".join(picture.description for picture in pictures)
    assert len(drawn) > len(arcs), "some arcs are drawn twice: in the graph and in the proof"
    assert all(arc in arcs for arc in drawn)


def test_a_graph_whose_vertices_all_lie_on_the_outer_face_is_drawn_without_a_warning() -> None:
    diamond = Graph.of(nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(lay_out(diamond)) == 4


def test_the_tour_of_a_large_graph_is_colored_by_its_order_and_the_legend_says_only_that() -> None:
    shown = words(picture_of(solve(nx.cycle_graph(90), closed=True)))
    assert "the line is colored by its order" in shown
    assert not any("too small" in word for word in shown)
