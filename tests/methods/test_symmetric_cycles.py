"""The search for longest cycles: which symmetries it tries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kt_cp import Instance
from kt_cp.methods.longest import one_of_each_class
from kt_cp.model.partial import build_partial_model
from kt_cp.problem.clock import Clock


@pytest.mark.parametrize(
    ("size", "classes"),
    [("5x6", 3), ("6x6", 4)],  # the half-turn and reflections; of a square also a quarter-turn
)
def test_symmetries_that_differ_by_a_symmetry_are_tried_once(size: str, classes: int) -> None:
    instance = replace(Instance.of(size, closed=True, induced=True), allows_partial=True)
    symmetries = build_partial_model(instance, Clock()).symmetries
    assert len(one_of_each_class(symmetries[1:], symmetries)) == classes
