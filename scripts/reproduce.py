"""Recompute published claims and print a table: ``python -m scripts.reproduce [--write]``.

Each row holds a claim of a source, how it was recomputed, the result of this package, and whether
they agree. Some claims are wrong; their rows say why. The exit code is 1 if a right claim is not
reproduced or a wrong one is not refuted. With ``--write`` the wrong claims go into docs/claims.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from scripts.bench_startup import origin, write_section
from tests.published import articles, literature, theorems
from tests.published.claims import Row, page_lines, print_rows, summary

DOCUMENT = Path(__file__).parent.parent / "docs" / "claims.md"

Section = Callable[[], Iterator[Row]]

QUICK: tuple[Section, ...] = (
    literature.printed_tours,
    literature.magic_tours,
    literature.counts,
    theorems.symmetries,
    theorems.warnsdorff,
)
SECTIONS: tuple[Section, ...] = (
    *QUICK,
    literature.sequences,
    literature.half_boards,
    theorems.rectangular,
    theorems.between_squares,
    theorems.holes,
    theorems.surfaces,
    theorems.leapers,
)


def article_rows() -> Iterator[Row]:
    """Yield the claims of the source articles."""
    for section, how in articles.SECTIONS.items():
        for row in section():
            yield replace(row, how=how)


def main() -> int:
    """Print the table, and return the exit code: 0 if every row is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--write", action="store_true", help="write the wrong claims into docs/claims.md"
    )
    write = parser.parse_args().write
    rows = [*(row for section in SECTIONS for row in section()), *article_rows()]
    print_rows(rows, None if sys.stdout.isatty() else 200)
    print(summary(rows))
    if write:
        lines = [summary(rows), "", origin("scripts.reproduce"), "", *page_lines(rows)]
        write_section("reproduce", lines, DOCUMENT)
    return int(not all(row.confirmed for row in rows))


if __name__ == "__main__":
    sys.exit(main())
