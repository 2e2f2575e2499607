"""Positions: an instance and the path that a visitor has drawn on its graph.

A position does not change: what a visitor does returns another one.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance

MAX_TEXT = 8_000
"""The largest number of characters in a text that the page accepts."""


@dataclass(frozen=True)
class Position(ABC):
    """An instance, and the path that the visitor has drawn, which may be empty.

    Raises `InputError` for a path with an illegal move.
    """

    instance: Instance
    path: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for source, target in itertools.pairwise(self.path):
            self._check_move(source, target)

    @property
    def graph(self) -> Graph:
        """The graph, which may be a board."""
        return self.instance.graph

    @property
    @abstractmethod
    def query(self) -> str:
        """The part of an address from which `parse_address` makes this position."""

    @property
    @abstractmethod
    def labels(self) -> list[str]:
        """The name and the state of every vertex, as a screen reader says them."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The instance as `kt` reads it: a map, or edges."""

    @property
    def path_names(self) -> str:
        """The names of the vertices on the path, separated by blanks."""
        return " ".join(map(self.graph.name, self.path))

    @property
    def instance_with_path(self) -> Instance:
        """The instance whose tour begins with the path.

        Raises `InputError` if the path contradicts a step of the instance.
        """
        givens = {*self.instance.givens, *zip(self.path, itertools.count(1))}
        return replace(self.instance, givens=tuple(givens))

    @property
    def next_vertices(self) -> tuple[int, ...]:
        """The vertices to which the path can go on; empty before it has begun."""
        if not self.path:
            return ()
        neighbors = self.graph.neighbors(self.path[-1])
        return tuple(vertex for vertex in neighbors if vertex not in self.path)

    @property
    def unreachable(self) -> tuple[int, ...]:
        """The vertices that the path can no longer reach."""
        if not self.path:
            return ()
        is_left = self.graph.mask.copy()
        is_left[list(self.path[:-1])] = False
        arcs = self.graph.arcs
        remaining_arcs = arcs[is_left[arcs].all(axis=1)]
        labels = component_labels(self.graph.area, remaining_arcs)
        is_cut_off = is_left & (labels != labels[self.path[-1]])
        return tuple(np.flatnonzero(is_cut_off).tolist())

    def with_tap(self, vertex: int) -> Self:
        """Return the position after a tap on a vertex.

        The path is extended to a new vertex. A tap on its last vertex removes that one, and a tap
        on an earlier one removes all that come after it. Raises `InputError` if no move leads to
        the vertex.
        """
        self._check_vertex(vertex)
        if vertex not in self.path:
            return replace(self, path=(*self.path, vertex))
        length = self.path.index(vertex)
        if vertex != self.path[-1]:
            length += 1
        return replace(self, path=self.path[:length])

    def with_drag(self, source: int, target: int) -> Self:
        """Return the position after a drag from a vertex to another: a path that ends with both.

        If the path does not end at ``source``, that one is tapped first. Raises `InputError` if no
        move leads from the path to ``source``, or from there to ``target``.
        """
        position = self
        if self.path[-1:] != (source,):
            position = self.with_tap(source)
        return position.with_tap(target)

    def cleared(self) -> Self:
        """Return the position without path and constraints."""
        return replace(self, instance=Instance(self.graph, self.instance.closed), path=())

    def legal_prefix(self, vertices: Sequence[int]) -> tuple[int, ...]:
        """Return the part of a path before its first fault."""
        prefix: list[int] = []
        for vertex in vertices:
            is_new = vertex in self.graph and vertex not in prefix
            if not is_new or (prefix and vertex not in self.graph.neighbors(prefix[-1])):
                break
            prefix.append(vertex)
        return tuple(prefix)

    def _check_vertex(self, vertex: int) -> None:
        """Raise `InputError` if the graph has no such vertex."""
        if vertex not in self.graph:
            raise InputError(f"there is no vertex {vertex}")

    def _check_move(self, source: int, target: int) -> None:
        """Raise `InputError` if the graph has no such move."""
        graph = self.graph
        if source not in graph or target not in graph.neighbors(source):
            pair = f"{graph.name(source)} to {graph.name(target)}"
            raise InputError(f"{pair} is no {graph.move_name}")
