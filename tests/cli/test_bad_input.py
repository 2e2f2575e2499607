"""Invalid input of every command: one line that says what, where, and what would be right."""

import shlex

import pytest

from tests.helpers.command import ROOT, kt

MAP = "..#..\n.....  \n.....\n.....\n.....\n"

# What is typed, and how the line begins; the whole line if it ends with a line break.
TYPED = [
    ("slove 8x8", "No such command 'slove'. Did you mean 'solve'? (see 'kt --help')\n"),
    ("help slove", "No such command 'slove'. Did you mean 'solve'? (see 'kt --help')\n"),
    (
        "solve 8x8 --time-limit abc",
        "Invalid value for '--time-limit': 'abc' is not a valid float. (see 'kt solve --help')\n",
    ),
    ("count 8x8 9x9", "Got unexpected extra argument (9x9) (see 'kt count --help')\n"),
    ("solve 8 8", "Got unexpected extra argument (8) (did you mean 8x8?)\n"),
    ("count --closed 3 10", "Got unexpected extra argument (10) (did you mean 3x10?)\n"),
    (
        "count 8x8 --clsoed",
        "No such option '--clsoed'. (Did you mean one of: '--closed', '--end', '--log'?) "
        "(see 'kt count --help')\n",
    ),
    ("draw x --out", "Option '--out' requires an argument. (see 'kt draw --help')\n"),
    ("solve 0x5", "board 0x5: each side must be at least 1"),
    ("solve '8×'", "board '8×': give both sides, rows x columns, as in 8x8"),
    ("solve no-such-file", "no-such-file: No such file or directory; give a size"),
    ("solve .", ".: Is a directory; give a size such as 8x8 or a file"),
    ("solve 8x8 --start z1", "start: square 'z1' is off the board"),
    ("solve 8x8 --require a1-a2", "required move 'a1-a2': a1-a2 is not a knight's move"),
    ("solve 8x8 --forbid a1", "forbidden move 'a1': give a1-b3"),
    ("solve 8x8 --start a1 --end a1", "start and end are both a1"),
    ("solve 8x8 --closed --end a1", "a closed tour has no end"),
    ("solve 8x8 --time-limit -1", "time limit -1: give a number of seconds above 0"),
    ("solve 8x8 --time-limit nan", "time limit nan: give a number of seconds above 0"),
    (
        "solve 2x9 --method compose",
        "method compose: for a knight on a full rectangle with sides from 5 on, and no constraint",
    ),
    (
        "solve 8x8 --method compose --start a1 --end b1",
        "method compose: for a knight on a full rect",
    ),
    ("solve 9x9 --method compose --end a1", "method compose: for a knight on a full rectangle"),
    ("solve 8x8 --method compose --require a1-c2", "method compose does not support required"),
    ("solve 8x8 --method compose --forbid a1-c2", "method compose does not support forbidden"),
    ("solve 8x8 --method magic", "method 'magic': give one of auto"),
    ("solve 8x8 --workers 0", "workers 0: give 1 to 10000"),
    ("solve 8x8 --seed -1", "seed -1: give 0 to 2147483647"),
    ("solve 8x8 --format hcp", "Invalid value for '--format': 'hcp' is a graph and no tour: 'kt e"),
    ("solve 8x8 --parameter linearization_level", "--parameter linearization_"),
    ("solve 8x8 --parameter num_worker=8", "CP-SAT has no parameter 'num_worker'"),
    ("solve 8x8 --unique --log", "--log cannot be used with --unique"),
    ("solve 8x8 --unique --draw t.svg", "--draw cannot be used with --unique"),
    ("solve 8x8 --nonsense", "No such option '--nonsense'."),
    ("solve", "Missing argument 'BOARD'"),
    ("solve 6x6 --minimize beauty", "feature 'beauty': give one of turns, straight, angle-37"),
    ("solve 6x6 --minimize turns --maximize turns", "minimize and maximize exclude each"),
    ("solve 6x6 --minimize turns --method cuts", "method cuts cannot minimize; method circuit can"),
    ("solve 6x6 --minimize turns --method dfs", "method dfs cannot minimize; method circ"),
    ("solve 6x6 --minimize turns --unique", "--minimize cannot be used with --unique"),
    ("solve 6x6 --maximize acute --piece camel", "feature acute: only for knights"),
    ("solve 6x6 --maximize turns --topology torus", "feature turns: only on a flat board"),
    ("solve 6x6 --having 'turns<32'", "having 'turns<32': give FEATURE<=N, FEATURE>=N or FEAT"),
    ("solve 6x6 --having 'turns<=9999999999'", "having 'turns<=9999999999': give FEATURE<=N, FEA"),
    ("solve 6x6 --having 'beauty<=3'", "feature 'beauty': give one of"),
    ("solve 6x6 --having 'turns<=3' --method dfs", "method dfs does not support bounds on"),
    ("solve 4x6 --symmetry quarter-turn", "a quarter-turn needs a square"),
    ("solve 5x5 --symmetry odd", "Invalid value for '--symmetry': 'odd' is not one of 'half-turn'"),
    ("solve 8x8 --method dfs --end a1", "method dfs does not support an end, only"),
    ("solve 5x5 --unique --method dfs", "--unique: method dfs"),
    ("count 5x5 --limit 0", "limit 0: give at least 1"),
    ("count 5x5,6x6 --log l", "--spill and --log are for one board"),
    ("count 5x5 --piece dragon", "piece 'dragon': give a name (knight"),
    ("enumerate 5x5 --limit 0", "Invalid value for '--limit': 0 is not in the range"),
    ("enumerate 5x5 --format npy", "--format npy: holds one tour"),
    ("enumerate 5x5 --time-limit 0", "time limit 0: give a number of seconds"),
    ("export 8x8", "Missing option '--format'"),
    ("export 8x8 --format smt", "Invalid value for '--format': 'smt' is not one of"),
    ("export 8x8 --format asp --having 'turns<=50'", "format asp cannot hold bounds on features,"),
    ("export 20x20 --format dimacs", "format dimacs takes boards of up to 256 squares"),
    ("puzzle 5x5 --givens 0", "givens 0: give 1 to 25"),
    ("puzzle 5x5 --count 0", "Invalid value for '--count': 0 is not in the range"),
    ("puzzle 5x5 --draw a.gif", "--draw a.gif: the name must end in .svg or"),
    ("puzzle 5x5 --count 2 --draw a.svg", "--draw and --draw-solution show one puzzle"),
    ("puzzle 5x5 --book a.txt", "--book a.txt: the name must end in .pdf"),
    ("puzzle 5x5 --hint --count 2", "--count cannot be used with --hint, which makes no puzzle"),
    ("puzzle 5x5 --hint", "--hint: 5x5 has no clue yet; make a puzzle with"),
    ("validate no-such-file", "no-such-file: No such file or directory; give a file that"),
    ("validate .", ".: Is a directory; give a file that holds a path"),
    ("validate - --board -", "path and board cannot both come from standard input"),
    ("compare --boards 5x", "board '5x': give both sides"),
    ("compare --boards 8x8..5x5", "boards '8x8..5x5': the sides that differ"),
    ("compare --repeat x", "Invalid value for '--repeat'"),
    ("compare --jobs 0 --out not-written", "jobs 0: give at least 1"),
    ("compare --out /no/such/place", "--out /no/such/place: there is no directory"),
    ("compare --out README.md", "README.md: exists already"),
    ("compare --plots README.md", "Invalid value for '--plots': Directory 'README.md' is a file."),
    ("compare --resume README.md", "README.md: line 1 is not the settings"),
    ("compare --resume nowhere", "nowhere: No such file or directory"),
    ("compare --resume x --boards 5x5 --out y", "--boards cannot be used with --resume"),
    ("compare --boards 10000x10000 --starts all", "800,000,000 runs: more"),
    ("report nowhere", "nowhere: No such file or directory"),
    ("report README.md --html /no/page", "--html /no/page: there is no"),
    ("report", "Missing argument 'FILE'"),
    ("samples heart.txt", "Invalid value for '[NAME]': 'heart.txt' is not one of 'board.txt'"),
    ("methods magic", "method 'magic': give one of auto, "),
    ("draw - --out x.bmp", "--out x.bmp: the name must end in .svg or"),
    ("draw - --out x", "--out x: the name must end in .svg or .png"),
    ("draw - --out /no/x.svg", "--out /no/x.svg: there is no directory /no"),
    ("draw -", "Missing option '--out'"),
    ("draw - --out x.svg --style 3d", "Invalid value for '--style'"),
    ("draw no-such-file --out x.svg", "no-such-file: No such file"),
    ("solve 8x8 --draw x.bmp", "--draw x.bmp: the name must end in .svg or"),
    ("solve 8x8 --draw /no/x.svg", "--draw /no/x.svg: there is no directory"),
    (
        "solve 3x30000 --draw x.png",
        "board 3x30000: a picture shows at most 1,000,000 squares and 3",
    ),
    ("solve 1001x1000 --draw x.svg", "board 1001x1000: a picture shows at most"),
    ("solve 101x100 --draw x.html", "board 101x100: a page shows at most 10,000"),
    ("replay 6x6 --out x.gif", "--out x.gif: the name must end in .svg or .png or .pdf or .html"),
    ("replay 6x6 --out /no/x.html", "--out /no/x.html: there is no directory /no"),
    ("replay --out x.html", "give either a board, such as 6x6, or --graph"),
    ("replay 6x6 --graph 1 --out x.html", "give either a board, such as 6x6, or"),
    ("replay 6x6 --max-steps 0 --out x.html", "max steps 0: give a number from 1"),
    ("replay 6x6 --max-steps -5 --out x.html", "max steps -5: give a number"),
    ("replay 6x6 --max-steps 2000000 --out x.html", "max steps 2000000: give a"),
    ("replay 6x6 --max-steps many --out x.html", "Invalid value for '--max-steps'"),
    ("replay 6x6 --method auto --out x.html", "method 'auto': give one of dfs, war"),
    ("replay 6x6 --versus magic --out x.html", "method 'magic': give one of dfs"),
    ("replay 6x6 --start z9 --out x.html", "start: square 'z9' is off the board"),
    ("replay 101x100 --out x.html", "board 101x100: a page shows at most 10,000 squares"),
    ("replay --graph '' --out x.html", "--graph: the vertex count, before"),
    ("replay --graph '2,0 x' --out x.html", "--graph: edge 1, '0 x': 'x' is not a num"),
    ("replay --graph '2,0 1,0 2' --out x.html", "--graph: edge 2, '0 2': with 2 vertic"),
    ("replay --graph 0 --out x.html", "graph of 0 vertices and 0 edges: 1 to 500"),
    ("replay --graph 501 --out x.html", "graph of 501 vertices and 0 edges: 1 to 500"),
    ("validate '\x1b[31mred'", "\\x1b[31mred: No such file or directory"),
]

# The same, with what is read from standard input.
PIPED = [
    ("replay -", "standard input: row 1, column 1: 1 is a step number; a board has only", "1 ."),
    ("replay -", "standard input: the map has a constraint, kind; leave", "..\n; kind: closed"),
    ("solve -", "standard input: line 2 has 2 squares and holes where line 1 has 3", "...\n.."),
    ("solve -", "standard input: not a text file", b"\xff\xfe\x00\x80"),
    ("solve -", "standard input: board 1x2: there are only holes", "##"),
    ("solve - --start c5", "start: square 'c5' is a hole of the board", MAP),
    ("solve -", "step 1 is given twice, on a1 and on b1", "1 1 ."),
    ("solve -", "step 9 on a1: steps run from 1 to 3", "9 1 ."),
    ("solve - --end a1", "steps 1 and 3 are both given on a1", "1 . ."),
    ("puzzle - --givens 1", "givens 1: 2 clues are given already", "1 . 3"),
    ("validate -", "standard input: there is nothing to read: give a path", "   \n"),
    ("validate -", "standard input: it fits no notation; give ids (4 7 0 11)", "hello"),
    ("validate -", "standard input: line 2 is not UTF-8 text", b"1 2\n\xff"),
    ("validate -", "standard input: not a NumPy file", b"\x93NUMPY\x01"),
    ("validate -", "standard input: the JSON object holds no tour (s", '{"status": "\\u001b[2J"}'),
    ("validate - --board 0x5", "board 0x5: each side must be at least 1", "0"),
    (
        "validate - --board 3x3 --notation grid",
        "standard input: the path is on the board 1x2",
        "1 2",
    ),
    ("validate - --board 3x3 --notation successors", "standard input: 2 successors: 3x3", "1 2"),
    ("validate - --notation magic", "Invalid value for '--notation'", "0"),
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


@pytest.mark.parametrize(
    ("line", "message", "stdin"),
    [
        *((line, message, "") for line, message in TYPED),
        *PIPED,
        *NOTED,
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(
    line: str, message: str, stdin: str | bytes
) -> None:
    done = kt(*shlex.split(line), stdin=stdin)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"kt: {message}")
    assert done.stderr.count("\n") == 1
    assert not (ROOT / "not-written").exists()
