"""Constraints on a tour: moves, bounds, and the keyword arguments."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import numpy as np

from kt_cp.board import Piece, Symmetry, Topology
from kt_cp.board.maps import SquareLike, StepBySquare
from kt_cp.graph import Graph
from kt_cp.messages import InputError, as_items, not_a
from kt_cp.tour.features import feature_named
from kt_cp.tour.tour import Tour

Edge = tuple[int, int]
"""A move in either direction: two ids, the lower first."""


class Move(NamedTuple):
    """A move between two squares; unless ``directed``, in either direction."""

    source: int
    target: int
    directed: bool = False

    @classmethod
    def of(cls, graph: Graph, given: MoveLike, role: str = "move") -> Move:
        """Return a move given as ``a1-b3`` (either direction), ``a1>b3`` (that one) or two squares.

        The ends of a `Move` are ids. Raises `InputError`, with a message that begins with the
        ``role``, if the graph has no such move.

        >>> from kt_cp import Board
        >>> Move.of(Board(8, 8), "a8>b6")
        Move(source=0, target=17, directed=True)
        """
        subject = f"{role} {given!r}"
        ends: Sequence[Any] = ()
        directed = False
        if isinstance(given, Move):
            *ends, directed = given
        elif isinstance(given, str):
            ends, directed = _split_at_sign(graph, given)
        elif isinstance(given, tuple | list | np.ndarray):
            ends = given
        if len(ends) != 2:
            raise InputError(f"{subject}: give a1-b3 (either direction) or a1>b3 (that direction)")
        has_ids = isinstance(given, Move) and all(type(end) is int and end in graph for end in ends)
        if not has_ids:
            ends = [graph.vertex(end, subject) for end in ends]
        move = cls(ends[0], ends[1], directed)
        if not move.is_on(graph):
            raise InputError(f"{subject}: {not_a(move.describe(graph), graph.move_name)}")
        return move

    def arcs(self) -> tuple[tuple[int, int], ...]:
        """Return the arcs of the move: one if it is directed, two otherwise."""
        forth, back = (self.source, self.target), (self.target, self.source)
        return (forth,) if self.directed else (forth, back)

    def is_on(self, graph: Graph) -> bool:
        """Return whether the graph has the move, in one direction at least if it is undirected."""
        has_ends = self.source in graph and self.target in graph
        return has_ends and any(there in graph.neighbors(here) for here, there in self.arcs())

    @property
    def sign(self) -> str:
        """The sign between the ends as users write it: ``>`` if the move is directed, or ``-``."""
        return ">" if self.directed else "-"

    def describe(self, graph: Graph) -> str:
        """Return the move as users write it: ``a1-b3``, or ``a1>b3`` if it is directed."""
        return f"{graph.name(self.source)}{self.sign}{graph.name(self.target)}"


# A move as users write it: "a1-c2", "a1>c2" (in that direction), a pair of squares, or a `Move`.
MoveLike = str | Sequence[SquareLike] | Move


def moves_of(graph: Graph, given: Iterable[MoveLike], role: str) -> tuple[Move, ...]:
    """Return moves, given as to `Move.of`, without repetitions.

    A single string is read as one move.
    """
    moves = as_items(f"{role}s", given, "a1-c2")
    return tuple(dict.fromkeys(Move.of(graph, move, role) for move in moves))


def _split_at_sign(graph: Graph, move: str) -> tuple[list[str], bool]:
    """Return both ends of a move written as text, and whether it has a direction.

    Names may contain the signs ``-`` and ``>`` too. The ends are empty unless exactly one sign
    separates two names of the graph.
    """
    places = [place for place, sign in enumerate(move) if sign in "->"]
    splits = [([move[:place], move[place + 1 :]], move[place] == ">") for place in places]
    if len(splits) > 1:
        splits = [split for split in splits if all(map(graph.has_name, split[0]))]
    if len(splits) != 1:
        return [], False
    return splits[0]


# A function that takes a `kt_cp.model.custom.CustomModel`, and adds constraints to it.
CustomConstraint = Callable[[Any], Any]

_MAX_VALUE = 10**9 - 1  # of a bound: nine digits; CP-SAT takes 64 bits

_HOLDS = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}


@dataclass(frozen=True)
class Bound:
    """A bound on a feature of a tour, such as at most 32 turns.

    The ``relation`` is <=, >= or =. Raises `InputError` for any other, and for a ``value`` that is
    not an int of at most nine digits.
    """

    feature: str
    relation: str
    value: int

    def __post_init__(self) -> None:
        if self.relation not in _HOLDS:
            raise InputError(f"relation {self.relation!r} of a bound: give <=, >= or =")
        if type(self.value) is not int or abs(self.value) > _MAX_VALUE:
            raise InputError(
                f"value {self.value!r} of a bound: give a whole number up to {_MAX_VALUE:,}"
            )

    @classmethod
    def of(cls, graph: Graph, given: str | Bound) -> Bound:
        """Return a bound, which may be given as text such as ``turns<=32``.

        Raises `InputError` for other text, and for a feature that is not defined on the graph.

        >>> from kt_cp import Board
        >>> Bound.of(Board(8, 8), "slope+1/2>=3")
        Bound(feature='slope+1/2', relation='>=', value=3)
        """
        if not isinstance(given, Bound):
            parts = re.fullmatch(r"(.+?)\s*(<=|>=|=)\s*(\d{1,9})", str(given).strip())
            if parts is None:
                raise InputError(
                    f"having {given!r}: give FEATURE<=N, FEATURE>=N or FEATURE=N, such as "
                    f"turns<=32, with a whole N up to {_MAX_VALUE:,}"
                )
            given = cls(parts[1], parts[2], int(parts[3]))
        feature_named(given.feature).check(graph)
        return given

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """The least and the greatest value that meet the bound, None for no limit."""
        low = None if self.relation == "<=" else self.value
        high = None if self.relation == ">=" else self.value
        return low, high

    def holds(self, tour: Tour) -> bool:
        """Return whether a tour meets the bound."""
        return self.allows(feature_named(self.feature).count(tour))

    def allows(self, value: int) -> bool:
        """Return whether a value of the feature meets the bound."""
        return bool(_HOLDS[self.relation](value, self.value))

    def __str__(self) -> str:
        return f"{self.feature}{self.relation}{self.value}"


SHORTHANDS: Mapping[str, str] = {"uncrossed": "crossings<=0", "induced": "chords<=0"}
"""The bounds that have a keyword of their own, by that keyword."""


class Constraints(TypedDict, total=False):
    """Constraints on a tour: keyword arguments of `Instance.of` and of the functions that solve.

    - ``closed``: a cycle instead of a path.
    - ``start``, ``end``: the first and the last square; a closed tour has no end. ``source`` and
      ``target`` mean the same.
    - ``require``, ``forbid``: moves that the tour uses or does not use.
    - ``symmetry``: a symmetry of the board that maps the tour to itself.
    - ``givens``: the steps, from 1, of some squares, by square.
    - ``order``: squares that are visited in this order; a closed tour begins at the first of them
      unless it has a start.
    - ``having``: bounds on features, such as ``turns<=32`` or ``crossings=20``.
    - ``uncrossed``: no two moves cross.
    - ``induced``: no move joins two squares of the tour except the moves of the tour.
    - ``constrain``: one or several functions that add custom constraints to the model (see
      `kt_cp.model.custom.CustomModel`); a closed tour and its reverse then count as two.
    - ``piece``, ``topology``: those of a board that is given as text.

    Squares are ids, chess names or (row, column) pairs; moves are pairs of squares or are written
    ``a1-c2`` (either direction) or ``a1>c2`` (that direction).
    """

    closed: bool
    start: SquareLike | None
    end: SquareLike | None
    source: SquareLike | None
    target: SquareLike | None
    require: Iterable[MoveLike]
    forbid: Iterable[MoveLike]
    symmetry: Symmetry | str | None
    givens: StepBySquare
    order: Iterable[SquareLike] | None
    having: Iterable[str | Bound]
    uncrossed: bool
    induced: bool
    constrain: CustomConstraint | Iterable[CustomConstraint] | None
    piece: Piece | str | None
    topology: Topology | str | None
