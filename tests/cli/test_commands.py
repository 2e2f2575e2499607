"""What people type, as they type it, and the answer: many rows once ended in a puzzled user."""

import shlex
from pathlib import Path

import pytest

from tests.helpers.command import ROOT, kt

MAP = "....\n....\n....\n"
PARTIAL = "a1 b3 c5 d7 f8 h7 g5"
NUMBERED_FROM_0 = "0 3 6 9\n11 8 1 4\n2 5 10 6\n"
UNMET = "impossible: CP-SAT proved that there is none: no closed tour has turns<=27\n"

OWN_CODE = """def no_corner(model):
    model.cp.add(model.edge("a1", "b3") == 0)


def fail(model):
    return 1 / 0


def corner(model):
    model.cp.add(model.edge("a1", "b3") == 1)


def leave(_):
    raise SystemExit(1)
"""

LEAVES = "import sys\n\nsys.exit(0)\n"

STAR = """NAME : a star of three edges
TYPE : HCP
DIMENSION : 4
EDGE_DATA_FORMAT : EDGE_LIST
EDGE_DATA_SECTION
1 2
1 3
1 4
-1
EOF
"""

# What is typed, and how the line begins; the whole line if it ends with a line break.
TYPED = [
    (
        "slove 8x8",
        "No such command 'slove'. Did you mean 'solve'? See 'kt --help'.\n",
    ),
    ("8x8 --closed", "No such command '8x8'. Did you mean 'kt solve 8x8'?\n"),
    ("README.md", "No such command 'README.md'. Did you mean 'kt solve README.md'?\n"),
    ("solve kt_cp/samples/path.txt", "kt_cp/samples/path.txt: this is a path (chess names, 64 en"),
    (
        "count part.txt",
        "part.txt: this is a path (chess names, 7 entries, board 8x8) and not a board; "
        "'kt validate part.txt' tells whether it is a tour\n",
    ),
    (
        "solve 6x6 --method mine.py",
        "method mine.py: name a function of the file, as mine.py:NAME\n",
    ),
    (
        "solve 6x6 --constrain mine.py",
        "--constrain mine.py: give FILE.py:NAME, a function in a fil",
    ),
    ("solve 6x6 --constrain no.py:f", "--constrain no.py:f: no.py: No such file or directory\n"),
    (
        "solve 8x8 --hint no.txt",
        "no.txt: No such file or directory; give a file that holds a p",
    ),
    ("solve 8x8 --hint twice.txt", "--hint twice.txt: give a path on the board that visits no squ"),
    ("solve 8x8 --hint part.txt --method dfs", "method dfs takes no hint; method circuit does\n"),
    ("solve 8x8 --hint part.txt --unique", "--hint cannot be used with --unique\n"),
    (
        "solve 6x6 --constrain mine.py:g",
        "--constrain mine.py:g: mine.py has no_corner, fail, cor",
    ),
    ("solve 6x6 --constrain mine.py:fail", "--constrain mine.py:fail: mine.py, line 6: ZeroDivisi"),
    (
        "solve 6x6 --constrain mine.py:leave",
        "--constrain mine.py:leave: mine.py, line 14: SystemEx",
    ),
    (
        "solve 6x6 --constrain leaves.py:f",
        "--constrain leaves.py:f: leaves.py, line 3: SystemExit: ",
    ),
    ("solve 6x6 --method leaves.py:f", "method leaves.py:f: leaves.py, line 3: SystemExit: 0\n"),
    ("solve 6x6 --method mine.py:leave", "method mine.py:leave: mine.py, line 14: SystemExit: 1\n"),
    (
        "solve 5x5 --out -",
        "--out -: give the name of a file, or leave --out away for standard output\n",
    ),
    ("solve 5x5 --draw -", "--draw -: "),
    ("solve 4x4 --certificate -", "--certificate -: give the name of a file\n"),
    (
        "puzzle 5x5 5x6 --each not-written --draw p.svg",
        "--draw and --draw-solution show one puzzle; --book, --each and a page (--draw puzzles.htm",
    ),
    ("puzzle 5x5 101x101 --draw p.html", "board 101x101: a page shows at most 10,000 squares"),
    (
        "help slove",
        "No such command 'slove'. Did you mean 'solve'? See 'kt --help'.\n",
    ),
    ("solve 8x8 --time-limit abc", "Invalid value for '--time-limit': 'abc' is not a number"),
    ("solve 8 8", "Got unexpected extra argument (8). Did you mean 8x8?\n"),
    ("count --closed 3 10", "Got unexpected extra argument (10). Did you mean 3x10?\n"),
    (
        "count 8x8 --clsoed",
        "No such option '--clsoed'. Did you mean '--closed'? See 'kt count --help'.\n",
    ),
    ("enumerate 8x8 --pieces", "No such option '--pieces'. Did you mean '--piece'?"),
    ("describe 8x8 --seed 1", "No such option '--seed'. See 'kt describe --help'.\n"),
    (
        "cover 8x8 --closed",
        "kt cover finds paths: leave out --closed and --open; for one cycle, kt l",
    ),
    (
        "cover 8x8 --open",
        "kt cover finds paths: leave out --closed and --open; for one cycle, kt l",
    ),
    ("solve 0x5", "board 0x5: each side must be at least 1"),
    ("solve no-such-file", "no-such-file: No such file or directory; give a size"),
    ("solve .", ".: Is a directory; give a size such as 8x8 or a file"),
    ("solve 8x8 --start z1", "--start: square 'z1' is off the board"),
    ("solve 8x8 --require a1-a2", "required move 'a1-a2': a1-a2 is not a knight's move"),
    ("solve 8x8 --forbid a1", "forbidden move 'a1': give a1-b3"),
    ("solve 8x8 --start a1 --end a1", "start and end are both a1"),
    ("solve 8x8 --closed --end a1", "a closed tour has no end"),
    ("solve 8x8 --time-limit -1", "--time-limit -1: give a number of seconds above 0"),
    ("solve 2x9 --method compose", "method compose: for a knight on a full rectangle with sides"),
    ("solve 8x8 --method magic", "--method 'magic': give one of auto"),
    ("solve 8x8 --format hcp", "Invalid value for '--format': 'hcp' is a graph and no tour: 'kt e"),
    ("solve 8x8 --parameter linearization_level", "--parameter linearization_"),
    (
        "solve kt_cp/samples/petersen.hcp --format grid",
        "notation grid is for boards only",
    ),
    ("solve", "Missing argument 'BOARD'"),
    ("solve 6x6 --minimize beauty", "feature 'beauty': give one of turns, straight, angle-37"),
    ("solve 6x6 --minimize turns --maximize turns", "minimize and maximize exclude each"),
    ("solve 6x6 --minimize turns --method cuts", "method cuts cannot minimize; method circuit can"),
    ("solve 6x6 --minimize turns --unique", "--minimize cannot be used with --unique"),
    ("solve 6x6 --maximize acute --piece camel", "feature acute: only for knights"),
    ("solve 6x6 --maximize turns --topology torus", "feature turns: only on a flat board"),
    ("solve 6x6 --having 'turns<32'", "--having 'turns<32': give FEATURE<=N, FEATURE>=N or FEAT"),
    (
        "solve 6x6 --having 'turns<=9999999999'",
        "--having 'turns<=9999999999': give FEATURE<=N, FEA",
    ),
    ("solve 4x6 --symmetry quarter-turn", "a quarter-turn needs a square"),
    ("solve 5x5 --symmetry odd", "Invalid value for '--symmetry': 'odd' is not one of 'half-turn'"),
    ("solve 8x8 --method dfs --end a1", "method dfs does not support an end, only"),
    ("solve 5x5 --unique --method dfs", "--unique: method dfs"),
    ("solve 5x5 --unique --workers 2", "--workers cannot be used with --unique"),
    ("solve 5x5 --unique --seed 2", "--seed cannot be used with --unique"),
    ("count 5x5 --limit 0", "--limit 0: give at least 1"),
    ("count 5x5 --prefixes --jobs 2", "--jobs cannot be used with --prefixes"),
    ("count 5x5,6x6 --prefixes", "--prefixes: give one board, to be counted by frontier"),
    ("count 5x5 --prefixes --recurrence", "--recurrence cannot be used with --prefixes"),
    ("count 5x5 --offset 3", "--offset cannot be used without --format bfile"),
    (
        "count 5x5 --recurrence",
        "a recurrence: give flat boards that grow by one row or column, such as",
    ),
    ("count 5x5,6x6 --log l", "--spill and --log are for one board"),
    ("enumerate 5x5 --limit 0", "Invalid value for '--limit': 0 is not in the range"),
    ("enumerate 5x5 --format npy", "--format npy: holds one tour"),
    ("enumerate 5x5 --seed 3", "--seed cannot be used without --random"),
    ("puzzle 5x5 --givens 0", "total of clues 0: give 1 to 25"),
    ("puzzle 5x5 --draw a.gif", "--draw a.gif: the name must end in .svg,"),
    ("puzzle 5x5 --count 2 --draw a.svg", "--draw and --draw-solution show one puzzle"),
    ("puzzle 5x5 --book a.txt", "--book a.txt: the name must end in .pdf"),
    ("puzzle 5x5 --hint --count 2", "--count cannot be used with --hint, which makes no puzzle"),
    ("puzzle 5x5 --hint", "--hint: 5x5 has no clue yet; make a puzzle with"),
    ("validate no-such-file", "no-such-file: No such file or directory; give a file that"),
    ("validate .", ".: Is a directory; give a file that holds a path"),
    ("describe kt_cp/samples/petersen.hcp", "kt_cp/samples/petersen.hcp: this is a graph; give a"),
    ("validate - --graph hcp", "--piece, --topology and --graph describe a --board; give that too"),
    ("validate - --board -", "path and board cannot both come from standard input"),
    ("compare --jobs 0 --out not-written", "--jobs 0: give at least 1"),
    ("compare --out /no/such/place", "--out /no/such/place: there is no directory"),
    ("compare --out README.md", "README.md: exists already"),
    ("compare --plots README.md", "Invalid value for '--plots': Directory 'README.md' is a file."),
    ("compare --resume README.md", "README.md: line 1: not the settings of a comparison"),
    ("compare --resume x --boards 5x5 --out y", "--boards cannot be used with --resume"),
    ("compare --boards 10000x10000 --starts all", "800,000,000 runs: more"),
    ("report nowhere", "nowhere: No such file or directory"),
    ("report", "Missing argument 'FILE'"),
    ("samples heart.txt", "Invalid value for '[NAME]': 'heart.txt' is not one of 'board.txt'"),
    (
        "puzzle 6x6 --difficulty hardd",
        "Invalid value for '--difficulty': 'hardd' is not one of 'children', 'easy', 'medium', "
        "'hard', 'masters'. Did you mean 'hard'?",
    ),
    ("solve 6x6 --method dfz", "--method 'dfz': give one of auto, "),
    ("compare 5x5 --boards 6x6", "--boards: give the boards as arguments or by this option"),
    ("compare 5x5 --resume runs.jsonl", "boards cannot be used with --resume"),
    ("draw - --out x", "--out x: the name must end in .svg, .png"),
    ("draw - --out /no/x.svg", "--out /no/x.svg: there is no directory /no"),
    ("draw -", "Missing option '--out'"),
    ("solve 3x30000 --draw x.png", "board 3x30000: a picture shows at most 1,000,000 squares and"),
    ("solve 101x100 --draw x.html", "board 101x100: a page shows at most 10,000"),
    ("replay 6x6 --out x.gif", "--out x.gif: the name must end in .svg, .png, .pdf or .html"),
    ("replay --out x.html", "give either a board, such as 6x6, or --graph"),
    ("replay 6x6 --graph 1 --out x.html", "give either a board, such as 6x6, or"),
    ("replay 6x6 --max-steps 0 --out x.html", "--max-steps 0: give 1 to 1000000"),
    ("replay 6x6 --method auto --out x.html", "--method 'auto': give one of dfs, war"),
    ("replay 6x6 --start z9 --out x.html", "--start: square 'z9' is off the board"),
    ("replay --graph '1,0 1' --start 1", "--start cannot be used with --graph"),
    ("replay --graph '1,0 1' --versus warnsdorff", "--versus cannot be used with --graph"),
    ("replay --graph '2,0 x' --out x.html", "--graph: edge 1, '0 x': 'x' is not a num"),
    ("replay --graph 501 --out x.html", "graph of 501 vertices and 0 edges: 1 to 500"),
    ("solve 8x8 --out ''", "--out : is a directory"),
    ("solve 8x8 --out new/", "--out new/: is a directory"),
    (f"solve 8x8 --out {'x' * 300}", f"--out {'x' * 300}: File name too long"),
    ("solve 8x8 --out README.md/x", "--out README.md/x: there is no directory"),
    ("solve 8x8 --out /proc/x", "--out /proc/x: "),
    ("solve 8x8 --out t.PNG", "--out t.PNG: the answer is text; --draw and kt draw make pictures"),
    ("validate '\x1b[31mred'", "\\x1b[31mred: No such file or directory"),
]

# The same, with what is read from standard input.
PIPED = [
    ("replay -", "standard input: row 1, column 1: 1 is a step number; a board has only", "1 ."),
    ("replay -", "standard input: the map has a constraint, kind; leave", "..\n; kind: closed"),
    ("solve -", "standard input: line 2, column 2: '?' is not '.' (a square), '#'", "...\n.?"),
    ("solve -", "standard input: not a text file", b"\xff\xfe\x00\x80"),
    ("solve - --start c1", "--start: square 'c1' is a hole of the board", "..#"),
    ("puzzle - --givens 1", "a total of 1: 2 clues are given already", "1 . 3"),
    ("validate -", "standard input: there is nothing to read: give a path", "   \n"),
    ("validate -", "standard input: it fits no notation; give ids (4 7 0 11)", "hello"),
    ("validate -", "standard input: line 2 is not UTF-8 text", b"1 2\n\xff"),
    ("validate -", "standard input: not a NumPy file", b"\x93NUMPY\x01"),
    ("validate -", "standard input: the JSON object holds no tour (s", '{"status": "\\u001b[2J"}'),
    ("validate - --board 0x5", "--board 0x5: each side must be at least 1", "0"),
    ("validate - --board 3x3 --notation grid", "standard input: the path is on the board 1", "1 2"),
    ("validate -", "standard input: it fits no notation; the nearest is chess n", "a1 b3 c5 hello"),
]

# A note below a map of 3x4, an option, and the message.
NOTED = [
    (f"solve - {option}", message, f"....\n....\n....\n; {note}\n")
    for note, option, message in (
        ("kind: open", "--closed", "standard input: the map says that the tour is open"),
        ("kind: both", "", "standard input: kind 'both' in the map: give open or closed"),
        ("start: a1", "--start b1", "standard input: the map has another start: a1"),
        ("piece: zebra", "--piece wazir", "standard input: piece wazir: the map says zebra"),
        ("piece: zebra", "--piece knight", "standard input: piece knight: the map says zebra"),
        ("topology: torus", "--topology flat", "standard input: topology flat: the map says torus"),
        ("starts: a1", "", "standard input: line 4: nothing is called 'starts'"),
        ("seed: 1\n; seed: 2", "", "standard input: line 5: above, seed is 1"),
        ("require: a1-a2", "", "required move 'a1-a2': a1-a2 is not a knight's move"),
    )
]


# What is typed, what is read from standard input, the exit code, and words of the answer.
ANSWERED = [
    # Finding one's way
    ("describe kt_cp/samples/path.txt", "", 0, "crossings"),
    ("samples", "", 0, "a path printed as a tour, which it is not"),
    ("samples puzzle.txt", "", 0, " .  .  .  .  . 34"),
    # Answers for programs
    ("solve 8x8 --format json", "", 0, '"counters": {"'),
    ("solve 9x9 --start 1 --format json", "", 1, '"reason_kind": "colour'),
    ("solve 8x8 --start e4 --require a1-c2 --format squares", "", 0, "e4\n"),
    # Answers in words
    ("count 6x6 --closed", "", 0, "9862 undirected closed tours of 6x6\n"),
    ("count 6x6 --closed --up-to-symmetry", "", 0, "1245 classes of closed tours of 6x6"),
    ("count 5x20 --closed", "", 0, "53034853662012222798 undirected closed tours of 5x20\n"),
    ("count 5x5 --method frontier", "", 0, "5x5\ncounted by frontier\n"),
    ("count 5x5 --method enumerate", "", 0, "5x5\ncounted by enumerate\n"),
    ("count 7x8 --closed --memory-limit 10 --method frontier", "", 3, "limit was reached: front"),
    ("count 6x6 --limit 100", "", 3, "at least 100 directed open tours of 6x6\n"),
    (
        "count 8x8 --closed --time-limit 0.5",
        "",
        3,
        "unknown number of undirected closed tours of 8x8\n",
    ),
    ("count 5x5 --start 0", "", 0, "304 directed open tours of 5x5\n"),
    ("count 3x3 --piece king --closed", "", 0, "16 undirected closed tours of 3x3 (king)\n"),
    ("count 4x8 --closed", "", 0, "0 undirected closed tours of 4x8\n"),
    ("count 4x8 --closed --topology cylinder", "", 0, "(cylinder)\ncounted by c"),
    ("count 5x6 --closed --having turns=28 --having 'straight>=1'", "", 0, "2 undirected closed"),
    ("enumerate 5x6 --closed --having turns=28 --having 'straight>=1'", "", 0, "found: 2 tours"),
    ("enumerate 5x5 --start a1 --forbid a1-b3", "", 0, "found: 152 tours of 5x5"),
    ("enumerate 5x5 --start a1 --constrain mine.py:no_corner", "", 0, "found: 152 tours of 5x5"),
    ("solve 5x5 --closed --constrain mine.py:no_corner", "", 1, "impossible: "),
    (
        "solve 6x6 --closed --constrain mine.py:corner --constrain mine.py:no_corner",
        "",
        1,
        "impossible: ",
    ),
    ("solve 8x8 --hint part.txt", "", 0, "by circuit in"),
    ("enumerate 5x5 --random", "", 2, "--random: say with --limit"),
    ("enumerate 4x4", "", 1, "impossible: without the 4 squares"),
    ("solve 4x4 --unique", "", 1, "impossible: without the 4 squares"),
    ("enumerate 4x4 --random --limit 1", "", 1, "impossible: without the 4 squares"),
    ("puzzle 4x4", "", 1, "impossible: without the 4 squares"),
    ("puzzle 6x6 --start a1 --end f6 --require a6-b4", "", 1, "other: 1 on a1, 36 on f6 ("),
    ("puzzle 5x5 --start b1", "", 1, "impossible: this clue cannot be met: 1 on b1 ("),
    ("puzzle 5x5 --require a1-b3 --forbid a1-b3", "", 1, "a1-b3 is required, a1-b3 is forbidden"),
    ("solve 5x6 --closed --having 'turns<=27'", "", 1, UNMET),
    ("enumerate 5x6 --closed --having 'turns<=27'", "", 1, UNMET),
    ("describe -", "a1 a2", 1, "not a tour: "),
    ("solve 6x6 --closed --minimize turns", "", 0, "; turns 32, optimal\n"),
    ("solve 4x8 --closed", "", 1, "impossible: Schwenk's theorem"),
    ("solve 9x9 --start 1", "", 1, "b9 is light"),
    ("solve 3x3", "", 1, "b2 has no move"),
    # Where there is no tour, another line tells how to go on.
    ("solve 4x4", "", 1, "the longest path: kt longest 4x4\n"),
    ("solve 4x4 --unique", "", 1, "the longest path: kt longest 4x4\n"),
    ("solve 4x8 --closed", "", 1, "the longest cycle: kt longest 4x8 --closed\n"),
    ("solve star.hcp --open", "", 1, "the longest path: kt longest star.hcp --open\n"),
    ("longest star.hcp --open", "", 0, "found: path through 3 of 4 vertices"),
    (f"count {','.join(['3x4'] * 80)}", "", 0, "3x4 16\n3x4 16\n"),
    ("solve 4x4 --piece zebra", "", 1, "the longest path: kt longest 4x4 --piece zebra\n"),
    ("solve 4x4 --start a1", "", 1, "these ends can connect only 5\nthe longest path: kt longest"),
    ("solve 3x3 --draw t.gif", "", 1, "t.gif is not written: a reason is not animated; choose"),
    ("solve 4x8 --closed --method circuit", "", 1, "impossible: CP-SAT proved that there is none"),
    ("solve 8x8 --closed --symmetry quarter-turn", "", 1, "16 steps on, an even number"),
    ("solve 5x5 --closed --topology torus", "", 0, "found: closed tour of 5x5 (torus), 25 squares"),
    ("solve 6x6 --closed --start c3 --format squares", "", 0, "c3\n"),
    ("solve -", f"; My board: a small one\n{MAP}; by hand\n", 0, "found: "),
    # Searches that know little
    ("solve 4x4 --method dfs", "", 1, "impossible: exhausted every path from the start"),
    ("solve 8x8 --method greedy --closed", "", 3, "unknown: the walk stops at square "),
    ("solve 30x30 --method warnsdorff --time-limit 0.3", "", 3, "limit of 0.3 s was reached"),
    ("solve 60x60 --closed --method circuit --time-limit 0.01", "", 3, "limit of 0.01 s was rea"),
    ("solve 60x60 --closed --method circuit --time-limit 0.01 --format json", "", 3, '"unknown"'),
    # Paths as they come
    ("validate - --board 8x8", PARTIAL, 1, "all 6 moves are legal; 57 squares are missing"),
    ("validate - --board 8x8", PARTIAL, 1, "57 squares are not visited: "),
    ("validate -", NUMBERED_FROM_0, 1, "step 6 is on two squares"),
    ("validate - --board 8x8", "Nb1 Nxd2+ Nf3", 1, "all 2 moves are legal"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the sample files and the README, as the project may not be writable."""
    (tmp_path / "kt_cp").mkdir()
    (tmp_path / "kt_cp" / "samples").symlink_to(ROOT / "kt_cp" / "samples")
    (tmp_path / "mine.py").write_text(OWN_CODE)
    (tmp_path / "leaves.py").write_text(LEAVES)
    (tmp_path / "star.hcp").write_text(STAR)
    (tmp_path / "part.txt").write_text(PARTIAL)
    (tmp_path / "twice.txt").write_text("a1 b3 a1")
    (tmp_path / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    return tmp_path


@pytest.mark.parametrize(
    ("line", "stdin", "code", "told"),
    [
        *((line, "", 2, message) for line, message in TYPED),
        *((line, stdin, 2, message) for line, message, stdin in (*PIPED, *NOTED)),
        *ANSWERED,
    ],
)
def test_what_people_type_is_answered_or_refused_in_one_clear_line(
    line: str, stdin: str | bytes, code: int, told: str, folder: Path
) -> None:
    done = kt(*shlex.split(line), stdin=stdin, folder=folder)
    assert done.returncode == code, done.stderr
    assert "\x1b" not in done.stderr
    if code == 2:
        assert done.stderr.startswith(f"kt: {told}")
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)
        assert not (folder / "not-written").exists()
    assert told in done.stdout + done.stderr
    if done.stderr.startswith(("impossible", "unknown")):
        assert "json" in line or not done.stdout
