"""All tours: their numbers as in the literature, and the very same tours as exhaustive search."""

import itertools
import os

import pytest
from hypothesis import given

from kt_cp import Board, Count, OutOfTimeError, Tour, count_tours, enumerate_tours, solve
from kt_cp.board.symmetry import board_symmetries
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from tests.helpers.command import python
from tests.helpers.counting import constraints_of, undirected
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import instances

OPEN = "directed open"
CLOSED = "undirected closed"
CLASSES = "classes"

# Sources: OEIS A001230 (6x6 closed), A165134 (open on n x n), A169764 to A169777 (open and closed
# on 3 x n and 4 x n); G. P. Jelliss, Knight's Tour Notes (5x6, 5x8, 3 x n closed; classes and
# symmetries on 6x6, after M. Duby 1964).
LITERATURE: list[tuple[str, Constraints, bool, int, str]] = [
    ("6x6", {"closed": True}, False, 9862, CLOSED),
    ("5x6", {"closed": True}, False, 8, CLOSED),
    ("3x10", {"closed": True}, False, 16, CLOSED),
    ("3x12", {"closed": True}, False, 176, CLOSED),
    ("4x8", {"closed": True}, False, 0, CLOSED),
    ("5x5", {}, False, 1728, OPEN),
    ("5x5", {"start": 0}, False, 304, OPEN),
    ("3x4", {}, False, 16, OPEN),
    ("3x7", {}, False, 104, OPEN),
    ("3x8", {}, False, 792, OPEN),
    ("4x5", {}, False, 164, OPEN),
    ("4x6", {}, False, 1488, OPEN),
    ("6x6", {"closed": True}, True, 1245, CLASSES),
    ("6x6", {"closed": True, "symmetry": "half-turn"}, False, 78, CLOSED),
    ("6x6", {"closed": True, "symmetry": "half-turn"}, True, 22, CLASSES),
    ("6x6", {"closed": True, "symmetry": "quarter-turn"}, False, 10, CLOSED),
    ("6x6", {"closed": True, "symmetry": "quarter-turn"}, True, 5, CLASSES),
]


@pytest.mark.parametrize(("size", "constraints", "up_to_symmetry", "number", "counted"), LITERATURE)
def test_there_are_as_many_tours_as_the_literature_says(
    size: str, constraints: Constraints, up_to_symmetry: bool, number: int, counted: str
) -> None:
    count = count_tours(Board.parse(size), up_to_symmetry=up_to_symmetry, **constraints)
    assert count == Count(number, True, counted)
    if number < 2000 and not up_to_symmetry:
        tours = [*enumerate_tours(size, **constraints)]  # a `Tour` is valid, so these are all
        assert len({tour.squares.tobytes() for tour in tours}) == len(tours) == number


@given(instances())
def test_any_constraints_leave_the_tours_that_exhaustive_search_leaves(instance: Instance) -> None:
    found = [tuple(tour) for tour in enumerate_tours(instance.board, **constraints_of(instance))]
    expected = set(all_tours(instance))
    if instance.closed and not instance.direction_matters:
        assert len(set(found)) == len(found) == len({undirected(tour) for tour in expected})
        assert set(found) <= expected
    else:
        assert sorted(found) == sorted(expected)
    count = count_tours(instance.board, **constraints_of(instance))
    assert (count.count, count.complete) == (len(found), True)


@pytest.mark.parametrize(
    ("size", "constraints"),
    [("5x5", {}), ("4x5", {}), ("5x6", {"closed": True}), ("3x10", {"closed": True})],
)
def test_classes_part_the_tours_and_come_as_their_smallest(
    size: str, constraints: Constraints
) -> None:
    board = Board.parse(size)
    tours = {tuple(tour) for tour in enumerate_tours(board, **constraints)}
    representatives = {
        tuple(tour) for tour in enumerate_tours(board, up_to_symmetry=True, **constraints)
    }

    def images(path: tuple[int, ...]) -> set[tuple[int, ...]]:
        found = set()
        for way in board_symmetries(board).values():
            mapped = way[list(path)].tolist()
            for order in (mapped, mapped[::-1]):
                if "closed" in constraints:
                    first = order.index(0)
                    order = order[first:] + order[:first]
                found.add(tuple(order))
        return found

    classes = {frozenset(images(tour)) for tour in tours}
    assert {min(members) for members in classes} == representatives


def test_tours_come_lazily_and_are_written_from_the_start() -> None:
    tours = enumerate_tours(Board(8, 8), closed=True, start=27)
    for tour in itertools.islice(tours, 5):
        assert isinstance(tour, Tour)
        assert tour.squares[0] == 27


def test_a_count_cut_short_says_so() -> None:
    seen: list[str] = []
    count = count_tours(Board(6, 6), limit=100, progress=seen.append)
    assert (count, count.note) == (Count(100, False, OPEN), "the limit was reached")
    assert seen[-1].endswith(" so far")
    late = count_tours(Board(8, 8), closed=True, method="enumerate", time_limit=0.3)
    assert (late.complete, late.note) == (False, "the time limit was reached")
    with pytest.raises(OutOfTimeError):
        list(enumerate_tours(Board(8, 8), closed=True, time_limit=0.3))


def test_a_time_limit_holds_on_boards_too_large_to_count() -> None:
    assert count_tours(Board(600, 600), closed=True, time_limit=0.5) == Count(0, False, CLOSED)
    assert not solve(Board(300, 300), method="frontier", time_limit=0.5)


def test_no_tour_comes_after_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver has found many more by then."""
    tours = enumerate_tours("8x8", time_limit=60)
    some = list(itertools.islice(tours, 20))
    monkeypatch.setattr(Clock, "remaining", 0.0)
    with pytest.raises(OutOfTimeError):
        some += itertools.islice(tours, 100)
    assert len(some) < 20 + 16  # those that are images of one another come together


# Each drops a generator at some moment; all but the last leave it to the end of the interpreter.
_DROPS = {
    "kept until the end": "next(tours)",
    "kept, with tours that wait": "next(tours); time.sleep(moment)",
    "two at once": "next(tours); others = enumerate_tours('5x5'); next(others)",
    "in a cycle of references": "next(tours); ring = [tours]; ring.append(ring); del tours",
    "used by another thread": "threading.Thread(target=next, args=(tours,)).start()",
    "at an error": "next(tours); sys.excepthook = lambda *error: None; raise ValueError",
    "at once": "next(tours); del tours; print('dropped')",
}

_DROPPING = """
import os, sys, threading, time
from kt_cp import enumerate_tours
from kt_cp.methods import circuit
for repetition in range(int(sys.argv[1])):
    for drop in sys.argv[2:]:
        child = os.fork()
        if not child:
            tours = enumerate_tours("6x6", closed=True)
            moment = 0.01 * repetition
            exec(drop)
            sys.exit()
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            print(drop, os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks to exit many times")
def test_a_generator_that_is_dropped_ends_its_thread() -> None:
    """A thread of CP-SAT that outlived the interpreter would abort the process."""
    done = python("-c", _DROPPING, "3", *_DROPS.values(), timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.split()) == {"dropped"}
