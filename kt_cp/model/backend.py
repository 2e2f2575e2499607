"""CP-SAT by its compiled module: the same models as ``cp_model`` states, without importing pandas.

``ortools.sat.python.cp_model`` takes 0.7 s to import, the compiled module underneath it 0.05 s.
Importing this module loads OR-tools, so a clock should be started afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import numpy as np

from kt_cp.board import Mask
from kt_cp.board.symmetry import Ints
from kt_cp.model.parameters import Parameters, Value
from kt_cp.problem.clock import Clock
from kt_dfs import Status

try:
    from ortools.sat.python.cp_model_helper import (
        CpModelProto,
        SatParameters,
        SolutionCallback,
        SolveWrapper,
    )
except ImportError as error:
    if "failed to map" in str(error):  # too little memory, of which the public API takes more
        raise
    # A release of OR-tools that has changed it.
    from kt_cp.model.public_api import (  # type: ignore[assignment]
        CpModelProto,
        SatParameters,
        SolutionCallback,
        SolveWrapper,
    )

# The seconds after which a search is stopped again: before it begins, that may be without effect.
STOP_AGAIN = 0.05

__all__ = [
    "STOP_AGAIN",
    "Arcs",
    "Model",
    "SatParameters",
    "SolutionCallback",
    "SolveWrapper",
    "Solver",
    "set_field",
]

# What CP-SAT's answers mean. The one left out, MODEL_INVALID, is never an answer about tours.
_STATUSES = {
    "OPTIMAL": Status.FOUND,
    "FEASIBLE": Status.FOUND,
    "INFEASIBLE": Status.IMPOSSIBLE,
    "UNKNOWN": Status.UNKNOWN,
}


class Model:
    """A CP-SAT model under construction.

    A literal is an integer: the index of a 0/1 variable, or ``~index`` for its negation. So a NumPy
    array of indices is an array of literals.

    >>> model = Model()
    >>> literals = rain, sun = model.new_literals(2)
    >>> model.add_clause([~rain, ~sun])
    >>> model.add_all([sun])
    >>> solver = Solver({}, Clock())
    >>> solver.solve(model), solver.true(literals).tolist()
    (<Status.FOUND: 'found'>, [False, True])
    """

    def __init__(self) -> None:
        self.proto = CpModelProto()
        # A variable does not keep the model alive that it is a part of, so that model is kept here.
        self._binary = CpModelProto()
        self._binary.variables.add().domain.extend([0, 1])

    def new_literals(self, number: int) -> Ints:
        """Add so many 0/1 variables, and return their indices."""
        variables, first = self.proto.variables, len(self.proto.variables)
        variables.extend([self._binary.variables[0]] * number)
        return np.arange(first, first + number, dtype=np.int32)

    def new_literal(self) -> int:
        """Add one 0/1 variable."""
        return int(self.new_literals(1)[0])

    def new_integer(self, values: Ints) -> int:
        """Add an integer variable that takes one of these values, ascending; return its index."""
        ends = np.flatnonzero(np.diff(values) > 1)
        lows, highs = values[np.append(0, ends + 1)], values[np.append(ends, len(values) - 1)]
        self.proto.variables.add().domain.extend(np.stack([lows, highs], axis=1).ravel().tolist())
        return len(self.proto.variables) - 1

    def add_clause(self, literals: Iterable[int]) -> None:
        """At least one of the literals is true; without literals, the model has no solution."""
        self.proto.constraints.add().bool_or.literals.extend(list(literals))

    def add_all(self, literals: Iterable[int]) -> None:
        """All of the literals are true."""
        self.proto.constraints.add().bool_and.literals.extend(list(literals))

    def add_exactly_one(self, literals: Iterable[int]) -> None:
        """Just one of the literals is true."""
        self.proto.constraints.add().exactly_one.literals.extend(list(literals))

    def add_linear(
        self,
        variables: Iterable[int],
        coefficients: Iterable[int],
        low: int,
        high: int,
        only_if: int | None = None,
    ) -> None:
        """If a literal is true, require the sum of the products to be from ``low`` to ``high``."""
        constraint = self.proto.constraints.add()
        if only_if is not None:
            constraint.enforcement_literal.append(only_if)
        linear = constraint.linear
        linear.vars.extend(list(variables))
        linear.coeffs.extend(list(coefficients))
        linear.domain.extend([low, high])

    def add_circuit(self, arcs: Ints, literals: Ints) -> None:
        """The arcs, rows (from, to), whose literals are true form one circuit through all nodes."""
        circuit = self.proto.constraints.add().circuit
        circuit.tails.extend(arcs[:, 0].tolist())
        circuit.heads.extend(arcs[:, 1].tolist())
        circuit.literals.extend(literals.tolist())

    def hint(self, literals: Ints) -> None:
        """Hint that these literals, and no others, are true."""
        self.proto.clear_solution_hint()
        self.proto.solution_hint.vars.extend(np.maximum(literals, ~literals).tolist())
        self.proto.solution_hint.values.extend((literals >= 0).astype(int).tolist())


Arc = tuple[int, int]

_KEY = np.array([2**32, 1])


class Arcs(Mapping[Arc, int]):
    """The literals of a model by pair of nodes (from, to), in the order in which they were added.

    ``pairs`` has a row for each arc, ``literals`` the literal of each.

    >>> arcs = Arcs(Model())
    >>> arcs.add(np.array([(0, 1), (1, 2), (2, 1)]), np.array([0, 1, 0]))
    >>> (0, 2) in arcs, arcs[2, 1] == arcs[0, 1]
    (False, True)
    """

    def __init__(self, cp: Model) -> None:
        self._cp = cp
        self.pairs: Ints = np.empty((0, 2), dtype=np.int32)
        self.literals: Ints = np.empty(0, dtype=np.int32)
        self._sorted: tuple[Ints, Ints] | None = None

    def add(self, pairs: Ints, groups: Ints | None = None) -> None:
        """Add arcs, with a literal each, or one for all arcs of the same group, from 0 on."""
        if groups is None:
            groups = np.arange(len(pairs))
        literals = self._cp.new_literals(int(groups.max(initial=-1) + 1))
        self.literals = np.append(self.literals, literals[groups])
        self.pairs = np.concatenate([self.pairs, pairs])
        self._sorted = None

    def literals_of(self, pairs: Ints) -> Ints:
        """Return the literals of many arcs. Raises `KeyError` for a pair that is no arc."""
        if self._sorted is None:
            keys = self.pairs @ _KEY
            order = np.argsort(keys)
            self._sorted = keys[order], self.literals[order]
        keys, literals = self._sorted
        wanted = np.asarray(pairs) @ _KEY
        places = np.searchsorted(keys, wanted)
        there = places < len(keys)
        there[there] = keys[places[there]] == wanted[there]
        if not there.all():
            raise KeyError(tuple(np.asarray(pairs)[~there][0].tolist()))
        return np.asarray(literals[places])

    def __getitem__(self, arc: Arc) -> int:
        return int(self.literals_of(np.array([arc]))[0])

    def __iter__(self) -> Iterator[Arc]:
        return ((source, target) for source, target in self.pairs.tolist())

    def __len__(self) -> int:
        return len(self.pairs)


class Solver:
    """One search by CP-SAT, that ends when the clock's limit is reached."""

    response: Any

    def __init__(
        self, parameters: Parameters, clock: Clock, workers: int = 1, seed: int = 0
    ) -> None:
        settings = SatParameters()
        settings.num_workers = workers
        settings.random_seed = seed
        settings.catch_sigint_signal = False  # CP-SAT's own handler would swallow Ctrl-C
        if clock.limit is not None:
            settings.max_time_in_seconds = clock.remaining
        for name, value in parameters.items():
            set_field(settings, name, value)
        self._wrapper = SolveWrapper()
        if settings.log_search_progress:  # standard output is for answers
            settings.log_to_stdout = False
            self._wrapper.add_log_callback(partial(print, file=sys.stderr, flush=True))
        self._wrapper.set_parameters(settings)

    def solve(self, model: Model, callback: SolutionCallback | None = None) -> Status:
        """Search as `search` does, but in a thread of its own, so that Ctrl-C reaches this one."""
        with ThreadPoolExecutor(max_workers=1) as thread:
            future = thread.submit(self.search, model, callback)
            try:
                return future.result()
            except BaseException:
                while wait([future], STOP_AGAIN).not_done:
                    self.stop()
                raise

    def search(self, model: Model, callback: SolutionCallback | None = None) -> Status:
        """Search for a solution, or for all, each of which is told to the callback."""
        if callback is not None:
            self._wrapper.add_solution_callback(callback)
        self.response = self._wrapper.solve(model.proto)
        if callback is not None:
            self._wrapper.clear_solution_callback(callback)
        name = self.response.status.name
        if name not in _STATUSES:
            raise AssertionError(f"CP-SAT: {name}, {self.response.solution_info}")
        return _STATUSES[name]

    @property
    def exhausted(self) -> bool:
        """Whether the search has seen everything, so that nothing more or better can be found."""
        return self.response.status.name in ("OPTIMAL", "INFEASIBLE")

    def true(self, literals: Ints) -> Mask:
        """Return which of these literals are true in the solution found."""
        values = np.fromiter(self.response.solution, np.bool_)
        return np.asarray(values[np.maximum(literals, ~literals)] == (literals >= 0))

    def stop(self) -> None:
        """End the search soon."""
        self._wrapper.stop_search()


def set_field(settings: Any, name: str, value: Value) -> None:
    """Set a field of ``SatParameters``; an enumeration's value is given by its name."""
    present = getattr(settings, name)
    if isinstance(value, list):
        present.clear()
        present.extend(value)
    elif isinstance(value, str) and not isinstance(present, str):
        setattr(settings, name, getattr(type(present), value))
    else:
        setattr(settings, name, value)
