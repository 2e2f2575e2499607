"""Reading text: numbered boards, lists of numbers, pairs, chess names and moves, facts, TSPLIB.

Lists are in visiting order, but moves and facts may be in any order. A reader raises
`UnreadableError` for what is not written in its notation.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from kt_cp.board import Board
from kt_cp.board.board import file_index, file_letters
from kt_cp.errors import InputError, join_words
from kt_cp.notation.forms import HOLE, UNNUMBERED, Form, forms_in
from kt_cp.notation.notations import Naming, Notation, naming
from kt_cp.notation.text import Integers, UnreadableError, blank

# A longer string of digits is no square and no step of any board.
MAX_DIGITS = 18
_NUMBER = rf"-?+\d{{1,{MAX_DIGITS}}}+"
_WORD = re.compile(r"\S{1,20}")
_COMMENT = re.compile(r"^[ \t]*(?:#|%|//).*$", re.MULTILINE)
# A list in a pair of brackets: of numbers, or of items that have brackets of their own.
_WRAPPED = re.compile(
    r"(\s*+)[\[({]([^\[\](){}]*+|\s*+[\[({].*[\])}]\s*+,?+\s*+)[\])}]([\s,;.]*+)", re.DOTALL
)
_LAST_COMMA = re.compile(r",(?=\s*+\Z)")
_MOST_NESTED = 9  # pairs of brackets around a list
_NO_SIGN = re.compile(r"-(?![0-9])")
_TO_BLANKS = bytes(byte if byte in b"-0123456789" else ord(" ") for byte in range(256))


def readers(text: str) -> dict[Notation, Callable[[], list[Form]]]:
    """Return the functions that read a text in each notation of text but JSON."""
    bare = _COMMENT.sub(blank, text)
    items = _without_brackets(bare)
    return {
        Notation.GRID: partial(read_grid, text),
        Notation.IDS: partial(read_numbers, items),
        Notation.SQUARES: partial(read_squares, items),
        Notation.COORDS: partial(read_coords, items),
        Notation.MOVES: partial(read_moves, items),
        Notation.FACTS: partial(read_facts, bare),
        Notation.TSPLIB: partial(read_tsplib, text),
    }


def _without_brackets(text: str) -> str:
    """Return a list without the brackets around it, of which a few pairs may be nested."""
    for _ in range(_MOST_NESTED):
        if (wrapped := _WRAPPED.fullmatch(text)) is None:
            break
        text = f"{wrapped[1]} {_LAST_COMMA.sub(' ', wrapped[2])} {' ' * len(wrapped[3])}"
    return text


def unreadable(text: str, place: int, wanted: str) -> UnreadableError:
    """Return an error that names line and column, what stands there and what is expected."""
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    word = _WORD.match(text, place)
    at_end = "the end of the text" if place >= len(text) else "a gap"
    found = f"{repr(word[0]) if word else at_end} where there should be {wanted}"
    return UnreadableError(f"line {line}, column {column}: {found}", place)


def _run_of(item: str) -> re.Pattern[str]:
    """Compile a pattern that matches as many items as there are, in linear time."""
    return re.compile(rf"(?>(?:{item})*)\s*+", re.ASCII)


def _items_in(text: str, run: re.Pattern[str], wanted: str) -> str:
    """Return a text that consists of items. Raises `UnreadableError` for anything else."""
    end = match.end() if (match := run.match(text)) else 0
    if end < len(text) or not text.strip():
        raise unreadable(text, end, wanted)
    return text


def _numbers_in(plain: str) -> Integers:
    """Return the whole numbers in a text with anything else between them; as int32 if they fit."""
    digits = _NO_SIGN.sub(" ", plain).encode().translate(_TO_BLANKS)
    if digits.isspace() or not digits:
        return np.empty(0, dtype=np.int32)
    numbers = np.fromstring(digits, dtype=np.int64, sep=" ")
    fits = max(numbers.max(), ~numbers.min()) <= np.iinfo(np.int32).max
    return numbers.astype(np.int32) if fits else numbers


_NUMBERS = _run_of(rf"\s*+{_NUMBER}(?=[\s,;>]|->|\Z)\s*+(?>(?:[,;]|->|>)?)")


def read_numbers(text: str) -> list[Form]:
    """Read ids or successors, separated by blanks, commas or semicolons, perhaps in brackets."""
    wanted = "a whole number, as in 4 7 0 11"
    return forms_of_numbers(_numbers_in(_items_in(text, _NUMBERS, wanted)))


def forms_of_numbers(numbers: Integers) -> list[Form]:
    """Return numbers as ids in visiting order, and as the ids visited after each id."""
    forms, size = forms_in(Notation.IDS, numbers[:, None]), len(numbers)
    for each in Notation.SUCCESSORS.ways:
        own = np.arange(each.first, each.first + size)
        ends = numbers == each.first - 1  # of an open tour
        moves = np.stack([own, numbers], axis=1)[~ends & (numbers != own)]
        if ends.any():  # two squares with the same successor are no path, though their moves are
            moves = moves[np.sort(np.unique(moves[:, 1], return_index=True)[1])]
        form = Form(
            each,
            moves.reshape(-1, 1) if len(moves) else own[ends, None],
            Naming("{}", each.first),
            in_order=not len(moves),
            size=size,
            idle=tuple(np.flatnonzero(numbers == own).tolist()),
            plausible=int(numbers.max()) - each.first < size and int(np.count_nonzero(ends)) <= 1,
        )
        forms.append(form)
    return forms


_APART = r"(?:\s*+[,;/:]\s*+|\s++)"
_PAIRS = (
    rf"\s*+[(\[{{]\s*+{_NUMBER}{_APART}{_NUMBER}\s*+,?+\s*+[)\]}}]\s*+(?>(?:[,;]|->?+|>)?)",
    rf"\s*+{_NUMBER}[,/:]{_NUMBER}(?=[\s;]|\Z)\s*+;?+",
    rf"\s*+{_NUMBER}[/:]{_NUMBER}\s*+(?:[,;]|\Z)",
    rf"\s*+{_NUMBER}(?:[ \t]*+[,;/:][ \t]*+|[ \t]++){_NUMBER}[ \t]*+[,;]?+[ \t]*+(?:\n|\Z)",
)


def read_coords(text: str) -> list[Form]:
    """Read pairs in brackets, pairs joined by a comma, slash or colon, or one pair per line."""
    first = next((match for pair in _PAIRS if (match := re.match(pair, text, re.ASCII))), None)
    written = re.sub("[{}]", "", first[0]).strip(" \t\n,;->") if first else ""
    wanted = "a pair of whole numbers, as in (0, 0), (2, 1) or 0,0 2,1"
    pairs = _items_in(text, _run_of(first.re.pattern if first else _PAIRS[0]), wanted)
    pair = re.sub(r"-?[0-9]+", "{}", written)
    return forms_in(Notation.COORDS, _numbers_in(pairs).reshape(-1, 2), pair)


# A file of seven letters, or a rank of ten digits, is on no board.
_NAME = r"[A-Za-z]{1,6}+[0-9]{1,9}+"
_OPEN, _CLOSE = r"[\s(\[{'\"]*+", r"[\s)\]}'\"]*+"
_NAMES = _run_of(rf"{_OPEN}{_NAME}(?![A-Za-z0-9])[+#!?]*+{_CLOSE}(?>(?:[,;.]|->?+|>)?){_CLOSE}")
_MOVES = _run_of(
    rf"{_OPEN}{_NAME}(?>(?:\s*+(?:->?+|>)\s*+)?){_NAME}(?![A-Za-z0-9]|\s*+[->]){_CLOSE}[,;.]?+{_CLOSE}"
)
_NUMBER_OF_MOVE = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,9}+\.++(?=\s*+[A-Za-z])")
# The knight is Cavalier, caballo, huszár, jezdec, paard, ratsu or Springer elsewhere.
_KNIGHT = re.compile(r"\b([CHJNPRS])(?:x(?=[a-z]))?(?=[a-z]++[0-9])")


def read_squares(text: str) -> list[Form]:
    """Read chess names in visiting order, as in ``1. Na1 Nb3 2. Nc5``."""
    return forms_in(Notation.SQUARES, _names(text, _NAMES, "a chess name, as in a1 b3 c5"))


def read_moves(text: str) -> list[Form]:
    """Read moves, which are a path if each begins where the one before ends."""
    in_order, numbers = _path_or_moves(_names(text, _MOVES, "a move, as in a1-b3 b3-c5"))
    return forms_in(Notation.MOVES, numbers, in_order=in_order)


def _names(text: str, run: re.Pattern[str], wanted: str) -> Integers:
    """Return the chess names in a text as rows of file and rank, both counted from 1."""
    plain = text
    if text.upper() != text.lower():  # without letters it is refused at once
        plain = _NUMBER_OF_MOVE.sub(blank, plain)
        plain = _KNIGHT.sub(blank, plain) if len(set(_KNIGHT.findall(plain))) == 1 else plain
    _items_in(plain, run, wanted)
    letters = re.findall("[a-z]+", plain.lower())
    files = {each: file_index(each) + 1 for each in set(letters)}
    ranks = _numbers_in(plain.replace("-", " "))
    return np.stack([np.array([files[each] for each in letters]), ranks], axis=1)


def _path_or_moves(ends: Integers) -> tuple[bool, Integers]:
    """Return whether moves are a path in their order, and its squares, or else their ends."""
    if (ends[1:-1:2] == ends[2::2]).all():
        return True, np.concatenate([ends[::2], ends[-1:]])
    return False, ends


# An argument may be a term, as in move((1,1),(2,3)) and move(cell(1,1),cell(2,3)).
_INNER = r"[^().]*+(?>(?:\([^().]*+\)[^().]*+)*)"
_FACT = rf"\s*+([A-Za-z_][A-Za-z0-9_']*+)(?>(?:\(({_INNER})\))?)\s*+[.,;]?+"
_FACTS, _ONE_FACT = _run_of(_FACT), re.compile(_FACT)
_ARGUMENTS = re.compile(rf"(?:\s*(?:[A-Za-z_]\w*\()?[(),\s]*{_NUMBER}(?![\w-])[(),\s]*)+", re.ASCII)
_ANSWER = re.compile(r"^[ \t]*Answer: [^\n]*\n([^\n]*)$", re.MULTILINE)
_WANTED_FACT = "a fact, as in move(1,1,2,3)."


def read_facts(text: str) -> list[Form]:
    """Read the facts that are moves, of four numbers or two ids, and leave others out.

    They are the facts ``move``, or those of the only predicate that could be meant. If the text has
    a line ``Answer: 1``, as solvers print it, the answer is the line after it.
    """
    if "(" not in text:
        raise unreadable(text, 0, _WANTED_FACT)
    answers = list(_ANSWER.finditer(text))
    if len(answers) > 1:
        raise InputError("there is more than one answer; give one of them")
    if answers:
        text = " " * answers[0].start(1) + answers[0][1]
    facts: dict[str, list[list[str]]] = {}
    for name, inside in _ONE_FACT.findall(_items_in(text, _FACTS, _WANTED_FACT)):
        if inside:
            found = re.findall(_NUMBER, inside) if _ARGUMENTS.fullmatch(inside) else []
            facts.setdefault(name, []).append(found)
    moves = {name for name, each in facts.items() if {*map(len, each)} in ({4}, {2})}
    move = "move" if "move" in moves else min(moves, default="")
    others = sorted(moves - {move})
    if others and move != "move":
        raise unreadable(text, 0, f"the moves alone: they may be {' or '.join(sorted(moves))}")
    if not moves:
        raise unreadable(text, 0, _WANTED_FACT)
    width = len(facts[move][0]) // 2
    in_order, numbers = _path_or_moves(np.array(facts[move], dtype=np.int64).reshape(-1, width))
    remarks = (f"without the facts {join_words(others)}",) if others else ()
    forms = forms_in(Notation.FACTS, numbers, in_order=in_order, remarks=remarks)
    if width == 2:
        return forms
    return [replace(form, naming=Naming("{}", form.notation.first)) for form in forms]


_HEADER = re.compile(
    r"(?:[ \t]*+(?>(?:[A-Z_]++[ \t]*+:.*+)?)\n)*?[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+$", re.I | re.M
)
_DIMENSION = re.compile(r"(?im)^[ \t]*+DIMENSION[ \t]*+:[ \t]*+(\d{1,18}+)[ \t]*+$", re.ASCII)
_TOUR = re.compile(
    rf"(?>(?:\s*+[0-9]{{1,{MAX_DIGITS}}}+(?!\S))+)(?>(?:\s*+-1(?!\S))?)\s*+(?>(?:EOF)?)\s*+",
    re.I | re.A,
)


def read_tsplib(text: str) -> list[Form]:
    """Read the one tour of a ``.tour`` file (Reinelt 1991), as LKH and other solvers write it."""
    header = _HEADER.match(text)
    if header is None:
        wanted = "a TSPLIB file: lines such as TYPE : TOUR, then TOUR_SECTION"
        raise unreadable(text, 0, wanted)
    start, wanted = header.end(), "the numbers of one tour, with -1 at the end"
    numbers = _numbers_in(_items_in(" " * start + text[start:], _TOUR, wanted))
    numbers = numbers[numbers >= 0]
    dimension = _DIMENSION.search(header[0])
    size = int(dimension[1]) if dimension else None
    form = Form(Notation.TSPLIB, numbers[:, None], naming(Notation.TSPLIB), size=size)
    depots = np.flatnonzero(numbers == len(numbers))
    if len(depots) != 1 or len(numbers) == 1 or size not in (None, len(numbers)):
        return [form]
    return [form, _without_depot(form, int(depots[0]))]


def _without_depot(form: Form, place: int) -> Form:
    """Return a closed tour as the open one that begins after the depot and ends before it."""
    numbers = np.roll(form.numbers, -place, axis=0)[1:]
    remark = f"without the depot, vertex {len(numbers) + 1}"
    changed = replace(form, numbers=numbers, size=len(numbers), fills_board=True)
    return replace(changed, closed=False, remarks=(remark,))


_WANTED_CELL = "a numbered board: a step, '#' for a hole or '.' for a square without a number"
_BARS = "|\u2502\u2503\u2551"
_FRAME = re.compile(rf"(?=.*(?:--|:-|-:|==|__|[+\u2500-\u257f]))[\s+\-=_:{_BARS}\u2500-\u257f]*+")
_SEPARATOR = re.compile(rf"[{_BARS},;\t]")
_ROW_END = re.compile(r"[\])}]\s*+,?+\s*+[\[({]")
_FLUFF = str.maketrans("[](){}\"'", " " * 8)
_CELL = rf"[0-9]{{1,{MAX_DIGITS}}}+|#++|-1|-++|\.++|_++|[xX*]++|nan|NaN|null|None"
_CELLS, _ONE_CELL = _run_of(rf"\s*+(?:{_CELL})(?!\S)"), re.compile(_CELL)
_WORDS = re.compile(r"[A-Za-z]{2}")
_MOST_ALIGNED = 20  # times as wide as the average row
_MOST_NARROW = 2_000  # rows; more with fewer columns are a list, which would take long to try


def read_grid(text: str) -> list[Form]:
    """Read a numbered board: each cell has a step, or a mark for a hole or for no step.

    Only ``#`` marks a hole; a cell that is empty or holds a mark such as ``-`` is a square without
    a number. Frames and labels around the board are left out: a line of the letters a, b, c, …, and
    a line or column that counts and repeats numbers of the board; so is the number of a page.
    """
    lines, remarks = _without_page(_lines(text))
    rows = dict(zip(lines, _separated([*lines.values()]), strict=True))
    for first, *others in ([*rows], [*rows][::-1]):
        # Labels above or below, without one for the columns of labels.
        if others and len(rows[first]) < len(rows[others[0]]) and _counts(rows[first]):
            del rows[first]
    if len({*map(len, rows.values())}) > 1:
        rows = _aligned({line: lines[line] for line in rows}) or rows
    top = min(rows)
    for line, row in rows.items():
        if len(row) != len(rows[top]):
            message = f"line {line}: {len(row)} cells, where line {top} has {len(rows[top])}"
            raise UnreadableError(message, len(text))
    cells = np.array([*rows.values()], dtype=np.int64)
    for _ in range(2):
        if _are_labels(cells[0], cells[1:]):
            cells = cells[1:]
        if _are_labels(cells[-1], cells[:-1]):
            cells = cells[:-1]
        cells = cells.T
    if int(cells.max()) < 0:
        raise unreadable(text, 0, _WANTED_CELL)
    return forms_of_grid(cells, remarks)


def forms_of_grid(cells: Integers, remarks: tuple[str, ...] = ()) -> list[Form]:
    """Return numbers in rows and columns as steps; those below 0 but `HOLE` are none."""
    rows, columns = cells.shape
    board = Board(rows, columns, np.flatnonzero(cells == HOLE).tolist())
    flat = cells.ravel()
    numbered = np.flatnonzero(flat >= 0)
    ids = numbered[np.argsort(flat[numbered], kind="stable")]
    zeros = ids[: np.searchsorted(flat[ids], 1)]
    forms = []
    for each in Notation.GRID.ways:
        path = ids[len(zeros) * each.first :]
        form = Form(each, path[:, None], Naming("{}"), steps=flat[path], first=each.first)
        idle = tuple(zeros.tolist())
        forms.append(replace(form, board=board, drawn=True, idle=idle, remarks=remarks))
    return forms


def _lines(text: str) -> dict[int, str]:
    """Return the rows by the number of the line, without brackets and quotes."""
    plain = _ROW_END.sub(_line_end, text).translate(_FLUFF)
    if "\n" not in plain.strip():
        plain = plain.replace(";", "\n")  # a matrix of MATLAB
    spaced, place = _SEPARATOR.sub(" ", plain), 0
    rows: dict[int, str] = {}
    lines = zip(plain.split("\n"), spaced.split("\n"), strict=True)
    for number, (line, words) in enumerate(lines, start=1):
        if not _is_no_row(line, words.split()):
            rows[number] = line
            end = cells.end() if (cells := _CELLS.match(words)) else 0
            if end < len(words):
                error = unreadable(spaced, place + end, _WANTED_CELL)
                error.place *= "(" not in text  # these brackets are those of coordinates
                raise error
            if len(rows) == _MOST_NARROW and max(map(len, _separated([*rows.values()]))) < 3:
                break
        place += len(line) + 1
    else:
        if rows:
            return rows
    raise unreadable(text, 0, _WANTED_CELL)


def _line_end(row_end: re.Match[str]) -> str:
    """Return what parts two rows in brackets as line ends, as many as there are, or one."""
    if "\n" in row_end[0]:
        return re.sub(r"[^\n]", " ", row_end[0])
    return "\n".ljust(len(row_end[0]))


def _is_no_row(line: str, words: list[str]) -> bool:
    """Return whether a line is empty, part of a frame, a comment, or a row of letters."""
    if not words or _FRAME.fullmatch(line) or words[0].startswith(("%", "//")):
        return True
    if words[0].startswith("#"):  # a comment, unless it begins as a row does
        return bool(_WORDS.search(line)) or not all(map(_ONE_CELL.fullmatch, words[:2]))
    if words[0] in ("a", "A"):
        return [*map(str.lower, words)] == [*map(file_letters, range(len(words)))]
    return line.lstrip().startswith(";") and bool(_WORDS.search(line))


def _steps(words: Iterable[str]) -> list[int]:
    """Return the numbers in cells, and what stands for the marks in others."""
    return [
        int(word) if word.isdecimal() else HOLE if word[:1] == "#" else UNNUMBERED for word in words
    ]


def _separated(rows: list[str]) -> list[list[int]]:
    """Return the cells of rows, also those empty between separators, but for outer columns."""
    table = [[cell.split() for cell in _SEPARATOR.split(row)] for row in rows]
    if len({*map(len, table)}) > 1 or any(len(cell) > 1 for row in table for cell in row):
        return [_steps(itertools.chain(*row)) for row in table]
    columns = [*zip(*table, strict=True)]
    for side in (0, -1):
        if not any(columns[side]):
            del columns[side]
    return [_steps("".join(cell) for cell in row) for row in zip(*columns, strict=True)]


def _aligned(rows: dict[int, str]) -> dict[int, list[int]] | None:
    """Return the cells of aligned columns, or None if a column has two words of a row."""
    width = max(map(len, rows.values()))
    if width * len(rows) > _MOST_ALIGNED * sum(map(len, rows.values())):
        return None  # a few long rows among short ones are no columns, and would take much memory
    lines = [_SEPARATOR.sub(" ", row).ljust(width) for row in rows.values()]
    used = "".join(map(max, zip(*lines, strict=True)))
    columns = [run.span() for run in re.finditer(r"\S+", used)]
    table = [[line[start:end].split() for start, end in columns] for line in lines]
    if any(len(cell) > 1 for row in table for cell in row):
        return None
    return {line: _steps(map("".join, row)) for line, row in zip(rows, table, strict=True)}


def _without_page(rows: dict[int, str]) -> tuple[dict[int, str], tuple[str, ...]]:
    """Leave out a number by itself, apart from equally long rows or beside a complete board."""
    for line, other in ([*rows][:-3:-1], [*rows][:2]) if len(rows) > 1 else ():
        rest = {each: row for each, row in rows.items() if each != line}
        page = rows[line].strip()
        cells = _separated([*rest.values()]) if page.isdecimal() else [[]]
        if len(cells[0]) > 2 and len({*map(len, cells)}) == 1:
            steps = np.sort(cells, axis=None)
            complete = steps[0] in (0, 1) and bool((np.diff(steps) == 1).all())
            if (complete or abs(line - other) > 1) and int(page) != steps[-1] + 1:
                return rest, (f"without the number {page} of a page",)
    return rows, ()


def _are_labels(cells: Integers, rest: Integers) -> bool:
    """Return whether a line at the edge counts, and repeats numbers of the rest."""
    labels = cells[cells != UNNUMBERED]
    if len(labels) < len(cells) - 2 or len(rest) < 2:  # there may be no labels in the corners
        return False
    return _counts(labels) and bool(np.isin(labels, rest).any())


def _counts(numbers: Sequence[int] | Integers) -> bool:
    """Return whether numbers count up from 0 or 1, or down to it."""
    low = min(numbers[0], numbers[-1]) if len(numbers) > 1 else -1
    up = [*range(low, low + len(numbers))]
    return low in (0, 1) and [*numbers] in (up, up[::-1])
