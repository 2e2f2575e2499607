"""The settings of a comparison: boards and methods as they are typed, and its runs."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from kt_cp.board.board import Board
from kt_cp.compare import settings_of
from kt_cp.compare.settings import named_boards
from kt_cp.messages import InputError
from kt_dfs import strategy


def test_every_method_meets_every_instance_exactly_once() -> None:
    boards = {"3x4": Board(3, 4), "ring": Board(3, 3, holes=[4])}
    settings = settings_of(boards=boards, methods="dfs,greedy", starts="all,0", repeat=2)
    runs = list(settings.runs())
    assert len(runs) == len(set(runs)) == (12 + 8) * 2 * 2 * 2
    instances = [{run[1:] for run in runs if run.method == each} for each in settings.methods]
    assert instances[0] == instances[1]


def test_settings_are_read_as_they_are_typed() -> None:
    twice = settings_of(methods=("dfs", "circuit", "dfs"), kinds=("open", "open"))
    assert twice == settings_of(methods=("dfs", "circuit"), kinds=("open",))
    repeated = settings_of(repeat=3, seed=7)
    assert {(run.repetition, run.seed) for run in repeated.runs()} == {(0, 7), (1, 8), (2, 9)}
    ring = settings_of(boards={"ring": Board(3, 3, holes=[0, 4])}, starts=("any", "b3", "a1", "6"))
    assert ring.start_squares("ring") == [None, 1, 6]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"methods": ("magic",)}, "method 'magic': give one of auto, "),
        ({"methods": ()}, "methods: give at least one"),
        ({"boards": {}}, "boards: give at least one"),
        ({"kinds": ("half",)}, "kind 'half': give open, closed or both"),
        ({"starts": ("h8",)}, "on 5x5: start: square 'h8' is off the board"),
        ({"starts": ("corners",)}, "on 5x5: start: 'corners' is not a square"),
        ({"piece": "pawn"}, "piece 'pawn': give a name"),
        ({"topology": "sphere"}, "topology 'sphere': give one of flat"),
        ({"repeat": "3"}, "repeat '3': give at least 1"),
        ({"repeat": 0}, "repeat 0: give at least 1"),
        ({"seed": -1}, "seed -1: give 0 to 2147483647"),
        ({"seed": 2**31 - 1, "repeat": 2}, "seed 2147483647: give 0 to 2147483646"),
        ({"time_limit": 0.0}, "time limit 0: give a number of seconds above 0"),
        ({"memory_limit": 0.5}, "memory limit 0.5: give at least 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        settings_of(**{"boards": "5x5", **values})  # type: ignore[arg-type]


def test_a_comparison_beyond_reason_is_refused_before_memory_is_spent() -> None:
    with pytest.raises(InputError, match="800,000,000 runs: more than 1,000,000 are refused"):
        settings_of(boards="10000x10000", starts="all")
    assert settings_of(boards="10000x10000", starts="0")


def test_the_command_names_the_piece_that_all_boards_have_and_files_that_exist(
    tmp_path: Path,
) -> None:
    file = tmp_path / "ring & co.txt"
    file.write_text("...\n.#.\n...\n")
    boards = ["5X6", "random:4x4:holes=2", str(file)]
    settings = settings_of(boards=boards, piece="zebra", methods="dfs")
    words = settings.command()
    assert words is not None
    assert f"--boards=5X6,random:4x4:holes=2:seed=0,{file}" in words
    assert "--piece=zebra" in words
    file.unlink()
    assert settings.command() is None


@pytest.mark.parametrize(
    "boards",
    [
        [Board(4, 4, holes=[5])],
        {"5x5": Board(5, 5, holes=[5])},
        {"random:5x5:holes=1": Board(3, 4)},
        {"random:5x5:gaps=1": Board(5, 5)},
        {"5x5": Board(5, 5), "6x6": Board(6, 6, piece="zebra")},
        {"-": Board(3, 4)},
        {"5x5..6x6": Board(5, 5)},
        {"5x5,6x6": Board(5, 5)},
    ],
)
def test_no_command_repeats_a_comparison_of_boards_that_it_cannot_name(boards: Any) -> None:
    assert settings_of(boards=boards, methods="dfs").command() is None


def test_no_command_repeats_a_comparison_of_custom_methods() -> None:
    assert settings_of(boards="5x5", methods={"mine": strategy("dfs", 5, 5)}).command() is None


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["8x8", "3X10"], ["8x8", "3X10"]),
        (["4x6..6x8"], ["4x6", "5x7", "6x8"]),
        (["3x4..3x6"], ["3x4", "3x5", "3x6"]),
        (["6x6..6x6", "6x6"], ["6x6"]),
        (["random:5x5:holes=3"], ["random:5x5:holes=3:seed=0"]),
        (
            ["random:5x5:seed=7:holes=3:count=2"],
            ["random:5x5:holes=3:seed=7", "random:5x5:holes=3:seed=8"],
        ),
    ],
)
def test_words_stand_for_boards_each_once(words: list[str], names: list[str]) -> None:
    assert list(named_boards(words)) == names
    assert named_boards(names) == named_boards(words)
    assert len(set(named_boards(words).values())) == len(names)


def test_maps_come_from_files_folders_patterns_and_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maps = {"b.txt": "..#\n...", "a.txt": "....", "c.map": "..\n.#", ".hidden": "?"}
    for name, text in maps.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    assert named_boards(["b.txt"]) == {"b.txt": Board(2, 3, [2])}
    assert list(named_boards(["*.txt"])) == ["a.txt", "b.txt"]
    assert list(named_boards([str(tmp_path)])) == [
        str(tmp_path / name) for name in ("a.txt", "b.txt", "c.map")
    ]
    assert list(named_boards(["."])) == ["a.txt", "b.txt", "c.map"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b".#")))
    assert named_boards(["-"]) == {"-": Board(1, 2, [1])}
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input: it is closed"):
        named_boards(["-"])


def test_piece_and_topology_are_those_of_every_board_or_of_the_map(tmp_path: Path) -> None:
    for board in named_boards(["4x4", "random:5x5:holes=2"], "zebra", "torus").values():
        assert (board.piece.name, board.topology) == ("zebra", "torus")
    assert settings_of(piece="camel").boards["5x5"] == Board(5, 5, piece="camel")
    file = tmp_path / "map.txt"
    file.write_text("...\n...\n; piece: wazir\n")
    settings = settings_of(boards=f"3x3,{file}")
    assert [board.piece.name for board in settings.boards.values()] == ["knight", "wazir"]
    assert "--piece" not in (settings.command() or ())
    with pytest.raises(InputError, match="piece knight: the map says wazir"):
        settings_of(boards=str(file), piece="knight")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("8x8..5x5", "the sides that differ must grow alike"),
        ("3x4..5x10", "the sides that differ must grow alike"),
        ("3x10..4x4", "the sides that differ must grow alike"),
        ("random:8x8:holes=64", "8x8 has room for 63 holes"),
        ("random:8x8:hole=6", "give random:8x8:holes=6:count=20:seed=1"),
        ("random:8x8:count=99999", "give random:8x8:holes=6:count=20:seed=1"),
        ("random:0x8", "each side must be at least 1"),
        ("*.nothing", "there is no such file; give maps or sizes such as 8x8"),
        ("nowhere.txt", "nowhere.txt: No such file or directory; give a size such as 8x8 or"),
        ("8x", "board '8x': give both sides"),
        ("bad.txt", "bad.txt: line 1, column 2: '!' is not '.'"),
        ("bytes.txt", "bytes.txt: not a text file; a map has"),
        ("closed.txt", "closed.txt: the map has a constraint, kind; leave out its line"),
        ("steps.txt", "steps.txt: row 1, column 1: 1 is a step number; a board has only"),
    ],
)
def test_what_is_no_board_is_refused(
    word: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.txt").write_text(".!.")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "closed.txt").write_text("...\n; kind: closed\n")
    (tmp_path / "steps.txt").write_text("1 . .\n")
    with pytest.raises(InputError) as error:
        named_boards([word])
    assert message in str(error.value)
