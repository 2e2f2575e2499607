"""However a path is handed over, it is read as meant or refused.

The texts are written by `tests.helpers.handover`, and judged by an oracle: neither shares code with
the package.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.notation.reading import Reading
from tests.helpers.handover import Handover, Place, hand_over
from tests.helpers.oracle import naive_faults

KINDS = [
    *(("3x4", False), ("3x7", False), ("4x5", False), ("5x5", False), ("7x8", False)),
    *(("5x6", True), ("6x6", True), ("3x10", True), ("8x8", True), ("10x10", True)),
]
FEW = range(400)
MANY = [
    pytest.param(range(start, start + 2_000), marks=pytest.mark.exhaustive)
    for start in range(1_000, 21_000, 2_000)
]
Moves = set[frozenset[Place]]


@cache
def tours_of(size: str, closed: bool) -> list[list[Place]]:
    """Two tours of a board, as (row, column) pairs."""
    board = Board.parse(size)
    found = [solve(board, closed=closed, seed=seed).tour for seed in range(2)]
    return [[divmod(square, board.columns) for square in tour] for tour in found if tour]


def chosen(rng: Random) -> tuple[Board, list[Place]]:
    size, closed = rng.choice(KINDS)
    return Board.parse(size), rng.choice(tours_of(size, closed))


def moves_of(path: Sequence[Place], closed: bool = False) -> Moves:
    last = [frozenset([path[-1], path[0]])] if closed else []
    return {*map(frozenset, pairwise(path)), *last}


def is_as_meant(reading: Reading, path: Sequence[Place]) -> bool:
    """Whether a reading is a tour that makes the moves of a path.

    Rows and columns may be exchanged, which many notations leave open.
    """
    if not reading.valid:
        return False
    read = [divmod(square, reading.board.columns) for square in reading.ids.tolist()]
    exchanged = [(column, row) for row, column in read]
    return any(moves_of(path) <= moves_of(each, reading.closed) for each in (read, exchanged))


def read(handed: Handover, board: Board | None) -> Reading | None:
    try:
        return parse_path(handed.text, board)
    except InputError:
        return None


@pytest.mark.parametrize("seeds", [FEW, *MANY])
def test_a_tour_is_read_as_meant_or_refused(seeds: Iterable[int]) -> None:
    refused = []
    for seed in seeds:
        rng = Random(seed)
        board, path = chosen(rng)
        handed = hand_over(path, board.rows, board.columns, rng)
        reading = read(handed, rng.choice([None, board]))
        if reading is None:
            refused.append(handed.how)
        else:
            assert is_as_meant(reading, path), (seed, handed, reading.verdict, reading.read_as)
    # Few ways are refused: words after the end of a tour of TSPLIB, and the like.
    assert len(refused) <= 0.03 * len([*seeds]), refused


def damaged(path: list[Place], board: Board, rng: Random) -> list[Place]:
    """A path with one thing wrong. It may still be a tour, by chance."""
    path, place = [*path], rng.randrange(1, len(path) - 2)
    match rng.choice(["dropped", "doubled", "replaced", "exchanged", "turned"]):
        case "dropped":
            del path[place]
        case "doubled":
            path.insert(place, path[place])
        case "replaced":
            path[place] = rng.choice(path)
        case "exchanged":
            path[place], path[place + 1] = path[place + 1], path[place]
        case "turned":
            path[place:] = path[place:][::-1]
    return path


@pytest.mark.parametrize("seeds", [FEW, *MANY])
def test_what_is_no_tour_is_not_called_one(seeds: Iterable[int]) -> None:
    for seed in seeds:
        rng = Random(seed)
        board, whole = chosen(rng)
        path = damaged(whole, board, rng)
        if not naive_faults(board, [row * board.columns + column for row, column in path], False):
            continue
        handed = hand_over(path, board.rows, board.columns, rng)
        reading = read(handed, rng.choice([None, board]))
        if reading is None or not reading.valid:
            continue
        # It is a tour of another board, or lacks what this way of writing does not tell: a square
        # that is repeated at the end, or moves that are made twice.
        ids = reading.ids.tolist()
        assert not naive_faults(reading.board, ids, reading.closed), (seed, handed)
        is_other_board = {reading.board.rows, reading.board.columns} != {board.rows, board.columns}
        assert is_other_board or {*path} >= {*whole}, (seed, handed, reading.read_as)
