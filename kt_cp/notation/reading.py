"""Readings: the report on a path, and how the path was read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board, as_board
from kt_cp.graph import Graph
from kt_cp.messages import pluralize
from kt_cp.notation.forms import Form, GridForm
from kt_cp.notation.notations import Naming, Notation
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FEWEST_CLOSED, Fault, FaultKind, PathReport, Report, leads_back

_MAX_NAMES = 12  # of missing squares in one line


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A path as it was read, and the report on it; true if the path is a tour.

    - ``entries``: the number of squares or moves that were given.
    - ``naming``: how messages name a square; None for id and chess name.
    - ``remarks``: what was left out of the text, or taken as it is.
    - ``notes``: which other readings there are.
    """

    report: Report
    notation: Notation
    entries: int
    naming: Naming | None = None
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def graph(self) -> Graph:
        """The board or graph on which the path is judged."""
        return self.report.graph

    @property
    def board(self) -> Board:
        """The graph, where it is a board. Raises `InputError` for a graph without places."""
        return as_board(self.graph)

    @property
    def closed(self) -> bool:
        """Whether the path is judged as a closed tour."""
        return self.report.closed

    @property
    def valid(self) -> bool:
        """Whether the path is a tour."""
        return self.report.valid

    def __bool__(self) -> bool:
        return self.valid

    @property
    def verdict(self) -> str:
        """The judgment in one line, such as ``valid open tour of 1x1, 1 square``."""
        return self.report.verdict

    @property
    def counts(self) -> Mapping[FaultKind, int]:
        """The number of faults of each kind that occurs."""
        return self.report.counts

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults in the order of the path, then the missing squares by id."""
        return self.report.faults

    def iter_faults(self) -> Iterator[Fault]:
        """Yield the faults one by one, with messages in the notation of the text."""
        return self.report.iter_faults()

    @property
    def ids(self) -> Ints:
        """The ids in visiting order; for an entry off the board, a number that is not an id.

        For moves that are not a tour, these are the ids of the visited squares, ascending.
        """
        if isinstance(self.report, PathReport):
            return self.report.path
        return np.flatnonzero(self.report.visited)

    @cached_property
    def tour(self) -> Tour:
        """The path as a tour. Raises `InvalidTourError` if it is not one."""
        ids = np.asarray(self.ids, dtype=np.int64)
        return Tour.from_ids(self.graph, ids, self.closed, self.report.allows_partial)

    @property
    def read_as(self) -> str:
        """The notation, the board and what else was detected, in one line."""
        entries = pluralize(self.entries, "entry", "entries")
        if not isinstance(self.graph, Board):
            has_names = self.notation in (Notation.SQUARES, Notation.JSON)
            words = "names of vertices" if has_names else self.notation.description
            return ", ".join([words, entries, self.graph.title, *self.remarks])
        board = f"board {self.board.title}"
        if self.board.holes:
            board += f" with {pluralize(len(self.board.holes), 'hole')}"
        parts = [self.notation.description, entries, board]
        if self.closed:
            parts.append("closed")
        return ", ".join([*parts, *self.remarks])

    def fault_lines(self) -> Iterator[str]:
        """Yield one line for each fault, and one for all missing squares together."""
        missing = self.counts.get(FaultKind.MISSING, 0)
        listed_together = missing if missing > 1 else 0
        faults = self.iter_faults()
        for fault in itertools.islice(faults, sum(self.counts.values()) - listed_together):
            yield fault.message
        if listed_together:
            names = [self._name(each.squares[0]) for each in itertools.islice(faults, _MAX_NAMES)]
            if missing > len(names):
                names.append(f"and {missing - len(names)} more")
            squares = self.graph.vocabulary.vertices
            yield f"{missing} {squares} are not visited: {' '.join(names)}"

    def _name(self, square: int) -> str:
        """Return the name of a square without its id."""
        if self.naming is None or not isinstance(self.graph, Board):
            return self.graph.name(square)
        return self.naming.names(self.graph, np.array([square]))[0]

    def __repr__(self) -> str:
        return repr(replace(self.report, notes=self.notes))

    def _repr_html_(self) -> str:
        """Return HTML that shows the notation, the verdict and the faults in a notebook."""
        report = replace(self.report, notes=self.notes)
        return f"<p>read as: {escape(self.read_as)}</p>{report._repr_html_()}"


def reading_of(
    form: Form, board: Board, closed: bool | None, allows_partial: bool = False
) -> Reading:
    """Return the reading of a form on a board. If ``closed`` is None, the kind is detected.

    A path that repeats its first square at the end is closed, and is judged without it.
    """
    if closed is None:
        closed = form.stated.closed
    judged, remarks = form, form.remarks
    if not form.in_order and form.notation.writes_moves:
        remarks = ("moves in no order", *remarks)
    if form.in_order and closed is not False and _repeats_its_first_square(form):
        judged, closed = replace(form, numbers=form.numbers[:-1]), True
        if not form.notation.writes_moves:
            remarks = ("first square repeated at the end", *remarks)
    if closed is None:
        closed = _is_closed(form, board)
    report = judged.report(board, closed, allows_partial)
    if isinstance(form, GridForm):  # a numbered board does not name its squares
        return Reading(report, form.notation, form.entry_count, None, remarks)

    def name(square: int) -> str:
        """Return the name of a square in the notation of the form."""
        return form.naming.names(board, np.array([square]))[0]

    report = replace(report, wording=replace(report.wording, square=name))
    return Reading(report, form.notation, form.entry_count, form.naming, remarks)


def _is_closed(form: Form, board: Board) -> bool:
    """Return the kind of a form that does not state it, nor repeat its first square.

    Moves in any order are closed if they are as many as their squares, and squares in order if one
    more move would lead back. Moves in order are not: a closed tour would have that move, too.
    """
    if not form.in_order:
        return form.entry_count >= len(np.unique(form.numbers, axis=0))
    return not form.notation.writes_moves and leads_back(board, form.ids(board))


def _repeats_its_first_square(form: Form) -> bool:
    """Return whether the first square of at least three is repeated at the end, and only there."""
    last = len(form.numbers) - 1
    visits = np.flatnonzero((form.numbers == form.numbers[:1]).all(axis=1))
    return last >= FEWEST_CLOSED and np.array_equal(visits, [0, last])
