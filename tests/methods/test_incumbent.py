"""The bound that an incumbent keeps of what CP-SAT proves."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from kt_cp import Instance
from kt_cp.methods.incumbent import Incumbent
from kt_cp.problem.task import Clock, Objective, Sense, Task


@pytest.mark.parametrize(("said", "kept"), [(9.0, 9), (0.0, 16), (2.0, 16)])
def test_a_search_without_a_tour_may_prove_a_bound_but_0_is_none(said: float, kept: int) -> None:
    instance = replace(Instance.of("4x4"), allows_partial=True)
    best = Incumbent(Task(instance, Clock()), Objective("squares", Sense.MAXIMIZE))
    best.cost_bounds = [-16]
    best.offer(np.array([0, 6, 8]))
    response = SimpleNamespace(status=SimpleNamespace(name="UNKNOWN"), best_objective_bound=said)
    best.learn(0, response)
    assert best.bound == kept
