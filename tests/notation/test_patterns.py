"""Regular expressions that every supported Python matches alike."""

import re

import pytest

from tests.helpers.command import ROOT

SOURCES = [*(ROOT / "kt_cp").rglob("*.py"), *(ROOT / "kt_dfs").rglob("*.py")]


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_group_has_a_possessive_quantifier(file: str) -> None:
    """Before Python 3.11.5, (?:…)*+ loses its place (CPython issue 106052); (?>(?:…)*) does not."""
    with open(file, encoding="utf-8") as text:
        assert not re.findall(r"(?<!\\)\)[*+?]\+", text.read())
