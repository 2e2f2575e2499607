"""Reasons that a person can check why no tour meets the constraints.

Each is a function from an instance to a `Reason`, or None where it does not apply. None of them is
complete: where all are silent, only a search can tell."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.board.square_names import chess_name
from kt_cp.board.symmetry import images_under, is_symmetric
from kt_cp.errors import pluralize
from kt_cp.graph import ColorChange, Graph, component_labels, short_cycle
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_symmetries
from kt_cp.problem.tour_graph import MAX_SQUARES, needs_steps, reachable_forward
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.proof.separators import separator, too_few_moves
from kt_cp.tour.validator import FEWEST_CLOSED


def no_symmetric_tour(instance: Instance) -> Reason | None:
    """Find that no tour can have the symmetry asked for, in any of the ways in which it could."""
    symmetry = instance.symmetry
    if symmetry is None:
        return None
    board = instance.board
    because = partial(Reason.about, ReasonKind.SYMMETRY, board)
    images = images_under(board, symmetry)
    if not is_symmetric(board, images):
        moved = board.squares[~board.mask[images[board.squares]]].tolist()
        if not moved:
            return because(f"{symmetry}: does not keep the moves of the board")
        hole = chess_name(board, images[moved[0]])
        return because(f"{symmetry}: takes {{square}} to {hole}, a hole", square=moved[0])
    reasons = []
    for way in tour_symmetries(board, symmetry, instance.closed):
        reason = _run_backwards(instance, way) if way.reverse else _run_on(instance, way)
        if reason is None:
            return None
        reasons.append(reason)
    if not reasons:
        reasons = [
            "an open tour can be mapped onto itself only backwards, its ends changing places"
        ]
    return because(f"{symmetry}: {'; '.join(reasons)}")


def _run_on(instance: Instance, way: TourMap) -> str | None:
    """See whether a closed tour can be mapped onto itself, running the same way as before."""
    board = instance.board
    fixed = _fixed_squares(instance, way)
    if len(fixed) == len(board):
        return None
    if len(fixed):
        name = chess_name(board, fixed[0])
        return f"run the same way, every square of the tour moves on, but {name} stays"
    apart = len(board) // way.order
    dark = board.dark(np.array([board.squares[0], way.images[board.squares[0]]]))
    if board.sides is not None and (dark[0] != dark[1]) != (apart % 2 == 1):
        parity, colour = ("odd", "keep") if apart % 2 else ("even", "change")
        return (
            f"run the same way, every square moves {apart} steps on, an {parity} number, "
            f"but the squares {colour} their colour"
        )
    return None


def _run_backwards(instance: Instance, way: TourMap) -> str | None:
    """See whether a tour can be mapped onto itself, running backwards."""
    fixed = len(_fixed_squares(instance, way))
    arcs = instance.arcs
    turned = way.images[arcs[:, 0]] == arcs[:, 1]
    moves = len(np.unique(np.sort(arcs[turned], axis=1), axis=0))
    if instance.closed and (fixed > 2 or fixed + moves < 2):
        wanted = "two of its squares or moves stay in place"
    elif not instance.closed and (fixed > 1 or fixed + moves < 1):
        wanted = "its middle square or move stays in place"
    else:
        return None
    return f"run backwards, {wanted}, but here {fixed} squares and {moves} moves do"


def _fixed_squares(instance: Instance, way: TourMap) -> list[int]:
    squares = instance.board.squares
    fixed: list[int] = squares[way.images[squares] == squares].tolist()
    return fixed


# About how many seconds a reason takes for each square, at most. None can be stopped.
_SECONDS, _FLOW_SECONDS = 1e-6, 1e-5


def refute(
    instance: Instance,
    clock: Clock | None = None,
    reasons: Sequence[Callable[[Instance], Reason | None]] | None = None,
) -> Reason | None:
    """Return a reason why there is no tour, or None where no known reason applies.

    All `REASONS` are tried, or those given, as long as the clock's limit allows.

    >>> print(refute(Instance(Board(4, 8), closed=True)))
    Schwenk's theorem (1991): no closed tour, as one side is 1, 2 or 4
    >>> print(refute(Instance(Board(9, 9), start=1)))
    moves alternate between 41 dark and 40 light squares, so an open tour starts and ends on dark; \
b9 is light
    >>> refute(Instance(Board(8, 8), closed=True)) is None
    True
    """
    for find in REASONS if reasons is None else reasons:
        seconds = len(instance.graph) * (_FLOW_SECONDS if find is too_few_moves else _SECONDS)
        if (clock is None or clock.remaining > seconds) and (reason := find(instance)):
            return reason
    return None


def too_small(instance: Instance) -> Reason | None:
    """A closed tour has at least three squares: there and back is none."""
    count = len(instance.graph)
    if not instance.closed or count >= FEWEST_CLOSED:
        return None
    text = f"a closed tour has at least {FEWEST_CLOSED} squares; the board has {count}"
    return Reason(ReasonKind.TOO_SMALL, instance.graph, text)


def contradiction(instance: Instance) -> Reason | None:
    """Find constraints that exclude one another, whatever the rest of the board looks like."""
    board = instance.graph
    because = partial(Reason.about, ReasonKind.CONTRADICTION, board)
    for move in instance.require:
        if instance.forbidden_arcs.issuperset(move.arcs()):
            text = f"the move {move.describe(board)} is both required and forbidden"
            return because(text, move=move[:2])
    one_way = {move[:2] for move in instance.require if move.directed}
    for source, target in one_way:
        if (target, source) in one_way:
            text = "the required moves go back and forth between {squares}"
            return because(text, squares=(source, target))
    for verb, place, end in (("leave", 0, instance.end), ("enter", 1, instance.start)):
        for square, count in Counter(arc[place] for arc in one_way).items():
            if count > 1:
                return because(
                    f"the required moves {verb} {{square}} more than once", square=square
                )
            if square == end and not instance.closed:
                role = "end" if verb == "leave" else "start"
                text = f"the required moves {verb} {{square}}, the {role} of the tour"
                return because(text, square=square)
    return None


def colours(instance: Instance) -> Reason | None:
    """Count the colours, which the moves of a knight alternate and those of a camel keep."""
    graph = instance.graph
    because = partial(Reason.about, ReasonKind.COLOURS, graph)
    change = graph.color_change
    if change is ColorChange.SOMETIMES:
        return None
    dark = _count_dark(graph)
    light = len(graph) - dark
    if change is ColorChange.NEVER:
        both = f"the board has {dark} dark and {light} light squares"
        text = f"every {graph.move_name} keeps the colour, and {both}"
        return because(text) if dark and light else None
    balance = f"moves alternate between {dark} dark and {light} light squares"
    if instance.closed:
        text = f"{balance}, and a closed tour needs as many of each"
        return because(text) if dark != light else None
    if abs(dark - light) > 1:
        return because(f"{balance}, whose numbers may differ by 1 at most in an open tour")
    end_colours = {end: bool(graph.dark(np.array([end]))[0]) for end in instance.ends}
    if dark != light:
        for end, is_dark in end_colours.items():
            if is_dark != (dark > light):
                more, fewer = _colour(not is_dark), _colour(is_dark)
                text = f"so an open tour starts and ends on {more}; {{end}} is {fewer}"
                return because(f"{balance}, {text}", end=end)
    elif len(end_colours) == 2 and len(set(end_colours.values())) == 1:
        colour = _colour(end_colours[instance.ends[0]])
        text = f"so an open tour ends on the other colour; {{ends}} are both {colour}"
        return because(f"{balance}, {text}", ends=end_colours)
    return None


def dead_squares(instance: Instance) -> Reason | None:
    """Find squares with too few neighbors to be entered and left."""
    board = instance.graph
    if len(board) == 1:
        return None
    because = partial(Reason.about, ReasonKind.DEAD_END, board)
    degrees = _degrees(board, instance.edges)
    needed = 2 if instance.closed else 1
    few = board.vertices[degrees[board.vertices] < needed].tolist()
    if few:
        have = "no move" if degrees[few[0]] == 0 else "only one move"
        need = "a closed tour needs two" if instance.closed else "a tour needs one"
        return because(f"{{square}} has {have}, and {need} at every square", square=few[0])
    if instance.closed:
        return None
    dead_ends = board.vertices[degrees[board.vertices] == 1]
    others = [square for square in dead_ends.tolist() if square not in instance.ends]
    if len(others) <= instance.free_ends:
        return None
    have = "has" if len(others) == 1 else "have"
    text = f"{{squares}} {have} only one move and must be an end of the tour, but "
    if instance.free_ends == 2:
        return because(f"{text}an open tour has only two ends", squares=others)
    if instance.free_ends == 1:
        text += "only one end is left beside {ends}"
    else:
        text += "the ends are {ends}"
    return because(text, squares=others, ends=instance.ends)


def one_way_squares(instance: Instance) -> Reason | None:
    """Find squares that no move enters, or none leaves, as moves are forbidden one way."""
    board = instance.graph
    if len(board) == 1:
        return None
    because = partial(Reason.about, ReasonKind.ONE_WAY, board)
    for place, known, end, verb in (
        (1, instance.start, "start", "enters"),
        (0, instance.end, "end", "leaves"),
    ):
        counts = np.bincount(instance.arcs[:, place], minlength=board.area)
        stuck = board.vertices[counts[board.vertices] == 0].tolist()
        if instance.closed and stuck:
            return because(f"no allowed move {verb} {{square}}", square=stuck[0])
        others = [square for square in stuck if square != known]
        if len(others) > (known is None):
            text = f"no allowed move {verb} {{squares}}, and a tour has only one {end}"
            return because(text, squares=others)
    return None


def components(instance: Instance) -> Reason | None:
    """See whether the moves connect the whole board."""
    board = instance.graph
    labels = component_labels(board.area, instance.edges)[board.vertices]
    firsts = np.unique(labels)
    if len(firsts) == 1:
        return None
    text = (
        f"the moves leave the board in {len(firsts)} components: no way from {{here}} to {{there}}"
    )
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
    text = f"Schwenk's theorem (1991): no closed tour, as {case}"
    return Reason(ReasonKind.SCHWENK, board, text)


def misplaced_steps(instance: Instance) -> Reason | None:
    """Find two given steps that no walk of the right length joins."""
    board, steps = instance.graph, list(instance.steps.items())
    if not needs_steps(instance) or len(board) > MAX_SQUARES:
        return None
    reached = reachable_forward(instance)
    for (before, here), (step, there) in itertools.pairwise(
        [*steps, *(steps[:1] if instance.closed else [])]
    ):
        if not reached[step - 1, np.searchsorted(board.vertices, there)]:
            moves = pluralize((step - before) % len(board), "move")
            text = f"steps {before} and {step}: no walk of {moves} from {{here}} to {{there}}"
            return Reason.about(ReasonKind.STEPS, board, text, here=here, there=there)
    return None


def forced_moves(instance: Instance) -> Reason | None:
    """Follow the moves that must be used: too many at a square, or a cycle closed too early.

    A square that is not an end and has just two neighbors uses both of its moves; required moves
    are used anyway. Where an end is still free, only the required moves are forced.
    """
    board, edges = instance.graph, instance.edges
    because = partial(Reason.about, ReasonKind.FORCED_MOVES, board)
    room = np.full(board.area, 2)
    room[list(instance.ends)] = 1
    used = np.zeros(len(edges), dtype=np.bool_)
    for low, high in {tuple(sorted(move[:2])) for move in instance.require}:
        used |= (edges == (low, high)).all(axis=1)
    if instance.free_ends == 0:
        tight = _degrees(board, edges) == room
        used |= tight[edges].any(axis=1)
    forced = edges[used]
    crowded = np.flatnonzero(_degrees(board, forced) > room)
    if len(crowded):
        square = int(crowded[0])
        others = forced[(forced == square).any(axis=1)].ravel()
        allowed = "one move, as an end of the tour" if room[square] == 1 else "two moves"
        text = f"{{square}} is forced to move to {{others}}, but has only {allowed}"
        return because(text, square=square, others=others[others != square])
    links = forced if len(instance.ends) < 2 else np.concatenate([forced, [instance.ends]])
    if cycle := short_cycle(board.area, links, len(board)):
        text = "forced moves at {squares} close a cycle before every square is visited"
        return because(text, squares=cycle)
    return None


def lonely_ends(instance: Instance) -> Reason | None:
    """Find what follows when squares with only one move are taken as the ends that they must be."""
    board = instance.graph
    one_way = instance.directed or instance.givens
    if one_way or not instance.free_ends or len(board) == 1:
        return None
    alone = board.vertices[_degrees(board, instance.edges)[board.vertices] == 1].tolist()
    others = [square for square in alone if square not in instance.ends]
    if not 0 < len(others) <= instance.free_ends:
        return None
    start, end = (*instance.ends, *others, None)[:2]
    told = Instance(board, start=start, end=end, require=instance.require, forbid=instance.forbid)
    for find in (colours, forced_moves, separator):
        if reason := find(told):
            have = "has" if len(others) == 1 else "have"
            text = f"{{lonely}} {have} only one move and must be an end of the tour; {reason.text}"
            return replace(reason, text=text, squares={"lonely": tuple(others), **reason.squares})
    return None


Find = Callable[[Instance], Reason | None]

# A scan of the squares and moves each, most of them without a loop.
QUICK_REASONS: tuple[Find, ...] = (
    too_small,
    contradiction,
    colours,
    dead_squares,
    one_way_squares,
    components,
    schwenk,
    no_symmetric_tour,
    misplaced_steps,
    forced_moves,
)

# Several maximum flows and searches through the graph, which take longer than many a tour.
SLOW_REASONS: tuple[Find, ...] = (lonely_ends, separator, too_few_moves)

REASONS = (*QUICK_REASONS, *SLOW_REASONS)

# All that is to be said of full rectangles with sides from 6 on, in no time on any board.
SHORT_REASONS = (too_small, colours, schwenk)


def _degrees(board: Graph, edges: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.bincount(edges.ravel(), minlength=board.area)


def _count_dark(graph: Graph) -> int:
    if isinstance(graph, Board) and not graph.holes:
        return (graph.area + 1) // 2  # a1 is dark
    return int(np.count_nonzero(graph.dark(graph.vertices)))


def _colour(is_dark: bool) -> str:
    return "dark" if is_dark else "light"
