"""Choose what is meant: judge forms on the boards that they may be on, and take what is a tour."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from html import escape
from types import MappingProxyType

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.messages import InputError, pluralize
from kt_cp.notation.notations import Form, Notation
from kt_cp.notation.tokens import UnreadableError
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FEWEST_CLOSED, FaultKind, Report, leads_back, on_board

_MAX_NAMES = 12  # of missing squares in one line
_SURE_SHARE = 1 / 2  # least share of legal moves on a guessed board
_LEGAL_SHARE = 2 / 3  # least share of legal moves at a likely width, and of a rival in a note
_NEAR = 0.9  # the share of the best reading's quality from which another one is a rival
_MAX_RIVALS = 3  # that the notes name
_MAX_COMPARED = 1000  # faults of two readings that are compared
_MAX_WORK = 12 * 10**6  # squares of all forms tried; a form that is judged counts ten times more
_MAX_TRIED = 600  # forms that are judged, each on one board
_LONG_PATH = 30_000  # squares: no other form is tried after a tour that is longer
FEW_SQUARES = 3  # which are a tour by chance
_ENTRIES_PER_SQUARE = 12  # numbers and names of a text, at most
ALWAYS_ALLOWED = 20**2  # squares of a guessed board, however short the path is
_SQUARES_PER_ENTRY = 4  # that are added for each entry; a larger guess comes from a mistake
_MIN_ENTRIES_OF_SLIP = 12  # a shorter path cannot be a tour with a slip
_MAX_WIDTHS = 3  # of boards that are tried for a list of ids

_NOTATIONS = (
    "give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON, "
    "or the board or graph (--board FILE)"
)

Sides = tuple[int, int]


# -- readings -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Reading(Report):
    """The report on a path that was read; true if the path is a tour.

    ``form`` is the path as it is written, and ``remarks`` say what was left out of the text, or
    taken as it is. The ``notes`` name other readings.
    """

    form: Form = field(kw_only=True)
    remarks: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def report(self) -> Report:
        """The reading itself, which is the report on the path."""
        return self

    @property
    def notation(self) -> Notation:
        """The notation of the path."""
        return self.form.notation

    @property
    def entry_count(self) -> int:
        """The number of squares or moves that were given."""
        return self.form.entry_count

    @property
    def ids(self) -> Ints:
        """The ids in visiting order; for an entry off the board, a number that is not an id.

        For moves that are not a tour, these are the ids of the visited squares, ascending.
        """
        return np.flatnonzero(self.visited) if self.steps is None else self.path

    @cached_property
    def tour(self) -> Tour:
        """The path as a tour. Raises `InvalidTourError` if it is not one."""
        ids = np.asarray(self.ids, dtype=np.int64)
        return Tour.from_ids(self.graph, ids, self.closed, self.allows_partial)

    @property
    def read_as(self) -> str:
        """The notation, the board and what else was detected, in one line."""
        words, place = self.notation.description, self.graph.title
        if isinstance(self.graph, Board):
            holes = pluralize(len(self.board.holes), "hole")
            place = f"board {place}{f' with {holes}' if self.board.holes else ''}"
            place += ", closed" if self.closed else ""
        elif self.notation in (Notation.SQUARES, Notation.JSON):
            words = "names of vertices"
        return ", ".join(
            [words, pluralize(self.entry_count, "entry", "entries"), place, *self.remarks]
        )

    def fault_lines(self) -> Iterator[str]:
        """Yield one line for each fault, and one for all missing squares together."""
        missing = self.counts.get(FaultKind.MISSING, 0)
        listed_together = missing if missing > 1 else 0
        faults = self.iter_faults()
        for fault in itertools.islice(faults, sum(self.counts.values()) - listed_together):
            yield fault.message
        if listed_together:
            name = self.name_square or self.graph.name
            names = [name(each.squares[0]) for each in itertools.islice(faults, _MAX_NAMES)]
            if missing > len(names):
                names.append(f"and {missing - len(names)} more")
            squares = self.graph.vocabulary.vertices
            yield f"{missing} {squares} are not visited: {' '.join(names)}"

    def _repr_html_(self) -> str:
        """Return HTML that shows the notation, the verdict and the faults in a notebook."""
        return f"<p>read as: {escape(self.read_as)}</p>{super()._repr_html_()}"

    # The choice among several readings.

    @cached_property
    def legal_share(self) -> float:
        """The share of the moves, or of a sample of them, that are legal."""
        return self.form.legal_share(self.graph)

    @cached_property
    def quality(self) -> float:
        """How well the reading fits, from 0 to 1, which is a tour."""
        size = max(len(self.graph), self.entry_count, 1)
        return self.legal_share / (1 + 2 * sum(self.counts.values()) / size)

    @property
    def is_likely(self) -> bool:
        """Whether most moves are legal and belong together, and most steps are on one square."""
        components = self.counts.get(FaultKind.SPLIT, 0)
        has_steps = 2 * self.counts.get(FaultKind.SAME_STEP, 0) <= self.entry_count
        is_joined = 3 * components < len(self.moves)
        return self.legal_share >= _SURE_SHARE and has_steps and is_joined


def reading_of(
    form: Form, graph: Graph, closed: bool | None, allows_partial: bool = False
) -> Reading:
    """Return the reading of a form on a board or another graph.

    If ``closed`` is None, the kind is detected. A path that repeats its first square at the end is
    closed, and is judged without it.
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
        closed = _is_closed(form, graph)
    report = judged.report(graph, closed, allows_partial)
    if not form.drawn and isinstance(graph, Board):  # of others, squares have their usual names
        names = form.naming.names
        report = replace(report, name_square=lambda id_: names(graph, np.array([id_]))[0])
    given = {each.name: getattr(report, each.name) for each in fields(report)}
    return Reading(**given, form=form, remarks=remarks)


def _is_closed(form: Form, graph: Graph) -> bool:
    """Return the kind of a form that does not state it, nor repeat its first square.

    Moves in any order are closed if they are as many as their squares, and squares in order if one
    more move would lead back. Moves in order are not: a closed tour would have that move, too.
    """
    if not form.in_order:
        changes = np.diff(np.sort(form.ids(graph)))
        return form.entry_count > int(np.count_nonzero(changes))  # one less than the squares
    if not isinstance(graph, Board) and form.notation is Notation.SQUARES:
        return False
    return not form.notation.writes_moves and leads_back(graph, form.ids(graph))


def repeats_first(path: Ints) -> bool:
    """Return whether the first square of at least three is repeated at the end, and only there."""
    last = len(path) - 1
    if last < FEWEST_CLOSED:
        return False
    visits = np.flatnonzero((path == path[:1]).reshape(last + 1, -1).all(axis=1))
    return np.array_equal(visits, [0, last])


# -- boards that may be meant ---------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """What is known about a path before it is read; None stands for unknown.

    - ``graph``, ``notation``, ``closed``: the given or stated ones; a board is a graph.
    - ``rules``: the piece and the topology that the text states, by field of `Board`.
    - ``sides``: those of the board in a heading, which may name the columns first.
    - ``allows_partial``: whether squares may be left out.
    - ``entries``: the number of numbers, names and marks of the text; ``columns_first``: whether
      it has the words x and y, or column and row, in this order.
    """

    graph: Graph | None
    notation: Notation | None = None
    closed: bool | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    sides: Sides | None = None
    allows_partial: bool = False
    entries: int = 0
    columns_first: bool = False

    @property
    def named_graph(self) -> Graph | None:
        """The graph, if it is no board."""
        return None if isinstance(self.graph, Board) else self.graph

    def with_statements(
        self,
        graph: Graph | None,
        stated: Mapping[str, str] = MappingProxyType({}),
        *,
        closed: bool | None = None,
        partial: bool = False,
    ) -> Known:
        """Return what is known with what a text states: its graph, rules and kind of tour.

        What was given stays. Raises `InputError` if another board was given.
        """
        known = replace(
            self,
            graph=graph if self.graph is None else self.graph,
            rules={rule: stated[rule] for rule in _RULES if rule in stated},
            closed=closed if self.closed is None else self.closed,
            allows_partial=self.allows_partial or partial,
        )
        if isinstance(self.graph, Board):
            if isinstance(graph, Board) and graph != self.graph:
                raise _other_board(graph.title, self.graph)
            if known.with_rules(self.graph) != self.graph:
                options = " ".join(f"--{name} {rule}" for name, rule in known.rules.items())
                raise InputError(f"the text is about another board; give {options} beside --board")
        return known

    def with_rules(self, board: Board) -> Board:
        """Return a board with the piece and the topology that the text states."""
        if not self.rules:
            return board
        return Board(board.rows, board.columns, board.holes, **self.rules)


_RULES = ("piece", "topology")


def _other_board(stated: str, given: Graph) -> InputError:
    """Return the error that a path is on another board than the given one."""
    return InputError(f"the path is on the board {stated}, not {given.title}")


def _boards_for(form: Form, known: Known) -> Sequence[Graph]:
    """Return the given board, or else plausible boards of a form, the most likely first.

    Raises `InputError` if the form fits on no board.
    """
    given = known.graph
    if given is not None:
        if form.fills_board and len(given) != len(form.numbers):
            return []
        if form.notation.base is Notation.SUCCESSORS and given.area != form.area:
            wanted = f"{given.title} has {given.area} ids, and each needs a successor"
            raise InputError(f"{form.area} successors: {wanted}")
        if form.shape and isinstance(given, Board) and form.shape != given.shape:
            raise _other_board("{}x{}".format(*form.shape), given)
        return [given]
    sides = [form.shape] if form.shape else [*_likely_sides(form)]
    most = _SQUARES_PER_ENTRY * len(form.numbers) + ALWAYS_ALLOWED
    if not form.shape:
        sides = [each for each in sides if math.prod(each) <= most]
        if known.sides is not None:
            sides = [known.sides, known.sides[::-1]]
        if form.fills_board or form.notation.base is Notation.SUCCESSORS:
            sides = [each for each in sides if math.prod(each) == form.area]
    if not sides and not form.fills_board:
        why = "some squares are too far off for so short a path"
        raise InputError(f"the board cannot be detected: {why}; give the board, as in 8x8")
    return [known.with_rules(Board(*each, form.holes)) for each in dict.fromkeys(sides)]


def _likely_sides(form: Form) -> Iterator[Sides]:
    """Yield the sides of the smallest rectangles and square boards that contain the squares."""
    if form.numbers.shape[1] == 2:
        rows, columns = map(_plausible_counts, form.naming.rows_and_columns(form.numbers))
        rectangles = list(itertools.product(rows, columns))
        yield from rectangles
        yield from ((max(each), max(each)) for each in rectangles)
        return
    ids = form.numbers[:, 0] - form.naming.first
    moves = ids[form.sampled_moves].astype(np.int64)
    for area in [form.area] if form.area else _plausible_counts(ids):
        yield from ((math.ceil(area / width), width) for width in _likely_widths(moves, area))
        yield (math.isqrt(area - 1) + 1,) * 2


def _likely_widths(moves: Ints, area: int) -> Iterator[int]:
    """Yield the widths at which most moves between ids are a knight's, the likeliest first.

    ``moves`` are rows of two ids, from 0, on a board with ``area`` ids. A knight's move changes the
    id by the width plus or minus 2, or by twice the width plus or minus 1: every move votes for the
    widths at which it is legal.
    """
    inside = moves[((moves >= 0) & (moves < area)).all(axis=1)]
    jumps = np.abs(np.diff(inside)).ravel()
    odd = jumps[jumps % 2 == 1]
    votes = np.concatenate([jumps - 2, jumps + 2, (odd - 1) // 2, (odd + 1) // 2])
    widths, counts = np.unique(votes[(votes > 0) & (votes <= area)], return_counts=True)
    for width in widths[np.argsort(-counts, kind="stable")[:_MAX_WIDTHS]].tolist():
        down, right = np.abs(np.diff(np.divmod(inside, width))).reshape(2, -1)
        if (down * right == 2).sum() >= _LEGAL_SHARE * len(inside):
            yield width


def _plausible_counts(values: Ints) -> list[int]:
    """Return plausible numbers of rows, columns or ids, given their values, from 0, in a path.

    Usually that is one more than the highest value. If this value occurs only once in a long path
    it may be a mistake: the next lower value is tried as well.
    """
    top = int(values.max())
    sizes = [top + 1]
    if len(values) >= _MIN_ENTRIES_OF_SLIP and np.count_nonzero(values == top) == 1:
        sizes.append(int(values.max(where=values < top, initial=-1)) + 1)
    return [size for size in sizes if size > 0]


# -- the choice -----------------------------------------------------------------------------------


def choose_reading(forms: Iterable[Form], known: Known, seen: str = "") -> Reading:
    """Return the reading that is meant of all that forms have, with notes on others.

    That is a tour, or else the reading with the most legal moves on the most complete board.
    ``seen`` says what the text holds, for messages. Raises `InputError` if there is no such
    reading, or if several differ in more than the direction of the board.
    """
    errors: list[InputError] = []
    readings = sorted(
        _judged(forms, known, errors),
        key=lambda each: (
            not each.valid,  # tours come first
            # In a given notation, numbers that may be a square are one, unless a tour is left.
            not each.valid and known.notation is not None and len(each.form.sizes) > 0,
            # A tour of more squares leaves out less of the text; other paths go by their faults.
            -each.visit_count if each.valid else -each.quality,
            known.sides not in (None, each.graph.shape),  # a heading usually names the rows first
            known.columns_first and not each.form.naming.column_first,  # x before y
        ),
    )
    is_guessed = known.graph is None and known.notation is None
    if not readings:
        what = f"it fits no notation{seen}; {_NOTATIONS}"
        if known.notation is not None:
            words = known.notation.description.partition(" from ")[0]
            what = f"notation {known.notation}: there are no {words} here{seen}"
        raise errors[0] if errors and known.entries <= _LONG_PATH else UnreadableError(what)
    best, *others = readings
    if is_guessed and not (best.valid or best.is_likely):
        raise UnreadableError(f"it fits no notation{seen}; {_NOTATIONS}")
    for other in others:
        if _is_rival(best, other, is_guessed) and not _are_alike(best, other):
            ways = [f"{each.verdict} as {each.notation.description}" for each in (best, other)]
            options = f"--notation {best.notation} or --notation {other.notation}"
            if best.notation is other.notation:
                options = f"--board {best.graph.title}"
            raise UnreadableError(f"it can be read in two ways: {'; '.join(ways)}; give {options}")
    return replace(best, notes=(*_notes_on_others(best, others, known), *_notes(best, known)))


def _judged(forms: Iterable[Form], known: Known, errors: list[InputError]) -> list[Reading]:
    """Return the readings of forms on the boards that may be meant, each once.

    When a tour is found, only forms whose moves are all legal are examined further. Errors of forms
    that fit on no board are appended to ``errors``. Raises `InputError` if numbers before or behind
    a tour may be its size or squares of the path.
    """
    found: list[Reading] = []
    tried: set[tuple[object, ...]] = set()
    is_guessed = known.graph is None and known.notation is None
    work = 0  # squares looked at, of which _MAX_WORK are allowed
    least_share = 0.0  # of legal moves, for a form to be judged
    doubtful: Form | None = None  # a tour, from whose text squares may have been left out
    for form in forms:
        if not _is_wanted(form, known):
            continue
        work += len(form.numbers)
        is_spent = work > _MAX_WORK and len(tried) > 0  # the first form is judged, however long
        if is_spent or len(tried) > _MAX_TRIED:
            break
        try:
            boards = _boards_for(form, known)
        except InputError as error:
            errors.append(error)
            continue
        is_long = len(form.numbers) > _LONG_PATH
        is_sampled = is_guessed and is_long  # as it takes long to judge
        least_share = max(least_share, _SURE_SHARE if is_sampled else 0)
        for board in boards:
            key = form.notation, form.naming, form.in_order, board, form.numbers.tobytes()
            if key in tried or form.legal_share(board) < least_share:
                continue
            tried.add(key)
            work += 10 * len(form.numbers)
            reading = reading_of(form, board, known.closed, known.allows_partial)
            if not _fits(reading, known):
                continue
            if reading.valid and _may_go_on(form, board):
                doubtful = form
                continue
            found.append(reading)
            least_share = max(least_share, _SURE_SHARE)
            if reading.valid:
                least_share = 1
                if is_long:  # no other form is tried
                    work += _MAX_WORK
    if doubtful and not any(each.valid for each in found):
        sizes = " ".join(map(str, doubtful.sizes))
        raise InputError(f"{sizes} may be the size of the board, or a square: leave it out")
    return found


def _is_wanted(form: Form, known: Known) -> bool:
    """Return whether to try a form: it is in the given notation, or plausible if none is given."""
    if not len(form.numbers) or (known.closed and form.closed is False):
        return False
    if known.notation is not None:
        return form.notation is known.notation
    return form.is_plausible(known.graph)


def _fits(reading: Reading, known: Known) -> bool:
    """Return whether the path uses most of the text, and left out only sizes of the board."""
    graph, entries = reading.graph, reading.entry_count
    most = 2 if len(graph) <= FEW_SQUARES else _ENTRIES_PER_SQUARE
    rows, columns = graph.shape
    ranges = (1, rows, 1, columns), (1, columns, 1, rows)  # as in 1..4, 1..5
    sizes, known_sizes = reading.form.sizes, {rows, columns, len(graph), graph.area, entries}
    uses_text = known.entries <= most * max(graph.area, entries)
    return uses_text and (sizes in ranges or {*sizes} <= known_sizes)


def _may_go_on(form: Form, graph: Graph) -> bool:
    """Return whether the sizes in front of a path may be squares from which it goes on."""
    width = form.numbers.shape[1]
    if not form.sizes or len(form.sizes) % width or form.drawn:
        return False
    *_, last = form.naming.ids(graph, np.array(form.sizes).reshape(-1, width))
    first = form.ids(graph)[:1]
    inside = bool(on_board(graph, np.array([last])).all())
    return inside and bool(last == first[0] or graph.are_moves(np.array([last]), first)[0])


def _is_rival(best: Reading, other: Reading, is_guessed: bool) -> bool:
    """Return whether another reading is another tour or, of none, about as good."""
    if best.valid:
        squares = max(FEW_SQUARES, best.visit_count / 2)
        return other.valid and other.visit_count > squares
    is_other = other.notation.base is not best.notation.base
    is_near = other.is_likely and other.quality >= _NEAR * best.quality
    return is_guessed and is_other and is_near


def _are_alike(one: Reading, other: Reading) -> bool:
    """Return whether two readings differ only in the direction of the board, or are the same."""
    if not isinstance(one.graph, Board) or np.array_equal(one.ids, other.ids):
        return one.closed == other.closed or not isinstance(one.graph, Board)
    is_same = np.array_equal(one.form.numbers, other.form.numbers)
    return is_same and one.form.naming.uses_pairs and one.closed == other.closed


def _notes_on_others(best: Reading, others: Sequence[Reading], known: Known) -> Iterator[str]:
    """Yield notes on the readings that disagree with the first, with the options for them."""
    verdicts: dict[str, str] = {}  # by the option that chooses the other reading
    is_board_known = known.graph is not None or known.sides is not None
    for other in others:
        is_same = other.notation is best.notation
        is_variant = other.notation.base is best.notation.base
        if is_board_known and (is_same or other.graph != best.graph):
            continue
        is_rival = (is_variant and not is_same) or other.valid >= best.valid
        if not (is_rival and other.is_likely and other.legal_share >= _LEGAL_SHARE):
            continue
        option = f"--board {other.graph.title}" if is_same else f"--notation {other.notation}"
        if option not in verdicts and _faults(other) != _faults(best):
            verdicts[option] = other.verdict
    for option, verdict in itertools.islice(verdicts.items(), _MAX_RIVALS):
        yield f"{option} would read: {verdict}"


def _notes(best: Reading, known: Known) -> Iterator[str]:
    """Yield notes on cells without a number or with 0, and on a heading with another size."""
    if best.form.drawn and known.graph is None and FaultKind.MISSING in best.counts:
        cells = pluralize(len(best.graph) - best.entry_count, "cell has", "cells have")
        yield f"{cells} no number; mark holes by '#', or give the board (--board)"
    if best.form.drawn and len(best.form.zeros) == 1 and best.counts:
        yield "0 is step 0; --notation grid would read it as a square without a step"
    if known.sides and {*known.sides} != {*best.graph.shape}:
        yield "the heading says {}x{}".format(*known.sides)


def _faults(reading: Reading) -> tuple[str, list[str]]:
    """Return the verdict and the messages of the first faults, by which readings are compared."""
    faults = itertools.islice(reading.iter_faults(), _MAX_COMPARED)
    return reading.verdict, sorted(fault.message for fault in faults)
