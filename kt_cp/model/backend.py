"""CP-SAT by its compiled module: the same models as ``cp_model`` states, without importing pandas.

``ortools.sat.python.cp_model`` takes 0.7 s to import, the compiled module underneath it 0.05 s.
Importing this module loads OR-tools, so a clock should be started afterwards.
"""

from __future__ import annotations

import atexit
import itertools
import queue
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from ortools.sat.python.cp_model_helper import (
    CpModelProto,
    SatParameters,
    SolutionCallback,
    SolveWrapper,
)

from kt_cp.arrays import Ints
from kt_cp.model.parameters import ENUMERATION, set_field
from kt_cp.problem.task import Clock, OutOfTimeError, Parameters, Sense
from kt_dfs import Status

# Retry interval in seconds: a stop sent before the search starts is ignored.
_STOP_AGAIN = 0.05

# Seconds between two checks of whether the clock was interrupted.
_CLOCK_INTERVAL = 0.02

# The most solutions in the queue, and the seconds between two looks at it (there may be
# thousands of solutions in a second).
_QUEUE_LENGTH = 1_000
_POLL_INTERVAL = 0.005

# What CP-SAT's statuses mean. MODEL_INVALID is left out, as it says nothing about tours.
_STATUSES = {
    "OPTIMAL": Status.FOUND,
    "FEASIBLE": Status.FOUND,
    "INFEASIBLE": Status.IMPOSSIBLE,
    "UNKNOWN": Status.UNKNOWN,
}

# Multiplied by this, a pair of nodes becomes one number.
_KEY_WEIGHTS = np.array([2**32, 1])


def _model_of_literals(count: int) -> CpModelProto:
    """Return a model of 0/1 variables alone."""
    model = CpModelProto()
    for _ in range(count):
        model.variables.add().domain.extend([0, 1])
    return model


# Merged into a model: that takes half the time of adding as many variables.
_LITERALS = _model_of_literals(100)


class Model:
    """A CP-SAT model under construction.

    A literal is the index of a 0/1 variable, or ``~index`` for its negation.

    >>> model = Model()
    >>> rain, sun = model.new_literals(2)
    >>> model.add_clause([~rain, ~sun])
    >>> model.add_all([sun])
    >>> solver = Solver({}, Clock())
    >>> solver.solve(model), list(solver.response.solution)
    (<Status.FOUND: 'found'>, [0, 1])
    """

    def __init__(self) -> None:
        self.proto = CpModelProto()

    def new_literals(self, count: int) -> Ints:
        """Add ``count`` 0/1 variables, and return their indices."""
        first = len(self.proto.variables)
        batches, rest = divmod(count, len(_LITERALS.variables))
        for _ in range(batches):
            self.proto.merge_from(_LITERALS)
        self.proto.variables.extend([_LITERALS.variables[0]] * rest)
        return np.arange(first, first + count, dtype=np.int32)

    def new_literal(self) -> int:
        """Add one 0/1 variable."""
        return int(self.new_literals(1)[0])

    def new_integer(self, values: Ints) -> int:
        """Add an integer variable that takes one of these values, ascending; return its index."""
        gaps = np.flatnonzero(np.diff(values) > 1)  # the domain is a list of intervals
        lows = values[np.append(0, gaps + 1)]
        highs = values[np.append(gaps, len(values) - 1)]
        self.proto.variables.add().domain.extend(np.stack([lows, highs], axis=1).ravel().tolist())
        return len(self.proto.variables) - 1

    def add_clause(self, literals: Iterable[int]) -> None:
        """Ensure that at least one of the literals is true; without any, there is no solution."""
        self.proto.constraints.add().bool_or.literals.extend(list(literals))

    def add_all(self, literals: Iterable[int]) -> None:
        """Ensure that all of the literals are true."""
        self.proto.constraints.add().bool_and.literals.extend(list(literals))

    def add_at_most_one(self, literals: Iterable[int]) -> None:
        """Ensure that at most one of the literals is true."""
        self.proto.constraints.add().at_most_one.literals.extend(list(literals))

    def add_linear(
        self,
        variables: Iterable[int],
        coefficients: Iterable[int],
        low: int,
        high: int,
        only_if: int | None = None,
    ) -> None:
        """Ensure that the sum of products is from ``low`` to ``high``, both included.

        With ``only_if``, that holds only if this literal is true.
        """
        constraint = self.proto.constraints.add()
        if only_if is not None:
            constraint.enforcement_literal.append(only_if)
        linear = constraint.linear
        linear.vars.extend(list(variables))
        linear.coeffs.extend(list(coefficients))
        linear.domain.extend([low, high])

    def add_circuit(self, arcs: Ints, literals: Ints, is_multiple: bool = False) -> None:
        """Ensure that the arcs of true literals, rows (from, to), form one circuit of all nodes.

        If it is multiple, several circuits through node 0, the depot, share no other node.
        """
        constraint = self.proto.constraints.add()
        circuit = constraint.routes if is_multiple else constraint.circuit
        circuit.tails.extend(arcs[:, 0].tolist())
        circuit.heads.extend(arcs[:, 1].tolist())
        circuit.literals.extend(literals.tolist())

    def hint(self, literals: Ints) -> None:
        """Replace the hint: these literals are true, and all other variables have no hint."""
        self.proto.clear_solution_hint()
        self.proto.solution_hint.vars.extend(np.maximum(literals, ~literals).tolist())
        self.proto.solution_hint.values.extend((literals >= 0).astype(int).tolist())

    def hint_all(self, literals: Ints, chosen: Ints) -> None:
        """Replace the hint: of all these literals, those that are ``chosen`` are true."""
        others = np.setdiff1d(literals, chosen)
        self.hint(np.concatenate([chosen, ~others]))


class Arcs:
    """The literals of a model by pair of nodes (from, to).

    ``pairs`` has a row for each arc, ``literals`` the literal of each.

    >>> arcs = Arcs(np.array([(0, 1), (1, 2), (2, 1)]), np.array([7, 8, 7]))
    >>> arcs.literals_of(np.array([(2, 1), (0, 2)]))
    array([7])
    """

    def __init__(self, pairs: Ints, literals: Ints) -> None:
        self.pairs = pairs
        self.literals = literals

    @cached_property
    def _sorted(self) -> tuple[Ints, Ints]:
        """The keys of the pairs, ascending, with -1 as a sentinel, and their literals."""
        keys = self.pairs @ _KEY_WEIGHTS
        order = np.argsort(keys)
        return np.append(keys[order], -1), self.literals[order]

    def literals_of(self, pairs: Ints) -> Ints:
        """Return the literals of the given pairs, in order; pairs that are no arcs are skipped."""
        keys, literals = self._sorted
        given_keys = pairs.reshape(-1, 2) @ _KEY_WEIGHTS
        places = np.searchsorted(keys[:-1], given_keys)
        is_arc = keys[places] == given_keys
        return np.asarray(literals[places[is_arc]])

    def used_in(self, solution: Ints) -> list[tuple[int, int]]:
        """Return the pairs whose literals are true in a solution."""
        used = self.pairs[solution[self.literals] == 1].tolist()
        return [(source, target) for source, target in used]


@dataclass
class Linear:
    """A linear expression over 0/1 variables: integer coefficients by variable, and a constant."""

    terms: Counter[int] = field(default_factory=Counter)
    constant: int = 0

    def bound(self, cp: Model, low: int | None, high: int | None) -> None:
        """Ensure that the value is from ``low`` to ``high``, where they are given."""
        least = sum(min(each, 0) for each in self.terms.values())
        most = sum(max(each, 0) for each in self.terms.values())
        low = least if low is None else low - self.constant
        high = most if high is None else high - self.constant
        if low > high:
            cp.add_clause([])
        else:
            cp.add_linear(self.terms.keys(), self.terms.values(), low, high)

    def optimize(self, cp: Model, sense: Sense) -> None:
        """Add the value as the objective."""
        sign = 1 if sense is Sense.MINIMIZE else -1
        objective = cp.proto.objective
        objective.vars.extend(list(self.terms))
        objective.coeffs.extend([sign * each for each in self.terms.values()])
        objective.offset, objective.scaling_factor = sign * self.constant, sign


class Solver:
    """One search by CP-SAT, which ends at the clock's limit at the latest.

    ``response`` is None until the search has ended.
    """

    def __init__(
        self, parameters: Parameters, clock: Clock, workers: int = 1, seed: int = 0
    ) -> None:
        self.response: Any = None
        settings = SatParameters()
        settings.num_workers = workers
        settings.random_seed = seed
        settings.catch_sigint_signal = False  # CP-SAT's own handler would swallow Ctrl-C
        if clock.limit is not None:
            settings.max_time_in_seconds = clock.remaining
        for name, value in parameters.items():
            set_field(settings, name, value)
        self._clock = clock
        self._wrapper = SolveWrapper()
        if settings.log_search_progress:  # standard output is for answers
            settings.log_to_stdout = False
            self._wrapper.add_log_callback(partial(print, file=sys.stderr, flush=True))
        self._wrapper.set_parameters(settings)

    def solve(
        self,
        model: Model,
        callback: SolutionCallback | None = None,
        note_bound: Callable[[float], None] | None = None,
    ) -> Status:
        """Search in a worker thread, so that Ctrl-C interrupts the caller; return the status.

        The callback is called with each solution, and ``note_bound`` with each better bound.
        """
        if note_bound is not None:
            self._wrapper.add_best_bound_callback(note_bound)
        with ThreadPoolExecutor(max_workers=1) as thread:
            future = thread.submit(self.solve_in_this_thread, model, callback)
            try:
                is_interrupted = self._clock.is_interrupted
                if is_interrupted is not None:
                    while wait([future], _CLOCK_INTERVAL).not_done:
                        if is_interrupted():
                            self.stop()
                return future.result()
            except BaseException:
                while wait([future], _STOP_AGAIN).not_done:
                    self.stop()
                raise

    def solve_in_this_thread(
        self, model: Model, callback: SolutionCallback | None = None
    ) -> Status:
        """Search in this thread for a solution, or for all; the callback is called with each.

        Raises `AssertionError` if CP-SAT refuses the model or its parameters.
        """
        if callback is not None:
            self._wrapper.add_solution_callback(callback)
        self.response = self._wrapper.solve(model.proto)
        name = self.response.status.name
        if name not in _STATUSES:
            raise AssertionError(f"CP-SAT: {name}, {self.response.solution_info}")
        return _STATUSES[name]

    @property
    def is_exhausted(self) -> bool:
        """Whether the search is complete: there is no other solution, and no better one."""
        return self.response.status.name in ("OPTIMAL", "INFEASIBLE")

    def stop(self) -> None:
        """End the search soon."""
        self._wrapper.stop_search()


class _Enumeration(SolutionCallback):
    """A search for all solutions in a thread of its own, some of which wait to be fetched."""

    def __init__(self, model: Model, variable_count: int, clock: Clock) -> None:
        super().__init__()
        self.solver = Solver(ENUMERATION, clock)
        self.thread = threading.Thread(target=self._search, daemon=True)
        self.error: Exception | None = None
        self._model = model
        self._variable_count = variable_count
        self._waiting: queue.Queue[list[int]] = queue.Queue(_QUEUE_LENGTH)
        self._is_unwanted = False

    def OnSolutionCallback(self) -> None:  # noqa: N802 - CP-SAT's name
        """Let a solution wait, until there is room in the queue."""
        if self._is_unwanted:
            self.StopSearch()
            return
        response: Any = self.Response()  # type: ignore[no-untyped-call]
        self._waiting.put(list(itertools.islice(response.solution, self._variable_count)))

    def _search(self) -> None:
        try:
            self.solver.solve_in_this_thread(self._model, self)
        except Exception as error:  # raised in the thread of the caller
            self.error = error

    def batch(self) -> list[list[int]]:
        """Return the solutions that wait."""
        return [self._waiting.get() for _ in range(self._waiting.qsize())]

    def end(self) -> None:
        """End the search, and wait until it has ended."""
        self._is_unwanted = True
        while self.thread.is_alive():
            self.solver.stop()
            self.batch()  # the search may wait for room in the queue
            self.thread.join(_STOP_AGAIN)


def solutions(model: Model, variable_count: int, clock: Clock) -> Iterator[list[list[int]]]:
    """Yield the solutions of a model, each as the values of its first variables, in batches.

    The solver runs in a thread of its own, at most a thousand solutions ahead. It is stopped when
    the iterator is closed, and when Python exits, since a thread of compiled code that outlives the
    interpreter would abort the process. Raises `OutOfTimeError` when the clock's limit is reached.
    """
    search = _Enumeration(model, variable_count, clock)
    atexit.register(search.end)
    unregister = atexit.unregister  # the global is gone when the interpreter drops its last objects
    try:
        search.thread.start()
        is_searching = True
        while is_searching:
            search.thread.join(_POLL_INTERVAL)
            is_searching = search.thread.is_alive()
            if batch := search.batch():
                yield batch
    finally:
        search.end()
        unregister(search.end)
    if search.error is not None:
        raise search.error
    if not search.solver.is_exhausted:
        raise OutOfTimeError
