"""Count the tours of sequences of boards and of every prefix of a board in one sweep.

When the squares of a board are taken column by column, the partial tours of its first columns are
those of a shorter board. So one sweep over the longest board also counts the tours of all others.

The states between two columns are then the same for all columns but the first few, and so is the
effect of a column on them. If there are S of them, the numbers of tours satisfy a linear recurrence
of order S at most (the theorem of Cayley and Hamilton). Hence a recurrence of order L that holds
for S + L terms holds for all terms: the difference of the two sequences satisfies a recurrence of
order S + L, and begins with as many zeros.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Unpack, cast

import numpy as np

from kt_cp.board import Board, Piece, as_board
from kt_cp.count.cost import (
    CountProgress,
    OutOfMemoryError,
    Progress,
    bytes_allowed,
)
from kt_cp.count.counting import Count, count_tours
from kt_cp.count.frontier import States, count_prefixes_in_memory, sweep
from kt_cp.count.plan import Plan, there_and_back
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError, pluralize
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError

# Coefficients are found modulo this prime, and lie between minus and plus half of it.
_PRIME = 2**521 - 1

# States between two columns are collected up to this number.
_MAX_STATES = 100_000

# The number of columns of the board on which states are collected, as a multiple of the longer side
# of a jump.
_COLUMNS_PER_REACH = 12

# Arguments of `count_tours` that a sweep takes. With any other that is not at its default, boards
# are counted one by one.
_FOR_SWEEP = {"method", "time_limit", "memory_limit", "progress"}
_DEFAULTS = (None, False, 1)


def count_boards(boards: Sequence[GraphLike], **arguments: Any) -> Iterator[Count]:
    """Yield the number of tours of each of several boards, in their order.

    The keyword arguments are those of `count_tours`. Boards that grow in one direction, such as
    3x4, 3x5 and 3x6, are counted in one sweep if this is expected to be faster; a time limit then
    holds for the sweep. Raises what `count_tours` raises.

    >>> [count.count for count in count_boards(["3x10", "3x11", "3x12"], closed=True)]
    [16, 0, 176]
    """
    constraints = {
        key: arguments.pop(key) for key in Constraints.__annotations__ & arguments.keys()
    }
    instances = [Instance.of(board, **cast("Constraints", constraints)) for board in boards]
    memory = bytes_allowed(arguments.get("memory_limit"))
    plan = None
    others = [arguments[name] for name in arguments.keys() - _FOR_SWEEP]
    if arguments.get("method") != "enumerate" and all(each in _DEFAULTS for each in others):
        plan = _sweep_plan(instances, memory)
    if plan is None:
        yield from (count_tours(instance, **arguments) for instance in instances)
        return
    kind = "undirected closed" if plan.instance.closed else "directed open"
    clock = Clock(arguments.get("time_limit"))
    counted = 0
    note = ""
    try:
        layers = CountProgress(plan.expected, arguments.get("progress"))
        for _, number in count_prefixes_in_memory(plan, clock, memory, layers):
            counted += 1
            yield Count(number, True, kind, "frontier")
    except (OutOfTimeError, OutOfMemoryError) as error:
        note = str(error)
    for _ in plan.prefixes[counted:]:
        yield Count(0, False, kind, "frontier", note)


def count_prefixes(
    board: GraphLike,
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    progress: Progress | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[tuple[int, int]]:
    """Yield (k, number of tours of the first k squares of a board) for all k, in one sweep.

    The squares are taken column by column, from top to bottom. Open tours count in both directions,
    closed ones in one. ``progress`` is that of `count_tours`.

    Raises `InputError` for constraints other than ``closed`` and for moves in one direction only,
    and `OutOfTimeError` or `OutOfMemoryError` when a limit is reached.

    >>> dict(count_prefixes("5x5", closed=True))[18], dict(count_prefixes("3x4"))[12]
    (1, 16)
    """
    instance = Instance.of(board, **constraints)
    board = as_board(instance.graph, "prefixes")
    if instance != Instance(board, closed=instance.closed):
        raise InputError("prefixes: leave out constraints other than closed")
    clock = Clock(time_limit)
    memory = bytes_allowed(memory_limit)
    rows, columns = np.divmod(board.vertices, board.columns)
    plan = Plan(instance, np.lexsort((rows, columns)), range(1, len(board) + 1))
    counting = CountProgress(plan.expected, progress)
    yield from count_prefixes_in_memory(plan, clock, memory, counting)


def _growing_side(instances: Sequence[Instance]) -> int | None:
    """Return the only side that grows from board to board: 0 for rows, 1 for columns, or None.

    All must be flat rectangles without holes, for the same piece, kind of tour and no constraints.
    """
    boards = [each.graph for each in instances if isinstance(each.graph, Board)]
    if len(instances) < 2 or len(boards) < len(instances):
        return None
    piece = boards[0].piece
    closed = instances[0].closed
    shapes = [board.shape for board in boards]
    if list(instances) != [Instance(Board(*shape, piece=piece), closed=closed) for shape in shapes]:
        return None
    for side in (0, 1):
        lengths = [shape[side] for shape in shapes]
        others = {shape[1 - side] for shape in shapes}
        if len(others) == 1 and lengths == sorted(set(lengths)):
            return side
    return None


def _sweep_plan(run: list[Instance], memory: float) -> Plan | None:
    """Return the plan of a sweep over the last board that counts all, or None if it does not pay.

    It pays if the boards grow in one direction, and it is expected to fit into ``memory`` bytes and
    to be faster than single counts.
    """
    side = _growing_side(run)
    if side is None:
        return None
    board = run[-1].board
    rows, columns = np.divmod(board.vertices, board.columns)
    lines, places = (rows, columns) if side == 0 else (columns, rows)
    prefixes = [len(instance.graph) for instance in run]
    orders = np.lexsort((places, lines)), there_and_back(lines, places)
    plans = [Plan(run[-1], order, prefixes) for order in orders]
    plan = min(plans, key=lambda plan: plan.expected.seconds)
    if plan.expected.is_dense and plan.expected.memory_bytes > memory:
        return None
    # The largest board usually decides, so that not all have to be planned.
    one_by_one = itertools.accumulate(Plan(each).expected.seconds for each in reversed(run))
    return plan if any(plan.expected.seconds <= seconds for seconds in one_by_one) else None


# -- recurrences ----------------------------------------------------------------------------------


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

    def fits(self, terms: Sequence[int]) -> bool:
        """Return whether all terms after the first ones satisfy the recurrence.

        >>> Recurrence((1, 1)).fits([1, 2, 3, 5]), Recurrence((1, 1)).fits([1, 2, 3, 4])
        (True, False)
        """
        return all(
            terms[n] == sum(c * terms[n - back] for back, c in enumerate(self.coefficients, 1))
            for n in range(self.order, len(terms))
        )

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
    # The polynomial c with c[0] a(n) + c[1] a(n-1) + … = 0 so far, and c[0] = 1. Where a term does
    # not fit, the one that was replaced last, shifted and scaled, corrects it.
    present, replaced = [1], [1]
    order = 0
    shift = 1  # how many terms ago the order last changed
    replaced_discrepancy = 1
    for n in range(len(terms)):
        fitted = present[: order + 1]
        discrepancy = sum(c * terms[n - k] for k, c in enumerate(fitted)) % _PRIME
        if discrepancy:
            factor = discrepancy * pow(replaced_discrepancy, -1, _PRIME)
            correction = [0] * shift + [factor * c for c in replaced]
            pairs = itertools.zip_longest(present, correction, fillvalue=0)
            corrected = [(c - d) % _PRIME for c, d in pairs]
            if 2 * order <= n:
                replaced, replaced_discrepancy = present, discrepancy
                order = n + 1 - order
                shift = 0
            present = corrected
        shift += 1
    if 2 * order > len(terms):
        return None
    coefficients = [-each % _PRIME for each in present[1:]] + [0] * (order + 1 - len(present))
    signed = [each - _PRIME if each > _PRIME // 2 else each for each in coefficients]
    recurrence = Recurrence(tuple(signed))
    return recurrence if recurrence.fits(terms) else None


@dataclass(frozen=True)
class ColumnStates:
    """The number of ``states`` between two columns of boards of one height.

    The numbers of tours of boards with at least ``first_columns`` columns satisfy a linear
    recurrence of order ``states`` at most.
    """

    states: int
    first_columns: int


def states_between_columns(
    rows: int, piece: Piece, closed: bool, clock: Clock, memory: float
) -> ColumnStates | None:
    """Return the states between two columns of boards of this height, or None if they are many.

    Once the frontier has the same position relative to each column, the states after a column
    depend only on those before it, so they are collected until a column of a long board adds none.
    A tour of n columns is closed by a state after n - 1 - ``reach`` columns or later, where
    ``reach`` is the longer side of a jump. ``memory`` is in bytes. Raises `OutOfTimeError` and
    `OutOfMemoryError`.
    """
    reach = max(map(max, piece.sides))
    columns = _COLUMNS_PER_REACH * reach
    board = Board(rows, columns, piece=piece)
    by_columns = np.arange(board.area).reshape(rows, columns).T.ravel()
    prefixes = range(rows, board.area + 1, rows)
    plan = Plan(Instance(board, closed=closed), by_columns, prefixes)
    known_states: set[bytes] = set()
    frontier: list[int] = []
    first_columns = 0
    layers = sweep(plan, States.initial(plan), clock, memory)
    for squares, (states, _) in enumerate(layers, start=1):
        column, row = divmod(squares, rows)
        if row:
            continue
        # Near its end, the long board has other states than a longer one.
        if column + 2 * reach > columns or len(known_states) > _MAX_STATES:
            return None
        places = [plan.places[node] for node in plan.steps[squares - 1].vertices[1:]]
        relative = [place - squares for place in places if place < plan.depot_place]
        if relative != frontier:  # only from here on are columns alike: begin again
            frontier = relative
            known_states = set()
            first_columns = column + 1 + reach
        number_known = len(known_states)
        known_states.update(map(bytes, np.ascontiguousarray(states.mates)))
        if number_known and len(known_states) == number_known:
            break
    return ColumnStates(len(known_states), first_columns)


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
    def last_length_needed(self) -> int | None:
        """The length up to which all boards, from the shortest on, prove the recurrence, or None.

        It then holds for all longer boards.
        """
        if self.recurrence is None or self.columns is None:
            return None
        first = max(self.lengths.start, self.columns.first_columns)
        return first + self.columns.states + self.recurrence.order - 1

    @property
    def is_proven(self) -> bool:
        """Whether the recurrence holds for all longer boards."""
        needed = self.last_length_needed
        return needed is not None and needed < self.lengths.stop

    def __str__(self) -> str:
        """Return the recurrence, or that there is none, and what is known of a proof."""
        number = "an unknown number of states"
        if self.columns is not None:
            number = pluralize(self.columns.states, "state")
        states = f"{number} between two columns"
        if self.recurrence is None:
            max_order = len(self.lengths) // 2
            return f"no linear recurrence of order {max_order} or less fits; {states}"
        formula = f"{self.recurrence} for n >= {self.lengths.start + self.recurrence.order}"
        if self.is_proven:
            return f"{formula}; proven, as there are {states}"
        last = self.last_length_needed
        takes = "" if last is None else f", which takes all boards up to n = {last},"
        return f"{formula}; not proven{takes or ','} with {states}"


def check_growth(instances: Sequence[Instance]) -> tuple[int, range]:
    """Return the side that grows, and its lengths.

    Raises `InputError` unless the boards grow by one row or by one column.
    """
    side = _growing_side(instances)
    if side is not None:
        lengths = [each.board.shape[side] for each in instances]
        if lengths == [*range(lengths[0], lengths[0] + len(lengths))]:
            return side, range(lengths[0], lengths[-1] + 1)
    raise InputError(
        "a recurrence: give flat boards that grow by one row or column, such as 4x1..4x60, without "
        "constraints"
    )


def find_recurrence(
    instances: Sequence[Instance],
    terms: Sequence[int],
    time_limit: float | None = None,
    memory_limit: float | None = None,
) -> RecurrenceReport:
    """Return the recurrence of the numbers of tours of boards that grow by a row or a column.

    `check_growth` tells which boards it takes; ``terms`` are their numbers of tours. Within
    ``time_limit`` (seconds) and ``memory_limit`` (MiB), the states between two columns are
    collected; if a limit is reached, nothing is proven.
    """
    side, lengths = check_growth(instances)
    board = instances[-1].board
    closed = instances[-1].closed
    height = board.shape[1 - side]
    clock = Clock(time_limit)
    columns: ColumnStates | None = None
    with suppress(OutOfTimeError, OutOfMemoryError):
        memory = bytes_allowed(memory_limit)
        columns = states_between_columns(height, board.piece, closed, clock, memory)
    return RecurrenceReport(shortest_recurrence(terms), columns, lengths)
