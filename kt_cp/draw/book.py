"""A book of puzzles as PDF: a cover, instructions, the puzzles on a grid, and their solutions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kt_cp.board import Board
from kt_cp.draw.book_layout import Page, PageArea, Slot, paginate
from kt_cp.draw.look import Look, bare_look
from kt_cp.draw.output import check_picture_file
from kt_cp.draw.page import asset
from kt_cp.draw.palette import Theme, color
from kt_cp.draw.paper import NAMED_PAPERS, Paper
from kt_cp.draw.picture import PRINT_FACE, Picture
from kt_cp.draw.puzzle import (
    BORDER,
    board_alone,
    fact_sentences,
    instance_picture,
    move_picture,
    number_size,
    solution_picture,
    task_sentence,
)
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.typesetting import compile_pages
from kt_cp.draw.weave import draw_weave
from kt_cp.draw.wording import text_width, with_print_signs
from kt_cp.files import write_atomically
from kt_cp.messages import InputError, checked_choice, checked_class, checked_number
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.puzzle import Level, Puzzle, unfold
from kt_cp.puzzles.words import ENGLISH, Words
from kt_cp.tour.tour import Tour

_Data = dict[str, Any]  # for the template

# Lengths in millimeters.
_POINT = 25.4 / 72
_GAP = 8.0  # between two boards
_CAPTION_ROOM = 12.0  # above a puzzle
_NAME_ROOM = 8.0  # below a puzzle, for a name and a time
_NUMBER_ROOM = 7.0  # above a solution
_CAPTION_SIZE = 9 * _POINT  # size of the font of a caption
_CAPTION_LINE = 4.5  # height of a line of a caption
_TITLE_ASIDE = 22.0  # width of the number and the circles beside the title of a puzzle
_HEADING_ROOM = 13.0  # height of the heading of the solutions
_FOOT_ROOM = 8.0  # below the boards, for the number of the page
_EXAMPLE_CELL = 8.0  # side of a square of the example
_MIN_NUMBER_SIZE = 7 * _POINT  # least size of the font of a number
_MAX_SOLUTION_CELL = 6.0  # largest side of a square of a solution, which is only read

# The usual and the largest side of a square in which one writes with a pencil, in millimeters.
_CELL_SIDES = (8.5, 14.0)
_CELL_SIDES_FOR_CHILDREN = (13.0, 20.0)

_BINDING_SHARE = 0.4  # extra width of the margin at the binding, relative to the other margins
_LETTER_WIDTH = 0.5  # of a caption, relative to the size of the font; an upper estimate

MAX_PUZZLES = 12
"""The largest number of puzzles on a page."""

_MAX_SOLUTIONS = 9  # on a page

# A tour of 10x10 with few turns, which has the symmetry of a quarter-turn, as `fold` writes it.
_ORNAMENT = "JcxjQetED6fyWMf-SYCyGejgoXDqQ9TDuD65-VgpSA"

# The example in the instructions: a tour of 3x4, and the numbers of it that are given.
_EXAMPLE = (4, 10, 3, 5, 11, 2, 9, 0, 6, 8, 1, 7)
_EXAMPLE_GIVENS = (1, 3, 5, 7, 8, 10)


@dataclass(frozen=True)
class Book:
    """The look of a book: its paper, the number of puzzles per page, its cover, theme and words.

    Without ``per_page``, a page has as many puzzles as have squares of 8.5 mm to write in, or of
    13 mm for children. Raises `InputError` for invalid values.
    """

    paper: Paper = NAMED_PAPERS["a4"]
    per_page: int | None = None
    title: str | None = None
    author: str = ""
    theme: Theme = Theme.LIGHT
    words: Words = ENGLISH

    def __post_init__(self) -> None:
        if self.per_page is not None:
            checked_number("per_page", self.per_page, 1, MAX_PUZZLES)
        object.__setattr__(self, "words", Words.of(self.words))
        object.__setattr__(self, "theme", checked_choice("theme", self.theme, Theme))
        paper = checked_class(Paper.of(self.paper), Paper, "a paper such as a4")
        object.__setattr__(self, "paper", paper)

    @property
    def margin(self) -> float:
        """The margin at the top and at the outer side, in millimeters."""
        return self.paper.margin

    @property
    def binding_margin(self) -> float:
        """The margin at the binding, in millimeters."""
        return self.margin * (1 + _BINDING_SHARE)

    @property
    def bottom_margin(self) -> float:
        """The margin below the boards, which has the number of the page, in millimeters."""
        return self.margin + _FOOT_ROOM

    def page_area(self, text_height: float) -> PageArea:
        """Return the area of a page for boards with text above and below them, in millimeters."""
        width = self.paper.width - self.margin - self.binding_margin
        height = self.paper.height - self.margin - self.bottom_margin
        return PageArea(width, height, text_height, _GAP, _CAPTION_LINE)


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


def check_book(instances: Iterable[Instance], book: Book) -> None:
    """Raise `InputError` if the numbers of a board would be illegible even on a page of its own.

    Needs no puzzles of the instances, so that it can be called before they are made.
    """
    look = bare_look(book.theme, book.words)
    puzzle_area = book.page_area(_CAPTION_ROOM + _NAME_ROOM)
    solution_area = book.page_area(_NUMBER_ROOM)
    for instance in instances:
        for area, is_solved in ((puzzle_area, False), (solution_area, True)):
            least = _MIN_NUMBER_SIZE / number_size(instance, look, is_solved)
            slot = Slot(0, instance.board, least=least, usual=least, greatest=least)
            _check_legible(paginate([slot], area, max_boards=1), "paper")


def typeset_book(puzzles: Sequence[Puzzle], book: Book, **options: Any) -> list[bytes]:
    """Return a book as one PDF or as pages of PNG; the options are those of `compile_pages`.

    Raises `InputError` if the numbers would be smaller than 7 points.
    """
    pictures = _Pictures(bare_look(book.theme, book.words))
    pictures.add(_ornament(pictures.look))  # the template expects it as picture 0
    data = {
        **_book_data(book),
        **_instructions(puzzles, pictures),
        "puzzles": _puzzle_pages(puzzles, book, pictures),
        "solutions": _solution_pages(puzzles, book, pictures),
    }
    encoded = json.dumps(data, ensure_ascii=False)
    literal = json.dumps(encoded, ensure_ascii=False)  # typst writes literals of text as JSON does
    source = f"#let book = json(bytes({literal}))\n{asset('book.typ')}"
    count = book.words.counted(len(puzzles), "one puzzle", "several puzzles")
    return compile_pages(pictures.pictures, source, _book_title(book), count, **options)


@dataclass
class _Pictures:
    """The pictures of a book so far, and their look; the template knows them by their indices."""

    look: Look
    pictures: list[Picture] = field(default_factory=list)

    def add(self, picture: Picture) -> int:
        """Add a picture and return its index."""
        self.pictures.append(picture)
        return len(self.pictures) - 1

    def add_puzzle(self, puzzle: Puzzle, cell: float) -> dict[str, float]:
        """Add the board of a puzzle; return its index and sides, for squares of side ``cell``."""
        return self._add_board(instance_picture(puzzle.instance, self.look), puzzle, cell)

    def add_solution(self, puzzle: Puzzle, cell: float) -> dict[str, float]:
        """Add the board of a solution; return its index and sides, for squares of side ``cell``."""
        return self._add_board(solution_picture(puzzle, self.look), puzzle, cell)

    def _add_board(self, picture: Picture, puzzle: Puzzle, cell: float) -> dict[str, float]:
        """Add the board of a picture; return its index and sides, for squares of side ``cell``."""
        board = puzzle.instance.board
        return {
            "index": self.add(board_alone(picture, board)),
            "width": (board.columns + 2 * BORDER) * cell,
            "height": (board.rows + 2 * BORDER) * cell,
        }


# -- the pages -------------------------------------------------------------------------------------


def _puzzle_pages(puzzles: Sequence[Puzzle], book: Book, pictures: _Pictures) -> list[_Data]:
    """Return the pages of puzzles. Raises `InputError` if their numbers would be too small."""
    words = book.words
    common = _common_facts(puzzles, words)
    captions = [
        _caption(number, puzzle, common, words) for number, puzzle in enumerate(puzzles, start=1)
    ]
    slots = [
        _puzzle_slot(index, puzzle, captions[index], pictures.look)
        for index, puzzle in enumerate(puzzles)
    ]
    area = book.page_area(_CAPTION_ROOM + _NAME_ROOM)
    pages = paginate(slots, area, MAX_PUZZLES, per_page=book.per_page)
    _check_legible(pages, "paper" if book.per_page is None else f"per_page {book.per_page}")

    def show(slot: Slot, cell: float) -> _Data:
        return captions[slot.index] | pictures.add_puzzle(puzzles[slot.index], cell)

    return _page_data(pages, show)


def _puzzle_slot(index: int, puzzle: Puzzle, caption: _Data, look: Look) -> Slot:
    """Return the slot of a puzzle with the widths of its caption."""
    least = _MIN_NUMBER_SIZE / number_size(puzzle.instance, look)
    is_for_children = puzzle.level is Level.CHILDREN
    usual, greatest = _CELL_SIDES_FOR_CHILDREN if is_for_children else _CELL_SIDES
    return Slot(
        index,
        puzzle.instance.board,
        least=least,
        usual=max(least, usual),
        greatest=greatest,
        caption_widths=(
            _caption_width(caption["title"]) + _TITLE_ASIDE,
            _caption_width(caption["subtitle"]),
        ),
    )


def _solution_pages(puzzles: Sequence[Puzzle], book: Book, pictures: _Pictures) -> list[_Data]:
    """Return the pages of solutions. Raises `InputError` if their numbers would be too small."""
    slots: list[Slot] = []
    for index, puzzle in enumerate(puzzles):
        least = _MIN_NUMBER_SIZE / number_size(puzzle.instance, pictures.look, solved=True)
        slot = Slot(
            index,
            puzzle.instance.board,
            least=least,
            usual=least,
            greatest=max(least, _MAX_SOLUTION_CELL),
            caption_widths=(_caption_width(_puzzle_title(puzzle, book.words)) + _TITLE_ASIDE,),
        )
        slots.append(slot)
    area = book.page_area(_NUMBER_ROOM)
    pages = paginate(slots, area, _MAX_SOLUTIONS, heading_height=_HEADING_ROOM)
    _check_legible(pages, "paper")

    def show(slot: Slot, cell: float) -> _Data:
        puzzle = puzzles[slot.index]
        numbered = {"number": slot.index + 1, "title": _puzzle_title(puzzle, book.words)}
        return numbered | pictures.add_solution(puzzle, cell)

    return _page_data(pages, show)


def _page_data(pages: Sequence[Page], show: Callable[[Slot, float], _Data]) -> list[_Data]:
    """Return pages for the template; ``show`` returns the caption and the picture of a slot."""
    return [
        {
            "columns": page.columns,
            "rows": [_row([show(slot, page.cell) for slot in row]) for row in page.rows],
        }
        for page in pages
    ]


def _row(places: list[_Data]) -> _Data:
    """Return a row of boards with the height of the highest one."""
    return {"places": places, "height": max(place["height"] for place in places)}


def _check_legible(pages: Sequence[Page], cause: str) -> None:
    """Raise `InputError` if numbers would have less than 7 points.

    ``cause`` is what to change, such as the paper.
    """
    for page in pages:
        least = max(slot.least for slot in page.slots)
        if page.cell < least:
            side = max(page.cell, 0)
            raise InputError(
                f"{cause}: the squares would have {side:.1f} mm, and numbers need {least:.1f} mm; "
                "take fewer puzzles a page, or larger paper"
            )


# -- words and ornaments ---------------------------------------------------------------------------


def _book_title(book: Book) -> str:
    """Return the title on the cover."""
    return book.words("book title") if book.title is None else book.title


def _book_data(book: Book) -> _Data:
    """Return the sizes, the colors and the words of the book."""
    roles = ("paper", "ink", "muted", "faint")
    return {
        "width": book.paper.width,
        "height": book.paper.height,
        "margin": book.margin,
        "binding_margin": book.binding_margin,
        "bottom_margin": book.bottom_margin,
        "gap": _GAP,
        "title": _book_title(book),
        "language": book.words.language,
        "words": {key: book.words(key) for key in ("how to solve", "name", "time", "solutions")},
        "author": book.author,
        "faces": [PRINT_FACE, *book.words.faces.split(", ")],
        "colors": {role: color(role, book.theme) for role in roles},
    }


def _instructions(puzzles: Sequence[Puzzle], pictures: _Pictures) -> _Data:
    """Return the instructions: the moves of each piece, the tasks, an example and the levels."""
    words = pictures.look.words
    moves: list[_Data] = []
    for board in _move_boards([puzzle.instance.board for puzzle in puzzles]):
        index = pictures.add(board_alone(move_picture(board, pictures.look), board))
        moves.append({"index": index, "text": words("move shown", move=words.move(board.piece))})
    tasks = [task_sentence(puzzle.instance, words) for puzzle in puzzles]
    example = _example()
    example_pictures: list[_Data] = []
    if task_sentence(example.instance, words) in tasks:
        example_pictures = [
            pictures.add_puzzle(example, _EXAMPLE_CELL),
            pictures.add_solution(example, _EXAMPLE_CELL),
        ]
    return {
        "moves": moves,
        "example": example_pictures,
        "tasks": [*dict.fromkeys(tasks), *_common_facts(puzzles, words)],
        "advice": words.sentences([words("where to begin"), words("one solution")]),
        "levels": [words.level(level) for level in Level],
    }


def _example() -> Puzzle:
    """Return the puzzle of the instructions."""
    tour = Tour(Board(3, 4), _EXAMPLE)
    givens = {_EXAMPLE[step - 1]: step for step in _EXAMPLE_GIVENS}
    return Puzzle(Instance.of(tour.board, givens=givens), tour)


def _move_boards(boards: Sequence[Board]) -> list[Board]:
    """Return for each piece the smallest board on which it can make all moves from the middle."""
    move_boards: list[Board] = []
    for piece in dict.fromkeys(board.piece for board in boards):
        reach = max(max(jump) for jump in piece.jumps)
        side = 2 * reach + 1
        move_boards.append(Board(side, side, piece=piece.name))
    return move_boards


def _common_facts(puzzles: Sequence[Puzzle], words: Words) -> list[str]:
    """Return the facts about tours that all puzzles have in common, to be stated once."""
    first, *others = [fact_sentences(puzzle.instance, words) for puzzle in puzzles]
    return [fact for fact in first if all(fact in facts for facts in others)]


def _caption(number: int, puzzle: Puzzle, common: Sequence[str], words: Words) -> _Data:
    """Return the number, the title, the subtitle and the level of a puzzle.

    The subtitle states the size, the kind, and the facts about the tour that are not ``common`` to
    all puzzles. The level counts from 1; it is 0 if unknown.
    """
    instance = puzzle.instance
    facts = [words.squares(len(instance.board)), words.tour(instance.closed)]
    if puzzle.title and instance.board.unusual:
        facts.insert(0, with_print_signs(words.board(instance.board)))
    subtitle = words.join(facts)
    own_facts = [fact for fact in fact_sentences(instance, words) if fact not in common]
    if own_facts:
        subtitle = words.sentences([words("sentence", text=subtitle), *own_facts])
    level = 0 if puzzle.level is None else puzzle.level.number
    return {
        "number": number,
        "title": _puzzle_title(puzzle, words),
        "subtitle": subtitle,
        "level": level,
    }


def _puzzle_title(puzzle: Puzzle, words: Words) -> str:
    """Return the title of a puzzle, or the size of its board."""
    return puzzle.title or with_print_signs(words.board(puzzle.instance.board))


def _caption_width(text: str) -> float:
    """Return an estimate of the width of a caption, in millimeters."""
    return text_width(text, _LETTER_WIDTH) * _CAPTION_SIZE


def _ornament(look: Look) -> Picture:
    """Return a woven symmetric tour for the cover, without its board."""
    board = Board(10, 10)
    tour = unfold(board, _ORNAMENT, closed=True)
    assert tour is not None
    sheet = Sheet(board, "", look)
    draw_weave(sheet, tour, "line")
    bands = tuple(sheet.drawing.elements)  # without the squares
    return board_alone(replace(sheet.finish(), elements=bands), board)
