"""Constraints and objectives: moves, bounds, keyword arguments, and the notes of a map."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict, cast

import numpy as np

from kt_cp.board import Board, Topology
from kt_cp.board.board import SquareLike, StepBySquare
from kt_cp.board.piece import Piece
from kt_cp.board.symmetry import Symmetry
from kt_cp.errors import InputError, is_not, listed
from kt_cp.graph import Graph
from kt_cp.tour.feature_table import feature_named
from kt_cp.tour.tour import Tour

# Adds custom constraints to a `kt_cp.model.custom.CustomModel`, or returns a custom objective.
CustomConstraint = Callable[[Any], Any]
OwnFunction = CustomConstraint  # its former name

_MOST = 10**9 - 1  # what the expression that reads a bound can hold

_HOLDS = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}


class Sense(StrEnum):
    """Whether the least or the most is wanted."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"


@dataclass(frozen=True)
class Objective:
    """The feature whose least or most is wanted: its name, or a custom function."""

    feature: str | CustomConstraint
    sense: Sense

    def check(self, graph: Graph) -> None:
        """Raise `InputError` for an unknown feature, or a board on which it is not defined."""
        if not callable(self.feature):
            feature_named(self.feature).check(graph)

    @property
    def name(self) -> str:
        """The name of the feature, or of the function."""
        if not callable(self.feature):
            return self.feature
        name = getattr(self.feature, "__name__", "<lambda>")
        return "own objective" if name == "<lambda>" else str(name)


class Improvement(NamedTuple):
    """A tour better than those before: when it was found, its value, and the bound by then."""

    seconds: float
    value: float
    bound: float | None


@dataclass(frozen=True)
class Optimum:
    """The value of the best tour found, the proven bound on all, and how the value improved."""

    feature: str
    sense: Sense
    value: float
    bound: float | None
    optimal: bool
    trace: tuple[Improvement, ...] = ()

    @property
    def summary(self) -> str:
        """A few words, such as ``turns 32, optimal``."""
        if self.optimal:
            return f"{self.feature} {self.value}, optimal"
        proven = "nothing is proven" if self.bound is None else f"the proven bound is {self.bound}"
        return f"{self.feature} {self.value}, {proven}"

    def as_dict(self) -> dict[str, object]:
        """Return plain values."""
        trace = [each._asdict() for each in self.trace]
        return {**vars(self), "sense": self.sense.value, "trace": trace}


@dataclass(frozen=True)
class Bound:
    """A bound on a feature of a tour, such as at most 32 turns; ``relation`` is <=, >= or =."""

    feature: str
    relation: str
    value: int

    @classmethod
    def parse(cls, graph: Graph, given: str | Bound) -> Bound:
        """Read a bound. Raises `InputError` for others, and where the feature is not defined.

        >>> Bound.parse(Board(8, 8), "slope+1/2>=3")
        Bound(feature='slope+1/2', relation='>=', value=3)
        """
        if not isinstance(given, Bound):
            parts = re.fullmatch(r"(.+?)\s*(<=|>=|=)\s*(\d{1,9})", str(given).strip())
            if parts is None:
                wanted = "FEATURE<=N, FEATURE>=N or FEATURE=N, such as turns<=32, with a whole N"
                raise InputError(f"having {given!r}: give {wanted} up to {_MOST:,}")
            given = cls(parts[1], parts[2], int(parts[3]))
        feature_named(given.feature).check(graph)
        return given

    def holds(self, tour: Tour) -> bool:
        """Return whether a tour meets the bound."""
        return bool(_HOLDS[self.relation](feature_named(self.feature).count(tour), self.value))

    def __str__(self) -> str:
        return f"{self.feature}{self.relation}{self.value}"


class Move(NamedTuple):
    """A move between two squares; unless ``directed``, in either direction."""

    source: int
    target: int
    directed: bool = False

    def arcs(self) -> tuple[tuple[int, int], ...]:
        """Return the arcs that are this move: one if it is directed, both otherwise."""
        forth, back = (self.source, self.target), (self.target, self.source)
        return (forth,) if self.directed else (forth, back)

    def is_on(self, graph: Graph) -> bool:
        """Return whether it is a move of the graph, in one direction at least if in either."""
        known = self.source in graph and self.target in graph
        return known and any(there in graph.neighbors(here) for here, there in self.arcs())

    def describe(self, graph: Graph) -> str:
        """Return the move as it is typed: ``a1-b3``, or ``a1>b3`` if it is directed."""
        sign = ">" if self.directed else "-"
        return f"{graph.name(self.source)}{sign}{graph.name(self.target)}"


# A move as users write it: "a1-c2", "a1>c2" (in that direction), a pair of squares, or a `Move`.
MoveLike = str | Sequence[SquareLike] | Move


def parse_move(graph: Graph, move: MoveLike, role: str = "move") -> Move:
    """Return a move given as ``a1-b3`` (either direction), ``a1>b3`` (that one) or two squares.

    Raises `InputError`, which begins with the ``role``, where the board or graph has no such move.

    >>> parse_move(Board(8, 8), "a8>b6")
    Move(source=0, target=17, directed=True)
    """
    place, directed = f"{role} {move!r}", isinstance(move, Move) and move.directed
    ends: Sequence[Any] = ()
    if isinstance(move, str):
        ends, directed = _typed_ends(graph, move)
    elif isinstance(move, tuple | list | np.ndarray):
        ends = move[:2] if isinstance(move, Move) else move
    if len(ends) != 2:
        raise InputError(f"{place}: give a1-b3 (either direction) or a1>b3 (that direction)")
    if not (isinstance(move, Move) and all(type(end) is int and end in graph for end in ends)):
        ends = [graph.vertex(end, place) for end in ends]
    checked = Move(ends[0], ends[1], directed)
    if not checked.is_on(graph):
        raise InputError(f"{place}: {is_not(checked.describe(graph), graph.move_name)}")
    return checked


def read_moves(graph: Graph, moves: Iterable[MoveLike], role: str) -> tuple[Move, ...]:
    """Return moves that are given as `parse_move` takes them, each once."""
    given = listed(f"{role}s", moves, "a1-c2")
    return tuple(dict.fromkeys(parse_move(graph, move, role) for move in given))


def _typed_ends(graph: Graph, move: str) -> tuple[list[str], bool]:
    """Return both ends as text, and whether the move has a direction; names may hold signs too."""
    places = [place for place, sign in enumerate(move) if sign in "->"]
    ways = [([move[:place], move[place + 1 :]], move[place] == ">") for place in places]
    if len(ways) > 1:
        ways = [way for way in ways if all(map(graph.has_name, way[0]))]
    return ways[0] if len(ways) == 1 else ([], False)


class Constraints(TypedDict, total=False):
    """Constraints on a tour: keyword arguments of `Instance.of` and of the functions that solve.

    ``closed``: a cycle instead of a path. ``start``, ``end``: the first and the last square; a
    closed tour has no end. ``require``, ``forbid``: moves that the tour uses or does not use.
    ``symmetry``: one that maps the tour onto itself. ``givens``: the steps, from 1, of some
    squares, by square. ``having``: bounds on features, such as ``turns<=32`` or ``crossings=20``.
    ``constrain``: a function that adds custom constraints to the model (see
    `kt_cp.model.custom.CustomModel`); a closed tour and its reverse count as two then. ``piece``,
    ``topology``: those of a board that is given as text.

    Squares are ids, chess names or (row, column) pairs; moves are pairs of squares or are written
    ``a1-c2`` (either direction) or ``a1>c2`` (that direction).
    """

    closed: bool
    start: SquareLike | None
    end: SquareLike | None
    require: Iterable[MoveLike]
    forbid: Iterable[MoveLike]
    symmetry: Symmetry | str | None
    givens: StepBySquare
    having: Iterable[str | Bound]
    constrain: CustomConstraint | None
    piece: Piece | str | None
    topology: Topology | str | None


def read_text(text: str, constraints: Constraints) -> tuple[Board, Constraints, dict[str, str]]:
    """Return the board of a size or map, its constraints and those given, and the map's notes.

    Raises `InputError` where the constraints contradict each other.
    """
    both: dict[str, Any] = {**constraints}
    board, shown = Board.read(text, both.pop("piece", None), both.pop("topology", None))
    notes = shown.notes
    if (kind := notes.get("kind", "open")) not in ("open", "closed"):
        raise InputError(f"kind {kind!r} in the map: give open or closed")
    if kind == "closed":
        both["closed"] = True
    elif "kind" in notes and both.get("closed"):
        raise InputError("the map says that the tour is open: leave out closed, or that line")
    for name in sorted({"start", "end", "symmetry"} & notes.keys()):
        told, asked = notes[name], both.get(name)
        if name != "symmetry":
            told = board.name(board.vertex(told, f"{name} in the map"))
            asked = None if asked is None else board.name(board.vertex(asked, name))
        if asked not in (None, told):
            raise InputError(f"the map has another {name}: {told}")
        both[name] = told
    for name in {"require", "forbid", "having"} & notes.keys():
        both[name] = [*notes[name].split(), *listed(name, both.get(name, ()), "a1-c2")]
    if shown.givens:
        asked = both.get("givens", {})
        steps = {board.vertex(square, f"step {step}"): step for square, step in asked.items()}
        for square, step in shown.givens.items():
            if steps.setdefault(square, step) != step:
                place = f"are given on {board.name(square)}"
                raise InputError(f"steps {step} and {steps[square]} {place}")
        both["givens"] = steps
    return board, cast(Constraints, both), notes
