"""The public names: listed on one page, loaded on first use, and no more is loaded than needed."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator

import click
import pytest

import kt_cp
import kt_dfs
from kt_cp.cli.app import SUBCOMMANDS, load_command
from kt_cp.cli.output import Exit
from kt_cp.notation.notations import Notation
from tests.helpers.command import ROOT, kt, loaded_by

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PAGE = ROOT / "tests" / "public_names.md"


def options(name: str) -> Iterator[str]:
    for parameter in load_command(name).params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            yield max(parameter.opts, key=len)


def lists() -> dict[str, list[str]]:
    """Return the names under each heading of the page."""
    listed: dict[str, Iterable[str]] = {
        "kt_cp": kt_cp.__all__,
        "kt_dfs": kt_dfs.__all__,
        "The exit codes of kt": (str(code.value) for code in Exit),
        "Notations": (notation.value for notation in Notation),
    }
    listed |= {f"kt {name}": options(name) for name in SUBCOMMANDS}
    return {heading: sorted(names) for heading, names in listed.items()}


def written_lists(page: str) -> dict[str, list[str]]:
    """Return the names in code type in the paragraph below each heading of the third level."""
    parts = re.split(r"^### (.*)\n\n", page, flags=re.MULTILINE)
    paragraphs = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {
        heading: re.findall(r"`([^`]+)`", text.split("\n\n")[0])
        for heading, text in paragraphs.items()
    }


def test_the_page_lists_what_is_public() -> None:
    assert written_lists(PAGE.read_text(encoding="utf-8")) == lists()


def test_every_public_name_is_there() -> None:
    for name in kt_cp.__all__:
        assert getattr(kt_cp, name) is not None
    assert kt_cp.__version__ == PROJECT["version"]
    with pytest.raises(AttributeError, match="Bord"):
        kt_cp.Bord  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_itself_loads_nothing_and_validating_no_solver() -> None:
    loaded = {name for name in loaded_by("import kt_cp") if name.startswith(("kt_cp.", "numpy"))}
    assert not loaded
    loaded = loaded_by("from kt_cp import Board, validate; validate(Board(3, 4), [0, 6])")
    assert not {name.split(".")[0] for name in loaded} & {"ortools", "pandas", "rich"}


def test_every_extra_that_a_message_names_is_there() -> None:
    texts = [file.read_text() for file in (ROOT / "kt_cp").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"knights-tours\[(\w+)\]", text)}
    assert {"graphs", "peers", "plot"} <= named <= set(PROJECT["optional-dependencies"])


def test_no_name_of_a_module_in_a_string_reaches_up() -> None:
    """import-linter sees imports alone."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = contracts["contracts"][1]["layers"]
    level = {name.strip(): number for number, row in enumerate(layers) for name in row.split("|")}
    for file in sorted((ROOT / "kt_cp").rglob("*.py")):
        place = file.relative_to(ROOT / "kt_cp").parts[0].removesuffix(".py")
        for named in re.findall(r"[\"']kt_cp\.(\w+)[\w.]*(?::\w+)?[\"']", file.read_text()):
            assert level[named] >= level.get(place, 0), f"{file}: {named}"


@pytest.mark.parametrize(
    "command",
    [
        "solve 5x5",
        "validate kt_cp/samples/path.txt",
        "count 5x5",
        "describe kt_cp/samples/path.txt",
    ],
)
def test_the_page_of_formats_has_the_fields_of_json_answers(command: str) -> None:
    text = (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    name = command.split()[0]
    [section] = re.findall(rf"^`kt {name} --format json`\n(.*?)\n\n", text, re.DOTALL | re.M)
    cells = re.findall(r"^:?\s*\| (`.*?) \|", section, re.M)
    documented = set(re.findall(r"`(\w+)`", " ".join(cells)))
    answer = json.loads(kt(*command.split(), "--format", "json").stdout)
    assert documented == set(answer)
