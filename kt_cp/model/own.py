"""The circuit model as custom functions see it: by squares, in the public API of OR-tools."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np

from kt_cp.board import Board, as_board
from kt_cp.board.board import SquareLike
from kt_cp.errors import InputError, printable
from kt_cp.graph import Graph
from kt_cp.model.backend import Arcs, Model
from kt_cp.problem.constraints import Move, Objective, OwnFunction, Sense, parse_move

# CP-SAT refuses coefficients from here on when it solves the model, not when it validates it.
_MOST = 1e20


class OwnModel:
    """What ``constrain``, and a function as an objective, are called with.

    ``cp`` is the ``CpModel``: whatever is added to it takes part in the search. Moves are given by
    their squares, also in open tours and where a symmetry makes several moves one; what is no move
    is refused. Two examples: at most 4 moves of slope 1/2, and the fewest turns of a tour through a
    cross in the center.

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

    def __init__(self, cp: Model, arcs: Arcs, graph: Graph) -> None:
        from ortools.sat.python import cp_model

        self.cp: Any = cp_model.CpModel(cp.proto)
        self.graph = graph
        self._arcs = arcs

    @property
    def board(self) -> Board:
        """The graph, where it is a board. Raises `InputError` for a graph without places."""
        return as_board(self.graph)

    def add_constraints(self, constrain: OwnFunction) -> None:
        """Have a function add constraints.

        Raises `InputError` if it sets an objective, or makes a model that CP-SAT does not accept.
        """
        from ortools.sat.python.cp_model import Constraint

        value = constrain(self)
        if self.cp.has_objective():
            wanted = "give that as minimize= or maximize="
            raise InputError(f"constrain: the function sets an objective; {wanted}")
        self._check("constrain")
        returned = value if isinstance(value, list | tuple) else [value]
        if not all(each is None or isinstance(each, Constraint) for each in returned):
            wanted = "add it instead, with model.cp.add(...), and return nothing"
            raise _refused("constrain", value, wanted)

    def set_objective(self, objective: Objective) -> None:
        """Have a function return the objective.

        Raises `InputError` if that is no expression, or makes a model that CP-SAT does not accept.
        """
        assert callable(objective.feature)
        value, role = objective.feature(self), f"{objective.sense} {printable(objective.name)}"
        is_least = objective.sense is Sense.MINIMIZE
        try:
            (self.cp.minimize if is_least else self.cp.maximize)(value)
        except TypeError:
            wanted = "return an expression, such as a sum of model.edge(a, b)"
            raise _refused(role, value, wanted) from None
        if self.cp.proto.has_floating_point_objective():
            sums = self.cp.proto.floating_point_objective
            if not all(abs(each) < _MOST for each in (*sums.coeffs, sums.offset)):
                raise InputError(f"{role}: a coefficient is not below {_MOST:g}")
        self._check(role)

    def _check(self, role: str) -> None:
        if fault := self.cp.validate():
            fault = printable(fault.splitlines()[0].split(":")[0])
            raise InputError(f"{role}: CP-SAT does not accept the model: {fault}")

    def move(self, a: SquareLike, b: SquareLike) -> Any:
        """Return the literal of the move from one square to another."""
        source, target, _ = parse_move(self.graph, (a, b))
        move = parse_move(self.graph, Move(source, target, directed=True))
        literals = self._literals(move)
        return literals[0] if literals else self.cp.new_constant(0)  # no symmetric tour has it

    def edge(self, a: SquareLike, b: SquareLike) -> Any:
        """Return the 0/1 expression that a move is made in one direction or the other."""
        return sum(self._literals(parse_move(self.graph, (a, b))))

    def _literals(self, move: Move) -> list[Any]:
        arcs = self._arcs.of(np.searchsorted(self.graph.vertices, np.array(move.arcs())))
        return [self.cp.get_bool_var_from_proto_index(each) for each in arcs.tolist()]


def _refused(role: str, value: object, wanted: str) -> InputError:
    return InputError(f"{role}: the function returned {printable(reprlib.repr(value))}: {wanted}")
