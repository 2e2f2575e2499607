"""Clauses in a SAT solver: counting and parity constraints, and a search that checks the clock."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from kt_cp.arrays import Mask
from kt_cp.problem.task import Clock

# Up to this many literals their number is stated without additional variables.
_MAX_BINOMIAL = 12

# Conflicts of a SAT solver between two checks of the clock. On graphs of thousands of nodes a
# thousand conflicts take a second.
_SLICE = 300


CADICAL = "Cadical195"
"""The usual SAT solver: A. Biere and others, CaDiCaL 1.9.5.

The formula of positions and the proofs by lemmas use Glucose 4.
"""


class OutOfConflictsError(Exception):
    """A SAT solver has reached the limit of its conflicts before there was an answer."""


class ClauseSink(Protocol):
    """An object that takes clauses: a solver of PySAT, or a list of clauses to be written."""

    def add_clause(self, clause: Sequence[int]) -> None:
        """Take a clause."""


class Formula:
    """Clauses over variables, which are numbered from 1.

    The first ``variables`` are those of the caller; constraints add others. A literal is a variable
    or, for its negation, the negative number. ``solver`` takes the clauses: an object, or the name
    of a class of ``pysat.solvers``, which is needed to `solve`.
    """

    def __init__(self, variables: int, solver: str | ClauseSink = CADICAL) -> None:
        import pysat.solvers  # loaded only when used

        self.solver: Any = getattr(pysat.solvers, solver)() if isinstance(solver, str) else solver
        self.top = variables

    @property
    def conflicts(self) -> int:
        """The number of conflicts until now."""
        return int(self.solver.accum_stats()["conflicts"])

    @property
    def propagations(self) -> int:
        """The number of propagations until now: a measure of work, not of speed."""
        return int(self.solver.accum_stats()["propagations"])

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause: one of its literals is true."""
        self.solver.add_clause(list(clause))

    def new_variable(self) -> int:
        """Return a variable that no clause contains yet."""
        self.top += 1
        return self.top

    def exactly(self, number: int, literals: Sequence[int]) -> None:
        """Add clauses: ``number`` of the literals are true; one that occurs twice counts twice.

        Many literals are counted by a sequential counter (C. Sinz, Towards an optimal CNF encoding
        of Boolean cardinality constraints, 2005).
        """
        count = len(literals)
        if not 0 <= number <= count:
            self.add([])
        elif count <= _MAX_BINOMIAL:
            add = self.solver.add_clause  # small boards spend most of their time here
            for some in itertools.combinations(literals, count - number + 1):
                add(some)
            for some in itertools.combinations([-literal for literal in literals], number + 1):
                add(some)
        else:
            from pysat.card import CardEnc, EncType

            self.add_encoded(CardEnc.equals, literals, number, EncType.seqcounter)

    def add_encoded(
        self, encode: Callable[..., Any], literals: Sequence[int], number: int, encoding: int
    ) -> None:
        """Add clauses on how many literals are true, by an encoding of PySAT.

        ``encode`` is a method of ``pysat.card.CardEnc``, such as ``atmost`` ``number`` literals,
        and ``encoding`` a value of ``pysat.card.EncType``.
        """
        encoded = encode(literals, number, self.top, encoding=encoding)
        self.top = max(self.top, encoded.nv)
        for clause in encoded.clauses:
            self.add(clause)

    def add_parity(self, literals: Sequence[int], is_odd: bool) -> None:
        """Add clauses: the number of true literals is odd if ``is_odd``, and even otherwise."""
        if not literals:
            if is_odd:
                self.add([])
            return
        odd = literals[0]  # whether an odd number of the literals until here is true
        for literal in literals[1:]:
            odd_now = self.new_variable()
            self.add([-odd_now, odd, literal])
            self.add([-odd_now, -odd, -literal])
            self.add([odd_now, -odd, literal])
            self.add([odd_now, odd, -literal])
            odd = odd_now
        self.add([odd if is_odd else -odd])

    def solve(
        self, clock: Clock, max_conflicts: float = math.inf, assumptions: Sequence[int] = ()
    ) -> bool:
        """Return whether the clauses can be satisfied, with all ``assumptions`` true.

        Raises `OutOfTimeError` when the clock's limit is reached, and `OutOfConflictsError` when
        there were ``max_conflicts`` in all calls together.
        """
        while True:
            clock.check()
            conflicts_left = max_conflicts - self.conflicts
            if conflicts_left <= 0:
                raise OutOfConflictsError
            answer = self._solve_briefly(int(min(conflicts_left, _SLICE)), assumptions)
            if answer is not None:
                return answer

    def solve_within(self, clock: Clock, max_propagations: float) -> bool | None:
        """Return whether the clauses can be satisfied, or None if that is not known.

        It is None if ``max_propagations`` in all calls together come first; they are counted every
        few hundred conflicts. Raises `OutOfTimeError`.
        """
        answer = None
        while answer is None and self.propagations < max_propagations:
            clock.check()
            answer = self._solve_briefly(_SLICE)
        return answer

    def _solve_briefly(self, conflicts: int, assumptions: Sequence[int] = ()) -> bool | None:
        """Return whether the clauses can be satisfied, or None after some ``conflicts``.

        The solver runs in a worker thread, so that Ctrl-C interrupts the caller, not the solver.
        """
        self.solver.conf_budget(conflicts)
        with ThreadPoolExecutor(max_workers=1) as thread:
            solving = thread.submit(self.solver.solve_limited, assumptions=assumptions)
            answer: bool | None = solving.result()
        return answer

    @property
    def core(self) -> set[int]:
        """The unsatisfiable core of the last call of `solve`: some of its assumptions."""
        return set(self.solver.get_core() or ())

    def values(self) -> Mask:
        """Return for each variable, from 1, whether it is true in the solution found last.

        The variables that constraints added are included.
        """
        return np.array(self.solver.get_model()) > 0


class LowerBound:
    """A lower bound on how many of some literals are true, which can be raised.

    They are counted by a totalizer (O. Bailleux and Y. Boufkhad, Efficient CNF encoding of Boolean
    cardinality constraints, 2003), which is stated with the first bound.
    """

    def __init__(self, formula: Formula, literals: Sequence[int]) -> None:
        self.formula = formula
        self.literals = literals
        # The one with index n is false if more than n of the literals are.
        self._at_most_false: list[int] = []

    def require(self, number: int) -> None:
        """Ensure that at least ``number`` literals are true; later calls take no smaller number."""
        may_be_false = len(self.literals) - number
        if may_be_false < 0:
            self.formula.add([])
        elif number > 0:
            if not self._at_most_false:
                self._at_most_false = self._counted(may_be_false)
            self.formula.add([self._at_most_false[may_be_false]])

    def _counted(self, most_false: int) -> list[int]:
        """Return ``most_false`` + 1 new literals: with index n, that at most n are false."""
        from pysat.card import ITotalizer

        formula = self.formula
        negated = [-literal for literal in self.literals]
        with ITotalizer(negated, ubound=most_false, top_id=formula.top) as totalizer:
            for clause in totalizer.cnf.clauses:
                formula.add(clause)
            formula.top = max(formula.top, totalizer.top_id)
            return [-more for more in totalizer.rhs[: most_false + 1]]
