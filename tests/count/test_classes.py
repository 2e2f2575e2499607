"""All tours and their classes: as in the literature, and the very same as exhaustive search.

The images of every tour are computed here, by exhaustive search and without Burnside's lemma.
"""

import itertools
import os
from collections import Counter
from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.count import frontier, tables
from kt_cp.count.cost import OutOfMemoryError
from kt_cp.count.counting import Count, count_tours, enumerate_tours
from kt_cp.count.plan import unsupported
from kt_cp.count.sampling import sample_tours
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import tour_maps
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.tour.tour import Tour
from tests.helpers.command import python
from tests.helpers.oracle import all_tours, constraints_of, undirected
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
    ("4x8", {"closed": True}, False, 0, CLOSED),
    ("5x5", {}, False, 1728, OPEN),
    ("5x5", {"start": 0}, False, 304, OPEN),
    ("6x6", {"closed": True}, True, 1245, CLASSES),
    ("6x6", {"closed": True, "symmetry": "half-turn"}, False, 78, CLOSED),
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
    assert count_tours(Board(200, 200), closed=True, time_limit=0.5) == Count(0, False, CLOSED)
    assert not solve(Board(150, 150), method="frontier", time_limit=0.5)


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
    "in a cycle of references": "next(tours); ring = [tours]; ring.append(ring); del tours",
    "used by another thread": "threading.Thread(target=next, args=(tours,)).start()",
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


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks to exit many times")
def test_a_generator_that_is_dropped_ends_its_thread() -> None:
    """A thread of CP-SAT that outlived the interpreter would abort the process."""
    done = python("-c", _DROPPING, "1", *_DROPS.values(), timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.split()) == {"dropped"}


def moves_of(tour: tuple[int, ...], closed: bool) -> frozenset[tuple[int, int]]:
    """Return the moves of a tour as pairs of ids."""
    onward = tour[1:] + tour[:1] if closed else tour[1:]
    return frozenset(zip(tour, onward, strict=False))


def classes_by_images(instance: Instance) -> int:
    """Return the number of classes by collecting the images of every tour."""

    def as_counted(moves: frozenset[tuple[int, int]]) -> frozenset[object]:
        if instance.closed and not instance.direction_matters:
            return frozenset(map(frozenset, moves))
        return moves

    maps = tour_maps(instance)
    return len(
        {
            frozenset(as_counted(each.images_of(moves_of(tour, instance.closed))) for each in maps)
            for tour in all_tours(instance)
        }
    )


KINGS = Board(3, 4, piece="king")


@pytest.mark.parametrize(
    ("board", "constraints"),
    [
        (KINGS, {"closed": True}),
        (KINGS, {"closed": True, "forbid": ["b1>c1", "c3>b3"]}),  # a half-turn
        (KINGS, {"closed": True, "require": ["a1>a2", "d2>d3"]}),  # kept by reversal alone
        (
            Board(4, 4, piece="wazir"),
            {"closed": True, "forbid": ["b2>c2", "c2>c3", "c3>b3", "b3>b2"]},
        ),
        (Board(3, 4), {"forbid": ["a1>b3", "d3>c1"]}),
    ],
)
@pytest.mark.parametrize("method", ["enumerate", "frontier"])
def test_classes_are_those_of_exhaustive_search(
    board: Board, constraints: Constraints, method: str
) -> None:
    expected = classes_by_images(Instance.of(board, **constraints))
    count = count_tours(board, up_to_symmetry=True, method=method, **constraints)
    assert (count.count, count.complete, count.counted) == (expected, True, "classes")


# Tours drawn at random: valid, all equally likely, the same for the same seed.


def assert_uniform(tours: list[Tour], possible: int) -> None:
    """Check the chi-squared statistic against five standard deviations from its mean."""
    draws = Counter(undirected(tuple(tour)) if tour.closed else tuple(tour) for tour in tours)
    expected = len(tours) / possible
    missed = (possible - len(draws)) * expected
    statistic = missed + sum((drawn - expected) ** 2 / expected for drawn in draws.values())
    degrees = possible - 1
    assert len(draws) <= possible
    assert abs(statistic - degrees) < 5 * sqrt(2 * degrees)


@pytest.mark.parametrize(
    ("size", "constraints", "possible"),
    [
        ("5x5", {"start": 0}, 304),
        ("3x4", {}, 16),
        ("5x5", {"start": "a1", "end": "e5"}, 56),
        ("5x6", {"closed": True}, 8),
        ("3x12", {"closed": True}, 176),
        pytest.param("6x6", {"closed": True}, 9862, marks=pytest.mark.exhaustive),
    ],
)
def test_every_tour_is_drawn_equally_often(
    size: str, constraints: Constraints, possible: int
) -> None:
    assert count_tours(size, **constraints).count == possible
    assert_uniform(sample_tours(size, 5 * possible, seed=1, **constraints), possible)


@given(instances(), st.integers(0, 99), st.booleans())
def test_what_is_drawn_meets_every_constraint_and_is_the_same_for_the_same_seed(
    instance: Instance, seed: int, small: bool
) -> None:
    assume(unsupported(instance) is None)
    with pytest.MonkeyPatch.context() as patch:
        if small:  # parts, and long counts
            patch.setattr(frontier, "_CHUNK", 50)
            patch.setattr(tables, "_DIGIT_BITS", 2)
        drawn = sample_tours(instance.board, 5, seed, **constraints_of(instance))
        again = sample_tours(instance.board, 5, seed, **constraints_of(instance))
    assert [tuple(tour) for tour in drawn] == [tuple(tour) for tour in again]
    assert all(instance.satisfied_by(tour.squares) for tour in drawn)
    assert all(tour.closed is instance.closed for tour in drawn)
    assert len(drawn) == (5 if any(True for _ in all_tours(instance)) else 0)


@pytest.mark.exhaustive
def test_tours_within_bounds_are_drawn_equally_often_and_none_where_there_is_none() -> None:
    asked: Constraints = {"start": 0, "having": ["turns<=21"]}
    possible = len(list(enumerate_tours("5x5", **asked)))
    assert possible > 10
    assert_uniform(sample_tours("5x5", 5 * possible, seed=1, **asked), possible)
    assert sample_tours("5x6", 3, closed=True, having=["turns<=27"]) == []


def test_states_beyond_the_memory_limit_are_kept_on_disk() -> None:
    drawn = [sample_tours("4x10", 3, memory_limit=limit) for limit in (8, 1000)]
    assert drawn[0] == drawn[1]


def test_states_that_do_not_fit_end_the_draw() -> None:
    with pytest.raises(
        OutOfMemoryError, match="the memory limit was reached: frontier of 12 squares"
    ):
        sample_tours("6x6", 3, seed=1, closed=True, memory_limit=1)


def test_draws_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="count 0"):
        sample_tours("5x5", 0)
    with pytest.raises(InputError, match="cannot be drawn at random under a symmetry"):
        sample_tours("6x6", 1, closed=True, symmetry="half-turn")
    assert sample_tours("4x4", 3) == []
    assert sample_tours(Board(1, 1), 2, closed=True) == []
    assert len(sample_tours(Board(1, 1), 2)) == 2


def test_a_draw_shows_the_time_that_is_left_and_says_why_it_ended() -> None:
    lines: list[str] = []
    sample_tours("5x6", 1, closed=True, progress=lines.append)
    assert lines[3].startswith("4 of 30 squares, about 0 s left, ")
    with pytest.raises(OutOfTimeError, match=r"^the time limit was reached$"):
        sample_tours("8x8", 3, time_limit=0.2)
