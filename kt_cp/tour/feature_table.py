"""The features of a tour: numbers such as its turns and crossings, each by a function of its own.

At each square between two moves there is an angle between them; a closed tour has one at every
square. D. E. Knuth counts all closed 8x8 tours by these features in The Art of Computer
Programming, pre-fascicle 8A (December 2025).
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from types import MappingProxyType
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from kt_cp.board import KNIGHT, Board, Jump, Mask, Squares, Topology, as_board
from kt_cp.board.symmetry import Ints, board_symmetries
from kt_cp.errors import InputError, checked_kind
from kt_cp.graph import Graph
from kt_cp.tour.tour import Tour

Vectors = npt.NDArray[np.int64]
Grid = TypeVar("Grid", Mask, npt.NDArray[np.integer])

# A knight's angles in degrees, by the scalar product of the two vectors that leave the square.
ANGLES: Mapping[int, int] = {37: 4, 53: 3, 90: 0, 127: -3, 143: -4, 180: -5}

# Knight's moves by their slopes, as (rows down, columns right); up to the right as printed is plus.
SLOPES: Mapping[str, Jump] = {
    "slope+1/2": (-1, 2),
    "slope+2": (-2, 1),
    "slope-1/2": (1, 2),
    "slope-2": (2, 1),
}


@dataclass(frozen=True)
class Feature:
    """A number computed from a tour; ``angles`` and ``slopes`` say what the feature counts, if so.

    ``count`` takes a tour on a flat board and returns the number. Unless ``is_general`` it is
    defined for knights only.
    """

    name: str
    summary: str
    count: Callable[[Tour], int]
    is_general: bool = False
    angles: tuple[int, ...] = ()
    slopes: tuple[Jump, ...] = ()

    @property
    def crosses(self) -> bool:
        """Whether the feature looks at moves that cross."""
        return self.name in ("crossings", "uncrossed")

    def check(self, board: Graph) -> None:
        """Raise `InputError` for a board or graph on which the feature is not defined."""
        board = as_board(board, f"feature {self.name}")
        if board.topology is not Topology.FLAT:
            raise InputError(f"feature {self.name}: only on a flat board, not a {board.topology}")
        if not self.is_general and board.piece != KNIGHT:
            known = ", ".join(name for name, each in FEATURES.items() if each.is_general)
            raise InputError(f"feature {self.name}: only for knights; other pieces have {known}")


def features(tour: Tour) -> dict[str, int]:
    """Return every feature that is defined for a tour, by name.

    Raises `InputError` for a tour on a cylinder or a torus.

    >>> tour = Tour("3x4", [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> {name: features(tour)[name] for name in ("turns", "straight", "crossings")}
    {'turns': 10, 'straight': 0, 'crossings': 20}
    """
    tour = checked_kind(tour, Tour, "a Tour, such as solve('8x8').tour")
    is_knight = tour.board.piece == KNIGHT
    chosen = {name: each for name, each in FEATURES.items() if is_knight or each.is_general}
    for feature in chosen.values():
        feature.check(tour.board)
    return {name: feature.count(tour) for name, feature in chosen.items()}


def feature_named(name: str) -> Feature:
    """Return a feature by its name. Raises `InputError`, with all names, for an unknown one."""
    if name not in FEATURES:
        raise InputError(f"feature {name!r}: give one of {', '.join(FEATURES)}")
    return FEATURES[name]


def symmetries(tour: Tour) -> list[str]:
    """Return which rotations and reflections of the board map a tour onto itself.

    A tour that runs backwards, or that starts elsewhere if it is closed, counts as the same.

    >>> symmetries(Tour(Board(2, 2, piece="king"), [0, 1, 3, 2], closed=True))[:2]
    ['half-turn', 'left-right']
    """
    _, *others = board_symmetries(tour.board).items()
    return [name for name, images in others if tour.is_mapped_to(tour, images)]


def vectors(board: Board, moves: npt.NDArray[np.integer]) -> Vectors:
    """Return moves, given as rows of two ids, as rows (rows down, columns right)."""
    ends: Vectors = np.stack(np.divmod(moves.astype(np.int64), board.columns), axis=-1)
    return ends[:, 1] - ends[:, 0]


def angle_products(tour: Tour) -> Vectors:
    """Return the scalar product of the two vectors that leave each square between two moves.

    These are all squares of a closed tour, from the second to the first, and of an open one those
    between its ends, in visiting order.
    """
    moves = vectors(tour.board, tour.moves)
    onward = np.roll(moves, -1, axis=0)
    products: Vectors = -np.sum(moves * onward, axis=1)
    return products if tour.closed else products[:-1]


def _count_angles(angles: tuple[int, ...], tour: Tour) -> int:
    return int(np.isin(angle_products(tour), [ANGLES[angle] for angle in angles]).sum())


def _count_slopes(slopes: tuple[Jump, ...], tour: Tour) -> int:
    moves = vectors(tour.board, tour.moves)
    upright = np.where(moves[:, 1:] < 0, -moves, moves)
    return int(sum((upright == slope).all(axis=1).sum() for slope in slopes))


def _count_straight(tour: Tour) -> int:
    moves = vectors(tour.board, tour.moves)
    same = (moves == np.roll(moves, -1, axis=0)).all(axis=1)
    return int(same.sum() if tour.closed else same[:-1].sum())


def _count_turns(tour: Tour) -> int:
    return len(tour.moves) - (not tour.closed) * (len(tour) > 1) - _count_straight(tour)


def _count_crossings(tour: Tour) -> int:
    return sum(int(found.sum()) for *_, found in _crossings(tour)) // 2


def _count_uncrossed(tour: Tour) -> int:
    return int((~crossed_moves(tour)).sum())


def crossed_moves(tour: Tour) -> Mask:
    """Return for each row of ``tour.moves`` whether another move crosses it."""
    begun: dict[Jump, Mask] = {}
    for one, *_, found in _crossings(tour):
        begun[one] = begun[one] | found if one in begun else found
    starts, down = _downwards(tour)
    crossed = np.zeros(len(starts), dtype=np.bool_)
    for vector, found in begun.items():
        crossed |= (down == vector).all(axis=1) & found.ravel()[starts]
    return crossed


def crossing_points(tour: Tour) -> npt.NDArray[np.float64]:
    """Return where moves cross, one row (row, column) for each pair; (0, 0) is the first square.

    >>> tour = Tour("3x4", [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> points = crossing_points(tour)
    >>> len(points), min(points.tolist())
    (20, [0.25, 1.5])
    """
    points = [np.empty((0, 2))]
    for one, other, (down, right), found in _crossings(tour):
        if (one, other, (down, right)) < (other, one, (-down, -right)):  # each comes twice
            share = (down * other[1] - right * other[0]) / (one[0] * other[1] - one[1] * other[0])
            points.append(np.argwhere(found) + share * np.array(one))
    return np.concatenate(points)


def _downwards(tour: Tour) -> tuple[Squares, Vectors]:
    """Return the upper end and the vector of each move, taken in the direction that points down."""
    ends, moves = tour.moves, vectors(tour.board, tour.moves)
    up = (moves[:, 0] < 0) | ((moves[:, 0] == 0) & (moves[:, 1] < 0))
    return np.where(up, ends[:, 1], ends[:, 0]), np.where(up[:, None], -moves, moves)


def _crossings(tour: Tour) -> Iterator[tuple[Jump, Jump, Jump, Mask]]:
    """Yield for each way to cross: two vectors, their offset, and where moves of the first begin.

    Every crossing comes twice, once for each of its two moves. The work grows with the squares.
    """
    starts, down_moves = _downwards(tour)
    moves: dict[Jump, Mask] = {}
    for vector in set(map(tuple, np.unique(down_moves, axis=0).tolist())):
        moves[vector] = np.zeros((tour.board.rows, tour.board.columns), dtype=np.bool_)
        moves[vector].ravel()[starts[(down_moves == vector).all(axis=1)]] = True
    for one, other in itertools.product(moves, repeat=2):
        for down, right in crossing_offsets(one, other):
            found = np.zeros_like(moves[one])
            here = window(found, -down, -right)
            here[:] = window(moves[one], -down, -right) & window(moves[other], down, right)
            yield one, other, (down, right), found


def window(grid: Grid, down: int, right: int) -> Grid:
    """Return what is left of a grid without its first ``down`` rows, or last ones, and columns."""
    rows = slice(down, None) if down >= 0 else slice(None, down)
    columns = slice(right, None) if right >= 0 else slice(None, right)
    return grid[rows, columns]


@lru_cache(maxsize=1024)
def crossing_offsets(one: Jump, other: Jump) -> tuple[Jump, ...]:
    """Return from where, seen from the start of one move, another crosses it between their ends.

    >>> len(crossing_offsets((1, 2), (2, 1)))
    2
    """
    reach = range(-2 * max(map(abs, one + other)), 2 * max(map(abs, one + other)) + 1)
    offsets = ((down, right) for down in reach for right in reach)
    return tuple(offset for offset in offsets if _cross(one, offset, other))


def _cross(one: Jump, offset: Jump, other: Jump) -> bool:
    """Return whether the segment from the origin along one vector crosses one from an offset."""

    def side(base: Jump, vector: Jump, point: Jump) -> int:
        return vector[0] * (point[1] - base[1]) - vector[1] * (point[0] - base[0])

    end = (offset[0] + other[0], offset[1] + other[1])
    apart = side((0, 0), one, offset) * side((0, 0), one, end) < 0
    return apart and side(offset, other, (0, 0)) * side(offset, other, one) < 0


def _angle_feature(name: str, summary: str, *angles: int) -> Feature:
    return Feature(name, summary, partial(_count_angles, angles), angles=angles)


_ROWS = (
    Feature("turns", "squares at which the direction changes", _count_turns, is_general=True),
    Feature("straight", "squares at which it does not", _count_straight, True, angles=(180,)),
    *(_angle_feature(f"angle-{a}", f"angles of {a} degrees", a) for a in (37, 53, 90, 127, 143)),
    _angle_feature("acute", "angles of 37 and 53 degrees", 37, 53),
    _angle_feature("right", "angles of 90 degrees", 90),
    _angle_feature("obtuse", "angles of 127 and 143 degrees", 127, 143),
    Feature("crossings", "pairs of moves that cross", _count_crossings, is_general=True),
    Feature("uncrossed", "moves that no other crosses", _count_uncrossed, is_general=True),
    *(
        Feature(name, f"moves of {name}", partial(_count_slopes, (jump,)), slopes=(jump,))
        for name, jump in SLOPES.items()
    ),
)

FEATURES: Mapping[str, Feature] = MappingProxyType({each.name: each for each in _ROWS})
"""The features by name."""


def ends_of(board: Board, edges: Ints) -> Ints:
    """Return the ends of edges that are rows of two squares."""
    return np.stack(np.divmod(edges.astype(np.int64), board.columns), axis=-1)


def counted_edges(ends: Ints, feature: Feature) -> Mask:
    """Return which edges a feature counts by themselves: those of its slopes."""
    vectors = ends[:, 1] - ends[:, 0]
    counted = [vectors @ (right, -down) == 0 for down, right in feature.slopes]
    return np.asarray(np.logical_or.reduce([np.zeros(len(ends), np.bool_), *counted]))


def counted_pairs(ends: Ints, feature: Feature) -> Ints:
    """Return the pairs of edges that a feature looks at, as rows of two indices, each pair once.

    They cross, or meet at an angle that it counts; for turns, at one that is straight.

    >>> from kt_cp.tour.feature_table import FEATURES
    >>> ends = ends_of(Board(3, 4), np.array([[0, 6], [1, 8], [4, 6]]))
    >>> counted_pairs(ends, FEATURES["crossings"]).tolist()
    [[0, 1], [1, 2]]
    >>> counted_pairs(ends, FEATURES["angle-37"]).tolist()
    [[0, 2]]
    """
    found = list(_crossing(ends) if feature.crosses else _meeting(ends, feature))
    pairs = np.concatenate([np.empty((0, 2), dtype=np.int64), *found])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def _meeting(ends: Ints, feature: Feature) -> Iterator[Ints]:
    """Yield pairs of edges that meet at an angle, for each two vectors that leave a square."""
    products = {ANGLES[angle] for angle in feature.angles}
    is_straight = feature.name in ("turns", "straight")
    leaving = _leaving(np.concatenate([ends, ends[:, ::-1]]))
    for one, other in itertools.combinations(leaving, 2):
        opposite = one == (-other[0], -other[1])
        if opposite if is_straight else one[0] * other[0] + one[1] * other[1] in products:
            both = (leaving[one] >= 0) & (leaving[other] >= 0)
            yield np.stack([leaving[one][both], leaving[other][both]], axis=1) % len(ends)


def _crossing(ends: Ints) -> Iterator[Ints]:
    """Yield pairs of edges that cross, for each two vectors and each offset between them."""
    leaving = _leaving(ends)
    for one, other in itertools.product(leaving, repeat=2):
        for down, right in crossing_offsets(one, other):
            first = window(leaving[one], -down, -right)
            second = window(leaving[other], down, right)
            both = (first >= 0) & (second >= 0)
            yield np.stack([first[both], second[both]], axis=1)


def _leaving(ends: Ints) -> dict[Jump, Ints]:
    """Return by vector a grid that holds which edge leaves each square along it, or -1."""
    if not len(ends):
        return {}
    places = ends[:, 0] - ends.min(axis=(0, 1))
    vectors = ends[:, 1] - ends[:, 0]
    leaving = {}
    for vector in map(tuple, np.unique(vectors, axis=0).tolist()):
        chosen = np.flatnonzero((vectors == vector).all(axis=1))
        leaving[vector] = np.full(places.max(axis=0) + 1, -1)
        leaving[vector][*places[chosen].T] = chosen
    return leaving


CENSUS_8X8: Mapping[str, tuple[int | None, int | None]] = {
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


def standings(tour: Tour, values: Mapping[str, int]) -> dict[str, str]:
    """Return by feature how a tour's value compares with all tours', as far as that is known.

    >>> from kt_cp import features, solve
    >>> tour = solve("6x6", closed=True, minimize="turns").tour
    >>> standings(tour, features(tour))["turns"]
    'least 32, most 36; fewer in 0.0% of all tours, as many in 0.2%'
    """
    if tour.closed and tour.board == Board(6, 6):
        return {name: _rank(census_6x6()[name], value) for name, value in values.items()}
    if tour.closed and tour.board == Board(8, 8):
        return {name: _extremes(*CENSUS_8X8[name]) for name in values if name in CENSUS_8X8}
    return {}


def census_6x6() -> dict[str, dict[int, int]]:
    """Return for each feature how many of the 9,862 closed 6x6 tours have which value."""
    text = (files("kt_cp") / "tour" / "census_6x6.json").read_text(encoding="utf-8")
    census: dict[str, dict[str, int]] = json.loads(text)
    return {
        name: {int(value): tours for value, tours in counts.items()}
        for name, counts in census.items()
    }


def _rank(counts: Mapping[int, int], value: int) -> str:
    fewer = sum(tours for other, tours in counts.items() if other < value) / sum(counts.values())
    as_many = counts[value] / sum(counts.values())
    ranks = f"fewer in {fewer:.1%} of all tours, as many in {as_many:.1%}"
    return f"{_extremes(min(counts), max(counts))}; {ranks}"


def _extremes(least: int | None, most: int | None) -> str:
    known = [f"least {least}"] * (least is not None) + [f"most {most}"] * (most is not None)
    return ", ".join(known)
