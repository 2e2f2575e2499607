"""Reasons that a person can check why no tour meets the constraints.

Each is a function from an instance to a `Reason`, or None where it does not apply. None of them is
complete: where all are silent, only a search can tell."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.board.symmetry import images_under, is_symmetric
from kt_cp.graph import MAX_NAMES, ColorChange, Graph
from kt_cp.graph_algorithms import adjacency, component_labels, find_subtour
from kt_cp.problem.clock import Clock
from kt_cp.problem.costs import FLOW_VERTEX, GREEDY_VERTEX, SCAN_VERTEX, SEPARATOR_VERTEX
from kt_cp.problem.instance import Instance
from kt_cp.problem.steps import MAX_NUMBERED, needs_steps, reachable
from kt_cp.problem.symmetry import TourMap, tour_symmetries
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.separators import (
    candidate_separators,
    component_count,
    deficient,
    greedy_rounds,
    greedy_separators,
)
from kt_cp.proof.subtour_relaxation import FEW_ROUNDS, relaxation_separator
from kt_cp.tour.validator import FEWEST_CLOSED

# Beyond this, looking for separators costs more than a reason may (about a second).
_MOST_SEPARATED = 20_000


# For more edges linear programming takes more than a fraction of a second. On boards, matchings and
# flows find what it finds.
_MOST_RELAXED = 1_500


class ReasonKind(StrEnum):
    """The categories of reasons: why there is no tour or, for the last three, no answer yet.

    ``exhausted`` stands for a search that went through all possibilities.
    """

    TOO_SMALL = "too-small"
    CONTRADICTION = "contradiction"
    COLOURS = "colours"
    DEAD_END = "dead-end"
    ONE_WAY = "one-way"
    COMPONENTS = "components"
    SCHWENK = "schwenk"
    SYMMETRY = "symmetry"
    STEPS = "steps"
    FORCED_MOVES = "forced-moves"
    CUT = "cut"
    TWO_FACTOR = "two-factor"
    EXHAUSTED = "exhausted"
    GAVE_UP = "gave-up"
    TIME_LIMIT = "time-limit"


@dataclass(frozen=True)
class Reason:
    """Why a question has the answer it has, for people: a sentence about some squares.

    ``text`` names groups of ``squares`` in braces. `str` lists the first dozen squares of a group,
    and `full` lists them all.

    >>> reason = Reason(ReasonKind.CUT, Board(8, 8), "without {cut} …", {"cut": (0, 63)})
    >>> str(reason)
    'without a8 and h1 …'
    """

    kind: ReasonKind
    graph: Graph
    text: str
    squares: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def about(
        cls, kind: ReasonKind, graph: Graph, text: str, **squares: int | Iterable[int]
    ) -> Reason:
        """Return a reason whose groups are keyword arguments: one square each, or several."""
        groups = {
            name: (group,) if isinstance(group, int) else tuple(map(int, group))
            for name, group in squares.items()
        }
        return cls(kind, graph, text, groups)

    def __str__(self) -> str:
        return self._sentence(MAX_NAMES)

    @property
    def full(self) -> str:
        """The sentence with every square listed."""
        return self._sentence(None)

    def _sentence(self, most: int | None) -> str:
        if not self.squares:
            return self.text
        names = {name: self.graph.list_names(each, most) for name, each in self.squares.items()}
        return self.text.format_map(names)


def too_small(instance: Instance) -> Reason | None:
    """A closed tour has at least three squares: there and back is none."""
    graph, words, count = instance.graph, instance.graph.vocabulary, len(instance.graph)
    if not instance.closed or count >= FEWEST_CLOSED:
        return None
    least = words.count_vertices(FEWEST_CLOSED)
    text = f"{words.a_tour(closed=True)} has at least {least}; the {words.graph} has {count}"
    return Reason(ReasonKind.TOO_SMALL, graph, text)


def contradiction(instance: Instance) -> Reason | None:
    """Find constraints that exclude one another, whatever the rest of the board looks like."""
    board, words = instance.graph, instance.graph.vocabulary
    because = partial(Reason.about, ReasonKind.CONTRADICTION, board)
    for move in instance.require:
        if instance.forbidden_arcs.issuperset(move.arcs()):
            text = f"the {words.edge} {move.describe(board)} is both required and forbidden"
            return because(text, move=move[:2])
    one_way = {move[:2] for move in instance.require if move.directed}
    for arc in one_way & {arc[::-1] for arc in one_way}:
        text = f"the required {words.edges} go back and forth between {{squares}}"
        return because(text, squares=arc)
    for verb, place, end in (("leave", 0, instance.end), ("enter", 1, instance.start)):
        counts = Counter([*(arc[place] for arc in one_way), None if instance.closed else end])
        for square, count in counts.items():
            if square is not None and count > 1:
                text = f"the required {words.edges} {verb} {{square}} too often"
                return because(text, square=square)
    return None


def colors(instance: Instance) -> Reason | None:
    """Count the colors, which the moves of a knight alternate and those of a camel keep."""
    graph, change = instance.graph, instance.graph.color_change
    if change is ColorChange.SOMETIMES:
        return None
    because = partial(Reason.about, ReasonKind.COLOURS, graph)
    dark = graph.dark_count
    light = len(graph) - dark
    words = graph.vocabulary
    both_colors = f"{dark} {words.dark} and {light} {words.light} {words.vertices}"
    if change is ColorChange.NEVER:
        both = f"the {words.graph} has {both_colors}"
        text = f"every {graph.move_name} keeps the color, and {both}"
        return because(text) if dark and light else None
    balance = f"{words.edges} alternate between {both_colors}"
    a_tour = words.a_tour(instance.closed)
    if instance.closed and dark != light:
        return because(f"{balance}, and {a_tour} needs as many of each")
    if abs(dark - light) > 1:
        return because(f"{balance}, whose numbers may differ by 1 at most in {a_tour}")
    names = (words.light, words.dark)
    ends = {end: names[int(graph.dark(np.array([end]))[0])] for end in instance.ends}
    if dark == light and len(ends) == 2 and len({*ends.values()}) == 1:
        text = f"{balance}, so {a_tour} ends on the other color; {{ends}} are both"
        return because(f"{text} {ends[instance.ends[0]]}", ends=ends)
    for end, color in ends.items():
        if dark != light and color != names[dark > light]:
            text = f"{balance}, so {a_tour} starts and ends on {names[dark > light]}"
            return because(f"{text}; {{end}} is {color}", end=end)
    return None


def dead_squares(instance: Instance) -> Reason | None:
    """Find vertices of too low a degree."""
    board, words = instance.graph, instance.graph.vocabulary
    if len(board) == 1:
        return None
    because = partial(Reason.about, ReasonKind.DEAD_END, board)
    degrees = _degrees(board, instance.edges)[board.vertices]
    fewest = int(degrees.argmin())
    needed = 2 if instance.closed else 1
    if degrees[fewest] < needed:
        have = f"only one {words.edge}" if degrees[fewest] else f"no {words.edge}"
        need = f"{words.a_tour(closed=True)} needs two" if instance.closed else "a tour needs one"
        text = f"{{square}} has {have}, and {need} at every {words.vertex}"
        return because(text, square=int(board.vertices[fewest]))
    others = np.setdiff1d(board.vertices[degrees == 1], instance.ends).tolist()
    if instance.closed or len(others) <= instance.free_ends:
        return None
    have = "has" if len(others) == 1 else "have"
    text = f"{{squares}} {have} only one {words.edge} and must be an end of the tour, but "
    left = (
        "the ends are {ends}",
        "only one end is left beside {ends}",
        f"{words.a_tour(closed=False)} has only two ends",
    )
    return because(text + left[instance.free_ends], squares=others, ends=instance.ends)


def one_way_squares(instance: Instance) -> Reason | None:
    """Find squares that no move enters, or none leaves, as moves are forbidden one way."""
    board, words = instance.graph, instance.graph.vocabulary
    if len(board) == 1:
        return None
    because = partial(Reason.about, ReasonKind.ONE_WAY, board)
    for place, known, end, verb in (
        (1, instance.start, "start", "enters"),
        (0, instance.end, "end", "leaves"),
    ):
        stuck = np.setdiff1d(board.vertices, instance.arcs[:, place]).tolist()
        if instance.closed and stuck:
            return because(f"no allowed {words.edge} {verb} {{square}}", square=stuck[0])
        others = [square for square in stuck if square != known]
        allowed = 1 if known is None else 0
        if len(others) > allowed:
            text = f"no allowed {words.edge} {verb} {{squares}}, and a tour has only one {end}"
            return because(text, squares=others)
    return None


def components(instance: Instance) -> Reason | None:
    """See whether the moves connect the whole board."""
    board = instance.graph
    labels = component_labels(board.area, instance.edges)[board.vertices]
    firsts = np.unique(labels)
    if len(firsts) == 1:
        return None
    words, count = board.vocabulary, len(firsts)
    split = f"the {words.edges} leave the {words.graph} in {count} components"
    text = f"{split}: no way from {{here}} to {{there}}"
    here, there = firsts[:2].tolist()
    return Reason.about(ReasonKind.COMPONENTS, board, text, here=here, there=there)


def schwenk(instance: Instance) -> Reason | None:
    """Schwenk's theorem on closed tours of full rectangles.

    A. J. Schwenk, Which Rectangular Chessboards Have a Knight's Tour?, Mathematics Magazine 64
    (1991): m x n, m ≤ n, has one unless m and n are odd; m is 1, 2 or 4; or m is 3 and n is 4, 6
    or 8.
    """
    board = instance.graph
    if not (instance.closed and isinstance(board, Board)):
        return None
    short, long = sorted((board.rows, board.columns))
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
    """Find two given steps that no walk of the right length joins."""
    board, steps = instance.graph, list(instance.steps.items())
    if not needs_steps(instance) or len(board) > MAX_NUMBERED:
        return None
    reached, graph = reachable(instance, forward_only=True), TourGraph(instance)
    for (before, here), (step, there) in itertools.pairwise(
        [*steps, *(steps[:1] if instance.closed else [])]
    ):
        if not reached[step - 1, graph.nodes(there)]:
            moves = board.vocabulary.count_edges((step - before) % len(board))
            text = f"steps {before} and {step}: no walk of {moves} from {{here}} to {{there}}"
            return Reason.about(ReasonKind.STEPS, board, text, here=here, there=there)
    return None


def forced_moves(instance: Instance) -> Reason | None:
    """Follow the moves that must be used: too many at a square, or a cycle closed too early."""
    graph, words, tour = instance.graph, instance.graph.vocabulary, TourGraph(instance)
    because = partial(Reason.about, ReasonKind.FORCED_MOVES, graph)
    forced = tour.edges[tour.forced]
    used = np.bincount(forced.ravel(), minlength=len(tour))[: tour.depot]
    crowded = np.flatnonzero(used > 2)  # of too many forced ends `dead_squares` tells
    if len(crowded):
        near = forced[(forced == crowded[0]).any(axis=1)].ravel()
        others = graph.vertices[near[(near != crowded[0]) & (near != tour.depot)]]
        allowed = f"two {words.edges}"
        if tour.depot in near:
            allowed = f"one {words.edge}, as an end of the tour"
        text = f"{{square}} {words.is_forced_to} {{others}}, but has only {allowed}"
        return because(text, square=int(graph.vertices[crowded[0]]), others=others)
    if cycle := find_subtour(len(tour), forced):
        cycle_closed = f"close a cycle before every {words.vertex} is visited"
        text = f"forced {words.edges} at {{squares}} {cycle_closed}"
        return because(text, squares=graph.vertices[[n for n in cycle if n != tour.depot]])
    return None


def lonely_ends(instance: Instance) -> Reason | None:
    """Take squares with only one move as ends, and find a reason that follows from that."""
    board = instance.graph
    if instance.directed or not instance.free_ends or len(board) == 1:
        return None
    alone = board.vertices[_degrees(board, instance.edges)[board.vertices] == 1].tolist()
    others = [square for square in alone if square not in instance.ends]
    if not 0 < len(others) <= instance.free_ends:
        return None
    ends = [*instance.ends, *others]
    told = Instance(
        board,
        start=ends[0],
        end=ends[1] if len(ends) > 1 else None,
        require=instance.require,
        forbid=instance.forbid,
    )
    for find in (colors, forced_moves, separator):
        if reason := find(told):
            have = "has" if len(others) == 1 else "have"
            one_edge = f"{have} only one {board.vocabulary.edge}"
            text = f"{{lonely}} {one_edge} and must be an end of the tour; {reason.text}"
            return replace(reason, text=text, squares={"lonely": tuple(others), **reason.squares})
    return None


def no_symmetric_tour(instance: Instance) -> Reason | None:
    """Find that no tour can have the symmetry asked for, in any of the ways in which it could."""
    symmetry = instance.symmetry
    if symmetry is None:
        return None
    board, groups = instance.board, {}
    images = images_under(board, symmetry)
    if is_symmetric(board, images):
        ways = tour_symmetries(board, symmetry, instance.closed)
        faults = [_fault_of_symmetry(instance, way) for way in ways]
        if None in faults:
            return None
        why = "; ".join(filter(None, faults)) or (
            "an open tour can be mapped onto itself only backwards, its ends changing places"
        )
    elif moved := board.squares[~board.mask[images[board.squares]]].tolist():
        why = f"takes {{square}} to {board.name(images[moved[0]])}, a hole"
        groups = {"square": moved[0]}
    else:
        why = "does not keep the moves of the board"
    return Reason.about(ReasonKind.SYMMETRY, board, f"{symmetry}: {why}", **groups)


def _fault_of_symmetry(instance: Instance, way: TourMap) -> str | None:
    """Return in words why a tour cannot be mapped onto itself in a way, or None if it may be."""
    board, closed = instance.board, instance.closed
    fixed = board.squares[way.images[board.squares] == board.squares].tolist()
    if way.reverse:
        arcs = instance.arcs
        turned = way.images[arcs[:, 0]] == arcs[:, 1]
        moves = len(np.unique(np.sort(arcs[turned], axis=1), axis=0))
        least = 2 if closed else 1
        if len(fixed) <= least and len(fixed) + moves >= least:
            return None
        wanted = "two of its squares or moves stay" if closed else "its middle square or move stays"
        here = f"{len(fixed)} squares and {moves} moves do"
        return f"run backwards, {wanted} in place, but here {here}"
    if len(fixed) == len(board):
        return None
    same_way = "run the same way, every square"
    if fixed:
        return f"{same_way} of the tour moves on, but {board.name(fixed[0])} stays"
    apart = len(board) // way.order
    dark = board.dark(np.array([board.squares[0], way.images[board.squares[0]]]))
    if board.sides is None or (dark[0] != dark[1]) == (apart % 2 == 1):
        return None
    parity, color = ("odd", "keep") if apart % 2 else ("even", "change")
    steps = f"{apart} steps on, an {parity} number"
    return f"{same_way} moves {steps}, but the squares {color} their color"


def separator(instance: Instance) -> Reason | None:
    """Find k squares whose removal leaves more components than a tour can connect.

    Every visit of one of the k squares joins two components at most: a closed tour connects k, an
    open one k + 1, less one for each of its ends among the k (Chvátal 1973, toughness).
    """
    graph = instance.graph
    if not 3 <= len(graph) <= _MOST_SEPARATED:
        return None
    candidates = candidate_separators(instance.edges, graph.mask, graph.sides, instance.ends)
    return _first_that_separates(instance, candidates)


def hidden_separator(instance: Instance) -> Reason | None:
    """Find such squares in graphs of any shape, by a greedy search and by linear programming."""
    if not 3 <= len(instance.graph) <= _MOST_SEPARATED:
        return None
    return _first_that_separates(instance, _hidden_separators(instance))


def _hidden_separators(instance: Instance) -> Iterator[list[int]]:
    """Yield sets of squares worth removing; what linear programming finds comes last."""
    graph, whole = instance.graph, TourGraph(instance)
    yield from greedy_separators(adjacency(instance.edges), instance.ends)
    if len(instance.edges) <= _MOST_RELAXED and not graph.has_places:
        edges, required = whole.edges, whole.required
        nodes = relaxation_separator(len(whole), edges, required, Clock(), FEW_ROUNDS)
        if nodes is not None:
            yield [vertex for vertex in whole.vertices(nodes).tolist() if vertex in graph]


def _first_that_separates(instance: Instance, cuts: Iterable[list[int]]) -> Reason | None:
    """Return the first of some sets of squares that leave too many components, as a reason."""
    board = instance.graph
    for cut in filter(None, cuts):
        kept = np.array(board.mask)
        kept[cut] = False
        count = component_count(instance.edges, kept)
        most = len(cut) if instance.closed else len(cut) + 1 - len({*cut} & {*instance.ends})
        if count > most:
            words = board.vocabulary
            tour = f"the {words.tour(instance.closed)}"
            if instance.ends:
                tour += " with these ends"
            removed = words.vertex if len(cut) == 1 else words.count_vertices(len(cut))
            without = f"without the {removed} {{cut}}"
            split = f"the {words.graph} is in {count} components"
            apart = f"{split}, of which {tour} can connect only {most}"
            return Reason.about(ReasonKind.CUT, board, f"{without} {apart}", cut=cut)
    return None


def too_few_moves(instance: Instance) -> Reason | None:
    """Find squares of one color that need more moves than the squares next to them allow.

    Every square needs two moves, and an end of the tour one. A square next to some others allows
    two moves to them, or one where it has no more or is an end. If all squares can have what they
    need, cycles cover the board (a 2-factor); if not, a minimum cut tells which squares cannot.

    >>> board = Board(4, 7, holes=[3, 14, 20, 21])
    >>> print(too_few_moves(Instance(board, closed=True)))
    b4, f4, c1 and g1 need 8 moves, but b3, d3, f3, c2 and e2 allow only 7
    """
    graph, edges = instance.graph, instance.edges
    if graph.sides is None or len(graph) == 1:
        return None
    room = 2 * graph.mask
    room[list(instance.ends)] = 1
    for left in (graph.sides & graph.mask, ~graph.sides & graph.mask):
        short = deficient(edges, left, room) & left
        # Of the components that lack moves the smallest is told.
        inside = edges[short[edges].any(axis=1)]
        labels = component_labels(graph.area, inside)
        allowed = np.minimum(room, np.bincount(inside.ravel(), minlength=graph.area))
        lack = np.bincount(labels, np.where(short, room, -allowed))
        ends = 0 if instance.closed else 1 + 2 * int(left.sum()) - len(graph)  # of this color
        free = max(0, ends - int(left[list(instance.ends)].sum()))
        sizes = np.bincount(labels[inside[:, 0]], minlength=len(lack))
        lacking = np.flatnonzero((lack > free) & (sizes > 0))
        if len(lacking):
            chosen = labels == lacking[sizes[lacking].argmin()]
            needed = graph.vocabulary.count_edges(int(room[chosen & short].sum()) - free)
            even = ", even as ends of the tour" if free else ""
            need = "needs" if np.count_nonzero(chosen & short) == 1 else "need"
            allow = "allows" if np.count_nonzero(chosen & ~short) == 1 else "allow"
            text = f"{{squares}} {need} {needed}{even}, but {{others}} {allow} only"
            return Reason.about(
                ReasonKind.TWO_FACTOR,
                graph,
                f"{text} {allowed[chosen & ~short].sum()}",
                squares=np.flatnonzero(chosen & short),
                others=np.flatnonzero(chosen & ~short),
            )
    return None


Find = Callable[[Instance], Reason | None]

# A scan of the squares and moves each, most of them without a loop.
QUICK_REASONS: tuple[Find, ...] = (
    too_small,
    contradiction,
    colors,
    dead_squares,
    one_way_squares,
    components,
    schwenk,
    no_symmetric_tour,
    misplaced_steps,
    forced_moves,
)

# Several maximum flows and searches through the graph, which take longer than many a tour.
SLOW_REASONS: tuple[Find, ...] = (lonely_ends, separator, too_few_moves, hidden_separator)

REASONS = (*QUICK_REASONS, *SLOW_REASONS)

# All that is to be said of full rectangles with sides from 6 on, in no time on any board.
SHORT_REASONS = (too_small, colors, schwenk)


def refute(
    instance: Instance, clock: Clock | None = None, reasons: Sequence[Find] = REASONS
) -> Reason | None:
    """Return a reason why there is no tour, or None where none of the reasons applies.

    They are tried as long as the clock's limit allows.

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
    """Return about how many seconds a reason takes, at most. None of them can be interrupted."""
    count = len(instance.graph)
    if find is hidden_separator:
        return GREEDY_VERTEX * greedy_rounds(count) * count
    if find in (lonely_ends, separator):
        return SEPARATOR_VERTEX * count
    if find is too_few_moves:
        return FLOW_VERTEX * count
    return SCAN_VERTEX * count


def _degrees(board: Graph, edges: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.bincount(edges.ravel(), minlength=board.area)
