"""Clues: the given steps, required moves and squares in order of an instance, and of a tour."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from kt_cp.arrays import Squares
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.sat.positions import Given


class Waypoint(NamedTuple):
    """A square to be visited in order. Its step, by which the squares are sorted, is not shown."""

    square: int
    step: int


Clue = Given | Move | Waypoint


class ClueKind(StrEnum):
    """What a puzzle shows: steps of squares, moves, both, or squares in order without steps."""

    NUMBERS = "numbers"
    MOVES = "moves"
    BOTH = "both"
    ORDER = "order"

    @property
    def has_numbers(self) -> bool:
        """Whether steps of squares are shown."""
        return self in (ClueKind.NUMBERS, ClueKind.BOTH)

    @property
    def has_moves(self) -> bool:
        """Whether moves are shown."""
        return self in (ClueKind.MOVES, ClueKind.BOTH)


# Clues that are shown together or not at all.
ClueGroup = tuple[Clue, ...]


def clue_count(instance: Instance) -> int:
    """Return the number of squares in order if there are any, and otherwise of steps and moves."""
    if instance.order:
        return len(instance.order)
    return len(clues_of(instance))


def clues_of(instance: Instance) -> list[Given | Move]:
    """Return the clues of an instance: its known steps, and its required moves.

    >>> clues_of(Instance.of("3x4", givens={"a3": 1}, require=["a1-c2"]))
    [Given(square=0, step=1), Move(source=8, target=6, directed=False)]
    """
    steps = [Given(square, step) for step, square in instance.steps.items()]
    return [*steps, *instance.require]


def with_clues(instance: Instance, clues: Iterable[Clue]) -> Instance:
    """Return the instance with further clues.

    Squares in order are added only where the instance has no order. Raises `InputError` for steps
    that contradict each other.
    """
    steps = dict(instance.givens)
    required = list(instance.require)
    waypoints: set[Waypoint] = set()
    for clue in clues:
        if isinstance(clue, Given):
            steps[clue.square] = clue.step
        elif isinstance(clue, Waypoint):
            waypoints.add(clue)
        elif clue not in required:
            required.append(clue)
    order = instance.order
    if waypoints and not order:
        order = tuple(each.square for each in sorted(waypoints, key=lambda each: each.step))
    return replace(
        instance,
        start=instance.first,
        givens=tuple(steps.items()),
        require=tuple(required),
        order=order,
    )


def with_groups(instance: Instance, groups: Iterable[ClueGroup]) -> Instance:
    """Return the instance with the clues of groups.

    Raises `InputError` for steps that contradict each other.
    """
    return with_clues(instance, clues_in(groups))


def clues_in(groups: Iterable[ClueGroup]) -> list[Clue]:
    """Return the clues of all groups."""
    return list(itertools.chain.from_iterable(groups))


def clues_of_tour(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return the clues of a kind that hold for a tour and that the instance does not have.

    The ``tour`` holds ids in visiting order. The moves have no direction.
    """
    path = tour.tolist()
    clues: list[Clue] = []
    if kind is ClueKind.ORDER:
        clues += [Waypoint(square, step) for step, square in enumerate(path, start=1)]
    if kind.has_numbers:
        known = set(clues_of(instance))
        givens = [Given(square, step) for step, square in enumerate(path, start=1)]
        clues += [given for given in givens if given not in known]
    if kind.has_moves:
        required = {(move.source, move.target) for move in instance.require}
        if instance.closed:
            path.append(path[0])
        moves = [Move(*pair) for pair in itertools.pairwise(path)]
        clues += [move for move in moves if required.isdisjoint(move.arcs())]
    return clues


def direction_clues(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return clues each of which fixes the direction of a tour if only moves are shown.

    The list is empty where no direction need be fixed: for a puzzle that shows steps, and for a
    closed tour whose constraints do not depend on the direction.
    """
    if kind.has_numbers:
        return []
    if not instance.closed or instance.givens:
        first = [Given(square, step) for step, square in enumerate(tour[:2].tolist(), start=1)]
        return [given for given in first if given not in clues_of(instance)]
    if not instance.direction_matters:
        return []
    undirected = {
        frozenset((move.source, move.target)) for move in instance.require if not move.directed
    }
    moves = [Move(*pair, directed=True) for pair in itertools.pairwise(tour.tolist())]
    for move in moves:
        if frozenset((move.source, move.target)) not in undirected:
            return [move]
    return [moves[0]]  # all moves are shown already: direct the first one
