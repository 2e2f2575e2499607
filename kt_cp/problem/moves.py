"""Moves between two squares, in one direction or in either, and their notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from kt_cp.board.board import SquareLike
from kt_cp.graph import Graph
from kt_cp.messages import InputError, as_items, not_a


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
        shown = f"{role} {given!r}"
        ends: Sequence[Any] = ()
        directed = False
        if isinstance(given, Move):
            *ends, directed = given
        elif isinstance(given, str):
            ends, directed = _split_at_sign(graph, given)
        elif isinstance(given, tuple | list | np.ndarray):
            ends = given
        if len(ends) != 2:
            raise InputError(f"{shown}: give a1-b3 (either direction) or a1>b3 (that direction)")
        has_ids = isinstance(given, Move) and all(type(end) is int and end in graph for end in ends)
        if not has_ids:
            ends = [graph.vertex(end, shown) for end in ends]
        move = cls(ends[0], ends[1], directed)
        if not move.is_on(graph):
            raise InputError(f"{shown}: {not_a(move.describe(graph), graph.move_name)}")
        return move

    def arcs(self) -> tuple[tuple[int, int], ...]:
        """Return the arcs of the move: one if it is directed, two otherwise."""
        forth, back = (self.source, self.target), (self.target, self.source)
        return (forth,) if self.directed else (forth, back)

    def is_on(self, graph: Graph) -> bool:
        """Return whether the graph has the move, in one direction at least if it is undirected."""
        known = self.source in graph and self.target in graph
        return known and any(there in graph.neighbors(here) for here, there in self.arcs())

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
