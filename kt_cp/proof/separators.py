"""Separators: sets of vertices worth removing, as too many components may be left without them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Mask
from kt_cp.graph_algorithms import (
    adjacency,
    articulation_components,
    component_labels,
    strong_components,
)
from kt_cp.sat.two_factors import flow_between


def candidate_separators(
    edges: npt.NDArray[np.integer], squares: Mask, sides: Mask | None, ends: tuple[int, ...]
) -> Iterator[list[int]]:
    """Yield sets of squares worth removing: single ones, and those that keep many others apart.

    ``edges`` are those that a tour may still use; ``sides`` tell for each id on which of two sides
    it is, if all edges run between these; ``ends`` are those of the tour.
    """
    graph = adjacency(edges)
    articulation = articulation_components(graph)
    if articulation:
        yield [max(articulation, key=articulation.__getitem__)]
    for end in ends:
        yield [end]
    for degree in (2, 3, 4):
        lonely = [square for square, others in graph.items() if len(others) <= degree]
        yield sorted({other for square in lonely for other in graph[square]})
    if sides is None:
        return
    yield _matched_apart(edges, sides, squares)
    # Hall's condition for a tour: every square of a color needs two moves, and an end one.
    for left in (sides, ~sides):
        room = 2 * squares
        room[list(ends)] = 1
        yield np.flatnonzero(deficient(edges, left & squares, room, most=2) & ~left).tolist()


def component_count(edges: npt.NDArray[np.integer], kept: Mask) -> int:
    """Return the number of components among the vertices that are kept."""
    labels = component_labels(len(kept), edges[kept[edges].all(axis=1)])
    return len(np.unique(labels[kept]))


def deficient(
    edges: npt.NDArray[np.integer], left: Mask, room: npt.NDArray[np.integer], most: int = 1
) -> Mask:
    """Return squares of one color that most lack moves, and their neighbors, by a minimum cut.

    ``left`` tells which squares have that color, ``room`` how many moves each square needs or can
    give, and ``most`` how many a pair can share.
    """
    arcs = np.where(left[edges[:, :1]], edges, edges[:, ::-1])
    return flow_between(arcs[left[arcs[:, 0]] & ~left[arcs[:, 1]]], left, room, most)[2]


def _matched_apart(edges: npt.NDArray[np.integer], dark: Mask, squares: Mask) -> list[int]:
    """Return squares whose removal leaves as many squares alone, if there are such.

    Dark squares with just as many neighbors, and the light squares beside none of them, are left
    alone by removing the others. With a perfect matching they are those that one of them reaches
    over an edge and then over the matching (Dulmage and Mendelsohn 1958), unless that is all.
    """
    edges = np.where(dark[edges[:, :1]], edges, edges[:, ::-1])
    darks = np.flatnonzero(dark & squares)
    size, flows, _ = flow_between(edges, dark, squares.astype(np.int64))
    if not 2 * size == 2 * len(darks) == np.count_nonzero(squares):
        return []
    light_of, dark_of = np.zeros((2, len(squares)), dtype=np.int64)
    matched = edges[flows == 1]
    light_of[matched[:, 0]] = matched[:, 1]
    dark_of[matched[:, 1]] = matched[:, 0]
    steps = np.stack([edges[:, 0], dark_of[edges[:, 1]]], axis=1)
    labels = strong_components(len(squares), steps)
    tails, heads = labels[steps].T
    last = np.setdiff1d(labels[darks], tails[tails != heads])[0]  # a component that no step leaves
    reached = darks[labels[darks] == last]
    if len(reached) == len(darks):
        return []
    return sorted([*light_of[reached].tolist(), *np.setdiff1d(darks, reached).tolist()])
