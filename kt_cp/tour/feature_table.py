"""The features of a tour: numbers such as its turns and crossings.

A feature is stated once, as what it counts among moves: some of them by themselves, or pairs of
them. A search and a model look at just that (`counted_edges`, `counted_pairs`), and the value of a
feature on a tour follows from it. D. E. Knuth counts all closed 8x8 tours by these features in The
Art of Computer Programming, pre-fascicle 8A (December 2025).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from kt_cp.board import KNIGHT, Board, Jump, Mask, Topology, as_board
from kt_cp.board.symmetry import Ints
from kt_cp.errors import InputError, checked_kind
from kt_cp.graph import Graph
from kt_cp.tour.tour import Tour

# A knight's angles in degrees, by the scalar product of the two vectors that leave the square.
ANGLES: Mapping[int, int] = {37: 4, 53: 3, 90: 0, 127: -3, 143: -4, 180: -5}

# Knight's moves by their slopes, as (rows down, columns right); up to the right as printed is plus.
SLOPES: Mapping[str, Jump] = {
    "slope+1/2": (-1, 2),
    "slope+2": (-2, 1),
    "slope-1/2": (1, 2),
    "slope-2": (2, 1),
}

_BATCH = 1_000  # tours whose features are counted together


@dataclass(frozen=True)
class Feature:
    """A number computed from a tour on a flat board, stated as what it counts.

    That is moves of some ``slopes``, pairs of moves that meet at some ``angles``, or pairs that
    cross. If it ``counts_others``, it is the number of all other angles, or of moves in no such
    pair. Unless ``is_general`` it is defined for knights only.
    """

    name: str
    summary: str
    is_general: bool = False
    slopes: tuple[Jump, ...] = ()
    angles: tuple[int, ...] = ()
    crosses: bool = False
    counts_others: bool = False

    def meets(self, one: Jump, other: Jump) -> bool:
        """Return whether two vectors that leave a square make an angle that the feature counts."""
        if self.angles == (180,):  # of any piece
            return one == (-other[0], -other[1])
        return one[0] * other[0] + one[1] * other[1] in [ANGLES[angle] for angle in self.angles]

    def count(self, tour: Tour) -> int:
        """Return the feature of a tour."""
        return int(_Moves.of([tour]).count(self)[0])

    def check(self, board: Graph) -> None:
        """Raise `InputError` for a board or graph on which the feature is not defined."""
        board = as_board(board, f"feature {self.name}")
        if board.topology is not Topology.FLAT:
            raise InputError(f"feature {self.name}: only on a flat board, not a {board.topology}")
        if not self.is_general and board.piece != KNIGHT:
            known = ", ".join(name for name, each in FEATURES.items() if each.is_general)
            raise InputError(f"feature {self.name}: only for knights; other pieces have {known}")


@overload
def features(tour: Tour) -> dict[str, int]: ...
@overload
def features(tour: Iterable[Tour]) -> dict[str, Ints]: ...
def features(tour: Tour | Iterable[Tour]) -> dict[str, int] | dict[str, Ints]:
    """Return every feature that is defined for a tour, by name; of many tours, an array of each.

    Of several pieces these are the features that are defined for all. Raises `InputError` for a
    tour on a cylinder or a torus.

    >>> tour = Tour("3x4", [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> {name: features(tour)[name] for name in ("turns", "straight", "crossings")}
    {'turns': 10, 'straight': 0, 'crossings': 20}
    >>> features([tour, tour.reversed()])["crossings"]
    array([20, 20])
    """
    if isinstance(tour, Tour):
        return {name: int(values[0]) for name, values in features([tour]).items()}
    wanted = "a Tour, such as solve('8x8').tour"
    if isinstance(tour, str) or not isinstance(tour, Iterable):
        checked_kind(tour, Tour, wanted)
    tours = (checked_kind(each, Tour, wanted) for each in tour)
    chosen, parts = [*FEATURES.values()], []
    while batch := [*itertools.islice(tours, _BATCH)]:
        for board in {tour.board for tour in batch}:
            FEATURES["turns"].check(board)
            chosen = [each for each in chosen if each.is_general or board.piece == KNIGHT]
        moves = _Moves.of(batch)
        parts.append({feature.name: moves.count(feature) for feature in chosen})
    empty = np.empty(0, dtype=np.int64)
    return {
        feature.name: np.concatenate([empty, *(part[feature.name] for part in parts)])
        for feature in chosen
    }


def feature_named(name: str) -> Feature:
    """Return a feature by its name. Raises `InputError`, with all names, for an unknown one."""
    if name not in FEATURES:
        raise InputError(f"feature {name!r}: give one of {', '.join(FEATURES)}")
    return FEATURES[name]


def ends_of(board: Board, edges: npt.NDArray[np.integer]) -> Ints:
    """Return (row, column) of both ends of edges, given as rows of two ids."""
    return np.stack(np.divmod(edges.astype(np.int64), board.columns), axis=-1)


def angle_products(tour: Tour) -> Ints:
    """Return the scalar product of the two vectors that leave each square from the second one on.

    A closed tour has one at its first square too, which comes last.
    """
    ends = ends_of(tour.board, tour.moves)
    moves = ends[:, 1] - ends[:, 0]
    products = -np.sum(moves * np.roll(moves, -1, axis=0), axis=1)
    return np.asarray(products if tour.closed else products[:-1])


def counted_edges(ends: Ints, feature: Feature) -> Mask:
    """Return which edges a feature counts by themselves: those of its slopes."""
    counted = np.zeros(len(ends), dtype=np.bool_)
    for slope in feature.slopes:
        counted |= _cross((ends[:, 1] - ends[:, 0]).T, slope) == 0
    return counted


def counted_pairs(ends: Ints, feature: Feature) -> Ints:
    """Return the pairs of edges that a feature looks at, as rows of two indices, each pair once.

    Edges are given by (row, column) of both ends. For turns, the pairs are those that are straight.
    """
    pairs = np.sort(_Moves(ends).pairs(feature), axis=1)
    return pairs[np.lexsort(pairs.T[::-1])]


@dataclass(frozen=True, eq=False)
class _Moves:
    """Moves, the tour that each belongs to, and each tour's number of squares between two moves."""

    ends: Ints
    tour: Ints | int = 0
    angles: Ints | int = 0

    @classmethod
    def of(cls, tours: Sequence[Tour]) -> _Moves:
        ends = [ends_of(tour.board, tour.moves) for tour in tours]
        counts = np.array([len(each) for each in ends])
        is_closed = np.array([tour.closed for tour in tours])
        angles = np.maximum(counts - ~is_closed, 0)
        return cls(np.concatenate(ends), np.repeat(np.arange(len(tours)), counts), angles)

    def count(self, feature: Feature) -> Ints:
        """Return the feature of each tour."""
        if feature.slopes:
            return self._per_tour(counted_edges(self.ends, feature))
        pairs = self.pairs(feature)
        if feature.crosses and feature.counts_others:
            return self._per_tour(~self.within(pairs))
        counts = self._per_tour(pairs[:, 0])
        return np.asarray(self.angles - counts) if feature.counts_others else counts

    def _per_tour(self, chosen: Ints | Mask) -> Ints:
        return np.bincount(np.asarray(self.tour)[chosen], minlength=np.size(self.angles))

    def within(self, pairs: Ints) -> Mask:
        """Return for each move whether it is in one of these pairs."""
        return np.bincount(pairs.ravel(), minlength=len(self.ends)) > 0

    def pairs(self, feature: Feature) -> Ints:
        """Return the pairs of moves that a feature looks at, as rows of two indices."""
        if feature.crosses:
            return self._crossing
        two = itertools.combinations(self._leaving, 2)
        return self._joined((one, other, (0, 0)) for one, other in two if feature.meets(one, other))

    @cached_property
    def _crossing(self) -> Ints:
        down = [vector for vector in self._leaving if vector > (0, 0)]
        return self._joined(
            (one, other, offset)
            for one, other in itertools.combinations(down, 2)
            for offset in crossing_offsets(one, other)
        )

    def _joined(self, asked: Iterable[tuple[Jump, Jump, Jump]]) -> Ints:
        """Return the pairs of moves along two vectors, the second at an offset from the first."""
        parts = [np.empty((0, 2), dtype=np.int64)]
        for one, other, offset in asked:
            (numbers, places), (partners, theirs) = self._leaving[one], self._leaving[other]
            wanted = places + np.dot(offset, [self._span, 1])
            found = np.searchsorted(theirs, wanted)
            both = np.take(theirs, found, mode="clip") == wanted
            parts.append(np.stack([numbers[both], partners[found[both]]], axis=1))
        return np.concatenate(parts)

    @property
    def _span(self) -> int:
        """The places in a row, enough that no offset of a crossing leads to another row."""
        return 3 * int(self.ends.max(initial=0) + 1)

    @cached_property
    def _leaving(self) -> dict[Jump, tuple[Ints, Ints]]:
        """By vector: the moves that leave a square along it, and from which places, ascending.

        Places number the squares of all tours.
        """
        ends, span = np.concatenate([self.ends, self.ends[:, ::-1]]), self._span
        rows = np.resize(self.tour, len(ends)) * span + ends[:, 0, 0]
        places = rows * span + ends[:, 0, 1]
        keys = (ends[:, 1] - ends[:, 0]) @ [span, 1]
        leaving: dict[Jump, tuple[Ints, Ints]] = {}
        for key in np.unique(keys):
            chosen = np.flatnonzero(keys == key)
            chosen = chosen[np.argsort(places[chosen])]
            tail, head = ends[chosen[0]].tolist()
            vector = head[0] - tail[0], head[1] - tail[1]
            leaving[vector] = chosen % len(self.ends), places[chosen]
        return leaving


def crossings(tour: Tour) -> tuple[Mask, npt.NDArray[np.float64]]:
    """Return for each row of ``tour.moves`` whether it is crossed, and where two moves cross.

    Crossings are rows (row, column), one for each pair of moves; (0, 0) is the first square.
    """
    moves = _Moves.of([tour])
    pairs = moves.pairs(FEATURES["crossings"])
    one, other = np.moveaxis(moves.ends[pairs], 1, 0)
    along, across, apart = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0], other[:, 0] - one[:, 0]
    share = _cross(apart.T, across.T) / _cross(along.T, across.T)
    return moves.within(pairs), one[:, 0] + share[:, None] * along


@cache
def crossing_offsets(one: Jump, other: Jump) -> tuple[Jump, ...]:
    """Return from where, seen from the start of one move, another crosses it between their ends."""
    most = 2 * max(map(abs, one + other))
    parallelogram = _cross(one, other)
    inside = range(1, parallelogram**2)
    reach = range(-most, most + 1)
    return tuple(
        offset
        for offset in itertools.product(reach, reach)
        if all(_cross(offset, along) * parallelogram in inside for along in (one, other))
    )


def _cross(one: Any, other: Any) -> Any:
    """Return the cross product of two vectors, or of two arrays with a vector in each column."""
    return one[0] * other[1] - one[1] * other[0]


_ROWS = (
    Feature(
        "turns", "squares at which the direction changes", True, (), (180,), counts_others=True
    ),
    Feature("straight", "squares at which it does not", True, angles=(180,)),
    *(Feature(f"angle-{a}", f"angles of {a} degrees", angles=(a,)) for a in (37, 53, 90, 127, 143)),
    Feature("acute", "angles of 37 and 53 degrees", angles=(37, 53)),
    Feature("right", "angles of 90 degrees", angles=(90,)),
    Feature("obtuse", "angles of 127 and 143 degrees", angles=(127, 143)),
    Feature("crossings", "pairs of moves that cross", True, crosses=True),
    Feature("uncrossed", "moves that no other crosses", True, crosses=True, counts_others=True),
    *(Feature(name, f"moves of {name}", slopes=(jump,)) for name, jump in SLOPES.items()),
)

FEATURES: Mapping[str, Feature] = MappingProxyType({each.name: each for each in _ROWS})
"""The features by name."""

CENSUS_8X8: Mapping[str, tuple[int | None, int]] = {
    "straight": (None, 19),
    "angle-37": (4, 29),
    "angle-90": (2, 39),
    "angle-143": (None, 25),
    "acute": (4, 42),
    "right": (2, 39),
    "obtuse": (4, 46),  # Knuth has 47, with straight angles; without them 46, by CP-SAT and by SAT
    "crossings": (69, 126),
    "uncrossed": (None, 16),
    **dict.fromkeys(SLOPES, (2, 34)),
}
"""The least and the most of a feature among all closed 8x8 tours, as far as published (Knuth)."""


def extremes(tour: Tour) -> dict[str, str]:
    """Return by feature the least and the most of all tours, where they are in the census."""
    if not tour.closed or tour.board != Board(8, 8):
        return {}
    return {
        name: f"most {most}" if least is None else f"least {least}, most {most}"
        for name, (least, most) in CENSUS_8X8.items()
    }
