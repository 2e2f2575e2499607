"""Reasons that a scan of the squares and moves finds: colors, degrees, theorems, forced moves.

Each function returns the reason if it applies to an instance, or None.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np

from kt_cp.board import Board
from kt_cp.graph import ColorChange, Graph
from kt_cp.graph_algorithms import component_labels, find_subtour
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import MAX_NUMBERED, TourGraph, needs_steps, reachable
from kt_cp.proof.reason import Reason, ReasonKind, degrees_of, edges_at
from kt_cp.tour.validator import FEWEST_CLOSED


def too_small(instance: Instance) -> Reason | None:
    """Return the reason that there are fewer than the three squares that a closed tour needs."""
    graph, words, count = instance.graph, instance.graph.vocabulary, len(instance.graph)
    if not instance.closed or count >= FEWEST_CLOSED:
        return None
    least = words.count_vertices(FEWEST_CLOSED)
    text = f"{words.a_tour(closed=True)} has at least {least}; the {words.graph} has {count}"
    return Reason(ReasonKind.TOO_SMALL, graph, text)


def contradiction(instance: Instance) -> Reason | None:
    """Return the reason that required moves are forbidden, or that no tour can use all of them."""
    graph, words = instance.graph, instance.graph.vocabulary
    because = partial(Reason.about, ReasonKind.CONTRADICTION, graph)
    for move in instance.require:
        if instance.forbidden_arcs.issuperset(move.arcs()):
            edge = f"the {words.edge} {{source}}{move.sign}{{target}}"
            text = f"{edge} is both required and forbidden"
            return because(text, source=move.source, target=move.target)
    one_way = {move[:2] for move in instance.require if move.directed}
    for arc in one_way & {arc[::-1] for arc in one_way}:
        text = f"the required {words.edges} go back and forth between {{squares}}"
        return because(text, squares=arc)
    left = Counter(source for source, _ in one_way)
    entered = Counter(target for _, target in one_way)
    # No move leaves the end of an open tour, and none enters the start.
    if not instance.closed and instance.last is not None:
        left[instance.last] += 1
    if not instance.closed and instance.first is not None:
        entered[instance.first] += 1
    for verb, counts in (("leave", left), ("enter", entered)):
        for square, count in counts.items():
            if count > 1:
                text = f"the required {words.edges} {verb} {{square}} too often"
                return because(text, square=square)
    return None


def colors(instance: Instance) -> Reason | None:
    """Return the reason that the numbers or the ends of the two colors allow no tour.

    A knight changes the color at every move, a camel never. In graphs, the two colors are the parts
    of a bipartition.
    """
    match instance.graph.color_change:
        case ColorChange.NEVER:
            return _separate_colors(instance)
        case ColorChange.ALWAYS:
            return _unequal_colors(instance) or _colors_of_ends(instance)
    return None


def _separate_colors(instance: Instance) -> Reason | None:
    """Return the reason that there are two colors, and every move keeps the color."""
    graph = instance.graph
    if graph.dark_count in (0, len(graph)):
        return None
    both = f"the {graph.vocabulary.graph} has {_both_colors(graph)}"
    text = f"every {graph.move_name} keeps the color, and {both}"
    return Reason(ReasonKind.COLORS, graph, text)


def _unequal_colors(instance: Instance) -> Reason | None:
    """Return the reason that one color has more squares than a tour can visit."""
    graph, words = instance.graph, instance.graph.vocabulary
    dark = graph.dark_count
    difference = abs(len(graph) - 2 * dark)
    a_tour = words.a_tour(instance.closed)
    if instance.closed and difference != 0:
        limit = f"{a_tour} needs as many of each"
        return Reason(ReasonKind.COLORS, graph, f"{_alternation(graph)}, and {limit}")
    if difference > 1:
        limit = f"whose numbers may differ by 1 at most in {a_tour}"
        return Reason(ReasonKind.COLORS, graph, f"{_alternation(graph)}, {limit}")
    return None


def _colors_of_ends(instance: Instance) -> Reason | None:
    """Return the reason that an end of the tour has the wrong color.

    With as many squares of each color, the ends have different ones; otherwise both have that of
    more squares.
    """
    graph, words = instance.graph, instance.graph.vocabulary
    dark, light = graph.dark_count, len(graph) - graph.dark_count
    a_tour = words.a_tour(instance.closed)
    because = partial(Reason.about, ReasonKind.COLORS, graph)
    color_of = {end: words.dark if _is_dark(graph, end) else words.light for end in instance.ends}
    if dark == light:
        if len(color_of) == 2 and len(set(color_of.values())) == 1:
            color = color_of[instance.ends[0]]
            rule = f"so {a_tour} ends on the other color"
            return because(
                f"{_alternation(graph)}, {rule}; {{ends}} are both {color}", ends=color_of
            )
        return None
    majority = words.dark if dark > light else words.light
    for end, color in color_of.items():
        if color != majority:
            rule = f"so {a_tour} starts and ends on {majority}"
            return because(f"{_alternation(graph)}, {rule}; {{end}} is {color}", end=end)
    return None


def _alternation(graph: Graph) -> str:
    """Return the clause that moves alternate between the colors."""
    return f"{graph.vocabulary.edges} alternate between {_both_colors(graph)}"


def _both_colors(graph: Graph) -> str:
    """Return a phrase with the numbers of both colors."""
    words, dark = graph.vocabulary, graph.dark_count
    return f"{dark} {words.dark} and {len(graph) - dark} {words.light} {words.vertices}"


def _is_dark(graph: Graph, vertex: int) -> bool:
    """Return whether a vertex is dark."""
    return bool(graph.dark(np.array([vertex]))[0])


def low_degrees(instance: Instance) -> Reason | None:
    """Return the reason that vertices have degrees below 2 and cannot be ends of the tour."""
    graph, words = instance.graph, instance.graph.vocabulary
    if len(graph) == 1:
        return None
    because = partial(Reason.about, ReasonKind.DEAD_END, graph)
    degrees = degrees_of(graph, instance.edges)[graph.vertices]
    fewest = int(degrees.argmin())
    needed = 2 if instance.closed else 1
    if degrees[fewest] < needed:
        have = f"only one {words.edge}" if degrees[fewest] else f"no {words.edge}"
        need = f"{words.a_tour(closed=True)} needs two" if instance.closed else "a tour needs one"
        text = f"{{square}} has {have}, and {need} at every {words.vertex}"
        square = int(graph.vertices[fewest])
        return because(text, square=square).with_moves(around=edges_at(instance, square))
    others = np.setdiff1d(graph.vertices[degrees == 1], instance.ends).tolist()
    if instance.closed or len(others) <= instance.free_end_count:
        return None
    have_one_edge = must_be_ends(instance.graph, "squares", others)
    if instance.free_end_count == 0:
        limit = "the ends are {ends}"
    elif instance.free_end_count == 1:
        limit = "only one end is left beside {ends}"
    else:
        limit = f"{words.a_tour(closed=False)} has only two ends"
    reason = because(f"{have_one_edge}, but {limit}", squares=others, ends=instance.ends)
    return reason.with_moves(around=edges_at(instance, others))


def must_be_ends(graph: Graph, group: str, vertices: Sequence[int]) -> str:
    """Return the clause that vertices of degree one must be ends of the tour.

    ``group`` is the name of their group in a `Reason`.
    """
    one_edge = f"only one {graph.vocabulary.edge}"
    if len(vertices) == 1:
        return f"{{{group}}} has {one_edge} and must be an end of the tour"
    return f"{{{group}}} have {one_edge} and must be ends of the tour"


def one_way_squares(instance: Instance) -> Reason | None:
    """Return the reason that no allowed move enters, or none leaves, too many squares."""
    graph, words = instance.graph, instance.graph.vocabulary
    if len(graph) == 1:
        return None
    because = partial(Reason.about, ReasonKind.ONE_WAY, graph)
    sources, targets = instance.arcs.T
    for reached, known, end, verb in (
        (targets, instance.first, "start", "enters"),
        (sources, instance.last, "end", "leaves"),
    ):
        unreached = np.setdiff1d(graph.vertices, reached).tolist()
        if instance.closed and unreached:
            reason = because(f"no allowed {words.edge} {verb} {{square}}", square=unreached[0])
            return reason.with_moves(around=edges_at(instance, unreached[0]))
        others = [square for square in unreached if square != known]
        free = 1 if known is None else 0
        if len(others) > free:
            text = f"no allowed {words.edge} {verb} {{squares}}, and a tour has only one {end}"
            reason = because(text, squares=others)
            return reason.with_moves(around=edges_at(instance, others))
    return None


def components(instance: Instance) -> Reason | None:
    """Return the reason that the moves do not connect the whole graph."""
    graph = instance.graph
    labels = component_labels(graph.area, instance.edges)[graph.vertices]
    firsts = np.unique(labels)
    if len(firsts) == 1:
        return None
    words, count = graph.vocabulary, len(firsts)
    split = f"the {words.edges} leave the {words.graph} in {count} components"
    text = f"{split}: no way from {{here}} to {{there}}"
    here, there = firsts[:2].tolist()
    return Reason.about(ReasonKind.COMPONENTS, graph, text, here=here, there=there)


def schwenk(instance: Instance) -> Reason | None:
    """Return the reason that a full rectangle has no closed tour by Schwenk's theorem.

    A. J. Schwenk, Which Rectangular Chessboards Have a Knight's Tour?, Mathematics Magazine 64
    (1991): m x n, m ≤ n, has one unless m and n are odd; m is 1, 2 or 4; or m is 3 and n is 4, 6
    or 8.
    """
    if not (instance.closed and instance.graph.has_places):
        return None
    board = instance.board
    short, long = sorted(board.shape)
    if board != Board(board.rows, board.columns):
        return None
    if short % 2 and long % 2:
        case = "both sides are odd"
    elif short in (1, 2, 4):
        case = "one side is 1, 2 or 4"
    elif short == 3 and long in (4, 6, 8):
        case = "one side is 3 and the other 4, 6 or 8"
    else:
        return None
    return Reason(ReasonKind.SCHWENK, board, f"Schwenk's theorem (1991): no closed tour, as {case}")


def misplaced_steps(instance: Instance) -> Reason | None:
    """Return the reason that no walk of the right length joins two consecutive given steps.

    Of several such pairs it is about the first.
    """
    board = instance.graph
    if not needs_steps(instance) or len(board) > MAX_NUMBERED:
        return None
    steps = list(instance.steps.items())
    if instance.closed:
        steps.append(steps[0])
    reached, graph = reachable(instance, forward_only=True), TourGraph(instance)
    for (before, here), (step, there) in itertools.pairwise(steps):
        if not reached[step - 1, graph.nodes(there)]:
            moves = board.vocabulary.count_edges((step - before) % len(board))
            text = f"steps {before} and {step}: no walk of {moves} from {{here}} to {{there}}"
            return Reason.about(ReasonKind.STEPS, board, text, here=here, there=there)
    return None


def forced_moves(instance: Instance) -> Reason | None:
    """Return the reason that forced moves meet too often at a square, or close a subtour."""
    graph, words, tour = instance.graph, instance.graph.vocabulary, TourGraph(instance)
    because = partial(Reason.about, ReasonKind.FORCED_MOVES, graph)
    forced = tour.edges[tour.forced]
    moves = tour.vertices(forced[forced[:, 1] != tour.depot])
    used = np.bincount(forced.ravel(), minlength=len(tour))[: tour.vertex_count]
    crowded = np.flatnonzero(used > 2)  # `low_degrees` finds too many forced ends
    if len(crowded):
        node = crowded[0]
        ends = forced[(forced == node).any(axis=1)].ravel()
        others = ends[(ends != node) & (ends != tour.depot)]
        allowed = f"two {words.edges}"
        if tour.depot in ends:
            allowed = f"one {words.edge}, as an end of the tour"
        text = f"{{square}} {words.is_forced_to} {{others}}, but a tour uses only {allowed} there"
        square = int(tour.vertices(node))
        reason = because(text, square=square, others=tour.vertices(others))
        return reason.with_moves(contradiction=moves[(moves == square).any(axis=1)])
    if cycle := find_subtour(len(tour), forced):
        cycle_closed = f"close a cycle before every {words.vertex} is visited"
        text = f"forced {words.edges} at {{squares}} {cycle_closed}"
        on_cycle = [node for node in cycle if node != tour.depot]
        squares = tour.vertices(on_cycle)
        reason = because(text, squares=squares)
        return reason.with_moves(contradiction=moves[np.isin(moves, squares).all(axis=1)])
    return None
