"""The steps of a count by frontier: the choices of each node, and the tours that these close.

`kt_cp.count.frontier` explains the terms.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Mask
from kt_cp.board.symmetry import board_symmetries
from kt_cp.count.node_order import NodeOrder
from kt_cp.graph_algorithms import adjacency
from kt_cp.problem.symmetry import TourMap
from kt_cp.problem.tour_graph import Nodes

Choice = tuple[int, ...]
"""The positions of the later neighbors that a node chooses: none, one or two."""


@dataclass(frozen=True)
class Closing:
    """A choice that closes tours of the first ``prefix`` squares.

    The nodes at the positions ``untouched`` lie beyond the prefix.
    """

    prefix: int
    choice: Choice
    untouched: tuple[int, ...]


@dataclass(frozen=True)
class Due:
    """A node of the frontier that has at most one neighbor still to come.

    It must have two edges by now if no neighbor is still to come, and otherwise at least one. A
    node ``beyond`` the next prefix may also have none.
    """

    position: int
    neighbors_to_come: int
    beyond: bool


@dataclass(frozen=True)
class EndColors:
    """What the two colors of a bipartite graph imply for the ends of an open tour after a step.

    A move joins a dark and a light node, so the moves to come add equally many edges to both
    colors. Each edge by which one color needs more must be an end of the tour.

    ``dark`` and ``light`` are the positions of the nodes of each color on the frontier, and
    ``depot`` is that of the depot. ``excess`` is how many more edges the dark nodes still to come
    need than the light ones, if none of them has an edge yet.
    """

    dark: tuple[int, ...]
    light: tuple[int, ...]
    depot: int
    excess: int


@dataclass(frozen=True)
class FrontierStep:
    """A step: a node of the order, and its choices among its later neighbors.

    - ``vertices``: the node itself, then the frontier after the step, in their order. All other
      fields name them by their positions in this tuple.
    - ``entering``: the positions of the vertices that are reached for the first time.
    - ``choices``: the sets of later neighbors that the node can choose.
    - ``closings``: the choices by which a tour may be closed.
    - ``due``: the nodes that have at most one neighbor still to come.
    - ``next_touch``: for each node of the frontier before the step, the number of the step at
      which it next chooses or is chosen.
    - ``mirror``: for each node of the frontier after the step, the place there of its image under
      a symmetry that keeps the set of processed nodes; empty if there is none.
    - ``colors``: those of an open tour of a bipartite graph, or None.
    """

    vertices: tuple[int, ...]
    entering: tuple[int, ...]
    choices: tuple[Choice, ...]
    closings: tuple[Closing, ...]
    due: tuple[Due, ...]
    next_touch: tuple[int, ...]
    mirror: tuple[int, ...]
    colors: EndColors | None


def ends_joined(choice: Choice) -> tuple[int, int]:
    """Return the positions that a choice joins: two neighbors, or the node itself with one."""
    if len(choice) == 1:
        return 0, choice[0]
    one, other = choice
    return one, other


class _Mirror(NamedTuple):
    """A symmetry of a graph: the image of each node.

    ``keeps`` tells for each step whether the set of nodes up to it is mapped onto itself.
    """

    images: list[int]
    keeps: Mask


@dataclass(frozen=True, eq=False)
class StepPlanner:
    """Finds the steps of a count of tours.

    ``edges`` and ``required`` are those of the form of the ``order``. Tours of the first squares
    of the order are counted for each number of squares in ``prefixes``.
    """

    order: NodeOrder
    edges: Nodes
    required: Nodes
    prefixes: tuple[int, ...]

    def steps(self) -> Iterator[FrontierStep]:
        """Yield the steps of all nodes, in their order."""
        frontier: list[int] = []
        for number in range(len(self.order.nodes)):
            step = self._step(number, frontier)
            yield step
            frontier = list(step.vertices[1:])

    def _step(self, number: int, frontier: list[int]) -> FrontierStep:
        """Return a step; ``frontier`` holds the nodes on the frontier before it, in their order."""
        places = self.order.places
        node = self.order.nodes[number]
        later = [other for other in self._neighbors[node] if places[other] > number]
        present = {node, *frontier, *later}
        vertices = sorted(present, key=places.__getitem__)
        position = {vertex: at for at, vertex in enumerate(vertices)}
        choices = tuple(self._choices(node, later, position))
        return FrontierStep(
            vertices=tuple(vertices),
            entering=tuple(sorted(position[vertex] for vertex in present.difference(frontier))),
            choices=choices,
            closings=tuple(self._closings(number, vertices, choices)),
            due=tuple(self._due(number, later, position)),
            next_touch=tuple(self._next_touch(vertex, number) for vertex in frontier),
            mirror=self._places_of_images(number, vertices[1:], position),
            colors=self._end_colors(number, vertices),
        )

    @cached_property
    def _neighbors(self) -> dict[int, list[int]]:
        """The neighbors of each node."""
        return {node: list[int]() for node in self.order.nodes} | adjacency(self.edges)

    @cached_property
    def _touches(self) -> dict[int, list[int]]:
        """For each node the steps at which it is chosen or chooses, ascending."""
        places = self.order.places
        return {
            node: sorted(places[each] for each in [node, *neighbors])
            for node, neighbors in self._neighbors.items()
        }

    def _next_touch(self, node: int, number: int) -> int:
        """Return the step, ``number`` or a later one, at which a node is chosen or chooses next."""
        touches = self._touches[node]
        return touches[bisect_left(touches, number)]

    # -- choices ----------------------------------------------------------------------------------

    def _choices(
        self, node: int, later: Sequence[int], position: Mapping[int, int]
    ) -> Iterator[Choice]:
        """Yield the sets of up to two later neighbors that contain all required ones."""
        forced = {position[v] for v in later if frozenset((node, v)) in self._required_pairs}
        positions = sorted(position[vertex] for vertex in later)
        for size in (0, 1, 2):
            for choice in itertools.combinations(positions, size):
                if forced.issubset(choice):
                    yield choice

    @cached_property
    def _required_pairs(self) -> set[frozenset[int]]:
        """The pairs of nodes that a required edge joins."""
        return set(map(frozenset, self.required.tolist()))

    def _due(self, number: int, later: list[int], position: Mapping[int, int]) -> Iterator[Due]:
        """Yield the neighbors of the node of a step that have at most one neighbor to come."""
        stops = [self.order.place_after(prefix) for prefix in self.prefixes]
        # Beyond the last stop there is only the depot, and that stop still tells what is beyond.
        next_stop = min((stop for stop in stops if stop > number), default=max(stops))
        for vertex in later:
            touches = self._touches[vertex]
            touches_to_come = len(touches) - bisect_right(touches, number)
            neighbors_to_come = touches_to_come - 1  # the vertex itself will choose
            if neighbors_to_come < 2:
                is_beyond = self.order.is_beyond(vertex, next_stop)
                yield Due(position[vertex], neighbors_to_come, is_beyond)

    # -- colors -----------------------------------------------------------------------------------

    def _end_colors(self, number: int, vertices: Sequence[int]) -> EndColors | None:
        """Return the colors after a step, or None if they rule out no state."""
        signs = self._color_signs
        if not signs:
            return None
        depot = len(signs) - 1
        if depot not in vertices:
            return None
        later = list(enumerate(vertices))[1:]
        return EndColors(
            dark=tuple(at for at, node in later if signs[node] > 0),
            light=tuple(at for at, node in later if signs[node] < 0),
            depot=vertices.index(depot),
            excess=2 * self._excess_to_come[number],
        )

    @cached_property
    def _color_signs(self) -> list[int]:
        """For each node 1 if it is dark, -1 if it is light, and 0 for the depot, the last one.

        It is empty if colors rule out no state: a closed tour has no ends to come, a sweep over
        several prefixes keeps the states of all of them, and in the split form other edges than
        moves join the nodes.
        """
        instance = self.order.form.instance
        sides = instance.graph.sides
        if instance.closed or self.order.is_split or len(self.prefixes) > 1 or sides is None:
            return []
        signs: list[int] = np.where(sides[instance.graph.vertices], 1, -1).tolist()
        return [*signs, 0]

    @cached_property
    def _excess_to_come(self) -> list[int]:
        """For each step how many more dark nodes than light ones come after it."""
        backwards = [self._color_signs[node] for node in reversed(self.order.nodes)]
        sums = list(itertools.accumulate(backwards, initial=0))
        sums.reverse()  # they begin with that of all nodes
        return sums[1:]

    # -- closings ---------------------------------------------------------------------------------

    def _closings(
        self, number: int, vertices: Sequence[int], choices: Sequence[Choice]
    ) -> Iterator[Closing]:
        """Yield the choices of a step that close tours of a prefix.

        For that, the node of the step and its frontier must contain all nodes of the prefix that
        are still to come, so that these can be finished.
        """
        if number < self._last_required:
            return
        depot_nodes = len(self.order.nodes) - self.order.depot_place
        for prefix in self.prefixes:
            stop = self.order.place_after(prefix)
            nodes_to_come = stop + depot_nodes - number  # of the prefix, with the depot
            beyond = [at for at, node in enumerate(vertices) if self.order.is_beyond(node, stop)]
            # Only the node of the step and its frontier can still be finished. They must be all
            # that is to come, and the node must belong to the prefix.
            has_all_to_come = 0 <= nodes_to_come <= len(vertices) - len(beyond)
            if not has_all_to_come or 0 in beyond:
                continue
            for choice in choices:
                if choice and not set(choice).intersection(beyond):
                    yield Closing(prefix, choice, tuple(beyond))

    @cached_property
    def _last_required(self) -> int:
        """The step that decides the last required edge, or -1 without required edges."""
        places = self.order.places
        return max((min(places[a], places[b]) for a, b in self.required.tolist()), default=-1)

    # -- symmetry ---------------------------------------------------------------------------------

    def _places_of_images(
        self, number: int, frontier: list[int], position: Mapping[int, int]
    ) -> tuple[int, ...]:
        """Return the places on the frontier after a step of the mirror images of its nodes.

        Empty if the mirror does not keep the set of processed nodes.
        """
        mirror = self._mirror
        if mirror is None or not mirror.keeps[number]:
            return ()
        return tuple(position[mirror.images[vertex]] - 1 for vertex in frontier)

    @cached_property
    def _mirror(self) -> _Mirror | None:
        """The symmetry that keeps all prefixes and the most beginnings of the order, or None."""
        best = None
        for board_images in board_symmetries(self.order.form.instance.graph).values():
            images = self.order.form.images(TourMap(board_images, reverse=False))
            if not self._is_symmetry(images):
                continue
            mirror = _Mirror(images.tolist(), self._kept_beginnings(images))
            stops = [self.order.place_after(prefix) for prefix in self.prefixes]
            if not all(mirror.keeps[stop - 1] for stop in stops):
                continue
            if best is None or mirror.keeps.sum() > best.keeps.sum():
                best = mirror
        return best

    def _is_symmetry(self, images: Nodes) -> bool:
        """Return whether a map other than the identity keeps the edges and the required edges.

        Ends and forbidden moves are covered: the graph has or lacks the edges that express them.
        """
        if np.array_equal(images, np.arange(len(images))):
            return False
        return all(
            np.array_equal(np.unique(np.sort(images[edges], axis=1), axis=0), edges)
            for edges in (self.edges, self.required)
        )

    def _kept_beginnings(self, images: Nodes) -> Mask:
        """Return for each step whether the set of nodes up to it is mapped onto itself."""
        places = np.array(self.order.places)
        last_image = np.maximum.accumulate(places[images[self.order.nodes]])
        return np.asarray(last_image == np.arange(len(last_image)))
