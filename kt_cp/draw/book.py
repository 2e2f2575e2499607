"""Books of puzzles to be printed: several on a page, and the solutions at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from kt_cp.draw.image import Page, pdf_pages
from kt_cp.draw.picture import Picture
from kt_cp.draw.puzzle import puzzle_picture, solution_picture
from kt_cp.draw.sheet import Look
from kt_cp.errors import InputError
from kt_cp.files import check_writable, require_matplotlib, whole_file

if TYPE_CHECKING:
    from kt_cp.puzzles import Puzzle

_MARGIN = 50  # pixels, of which 100 are an inch
_GRIDS = ((1, 1), (1, 2), (1, 3), (2, 2), (1, 5), (2, 3), (2, 4))  # columns and rows of pictures
_LEAST, _MOST = 30, 80  # side of a square: 7.6 and 20 mm

Drawn = Callable[[float], Picture]  # from the side of a square


class Paper(StrEnum):
    """The size of a page."""

    A4 = "a4"
    LETTER = "letter"


_SIZES = {Paper.A4: (827, 1169), Paper.LETTER: (850, 1100)}


def check_book(file: str | Path, role: str = "--book") -> None:
    """Raise `InputError` if no book can be written to a file of this name."""
    if Path(file).suffix.lower() != ".pdf":
        raise InputError(f"{role} {file}: a book of puzzles is a .pdf")
    require_matplotlib("books of puzzles")
    check_writable(file, role)


def draw_book(puzzles: Sequence[Puzzle], file: str | Path, paper: Paper = Paper.A4) -> None:
    """Write puzzles and then their solutions to a PDF file, in black and white.

    A page has as many as leave squares of at least 7.6 mm, or one that is too large for that.
    Raises `InputError` as `check_book` does, and for a board too large to be drawn.
    """
    check_book(file)
    posed: list[Drawn] = []
    solved: list[Drawn] = []
    for number, puzzle in enumerate(puzzles, start=1):
        kind = f"{puzzle.instance.kind.capitalize()} tour"
        title = f"{number}. {kind}" + (f", {puzzle.grade}" if puzzle.grade else "")
        look = Look(title=title, monochrome=True)
        posed.append(partial(puzzle_picture, puzzle, look))
        look = Look(title=f"Solution of {number}", legend=False, monochrome=True)
        solved.append(partial(solution_picture, puzzle.solution, look))
    pages = [*_pages(posed, _SIZES[paper]), *_pages(solved, _SIZES[paper])]
    content = pdf_pages(pages, _SIZES[paper], "Knight's tour puzzles")
    with whole_file(file) as stream:
        stream.write(content)


def _pages(drawn: Sequence[Drawn], size: tuple[int, int]) -> list[Page]:
    """Return the pages that are fewest with squares that are large enough, and largest then."""
    ranked: list[tuple[int, float, int, int]] = []
    for columns, rows in _GRIDS:
        room = _room(size, columns, rows)
        cell = min(_fitting(each, room, _LEAST if ranked else 1) for each in drawn)
        if cell:
            ranked.append((ceil(len(drawn) / (columns * rows)), -cell, columns, rows))
    _, cell, columns, rows = min(ranked)
    width, height = _room(size, columns, rows)
    pages: list[Page] = []
    for place, each in enumerate(drawn):
        picture = each(-cell)
        row, column = divmod(place % (columns * rows), columns)
        if row == column == 0:
            pages.append([])
        x = _MARGIN + column * width + (width - picture.width) / 2
        pages[-1].append((picture, x, _MARGIN + row * height))
    return pages


def _room(size: tuple[int, int], columns: int, rows: int) -> tuple[float, float]:
    return (size[0] - 2 * _MARGIN) / columns, (size[1] - 2 * _MARGIN) / rows


def _fitting(drawn: Drawn, room: tuple[float, float], least: float) -> float:
    """Return the largest side of a square with which a picture fits the room, 0 if too small."""
    cell = float(_MOST)
    while cell >= least:
        picture = drawn(cell)
        if picture.width <= room[0] and picture.height <= room[1]:
            return cell
        cell = min(cell - 1, cell * min(room[0] / picture.width, room[1] / picture.height))
    return 0.0
