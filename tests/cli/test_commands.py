"""What people type, as they type it, and the answer: many rows once ended in a puzzled user."""

import shlex
from pathlib import Path

import pytest

from tests.helpers.command import ROOT, kt

OPEN = "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"
MAP = "....\n....\n....\n"
PARTIAL = "a1 b3 c5 d7 f8 h7 g5"
NUMBERED_FROM_0 = "0 3 6 9\n11 8 1 4\n2 5 10 6\n"
ROWS = "1 4 7 10\n8 11 2 5\n3 6 9 12\n"
OPEN_IN_JSON = '{"tour": [1, 2, 3, 4], "closed": false}'
CYCLE = "a1 b3 c1 a2 c3 b1 a3 c2"
UNVISITED = (
    "valid path through 2 of 12 squares of 3x4, but not in the order: it visits none of them\n"
)
UNMET = "impossible: CP-SAT proved that there is none: no closed tour has turns<=27\n"

RING = "DIMENSION : 4\nEDGE_DATA_SECTION\n1 2\n2 3\n3 4\n4 1\n-1\nEOF\n"

# The files beside those of the project.
FILES = {
    "part.txt": PARTIAL,
    "twice.txt": "a1 b3 a1",
    "ring.hcp": RING,
    "ring-path.hcp": f"TYPE : HPP\n{RING}",
    "ring3.txt": "...\n.#.\n...\n",
    "path.hcp": RING.replace("4 1\n", ""),
    "towns.edgelist": "a b 1.5\nb c 2\nc a 4\n",
    "star graph.edgelist": "a b\na c\na d\n",
    "leaves.py": "import sys\n\nsys.exit(0)\n",
    "mine.py": """def no_corner(model):
    model.cp.add(model.edge("a1", "b3") == 0)


def fail(model):
    return 1 / 0


def corner(model):
    model.cp.add(model.edge("a1", "b3") == 1)


def leave(_):
    raise SystemExit(1)
""",
}

# What is typed, and what the line says.
REFUSED = [
    # Slips of the fingers
    ("slove 8x8", "'slove'"),
    ("help slove", "mean solve?"),
    ("count 8x8 --clsoed", "mean --closed?"),
    ("describe 8x8 --seed 1", "See 'kt describe --help'."),
    ("solve 8x8 --time-limit abc", "'--time-limit': 'abc'"),
    ("solve 8 8", "argument"),
    ("solve 6x6 --method dfz", "give one of auto, "),
    # Boards and squares
    ("solve", "'BOARD'"),
    ("solve 8", "board '8': give both sides, rows x columns, as in 8x8"),
    ("solve no-such-file", "no-such-file: No such file or directory; give a size"),
    ("solve kt_cp/samples/path.txt", "kt_cp/samples/path.txt: this is a path (chess names, 64 en"),
    ("count part.txt", "'kt validate part.txt' tells whether it is a tour"),
    ("solve 8x8 --require a1-a2", "required move 'a1-a2': a1-a2 is not a knight's move"),
    ("solve 8x8 --start a1 --end a1", "start and end are both a1"),
    ("cover 8x8 --closed", "for one cycle, kt longest --closed"),
    # Options that do not go together
    ("solve 8x8 --hint part.txt --unique", "--hint cannot be used with --unique"),
    ("solve 6x6 --minimize turns --maximize turns", "minimize and maximize exclude each"),
    ("solve 6x6 --minimize turns --method cuts", "method cuts cannot minimize; method circuit can"),
    ("solve 8x8 --method dfs --end a1", "method dfs does not support an end, only"),
    ("count 5x5 --prefixes --jobs 2", "--jobs cannot be used with --prefixes"),
    ("count 5x5,6x6 --log l", "--spill and --log are for one board"),
    ("count 5x5 --offset 3", "--offset cannot be used without --format bfile"),
    ("enumerate 5x5 --seed 3", "--seed cannot be used without --random"),
    ("puzzle 5x5 --hint --count 2", "--count cannot be used with --hint, which makes no puzzle"),
    ("puzzle 5x5 --count 2 --draw a.svg", "--draw and --draw-solution show one puzzle"),
    ("compare --resume x --boards 5x5 --out y", "--boards cannot be used with --resume"),
    ("compare 5x5 --boards 6x6", "--boards cannot be used beside boards that are arguments"),
    ("replay 6x6 --graph 1 --out x.html", "give either a board, such as 6x6, or"),
    ("replay --graph '1,0 1' --versus warnsdorff", "--versus cannot be used with --graph"),
    ("validate - --graph hcp", "--piece, --topology and --graph describe a --board; give that too"),
    ("validate - --board -", "path and board cannot both come from standard input"),
    ("longest 4x4 --order 'a1 b3'", "an order: only for tours that visit every square"),
    # Numbers and features
    ("longest 4x4 --at-least 17", "17: give 1 to 16"),
    ("longest 4x4 --visit e9", "visit: square 'e9' is off the board"),
    ("longest 4x4 --workers 0", "workers 0: give 1 to"),
    ("longest 4x4 --parameter nosuch=1", "nosuch"),
    ("solve 8x8 --time-limit -1", "time limit -1: give a number of seconds above 0"),
    ("solve 6x6 --maximize acute --piece camel", "feature acute: only for knights"),
    ("count 5x5 --limit 0", "limit 0: give at least 1"),
    ("puzzle 5x5 --givens 0", "total of clues 0: give 1 to 25"),
    # Functions of one's own
    ("solve 6x6 --constrain mine.py:g", "mine.py has no_corner, fail, cor"),
    ("solve 6x6 --constrain mine.py:fail", "--constrain mine.py:fail: mine.py, line 6: ZeroDivisi"),
    ("solve 6x6 --method leaves.py:f", "method leaves.py:f: leaves.py, line 3: SystemExit: 0"),
    # Paths
    ("validate a1b3", "No such file"),
    (
        "validate kt_cp/samples",
        "samples: this is a directory; give its files, kt_cp/samples/*",
    ),
    (f"validate '{OPEN}' --start e9", "start: square 'e9' is off the board"),
    (f"validate '{OPEN}' --order 'a1 a1'", "kt: order: a1 is named twice\n"),
    # Puzzles
    ("puzzle 6x6 --out p.html", "kt: --out p.html: the answer is text; --draw"),
    ("puzzle 6x6 5x5 --title A", "kt: --title: give a line of text for each board"),
    ("puzzle 6x6 5x5 --draw p.svg", "kt: --draw and --draw-solution show one puzzle; --book, "),
    ("puzzle 30x30 --book b.pdf --paper a5", "kt: paper: the squares would have 4.1 mm, and"),
    ("puzzle 6x6 --per-page 2", "kt: --per-page cannot be used without --book"),
    ("puzzle 6x6 --each-format pdf", "kt: --each-format cannot be used without --each"),
    ("puzzle 6x6 --each=", "kt: --each: its name is empty"),
    ("puzzle 6x6 5x5 --hint", "kt: --hint: give one puzzle, or its --number from 1 to 2"),
    ("puzzle 6x6 --time-limit 0", "kt: time limit 0: give a number of seconds above 0"),
    # Files
    ("solve 8x8 --draw t.svg --paper a4", "--draw t.svg: --paper is for names that end in .pdf"),
    ("solve 8x8 --hint twice.txt", "--hint twice.txt: give a path on the board that visits no squ"),
    ("solve 5x5 --out -", "--out -: give the name of a file, or leave --out away"),
    ("solve 8x8 --out new/", "--out new/: is a directory"),
    ("solve 8x8 --out t.PNG", "--out t.PNG: the answer is text; --draw and kt draw make pictures"),
    ("draw - --out x", "--out x: the name must end in .svg, .png"),
    ("puzzle 5x5 101x101 --draw p.html", "board 101x101: a page shows at most 10,000 squares"),
    ("describe kt_cp/samples/petersen.hcp", "kt_cp/samples/petersen.hcp: this is a graph; give a"),
    ("compare --out README.md", "README.md: exists already"),
    ("validate '\x1b[31mred'", "\\x1b[31mred: No such file or directory"),
]

# The same, with what is read from standard input.
PIPED = [
    ("replay -", "standard input: the map has steps or other constraints; give the bo", "1 ."),
    ("solve -", "standard input: line 2, column 2: '?' is not '.' (a square), '#'", "...\n.?"),
    ("solve -", "standard input: not a text file", b"\xff\xfe\x00\x80"),
    ("validate -", "standard input: there is nothing to read: give a path", "   \n"),
    (
        "solve - --closed",
        "standard input: the map says that the tour is open",
        f"{MAP}; kind: open",
    ),
    ("solve - --start b1", "the map has another start: a1", f"{MAP}; start: a1"),
    ("solve - --piece wazir", "piece wazir: the map says zebra", f"{MAP}; piece: zebra"),
    ("solve -", "line 4: nothing is called 'starts'", f"{MAP}; starts: a1"),
    ("validate -", "paths: give a list of lists of", '{"paths": 7, "board": "3x3"}'),
    ("validate -", "the cover does not state its board: give it (--board)", '{"paths": [["a1"]]}'),
    ("validate -", "the cover does not state its board", "a1\n; kind: cover"),
    ("validate - --board 3x3", "be path 1, step 1 and a square", "path,step,square\n1,2,a1"),
    ("validate - --board 3x3", "cannot be read", f"path,step,square\n1,1,{'a' * 200_000}"),
    ("validate -", "square 'z9' is off the board", "a1 z9\n; kind: cover\n; board: 3x3"),
]

# What is typed, what is read from standard input, the exit code, and words of the answer.
ANSWERED = [
    # Answers for programs
    ("solve 8x8 --format json", "", 0, '"counters": {"'),
    ("solve 9x9 --start 1 --format json", "", 1, '"reason_kind": "colour'),
    ("solve 8x8 --start e4 --require a1-c2 --format squares", "", 0, "e4\n"),
    # Answers in words
    ("count 6x6 --closed", "", 0, "9862 undirected closed tours of 6x6\n"),
    ("count 5x20 --closed", "", 0, "53034853662012222798 undirected closed tours of 5x20\n"),
    ("count 5x5 --method frontier", "", 0, "5x5\ncounted by frontier\n"),
    (
        "count 8x8 --closed --time-limit 0.5",
        "",
        3,
        "unknown number of undirected closed tours of 8x8\n",
    ),
    ("count 4x8 --closed", "", 0, "0 undirected closed tours of 4x8\n"),
    ("count 5x6 --closed --having turns=28 --having 'straight>=1'", "", 0, "2 undirected closed"),
    ("enumerate 5x5 --start a1 --forbid a1-b3", "", 0, "found: 152 tours of 5x5"),
    ("enumerate 5x5 --start a1 --constrain mine.py:no_corner", "", 0, "found: 152 tours of 5x5"),
    ("solve 5x5 --closed --constrain mine.py:no_corner", "", 1, "impossible: "),
    ("solve 8x8 --hint part.txt", "", 0, "by circuit in"),
    ("enumerate 5x5 --random", "", 2, "--random: say with --limit"),
    ("puzzle 4x4", "", 1, "impossible: without the 4 squares"),
    ("puzzle 5x5 --require a1-b3 --forbid a1-b3", "", 1, "a1-b3 is required, a1-b3 is forbidden"),
    ("solve 5x6 --closed --having 'turns<=27'", "", 1, UNMET),
    ("describe -", "a1 b3 c5 d7", 1, "not a tour: "),
    ("solve 6x6 --closed --minimize turns", "", 0, "; turns 32, optimal\n"),
    # Where there is no tour, another line tells how to go on.
    ("solve 4x8 --closed", "", 1, "the longest cycle: kt longest 4x8 --closed\n"),
    ("solve 4x4 --start a1", "", 1, "these ends can connect only 5\nthe longest path: kt longest"),
    ("solve 3x3 --draw t.gif", "", 1, "t.gif is not written: a reason is not animated; choose"),
    ("solve 5x5 --closed --topology torus", "", 0, "found: closed tour of 5x5 (torus), 25 squares"),
    ("solve -", f"; My board: a small one\n{MAP}; by hand\n", 0, "found: "),
    ("longest 4x4 --at-least 16", "", 1, "impossible: "),
    # Searches that know little
    ("solve 4x4 --method dfs", "", 1, "impossible: exhausted every path from the start"),
    ("solve 8x8 --method greedy --closed", "", 3, "unknown: the walk stops at square "),
    ("solve 30x30 --method warnsdorff --time-limit 0.3", "", 3, "limit of 0.3 s was reached"),
    ("solve 60x60 --closed --method circuit --time-limit 0.01", "", 3, "limit of 0.01 s was rea"),
    # Paths on graphs: the file says whether a cycle is meant
    ("validate - --board ring.hcp", "1 2 3 4", 0, "valid Hamiltonian cycle"),
    ("validate - --board ring.hcp --open", "1 2 3 4", 0, "valid Hamiltonian path"),
    ("validate - --board ring.hcp --end 4", "1 2 3 4", 0, "valid Hamiltonian path"),
    ("validate - --board ring.hcp", "1 3 2 4", 1, "not a tour: 2 illegal edges"),
    ("validate - --board ring.hcp", OPEN_IN_JSON, 0, "valid Hamiltonian path"),
    ("validate - --board ring-path.hcp", "1 2 3 4", 0, "valid Hamiltonian path"),
    ("validate - --board path.hcp", "1 2 3 4", 1, "--open would read: valid Hamiltonian path"),
    ("validate - --board towns.edgelist --closed", "a b c", 0, "weight along the tour: 7.5"),
    ("validate - --board towns.edgelist", "a b b", 1, "not a tour: "),
    ("solve 'star graph.edgelist'", "", 1, "path: kt longest 'star graph.edgelist'\n"),
    # Paths as they come
    ("validate -", NUMBERED_FROM_0, 1, "step 6 is on two squares"),
    ("validate 'a1 b3 c1' --board 3x3", "", 1, "all 2 moves are legal; 6 squares are missing\n"),
    (f"validate '{OPEN}' --start a3 --end d1", "", 0, "with the start and end asked for\n"),
    (f"validate '{OPEN}' --start d1", "", 1, "12 squares, but its start is a3, not d1\n"),
    (f"validate '{OPEN}' --end a3", "", 1, "but its end is d1, not a3\n"),
    ("validate - --order 'a3 d2'", ROWS, 0, "12 squares, with the order asked for\n"),
    ("validate - --order 'a1 a3'", ROWS, 1, "but not in the order: it visits a3 a1\n"),
    ("validate - --order 'a3 d2' --format json", ROWS, 0, '{"valid": true, "in_order": true, '),
    ("validate - --order 'a1 a3' --format json", ROWS, 1, '{"valid": true, "in_order": false, '),
    # A closed tour is followed from the first square of an order.
    ("validate - --board ring3.txt --order 'c1 a3 a1'", CYCLE, 0, "with the order asked for\n"),
    ("validate - --board ring3.txt --order 'c1 a1 a3'", CYCLE, 1, "it visits c1 a3 a1\n"),
    ("validate - --board 3x4 --partial --order a1", "a3 b1", 1, UNVISITED),
    ("validate - --board 8x8", "Nb1 Nxd2+ Nf3", 1, "all 2 moves are legal"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the sample files and the README, as the project may not be writable."""
    (tmp_path / "kt_cp").mkdir()
    (tmp_path / "kt_cp" / "samples").symlink_to(ROOT / "kt_cp" / "samples")
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    return tmp_path


@pytest.mark.parametrize(
    ("line", "stdin", "code", "told"),
    [
        *((line, "", 2, message) for line, message in REFUSED),
        *((line, stdin, 2, message) for line, message, stdin in PIPED),
        *ANSWERED,
    ],
    ids=lambda value: f"{value}"[:60],
)
def test_what_people_type_is_answered_or_refused_in_one_clear_line(
    line: str, stdin: str | bytes, code: int, told: str, folder: Path
) -> None:
    done = kt(*shlex.split(line), stdin=stdin, folder=folder)
    assert done.returncode == code, done.stderr
    assert "\x1b" not in done.stderr
    if code == 2:
        assert done.stderr.startswith("kt: ")
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)
        assert not (folder / "not-written").exists()
    assert told in done.stdout + done.stderr
    if done.stderr.startswith(("impossible", "unknown")):
        assert "json" in line or not done.stdout
