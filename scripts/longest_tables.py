"""Recompute the published tables of longest uncrossed and induced knight's paths and cycles.

    python scripts/longest_tables.py [--log FILE] [--limit 60] [--workers 2] [--only 8x8] [--write]

For every board of the tables it runs `longest_path` with a time limit, and appends a line with the
value, the bound and the seconds of processor and wall time to the log. A board that the log has
with at least the same limit is not run again: an interrupted script goes on where it was.
``--write`` writes the tables into docs/longest.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Optimum, longest_path
from kt_cp.board import Board
from scripts.document import origin, write_section
from scripts.run_log import append_row, read_rows

DOCUMENT = Path(__file__).parent.parent / "docs" / "longest.md"


@dataclass(frozen=True)
class Table:
    """A table of the OEIS: which tours it measures, and its values by board.

    The values are numbers of moves or, if it ``counts_squares``, of squares.
    """

    name: str
    kind: str
    closed: bool
    counts_squares: bool
    values: Mapping[str, int]

    @property
    def caption(self) -> str:
        """What the table lists, such as ``A003192, longest uncrossed paths``."""
        tours = "cycles" if self.closed else "paths"
        return f"{self.name}, longest {self.kind} {tours}"

    @property
    def unit(self) -> str:
        """What the values count."""
        return "squares" if self.counts_squares else "moves"

    def measure(self, squares: float) -> int:
        """Return what the table counts of a tour that visits ``squares`` squares."""
        if self.counts_squares or self.closed:
            return round(squares)
        return round(squares) - 1  # a path has one move less


def _rectangles(values_by_rows: Mapping[int, Iterable[int]]) -> dict[str, int]:
    """Return values by board: those of m x m, m x (m + 1) and so on for each number m of rows."""
    return {
        f"{rows}x{columns}": value
        for rows, values in values_by_rows.items()
        for columns, value in enumerate(values, rows)
    }


def _square_boards(first: int, values: Iterable[int]) -> dict[str, int]:
    """Return values by board: those of the square boards whose sides are ``first`` and more."""
    return {f"{side}x{side}": value for side, value in enumerate(values, first)}


TABLES = (
    Table(
        "A003192",
        "uncrossed",
        closed=False,
        counts_squares=False,
        values=_rectangles(
            {
                3: (2, 4, 5, 6, 8, 9, 10),
                4: (5, 7, 9, 11, 13, 15),
                5: (10, 14, 16, 19, 22),
                6: (17, 21, 25, 29),
                7: (24, 30, 35),
                8: (35,),
            }
        ),
    ),
    Table(
        "A157416",
        "uncrossed",
        closed=True,
        counts_squares=False,
        values={"4x4": 4, "4x5": 6, **_square_boards(5, (8, 12, 24, 32, 42, 54))},
    ),
    Table(
        "A357500",
        "induced",
        closed=False,
        counts_squares=True,
        values=_square_boards(1, (1, 1, 7, 9, 15, 21, 24, 34)),
    ),
    Table(
        "A165143",
        "induced",
        closed=True,
        counts_squares=True,
        values=_square_boards(3, (8, 10, 16, 20, 22, 32, 40, 48)),
    ),
)
"""The tables: A003192 for m x n with 3 <= m <= n <= 9 where it is published (not for 8x9 and 9x9),
the others for square boards and, of A157416, 4x5."""


@dataclass(frozen=True)
class Row:
    """One run: the value found, the proven bound, and its seconds of processor and wall time.

    The value is 0 if no tour was found.
    """

    sequence: str
    board: str
    value: int
    bound: int
    limit: float
    workers: int
    processor_seconds: float
    seconds: float

    @property
    def is_proven(self) -> bool:
        """Whether the value is optimal."""
        return self.value == self.bound


def run(table: Table, board: str, limit: float, workers: int) -> Row:
    """Find the longest tour of a board, and return what came of it."""
    before, begun = time.process_time(), time.perf_counter()
    asked: Any = {table.kind: True, "closed": table.closed}
    result = longest_path(board, time_limit=limit, workers=workers, **asked)
    value, bound = _value_and_bound(table, board, result.objective)
    return Row(
        table.name,
        board,
        value,
        bound,
        limit,
        workers,
        processor_seconds=round(time.process_time() - before, 2),
        seconds=round(time.perf_counter() - begun, 2),
    )


def _value_and_bound(table: Table, board: str, optimum: Optimum | None) -> tuple[int, int]:
    """Return the value found and its bound: 0 and that of all squares if no tour was found."""
    if optimum is None:
        return 0, table.measure(len(Board.parse(board)))
    assert optimum.bound is not None
    return table.measure(optimum.value), table.measure(optimum.bound)


def best_rows(rows: Iterable[Row]) -> dict[tuple[str, str], Row]:
    """Return the best row by sequence and board: proven ones first, then the closest bound."""
    ordered = sorted(rows, key=lambda row: (row.bound - row.value, row.processor_seconds))
    best: dict[tuple[str, str], Row] = {}
    for row in ordered:
        best.setdefault((row.sequence, row.board), row)
    return best


def wanted(
    rows: Iterable[Row], limit: float, only: str | None = None
) -> Iterator[tuple[Table, str]]:
    """Yield the tables and boards that are neither proven nor tried with such a limit."""
    rows = list(rows)
    done = {(row.sequence, row.board) for row in rows if row.is_proven or row.limit >= limit}
    for table in TABLES:
        for board in table.values:
            if (table.name, board) not in done and only in (None, board):
                yield table, board


def folded(caption: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a Markdown table below a caption that folds and unfolds it."""
    yield from ("<details>", f"<summary>{caption}</summary>", "", *lines, "", "</details>", "")


def board_cell(board: str) -> str:
    """Return a board as a cell that is not broken into lines.

    >>> board_cell("3x10")
    '3\\xa0×\\xa010'
    """
    return board.replace("x", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")


def tables(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table of the best rows for each sequence."""
    best = best_rows(rows)
    for table in TABLES:
        by_board = {
            board: best[table.name, board] for board in table.values if (table.name, board) in best
        }
        if by_board:
            proven = sum(row.is_proven for row in by_board.values())
            caption = f"{table.caption}: {proven} of {len(by_board)} proven"
            yield from folded(caption, _table_lines(table, by_board))


def _table_lines(table: Table, rows: Mapping[str, Row]) -> Iterator[str]:
    """Yield the lines of the table of one sequence, given the row of each board."""
    yield f"| board | published {table.unit} | found | bound | processor s |"
    yield "|---|--:|--:|--:|--:|"
    for board, row in rows.items():
        value = table.values[board]
        seconds = f"{row.processor_seconds:.2f}"
        yield f"| {board_cell(board)} | {value} | {row.value} | {row.bound} | {seconds} |"


def main() -> None:
    """Run what the log does not have, and print the tables or write them into the document."""
    boards = {board for table in TABLES for board in table.values}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, default=Path("longest.jsonl"))
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each board")
    parser.add_argument("--workers", type=int, default=2, help="threads of each search")
    parser.add_argument(
        "--only", metavar="BOARD", choices=sorted(boards), help="one board, such as 8x8"
    )
    parser.add_argument("--write", action="store_true", help="write docs/longest.md")
    arguments = parser.parse_args()
    logged = read_rows(arguments.log, Row)
    for table, board in wanted(logged, arguments.limit, arguments.only):
        row = run(table, board, arguments.limit, arguments.workers)
        append_row(arguments.log, row)
        print(row, flush=True)
    lines = list(tables(read_rows(arguments.log, Row)))
    print("\n".join(lines))
    if arguments.write:
        command = f"scripts/longest_tables.py --limit {arguments.limit:g}"
        write_section("longest_tables", [origin(command), "", *lines], DOCUMENT)


if __name__ == "__main__":
    main()
