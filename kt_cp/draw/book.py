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

_MAX_COLUMNS = 3  # of boards on a page
_GAP = 8.0  # between two boards
_FOOT_ROOM = 8.0  # below the boards, for the number of the page
_MIN_NUMBER_SIZE = 7 * 25.4 / 72  # least size of the font of a number: 7 points
_TEXT_ROOM = 20.0  # above and below the board of a puzzle, for its text
_EXAMPLE_CELL = 8.0  # side of a square of the example

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

    def layout(self, level: Level | None) -> _Layout:
        """How its puzzles of a level are laid out, in squares in which one writes with a pencil."""
        usual, largest = (13.0, 20.0) if level is Level.CHILDREN else (8.5, 14.0)
        if self.per_page is None:
            return _Layout(most=MAX_PUZZLES, usual=usual, largest=largest)
        if self.per_page == 1:
            largest = 28.0
        return _Layout(most=self.per_page, is_fixed=True, usual=usual, largest=largest)

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
        margins = self.margins
        rows = math.ceil(len(boards) / columns)
        most_columns = max(board.columns for board in boards)
        width = self.paper.width - margins["inside"] - margins["outside"]
        height = self.paper.height - margins["top"] - margins["bottom"]
        wide = (width - (columns - 1) * _GAP) / columns / most_columns
        high = ((height - (rows - 1) * _GAP) / rows - room) / max(board.rows for board in boards)
        return min(wide, high) / (1 + 2 * BORDER / most_columns)


@dataclass(frozen=True)
class _Layout:
    """How puzzles or solutions are laid out: at most ``most`` on a page, or that many if fixed.

    ``text_room`` is the height of the text above and below a board. The ``usual`` side of a square
    decides how many fit on a page, and no square is larger than the ``largest``.
    """

    most: int
    usual: float
    largest: float
    text_room: float = _TEXT_ROOM
    is_fixed: bool = False


_SOLUTIONS = _Layout(most=9, usual=0.0, largest=10.0, text_room=9.0)


@dataclass(frozen=True)
class _Grid:
    """The boards on a page: their number, their columns, and the side of a square."""

    count: int
    columns: int
    cell: float


class _Boards:
    """The pictures of the boards in a book, which its template knows by their indices."""

    def __init__(self, ornament: Picture) -> None:
        self.pictures = [ornament]

    def add(self, picture: Picture, board: Board, cell: float = _EXAMPLE_CELL) -> _Data:
        """Add the board of a picture, without words; return its index and its size."""
        self.pictures.append(board_alone(picture, board))
        width, height = ((side + 2 * BORDER) * cell for side in (board.columns, board.rows))
        return {"index": len(self.pictures) - 1, "width": width, "height": height}


def check_book(instances: Iterable[Instance], book: Book) -> None:
    """Raise `InputError` if the numbers of a board would be illegible even on a page of its own.

    Needs no puzzles of the instances, so that it can be called before they are made.
    """
    for instance in instances:
        _grid([instance], book, book.layout(None))


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
    words = book.look.words
    look = book.board_look
    boards = _Boards(_ornament(look))
    facts = [fact_sentences(puzzle.instance, words) for puzzle in puzzles]
    common = [fact for fact in facts[0] if all(fact in each for each in facts)]
    tasks = [task_sentence(puzzle.instance, words) for puzzle in puzzles]
    example = _example()
    needs_example = task_sentence(example.instance, words) in tasks
    captions = [_caption(number, puzzle, common, words) for number, puzzle in enumerate(puzzles, 1)]
    move_boards = dict.fromkeys(_move_board(puzzle.instance.board) for puzzle in puzzles)
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
            | boards.add(move_picture(board, look), board)
            for board in move_boards
        ],
        "tasks": [*dict.fromkeys(tasks), *common],
        "example": [
            boards.add(_picture(example, look, is_solution), example.instance.board)
            for is_solution in (False, True)
            if needs_example
        ],
        "advice": words.sentences([words("where to begin"), words("one solution")]),
        "levels": [words.level(level) for level in Level],
        "puzzles": _pages(puzzles, captions, book, boards, are_solutions=False),
        "solutions": _pages(puzzles, captions, book, boards, are_solutions=True),
    }
    # Typst writes literals of text as JSON does.
    literal = json.dumps(json.dumps(data, ensure_ascii=False), ensure_ascii=False)
    source = f"#let book = json(bytes({literal}))\n{asset('book.typ')}"
    count = words.counted(len(puzzles), "one puzzle", "several puzzles")
    return compile_pages(boards.pictures, source, title, count, **options)


def _picture(puzzle: Puzzle, look: Look, is_solution: bool) -> Picture:
    """Return the picture of a puzzle or of its solution."""
    return (
        solution_picture(puzzle, look) if is_solution else instance_picture(puzzle.instance, look)
    )


def _pages(
    puzzles: Sequence[Puzzle],
    captions: Sequence[_Data],
    book: Book,
    boards: _Boards,
    are_solutions: bool,
) -> list[_Data]:
    """Return the pages of the puzzles or of their solutions, and add their boards."""
    pages: list[_Data] = []
    start = 0
    while start < len(puzzles):
        layout = _SOLUTIONS if are_solutions else book.layout(puzzles[start].level)
        grid = _grid([puzzle.instance for puzzle in puzzles[start:]], book, layout)
        end = start + grid.count
        places = [
            caption
            | boards.add(
                _picture(puzzle, book.board_look, are_solutions), puzzle.instance.board, grid.cell
            )
            for caption, puzzle in zip(captions[start:end], puzzles[start:end], strict=True)
        ]
        pages.append({"columns": grid.columns, "places": places})
        start = end
    return pages


def _grid(instances: Sequence[Instance], book: Book, layout: _Layout) -> _Grid:
    """Return how the first of some puzzles are laid out on a page.

    These are as many as have squares of their usual side, or else one. Raises `InputError` if
    numbers would have less than 7 points.
    """
    for count in range(min(layout.most, len(instances)), 0, -1):
        page_instances = instances[:count]
        least = max(least_cell(each, book.board_look, _MIN_NUMBER_SIZE) for each in page_instances)
        usual = max(layout.usual, least)
        shapes = [each.board for each in page_instances]
        cell, columns = max(
            (book.cell(shapes, columns, layout.text_room), columns)
            for columns in range(1, min(_MAX_COLUMNS, count) + 1)
        )
        if layout.is_fixed or count == 1 or cell >= usual:
            break
    if cell < least:
        cause = f"per_page {layout.most}" if layout.is_fixed and count > 1 else "paper"
        raise InputError(
            f"{cause}: the squares would have {max(cell, 0):.1f} mm, and numbers need {least:.1f} "
            "mm; take fewer puzzles a page, or larger paper"
        )
    return _Grid(count, columns, min(cell, max(layout.largest, usual)))


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
    checked_format = checked_choice("format", format, SeparateFormat)
    prepare_directory(directory, checked_format)
    digits = max(2, len(str(len(puzzles))))
    look = bare_look(theme, words)
    for number, puzzle in enumerate(puzzles, start=1):
        stem = Path(directory, f"{number:0{digits}}")
        alone = board_alone(instance_picture(puzzle.instance, look), puzzle.instance.board)
        content = pdf(alone) if checked_format is SeparateFormat.PDF else svg(alone).encode()
        notes = {"title": puzzle.title, "level": puzzle.level, "effort": puzzle.effort}
        lines = [f"; {name}: {note}" for name, note in notes.items() if note is not None]
        lines += [f"; {rule}" for rule in rule_sentences(puzzle.instance, look.words)]
        text = "\n".join([*lines, str(puzzle.solution)]) + "\n"
        for suffix, written in ((f".{checked_format}", content), (".txt", text.encode())):
            with write_atomically(stem.with_suffix(suffix)) as stream:
                stream.write(written)
