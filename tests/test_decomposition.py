"""Decompositions into Hamiltonian cycles, against brute force, theorems and published tables."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_cp.board.board import Board
from kt_cp.draw.look import Look, Theme
from kt_cp.draw.output import picture_of
from kt_cp.draw.picture import svg
from kt_cp.graph import Graph, NamedGraph
from kt_cp.messages import InputError
from kt_cp.methods.decomposition import decompose, disjoint_tours, hamiltonian_decomposition
from kt_cp.problem.task import OutOfTimeError
from tests.helpers.command import kt

nx = pytest.importorskip("networkx")

Arc = tuple[int, int]


def is_decomposition(arcs: set[Arc], directed: bool, cycles: list[list[int]]) -> bool:
    """Whether cycles visit all vertices and use every edge, or arc, exactly once."""
    vertices = {vertex for arc in arcs for vertex in arc}
    used = [(a, b) for cycle in cycles for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
    if not directed:
        used += [(b, a) for a, b in used]
    return sorted(used) == sorted(arcs) and all(sorted(c) == sorted(vertices) for c in cycles)


def hamiltonian_cycles(arcs: set[Arc], directed: bool) -> Iterator[frozenset[Arc]]:
    """Yield the arcs of each Hamiltonian cycle, in both directions if it is undirected."""
    first, *others = sorted({vertex for arc in arcs for vertex in arc})
    for order in itertools.permutations(others):
        used = set(zip((first, *order), (*order, first), strict=True))
        if used <= arcs and (directed or order[0] < order[-1]) and len(order) > 1:
            yield frozenset(used if directed else used | {(b, a) for a, b in used})


def can_decompose(arcs: set[Arc], directed: bool) -> bool:
    """Whether cycles partition the arcs, by brute force."""

    def fits(left: frozenset[Arc], cycles: list[frozenset[Arc]]) -> bool:
        if not left:
            return True
        arc = min(left)
        return any(fits(left - each, cycles) for each in cycles if arc in each and each <= left)

    return bool(arcs) and fits(frozenset(arcs), list(hamiltonian_cycles(arcs, directed)))


def check(arcs: set[Arc], directed: bool, expected: bool) -> None:
    vertices = range(1 + max(map(max, arcs)))
    graph = NamedGraph(vertices, np.array(sorted(arcs)), directed)
    cycles = hamiltonian_decomposition(graph, time_limit=60)
    assert (cycles is not None) == expected, sorted(arcs)
    assert cycles is None or is_decomposition(arcs, directed, cycles)


def both_ways(edges: Iterable[Arc]) -> set[Arc]:
    return {arc for a, b in edges for arc in ((a, b), (b, a))}


ATLAS = [each for each in nx.graph_atlas_g() if len(each) > 1 and nx.is_connected(each)]
EVEN = [each for each in ATLAS if all(d == 4 or d == 6 for _, d in each.degree)]  # and more


@pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_connected_graphs_of_seven_vertices_are_as_by_brute_force(every: int) -> None:
    for drawn in [*EVEN, *ATLAS[::every]]:
        arcs = both_ways(drawn.edges)
        check(arcs, False, can_decompose(arcs, False))


@pytest.mark.parametrize("count", [60, pytest.param(1_000, marks=pytest.mark.exhaustive)])
def test_digraphs_of_five_vertices_are_as_by_brute_force(count: int) -> None:
    random = Random(1)
    found = 0
    for _ in range(count):  # unions of permutations without fixed points have regular degrees
        size = random.randint(3, 5)
        arcs = set[Arc]()
        for _ in range(random.randint(1, 3)):
            images = random.sample(range(size), size)
            new = {(a, b) for a, b in enumerate(images) if a != b}
            arcs |= new if new.isdisjoint(arcs) else set()
        if arcs and max(map(max, arcs)) == size - 1:
            expected = can_decompose(arcs, True) and len({a for a, _ in arcs}) == size
            check(arcs, True, expected)
            found += expected
    assert found > count // 10


def cube(modulus: int) -> set[Arc]:
    """The arcs that add 1, modulo a number, to one of three coordinates (D. E. Knuth, 2026)."""
    weights = (1, modulus, modulus**2)
    arcs = set()
    for digits in itertools.product(range(modulus), repeat=3):
        number = sum(digit * weight for digit, weight in zip(digits, weights, strict=True))
        for digit, weight in zip(digits, weights, strict=True):
            arcs.add((number, number + ((digit + 1) % modulus - digit) * weight))
    return arcs


@pytest.mark.parametrize("modulus", [2, 3, 4, 5, pytest.param(7, marks=pytest.mark.exhaustive)])
def test_knuths_cubes_have_three_cycles_unless_the_modulus_is_two(modulus: int) -> None:
    check(cube(modulus), True, modulus > 2)


@pytest.mark.parametrize(
    "graph",
    [
        *(nx.complete_graph(n) for n in (3, 5, 9, 13, 15)),  # Walecki 1890
        *(nx.hypercube_graph(d) for d in (2, 4, 6)),  # Ringel 1956
        *(nx.cartesian_product(nx.cycle_graph(n), nx.cycle_graph(n)) for n in (3, 5, 8)),  # Kotzig
    ],
)
def test_complete_graphs_hypercubes_and_products_of_cycles_have_decompositions(graph: Any) -> None:
    numbered = nx.convert_node_labels_to_integers(graph)
    check(both_ways(numbered.edges), False, True)


@pytest.mark.parametrize("side", [5, 6, pytest.param(8, marks=pytest.mark.exhaustive)])
def test_the_knights_moves_of_a_torus_are_four_closed_tours(side: int) -> None:
    board = Board(side, side, topology="torus")
    tours = disjoint_tours(board, 4, time_limit=60)
    assert tours is not None
    arcs = {(a, b) for a, b in board.arcs.tolist()}
    assert is_decomposition(arcs, False, [list(tour) for tour in tours])


def test_each_of_several_tours_meets_the_constraints() -> None:
    board = Board(6, 6, topology="torus")
    tours = disjoint_tours(board, 2, closed=False, time_limit=60, start="a1")
    assert tours is not None
    moves = [frozenset(move) for tour in tours for move in tour.moves.tolist()]
    assert len(set(moves)) == len(moves) == 70
    assert [tour.names[0] for tour in tours] == ["a1", "a1"]


K7_WITHOUT_A_TRIANGLE = [(a, b) for b in range(3, 7) for a in range(b)]


@pytest.mark.parametrize(
    ("graph", "asked", "reason"),
    [
        ("8x8", {"count": 2}, "a8 has only 2 moves, and 2 closed tours"),
        ("8x8", {}, "b8 has 3 moves, an odd number"),
        ("5x5", {"count": 1}, "13 dark and 12 light squares"),
        ("6x6", {"count": 2, "closed": False}, "but for their ends"),
        (K7_WITHOUT_A_TRIANGLE, {}, "3 has 6 moves and 0 has 4"),
        ([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], {}, "2 components"),
    ],
)
def test_reasons_come_before_the_solver(graph: Any, asked: Any, reason: str) -> None:
    result = decompose(graph, **{"closed": True, **asked})
    assert reason in str(result.reason)


def test_the_parity_of_arcs_that_alternate_refutes_a_digraph() -> None:
    two_by_three = {(a, b) for a in range(6) for b in ((a + 2) % 6, 2 * (a // 2) + (a + 1) % 2)}
    graph = NamedGraph(range(6), np.array(sorted(two_by_three)), directed=True)
    assert "in which arcs alternate" in str(decompose(graph, closed=True).reason)
    assert not can_decompose(two_by_three, True)


@pytest.mark.parametrize(
    "asked", [{"symmetry": "half-turn"}, {"require": ["a1-b3"]}, {"closed": False, "count": None}]
)
def test_what_makes_no_sense_for_several_tours_is_refused(asked: Any) -> None:
    with pytest.raises(InputError):
        decompose("6x6", **{"closed": True, "count": 2, **asked})


def test_a_time_limit_is_no_answer() -> None:
    with pytest.raises(OutOfTimeError, match="the time limit of 1e-09 s was reached"):
        hamiltonian_decomposition(Graph.of(nx.complete_graph(15)), time_limit=1e-9)


@pytest.mark.parametrize("form", ["grid", "squares", "ids", "json"])
def test_the_validator_judges_each_tour_that_the_command_writes(form: str, tmp_path: Path) -> None:
    torus = ("--topology", "torus")
    done = kt("decompose", "5x5", *torus, "--format", form, "--out", "t.txt", folder=tmp_path)
    assert done.returncode == 0
    assert "4 closed tours of 5x5 (torus) without a common move" in done.stderr
    judged = kt("validate", "t.txt", "--board", "5x5", *torus, folder=tmp_path)
    assert (judged.returncode, judged.stdout.count("valid closed tour of 5x5")) == (0, 4)


def test_the_validator_names_a_move_that_two_tours_share() -> None:
    tour = kt("solve", "5x6", "--closed").stdout
    judged = kt("validate", "-", stdin=f"; tour 1 of 2\n{tour}; tour 2 of 2\n{tour}")
    assert judged.returncode == 1
    assert "two tours share the move a5-" in judged.stdout


def test_a_picture_has_a_board_for_each_tour() -> None:
    pytest.importorskip("scipy")
    result = decompose(nx.complete_graph(17), closed=True, time_limit=60)
    drawn = svg(picture_of(result, Look(theme=Theme.GRAY)))
    lines = re.findall(r'class="move"[^>]*? stroke="(.*?)".*?d="M([\d.]+ [\d.]+)', drawn)
    assert len(lines) == len({gray for gray, _ in lines}) == len({start for _, start in lines}) == 8


def test_the_command_takes_constraints_and_draws(tmp_path: Path) -> None:
    asked = ("--topology", "torus", "--tours", "2", "--open", "--start", "a1", "--forbid", "a1-b3")
    done = kt("decompose", "5x5", *asked, "--format", "json", "--draw", "t.svg", folder=tmp_path)
    tours = json.loads(done.stdout)["tours"]
    a1, b3 = 20, 11
    assert all(tour[0] == a1 and tour[1] != b3 for tour in tours)
    assert "tour 2: a1 to" in (tmp_path / "t.svg").read_text()


def test_the_command_tells_why_there_is_no_answer() -> None:
    done = kt("decompose", "8x8", "--tours", "2", "--format", "json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["status"], answer["tours"]) == (1, "impossible", [])
    assert "a8 has only 2 moves" in answer["reason"]
    assert kt("decompose", "6x6", "--open").returncode == 2
    assert kt("decompose", "9x9", "--topology", "torus", "--time-limit", "1e-9").returncode == 3
