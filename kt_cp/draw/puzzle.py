"""Pictures of boards and puzzles, with empty squares to write into; pages and books of puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kt_cp.board import Board
from kt_cp.board.maps import SQUARE
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Shapes
from kt_cp.draw.sheet import (
    DISC,
    END_MARK,
    ROOM,
    START_MARK,
    USUAL,
    Entry,
    Ids,
    Look,
    Sheet,
    board_layers,
    finish,
    lay_out,
    line,
    sentence,
    shape,
    unmarked,
)
from kt_cp.draw.tour import chevrons, segments
from kt_cp.errors import InputError, pluralize
from kt_cp.problem.constraints import Constraints, read_text
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.deduction import explain
from kt_cp.tour.validator import described

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle

_HINTED = 100  # squares; on more it takes long to find all hints


def board_picture(board: Board, look: Look = USUAL) -> Picture:
    """Describe the picture of an empty board.

    >>> board_picture(Board(3, 3, holes=[4])).description
    'board 3x3, 1 hole'
    """
    holes = [pluralize(len(board.holes), "hole")] if board.holes else []
    title = ", ".join([f"board {board.title}", *holes])
    sheet = lay_out(board, title, look)
    return finish(sheet, board_layers(sheet), [], title)


def constraint_parts(
    sheet: Sheet, instance: Instance, ends: bool = True
) -> tuple[list[Layer], list[Entry]]:
    """Return the marks, with their legend, of the moves and ``ends`` that an instance asks for."""
    layers: list[Layer] = []
    legend: list[Entry] = []
    width = 1.6 * sheet.line_width
    for is_directed, mark, text in (
        (False, line("given", 0.5), "a move of the tour"),
        (True, _arrow, "a move of the tour in this direction"),
    ):
        moves = [move[:2] for move in instance.require if move.directed is is_directed]
        if moves:
            lines = segments(sheet, np.array(moves))
            layers.append(Shapes("move", lines, "given", width))
            layers += chevrons(sheet, lines, "given") if is_directed else []
            legend.append((mark, text))
    if instance.forbid:
        banned = segments(sheet, np.array([move[:2] for move in instance.forbid]))
        dashes = (0.12 * sheet.cell, 0.15 * sheet.cell)
        layers.append(Shapes("forbidden", banned, "fault", width, dashes=dashes))
        legend.append((line("fault", 0.5, (6, 5)), "not a move of the tour"))
    for name, end, mark in (
        ("start", instance.start, START_MARK),
        ("end", instance.end, END_MARK),
    ):
        if ends and end is not None:
            layers += sheet.mark(mark, [end])
            legend.append((mark, f"{name}: {sheet.board.name(end)}"))
    return layers, legend


def _arrow(points: Points, radius: float) -> list[Layer]:
    """Draw the mark of a move whose direction is given."""
    head = shape([(-0.2, -0.7), (0.6, 0), (-0.2, 0.7)], fill="given")
    return [*line("given", 0.5)(points, radius), *head(points, radius)]


def instance_picture(instance: Instance, look: Look = USUAL, grade: str | None = None) -> Picture:
    """Describe the picture of an instance as a puzzle to be solved with a pencil.

    Its caption tells the kind of tour and the ``grade``, and the legend the rules. Raises
    `InputError` for a board too large to be drawn.

    >>> instance_picture(Instance.of(Board(3, 3, holes=[4]), givens={0: 1, 5: 2})).description
    'puzzle: open tour of 3x3, 8 squares, 2 numbers'
    """
    board, steps = instance.board, instance.steps
    title = f"puzzle: {described(board, instance.closed)}"
    clues = {"number": len(steps), "move": len(instance.require)}
    given = "".join(f", {pluralize(count, name)}" for name, count in clues.items() if count)
    letters = len(str(len(board)))
    sheet = lay_out(board, f"{title}, {grade}" if grade else title, look, letters)
    marks, marked = constraint_parts(sheet, instance, ends=False)
    room = 2 * DISC if marks else ROOM
    numbers = sheet.words([*steps.values()], steps, room, "given", bold=True)
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


def solution_picture(puzzle: Puzzle, look: Look = USUAL) -> Picture:
    """Describe the picture of the solution of a puzzle on its grid, the given numbers bold."""
    tour = puzzle.solution
    letters = len(str(len(tour)))
    title = f"solution: {tour.summary}"
    sheet = lay_out(tour.board, title, look, letters)
    layers = [
        *board_layers(sheet, grid=True),
        Shapes("move", segments(sheet, tour.moves), "faint", 0.6 * sheet.line_width),
        _discs(sheet, tour.squares),
    ]
    steps = dict(enumerate(tour.squares.tolist(), start=1))
    for is_given, fill in ((False, "ink"), (True, "given")):
        shown = {n: square for n, square in steps.items() if (square in puzzle.givens) is is_given}
        layers += sheet.words([*shown.values()], shown, 2 * DISC, fill, is_given, letters)
    return finish(sheet, layers, [], title)


def _discs(sheet: Sheet, squares: Ids, stroke: str | None = None) -> Discs:
    """Return discs to write into."""
    return Discs(sheet.centers(squares), DISC * sheet.cell, "light", stroke, 0.5 * sheet.line_width)


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


def puzzle_page(puzzle: Puzzle, theme: Theme = Theme.AUTO) -> str:
    """Return a page on which a puzzle is played offline, with hints and its solution.

    Raises `InputError` for a board too large for a page.
    """
    instance, board = puzzle.instance, puzzle.instance.board
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
        "solution": puzzle.solution.squares.tolist(),
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
