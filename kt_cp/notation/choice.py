"""Choose what is meant: judge forms on the boards that they may be on, and take what is a tour."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.messages import InputError, pluralize
from kt_cp.notation.notations import NOTE, Notation, board_of_notes
from kt_cp.notation.reading import Form, Reading, reading_of
from kt_cp.notation.tokens import UnreadableError
from kt_cp.tour.validator import FaultKind, on_board

_SURE_SHARE = 1 / 2  # of the moves of a path on a board that was guessed, which are legal
_LEGAL_SHARE = 2 / 3  # of the moves at a likely width, and of a rival that notes name
_NEAR = 0.9  # the share of the best reading's quality from which another one is a rival
_MAX_RIVALS = 3  # that the notes name
_MAX_COMPARED = 1000  # faults of two readings that are compared
_MAX_WORK = 12 * 10**6  # squares of all forms that are tried, ten times of those that are judged
_MAX_TRIED = 600  # forms on boards
_LONG_PATH = 30_000  # squares: a tour of as many ends the search for others
FEW_SQUARES = 3  # which are a tour by chance
_TOKENS_PER_SQUARE = 12  # numbers and names of a text, at most
ALWAYS_ALLOWED = 20**2  # squares of a board, however short the path is
_SQUARES_PER_ENTRY = 4  # in addition to these; on a larger board the path has a mistake
_MIN_ENTRIES_OF_SLIP = 12  # a shorter path cannot be a tour with a slip
_MAX_WIDTHS = 3

_NOTATIONS = (
    "give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON, "
    "or the board or graph (--board FILE)"
)

Sides = tuple[int, int]


@dataclass(frozen=True)
class Known:
    """What is known about a path before it is read; None stands for unknown.

    - ``graph``, ``notation``: the given ones; a board is a graph.
    - ``closed``: the given kind of tour; ``says_closed``: whether the text says that it is closed.
    - ``rules``: the piece and the topology that the text states, by field of `Board`.
    - ``heading_sides``: the sides of the board in a heading, which may name the columns first.
    - ``allows_partial``: whether squares may be left out.
    - ``tokens``: the number of numbers, names and marks of the text; ``names_columns_first``:
      whether it has the words x and y, or column and row, in this order.
    """

    graph: Graph | None
    notation: Notation | None = None
    closed: bool | None = None
    says_closed: bool = False
    rules: Mapping[str, str] = field(default_factory=dict)
    heading_sides: Sides | None = None
    allows_partial: bool = False
    tokens: int = 0
    names_columns_first: bool = False

    @property
    def named_graph(self) -> Graph | None:
        """The given graph, if it is no board."""
        return None if isinstance(self.graph, Board) else self.graph

    def with_notes(self, text: str) -> Known:
        """Return what is known with the notes of a text, which state the board and the kind.

        Raises `InputError` if a note contradicts the piece or topology of the given board.
        """
        notes = dict(NOTE.findall(text))
        known = replace(self, rules={name: notes[name] for name in _RULES if name in notes})
        if (kind := notes.get("kind")) in ("path", "cycle"):
            is_closed = kind == "cycle" if self.closed is None else self.closed
            known = replace(known, allows_partial=True, closed=is_closed)
        if self.graph is None:
            return replace(known, graph=board_of_notes(notes))
        if isinstance(self.graph, Board) and known.with_rules(self.graph) != self.graph:
            options = " ".join(f"--{name} {rule}" for name, rule in known.rules.items())
            raise InputError(f"the text is about another board; give {options} beside --board")
        return known

    def with_rules(self, board: Board) -> Board:
        """Return a board with the piece and the topology that the text states."""
        if not self.rules:
            return board
        return Board(board.rows, board.columns, board.holes, **self.rules)


_RULES = ("piece", "topology")


# -- boards that may be meant ---------------------------------------------------------------------


def _boards_for(form: Form, known: Known) -> Sequence[Graph]:
    """Return the given board, or else plausible boards of a form, the most likely first.

    Raises `InputError` if the form fits on no board.
    """
    given, stated = known.graph, form.board
    if given is not None:
        if form.fills_board and len(given) != len(form.numbers):
            return []
        if form.successors and given.area != form.area:
            wanted = f"{given.title} has {given.area} ids, and each needs a successor"
            raise InputError(f"{form.area} successors: {wanted}")
        if stated and (stated.shape != given.shape if form.drawn else stated != given):
            raise InputError(f"the path is on the board {stated.title}, not {given.title}")
        return [given]
    if stated is not None:
        return [known.with_rules(stated)]
    most = _SQUARES_PER_ENTRY * len(form.numbers) + ALWAYS_ALLOWED
    sides = [each for each in _likely_sides(form) if math.prod(each) <= most]
    if known.heading_sides is not None:
        sides = [known.heading_sides, known.heading_sides[::-1]]
    if form.successors or form.fills_board:
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
        for rectangle in rectangles:
            yield max(rectangle), max(rectangle)
        return
    ids = form.numbers[:, 0] - form.naming.first
    moves = ids[form.sampled_moves].astype(np.int64)
    for area in [form.area] if form.area else _plausible_counts(ids):
        for width in _likely_widths(moves, area):
            yield math.ceil(area / width), width
        side = math.isqrt(area - 1) + 1
        yield side, side


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


@dataclass(frozen=True, eq=False)
class _Judged:
    """A form on a board, with the share of its moves that are legal, and its reading."""

    form: Form
    share: float
    reading: Reading

    @cached_property
    def quality(self) -> float:
        """How well the reading fits, from 0 to 1, which is a tour."""
        faults = sum(self.reading.counts.values())
        size = max(len(self.reading.graph), self.reading.entries, 1)
        return self.share / (1 + 2 * faults / size)

    @property
    def is_likely(self) -> bool:
        """Whether most moves are legal and belong together, and most steps are on one square."""
        report = self.reading.report
        components = report.counts.get(FaultKind.SPLIT, 0)
        has_steps = 2 * report.counts.get(FaultKind.SAME_STEP, 0) <= self.reading.entries
        return self.share >= _SURE_SHARE and has_steps and 3 * components < len(report.moves)

    def fits(self, known: Known) -> bool:
        """Return whether the path uses most of the text, and left out only sizes of the board."""
        board, form = self.reading.graph, self.form
        size = max(len(board), self.reading.entries, form.area or 0)
        most = 2 if len(board) <= FEW_SQUARES else _TOKENS_PER_SQUARE
        if known.tokens > most * (board.area if form.drawn else size):
            return False
        rows, columns = board.shape
        ranges = (1, rows, 1, columns), (1, columns, 1, rows)  # as in 1..4, 1..5
        return form.sizes in ranges or {*form.sizes} <= {
            *(rows, columns, len(board), board.area, self.reading.entries)
        }

    @property
    def is_doubtful(self) -> bool:
        """Whether what was left out in front as a size may be a square of the path.

        The sides alone or the number of squares are sizes, unless they continue the path.
        """
        form, graph = self.form, self.reading.graph
        if not form.may_be_square or form.drawn or not form.sizes:
            return False
        width = 2 if form.naming.uses_pairs else 1
        if len(form.sizes) % width or not isinstance(graph, Board):
            return True
        ids = form.naming.ids(graph, np.array(form.sizes).reshape(-1, width))
        if not on_board(graph, ids).any():
            return False
        first = form.ids(graph)[:1]
        continues = len(ids) > 1 or ids[0] == first[0] or graph.are_moves(ids, first)[0]
        return bool(continues) or {*form.sizes} not in ({*graph.shape}, {len(graph)})


def choose_reading(forms: Iterable[Form], known: Known, seen: str = "") -> Reading:
    """Return the reading that is meant of all that forms have, with notes on others.

    That is a tour, or else the reading with the most legal moves on the most complete board.
    ``seen`` says what the text holds, for messages. Raises `InputError` if there is no such
    reading, or if several differ in more than the direction of the board.
    """
    errors: list[InputError] = []
    judged = _judged(forms, known, errors)
    valid = [each for each in judged if each.reading.valid]
    if valid and all(each.is_doubtful for each in valid):
        sizes = " ".join(map(str, valid[0].form.sizes))
        raise InputError(f"{sizes} may be the size of the board, or a square: leave it out")
    ranked = sorted(
        (each for each in judged if not (each.reading.valid and each.is_doubtful)),
        key=lambda each: (
            not each.reading.valid,
            # A number that may be a square is one, unless a tour is left without it.
            not each.reading.valid and each.form.may_be_square and known.notation is not None,
            -each.reading.report.visit_count if each.reading.valid else -each.quality,
            known.heading_sides not in (None, each.reading.graph.shape),
            known.names_columns_first and not each.form.naming.column_first,
        ),
    )
    is_guessed = known.graph is None and known.notation is None
    if not ranked and known.notation is not None:
        words = known.notation.description.partition(" from ")[0]
        errors.append(
            UnreadableError(f"notation {known.notation}: there are no {words} here{seen}")
        )
    if not ranked and errors:
        raise errors[0]
    if not ranked or (is_guessed and not ranked[0].reading.valid and not ranked[0].is_likely):
        raise UnreadableError(f"it fits no notation{seen}; {_NOTATIONS}")
    best, *others = ranked
    for other in others:
        if _is_rival(best, other, is_guessed) and not _are_alike(best.reading, other.reading):
            ways = [
                f"{each.reading.verdict} as {each.reading.notation.description}"
                for each in (best, other)
            ]
            options = f"--notation {best.reading.notation} or --notation {other.reading.notation}"
            if best.reading.notation is other.reading.notation:
                options = f"--board {best.reading.graph.title}"
            raise UnreadableError(f"it can be read in two ways: {'; '.join(ways)}; give {options}")
    notes = [*_notes_on_rivals(best, others, known), *_notes_on_board(best, known)]
    return replace(best.reading, notes=tuple(notes))


def _judged(forms: Iterable[Form], known: Known, errors: list[InputError]) -> list[_Judged]:
    """Return the readings of forms on the boards that may be meant, each once.

    When a tour is found, only forms whose moves are all legal are examined further.
    """
    found: list[_Judged] = []
    seen: set[tuple[object, ...]] = set()
    work, least_share = 0, 0.0
    for form in forms:
        is_wanted = form.is_plausible(known.graph)
        if known.notation is not None:
            is_wanted = form.notation is known.notation
        is_open = form.fills_board and form.closed is False
        if not (is_wanted and len(form.numbers)) or (is_open and known.closed):
            continue
        work += len(form.numbers)
        if len(seen) > _MAX_TRIED or (seen and work > _MAX_WORK):
            break
        try:
            boards = _boards_for(form, known)
        except InputError as error:
            errors.append(error)
            continue
        closed = known.closed
        if closed is None and known.says_closed and form.closed is None:
            closed = True
        for board in boards:
            share = form.legal_share(board)
            key = form.notation, form.naming, form.in_order, board, form.numbers.tobytes()
            if share < least_share or key in seen:
                continue
            seen.add(key)
            work += 10 * len(form.numbers)
            partial = known.allows_partial or form.partial
            one = _Judged(form, share, reading_of(form, board, closed, partial))
            if one.fits(known) and (one.reading.valid or not one.is_doubtful):
                found.append(one)
                least_share = max(least_share, _SURE_SHARE)
                if one.reading.valid and not one.is_doubtful:
                    least_share, work = 1, work + _MAX_WORK * (len(form.numbers) > _LONG_PATH)
    return found


def _is_rival(best: _Judged, other: _Judged, is_guessed: bool) -> bool:
    """Return whether another reading is another tour or, of none, about as good."""
    if best.reading.valid:
        squares = max(FEW_SQUARES, best.reading.report.visit_count / 2)
        return other.reading.valid and other.reading.report.visit_count > squares
    is_other = other.reading.notation.base is not best.reading.notation.base
    is_near = other.is_likely and other.quality >= _NEAR * best.quality
    return is_guessed and is_other and is_near


def _are_alike(one: Reading, other: Reading) -> bool:
    """Return whether two paths differ only by a symmetry of the board or by exchanged sides."""
    if not (isinstance(one.graph, Board) and isinstance(other.graph, Board)):
        return True
    if len(one.ids) != len(other.ids) or one.closed != other.closed:
        return False
    edges = _edges(np.array(np.divmod(one.ids, one.board.columns)), one.closed)
    places = np.array(np.divmod(other.ids, other.board.columns))
    return any(
        np.array_equal(edges, _edges(turned * np.array(signs)[:, None], one.closed))
        for turned in (places, places[::-1])
        for signs in itertools.product((1, -1), repeat=2)
    )


def _edges(places: Ints, closed: bool) -> Ints:
    """Return the edges of a path as sorted rows, counted from the top left of its squares."""
    rows, columns = places.astype(np.int64) - places.min(axis=1, keepdims=True)
    ids = rows * 2**28 + columns
    ends = np.stack([ids, np.roll(ids, -1)], axis=1)
    ends = np.sort(ends if closed else ends[:-1], axis=1)
    return ends[np.lexsort(ends.T)]


def _notes_on_rivals(best: _Judged, others: list[_Judged], known: Known) -> Iterator[str]:
    """Yield notes on the readings that disagree with the first, with the options for them."""
    reading, told = best.reading, dict[str, str]()
    is_board_known = known.graph is not None or known.heading_sides is not None
    for each in others:
        other = each.reading
        is_variant = other.notation.base is reading.notation.base
        is_same = other.notation is reading.notation
        is_other_board = other.graph != reading.graph and known.heading_sides is not None
        is_rival = (is_variant and not is_same) or other.valid >= reading.valid
        is_likely = each.is_likely and each.share >= _LEGAL_SHARE
        if is_other_board or not (is_rival and is_likely) or (is_same and is_board_known):
            continue
        option = f"--notation {other.notation}"
        if is_same:
            option = f"--board {other.graph.title}"
        if option not in told and _faults(other) != _faults(reading):
            told[option] = other.verdict
    for option, verdict in itertools.islice(told.items(), _MAX_RIVALS):
        yield f"{option} would read: {verdict}"


def _notes_on_board(best: _Judged, known: Known) -> Iterator[str]:
    """Yield notes on cells without a number or with 0, and on a heading with another size."""
    reading = best.reading
    if best.form.drawn and known.graph is None and FaultKind.MISSING in reading.counts:
        cells = pluralize(len(reading.graph) - reading.entries, "cell has", "cells have")
        yield f"{cells} no number; mark holes by '#', or give the board (--board)"
    if best.form.drawn and len(best.form.zeros) == 1 and reading.counts:
        yield "0 is step 0; --notation grid would read it as a square without a step"
    if known.heading_sides and {*known.heading_sides} != {*reading.graph.shape}:
        yield "the heading says {}x{}".format(*known.heading_sides)


def _faults(reading: Reading) -> tuple[str, list[str]]:
    """Return the verdict and the messages of the first faults, by which readings are compared."""
    faults = itertools.islice(reading.iter_faults(), _MAX_COMPARED)
    return reading.verdict, sorted(fault.message for fault in faults)
