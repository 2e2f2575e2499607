"""Pictures of boards and puzzles, with empty squares to write into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kt_cp.board import Board, Topology
from kt_cp.board.maps import SQUARE
from kt_cp.draw.frame import NUMBER_SHARE, font_share
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.picture import Picture, disc_mark, polygon_mark
from kt_cp.draw.sheet import DISC_RADIUS, DISC_SHARE, DOT_RADIUS, Sheet
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints, parse_map
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.words import ENGLISH, Words

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle

BORDER = 0.05
"""The width of the border around a board that is shown alone, in squares."""

_CLUE_DISC = disc_mark("light", "given", 0.05)


def board_picture(board: Board, look: Look = USUAL) -> Picture:
    """Return the picture of an empty board.

    >>> board_picture(Board(3, 3, holes=[4])).description
    'board 3x3, 1 hole'
    """
    words = look.words
    title = words("empty board", board=words.board(board))
    if board.holes:
        title = words.join([title, words.counted(len(board.holes), "one hole", "several holes")])
    return Sheet(board, title, look).finish()


def draw_constraints(
    sheet: Sheet, instance: Instance, *, required: str | None = None, forbidden: str | None = None
) -> None:
    """Draw the required and forbidden moves of an instance.

    ``required`` and ``forbidden`` replace the texts of the legend for them.
    """
    words = sheet.look.words
    used = required or words("move of the tour")
    unused = forbidden or words("no move of the tour")
    needed = [move[:2] for move in instance.require]
    sheet.draw_moves(needed, "given", thickness=1.6, legend=used)
    if arrows := [move[:2] for move in instance.require if move.directed]:
        sheet.draw_chevrons(arrows, "given")
        arrow = polygon_mark([(-0.4, -0.8), (0.8, 0), (-0.4, 0.8)], fill="given")
        sheet.add_legend(words("in this direction"), arrow)
    banned = [move[:2] for move in instance.forbid]
    sheet.draw_moves(
        banned, "fault", thickness=1.6, css_class="forbidden", dashes=(7, 6), legend=unused
    )


def draw_order(sheet: Sheet, order: Sequence[int]) -> None:
    """Draw the squares to be visited in order, with their positions in the order on discs.

    Raises `InputError` if the positions are illegible.
    """
    if order:
        sheet.draw_mark(_CLUE_DISC, order, radius=DISC_RADIUS)
        positions = {square: position for position, square in enumerate(order, start=1)}
        _write_clues(sheet, positions, DISC_SHARE)


def instance_picture(
    instance: Instance, look: Look = USUAL, level: str | None = None, heading: str | None = None
) -> Picture:
    """Return the picture of an instance as a puzzle to be solved with a pencil.

    The caption is the ``heading``, or without one the kind of tour, and the ``level``; the legend
    has the rules. Raises `InputError` if the board is so large that numbers are illegible.

    >>> instance_picture(Instance.of(Board(3, 3, holes=[4]), givens={0: 1, 5: 2})).description
    'puzzle: open tour of 3x3, 8 squares, 2 numbers'
    """
    board, words = instance.board, look.words
    title = words("puzzle caption", **caption_values(board, instance.closed, words))
    levels = [words.level(level)] if level else []
    if heading and look.title is None:
        look = replace(look, title=words.join([heading, *levels]))
    caption = words.join([title, *levels])
    sheet = Sheet(
        board,
        caption,
        look,
        word_length=len(str(len(board))),
        word_share=_least_share(instance),
        grid=True,
    )
    for text in rule_sentences(instance, words):
        sheet.add_legend(text)
    numbers = _draw_clues(sheet, instance)
    return sheet.finish(words.join([title, *_clue_counts(instance, numbers, words)]))


def _draw_clues(sheet: Sheet, instance: Instance) -> int:
    """Draw the constraints, the order and the numbers of a puzzle; return the count of numbers."""
    draw_constraints(sheet, instance)
    ends = list(dict.fromkeys(end for move in instance.require for end in move[:2]))
    if ends:
        sheet.draw_mark(_CLUE_DISC, ends, radius=DISC_RADIUS)
    draw_order(sheet, instance.order)
    numbers = {
        square: step for step, square in instance.steps.items() if square not in instance.order
    }
    _write_clues(sheet, numbers, _number_share(instance))
    return len(numbers)


def _write_clues(sheet: Sheet, numbers: Mapping[int, int], share: float) -> None:
    """Write a number into each of some squares, in a share of the side of a square.

    Raises `InputError` if there are numbers and they are illegible.
    """
    if not numbers:
        return
    longest = max(len(str(number)) for number in numbers.values())
    if isinstance(sheet.graph, Board) and not sheet.can_write(longest, share):
        raise InputError(
            f"board {sheet.graph.size}: the numbers of so large a puzzle are illegible"
        )
    sheet.write_words([*numbers], numbers.values(), share=share, fill="given", bold=True)


def number_size(instance: Instance, look: Look, solved: bool = False) -> float:
    """Return the least size of the font of a number in the picture of a puzzle, in squares.

    If ``solved``, it is that in the picture of the solution.
    """
    share = NUMBER_SHARE if solved else _least_share(instance)
    return share * look.number_scale * font_share(len(str(len(instance.board))))


def _least_share(instance: Instance) -> float:
    """Return the share of a square's side for the smallest numbers of a puzzle."""
    return DISC_SHARE if instance.order else _number_share(instance)


def _number_share(instance: Instance) -> float:
    """Return the share of a square's side for a given number; with given moves, it fits a disc."""
    return DISC_SHARE if instance.require or instance.forbid else NUMBER_SHARE


def _clue_counts(instance: Instance, numbers: int, words: Words) -> list[str]:
    """Return phrases on the numbers of clues: squares in order, numbers and moves."""
    clues: list[str] = []
    if instance.order:
        clues.append(words.squares(len(instance.order)))
    if numbers:
        clues.append(words.counted(numbers, "one number", "several numbers"))
    if instance.require and not instance.order:
        clues.append(words.counted(len(instance.require), "one move", "several moves"))
    return clues


def solution_picture(puzzle: Puzzle, look: Look = USUAL) -> Picture:
    """Return the picture of the solution of a puzzle on its grid, the given numbers bold."""
    tour, words = puzzle.solution, look.words
    length = len(str(len(tour)))
    title = words("solution caption", **caption_values(tour.board, tour.closed, words))
    sheet = Sheet(tour.board, title, look, word_length=length, grid=True)
    sheet.draw_moves(tour.moves, "visited", thickness=1.2)
    steps = {square: step for step, square in enumerate(tour.squares.tolist(), start=1)}
    given = {square: step for square, step in steps.items() if square in puzzle.givens}
    other = {square: step for square, step in steps.items() if square not in puzzle.givens}
    sheet.write_words([*other], other.values(), share=NUMBER_SHARE, word_length=length)
    sheet.write_words(
        [*given], given.values(), share=NUMBER_SHARE, fill="given", bold=True, word_length=length
    )
    return sheet.finish()


def caption_values(board: Board, closed: bool, words: Words) -> dict[str, str]:
    """Return the words for a caption: the kind of tour, the board and its number of squares."""
    size, squares = words.board(board), words.squares(len(board))
    return {"kind": words.tour(closed), "board": size, "squares": squares}


def move_picture(board: Board, look: Look = USUAL) -> Picture:
    """Return the picture of all moves of the piece of a board from the square in its middle."""
    sheet = Sheet(board, look.words.move(board.piece), look, grid=True)
    middle = board.area // 2
    reached = board.neighbors(middle)
    sheet.draw_moves([(middle, square) for square in reached], "visited", thickness=1.2)
    sheet.draw_mark(disc_mark("given"), reached, radius=DOT_RADIUS)
    sheet.draw_mark(disc_mark("given"), [middle], radius=DISC_RADIUS)
    return sheet.finish()


def board_alone(picture: Picture, board: Board) -> Picture:
    """Return the part of a picture that shows its board, for a page that has its own text.

    A border of `BORDER` squares around the board has room for half of its outline.

    >>> board = Board(3, 4)
    >>> alone = board_alone(board_picture(board), board)
    >>> alone.width / alone.height == (4 + 2 * BORDER) / (3 + 2 * BORDER)
    True
    """
    left, top = picture.corner
    border = BORDER * picture.cell
    return replace(
        picture,
        width=board.columns * picture.cell + 2 * border,
        height=board.rows * picture.cell + 2 * border,
        origin=(left - border, top - border),
    )


def map_picture(text: str, look: Look = USUAL, closed: bool | None = None) -> Picture | None:
    """Return the picture of a map, or None for text that is no map with empty squares.

    It is the picture of a board or, with numbers or constraints, of a puzzle. ``closed`` is the
    kind of tour if the map does not state it. Raises `InputError` for constraints that contradict
    one another.

    >>> map_picture("1 . #\\n. . .\\n").description
    'puzzle: open tour of 2x3, 5 squares, 1 number'
    """
    if SQUARE not in text:
        return None
    try:
        board, constraints, contents = parse_map(text, {})
    except InputError:
        return None
    notes = contents.notes
    if not constraints and "kind" not in notes:
        return board_picture(board, look)
    given: Constraints = {} if closed is None else {"closed": closed}
    instance = Instance.of(text, **given)  # which raises an error if the map states another kind
    level = notes.get("level", notes.get("grade"))  # a grade in maps of older versions
    return instance_picture(instance, look, level, heading=notes.get("title"))


def task_sentence(instance: Instance, words: Words = ENGLISH) -> str:
    """Return the task as a sentence without the number of squares, which fits several puzzles."""
    piece = instance.board.piece
    if instance.steps and not instance.order:
        key = "write all numbers, closed" if instance.closed else "write all numbers"
        return words(key, move=words.move(piece))
    # With an order, another sentence tells whether the line is closed: see `fact_sentences`.
    key = "draw closed line" if instance.closed and not instance.order else "draw line"
    return words(key, moves=words.moves(piece))


def rule_sentences(instance: Instance, words: Words = ENGLISH) -> list[str]:
    """Return the rules as sentences: the task, and the known properties of board and tour."""
    first = task_sentence(instance, words)
    if instance.steps and not instance.order:
        key = "write numbers, closed" if instance.closed else "write numbers"
        first = words(key, count=len(instance.board), move=words.move(instance.board.piece))
    return [first, *fact_sentences(instance, words)]


def fact_sentences(instance: Instance, words: Words = ENGLISH) -> list[str]:
    """Return the properties of the board, and those known of the tour, as sentences."""
    board = instance.board
    sentences: list[str] = []
    if board.topology is not Topology.FLAT:
        sentences.append(words(f"rule {board.topology}"))
    if board.piece.blockable:
        sentences.append(words("rule horse"))
    if instance.order:
        sentences.append(words(_order_key(instance)))
    for bound in instance.having:
        feature = words(f"feature {bound.feature}")
        sentences.append(words(f"feature{bound.relation}", feature=feature, value=bound.value))
    if instance.symmetry:
        sentences.append(words("symmetry", symmetry=words(instance.symmetry)))
    return sentences


def _order_key(instance: Instance) -> str:
    """Return the key of the sentence on the squares that are visited in order."""
    key = "discs from the first" if instance.first == instance.order[0] else "discs"
    if instance.closed:
        return f"{key}, closed"
    return f"{key}, to the last" if instance.last == instance.order[-1] else key
