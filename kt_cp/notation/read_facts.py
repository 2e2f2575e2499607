"""Reading moves from facts of answer-set programs, or from what a solver such as clingo prints."""

from __future__ import annotations

import itertools
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
_TERM = r"[ \tA-Za-z_(),]*+"
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
    arguments: dict[str, list[str]] = {}
    for name, inside in read_items(_FACT, body, _WANTED):
        if inside:
            arguments.setdefault(name, []).append(inside)
    for places in _PLACES:
        moves = {name: _numbers(each, places) for name, each in arguments.items()}
        names = sorted(name for name, numbers in moves.items() if len(numbers))
        if len(names) > 1 and _PREFERRED not in names:
            raise UnreadableError(text, 0, f"the moves alone: they may be {' or '.join(names)}")
        if names:
            name = _PREFERRED if _PREFERRED in names else names[0]
            return moves[name].reshape(-1, places // 2)
    raise UnreadableError(text, 0, _WANTED)


def _numbers(arguments: list[str], places: int) -> Integers:
    """Return the numbers in the arguments of facts; none unless each has this many."""
    line = _TERM + rf"({NUMBER})(?!\w){_TERM}" * places + "\n"
    lines = "\n".join([*(inside.replace("\n", " ") for inside in arguments), ""])
    if not re.fullmatch(f"(?:{line})*+", lines, re.ASCII):
        return np.empty(0, dtype=np.int64)
    words = itertools.chain.from_iterable(re.findall(line, lines, re.ASCII))
    return np.array(list(map(int, words)), dtype=np.int64)


def facts_form(notation: Notation, numbers: Integers) -> Form:
    """Take the facts as moves between coordinates, or between ids."""
    naming: Naming
    if numbers.shape[1] == 1:
        naming = IdNaming(notation.first)
    else:
        naming = CoordinateNaming(notation.first, notation.column_first)
    return path_or_moves(notation, naming, numbers)
