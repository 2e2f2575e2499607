"""States in tables: by the types of the frontier's vertices, and by how the ends are paired.

A vertex of the frontier is untouched, finished, or the end of a path, and the *mate* of an end is
the other end of its path. Ends can be paired in 1 · 3 · 5 · … ways, and after some rows of a board
most of these occur. So states with the same types are counted in one row of a table that has a
column for every pairing, whether it occurs or not: no state is stored, hashed, sorted or compared.
A choice maps all pairings of a row to those of another row, in a way that depends only on which of
the ends it joins, and that is worked out once (see `kt_cp.count.pairings`): a step adds columns to
columns.

`kt_cp.count.frontier` explains the method and counts the states one by one, which is better where
the frontier is wide and few pairings occur.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, unique
from kt_cp.count.digits import Words, carry, digits_for, number_of, with_digits
from kt_cp.count.frontier_steps import EndColors, FrontierStep, ends_joined
from kt_cp.count.pairings import (
    Change,
    Join,
    Pairings,
    Reordering,
    column_map,
    count_pairings,
    pack,
)
from kt_cp.count.resources import OutOfMemoryError
from kt_cp.count.vertex_types import (
    END,
    FINISHED,
    UNTOUCHED,
    edges_at,
    ends_before,
    packed,
    reordered,
    type_at,
    with_type,
    with_untouched,
    without_first,
)

_CHUNK = 2**16  # counts that are added in one go

# The type that a vertex must have to choose no, one or two later neighbors, so that it gets two
# edges in all.
_TYPE_BY_CHOICES = (FINISHED, END, UNTOUCHED)

Counts = npt.NDArray[np.uint64]
"""Counts of a table, with the axes digit (the lowest first), row (types) and column (pairing)."""


@dataclass(frozen=True, eq=False)
class Table:
    """States with the same number of paths: a row for each combination of types, ascending.

    The types of the vertices are packed in a word (see `kt_cp.count.vertex_types`).
    """

    types: Words
    counts: Counts


class _Transition(NamedTuple):
    """Rows that change in the same way: the number of paths and the types after the change.

    Without a ``change`` the ends of paths stay the same.
    """

    rows: Ints
    paths_after: int
    types_after: Words
    change: Change | None = None


class Tables(dict[int, Table]):
    """The states after a step: a `Table` for each number of paths."""

    @classmethod
    def initial(cls) -> Tables:
        """Return the state before the first step: one partial tour without a path."""
        return cls({0: Table(np.zeros(1, np.uint64), np.ones((1, 1, 1), np.uint64))})

    @property
    def size(self) -> int:
        """The number of states that occur."""
        return sum(int(table.counts.any(axis=0).sum()) for table in self.values())

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return sum(table.types.nbytes + table.counts.nbytes for table in self.values())

    def advance(
        self, step: FrontierStep, memory_limit: float, check: Callable[[], None]
    ) -> tuple[Tables, Counter[int]]:
        """Return the states after a step, and how many tours of each prefix the step closes.

        This object is emptied, to free its memory as soon as possible. ``check`` is called now and
        then, and may raise an exception to stop the count. Raises `OutOfMemoryError` if the states
        before and after the step take more than ``memory_limit`` bytes together.
        """
        closed = Counter[int]()
        sources = list[_Source]()
        bound = 0  # of the counts before the step
        most_ends = max(1, 2 * max(self, default=0))
        for paths in sorted(self):
            table = self.pop(paths)
            types = with_untouched(table.types, step.entering)
            if paths == 1:
                closed = _count_closed(step, types, table.counts)
            bound = max(bound, _upper_bound(table.counts))
            transitions = list(_transitions(step, paths, types))
            sources.append(_Source(paths, table.counts, transitions))
        # A choice leads to a state from at most ``most_ends`` states. If it joined two paths, their
        # far ends are the ends of one path of the state, one of ``most_ends`` / 2, in two ways.
        digits = digits_for(bound * len(step.choices) * most_ends)
        after = _tables_after(sources, digits, memory_limit, check)
        return after._fold(step.mirror) if step.mirror else after, closed

    def _fold(self, mirror: tuple[int, ...]) -> Tables:
        """Return one of each pair of mirror images with the sum of their counts; empty this object.

        This is correct as equally many tours continue a state and its mirror image.
        """
        sources = list[_Source]()
        for paths in list(self):
            table = self.pop(paths)
            types = table.types
            images = reordered(types, np.argsort(mirror).tolist())
            kept, folded = np.flatnonzero(types <= images), np.flatnonzero(types > images)
            transitions = [_Transition(kept, paths, types[kept])]
            end_numbers = _mirrored_ends(types[folded], images[folded], mirror, 2 * paths)
            for new_numbers, group in _groups(end_numbers):
                rows = folded[group]
                transitions.append(_Transition(rows, paths, images[rows], Reordering(new_numbers)))
            sources.append(_Source(paths, table.counts, transitions))
        return _tables_after(sources, digits=1)  # twice a count fits: `digits_for` leaves a bit


class _Source(NamedTuple):
    """A table to be added to others: its number of paths, its counts, and where its rows lead."""

    paths_before: int
    counts: Counts
    transitions: list[_Transition]


def _mirrored_ends(types: Words, images: Words, mirror: tuple[int, ...], ends: int) -> Pairings:
    """Return for each row the number that each of its ends has in the mirror image.

    ``images`` are the mirrored types, and ``mirror`` is the image of each position.
    """
    new_numbers = np.zeros((len(types), ends), dtype=np.uint8)
    for position, image in enumerate(mirror):
        rows = np.flatnonzero(type_at(types, position) == END)
        old = ends_before(types[rows], position)
        new_numbers[rows, old] = ends_before(images[rows], image)
    return new_numbers


def merge(pieces: Iterable[tuple[int, Table]]) -> Tables:
    """Return the states of all pieces, which are pairs of a number of paths and a table.

    Pieces may have the same states, whose counts are added.
    """
    sources = list[_Source]()
    bound = 0
    for paths, table in pieces:
        unchanged = _Transition(np.arange(len(table.types)), paths, table.types)
        sources.append(_Source(paths, table.counts, [unchanged]))
        bound += _upper_bound(table.counts)
    return _tables_after(sources, digits_for(bound))


def _upper_bound(counts: Counts) -> int:
    """Return an upper bound of the counts of a table."""
    return number_of(int(digit.max(initial=0)) for digit in counts)


def _tables_after(
    sources: list[_Source],
    digits: int,
    memory_limit: float = math.inf,
    check: Callable[[], None] = lambda: None,
) -> Tables:
    """Return the tables to which the rows of all sources lead, and empty the list of sources.

    Their counts have at least so many ``digits``. Raises `OutOfMemoryError` if sources and tables
    take more than ``memory_limit`` bytes together.
    """
    digits = max([digits, *(len(source.counts) for source in sources)])
    after = _empty_tables(sources, digits, memory_limit)
    while sources:
        source = sources.pop()
        counts = with_digits(source.counts, digits)
        for transition in source.transitions:
            check()
            target = after[transition.paths_after]
            _add_transition(transition, source.paths_before, counts, target)
        del source, counts  # free their memory before the next ones are widened
    for table in after.values():
        carry(table.counts)
    return after


def _empty_tables(sources: list[_Source], digits: int, memory_limit: float) -> Tables:
    """Return tables of zeros, with the rows to which the sources lead.

    Raises `OutOfMemoryError` if sources and tables take more than ``memory_limit`` bytes together.
    """
    transitions = [transition for source in sources for transition in source.transitions]
    types_found = defaultdict[int, list[Words]](list)  # by the number of paths
    for transition in transitions:
        types_found[transition.paths_after].append(transition.types_after)
    used_bytes = sum(source.counts.nbytes for source in sources)
    used_bytes += sum(each.rows.nbytes + each.types_after.nbytes for each in transitions)
    empty = Tables()
    for paths, found in types_found.items():
        types = unique(np.concatenate(found))
        shape = digits, len(types), count_pairings(paths)
        used_bytes += 8 * prod(shape)
        if used_bytes > memory_limit:
            raise OutOfMemoryError(f"{used_bytes / 2**20:,.0f} MiB are needed")
        empty[paths] = Table(types, np.zeros(shape, dtype=np.uint64))
    return empty


def _add_transition(transition: _Transition, paths: int, counts: Counts, target: Table) -> None:
    """Add the counts of the rows of a transition to the rows of the table to which they lead.

    ``counts`` belong to the table of these rows, whose states have this number of ``paths``.
    """
    target_rows = np.searchsorted(target.types, transition.types_after)
    source_columns, target_columns = column_map(paths, transition.change)
    rows_at_once = max(1, _CHUNK // counts.shape[2])
    for start in range(0, len(transition.rows), rows_at_once):
        rows_before = transition.rows[start : start + rows_at_once]
        rows_after = target_rows[start : start + rows_at_once]
        for digit_before, digit_after in zip(counts, target.counts, strict=True):
            addends = _summed_columns(digit_before[rows_before], source_columns)
            if target_columns is None:
                digit_after[rows_after] += addends
            else:
                digit_after[rows_after[:, None], target_columns] += addends


def _summed_columns(row_counts: Counts, source_columns: Ints | None) -> Counts:
    """Return rows of counts, each column being the sum of the columns from which it comes.

    ``source_columns`` has the first source of every column in its first row, the second in its
    second row and so on; without it the columns stay the same.
    """
    if source_columns is None:
        return row_counts
    addends: Counts = row_counts.take(source_columns[0], axis=1)
    for columns in source_columns[1:]:
        addends += row_counts.take(columns, axis=1)
    return addends


# -- transitions ----------------------------------------------------------------------------------


def _count_closed(step: FrontierStep, types: Words, counts: Counts) -> Counter[int]:
    """Return how many tours of each prefix a step closes, by joining the ends of the only path.

    ``types`` and ``counts`` are those of the states with one path.
    """
    closed = Counter[int]()
    wanted = defaultdict[int, list[int]](list)  # by prefix, the types of the rows that are closed
    for closing in step.closings:
        closed_types = [UNTOUCHED] + [FINISHED] * (len(step.vertices) - 1)
        for position in closing.untouched:
            closed_types[position] = UNTOUCHED
        for position in ends_joined(closing.choice):
            closed_types[position] = END
        wanted[closing.prefix].append(packed(closed_types))
    for prefix, words in wanted.items():
        rows = np.isin(types, np.array(words, dtype=np.uint64))
        closed[prefix] = number_of(sum(digit.ravel().tolist()) for digit in counts[:, rows])
    return closed


def _transitions(step: FrontierStep, paths: int, types: Words) -> Iterator[_Transition]:
    """Yield the transitions of the rows of a table, for each choice.

    Rows are left out where the choice is not possible, or leads to a state that no tour continues.
    """
    first_types = type_at(types, 0)
    for choice in step.choices:
        rows = np.flatnonzero(first_types == _TYPE_BY_CHOICES[len(choice)])
        if choice:
            yield from _joining_transitions(step, paths, types, rows, ends_joined(choice))
            continue
        rows = rows[_may_be_completed(step, types[rows])]
        if len(rows):
            yield _Transition(rows, paths, without_first(types[rows]))


def _joining_transitions(
    step: FrontierStep, paths: int, types: Words, rows: Ints, joined: tuple[int, int]
) -> Iterator[_Transition]:
    """Yield the transitions of some rows when the vertices at two positions are joined.

    Each of the two is untouched, and becomes the end of a path, or it is an end, and is finished.
    """
    one, other = joined
    one_types, other_types = type_at(types[rows], one), type_at(types[rows], other)
    for one_type, other_type in itertools.product((UNTOUCHED, END), repeat=2):
        fresh = one_type == UNTOUCHED, other_type == UNTOUCHED
        # Each fresh end is a path of its own, and joining makes one of two paths.
        paths_after = paths + fresh.count(True) - 1
        if paths_after == 0:
            continue  # joining the ends of the only path closes it
        chosen = rows[(one_types == one_type) & (other_types == other_type)]
        before_join, after_join = _opened_and_joined(types[chosen], joined, fresh)
        possible = _may_be_completed(step, after_join)
        if step.colors is not None and step.colors.depot in joined:
            possible &= _may_have_ends(step.colors, after_join)
        chosen = chosen[possible]
        before_join, after_join = before_join[possible], after_join[possible]
        # Four bits are enough for each index of an end: they are less than 16, unless there are 17
        # ends, of which one is at position 0 and joined, so that ``low`` is 0.
        ends = np.stack([ends_before(before_join, one), ends_before(before_join, other)], axis=1)
        for (low, high), group in _groups(ends):
            change = Join((low, high), fresh)
            yield _Transition(chosen[group], paths_after, without_first(after_join[group]), change)


def _opened_and_joined(
    types: Words, joined: tuple[int, int], fresh: tuple[bool, bool]
) -> tuple[Words, Words]:
    """Return the types before and after the vertices at two positions are joined.

    Before that, the ``fresh`` ones of the two are ends already, each of a path of its own.
    """
    before_join, after_join = types, types
    for position, is_fresh in zip(joined, fresh, strict=True):
        if is_fresh:
            before_join = with_type(before_join, position, END)
            after_join = with_type(after_join, position, END)
        else:
            after_join = with_type(after_join, position, FINISHED)
    return before_join, after_join


def _may_be_completed(step: FrontierStep, types: Words) -> Mask:
    """Return a mask of the rows whose ``due`` vertices can still get two edges."""
    possible = np.ones(len(types), dtype=np.bool_)
    for due in step.due:
        due_types = type_at(types, due.position)
        if due.neighbors_to_come == 0 and due.beyond:
            possible &= due_types != END
        elif due.neighbors_to_come == 0:
            possible &= due_types == FINISHED
        elif not due.beyond:
            possible &= due_types != UNTOUCHED
    return possible


def _may_have_ends(colors: EndColors, types: Words) -> Mask:
    """Return a mask of the rows in which enough ends are still to come for the colors."""
    ends_to_come = 2 - edges_at(types, (colors.depot,))
    excess = colors.excess - edges_at(types, colors.dark) + edges_at(types, colors.light)
    return np.asarray(np.abs(excess) <= ends_to_come)


def _groups(keys: Pairings) -> Iterator[tuple[tuple[int, ...], Ints]]:
    """Yield each distinct row of small numbers in the keys, with the indices of its copies."""
    if not len(keys):
        return
    words = pack(keys)
    order = np.argsort(words, kind="stable")
    _, starts = np.unique(words[order], return_index=True)
    for group in np.split(order, starts[1:]):
        yield tuple(keys[group[0]].tolist()), group
