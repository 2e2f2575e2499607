"""Separators: sets of vertices whose removal leaves more components than a tour can connect.

Every visit of one of k removed vertices joins at most two components: a closed tour connects at
most k of them, an open one k + 1, less one for each of its ends and of its required moves among the
k (Chvátal 1973, toughness). So a path that visits most can leave out all but the largest
components, and where there are many components, a cover needs many paths.

No method finds a separator wherever there is one. `candidate_separators` lists the likely ones, and
`greedy_separators` searches longer. At the end stands a related reason, that squares lack moves: a
minimum cut, which shows that, is a candidate for a separator too.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Squares
from kt_cp.graph_algorithms import (
    Adjacency,
    adjacency,
    articulation_components,
    component_labels,
    find_root,
    flow_between,
    strong_components,
)
from kt_cp.messages import join_words, pluralize
from kt_cp.problem.constraints import Edge
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.reasons import Reason, ReasonKind, edges_at
from kt_cp.tour.validator import FEWEST_CLOSED

MAX_SEPARATED = 20_000
"""Separators are sought in graphs of at most this many vertices, which takes about a second."""

# The most rounds of `greedy_separators`, and the most vertices that all rounds together visit,
# which takes some 0.3 s; small graphs get more rounds in less time. The rounds cycle through the
# amounts of noise added to the degrees.
_MAX_ROUNDS, _MAX_VISITS = 12, 10_000
_MAX_SMALL_ROUNDS, _MAX_SMALL_VISITS = 80, 3_000
_NOISE = (0.0, 0.2, 1.0, 5.0)


class ProofGraph:
    """The graph of a proof: vertices by id, with the depot of an open tour, and numbered edges.

    Every tour is a cycle through all vertices. ``edges`` are rows of two ids, ascending: the edge
    in row k has the number k + 1 in a certificate. ``used`` and ``unused`` are masks of the edges
    that are settled, at first those that the constraints require. Directions are ignored.
    """

    def __init__(self, instance: Instance, settled: Mapping[Edge, bool] | None = None) -> None:
        self.instance = instance
        graph = TourGraph(instance)
        order = np.lexsort(graph.edges.T[::-1])
        self.ids = graph.ids
        self.edges = graph.vertices(graph.edges[order])
        self.used = np.array(graph.required[order])
        self.unused = np.zeros(len(order), dtype=np.bool_)
        if settled is not None:
            values = [settled.get((low, high)) for low, high in self.edges.tolist()]
            self.used = np.array([each is True for each in values], dtype=np.bool_)
            self.unused = np.array([each is False for each in values], dtype=np.bool_)

    @property
    def between_squares(self) -> Squares:
        """The edges that a tour may use, without those of the depot."""
        edges = self.edges[~self.unused]
        return edges[edges[:, 1] < self.instance.graph.area]

    def separator(self, squares: Iterable[int]) -> Separator:
        """Return the separator of some squares and, for an open tour, the depot."""
        depot = () if self.instance.closed else (self.instance.graph.area,)
        return Separator(self, (*squares, *depot))

    def first_separator(self, candidates: Iterable[Iterable[int]]) -> Separator | None:
        """Return the first of some separators that leaves more components than a tour connects."""
        separators = map(self.separator, candidates)
        return next((each for each in separators if each.excess > 0), None)


@dataclass(frozen=True, eq=False)
class Separator:
    """A set of ``removed`` vertices (ids, perhaps none), and what follows from it.

    The rule of a certificate, and the group of a reason, that it leads to are called *cut*.

    >>> separator = ProofGraph(Instance.of("4x4")).separator((5, 6, 9, 10))
    >>> separator.removed, len(separator.components), separator.most_connected
    ((5, 6, 9, 10, 16), 6, 5)
    >>> separator.most_squares
    15
    """

    graph: ProofGraph
    removed: tuple[int, ...]

    @cached_property
    def _labeled(self) -> tuple[Ints, Ints]:
        """The ids that are left, and for each the lowest one of its component."""
        kept = np.isin(np.arange(self.graph.instance.graph.area + 1), self.graph.ids)
        kept[list(self.removed)] = False
        edges = self.graph.edges[~self.graph.unused]
        labels = component_labels(len(kept), edges[kept[edges].all(axis=1)])
        return np.flatnonzero(kept), labels[kept]

    @cached_property
    def components(self) -> list[list[int]]:
        """The components that are left, as ids, the largest first."""
        ids, labels = self._labeled
        by_label = np.argsort(labels, kind="stable")
        _, firsts = np.unique(labels[by_label], return_index=True)
        parts = np.split(ids[by_label], firsts[1:]) if len(ids) else []
        return sorted((part.tolist() for part in parts), key=len, reverse=True)

    @cached_property
    def inside(self) -> Mask:
        """A mask of the edges between two removed vertices."""
        return np.asarray(np.isin(self.graph.edges, self.removed).all(axis=1))

    @cached_property
    def _connected(self) -> int:
        """The most components that a tour of all vertices connects; if below 1, there is no tour.

        A tour returns to a removed vertex between two components; an edge that it uses between two
        removed vertices costs one of these returns.
        """
        inside = int((self.inside & self.graph.used).sum())
        return len(self.removed) - inside if self.removed else 1

    @property
    def most_connected(self) -> int:
        """The upper bound on the components that one path or cycle visits."""
        return max(1, self._connected)

    @property
    def excess(self) -> int:
        """By how much the components exceed the number that a tour connects."""
        ids, labels = self._labeled
        return int((ids == labels).sum()) - self._connected

    @property
    def squares(self) -> tuple[int, ...]:
        """The removed vertices but for the depot."""
        return tuple(each for each in self.removed if each in self.graph.instance.graph)

    @property
    def fewest_paths(self) -> int:
        """The lower bound on the number of paths of a cover."""
        return max(1, len(self.components) - len(self.squares))

    @property
    def most_reachable(self) -> int:
        """The upper bound on visited vertices before parity is taken into account."""
        return len(self.squares) + sum(map(len, self.components[: self.most_connected]))

    @property
    def most_squares(self) -> int:
        """The upper bound on the vertices that a path, or cycle, of the instance visits."""
        return self.graph.instance.possible_length(self.most_reachable)

    def reason(self) -> Reason:
        """Return the reason that a tour cannot connect all components."""
        instance = self.graph.instance
        cut = self.squares
        constraints = ["these ends"] if instance.ends else []
        if any({move.source, move.target} <= {*cut} for move in instance.require):
            constraints.append("the required $edges")
        tour = f"the $tour with {join_words(constraints)}" if constraints else "the $tour"
        what = "$vertex" if len(cut) == 1 else f"{len(cut)} $vertices"
        split = f"without the {what} {{cut}} the $graph is in {len(self.components)} components"
        text = f"{split}, of which {tour} can connect only {max(0, self._connected)}"
        return Reason.of(ReasonKind.CUT, instance, text, cut=cut)

    def reason_for_no_more(self, fewest: int) -> Reason:
        """Return the reason that no path or cycle visits ``fewest`` vertices or more."""
        instance = self.graph.instance
        cut = self.squares
        most = self.most_squares
        words = instance.graph.vocabulary
        kind = words.partial_tour(instance.closed)
        limit = f"a {kind} visits at most {words.count_vertices(most)}, not {fewest}"
        if instance.closed and most < FEWEST_CLOSED:
            least = words.count_vertices(FEWEST_CLOSED)
            limit = f"there is no cycle, which would visit at least {least}"
        if not cut:
            return Reason.of(ReasonKind.TOO_SMALL, instance, limit)
        text = f"removing {{cut}} leaves {pluralize(len(self.components), 'component')}"
        ends = sorted({*cut}.intersection(instance.ends))
        if self.most_connected < len(self.components):
            at_ends = " with an end at {ends}" if ends else ""
            text += f", of which a {kind}{at_ends} visits at most {self.most_connected}"
        if most < self.most_reachable:
            text += ", and an even number of $vertices"
        return Reason.of(ReasonKind.CUT, instance, f"{text}, so {limit}", cut=cut, ends=ends)


# -- reasons -------------------------------------------------------------------------------------


def visible_separator(instance: Instance) -> Reason | None:
    """Return the reason that a tour cannot connect what a separator leaves, or None.

    None is returned if `candidate_separators` finds none.
    """
    return _reason_to_separate(instance, candidate_separators)


def hidden_separator(instance: Instance) -> Reason | None:
    """Return a reason as `visible_separator` does, by a greedy search."""
    return _reason_to_separate(instance, greedy_separators)


def _reason_to_separate(
    instance: Instance, candidates: Callable[[ProofGraph], Iterable[list[int]]]
) -> Reason | None:
    """Return the reason of the first candidate that separates, or None.

    Only graphs of 3 to ``MAX_SEPARATED`` vertices are looked at.
    """
    if not 3 <= len(instance.graph) <= MAX_SEPARATED:
        return None
    graph = ProofGraph(instance)
    separator = graph.first_separator(filter(None, candidates(graph)))
    return separator.reason() if separator else None


# -- candidates ----------------------------------------------------------------------------------


def candidate_separators(proof: ProofGraph) -> Iterator[list[int]]:
    """Yield candidates for a separator: single squares, and neighbors of squares of low degree.

    In a bipartite graph, each color and squares that a matching finds are candidates too.
    """
    instance = proof.instance
    edges = proof.between_squares
    squares = instance.graph.mask
    sides = instance.graph.first_part
    graph = adjacency(edges)
    if articulation := articulation_components(graph):
        yield [max(articulation, key=articulation.__getitem__)]
    for end in instance.ends:
        yield [end]
    for degree in (2, 3, 4):
        low_degree = [square for square, others in graph.items() if len(others) <= degree]
        yield sorted({other for square in low_degree for other in graph[square]})
    if sides is None:
        return
    yield _matching_separator(edges, sides, squares)
    for color in (sides, ~sides):
        # Hall's condition for a tour. With edges that carry as much as a square needs, a minimum
        # cut consists of squares only: it is a separator.
        is_deficient = _deficient(edges, color & squares, _moves_needed(instance), per_edge=2)
        yield np.flatnonzero(is_deficient & ~color).tolist()
        yield np.flatnonzero(color & squares).tolist()


def greedy_separators(proof: ProofGraph) -> Iterator[list[int]]:
    """Yield separators that leave many components for their size, one for each round.

    A round begins with all vertices removed. They come back one after the other, as long as the
    number of components minus the number of removed vertices does not fall: first those that join
    no two components, and among these the ones of low degree. Rounds differ in the noise that is
    added to the degrees. The ends of an open tour do not count as removed.

    >>> hubs_b_and_d = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("b", "e"), ("e", "d")]
    >>> next(greedy_separators(ProofGraph(Instance.of(hubs_b_and_d, closed=True))))
    [1, 3]
    """
    neighbors = adjacency(proof.between_squares)
    random = Random(0)
    count = max(1, len(neighbors))
    few = min(_MAX_ROUNDS, _MAX_VISITS // count)
    for number in range(max(few, min(_MAX_SMALL_ROUNDS, _MAX_SMALL_VISITS // count))):
        noise = _NOISE[number % len(_NOISE)]
        priority = {
            vertex: len(others) * (1 + noise * random.random())
            for vertex, others in neighbors.items()
        }
        yield _greedy_separator(neighbors, proof.instance.ends, priority)


def _greedy_separator(
    neighbors: Adjacency, ends: tuple[int, ...], priority: Mapping[int, float]
) -> list[int]:
    """Return the vertices that stay removed; those with low values of ``priority`` come back first.

    The round ends as soon as there are more components than a closed tour connects, and no vertex
    can come back without joining two of them.
    """
    parents: dict[int, int] = {}  # the components of the vertices that are back, by union-find
    # The components that are back, minus those that a closed tour connects.
    excess = -len(neighbors.keys() - set(ends))

    def components_at(vertex: int) -> set[int]:
        return {find_root(parents, other) for other in neighbors[vertex] if other in parents}

    def most_joined(vertex: int) -> int:
        return 1 if vertex in ends else 2

    # A vertex stands there with the components that it joined when it was added, at least one.
    queue = [(1, priority[vertex], vertex) for vertex in neighbors]
    while queue:
        heapq.heapify(queue)
        while queue:
            expected, _, vertex = heapq.heappop(queue)
            components = components_at(vertex)
            joined = max(1, len(components))
            if joined > most_joined(vertex):
                continue
            if joined > expected:
                heapq.heappush(queue, (joined, priority[vertex], vertex))
                continue
            if joined == 2 and excess > 0:
                return sorted(neighbors.keys() - parents.keys())
            parents |= dict.fromkeys(components, vertex) | {vertex: vertex}
            excess += most_joined(vertex) - len(components)
        # Since components were joined, some vertices may come back that could not before.
        for vertex in neighbors.keys() - parents.keys():
            joined = max(1, len(components_at(vertex)))
            if joined <= most_joined(vertex):
                queue.append((joined, priority[vertex], vertex))
    return sorted(neighbors.keys() - parents.keys())


def _matching_separator(edges: npt.NDArray[np.integer], dark: Mask, squares: Mask) -> list[int]:
    """Return half of the squares whose removal isolates the other half, or an empty list.

    Take a set of dark squares that has equally many light neighbors. Removing these neighbors and
    the other dark squares isolates all remaining squares. With a perfect matching, such a set is
    closed under steps along an edge and back along the matching: a strong component that no such
    step leaves (Dulmage and Mendelsohn 1958).
    """
    edges = _color_first(edges, dark)
    darks, lights = (np.flatnonzero(color & squares) for color in (dark, ~dark))
    matching_size, flows, _ = flow_between(edges, dark, squares.astype(np.int64))
    if matching_size < len(darks) or matching_size < len(lights):
        return []
    partner = np.zeros(len(squares), dtype=np.int64)  # the square matched with each square
    matched = edges[flows == 1]
    partner[matched] = matched[:, ::-1]
    steps = np.stack([edges[:, 0], partner[edges[:, 1]]], axis=1)
    labels = strong_components(len(squares), steps)
    tails, heads = labels[steps].T
    leaving = tails[tails != heads]
    closed_label = np.setdiff1d(labels[darks], leaving)[0]  # a component that no step leaves
    isolated = darks[labels[darks] == closed_label]
    if len(isolated) == len(darks):
        return []
    # The lights next to the closed set, and all darks outside of it.
    return sorted([*partner[isolated].tolist(), *np.setdiff1d(darks, isolated).tolist()])


# -- squares that lack moves ----------------------------------------------------------------------


def too_few_moves(instance: Instance, edges: Squares | None = None) -> Reason | None:
    """Return the reason that squares need more moves than their neighbors allow, or None.

    Every square needs two moves, and an end of the tour one. A square allows two moves to its
    neighbors, or one if it is an end or has only one neighbor among them. If every square can have
    the moves that it needs, they form a 2-factor; otherwise a minimum cut shows which cannot. The
    squares that lack moves and their neighbors form components, each a reason by itself: the one
    with the fewest edges is returned. ``edges`` are those that a tour may still use, by default all
    of the instance.

    >>> from kt_cp.board import Board
    >>> board = Board(4, 7, holes=[3, 14, 20, 21])
    >>> print(too_few_moves(Instance(board, closed=True)))
    b4, f4, c1 and g1 need 8 moves, but b3, d3, f3, c2 and e2 allow only 7
    """
    graph = instance.graph
    edges = instance.edges if edges is None else edges
    if graph.first_part is None or len(graph) == 1:
        return None
    needed = _moves_needed(instance)
    for color in (graph.first_part & graph.mask, ~graph.first_part & graph.mask):
        free_ends = _free_ends_of(instance, color)
        shortage = _smallest_shortage(edges, color, needed, free_ends)
        if shortage is None:
            continue
        squares, others, allowed = shortage
        demand = graph.vocabulary.count_edges(int(needed[squares].sum()) - free_ends)
        even = ", even as ends of the tour" if free_ends else ""
        need = "needs" if len(squares) == 1 else "need"
        allow = "allows" if len(others) == 1 else "allow"
        text = f"{{squares}} {need} {demand}{even}, but {{others}} {allow} only {allowed}"
        around = {"around": edges_at(instance, squares)}
        kind = ReasonKind.TWO_FACTOR
        return Reason.of(kind, instance, text, around, squares=squares, others=others)
    return None


def _smallest_shortage(
    edges: Squares, color: Mask, needed: Ints, free_ends: int
) -> tuple[Ints, Ints, int] | None:
    """Return squares of a color that lack moves, their neighbors, and how many moves these allow.

    They are the component with the fewest edges. ``needed`` holds the moves that each id needs, and
    ``free_ends`` is how many of these are not needed, as any square may be an end. None is returned
    if the squares of that color can have all the moves that they need.
    """
    is_short = _deficient(edges, color, needed) & color
    at_short = edges[is_short[edges].any(axis=1)]
    allowed = np.minimum(needed, np.bincount(at_short.ravel(), minlength=len(needed)))
    labels = component_labels(len(needed), at_short)
    # By component: what its short squares need, minus what the other squares allow.
    is_lacking = np.bincount(labels, np.where(is_short, needed, -allowed)) > free_ends
    edge_counts = np.bincount(labels[at_short[:, 0]], minlength=len(is_lacking))
    lacking = np.flatnonzero(is_lacking & (edge_counts > 0))
    if not len(lacking):
        return None
    is_chosen = labels == lacking[edge_counts[lacking].argmin()]
    others = np.flatnonzero(is_chosen & ~is_short)
    return np.flatnonzero(is_chosen & is_short), others, int(allowed[others].sum())


def _moves_needed(instance: Instance) -> Ints:
    """Return for each id how many moves a tour needs there: two, or one at a known end."""
    needed = np.where(instance.graph.mask, 2, 0)
    needed[list(instance.ends)] = 1
    return needed


def _free_ends_of(instance: Instance, color: Mask) -> int:
    """Return how many unknown ends of a tour are squares of a color.

    Colors alternate along a tour. So both ends have the color of one square more, if there is one,
    and otherwise different colors.
    """
    if instance.closed:
        return 0
    of_color = int(color.sum())
    # With d more squares of this color than of the other, d + 1 ends have this color.
    ends = of_color - (len(instance.graph) - of_color) + 1
    return max(0, ends - int(color[list(instance.ends)].sum()))


def _deficient(
    edges: npt.NDArray[np.integer],
    color: Mask,
    needed: npt.NDArray[np.integer],
    per_edge: int = 1,
) -> Mask:
    """Return a mask of the squares of one color that lack most moves, and of their neighbors.

    The moves that these squares can have are a maximum flow from the squares of the ``color``, a
    mask, to their neighbors; the result is the source side of a minimum cut. ``needed`` is the
    number of moves that each id needs, which is also the most that it allows to its neighbors, and
    ``per_edge`` how many moves one edge may carry.
    """
    arcs = _color_first(edges, color)
    is_across = color[arcs[:, 0]] & ~color[arcs[:, 1]]
    _, _, source_side = flow_between(arcs[is_across], color, needed, per_edge)
    return source_side


def _color_first(edges: npt.NDArray[np.integer], color: Mask) -> npt.NDArray[np.integer]:
    """Return the edges as rows whose first end has a color, if either end has it."""
    has_color = color[edges[:, 0]]
    return np.where(has_color[:, None], edges, edges[:, ::-1])
