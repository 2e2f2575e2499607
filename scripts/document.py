"""Write what a script measured into a document, so that no figure is copied by hand.

A section of a document stands between the lines ``<!-- begin NAME -->`` and ``<!-- end NAME -->``,
where NAME is the name of the script that writes it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

from kt_cp.compare.log import machine, versions

BENCHMARKS = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def origin(command: str, packages: Sequence[str] = ()) -> str:
    """Return the sentence that says how, where, with what versions and when figures were made.

    ``command`` is a script with its options; ``packages`` are those that it measures besides ours.
    """
    base = {name: versions()[name] for name in ("python", "ortools")}
    numbers = {**base, **{package: version(package) for package in packages}}
    made_with = ", ".join(f"{name} {number}" for name, number in numbers.items())
    day = f"{datetime.date.today():%d %B %Y}".lstrip("0")
    return f"Measured with `python {command}` on {machine()}, {made_with}, on {day}."


def print_lines(lines: Iterable[str]) -> list[str]:
    """Print lines as soon as they are there, and return all of them."""
    printed = []
    for line in lines:
        print(line, flush=True)
        printed.append(line)
    return printed


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


def read_section(name: str) -> list[str]:
    """Return the lines of a section of the benchmarks, which must exist."""
    text = BENCHMARKS.read_text(encoding="utf-8")
    _, _, rest = text.partition(f"<!-- begin {name} -->\n")
    section, _, _ = rest.partition(f"<!-- end {name} -->\n")
    return section.splitlines()


def write_section(name: str, lines: Iterable[str], document: Path = BENCHMARKS) -> None:
    """Replace a section of a document. Raises `ValueError` if the document has no such section."""
    text = document.read_text(encoding="utf-8")
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->\n"
    before, found_begin, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise ValueError(f"{document}: no section between {begin.strip()} and {end.strip()}")
    section = "\n".join(map(typeset, lines)).strip("\n")
    document.write_text(f"{before}{begin}\n{section}\n\n{end}{after}", encoding="utf-8")
