"""Linear recurrences for the numbers of tours of boards that grow, and when they are proven.

With the squares taken column by column, the states between two columns are the same for all columns
but the first few, and so is the effect of a column on them. If there are S of them, the numbers of
tours satisfy a linear recurrence of order S at most (the theorem of Cayley and Hamilton). Hence a
recurrence of order L that holds for S + L terms holds for all terms: the difference of the two
sequences satisfies a recurrence of order S + L, and begins with as many zeros.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import starmap

import numpy as np

from kt_cp.board import Board
from kt_cp.count.frontier import States, sweep
from kt_cp.count.frontier_plan import Plan
from kt_cp.count.resources import OutOfMemoryError, bytes_allowed
from kt_cp.count.sequences import growth_direction
from kt_cp.messages import InputError, pluralize
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError

# Coefficients are found modulo this prime, and lie between minus and plus half of it.
_PRIME = 2**521 - 1

# States between two columns are collected up to this number.
_MAX_STATES = 100_000

# The number of columns of the board on which states are collected, as a multiple of the longer side
# of a jump.
_COLUMNS_PER_REACH = 12


@dataclass(frozen=True)
class Recurrence:
    """A linear recurrence: a(n) is the sum of the coefficients times a(n-1), a(n-2) and so on.

    It holds from the term after the first ``order`` terms.
    """

    coefficients: tuple[int, ...]

    @property
    def order(self) -> int:
        """The number of earlier terms that determine the next one."""
        return len(self.coefficients)

    def next_term(self, earlier: Sequence[int]) -> int:
        """Return the term that follows ``earlier`` ones, of which there are ``order`` at least.

        >>> Recurrence((1, 1)).next_term([1, 2, 3, 5])
        8
        """
        latest_first = earlier[::-1][: self.order]
        return sum(c * term for c, term in zip(self.coefficients, latest_first, strict=True))

    def fits(self, terms: Sequence[int]) -> bool:
        """Return whether all terms after the first ones satisfy the recurrence."""
        return all(terms[n] == self.next_term(terms[:n]) for n in range(self.order, len(terms)))

    def __str__(self) -> str:
        """Return the recurrence as a formula.

        >>> print(Recurrence((1, 0, -2)))
        a(n) = a(n-1) - 2 a(n-3)
        """
        formula = ""
        for back, coefficient in enumerate(self.coefficients, start=1):
            if coefficient:
                sign = "-" if coefficient < 0 else "+"
                size = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
                formula += f" {sign} {size}a(n-{back})"
        return f"a(n) = {formula.removeprefix(' + ').removeprefix(' ') or '0'}"


def shortest_recurrence(terms: Sequence[int]) -> Recurrence | None:
    """Return the shortest linear recurrence with integer coefficients that fits, if it is unique.

    That is the case if there are at least twice as many terms as its order. By the algorithm of E.
    R. Berlekamp and J. L. Massey (1969), modulo a large prime.

    >>> shortest_recurrence([0, 1, 1, 2, 3, 5, 8])
    Recurrence(coefficients=(1, 1))
    """
    polynomial = _connection_polynomial(terms)
    order = len(polynomial) - 1
    if 2 * order > len(terms):
        return None
    coefficients = [-each % _PRIME for each in polynomial[1:]]
    signed = [each - _PRIME if each > _PRIME // 2 else each for each in coefficients]
    recurrence = Recurrence(tuple(signed))
    return recurrence if recurrence.fits(terms) else None


def _connection_polynomial(terms: Sequence[int]) -> list[int]:
    """Return the coefficients c of the shortest recurrence c[0] a(n) + c[1] a(n-1) + … = 0.

    They are numbers modulo the prime, the first of them 1. When a term does not fit, the
    polynomial that was replaced last, shifted and scaled, corrects the present one.
    """
    present, replaced = [1], [1]
    order = 0
    shift = 1  # the number of terms since the order last changed
    replaced_discrepancy = 1
    for n in range(len(terms)):
        fitted = present[: order + 1]
        discrepancy = sum(c * terms[n - k] for k, c in enumerate(fitted)) % _PRIME
        if discrepancy == 0:
            shift += 1
            continue
        factor = discrepancy * pow(replaced_discrepancy, -1, _PRIME)
        correction = [0] * shift + [factor * c for c in replaced]
        pairs = itertools.zip_longest(present, correction, fillvalue=0)
        corrected = [(c - d) % _PRIME for c, d in pairs]
        if 2 * order <= n:
            replaced, replaced_discrepancy = present, discrepancy
            order = n + 1 - order
            shift = 1
        else:
            shift += 1
        present = corrected
    missing_zeros = order + 1 - len(present)
    return present + [0] * missing_zeros


@dataclass(frozen=True)
class ColumnStates:
    """The number of ``states`` between two columns of boards of one height.

    The numbers of tours of boards with at least ``first_columns`` columns satisfy a linear
    recurrence of order ``states`` at most.
    """

    states: int
    first_columns: int

    def proves(self, recurrence: Recurrence, lengths: range) -> bool:
        """Return whether a recurrence that fits these lengths holds for all longer ones."""
        covered = [length for length in lengths if length >= self.first_columns]
        return len(covered) >= self.states + recurrence.order

    def last_length_needed(self, recurrence: Recurrence, shortest: int) -> int:
        """Return the length up to which all boards, from the shortest on, prove a recurrence."""
        return max(shortest, self.first_columns) + self.states + recurrence.order - 1


def states_between_columns(instance: Instance, clock: Clock, memory: float) -> ColumnStates | None:
    """Return the states between two columns of boards of this height, or None if they are many.

    The instance asks for open or closed tours of a flat rectangle without holes. Once the frontier
    has the same position relative to each column, the states after a column depend only on those
    before it, so they are collected until a column adds none. A tour of n columns is closed by a
    state after n - 1 - ``reach`` columns or later, where ``reach`` is the longer side of a jump.
    ``memory`` is in bytes. Raises `OutOfTimeError` and `OutOfMemoryError`.
    """
    reach = max(map(max, instance.board.piece.sides))
    known: set[bytes] = set()
    frontier: list[int] = []
    first_columns = 0
    for column, relative_frontier, states in _column_ends(instance, clock, memory):
        # Near its end, the long board has other states than a longer one.
        is_near_the_end = column + 2 * reach > _COLUMNS_PER_REACH * reach
        if is_near_the_end or len(known) > _MAX_STATES:
            return None
        if relative_frontier != frontier:  # only from here on are columns alike: begin again
            frontier = relative_frontier
            known = set()
            first_columns = column + 1 + reach
        number_known = len(known)
        known.update(map(bytes, np.ascontiguousarray(states.mates)))
        if number_known and len(known) == number_known:
            break
    return ColumnStates(len(known), first_columns)


def _column_ends(
    instance: Instance, clock: Clock, memory: float
) -> Iterator[tuple[int, list[int], States]]:
    """Yield after each column of a long board its number, the frontier, and the states.

    The board has the height and the kind of tours of the instance. The frontier is given as the
    distances of its squares from the first square of the next column, in the order of the count.
    """
    board = instance.board
    columns = _COLUMNS_PER_REACH * max(map(max, board.piece.sides))
    long_board = Board(board.rows, columns, piece=board.piece)
    by_columns = np.arange(long_board.area).reshape(board.rows, columns).T.ravel()
    prefixes = range(board.rows, long_board.area + 1, board.rows)
    plan = Plan(Instance(long_board, closed=instance.closed), by_columns, prefixes)
    layers = sweep(plan, States.initial(plan), clock, memory)
    for squares, (states, _) in enumerate(layers, start=1):
        column, row = divmod(squares, board.rows)
        if row == 0:
            yield column, [place - squares for place in plan.frontier_after(squares)], states


@dataclass(frozen=True)
class RecurrenceReport:
    """A recurrence of the numbers of tours of boards of some ``lengths``, and whether it is proven.

    ``recurrence`` is the shortest that fits, or None. ``columns`` is None if there are too many
    states between two columns for the limits.
    """

    recurrence: Recurrence | None
    columns: ColumnStates | None
    lengths: range

    @property
    def is_proven(self) -> bool:
        """Whether the recurrence holds for all longer boards."""
        if self.recurrence is None or self.columns is None:
            return False
        return self.columns.proves(self.recurrence, self.lengths)

    def __str__(self) -> str:
        """Return the recurrence, or that there is none, and what is known of a proof."""
        if self.columns is None:
            states = "an unknown number of states between two columns"
        else:
            states = f"{pluralize(self.columns.states, 'state')} between two columns"
        if self.recurrence is None:
            most = len(self.lengths) // 2
            return f"no linear recurrence of order {most} or less fits; {states}"
        shortest = self.lengths.start
        formula = f"{self.recurrence} for n >= {shortest + self.recurrence.order}"
        if self.is_proven:
            return f"{formula}; proven, as there are {states}"
        if self.columns is None:
            return f"{formula}; not proven, with {states}"
        last = self.columns.last_length_needed(self.recurrence, shortest)
        return f"{formula}; not proven, which takes all boards up to n = {last}, with {states}"


def check_growth(instances: Sequence[Instance]) -> None:
    """Raise `InputError` unless the boards grow by one row or by one column."""
    pairs = list(itertools.pairwise(instances))
    directions = {growth_direction(one, other) for one, other in pairs}
    if len(directions) != 1 or None in directions or not all(starmap(_is_next, pairs)):
        asked = "give flat boards that grow by one row or column, such as 4x1..4x60"
        raise InputError(f"a recurrence: {asked}, without constraints")


def _is_next(one: Instance, other: Instance) -> bool:
    """Return whether a board has one row or one column more than another."""
    rows, columns = other.board.rows - one.board.rows, other.board.columns - one.board.columns
    return rows + columns == 1


def find_recurrence(
    instances: Sequence[Instance],
    terms: Sequence[int],
    time_limit: float | None = None,
    memory_limit: float | None = None,
) -> RecurrenceReport:
    """Return the recurrence of the numbers of tours of boards that grow by a row or a column.

    The boards must satisfy `check_growth`, and ``terms`` are their numbers of tours. Within
    ``time_limit`` (seconds) and ``memory_limit`` (MiB), the states between two columns are
    collected; if a limit is reached, nothing is proven.
    """
    board, closed = instances[-1].board, instances[-1].closed
    lengths = range(instances[0].board.columns, board.columns + 1)
    if growth_direction(instances[0], instances[-1]) == "rows":
        lengths = range(instances[0].board.rows, board.rows + 1)
        board = Board(board.columns, board.rows, piece=board.piece)
    one_height = Instance(board, closed=closed)
    columns: ColumnStates | None = None
    with suppress(OutOfTimeError, OutOfMemoryError):
        columns = states_between_columns(one_height, Clock(time_limit), bytes_allowed(memory_limit))
    return RecurrenceReport(shortest_recurrence(terms), columns, lengths)
