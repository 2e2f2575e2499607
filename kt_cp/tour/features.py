"""Features of tours, such as turns and crossings, which count moves or pairs of moves.

First what a feature is, and the table of all (`FEATURES`); then the features of tours (`features`);
at the end the pairs of moves that meet or cross (`MovePairs`), on which most features depend.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, both_directions, coordinates, unique_rows
from kt_cp.board import KNIGHT, Board, Jump, Topology, as_board
from kt_cp.graph import Graph
from kt_cp.messages import InputError, checked_class, give_one_of
from kt_cp.tour.tour import Tour

# For each of a knight's angles, in degrees, the scalar product of the two vectors that leave the
# square.
ANGLES: Mapping[int, int] = {37: 4, 53: 3, 90: 0, 127: -3, 143: -4, 180: -5}
_STRAIGHT = 180

# Knight's moves by their slopes, as (rows down, columns right); up to the right as printed is plus.
SLOPES: Mapping[str, Jump] = {
    "slope+1/2": (-1, 2),
    "slope+2": (-2, 1),
    "slope-1/2": (1, 2),
    "slope-2": (2, 1),
}

_BATCH_SIZE = 1_000  # tours whose features are counted together


class Counted(StrEnum):
    """What a feature counts in a tour, which determines how it follows from edges or pairs."""

    MOVES = "moves of its slopes"
    ANGLES = "pairs of moves that meet at its angles"
    OTHER_ANGLES = "squares between two moves that do not meet at its angles"
    CROSSINGS = "pairs of moves that cross"
    UNCROSSED_MOVES = "moves that no other move crosses"
    SQUARES = "squares that it visits"
    CHORDS = "moves of the board between its squares that it does not make"


@dataclass(frozen=True)
class Feature:
    """A number computed from a tour on a flat board, defined by what it counts.

    ``slopes`` and ``angles`` (in degrees) select the moves and the pairs that are counted.
    ``opposite`` names a feature that decreases as this one increases: a local search, which changes
    a few pairs at a time, minimizes it in order to maximize this one. A feature that ``is_general``
    is defined for all pieces, any other for knights only.
    """

    name: str
    summary: str
    counted: Counted
    slopes: tuple[Jump, ...] = ()
    angles: tuple[int, ...] = ()
    opposite: str | None = None
    is_general: bool = False

    def count(self, tour: Tour) -> int:
        """Return the feature of a tour."""
        if self.counted is Counted.SQUARES:
            return len(tour)
        if self.counted is Counted.CHORDS:
            arcs = tour.graph.arcs
            inside = arcs[np.isin(arcs, tour.squares).all(axis=1)]
            edges = unique_rows(np.sort(inside, axis=1), tour.graph.area)
            return len(edges) - len(tour.moves)
        return len(self.counted_moves(MovePairs.of_tours([tour])))

    def counted_moves(self, moves: MovePairs) -> Ints:
        """Return the index of a move for each move or pair that the feature counts."""
        match self.counted:
            case Counted.MOVES:
                return np.flatnonzero(self.counted_edges(moves.ends))
            case Counted.UNCROSSED_MOVES:
                return np.flatnonzero(~moves.are_in(moves.crossing))
            case Counted.OTHER_ANGLES:
                return self._other_pairs(moves)[:, 0]
        return self._pairs(moves)[:, 0]

    def counted_edges(self, ends: Ints) -> Mask:
        """Return a mask of the edges that have a slope of the feature.

        Edges are given by the (row, column) of both ends: an array of shape (n, 2, 2).
        """
        vectors = ends[:, 1] - ends[:, 0]
        has_slope = np.zeros(len(ends), dtype=np.bool_)
        for slope in self.slopes:
            has_slope |= cross_product(vectors.T, slope) == 0
        return has_slope

    def determining_pairs(self, ends: Ints) -> Ints:
        """Return the pairs of edges on which the feature depends, as sorted rows of two indices.

        Edges are given as in `counted_edges`. For turns, which are counted by their complement,
        these are the straight pairs; for uncrossed moves, the crossing ones.
        """
        pairs = np.sort(self._pairs(MovePairs(ends)), axis=1)
        return pairs[np.lexsort(pairs.T[::-1])]

    def other_pairs(self, ends: Ints) -> Ints:
        """Return the pairs of edges that meet at other angles, as rows of two indices."""
        return self._other_pairs(MovePairs(ends))

    def _other_pairs(self, moves: MovePairs) -> Ints:
        """Return the pairs of moves that meet at other angles."""
        return moves.meeting(lambda one, other: not self._has_angle(one, other))

    def _pairs(self, moves: MovePairs) -> Ints:
        """Return the pairs of moves on which the feature depends."""
        if self.counted in (Counted.CROSSINGS, Counted.UNCROSSED_MOVES):
            return moves.crossing
        return moves.meeting(self._has_angle)

    def _has_angle(self, one: Jump, other: Jump) -> bool:
        """Return whether two vectors that leave a square form one of the angles."""
        product = one[0] * other[0] + one[1] * other[1]
        if _STRAIGHT in self.angles:  # defined for jumps of any length, not only a knight's
            return product < 0 and cross_product(one, other) == 0
        return product in [ANGLES[angle] for angle in self.angles]

    def check(self, board: Graph) -> None:
        """Raise `InputError` if the feature is not defined on a board or graph."""
        if self.name in MEASURES:  # defined for all graphs
            return
        board = as_board(board, f"feature {self.name}")
        _check_flat(board, self.name)
        if not self.is_general and board.piece != KNIGHT:
            names = ", ".join(name for name, each in FEATURES.items() if each.is_general)
            raise InputError(f"feature {self.name}: only for knights; other pieces have {names}")


def _angles(name: str, summary: str, *angles: int) -> Feature:
    """Return a feature that counts a knight's angles of some sizes, in degrees."""
    return Feature(name, summary, Counted.ANGLES, angles=angles)


_TABLE = (
    Feature(
        "turns",
        "squares at which the direction changes",
        Counted.OTHER_ANGLES,
        angles=(_STRAIGHT,),
        opposite="straight",
        is_general=True,
    ),
    Feature(
        "straight",
        "squares at which the direction stays the same",
        Counted.ANGLES,
        angles=(_STRAIGHT,),
        is_general=True,
    ),
    *(
        _angles(f"angle-{size}", f"angles of {size} degrees", size)
        for size in ANGLES
        if size != _STRAIGHT
    ),
    _angles("acute", "angles of 37 and 53 degrees", 37, 53),
    _angles("right", "angles of 90 degrees", 90),
    _angles("obtuse", "angles of 127 and 143 degrees", 127, 143),
    Feature("crossings", "pairs of moves that cross", Counted.CROSSINGS, is_general=True),
    Feature(
        "uncrossed",
        "moves that no other crosses",
        Counted.UNCROSSED_MOVES,
        opposite="crossings",
        is_general=True,
    ),
    *(Feature(name, f"moves of {name}", Counted.MOVES, (jump,)) for name, jump in SLOPES.items()),
)

FEATURES: Mapping[str, Feature] = MappingProxyType({each.name: each for each in _TABLE})
"""The features by name."""

MEASURES: Mapping[str, Feature] = MappingProxyType(
    {
        "squares": Feature("squares", Counted.SQUARES.value, Counted.SQUARES, is_general=True),
        "chords": Feature("chords", Counted.CHORDS.value, Counted.CHORDS, is_general=True),
    }
)
"""Features, by name, that distinguish partial tours only: all tours of a board have the same."""


def feature_named(name: str) -> Feature:
    """Return a feature or measure by its name. Raises `InputError` for an unknown one."""
    if name in MEASURES:
        return MEASURES[name]
    if name not in FEATURES:
        raise InputError(f"feature {name!r}: {give_one_of(FEATURES, name)}")
    return FEATURES[name]


def _check_flat(board: Board, feature: str) -> None:
    """Raise `InputError`, which names the feature, for a cylinder or a torus."""
    if board.topology is not Topology.FLAT:
        raise InputError(f"feature {feature}: only on a flat board, not a {board.topology}")


def angle_count(squares: int, closed: bool) -> int:
    """Return the number of squares at which a tour has an angle: all except the ends of a path.

    >>> angle_count(64, closed=True), angle_count(64, closed=False), angle_count(1, closed=False)
    (64, 62, 0)
    """
    return squares if closed else max(0, squares - 2)


@overload
def features(tour: Tour) -> dict[str, int]: ...
@overload
def features(tour: Iterable[Tour]) -> dict[str, Ints]: ...
def features(tour: Tour | Iterable[Tour]) -> dict[str, int] | dict[str, Ints]:
    """Return the features of a tour by name; for several tours, an array of values for each name.

    For tours of several pieces, these are the features that are defined for all of the pieces.
    Raises `InputError` for a tour on a cylinder or a torus.

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
        checked_class(tour, Tour, wanted)
    tours = (checked_class(each, Tour, wanted) for each in tour)
    common = [*FEATURES.values()]  # those of all pieces so far
    batches: list[dict[str, Ints]] = []
    while batch := [*itertools.islice(tours, _BATCH_SIZE)]:
        for board in {each.board for each in batch}:
            _check_flat(board, "turns")
            common = [each for each in common if each.is_general or board.piece == KNIGHT]
        moves = MovePairs.of_tours(batch)
        batch_values: dict[str, Ints] = {}
        for feature in common:
            tour_numbers = moves.tour_numbers[feature.counted_moves(moves)]
            batch_values[feature.name] = np.bincount(tour_numbers, minlength=len(batch))
        batches.append(batch_values)
    empty = np.empty(0, dtype=np.int64)
    return {
        feature.name: np.concatenate([empty, *(each[feature.name] for each in batches)])
        for feature in common
    }


def described_features(tour: Tour) -> dict[str, int]:
    """Return the features of a tour and, if it leaves squares out, its measures before them.

    A tour of a graph without places has the measures alone.

    >>> described_features(Tour("3x3", [0, 5, 6, 1], partial=True))["squares"]
    4
    """
    measures: dict[str, int] = {}
    if tour.is_partial:
        measures = {name: measure.count(tour) for name, measure in MEASURES.items()}
    is_measured_only = measures and not tour.graph.has_places
    return measures if is_measured_only else measures | features(tour)


def step_sums(tour: Tour) -> dict[str, Ints]:
    """Return the sums of the steps in each row and column and, of a square, in both diagonals.

    In a magic tour all are equal, in a semimagic one those of rows and columns.

    >>> step_sums(Tour("3x4", [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]))
    {'rows': array([22, 26, 30]), 'columns': array([12, 21, 18, 27])}
    """
    steps = tour.grid.astype(np.int64)
    sums = {"rows": steps.sum(axis=1), "columns": steps.sum(axis=0)}
    if tour.board.rows == tour.board.columns:
        sums["diagonals"] = np.array([steps.trace(), steps[:, ::-1].trace()])
    return sums


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
"""The minimum (None if unpublished) and maximum of features of all closed 8x8 tours (Knuth)."""


def extremes(tour: Tour) -> dict[str, str]:
    """Return, for features in the census, their extremes among all closed 8x8 tours, in words.

    The result is empty unless the tour itself is a closed tour of 8x8.
    """
    if not tour.closed or tour.is_partial or tour.graph != Board(8, 8):
        return {}
    return {
        name: f"most {most}" if least is None else f"least {least}, most {most}"
        for name, (least, most) in CENSUS_8X8.items()
    }


# -- pairs of moves --------------------------------------------------------------------------------


def ends_of(board: Board, edges: npt.NDArray[np.integer]) -> Ints:
    """Return (row, column) of both ends of edges, given as rows of two ids."""
    return coordinates(edges.astype(np.int64), board.columns)


def cross_product(one: Any, other: Any) -> Any:
    """Return the cross product of two vectors, or of two arrays with a vector in each column."""
    return one[0] * other[1] - one[1] * other[0]


@dataclass(frozen=True)
class _MovesAlong:
    """The moves along one vector: their indices, and the place that each leaves.

    The places of all tours are numbered row by row, tour by tour. Each row has a margin of empty
    places on its right, each tour has one below, and above the first tour there is one, too, all as
    wide as the largest offset: a place to the left of a row or above a tour is in the margin of the
    one before. The ``table`` has for each place the index of the move that leaves it, or -1.
    """

    moves: Ints
    places: Ints
    table: Ints
    width: int  # of a row with its margin

    def at(self, places: Ints, offset: Jump) -> Ints:
        """Return the move that leaves the place at an offset from each of some places, or -1."""
        down, right = offset
        return np.asarray(self.table[places + down * self.width + right])


@dataclass(frozen=True, eq=False)
class MovePairs:
    """The moves of one or several tours, with methods that find pairs of them.

    ``ends`` are the moves, an array of shape (n, 2, 2) with (row, column) of both ends of each;
    ``tour_numbers`` has the number of the tour to which each belongs, by default 0. Moves of
    different tours are never paired.

    Pairs are found by looking up, for two vectors and an offset, where both moves exist. This takes
    time proportional to the number of squares, not to the number of all pairs of moves.
    """

    ends: Ints
    tour_numbers: Ints = field(default_factory=lambda: np.array([0]))

    @staticmethod
    def of_tours(tours: Sequence[Tour]) -> MovePairs:
        """Return the moves of tours, numbered from 0."""
        ends = [ends_of(tour.board, tour.moves) for tour in tours]
        numbers = np.repeat(np.arange(len(tours)), [len(each) for each in ends])
        return MovePairs(np.concatenate(ends), numbers)

    def meeting(self, is_wanted: Callable[[Jump, Jump], bool]) -> Ints:
        """Return the pairs of moves that meet at a wanted angle, as rows of two indices.

        ``is_wanted`` is called with the two vectors that leave the square.
        """
        return self._pairs_at(
            (one, other, (0, 0))
            for one, other in itertools.combinations(self._by_vector, 2)
            if is_wanted(one, other)
        )

    @cached_property
    def crossing(self) -> Ints:
        """The pairs of moves that cross between their ends, as rows of two indices."""
        down = [vector for vector in self._by_vector if vector > (0, 0)]
        return self._pairs_at(
            (one, other, offset)
            for one, other in itertools.combinations(down, 2)
            for offset in crossing_offsets(one, other)
        )

    def are_in(self, pairs: Ints) -> Mask:
        """Return a mask of the moves that occur in these pairs."""
        return np.bincount(pairs.ravel(), minlength=len(self.ends)) > 0

    def _pairs_at(self, triples: Iterable[tuple[Jump, Jump, Jump]]) -> Ints:
        """Return the pairs of moves for triples (vector, other vector, offset).

        The first move leaves a square along the vector, the second leaves the square at the offset
        from it along the other vector.
        """
        parts = [np.empty((0, 2), dtype=np.int64)]
        for vector, other_vector, offset in triples:
            along = self._by_vector[vector]
            others = self._by_vector[other_vector].at(along.places, offset)
            exists = others >= 0
            parts.append(np.stack([along.moves[exists], others[exists]], axis=1))
        return np.concatenate(parts)

    @cached_property
    def _by_vector(self) -> dict[Jump, _MovesAlong]:
        """The moves along each vector. Every move leaves both of its ends."""
        ends = both_directions(self.ends)  # every move, then every reverse: shape (2n, 2, 2)
        vectors = ends[:, 1] - ends[:, 0]  # (2n, 2)
        margin = 2 * vectors.max(initial=0)
        tours = np.tile(np.broadcast_to(self.tour_numbers, len(self.ends)), 2)
        starts = np.stack([tours, *ends[:, 0].T])  # tours, rows, columns: (3, 2n)
        shape = starts.max(axis=1, initial=0) + 1
        shape[1:] += margin  # of rows and columns
        width = int(shape[2])
        above = margin * (width + 1)  # places in the margin above the first tour
        all_places = above + np.ravel_multi_index((*starts,), (*shape,))
        vector_numbers = vectors @ [margin + 1, 1]  # another one for each vector
        by_vector: dict[Jump, _MovesAlong] = {}
        for number in np.unique(vector_numbers):
            along = np.flatnonzero(vector_numbers == number)
            down, right = vectors[along[0]].tolist()
            moves = along % len(self.ends)
            places = all_places[along]
            table = np.full(above + shape.prod(), -1)
            table[places] = moves
            by_vector[down, right] = _MovesAlong(moves, places, table, width)
        return by_vector


@cache
def crossing_offsets(one: Jump, other: Jump) -> tuple[Jump, ...]:
    """Return the offsets between the starts of two moves at which they cross between their ends.

    Let p be the cross product of the moves. They cross at the fractions ``offset x other / p`` of
    the first move and ``offset x one / p`` of the second, both of which must lie strictly between
    0 and 1. Multiplied by p squared, the test is one on integers.
    """
    p = cross_product(one, other)

    def is_between_ends(offset: Jump, vector: Jump) -> bool:
        """Return whether ``offset x vector / p`` is strictly between 0 and 1."""
        return bool(0 < cross_product(offset, vector) * p < p**2)

    # Two moves that cross start no further apart than both are long.
    longest = max(map(abs, one + other))
    reach = range(-2 * longest, 2 * longest + 1)
    return tuple(
        offset
        for offset in itertools.product(reach, reach)
        if is_between_ends(offset, one) and is_between_ends(offset, other)
    )


def angle_products(tour: Tour) -> Ints:
    """Return, for each square from the second on, the scalar product of the vectors that leave it.

    The value at the first square of a closed tour comes last.
    """
    ends = ends_of(tour.board, tour.moves)
    moves = ends[:, 1] - ends[:, 0]
    products = -np.sum(moves * np.roll(moves, -1, axis=0), axis=1)
    return np.asarray(products if tour.closed else products[:-1])
