"""Read lists of ids, successors, coordinates, chess names and moves, and tours of TSPLIB.

Lists are in visiting order, but moves may be in any order. A reader returns the forms that a text
may have, and raises `UnreadableError` for a text that is not in its notation.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board.board import file_index
from kt_cp.notation.forms import Form, Stated, SuccessorForm, forms_in
from kt_cp.notation.notations import Naming, Notation, naming
from kt_cp.notation.text import (
    MAX_DIGITS,
    NUMBER,
    blank,
    check_items,
    numbers_in,
    run_of,
    unreadable,
)

# A list in a pair of brackets: of numbers, or of items that have brackets of their own.
_WRAPPED = re.compile(
    r"(\s*+)[\[({]([^\[\](){}]*+|\s*+[\[({].*[\])}]\s*+,?+\s*+)[\])}]([\s,;.]*+)", re.DOTALL
)
_LAST_COMMA = re.compile(r",(?=\s*+\Z)")
_MAX_NESTED = 9  # pairs of brackets around a list

# 4 7, 0 -> 11
_NUMBERS = run_of(rf"\s*+{NUMBER}(?=[\s,;>]|->|\Z)\s*+(?>(?:[,;]|->|>)?)")

# The ways to write a pair: in brackets, as in (0, 1), [2 3]; joined by a sign, as in 0,1 2,3 and in
# 0/1, 2/3; or alone on a line.
_BETWEEN = r"(?:\s*+[,;/:]\s*+|\s++)"
_PAIRS = (
    rf"\s*+[(\[{{]\s*+{NUMBER}{_BETWEEN}{NUMBER}\s*+,?+\s*+[)\]}}]\s*+(?>(?:[,;]|->?+|>)?)",
    rf"\s*+{NUMBER}[,/:]{NUMBER}(?=[\s;]|\Z)\s*+;?+",
    rf"\s*+{NUMBER}[/:]{NUMBER}\s*+(?:[,;]|\Z)",
    rf"\s*+{NUMBER}(?:[ \t]*+[,;/:][ \t]*+|[ \t]++){NUMBER}[ \t]*+[,;]?+[ \t]*+(?:\n|\Z)",
)

# A file of seven letters, or a rank of ten digits, is on no board.
_NAME = r"[A-Za-z]{1,6}+[0-9]{1,9}+"
_OPEN, _CLOSE = r"[\s(\[{'\"]*+", r"[\s)\]}'\"]*+"

# a1 b3!, ("c5") -> d7
_NAMES = run_of(rf"{_OPEN}{_NAME}(?![A-Za-z0-9])[+#!?]*+{_CLOSE}(?>(?:[,;.]|->?+|>)?){_CLOSE}")

# a1-b3 (b3 > c5), c5d7
_MOVES = run_of(
    rf"{_OPEN}{_NAME}(?>(?:\s*+(?:->?+|>)\s*+)?){_NAME}(?![A-Za-z0-9]|\s*+[->]){_CLOSE}[,;.]?+{_CLOSE}"
)

# The 12. in 12. a1 b3
_MOVE_NUMBER = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,9}+\.++(?=\s*+[A-Za-z])")
# The N in Na1, and the Nx in Nxb3. The knight is Cavalier, caballo, huszár, jezdec, paard, ratsu or
# Springer elsewhere.
_KNIGHT = re.compile(r"\b([CHJNPRS])(?:x(?=[a-z]))?(?=[a-z]++[0-9])")


def without_brackets(text: str) -> str:
    """Return the text of a list without a few nested pairs of brackets around it.

    Brackets are replaced by blanks, so that everything else stays in its place.
    """
    for _ in range(_MAX_NESTED):
        wrapped = _WRAPPED.fullmatch(text)
        if wrapped is None:
            break
        before, inside, after = wrapped.groups()
        text = f"{before} {_LAST_COMMA.sub(' ', inside)} {' ' * len(after)}"
    return text


def read_numbers(text: str) -> list[Form]:
    """Read ids or successors, separated by blanks, commas, semicolons or arrows."""
    check_items(text, _NUMBERS, "a whole number, as in 4 7 0 11")
    return forms_of_numbers(numbers_in(text))


def forms_of_numbers(numbers: Ints) -> list[Form]:
    """Return the forms of numbers: ids in visiting order, and successors of the ids."""
    successors = [_form_of_successors(numbers, each) for each in Notation.SUCCESSORS.variants]
    return [*forms_in(Notation.IDS, numbers[:, None]), *successors]


def _form_of_successors(numbers: Ints, notation: Notation) -> SuccessorForm:
    """Return the form of numbers that are the successors of the ids.

    The end of an open tour has no successor, which is written as one less than the first id. A hole
    is its own successor.
    """
    size, first = len(numbers), notation.first
    ids = np.arange(first, first + size)
    is_end = numbers == first - 1
    is_hole = numbers == ids
    moves = np.stack([ids, numbers], axis=1)[~is_end & ~is_hole]
    if is_end.any():
        moves = _first_move_to_each_square(moves)
    has_moves = len(moves) > 0
    return SuccessorForm(
        notation,
        moves.reshape(-1, 1) if has_moves else ids[is_end, None],
        Naming("{}", first),
        in_order=not has_moves,
        stated=Stated(size=size),
        holes=tuple(np.flatnonzero(is_hole).tolist()),
        plausible=int(numbers.max()) - first < size and int(np.count_nonzero(is_end)) <= 1,
    )


def _first_move_to_each_square(moves: Ints) -> Ints:
    """Return moves, as rows (from, to), without those that lead where an earlier one leads."""
    _, first_with_target = np.unique(moves[:, 1], return_index=True)
    return moves[np.sort(first_with_target)]


def read_coords(text: str) -> list[Form]:
    """Read pairs in brackets, pairs joined by a comma, slash or colon, or one pair per line.

    All pairs are written as the first one is.
    """
    pattern, first_pair = _pair_pattern(text)
    check_items(text, run_of(pattern), "a pair of whole numbers, as in (0, 0), (2, 1) or 0,0 2,1")
    without_braces = re.sub("[{}]", "", first_pair).strip(" \t\n,;->")
    template = re.sub(r"-?[0-9]+", "{}", without_braces)
    return forms_in(Notation.COORDS, numbers_in(text).reshape(-1, 2), template)


def _pair_pattern(text: str) -> tuple[str, str]:
    """Return the pattern of `_PAIRS` in which the first pair is written, and this pair.

    If the text begins with no pair, return the first pattern and an empty string.
    """
    for pattern in _PAIRS:
        first_pair = re.match(pattern, text, re.ASCII)
        if first_pair is not None:
            return pattern, first_pair[0]
    return _PAIRS[0], ""


def read_squares(text: str) -> list[Form]:
    """Read chess names in visiting order, as in ``1. Na1 Nb3 2. Nc5``."""
    return forms_in(Notation.SQUARES, _names(text, _NAMES, "a chess name, as in a1 b3 c5"))


def read_moves(text: str) -> list[Form]:
    """Read moves, which are a path if each begins where the one before ends."""
    in_order, numbers = path_or_moves(_names(text, _MOVES, "a move, as in a1-b3 b3-c5"))
    return forms_in(Notation.MOVES, numbers, in_order=in_order)


def _names(text: str, run: re.Pattern[str], wanted: str) -> Ints:
    """Return the chess names in a text as rows (file, rank), both counted from 1.

    Numbers of moves are left out, and so is the letter of the knight, if it is always the same.
    """
    plain = text
    has_letters = text.upper() != text.lower()
    if has_letters:  # a text without any is refused at once
        plain = _MOVE_NUMBER.sub(blank, plain)
        if len(set(_KNIGHT.findall(plain))) == 1:
            plain = _KNIGHT.sub(blank, plain)
    check_items(plain, run, wanted)
    letters = re.findall("[a-z]+", plain.lower())
    files = {each: file_index(each) + 1 for each in set(letters)}
    ranks = numbers_in(plain.replace("-", " "))
    return np.stack([np.array([files[each] for each in letters]), ranks], axis=1)


def path_or_moves(ends: Ints) -> tuple[bool, Ints]:
    """Return (True, squares of the path) if the moves are in order, otherwise (False, ends).

    ``ends`` has two rows for each move: its start, then its target.
    """
    if (ends[1:-1:2] == ends[2::2]).all():
        return True, np.concatenate([ends[::2], ends[-1:]])
    return False, ends


# -- tours of TSPLIB (Reinelt 1991) ---------------------------------------------------------------

_HEADER = re.compile(
    r"(?:[ \t]*+(?>(?:[A-Z_]++[ \t]*+:.*+)?)\n)*?[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+$", re.I | re.M
)
_DIMENSION = re.compile(r"(?im)^[ \t]*+DIMENSION[ \t]*+:[ \t]*+(\d{1,18}+)[ \t]*+$", re.ASCII)
_TOUR = re.compile(
    rf"(?>(?:\s*+[0-9]{{1,{MAX_DIGITS}}}+(?!\S))+)(?>(?:\s*+-1(?!\S))?)\s*+(?>(?:EOF)?)\s*+",
    re.I | re.A,
)


def read_tour(text: str) -> list[Form]:
    """Read the tour of a ``.tour`` file, as LKH and other solvers write it.

    Squares have numbers from 1, which skip holes, and the depot has the number after them. If a
    vertex may be the depot of an open tour, the tour is returned with it and without it. Raises
    `InputError` for any other text.
    """
    header = _HEADER.match(text)
    if header is None:
        wanted = "a TSPLIB file: lines such as TYPE : TOUR, then TOUR_SECTION"
        raise unreadable(text, 0, wanted)
    start = header.end()
    body = " " * start + text[start:]
    check_items(body, _TOUR, "the numbers of one tour, with -1 at the end")
    numbers = numbers_in(body)
    numbers = numbers[numbers >= 0]
    dimension = _DIMENSION.search(header[0])
    size = int(dimension[1]) if dimension else None
    form = Form(
        Notation.TSPLIB, numbers[:, None], naming(Notation.TSPLIB), stated=Stated(size=size)
    )
    depots = np.flatnonzero(numbers == len(numbers))
    if len(depots) != 1 or len(numbers) == 1 or size not in (None, len(numbers)):
        return [form]
    return [form, _without_depot(form, int(depots[0]))]


def _without_depot(form: Form, depot_index: int) -> Form:
    """Return the open tour that results from removing the depot from a closed one."""
    numbers = np.roll(form.numbers, -depot_index, axis=0)[1:]
    stated = Stated(closed=False, size=len(numbers), fills_board=True)
    remark = f"without the depot, vertex {len(numbers) + 1}"
    return replace(form, numbers=numbers, stated=stated, remarks=(remark,))
