"""Puzzles in print: a book as PDF with solutions at its end, or a file for each board.

`pages/book.typ` sets the book: a cover, instructions, the puzzles on a grid, and their solutions.
Lengths are in millimeters.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from kt_cp.board import Board
from kt_cp.draw.look import (
    NAMED_PAPERS,
    PRINT_FACE,
    USUAL,
    Look,
    Paper,
    Theme,
    bare_look,
    color,
)
from kt_cp.draw.output import check_picture_file, compile_pages, pdf, require_typst
from kt_cp.draw.page import asset
from kt_cp.draw.picture import Picture, svg, with_print_signs
from kt_cp.draw.puzzles import (
    BORDER,
    board_alone,
    fact_sentences,
    instance_picture,
    least_cell,
    move_picture,
    rule_sentences,
    solution_picture,
    task_sentence,
)
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.tours import draw_weave
from kt_cp.files import write_atomically
from kt_cp.messages import InputError, checked_choice, checked_number
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.puzzle import Level, Puzzle, unfold
from kt_cp.puzzles.words import ENGLISH, Words
from kt_cp.tour.tour import Tour

_Data = dict[str, Any]  # for the template

MAX_PUZZLES = 12
"""The largest number of puzzles on a page."""

_MAX_SOLUTIONS, _MAX_COLUMNS = 9, 3  # on a page
_GAP = 8.0  # between two boards
_FOOT_ROOM = 8.0  # below the boards, for the number of the page
_PUZZLE_ROOM, _SOLUTION_ROOM = 20.0, 9.0  # above and below a board, for its text
_MIN_NUMBER_SIZE = 7 * 25.4 / 72  # least size of the font of a number: 7 points
_EXAMPLE_CELL = 8.0  # side of a square of the example

# The usual and the largest side of a square in which one writes with a pencil, and of a square of a
# solution, which is only read.
_CELL_SIDES, _CELL_SIDES_FOR_CHILDREN = (8.5, 14.0), (13.0, 20.0)
_LARGEST_ALONE = 28.0  # that of a puzzle that is alone on its page as the book has one a page
_SOLUTION_CELL_SIDES = (0.0, 6.0)

# A tour of 10x10 with few turns, which has the symmetry of a quarter-turn, as `fold` writes it.
_ORNAMENT = "JcxjQetED6fyWMf-SYCyGejgoXDqQ9TDuD65-VgpSA"

# The example in the instructions: a tour of 3x4, and the numbers of it that are given.
_EXAMPLE = (4, 10, 3, 5, 11, 2, 9, 0, 6, 8, 1, 7)
_EXAMPLE_GIVENS = (1, 3, 5, 7, 8, 10)


@dataclass(frozen=True)
class Book:
    """A book: its look, the number of puzzles per page, and its cover.

    Of the ``look`` the paper, by default A4, the theme and the words are used. Without
    ``per_page``, a page has as many puzzles as have squares of 8.5 mm to write in, or of 13 mm for
    children. Raises `InputError` for an invalid number.
    """

    look: Look = USUAL
    per_page: int | None = None
    title: str | None = None
    author: str = ""

    def __post_init__(self) -> None:
        if self.per_page is not None:
            checked_number("per_page", self.per_page, 1, MAX_PUZZLES)

    @property
    def paper(self) -> Paper:
        """The paper of its pages."""
        return self.look.paper or NAMED_PAPERS["a4"]

    @property
    def board_look(self) -> Look:
        """The look of its boards."""
        return bare_look(self.look.theme, self.look.words)

    @property
    def margins(self) -> dict[str, float]:
        """The margins of a page; that at the binding is wider, and the lower one has its number."""
        margin = self.paper.margin(15)
        bottom = margin + _FOOT_ROOM
        return {"outside": margin, "inside": 1.4 * margin, "top": margin, "bottom": bottom}

    def cell(self, boards: Sequence[Board], columns: int, room: float) -> float:
        """Return the largest side of a square with which boards fit on a page, in columns.

        ``room`` is the height of the text of each board.
        """
        margins, rows = self.margins, math.ceil(len(boards) / columns)
        width = self.paper.width - margins["inside"] - margins["outside"]
        height = self.paper.height - margins["top"] - margins["bottom"]
        wide = (width - (columns - 1) * _GAP) / columns / max(board.columns for board in boards)
        high = ((height - (rows - 1) * _GAP) / rows - room) / max(board.rows for board in boards)
        return min(wide, high) / (1 + 2 * BORDER / max(board.columns for board in boards))


def check_book(instances: Iterable[Instance], book: Book) -> None:
    """Raise `InputError` if the numbers of a board would be illegible even on a page of its own.

    Needs no puzzles of the instances, so that it can be called before they are made.
    """
    for instance in instances:
        _page([instance], book)


def draw_book(puzzles: Sequence[Puzzle], file: str | Path, book: Book | None = None) -> None:
    """Write puzzles and then their solutions to a PDF file.

    Raises `InputError` as `check_picture_file` does, for no puzzles, and if the numbers would be
    smaller than 7 points.
    """
    if not puzzles:
        raise InputError("a book needs at least one puzzle")
    check_picture_file(file, "book", suffixes=(".pdf",))
    [content] = typeset_book(puzzles, book or Book(), format="pdf")
    with write_atomically(file) as stream:
        stream.write(content)


def typeset_book(puzzles: Sequence[Puzzle], book: Book, **options: Any) -> list[bytes]:
    """Return a book as one PDF or as pages of PNG; the options are those of `compile_pages`.

    Raises `InputError` if the numbers would be smaller than 7 points.
    """
    if len(puzzles) == 1:
        book = replace(book, per_page=1)
    words, look = book.look.words, book.board_look
    # The template knows the pictures by their indices.
    pictures = [_ornament(look)]

    def placed(picture: Picture, board: Board, cell: float = _EXAMPLE_CELL) -> _Data:
        """Add the board of a picture; return its index and its size."""
        pictures.append(board_alone(picture, board))
        sides = [(side + 2 * BORDER) * cell for side in (board.columns, board.rows)]
        return {"index": len(pictures) - 1, "width": sides[0], "height": sides[1]}

    def placed_puzzle(puzzle: Puzzle, is_solution: bool, cell: float = _EXAMPLE_CELL) -> _Data:
        """Add the board of a puzzle or of its solution, as `placed` does."""
        instance = puzzle.instance
        picture = (
            solution_picture(puzzle, look) if is_solution else instance_picture(instance, look)
        )
        return placed(picture, instance.board, cell)

    def pages(are_solutions: bool) -> list[_Data]:
        """Return the pages of the puzzles or of their solutions."""
        found: list[_Data] = []
        start = 0
        while start < len(puzzles):
            instances = [puzzle.instance for puzzle in puzzles[start:]]
            for_children = puzzles[start].level is Level.CHILDREN
            count, columns, cell = _page(instances, book, are_solutions, for_children)
            places = [
                _caption(number, puzzle, common, words) | placed_puzzle(puzzle, are_solutions, cell)
                for number, puzzle in enumerate(puzzles[start : start + count], start + 1)
            ]
            found.append({"columns": columns, "places": places})
            start += count
        return found

    facts = [fact_sentences(puzzle.instance, words) for puzzle in puzzles]
    common = [fact for fact in facts[0] if all(fact in each for each in facts)]
    tasks = [task_sentence(puzzle.instance, words) for puzzle in puzzles]
    example = _example()
    needs_example = task_sentence(example.instance, words) in tasks
    boards = dict.fromkeys(_move_board(puzzle.instance.board) for puzzle in puzzles)
    title = words("book title") if book.title is None else book.title
    data = {
        "width": book.paper.width,
        "height": book.paper.height,
        "margins": book.margins,
        "gap": _GAP,
        "title": title,
        "author": book.author,
        "language": words.language,
        "words": {key: words(key) for key in ("how to solve", "name", "time", "solutions")},
        "faces": [PRINT_FACE, *words.faces.split(", ")],
        "colors": {role: color(role, look.theme) for role in ("paper", "ink", "muted", "faint")},
        "moves": [
            {"text": words("move shown", move=words.move(board.piece))}
            | placed(move_picture(board, look), board)
            for board in boards
        ],
        "tasks": [*dict.fromkeys(tasks), *common],
        "example": [placed_puzzle(example, side) for side in (False, True) if needs_example],
        "advice": words.sentences([words("where to begin"), words("one solution")]),
        "levels": [words.level(level) for level in Level],
        "puzzles": pages(are_solutions=False),
        "solutions": pages(are_solutions=True),
    }
    # Typst writes literals of text as JSON does.
    literal = json.dumps(json.dumps(data, ensure_ascii=False), ensure_ascii=False)
    source = f"#let book = json(bytes({literal}))\n{asset('book.typ')}"
    count = words.counted(len(puzzles), "one puzzle", "several puzzles")
    return compile_pages(pictures, source, title, count, **options)


def _page(
    instances: Sequence[Instance],
    book: Book,
    are_solutions: bool = False,
    for_children: bool = False,
) -> tuple[int, int, float]:
    """Return how many of the first puzzles are on a page, in how many columns, and their squares.

    These are as many as have squares of their usual side, or else one. Raises `InputError` if
    numbers would have less than 7 points.
    """
    most, is_fixed, room = book.per_page or MAX_PUZZLES, book.per_page is not None, _PUZZLE_ROOM
    sides, look = _CELL_SIDES_FOR_CHILDREN if for_children else _CELL_SIDES, book.board_look
    if are_solutions:
        most, is_fixed, room, sides = _MAX_SOLUTIONS, False, _SOLUTION_ROOM, _SOLUTION_CELL_SIDES
    for count in range(min(most, len(instances)), 0, -1):
        shown = instances[:count]
        least = max(least_cell(instance, look, _MIN_NUMBER_SIZE) for instance in shown)
        usual = max(sides[0], least)
        boards, columns = [each.board for each in shown], range(min(_MAX_COLUMNS, count), 0, -1)
        cell, widest = max((book.cell(boards, each, room), each) for each in columns)
        if is_fixed or count == 1 or cell >= usual:
            break
    if is_fixed and most == 1:
        sides = (sides[0], _LARGEST_ALONE)
    if cell < least:
        cause = f"per_page {most}" if is_fixed and count > 1 else "paper"
        raise InputError(
            f"{cause}: the squares would have {max(cell, 0):.1f} mm, and numbers need {least:.1f} "
            "mm; take fewer puzzles a page, or larger paper"
        )
    return count, widest, min(cell, max(sides[1], usual))


def _example() -> Puzzle:
    """Return the puzzle of the instructions."""
    tour = Tour(Board(3, 4), _EXAMPLE)
    givens = {_EXAMPLE[step - 1]: step for step in _EXAMPLE_GIVENS}
    return Puzzle(Instance.of(tour.board, givens=givens), tour)


def _move_board(board: Board) -> Board:
    """Return the smallest board on which a piece can make all moves from the middle."""
    side = 2 * max(max(jump) for jump in board.piece.jumps) + 1
    return Board(side, side, piece=board.piece.name)


def _caption(number: int, puzzle: Puzzle, common: Sequence[str], words: Words) -> _Data:
    """Return the title with the number, the subtitle and the level of a puzzle.

    The subtitle states the size, the kind, and the facts about the tour that are not ``common`` to
    all puzzles. The level counts from 1; it is 0 if unknown.
    """
    instance = puzzle.instance
    size = with_print_signs(words.board(instance.board))
    facts = [size, words.squares(len(instance.board)), words.tour(instance.closed)]
    subtitle = words.join(facts)
    own_facts = [fact for fact in fact_sentences(instance, words) if fact not in common]
    if own_facts:
        subtitle = words.sentences([words("sentence", text=subtitle), *own_facts])
    level = 0 if puzzle.level is None else puzzle.level.number
    title = f"{number}  {puzzle.title}" if puzzle.title else words("puzzle", number=number)
    return {"title": title, "subtitle": subtitle, "level": level}


def _ornament(look: Look) -> Picture:
    """Return a woven symmetric tour for the cover, without its board."""
    board = Board(10, 10)
    tour = unfold(board, _ORNAMENT, closed=True)
    assert tour is not None
    sheet = Sheet(board, "", look)
    draw_weave(sheet, tour, "line")
    bands = tuple(sheet.elements)  # without the squares
    return board_alone(replace(sheet.finish(), elements=bands), board)


# -- separate files --------------------------------------------------------------------------------


class SeparateFormat(StrEnum):
    """The format of the pictures."""

    SVG = "svg"
    PDF = "pdf"


def prepare_directory(
    directory: str | Path, format: SeparateFormat, role: str = "directory"
) -> None:
    """Make a directory for pictures, and check that their format can be written.

    Raises `InputError`, which names the ``role``, if the directory cannot be made, and if typst is
    missing for PDF.
    """
    if not str(directory):
        raise InputError(f"{role}: its name is empty")
    if format is SeparateFormat.PDF:
        require_typst()
    try:
        Path(directory).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{role} {directory}: {error.strerror}; give another directory") from None


def draw_separately(
    puzzles: Sequence[Puzzle],
    directory: str | Path,
    format: SeparateFormat | str = SeparateFormat.SVG,
    theme: Theme = Theme.LIGHT,
    words: Words = ENGLISH,
) -> None:
    """Write for each puzzle a picture ``01.svg`` and a text ``01.txt`` to a directory.

    The picture is the board without any words. The text has the solution as a numbered board, and
    above it the title, the level, the effort and the rules in lines that begin with ``;``. An old
    file is replaced once the new one is complete. Raises `InputError` as `prepare_directory` does.
    """
    chosen = checked_choice("format", format, SeparateFormat)
    prepare_directory(directory, chosen)
    digits = max(2, len(str(len(puzzles))))
    look = bare_look(theme, words)
    for number, puzzle in enumerate(puzzles, start=1):
        stem = Path(directory, f"{number:0{digits}}")
        alone = board_alone(instance_picture(puzzle.instance, look), puzzle.instance.board)
        content = pdf(alone) if chosen is SeparateFormat.PDF else svg(alone).encode()
        notes = {"title": puzzle.title, "level": puzzle.level, "effort": puzzle.effort}
        lines = [f"; {name}: {note}" for name, note in notes.items() if note is not None]
        lines += [f"; {rule}" for rule in rule_sentences(puzzle.instance, look.words)]
        text = "\n".join([*lines, str(puzzle.solution)]) + "\n"
        for suffix, written in ((f".{chosen}", content), (".txt", text.encode())):
            with write_atomically(stem.with_suffix(suffix)) as stream:
                stream.write(written)
