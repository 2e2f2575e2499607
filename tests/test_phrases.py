"""Numbers in messages."""

from __future__ import annotations

import pytest

from kt_cp.messages import show_number


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2.0, "2"), (0.1, "0.1"), (1234567.0, "1234567"), (-0.25, "-0.25"), (7, "7"), ("x", "'x'")],
)
def test_numbers_are_shown_as_people_type_them(value: object, shown: str) -> None:
    assert show_number(value) == shown
