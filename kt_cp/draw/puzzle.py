"""Pictures of puzzles, with empty squares to write into, and books of them to be printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.board.maps import SQUARE
from kt_cp.draw import palette
from kt_cp.draw.board import board_picture
from kt_cp.draw.output import Page, pdf_pages
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Shapes
from kt_cp.draw.sheet import (
    USUAL,
    Entry,
    Look,
    Sheet,
    empty,
    finish,
    hatched_holes,
    lay_out,
    shape,
    tiles,
    unmarked,
)
from kt_cp.draw.tour import arrowheads, line_width, nodes, segments
from kt_cp.errors import InputError, pluralize
from kt_cp.files import check_writable, require_matplotlib, whole_file
from kt_cp.problem.constraints import Constraints, read_text
from kt_cp.problem.instance import Instance
from kt_cp.tour.report import described
from kt_cp.tour.tour import Tour

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle


_ROOM = 0.85  # for a number, in squares
_NODE = 0.3  # radius of the disc on which a move that is given ends, in squares
_HEAD = 0.36  # length of the head of a move whose direction is given, in squares
_DASHES = (0.12, 0.15)  # of a move that is excluded, in squares


def puzzle_picture(puzzle: Puzzle, look: Look = USUAL, cell: float | None = None) -> Picture:
    """Describe the picture of a puzzle, as `instance_picture` does."""
    return instance_picture(puzzle.instance, look, puzzle.grade, cell)


def instance_picture(
    instance: Instance, look: Look = USUAL, grade: str | None = None, cell: float | None = None
) -> Picture:
    """Describe the picture of an instance as a puzzle to be solved with a pencil.

    Its title tells the kind of tour and the ``grade``, and the legend the rules. Holes are hatched,
    and in monochrome all squares are white. ``cell`` is the side of a square in pixels. Raises
    `InputError` for a board too large to be drawn.

    >>> from kt_cp.board import Board
    >>> instance_picture(Instance.of(Board(3, 3, holes=[4]), givens={0: 1, 5: 2})).description
    'puzzle: open tour of 3x3, 8 squares, 2 numbers'
    """
    board, steps = instance.board, instance.steps
    title = f"puzzle: {described(board, instance.closed)}"
    clues = {"number": len(steps), "move": len(instance.require)}
    given = "".join(f", {pluralize(count, name)}" for name, count in clues.items() if count)
    letters = len(str(len(board)))
    sheet = lay_out(board, f"{title}, {grade}" if grade else title, look, cell, letters)
    room = 2 * _NODE if instance.require else _ROOM
    numbers = sheet.words(np.array([*steps.values()], dtype=np.int64), steps, room)
    if steps and not numbers:
        raise InputError(f"board {board.size}: the numbers of so large a puzzle are illegible")
    legend: list[Entry] = [(unmarked, _rule(instance))]
    layers = [*_squares(sheet), *_moves(sheet, instance, legend)]
    if instance.symmetry:
        legend.append((unmarked, f"symmetry of the tour: {instance.symmetry}"))
    if instance.having:
        legend.append((unmarked, f"features of the tour: {', '.join(map(str, instance.having))}"))
    return finish(sheet, [*layers, *numbers], legend, title + given)


def solution_picture(tour: Tour, look: Look = USUAL, cell: float | None = None) -> Picture:
    """Describe the picture of a solution on the grid of its puzzle, with a path behind the numbers.

    The parameters are those of `instance_picture`.
    """
    sheet = lay_out(tour.board, tour.summary, look, cell, len(str(len(tour))))
    steps = sheet.steps(tour.squares, 2 * _NODE)
    discs = Discs(sheet.centres(tour.squares), _NODE * sheet.cell, palette.LIGHT)
    layers = [
        *_squares(sheet),
        Shapes("move", segments(sheet, tour.moves), palette.HOLE, line_width(sheet)),
        *([discs, *steps] if steps else []),
    ]
    return finish(sheet, layers, [], f"solution: {tour.summary}")


def map_picture(text: str, look: Look = USUAL, closed: bool | None = None) -> Picture | None:
    """Describe the picture of a map on which squares without a number are left, or return None.

    It is a board, or a puzzle if there are numbers or constraints, to which ``closed`` is added.
    Raises `InputError` for constraints that make no sense.

    >>> map_picture("1 . #\\n. . .\\n").description
    'puzzle: open tour of 2x3, 5 squares, 1 number'
    >>> map_picture("1 4 2\\n3 5 6\\n")
    """
    if SQUARE not in text:
        return None
    try:
        board, constraints, notes = read_text(text, {})
    except InputError:
        return None
    if not constraints and "kind" not in notes:
        return board_picture(board, look)
    asked: Constraints = {} if closed is None else {"closed": closed}
    return instance_picture(Instance.of(text, **asked), look, notes.get("grade"))


def _rule(instance: Instance) -> str:
    count = len(instance.board)
    move = instance.board.piece.move_name
    if not instance.steps:
        line = "closed line" if instance.closed else "line"
        return f"Draw one {line} of {move}s that visits every square once."
    back = f", and {count} from 1" if instance.closed else ""
    return f"Write 1 to {count} so that each number is one {move} from the next{back}."


def _squares(sheet: Sheet) -> list[Layer]:
    """Draw squares with lines between them, and hatched holes."""
    board, colours = sheet.board, empty(sheet)
    colours[~board.mask | sheet.look.monochrome] = palette.rgb(palette.LIGHT)
    rows, columns = np.arange(1, board.rows), np.arange(1, board.columns)
    across = [[(0, row), (board.columns, row)] for row in rows]
    down = [[(column, 0), (column, board.rows)] for column in columns]
    ends = np.array([*across, *down], dtype=float).reshape(-1, 2, 2) * sheet.cell
    ends += [sheet.left, sheet.top]
    return [
        tiles(sheet, colours),
        *hatched_holes(sheet),
        Shapes("grid", ends, palette.FAINT_INK, 0.8),
    ]


def _arrow(points: Points, radius: float) -> list[Layer]:
    """Draw the mark of a move whose direction is given."""
    line = shape([(-2, 0), (1, 0)], palette.MOVE, 2 / 3)
    head = shape([(0.5, -1), (2.5, 0), (0.5, 1)], fill=palette.MOVE)
    return [*line(points, radius), *head(points, radius)]


def _moves(sheet: Sheet, instance: Instance, legend: list[Entry]) -> list[Layer]:
    """Draw the moves that are required, with discs to write in, and those that are forbidden."""
    width, layers = 1.3 * line_width(sheet), list[Layer]()
    dashes = (_DASHES[0] * sheet.cell, _DASHES[1] * sheet.cell)
    if instance.require:
        pairs = np.array([move[:2] for move in instance.require])
        directed = np.array([move.directed for move in instance.require])
        layers.append(Shapes("move", segments(sheet, pairs), palette.MOVE, width))
        layers += arrowheads(sheet, segments(sheet, pairs[directed]), _NODE, _HEAD)
        layers.append(nodes(sheet, np.unique(pairs), _NODE))
        mark = shape([(-1.5, 0), (1.5, 0)], palette.MOVE, 2 / 3)
        if not directed.all():
            legend.append((mark, "a move of the tour"))
        if directed.any():
            legend.append((_arrow, "a move of the tour in this direction"))
    if instance.forbid:
        ends = segments(sheet, np.array([move[:2] for move in instance.forbid]))
        layers.append(Shapes("forbidden", ends, palette.FAULT, width, dashes=dashes))
        mark = shape([(-1.5, 0), (1.5, 0)], palette.FAULT, 2 / 3, dashes=(7, 6))
        legend.append((mark, "not a move of the tour"))
    return layers


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
        name = puzzle.title or f"{puzzle.instance.kind.capitalize()} tour"
        title = f"{number}. {name}" + (f", {puzzle.grade}" if puzzle.grade else "")
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
