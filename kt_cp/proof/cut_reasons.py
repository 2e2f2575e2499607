"""Reasons that a search of the graph finds: separators, and squares that lack moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import adjacency, component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.reason import Reason, ReasonKind, degrees_of, edges_at
from kt_cp.proof.separators import (
    MAX_SEPARATED,
    candidate_separators,
    component_count,
    deficient,
    greedy_separators,
)
from kt_cp.proof.subtour_relaxation import FEW_ROUNDS, relaxation_separator

# Linear programs are solved for at most this many edges, which takes a fraction of a second. They
# are not needed for boards, where matchings and flows find the same separators.
_MAX_RELAXED_EDGES = 1_500


def separator(instance: Instance) -> Reason | None:
    """Return the reason that removing k squares leaves more components than a tour can connect.

    Every visit of one of the k squares joins at most two components: a closed tour connects at most
    k components, an open one k + 1, less one for each of its ends among the k (Chvátal 1973,
    toughness). Return None if no such squares are found.
    """
    graph = instance.graph
    if not 3 <= len(graph) <= MAX_SEPARATED:
        return None
    candidates = candidate_separators(instance.edges, graph.mask, graph.sides, instance.ends)
    return _first_that_separates(instance, candidates)


def hidden_separator(instance: Instance) -> Reason | None:
    """Return a reason as `separator` does, by a greedy search and by linear programming."""
    if not 3 <= len(instance.graph) <= MAX_SEPARATED:
        return None
    return _first_that_separates(instance, _hidden_separators(instance))


def _hidden_separators(instance: Instance) -> Iterator[list[int]]:
    """Yield candidates for a separator; one that linear programming finds comes last."""
    graph, tour_graph = instance.graph, TourGraph(instance)
    yield from greedy_separators(adjacency(instance.edges), instance.ends)
    if len(instance.edges) <= _MAX_RELAXED_EDGES and not graph.has_places:
        edges, required = tour_graph.edges, tour_graph.required
        nodes = relaxation_separator(len(tour_graph), edges, required, Clock(), FEW_ROUNDS)
        if nodes is not None:
            yield [vertex for vertex in tour_graph.vertices(nodes).tolist() if vertex in graph]


def _first_that_separates(instance: Instance, candidates: Iterable[list[int]]) -> Reason | None:
    """Return a reason for the first candidate whose removal leaves too many components, or None."""
    for cut in candidates:
        if not cut:
            continue
        kept = np.array(instance.graph.mask)
        kept[cut] = False
        count = component_count(instance.edges, kept)
        most = len(cut)
        if not instance.closed:
            most = len(cut) + 1 - len(set(cut) & set(instance.ends))
        if count > most:
            return _separator_reason(instance, cut, count, most)
    return None


def _separator_reason(instance: Instance, cut: list[int], count: int, most: int) -> Reason:
    """Return the reason that ``count`` components are left, of which a tour connects ``most``."""
    words = instance.graph.vocabulary
    removed = words.vertex if len(cut) == 1 else words.count_vertices(len(cut))
    tour = f"the {words.tour(instance.closed)}"
    if instance.ends:
        tour += " with these ends"
    split = f"the {words.graph} is in {count} components"
    text = f"without the {removed} {{cut}} {split}, of which {tour} can connect only {most}"
    return Reason.about(ReasonKind.CUT, instance.graph, text, cut=cut)


def too_few_moves(instance: Instance) -> Reason | None:
    """Return the reason that squares need more moves than their neighbors allow, or None.

    Every square needs two moves, and an end of the tour one. A square allows two moves to its
    neighbors, or one if it is an end or has only one neighbor among them. If every square can have
    the moves that it needs, they form a 2-factor; otherwise a minimum cut shows which cannot.

    >>> from kt_cp.board import Board
    >>> board = Board(4, 7, holes=[3, 14, 20, 21])
    >>> print(too_few_moves(Instance(board, closed=True)))
    b4, f4, c1 and g1 need 8 moves, but b3, d3, f3, c2 and e2 allow only 7
    """
    graph = instance.graph
    if graph.sides is None or len(graph) == 1:
        return None
    for color in (graph.sides & graph.mask, ~graph.sides & graph.mask):
        free_ends = free_ends_of(instance, color)
        shortage = _smallest_shortage(instance, color, free_ends)
        if shortage is not None:
            around = edges_at(instance, shortage.squares)
            return _shortage_reason(graph, shortage, free_ends).with_moves(around=around)
    return None


@dataclass(frozen=True)
class _Shortage:
    """Squares of one color that need more moves than ``others``, their neighbors, allow."""

    squares: Ints
    others: Ints
    needed: int
    allowed: int


def _smallest_shortage(instance: Instance, color: Mask, free_ends: int) -> _Shortage | None:
    """Return squares of a color that lack moves, or None if there are none.

    They lack more than ``free_ends`` moves, the number of squares of the color that are unknown
    ends of the tour. The squares that lack moves and their neighbors form components. Each of these
    is a reason by itself: the one with the fewest edges is returned.
    """
    graph, edges = instance.graph, instance.edges
    needed = np.where(graph.mask, 2, 0)
    needed[list(instance.ends)] = 1
    is_short = deficient(edges, color, needed) & color
    at_short = edges[is_short[edges].any(axis=1)]
    allowed = np.minimum(needed, degrees_of(graph, at_short))
    labels = component_labels(graph.area, at_short)
    # By component: what its short squares need, minus what the other squares allow.
    shortage_of = np.bincount(labels, np.where(is_short, needed, -allowed))
    chosen_label = _smallest_lacking(shortage_of > free_ends, labels[at_short[:, 0]])
    if chosen_label is None:
        return None
    is_chosen = labels == chosen_label
    squares = np.flatnonzero(is_chosen & is_short)
    others = np.flatnonzero(is_chosen & ~is_short)
    return _Shortage(squares, others, int(needed[squares].sum()), int(allowed[others].sum()))


def _smallest_lacking(is_lacking: Mask, edge_labels: Ints) -> int | None:
    """Return the label of the component with the fewest edges that lacks moves, or None.

    ``is_lacking`` tells for each label whether its component lacks moves, if it has any edges;
    ``edge_labels`` is the label of the component of each edge.
    """
    edge_counts = np.bincount(edge_labels, minlength=len(is_lacking))
    lacking = np.flatnonzero(is_lacking & (edge_counts > 0))
    if not len(lacking):
        return None
    return int(lacking[edge_counts[lacking].argmin()])


def _shortage_reason(graph: Graph, shortage: _Shortage, free_ends: int) -> Reason:
    """Return the reason for a shortage, even if ``free_ends`` of the squares end the tour."""
    squares, others = shortage.squares, shortage.others
    needed = graph.vocabulary.count_edges(shortage.needed - free_ends)
    even = ", even as ends of the tour" if free_ends else ""
    need = "needs" if len(squares) == 1 else "need"
    allow = "allows" if len(others) == 1 else "allow"
    demand = f"{{squares}} {need} {needed}{even}"
    text = f"{demand}, but {{others}} {allow} only {shortage.allowed}"
    return Reason.about(ReasonKind.TWO_FACTOR, graph, text, squares=squares, others=others)


def free_ends_of(instance: Instance, color: Mask) -> int:
    """Return how many unknown ends of a tour are squares of a color.

    Colors alternate along a tour. So both ends have the color of one square more, if there is one,
    and otherwise different colors.
    """
    if instance.closed:
        return 0
    of_color = int(color.sum())
    of_other_color = len(instance.graph) - of_color
    # With d more squares of this color than of the other, d + 1 ends have this color.
    ends = of_color - of_other_color + 1
    known_ends = int(color[list(instance.ends)].sum())
    return max(0, ends - known_ends)
