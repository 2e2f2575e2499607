"""The graph in which every tour of an instance is a cycle, and which vertices a walk can reach."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kt_cp.graph import Mask
from kt_cp.problem.instance import Instance

# The result of `reachable` has an entry for each step and square.
MAX_SQUARES = 1_600

Nodes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TourGraph:
    """The graph of an instance with its depot: a tour is a cycle through all of its nodes.

    The nodes number the vertices in the order of their ids. An open tour has one node more, the
    ``depot``, from which arcs lead to every possible start, and to it from every possible end.
    """

    instance: Instance

    @property
    def depot(self) -> int:
        """The node after the last vertex; only open tours have it."""
        return len(self.instance.graph)

    def __len__(self) -> int:
        return self.depot + (not self.instance.closed)

    def nodes(self, vertices: npt.NDArray[np.integer]) -> Nodes:
        """Return the nodes of vertices."""
        graph = self.instance.graph
        whole = graph.area == len(graph)
        return vertices.astype(np.int64) if whole else np.searchsorted(graph.vertices, vertices)

    def cycle(self, tour: npt.NDArray[np.integer]) -> Nodes:
        """Return the nodes of a tour in its order, the depot last."""
        return np.append(self.nodes(tour), self.depot)[: len(self)]

    @property
    def _ends(self) -> tuple[Nodes, Nodes]:
        """The nodes at which an open tour can start, and those at which it can end."""
        known, every = (self.instance.start, self.instance.end), np.arange(self.depot)
        start, end = (every if v is None else self.nodes(np.array([v])) for v in known)
        return start, end

    @cached_property
    def arcs(self) -> Nodes:
        """The arcs that are not forbidden, as rows (from, to), those of the depot last."""
        arcs, (starts, ends) = self.nodes(self.instance.arcs), self._ends
        if self.instance.closed:
            return arcs
        pairs = np.broadcast_arrays(self.depot, starts), np.broadcast_arrays(ends, self.depot)
        return np.concatenate([arcs, *(np.stack(pair, axis=1) for pair in pairs)])

    @cached_property
    def edges(self) -> Nodes:
        """The pairs that an arc joins, as rows (lower, higher), those of the depot last."""
        edges = self.nodes(self.instance.edges)
        if self.instance.closed:
            return edges
        ends = np.concatenate(self._ends)
        if len(ends) > 2:
            ends = np.arange(self.depot)
        return np.concatenate([edges, np.stack([ends, np.full_like(ends, self.depot)], axis=1)])

    @cached_property
    def wanted(self) -> frozenset[tuple[int, int]]:
        """The edges that are required, and those to given ends; not all of them need exist."""
        ends = [(end, self.instance.graph.area) for end in self.instance.ends]
        pairs = np.array([*(sorted(move[:2]) for move in self.instance.require), *ends], dtype=int)
        return frozenset(map(tuple, self.nodes(pairs.reshape(-1, 2)).tolist()))

    @cached_property
    def required(self) -> Mask:
        """Which of the edges are wanted."""
        keys = [low * len(self) + high for low, high in self.wanted]
        return np.isin(self.edges @ [len(self), 1], keys)

    @property
    def forced(self) -> Mask:
        """Which of the edges every tour uses: those wanted, and those of a node with just two."""
        tight = np.bincount(self.edges.ravel(), minlength=len(self)) == 2
        return np.asarray(self.required | tight[self.edges].any(axis=1))

    @property
    def is_contradictory(self) -> bool:
        """Whether some edge is both required and forbidden."""
        return len(np.unique(self.edges[self.required], axis=0)) < len(self.wanted)


def needs_steps(instance: Instance) -> bool:
    """Return whether steps other than those of the start and the end are known.

    A closed tour with a single given can start at the square that makes it right.
    """
    if instance.closed:
        return len(instance.steps) > 1
    return bool(instance.steps.keys() - {1, len(instance.graph)})


def reachable(instance: Instance, forward_only: bool = False) -> Mask:
    """Return an array of steps x squares: which squares a walk can be at at which steps.

    Walks may visit a square several times, but those with known steps at these only. With
    ``forward_only`` only the known steps before each step are regarded.
    """
    squares, steps = instance.graph.vertices, range(len(instance.graph))
    arcs = np.searchsorted(squares, instance.arcs)
    known = {step - 1: np.searchsorted(squares, at) for step, at in instance.steps.items()}
    reached = _sweep(arcs, known, steps, instance.closed)
    if not forward_only:
        reached &= _sweep(arcs[:, ::-1], known, steps[::-1], instance.closed)
    return reached


def _sweep(arcs: Nodes, known: dict[int, np.intp], order: range, closed: bool) -> Mask:
    """Return what can be reached from step to step in this order, which a closed tour repeats."""
    (sources, targets), places = arcs.T, np.arange(len(order))
    free = ~np.isin(places, list(known.values()))
    reached = np.ones((len(order), len(order)), dtype=np.bool_)
    here = np.ones(len(order), dtype=np.bool_)
    for step in (*order, *order) if closed else order:
        there = np.full(len(order), step == order[0] and not closed)
        there[targets[here[sources]]] = True
        here = there & (places == known[step] if step in known else free)
        reached[step] = here
    return reached
