"""Forms and readings: a path as it is written, and the report on it.

A reader returns the forms that a text may have. Judging a form on a board gives a `Reading`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board, as_board
from kt_cp.graph import Graph
from kt_cp.messages import escape_unprintable, pluralize
from kt_cp.notation.notations import Naming, Notation, naming
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import (
    FEWEST_CLOSED,
    Fault,
    FaultKind,
    Report,
    leads_back,
    on_board,
    validate_ids,
    validate_moves,
)

_MAX_NAMES = 12  # of missing squares in one line

# Codes of cells of a numbered board: a square without a step, which may also be written as -1, and
# a hole, which no number of at most 18 digits equals.
UNNUMBERED_CODE = -2
HOLE_CODE = -(10**18)
DEPOT_CODE = -(10**16)  # in place of a square: the vertex that joins both ends of an open tour

_SAMPLE_SIZE = 1000  # moves


@dataclass(frozen=True, eq=False)
class Form:
    """A path as it is written, before the board is known.

    - ``notation``, ``naming``: the notation, and how it names squares.
    - ``numbers``: a row of one or two numbers for each square that is named.
    - ``in_order``: whether the squares are in visiting order, so that a closed path may repeat its
      first square at the end; otherwise they are the two ends of one move after the other.
    - ``steps``: the steps of the squares, if they do not count up from ``first_step``.
    - ``board``, ``closed``, ``partial``: what the text states about the path; None for nothing.
    - ``area``: the number of ids of the board, if the text tells; ``fills_board``: whether the
      board has exactly the squares of the path. For ``successors`` of all ids, ``holes`` are ids.
    - ``drawn``: whether it is a numbered board; ``zeros`` are the ids of its cells with a 0.
    - ``written``: how the vertices of a graph are written, by default by their numbers.
    - ``plausible``: whether to try it if no notation is given.
    - ``remarks``: what was left out of the text. ``sizes`` are numbers that were left out because
      they should be the sides of the board or the number of its squares, and ``may_be_square``
      tells whether they are written as the squares of the path are.
    """

    notation: Notation
    numbers: Ints
    naming: Naming
    in_order: bool = True
    steps: Ints | None = None
    first_step: int = 1
    board: Board | None = None
    closed: bool | None = None
    partial: bool = False
    area: int | None = None
    fills_board: bool = False
    successors: bool = False
    holes: tuple[int, ...] = ()
    drawn: bool = False
    zeros: tuple[int, ...] = ()
    plausible: bool = True
    remarks: tuple[str, ...] = ()
    written: Sequence[Any] | None = None
    sizes: tuple[int, ...] = ()
    may_be_square: bool = False

    @property
    def entry_count(self) -> int:
        """The number of squares or moves in the text."""
        if not self.in_order:
            return len(self.numbers) // 2
        return len(self.numbers) - 1 if self.notation.writes_moves else len(self.numbers)

    def is_plausible(self, given: Graph | None) -> bool:
        """Return whether to try this form if no notation is given; ``given`` is the given board.

        Of a numbered board, a single 0 is a step, and several zeros are squares without a step.
        """
        if not self.drawn or self.notation is Notation.NPY:
            return self.plausible
        holes = given.holes if isinstance(given, Board) else ()
        return (len({*self.zeros} - {*holes}) == 1) == (self.first_step == 0)

    def ids(self, board: Graph) -> Ints:
        """Return the ids of the squares; for a square off the board, a number that is not an id."""
        return self.naming.ids(board, self.numbers)

    @cached_property
    def sampled_moves(self) -> Ints:
        """Pairs of indices into ``numbers`` joined by a move: all of them, or a random sample."""
        distance = 1 if self.in_order else 2
        firsts = np.arange(0, len(self.numbers) - 1, distance)
        if len(firsts) > _SAMPLE_SIZE:  # with a fixed seed, so that readings are reproducible
            firsts = np.sort(np.random.default_rng(0).choice(firsts, _SAMPLE_SIZE))
        return np.stack([firsts, firsts + 1], axis=1)

    def legal_share(self, board: Graph) -> float:
        """Return the share of the moves, or of a sample of them, that are legal on a board."""
        numbers = self.numbers[self.sampled_moves.ravel()]
        moves = self.naming.ids(board, numbers).reshape(-1, 2)
        if not len(moves):
            return 1.0
        inside = moves[on_board(board, moves).all(axis=1)]
        return float(board.are_moves(*inside.T).sum()) / len(moves)

    def report(self, board: Graph, closed: bool, allows_partial: bool = False) -> Report:
        """Return a report on the path or the moves, exactly as they are written."""
        if self.in_order:
            return replace(self.path_report(board, closed), allows_partial=allows_partial)
        moves = self.ids(board).reshape(-1, 2).astype(np.int64)
        report = validate_moves(board, moves, closed, allows_partial)
        return replace(report, name_entry=self._entry)

    def path_report(self, board: Graph, closed: bool) -> Report:
        """Return a report on a path that is in order, exactly as it is written."""
        report = validate_ids(board, self.ids(board), closed, self.steps, self.first_step)
        return replace(report, name_entry=self._entry)

    def _entry(self, place: int) -> str:
        """Return the text of the entry at a place."""
        if self.written is not None:
            return escape_unprintable(str(self.written[place]))
        return self.naming.write(self.numbers[[place]])[0]


def forms_in(base: Notation, numbers: Ints, pair: str = "{},{}", **fields: Any) -> list[Form]:
    """Return a form for each variant of a notation: from 0 or 1, row or column first.

    ``pair`` is a format for coordinates; ``fields`` are other fields of the forms. A form that
    counts from 1 is implausible if a number is below 1.
    """
    has_below_one = int(numbers.min()) < 1
    return [
        Form(
            each,
            numbers,
            naming(each, pair),
            plausible=not (each.first and has_below_one),
            **fields,
        )
        for each in base.variants
    ]


def forms_of_grid(cells: Ints, **fields: Any) -> list[Form]:
    """Return the forms of an array of steps, counted from 1 and from 0.

    A negative cell has no step; `HOLE_CODE` is a hole. If steps count from 1, a cell with 0 has no
    step either.
    """
    rows, columns = cells.shape
    board = Board(rows, columns, np.flatnonzero(cells == HOLE_CODE).tolist())
    steps = cells.ravel()
    numbered = np.flatnonzero(steps >= 0)
    ids = numbered[np.argsort(steps[numbered], kind="stable")]
    with_zero = ids[steps[ids] == 0]
    forms: list[Form] = []
    for notation in Notation.GRID.variants:
        path = ids[len(with_zero) :] if notation.first == 1 else ids
        form = Form(
            notation,
            path[:, None],
            Naming("{}"),
            steps=steps[path],
            first_step=notation.first,
            board=board,
            drawn=True,
            zeros=tuple(with_zero.tolist()),
            **fields,
        )
        forms.append(form)
    return forms


def forms_of_numbers(numbers: Ints) -> list[Form]:
    """Return the forms of numbers: ids in visiting order, and successors of the ids."""
    successors = [_form_of_successors(numbers, each) for each in Notation.SUCCESSORS.variants]
    return [*forms_in(Notation.IDS, numbers[:, None]), *successors]


def _form_of_successors(numbers: Ints, notation: Notation) -> Form:
    """Return the form of numbers that are the successors of the ids.

    The end of an open tour has no successor, which is written as one less than the first id. A hole
    is its own successor. Of several moves to a square the first counts.
    """
    size, first = len(numbers), notation.first
    ids = np.arange(first, first + size)
    is_end = numbers == first - 1
    is_hole = numbers == ids
    moves = np.stack([ids, numbers], axis=1)[~is_end & ~is_hole]
    if is_end.any():
        _, first_with_target = np.unique(moves[:, 1], return_index=True)
        moves = moves[np.sort(first_with_target)]
    has_moves = len(moves) > 0
    return Form(
        notation,
        moves.reshape(-1, 1) if has_moves else ids[is_end, None],
        Naming("{}", first),
        in_order=not has_moves,
        area=size,
        successors=True,
        holes=tuple(np.flatnonzero(is_hole).tolist()),
        plausible=int(numbers.max()) - first < size and int(np.count_nonzero(is_end)) <= 1,
    )


def form_of_moves(notation: Notation, ends: Ints, naming: Naming, **fields: Any) -> Form:
    """Return the form of moves, two rows of ``ends`` each: a path if they are in order.

    The depot joins the end of an open tour to its start; its moves are left out.
    """
    is_depot = (ends == DEPOT_CODE).any(axis=1)
    if is_depot.any():
        is_left_out = np.repeat(is_depot.reshape(-1, 2).any(axis=1), 2)
        fields |= {"closed": False, "remarks": ("without the arcs of the depot",)}
        if is_left_out.all():  # the tour of a single square
            return Form(notation, ends[~is_depot][:1], naming, **fields)
        ends = ends[~is_left_out]
    if (ends[1:-1:2] == ends[2::2]).all():
        return Form(notation, np.concatenate([ends[::2], ends[-1:]]), naming, **fields)
    return Form(notation, ends, naming, in_order=False, **fields)


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A path as it was read, and the report on it; true if the path is a tour.

    - ``entries``: the number of squares or moves that were given.
    - ``naming``: how messages name a square; None for id and chess name.
    - ``written``: how the vertices of a graph are written, by default by their numbers.
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
        if self.report.steps is not None:
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
    form: Form, board: Graph, closed: bool | None, allows_partial: bool = False
) -> Reading:
    """Return the reading of a form on a board. If ``closed`` is None, the kind is detected.

    A path that repeats its first square at the end is closed, and is judged without it.
    """
    if closed is None:
        closed = form.closed
    judged, remarks = form, form.remarks
    if not form.in_order and form.notation.writes_moves:
        remarks = ("moves in no order", *remarks)
    if form.in_order and closed is not False and repeats_first(form.numbers):
        steps = None if form.steps is None else form.steps[:-1]
        judged, closed = replace(form, numbers=form.numbers[:-1], steps=steps), True
        if not form.notation.writes_moves:
            remarks = ("first square repeated at the end", *remarks)
    if closed is None:
        closed = _is_closed(form, board)
    report = judged.report(board, closed, allows_partial)
    if form.drawn or not isinstance(board, Board):  # squares have their usual names
        return Reading(report, form.notation, form.entry_count, None, remarks)

    def name(square: int) -> str:
        """Return the name of a square in the notation of the form."""
        return form.naming.names(board, np.array([square]))[0]

    report = replace(report, name_square=name)
    return Reading(report, form.notation, form.entry_count, form.naming, remarks)


def _is_closed(form: Form, board: Graph) -> bool:
    """Return the kind of a form that does not state it, nor repeat its first square.

    Moves in any order are closed if they are as many as their squares, and squares in order if one
    more move would lead back. Moves in order are not: a closed tour would have that move, too.
    """
    if not form.in_order:
        ordered = form.numbers[np.lexsort(form.numbers.T)]
        return form.entry_count > int(np.count_nonzero(np.diff(ordered, axis=0).any(axis=1)))
    if not isinstance(board, Board) and form.notation is Notation.SQUARES:
        return False
    return not form.notation.writes_moves and leads_back(board, form.ids(board))


def repeats_first(path: Ints) -> bool:
    """Return whether the first square of at least three is repeated at the end, and only there."""
    last = len(path) - 1
    if last < FEWEST_CLOSED:
        return False
    visits = np.flatnonzero((path == path[:1]).reshape(last + 1, -1).all(axis=1))
    return np.array_equal(visits, [0, last])
