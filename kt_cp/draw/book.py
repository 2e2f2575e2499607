"""A book of puzzles as PDF: a cover, how to solve, the puzzles on a grid, and their solutions."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.board import Board
from kt_cp.draw.look import Look, printed
from kt_cp.draw.output import check_picture
from kt_cp.draw.palette import Theme, color
from kt_cp.draw.paper import NAMED_PAPERS, Paper
from kt_cp.draw.picture import PRINT_FACE, Picture
from kt_cp.draw.puzzle import (
    BORDER,
    board_alone,
    instance_picture,
    move_picture,
    rules,
    solution_picture,
)
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.typesetting import compiled
from kt_cp.errors import InputError, checked_number
from kt_cp.files import write_atomically
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.level import Level
from kt_cp.puzzles.words import ENGLISH, Words
from kt_cp.solving import solve

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle

# Lengths in millimeters.
_GAP = 8.0  # between two boards
_CAPTION_ROOM, _LINE_ROOM, _NUMBER_ROOM = 12.0, 11.0, 7.0  # above and below a board
_HEAD_ROOM = 14.0  # the heading of the solutions
_LEAST_CELL = 6.5  # so that a number, which is 0.38 as high as its square, has 7 points
_USUAL_CELL, _GREATEST_CELL = 8.5, 14.0  # to write in with a pencil

# The grids of a page, as columns and rows, the fewest boards first.
_PUZZLE_GRIDS = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4))
_SOLUTION_GRIDS = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3))


@dataclass(frozen=True)
class Book:
    """How a book looks: its paper, the puzzles on each page, the cover, the theme and the words.

    Without ``per_page``, a page has as many puzzles as leave squares of 8.5 mm to write in.
    """

    paper: Paper = NAMED_PAPERS["a4"]
    per_page: int | None = None
    title: str | None = None
    author: str = ""
    theme: Theme = Theme.LIGHT
    words: Words = ENGLISH

    def __post_init__(self) -> None:
        if self.per_page is not None:
            checked_number("per-page", self.per_page, 1, 12)

    @property
    def margin(self) -> float:
        """The margin at all sides, in millimeters."""
        return self.paper.margin

    @property
    def room(self) -> tuple[float, float]:
        """The width and the height between the margins, without the line of page numbers."""
        return self.paper.width - 2 * self.margin, self.paper.height - 2 * self.margin - 8


@dataclass(frozen=True)
class _Grid:
    """A grid of boards on a page; the sides of a slot are in millimeters."""

    columns: int
    rows: int
    width: float
    height: float

    def cell(self, board: Board) -> float:
        """Return the side of the squares of a board that fills a slot."""
        return min(self.width / board.columns, self.height / board.rows, _GREATEST_CELL)


def draw_book(puzzles: Sequence[Puzzle], file: str | Path, book: Book | None = None) -> None:
    """Write puzzles and then their solutions to a PDF file.

    Raises `InputError` as `check_picture` does, and if the numbers would be smaller than 7 points.
    """
    check_picture(file, "--book", fitting=(".pdf",))
    book = book or Book()
    boards = [puzzle.instance.board for puzzle in puzzles]
    posed, solved = _puzzle_grid(book, boards), _solution_grid(book, boards)
    words = book.words
    bare = Look(title="", legend=False, coordinates=False, theme=book.theme, words=words)
    move_boards = _move_boards(boards)
    pictures = [_ornament(bare), *(move_picture(board, bare) for board in move_boards)]
    shown: list[dict[str, Any]] = []
    for number, puzzle in enumerate(puzzles, start=1):
        board = puzzle.instance.board
        places = {
            "posed": {"index": len(pictures), "width": _width(board, posed)},
            "solved": {"index": len(pictures) + 1, "width": _width(board, solved)},
        }
        for picture in (instance_picture(puzzle.instance, bare), solution_picture(puzzle, bare)):
            pictures.append(board_alone(picture, board))
        shown.append({**_caption(number, puzzle, words), **places})
    data = {
        **_style(book),
        "moves": [
            {"index": index, "text": words("move shown", move=words.move(board.piece))}
            for index, board in enumerate(move_boards, start=1)
        ],
        "tasks": list(dict.fromkeys(_task(puzzle.instance, words) for puzzle in puzzles)),
        "levels": [words.level(level) for level in Level],
        "puzzles": shown,
        "grid": _slots(posed),
        "solutions": _slots(solved),
    }
    text = json.dumps(json.dumps(data, ensure_ascii=False), ensure_ascii=False)
    source = f"#let book = json(bytes({text}))\n{_TEMPLATE}"
    content = compiled(
        pictures,
        source,
        _title(book),
        words.counted(len(puzzles), "one puzzle", "several puzzles"),
        format="pdf",
    )
    with write_atomically(file) as stream:
        stream.write(content)


# -- the layout ------------------------------------------------------------------------------------


def _grid(book: Book, columns: int, rows: int, head: float, around: float) -> _Grid:
    """Return a grid that fills a page below a ``head``, with room ``around`` each board."""
    width, height = book.room
    slot = (width - (columns - 1) * _GAP) / columns
    return _Grid(columns, rows, slot, (height - head - (rows - 1) * _GAP) / rows - around)


def _puzzle_grid(book: Book, boards: Sequence[Board]) -> _Grid:
    """Return the grid of the puzzles. Raises `InputError` if its squares are too small."""
    around = _CAPTION_ROOM + _LINE_ROOM
    if book.per_page is None:
        grids = [_grid(book, *sides, 0, around) for sides in _PUZZLE_GRIDS]
        return _fullest(grids, boards, _USUAL_CELL)
    counts = range(1, book.per_page + 1)
    sides = [(columns, math.ceil(book.per_page / columns)) for columns in counts]
    grids = [_grid(book, *each, 0, around) for each in sides]
    chosen = max(grids, key=lambda grid: _least_cell(grid, boards))
    _check_legible(chosen, boards, f"--per-page {book.per_page}")
    return chosen


def _solution_grid(book: Book, boards: Sequence[Board]) -> _Grid:
    """Return the grid of the solutions. Raises `InputError` if its squares are too small."""
    grids = [_grid(book, *sides, _HEAD_ROOM, _NUMBER_ROOM) for sides in _SOLUTION_GRIDS]
    return _fullest(grids, boards, _LEAST_CELL)


def _fullest(grids: Sequence[_Grid], boards: Sequence[Board], cell: float) -> _Grid:
    """Return the grid of most boards whose squares have the side ``cell``, or the first grid."""
    chosen = grids[0]
    for grid in grids:
        if _least_cell(grid, boards) >= cell:
            chosen = grid
    _check_legible(chosen, boards, "--paper")
    return chosen


def _least_cell(grid: _Grid, boards: Sequence[Board]) -> float:
    """Return the side of the smallest squares."""
    return min(grid.cell(board) for board in boards)


def _check_legible(grid: _Grid, boards: Sequence[Board], option: str) -> None:
    """Raise `InputError` if numbers would have less than 7 points."""
    least = _least_cell(grid, boards)
    if least < _LEAST_CELL:
        sides = f"squares would have {max(least, 0):.1f} mm, and numbers need {_LEAST_CELL} mm"
        raise InputError(f"{option}: the {sides}; take fewer puzzles a page, or larger paper")


# -- what the template gets ------------------------------------------------------------------------


def _title(book: Book) -> str:
    """Return the title on the cover."""
    return book.words("book title") if book.title is None else book.title


def _style(book: Book) -> dict[str, Any]:
    """Return the paper, the colors and the words of the cover."""
    roles = ("paper", "ink", "muted", "faint")
    return {
        "width": book.paper.width,
        "height": book.paper.height,
        "margin": book.margin,
        "title": _title(book),
        "words": dict(book.words.texts),
        "author": book.author,
        "face": PRINT_FACE,
        "colors": {role: color(role, book.theme) for role in roles},
    }


def _slots(grid: _Grid) -> dict[str, float]:
    """Return a grid as plain values."""
    return {"columns": grid.columns, "rows": grid.rows, "gap": _GAP}


def _width(board: Board, grid: _Grid) -> float:
    """Return the width of a board in a grid with half of its outline, in millimeters."""
    return (board.columns + 2 * BORDER) * grid.cell(board)


def _caption(number: int, puzzle: Puzzle, words: Words) -> dict[str, Any]:
    """Return the number, the title, the kind and the level of a puzzle (from 1, 0 if unknown)."""
    instance = puzzle.instance
    title = puzzle.title or printed(words.board(instance.board))
    kind = words.tour(instance.closed)
    particular = " ".join(rules(instance, words)[1:])
    level = Level(puzzle.grade).number if puzzle.grade in list(Level) else 0
    told = words.join([words.squares(len(instance.board)), kind])
    if particular:
        told += f". {particular}"
    return {"number": number, "title": title, "kind": told, "level": level}


def _task(instance: Instance, words: Words) -> str:
    """Return what is to be done, in words for boards of any size."""
    return rules(instance, words, last=words("last number"))[0]


def _ornament(look: Look) -> Picture:
    """Return the line of a symmetric tour for the cover, without the board and the start."""
    tour = solve("10x10", closed=True, symmetry="quarter-turn").tour
    assert tour is not None
    sheet = Sheet(tour.board, "", look)
    sheet.moves(tour.moves)
    line = tuple(sheet.elements)  # before the squares are added to them
    return replace(sheet.finish(), elements=line)


def _move_boards(boards: Sequence[Board]) -> list[Board]:
    """Return for each piece the smallest board on which it makes all moves from the middle."""
    pieces = dict.fromkeys(board.piece for board in boards)
    sides = [2 * max(map(max, piece.jumps)) + 1 for piece in pieces]
    return [Board(side, side, piece=piece.name) for side, piece in zip(sides, pieces, strict=True)]


_TEMPLATE = r"""
#let ink(role) = rgb(book.colors.at(role))
#set text(lang: book.words.language, font: book.face, size: 9pt, fill: ink("ink"))
#set page(
  width: book.width * 1mm, height: book.height * 1mm, fill: ink("paper"),
  margin: book.margin * 1mm,
)
#let circles(level) = box(baseline: 0.4mm, stack(dir: ltr, spacing: 0.9mm, ..range(5).map(place =>
  circle(radius: 1.1mm, stroke: 0.5pt + ink("ink"), fill: if place < level { ink("ink") })
)))
#let board(place) = image(str(place.index) + ".svg", width: place.width * 1mm)
#let rule = box(width: 1fr, line(length: 100%, stroke: 0.4pt + ink("muted")))
#let blank(word) = [#text(fill: ink("muted"), word) #rule]
#let slots(grid-of, items) = {
  let size = grid-of.columns * grid-of.rows
  for page-of in items.chunks(size) {
    grid(columns: (1fr,) * grid-of.columns, rows: (1fr,) * grid-of.rows,
      column-gutter: grid-of.gap * 1mm, row-gutter: grid-of.gap * 1mm, ..page-of)
  }
}

// the cover
#align(center)[
  #v(1fr)
  #image("0.svg", width: 62%)
  #v(12mm)
  #text(size: 24pt, weight: "bold", book.title)
  #v(2mm)
  #text(size: 11pt, fill: ink("muted"))[#sys.inputs.description]
  #v(1.6fr)
  #text(size: 12pt, book.author)
]
#pagebreak()

#set page(numbering: "1", footer-descent: 3mm, margin: (
  x: book.margin * 1mm, top: book.margin * 1mm, bottom: (book.margin + 8) * 1mm,
))
#show heading: set text(size: 15pt)
#show heading: set block(below: 6mm)
#let word(key) = book.words.at(key)
#heading(word("how to solve"))
#set par(leading: 0.75em, spacing: 1.4em)
#for move in book.moves [
  #grid(columns: (34mm, 1fr), column-gutter: 8mm, align: horizon,
    image(str(move.index) + ".svg", width: 34mm),
    move.text)
]
#for task in book.tasks [#task #parbreak()]

#word("where to begin")
#word("one solution")

#v(2mm)
#for (place, level) in book.levels.enumerate() [
  #circles(place + 1) #h(2mm) #level \
]
#pagebreak()

#slots(book.grid, book.puzzles.map(each => block(width: 100%, {
  grid(columns: (1fr, auto), text(weight: "bold")[#each.number #h(1.5mm) #each.title],
    if each.level > 0 { circles(each.level) })
  v(-1.6mm)
  text(fill: ink("muted"), each.kind)
  v(-1mm)
  align(center, board(each.posed))
  v(0.5mm)
  grid(columns: (2fr, 1fr), column-gutter: 4mm, blank(word("name")), blank(word("time")))
})))
#pagebreak()
#heading(word("solutions"))
#slots(book.solutions, book.puzzles.map(each => block(width: 100%, {
  text(weight: "bold")[#each.number]
  v(-1.6mm)
  board(each.solved)
})))
"""
