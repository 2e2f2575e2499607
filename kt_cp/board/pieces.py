"""Pieces and their jumps, topologies, and symmetries as arrays that hold the image of every id.

A board is annotated as `Graph` here, as ``board`` imports this file.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from kt_cp.arrays import Permutation
from kt_cp.graph import Graph
from kt_cp.messages import InputError

Jump = tuple[int, int]

# The names are those of fairy chess (Dickins, A Guide to Fairy Chess, 1971).
_NAMED: dict[str, tuple[Jump, ...]] = {
    "knight": ((1, 2),),
    "wazir": ((0, 1),),
    "ferz": ((1, 1),),
    "king": ((0, 1), (1, 1)),
    "dabbaba": ((0, 2),),
    "alfil": ((2, 2),),
    "threeleaper": ((0, 3),),
    "camel": ((1, 3),),
    "zebra": ((2, 3),),
    "giraffe": ((1, 4),),
    "antelope": ((3, 4),),
    "fiveleaper": ((0, 5), (3, 4)),
}
HORSE = "horse"

_WANTED = (
    f"give a name ({', '.join([*_NAMED, HORSE])}), a leaper such as 2,3, or several joined: 3,4+0,5"
)
_LEAPER = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})", re.ASCII)


@dataclass(frozen=True)
class Piece:
    """A piece that jumps: a knight, another leaper, or several joined.

    ``sides`` holds the two sides of each kind of jump, the smaller first, in ascending order. The
    horse is ``blockable``: a hole beside it in the direction of the long side blocks it.

    >>> Piece.parse("2,3").name, Piece.parse("3,4+0,5").name, Piece.parse("ferz+camel").name
    ('zebra', 'fiveleaper', '1,1+1,3')
    """

    sides: tuple[Jump, ...]
    blockable: bool = False

    @classmethod
    def parse(cls, text: str) -> Piece:
        """Return the piece for a name, a leaper such as ``2,3``, or several joined by ``+``.

        Raises `InputError` for anything else.
        """
        if not isinstance(text, str):
            raise InputError(f"piece {text!r}: {_WANTED}")
        if text.strip().lower() == HORSE:
            return cls(_NAMED["knight"], blockable=True)
        sides: set[Jump] = set()
        for part in text.lower().split("+"):
            leaper = _LEAPER.fullmatch(part.strip())
            if leaper and leaper.groups() != ("0", "0"):
                small, large = sorted(map(int, leaper.groups()))
                sides.add((small, large))
            elif part.strip() in _NAMED:
                sides.update(_NAMED[part.strip()])
            else:
                raise InputError(f"piece {text!r}: {_WANTED}")
        return cls(tuple(sorted(sides)))

    @property
    def name(self) -> str:
        """The usual name, or else the sides of the jumps, such as ``2,5``."""
        if self.blockable:
            return HORSE
        names = [name for name, sides in _NAMED.items() if sides == self.sides]
        return names[0] if names else "+".join(f"{a},{b}" for a, b in self.sides)

    @property
    def move_name(self) -> str:
        """The name of its move, such as ``knight's move``."""
        return f"{self.name} leap" if self.name[0].isdigit() else f"{self.name}'s move"

    @cached_property
    def jumps(self) -> tuple[Jump, ...]:
        """The jumps as (rows down, columns right); those of the knight in the textbook's order."""
        jumps = []
        for short, long in self.sides:
            for sign in (-1, 1):  # up, then down
                for vertical, horizontal in ((short, long), (long, short)):
                    jumps += [(sign * vertical, -horizontal), (sign * vertical, horizontal)]
        return tuple(dict.fromkeys(jumps))


KNIGHT = Piece(_NAMED["knight"])


class Topology(StrEnum):
    """Which edges of the board are glued together: none, left and right, or top and bottom too."""

    FLAT = "flat"
    CYLINDER = "cylinder"
    TORUS = "torus"


class Symmetry(StrEnum):
    """The symmetries that can be required of a tour: the map takes the tour to itself.

    The image may run in either direction; for the half-turn, the direction can be required too.
    """

    HALF_TURN = "half-turn"
    HALF_TURN_SAME = "half-turn-same"
    HALF_TURN_REVERSE = "half-turn-reverse"
    QUARTER_TURN = "quarter-turn"
    LEFT_RIGHT = "left-right"
    TOP_BOTTOM = "top-bottom"


def images_under(board: Graph, symmetry: Symmetry) -> Permutation:
    """Return the image of every id; for a quarter-turn the board must be square.

    >>> from kt_cp.board import Board
    >>> images_under(Board(2, 2), Symmetry.QUARTER_TURN).tolist()  # clockwise
    [1, 3, 0, 2]
    """
    name = Symmetry.HALF_TURN if symmetry.startswith(Symmetry.HALF_TURN) else symmetry
    return _grids(board)[name].ravel()


def is_symmetric(board: Graph, images: Permutation) -> bool:
    """Return whether the images preserve the holes and the moves of a board."""
    keeps_holes = np.array_equal(board.mask[images], board.mask)
    return keeps_holes and board.are_same_pairs(board.arcs, images[board.arcs])


def board_symmetries(board: Graph) -> dict[str, Permutation]:
    """Return the rotations and reflections that preserve a board by name, the identity first.

    >>> from kt_cp.board import Board
    >>> list(board_symmetries(Board(5, 6))), list(board_symmetries(Board(5, 6, [0])))
    (['identity', 'half-turn', 'left-right', 'top-bottom'], ['identity'])
    """
    if not board.has_places:
        return {"identity": np.arange(board.area, dtype=np.int32)}
    images = {name: grid.ravel() for name, grid in _grids(board).items()}
    return {name: each for name, each in images.items() if is_symmetric(board, each)}


def has_symmetry(
    board: Graph, first: int, arcs: AbstractSet[tuple[int, int]], symmetry: Symmetry
) -> bool:
    """Return whether a symmetry maps a tour to itself, given as the set of its arcs.

    ``first`` is the id of its first square, which has no arcs if it is the only one.
    """
    images = images_under(board, symmetry).tolist()
    if not arcs:
        return bool(images[first] == first)
    image = {(images[source], images[target]) for source, target in arcs}
    runs_same = image == arcs
    runs_reverse = {(target, source) for source, target in image} == arcs
    if symmetry is Symmetry.HALF_TURN_SAME:
        return runs_same
    if symmetry is Symmetry.HALF_TURN_REVERSE:
        return runs_reverse
    return runs_same or runs_reverse


def _grids(board: Graph) -> dict[str, Permutation]:
    """Return the images of all ids under each rotation and reflection, in rows and columns."""
    grid = np.arange(board.area, dtype=np.int32).reshape(board.shape)
    grids = {
        "identity": grid,
        "half-turn": grid[::-1, ::-1],
        "left-right": grid[:, ::-1],
        "top-bottom": grid[::-1],
    }
    if board.shape[0] == board.shape[1]:
        grids |= {"quarter-turn": np.rot90(grid), "quarter-turn back": np.rot90(grid, 3)}
        grids |= {"falling diagonal": grid.T, "rising diagonal": grid[::-1, ::-1].T}
    return grids
