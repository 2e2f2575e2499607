"""Prove further terms of two sequences of the OEIS: longest induced knight's paths and cycles.

    python scripts/new_terms.py [--log FILE] [--only 11x11] [--write]

Both sequences end where the boards below begin: A357500, the most squares of an induced path of
n x n, and A165143, that of an induced cycle. For every board a SAT solver finds a tour with the
squares of the term, which the validator checks, and proves that none is longer. Two solvers do that
one after the other, each with its own clauses against cycles that are not the whole tour. A
line of the log has the tour, the processor time and the number of conflicts; what the log has is
not run again. ``--write`` writes the table into docs/longest.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Instance, Tour
from kt_cp.problem.clock import Clock
from kt_cp.sat.formula import CADICAL
from kt_cp.sat.partial import PartialSolver
from scripts.document import origin, write_section
from scripts.longest_tables import DOCUMENT, board_cell, folded
from scripts.run_log import append_row, read_rows

SOLVERS = (CADICAL, "Glucose42")
"""The names of SAT solvers' classes in ``pysat.solvers``."""


@dataclass(frozen=True)
class Term:
    """A further term of a sequence: the most squares of an induced path or cycle of a board."""

    sequence: str
    closed: bool
    board: str
    squares: int

    @property
    def more_squares(self) -> int:
        """The number of squares that no tour has: a cycle of knight's moves is even."""
        return self.squares + (2 if self.closed else 1)

    @property
    def instance(self) -> Instance:
        """The instance of induced tours that may leave squares out."""
        instance = Instance.of(self.board, closed=self.closed, induced=True)
        return replace(instance, allows_partial=True)


TERMS = (
    Term("A357500", closed=False, board="9x9", squares=40),
    Term("A357500", closed=False, board="10x10", squares=50),
    Term("A165143", closed=True, board="11x11", squares=56),
    Term("A165143", closed=True, board="12x12", squares=68),
)
"""The terms that are proven."""


@dataclass(frozen=True)
class Row:
    """What a solver found and proved, and the processor seconds that each took."""

    sequence: str
    board: str
    squares: int
    solver: str
    seconds_to_find: float
    seconds_to_prove: float
    conflicts: int
    cuts: int
    tour: list[str]


def prove(term: Term, solver: str) -> Row:
    """Find a tour of as many squares as the term says, and prove that there is no longer one.

    Raises `RuntimeError` if there is no such tour, or a longer one.
    """
    begun = time.process_time()
    search = PartialSolver(term.instance, Clock(), solver)
    squares = search.search(term.squares)
    if squares is None:
        raise RuntimeError(f"{term}: there is no such tour")
    tour = Tour(term.board, squares, term.closed, partial=True)
    if not term.instance.satisfied_by(squares):
        raise RuntimeError(f"{term}: the tour is not induced")
    found = time.process_time()
    longer = search.search(term.more_squares)
    if longer is not None or len(tour) != term.squares:
        raise RuntimeError(f"{term}: there is a longer tour")
    return Row(
        term.sequence,
        term.board,
        term.squares,
        solver,
        seconds_to_find=round(found - begun, 1),
        seconds_to_prove=round(time.process_time() - found, 1),
        conflicts=search.formula.conflicts,
        cuts=search.cuts,
        tour=[str(name) for name in tour.names],
    )


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table of all rows, and of the tours below it."""
    rows = sorted(rows, key=lambda row: (row.sequence, len(row.board), row.board, row.solver))
    yield (
        "| term | squares | solver | search, s | proof, s | conflicts | clauses against cycles |"
    )
    yield "|---|--:|---|--:|--:|--:|--:|"
    for row in rows:
        term = f"{row.sequence}, {board_cell(row.board)}"
        seconds = f"{row.seconds_to_find:,} | {row.seconds_to_prove:,}"
        work = f"{row.conflicts:,} | {row.cuts:,}"
        yield f"| {term} | {row.squares} | {row.solver} | {seconds} | {work} |"
    yield ""
    tours = {(row.sequence, row.board, row.squares): row.tour for row in rows}
    for (sequence, board, squares), tour in tours.items():
        caption = f"{sequence}: {squares} squares of {board_cell(board)}"
        yield from folded(caption, ["```text", " ".join(tour), "```"])


def main() -> None:
    """Run what the log does not have, and print the table or write it into the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, default=Path("new_terms.jsonl"))
    parser.add_argument("--only", choices=[term.board for term in TERMS], help="one board")
    parser.add_argument("--write", action="store_true", help="write docs/longest.md")
    arguments = parser.parse_args()
    rows = read_rows(arguments.log, Row)
    done = {(row.sequence, row.board, row.squares, row.solver) for row in rows}
    for solver in SOLVERS:
        for term in TERMS:
            is_done = (term.sequence, term.board, term.squares, solver) in done
            if not is_done and arguments.only in (None, term.board):
                row = prove(term, solver)
                append_row(arguments.log, row)
                print(row, flush=True)
    lines = list(table(read_rows(arguments.log, Row)))
    print("\n".join(lines))
    if arguments.write:
        write_section("new_terms", [origin("scripts/new_terms.py"), "", *lines], DOCUMENT)


if __name__ == "__main__":
    main()
