"""Objectives, bounds on features and ``kt describe``, as a user runs them."""

import json
from pathlib import Path

import pytest

from kt_cp import Board, Tour, features, parse_path, solve
from kt_cp.solving import Interrupted
from kt_cp.tour.feature_table import FEATURES
from tests.helpers.command import kt, run


def test_the_best_tour_is_written_and_called_optimal() -> None:
    done = kt("solve", "6x6", "--closed", "--minimize", "turns", "--format", "squares")
    assert done.returncode == 0
    assert features(parse_path(done.stdout, Board(6, 6), closed=True).tour)["turns"] == 32
    assert done.stderr.endswith("; turns 32, optimal\n")


def test_the_time_limit_keeps_the_best_tour_and_the_bound() -> None:
    asked = ("--closed", "--maximize", "crossings", "--time-limit", "1", "--format", "json")
    done = kt("solve", "8x8", *asked)
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    best = answer["objective"]
    assert (best["feature"], best["sense"], best["optimal"]) == ("crossings", "maximize", False)
    assert best["value"] == best["trace"][-1]["value"] <= 126 <= (best["bound"] or 126)
    assert best["value"] == features(Tour("8x8", answer["tour"], closed=True))["crossings"]
    assert [each["value"] for each in best["trace"]] == sorted(
        each["value"] for each in best["trace"]
    )


def test_ctrl_c_writes_the_best_tour_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    result = solve("5x6", closed=True, minimize="turns")

    def interrupted(*_: object, **__: object) -> None:
        raise Interrupted(result)

    monkeypatch.setattr("kt_cp.cli.solve.solve", interrupted)
    done = run("solve", "5x6", "--closed", "--minimize", "turns", "--format", "squares")
    assert done.returncode == 130
    assert features(parse_path(done.stdout, Board(5, 6), closed=True).tour)["turns"] == 28


@pytest.mark.parametrize("command", ["count", "enumerate"])
def test_bounds_are_met(command: str) -> None:
    done = kt(command, "5x6", "--closed", "--having", "turns=28", "--having", "straight>=1")
    expected = {"count": "2 undirected closed tours of 5x6\n", "enumerate": ""}[command]
    assert done.returncode == 0
    assert done.stdout.endswith(expected)


def test_a_tour_is_described(tmp_path: Path) -> None:
    path = tmp_path / "tour.txt"
    tour = solve("8x8", closed=True, symmetry="half-turn").tour
    assert tour is not None
    path.write_text(" ".join(tour.names))
    done = kt("describe", path, "--closed")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "closed tour of 8x8, 64 squares"
    assert [line.split()[0] for line in lines[1:-1]] == [*FEATURES]
    assert next(line for line in lines if line.startswith("crossings")).endswith("126)")
    assert lines[-1].split() == ["symmetry", "half-turn"]
    as_json = json.loads(kt("describe", path, "--closed", "--format", "json").stdout)
    assert as_json == {"features": features(tour), "symmetry": ["half-turn"]}
