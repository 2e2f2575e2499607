"""``kt count``, ``kt puzzle`` and the constraints of ``kt solve`` as a user runs them."""

import json
from pathlib import Path

from kt_cp import Board, validate
from tests.helpers.command import kt


def test_the_method_is_told_beside_the_number() -> None:
    by_frontier = kt("count", "5x20", "--closed", "--method", "frontier")
    assert by_frontier.stdout == "53034853662012222798 undirected closed tours of 5x20\n"
    assert by_frontier.stderr == "counted by frontier\n"
    assert kt("count", "5x5", "--method", "enumerate").stderr == "counted by enumerate\n"
    short = kt("count", "7x8", "--closed", "--memory-limit", "10", "--method", "frontier")
    assert (short.returncode, short.stdout) == (3, "at least 0 undirected closed tours of 7x8\n")
    assert "the memory limit was reached: frontier of 15 squares, " in short.stderr


def test_a_sequence_of_boards_has_a_line_each() -> None:
    done = kt("count", "3x4..3x7,5x5", "--time-limit", "60")
    assert (done.returncode, done.stdout) == (0, "3x4 16\n3x5 0\n3x6 0\n3x7 104\n5x5 1728\n")
    assert done.stderr.splitlines()[0] == "3x4: counted by frontier"
    done = kt("count", "3x10,12x12,3x12", "--closed", "--memory-limit", "500")
    assert (done.returncode, done.stdout) == (3, "3x10 16\n12x12 ?\n3x12 176\n")
    done = kt("count", "5x6..5x8", "--closed", "--format", "bfile", "--offset", "6")
    assert (done.returncode, done.stdout) == (0, "6 8\n7 0\n8 44202\n")
    done = kt("count", "3x4,3x7", "--format", "json")
    assert [json.loads(line)["count"] for line in done.stdout.splitlines()] == [16, 104]
    assert kt("count", "3x10", "--closed", "--format", "bfile").stdout == "1 16\n"


def test_what_a_count_would_take_is_said_at_once() -> None:
    done = kt("count", "8x8", "--closed", "--memory-limit", "6000")
    assert (done.returncode, done.stdout) == (3, "at least 0 undirected closed tours of 8x8\n")
    assert done.stderr == (
        "counted by frontier: a frontier of 17 vertices, about 770,000,000 states, 12 min and "
        "17,713 MiB of memory, but the limit is 6,000; --spill DIRECTORY keeps the states on disk, "
        "in about as much space\n"
    )


def test_a_count_goes_on_in_its_directory(tmp_path: Path) -> None:
    asked = ("5x8", "--closed", "--method", "frontier", "--spill", str(tmp_path / "states"))
    done = kt("count", *asked, "--jobs", "2", "--log", str(tmp_path / "layers.csv"))
    assert (done.returncode, done.stdout) == (0, "44202 undirected closed tours of 5x8\n")
    assert (tmp_path / "layers.csv").read_text().count("\n") == 41
    assert kt("count", *asked).stdout == done.stdout
    other = kt("count", "5x6", *asked[1:])
    assert (other.returncode, other.stdout) == (2, "")
    assert other.stderr.startswith(f"kt: --spill {tmp_path}/states: holds another count, of ")


def test_a_count_cut_short_is_at_least_that_many() -> None:
    done = kt("count", "6x6", "--limit", "100")
    assert (done.returncode, done.stdout) == (3, "at least 100 directed open tours of 6x6\n")
    answer = json.loads(kt("count", "6x6", "--limit", "100", "--format", "json").stdout)
    assert answer == {"count": 100, "complete": False, "counted": "directed open"}
    assert kt("count", "8x8", "--closed", "--time-limit", "0.5").returncode == 3


def test_a_puzzle_is_solved_by_kt_solve_and_has_one_solution() -> None:
    made = kt("puzzle", "6x6", "--seed", "7", "--solution")
    puzzle, _, solution = made.stdout.partition("; solution:\n")
    assert puzzle.count(".") > 25
    solved = kt("solve", "-", "--unique", stdin=made.stdout)
    assert (solved.returncode, solved.stdout) == (0, solution.replace("; ", ""))
    assert solved.stderr == "unique: this is the only tour\n"


def test_two_tours_are_shown_where_there_are_more() -> None:
    done = kt("solve", "5x5", "--unique")
    assert done.returncode == 1
    assert len(set(done.stdout.split("\n\n"))) == 2
    assert done.stderr == "not unique: these are two of the tours\n"
    answer = json.loads(kt("solve", "5x5", "--unique", "--format", "json").stdout)
    assert answer["unique"] is False
    for tour in answer["tours"]:
        assert validate(Board(5, 5), tour).valid
    none = kt("solve", "4x4", "--unique")
    assert (none.returncode, none.stdout) == (1, "")
    assert none.stderr.startswith("impossible: without the 4 squares")


def test_a_map_carries_its_constraints(tmp_path: Path) -> None:
    asked = ["--piece", "wazir", "--closed", "--forbid", "a1-a2", "--topology", "cylinder"]
    file = tmp_path / "puzzle.txt"
    assert kt("puzzle", "4x4", *asked, "--clues", "moves", "--out", file).returncode == 0
    notes = "kind: closed", "piece: wazir", "topology: cylinder", "forbid: a1-a2", "seed: 0"
    assert {f"; {note}" for note in notes} < {*file.read_text().splitlines()}
    for repeated in ([], asked):
        done = kt("solve", file, "--unique", *repeated)
        assert (done.returncode, done.stderr) == (0, "unique: this is the only tour\n")
    assert kt("count", file).stdout == "1 undirected closed tours of 4x4 (wazir, cylinder)\n"


def test_pieces_topologies_and_symmetries_are_said_in_the_answer() -> None:
    zebra = json.loads(
        kt("solve", "10x10", "--closed", "--piece", "2,3", "--format", "json").stdout
    )
    assert zebra["board"] == {"rows": 10, "columns": 10, "holes": [], "piece": "zebra"}
    assert validate(Board(10, 10, piece="zebra"), zebra["tour"], closed=True).valid
    torus = kt("solve", "5x5", "--closed", "--topology", "torus")
    assert torus.stderr.startswith("found: closed tour of 5x5 (torus), 25 squares")
    turned = kt("solve", "8x8", "--closed", "--symmetry", "quarter-turn")
    assert turned.returncode == 1
    assert "16 steps on, an even number" in turned.stderr
