"""The programs of the exercise and the script that reproduces the published results."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from kt_dfs import published

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "scripts" / "reproduce.py"


def run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kt_dfs", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("order", published.VISIT_ORDERS, ids=lambda o: f"{o.program}-{o.start}")
def test_the_tour_programs_print_one_id_per_line(order: published.VisitOrder) -> None:
    done = run(f"{order.size} {order.start}\n", order.program)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(f"{square}\n" for square in order.ids)


@pytest.mark.parametrize(("text", "order"), published.GRAPH_ORDERS)
def test_the_dfs_program_prints_one_vertex_per_line(text: str, order: tuple[int, ...]) -> None:
    done = run(text, "dfs")
    assert (done.returncode, done.stdout.split()) == (0, list(map(str, order)))


def test_a_board_without_a_tour_is_said_to_have_none() -> None:
    done = run("4 5", "tour")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "kt_dfs: the 4x4 board has no open tour that starts at 5\n"


@pytest.mark.parametrize(
    ("program", "text", "says"),
    [
        ("tour", "", "two numbers, not 0"),
        ("tour", "5", "two numbers, not 1"),
        ("better", "5 4 3", "two numbers, not 3"),
        ("tour", "5 -1", "'-1' is not a number"),
        ("tour", "five 4", "'five' is not a number"),
        ("tour", "5 4.0", "'4.0' is not a number"),
        ("tour", "٥ 4", "is not a number"),
        ("tour", "0 0", "must be from 1 to 300"),
        ("tour", "100000 0", "must be from 1 to 300"),
        ("better", "5 25", "squares are 0 to 24"),
        ("better", "9" * 5000 + " 0", "is not a number"),
        ("dfs", "", "the vertex count"),
        ("dfs", "5,0 1,2", "edge 2, 'from to': two numbers, not 1"),
        ("dfs", "5,0 1,", "edge 2, 'from to': two numbers, not 0"),
        ("dfs", "5,0 5", "edge 1, '0 5': with 5 vertices they are numbered from 0 to 4"),
        ("dfs", "x,0 1", "'x' is not a number"),
        ("dfs", "999999999", "at most"),
        ("path", "5 4", "usage: "),
    ],
)
def test_input_that_makes_no_sense_gets_one_line_and_exit_code_2(
    program: str, text: str, says: str
) -> None:
    done = run(text, program)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("kt_dfs: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_bytes_that_are_no_text_get_one_line_too() -> None:
    command = [sys.executable, "-m", "kt_dfs", "tour"]
    done = subprocess.run(command, input=b"5 \xff\xfe", capture_output=True, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


def test_help_is_no_error() -> None:
    done = run("", "--help")
    assert (done.returncode, done.stdout) == (
        0,
        "usage: python -m kt_dfs tour|better|dfs < input\n",
    )


def test_a_reader_that_stops_early_meets_no_traceback() -> None:
    command = f"echo 40 0 | {sys.executable} -m kt_dfs better | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_every_published_result_is_as_it_should_be() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}  # in case the package is not installed
    done = subprocess.run(
        [sys.executable, SCRIPT], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "differs: the claim is wrong" in done.stdout
    assert "NOT AS IT SHOULD BE" not in done.stdout


def test_a_published_result_that_is_not_reproduced_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(published, "STATIC_CALLS", 263)
    main = runpy.run_path(str(SCRIPT))["main"]
    monkeypatch.setitem(main.__globals__, "SECTIONS", (main.__globals__["clockwise_6"],))
    assert main() == 1
    assert "NOT AS IT SHOULD BE" in capsys.readouterr().out
