"""Many tours or paths at once: tours without a common move, and the fewest paths that visit all."""

from __future__ import annotations

import functools
import itertools
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kt_cp.board import Board
from kt_cp.draw.look import Look, Theme
from kt_cp.draw.output import picture_of
from kt_cp.draw.picture import svg
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.methods.covers import best_cover
from kt_cp.methods.result import CoverInterruptedError, CoverResult
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError, Task
from kt_cp.proof.bounds import separator_of_cover
from kt_cp.solving import decompose, hamiltonian_decomposition, path_cover
from kt_cp.tour.tour import validate_cover
from tests.helpers.command import kt

nx = pytest.importorskip("networkx")


def arcs_along(cycles: list[list[Any]], directed: bool) -> list[tuple[Any, Any]]:
    """The arcs of cycles, in both directions if these are undirected."""
    arcs = [arc for cycle in cycles for arc in itertools.pairwise([*cycle, cycle[0]])]
    return arcs if directed else [*arcs, *((b, a) for a, b in arcs)]


def can_decompose(graph: Any) -> bool:
    """Whether Hamiltonian cycles of at least three vertices partition the arcs, by brute force."""
    first, *others = graph
    orders = [[first, *order] for order in itertools.permutations(others) if order[1:]]
    cycles = [frozenset(arcs_along([order], graph.is_directed())) for order in orders]

    def fits(left: frozenset[tuple[int, int]]) -> bool:
        if not left:
            return True
        arc = min(left)
        return any(fits(left - each) for each in cycles if arc in each and each <= left)

    return fits(frozenset(graph.to_directed().edges))


def check(graph: Any, expected: bool) -> None:
    cycles = hamiltonian_decomposition(graph, time_limit=30)
    assert (cycles is not None) == expected, graph.edges
    if cycles is not None:
        assert all(sorted(cycle) == sorted(graph) for cycle in cycles)
        used = arcs_along(cycles, graph.is_directed())
        assert sorted(used) == sorted(graph.to_directed().edges)


ATLAS = [each for each in nx.graph_atlas_g() if len(each) > 1 and nx.is_connected(each)]


@pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_connected_graphs_of_seven_vertices_are_as_by_brute_force(every: int) -> None:
    for graph in ATLAS[::every]:
        check(graph, can_decompose(graph))


@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.exhaustive)])
def test_digraphs_are_as_by_brute_force_if_as_many_arcs_enter_a_vertex_as_leave(size: int) -> None:
    arcs = [[(vertex, each) for each in range(size) if each != vertex] for vertex in range(size)]
    numbers = range(1, size)
    choices = [
        [chosen for number in numbers for chosen in itertools.combinations(each, number)]
        for each in arcs[1:]
    ]
    for chosen in itertools.product([arcs[0][:number] for number in numbers], *choices):
        graph = nx.DiGraph(itertools.chain.from_iterable(chosen))  # others have other names
        if dict(graph.in_degree) == dict(graph.out_degree):
            check(graph, can_decompose(graph))


def product(side: int, number: int, kind: Any) -> Any:
    """The product of ``number`` cycles of ``side`` vertices."""
    cycles = [nx.cycle_graph(side, kind)] * number
    return nx.convert_node_labels_to_integers(functools.reduce(nx.cartesian_product, cycles))


KNOWN = [
    *map(nx.complete_graph, range(3, 17, 2)),  # Walecki 1890
    *map(nx.hypercube_graph, (2, 4, 6)),  # Ringel 1956
    *(product(side, 2, nx.Graph) for side in range(3, 9)),  # Kotzig 1973
    *(product(side, 3, nx.DiGraph) for side in range(3, 8)),  # D. E. Knuth 2026
    *(nx.Graph(Board(n, n, topology="torus").arcs.tolist()) for n in range(5, 9)),
]


@pytest.mark.parametrize(
    "graph",
    [pytest.param(g, marks=[pytest.mark.exhaustive] if g.size() > 80 else []) for g in KNOWN],
)
def test_known_decompositions_are_found(graph: Any) -> None:
    check(graph, True)


def test_the_cube_modulo_two_has_no_decomposition_as_a_digraph() -> None:
    check(product(2, 3, nx.DiGraph), False)


THREE, TWO = (nx.cycle_graph(number, nx.DiGraph) for number in (3, 2))


@pytest.mark.parametrize(
    ("graph", "asked", "reason"),
    [
        ("8x8", {"count": 2}, "a8 has only 2 moves, and 2 closed tours"),
        ("8x8", {}, "to use all 8 of c6, it takes as many"),
        ("6x6", {"count": 2, "closed": False}, "but for their ends"),
        (nx.complete_graph(4), {}, "0 has only 3 moves, and 2 closed tours"),
        (nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 1)]), {}, "0 has only 1 move, and 2 closed"),
        (nx.disjoint_union(*[nx.complete_graph(3)] * 2), {}, "2 components"),
    ],
)
def test_reasons_come_before_the_solver(graph: Any, asked: Any, reason: str) -> None:
    result = decompose(graph, **{"closed": True, **asked})
    assert reason in str(result.reason)


@pytest.mark.parametrize(
    "asked", [{"symmetry": "half-turn"}, {"require": ["a1-b3"]}, {"closed": False, "count": None}]
)
def test_what_makes_no_sense_for_several_tours_is_refused(asked: Any) -> None:
    with pytest.raises(InputError):
        decompose("6x6", **{"closed": True, "count": 2, **asked})


def test_a_time_limit_is_no_answer() -> None:
    with pytest.raises(OutOfTimeError, match="the time limit of 1e-09 s was reached"):
        hamiltonian_decomposition(nx.complete_graph(15), time_limit=1e-9)


@pytest.mark.parametrize("form", ["grid", "squares", "ids", "json"])
def test_the_validator_judges_each_tour_that_the_command_writes(form: str, tmp_path: Path) -> None:
    torus = ("--topology", "torus")
    done = kt("decompose", "5x5", *torus, "--format", form, "--out", "t.txt", folder=tmp_path)
    assert done.returncode == 0
    assert "4 closed tours of 5x5 (torus) without a common move" in done.stderr
    judged = kt("validate", "t.txt", "--board", "5x5", *torus, folder=tmp_path)
    assert (judged.returncode, judged.stdout.count("valid closed tour of 5x5")) == (0, 4)


def test_the_validator_takes_cycles_of_a_graph_for_closed(tmp_path: Path) -> None:
    kt("samples", "cube.gml", "--out", ".", folder=tmp_path)
    kt("decompose", "cube.gml", "--out", "t.txt", folder=tmp_path)
    judged = kt("validate", "t.txt", "--board", "cube.gml", folder=tmp_path)
    assert judged.stdout.count("valid Hamiltonian cycle") == 3


def test_the_validator_names_a_move_that_two_tours_share() -> None:
    tour = kt("solve", "5x6", "--closed").stdout
    judged = kt("validate", "-", stdin=f"; closed tour 1 of 2\n{tour}; closed tour 2 of 2\n{tour}")
    assert judged.returncode == 1
    assert "two tours share the move a5-" in judged.stdout


def test_a_picture_has_a_board_for_each_tour() -> None:
    pytest.importorskip("scipy")
    result = decompose(nx.complete_graph(17), closed=True, time_limit=60)
    drawn = svg(picture_of(result, Look(theme=Theme.GRAY)))
    grays = re.findall(r'class="move"[^>]*? stroke="(.*?)"', drawn)
    places = re.findall(r'<g transform="(translate.*?)">', drawn)
    assert len(grays) == len(set(grays)) == 8
    assert len(places) == len(set(places)) == 7  # the first board stands at the origin


def test_the_command_takes_constraints_and_draws(tmp_path: Path) -> None:
    asked = ("--topology", "torus", "--tours", "2", "--open", "--start", "a1", "--forbid", "a1-b3")
    done = kt("decompose", "5x5", *asked, "--format", "json", "--draw", "t.svg", folder=tmp_path)
    tours = json.loads(done.stdout)["tours"]
    assert all(tour[0] == 20 and tour[1] != 11 for tour in tours)  # a1 and b3
    assert len({frozenset(move) for tour in tours for move in itertools.pairwise(tour)}) == 48
    assert "tour 2" in (tmp_path / "t.svg").read_text()


def test_the_command_tells_why_there_is_no_answer() -> None:
    done = kt("decompose", "8x8", "--tours", "2", "--format", "json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["status"], answer["tours"]) == (1, "impossible", [])
    assert "a8 has only 2 moves" in answer["reason"]
    assert kt("decompose", "6x6", "--open").returncode == 2


def fewest(graph: Graph) -> int:
    """The fewest paths, by brute force: a vertex is added to the last path, or begins another."""

    @functools.cache
    def more(left: frozenset[int], last: int) -> int:
        if not left:
            return 0
        numbers = []
        for vertex in left:
            begins = 0 if vertex in graph.neighbors(last) else 1
            numbers.append(begins + more(left - {vertex}, vertex))
        return min(numbers)

    vertices = frozenset(graph.vertices.tolist())
    return 1 + min(more(vertices - {vertex}, vertex) for vertex in vertices)


def proven(graph: Graph) -> CoverResult:
    result = path_cover(graph, workers=1)
    assert result.objective.optimal
    assert validate_cover(graph, result.paths)
    assert separator_of_cover(Instance(graph)).fewest_paths <= result.objective.value
    return result


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_connected_graphs_take_as_many_paths_as_by_brute_force(every: int) -> None:
    for drawn in ATLAS[::every]:
        graph = Graph.of(drawn)
        assert proven(graph).objective.value == fewest(graph), drawn.edges


def test_digraphs_and_boards_with_holes_take_as_many_paths_as_by_brute_force() -> None:
    random = Random(1)
    for _ in range(6):
        edges = [(a, b) for a in range(6) for b in range(6) if a != b and random.random() < 0.3]
        digraph = Graph(range(6), edges, directed=True)
        assert proven(digraph).objective.value == fewest(digraph), edges
        board = Board(4, 4, sorted(random.sample(range(16), 8)))
        assert proven(board).objective.value == fewest(board), board.holes


@pytest.mark.parametrize(("size", "paths"), [("1x1", 1), ("2x2", 4), ("4x4", 2), ("5x5", 1)])
def test_small_boards_take_so_many_knights(size: str, paths: int) -> None:
    assert proven(Board.parse(size)).objective.value == paths


def test_a_time_limit_leaves_a_cover_and_a_bound() -> None:
    board = Board.parse("20x20")
    found = best_cover(Task(Instance(board), Clock(1e-9)), 1)
    assert validate_cover(board, found.paths)
    assert 1 <= found.bound <= len(found.paths)


def test_ctrl_c_leaves_the_best_cover_and_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kt_cp.methods.covers.Solver.solve", interrupted)
    with pytest.raises(CoverInterruptedError) as caught:
        path_cover(Board(4, 4, [2, 3, 9, 12]))
    result = caught.value.result
    assert (result.objective.value, result.objective.bound) == (3, 2)
    assert result.report


@pytest.mark.parametrize(
    ("paths", "fault"),
    [
        ([[0, 5, 6, 1, 8, 3, 2, 7]], "b2 is not visited"),
        ([[0, 5, 6, 1, 8, 3, 2, 7], [4], [4]], "b2 is visited 2 times"),
        ([[0, 5, 6, 1, 8, 3, 2, 7, 4]], "b1 to b2 is not a knight's move"),
        ([[0, 5, 6, 1, 8, 3, 2, 7], [4], []], "a path is empty"),
    ],
)
def test_the_validator_says_what_is_wrong_with_a_cover(paths: list[list[int]], fault: str) -> None:
    report = validate_cover("3x3", paths)
    assert not report
    assert fault in report.faults


def test_the_command_writes_a_path_on_each_line_and_the_number_last() -> None:
    told = kt("cover", "3x3")
    assert told.returncode == 0
    lines = told.stdout.splitlines()
    assert lines[:3] == ["; board: 3x3", "; kind: cover", "; path 1 of 2, 8 squares"]
    assert lines[-2:] == ["; path 2 of 2, 1 square", "b2"]
    assert told.stderr.endswith("; optimal: the board is in 2 components\n")
    answer = json.loads(kt("cover", "3x3", "--format", "json").stdout)
    assert answer["objective"]["value"] == answer["objective"]["bound"] == len(answer["paths"])
    assert kt("cover", "3x3", "--workers", "0").returncode == 2
