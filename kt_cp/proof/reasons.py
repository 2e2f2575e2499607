"""Reasons, which a person can check, why no tour meets the constraints.

Each is a function that takes an instance and returns a `Reason`, or None if it does not apply. The
reasons are not complete: where none applies, only a search can decide.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Mask, Squares
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

# The most vertices among which separators are looked for: about a second.
_MOST_SEPARATED = 20_000

# The most edges for which linear programs are solved: a fraction of a second. Boards need none, as
# matchings and flows find the same separators.
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
    """A sentence that explains an answer, and the squares that it names.

    ``text`` is a format string; its fields are the keys of ``squares``, which maps each to a group
    of ids. `str` lists the first dozen squares of a group, and `full` lists them all.

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
        """Return the text with at most so many names in each group (None: all)."""
        if not self.squares:
            return self.text
        names = {name: self.graph.list_names(each, most) for name, each in self.squares.items()}
        return self.text.format_map(names)


def too_small(instance: Instance) -> Reason | None:
    """A closed tour has at least three squares: moving there and back is not a cycle."""
    graph, words, count = instance.graph, instance.graph.vocabulary, len(instance.graph)
    if not instance.closed or count >= FEWEST_CLOSED:
        return None
    least = words.count_vertices(FEWEST_CLOSED)
    text = f"{words.a_tour(closed=True)} has at least {least}; the {words.graph} has {count}"
    return Reason(ReasonKind.TOO_SMALL, graph, text)


def contradiction(instance: Instance) -> Reason | None:
    """Find required moves that are forbidden, or that no tour can use together."""
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
    left = Counter(source for source, _ in one_way)
    entered = Counter(target for _, target in one_way)
    if not instance.closed:  # no move leaves the end, and none enters the start
        left.update(square for square in [instance.end] if square is not None)
        entered.update(square for square in [instance.start] if square is not None)
    for verb, counts in (("leave", left), ("enter", entered)):
        for square, count in counts.items():
            if count > 1:
                text = f"the required {words.edges} {verb} {{square}} too often"
                return because(text, square=square)
    return None


def colors(instance: Instance) -> Reason | None:
    """Count the colors: moves of a knight change the color at every step, those of a camel never.

    In graphs, the two colors are the parts of a bipartition.
    """
    graph, change = instance.graph, instance.graph.color_change
    if change is ColorChange.SOMETIMES:
        return None
    because = partial(Reason.about, ReasonKind.COLOURS, graph)
    dark = graph.dark_count
    light = len(graph) - dark
    words = graph.vocabulary
    both_colors = f"{dark} {words.dark} and {light} {words.light} {words.vertices}"
    if change is ColorChange.NEVER:
        if not (dark and light):
            return None
        both = f"the {words.graph} has {both_colors}"
        return because(f"every {graph.move_name} keeps the color, and {both}")
    balance = f"{words.edges} alternate between {both_colors}"
    a_tour = words.a_tour(instance.closed)
    if instance.closed and dark != light:
        return because(f"{balance}, and {a_tour} needs as many of each")
    if abs(dark - light) > 1:
        return because(f"{balance}, whose numbers may differ by 1 at most in {a_tour}")
    color_of = {end: words.dark if _is_dark(graph, end) else words.light for end in instance.ends}
    if dark == light:
        if len(color_of) == 2 and len(set(color_of.values())) == 1:
            color = color_of[instance.ends[0]]
            text = f"{balance}, so {a_tour} ends on the other color; {{ends}} are both {color}"
            return because(text, ends=color_of)
        return None
    majority = words.dark if dark > light else words.light
    for end, color in color_of.items():
        if color != majority:
            text = f"{balance}, so {a_tour} starts and ends on {majority}; {{end}} is {color}"
            return because(text, end=end)
    return None


def _is_dark(graph: Graph, vertex: int) -> bool:
    """Return whether a vertex is dark."""
    return bool(graph.dark(np.array([vertex]))[0])


def low_degrees(instance: Instance) -> Reason | None:
    """Find vertices of too low a degree: below 2, unless they can be ends of the tour."""
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
    text = f"{{squares}} {have} only one {words.edge} and must be an end of the tour, but"
    if instance.free_ends == 0:
        limit = "the ends are {ends}"
    elif instance.free_ends == 1:
        limit = "only one end is left beside {ends}"
    else:
        limit = f"{words.a_tour(closed=False)} has only two ends"
    return because(f"{text} {limit}", squares=others, ends=instance.ends)


def one_way_squares(instance: Instance) -> Reason | None:
    """Find squares that no move enters or that no move leaves, where moves go one way only."""
    board, words = instance.graph, instance.graph.vocabulary
    if len(board) == 1:
        return None
    because = partial(Reason.about, ReasonKind.ONE_WAY, board)
    sources, targets = instance.arcs.T
    for reached, known, end, verb in (
        (targets, instance.start, "start", "enters"),
        (sources, instance.end, "end", "leaves"),
    ):
        unreached = np.setdiff1d(board.vertices, reached).tolist()
        if instance.closed and unreached:
            return because(f"no allowed {words.edge} {verb} {{square}}", square=unreached[0])
        others = [square for square in unreached if square != known]
        free = 1 if known is None else 0
        if len(others) > free:
            text = f"no allowed {words.edge} {verb} {{squares}}, and a tour has only one {end}"
            return because(text, squares=others)
    return None


def components(instance: Instance) -> Reason | None:
    """Check that the moves connect the whole board."""
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
    """Find two given steps that no walk of the right length joins."""
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
    """Find too many forced moves at one square, or forced moves that close a subtour."""
    graph, words, tour = instance.graph, instance.graph.vocabulary, TourGraph(instance)
    because = partial(Reason.about, ReasonKind.FORCED_MOVES, graph)
    forced = tour.edges[tour.forced]
    used = np.bincount(forced.ravel(), minlength=len(tour))[: tour.depot]
    crowded = np.flatnonzero(used > 2)  # `low_degrees` finds too many forced ends
    if len(crowded):
        node = crowded[0]
        ends = forced[(forced == node).any(axis=1)].ravel()
        others = ends[(ends != node) & (ends != tour.depot)]
        allowed = f"two {words.edges}"
        if tour.depot in ends:
            allowed = f"one {words.edge}, as an end of the tour"
        text = f"{{square}} {words.is_forced_to} {{others}}, but has only {allowed}"
        return because(text, square=int(tour.vertices(node)), others=tour.vertices(others))
    if cycle := find_subtour(len(tour), forced):
        cycle_closed = f"close a cycle before every {words.vertex} is visited"
        text = f"forced {words.edges} at {{squares}} {cycle_closed}"
        on_cycle = [node for node in cycle if node != tour.depot]
        return because(text, squares=tour.vertices(on_cycle))
    return None


def degree_one_ends(instance: Instance) -> Reason | None:
    """Take vertices of degree one as ends, and find a reason that follows from that."""
    board = instance.graph
    if instance.directed or not instance.free_ends or len(board) == 1:
        return None
    has_degree_one = _degrees(board, instance.edges) == 1
    others = np.setdiff1d(np.flatnonzero(has_degree_one), instance.ends).tolist()
    if not 0 < len(others) <= instance.free_ends:
        return None
    ends = [*instance.ends, *others]
    with_ends = Instance(
        board,
        start=ends[0],
        end=ends[1] if len(ends) > 1 else None,
        require=instance.require,
        forbid=instance.forbid,
    )
    for find in (colors, forced_moves, separator):
        if reason := find(with_ends):
            have = "has" if len(others) == 1 else "have"
            one_edge = f"{have} only one {board.vocabulary.edge}"
            text = f"{{degree_one}} {one_edge} and must be an end of the tour; {reason.text}"
            squares = {"degree_one": tuple(others), **reason.squares}
            return replace(reason, text=text, squares=squares)
    return None


def no_symmetric_tour(instance: Instance) -> Reason | None:
    """Check every map of a tour onto itself by which it could have the required symmetry."""
    symmetry = instance.symmetry
    if symmetry is None:
        return None
    board = instance.board
    groups: dict[str, int] = {}
    images = images_under(board, symmetry)
    if is_symmetric(board, images):
        ways = tour_symmetries(board, symmetry, instance.closed)
        faults = [_fault_of_symmetry(instance, way) for way in ways]
        if None in faults:
            return None
        why = "an open tour can be mapped onto itself only backwards, its ends changing places"
        if faults:
            why = "; ".join(filter(None, faults))
    elif moved := board.squares[~board.mask[images[board.squares]]].tolist():
        why = f"takes {{square}} to {board.name(images[moved[0]])}, a hole"
        groups = {"square": moved[0]}
    else:
        why = "does not keep the moves of the board"
    return Reason.about(ReasonKind.SYMMETRY, board, f"{symmetry}: {why}", **groups)


def _fault_of_symmetry(instance: Instance, tour_map: TourMap) -> str | None:
    """Return a clause why no tour is mapped onto itself by a map, or None if one may be."""
    board = instance.board
    fixed = board.squares[tour_map.images[board.squares] == board.squares].tolist()
    if tour_map.reverse:
        return _fault_of_reversal(instance, tour_map, len(fixed))
    if len(fixed) == len(board):
        return None
    same_way = "run the same way, every square"
    if fixed:
        return f"{same_way} of the tour moves on, but {board.name(fixed[0])} stays"
    if board.sides is None:
        return None
    square = int(board.squares[0])
    changes_color = board.sides[square] != board.sides[tour_map.images[square]]
    shift = len(board) // tour_map.order  # how many steps later the image of a square is visited
    if shift % 2 == 1 and not changes_color:
        return f"{same_way} moves {shift} steps on, an odd number, but the squares keep their color"
    if shift % 2 == 0 and changes_color:
        steps = f"{shift} steps on, an even number"
        return f"{same_way} moves {steps}, but the squares change their color"
    return None


def _fault_of_reversal(instance: Instance, tour_map: TourMap, fixed: int) -> str | None:
    """Return a clause why a map cannot reverse a tour, or None if it may.

    A reversed open tour keeps its middle, a square or a move; a closed one keeps two such places.
    ``fixed`` squares stay in place on the board, and the tour visits them all.
    """
    arcs = instance.arcs
    is_reversed = tour_map.images[arcs[:, 0]] == arcs[:, 1]
    moves = len(np.unique(np.sort(arcs[is_reversed], axis=1), axis=0))
    needed = 2 if instance.closed else 1
    if fixed <= needed <= fixed + moves:
        return None
    wanted = "its middle square or move stays"
    if instance.closed:
        wanted = "two of its squares or moves stay"
    return f"run backwards, {wanted} in place, but here {fixed} squares and {moves} moves do"


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
    """Find a separator as `separator` does, by a greedy search and by linear programming."""
    if not 3 <= len(instance.graph) <= _MOST_SEPARATED:
        return None
    return _first_that_separates(instance, _hidden_separators(instance))


def _hidden_separators(instance: Instance) -> Iterator[list[int]]:
    """Yield candidates for a separator; the one that linear programming finds comes last."""
    graph, tour_graph = instance.graph, TourGraph(instance)
    yield from greedy_separators(adjacency(instance.edges), instance.ends)
    if len(instance.edges) <= _MOST_RELAXED and not graph.has_places:
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
    """Find squares of one color that need more moves than the squares next to them allow.

    Every square needs two moves, and an end of the tour one. A square next to some others allows
    two moves to them, or one if it has only one or is an end. If every square can have the moves
    that it needs, they form a 2-factor; otherwise a minimum cut shows which squares cannot.

    >>> board = Board(4, 7, holes=[3, 14, 20, 21])
    >>> print(too_few_moves(Instance(board, closed=True)))
    b4, f4, c1 and g1 need 8 moves, but b3, d3, f3, c2 and e2 allow only 7
    """
    graph, edges = instance.graph, instance.edges
    if graph.sides is None or len(graph) == 1:
        return None
    room = 2 * graph.mask
    room[list(instance.ends)] = 1
    for color in (graph.sides & graph.mask, ~graph.sides & graph.mask):
        short = deficient(edges, color, room) & color
        at_short = edges[short[edges].any(axis=1)]
        degrees = _degrees(graph, at_short)
        allowed = np.minimum(room, degrees)
        free = _free_ends_of(instance, color)

        # Each component stands for itself: report the one with the fewest edges that lacks moves.
        labels = component_labels(graph.area, at_short)
        lack = np.bincount(labels, np.where(short, room, -allowed))
        sizes = np.bincount(labels[at_short[:, 0]], minlength=len(lack))
        lacking = np.flatnonzero((lack > free) & (sizes > 0))
        if not len(lacking):
            continue
        chosen = labels == lacking[sizes[lacking].argmin()]
        squares, others = np.flatnonzero(chosen & short), np.flatnonzero(chosen & ~short)
        needed = graph.vocabulary.count_edges(int(room[squares].sum()) - free)
        even = ", even as ends of the tour" if free else ""
        need = "needs" if len(squares) == 1 else "need"
        allow = "allows" if len(others) == 1 else "allow"
        total = allowed[others].sum()
        text = f"{{squares}} {need} {needed}{even}, but {{others}} {allow} only {total}"
        kind = ReasonKind.TWO_FACTOR
        return Reason.about(kind, graph, text, squares=squares, others=others)
    return None


def _free_ends_of(instance: Instance, color: Mask) -> int:
    """Return how many ends of a tour, beside the known ones, are squares of a color.

    Colors alternate along a tour. So its ends are both of the color that has one square more, or
    one of each color.
    """
    if instance.closed:
        return 0
    here = int(color.sum())
    elsewhere = len(instance.graph) - here
    known = int(color[list(instance.ends)].sum())
    return max(0, 1 + here - elsewhere - known)


Find = Callable[[Instance], Reason | None]

# Each of these is a scan of the squares and moves, mostly in NumPy.
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
    forced_moves,
)

# Maximum flows and searches of the graph, which often take longer than finding a tour.
SLOW_REASONS: tuple[Find, ...] = (degree_one_ends, separator, too_few_moves, hidden_separator)

REASONS = (*QUICK_REASONS, *SLOW_REASONS)

# The only reasons that apply to full rectangles with sides from 6 on; they need no list of moves.
SHORT_REASONS = (too_small, colors, schwenk)


def refute(
    instance: Instance, clock: Clock | None = None, reasons: Sequence[Find] = REASONS
) -> Reason | None:
    """Return the first reason that applies, or None if none does.

    A reason that may take longer than the clock has left is skipped.

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
    count = len(instance.graph)
    if find is hidden_separator:
        return GREEDY_VERTEX * greedy_rounds(count) * count
    if find in (degree_one_ends, separator):
        return SEPARATOR_VERTEX * count
    if find is too_few_moves:
        return FLOW_VERTEX * count
    return SCAN_VERTEX * count


def _degrees(board: Graph, edges: Squares) -> npt.NDArray[np.int64]:
    """Return for each id the number of edges at it."""
    return np.bincount(edges.ravel(), minlength=board.area)
