"""The command ``kt`` as a whole: its help, exit codes, streams and signals."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE

import click
import pytest

from kt_cp.cli.app import SAMPLES, SUBCOMMANDS, load_command
from kt_cp.export import ExportFormat
from tests.helpers.command import KT, ROOT, kt, loaded_by, on_a_terminal, python, run, shell

# The reasons refute it at once; the circuit alone goes on for longer than anyone waits.
ENDLESS = ("solve", "8x8", "--closed", "--symmetry", "half-turn-reverse", "--method", "circuit")


# Help


def test_help_lists_every_subcommand() -> None:
    done = kt("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == kt("-h").stdout == kt("help").stdout == kt().stdout
    for name, each in SUBCOMMANDS.items():
        assert f"  {name} " in done.stdout
        assert each.summary in done.stdout
    assert re.fullmatch(r"kt \d+\.\d+\.\d+\n", kt("--version").stdout)


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_option_stands_once_in_the_help_and_ten_at_most_are_usual(name: str) -> None:
    def listed_by(*typed: str) -> list[str]:
        return re.findall(r"^  (-[a-z-]+)", kt(*typed).stdout.partition("\nOptions:\n")[2], re.M)

    listed, usual = listed_by("help", name), listed_by(name, "-h")
    options = [each for each in load_command(name).params if isinstance(each, click.Option)]
    shown = [each.opts[0] for each in options if not each.hidden]
    assert sorted(listed) == sorted(["-h", *shown])
    if len(usual) < len(listed):
        assert len(usual) <= 11
        more = f"{len(listed) - len(usual)} more options: 'kt help {name}' shows them\n"
        assert more in kt(name, "-h").stdout


def test_the_help_of_export_describes_every_format() -> None:
    described = re.findall(r"^  ([a-z-]+)  +[a-z]", kt("export", "-h").stdout, re.MULTILINE)
    assert described == [*ExportFormat]


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_has_help_that_fits_80_columns(name: str) -> None:
    done = kt(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == kt(name, "-h").stdout
    assert f"kt {name} " in done.stdout.splitlines()[0]
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "Exit code 0: " in done.stdout
    for example in SUBCOMMANDS[name].examples:
        assert f"\n    {example}\n" in done.stdout


# Examples that take seconds.
_LONG = re.compile(r"compare|report|\.gif|--book")


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, marks=[pytest.mark.exhaustive] if _LONG.search(line) else [])
        for name, each in SUBCOMMANDS.items()
        for line in each.examples
        if name != "play"
    ],
)
def test_the_examples_of_the_help_work_as_typed(line: str, tmp_path: Path) -> None:
    kt("samples", "--out", tmp_path)
    if "no.json" in line:
        kt("solve", "4x8", "--closed", "--certificate", "no.json", folder=tmp_path)
    if "runs.jsonl" in line and "--boards" not in line:
        small = ("--boards", "3x4", "--methods", "dfs", "--quiet", "--out", "runs.jsonl")
        kt("compare", *small, folder=tmp_path)
    stdin: str | bytes = ""
    for part in line.split(" | "):
        done = kt(*shlex.split(part)[1:], stdin=stdin, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        stdin = done.stdout


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("help va", ["plain,validate"]),
        ("solve 8x8 --up", []),
        ("solve 8x8 --method mo", ["plain,most-available"]),
        ("solve 8x8 --minimize tu", ["plain,turns"]),
        ("replay 6x6 --versus gr", ["plain,greedy"]),
        ("compare --methods dfs,ci", ["plain,dfs,circuit"]),
        ("solve 8x8 --format gr", ["plain,grid", "plain,grid-from-0"]),
        ("solve 8x8 --out t", ["file,t"]),
    ],
)
def test_a_shell_is_told_what_a_word_may_become(
    typed: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_KT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"kt {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    done = kt()
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, expected, "")


def test_bash_completes_after_the_line_of_the_documents() -> None:
    line = 'eval "$(_KT_COMPLETE=bash_source kt)"; COMP_WORDS=(kt enum); COMP_CWORD=1'
    done = shell(f'{line}; _kt_completion kt enum kt; echo "${{COMPREPLY[@]}}"')
    assert (done.stdout, done.stderr) == ("enumerate\n", "")


# Exit codes


def test_a_bug_is_exit_code_4_and_one_line_and_a_traceback_for_those_who_debug(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("zip() arguments differ")

    monkeypatch.setattr("kt_cp.notation.read.parse_paths", fail)
    done = run("validate", "-", stdin="0 6 8")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)
    bug = "kt: a bug in this package or in a library: ValueError: zip() arguments differ (please re"
    assert done.stderr.startswith(bug)
    monkeypatch.setenv("KT_DEBUG", "1")
    done = run("validate", "-", stdin="0 6 8")
    assert done.returncode == 4
    assert "Traceback (most recent call last)" in done.stderr


# Streams


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("line", "code", "error"),
    [
        ("kt solve 300x300 --format ids | head -1", 0, ""),
        ("kt methods | true", 0, ""),
        ("kt solve 5x5 2>&1 >/dev/null | true", 0, ""),
        ("kt solve 5x5 2>&-", 0, ""),
        ("kt validate - <&-", 2, "kt: standard input: it is closed"),
        ("kt solve 5x5 >&-", 2, "kt: standard output: Bad file descriptor"),
        ("kt solve - <&- >&- 2>&-", 2, ""),
        ("kt solve 5x5 >/dev/full", 3, "kt: standard output: No space left on device"),
        ("kt solve 5x5 --out /dev/full", 3, "kt: /dev/full: No space left on device"),
        ("kt solve 5x5 --draw /dev/full --out /dev/null", 2, "kt: --draw /dev/full: "),
        ("kt solve .", 2, "kt: .: Is a directory; give a size such as 8x8 or a file"),
        ("kt solve /dev/zero", 2, "kt: /dev/zero: more than 16 MiB"),
    ],
)
def test_streams_may_be_closed_full_or_endless(line: str, code: int, error: str) -> None:
    done = shell(line)
    assert done.returncode == code
    assert done.stderr.startswith(error)
    assert done.stderr.count("\n") <= 1


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on the address space")
@pytest.mark.parametrize("kib", [40_000, 100_000, 160_000, 200_000])
@pytest.mark.parametrize("line", ["kt solve 8x8 --method circuit", "kt count 4x5"])
def test_too_little_memory_is_no_answer_and_no_bug(line: str, kib: int) -> None:
    done = shell(f"ulimit -v {kib}; {line}")
    assert done.returncode in ((0, 3) if kib == 200_000 else (3,))
    assert done.returncode == 0 or done.stderr.startswith("kt: there is not enough memory")


# Terminals


def rows_left(shown: str) -> int:
    """The rows that a terminal shows in the end: a sign of life takes its own row back."""
    return shown.count("\n") - shown.count("\x1b[1A")


def text_left(shown: str) -> str:
    """Return what follows the last row that a sign of life took back; there may be none."""
    return shown.rpartition("\x1b[2K")[2]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_a_terminal_gets_colors_a_sign_of_life_and_no_broken_rows() -> None:
    assert "\x1b[32m\x1b[1mfound\x1b[0m: " in on_a_terminal("solve", "5x5")
    plain = on_a_terminal("solve", "4x4", NO_COLOR="1")
    assert "impossible: " in plain
    assert "[36m" not in plain
    shown = on_a_terminal("solve", "24x24", both=True)
    assert "wider than the terminal: --draw FILE draws it" in shown
    assert rows_left(shown) == 2
    told = text_left(on_a_terminal("solve", "9x9", "--start", "b9", columns=30)).splitlines()
    assert max(map(len, told)) <= 30 + len("\x1b[31m\x1b[1m\x1b[0m")
    assert "impossible" in told[0]
    assert " ".join(told).endswith(kt("solve", "9x9", "--start", "b9").stderr[-40:].strip())
    shown = on_a_terminal("describe", "kt_cp/samples/path.txt", both=True, columns=50)
    assert max(map(len, shown.splitlines())) <= 50
    shown = on_a_terminal(*ENDLESS, "--time-limit", "1.6")
    assert re.search(r"0:00:0\d solving 8x8", shown)
    *_, answer, hint = shown.splitlines()
    assert "unknown" in answer
    assert "the usual methods: kt solve 8x8" in hint


# Signals


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*KT, *arguments], cwd=ROOT, stdout=PIPE, stderr=PIPE, text=True)


LONG_COUNT = ("count", "7x8", "--closed", "--method", "frontier")


@pytest.mark.parametrize(
    "arguments", [(*ENDLESS, "--log"), pytest.param(LONG_COUNT, marks=pytest.mark.exhaustive)]
)
def test_ctrl_c_stops_what_takes_long_and_exits_130(arguments: tuple[str, ...]) -> None:
    with start(*arguments) as process:
        assert process.stderr is not None
        process.stderr.readline()  # which says that the work has begun
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, "")
    assert "kt: interrupted" in messages  # with --log, lines of CP-SAT's thread may follow


def interrupt_the_import_of(module: str, folder: Path) -> None:
    """Send Ctrl-C while a module is imported that swallows the exception, as some do."""
    (folder / "sitecustomize.py").write_text(
        f"""
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                pass

sys.meta_path.insert(0, Finder())
"""
    )


@pytest.mark.parametrize("module", ["numpy", "ortools.sat.python.cp_model_helper"])
def test_ctrl_c_while_a_module_is_imported_exits_130(module: str, tmp_path: Path) -> None:
    interrupt_the_import_of(module, tmp_path)
    done = python("-m", "kt_cp", *ENDLESS, folders=[tmp_path], timeout=20)
    assert (done.returncode, done.stderr) == (130, "kt: interrupted\n")


def test_sigterm_leaves_no_file_half_written(tmp_path: Path) -> None:
    out = str(tmp_path / "tour.facts")
    with start("solve", "1200x1200", "--closed", "--format", "facts", "--out", out) as process:
        while not list(tmp_path.iterdir()):
            assert process.poll() is None
            time.sleep(0.01)
        process.terminate()
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (143, "")
    assert not list(tmp_path.iterdir())


# Starting

SLOW = {"dask", "distributed", "matplotlib", "networkx", "pandas", "pydantic", "rich", "typer"}


@pytest.mark.parametrize(
    ("lines", "others"),
    [
        (["--help"], {"numpy", "ortools", "kt_dfs", "kt_cp.board", "kt_cp.cli.options"}),
        ([f"{name} --help" for name in SUBCOMMANDS], {"ortools"}),
        (["validate kt_cp/samples/path.txt"], {"numpy.ma", "ortools", "kt_cp.draw.sheet"}),
        (["solve 8x8 --closed --method cuts"], {"ortools"}),
        (["solve 8x8 --closed"], {"kt_cp.draw.sheet", "kt_cp.count"}),
    ],
)
def test_a_command_loads_what_it_needs_and_no_more(lines: list[str], others: set[str]) -> None:
    run = "from kt_cp.cli import run\nassert not any([run(line.split()) for line in sys.argv[1:]])"
    modules = loaded_by(run, *lines)
    assert not modules & (SLOW | others)
    assert ("ortools" in modules) == ("ortools" not in others)


# Samples

SAMPLE_ANSWERS = {
    "board.txt": (0, "found: closed tour of 8x8, 60 squares"),
    "puzzle.txt": (0, "unique: this is the only tour"),
    "path.txt": (0, "valid closed tour of 8x8, 64 squares"),
    "broken.txt": (1, "not a tour: 4 illegal moves, 1 step on two squares"),
    "heart-board.txt": (0, "found: closed tour of 14x16, 162 squares"),
    "ring.txt": (0, "found: closed tour of 14x14, 124 squares"),
    "letter.txt": (0, "found: closed tour of 10x10, 80 squares"),
    "cross.txt": (1, "impossible: "),
    "published.txt": (1, "not a tour: 3 illegal moves, 153 repeats, 6 squares missing"),
    "cube.gml": (0, "found: 3 closed tours of directed graph of 27 vertices"),
    "petersen.hcp": (1, "impossible: "),
    "towns.tsp": (0, "found: "),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_proposed_to_try_with_a_sample_works(name: str, tmp_path: Path) -> None:
    assert kt("samples", name, "--out", str(tmp_path)).returncode == 0
    assert kt("samples", name).stdout == (tmp_path / name).read_text("utf-8")
    command = SAMPLES[name][1].removeprefix("kt ")
    done = kt(*command.split(), folder=tmp_path)
    code, verdict = SAMPLE_ANSWERS[name]
    assert done.returncode == code
    assert verdict in done.stdout + done.stderr
    assert all((tmp_path / word).exists() for word in command.split() if "." in word)


def test_all_samples_are_written_to_a_folder_where_nothing_is_overwritten(tmp_path: Path) -> None:
    folder, listed = tmp_path / "new", kt("samples").stdout
    assert re.findall(r"^\S+", listed, flags=re.MULTILINE) == [*SAMPLES]
    for _ in range(2):
        assert kt("samples", "--out", str(folder)).returncode == 0
        shipped = ROOT / "kt_cp" / "samples"
        assert {file.name for file in folder.iterdir()} == {*SAMPLES} == {*os.listdir(shipped)}
    (folder / "ring.txt").write_text("mine")
    (folder / "board.txt").unlink()
    done = kt("samples", "--out", str(folder))
    assert (done.returncode, done.stdout) == (2, "")
    wanted = "another ring.txt is there already; name another folder"
    assert done.stderr == f"kt: --out {folder}: {wanted}\n"
    assert (folder / "ring.txt").read_text("utf-8") == "mine"
    assert not (folder / "board.txt").exists()
