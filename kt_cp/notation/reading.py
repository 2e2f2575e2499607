"""What was read: a path on a board, in a notation, and the validator's report on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from kt_cp.board import Board
from kt_cp.errors import counted
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import Naming
from kt_cp.notation.text import Integers
from kt_cp.tour.report import Fault, Report
from kt_cp.tour.tour import Tour


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read a text, valid or not.

    ``ids`` are the squares in visiting order, the first not repeated; an entry that is off the
    board stands there as a number that is no id. ``closed`` says what kind of tour it was judged
    as. ``remarks`` and ``notes`` say how it was decided: what was taken as it is, and which other
    readings there are.
    """

    board: Board
    ids: Integers
    closed: bool
    notation: Notation
    report: Report
    entries: int
    naming: Naming | None
    numbers: Integers
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether what was read is a tour."""
        return self.report.valid

    @property
    def verdict(self) -> str:
        """The answer in one line."""
        return self.report.verdict

    @property
    def read_as(self) -> str:
        """How it was read, in one line."""
        entries = counted(self.entries, "entry", "entries")
        parts = [self.notation.description, entries, f"board {self.board.title}"]
        if self.board.holes:
            parts[-1] += f" with {counted(len(self.board.holes), 'hole')}"
        return ", ".join([*parts, *(["closed"] if self.closed else []), *self.remarks])

    @cached_property
    def tour(self) -> Tour:
        """The tour read. Raises `InvalidTourError` where it is none."""
        return Tour(self.board, self.ids, self.closed)

    def iter_faults(self) -> Iterator[Fault]:
        """Yield the faults in the order of the path; messages use the notation of the text."""
        naming = self.naming
        if naming is None:
            return self.report.iter_faults()
        return self.report.iter_faults(
            name=lambda square: naming.name(self.board, square),
            entry=lambda place: naming.entry(self.numbers[place]),
        )
