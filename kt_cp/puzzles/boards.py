"""Random boards, each with a tour as proof."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random
from typing import NamedTuple, Unpack

import numpy as np

from kt_cp.arrays import Mask
from kt_cp.board import Board
from kt_cp.board.symmetry import Symmetry, images_under
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import InputError, checked_number, pluralize
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, Clock
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.solving import Result, solve
from kt_cp.tour.validator import FEWEST_CLOSED
from kt_dfs import Status

_MAX_TRIES = 300  # choices of holes
_SECONDS_PER_TRY = 10.0  # for finding a tour on a board with one of them


def random_board(
    board: Board | str | int,
    columns: int | None = None,
    holes: int = 0,
    *,
    symmetric: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
    **constraints: Unpack[Constraints],
) -> Board | None:
    """Return a board with random holes that has a tour, or None if none was found.

    The holes are added to a `Board`, or to one given as text, such as ``"8x8"``. For a full
    rectangle, ``board`` may also be the number of its rows. The tour meets the constraints, which
    are those of `solve`; no square that they name becomes a hole. With ``symmetric`` a half-turn
    maps the holes onto themselves. The same seed gives the same board, unless the ``time_limit`` in
    seconds is reached. Raises `InputError` if too few squares would be left for a tour, or if no
    symmetric pattern has this number of holes.

    >>> from kt_cp import solve
    >>> board = random_board("7x7", holes=5, closed=True, symmetric=True, seed=1)
    >>> len(board.holes), 24 in board.holes, bool(solve(board, closed=True))
    (5, True, True)
    """
    if columns is not None:
        board = f"{board}x{columns}"
    elif isinstance(board, int):
        raise InputError(f"random board of {board} rows: give the columns, too, or text: '8x8'")
    instance = Instance.of(board, **constraints)
    result = solve_with_random_holes(
        instance, holes, symmetric=symmetric, seed=seed, time_limit=time_limit
    )
    return result.instance.board if result else None


def solve_with_random_holes(
    instance: Instance,
    holes: int,
    *,
    symmetric: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
) -> Result:
    """Return the result of `solve` for a board to which random holes are added.

    The arguments are those of `random_board`. Without holes to be added, it is the result for the
    board itself. Otherwise, a result without a tour has the reason why no pattern of holes that has
    a tour was found.
    """
    clock = Clock(time_limit)
    checked_number("seed", seed, 0, MAX_SEED)
    named = _squares_named_by(instance)
    _check_room(instance, holes, named)
    if not holes:
        return solve(instance, seed=seed, time_limit=time_limit)
    orbits = _orbits(instance, symmetric, named)
    _check_divisible(instance.board, holes, orbits)
    random = Random(seed)
    tries = 0
    while tries < _MAX_TRIES:
        seconds = min(_SECONDS_PER_TRY, clock.remaining)
        if not seconds:
            break
        tries += 1
        chosen = _random_holes(instance, orbits, holes, random)
        if chosen is not None:
            with_holes = replace(instance, graph=_with_holes(instance.board, chosen))
            result = solve(with_holes, seed=seed, time_limit=seconds)
            if result:
                return result
    return _not_found(instance, holes, tries, clock)


def _squares_named_by(instance: Instance) -> set[int]:
    """Return the squares that the constraints name."""
    named = set(instance.steps.values())
    for move in (*instance.require, *instance.forbid):
        named |= {move.source, move.target}
    return named


def _check_room(instance: Instance, holes: int, named: set[int]) -> None:
    """Raise `InputError` if this number of holes leaves too few squares for a tour."""
    board = instance.board
    fewest = max(FEWEST_CLOSED if instance.closed else 1, len(named))
    most = len(board) - fewest
    if not 0 <= holes <= most:
        raise InputError(f"{pluralize(holes, 'hole')}: {board.title} has room for 0 to {most}")


def _check_divisible(board: Board, holes: int, orbits: list[list[int]]) -> None:
    """Raise `InputError` if no choice of whole orbits has this number of squares."""
    divisor = math.gcd(*map(len, orbits))
    if divisor > 1 and holes % divisor:
        raise InputError(
            f"{pluralize(holes, 'hole')}: holes that are symmetric come {divisor} at a time on "
            f"{board.title}; give a multiple of {divisor}"
        )


def _with_holes(board: Board, holes: set[int]) -> Board:
    """Return the board with further holes."""
    return Board(board.rows, board.columns, (*board.holes, *holes), board.piece, board.topology)


def _not_found(instance: Instance, holes: int, tries: int, clock: Clock) -> Result:
    """Return the result that no pattern of holes was found: proven impossible, or unknown."""
    board = instance.board
    squares = len(board) - holes
    if instance.closed and board.sides is not None and squares % 2 == 1:
        text = f"a closed tour visits as many dark as light squares, and {squares} is an odd number"
        return _no_board(instance, ReasonKind.COLORS, text, clock)
    text = (
        f"none of {tries} patterns of {pluralize(holes, 'hole')} leaves squares with a tour "
        "that meets the constraints; try fewer holes"
    )
    if not clock.remaining:
        text = f"the time limit of {clock.limit:g} s was reached: {text}"
        return _no_board(instance, ReasonKind.TIME_LIMIT, text, clock)
    return _no_board(instance, ReasonKind.GAVE_UP, text, clock)


def _no_board(instance: Instance, kind: ReasonKind, text: str, clock: Clock) -> Result:
    """Return the result without a tour: impossible for a reason of colors, or else unknown."""
    status = Status.IMPOSSIBLE if kind is ReasonKind.COLORS else Status.UNKNOWN
    reason = Reason(kind, instance.board, text)
    return Result(instance, status, None, reason, "auto", clock.seconds)


def _orbits(instance: Instance, symmetric: bool, named: set[int]) -> list[list[int]]:
    """Return the sets of squares that become holes together.

    They are the orbits of squares under the symmetries asked for: of the holes, and of the tour.
    Orbits that contain a hole of the board or a ``named`` square are left out.
    """
    board = instance.board
    symmetries = [Symmetry.HALF_TURN] if symmetric else []
    if instance.symmetry is not None:
        symmetries.append(instance.symmetry)
    squares = np.arange(board.area)
    links = [np.empty((0, 2), dtype=np.int32)]  # each square and its image
    for symmetry in symmetries:
        links.append(np.stack([squares, images_under(board, symmetry)], axis=1))
    labels = component_labels(board.area, np.concatenate(links))
    orbits: dict[int, list[int]] = {}
    for square, label in enumerate(labels.tolist()):
        orbits.setdefault(label, []).append(square)
    fixed = named.union(board.holes)
    return [orbit for orbit in orbits.values() if fixed.isdisjoint(orbit)]


class _Colors(NamedTuple):
    """Which squares of a board are dark, and how many dark and light holes are wanted.

    Where the squares of the board have no two colors, all count as light.
    """

    is_dark: Mask
    dark_holes: int
    light_holes: int


def _choose_colors(instance: Instance, holes: int, random: Random) -> _Colors | None:
    """Draw the excess of dark over light squares; return how many holes of each color leave it.

    The excess is 0 for a closed tour, and otherwise -1, 0 or 1. Returns None if no holes leave it.
    """
    board = instance.board
    if board.sides is None:
        return _Colors(np.zeros(board.area, dtype=np.bool_), 0, holes)
    is_dark = board.dark(np.arange(board.area))
    dark_squares = int(is_dark[board.squares].sum())
    light_squares = len(board) - dark_squares
    excess = 0 if instance.closed else random.choice([-1, 0, 1])
    # dark_holes - light_holes = dark_squares - light_squares - excess, and their sum is ``holes``.
    dark_holes, remainder = divmod(holes + dark_squares - light_squares - excess, 2)
    return None if remainder else _Colors(is_dark, dark_holes, holes - dark_holes)


def _random_holes(
    instance: Instance, orbits: list[list[int]], holes: int, random: Random
) -> set[int] | None:
    """Return random holes that leave every square enough moves, and the colors balanced.

    Orbits are taken greedily in a random order; None means that this order does not lead to this
    number of holes.
    """
    board = instance.board
    colors = _choose_colors(instance, holes, random)
    if colors is None:
        return None
    chooser = _HoleChooser(board, holes, colors)
    for orbit in random.sample(orbits, len(orbits)):
        chooser.try_add(orbit)
    return chooser.holes if len(chooser.holes) == holes else None


class _HoleChooser:
    """Chooses holes, which are added to a board one orbit after the other.

    At most ``count`` of them are added, of the numbers of each color in ``colors``.
    """

    def __init__(self, board: Board, count: int, colors: _Colors) -> None:
        self._board = board
        self._is_dark, self._dark_left, self._light_left = colors
        self._degrees = {square: len(board.neighbors(square)) for square in board.squares.tolist()}
        self._min_degree = _enough_moves(self._degrees, squares_left=len(board) - count)
        self.holes: set[int] = set()

    def try_add(self, orbit: list[int]) -> None:
        """Make the squares of an orbit holes if colors are left and other squares keep moves."""
        dark = int(self._is_dark[orbit].sum())
        light = len(orbit) - dark
        if dark > self._dark_left or light > self._light_left:
            return
        lost_moves = Counter(near for square in orbit for near in self._board.neighbors(square))
        affected = lost_moves.keys() - self.holes.union(orbit)
        degrees = {square: self._degrees[square] - lost_moves[square] for square in affected}
        if all(degree >= self._min_degree for degree in degrees.values()):
            self._degrees |= degrees
            self.holes.update(orbit)
            self._dark_left -= dark
            self._light_left -= light


def _enough_moves(degrees: dict[int, int], squares_left: int) -> int:
    """Return the number of moves that every square must keep.

    It is 2, or fewer if some square of the board has fewer or if at most four squares are left.
    """
    if squares_left <= 2:
        return 0
    if squares_left <= 4:
        return min(1, *degrees.values())
    return min(2, *degrees.values())
