"""The finite checks by which compositions are complete.

The argument stands in `kt_cp.methods.compose.rectangle`.

A tile's pairs are the pairs of squares between which it has a tour with some links. Most are found
by turning the ends of one tour about, as in Pósa's rotations; the circuit model settles the rest.
"""

import bisect
import functools
import itertools
import random
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from kt_cp import Board
from kt_cp.methods.compose.parts import Place, divisions
from kt_cp.methods.compose.tiles import NoTile, Side, Tiles, ports, way_out
from kt_cp.problem.clock import Clock

TILES = Tiles(Clock(), seed=0)
SIDES = range(6, 12)
ROTATIONS = 100_000

# On 5 x n: how long the stretches before, between and after the ends are taken, and how many ways.
STRETCHES = range(49)
WAYS = 24

Table = npt.NDArray[np.bool_]

# For a row and its mirror image: the parts that hold it, and where.
Kinds = tuple[tuple[tuple[int, int], ...], ...]


def is_allowed(height: int, width: int, pair: Iterable[Place]) -> bool:
    """Tell whether the colours allow a tour between two places."""
    colours = sorted(sum(place) % 2 for place in pair)
    return colours == ([0, 0] if height * width % 2 else [0, 1])


def links(height: int, width: int) -> list[frozenset[Place]]:
    return [frozenset(ports(height, width, side)) for side in Side]


def has_tour(height: int, width: int, pair: Iterable[Place], sides: Iterable[Side]) -> bool:
    start, end = pair
    try:
        TILES.path(height, width, start, end, sides)
    except NoTile:
        return False
    return True


def rotations(height: int, width: int, sides: Iterable[Side]) -> Iterator[frozenset[Place]]:
    """Yield the ends of tours of a tile, each the one before with an end turned about."""
    neighbors: dict[Place, list[Place]] = {}
    for arc in Board(height, width).arcs.tolist():
        source, target = (divmod(square, width) for square in arc)
        neighbors.setdefault(source, []).append(target)
    kept = {frozenset(ports(height, width, side)) for side in sides}
    path = [(row, column) for row, column in TILES.path(height, width, None, None, sides).tolist()]
    choice = random.Random(0)
    while True:
        cut = path.index(choice.choice(neighbors[path[-1]])) + 1
        if frozenset(path[cut - 1 : cut + 1]) not in kept:
            path[cut:] = path[: cut - 1 : -1]
            yield frozenset((path[0], path[-1]))
        if choice.random() < 0.3:
            path.reverse()


def missing_pairs(height: int, width: int, sides: Iterable[Side]) -> set[frozenset[Place]]:
    """List the pairs that the colours allow and that have no tour with these links."""
    pairs = map(frozenset, itertools.combinations(np.ndindex(height, width), 2))
    missing = {pair for pair in pairs if is_allowed(height, width, pair)}
    for pair in itertools.islice(rotations(height, width, sides), ROTATIONS):
        missing.discard(pair)
        if not missing:
            break
    return {pair for pair in missing if not has_tour(height, width, pair, sides)}


@pytest.mark.exhaustive
@pytest.mark.parametrize(("height", "width"), list(itertools.product(SIDES, repeat=2)))
def test_tiles_have_tours_with_all_links_between_any_two_places(height: int, width: int) -> None:
    missing, own = missing_pairs(height, width, Side), links(height, width)
    if height * width % 2:
        assert len(missing) <= 1
        assert all(pair <= frozenset.union(*own) for pair in missing)
    else:
        assert missing == set(own)
        assert len(TILES.cycle(height, width)) == height * width
    for pair in missing:
        for left_out in Side:
            if set(ports(height, width, left_out)) & pair:
                others = [side for side in Side if side is not left_out]
                assert has_tour(height, width, pair, others)


def test_a_link_seen_upside_down_is_none() -> None:
    for height, width in itertools.product(SIDES, repeat=2):
        slopes = []
        for first, second in map(sorted, links(height, width)):
            slopes.append((second[0] - first[0]) * (second[1] - first[1]) // 2)
            slopes[-1] *= 1 if abs(second[0] - first[0]) == 2 else -1
        assert slopes == [1, 1, 1, 1]  # and -1 upside down


def part_at(parts: tuple[int, ...], at: int) -> tuple[int, int, int]:
    """Return the index and the length of the part that holds a row or column, and where in it."""
    begins = [0, *itertools.accumulate(parts)]
    index = bisect.bisect_right(begins, at) - 1
    return index, parts[index], at - begins[index]


def test_the_first_way_to_divide_has_parts_from_6_to_11() -> None:
    for side in range(6, 80):
        for at in range(side) if side % 2 else [None]:
            assert set(next(divisions(side, at))) <= set(SIDES)


def odd_parts(side: int) -> list[list[tuple[int, int]]]:
    """Return for each row or column the odd part that holds it, and where, in the first ways."""
    ways = [itertools.islice(divisions(side, at), WAYS) for at in range(side)]
    return [
        [part_at(way, at)[1:] for way in some if set(way) <= set(SIDES)]
        for at, some in enumerate(ways)
    ]


@pytest.mark.exhaustive
def test_on_odd_boards_some_way_puts_no_link_at_the_start() -> None:
    parts = {side: odd_parts(side) for side in range(7, 80, 2)}
    short, long = (
        {(at % 2, tuple(kind)) for side in sides for at, kind in enumerate(parts[side])}
        for sides in (range(13, 46, 2), range(47, 80, 2))
    )
    assert long <= short  # longer sides bring nothing new

    def is_free(height: tuple[int, int], width: tuple[int, int]) -> bool:
        place = height[1], width[1]
        return not any(place in link for link in links(height[0], width[0]))

    @functools.cache
    def is_free_in_some(heights: Kinds, widths: Kinds) -> bool:
        return any(is_free(up[0], width) for up in heights for some in widths for width in some)

    def seen(side: int, at: int) -> Kinds:
        return tuple(tuple(parts[side][place]) for place in (at, side - 1 - at))

    for rows, columns in itertools.product(range(7, 46, 2), repeat=2):
        for row, column in np.ndindex(rows, columns):
            if max(rows, columns) in SIDES or (row + column) % 2:
                continue
            sides = seen(rows, row), seen(columns, column)
            assert (columns not in SIDES and is_free_in_some(*sides)) or (
                rows not in SIDES and is_free_in_some(*sides[::-1])
            )


class FiveHigh:
    """Where the ends can be in a tile 5 x width, by what hangs on its left and its right.

    ``pairs`` are tables of one end's row and column and the other's; ``apart`` of those of an end
    whose tour leaves by a side while the other may have something hanging.
    """

    def __init__(self, width: int) -> None:
        """Find all pairs with each set of links."""
        places = list(np.ndindex(5, width))
        self.pairs: dict[tuple[Side, ...], Table] = {}
        for sides in ((), (Side.LEFT,), (Side.RIGHT,), (Side.LEFT, Side.RIGHT)):
            missing = missing_pairs(5, width, sides)
            self.pairs[sides] = table = np.zeros((5, width) * 2, dtype=np.bool_)
            for pair in itertools.permutations(places, 2):
                table[pair[0] + pair[1]] = (
                    is_allowed(5, width, pair) and frozenset(pair) not in missing
                )
        self.apart: dict[tuple[Side, bool], Table] = {}
        for leave, hanging in itertools.product((Side.LEFT, Side.RIGHT), (False, True)):
            table = self.pairs[(leave.opposite,) if hanging else ()]
            self.apart[leave, hanging] = np.zeros((5, width), dtype=np.bool_)
            for place in places:
                port = ports(5, width, leave)[way_out(5, width, place, leave)]
                self.apart[leave, hanging][place] = table[place + port]


def rows_of_ends(parts: tuple[int, ...], start: int, end: int, tiles: dict[int, FiveHigh]) -> Table:
    """Tell for all rows of the start and of the end whether tiles allow them in these columns."""
    (first, width, at), (last, last_width, last_at) = part_at(parts, start), part_at(parts, end)
    if first > last:
        return rows_of_ends(parts, end, start, tiles).T
    if first == last:
        sides = (Side.LEFT,) * (first > 0) + (Side.RIGHT,) * (first < len(parts) - 1)
        return tiles[width].pairs[sides][:, at, :, last_at]
    one = tiles[width].apart[Side.RIGHT, first > 0][:, at]
    return np.logical_and.outer(
        one, tiles[last_width].apart[Side.LEFT, last < len(parts) - 1][:, last_at]
    )


def rows_with_a_tour(columns: int, start: int, end: int) -> Table:
    """Say for all rows of two ends on 5 x n what is claimed: from beside corners only to one."""
    table = np.zeros((5, 5), dtype=np.bool_)
    for row, other in np.ndindex(5, 5):
        table[row, other] = is_allowed(5, columns, [(row, start), (other, end)])
    for beside, corner in (1, 0), (columns - 2, columns - 1):
        if start == beside:
            table[2] &= [end == corner and row in (0, 4) for row in range(5)]
        if end == beside:
            table[:, 2] &= [start == corner and row in (0, 4) for row in range(5)]
    if start == end:
        np.fill_diagonal(table, False)
    return table


@functools.cache
def ways(columns: int, *ends: int) -> list[tuple[int, ...]]:
    """Return the first ways to divide the columns; an odd part holds one end or the other."""
    return [
        way
        for odd_at in (ends if columns % 2 else [None])
        for way in itertools.islice(divisions(columns, odd_at), WAYS)
    ]


@pytest.mark.exhaustive
def test_on_5_x_n_tiles_allow_all_ends_but_those_beside_two_corners() -> None:
    tiles = {width: FiveHigh(width) for width in range(5, 15)}
    for width in (6, 8, 10):
        assert len(TILES.cycle(5, width)) == 5 * width
        for pair in zip(ports(5, width, Side.LEFT), ports(5, width, Side.RIGHT), strict=True):
            assert has_tour(5, width, pair, ())
    for before, between, after in itertools.product(STRETCHES, STRETCHES, STRETCHES):
        start, end = before, before + between
        columns = end + after + 1
        if columns < 12 or before > after:  # one tile; seen in a mirror
            continue
        wanted = rows_with_a_tour(columns, start, end)
        found = np.zeros_like(wanted)
        for mirrored in (False, True):
            left, right = (columns - 1 - x if mirrored else x for x in (start, end))
            for parts in ways(columns, left, right):
                table = rows_of_ends(parts, left, right, tiles)
                found |= table | table[::-1, ::-1]
                if (found >= wanted).all():
                    break
        assert (found >= wanted).all(), (columns, start, end, np.argwhere(wanted & ~found))
