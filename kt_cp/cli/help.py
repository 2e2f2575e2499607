"""How help and tables are laid out on a terminal."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable
from shutil import get_terminal_size
from typing import Any

import click

from kt_cp.cli.colors import colored, wants_color
from kt_cp.cli.output import write_lines

_VERBATIM = "\b\n"  # begins a paragraph whose lines click does not join
_LIST_ITEM = re.compile(r" *\S+ {2,}")  # a term and the blanks before what it means
_UNBROKEN = re.compile(r"'[^']*'|--\S+ [^-' ]\S*")  # quoted words; an option and its value
_NO_BREAK = "\u00a0"


class HelpFormatter(click.HelpFormatter):
    """Formats help so that no word is broken, however narrow the terminal is.

    On a terminal, headings are bold and terms colored.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._is_colored = wants_color(sys.stdout)

    def write_heading(self, heading: str) -> None:
        """Write a heading above a list."""
        self.write(f"{self._colored(f'{heading}:')}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs; the lines of lists and examples are wrapped one by one."""
        for number, paragraph in enumerate(text.split("\n\n")):
            if number:
                self.write_paragraph()
            if not paragraph.startswith(_VERBATIM):
                super().write_text(paragraph)
                continue
            for line in paragraph.removeprefix(_VERBATIM).splitlines():
                for part in _wrapped_line(f"{'':{self.current_indent}}{line}", self.width):
                    self.write(f"{part}\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write terms and, beside or below them, what they mean."""
        rows = list(rows)
        indent = self.current_indent
        longest_beside = min(col_max, max(10, self.width // 3))
        column = indent + _term_width(rows, longest_beside) + col_spacing
        for term, meaning in rows:
            lines = textwrap.wrap(
                meaning,
                max(self.width - column, 10),
                break_long_words=False,
                break_on_hyphens=False,
            )
            first_line = f"{'':{indent}}{term}"
            if len(first_line) + col_spacing <= column and lines:
                first_line = f"{first_line:{column}}{lines.pop(0)}"
            styled = self._colored(term, "cyan")
            self.write(f"{first_line.replace(term, styled, 1)}\n")
            self.write("".join(f"{'':{column}}{line}\n" for line in lines))

    def _colored(self, words: str, color: str | None = None) -> str:
        """Return words in bold and in a color, if this is a terminal."""
        return colored(words, color) if self._is_colored else words


def _term_width(rows: Iterable[tuple[str, str]], limit: int) -> int:
    """Return the width of the column of terms: that of the longest term within the limit."""
    lengths = [len(term) for term, _ in rows if len(term) <= limit]
    return max(lengths, default=limit)


def _wrapped_line(line: str, width: int) -> list[str]:
    """Wrap a row of a list with a hanging indent, or a command with trailing backslashes."""
    if len(line) <= width:
        return [line]
    if item := _LIST_ITEM.match(line):
        return _wrap(line, width, item.end())
    indent = len(line) - len(line.lstrip())
    command = _UNBROKEN.sub(lambda words: words[0].replace(" ", _NO_BREAK), line)
    *parts, last = _wrap(command, width - 2, indent + 2)
    lines = [*(f"{part} \\" for part in parts), last]
    return [each.replace(_NO_BREAK, " ") for each in lines]


def _wrap(line: str, width: int, indent: int) -> list[str]:
    """Wrap a line between its words, and indent all parts but the first."""
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def write_table(rows: Iterable[tuple[str, str]]) -> None:
    """Write two columns as wide as the terminal to standard output."""
    table = HelpFormatter(width=get_terminal_size().columns)
    table.write_dl(list(rows))
    write_lines(table.getvalue().splitlines())
