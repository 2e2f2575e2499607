"""The page that lists what is public says what the package has, no more and no less.

``python -m tests.test_public`` writes the lists of the page anew.
"""

import json
import re
from collections.abc import Iterable, Iterator

import click
import pytest

import kt_cp
import kt_dfs
from kt_cp.cli.app import SUBCOMMANDS, load_command
from kt_cp.cli.output import Exit
from kt_cp.notation.notations import Notation
from tests.helpers.command import ROOT, kt

PAGE = ROOT / "docs" / "reference" / "public.md"


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


def write_lists() -> None:
    """Write the lists into the page, and leave everything else of it."""
    page = PAGE.read_text(encoding="utf-8")
    head = page[: page.index("\n### ")]
    sections = [
        f"\n### {heading}\n\n" + ", ".join(f"`{name}`" for name in names) + "\n"
        for heading, names in lists().items()
    ]
    PAGE.write_text(head + "".join(sections), encoding="utf-8")


if __name__ == "__main__":
    write_lists()
