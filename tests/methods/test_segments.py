"""Longer tours by replaced segments: for which instances, and when the search restarts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kt_cp.methods import segments
from kt_cp.methods.segments import SegmentSearch, can_replace_segments
from kt_cp.problem.instance import Instance


@pytest.mark.parametrize(
    ("having", "can_replace"),
    [
        ([], True),
        (["crossings<=0"], True),
        (["chords<=0", "crossings<=0"], True),
        (["squares>=9"], True),
        (["crossings<=3"], False),
        (["turns<=9"], False),
        (["slope+2<=0"], False),  # which the search does not know
    ],
)
def test_segments_are_replaced_where_they_meet_every_bound(
    having: list[str], can_replace: bool
) -> None:
    instance = replace(Instance.of("6x6", having=having), allows_partial=True)
    assert can_replace_segments(instance) is can_replace


def test_a_search_that_finds_no_segment_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    restarted_from: list[list[int]] = []

    def part_of(_: SegmentSearch, tour: list[int]) -> list[int]:
        restarted_from.append(tour)
        return tour

    monkeypatch.setattr(segments, "_PATIENCE", 10)
    monkeypatch.setattr(SegmentSearch, "_replaced", lambda *_: None)
    monkeypatch.setattr(SegmentSearch, "_part_of", part_of)
    instance = replace(Instance.of("5x5"), allows_partial=True)
    tours = list(SegmentSearch(instance, seed=0).longer_tours(steps=25))
    assert len(tours) == 1
    assert restarted_from == [tours[0], tours[0]]
