"""Vertices numbered from 1, as TSPLIB and DIMACS write them."""

from __future__ import annotations

from typing import NoReturn

from kt_cp.errors import InputError

MAX_VERTICES = 10**6


def refuse_line(line: int, why: str) -> NoReturn:
    """Raise `InputError` about a line of a file."""
    raise InputError(f"line {line}: {why}")


def vertex_count(word: str, line: int) -> int:
    """Return how many vertices a file says there are. Raises `InputError` for no such number."""
    if not _is_number(word, MAX_VERTICES):
        refuse_line(line, f"{word[:20]!r}: give the number of vertices, 1 to {MAX_VERTICES:,}")
    return int(word)


def vertex_number(word: str, line: int, count: int) -> int:
    """Return the number of a vertex. Raises `InputError` for anything else."""
    if not _is_number(word, count):
        refuse_line(line, f"{word[:20]!r} is no vertex: they have the numbers 1 to {count:,}")
    return int(word)


def _is_number(word: str, most: int) -> bool:
    """Return whether a word is a whole number from 1 to ``most``."""
    is_short = word.isascii() and word.isdecimal() and len(word) < 10
    return is_short and 1 <= int(word) <= most
