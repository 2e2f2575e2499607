"""A script as a researcher writes it, kept as a test: holes, limits, statistics, symmetry."""

import random

import pandas
import pytest

from kt_cp import solve
from kt_cp.board.board import Board
from kt_cp.compare import compare
from kt_cp.count.classes import enumerate_tours
from kt_cp.messages import InputError
from kt_cp.tour.features import features


@pytest.mark.exhaustive
def test_a_script_of_a_researcher() -> None:
    draw = random.Random(1)
    boards = [Board(6, 6, holes=draw.sample(range(36), 4)) for _ in range(20)]
    results = [solve(board, closed=True, time_limit=5) for board in boards]
    frame = pandas.DataFrame([result.as_dict() for result in results])
    assert frame.groupby("status").seconds.median().max() < 5
    assert set(frame[frame.status == "impossible"].reason_kind) >= {"colours"}

    log = compare(boards=boards[:3], kinds="closed", methods="circuit,cuts,dfs", time_limit=2)
    by_method = log.to_frame().pivot_table("seconds", "board", "method", aggfunc="median")
    assert list(by_method) == ["circuit", "cuts", "dfs"]
    assert set(by_method.index) <= {f"6x6 #{number}" for number in (1, 2, 3)}

    tours = list(enumerate_tours("6x6", closed=True, symmetry="quarter-turn"))
    classes = list(
        enumerate_tours("6x6", closed=True, symmetry="quarter-turn", up_to_symmetry=True)
    )
    assert len(tours) > len(classes) > 0
    turns = pandas.DataFrame([features(tour) for tour in classes])["turns"]
    assert all(turns % 4 == 0)
    assert any(not tours[0].same_up_to_symmetry(tour) for tour in tours)
    with pytest.raises(InputError, match="off the board"):
        solve(boards[0], start="z9")
