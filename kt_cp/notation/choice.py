"""Choose what is meant: judge forms on the boards that they may be on, and take what is a tour.

How readings compete:

1. A form is judged on the given board, or else on the few boards that its squares fit on.
2. A tour wins. Among tours the one of most squares wins, as it leaves out the least of the text; a
   second tour that differs by more than rows and columns exchanged makes the text ambiguous.
3. If there is no tour, the reading of the highest quality wins: legal moves, and few faults. If the
   board was guessed, most of its moves must be legal, and no other notation may fit about as well.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.messages import InputError, pluralize
from kt_cp.notation.notations import LIKELY, Form, Notation, Reading, reading_of
from kt_cp.notation.tokens import UnreadableError
from kt_cp.tour.validator import FaultKind, on_board

FEW_SQUARES = 3  # which are a tour by chance

# When a reading may be meant.
_MOSTLY = 2 / 3  # of the moves are legal, in a reading that a note names and at a likely width
_NEAR = 0.9  # of the quality of the best reading, from which another one competes with it
_ENTRIES_PER_SQUARE = 12  # numbers and names of a text, at most, for each square of its path

# How large a board is guessed.
SMALL_BOARD = 20**2  # squares, which a board may have however short the path is
_SQUARES_PER_ENTRY = 4  # that are added for each entry; a larger guess comes from a mistake
_MIN_ENTRIES_OF_SLIP = 12  # a shorter path cannot be a tour with a slip
_MAX_WIDTHS = 3  # of boards that are tried for a list of ids

# How much is tried and told.
_MAX_WORK = 12 * 10**6  # squares of all forms tried; a form that is judged counts ten times more
_MAX_TRIED = 600  # forms that are judged, each on one board
_LONG_PATH = 30_000  # squares: no other form is tried after a tour that is longer
_MAX_TOLD = 3  # other readings in the notes
_MAX_COMPARED = 1000  # faults of two readings that are compared

_NOTATIONS = (
    "give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON, "
    "or the board or graph (--board FILE)"
)

Sides = tuple[int, int]


# -- boards that may be meant ---------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """What is known about a path before it is read; None stands for unknown.

    What was given, or else is stated by the text:

    - ``graph``, ``notation``, ``closed``; a board is a graph.
    - ``allows_partial``: whether squares may be left out.
    - ``rules``: the piece and the topology that the text states, by field of `Board`.

    What the text shows, if it has no grammar:

    - ``sides``: those of the board in a heading, which may name the columns first.
    - ``columns_first``: whether it has the words x and y, or column and row, in this order.
    - ``entries``: how many numbers, names and marks it has; ``seen``: what, in words, for messages.
    """

    graph: Graph | None
    notation: Notation | None = None
    closed: bool | None = None
    allows_partial: bool = False
    rules: Mapping[str, str] = field(default_factory=dict)
    sides: Sides | None = None
    columns_first: bool = False
    entries: int = 0
    seen: str = ""

    @property
    def is_guess(self) -> bool:
        """Whether neither the board nor the notation is known."""
        return self.graph is None and self.notation is None

    @property
    def named_graph(self) -> Graph | None:
        """The graph, if it is no board."""
        return None if isinstance(self.graph, Board) else self.graph

    def with_statements(
        self,
        graph: Graph | None,
        rules: Mapping[str, str],
        closed: bool | None,
        partial: bool,
    ) -> Known:
        """Return what is known with what a text states: its graph, rules and kind of tour.

        Other keys than those of rules are left out. What was given stays. Raises `InputError` if
        another board was given.
        """
        known = replace(
            self,
            graph=graph if self.graph is None else self.graph,
            rules={rule: rules[rule] for rule in ("piece", "topology") if rule in rules},
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


def _other_board(stated: str, given: Graph) -> InputError:
    """Return the error that a path is on another board than the given one."""
    return InputError(f"the path is on the board {stated}, not {given.title}")


def _boards_for(form: Form, known: Known) -> Sequence[Graph]:
    """Return the given board, or else plausible boards of a form, the most likely first.

    Raises `InputError` if the form fits on no board.
    """
    given = known.graph
    has_all_ids = form.notation.base is Notation.SUCCESSORS
    if given is not None:
        if form.fills_board and len(given) != len(form.numbers):
            return []
        if has_all_ids and given.area != form.area:
            raise InputError(
                f"{form.area} successors: {given.title} has {given.area} ids, and each needs a "
                "successor"
            )
        if form.shape and isinstance(given, Board) and form.shape != given.shape:
            raise _other_board("{}x{}".format(*form.shape), given)
        return [given]
    if form.shape:
        sides = [form.shape]
    elif known.sides:
        sides = [known.sides, known.sides[::-1]]
    else:
        most = _SQUARES_PER_ENTRY * len(form.numbers) + SMALL_BOARD
        sides = [each for each in _likely_sides(form) if math.prod(each) <= most]
    if form.fills_board or has_all_ids:
        sides = [each for each in sides if math.prod(each) == form.area]
    if not sides and not form.fills_board:
        raise InputError(
            "the board cannot be detected: some squares are too far off for so short a path; give "
            "the board, as in 8x8"
        )
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
        if (down * right == 2).sum() >= _MOSTLY * len(inside):
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


def choose_reading(forms: Iterable[Form], known: Known) -> Reading:
    """Return the reading that is meant of all that forms have, with notes on others.

    That is a tour, or else the reading with the most legal moves on the most complete board. Raises
    `InputError` if there is no such reading, or if several differ in more than the direction of the
    board.
    """
    wanted_forms = (form for form in forms if _is_wanted(form, known))
    best, *others = sorted(_judged(wanted_forms, known), key=lambda each: _rank(each, known))
    if known.is_guess and not (best.valid or best.is_likely):
        raise _fits_nothing(known)
    for other in others:
        if _competes(other, best, known) and not _are_alike(other, best):
            ways = [f"{each.verdict} as {each.notation.description}" for each in (best, other)]
            options = f"--notation {best.notation} or --notation {other.notation}"
            if best.notation is other.notation:
                options = f"--board {best.graph.title}"
            raise UnreadableError(f"it can be read in two ways: {'; '.join(ways)}; give {options}")
    return replace(best, notes=(*_notes_on_others(best, others, known), *_notes(best, known)))


def _rank(reading: Reading, known: Known) -> tuple[float, ...]:
    """Return the key by which readings are sorted, the best first."""
    return (
        not reading.valid,  # tours come first
        # In a given notation, numbers that may be a square are one, unless a tour is left.
        not reading.valid and known.notation is not None and len(reading.form.left_out) > 0,
        # A tour of more squares leaves out less of the text; other paths go by their faults.
        -reading.visit_count if reading.valid else -reading.quality,
        known.sides not in (None, reading.graph.shape),  # a heading usually names the rows first
        known.columns_first and not reading.form.naming.column_first,  # x before y
    )


def _fits_nothing(known: Known) -> UnreadableError:
    """Return the error that a text has no form in the given notation, or in any."""
    if known.notation is None:
        return UnreadableError(f"it fits no notation{known.seen}; {_NOTATIONS}")
    words = known.notation.description.partition(" from ")[0]
    return UnreadableError(f"notation {known.notation}: there are no {words} here{known.seen}")


def _judged(forms: Iterable[Form], known: Known) -> list[Reading]:
    """Return the readings of forms, at least one, on the boards that may be meant, each once.

    Raises `InputError` if no form fits on a board, and if numbers before or behind a tour may be
    its size or squares of the path.
    """
    trials = _Trials(known)
    for form in forms:
        if not trials.try_form(form):
            break
    readings = trials.readings
    if trials.doubtful and not any(each.valid for each in readings):
        sizes = " ".join(map(str, trials.doubtful.left_out))
        raise InputError(f"{sizes} may be the size of the board, or a square: leave it out")
    if readings:
        return readings
    if trials.error and known.entries <= _LONG_PATH:
        raise trials.error
    raise _fits_nothing(known)


@dataclass
class _Trials:
    """What has come of the forms that were tried.

    - ``readings``: those that fit; ``error``: why the first form did that fits on no board.
    - ``doubtful``: a tour, from whose text squares of the path may have been left out.
    - ``judged``: the forms that were judged, each on one board.
    - ``work``: the number of squares that were looked at.
    - ``least_share``: a form with a smaller share of legal moves is not judged. It rises with the
      first reading, and to 1 with a tour: from then on only another tour matters.
    """

    known: Known
    readings: list[Reading] = field(default_factory=list)
    error: InputError | None = None
    doubtful: Form | None = None
    judged: set[tuple[object, ...]] = field(default_factory=set)
    work: int = 0
    least_share: float = 0.0

    def try_form(self, form: Form) -> bool:
        """Try a form on its boards; return whether to try others, or if all allowed work is done.

        After a long tour, nothing else is tried.
        """
        self.work += len(form.numbers)
        if self.judged and (self.work > _MAX_WORK or len(self.judged) > _MAX_TRIED):
            return False
        try:
            boards = _boards_for(form, self.known)
        except InputError as error:
            self.error = self.error or error
            return True
        is_long = len(form.numbers) > _LONG_PATH
        if is_long and self.known.is_guess:  # as it takes long to judge
            self.least_share = max(self.least_share, LIKELY)
        for board in boards:
            is_tour = self.judge(form, board)
            if is_tour and is_long:
                return False
        return True

    def judge(self, form: Form, board: Graph) -> bool:
        """Keep the reading of a form on a board if it fits; return whether it is a tour, and kept.

        A form that was judged, or that has fewer legal moves than needed, is not judged.
        """
        key = form.notation, form.naming, form.in_order, board, form.numbers.tobytes()
        if key in self.judged or form.legal_share(board) < self.least_share:
            return False
        self.judged.add(key)
        self.work += 10 * len(form.numbers)
        reading = reading_of(form, board, self.known.closed, self.known.allows_partial)
        if not _fits(reading, self.known):
            return False
        if reading.valid and _may_go_on(form, board):
            self.doubtful = form
            return False
        self.readings.append(reading)
        self.least_share = 1 if reading.valid else max(self.least_share, LIKELY)
        return reading.valid


def _is_wanted(form: Form, known: Known) -> bool:
    """Return whether to try a form: it is in the given notation, or plausible if none is given."""
    if not len(form.numbers) or (known.closed and form.closed is False):
        return False
    if known.notation is not None:
        return form.notation is known.notation
    return form.is_plausible(known.graph)


def _fits(reading: Reading, known: Known) -> bool:
    """Return whether the path uses most of the text, and left out only sizes of the board."""
    graph = reading.graph
    entries = reading.entry_count
    most = 2 if len(graph) <= FEW_SQUARES else _ENTRIES_PER_SQUARE
    uses_text = known.entries <= most * max(graph.area, entries)
    rows, columns = graph.shape
    ranges = (1, rows, 1, columns), (1, columns, 1, rows)  # as in 1..4, 1..5
    left_out = reading.form.left_out
    are_sizes = {*left_out} <= {rows, columns, len(graph), graph.area, entries}
    return uses_text and (are_sizes or left_out in ranges)


def _may_go_on(form: Form, graph: Graph) -> bool:
    """Return whether the sizes in front of a path may be squares from which it goes on."""
    width = form.numbers.shape[1]
    if not form.left_out or len(form.left_out) % width or form.is_grid:
        return False
    # Arrays of one id: the last square that was left out, and the first of the path.
    last = form.naming.ids(graph, np.array(form.left_out).reshape(-1, width))[-1:]
    first = form.ids(graph)[:1]
    is_square = bool(on_board(graph, last).all())
    return is_square and bool(last[0] == first[0] or graph.are_moves(last, first)[0])


def _competes(other: Reading, best: Reading, known: Known) -> bool:
    """Return whether another reading is a tour, too, or is about as good if there is none."""
    if best.valid:
        squares = max(FEW_SQUARES, best.visit_count / 2)
        return other.valid and other.visit_count > squares
    has_other_notation = other.notation.base is not best.notation.base
    is_near = other.is_likely and other.quality >= _NEAR * best.quality
    return known.is_guess and has_other_notation and is_near


def _are_alike(one: Reading, other: Reading) -> bool:
    """Return whether two readings differ only in the direction of the board, or are the same."""
    if not isinstance(one.graph, Board):
        return True
    are_turned = one.form.naming.uses_pairs and np.array_equal(one.form.numbers, other.form.numbers)
    return one.closed == other.closed and (are_turned or np.array_equal(one.ids, other.ids))


def _notes_on_others(best: Reading, others: Sequence[Reading], known: Known) -> Iterator[str]:
    """Yield notes on the readings that disagree with the best, with the options for them."""
    verdicts: dict[str, str] = {}  # by the option that chooses the other reading
    is_board_known = known.graph is not None or known.sides is not None
    for other in others:
        is_same = other.notation is best.notation
        is_variant = other.notation.base is best.notation.base and not is_same
        if is_board_known and (is_same or other.graph != best.graph):
            continue
        is_possible = other.is_likely and other.legal_share >= _MOSTLY
        if not is_possible or (best.valid and not other.valid and not is_variant):
            continue
        option = f"--board {other.graph.title}" if is_same else f"--notation {other.notation}"
        if option not in verdicts and _faults(other) != _faults(best):
            verdicts[option] = other.verdict
    for option, verdict in itertools.islice(verdicts.items(), _MAX_TOLD):
        yield f"{option} would read: {verdict}"


def _notes(best: Reading, known: Known) -> Iterator[str]:
    """Yield notes on cells without a number or with 0, and on a heading with another size."""
    if best.form.is_grid and known.graph is None and FaultKind.MISSING in best.counts:
        cells = pluralize(len(best.graph) - best.entry_count, "cell has", "cells have")
        yield f"{cells} no number; mark holes by '#', or give the board (--board)"
    if best.form.is_grid and len(best.form.zeros) == 1 and best.counts:
        yield "0 is step 0; --notation grid would read it as a square without a step"
    if known.sides and {*known.sides} != {*best.graph.shape}:
        yield "the heading says {}x{}".format(*known.sides)


def _faults(reading: Reading) -> tuple[str, list[str]]:
    """Return the verdict and the messages of the first faults, by which readings are compared."""
    faults = itertools.islice(reading.iter_faults(), _MAX_COMPARED)
    return reading.verdict, sorted(fault.message for fault in faults)
