"""Reasons why there is no tour or no answer, and those that a scan of squares and moves finds.

A reason is a category, a sentence, and what the sentence names. Each function here takes an
instance and returns a `Reason` why no tour meets the constraints, which a person can check, or None
if it does not apply. `kt_cp.proof.separators` and `kt_cp.proof.refutation` search for more.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from string import Template

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Squares
from kt_cp.board.pieces import images_under, is_symmetric
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels, find_subtour
from kt_cp.messages import join_words
from kt_cp.problem.constraints import Edge
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_symmetries
from kt_cp.problem.tour_graph import MAX_NUMBERED, TourGraph, needs_steps, reachable
from kt_cp.tour.validator import FEWEST_CLOSED


class ReasonKind(StrEnum):
    """The categories of reasons: why there is no tour or, for the last three, no answer yet.

    ``exhausted`` means that a search went through all possibilities. The values stand in JSON
    output, so they never change, not even their spelling.
    """

    TOO_SMALL = "too-small"
    CONTRADICTION = "contradiction"
    COLORS = "colours"
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
    """A sentence that explains an answer, with the squares and moves that it names.

    The sentence, its picture and its certificate come from the same values. ``template`` is a
    format string, whose fields are names of ``groups`` of ids or of groups of ``moves``, which are
    pairs of ids. It must not contain other braces, so vertices of graphs, whose names may contain
    any signs, are always named as groups. Without groups it is the sentence itself. A proof by
    ``cases`` has a reason for each of them: one would hold, and none can. `str` lists the first
    dozen of a group, and `full` lists all.

    >>> instance, template = Instance.of("8x8"), "without {cut} $a_tour …"
    >>> print(Reason.of(ReasonKind.CUT, instance, template, cut=(0, 9)))
    without a8 and b7 an open tour …
    """

    kind: ReasonKind
    graph: Graph
    template: str
    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    moves: Mapping[str, tuple[Edge, ...]] = field(default_factory=dict)
    cases: tuple[Reason, ...] = ()

    @classmethod
    def of(
        cls,
        kind: ReasonKind,
        instance: Instance,
        template: str,
        moves: Mapping[str, npt.ArrayLike] | None = None,
        **groups: npt.ArrayLike,
    ) -> Reason:
        """Return a reason about an instance; its groups are one square each, or several.

        In the template, ``$edges`` and other fields of the graph's vocabulary stand for these
        words, and ``$tour`` and ``$a_tour`` for what a tour is called. Groups of ``moves`` are rows
        of two ids; those that are empty are left out.
        """
        words = instance.graph.vocabulary
        closed = instance.closed
        tours = {"tour": words.tour(closed), "a_tour": words.a_tour(closed)}
        text = Template(template).substitute(vars(words), **tours)
        ids = {name: tuple(np.ravel(group).tolist()) for name, group in groups.items()}
        rows = {name: np.asarray(group).tolist() for name, group in (moves or {}).items()}
        pairs = {name: tuple((low, high) for low, high in each) for name, each in rows.items()}
        nonempty = {name: each for name, each in pairs.items() if each}
        return cls(kind, instance.graph, text, ids, nonempty)

    def __str__(self) -> str:
        return self.sentence(lambda _, ids: self.graph.list_names(ids))

    @property
    def full(self) -> str:
        """The sentence with everything listed."""
        return self.sentence(lambda _, ids: self.graph.list_names(ids, None))

    def sentence(self, describe: Callable[[str, tuple[int, ...]], str]) -> str:
        """Return the sentence; ``describe`` returns words for a group by its name and its ids."""
        sentence = self.template
        if self.groups or self.moves:
            names = {name: describe(name, ids) for name, ids in self.groups.items()}
            for name, edges in self.moves.items():
                listed = (f"{self.graph.name(low)}-{self.graph.name(high)}" for low, high in edges)
                names[name] = join_words([*listed])
            sentence = sentence.format_map(names)
        if not self.cases:
            return sentence
        return f"{sentence}: {'; '.join(case.sentence(describe) for case in self.cases)}"


ReasonFinder = Callable[[Instance], Reason | None]
"""A function that returns a reason why an instance has no tour, or None if it does not apply."""


def edges_at(instance: Instance, squares: npt.ArrayLike) -> Squares:
    """Return the edges that a tour may use at some squares, as rows (lower id, higher id)."""
    edges = instance.edges
    return edges[np.isin(edges, squares).any(axis=1)]


def degrees_of(graph: Graph, edges: Squares) -> npt.NDArray[np.int64]:
    """Return for each id the number of edges at it."""
    return np.bincount(edges.ravel(), minlength=graph.area)


# -- scans ----------------------------------------------------------------------------------------


def too_small(instance: Instance) -> Reason | None:
    """Return the reason that there are fewer than the three squares that a closed tour needs."""
    words = instance.graph.vocabulary
    count = len(instance.graph)
    if not instance.closed or count >= FEWEST_CLOSED:
        return None
    least = words.count_vertices(FEWEST_CLOSED)
    text = f"$a_tour has at least {least}; the $graph has {count}"
    return Reason.of(ReasonKind.TOO_SMALL, instance, text)


def contradiction(instance: Instance) -> Reason | None:
    """Return the reason that required moves are forbidden, or that no tour can use all of them."""
    because = partial(Reason.of, ReasonKind.CONTRADICTION, instance)
    for move in instance.require:
        if instance.forbidden_arcs.issuperset(move.arcs()):
            text = f"the $edge {{source}}{move.sign}{{target}} is both required and forbidden"
            return because(text, source=move.source, target=move.target)
    one_way = {move[:2] for move in instance.require if move.directed}
    for arc in one_way & {arc[::-1] for arc in one_way}:
        return because("the required $edges go back and forth between {squares}", squares=arc)
    departures = Counter(source for source, _ in one_way)
    arrivals = Counter(target for _, target in one_way)
    if not instance.closed:  # no move leaves the end of an open tour, and none enters the start
        departures.update(each for each in [instance.last] if each is not None)
        arrivals.update(each for each in [instance.first] if each is not None)
    for verb, counts in (("leave", departures), ("enter", arrivals)):
        for square, count in counts.items():
            if count > 1:
                text = f"the required $edges {verb} {{square}} too often"
                return because(text, square=square)
    return None


def colors(instance: Instance) -> Reason | None:
    """Return the reason that the numbers or the ends of the two colors allow no tour.

    A knight changes the color at every move, a camel never. In graphs, the two colors are the parts
    of a bipartition. With as many squares of each color, the ends of a tour have different ones;
    otherwise both have that of more squares.
    """
    graph = instance.graph
    ends = instance.ends
    dark, light = graph.dark_count, len(graph) - graph.dark_count
    both = f"{dark} $dark and {light} $light $vertices"
    because = partial(Reason.of, ReasonKind.COLORS, instance)
    if graph.keeps_color and dark and light:
        return because(f"every {graph.move_name} keeps the color, and the $graph has {both}")
    if graph.first_part is None:
        return None
    rule = f"$edges alternate between {both}"
    if dark != light and instance.closed:
        return because(f"{rule}, and $a_tour needs as many of each")
    if abs(dark - light) > 1:
        return because(f"{rule}, whose numbers may differ by 1 at most in $a_tour")
    colors_of_ends = ["$dark" if each else "$light" for each in graph.dark(np.array(ends, int))]
    if dark == light:
        if len(ends) == 2 and len({*colors_of_ends}) == 1:
            text = f"so $a_tour ends on the other color; {{ends}} are both {colors_of_ends[0]}"
            return because(f"{rule}, {text}", ends=ends)
        return None
    more = "$dark" if dark > light else "$light"
    for end, color in zip(ends, colors_of_ends, strict=True):
        if color != more:
            text = f"so $a_tour starts and ends on {more}; {{end}} is {color}"
            return because(f"{rule}, {text}", end=end)
    return None


def low_degrees(instance: Instance) -> Reason | None:
    """Return the reason that vertices have degrees below 2 and cannot be ends of the tour."""
    graph = instance.graph
    if len(graph) == 1:
        return None
    because = partial(Reason.of, ReasonKind.DEAD_END, instance)
    degrees = degrees_of(graph, instance.edges)[graph.vertices]
    square = int(graph.vertices[degrees.argmin()])
    if degrees.min() < (2 if instance.closed else 1):
        have = "only one $edge" if degrees.min() else "no $edge"
        need = "$a_tour needs two" if instance.closed else "a tour needs one"
        text = f"{{square}} has {have}, and {need} at every $vertex"
        return because(text, {"around": edges_at(instance, square)}, square=square)
    others = np.setdiff1d(graph.vertices[degrees == 1], instance.ends).tolist()
    if instance.closed or len(others) <= instance.free_end_count:
        return None
    limit = "$a_tour has only two ends"
    if instance.ends:
        limit = f"the ends are {{ends}}{' and one other' if instance.free_end_count else ''}"
    text = f"{must_be_ends('squares', len(others))}, but {limit}"
    around = {"around": edges_at(instance, others)}
    return because(text, around, squares=others, ends=instance.ends)


def must_be_ends(group: str, count: int) -> str:
    """Return the clause that the vertices of a group, of degree one, must be ends of the tour."""
    if count == 1:
        return f"{{{group}}} has only one $edge and must be an end of the tour"
    return f"{{{group}}} have only one $edge and must be ends of the tour"


def one_way_squares(instance: Instance) -> Reason | None:
    """Return the reason that no allowed move enters, or none leaves, too many squares."""
    graph = instance.graph
    if len(graph) == 1:
        return None
    sources, targets = instance.arcs.T
    for reached, known, end, verb in (
        (targets, instance.first, "start", "enters"),
        (sources, instance.last, "end", "leaves"),
    ):
        exempt = [] if instance.closed or known is None else [known]
        others = np.setdiff1d(graph.vertices, [*reached, *exempt])
        if len(others) > (0 if instance.closed or exempt else 1):
            text = f"no allowed $edge {verb} {{squares}}"
            if not instance.closed:
                text += f", and a tour has only one {end}"
            around = {"around": edges_at(instance, others)}
            return Reason.of(ReasonKind.ONE_WAY, instance, text, around, squares=others)
    return None


def components(instance: Instance) -> Reason | None:
    """Return the reason that the moves do not connect the whole graph."""
    graph = instance.graph
    firsts = np.unique(component_labels(graph.area, instance.edges)[graph.vertices])
    if len(firsts) == 1:
        return None
    split = f"the $edges leave the $graph in {len(firsts)} components"
    text = f"{split}: no way from {{here}} to {{there}}"
    here, there = firsts[:2]
    return Reason.of(ReasonKind.COMPONENTS, instance, text, here=here, there=there)


def forced_moves(instance: Instance) -> Reason | None:
    """Return the reason that forced moves meet too often at a square, or close a subtour."""
    tour = TourGraph(instance)
    because = partial(Reason.of, ReasonKind.FORCED_MOVES, instance)
    forced = tour.edges[tour.forced]
    moves = tour.vertices(forced[forced[:, 1] != tour.depot])
    used = np.bincount(forced.ravel(), minlength=len(tour))[: tour.vertex_count]
    crowded = np.flatnonzero(used > 2)  # `low_degrees` finds too many forced ends
    if len(crowded):
        node = crowded[0]
        ends = forced[(forced == node).any(axis=1)].ravel()
        others = tour.vertices(ends[(ends != node) & (ends != tour.depot)])
        allowed = "one $edge, as an end of the tour" if tour.depot in ends else "two $edges"
        text = f"{{square}} $is_forced_to {{others}}, but a tour uses only {allowed} there"
        square = tour.vertices(node)
        contrary = moves[(moves == square).any(axis=1)]
        return because(text, {"contradiction": contrary}, square=square, others=others)
    if cycle := find_subtour(len(tour), forced):
        squares = tour.vertices([node for node in cycle if node != tour.depot])
        text = "forced $edges at {squares} close a cycle before every $vertex is visited"
        contrary = moves[np.isin(moves, squares).all(axis=1)]
        return because(text, {"contradiction": contrary}, squares=squares)
    return None


# -- steps and order ------------------------------------------------------------------------------


def misplaced_steps(instance: Instance) -> Reason | None:
    """Return the reason that no walk of the right length joins two consecutive given steps.

    Of several such pairs it is about the first.
    """
    graph = instance.graph
    if not needs_steps(instance) or len(graph) > MAX_NUMBERED:
        return None
    steps = list(instance.steps.items())
    if instance.closed:
        steps.append(steps[0])
    reached = reachable(instance, forward_only=True)
    tour = TourGraph(instance)
    for (before, here), (step, there) in itertools.pairwise(steps):
        if not reached[step - 1, tour.nodes(there)]:
            moves = graph.vocabulary.count_edges((step - before) % len(graph))
            text = f"steps {before} and {step}: no walk of {moves} from {{here}} to {{there}}"
            return Reason.of(ReasonKind.STEPS, instance, text, here=here, there=there)
    return None


def misplaced_order(instance: Instance) -> Reason | None:
    """Return the reason that a square of the order cannot be reached in time, or None.

    From each square of the order to the next the tour takes at least as many moves as a shortest
    path.
    """
    order = instance.order
    graph = instance.graph
    pairs = [*itertools.pairwise(order)]
    moves = {(here, there): _distance(graph, here, there) for here, there in pairs}
    # A square with a given step is visited neither before nor after that step.
    given_step = {square: step for step, square in instance.steps.items()}
    earliest = {square: given_step.get(square, 1) for square in order}
    latest = {square: given_step.get(square, len(graph)) for square in order}
    for here, there in pairs:
        earliest[there] = max(earliest[there], earliest[here] + moves[here, there])
    for here, there in reversed(pairs):
        latest[here] = min(latest[here], latest[there] - moves[here, there])
    for square in order:
        if earliest[square] > latest[square]:
            text = (
                f"in the order {{order}}: {{square}} is reached at step {earliest[square]} at the "
                f"earliest, and has to be reached by step {latest[square]}"
            )
            return Reason.of(ReasonKind.STEPS, instance, text, order=order, square=square)
    return None


def _distance(graph: Graph, source: int, target: int) -> int:
    """Return the number of moves on a shortest path, or the number of vertices if there is none."""
    seen = layer = {source}
    for distance in range(len(graph)):
        if target in layer:
            return distance
        layer = {other for vertex in layer for other in graph.neighbors(vertex)} - seen
        seen = seen | layer
    return len(graph)


# -- symmetry -------------------------------------------------------------------------------------


def no_symmetric_tour(instance: Instance) -> Reason | None:
    """Return the reason that no map gives a tour the required symmetry, or None if one may.

    A tour of a partial instance may leave squares out, such as those whose images are holes.
    """
    symmetry = instance.symmetry
    if symmetry is None:
        return None
    board = instance.board
    images = images_under(board, symmetry)
    because = partial(Reason.of, ReasonKind.SYMMETRY, instance)
    if not instance.allows_partial and not is_symmetric(board, images):
        moved = board.squares[~board.mask[images[board.squares]]]
        if not len(moved):
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
    """Return a clause on why a map takes no tour to itself, or None if it may."""
    squares = instance.board.squares
    fixed = squares[tour_map.images[squares] == squares]
    if tour_map.reverse:
        return _fault_of_reversal(instance, tour_map, len(fixed))
    same_way = "run the same way, every square"
    if instance.allows_partial:
        if instance.closed or len(fixed):
            return None
        return f"{same_way} of a path stays in place, but here none does"
    if len(fixed) == len(squares):
        return None
    if len(fixed):
        return f"{same_way} of the tour moves on, but {instance.board.name(fixed[0])} stays"
    return _fault_of_shift(instance, tour_map, f"{same_way} moves")


def _fault_of_reversal(instance: Instance, tour_map: TourMap, fixed: int) -> str | None:
    """Return a clause on why a map that reverses tours takes none to itself, or None if it may.

    It fixes two squares or moves of a cycle, and the middle of a path, which is a square or a move.
    A tour of all squares visits all the squares that are ``fixed``, which is their number.
    """
    edges = instance.edges
    moves = int((tour_map.images[edges[:, 0]] == edges[:, 1]).sum())
    most_fixed = 1
    stay = "its middle square or move stays"
    if instance.closed:
        most_fixed = 2
        stay = "two of its squares or moves stay"
    if most_fixed <= fixed + moves and (fixed <= most_fixed or instance.allows_partial):
        return None
    return f"run backwards, {stay} in place, but here {fixed} squares and {moves} moves do"


def _fault_of_shift(instance: Instance, tour_map: TourMap, every_square: str) -> str | None:
    """Return a clause on why no tour is shifted along itself by a map, or None if one may be.

    The image of a square is visited a fraction of the tour later: half of it, or a quarter.
    """
    board = instance.board
    if board.first_part is None:
        return None
    shift = len(board) // tour_map.order
    first, image = board.first_part[[board.squares[0], tour_map.images[board.squares[0]]]]
    if (first == image) == (shift % 2 == 0):
        return None
    moves = f"{every_square} {shift} steps on"
    if shift % 2:
        return f"{moves}, an odd number, but the squares keep their color"
    return f"{moves}, an even number, but the squares change their color"
