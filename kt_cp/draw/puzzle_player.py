"""The page on which puzzles are played offline, with hints and their solutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kt_cp.draw.look import USUAL, Look
from kt_cp.draw.page import board_data, html_page
from kt_cp.draw.puzzle import caption_values, rule_sentences
from kt_cp.draw.wording import as_caption
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.deduction import explain
from kt_cp.puzzles.facts import MoveFact
from kt_cp.puzzles.puzzle import Level
from kt_cp.puzzles.words import ENGLISH, Words

if TYPE_CHECKING:
    from kt_cp.puzzles.puzzle import Puzzle

PLAYER_SCRIPTS = (
    "elements.js",
    "words.js",
    "board-shape.js",
    "keys.js",
    "game.js",
    "places.js",
    "trials.js",
    "hints.js",
    "saved.js",
    "result.js",
    "number-entry.js",
    "puzzle-board.js",
    "puzzle-controls.js",
    "puzzle-advice.js",
    "puzzle-keys.js",
    "puzzle.js",
)
"""The scripts of the player of puzzles, in the order in which a page loads them."""

PLAYER_STYLES = ("board.css", "puzzle.css")
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
    listed = puzzles if isinstance(puzzles, Sequence) else [puzzles]
    data = [puzzle_data(puzzle, words) for puzzle in listed]
    title = str(data[0]["title"])
    if len(listed) > 1:
        title = words("several puzzles", count=len(listed))
    return html_page(
        title,
        "",
        [*PLAYER_SCRIPTS, "puzzle-page.js"],
        {"puzzles": data, "words": dict(words.texts)},
        look,
        controls="puzzle.html",
        styles=("page.css", *PLAYER_STYLES),
    )


def puzzle_data(puzzle: Puzzle, words: Words = ENGLISH) -> dict[str, object]:
    """Return the data of a puzzle for the player's scripts, as plain values.

    Squares are ids. Raises `InputError` for a board too large for a page.
    """
    instance, board = puzzle.instance, puzzle.instance.board
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
        "neighbors": [_neighbors(instance, square) for square in range(board.area)],
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


def _neighbors(instance: Instance, square: int) -> list[int]:
    """Return the squares one move away, in either direction; none for a hole."""
    board = instance.board
    return [int(other) for other in board.neighbors(square)] if square in board else []


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
    """Return the deductions about moves that a person can make, in order, with their reasons.

    Each states that its moves, pairs of ids, are ``used`` or not. The id of the outside, which is
    joined to both ends of an open tour, is the area of the board. Deductions about steps are
    omitted, since the page counts by itself.
    """
    board = instance.board
    if len(board) > _MAX_SIMPLY_EXPLAINED:
        return []
    hardest = Level.MASTERS if len(board) <= _MAX_FULLY_EXPLAINED else Level.MEDIUM
    listed: list[dict[str, object]] = []
    for deduction in explain(instance, hardest):
        facts = [fact for fact in deduction.facts if isinstance(fact, MoveFact)]
        if facts:
            moves = [
                (fact.square, board.area if fact.other is None else fact.other) for fact in facts
            ]
            used = facts[0].used  # the same in all facts of a deduction
            listed.append({"moves": moves, "used": used, "why": words.phrase(deduction.sentence)})
    return listed
