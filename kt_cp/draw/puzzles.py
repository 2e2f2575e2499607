"""Pictures of boards and puzzles, with empty squares to write into, and pages to play them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kt_cp.board import Board, Topology
from kt_cp.board.maps import SQUARE
from kt_cp.draw.ground import NUMBER_SHARE, legible_cell
from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.picture import Picture, as_caption, disc_mark, polygon_mark
from kt_cp.draw.sheet import DISC_RADIUS, DISC_SHARE, DOT_RADIUS, Sheet
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance, parse_map
from kt_cp.puzzles.deduction import explain
from kt_cp.puzzles.facts import MoveFact, StepFact
from kt_cp.puzzles.puzzle import Level
from kt_cp.puzzles.words import ENGLISH, Phrase, Words

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
        sheet.draw_heads(arrows, "given")
        arrow = polygon_mark([(-0.4, -0.8), (0.8, 0), (-0.4, 0.8)], fill="given")
        sheet.add_legend(words("in this direction"), arrow)
    banned = [move[:2] for move in instance.forbid]
    sheet.draw_moves(
        banned, "fault", thickness=1.6, css_class="forbidden", dashes=(7, 6), legend=unused
    )


def instance_picture(
    instance: Instance, look: Look = USUAL, level: str | None = None, heading: str | None = None
) -> Picture:
    """Return the picture of an instance as a puzzle to be solved with a pencil.

    The caption is the ``heading``, or without one the kind of tour, and the ``level``; the legend
    has the rules. Raises `InputError` if the board is so large that numbers are illegible.

    >>> instance_picture(Instance.of(Board(3, 3, holes=[4]), givens={0: 1, 5: 2})).description
    'puzzle: open tour of 3x3, 8 squares, 2 numbers'
    """
    board = instance.board
    words = look.words
    title = words("puzzle caption", **caption_values(board, instance.closed, words))
    levels = [words.level(level)] if level else []
    if heading and look.title is None:
        look = replace(look, title=words.join([heading, *levels]))
    share = _number_share(instance)
    length = len(str(len(board)))
    caption = words.join([title, *levels])
    sheet = Sheet(board, caption, look, least_cell=legible_cell(length, share), grid=True)
    for text in rule_sentences(instance, words):
        sheet.add_legend(text)
    draw_constraints(sheet, instance)
    ends = {end for move in instance.require for end in move[:2]}
    sheet.draw_mark(_CLUE_DISC, sorted(ends.union(instance.order)), radius=DISC_RADIUS)
    order = {square: position for position, square in enumerate(instance.order, start=1)}
    numbers = {square: step for step, square in instance.steps.items() if square not in order}
    clues = order | numbers
    if not sheet.can_write(max((len(str(clue)) for clue in clues.values()), default=0), share):
        raise InputError(f"board {board.size}: the numbers of so large a puzzle are illegible")
    sheet.write_words([*clues], clues.values(), share=share, fill="given", bold=True)
    counts = [words.squares(len(order))] if order else []
    if numbers:
        counts.append(words.counted(len(numbers), "one number", "several numbers"))
    if instance.require and not order:
        counts.append(words.counted(len(instance.require), "one move", "several moves"))
    return sheet.finish(words.join([title, *counts]))


def _number_share(instance: Instance) -> float:
    """Return the share of a square's side that a number takes; with moves it is on a disc."""
    has_discs = instance.order or instance.require or instance.forbid
    return DISC_SHARE if has_discs else NUMBER_SHARE


def least_cell(instance: Instance, look: Look, size: float) -> float:
    """Return the least side of a square for numbers whose font has a size, in the same unit.

    It suffices for the picture of a puzzle and for that of its solution.
    """
    share = _number_share(instance) * look.number_scale
    return legible_cell(len(str(len(instance.board))), share, size)


def solution_picture(puzzle: Puzzle, look: Look = USUAL) -> Picture:
    """Return the picture of the solution of a puzzle on its grid, the given numbers bold."""
    tour = puzzle.solution
    words = look.words
    title = words("solution caption", **caption_values(tour.board, tour.closed, words))
    length = len(str(len(tour)))
    sheet = Sheet(tour.board, title, look, least_cell=legible_cell(length), grid=True)
    sheet.draw_moves(tour.moves, "faint", thickness=0.6)
    steps = {square: step for step, square in enumerate(tour.squares.tolist(), start=1)}
    steps_to_find = {square: step for square, step in steps.items() if square not in puzzle.givens}
    for shown, fill in ((steps_to_find, "ink"), (puzzle.givens, "given")):
        sheet.write_words(
            [*shown],
            shown.values(),
            share=NUMBER_SHARE,
            fill=fill,
            bold=fill == "given",
            word_length=length,
            on_disc=True,
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
    sheet.draw_moves([(middle, square) for square in reached], "faint", thickness=0.8)
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
    return instance_picture(instance, look, notes.get("level"), heading=notes.get("title"))


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
        key = "discs from the first" if instance.first == instance.order[0] else "discs"
        if instance.closed:
            key += ", closed"
        elif instance.last == instance.order[-1]:
            key += ", to the last"
        sentences.append(words(key))
    for bound in instance.having:
        feature = words(f"feature {bound.feature}")
        sentences.append(words(f"feature{bound.relation}", feature=feature, value=bound.value))
    if instance.symmetry:
        sentences.append(words("symmetry", symmetry=words(instance.symmetry)))
    return sentences


# -- pages -----------------------------------------------------------------------------------------

PUZZLE_STYLES = ("board.css", "puzzle.css")
"""The style sheets of the player of puzzles."""

# On larger boards, deductions would take minutes.
_MAX_FULLY_EXPLAINED = 100  # squares of a board for which all deductions are listed
_MAX_SIMPLY_EXPLAINED = 400  # squares of a board for which the simple deductions are listed


def puzzle_page(puzzles: Puzzle | Sequence[Puzzle], look: Look = USUAL) -> str:
    """Return an HTML page on which a puzzle, or one of several from a list, is played offline.

    Only the theme and the words of the ``look`` are used. Raises `InputError` for a board too large
    for a page.
    """
    words = look.words
    puzzle_list = puzzles if isinstance(puzzles, Sequence) else [puzzles]
    data = [puzzle_data(puzzle, words) for puzzle in puzzle_list]
    title = str(data[0]["title"])
    if len(puzzle_list) > 1:
        title = words("several puzzles", count=len(puzzle_list))
    return html_page(
        title,
        "",
        "puzzle-page.js",
        {"puzzles": data, "words": dict(words.texts)},
        look,
        controls="puzzle.html",
        styles=("page.css", *PUZZLE_STYLES),
    )


def puzzle_data(puzzle: Puzzle, words: Words = ENGLISH) -> dict[str, object]:
    """Return the data of a puzzle for the player's scripts, as plain values.

    Squares are ids. Raises `InputError` for a board too large for a page.
    """
    instance = puzzle.instance
    board = instance.board
    summary = words("summary", **caption_values(board, instance.closed, words))
    title = as_caption(puzzle.title or summary)
    level_name = None
    if puzzle.level:
        level_name = words.level(puzzle.level)
        title = words.join([title, level_name])
    return {
        **board_data(board),
        "title": title,
        "level": level_name,
        "rules": _player_rules(instance, words),
        "move": words.move(board.piece),
        "neighbors": [
            list(map(int, board.neighbors(square))) if square in board else []
            for square in range(board.area)
        ],
        "closed": instance.closed,
        "count": len(board),
        # Without a number given, a closed tour may begin anywhere and run in either direction.
        "fixedNumbering": bool(instance.steps) or not instance.closed,
        "givens": [(square, step) for step, square in instance.steps.items()],
        "moves": [move[:2] for move in instance.require],
        "forbidden": [move[:2] for move in instance.forbid],
        "order": instance.order,
        "solution": puzzle.solution.squares.tolist(),
        "deductions": _deductions(instance, words),
    }


def _player_rules(instance: Instance, words: Words) -> list[str]:
    """Return the rules as sentences, with those on numbering and on given moves."""
    board = instance.board
    sentences = rule_sentences(instance, words)
    if instance.order or not instance.steps:  # then the task is to draw a line
        sentences.append(words("number the line", count=len(board)))
    if instance.require:
        sentences.append(words("moves given"))
    for move in instance.require:
        if move.directed:
            first, last = map(board.name, move[:2])
            sentences.append(words("tour goes", first=first, last=last))
    return sentences


def _deductions(instance: Instance, words: Words) -> list[dict[str, object]]:
    """Return the deductions that a person can make, in order, each with its reason.

    Each states the ``number`` of a square, or that its moves, pairs of ids, are ``used`` or not.
    The id of the outside, which is joined to both ends of an open tour, is the area of the board.
    """
    board = instance.board
    if len(board) > _MAX_SIMPLY_EXPLAINED:
        return []
    hardest = Level.MASTERS if len(board) <= _MAX_FULLY_EXPLAINED else Level.MEDIUM
    entries: list[dict[str, object]] = []
    for deduction in explain(instance, hardest):
        first = deduction.facts[0]
        why = deduction.sentence
        if isinstance(first, StepFact):
            reason = why.values["why"]
            assert isinstance(reason, Phrase)
            entry = {"square": first.square, "number": first.step, "why": words.phrase(reason)}
        else:
            moves = [
                (fact.square, board.area if fact.other is None else fact.other)
                for fact in deduction.facts
                if isinstance(fact, MoveFact)
            ]
            entry = {"moves": moves, "used": first.used, "why": words.phrase(why)}
        entries.append(entry)
    return entries
