"""The reasons why no tour meets the constraints that a person can check.

Each is a function that takes an instance and returns a `Reason`, or None if it does not apply. The
reasons are not complete: if none applies, only a search can decide. Those here scan the squares and
moves; `kt_cp.proof.separators` and `kt_cp.proof.cases` search for more.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from kt_cp.board import Board
from kt_cp.board.pieces import images_under, is_symmetric
from kt_cp.graph import ColorChange, Graph
from kt_cp.graph_algorithms import component_labels, find_subtour
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_symmetries
from kt_cp.problem.task import FLOW, SCAN, Clock
from kt_cp.problem.tour_graph import MAX_NUMBERED, TourGraph, needs_steps, reachable
from kt_cp.proof.cases import few_cases
from kt_cp.proof.reason import Find, Reason, ReasonKind, degrees_of, edges_at
from kt_cp.proof.separators import hidden_separator, separator, too_few_moves
from kt_cp.tour.validator import FEWEST_CLOSED

# The most seconds that a search for a few cases, or a greedy one for separators, takes.
_SEARCH = 0.4


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
    of a bipartition. With as many squares of each color, the ends of a tour have different ones;
    otherwise both have that of more squares.
    """
    graph, words, ends = instance.graph, instance.graph.vocabulary, instance.ends
    dark, light = graph.dark_count, len(graph) - graph.dark_count
    both = f"{dark} {words.dark} and {light} {words.light} {words.vertices}"
    because = partial(Reason.about, ReasonKind.COLORS, graph)
    if graph.color_change is ColorChange.NEVER and dark and light:
        return because(f"every {graph.move_name} keeps the color, and the {words.graph} has {both}")
    if graph.color_change is not ColorChange.ALWAYS:
        return None
    rule, a_tour = f"{words.edges} alternate between {both}", words.a_tour(instance.closed)
    if dark != light and instance.closed:
        return because(f"{rule}, and {a_tour} needs as many of each")
    if abs(dark - light) > 1:
        return because(f"{rule}, whose numbers may differ by 1 at most in {a_tour}")
    are_dark = graph.dark(np.array(ends, dtype=np.int32)).tolist()
    if dark == light:
        if len(ends) == 2 and are_dark[0] == are_dark[1]:
            color = words.dark if are_dark[0] else words.light
            text = f"so {a_tour} ends on the other color; {{ends}} are both {color}"
            return because(f"{rule}, {text}", ends=ends)
        return None
    more, fewer = (words.dark, words.light) if dark > light else (words.light, words.dark)
    for end, is_dark in zip(ends, are_dark, strict=True):
        if is_dark != (dark > light):
            text = f"so {a_tour} starts and ends on {more}; {{end}} is {fewer}"
            return because(f"{rule}, {text}", end=end)
    return None


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
    limit = f"{words.a_tour(closed=False)} has only two ends"
    if instance.ends:
        limit = f"the ends are {{ends}}{' and one other' if instance.free_end_count else ''}"
    text = f"{must_be_ends(graph, 'squares', others)}, but {limit}"
    reason = because(text, squares=others, ends=instance.ends)
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
        others = [square for square in unreached if square != known or instance.closed]
        if len(others) > (0 if instance.closed or known is not None else 1):
            text = f"no allowed {words.edge} {verb} {{squares}}"
            if not instance.closed:
                text += f", and a tour has only one {end}"
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
    text = f"Schwenk's theorem (1991): no closed tour, as {case}"
    shown = few_cases(instance) if short == 3 and long in (4, 6, 8) else None
    if shown is None:
        return Reason(ReasonKind.SCHWENK, board, text)
    return replace(shown, kind=ReasonKind.SCHWENK, template=f"{text}; {shown.template}")


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


def misplaced_order(instance: Instance) -> Reason | None:
    """Return the reason that a square of the order cannot be reached in time, or None.

    From each square of the order to the next the tour takes at least as many moves as a shortest
    path.
    """
    order, graph = instance.order, instance.graph
    if not order:
        return None
    # A square with a given step is visited neither before nor after that step.
    given_step = {square: step for step, square in instance.steps.items()}
    distances = [_distance(graph, *pair) for pair in itertools.pairwise(order)]
    earliest, latest = list[int](), list[int]()
    step = 1
    for square, distance in zip(order, [0, *distances], strict=True):
        step = max(step + distance, given_step.get(square, 1))
        earliest.append(step)
    step = len(graph)
    for square, distance in zip(order[::-1], [0, *distances[::-1]], strict=True):
        step = min(step - distance, given_step.get(square, step))
        latest.append(step)
    for square, first, last in zip(order, earliest, latest[::-1], strict=True):
        if first > last:
            text = f"in the order {{order}}: {{square}} is reached at step {first} at the earliest"
            text += f", and has to be reached by step {last}"
            return Reason.about(ReasonKind.STEPS, graph, text, order=order, square=square)
    return None


def _distance(graph: Graph, source: int, target: int) -> int:
    """Return the number of moves on a shortest path, or the number of vertices if there is none."""
    distance = {source: 0}
    queue = [source]
    for vertex in queue:
        if vertex == target:
            return distance[vertex]
        for neighbor in graph.neighbors(vertex):
            if neighbor not in distance:
                distance[neighbor] = distance[vertex] + 1
                queue.append(neighbor)
    return len(graph)


def no_symmetric_tour(instance: Instance) -> Reason | None:
    """Return the reason that no map gives a tour the required symmetry, or None if one may.

    A tour of a partial instance may leave squares out, such as those whose images are holes.
    """
    symmetry = instance.symmetry
    if symmetry is None:
        return None
    board = instance.board
    images = images_under(board, symmetry)
    because = partial(Reason.about, ReasonKind.SYMMETRY, board)
    if not instance.allows_partial and not is_symmetric(board, images):
        moved = board.squares[~board.mask[images[board.squares]]].tolist()
        if not moved:
            return because(f"{symmetry}: does not keep the moves of the board")
        hole = board.name(images[moved[0]])
        return because(f"{symmetry}: takes {{square}} to {hole}, a hole", square=moved[0])
    faults = [_fault_of_symmetry(instance, way) for way in tour_symmetries(instance) if way]
    if None in faults:
        return None
    why = "; ".join(filter(None, faults))
    backwards = "an open tour can be mapped onto itself only backwards, its ends changing places"
    return because(f"{symmetry}: {why or backwards}")


def _fault_of_symmetry(instance: Instance, tour_map: TourMap) -> str | None:
    """Return a clause on why a map takes no tour to itself, or None if it may.

    A map that reverses a tour fixes two squares or moves of a cycle, and the middle of a path,
    which is a square or a move. A tour of all squares visits all that are fixed.
    """
    board, images = instance.board, tour_map.images
    fixed: list[int] = board.squares[images[board.squares] == board.squares].tolist()
    if tour_map.reverse:
        moves = int((images[instance.edges[:, 0]] == instance.edges[:, 1]).sum())
        wanted, stay = 1, "its middle square or move stays"
        if instance.closed:
            wanted, stay = 2, "two of its squares or moves stay"
        if wanted <= len(fixed) + moves and (len(fixed) <= wanted or instance.allows_partial):
            return None
        there = f"{len(fixed)} squares and {moves} moves"
        return f"run backwards, {stay} in place, but here {there} do"
    same_way = "run the same way, every square"
    if instance.allows_partial:
        if instance.closed or fixed:
            return None
        return f"{same_way} of a path stays in place, but here none does"
    if len(fixed) == len(board):
        return None
    if fixed:
        return f"{same_way} of the tour moves on, but {board.name(fixed[0])} stays"
    shift = len(board) // tour_map.order  # how many steps later the image of a square is visited
    square = int(board.squares[0])
    if board.sides is None or (shift % 2 == 1) == (
        board.sides[square] != board.sides[images[square]]
    ):
        return None
    parity, keep = ("odd", "keep") if shift % 2 else ("even", "change")
    but = f"the squares {keep} their color"
    return f"{same_way} moves {shift} steps on, an {parity} number, but {but}"


def degree_one_ends(instance: Instance) -> Reason | None:
    """Return a reason that follows from vertices of degree one being ends of the tour, or None."""
    graph = instance.graph
    if instance.direction_matters or not instance.free_end_count or len(graph) == 1:
        return None
    has_degree_one = degrees_of(graph, instance.edges) == 1
    others = np.setdiff1d(np.flatnonzero(has_degree_one), instance.ends).tolist()
    if not 0 < len(others) <= instance.free_end_count:
        return None
    ends = [*instance.ends, *others]
    with_ends = Instance(
        graph,
        start=ends[0],
        end=ends[1] if len(ends) > 1 else None,
        require=instance.require,
        forbid=instance.forbid,
    )
    for find in (colors, forced_moves, separator):
        if reason := find(with_ends):
            text = f"{must_be_ends(graph, 'degree_one', others)}; {reason.template}"
            squares = {"degree_one": tuple(others), **reason.groups}
            return replace(reason, template=text, groups=squares)
    return None


# Each of these scans the squares and moves, mostly in NumPy.
QUICK_REASONS: tuple[Find, ...] = (
    too_small,
    contradiction,
    colors,
    low_degrees,
    one_way_squares,
    components,
    schwenk,
    no_symmetric_tour,
    misplaced_steps,
    misplaced_order,
    forced_moves,
)

# These compute maximum flows or search the graph, which often takes longer than finding a tour.
SLOW_REASONS: tuple[Find, ...] = (
    degree_one_ends,
    separator,
    too_few_moves,
    few_cases,
    hidden_separator,
)

REASONS = (*QUICK_REASONS, *SLOW_REASONS)

# The only reasons that apply to full rectangles with sides from 6 on; they need no list of moves.
RECTANGLE_REASONS = (too_small, colors, schwenk)


def refute(
    instance: Instance, clock: Clock | None = None, reasons: Sequence[Find] = REASONS
) -> Reason | None:
    """Return the first reason that applies, or None if none does.

    A reason that may take longer than the clock has left is skipped.

    >>> from kt_cp.board import Board
    >>> print(refute(Instance(Board(4, 8), closed=True)))
    Schwenk's theorem (1991): no closed tour, as one side is 1, 2 or 4
    >>> print(refute(Instance(Board(9, 9), start=1)))
    moves alternate between 41 dark and 40 light squares, so an open tour starts and ends on dark; \
b9 is light
    >>> refute(Instance(Board(8, 8), closed=True)) is None
    True
    """
    for find in reasons:
        if clock is not None and clock.remaining <= _seconds(find, instance):
            continue
        reason = find(instance)
        if reason is not None:
            return reason
    return None


def _seconds(find: Find, instance: Instance) -> float:
    """Return an upper estimate of the seconds a reason takes, as none can be interrupted."""
    if find in (few_cases, hidden_separator):
        return _SEARCH
    count = len(instance.graph)
    if find in SLOW_REASONS:
        return FLOW * count
    return SCAN * count
