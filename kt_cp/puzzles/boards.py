"""Random boards, each with a tour as proof, and random tours of a board."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Unpack

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board, Symmetry
from kt_cp.board.pieces import images_under
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import InputError, checked_number, pluralize
from kt_cp.methods.result import Result
from kt_cp.methods.rotations import random_walk_tour
from kt_cp.problem.constraints import Constraints, Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, Clock, OutOfTimeError
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_cp.solving import solve
from kt_cp.tour.validator import FEWEST_CLOSED
from kt_dfs import Status

_MAX_TRIES = 300  # choices of holes
_SECONDS_PER_TRY = 10.0  # for finding a tour on a board with one of them

# The number of moves that are excluded, one after the other, from a tour that a solver found.
_EXCLUDED_MOVES = 8


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
    board = instance.board
    checked_number("seed", seed, 0, MAX_SEED)
    constrained_squares = set(instance.steps.values())
    for move in (*instance.require, *instance.forbid):
        constrained_squares |= {move.source, move.target}
    fewest_squares = FEWEST_CLOSED if instance.closed else 1
    room = len(board) - max(fewest_squares, len(constrained_squares))
    if not 0 <= holes <= room:
        raise InputError(f"{pluralize(holes, 'hole')}: {board.title} has room for 0 to {room}")
    if not holes:
        return solve(instance, seed=seed, time_limit=time_limit)
    orbits = _free_orbits(instance, symmetric, constrained_squares)
    divisor = math.gcd(*map(len, orbits))
    if divisor > 1 and holes % divisor:
        raise InputError(
            f"{pluralize(holes, 'hole')}: holes that are symmetric come {divisor} at a time on "
            f"{board.title}; give a multiple of {divisor}"
        )

    def without_tour(status: Status, kind: ReasonKind, text: str) -> Result:
        return Result(
            instance=instance,
            status=status,
            tour=None,
            explanation=Reason(kind, board, text),
            method="auto",
            seconds=clock.seconds,
        )

    squares = len(board) - holes
    random = Random(seed)
    tries = 0
    if instance.closed and board.first_part is not None and squares % 2 == 1:
        text = f"a closed tour visits as many dark as light squares, and {squares} is an odd number"
        return without_tour(Status.IMPOSSIBLE, ReasonKind.COLORS, text)
    while tries < _MAX_TRIES and (seconds := min(_SECONDS_PER_TRY, clock.remaining)):
        tries += 1
        added_holes = _random_holes(instance, orbits, holes, random)
        if added_holes is not None:
            with_holes = replace(board, holes=(*board.holes, *added_holes))
            result = solve(replace(instance, graph=with_holes), seed=seed, time_limit=seconds)
            if result:
                return result
    text = (
        f"none of {tries} patterns of {pluralize(holes, 'hole')} leaves squares with a tour "
        "that meets the constraints; try fewer holes"
    )
    if clock.remaining:
        return without_tour(Status.UNKNOWN, ReasonKind.GAVE_UP, text)
    text = f"the time limit of {clock.limit:g} s was reached: {text}"
    return without_tour(Status.UNKNOWN, ReasonKind.TIME_LIMIT, text)


def _free_orbits(instance: Instance, symmetric: bool, kept: set[int]) -> list[list[int]]:
    """Return the sets of squares that become holes together.

    They are the orbits of squares under the symmetries asked for: of the holes, and of the tour.
    Orbits that contain a hole of the board or a square to be ``kept`` are left out.
    """
    board = instance.board
    symmetries = [Symmetry.HALF_TURN] if symmetric else []
    if instance.symmetry is not None:
        symmetries.append(instance.symmetry)
    squares = np.arange(board.area)
    links = [np.empty((0, 2), dtype=np.int32)]  # two columns: each square and its image
    for symmetry in symmetries:
        links.append(np.stack([squares, images_under(board, symmetry)], axis=1))
    labels = component_labels(board.area, np.concatenate(links))
    orbits: dict[int, list[int]] = {}
    for square, label in enumerate(labels.tolist()):
        orbits.setdefault(label, []).append(square)
    fixed = kept.union(board.holes)
    return [orbit for orbit in orbits.values() if fixed.isdisjoint(orbit)]


def _random_holes(
    instance: Instance, orbits: list[list[int]], count: int, random: Random
) -> set[int] | None:
    """Return random holes that leave every square enough moves, and the colors balanced.

    The excess of dark over light squares that they leave is 0 for a closed tour, and otherwise -1,
    0 or 1, drawn at random. Every square keeps two moves, or fewer if some square of the board has
    fewer or if at most four squares are left. Orbits are taken greedily in a random order; None
    means that this order does not lead to this number of holes.
    """
    board = instance.board
    light_left, dark_left = count, 0  # the holes still to be chosen
    is_dark = np.zeros(board.area, dtype=np.bool_)
    if board.first_part is not None:
        is_dark = board.dark(np.arange(board.area))
        dark_squares = int(is_dark[board.squares].sum())
        excess = 0 if instance.closed else random.choice([-1, 0, 1])
        # dark holes - light holes = dark squares - light squares - excess
        dark_left, remainder = divmod(count + 2 * dark_squares - len(board) - excess, 2)
        if remainder:
            return None
        light_left = count - dark_left
    degrees = {square: len(board.neighbors(square)) for square in board.squares.tolist()}
    squares_left = len(board) - count
    fewest_moves = 0  # of each square
    if squares_left > 2:
        fewest_moves = 2 if squares_left > 4 else 1
    fewest_moves = min(fewest_moves, *degrees.values())
    holes: set[int] = set()
    for orbit in random.sample(orbits, len(orbits)):
        dark = int(is_dark[orbit].sum())
        light = len(orbit) - dark
        if dark > dark_left or light > light_left:
            continue
        lost_moves = Counter(near for square in orbit for near in board.neighbors(square))
        affected = lost_moves.keys() - holes.union(orbit)
        degrees_left = {square: degrees[square] - lost_moves[square] for square in affected}
        if all(degree >= fewest_moves for degree in degrees_left.values()):
            degrees |= degrees_left
            holes.update(orbit)
            light_left -= light
            dark_left -= dark
    return holes if len(holes) == count else None


# -- tours ----------------------------------------------------------------------------------------


def random_solution(instance: Instance, seed: int, clock: Clock | None = None) -> Squares | None:
    """Return a random tour that meets the constraints, as ids, or None if there is none.

    Different seeds usually give different tours, if there are several; the ends of an open tour may
    be on any squares. Raises `OutOfTimeError` when the clock's limit is reached.
    """
    clock = clock or Clock()
    tour = _solved(instance, seed, clock)
    if tour is None or len(tour) == 1:
        return tour
    random = Random(seed)
    if not instance.givens and instance.symmetry is None:
        return random_walk_tour(instance, tour, random, clock)
    for _ in range(_EXCLUDED_MOVES):
        index = random.randrange(0 if instance.closed else 1, len(tour))
        excluded = Move(int(tour[index - 1]), int(tour[index]))
        without = replace(instance, forbid=(*instance.forbid, excluded))
        try:
            other = _solved(without, seed, clock)
        except OutOfTimeError:
            break
        if other is not None:
            tour = other
            instance = without
    return tour


def _solved(instance: Instance, seed: int, clock: Clock) -> Squares | None:
    """Return a tour as ids, or None if there is none. Raises `OutOfTimeError`."""
    result = solve(instance, seed=seed, time_limit=clock.remaining_limit())
    if result.status is Status.UNKNOWN:
        raise OutOfTimeError
    return None if result.tour is None else result.tour.squares
