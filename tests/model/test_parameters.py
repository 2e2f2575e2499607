"""Parameters of CP-SAT that users give: what is taken, what is refused, and what they change."""

from typing import Any

import pytest

from kt_cp import solve
from kt_cp.messages import InputError
from kt_cp.model.parameters import checked_parameters
from kt_cp.proof.reason import ReasonKind
from kt_dfs.backtracking import Status


@pytest.mark.parametrize(
    ("name", "given", "taken"),
    [
        ("num_workers", 2, 2),
        ("cp_model_presolve", "False", False),
        ("random_polarity_ratio", 1, 1.0),
        ("random_polarity_ratio", "0.25", 0.25),
        ("search_branching", "fixed_search", "FIXED_SEARCH"),
        ("ignore_subsolvers", "no_lp, max_lp", ["no_lp", "max_lp"]),
        ("ignore_subsolvers", ("no_lp",), ["no_lp"]),
    ],
)
def test_values_and_text_are_read_as_the_field_takes_them(
    name: str, given: object, taken: object
) -> None:
    assert checked_parameters({name: given})[name] == taken


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"num_worker": 8}, "CP-SAT has no parameter 'num_worker': did you mean num_workers?"),
        ({"num_workers": "[" * 10**5}, "give a whole number within the range of the field"),
        ({"max_time_in_seconds": 1}, "parameter max_time_in_seconds: give time_limit instead"),
        ({"enumerate_all_solutions": True}, "enumerate_tours and kt enumerate list all tours"),
        ({"linearization_level": "two"}, "'two': give a whole number"),
        ({"linearization_level": 2**40}, "give a whole number within the range"),
        ({"linearization_level": -3}, "linearization_level must be non-negative"),
        ({"num_workers": -1}, "'num_workers' should be in [0,10000]"),
        ({"cp_model_presolve": 1}, "1: give true or false"),
        ({"search_branching": "sideways"}, "give one of AUTOMATIC_SEARCH, "),
        ({"ignore_subsolvers": [1]}, "give names, separated by commas"),
        ({"subsolvers": "bogo", "num_workers": 2}, "subsolver 'bogo' is not valid"),
    ],
)
def test_what_cp_sat_does_not_take_is_refused_with_what_it_takes(
    parameters: dict[Any, object], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        solve("8x8", parameters=parameters)
    assert message in str(refused.value)


@pytest.mark.parametrize("closed", [False, True])
def test_with_parameters_the_circuit_answers_after_the_reasons(closed: bool) -> None:
    found = solve("8x8", closed=closed, parameters={"linearization_level": 1})
    assert (found.status, found.method) == (Status.FOUND, "circuit")
    refuted = solve("3x8", closed=True, parameters={"linearization_level": 1})
    assert (refuted.status, refuted.counters) == (Status.IMPOSSIBLE, {})


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("max_number_of_conflicts", 50),
        ("max_deterministic_time", 0.01),
        ("stop_after_presolve", True),
    ],
)
def test_a_limit_among_the_parameters_ends_the_search_without_an_answer(
    name: str, limit: object
) -> None:
    # The reasons refute it at once; the circuit alone goes on for longer than anyone waits.
    result = solve(
        "8x8", closed=True, symmetry="half-turn-reverse", method="circuit", parameters={name: limit}
    )
    assert (result.status, result.reason_kind) == (Status.UNKNOWN, ReasonKind.GAVE_UP)
    assert result.reason == f"CP-SAT had no answer when it reached {name}"


@pytest.mark.parametrize(
    ("asked", "told"), [({}, "Starting CP-SAT solver"), ({"minimize": "turns"}, "#Bound")]
)
def test_the_log_goes_to_standard_error_and_leaves_standard_output_alone(
    asked: Any, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert solve("5x6", closed=True, parameters={"log_search_progress": True}, **asked)
    out, error = capfd.readouterr()
    assert out == ""
    assert told in error
