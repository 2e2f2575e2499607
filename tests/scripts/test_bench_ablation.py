"""The settings that the ablation compares give the same answers."""

import pytest

from kt_cp import Board, Instance
from scripts.bench_ablation import SETTINGS, seconds


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_finds_a_tour_and_proves_that_there_is_none(setting: str) -> None:
    assert seconds(setting, Instance(Board(6, 6), closed=True), seed=0, limit=1) < 60
    if "hint" not in setting:
        assert seconds(setting, Instance(Board(4, 6), closed=True), seed=0, limit=1) < 60
