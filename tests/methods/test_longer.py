"""Searches for a longer tour that take turns: what they find, and the bounds that they prove."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kt_cp import Instance, Status, longest_path
from kt_cp.methods.incumbent import Incumbent
from kt_cp.methods.longer import LongerTours, note_most_squares
from kt_cp.methods.longest import VISIT_MOST
from kt_cp.problem.task import BoundProof, Clock, Task


def incumbent(size: str, **asked: Any) -> Incumbent:
    instance = replace(Instance.of(size, **asked), allows_partial=True)
    return Incumbent(Task(instance), VISIT_MOST)


@pytest.mark.parametrize(
    ("size", "asked", "most"),
    [
        ("5x5", {"uncrossed": True}, 11),  # ten moves, OEIS A003192
        ("6x6", {"closed": True, "uncrossed": True}, 12),  # A157416
        ("5x5", {"induced": True}, 15),  # A357500
        ("6x6", {"closed": True, "induced": True}, 20),  # A165143
    ],
)
def test_without_cp_sat_they_prove_the_published_value(size: str, asked: Any, most: int) -> None:
    best = incumbent(size, **asked)
    LongerTours(best.task, best).take_turns(Clock())
    assert best.squares is not None
    assert best.is_optimal
    assert (len(best.squares), best.bound, best.bound_proof) == (most, most, BoundProof.CADICAL)


@pytest.mark.parametrize("asked", [{"uncrossed": True}, {"induced": True}])
def test_that_no_tour_has_so_many_squares_is_proven(asked: Any) -> None:
    best = incumbent("4x4", having="squares>=12", **asked)
    LongerTours(best.task, best).take_turns(Clock())
    assert best.has_no_tour
    result = longest_path("4x4", at_least=12, **asked)
    assert result.status is Status.IMPOSSIBLE


def test_a_bound_on_cycles_of_a_board_is_even_and_never_gets_worse() -> None:
    best = incumbent("5x5", closed=True, induced=True)
    note_most_squares(best, 0, 21.4, BoundProof.CADICAL)
    assert (best.bound, best.bound_proof) == (20, BoundProof.CADICAL)
    note_most_squares(best, 0, 22, BoundProof.CP_SAT)
    assert (best.bound, best.bound_proof) == (20, BoundProof.CADICAL)


@pytest.mark.parametrize(
    "asked",
    [{"induced": True, "having": "chords>=2"}, {"uncrossed": True, "having": "crossings>=1"}],
)
def test_bounds_that_contradict_each_other_are_left_to_cp_sat(asked: Any) -> None:
    best = incumbent("3x4", **asked)
    assert not LongerTours(best.task, best).can_take_turns
    assert longest_path("3x4", **asked).status is Status.IMPOSSIBLE


def test_tours_without_such_a_constraint_are_left_to_cp_sat() -> None:
    best = incumbent("4x4")
    assert not LongerTours(best.task, best).can_take_turns
