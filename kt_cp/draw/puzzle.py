"""Pictures of puzzles, with empty squares to write into, and books of them to be printed."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kt_cp.board.maps import SQUARE
from kt_cp.draw.board import board_picture, constraint_parts
from kt_cp.draw.output import (
    STILL,
    check_picture,
    draw_picture,
    draw_tour,
    pdf_document,
    require_typst,
)
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import Discs, Layer, Picture, Shapes
from kt_cp.draw.sheet import (
    USUAL,
    Ids,
    Look,
    Sheet,
    board_layers,
    finish,
    lay_out,
    sentence,
    unmarked,
)
from kt_cp.draw.tour import segments
from kt_cp.errors import InputError, pluralize
from kt_cp.files import check_writable, whole_file
from kt_cp.problem.constraints import Constraints, read_text
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.deduction import explain
from kt_cp.tour.validator import described

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle

_HINTED = 100  # squares; on more it takes long to find all hints
_ROOM = 0.85  # for a number, in squares
_DISC = 0.3  # radius of the disc that holds a number on a line, in squares


def puzzle_picture(puzzle: Puzzle, look: Look = USUAL, cell: float | None = None) -> Picture:
    """Describe the picture of a puzzle, as `instance_picture` does."""
    return instance_picture(puzzle.instance, look, puzzle.grade, cell)


def instance_picture(
    instance: Instance, look: Look = USUAL, grade: str | None = None, cell: float | None = None
) -> Picture:
    """Describe the picture of an instance as a puzzle to be solved with a pencil.

    Its caption tells the kind of tour and the ``grade``, and the legend the rules. ``cell`` is the
    side of a square in pixels. Raises `InputError` for a board too large to be drawn.

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
    marks, marked = constraint_parts(sheet, instance, ends=False)
    numbers = _numbers(sheet, steps, 2 * _DISC if marks else _ROOM)
    if steps and not numbers:
        raise InputError(f"board {board.size}: the numbers of so large a puzzle are illegible")
    legend = [(unmarked, rule(instance)), *marked]
    if instance.symmetry:
        legend.append((unmarked, f"symmetry of the tour: {instance.symmetry}"))
    if instance.having:
        legend.append((unmarked, f"features of the tour: {', '.join(map(str, instance.having))}"))
    ends = np.unique([square for move in instance.require for square in move[:2]])
    discs = [_discs(sheet, ends, "given")] if len(ends) else []
    layers = [*board_layers(sheet, grid=True), *marks, *discs, *numbers]
    return finish(sheet, layers, legend, title + given)


def solution_picture(puzzle: Puzzle, look: Look = USUAL, cell: float | None = None) -> Picture:
    """Describe the picture of the solution of a puzzle on its grid, the given numbers bold.

    The parameters are those of `instance_picture`.
    """
    tour = puzzle.solution
    title = f"solution: {tour.summary}"
    sheet = lay_out(tour.board, title, look, cell, len(str(len(tour))))
    steps = dict(enumerate(tour.squares.tolist(), start=1))
    given = {step: square for step, square in steps.items() if square in puzzle.givens}
    found = {step: square for step, square in steps.items() if step not in given}
    letters = len(str(len(tour)))
    layers = [
        *board_layers(sheet, grid=True),
        Shapes("move", segments(sheet, tour.moves), "faint", 0.6 * sheet.line_width),
        _discs(sheet, tour.squares),
        *_numbers(sheet, found, 2 * _DISC, letters=letters, bold=False),
        *_numbers(sheet, given, 2 * _DISC, letters=letters),
    ]
    return finish(sheet, layers, [], title)


def map_picture(text: str, look: Look = USUAL, closed: bool | None = None) -> Picture | None:
    """Describe the picture of a map on which squares without a number are left, or return None.

    It is a board, or a puzzle if there are numbers or constraints, to which ``closed`` is added.
    Raises `InputError` for invalid constraints.

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


def draw_puzzle(puzzle: Puzzle, file: str | Path) -> None:
    """Write a puzzle to a file: .svg, .png or .pdf, or .html to play it.

    Raises `InputError` as `check_picture` does.
    """
    check_picture(file, fitting=STILL, what="a puzzle is")
    if Path(file).suffix.lower() == ".html":
        with whole_file(file) as stream:
            stream.write(puzzle_page(puzzle).encode())
    else:
        draw_picture(puzzle_picture(puzzle), file)


def draw_solution(puzzle: Puzzle, file: str | Path) -> None:
    """Write the solution to a file: on the puzzle's grid, or its tour as .gif or .html.

    Raises `InputError` as `check_picture` does.
    """
    if Path(file).suffix.lower() in (".gif", ".html"):
        draw_tour(puzzle.solution, file)
    else:
        draw_picture(solution_picture(puzzle), file)


def puzzle_page(puzzle: Puzzle, theme: Theme = Theme.AUTO) -> str:
    """Return a page on which a puzzle is played offline, with hints and its solution.

    Raises `InputError` for a board too large for a page.
    """
    instance, tour, board = puzzle.instance, puzzle.solution, puzzle.instance.board
    hints: list[tuple[int | None, str]] = []
    if len(board) <= _HINTED:
        for deduction in explain(instance):
            hints += [(fact.square, deduction.text) for fact in deduction.facts if fact.step]
    data = {
        **board_data(board),
        "closed": instance.closed,
        "count": len(board),
        "exact": bool(instance.steps) or not instance.closed,
        "givens": [(square, step) for step, square in instance.steps.items()],
        "moves": [move[:2] for move in instance.require],
        "forbidden": [move[:2] for move in instance.forbid],
        "solution": tour.squares.tolist(),
        "hints": hints,
    }
    title = sentence(puzzle.title or described(board, instance.closed))
    title += f", {puzzle.grade}" if puzzle.grade else ""
    told = [rule(instance)]
    told += [] if instance.steps else [f"Number the squares along it from 1 to {len(board)}."]
    told += ["Its moves are partly given."] if instance.require else []
    told += [
        f"The tour goes from {move.describe(board).replace('>', ' to ')}."
        for move in instance.require
        if move.directed
    ]
    told += [f"The tour has {bound}." for bound in instance.having]
    told += [f"Its symmetry is {instance.symmetry}."] if instance.symmetry else []
    scripts = ("player.js", "squares.js", "keys.js", "puzzle.js")
    return html_page(title, " ".join(told), scripts, data, theme, controls="puzzle.html")


def rule(instance: Instance) -> str:
    """Return what is to be done, in a sentence."""
    count = len(instance.board)
    move = instance.board.piece.move_name
    if not instance.steps:
        line = "closed line" if instance.closed else "line"
        return f"Draw one {line} of {move}s that visits every square once."
    back = f", and {count} from 1" if instance.closed else ""
    return f"Write 1 to {count} so that each number is one {move} from the next{back}."


def _discs(sheet: Sheet, squares: Ids, stroke: str | None = None) -> Discs:
    """Return discs to write into."""
    centers = sheet.centers(squares.astype(np.int64))
    return Discs(centers, _DISC * sheet.cell, "light", stroke, 0.5 * sheet.line_width)


def _numbers(
    sheet: Sheet, steps: dict[int, int], room: float, letters: int = 0, bold: bool = True
) -> list[Layer]:
    squares = np.array([*steps.values()], dtype=np.int64)
    return sheet.words(squares, steps, room, "given" if bold else "ink", bold, letters)


class Paper(StrEnum):
    """The size of a page."""

    A4 = "a4"
    LETTER = "letter"


_SIZES = {Paper.A4: (210, 297), Paper.LETTER: (216, 279)}  # millimeters
_SIDE, _GAP, _REST = 15, 8, 62  # margins left and right, between pictures, and what else is high
_GRIDS = ((2, 4), (2, 3), (2, 2), (1, 2), (1, 1))  # columns and rows of pictures
_LEAST, _MOST = 10.0, 18.0  # side of a square in millimeters
_HEADING = """#set text(font: "DejaVu Sans", size: 10pt)
#set page(paper: "{paper}", margin: (x: {side}mm, top: 18mm, bottom: 20mm), numbering: "1")
#show heading: set text(size: 15pt, weight: "regular")
"""


_SIDES = ("width", "height", "cell")


def check_book(file: str | Path, role: str = "--book") -> None:
    """Raise `InputError` if no book can be written to a file of this name."""
    if Path(file).suffix.lower() != ".pdf":
        raise InputError(f"{role} {file}: a book of puzzles is a .pdf")
    require_typst("books of puzzles")
    check_writable(file, role)


def draw_book(puzzles: Sequence[Puzzle], file: str | Path, paper: Paper = Paper.A4) -> None:
    """Write puzzles and then their solutions to a PDF file, in black and white.

    A page has as many as leave squares of at least 10 mm, or one that is too large for that. The
    heading of a page tells the kind of tour and the rule. Raises `InputError` as `check_book` does,
    and for a board too large to be drawn.
    """
    check_book(file)
    posed: list[Picture] = []
    solved: list[Picture] = []
    rules = {(each.instance.kind, rule(each.instance)) for each in puzzles}
    is_same = len(rules) == 1
    for number, puzzle in enumerate(puzzles, start=1):
        parts = filter(None, [str(number), puzzle.title, puzzle.grade])
        look = Look(title=", ".join(parts), legend=not is_same, monochrome=True)
        posed.append(puzzle_picture(puzzle, look))
        look = Look(title=f"{number}", legend=False, monochrome=True)
        solved.append(solution_picture(puzzle, look))
    inputs = {"heading": "Knight's tour puzzles", "rule": ""}
    if is_same:
        piece = puzzles[0].instance.board.piece.move_name.removesuffix(" move")
        ((kind, inputs["rule"]),) = rules
        inputs["heading"] = f"{kind.capitalize()} {piece} tours"
    source = _HEADING.format(paper={Paper.LETTER: "us-letter"}.get(paper, paper), side=_SIDE)
    scale, columns, rows = _arranged([*posed, *solved], paper)
    widths = [scale * picture.width for picture in (*posed, *solved)]
    for heading, numbers in (
        ("#sys.inputs.heading\n\n#sys.inputs.rule", range(len(posed))),
        ("Solutions", range(len(posed), 2 * len(posed))),
    ):
        for first_number in numbers[:: columns * rows]:
            page = range(first_number, min(first_number + columns * rows, numbers.stop))
            images = "".join(
                f'image("{number}.svg", width: {widths[number]:.2f}mm), ' for number in page
            )
            grid = f"columns: (1fr,) * {columns}, gutter: {_GAP}mm, align: center, {images}"
            source += f"#pagebreak(weak: true)\n= {heading}\n#v(4mm)\n#grid({grid})\n"
    content = pdf_document([*posed, *solved], source, "Knight's tour puzzles", **inputs)
    with whole_file(file) as stream:
        stream.write(content)


def _arranged(pictures: Sequence[Picture], paper: Paper) -> tuple[float, int, int]:
    """Return the millimeters of a pixel, and how many pictures stand side by side and below."""
    width, height = _SIZES[paper]
    largest = [max(getattr(picture, side) for picture in pictures) for side in _SIDES]
    for columns, rows in _GRIDS:
        room = (width - 2 * _SIDE + _GAP) / columns - _GAP, (height - _REST + _GAP) / rows - _GAP
        scale = min(room[0] / largest[0], room[1] / largest[1], _MOST / largest[2])
        if scale * min(picture.cell for picture in pictures) >= _LEAST:
            break
    return scale, columns, rows
