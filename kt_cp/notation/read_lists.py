"""Reading lists of whole numbers, coordinates, chess names, moves and facts.

They are in visiting order, but moves and facts may be in any order.
"""

from __future__ import annotations

import re

import numpy as np

from kt_cp.errors import join_words
from kt_cp.notation.forms import Form, SquaresForm, SuccessorsForm
from kt_cp.notation.notations import IdNaming, Notation, PairNaming, naming
from kt_cp.notation.text import (
    NUMBER,
    Integers,
    blanked,
    items_in,
    numbers_in,
    numbers_of,
    run_of,
    unreadable,
    without_comments,
)

# A list in a pair of brackets: of numbers, or of items that have brackets of their own.
_WRAPPED = re.compile(
    r"(\s*+)[\[({]([^\[\](){}]*+|\s*+[\[({].*[\])}]\s*+,?+\s*+)[\])}]([\s,;.]*+)", re.DOTALL
)

_NUMBERS = run_of(rf"\s*+{NUMBER}(?=[\s,;>]|->|\Z)\s*+(?:[,;]|->|>)?+")

_APART = r"(?:\s*+[,;/:]\s*+|\s++)"
_BRACKETED = rf"\s*+[(\[{{]\s*+{NUMBER}{_APART}{NUMBER}\s*+,?+\s*+[)\]}}]\s*+(?:[,;]|->?+|>)?+"
_TIGHT = rf"\s*+{NUMBER}[,/:]{NUMBER}(?=[\s;]|\Z)\s*+;?+"
_SLASHED = rf"\s*+{NUMBER}[/:]{NUMBER}\s*+(?:[,;]|\Z)"
_ONE_A_LINE = rf"\s*+{NUMBER}(?:[ \t]*+[,;/:][ \t]*+|[ \t]++){NUMBER}[ \t]*+[,;]?+[ \t]*+(?:\n|\Z)"

# A file of seven letters, or a rank of ten digits, is on no board.
_NAME = r"[A-Za-z]{1,6}+[0-9]{1,9}+"
_OPEN, _CLOSE = r"[\s(\[{'\"]*+", r"[\s)\]}'\"]*+"
_NAMES = run_of(rf"{_OPEN}{_NAME}(?![A-Za-z0-9])[+#!?]*+{_CLOSE}(?:[,;.]|->?+|>)?+{_CLOSE}")
_MOVES = run_of(
    rf"{_OPEN}{_NAME}(?:\s*+(?:->?+|>)\s*+)?+{_NAME}(?![A-Za-z0-9]|\s*+[->]){_CLOSE}[,;.]?+{_CLOSE}"
)
_NUMBER_OF_MOVE = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,9}+\.++(?=\s*+[A-Za-z])")
# The knight is Cavalier, caballo, huszár, jezdec, paard, ratsu or Springer elsewhere.
_KNIGHT = re.compile(r"\b([CHJNPRS])(?:x(?=[a-z]))?(?=[a-z]++[0-9])")
_NAMES_OF_KNIGHTS = re.compile(r"(?:[^A-Za-z]*+[nN]?[A-Za-z](?=[0-9]))*+[^A-Za-z]*+")
_ANY_KNIGHT = re.compile(r"[nN](?=[A-Za-z])")

# An argument may hold terms of one or two levels, as in move((1,1),(2,3)) and move(cell(1,1),…).
_INNER = r"[^().]*+(?:\([^().]*+(?:\([^().]*+\)[^().]*+)*+\)[^().]*+)*+"
_FACT = rf"\s*+([A-Za-z_][A-Za-z0-9_']*+)(?:\(({_INNER})\))?+\s*+[.,;]?+"
_FACTS, _ONE_FACT = run_of(_FACT), re.compile(_FACT)
_PLAIN_FACTS = run_of(rf"\s*+move\({NUMBER},{NUMBER},{NUMBER},{NUMBER}\)\.")
_TERM = r"[ \tA-Za-z_(),]*+"
_ANSWER = re.compile(r"^Answer: [^\n]*\n([^\n]*)$", re.MULTILINE)
_PLACES = (4, 2)  # row and column of both squares; both ids
_PREFERRED = "move"
_WANTED_FACT = "a fact, as in move(1,1,2,3)."


def read_numbers(text: str) -> list[Form]:
    """Read ids or successors, separated by blanks, commas or semicolons, perhaps in brackets.

    >>> read_numbers(("[4, 7, 0, 11]"))[0].numbers.ravel().tolist()
    [4, 7, 0, 11]
    """
    return forms_of_numbers(
        numbers_of(text, _NUMBERS, "a whole number, as in 4 7 0 11", _unwrapped)
    )


def forms_of_numbers(numbers: Integers) -> list[Form]:
    """Return numbers as ids in visiting order, and as the ids visited after each id."""
    paths = [SquaresForm(n, numbers[:, None], IdNaming(n.first)) for n in Notation.IDS.ways]
    return [*paths, *(SuccessorsForm(each, numbers) for each in Notation.SUCCESSORS.ways)]


def read_coords(text: str) -> list[Form]:
    """Read pairs in brackets, pairs joined by a comma, slash or colon, or one pair per line.

    >>> read_coords(("[(0, 0), (2, 1)]"))[0].numbers.tolist()
    [[0, 0], [2, 1]]
    """
    start = _unwrapped(text)
    looks = (_BRACKETED, _TIGHT, _SLASHED, _ONE_A_LINE)
    first = next((match for look in looks if (match := re.match(look, start, re.ASCII))), None)
    written = re.sub("[{}]", "", first[0]).strip(" \t\n,;->") if first else ""
    run = run_of(first.re.pattern if first else _BRACKETED)
    wanted = "a pair of whole numbers, as in (0, 0), (2, 1) or 0,0 2,1"
    pairs = numbers_of(text, run, wanted, _unwrapped).reshape(-1, 2)
    return forms_of_pairs(pairs, re.sub(r"-?[0-9]+", "{}", written))


def forms_of_pairs(pairs: Integers, form: str = "{},{}") -> list[Form]:
    """Return pairs of numbers as squares in visiting order; ``form`` is the format of a pair."""
    ways = Notation.COORDS.ways
    return [SquaresForm(n, pairs, PairNaming(n.first, n.column_first, form)) for n in ways]


def read_squares(text: str) -> list[Form]:
    """Read chess names in visiting order, without an N for the knight.

    >>> read_squares(("1. Na1 Nb3 2. Nc5"))[0].numbers.tolist()
    [[1, 1], [2, 3], [3, 5]]
    """
    numbers = _names(text, _NAMES, "a chess name, as in a1 b3 c5")
    return [SquaresForm(Notation.SQUARES, numbers, naming(Notation.SQUARES))]


def read_moves(text: str) -> list[Form]:
    """Read moves, which are a path if each begins where the one before ends.

    >>> read_moves(("a1-b3 b3-c5"))[0].numbers.tolist()
    [[1, 1], [2, 3], [3, 5]]
    """
    is_path, numbers = _path_or_moves(_names(text, _MOVES, "a move, as in a1-b3 b3-c5"))
    return [SquaresForm(Notation.MOVES, numbers, naming(Notation.MOVES), is_path)]


def read_facts(text: str) -> list[Form]:
    """Read the facts that are moves, of four numbers or two ids, and leave others out.

    If the text has a line ``Answer: 1``, as solvers print it, the answer is the line after it.
    Raises `UnreadableError` if there is no such fact, if there are several answers, or several
    predicates that could be meant and none is ``move``.

    >>> read_facts(("size(8). move(1,1,2,3). move((2,3),(4,2))."))[0].numbers.tolist()
    [[1, 1], [2, 3], [4, 2]]
    """
    ends, left_out = _moves_in_facts(text)
    is_path, numbers = _path_or_moves(ends)
    forms: list[Form] = []
    for each in Notation.FACTS.ways:
        names = naming(each) if numbers.shape[1] == 2 else IdNaming(each.first)
        forms.append(SquaresForm(each, numbers, names, is_path, remarks=left_out))
    return forms


def _unwrapped(plain: str) -> str:
    plain = without_comments(plain)
    if not (wrapped := _WRAPPED.fullmatch(plain)):
        return plain
    return f"{wrapped[1]} {wrapped[2]} {' ' * len(wrapped[3])}"


def _names(text: str, run: re.Pattern[str], wanted: str) -> Integers:
    """Return the files and ranks of chess names."""

    def without_knights(plain: str) -> str:
        plain = blanked(_NUMBER_OF_MOVE, without_comments(plain), ".")
        if len(set(_KNIGHT.findall(plain))) == 1:
            plain = blanked(_KNIGHT, plain, "CHJNPRS")
        return blanked(_ANY_KNIGHT, plain, "nN") if _NAMES_OF_KNIGHTS.fullmatch(plain) else plain

    return _files_and_ranks(items_in(text, run, wanted, without_knights))


def _files_and_ranks(plain: str) -> Integers:
    """Return the chess names in a text as rows of file and rank, both counted from 1."""
    codes = np.frombuffer(f"{plain.lower()}\n".encode(), dtype=np.uint8)
    letters = (codes >= ord("a")) & (codes <= ord("z"))
    places = np.flatnonzero(letters & ~np.roll(letters, 1))
    files = np.zeros(len(places), dtype=np.int32)
    names = np.arange(len(places))
    while len(names):
        files[names] = 26 * files[names] + codes[places[names]] - (ord("a") - 1)
        places[names] += 1
        names = names[letters[places[names]]]
    return np.stack([files, numbers_in(plain.replace("-", " "))], axis=1)


def _path_or_moves(ends: Integers) -> tuple[bool, Integers]:
    """Return whether moves are a path in their order, and its squares, or else their ends."""
    if (ends[1:-1:2] == ends[2::2]).all():
        return True, np.concatenate([ends[::2], ends[-1:]])
    return False, ends


def _moves_in_facts(text: str) -> tuple[Integers, tuple[str, ...]]:
    """Return the ends of moves, and which facts are left out."""
    if _PLAIN_FACTS.fullmatch(text):
        return numbers_in(text).reshape(-1, 2), ()
    plain = items_in(text, _FACTS, _WANTED_FACT, _the_answer)
    arguments: dict[str, list[str]] = {}
    for name, inside in _ONE_FACT.findall(plain):
        if inside:
            arguments.setdefault(name, []).append(inside)
    name, places, others = _predicate(arguments, plain)
    left_out = (f"without the facts {join_words(others)}",) if others else ()
    return _numbers(arguments[name], places).reshape(-1, places // 2), left_out


def _the_answer(plain: str) -> str:
    plain = without_comments(plain)
    if "(" not in plain:  # words, as in any text
        raise unreadable(plain, 0, _WANTED_FACT)
    answers = list(_ANSWER.finditer(plain))
    if len(answers) > 1:
        there = "the end: there is more than one answer"
        raise unreadable(plain, answers[1].start(), there)
    return " " * answers[0].start(1) + answers[0][1] if answers else plain


def _predicate(arguments: dict[str, list[str]], plain: str) -> tuple[str, int, list[str]]:
    """Return the predicate of the moves, the number of numbers in it, and others of the kind."""
    for places in _PLACES:
        names = sorted(name for name, each in arguments.items() if len(_numbers(each, places)))
        if len(names) > 1 and _PREFERRED not in names:
            wanted = f"the moves alone: they may be {' or '.join(names)}"
            raise unreadable(plain, 0, wanted)
        if names:
            name = _PREFERRED if _PREFERRED in names else names[0]
            return name, places, [other for other in names if other != name]
    raise unreadable(plain, 0, _WANTED_FACT)


def _numbers(arguments: list[str], places: int) -> Integers:
    """Return the numbers in the arguments of facts; none unless each fact has this many."""
    line = _TERM + rf"{NUMBER}(?![\w-]){_TERM}" * places + "\n"
    lines = "\n".join([*(inside.replace("\n", " ") for inside in arguments), ""])
    return numbers_in(lines if re.fullmatch(f"(?:{line})*+", lines, re.ASCII) else "")
