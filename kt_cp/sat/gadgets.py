"""Directed graphs made of gadgets: small parts that a tour passes along one of a few paths.

Reductions of other problems to the Hamiltonian cycle problem use such gadgets. One of them is for
choosing exactly one of six ways to ring a group of rows of a peal (M. Haythorpe and A. Johnson,
Change ringing and Hamiltonian cycles: the search for Erin and Stedman triples, 2019). The paths
through a gadget, its passages, are listed once, so that a search need not find out again and again
what fits together inside.

Only tours that pass each gadget in one piece are considered. So a search finds tours, and proves
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.task import Clock

# An inner node of a gadget is left, or entered, by at most this many arcs.
_MAX_INNER_ARCS = 2

# Gadgets with more nodes, and gadgets with more passages, are not considered.
_MAX_NODES, _MAX_PASSAGES = 16, 16

# The most steps of the search for the passages of a gadget.
_MAX_STEPS = 20_000

# With fewer gadgets, a cycle that is forbidden as short might be a tour.
_MIN_GADGETS = 20


@dataclass(frozen=True, eq=False)
class PassageGraph:
    """The passages through the gadgets of a directed graph.

    A tour visits exactly one passage of each of ``gadgets`` gadgets. ``paths[i]`` has the nodes of
    passage ``i`` in order, ``gadget_of[i]`` is its gadget, and ``arcs`` are rows of two passages,
    of which the second can follow the first.
    """

    gadgets: int
    paths: list[list[int]]
    gadget_of: Ints
    arcs: Ints

    def nodes(self, passages: Iterable[int]) -> list[int]:
        """Return the nodes of some passages, one after the other."""
        return [node for passage in passages for node in self.paths[passage]]


def passage_graph(arcs: Ints, nodes: int, clock: Clock) -> PassageGraph | None:
    """Return the passages of a directed graph that consists of gadgets, or None if it does not.

    ``arcs`` are different rows (from, to) of some of the ``nodes``. A gadget is a component of the
    arcs at inner nodes, which have few arcs. Raises `OutOfTimeError`.
    """
    arcs_out, arcs_in = (np.bincount(ends, minlength=nodes) for ends in arcs.T)
    is_inner = np.minimum(arcs_out, arcs_in) <= _MAX_INNER_ARCS
    labels = component_labels(nodes, arcs[is_inner[arcs].any(axis=1)])
    _, gadget_of_node, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if len(sizes) < _MIN_GADGETS or not 1 < sizes.max() <= _MAX_NODES:
        return None
    is_across = gadget_of_node[arcs[:, 0]] != gadget_of_node[arcs[:, 1]]
    paths = list[list[int]]()
    for gadget in _gadgets(arcs, gadget_of_node, is_across):
        clock.check()
        passages = gadget.passages()
        if not passages:
            return None
        paths += passages
    gadget_of = gadget_of_node[[path[0] for path in paths]]
    return PassageGraph(len(sizes), paths, gadget_of, _arcs_between(paths, arcs[is_across]))


def _arcs_between(paths: Sequence[Sequence[int]], arcs: Ints) -> Ints:
    """Return rows of two paths: an arc joins the end of the first to the start of the second."""
    paths_to, paths_from = dict[int, list[int]](), dict[int, list[int]]()
    for number, path in enumerate(paths):
        paths_from.setdefault(path[0], []).append(number)
        paths_to.setdefault(path[-1], []).append(number)
    rows = [
        (before, after)
        for tail, head in arcs.tolist()
        for before in paths_to.get(tail, ())
        for after in paths_from.get(head, ())
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class _Gadget:
    """A small part of a directed graph: its nodes, which have ``successors`` in it.

    It is entered at ``entries`` and left at ``exits``.
    """

    successors: dict[int, list[int]]
    entries: list[int]
    exits: set[int]

    def passages(self) -> list[list[int]]:
        """Return a Hamiltonian path for each pair of an entry and an exit that has one.

        The list is empty if there are too many of them, or if the search takes too many steps.
        """
        passages = dict[tuple[int, int], list[int]]()
        unfinished = [[entry] for entry in self.entries]
        for _ in range(_MAX_STEPS):
            if not unfinished:
                return list(passages.values())
            path = unfinished.pop()
            if len(path) == len(self.successors) and path[-1] in self.exits:
                passages[path[0], path[-1]] = path
                if len(passages) > _MAX_PASSAGES:
                    break
            unfinished += [[*path, node] for node in self.successors[path[-1]] if node not in path]
        return []


def _gadgets(arcs: Ints, gadget_of_node: Ints, is_across: Ints) -> list[_Gadget]:
    """Return the gadgets, given the number of that of each node and a mask of the arcs between."""
    order = np.argsort(gadget_of_node, kind="stable")
    bounds = np.searchsorted(gadget_of_node[order], np.arange(gadget_of_node.max() + 2))
    successors: dict[int, list[int]] = {node: [] for node in range(len(gadget_of_node))}
    for tail, head in arcs[~is_across].tolist():
        successors[tail].append(head)
    exits, entries = (set(ends.tolist()) for ends in arcs[is_across].T)
    gadgets = list[_Gadget]()
    for first, last in pairwise(bounds.tolist()):
        members = order[first:last].tolist()
        gadgets.append(
            _Gadget(
                {node: successors[node] for node in members},
                [node for node in members if node in entries],
                exits.intersection(members),
            )
        )
    return gadgets
