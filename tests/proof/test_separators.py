"""Separators of general graphs: found soon, and certified by a single cut."""

import itertools
import random

import networkx as nx
import pytest

from kt_cp import Graph, Instance, Status, check, solve
from kt_cp.proof.certificate import Rule
from kt_cp.proof.producer import make_certificate
from kt_cp.proof.reason import ReasonKind
from kt_cp.proof.reasons import refute

Edges = list[tuple[int, int]]


def cliques_and_hubs(hubs: int, cliques: int, size: int, share: float = 1) -> Edges:
    """Return cliques whose vertices are joined to a share of the hubs."""
    draw = random.Random(0)
    edges: Edges = []
    for number in range(cliques):
        first = hubs + number * size
        members = range(first, first + size)
        edges += itertools.combinations(members, 2)
        edges += [(hub, one) for one in members for hub in range(hubs) if draw.random() < share]
    return shuffled(edges)


def cubic_pieces(hubs: int, pieces: int, size: int, degree: int) -> Edges:
    """Return cubic graphs, to which hubs of low degree are joined at random vertices."""
    draw = random.Random(1)
    edges: Edges = []
    for number in range(pieces):
        piece = nx.random_regular_graph(3, size, seed=100 + number)
        edges += [(hubs + number * size + a, hubs + number * size + b) for a, b in piece.edges]
    for hub in range(hubs):
        for number in draw.sample(range(pieces), degree):
            edges.append((hub, hubs + number * size + draw.randrange(size)))
    return shuffled(edges)


def shuffled(edges: Edges) -> Edges:
    numbers = sorted({end for edge in edges for end in edge})
    random.Random(2).shuffle(numbers)
    return [(numbers[a], numbers[b]) for a, b in edges]


GRAPHS = {
    "two hubs and three triangles": (cliques_and_hubs(2, 3, 3), 2),
    "five hubs and six cliques": (cliques_and_hubs(5, 6, 4), 5),
    "five hubs joined to half of the vertices": (cliques_and_hubs(5, 6, 4, 0.5), 5),
    "30 hubs": (cliques_and_hubs(30, 31, 4), 30),
    "30 hubs joined to few vertices": (cliques_and_hubs(30, 31, 5, 0.2), 30),
    "ten hubs of the degree of the others": (cliques_and_hubs(10, 11, 8, 0.15), 10),
    "hubs of low degree": (cubic_pieces(6, 7, 10, 7), 6),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_hubs_that_keep_many_parts_apart_are_a_reason_and_a_certificate(name: str) -> None:
    edges, hubs = GRAPHS[name]
    instance = Instance.of(Graph.of(edges), closed=True)
    reason = refute(instance)
    assert reason is not None
    assert reason.kind is ReasonKind.CUT
    assert len(reason.groups["cut"]) <= hubs
    certificate = make_certificate(instance)
    assert [step.rule for step in certificate.steps] == [Rule.CUT]
    assert check(certificate)


def test_a_cut_of_which_the_tour_uses_edges_is_certified() -> None:
    # Without the three hubs three triangles are left, and the tour joins two of the hubs.
    edges = [*cliques_and_hubs(3, 3, 3)]
    hubs = [vertex for vertex in range(12) if sum(vertex in edge for edge in edges) == 9]
    asked = Graph.of([*edges, (hubs[0], hubs[1])])
    assert solve(asked, closed=True).status is Status.FOUND
    instance = Instance.of(asked, closed=True, require=[(hubs[0], hubs[1])])
    assert solve(instance).status is Status.IMPOSSIBLE
    assert check(make_certificate(instance))


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs_with_a_reason_have_no_tour(seed: int) -> None:
    graph = nx.gnm_random_graph(9, 13, seed=seed)
    for closed in (True, False):
        instance = Instance.of(graph, closed=closed)
        if refute(instance) is not None:
            assert solve(instance, method="circuit").status is Status.IMPOSSIBLE
