"""Random boards, each with a tour as proof."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Unpack

import numpy as np

from kt_cp.board import Board
from kt_cp.board.symmetry import Symmetry, images_under
from kt_cp.errors import InputError, checked_number, pluralize
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_cp.solving import Result, solve
from kt_cp.tour.validator import FEWEST_CLOSED
from kt_dfs import Status

# How many patterns of holes are tried, and the seconds for finding a tour on each.
_TRIES, _SECONDS = 300, 10.0


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

    The holes are added to a `Board`, or to one given as text, such as ``"8x8"``; two numbers stand
    for its rows and columns. The tour meets the constraints, which are those of `solve`; no square
    that they name becomes a hole. With ``symmetric`` a half-turn maps the holes onto themselves.
    The same seed gives the same board, unless the ``time_limit`` in seconds is reached. Raises
    `InputError` for more holes than leave squares for a tour, and for a number that no symmetric
    pattern has.

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
    result = random_tour(instance, holes, symmetric, seed, time_limit)
    return result.instance.board if result else None


def random_tour(
    instance: Instance,
    holes: int,
    symmetric: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
) -> Result:
    """Return a tour of a board to which random holes are added, as `random_board` does.

    Without holes to be added, the result is that of the board; otherwise, no tour means that no
    pattern of holes was found, for the reason that the result has.
    """
    board, clock = instance.board, Clock(time_limit)
    checked_number("seed", seed, 0, 2**31 - 1)
    moves = (*instance.require, *instance.forbid)
    named = {*instance.steps.values(), *(square for move in moves for square in move[:2])}
    most = len(board) - max(FEWEST_CLOSED if instance.closed else 1, len(named))
    if not 0 <= holes <= most:
        raise InputError(f"{pluralize(holes, 'hole')}: {board.title} has room for 0 to {most}")
    if not holes:
        return solve(instance, seed=seed, time_limit=time_limit)
    random, parts = Random(seed), _parts(instance, symmetric, named)
    together = math.gcd(*map(len, parts))
    if together > 1 and holes % together:
        each = f"holes that are symmetric come {together} at a time on {board.title}"
        raise InputError(f"{pluralize(holes, 'hole')}: {each}; give a multiple of {together}")
    tries = 0
    while tries < _TRIES and (left := clock.remaining):
        tries += 1
        if pattern := _pattern(instance, parts, holes, random):
            more = (*board.holes, *pattern)
            tried = Board(board.rows, board.columns, more, board.piece, board.topology)
            asked = replace(instance, graph=tried)
            if result := solve(asked, seed=seed, time_limit=min(_SECONDS, left)):
                return result
    left = len(board) - holes
    if instance.closed and board.sides is not None and left % 2:
        status, kind = Status.IMPOSSIBLE, ReasonKind.COLOURS
        text = f"a closed tour visits as many dark as light squares, and {left} is an odd number"
    else:
        status, kind = Status.UNKNOWN, ReasonKind.GAVE_UP
        text = f"none of {tries} patterns of {pluralize(holes, 'hole')} leaves squares with a tour "
        text += "that meets the constraints; try fewer holes"
        if not clock.remaining:
            kind = ReasonKind.TIME_LIMIT
            text = f"the time limit of {clock.limit:g} s was reached: {text}"
    return Result(instance, status, None, Reason(kind, board, text), "auto", clock.seconds)


def _parts(instance: Instance, symmetric: bool, named: set[int]) -> list[list[int]]:
    """Return the sets of squares that are holes together, without those that constraints name."""
    board = instance.board
    ways = [Symmetry.HALF_TURN] if symmetric else []
    ways += [instance.symmetry] if instance.symmetry else []
    squares = np.arange(board.area)
    pairs = [np.stack([squares, images_under(board, way)], axis=1) for way in ways]
    labels = component_labels(board.area, np.concatenate([np.empty((0, 2), np.int32), *pairs]))
    parts: dict[int, list[int]] = {}
    for square, label in enumerate(labels.tolist()):
        parts.setdefault(label, []).append(square)
    fixed = named.union(board.holes)
    return [part for part in parts.values() if fixed.isdisjoint(part)]


def _pattern(
    instance: Instance, parts: list[list[int]], holes: int, random: Random
) -> set[int] | None:
    """Return holes that leave every square two moves, and as many dark as light squares if need be.

    Of a few squares each has one. None means that the order in which the squares were tried leads
    to no such pattern.
    """
    board = instance.board
    is_dark = np.zeros(board.area, np.bool_)
    dark_holes = 0
    if board.sides is not None:
        is_dark = board.dark(np.arange(board.area))
        dark = int(is_dark[board.squares].sum())
        excess = 0 if instance.closed else random.choice([-1, 0, 1])  # by the color of both ends
        dark_holes, odd = divmod(holes + 2 * dark - len(board) - excess, 2)
        if odd:
            return None
    room = Counter({True: dark_holes, False: holes - dark_holes})
    near = {square: len(board.neighbors(square)) for square in board.squares.tolist()}
    fewest = min(2, *near.values(), (len(board) - holes - 1) // 2)
    pattern = set[int]()
    for part in random.sample(parts, len(parts)):
        taken = Counter(is_dark[part].tolist())
        if not taken <= room:
            continue
        around = [n for square in part for n in board.neighbors(square)]
        left = {n: near[n] - around.count(n) for n in around if n not in pattern.union(part)}
        if all(each >= fewest for each in left.values()):
            near |= left
            pattern.update(part)
            room -= taken
    return pattern if len(pattern) == holes else None
