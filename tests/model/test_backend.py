"""CP-SAT by its compiled module, loaded faster: its models, answers and parameters."""

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
from ortools.sat.python import cp_model

from kt_cp import solve
from kt_cp.messages import InputError
from kt_cp.model.backend import Model, Solver, solutions
from kt_cp.model.parameters import checked_parameters
from kt_cp.problem.task import Clock, Parameters
from kt_cp.proof.reasons import ReasonKind
from kt_dfs import Status
from tests.helpers.command import loaded_by


def test_a_model_is_stated_as_the_public_api_states_it() -> None:
    ours, theirs = Model(), cp_model.CpModel()
    a, b, c = ours.new_literals(3).tolist()
    x, y, z = (theirs.new_bool_var("") for _ in range(3))
    ours.add_clause([a, ~b])
    theirs.add_bool_or(x, ~y)
    ours.add_clause([])
    theirs.add_bool_or([])
    ours.add_all([~a, c])
    theirs.add_bool_and(~x, z)
    ours.add_linear([a, b, c], [1, -2, 3], -1, 4)
    theirs.add_linear_constraint(x - 2 * y + 3 * z, -1, 4)
    number = ours.new_integer(np.array([0, 1, 2, 4, 7, 8]))
    integer = theirs.new_int_var_from_domain(cp_model.Domain.from_values([0, 1, 2, 4, 7, 8]), "")
    ours.add_linear([number], [1], 4, 4, only_if=~a)
    theirs.add(integer == 4).only_enforce_if(~x)
    ours.add_circuit(np.array([(0, 1), (1, 0), (1, 1)]), np.array([a, b, ~c]))
    theirs.add_circuit([(0, 1, x), (1, 0, y), (1, 1, ~z)])
    ours.hint(np.array([a]))
    ours.hint(np.array([b, ~c]))
    theirs.add_hint(y, True)
    theirs.add_hint(~z, True)
    assert str(ours.proto) == str(theirs.proto)


def test_solving_imports_neither_pandas_nor_the_modeling_layer() -> None:
    modules = loaded_by(
        "from kt_cp import Board, count_tours, solve\n"
        "solve(Board(8, 8), closed=True)\n"
        "solve(Board(7, 7, [24]), method='circuit')\n"
        "count_tours(Board(5, 6), closed=True)\n"
    )
    assert not {"pandas", "ortools.sat.python.cp_model"} & modules


def pigeons(number: int) -> Model:
    """More pigeons than holes, by one: what clause learning takes ages to refute."""
    model = Model()
    places = model.new_literals(number * (number - 1)).reshape(number, number - 1)
    for row in places.tolist():
        model.add_clause(row)
    for column in places.T.tolist():
        for place, one in enumerate(column):
            for other in column[:place]:
                model.add_clause([~one, ~other])
    return model


LONG: Parameters = {"cp_model_presolve": False, "linearization_level": 0, "symmetry_level": 0}


@pytest.mark.parametrize("seconds", [0.1, 0.5])
def test_an_interrupt_ends_a_search_whether_it_has_begun_or_not(seconds: float) -> None:
    class SlowToBegin(Solver):
        def solve_in_this_thread(self, *arguments: object) -> Status:
            time.sleep(0.2)
            return super().solve_in_this_thread(*arguments)  # type: ignore[arg-type]

    solver, model = SlowToBegin(LONG, Clock()), pigeons(13)  # which nobody proves
    signal.signal(signal.SIGINT, signal.default_int_handler)  # OR-tools itself may have changed it
    interrupt = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        solver.solve(model)


def test_a_time_limit_ends_a_search_without_an_answer() -> None:
    solver = Solver(LONG, Clock(0.2))
    assert solver.solve(pigeons(13)) is Status.UNKNOWN
    assert not solver.is_exhausted


def test_an_error_in_the_thread_of_an_enumeration_is_raised() -> None:
    model = Model()
    model.add_clause([12345])  # of a variable that does not exist
    with pytest.raises(AssertionError, match="CP-SAT: MODEL_INVALID"):
        list(solutions(model, 1, Clock()))


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
