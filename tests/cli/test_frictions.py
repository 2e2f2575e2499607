"""What people type, as they type it, and the answer: many rows once ended in a puzzled user."""

import shlex

import pytest

from tests.helpers.command import kt

PARTIAL = "a1 b3 c5 d7 f8 h7 g5"
NUMBERED_FROM_0 = "0 3 6 9\n11 8 1 4\n2 5 10 6\n"
MAP = "....\n....\n....\n"
UNMET = "impossible: CP-SAT proved that there is none: no closed tour has turns<=27\n"


@pytest.mark.parametrize(
    ("line", "stdin", "code", "told"),
    [
        # Finding one's way
        ("kt describe kt_cp/samples/path.txt", "", 0, "crossings"),
        ("kt samples", "", 0, "a path printed as a tour, which it is not"),
        ("kt samples puzzle.txt", "", 0, " .  .  .  .  . 34"),
        # Answers for programs
        ("kt solve 8x8 --format json", "", 0, '"counters": {"'),
        ("kt solve 9x9 --start 1 --format json", "", 1, '"reason_kind": "colour'),
        ("kt solve 8x8 --start e4 --require a1-c2 --format squares", "", 0, "e4\n"),
        # Answers in words
        ("kt count 6x6 --closed", "", 0, "9862 undirected closed tours of 6x6\n"),
        ("kt count 6x6 --closed --up-to-symmetry", "", 0, "1245 classes of closed tours of 6x6"),
        ("kt count 5x5 --start 0", "", 0, "304 directed open tours of 5x5\n"),
        ("kt count 3x3 --piece king --closed", "", 0, "16 undirected closed tours of 3x3 (king)\n"),
        ("kt count 4x8 --closed", "", 0, "0 undirected closed tours of 4x8\n"),
        ("kt count 4x8 --closed --topology cylinder", "", 0, "(cylinder)\ncounted by c"),
        ("kt enumerate 4x4", "", 1, "impossible: without the 4 squares"),
        ("kt puzzle 4x4", "", 1, "impossible: without the 4 squares"),
        (
            "kt puzzle 6x6 --start a1 --end f6 --require a6-b4",
            *("", 1, "impossible: these contradict each other: 1 on a1, 36 on f6 ("),
        ),
        ("kt puzzle 5x5 --start b1", "", 1, "impossible: this clue cannot be met: 1 on b1 ("),
        (
            "kt puzzle 5x5 --require a1-b3 --forbid a1-b3",
            *("", 1, "contradict each other: a1-b3 is required, a1-b3 is forbidden"),
        ),
        *(
            (f"kt {command} 5x6 --closed --having 'turns<=27'", "", 1, UNMET)
            for command in ("solve", "enumerate")
        ),
        ("kt describe -", "a1 a2", 1, "not a tour: "),
        ("kt solve 6x6 --closed --start c3 --format squares", "", 0, "c3\n"),
        ("kt solve -", f"; My board: a small one\n{MAP}; by hand\n", 0, "found: "),
        # Searches that know little
        ("kt solve 4x4 --method dfs", "", 1, "impossible: exhausted every path from the start"),
        ("kt solve 8x8 --method greedy --closed", "", 3, "unknown: the walk visits all 64 squares"),
        (
            "kt solve 30x30 --method warnsdorff --time-limit 0.3",
            *("", 3, "unknown: the time limit of 0.3 s was reached\n"),
        ),
        # Several tours
        ("kt enumerate 3x4 --limit 2 --format squares", "", 0, "\n\n"),
        # Paths as they come
        ("kt validate - --board 8x8", PARTIAL, 1, "all 6 moves are legal; 57 squares are missing"),
        ("kt validate - --board 8x8", PARTIAL, 1, "57 squares are not visited: "),
        ("kt validate -", NUMBERED_FROM_0, 1, "step 6 is on two squares"),
        ("kt validate - --board 8x8", "Nb1 Nxd2+ Nf3", 1, "all 2 moves are legal"),
    ],
)
def test_what_people_type_is_understood_or_answered(
    line: str, stdin: str, code: int, told: str
) -> None:
    command, *arguments = shlex.split(line)
    assert command == "kt"
    done = kt(*arguments, stdin=stdin)
    assert done.returncode == code, done.stderr
    assert told in done.stdout + done.stderr
    if done.stderr.startswith(("impossible", "unknown")):
        assert "json" in line or not done.stdout


def test_a_reason_lists_every_square_in_json() -> None:
    comb = "\n".join(["." * 30, ".#" * 15, ".#" * 15])
    brief, full = (
        kt("solve", "-", "--piece", "king", *options, stdin=comb)
        for options in ([], ["--format", "json"])
    )
    assert brief.returncode == full.returncode == 1
    assert "3 more" in brief.stderr
    assert "more" not in full.stdout
