"""How help and tables are laid out on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from shutil import get_terminal_size

import click

from kt_cp.cli.output import write_lines


class HelpFormatter(click.HelpFormatter):
    """Formats help so that no word is broken, however narrow the terminal is."""

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write terms and, beside or below them, what they mean."""
        rows = list(rows)
        widest = min(col_max, max(10, self.width // 3))
        terms = [len(term) for term, _ in rows if len(term) <= widest]
        indent = self.current_indent
        column = indent + max(terms, default=widest) + col_spacing
        for term, meaning in rows:
            lines = textwrap.wrap(
                meaning,
                max(self.width - column, 10),
                break_long_words=False,
                break_on_hyphens=False,
            )
            begun = f"{'':{indent}}{term}"
            if len(begun) + col_spacing <= column and lines:
                begun = f"{begun:{column}}{lines.pop(0)}"
            self.write(f"{begun}\n")
            self.write("".join(f"{'':{column}}{line}\n" for line in lines))


def write_table(rows: Iterable[tuple[str, str]]) -> None:
    """Write two columns as wide as the terminal to standard output."""
    table = HelpFormatter(width=get_terminal_size().columns)
    table.write_dl(list(rows))
    write_lines(table.getvalue().splitlines())
