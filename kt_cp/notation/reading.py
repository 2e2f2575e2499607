"""A path that was read: its notation, its board, and the validator's report on it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np

from kt_cp.board import Board
from kt_cp.errors import pluralize
from kt_cp.notation.notations import Notation
from kt_cp.notation.square_naming import Naming, naming
from kt_cp.notation.text import Integers
from kt_cp.tour.report import Fault, FaultKind, Report
from kt_cp.tour.tour import Tour

_NAMED = 12  # missing squares, in one line
_CHESS = naming(Notation.SQUARES)


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A path that was read, a tour or not; it is true if the path is a tour.

    ``numbers`` has a row for each square, as ``naming`` writes it (None: as ids). ``remarks`` say
    what was left out or taken as it is, ``notes`` which other readings there are.
    """

    report: Report
    notation: Notation
    entries: int
    numbers: Integers
    naming: Naming | None = None
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def board(self) -> Board:
        """The board on which the path was judged."""
        return self.report.board

    @property
    def closed(self) -> bool:
        """Whether the path was judged as a closed tour."""
        return self.report.closed

    @property
    def ids(self) -> Integers:
        """The ids in visiting order; for an entry off the board, a number that is no id."""
        return self.report.path

    @property
    def valid(self) -> bool:
        """Whether the path is a tour."""
        return self.report.valid

    def __bool__(self) -> bool:
        """Whether the path is a tour."""
        return self.valid

    def _repr_html_(self) -> str:
        """Show the notation, the verdict and the faults in a notebook."""
        notes = "".join(f"<p>note: {escape(note)}</p>" for note in self.notes)
        return f"<p>read as: {escape(self.read_as)}</p>{notes}{self.report._repr_html_()}"

    def __repr__(self) -> str:
        """Return the verdict and how it was read."""
        return f"<{self.verdict}; read as {self.read_as}>"

    @property
    def verdict(self) -> str:
        """The judgement in one line."""
        return self.report.verdict

    @property
    def read_as(self) -> str:
        """The notation, the board and what else was detected, in one line."""
        entries = pluralize(self.entries, "entry", "entries")
        parts = [self.notation.description, entries, f"board {self.board.title}"]
        if self.board.holes:
            parts[-1] += f" with {pluralize(len(self.board.holes), 'hole')}"
        return ", ".join([*parts, *(["closed"] if self.closed else []), *self.remarks])

    @cached_property
    def tour(self) -> Tour:
        """The path as a tour. Raises `InvalidTourError` if it is none."""
        return Tour(self.board, self.ids, self.closed)

    def iter_faults(self) -> Iterator[Fault]:
        """Yield the faults in the order of the path, with messages in the notation of the text."""
        naming = self.naming
        if naming is None:
            return self.report.iter_faults()
        return self.report.iter_faults(
            name=self._name,
            entry=lambda place: naming.entry(self.numbers[place]),
        )

    def fault_lines(self) -> Iterator[str]:
        """Yield one line for each fault, and one for all missing squares together."""
        missing = self.report.counts.get(FaultKind.MISSING, 0)
        faults = self.iter_faults()
        for fault in faults:
            if fault.kind is not FaultKind.MISSING or missing == 1:
                yield fault.message
                continue
            first = [fault, *itertools.islice(faults, _NAMED - 1)]
            names = [self._name(each.squares[0]) for each in first]
            more = f" and {missing - len(names)} more" if missing > len(names) else ""
            yield f"{missing} squares are not visited: {' '.join(names)}{more}"
            return

    def _name(self, square: int) -> str:
        return (self.naming or _CHESS).names(self.board, np.array([square]))[0]
