"""The validator: it decides whether a path or moves are a tour, and reports every fault.

It takes ids or names and knows no solver. `kt_cp.notation.read.validate` reads paths in other
forms and then calls it. In the order of this file: the decision (`is_tour`), the search for faults
(`validate_ids`, `validate_listed`, `validate_moves`), and the `Report` with its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from html import escape
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Squares, both_directions, chunks, cycle_arcs
from kt_cp.board import OpenOrClosed
from kt_cp.board.maps import SquareLike, StepBySquare
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import escape_unprintable, with_article

# What users give as a path.
PathLike = Iterable[SquareLike] | Iterable[Iterable[int]] | StepBySquare | npt.NDArray[Any]

# Ids in visiting order; of dtype object if one fits no integer type.
Path = npt.NDArray[Any]

# Rows of two ids, in any order.
Moves = npt.NDArray[np.int64]

# Where the faults of one kind are: rows of two indices into the entries of a report, ordered by the
# first: the index of the faulty entry, and the index of the other entry concerned.
Rows = npt.NDArray[np.integer]

# The smallest number of squares of a closed tour: with two, it would use its only move twice.
FEWEST_CLOSED = 3


# -- the decision ----------------------------------------------------------------------------------


def is_tour(board: Graph, path: npt.NDArray[Any], closed: bool) -> bool:
    """Return whether an array of integers is a tour: every square once, by legal moves.

    The path is examined in chunks, to avoid temporary arrays as large as the tour.

    >>> from kt_cp.board import Board
    >>> is_tour(Board(3, 3, holes=[4]), np.array([0, 5, 6, 1, 8, 3, 2, 7]), closed=True)
    True
    """
    if len(path) != len(board) or path.dtype.kind not in "iu":
        return False
    if closed and len(path) < FEWEST_CLOSED:
        return False
    visited = np.zeros(board.area, dtype=np.bool_)
    for start, end in chunks(len(path)):
        part = path[start : end + 1]
        if closed and end == len(path):
            part = np.append(part, path[0])  # the move back to the start
        if not on_board(board, part).all():
            return False
        ids = part.astype(np.int32)
        visited[ids] = True
        if not board.are_moves(ids[:-1], ids[1:]).all():
            return False
    # There are as many visits as squares: if every square is visited, each is visited once.
    return np.array_equal(visited, board.mask)


def on_board(graph: Graph, path: Path) -> Mask:
    """Return for each entry of a path whether it is an id; ids of holes are included."""
    return np.asarray((path >= 0) & (path < graph.area), dtype=np.bool_)


def leads_back(graph: Graph, path: Path) -> bool:
    """Return whether a path has at least three squares and a move leads back to its start."""
    if len(path) < FEWEST_CLOSED or not on_board(graph, path[[-1, 0]]).all():
        return False
    return bool(graph.are_moves(*path[[-1, 0]].astype(np.int32)[:, None])[0])


# -- the faults of a path --------------------------------------------------------------------------


class FaultKind(StrEnum):
    """The kinds of faults of a path."""

    OFF_BOARD = "off-board"  # an entry is no id
    HOLE = "hole"
    REPEAT = "repeat"  # a square was visited before
    ILLEGAL_MOVE = "illegal-move"
    NOT_CLOSED = "not-closed"  # no move leads from the last square of a closed tour to the first
    SAME_STEP = "same-step"  # two entries have the same step
    NO_STEP = "no-step"  # between two entries, steps are missing
    SPLIT = "split"  # moves without an order do not form a single path or cycle
    MISSING = "missing"  # a square is not visited


def validate_ids(
    board: Graph,
    path: Path,
    closed: bool,
    steps: Ints | None = None,
    first: int = 1,
    allows_partial: bool = False,
) -> Report:
    """Return a report on whether ids in visiting order are a tour.

    ``steps`` are the step numbers in ascending order, if the path states them; the lowest should be
    ``first``. A move is checked if its two steps are consecutive, occur once, and are on the board.
    Where the report ``allows_partial`` tours, squares may be left out.

    >>> from kt_cp.board import Board
    >>> report = validate_ids(Board(3, 3, holes=[4]), np.array([0, 5, 6, 1, 8, 3, 2, 0, 9]), False)
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    """
    numbers = np.arange(first, first + len(path))
    steps = numbers if steps is None else steps
    if np.array_equal(steps, numbers) and is_tour(board, path, closed):
        return Report(board, closed, path, steps, board.mask, {}, first, allows_partial)
    inside = on_board(board, path)
    ids = np.where(inside, path, -1).astype(np.int32)
    faults = dict(_path_faults(board, ids, closed, steps, first))
    visited = _visited(board, ids[inside])
    return Report(board, closed, path, steps, visited, faults, first, allows_partial)


def validate_listed(
    graph: Graph, squares: Iterable[Any], closed: bool, allows_partial: bool = False
) -> Report:
    """Return a report on whether ids or names in visiting order are a tour (see `Graph.locate`).

    Partial tours are as in `validate_ids`. Raises `InputError` for a value without an order, and
    for an entry that names no square.

    >>> from kt_cp.board import Board
    >>> validate_listed(Board(3, 3), ["a1", 5, (0, 0)], False).path.tolist()
    [6, 5, 0]
    """
    ids = as_ids(squares) if graph.has_places else None
    if ids is not None:
        return validate_ids(graph, ids, closed, allows_partial=allows_partial)
    path, names = graph.read_path(squares)
    report = validate_ids(graph, path, closed, allows_partial=allows_partial)
    return replace(report, name_entry=lambda index: escape_unprintable(str(names[index])))


def as_ids(values: object) -> Path | None:
    """Return an array, list or tuple of integers as an array; None for anything else."""
    if isinstance(values, np.ndarray):
        is_plain = values.ndim == 1 and values.dtype.kind in "iu" and not np.ma.is_masked(values)
        return values if is_plain else None
    if not isinstance(values, list | tuple):
        return None
    kinds = set(map(type, values))
    if not all(kind is int or issubclass(kind, np.integer) for kind in kinds):
        return None
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)


def _visited(graph: Graph, ids: Ints) -> Mask:
    """Return a mask of the squares, not the holes, that are among these ids."""
    visited = np.zeros(graph.area, dtype=np.bool_)
    visited[ids] = True
    return visited & graph.mask


def _path_faults(
    graph: Graph, ids: Squares, closed: bool, steps: Ints, first: int
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults by kind, in the order in which faults of the same entry are reported.

    In ``ids``, -1 marks entries off the board.
    """
    off_board = ids < 0
    on_hole = ~(off_board | graph.mask[ids])
    yield FaultKind.OFF_BOARD, _rows(off_board)
    yield FaultKind.HOLE, _rows(on_hole)
    visits = np.flatnonzero(~(off_board | on_hole))
    _, first_visit, which = np.unique(ids[visits], return_index=True, return_inverse=True)
    earlier = visits[first_visit[which]]
    yield FaultKind.REPEAT, np.stack([visits, earlier], axis=1)[visits != earlier]
    # By how much each step exceeds the one before it: 1, unless a step is missing or repeated. The
    # path is framed by the steps that should come before and after it.
    step_after = int(steps[-1]) + 1 if len(steps) else first
    rises = np.diff(steps.astype(np.int64), prepend=first - 1, append=step_after)
    rise = rises[:-1]
    next_rise = rises[1:]
    yield FaultKind.SAME_STEP, _rows(rise == 0, -1)
    yield FaultKind.NO_STEP, _rows(rise > 1, -1).clip(0)  # nothing is before the first entry
    # A move leads from each entry to the next. It is judged if both are on the board, with
    # consecutive steps that no other entry has.
    is_sound = ~off_board & (rise != 0) & (next_rise != 0)
    is_judged = is_sound[:-1] & is_sound[1:] & (rise[1:] == 1)
    is_illegal = is_judged.copy()
    is_illegal[is_judged] = ~graph.are_moves(ids[:-1][is_judged], ids[1:][is_judged])
    yield FaultKind.ILLEGAL_MOVE, _rows(is_illegal, 1)
    has_ends = len(ids) > 0 and min(ids[-1], ids[0]) >= 0
    if closed and has_ends and not leads_back(graph, ids):
        yield FaultKind.NOT_CLOSED, np.array([[len(ids) - 1, 0]])


def _rows(is_faulty: Mask, offset: int = 0) -> Rows:
    """Return the indices of faulty entries, each with the index at an offset from it."""
    indices = np.flatnonzero(is_faulty)
    return np.stack([indices, indices + offset], axis=1)


# -- the faults of moves ---------------------------------------------------------------------------


def validate_moves(
    board: Graph, moves: Moves, closed: bool, allows_partial: bool = False
) -> Report:
    """Return a report on whether moves, rows of two ids in any order, form a tour.

    The direction of a move does not matter. Partial tours are as in `validate_ids`, whose report is
    returned for a tour.

    >>> from kt_cp.board import Board
    >>> moves = np.array([[6, 1], [0, 5], [5, 6], [2, 4], [8, 3], [7, 2], [3, 2]])
    >>> report = validate_moves(Board(3, 3, holes=[4]), moves, closed=False)
    >>> report.verdict
    'not a tour: 1 on a hole, 1 illegal move, split into 2 components'
    """
    inside = on_board(board, moves)
    on_square = inside & board.mask[np.where(inside, moves, 0)]
    is_illegal: Mask = np.all(inside, axis=1)
    is_illegal[is_illegal] = ~board.are_moves(*moves[is_illegal].T)
    # The entries are the ends of the moves: entries 2 i and 2 i + 1 are the ends of move i.
    entries = moves.ravel()
    is_joining = on_square.all(axis=1).repeat(2)
    faults = {
        FaultKind.OFF_BOARD: _rows(~inside.ravel()),
        FaultKind.HOLE: _rows((inside & ~on_square).ravel()),
        FaultKind.ILLEGAL_MOVE: 2 * np.flatnonzero(is_illegal)[:, None] + np.arange(2),
        **dict(_joint_faults(board, entries, np.flatnonzero(is_joining), closed)),
    }
    visited = _visited(board, moves[inside])
    report = Report(board, closed, entries, None, visited, faults, allows_partial=allows_partial)
    if not report.valid:
        return report
    path = _walk(moves, closed)
    one_way = validate_ids(board, path, closed, allows_partial=allows_partial)
    if one_way.valid:
        return one_way
    # In a directed graph the path may be a tour only from its other end.
    return validate_ids(board, path[::-1], closed, allows_partial=allows_partial)


def _joint_faults(
    graph: Graph, entries: Ints, joining: Ints, closed: bool
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults of moves together: repeated squares, several components, no way back.

    ``joining`` are the indices of the entries that are ends of moves between two squares.
    """
    if not len(joining):
        return
    ends = entries[joining]
    squares, places, degrees = np.unique(ends, return_index=True, return_counts=True)
    firsts = joining[places]  # the index of the first entry of each square
    labels = component_labels(graph.area, ends.reshape(-1, 2))[squares]
    in_first_component = labels == labels[0]
    is_repeated = degrees > 2
    if not closed and (degrees[in_first_component] == 2).all():  # a cycle
        is_repeated[0] = True  # an open tour would visit its lowest square twice
    yield FaultKind.REPEAT, np.stack([firsts[is_repeated]] * 2, axis=1)
    _, lowest = np.unique(labels, return_index=True)  # of each component the lowest square
    others = firsts[lowest[1:]]
    yield FaultKind.SPLIT, np.stack([others, np.full_like(others, firsts[0])], axis=1)
    loose = firsts[in_first_component & (degrees == 1)]
    if closed and (len(loose) or len(squares) < FEWEST_CLOSED):
        # The first two entries, or the only one twice.
        yield FaultKind.NOT_CLOSED, np.resize(loose if len(loose) else firsts, (1, 2))


def _walk(moves: Moves, closed: bool) -> Moves:
    """Return the squares in visiting order, for moves that form a single path or cycle.

    A square has at most two neighbors, so the next one is the sum of both minus the previous one.
    """
    tails, heads = both_directions(moves).T
    neighbor_sums = np.bincount(tails, heads).astype(np.int64).tolist()
    if closed:
        start = int(tails.min())
        length = len(moves)
    else:
        ends = tails[np.bincount(tails)[tails] == 1]
        start = int(ends[0])
        length = len(moves) + 1
    here = start
    after = int(heads[tails == start][0])
    path = []
    for _ in range(length):
        path.append(here)
        here, after = after, neighbor_sums[after] - here
    return np.array(path, dtype=np.int64)


# -- the report and its words ----------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, its place in the path and a sentence about it.

    ``step`` counts from 1 unless the path states its own step numbers; it is None for a missing
    square and for moves without an order. ``squares`` are ids: one, or the two of a move.
    """

    kind: FaultKind
    step: int | None
    squares: tuple[int, ...]
    message: str


@dataclass(frozen=True, eq=False, repr=False)
class Report(OpenOrClosed):
    """The verdict on a path, or on moves in any order.

    A report is true if the path or the moves are a tour. Where the report ``allows_partial`` tours,
    squares may be left out, but not all.

    ``entries`` are the ids that were given: the path, or the two ends of each move. ``steps`` are
    the step numbers of a path, from ``first`` if none is missing, and None for moves. ``visited``
    is a mask of the visited ids. ``faulty`` maps each kind of fault to rows of two indices into the
    entries: of the faulty entry, and of the other entry concerned, such as the first visit of a
    repeated square or the entry before a gap in the steps. Without such an entry both are the same.
    ``notes`` are the verdicts of other readings.

    Messages name squares by ``name_square``, which takes an id, by default as `Graph.describe`, and
    an entry that is no square by ``name_entry``, which takes its index.
    """

    graph: Graph
    closed: bool
    entries: Path
    steps: Ints | None
    visited: Mask
    faulty: Mapping[FaultKind, Rows]
    first: int = 1
    allows_partial: bool = False
    notes: tuple[str, ...] = ()
    name_square: Callable[[int], str] | None = None
    name_entry: Callable[[int], str] | None = None

    @property
    def path(self) -> Path:
        """The entries: squares in visiting order."""
        return self.entries

    @property
    def moves(self) -> npt.NDArray[Any]:
        """The moves that are made, as rows (from, to) of entries, which need not be ids."""
        if self.steps is None:
            return self.entries.reshape(-1, 2)
        moves = cycle_arcs(self.entries)
        is_made = np.diff(self.steps, append=0) == 1
        is_made[-1:] = self.closed  # the move back to the start
        return np.asarray(moves[is_made])

    @property
    def legal_moves(self) -> Moves:
        """The legal moves, as rows (from, to) of ids."""
        moves = self.moves
        moves = moves[on_board(self.graph, moves).all(axis=1)].astype(np.int64)
        return np.asarray(moves[self.graph.are_moves(*moves.T)])

    @property
    def visit_count(self) -> int:
        """The number of squares that are visited."""
        return int(np.count_nonzero(self.visited))

    @cached_property
    def counts(self) -> Mapping[FaultKind, int]:
        """The number of faults of each kind that occurs."""
        counts = {kind: len(rows) for kind, rows in self.faulty.items() if len(rows)}
        missing = len(self.graph) - self.visit_count
        if missing and not (self.allows_partial and self.visit_count):
            counts[FaultKind.MISSING] = missing
        return counts

    @property
    def valid(self) -> bool:
        """Whether it is a tour."""
        return not self.counts

    def __bool__(self) -> bool:
        return self.valid

    @property
    def verdict(self) -> str:
        """The verdict in one line, such as ``valid open tour of 1x1, 1 square``."""
        if self.valid:
            return f"valid {self.summary}"
        move_count = len(self.moves)
        if [*self.counts] != [FaultKind.MISSING] or not move_count:
            return f"not a tour: {', '.join(self.phrases.values())}"
        words = self.graph.vocabulary
        missing = self.counts[FaultKind.MISSING]
        legal = f"all {move_count} {words.edges} are legal"
        if move_count == 1:
            legal = f"its only {words.edge} is legal"
        verb = "is" if missing == 1 else "are"
        return f"not a tour: {legal}; {words.count_vertices(missing)} {verb} missing"

    @property
    def phrases(self) -> dict[FaultKind, str]:
        """The number of faults of each kind that occurs, in words such as ``1 repeat``."""
        phrases: dict[FaultKind, str] = {}
        for kind, wording in _WORDINGS.items():
            if count := self.counts.get(kind):
                phrase = wording.several if count > 1 and wording.several else wording.one
                values = {"n": f"{count:,}", "more": count + 1, "w": self.graph.vocabulary}
                phrases[kind] = phrase.format(**values)
        return phrases

    @property
    def missing(self) -> Squares:
        """The squares that are not visited, ascending."""
        return np.flatnonzero(self.graph.mask & ~self.visited).astype(np.int32)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults in the order of the path, then the missing squares by id."""
        return tuple(self.iter_faults())

    def iter_faults(self) -> Iterator[Fault]:
        """Yield the faults one by one, in the order of `faults`."""
        faults = [(*row, kind) for kind, rows in self.faulty.items() for row in rows.tolist()]
        for here, other, kind in sorted(faults, key=itemgetter(0)):
            yield self._fault(kind, here, other)
        if FaultKind.MISSING in self.counts:
            for square in self.missing.tolist():
                message = f"{self.graph.vocabulary.vertex} {self._name(square)} is not visited"
                yield Fault(FaultKind.MISSING, None, (square,), message)

    @cached_property
    def _words(self) -> dict[str, Any]:
        """The words of templates that are the same for all faults."""
        words = self.graph.vocabulary
        a_move = with_article(self.graph.move_name)
        return {"w": words, "a_move": a_move, "fewest": words.count_vertices(FEWEST_CLOSED)}

    def _fault(self, kind: FaultKind, here: int, other: int) -> Fault:
        """Return the fault of a row of ``faulty``."""
        if kind is FaultKind.NO_STEP:
            return self._gap(here, other)
        is_too_short = kind is FaultKind.NOT_CLOSED and self.visit_count < FEWEST_CLOSED
        wording = _TOO_SHORT if is_too_short else _WORDINGS[kind]
        step = other_step = None
        template = wording.without_order or wording.sentence
        if self.steps is not None:
            step, other_step = int(self.steps[here]), int(self.steps[other])
            template = wording.place + wording.sentence
        indices = here, other
        names = map(self._name_of_entry, indices)
        message = template.format(*names, step=step, other_step=other_step, **self._words)
        if kind is FaultKind.OFF_BOARD:
            message += f"; {self._extent}"
        squares = tuple(int(self.entries[indices[each]]) for each in wording.squares)
        return Fault(kind, step, squares, message)

    def _gap(self, here: int, before: int) -> Fault:
        """Return the fault that steps are missing between two entries.

        ``here`` and ``before`` are the indices of an entry and of the one before it; for the first
        entry they are equal.
        """
        assert self.steps is not None  # moves without an order have no gaps
        lowest = self.first
        if before != here:
            lowest = int(self.steps[before]) + 1
        highest = int(self.steps[here]) - 1
        which = f"step {lowest} is" if lowest == highest else f"steps {lowest} to {highest} are"
        message = f"{which} on no {self.graph.vocabulary.vertex}"
        return Fault(FaultKind.NO_STEP, lowest, (), message)

    def _name(self, square: int) -> str:
        """Return the name of a square in messages."""
        return (self.name_square or self.graph.describe)(square)

    def _name_of_entry(self, index: int) -> str:
        """Return the name of an entry in messages, as it was given if it is off the board."""
        entry = int(self.entries[index])
        if 0 <= entry < self.graph.area:
            return self._name(entry)
        return self.name_entry(index) if self.name_entry else str(entry)

    @property
    def _extent(self) -> str:
        """The range of the squares, as a clause for messages."""
        if self.name_square is None:
            return self.graph.extent
        first, last = map(self.name_square, (0, self.graph.area - 1))
        return f"{self.graph.title} has {first} to {last}"

    def __repr__(self) -> str:
        return f"<{'; '.join([self.verdict, *self.notes])}>"

    def _repr_html_(self) -> str:
        """Return HTML: the verdict, the notes, and a picture of the faults unless it is large."""
        from kt_cp.draw.output import notebook_svg

        lines = [self.verdict, *(f"note: {note}" for note in self.notes)]
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        return f"{paragraphs}{notebook_svg(self) or ''}"


@dataclass(frozen=True)
class _Wording:
    """The words for a kind of fault, as templates.

    ``one`` and ``several``, if it differs, are phrases for a number ``n`` of faults. ``sentence``
    is about a single fault, after its ``place`` in the path; ``without_order`` replaces both for
    moves in any order. In it {0} and {1} are the names of the faulty entry and of the other one.
    ``squares`` says which of the two are the squares of the fault: 0 is the faulty entry, 1 the
    other. ``w`` is the vocabulary of the graph.
    """

    one: str
    several: str = ""
    squares: tuple[int, ...] = (0,)
    place: str = ""
    sentence: str = ""
    without_order: str = ""


_AT = "step {step}: "
_BETWEEN = "step {step} to {other_step}: "

# In the order in which a verdict names them.
_WORDINGS: Mapping[FaultKind, _Wording] = {
    FaultKind.OFF_BOARD: _Wording(
        one="{n} {w.outside}",
        place=_AT,
        sentence="{w.vertex} {0} is {w.outside}",
    ),
    FaultKind.HOLE: _Wording(
        one="{n} on a hole",
        several="{n} on holes",
        place=_AT,
        sentence="square {0} is a hole",
    ),
    FaultKind.ILLEGAL_MOVE: _Wording(
        one="{n} illegal {w.edge}",
        several="{n} illegal {w.edges}",
        squares=(0, 1),
        place=_BETWEEN,
        sentence="{0} to {1} is not {a_move}",
    ),
    FaultKind.NOT_CLOSED: _Wording(
        one="does not close",
        squares=(0, 1),
        place=_BETWEEN,
        sentence="{0} back to {1} is not {a_move}",
        without_order="no {w.edge} leads from {0} back to {1}",
    ),
    FaultKind.REPEAT: _Wording(
        one="{n} repeat",
        several="{n} repeats",
        place=_AT,
        sentence="{w.vertex} {0} was visited before, at step {other_step}",
        without_order="{w.vertex} {0} comes more than once",
    ),
    FaultKind.SAME_STEP: _Wording(
        one="{n} step on two {w.vertices}",
        several="{n} steps on two {w.vertices}",
        squares=(1, 0),
        sentence="step {step} is on two {w.vertices}: {1} and {0}",
    ),
    FaultKind.NO_STEP: _Wording(one="{n} gap in the steps", several="{n} gaps in the steps"),
    FaultKind.SPLIT: _Wording(
        one="split into {more} components",
        squares=(0, 1),
        sentence="the {w.vertices} from {0} on are not joined to {1}",
    ),
    FaultKind.MISSING: _Wording(one="{n} {w.vertex} missing", several="{n} {w.vertices} missing"),
}
_TOO_SHORT = replace(
    _WORDINGS[FaultKind.NOT_CLOSED],
    place="",
    sentence="a {w.closed_tour} has at least {fewest}",
    without_order="",
)
