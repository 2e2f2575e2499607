"""Reasons a person can check why a board has no tour that meets the constraints.

Each reason is a function from an instance to a sentence, or None when it does not apply. None of
them is complete: where all are silent, only a search can tell.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.board.square_names import chess_name, chess_names
from kt_cp.errors import counted
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.reachability import MAX_SQUARES, needs_steps, reachable_forward
from kt_cp.proof.connectivity import component_labels, short_circle
from kt_cp.proof.cuts import cut_squares
from kt_cp.proof.symmetric_tours import no_symmetric_tour
from kt_cp.tour.rules import FEWEST_CLOSED

Reason = Callable[[Instance], str | None]


def refute(
    instance: Instance, clock: Clock | None = None, reasons: Sequence[Reason] | None = None
) -> str | None:
    """Return one sentence that proves there is no tour, or None when no known reason applies.

    Looks for all `REASONS` unless told which. On a huge board it stops when the clock's limit is
    reached.

    >>> refute(Instance(Board(4, 8), closed=True))
    "Schwenk's theorem (1991): no closed tour, as one side is 1, 2 or 4"
    >>> refute(Instance(Board(9, 9), start=1))
    'moves alternate between 41 dark and 40 light squares, so an open tour starts and ends on \
dark; b9 is light'
    >>> refute(Instance(Board(8, 8), closed=True)) is None
    True
    """
    for reason in REASONS if reasons is None else reasons:
        if clock and clock.remaining == 0:
            return None
        if sentence := reason(instance):
            return sentence
    return None


def too_small(instance: Instance) -> str | None:
    """A closed tour has at least three squares: there and back is none."""
    count = len(instance.board)
    if instance.closed and count < FEWEST_CLOSED:
        return f"a closed tour has at least {FEWEST_CLOSED} squares; the board has {count}"
    return None


def contradiction(instance: Instance) -> str | None:
    """Find constraints that exclude one another, whatever the rest of the board looks like."""
    board = instance.board
    for move in instance.require:
        if instance.forbidden_arcs.issuperset(move.arcs()):
            return f"the move {move.describe(board)} is both required and forbidden"
    one_way = {move[:2] for move in instance.require if move.directed}
    for source, target in one_way:
        if (target, source) in one_way:
            names = f"{chess_name(board, source)} and {chess_name(board, target)}"
            return f"the required moves go back and forth between {names}"
    for verb, place, end in (("leave", 0, instance.end), ("enter", 1, instance.start)):
        for square, count in Counter(arc[place] for arc in one_way).items():
            if count > 1:
                return f"the required moves {verb} {chess_name(board, square)} more than once"
            if square == end and not instance.closed:
                role = "end" if verb == "leave" else "start"
                return (
                    f"the required moves {verb} {chess_name(board, square)}, the {role} of the tour"
                )
    return None


def colours(instance: Instance) -> str | None:
    """Count the colours, which the moves of a knight alternate and those of a camel keep."""
    board = instance.board
    dark = _count_dark(board)
    light = len(board) - dark
    if board.changes_colour is None:
        return None
    if board.changes_colour is False:
        both = f"the board has {dark} dark and {light} light squares"
        return (
            f"every {board.piece.move_name} keeps the colour, and {both}"
            if dark and light
            else None
        )
    balance = f"moves alternate between {dark} dark and {light} light squares"
    if instance.closed:
        return f"{balance}, and a closed tour needs as many of each" if dark != light else None
    if abs(dark - light) > 1:
        return f"{balance}, whose numbers may differ by 1 at most in an open tour"
    end_colours = {end: bool(board.dark(np.array([end]))[0]) for end in instance.ends}
    if dark != light:
        for end, is_dark in end_colours.items():
            if is_dark != (dark > light):
                name, colour = chess_name(board, end), _colour(is_dark)
                more = _colour(not is_dark)
                return f"{balance}, so an open tour starts and ends on {more}; {name} is {colour}"
    elif len(end_colours) == 2 and len(set(end_colours.values())) == 1:
        names = " and ".join(chess_name(board, end) for end in end_colours)
        colour = _colour(end_colours[instance.ends[0]])
        return f"{balance}, so an open tour ends on the other colour; {names} are both {colour}"
    return None


def dead_squares(instance: Instance) -> str | None:
    """Find squares with too few neighbors to be entered and left."""
    board = instance.board
    if len(board) == 1:
        return None
    degrees = _degrees(board, instance.edges)
    needed = 2 if instance.closed else 1
    few = board.squares[degrees[board.squares] < needed]
    if len(few):
        have = "no move" if degrees[few[0]] == 0 else "only one move"
        need = "a closed tour needs two" if instance.closed else "a tour needs one"
        return f"{chess_name(board, few[0])} has {have}, and {need} at every square"
    if instance.closed:
        return None
    dead_ends = board.squares[degrees[board.squares] == 1]
    others = [square for square in dead_ends.tolist() if square not in instance.ends]
    if len(others) > instance.free_ends:
        return (
            f"{chess_names(board, others)} {_have(others)} only one move and must be an end of the "
            f"tour, but {_ends_left(instance)}"
        )
    return None


def one_way_squares(instance: Instance) -> str | None:
    """Find squares that no move enters, or none leaves, as moves are forbidden one way."""
    board = instance.board
    if len(board) == 1:
        return None
    for place, known, end, verb in (
        (1, instance.start, "start", "enters"),
        (0, instance.end, "end", "leaves"),
    ):
        counts = np.bincount(instance.arcs[:, place], minlength=board.area)
        stuck = board.squares[counts[board.squares] == 0].tolist()
        if instance.closed and stuck:
            return f"no allowed move {verb} {chess_name(board, stuck[0])}"
        others = [square for square in stuck if square != known]
        if len(others) > (known is None):
            names = chess_names(board, others)
            return f"no allowed move {verb} {names}, and a tour has only one {end}"
    return None


def pieces(instance: Instance) -> str | None:
    """See whether the moves connect the whole board."""
    board = instance.board
    labels = np.unique(component_labels(board.area, instance.edges)[board.squares])
    if len(labels) == 1:
        return None
    here, there = (chess_name(board, square) for square in labels[:2])
    return f"the moves leave the board in {len(labels)} pieces: no way from {here} to {there}"


def schwenk(instance: Instance) -> str | None:
    """Schwenk's theorem on closed tours of full rectangles.

    A. J. Schwenk, Which Rectangular Chessboards Have a Knight's Tour?, Mathematics Magazine 64
    (1991): m x n, m ≤ n, has one unless m and n are odd; m is 1, 2 or 4; or m is 3 and n is 4, 6
    or 8.
    """
    short, long = sorted((instance.board.rows, instance.board.columns))
    if not instance.closed or instance.board != Board(instance.board.rows, instance.board.columns):
        return None
    if short % 2 and long % 2:
        case = "both sides are odd"
    elif short in (1, 2, 4):
        case = "one side is 1, 2 or 4"
    elif short == 3 and long in (4, 6, 8):
        case = "one side is 3 and the other 4, 6 or 8"
    else:
        return None
    return f"Schwenk's theorem (1991): no closed tour, as {case}"


def misplaced_steps(instance: Instance) -> str | None:
    """Find two given steps that no walk of the right length joins."""
    board, steps = instance.board, list(instance.steps.items())
    if not needs_steps(instance) or len(board) > MAX_SQUARES:
        return None
    reached = reachable_forward(instance)
    for (before, here), (step, there) in itertools.pairwise(
        [*steps, *(steps[:1] if instance.closed else [])]
    ):
        if not reached[step - 1, np.searchsorted(board.squares, there)]:
            moves = (step - before) % len(board)
            names = f"{chess_name(board, here)} to {chess_name(board, there)}"
            return f"steps {before} and {step}: no walk of {counted(moves, 'move')} from {names}"
    return None


def forced_moves(instance: Instance) -> str | None:
    """Follow the moves that must be used: too many at a square, or a circle closed too early.

    A square that is not an end and has just two neighbors uses both of its moves; required moves
    are used anyway. Where an end is still free, only the required moves are forced.
    """
    board, edges = instance.board, instance.edges
    room = np.full(board.area, 2)
    room[list(instance.ends)] = 1
    wanted = {tuple(sorted(move[:2])) for move in instance.require}
    used = np.zeros(len(edges), dtype=np.bool_)
    for low, high in wanted:
        used |= (edges == (low, high)).all(axis=1)
    if instance.free_ends == 0:
        tight = _degrees(board, edges) == room
        used |= tight[edges].any(axis=1)
    forced = edges[used]
    crowded = np.flatnonzero(_degrees(board, forced) > room)
    if len(crowded):
        square = int(crowded[0])
        others = forced[(forced == square).any(axis=1)].ravel()
        names = chess_names(board, others[others != square].tolist())
        allowed = "one move, as an end of the tour" if room[square] == 1 else "two moves"
        return f"{chess_name(board, square)} is forced to move to {names}, but has only {allowed}"
    links = forced.tolist()
    if len(instance.ends) == 2:
        links.append(list(instance.ends))
    circle = short_circle(links, len(board))
    if circle:
        names = chess_names(board, circle)
        return f"forced moves at {names} close a circle before every square is visited"
    return None


REASONS: tuple[Reason, ...] = (
    too_small,
    contradiction,
    colours,
    dead_squares,
    one_way_squares,
    pieces,
    schwenk,
    no_symmetric_tour,
    misplaced_steps,
    forced_moves,
    cut_squares,
)

# All that is to be said of full rectangles with sides from 6 on, in no time on any board.
SHORT_REASONS: tuple[Reason, ...] = (too_small, colours, schwenk)


def _degrees(board: Board, edges: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.bincount(edges.ravel(), minlength=board.area)


def _count_dark(board: Board) -> int:
    if not board.holes:
        return (board.area + 1) // 2  # a1 is dark
    return int(np.count_nonzero(board.dark(board.squares)))


def _ends_left(instance: Instance) -> str:
    if instance.free_ends == 2:
        return "an open tour has only two ends"
    if instance.free_ends == 1:
        return f"only one end is left beside {chess_name(instance.board, instance.ends[0])}"
    names = " and ".join(chess_name(instance.board, end) for end in instance.ends)
    return f"the ends are {names}"


def _have(squares: list[int]) -> str:
    return "has" if len(squares) == 1 else "have"


def _colour(is_dark: bool) -> str:
    return "dark" if is_dark else "light"
