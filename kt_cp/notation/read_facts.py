"""Reading moves from facts of answer-set programs, or from what a solver such as clingo prints."""

from __future__ import annotations

import re

import numpy as np

from kt_cp.notation.forms import Form, path_or_moves
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import CoordinateNaming, IdNaming, Naming
from kt_cp.notation.read_numbers import NUMBER
from kt_cp.notation.text import Integers, UnreadableError, read_items, without_comments

_WANTED = "a fact, as in move(1,1,2,3)."
# An argument may hold terms of one or two levels, as in move((1,1),(2,3)) and move(cell(1,1),…).
_INNER = r"[^().]*+(?:\([^().]*+(?:\([^().]*+\)[^().]*+)*+\)[^().]*+)*+"
_FACT = re.compile(rf"\s*+([A-Za-z_][A-Za-z0-9_']*+)(?:\(({_INNER})\))?+\s*+[.,;]?+")
_NUMBERS = re.compile(rf"(?<![\w-]){NUMBER}(?!\w)", re.ASCII)
_ARGUMENTS = re.compile(r"[\sA-Za-z_(),]*+")
_ANSWER = re.compile(r"^Answer: [^\n]*\n([^\n]*)$", re.MULTILINE)
_PREFERRED = "move"
_PLACES = (4, 2)  # row and column of both squares; both ids


def read_facts(text: str) -> Integers:
    """Read the facts that tell a move by four numbers, or by two ids; others are left out.

    Each move gives two rows, from and to: a pair for coordinates, a single number for an id.
    Where the text has a line ``Answer: 1``, as solvers print it, the answer is the line after it.
    Raises `UnreadableError` where there is no such fact, several answers, or several predicates
    that could be meant and none is ``move``.

    >>> read_facts("size(8). move(1,1,2,3). move((2,3),(4,2)).").tolist()
    [[1, 1], [2, 3], [2, 3], [4, 2]]
    """
    text = without_comments(text)
    answers = list(_ANSWER.finditer(text))
    if len(answers) > 1:
        raise UnreadableError(text, answers[1].start(), "the end: there is more than one answer")
    body = text
    if answers:
        body = "\n" * text.count("\n", 0, answers[0].start(1)) + answers[0][1]
    facts = [(fact[0], fact[1]) for fact in read_items(_FACT, body, _WANTED)]
    for places in _PLACES:
        moves = _moves(facts, places)
        if len(moves) > 1 and _PREFERRED in moves:
            moves = {_PREFERRED: moves[_PREFERRED]}
        if len(moves) > 1:
            names = " or ".join(sorted(moves))
            raise UnreadableError(text, 0, f"the moves alone: they may be {names}")
        for numbers in moves.values():
            return np.array(numbers, dtype=np.int64).reshape(-1, places // 2)
    raise UnreadableError(text, 0, _WANTED)


def _moves(facts: list[tuple[str, str]], places: int) -> dict[str, list[list[int]]]:
    """Collect the facts with this many numbers, by the name of their predicate."""
    moves: dict[str, list[list[int]]] = {}
    for name, arguments in facts:
        words = _NUMBERS.findall(arguments)
        if len(words) == places and _ARGUMENTS.fullmatch(_NUMBERS.sub("", arguments)):
            moves.setdefault(name, []).append([int(word) for word in words])
    return moves


def facts_form(notation: Notation, numbers: Integers) -> Form:
    """Take the facts as moves between coordinates, or between ids."""
    naming: Naming
    if numbers.shape[1] == 1:
        naming = IdNaming(notation.first)
    else:
        naming = CoordinateNaming(notation.first, notation.column_first)
    return path_or_moves(notation, naming, numbers)
