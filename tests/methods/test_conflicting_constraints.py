"""Which constraints are in conflict, and the path with which a search begins."""

from typing import Any

import pytest

from kt_cp import InputError, Instance, Status, solve
from kt_cp.methods.conflicting_constraints import constraints_of


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


def test_given_steps_are_among_the_constraints_in_conflict() -> None:
    result = solve("5x5", givens={"a1": 1, "c2": 4}, having=["turns>=1", "crossings>=1"])
    assert result.status is Status.IMPOSSIBLE
    assert result.reason is not None
    assert result.reason.endswith(
        "no open tour meets the given steps, even without the other constraints"
    )


def test_given_steps_and_the_ends_among_them_are_left_out_together() -> None:
    tour = solve("5x5", having="turns>=23").tour
    assert tour is not None
    givens = {square: step for step, square in list(enumerate(tour, start=1))[::2]}
    result = solve("5x5", givens=givens, having=["turns<=22", "crossings>=1"])
    assert result.reason is not None
    assert result.reason.endswith(
        "no open tour meets the given steps and turns<=22, even without the other constraints"
    )


@pytest.mark.parametrize("closed", [False, True])
def test_constraints_beside_given_steps_and_an_order_can_be_left_out(closed: bool) -> None:
    asked = Instance.of(
        "6x6",
        closed=closed,
        start="a1",
        givens={"b3": 2},
        order=["b3", "f6"],
        having=["turns>=1"],
    )
    constraints = constraints_of(asked)
    assert [each.words for each in constraints] == [
        "the given steps",
        "the order b3, f6",
        "turns>=1",
    ]
    for each in constraints:
        assert each.removed_from(asked) != asked


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


@pytest.mark.parametrize("hint", [["a1", "b3", "a1"], [], ["z9"], "a", 5])
def test_a_hint_is_a_path(hint: Any) -> None:
    with pytest.raises(InputError, match="hint"):
        solve("8x8", hint=hint)


def test_methods_other_than_the_circuit_take_no_hint() -> None:
    with pytest.raises(InputError, match="method patch takes no hint"):
        solve("8x8", method="patch", hint=["a1", "b3"])
