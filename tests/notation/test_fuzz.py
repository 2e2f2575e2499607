"""No input whatever makes ``kt validate`` fail otherwise than with exit code 2 and one line."""

import re

import pytest
from hypothesis import HealthCheck, given, settings

from tests.helpers.command import ROOT
from tests.helpers.fuzz import check, contents, options

# Inputs that once broke it.
REGRESSIONS: list[tuple[bytes, list[str]]] = [
    (b"TOUR_SECTION\n" + b" " * 10**6 + b"!", []),  # looked for the end at every blank
    (b"\n" * 3000 + b"a1 b3", []),  # looked at the width of a drawing without rows
    *((each, []) for each in (b"", b"\x00" * 100, b"(" * 10**5, b"1" * 10**6, b"# " * 10**5)),
]


@pytest.mark.parametrize("examples", [60, pytest.param(500, marks=pytest.mark.exhaustive)])
def test_any_input_ends_in_a_verdict_or_in_one_line(examples: int) -> None:
    limits = settings(max_examples=examples, deadline=30_000, suppress_health_check=[*HealthCheck])
    limits(given(contents(), options())(check))()


@pytest.mark.parametrize(("content", "given_options"), REGRESSIONS)
def test_what_once_broke_it_does_so_no_more(content: bytes, given_options: list[str]) -> None:
    check(content, given_options)


SOURCES = [*(ROOT / "kt_cp").rglob("*.py"), *(ROOT / "kt_dfs").rglob("*.py")]


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_group_has_a_possessive_quantifier(file: str) -> None:
    """Before Python 3.11.5, (?:…)*+ loses its place (CPython issue 106052); (?>(?:…)*) does not."""
    with open(file, encoding="utf-8") as text:
        assert not re.findall(r"(?<!\\)\)[*+?]\+", text.read())
