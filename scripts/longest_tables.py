"""Recompute the published tables of longest uncrossed and induced knight's paths and cycles.

    python scripts/longest_tables.py [--log FILE] [--limit 60] [--workers 2] [--only 8x8] [--write]

For every board of the tables it runs `longest_path` with a time limit, and appends a line with the
value, the bound and the seconds of processor and wall time to the log. A board that the log has
with at least the same limit is not run again, so that an interrupted run goes on where it stopped.
``--write`` writes the tables into docs/longest.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import longest_path
from scripts.document import origin, write_section

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
        """Return what the table counts of a tour that visits so many squares."""
        if self.counts_squares or self.closed:
            return round(squares)
        return round(squares) - 1  # a path has a move less


def _by_width(rows: Mapping[int, Iterable[int]]) -> dict[str, int]:
    """Return values by board: those of m x m, m x (m + 1) and so on for each m."""
    return {
        f"{side}x{columns}": value
        for side, values in rows.items()
        for columns, value in enumerate(values, side)
    }


def _square_boards(first: int, values: Iterable[int]) -> dict[str, int]:
    """Return values by board, those of square boards from a side on."""
    return {f"{side}x{side}": value for side, value in enumerate(values, first)}


TABLES = (
    Table(
        "A003192",
        "uncrossed",
        closed=False,
        counts_squares=False,
        values=_by_width(
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
"""The tables: A003192 for m x n with m <= n up to 9, the others for square boards."""


@dataclass(frozen=True)
class Row:
    """One run: the value found, the proven bound, and the seconds that it took."""

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


def run(published: Table, board: str, limit: float, workers: int | None) -> Row:
    """Find the longest tour of a board, and return what came of it."""
    before, begun = time.process_time(), time.perf_counter()
    asked: Any = {published.kind: True, "closed": published.closed}
    result = longest_path(board, time_limit=limit, workers=workers, **asked)
    assert result.objective is not None
    assert result.objective.bound is not None
    return Row(
        published.name,
        board,
        value=published.measure(result.objective.value),
        bound=published.measure(result.objective.bound),
        limit=limit,
        workers=workers or 2,
        processor_seconds=round(time.process_time() - before, 2),
        seconds=round(time.perf_counter() - begun, 2),
    )


def logged(log: Path) -> list[Row]:
    """Return the rows of a log; a line cut off at its end is skipped."""
    if not log.exists():
        return []
    rows = []
    for line in log.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(Row(**json.loads(line)))
        except json.JSONDecodeError:
            continue
    return rows


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
    for published in TABLES:
        for board in published.values:
            if (published.name, board) not in done and only in (None, board):
                yield published, board


def folded(caption: str, table: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a Markdown table below a caption that folds and unfolds it."""
    yield from ("<details>", f"<summary>{caption}</summary>", "", *table, "", "</details>", "")


def board_cell(board: str) -> str:
    """Return a board as a cell that is not broken into lines.

    >>> board_cell("3x10")
    '3\\xa0×\\xa010'
    """
    return board.replace("x", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")


def tables(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table of the best rows for each sequence."""
    best = best_rows(rows)
    for published in TABLES:
        by_board = {
            board: best[published.name, board]
            for board in published.values
            if (published.name, board) in best
        }
        if by_board:
            proven = sum(row.is_proven for row in by_board.values())
            caption = f"{published.caption}: {proven} of {len(by_board)} proven"
            yield from folded(caption, _table(published, by_board))


def _table(published: Table, rows: Mapping[str, Row]) -> Iterator[str]:
    """Yield the lines of the table of one sequence, given the row of each board."""
    yield f"| board | published {published.unit} | found | bound | processor s |"
    yield "|---|--:|--:|--:|--:|"
    for board, row in rows.items():
        value = published.values[board]
        seconds = f"{row.processor_seconds:.2f}"
        yield f"| {board_cell(board)} | {value} | {row.value} | {row.bound} | {seconds} |"


def main() -> None:
    """Run what the log does not have, and print the tables or write them into the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, default=Path("longest.jsonl"))
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each board")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--only", metavar="BOARD", help="one board, such as 8x8")
    parser.add_argument("--write", action="store_true", help="write docs/longest.md")
    arguments = parser.parse_args()
    for published, board in wanted(logged(arguments.log), arguments.limit, arguments.only):
        row = run(published, board, arguments.limit, arguments.workers)
        with arguments.log.open("a", encoding="utf-8") as log:
            log.write(f"{json.dumps(asdict(row))}\n")
        print(row, flush=True)
    lines = list(tables(logged(arguments.log)))
    print("\n".join(lines))
    if arguments.write:
        command = f"scripts/longest_tables.py --limit {arguments.limit:g}"
        write_section("longest_tables", [origin(command), "", *lines], DOCUMENT)


if __name__ == "__main__":
    main()
