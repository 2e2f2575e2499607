"""The model of tours that leave squares out: what of symmetric tours it keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kt_cp import Instance, Status, validate
from kt_cp.methods.segments import SegmentSearch
from kt_cp.model.backend import Solver
from kt_cp.model.partial import (
    build_partial_model,
    hint_tour,
    tour_of,
)
from kt_cp.problem.task import Clock

ONLY_THE_HINT = {"fix_variables_to_their_hinted_value": True}


def partial(size: str, **asked: Any) -> Instance:
    return replace(Instance.of(size, **asked), allows_partial=True)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("size", ["4x4", "4x5", "3x6"])
def test_of_every_tour_an_image_or_the_reverse_is_kept(size: str, closed: bool) -> None:
    instance = partial(size, closed=closed, uncrossed=True)
    tours = list(SegmentSearch(instance, seed=1).longer_tours(steps=200))
    assert tours
    for tour in tours:
        for each in (tour, tour[::-1]):
            model = build_partial_model(instance, Clock())
            hint_tour(model, np.array(each))
            solver = Solver(ONLY_THE_HINT, Clock())
            assert solver.solve(model.circuit.cp) is Status.FOUND
            kept = tour_of(model, np.array(solver.response.solution))
            assert len(kept) == len(tour)


@pytest.mark.parametrize("asked", [{"uncrossed": True}, {"induced": True}, {}])
@pytest.mark.parametrize("closed", [False, True])
def test_replaced_segments_leave_a_tour_of_the_kind_asked_for(closed: bool, asked: Any) -> None:
    instance = partial("5x5", closed=closed, **asked)
    lengths = []
    for tour in SegmentSearch(instance, seed=0).longer_tours(steps=500):
        assert validate(instance.graph, tour, closed, partial=True)
        assert instance.satisfied_by(np.array(tour))
        lengths.append(len(tour))
    assert lengths
    assert lengths == sorted(set(lengths))
