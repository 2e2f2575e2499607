"""Published claims: right ones are reproduced, wrong ones refuted, and those are documented."""

import pytest

from scripts.reproduce import DOCUMENT, QUICK, SECTIONS, Section, article_rows
from tests.published.claims import Row, markdown


def assert_as_it_should_be(rows: list[Row]) -> None:
    assert [row.claim for row in rows if not row.confirmed] == []
    document = DOCUMENT.read_text(encoding="utf-8").splitlines()
    wrong = [row for row in rows if not row.right]
    assert set(markdown(wrong)) <= set(document), "run python -m scripts.reproduce --write"


@pytest.mark.exhaustive
@pytest.mark.parametrize("section", QUICK)
def test_some_claims_are_recomputed_quickly(section: Section) -> None:
    assert_as_it_should_be(list(section()))


@pytest.mark.exhaustive
def test_the_claims_that_are_wrong_are_documented() -> None:
    rows = [*article_rows(), *(row for section in SECTIONS for row in section())]
    assert not all(row.right for row in rows)
    assert_as_it_should_be(rows)
