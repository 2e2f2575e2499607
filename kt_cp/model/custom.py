"""Custom constraints and objectives: functions of the user that add to the circuit model."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.arrays import Squares, cycle_arcs
from kt_cp.board import Board, as_board
from kt_cp.board.maps import SquareLike
from kt_cp.files import describe_caller_error
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.model.backend import Solver
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import CustomConstraint, Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Objective, OutOfTimeError, Sense
from kt_cp.problem.tour_graph import TourGraph
from kt_dfs import Status

# CP-SAT rejects coefficients of at least this size, but only while solving.
_TOO_LARGE = 1e20


class CustomModel:
    """The CP-SAT model that functions of the caller extend.

    ``cp`` is the ``CpModel``: whatever is added to it takes part in the search. Moves are given by
    their squares, also in open tours and where a symmetry makes several moves one; a pair that is
    no move raises `InputError`. Two examples: at most 4 moves of slope 1/2, and the fewest turns of
    a tour through a cross in the center.

    >>> from kt_cp import solve
    >>> board = Board(6, 6)
    >>> rising = [(a, b) for a, b in board.arcs.tolist() if b - a == 2 - board.columns]
    >>> def gentle(model):
    ...     model.cp.add(sum(model.edge(a, b) for a, b in rising) <= 4)
    >>> solve(board, closed=True, constrain=gentle).status
    <Status.FOUND: 'found'>
    >>> def cross(model):
    ...     model.cp.add(model.edge("c2", "d4") + model.edge("c4", "d2") == 2)
    >>> solve(board, closed=True, constrain=cross, minimize="turns").objective.value
    32
    """

    def __init__(self, model: CircuitModel) -> None:
        from ortools.sat.python import cp_model

        self.cp: Any = cp_model.CpModel(model.cp.proto)
        self.graph = model.instance.graph
        self._model = model

    @property
    def board(self) -> Board:
        """The graph, where it is a board. Raises `InputError` for a graph without places."""
        return as_board(self.graph)

    def move(self, a: SquareLike, b: SquareLike) -> Any:
        """Return the literal of the move from one square to another."""
        source, target, _ = Move.of(self.graph, (a, b))
        literals = self._literals(Move.of(self.graph, Move(source, target, directed=True)))
        if not literals:  # no tour makes it: it is forbidden, or its images are no moves
            return self.cp.new_constant(0)
        return literals[0]

    def edge(self, a: SquareLike, b: SquareLike) -> Any:
        """Return the 0/1 expression that a move is made in one direction or the other."""
        return sum(self._literals(Move.of(self.graph, (a, b))))

    def step(self, square: SquareLike) -> Any:
        """Return the expression of the step, from 1, at which a square is visited.

        A closed tour without a start and without given steps counts from the first square of the
        board, a8 on 8 x 8. The first call adds a variable for every square; raises `InputError` for
        more than 1,600 squares.

        >>> from kt_cp import solve
        >>> def early(model):
        ...     model.cp.add(model.step("h1") <= 10)
        >>> tour = solve("8x8", start="a1", constrain=early).tour
        >>> tour.squares.tolist().index(63) < 10
        True
        """
        graph = self._model.graph
        count = len(self.graph)
        node = int(graph.nodes(self.graph.vertex(square)))
        position = self.cp.get_int_var_from_proto_index(self._model.positions[node])
        _, first = graph.known_step
        if first == 1 or not self._model.instance.closed:
            return position + 1
        wraps = self.cp.new_bool_var("")  # the step passes from the last to 1
        step = self.cp.new_int_var(1, count, "")
        self.cp.add(step == position + first - count * wraps)
        return step

    def _literals(self, move: Move) -> list[Any]:
        """Return the literals of the arcs of a move that are in the model."""
        indices = self._model.literals_of_moves(move.arcs())
        return [self.cp.get_bool_var_from_proto_index(index) for index in indices]

    def check(self, role: str) -> None:
        """Raise `InputError` if CP-SAT refuses the model; the message begins with ``role``."""
        fault = self.cp.validate()
        if fault:
            first_words = fault.splitlines()[0].split(":")[0]  # the rest prints the model
            raise InputError(
                f"{role}: CP-SAT does not accept the model: {escape_unprintable(first_words)}"
            )


def add_custom_constraints(model: CircuitModel, constrain: CustomConstraint) -> None:
    """Let a function add constraints.

    Raises `InputError` if it raises an exception, sets an objective, or makes a model that CP-SAT
    does not accept.
    """
    from ortools.sat.python.cp_model import Constraint

    custom = CustomModel(model)
    with _errors_of_caller("constrain"):
        value = constrain(custom)
    if custom.cp.has_objective():
        raise InputError(
            "constrain: the function sets an objective; give that as minimize= or maximize="
        )
    custom.check("constrain")
    returned = value if isinstance(value, list | tuple) else [value]
    if not all(each is None or isinstance(each, Constraint) for each in returned):
        instead = "add it instead, with model.cp.add(...), and return nothing"
        raise _refused("constrain", value, instead)


def set_custom_objective(model: CircuitModel, objective: Objective) -> None:
    """Add the objective that a function returns.

    Raises `InputError` if the function raises an exception, returns no expression, or makes a model
    that CP-SAT does not accept.
    """
    assert callable(objective.feature)
    custom = CustomModel(model)
    role = f"{objective.sense} {escape_unprintable(objective.name)}"
    with _errors_of_caller(role):
        value = objective.feature(custom)
    try:
        if objective.sense is Sense.MINIMIZE:
            custom.cp.minimize(value)
        else:
            custom.cp.maximize(value)
    except TypeError:
        instead = "return an expression, such as a sum of model.edge(a, b)"
        raise _refused(role, value, instead) from None
    if custom.cp.proto.has_floating_point_objective():
        sums = custom.cp.proto.floating_point_objective
        if not all(abs(each) < _TOO_LARGE for each in (*sums.coeffs, sums.offset)):
            raise InputError(f"{role}: a coefficient is not below {_TOO_LARGE:g}")
    custom.check(role)


def custom_value(instance: Instance, tour: Squares, objective: Objective) -> float | None:
    """Return the value of a tour, given by its ids, by a custom objective.

    None if the function adds constraints that the tour does not meet.
    """
    bare = replace(instance, require=(), forbid=(), symmetry=None, having=(), constrain=())
    model = CircuitModel(bare)
    cycle = TourGraph(instance).cycle(tour)
    used = model.arcs.literals_of(cycle_arcs(cycle))
    model.cp.add_all(used)
    model.cp.add_all(~np.setdiff1d(model.arcs.literals, used))
    set_custom_objective(model, objective)
    solver = Solver({}, Clock())
    if solver.solve(model.cp) is not Status.FOUND:
        return None
    return float(solver.response.objective_value)


@contextmanager
def _errors_of_caller(role: str) -> Iterator[None]:
    """Raise exceptions of a function of the caller as `InputError`, with the file and line."""
    try:
        yield
    except (OutOfTimeError, MemoryError):
        raise
    except Exception as error:
        raise InputError(f"{role}: {escape_unprintable(describe_caller_error(error))}") from error


def _refused(role: str, value: object, instead: str) -> InputError:
    """Return the error that a function returned a value other than what was asked."""
    return InputError(
        f"{role}: the function returned {escape_unprintable(reprlib.repr(value))}: {instead}"
    )
