"""Any source: what people and programs print is read as meant, or refused.

A tour is never called none, and a path that is none never a tour.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from kt_cp import Board, InputError, Reading, parse_path, solve
from tests.helpers.sources import BOARDS, LISTS, MOVES, STEPS, Place, drawn, dressed, listed

# Forms that were met in public reports, with one tour of 4x5 and the same with two steps exchanged.
_BLOCKS = (Path(__file__).parent / "data/sources.txt").read_text(encoding="utf-8").split("=== ")[1:]
SOURCES = {name: text for name, _, text in (block.partition("\n") for block in _BLOCKS)}
WHOLE = [name for name in SOURCES if not name.endswith(".broken")]

BOARDS_TRIED = [
    *(("4x5", False, ()), ("3x10", False, ()), ("5x5", False, ()), ("8x8", True, ())),
    ("5x5", False, (12,)),
]
HOWS = [*BOARDS, *LISTS, *STEPS, *MOVES]


def read(text: str, board: Board | None = None) -> Reading | None:
    try:
        return parse_path(text, board)
    except InputError:
        return None


@pytest.mark.parametrize("name", WHOLE)
def test_a_tour_is_read_from_any_source_and_a_broken_one_is_none(name: str) -> None:
    reading, broken = parse_path(SOURCES[name]), read(SOURCES[f"{name}.broken"])
    assert reading.verdict in {f"valid open tour of {size}, 20 squares" for size in ("4x5", "5x4")}
    assert broken is None or broken.verdict == "not a tour: 4 illegal moves"


@cache
def tour_of(size: str, closed: bool, holes: tuple[int, ...], seed: int) -> list[Place]:
    rows, columns = map(int, size.split("x"))
    tour = solve(Board(rows, columns, holes), closed=closed, seed=seed).tour
    assert tour is not None
    return [divmod(square, columns) for square in tour]


def written(how: str, path: Sequence[Place], rows: int, columns: int, rng: Random) -> str:
    if how in BOARDS:
        return drawn(how, path, rows, columns)
    template = (LISTS | STEPS | MOVES)[how]
    return listed(template, path, rows, columns, rng)


def damaged(path: list[Place], rng: Random) -> list[Place]:
    """A path with two squares exchanged, one twice, one left out, or one too many at an end."""
    path, first, second = [*path], *rng.sample(range(1, len(path) - 1), 2)
    match rng.choice(["exchanged", "twice", "left out", "in front", "behind"]):
        case "exchanged":
            path[first], path[second] = path[second], path[first]
        case "twice":
            path[first] = path[second]
        case "left out":
            del path[first]
        case "in front":
            path.insert(0, path[0])
        case "behind":
            path.append(path[first])
    return path


def is_legal(path: Sequence[Place]) -> bool:
    return all({abs(a - c), abs(b - d)} == {1, 2} for (a, b), (c, d) in pairwise(path))


@pytest.mark.parametrize(
    "seeds",
    [
        range(60),
        *(pytest.param(range(n, n + 1000), marks=pytest.mark.exhaustive) for n in (10**4,)),
    ],
)
def test_the_verdict_is_that_of_the_plain_path(seeds: Iterable[int]) -> None:
    refused = []
    for seed in seeds:
        rng = Random(seed)
        size, closed, holes = rng.choice(BOARDS_TRIED)
        rows, columns = map(int, size.split("x"))
        board = Board(rows, columns, holes)
        whole = tour_of(size, closed, holes, rng.randrange(3))
        how = rng.choice(HOWS)
        path = whole if rng.random() < 0.5 else damaged(whole, rng)
        if how in (*BOARDS, *STEPS) and len({*path}) < len(path):
            path = whole  # a square has one number
        text = written(how, path, rows, columns, rng)
        if how != "TSPLIB":  # whose tours have nothing around them
            text = dressed(text, rng)
        told = board if how not in BOARDS and (holes or rng.random() < 0.3) else None
        reading = read(text, told)
        is_tour = {*path} == {*whole} and len(path) == len(whole) and is_legal(path)
        if reading is None:
            refused.append((seed, how))
        elif is_tour or len(reading.graph) == len(board):
            assert reading.valid == is_tour, (seed, how, text, reading.verdict, reading.read_as)
    assert len(refused) <= 0.05 * len([*seeds]), refused


@pytest.mark.parametrize("head", ["5 6\n", "5\n6\n", "30\n", "5 6 30\n", "N=5, M=6\n"])
@pytest.mark.parametrize("first", [0, 1])
def test_sizes_ahead_of_pairs_are_no_square(head: str, first: int) -> None:
    path = tour_of("5x6", False, (), 0)
    rows = [f"{row + first} {column + first}\n" for row, column in path]
    assert parse_path(head + "".join(rows)).verdict == "valid open tour of 5x6, 30 squares"
    before_it = [place for place in path if is_legal([place, path[0]])]
    for row, column in (path[0], before_it[0]):  # one square too many
        reading = read(f"{row + first} {column + first}\n" + "".join(rows))
        assert reading is None or not reading.valid


def test_sizes_that_may_continue_the_path_are_refused() -> None:
    path = solve("5x6", start=(3, 3)).tour
    assert path is not None
    rows = "".join(f"{square // 6 + 1} {square % 6 + 1}\n" for square in path)
    with pytest.raises(InputError, match="5 6 may be the size of the board, or a square"):
        parse_path("5 6\n" + rows)
