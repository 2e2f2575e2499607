"""Every command in the documents does what it says, as it stands there, beside the sample files."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import kt_cp
from kt_cp.cli.app import SUBCOMMANDS
from tests.helpers.command import ROOT, kt

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
REFERENCE = ROOT / "docs" / "reference"
ZH = ROOT / "docs" / "zh.md"

# What takes minutes, and what needs a cluster or another comparison's log.
COMPARISONS = re.compile(r"kt compare|kt report")
COMPUTATIONS = re.compile(r"6x8|7x8|5x20|10000x10000|--time-limit 30")
LONG = re.compile(f"{COMPARISONS.pattern}|{COMPUTATIONS.pattern}")
CLUSTER = "--dask"


def commands(document: Path) -> list[str]:
    """The lines of a document that are commands, in their order."""
    blocks = re.findall(r"^```text\n(.*?)^```", document.read_text(), re.M | re.S)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [line for line in lines if re.match(r"kt |cat .*kt ", line) and CLUSTER not in line]


def without_comment(line: str) -> str:
    """The command itself, by which two documents say the same."""
    return line.partition("  #")[0].rstrip()


ALL = list(
    {
        without_comment(line): line for document in DOCUMENTS[::-1] for line in commands(document)
    }.values()
)

README = commands(DOCUMENTS[0])


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample files and a certificate."""
    folder = tmp_path_factory.mktemp("samples")
    kt("samples", "--out", folder)
    kt("solve", "4x8", "--closed", "--certificate", folder / "no.json")
    return folder


@pytest.fixture
def folder(samples: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    return shutil.copytree(samples, tmp_path / "samples")


def typed(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, marks=[pytest.mark.exhaustive] * (line not in README))
        for line in ALL
        if not LONG.search(line)
    ],
)
def test_a_command_of_the_documents_works_as_typed(line: str, folder: Path) -> None:
    done = typed(line, folder)
    expected = {0, 1, 3} if re.search(r"impossible|unknown|published|broken|no.json", line) else {0}
    assert done.returncode in expected, done.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize("some", [COMPARISONS, COMPUTATIONS], ids=["comparisons", "computations"])
def test_the_long_commands_of_the_documents_work_one_after_the_other(
    some: re.Pattern[str], folder: Path
) -> None:
    for line in ALL:
        if some.search(line):
            if "--out runs.jsonl" in line:
                (folder / "runs.jsonl").unlink(missing_ok=True)
            done = typed(line, folder)
            assert done.returncode == 0, f"{line}: {done.stderr}"


def test_the_reference_lists_every_subcommand() -> None:
    headings = re.findall(r"^## kt (.*)$", (REFERENCE / "commands.md").read_text(), re.M)
    assert headings == [*SUBCOMMANDS]


def test_the_reference_lists_every_public_name() -> None:
    listed = re.findall(r"^   ~\S+\.(\w+)$", (REFERENCE / "python.md").read_text(), re.M)
    assert sorted(listed) == kt_cp.__all__


def test_the_modules_of_the_reference_exist() -> None:
    for name in re.findall(r"^   (kt_\S+)$", (REFERENCE / "python.md").read_text(), re.M):
        assert find_spec(name), name


def test_the_chinese_page_installs_as_the_readme_says() -> None:
    readme, chinese = (
        re.findall(r"^```sh\n(.*?)^```", document.read_text(), re.M | re.S)
        for document in (DOCUMENTS[0], ZH)
    )
    assert readme[0] in chinese


@pytest.mark.parametrize(
    "line",
    [
        "solve 3x4",
        "validate kt_cp/samples/path.txt",
        "count 3x4",
        "describe kt_cp/samples/path.txt",
        "enumerate 3x4",
    ],
)
def test_the_reference_lists_the_fields_of_json(line: str) -> None:
    subcommand = line.split()[0]
    _, _, section = (
        (REFERENCE / "formats.md").read_text().partition(f"`kt {subcommand} --format json`")
    )
    first_columns = re.findall(r"^  \| (`.*?) \|", section.partition("\n`kt ")[0], re.M)
    listed = re.findall(r"`(\w+)`", " ".join(first_columns) or section.partition("\n## ")[0])
    written = kt(*line.split(), "--format", "json").stdout
    first, _ = json.JSONDecoder().raw_decode(written)
    assert list(first) == listed


GUIDES = [path for path in DOCUMENTS if path.read_text().startswith("---\nfile_format: mystnb")]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_a_guide_begins_with_the_one_command_that_installs_what_it_needs(guide: Path) -> None:
    beginning = guide.read_text().partition("```{code-cell}")[0]
    pattern = r"^```sh\npip install -e (?:\.|'\.\[([a-z,]+)\]') jupyterlab\n```$"
    (extras,) = re.findall(pattern, beginning, re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {*extras.split(",")} - {""} <= set(project["optional-dependencies"])


def test_contributors_are_shown_files_that_are_there_and_no_commits() -> None:
    text = (ROOT / "docs" / "contributing.md").read_text()
    cited = re.findall(r"`([\w/]+/[\w./]*)`", text)
    assert len(cited) > 20
    assert not [path for path in cited if not (ROOT / path).exists()]
    assert not re.findall(r"`[0-9a-f]{7}`", text)
