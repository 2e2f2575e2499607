"""``kt samples``: every file that it writes can be used as it says."""

import re
from pathlib import Path

import pytest

from kt_cp.cli.app import SAMPLES
from tests.helpers.command import ROOT, kt


def test_the_samples_that_ship_are_listed() -> None:
    done = kt("samples")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^\S+", done.stdout, flags=re.MULTILINE) == [*SAMPLES]
    assert {file.name for file in (ROOT / "kt_cp" / "samples").iterdir()} == {*SAMPLES}


def test_a_sample_is_printed_for_the_next_command() -> None:
    board = kt("samples", "board.txt").stdout
    assert kt("solve", "-", "--closed", stdin=board).returncode == 0


@pytest.mark.parametrize(
    ("name", "code", "verdict"),
    [
        ("board.txt", 0, "found: closed tour of 8x8, 60 squares"),
        ("puzzle.txt", 0, "unique: this is the only tour"),
        ("path.txt", 0, "valid closed tour of 8x8, 64 squares"),
        ("broken.txt", 1, "not a tour: 4 illegal moves, 1 step on two squares"),
        ("heart-board.txt", 0, "found: closed tour of 14x16, 162 squares"),
        ("ring.txt", 0, "found: closed tour of 14x14, 124 squares"),
        ("letter.txt", 0, "found: closed tour of 10x10, 80 squares"),
        ("cross.txt", 1, "impossible: "),
        ("published.txt", 1, "not a tour: 3 illegal moves, 153 repeats, 6 squares missing"),
        ("petersen.hcp", 1, "impossible: "),
    ],
)
def test_what_is_proposed_to_try_works(name: str, code: int, verdict: str, tmp_path: Path) -> None:
    assert kt("samples", name, "--out", str(tmp_path)).returncode == 0
    [command] = re.findall(r"try kt (.*)$", SAMPLES[name])
    words = [
        str(tmp_path / word) if word.endswith((".txt", ".svg", ".hcp")) else word
        for word in command.split()
    ]
    done = kt(*words)
    assert done.returncode == code
    assert verdict in done.stdout + done.stderr
    assert all(Path(word).exists() for word in words if word.startswith(str(tmp_path)))


def test_all_are_written_to_a_folder_where_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    for _ in range(2):
        assert kt("samples", "--out", str(folder)).returncode == 0
        assert {file.name for file in folder.iterdir()} == {*SAMPLES}
    (folder / "board.txt").write_text("mine")
    done = kt("samples", "--out", str(folder))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"kt: --out {folder}: another board.txt is there already\n"
    assert (folder / "board.txt").read_text() == "mine"
