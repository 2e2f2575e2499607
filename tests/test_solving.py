"""The entry point: limits, seeds, workers, hints, reasons, and constraints in conflict."""

from typing import Any

import pytest
from hypothesis import given, settings

from kt_cp import InputError, solve
from kt_cp.board import Board
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.proof.refutation import refute
from kt_dfs import Status
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import graph_instances, instances


@pytest.mark.parametrize("method", ["auto", "circuit", "cuts", "patch", "compose"])
def test_the_same_seed_gives_the_same_tour_and_another_seed_another(method: str) -> None:
    tours = [solve("8x8", method=method, seed=seed).tour for seed in (1, 1, 2, 3)]
    assert tours[0] == tours[1]
    assert len(set(tours)) > 1


def test_a_reason_is_given_unless_a_tour_was_found() -> None:
    assert solve(Board(5, 5)).reason is None
    assert solve(Board(5, 5), closed=True).reason
    limited = solve(Board(60, 60), closed=True, time_limit=1e-9)
    assert limited.status is Status.UNKNOWN
    assert limited.reason == "the time limit of 1e-09 s was reached"


def test_one_square_alone_is_an_open_tour_and_no_closed_one() -> None:
    for method in ("auto", "circuit", "warnsdorff"):
        found = solve(Board(1, 1), start=0, end=0, method=method).tour
        assert found is not None
        assert list(found) == [0]
        assert solve(Board(1, 1), closed=True, method=method).status is Status.IMPOSSIBLE


@pytest.mark.parametrize(
    ("instance", "reason"),
    [
        (Instance(Board(1, 1), closed=True), "at least 3 squares"),
        (
            Instance.of(Board(6, 6), require=[(0, 8)], forbid=[(8, 0)]),
            "the move a6-c5 is both required and forbidden",
        ),
        (
            Instance.of(Board(6, 6), require=[Move(0, 8, True), Move(8, 0, True)]),
            "go back and forth between",
        ),
        (
            Instance.of(Board(6, 6), require=[Move(8, 0, True), Move(8, 21, True)]),
            "the required moves leave c5 too often",
        ),
        (
            Instance.of(Board(6, 6), start=8, require=[Move(0, 8, True)]),
            "the required moves enter c5 too often",
        ),
        (
            Instance.of(Board(6, 6), require=[(0, 8), (8, 21), (8, 12)]),
            "c5 is forced to move to a6, a4 and d3, but a tour uses only two moves there",
        ),
        (
            Instance.of(Board(8, 8), closed=True, require=[(0, 10), (10, 27), (27, 17), (17, 0)]),
            "forced moves at a8, c7, b6 and d5 close a cycle",
        ),
        (Instance(Board(5, 5), closed=True), "13 dark and 12 light squares"),
        (Instance(Board(3, 3)), "b2 has no move"),
        (
            Instance.of(Board(5, 5), start=12, forbid=[Move(7, 0, True), Move(11, 0, True)]),
            "no allowed move enters a5, and a tour has only one start",
        ),
        (
            Instance(Board(3, 10, [4, 5, 14, 15, 24, 25])),
            "the moves leave the board in 2 components: no way from a3 to g3",
        ),
        (Instance.of(Board(3, 4), closed=True, forbid=[(0, 6)]), "a3 has only one move"),
        (Instance(Board(3, 8), closed=True), "Schwenk's theorem (1991)"),
        (
            Instance.of(Board(6, 6), forbid=[(0, 8), (35, 27)]),
            "a6 and f1 have only one move and must be ends of the tour; moves alternate between "
            "18 dark and 18 light squares, so an open tour ends on the other color; a6 and f1 are "
            "both light",
        ),
        (
            Instance(Board(4, 4)),
            "without the 4 squares b3, c3, b2 and c2 the board is in 6 components",
        ),
        (Instance(Board(4, 40), start=41, end=42), "of which the open tour with these ends"),
    ],
)
def test_reasons_say_what_a_person_can_check(instance: Instance, reason: str) -> None:
    assert reason in str(refute(instance))


@settings(max_examples=10)
@given(instances() | graph_instances())
def test_the_first_tour_is_the_least_of_all(instance: Instance) -> None:
    tour = solve(instance, method="first").tour
    least = min(all_tours(instance), default=None)
    assert (None if tour is None else tuple(tour.squares.tolist())) == least


def test_two_sides_in_place_of_a_board_are_refused_with_what_to_write() -> None:
    for asked in ((8, 8), (8,), ((8, 8),)):
        with pytest.raises(InputError, match=r"give '8x8' or Board\(8, 8\)"):
            solve(*asked)
    with pytest.raises(InputError, match=r"solve\('8x8', closed=True\)"):
        solve("8x8", True)


def few_turns(model: Any) -> None:
    model.cp.add(model.edge("a1", "c2") + model.edge("a1", "b3") >= 1)


def no_way_into_the_corner(model: Any) -> None:
    model.cp.add(model.edge("f6", "d5") == 0)


def no_other_way_into_it(model: Any) -> None:
    model.cp.add(model.step("f6") <= 30)


@pytest.mark.parametrize(
    ("asked", "conflict"),
    [
        (
            {"having": ["crossings>=1", "turns<=3"]},
            "no closed tour meets turns<=3, even without the other constraints",
        ),
        (
            {"having": ["straight<=3", "turns<=32"], "require": ["a1-b3"]},
            "no closed tour meets straight<=3 and turns<=32, even without the other constraints",
        ),
        (
            {"constrain": [few_turns, no_way_into_the_corner, no_other_way_into_it]},
            "no closed tour meets the constraints of no_way_into_the_corner, "
            "even without the other constraints",
        ),
    ],
)
def test_constraints_in_conflict_are_named(asked: dict[str, Any], conflict: str) -> None:
    result = solve("6x6", closed=True, **asked)
    assert result.status is Status.IMPOSSIBLE
    assert result.reason is not None
    assert result.reason.endswith(conflict)


@pytest.mark.parametrize("asked", [{}, {"closed": True}, {"start": "d4"}, {"having": "turns>=2"}])
def test_a_search_begins_with_the_tour_that_is_hinted(asked: dict[str, Any]) -> None:
    tour = solve("8x8", seed=5, **asked).tour
    assert tour is not None
    again = solve("8x8", hint=tour, **asked)
    assert again.tour is not None
    assert list(again.tour) == list(tour)
    assert again.counters["conflicts"] == 0


def test_a_hint_may_be_part_of_a_tour_or_contradict_what_is_asked() -> None:
    assert solve("8x8", hint=["a1", "b3", "a5"], closed=True)
    assert solve("8x8", hint=["a1", "b3"], forbid=["a1-b3"], method="circuit")
