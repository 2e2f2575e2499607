"""Every command in the documents does what it says, as it stands there, beside the sample files."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.helpers.command import ROOT, kt, shell

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# What takes minutes, and what needs a cluster or another comparison's log.
COMPARISONS = re.compile(r"kt compare|kt report")
COMPUTATIONS = re.compile(r"6x8|7x8|5x20|10000x10000|--time-limit 30")
LONG = re.compile(f"{COMPARISONS.pattern}|{COMPUTATIONS.pattern}")
CLUSTER = "--dask"


def commands(document: Path) -> list[str]:
    """The lines of a document that are commands, in their order."""
    text = document.read_text("utf-8")
    text = text.replace("{sys.executable} -m kt_cp", "kt")  # as notebooks have it
    blocks = re.findall(r"^```(?:text|console|\{code-cell\} python)\n(.*?)^```", text, re.M | re.S)
    lines = [re.sub(r"^(\$ |!)", "", line) for block in blocks for line in block.splitlines()]
    return [
        line for line in lines if re.match(r"kt |(cat|printf) .*kt ", line) and CLUSTER not in line
    ]


# Two documents may say the same, with other comments.
ALL = {
    line.partition("  #")[0].rstrip(): line for each in DOCUMENTS[::-1] for line in commands(each)
}.values()

README = commands(DOCUMENTS[0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the sample files, a certificate, and the files that notebooks write."""
    for document in DOCUMENTS:
        cells = re.findall(
            r"^%%writefile (\S+)\n(.*?)^```", document.read_text("utf-8"), re.M | re.S
        )
        for name, content in cells:
            with (tmp_path / name).open("a") as file:
                file.write(content)
    kt("samples", "--out", tmp_path)
    kt("solve", "4x8", "--closed", "--certificate", tmp_path / "no.json")
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, marks=() if line in README else pytest.mark.exhaustive)
        for line in ALL
        if not LONG.search(line)
    ],
)
def test_a_command_of_the_documents_works_as_typed(line: str, folder: Path) -> None:
    if "minizinc -" in line and not shutil.which("minizinc") and "KT_MINIZINC" not in os.environ:
        pytest.skip("needs minizinc with gecode")
    for name in re.findall(r"kt check (\w+\.json)", line):
        if not (folder / name).exists():
            shell(next(each for each in ALL if f"--certificate {name}" in each), folder)
    done = shell(line, folder)
    may_refuse = re.search(r"impossible|not unique|unknown|published|broken|no(ne)?\.json", line)
    expected = {0, 1, 3} if may_refuse else {0}
    assert done.returncode in expected, done.stderr


def answers(document: Path) -> list[tuple[str, str]]:
    """The commands of a document's console blocks, each with what it prints there."""
    text = document.read_text("utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.M | re.S)
    pairs = [each.partition("\n") for block in blocks for each in block.split("$ ")[1:]]
    return [(command, printed) for command, _, printed in pairs]


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(each, marks=() if each == DOCUMENTS[0] else pytest.mark.exhaustive)
        for each in DOCUMENTS
        if answers(each)
    ],
    ids=lambda document: document.stem,
)
def test_a_document_shows_what_its_commands_print(document: Path, folder: Path) -> None:
    """Ellipses stand for what is left out, and long lines are folded."""
    shown = [(command, printed) for command, printed in answers(document) if printed]
    assert shown
    for command, printed in shown:
        if LONG.search(command):
            continue
        done = shell(command, folder)
        said = " ".join((done.stdout + done.stderr).split())
        for part in " ".join(printed.split()).split("…"):
            assert part.strip(" ()") in said


@pytest.mark.exhaustive
@pytest.mark.parametrize("some", [COMPARISONS, COMPUTATIONS], ids=["comparisons", "computations"])
def test_the_long_commands_of_the_documents_work_one_after_the_other(
    some: re.Pattern[str], folder: Path
) -> None:
    for line in ALL:
        if some.search(line):
            if "--out runs.jsonl" in line:
                (folder / "runs.jsonl").unlink(missing_ok=True)
            done = shell(line, folder)
            assert done.returncode == 0, f"{line}: {done.stderr}"
