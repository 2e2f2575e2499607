"""``kt longest`` and ``kt cover`` as a user runs them: answers, exit codes, limits and pictures."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from kt_cp.board.board import Board
from kt_cp.notation.read import parse_path
from kt_cp.notation.write import parse_cover
from kt_cp.proof.certificate import Certificate
from kt_cp.tour.tour import Tour
from tests.helpers.command import kt

PATH = "path through 15 of 16 squares of 4x4"


# Longest paths and cycles


def test_a_path_is_written_with_how_many_squares_it_visits_and_whether_that_is_proven() -> None:
    done = kt("longest", "4x4")
    assert done.returncode == 0
    assert parse_path(done.stdout).verdict == f"valid {PATH}"
    assert done.stderr.startswith(f"found: {PATH}, by circuit in ")
    assert done.stderr.endswith("; optimal by a separator\n")


def test_json_has_the_path_the_bound_and_what_proves_it() -> None:
    answer = json.loads(kt("longest", "4x4", "--closed", "--format", "json").stdout)
    assert (answer["status"], answer["closed"], answer["partial"]) == ("found", True, True)
    assert Tour("4x4", answer["tour"], closed=True, partial=True).is_partial
    best = answer["objective"]
    assert (best["feature"], best["value"], best["bound"]) == ("squares", 14, 14)
    assert (best["optimal"], best["proof"]) == (True, "separator")


def test_a_table_has_a_row_for_each_step_and_is_read_and_drawn_as_the_same_path(
    tmp_path: Path,
) -> None:
    written = kt("longest", "4x4", "--format", "csv").stdout
    head, first, *_ = written.splitlines()
    assert (head, first[:2]) == ("step,square", "1,")
    (tmp_path / "path.csv").write_text(written)
    assert kt("validate", "path.csv", folder=tmp_path).stdout.startswith(f"valid {PATH}\n")
    assert kt("draw", "path.csv", "--out", "path.svg", folder=tmp_path).returncode == 0


def test_no_path_that_is_asked_for_is_exit_code_1() -> None:
    done = kt("longest", "4x4", "--at-least", "16")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("impossible: ")
    answer = json.loads(kt("longest", "1x2", "--closed", "--format", "json").stdout)
    assert (answer["status"], answer["tour"], answer["objective"]) == ("impossible", None, None)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["4x4", "--order", "a1 b3"], "an order: only for tours that visit every square"),
        (["4x4", "--at-least", "17"], "17: give 1 to 16"),
        (["4x4", "--visit", "e9"], "visit: square 'e9' is off the board"),
        (["4x4", "--workers", "0"], "workers 0: give 1 to"),
        (["4x4", "--parameter", "nosuch=1"], "nosuch"),
    ],
)
def test_bad_input_gets_one_line(asked: list[str], message: str) -> None:
    done = kt("longest", *asked)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_time_limit_leaves_a_path_and_a_bound_or_no_answer() -> None:
    asked = ("longest", "8x8", "--time-limit", "0.001", "--format", "json")
    answer = json.loads(kt(*asked).stdout)
    assert (answer["status"], answer["objective"]["bound"]) == ("found", 64)
    unknown = kt(*asked, "--closed", "--uncrossed")
    assert unknown.returncode == 3
    assert json.loads(unknown.stdout)["reason_kind"] == "time-limit"


@pytest.mark.parametrize("command", ["longest", "cover"])
def test_a_certificate_is_written_and_checked(command: str, tmp_path: Path) -> None:
    kt(command, "4x4", "--certificate", "c.json", folder=tmp_path)
    assert Certificate.parse((tmp_path / "c.json").read_text()).claim is not None
    drawn = kt("check", "c.json", "--draw", "c.svg", folder=tmp_path)
    assert drawn.returncode == 0
    assert drawn.stdout.startswith("holds: ")
    assert "one path visits 5 at most" in (tmp_path / "c.svg").read_text()
    page = kt("check", "c.json", "--draw", "c.html", folder=tmp_path)
    assert page.returncode == 0
    assert "5 at most" in (tmp_path / "c.html").read_text()


# Fewest paths


def test_a_cover_is_written_as_text_csv_and_json() -> None:
    for form in ("text", "csv", "json"):
        done = kt("cover", "4x4", "--format", form)
        assert done.returncode == 0
        report = parse_cover(done.stdout, Board(4, 4))
        assert report.verdict == "valid: 2 paths through all squares of 4x4"
    answer = json.loads(done.stdout)
    assert (answer["objective"]["value"], answer["objective"]["proof"]) == (2, "separator")


def test_a_cover_is_validated_and_described_by_what_it_states() -> None:
    for form in ("text", "json"):
        printed = kt("cover", "4x4", "--format", form).stdout
        assert kt("validate", "-", stdin=printed).stdout.startswith("valid: 2 paths through all")
    assert kt("describe", "-", stdin=printed).stdout.startswith(
        "2 paths through all squares of 4x4\npath 1: "
    )
    described = json.loads(kt("describe", "-", "--format", "json", stdin=printed).stdout)
    assert sum(path["features"]["squares"] for path in described["paths"]) == 16
    wrong = kt("validate", "-", stdin="a1 b3\n; board: 1x2\n; kind: cover\n")
    assert wrong.returncode == 2
    short = kt("validate", "-", "--format", "json", stdin="a1\n; board: 1x2\n; kind: cover\n")
    assert short.returncode == 1
    assert json.loads(short.stdout)["faults"] == ["b1 is not visited"]


# Walks cover it with three paths, and separators prove two.
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"paths": 7, "board": "3x3"}', "paths: give a list of lists of squares"),
        ('{"paths": [["a1"]]}', "the cover does not state its board: give it (--board)"),
        ("a1\n; kind: cover", "the cover does not state its board"),
        ("path,step,square\n1,2,a1", "where there should be path 1, step 1 and a square"),
        pytest.param(f"path,step,square\n1,1,{'a' * 200_000}", "cannot be read", id="long"),
        ("a1 z9\n; kind: cover\n; board: 3x3", "square 'z9' is off the board"),
    ],
)
def test_a_cover_that_cannot_be_read_gets_one_line(text: str, message: str) -> None:
    asked: Any = ("--board", "3x3") if text.startswith("path") else ()
    done = kt("validate", "-", *asked, stdin=text)
    assert done.returncode == 2
    assert message in done.stderr


# How to go on where there is no tour


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["3x3", "--piece", "king", "--topology", "flat"], None),
        (["2x3", "--piece", "zebra"], "the longest path: kt longest 2x3 --piece zebra\n"),
        (["4x4", "--forbid", "a1>b3"], "the longest path: kt longest 4x4 --forbid 'a1>b3'\n"),
        (["3x4", "--having", "turns<=2"], "the longest path: kt longest 3x4 --having 'turns<=2'\n"),
        (
            ["4x4", "--symmetry", "left-right", "--closed"],
            "the longest cycle: kt longest 4x4 --closed --symmetry left-right\n",
        ),
        (["4x4", "--unique"], "the longest path: kt longest 4x4\n"),
    ],
)
def test_no_tour_ends_with_how_to_go_on(asked: list[str], told: str | None) -> None:
    done = kt("solve", *asked)
    if told is None:
        assert "kt longest" not in done.stderr
        return
    assert done.stderr.endswith(told)
    _, _, command = told.strip().partition(": kt ")
    assert kt(*shlex.split(command), "--time-limit", "20").returncode == 0


def test_no_tour_of_a_graph_ends_with_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "star graph.edgelist").write_text("a b\na c\na d\n")
    done = kt("solve", "star graph.edgelist", folder=tmp_path)
    assert done.stderr.endswith("the longest path: kt longest 'star graph.edgelist'\n")
    assert "kt longest" not in kt("solve", "-", stdin=". . .\n. . .\n").stderr
