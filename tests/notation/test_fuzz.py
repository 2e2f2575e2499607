"""No input whatever makes ``kt validate`` fail otherwise than with exit code 2 and one line."""

import pytest
from hypothesis import HealthCheck, given, settings

from tests.helpers.fuzz import check, contents, options

# Inputs that once broke it.
REGRESSIONS: list[tuple[bytes, list[str]]] = [
    (b"TOUR_SECTION\n" + b" " * 10**6 + b"!", []),  # looked for the end at every blank
    *((each, []) for each in (b"", b"\x00" * 100, b"(" * 10**5, b"1" * 10**6, b"# " * 10**5)),
]


@settings(max_examples=200, deadline=30_000, suppress_health_check=list(HealthCheck))
@given(content=contents(), given_options=options())
def test_any_input_ends_in_a_verdict_or_in_one_line(
    content: bytes, given_options: list[str]
) -> None:
    check(content, given_options)


@pytest.mark.exhaustive
@settings(max_examples=1_500, deadline=30_000, suppress_health_check=list(HealthCheck))
@given(content=contents(), given_options=options())
def test_many_inputs_end_in_a_verdict_or_in_one_line(
    content: bytes, given_options: list[str]
) -> None:
    check(content, given_options)


@pytest.mark.parametrize(("content", "given_options"), REGRESSIONS)
def test_what_once_broke_it_does_so_no_more(content: bytes, given_options: list[str]) -> None:
    check(content, given_options)
