"""The model of path covers: circuits through a depot, each of which is a path of the cover.

CP-SAT's multiple circuit constraint lets circuits share the depot, and no other node. Without the
depot they are paths that visit every vertex once, and the arcs that leave the depot number them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import Graph
from kt_cp.model.backend import Arcs, Linear, Model
from kt_cp.problem.task import Sense

_DEPOT = 0

Paths = Sequence[Sequence[int]]
"""The paths of a cover, each as ids in visiting order."""


@dataclass(frozen=True)
class CoverModel:
    """A CP-SAT model of the path covers of a graph.

    Vertices are the nodes from 1, in the order of their ids. ``arcs`` are the moves and the arcs
    from and to the depot.
    """

    graph: Graph
    cp: Model
    arcs: Arcs


def build_cover_model(graph: Graph, fewest: int, most: int) -> CoverModel:
    """Return the model of the covers of ``fewest`` to ``most`` paths, with the fewest wanted."""
    nodes = np.arange(1, len(graph) + 1)
    depots = np.full_like(nodes, _DEPOT)
    moves = np.searchsorted(graph.vertices, graph.arcs) + 1
    starts = np.stack([depots, nodes], axis=1)
    ends = np.stack([nodes, depots], axis=1)
    cp = Model()
    pairs = np.concatenate([starts, ends, moves])
    arcs = Arcs(pairs, cp.new_literals(len(pairs)))
    cp.add_multiple_circuit(arcs.pairs, arcs.literals)
    number = Linear(Counter(arcs.literals_of(starts).tolist()))
    number.bound(cp, fewest, most)
    number.optimize(cp, Sense.MINIMIZE)
    return CoverModel(graph, cp, arcs)


def paths_of(model: CoverModel, solution: Ints) -> list[list[int]]:
    """Return the paths of a solution."""
    used = model.arcs.used_in(solution)
    follower = {source: target for source, target in used if source != _DEPOT}
    ids = model.graph.vertices.tolist()
    paths = []
    for source, node in used:
        if source != _DEPOT:
            continue
        path = []
        while node != _DEPOT:
            path.append(ids[node - 1])
            node = follower[node]
        paths.append(path)
    return paths


def hint_paths(model: CoverModel, paths: Paths) -> None:
    """Hint the arcs along the paths of a cover."""
    pairs: list[tuple[int, int]] = []
    for path in paths:
        nodes = (np.searchsorted(model.graph.vertices, path) + 1).tolist()
        pairs += zip([_DEPOT, *nodes], [*nodes, _DEPOT], strict=True)
    used = model.arcs.literals_of(np.array(pairs))
    model.cp.hint_all(model.arcs.literals, chosen=used)
