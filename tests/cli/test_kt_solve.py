"""``kt solve``, ``longest``, ``cover``, ``describe`` and ``export``: answers and exit codes."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from kt_cp import solve, validate
from kt_cp.board import Board
from kt_cp.export import ExportFormat
from kt_cp.methods.result import SearchInterruptedError
from kt_cp.notation.formats import parse_cover
from kt_cp.notation.read import parse_path
from kt_cp.proof.certificate import Certificate
from kt_cp.tour.features import FEATURES, features
from kt_cp.tour.tour import Tour
from tests.helpers.command import kt, run

MAP = "\n..#..\n.....  \n.....\n.....\n.....\n\n"


def path_of(grid: str) -> list[int]:
    """Read a numbered board without the package's own reader."""
    cells = [0 if cell == "#" else int(cell) for cell in grid.split()]
    return [square for square in np.argsort(cells, kind="stable").tolist() if cells[square]]


def test_a_closed_tour_of_8x8_is_printed_as_a_numbered_board() -> None:
    done = kt("solve", "8x8", "--closed")
    assert done.returncode == 0
    assert validate(Board(8, 8), path_of(done.stdout), closed=True).valid
    assert {len(line) for line in done.stdout.splitlines()} == {8 * 3 - 1}
    assert done.stderr.startswith("found: closed tour of 8x8, 64 squares")


def test_json_says_everything_in_one_object() -> None:
    asked = ("--closed", "--piece", "2,3", "--format", "json")
    answer = json.loads(kt("solve", "10x10", *asked).stdout)
    assert list(answer) == [
        *("status", "board", "closed", "tour", "method", "seconds"),
        *("reason", "reason_kind", "counters", "objective"),
    ]
    assert answer["status"] == "found"
    assert answer["board"] == {"rows": 10, "columns": 10, "holes": [], "piece": "zebra"}
    assert validate(Board(10, 10, piece="zebra"), answer["tour"], closed=answer["closed"]).valid
    none = json.loads(kt("solve", "4x8", *asked).stdout)
    assert (none["status"], none["tour"]) == ("impossible", None)
    assert none["reason"]


def test_a_map_is_read_and_required_and_forbidden_moves_are_met(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(MAP)
    for done in (kt("solve", "board.txt", folder=tmp_path), kt("solve", "-", stdin=MAP)):
        assert validate(Board(5, 5, [2]), path_of(done.stdout)).valid
        assert "#" in done.stdout.splitlines()[0]
    asked = ("--require", "a1-c2", "--forbid", "b3-d4", "--format", "moves")
    moves = kt("solve", "-", *asked, stdin=MAP).stdout.split()
    assert {"a1-c2", "c2-a1"} & set(moves)
    assert not {"b3-d4", "d4-b3"} & set(moves)
    one_way = kt("solve", "6x6", "--closed", "--require", "c2>a1", "--format", "moves")
    assert "c2-a1" in one_way.stdout.split()


def test_a_file_is_replaced_by_a_tour_only(tmp_path: Path) -> None:
    out = tmp_path / "tour.txt"
    assert kt("solve", "5x5", "--format", "ids", "--out", str(out)).stdout == ""
    written = out.read_text("utf-8")
    assert validate(Board(5, 5), [int(line) for line in written.split()]).valid
    kt("solve", "4x4", "--format", "ids", "--out", str(out))
    assert out.read_text("utf-8") == written
    assert [file.name for file in tmp_path.iterdir()] == ["tour.txt"]


def test_two_tours_are_shown_where_there_are_more_and_where_they_differ(tmp_path: Path) -> None:
    clues = "1 . . . .\n. . . . .\n. . 13 . .\n. . . . .\n. . . . 25\n"
    done = kt("solve", "-", "--unique", "--draw", tmp_path / "two.svg", stdin=clues)
    assert done.returncode == 1
    *tours, marks = done.stdout.split("\n\n")
    one, other = (tour.split() for tour in tours)
    starred = marks.replace(";", "").split()
    assert starred == ["." if a == b else "*" for a, b in zip(one, other, strict=True)]
    differ = f"they differ on {starred.count('*')} squares: b5 c5 d5 a4 "
    assert done.stderr.startswith(f"not unique: these are two of the tours; {differ}")
    assert "moves of the second" in (tmp_path / "two.svg").read_text()
    board = kt("solve", "4x4", "--piece", "king", "--closed", "--unique")
    assert "they differ on " in board.stderr, "by their moves, since no step is given"
    answer = json.loads(kt("solve", "5x5", "--unique", "--format", "json").stdout)
    assert answer["unique"] is False
    for tour in answer["tours"]:
        assert validate(Board(5, 5), tour).valid


# Objectives


def test_the_time_limit_keeps_the_best_tour_and_the_bound() -> None:
    asked = ("--closed", "--maximize", "crossings", "--time-limit", "1", "--format", "json")
    done = kt("solve", "8x8", *asked)
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    best, values = answer["objective"], [each["value"] for each in answer["objective"]["trace"]]
    assert (best["feature"], best["sense"], best["optimal"]) == ("crossings", "maximize", False)
    assert best["value"] == values[-1] <= 126 <= (best["bound"] or 126)
    assert best["value"] == features(Tour("8x8", answer["tour"], closed=True))["crossings"]
    assert values == sorted(values)


def test_ctrl_c_writes_the_best_tour_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    result = solve("5x6", closed=True, minimize="turns")

    def interrupted(*_: object, **__: object) -> None:
        raise SearchInterruptedError(result)

    monkeypatch.setattr("kt_cp.cli.solve.solve", interrupted)
    done = run("solve", "5x6", "--closed", "--minimize", "turns", "--format", "squares")
    assert done.returncode == 130
    assert features(parse_path(done.stdout, Board(5, 6), closed=True).tour)["turns"] == 28


def test_a_tour_found_before_is_where_the_search_begins(tmp_path: Path) -> None:
    known = kt("solve", "8x8", "--closed", "--seed", "5", "--format", "squares", folder=tmp_path)
    (tmp_path / "known.txt").write_text(known.stdout)
    asked = ("8x8", "--closed", "--hint", "known.txt", "--format", "squares")
    assert kt("solve", *asked, folder=tmp_path).stdout == known.stdout


def test_a_tour_is_described(tmp_path: Path) -> None:
    path = tmp_path / "tour.txt"
    tour = solve("8x8", closed=True, symmetry="half-turn").tour
    assert tour is not None
    path.write_text(" ".join(tour.names))
    done = kt("describe", path, "--closed")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "closed tour of 8x8, 64 squares"
    sums = ["rows", "columns", "diagonals"]
    assert [line.split()[0] for line in lines[1:]] == [*FEATURES, "symmetry", *sums]
    assert next(line for line in lines if line.startswith("crossings")).endswith("126)")
    assert "symmetry   half-turn" in lines
    as_json = json.loads(kt("describe", path, "--closed", "--format", "json").stdout)
    assert as_json.pop("sums")["rows"] == tour.grid.sum(axis=1).tolist()
    assert as_json == {"features": features(tour), "symmetry": ["half-turn"]}


# Other tools. The contents of the formats: test_export


@pytest.mark.parametrize("form", ExportFormat)
def test_every_format_is_printed_or_written_and_nothing_is_solved(
    form: ExportFormat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("kt_cp.cli.solve.solve")
    asked, file = ("6x6", "--closed", "--require", "a1-b3", "--format", form), tmp_path / "problem"
    printed, written = kt("export", *asked), kt("export", *asked, "--out", file)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert (written.returncode, written.stdout) == (0, "")
    assert written.stderr == f"kt: wrote {file}\n"
    assert file.read_text("utf-8") == printed.stdout


def test_a_long_search_gives_a_sign_of_life_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kt_cp.cli.output._FIRST_SIGN", 0.2)
    monkeypatch.setattr("kt_cp.cli.output._NEXT_SIGN", 0.3)
    done = kt("solve", "8x8", "--closed", "--method", "dfs", "--time-limit", "1")
    assert done.stderr.count("solving 8x8\n") >= 2
    assert done.stderr.count("no answer yet: without --method the usual methods are tried") == 1


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
    answer = json.loads(kt("longest", "1x2", "--closed", "--format", "json").stdout)
    assert (answer["status"], answer["tour"], answer["objective"]) == ("impossible", None, None)


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
    assert "6 components, 5 allowed" in (tmp_path / "c.svg").read_text()
    page = kt("check", "c.json", "--draw", "c.html", folder=tmp_path)
    assert page.returncode == 0
    assert "6 components, 5 allowed" in (tmp_path / "c.html").read_text()


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


def test_how_to_go_on_is_not_told_for_what_cannot_be_read_again() -> None:
    assert "kt longest" not in kt("solve", "-", stdin=". . .\n. . .\n").stderr
