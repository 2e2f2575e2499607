"""CP-SAT by its compiled module: the models and answers of the public API, loaded faster."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from ortools.sat.python import cp_model

from kt_cp.model.backend import Model, Solver, solutions
from kt_cp.model.parameters import Parameters
from kt_cp.problem.task import Clock
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
    assert not solver.exhausted


def test_an_error_in_the_thread_of_an_enumeration_is_raised() -> None:
    model = Model()
    model.add_clause([12345])  # of a variable that does not exist
    with pytest.raises(AssertionError, match="CP-SAT: MODEL_INVALID"):
        list(solutions(model, 1, Clock()))
