"""Choose the best of all readings of a path: its notation, and the board that is meant."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from kt_cp.board import Board
from kt_cp.messages import InputError, pluralize
from kt_cp.notation.board_notes import board_of_notes
from kt_cp.notation.documents import read_json
from kt_cp.notation.forms import Form
from kt_cp.notation.likely_boards import boards_for
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_boards import read_grid
from kt_cp.notation.read_facts import read_answer_set
from kt_cp.notation.read_lists import (
    read_coords,
    read_moves,
    read_numbers,
    read_squares,
    read_tour,
    without_brackets,
)
from kt_cp.notation.read_values import forms_of_value
from kt_cp.notation.reading import Reading, reading_of
from kt_cp.notation.text import NOTE, UnreadableError, blank, partial_kind
from kt_cp.tour.validator import FaultKind, PathLike

Errors = list[tuple[Notation, InputError]]
Reader = Callable[[], list[Form]]

# A reading with a smaller share of legal moves is used only if no other has a larger share. (A list
# of moves that is read as a list of squares has one half.)
_FITTING_SHARE = 2 / 3
_MAX_COMPARED = 1000  # faults of two readings that are compared
_MAX_RIVALS = 3  # other notations that the notes name
_COMMENT = re.compile(r"^[ \t]*(?:#|%|//).*$", re.MULTILINE)
_JSON = re.compile(r"\s*+(?:\{|\[\s*+\{)")  # other arrays are read as ids, pairs or a board

_NOTATIONS = (
    "give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON"
)


@dataclass(frozen=True)
class Known:
    """What is known about a path before it is read; None stands for unknown.

    - ``board``, ``notation``: the given ones.
    - ``closed``: the given kind of tour; ``says_closed``: whether the text says that it is closed.
    - ``stated_rules``: the piece and the topology that the text states, by field of `Board`.
    - ``heading_sides``: the sides of the board in a heading, which may name the columns first.
    - ``allows_partial``: whether squares may be left out.
    """

    board: Board | None
    notation: Notation | None
    closed: bool | None
    says_closed: bool = False
    stated_rules: Mapping[str, str] = field(default_factory=dict)
    heading_sides: tuple[int, int] | None = None
    allows_partial: bool = False

    def with_notes(self, text: str) -> Known:
        """Return what is known with the notes of a text, which state the board and the kind.

        Raises `InputError` if a note contradicts the piece or topology of the given board.
        """
        notes = dict(NOTE.findall(text))
        stated_rules = {name: notes[name] for name in ("piece", "topology") if name in notes}
        known = replace(self, stated_rules=stated_rules)
        kind = partial_kind(text)
        if kind is not None:
            is_closed = kind == "cycle" if self.closed is None else self.closed
            known = replace(known, allows_partial=True, closed=is_closed)
        if self.board is None:
            known.check_rules()
            return replace(known, board=board_of_notes(notes))
        if known.with_rules(self.board) != self.board:
            options = " ".join(f"--{name} {rule}" for name, rule in stated_rules.items())
            raise InputError(f"the text is about another board; give {options} beside --board")
        return known

    def kind_of(self, form: Form) -> bool | None:
        """Return whether to judge a form as a closed tour, or None to detect the kind."""
        if self.closed is None and self.says_closed and form.stated.closed is None:
            return True
        return self.closed

    def check_rules(self) -> None:
        """Raise `InputError` if the text states an unknown piece or topology."""
        self.with_rules(Board(1, 1))

    def with_rules(self, board: Board) -> Board:
        """Return a board with the piece and the topology that the text states."""
        if not self.stated_rules:
            return board
        return Board(board.rows, board.columns, board.holes, **self.stated_rules)


def choose_reading(source: str | PathLike, known: Known) -> Reading:
    """Return the best of all readings of a text or value, with notes on the others.

    The best reading is a tour, or else the one with the fewest faults among those whose moves are
    mostly legal. Raises `InputError` if no reader can read it.
    """
    errors: Errors = []
    forms = _forms(source, known.notation, errors)
    tried = list(forms_on_boards(forms, known, errors))
    if not tried:
        raise latest_error(errors, known.notation)
    shares = [form.legal_share(board) for form, board in tried]
    least_share = min(_FITTING_SHARE, max(shares))
    readings = [
        reading_of(form, board, known.kind_of(form), known.allows_partial or form.stated.partial)
        for (form, board), share in zip(tried, shares, strict=True)
        if share >= least_share
    ]
    readings.sort(key=lambda reading: _rank(reading, known))
    notes = [*_notes_on_rivals(readings, known), *_notes_on_board(readings[0], known)]
    return replace(readings[0], notes=tuple(notes))


def _rank(reading: Reading, known: Known) -> tuple[bool, int, bool]:
    """Return the sort key of a reading: tours first, then few faults, then the board as headed."""
    sides = reading.board.rows, reading.board.columns
    return not reading.valid, sum(reading.counts.values()), sides != known.heading_sides


def _forms(source: str | PathLike, given: Notation | None, errors: Errors) -> Iterator[Form]:
    """Yield the forms that a text or value may have; collect the errors of the readers."""
    if not isinstance(source, str):
        is_npy = isinstance(source, np.ndarray) and given in (None, Notation.NPY)
        yield from forms_of_value(source, Notation.NPY if is_npy else None)
        return
    if given is Notation.NPY:
        raise InputError("notation npy: this is text, not a NumPy file")
    if not source.strip():
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    for notation, read in _chosen_readers(source, given).items():
        try:
            yield from read()
        except UnreadableError as error:
            errors.append((notation, error))
        except InputError as error:
            if notation is Notation.JSON:  # it is JSON, but holds no path
                raise
            errors.append((notation, error))


def _chosen_readers(text: str, given: Notation | None) -> dict[Notation, Reader]:
    """Return the reader of the given notation, or if none is given all that may read the text."""
    found = _readers(text)
    if given is Notation.JSON or (given is None and _JSON.match(text)):
        found[Notation.JSON] = partial(read_json, text)
    if given is None:
        return found
    base = Notation.IDS if given.base is Notation.SUCCESSORS else given.base  # read with the ids
    return {given: found[base]}


def _readers(text: str) -> dict[Notation, Reader]:
    """Return, for each text notation except JSON, a function that reads a text in it.

    Each returns the forms that the text may have in its notation, and raises `UnreadableError` if
    the text is not written in it.
    """
    without_comments = _COMMENT.sub(blank, text)
    items = without_brackets(without_comments)
    return {
        Notation.GRID: partial(read_grid, text),
        Notation.IDS: partial(read_numbers, items),
        Notation.SQUARES: partial(read_squares, items),
        Notation.COORDS: partial(read_coords, items),
        Notation.MOVES: partial(read_moves, items),
        Notation.FACTS: partial(read_answer_set, without_comments),
        Notation.TSPLIB: partial(read_tour, text),
    }


def forms_on_boards(
    forms: Iterable[Form], known: Known, errors: Errors
) -> Iterator[tuple[Form, Board]]:
    """Yield pairs of a form and a board that may be meant.

    The forms are those in the given notation or, if none is given, the plausible ones. Errors of
    guessing a board are added to ``errors``.
    """
    for form in forms:
        if known.notation is None:
            unusual = bool(known.stated_rules) or known.allows_partial
            is_wanted = form.is_plausible(known.board, unusual)
        else:
            is_wanted = form.notation is known.notation
        if not is_wanted or (form.stated.fills_board and known.closed):
            continue
        try:
            boards = boards_for(form, known.board, known.heading_sides)
        except InputError as error:
            errors.append((form.notation, error))
            continue
        for board in boards:
            yield form, known.with_rules(board)


def latest_error(errors: Errors, given: Notation | None) -> InputError:
    """Return the error furthest into the text, with its notation unless one is given."""
    if not errors:
        return InputError(f"notation {given}: the path is not written so")
    notation, furthest = max(reversed(errors), key=lambda error: _place(error[1]))
    if given is not None or not isinstance(furthest, UnreadableError):
        return furthest
    words = notation.description.partition(" from ")[0]
    message = f"the nearest is {words}: {furthest}" if furthest.place else _NOTATIONS
    return UnreadableError(f"it fits no notation; {message}", furthest.place)


def _place(error: InputError) -> int:
    """Return the place of an error in the text; 1 for an error without a place."""
    return error.place if isinstance(error, UnreadableError) else 1


def _notes_on_rivals(readings: list[Reading], known: Known) -> Iterator[str]:
    """Yield notes on the readings that disagree with the first, with the options for them."""
    best, *others = readings
    rivals: dict[Notation, Reading] = {}
    for each in others:
        if known.heading_sides is not None and each.board != best.board:
            continue
        if each.notation is not best.notation and _faults(each) != _faults(best):
            rivals.setdefault(each.notation, each)
    for rival in itertools.islice(rivals.values(), _MAX_RIVALS):
        yield f"--notation {rival.notation} would read: {rival.verdict}"
    if known.board is not None or known.heading_sides is not None:
        return
    for each in others:
        if each.notation is best.notation and each.valid >= best.valid:
            yield f"--board {each.board.size} would read: {each.verdict}"
            return


def _notes_on_board(best: Reading, known: Known) -> Iterator[str]:
    """Yield notes on cells without a number, and on a heading that states another size."""
    is_numbered_board = best.naming is None
    if is_numbered_board and known.board is None and FaultKind.MISSING in best.counts:
        cells = pluralize(len(best.board) - best.entries, "cell has", "cells have")
        yield f"{cells} no number; mark holes by '#', or give the board (--board)"
    sides = best.board.rows, best.board.columns
    if known.heading_sides and sorted(known.heading_sides) != sorted(sides):
        rows, columns = known.heading_sides
        yield f"the heading says {rows}x{columns}"


def _faults(reading: Reading) -> tuple[str, list[str]]:
    """Return the verdict and the messages of the first faults, by which readings are compared."""
    faults = itertools.islice(reading.iter_faults(), _MAX_COMPARED)
    return reading.verdict, sorted(fault.message for fault in faults)
