"""Claims of the literature, one row each: what is claimed, how it was recomputed, the verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

_SEQUENCE = re.compile(r"\bA\d{6}\b")  # its number in the On-Line Encyclopedia

COLUMNS = ("verdict", "claim", "ours", "source", "recomputed by")


@dataclass(frozen=True)
class Row:
    """A claim and the result of this package.

    ``confirmed`` tells whether a right claim is reproduced, or a wrong one is refuted by the faults
    that it is known to have.
    """

    source: str
    claim: str
    got: str
    confirmed: bool
    why: str = ""
    right: bool = True
    how: str = ""

    @property
    def verdict(self) -> str:
        """Whether claim and result agree, in a few words, and why."""
        if not self.confirmed:
            return "NOT AS IT SHOULD BE"
        short = "right" if self.right else "wrong"
        return f"{short}: {self.why}" if self.why else short

    @property
    def cells(self) -> tuple[str, ...]:
        """The texts of the columns."""
        return self.verdict, self.claim, self.got, self.source, self.how


def summary(rows: Sequence[Row]) -> str:
    """Return a sentence that counts the claims."""
    right = [row for row in rows if row.right]
    failed = [row for row in rows if not row.confirmed]
    counts = f"{len(right)} are right, {len(rows) - len(right)} wrong"
    if failed:
        counts = f"{counts}; {len(failed)} not as they should be"
    return f"{len(rows)} claims are recomputed: {counts}."


def print_rows(rows: Iterable[Row], width: int | None) -> None:
    """Print the rows as a table."""
    table = Table(*COLUMNS, show_lines=True)
    for row in rows:
        table.add_row(*row.cells, style="" if row.confirmed else "bold red")
    Console(width=width, markup=False).print(table)


def page_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a page: the wrong claims, and any that are not as they should be."""
    yield from markdown(row for row in rows if not (row.right and row.confirmed))


def markdown(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of the rows as a Markdown list, which a narrow screen can show."""
    for row in rows:
        yield from list_item(row)


def list_item(row: Row) -> list[str]:
    r"""Return the lines of a claim: what is claimed, by whom, the result here, and why.

    The backslash at the end of a line breaks it on the page.

    >>> row = Row("Murray 1942", "6x6 has 1240 closed tours", "1245", True, "", False, "`count`")
    >>> print("\n".join(list_item(row)))
    - **6 × 6 has 1240 closed tours**\
      Source: Murray 1942\
      Ours (by `count`): 1245
    """
    method = f" (by {row.how})" if row.how else ""
    claim = row.claim[0].upper() + row.claim[1:]
    parts = [f"**{_escaped(claim)}**", f"Source: {row.source}", f"Ours{method}: {row.got}"]
    if row.why:
        parts.append(f"{'Note' if row.right else 'Why'}: {row.why}")
    if not row.confirmed:
        parts.append(f"**{row.verdict}**")
    linked = (_SEQUENCE.sub(r"[\g<0>](https://oeis.org/\g<0>)", part) for part in parts)
    first, *others = "\\\n  ".join(map(typeset, linked)).split("\n")
    return [f"- {first}", *others]


def typeset(text: str) -> str:
    """Return text with sizes as in print, except in code and names of files.

    >>> typeset("8x8, closed; 3×10 by `kt solve 3x10`")
    '8 × 8, closed; 3 × 10 by `kt solve 3x10`'
    """
    code_or_prose = re.split("(`[^`]*`)", text)
    size = r"(?<![\w./])(\d+|n)[x×](\d+|n)(?!\w|\.\w)"
    for index in range(0, len(code_or_prose), 2):  # code is between pieces of prose
        code_or_prose[index] = re.sub(size, r"\1 × \2", code_or_prose[index])
    return "".join(code_or_prose)


def _escaped(text: str) -> str:
    """Return text in which asterisks are no markup."""
    return text.replace("*", r"\*")
