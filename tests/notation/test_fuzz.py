"""No input whatever makes ``kt validate`` fail otherwise than with exit code 2 and one line."""

import pytest
from hypothesis import HealthCheck, given, settings

from tests.helpers.command import kt, run
from tests.helpers.fuzz import check, contents, options

# Inputs that once broke it.
REGRESSIONS: list[tuple[bytes, list[str]]] = [
    (b"TOUR_SECTION\n" + b" " * 10**6 + b"!", []),  # looked for the end at every blank
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


def test_a_defect_is_not_blamed_on_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("zip() arguments differ in length")

    monkeypatch.setattr("kt_cp.cli.check.parse_path", broken)
    done = run("validate", "-", stdin=b"0 6 8")
    assert (done.returncode, "zip() arguments differ" in done.stderr) == (4, True)


@pytest.mark.parametrize(("content", "given_options"), REGRESSIONS)
def test_what_once_broke_it_does_so_no_more(content: bytes, given_options: list[str]) -> None:
    check(content, given_options)


@pytest.mark.parametrize("content", [b"", b"\x00" * 100, b"(" * 10**5, b"1" * 10**6, b"# " * 10**5])
def test_the_command_itself_survives_it(content: bytes) -> None:
    assert kt("validate", "-", stdin=content).returncode in (0, 1, 2)
