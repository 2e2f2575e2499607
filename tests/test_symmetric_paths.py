"""Longest paths and cycles with a symmetry, against brute force and known tours."""

from __future__ import annotations

from typing import Any

import pytest

from kt_cp.board.board import Board
from kt_cp.board.pieces import Symmetry, images_under
from kt_cp.messages import InputError
from kt_cp.solving import longest_path
from kt_cp.tour.tour import Tour
from kt_dfs.backtracking import Status
from tests.helpers.oracle import simple_paths


def is_same_walk(one: list[int], other: list[int], closed: bool) -> bool:
    """Return whether two paths are equal, or two cycles are equal up to their first square."""
    if not closed:
        return one == other
    turns = range(len(one))
    return set(one) == set(other) and one in [other[turn:] + other[:turn] for turn in turns]


def is_symmetric(path: list[int], board: Board, symmetry: Symmetry, closed: bool) -> bool:
    """Return whether a symmetry takes a path to itself: the squares of its image, in order."""
    images = images_under(board, symmetry).tolist()
    image = [images[square] for square in path]
    same = is_same_walk(image, path, closed)
    reverse = is_same_walk(image[::-1], path, closed)
    if symmetry is Symmetry.HALF_TURN_SAME:
        return same
    if symmetry is Symmetry.HALF_TURN_REVERSE:
        return reverse
    return same or reverse


def assert_longest_are_those_of_brute_force(board: Board) -> None:
    paths = list(simple_paths(board))
    cycles = [
        path
        for path in paths
        if len(path) > 2 and path[0] == min(path) and path[0] in board.neighbors(path[-1])
    ]
    for symmetry in Symmetry:
        if symmetry is Symmetry.QUARTER_TURN and board.rows != board.columns:
            continue
        for closed, tours in ((False, paths), (True, cycles)):
            wanted = [each for each in tours if is_symmetric(each, board, symmetry, closed)]
            result = longest_path(board, closed=closed, symmetry=symmetry, workers=1)
            value = 0
            if result.objective is not None:
                assert result.objective.optimal
                value = len(result.tour or [])
            assert value == max(map(len, wanted), default=0), (symmetry, closed)


@pytest.mark.parametrize(
    "board",
    [
        Board(3, 3),
        Board(3, 4),
        Board(3, 3, piece="king", holes=[1]),  # a reflection fixes a column of squares
        Board(4, 3, holes=[0]),  # symmetric paths leave out the images of the hole
    ],
    ids=lambda board: f"{board.title} {board.piece.name}",
)
def test_the_longest_symmetric_path_is_that_of_brute_force(board: Board) -> None:
    assert_longest_are_those_of_brute_force(board)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "board",
    [Board(4, 4, holes=[5]), Board(3, 3, piece="king"), Board(3, 4, piece="wazir")],
    ids=repr,
)
def test_the_longest_symmetric_path_of_larger_boards_is_that_of_brute_force(board: Board) -> None:
    assert_longest_are_those_of_brute_force(board)


@pytest.mark.parametrize(
    ("size", "asked", "most"),
    [
        ("6x6", {"closed": True, "symmetry": "quarter-turn"}, 36),
        ("5x5", {"symmetry": "half-turn"}, 25),
        ("6x6", {"closed": True, "symmetry": "half-turn", "uncrossed": True}, 12),
        ("5x5", {"closed": True, "symmetry": "quarter-turn", "induced": True}, 16),
    ],
)
def test_other_constraints_hold_beside_a_symmetry(
    size: str, asked: dict[str, Any], most: int
) -> None:
    """Uncrossed 12 (OEIS A157416) and induced 16 (A165143) are the most without a symmetry, too."""
    result = longest_path(size, workers=1, **asked)
    assert result.tour is not None
    assert result.objective is not None
    assert (result.objective.value, result.objective.optimal) == (most, True)
    assert result.instance.satisfied_by(result.tour.squares)


def test_a_path_without_the_symmetry_does_not_meet_the_constraint() -> None:
    instance = longest_path("3x3", closed=True, symmetry="half-turn").instance
    assert not instance.satisfied_by(Tour("3x3", [0, 5, 6, 1], partial=True).squares)


@pytest.mark.parametrize(
    ("size", "asked", "why"),
    [
        ("4x4", {"symmetry": "half-turn-same"}, "every square of a path stays in place"),
        ("4x4", {"symmetry": "left-right"}, "its middle square or move stays in place"),
        ("6x6", {"symmetry": "half-turn-reverse", "closed": True}, "two of its squares or moves"),
    ],
)
def test_an_impossible_symmetry_is_refused_with_a_reason(
    size: str, asked: dict[str, Any], why: str
) -> None:
    result = longest_path(size, **asked)
    assert result.status is Status.IMPOSSIBLE
    assert why in str(result.reason)


@pytest.mark.parametrize(
    ("graph", "symmetry", "words"),
    [
        ("4x5", "quarter-turn", "a quarter-turn needs a square board"),
        ([(1, 2), (2, 3)], "half-turn", "symmetry half-turn"),
        ("4x4", "diagonal", "give one of half-turn"),
    ],
)
def test_a_symmetry_that_the_board_cannot_have_is_refused_as_by_solve(
    graph: Any, symmetry: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        longest_path(graph, symmetry=symmetry)


def test_a_symmetric_certificate_claims_no_more_than_it_proves() -> None:
    result = longest_path("4x4", closed=True, symmetry="left-right", certificate=True)
    assert result.certificate is not None
    assert result.certificate.instance.symmetry is None
