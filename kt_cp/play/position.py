"""What a visitor sees and changes: an instance and the path that was drawn on its graph.

Nothing here knows the page. An action returns a new position.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from kt_cp.errors import InputError
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.instance import Instance

MAX_TEXT = 8_000
"""How many characters a text has at most that the page takes."""


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
    def with_path(self) -> Instance:
        """The instance whose tour begins with the path; `InputError` if it contradicts a step."""
        givens = {*self.instance.givens, *zip(self.path, itertools.count(1))}
        return replace(self.instance, givens=tuple(givens))

    @property
    def next_vertices(self) -> tuple[int, ...]:
        """The vertices to which the path can go on, if it has begun."""
        if not self.path:
            return ()
        neighbors = self.graph.neighbors(self.path[-1])
        return tuple(vertex for vertex in neighbors if vertex not in self.path)

    @property
    def cut_off(self) -> tuple[int, ...]:
        """The vertices that the path can no longer reach."""
        if not self.path:
            return ()
        left = self.graph.mask.copy()
        left[list(self.path[:-1])] = False
        edges = self.graph.arcs[left[self.graph.arcs].all(axis=1)]
        labels = component_labels(self.graph.area, edges)
        return tuple(np.flatnonzero(left & (labels != labels[self.path[-1]])).tolist())

    def visited(self, vertex: int) -> Self:
        """Go on to a vertex; on the last one, take it back; on an earlier one, go back to it."""
        self._check_vertex(vertex)
        if vertex not in self.path:
            return replace(self, path=(*self.path, vertex))
        length = self.path.index(vertex)
        if vertex != self.path[-1]:
            length += 1
        return replace(self, path=self.path[:length])

    def cleared(self) -> Self:
        """Take the path and all constraints away."""
        return replace(self, instance=Instance(self.graph, self.instance.closed), path=())

    def legal_part(self, vertices: Sequence[int]) -> tuple[int, ...]:
        """Return a path up to its first fault."""
        part: list[int] = []
        for vertex in vertices:
            is_new = vertex in self.graph and vertex not in part
            if not is_new or (part and vertex not in self.graph.neighbors(part[-1])):
                break
            part.append(vertex)
        return tuple(part)

    def _check_vertex(self, vertex: int) -> None:
        if vertex not in self.graph:
            raise InputError(f"there is no vertex {vertex}")

    def _check_move(self, source: int, target: int) -> None:
        graph = self.graph
        if source not in graph or target not in graph.neighbors(source):
            pair = f"{graph.name(source)} to {graph.name(target)}"
            raise InputError(f"{pair} is no {graph.move_name}")
