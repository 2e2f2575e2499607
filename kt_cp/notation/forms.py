"""The forms that numbers and the tokens of a text may have: boards, lists, tables, steps and moves.

Numbers and names are taken out of a text in their order, whatever stands between them, and each of
the few ways to understand them is a form; `kt_cp.notation.choice` judges them. Numbers are left out
only where they stand beside words, on a line of their own, or are the sides of the board or the
number of its squares, never where they may be squares of the path.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.board.maps import file_index
from kt_cp.messages import escape_unprintable
from kt_cp.notation.notations import Form, Naming, Notation, naming_of
from kt_cp.notation.tokens import BULLET_CODE, EMPTY_CODE, HOLE_CODE, Kind, Tokens

_MAX_NARROW = 1000  # squares of a board of one row or column
_MAX_ROWS = 1000  # of a board whose columns are detected by their places in the lines
_MAX_WIDTH = 12  # columns of a table
_MAX_AHEAD = 4  # numbers before or behind a path, such as the sides of the board
_MAX_SEPARATORS = 1000  # separators that are compared
_MIN_STEPS = 3  # which a column that counts has
_MAX_QUOTED = 2  # lines that were left out
_MAX_QUOTE = 40  # characters of each
# What sets two numbers apart: a line end, a bracket, a colon, a bar, an equals sign, or a letter.
_SETS_APART = re.compile(r"[:={\[(|\])}\n]|[^\W\d]")


# -- forms of numbers ----------------------------------------------------------------------------


def forms_in(base: Notation, numbers: Ints, pair: str = "({}, {})", **fields: Any) -> list[Form]:
    """Return a form for each variant of a notation: from 0 or 1, row or column first.

    ``pair`` is a format for coordinates; ``fields`` are other fields of the forms. Each row of
    ``numbers`` is a square or, of a notation of moves, two rows are a move. A form that counts from
    1 is out of range if a number is below 1.
    """
    lowest = int(numbers.min())
    make = form_of_moves if base.writes_moves else Form
    return [
        make(each, numbers, naming_of(each, pair), in_range=lowest > 0 or not each.first, **fields)
        for each in base.variants
    ]


def forms_of_grid(cells: Ints) -> list[Form]:
    """Return the forms of an array of steps, counted from 1 and from 0.

    A negative cell has no step; `HOLE_CODE` is a hole. If steps count from 1, a cell with 0 has no
    step either.
    """
    steps = cells.ravel()
    numbered = np.flatnonzero(steps >= 0)
    ids = numbered[np.argsort(steps[numbered], kind="stable")]
    zeros = ids[steps[ids] == 0]
    rows, columns = cells.shape
    return [
        Form(
            notation,
            path[:, None],
            Naming("{}"),
            steps=steps[path],
            first_step=notation.first,
            shape=(rows, columns),
            holes=tuple(np.flatnonzero(steps == HOLE_CODE).tolist()),
            zeros=tuple(zeros.tolist()),
        )
        for notation, path in ((Notation.GRID, ids[len(zeros) :]), (Notation.GRID_FROM_0, ids))
    ]


def forms_of_numbers(numbers: Ints) -> list[Form]:
    """Return the forms of numbers: ids in visiting order, and successors of the ids."""
    successors = [_form_of_successors(numbers, each) for each in Notation.SUCCESSORS.variants]
    return [*forms_in(Notation.IDS, numbers[:, None]), *successors]


def _form_of_successors(numbers: Ints, notation: Notation) -> Form:
    """Return the form of numbers that are the successors of the ids.

    The end of an open tour has no successor, which is written as one less than the first id. A hole
    is its own successor. Of several moves to a square the first counts.
    """
    size = len(numbers)
    first = notation.first
    ids = np.arange(first, first + size)
    is_end = numbers == first - 1
    is_hole = numbers == ids
    moves = np.stack([ids, numbers], axis=1)[~is_end & ~is_hole]
    if is_end.any():
        _, first_with_target = np.unique(moves[:, 1], return_index=True)
        moves = moves[np.sort(first_with_target)]
    return Form(
        notation,
        (moves if len(moves) else ids[is_end]).reshape(-1, 1),
        Naming("{}", first),
        in_order=not len(moves),
        area=size,
        holes=tuple(np.flatnonzero(is_hole).tolist()),
        in_range=int(numbers.max()) - first < size and int(np.count_nonzero(is_end)) <= 1,
    )


def form_of_moves(notation: Notation, ends: Ints, naming: Naming, **fields: Any) -> Form:
    """Return the form of moves, two rows of ``ends`` each: a path if they are in order."""
    tails, heads = ends[::2], ends[1::2]
    if (heads[:-1] == tails[1:]).all():
        return Form(notation, np.concatenate([tails, heads[-1:]]), naming, **fields)
    return Form(notation, ends, naming, in_order=False, **fields)


# -- forms of text -------------------------------------------------------------------------------


def forms_of_text(tokens: Tokens, are_squares: bool = True) -> Iterator[Form]:
    """Yield the forms that a text may have; its names ``are_squares``, or vertices of a graph.

    >>> sorted({str(form.notation) for form in forms_of_text(Tokens.of("a1-b3 b3-c5"))})
    ['moves', 'squares']
    """
    for kept, remarks in reversed([*_selections(tokens)]):
        names, numbers = kept.of_kind(Kind.NAME), kept.of_kind(Kind.NUMBER)
        squares = names.values[:, None]
        naming = Naming("{}")
        if are_squares:
            squares = names.squares
            naming = naming_of(Notation.SQUARES)
        ways = [_forms_named(squares, numbers.values, naming)]
        beside_names = numbers.take(np.isin(numbers.lines, names.lines))
        if len(beside_names) < len(numbers):
            ways.append(_forms_named(squares, beside_names.values, naming))
        if are_squares:
            ways.append(_forms_drawn(kept.of_kind(Kind.NUMBER, Kind.MARK)))
            ways.append(_forms_listed(kept.of_kind(Kind.NUMBER, Kind.WORD)))
        for form in itertools.chain(*ways):
            yield replace(form, remarks=(*form.remarks, *remarks))


def unusual_forms_of_text(text: str) -> Iterator[Form]:
    """Yield forms of names whose letter and number are apart, and of digits within words.

    >>> [form.numbers.tolist() for form in unusual_forms_of_text("(a, 1) (b, 3) (c, 5)")]
    [[[1, 1], [2, 3], [3, 5]]]
    >>> next(unusual_forms_of_text("s0 s5 s6 s1")).numbers.ravel().tolist()
    [0, 5, 6, 1]
    """
    names = re.findall(r"(?<![^\W_])([A-Za-z])[^\w\n]{1,6}(\d{1,3})(?!\w)", text)
    squares = [(file_index(letter.lower()) + 1, int(rank)) for letter, rank in names]
    pairs = np.array(squares, dtype=np.int64).reshape(-1, 2)
    yield from _forms_named(pairs, np.array([], dtype=int), naming_of(Notation.SQUARES))
    digits = re.findall(r"(?<![\d.])\d{1,9}(?!\.?\d)", text)
    if len(digits) <= _MIN_STEPS:
        return
    are_pairs_of_digits = {*map(len, digits)} == {2}  # row and column, as in 00 12 20
    if are_pairs_of_digits:
        digits = [*"".join(digits)]
    yield from _forms_of_list(np.array(digits, dtype=np.int64), 0)


def _selections(tokens: Tokens) -> Iterator[tuple[Tokens, tuple[str, ...]]]:
    """Yield tokens, those on lines whose words recur, and those on lines of the usual words.

    The lines that were left out are quoted in remarks.

    >>> text = "step 1: a3\\nstep 2: c2\\nstep 3: a1\\nseconds: 7"
    >>> [(len(kept), remarks) for kept, remarks in _selections(Tokens.of(text))]
    [(11, ()), (9, ("without 'seconds: 7'",))]
    """
    yield tokens, ()
    entries = tokens.of_kind(Kind.NUMBER, Kind.NAME, Kind.MARK)
    if not (tokens.words_by_line and len(entries)):
        return
    words = [tokens.words_by_line.get(line, "") for line in entries.lines.tolist()]
    lines = Counter(words[first] for first in entries.rows[0].tolist())
    recurring = {each for each in lines if lines[each] > 1 or not each}
    sizes = {len(entries)}
    for kept in (recurring, {Counter(words).most_common(1)[0][0]}):
        is_kept = np.array([each in kept for each in words])
        size = int(is_kept.sum())
        keeps_few = 2 * size < len(entries)
        if size in sizes or keeps_few:
            continue
        sizes.add(size)
        left_out = dict.fromkeys(entries.lines[~is_kept].tolist())
        quoted = [tokens.line(line) for line in itertools.islice(left_out, _MAX_QUOTED)]
        cut = [text if len(text) <= _MAX_QUOTE else f"{text[:_MAX_QUOTE]}..." for text in quoted]
        remarks = tuple(f"without '{escape_unprintable(text)}'" for text in cut)
        yield tokens.take(~np.isin(tokens.lines, [*left_out])), remarks


# -- numbered boards ------------------------------------------------------------------------------


def _forms_drawn(tokens: Tokens) -> Iterator[Form]:
    """Yield the forms of cells: all in one row, or in rows, with and without labels around them.

    >>> [(str(form.notation), form.shape) for form in _forms_drawn(Tokens.of("1 4 7\\n6 3 8"))]
    [('grid', (2, 3)), ('grid-from-0', (2, 3))]
    """
    values = tokens.values.copy()
    values[(values == -1) & (tokens.kinds == Kind.NUMBER)] = HOLE_CODE
    yield from _forms_of_row(values)
    for block in _blocks(replace(tokens, values=values)):
        is_narrow = min(block.shape) == 1 and block.size > _MAX_NARROW
        for board in () if is_narrow else _without_labels(block):
            if (board >= 0).any():
                yield from forms_of_grid(np.where(board == EMPTY_CODE, HOLE_CODE, board))


def _blocks(tokens: Tokens) -> Iterator[Ints]:
    """Yield the cells of boards: the rows of the usual length, rows side by side, rows with gaps.

    >>> [block.tolist() for block in _blocks(Tokens.of("1 4\\n3 2\\n\\n5 8\\n7 6"))]  # two halves
    [[[1, 4], [3, 2], [5, 8], [7, 6]], [[1, 4, 5, 8], [3, 2, 7, 6]]]
    """
    firsts, lengths = tokens.rows
    if not len(firsts):
        return
    has_number = np.add.reduceat(tokens.kinds == Kind.NUMBER, firsts) > 0
    counts = Counter(lengths[has_number].tolist())  # of rows, by their length
    usual = max(counts, key=lambda length: length * counts[length], default=0)
    is_usual = lengths == usual
    fill_most = 2 * usual * is_usual.sum() > len(tokens)
    if fill_most:
        yield _cells(tokens, is_usual)
    rows = np.flatnonzero(has_number | is_usual)  # other rows of marks are frames
    yield from _side_by_side(tokens, rows)
    has_gaps = len(counts) > 1
    if has_gaps and len(rows) < min(_MAX_ROWS, len(tokens)):
        yield from _aligned(tokens)


def _cells(tokens: Tokens, rows: Ints | Mask) -> Ints:
    """Return the values in some rows of tokens, all of one length: rows x columns."""
    firsts, lengths = (each[rows] for each in tokens.rows)
    return np.asarray(tokens.values[firsts[:, None] + np.arange(lengths[0])])


def _side_by_side(tokens: Tokens, rows: Ints) -> Iterator[Ints]:
    """Yield boards whose parts are printed one below the other, as NumPy prints wide arrays.

    A part is some of the ``rows``, of one length, without a line between them.

    >>> tokens = Tokens.of("1 4\\n3 2\\n\\n5\\n6")
    >>> [board.tolist() for board in _side_by_side(tokens, np.arange(4))]
    [[[1, 4, 5], [3, 2, 6]]]
    """
    firsts, lengths = (each[rows] for each in tokens.rows)
    is_behind_gap = np.diff(tokens.lines[firsts], prepend=-9) > 1
    has_new_length = np.diff(lengths, prepend=-1) != 0
    starts = np.flatnonzero(is_behind_gap | has_new_length)
    if 1 < len(starts) <= _MAX_WIDTH:
        parts = [_cells(tokens, part) for part in np.split(rows, starts[1:])]
        for height in {len(part) for part in parts} - {1}:
            yield np.concatenate([part for part in parts if len(part) == height], axis=1)


def _aligned(tokens: Tokens) -> Iterator[Ints]:
    """Yield a board whose rows lack cells, by the columns of characters that the others fill.

    >>> [(board == HOLE_CODE).tolist() for board in _aligned(Tokens.of("   4 7\\n8  2 5"))]
    [[[True, False, False], [False, False, False]]]
    """
    left, right = tokens.places
    changes = np.bincount(left, minlength=right.max() + 1) - np.bincount(right)
    is_filled = np.cumsum(changes) > 0  # for each column of characters
    is_edge = np.diff(is_filled, prepend=False)  # the first of those filled, or the first of a gap
    column_of = (np.cumsum(is_edge) + 1) // 2 - 1
    row_of = np.unique(tokens.lines, return_inverse=True)[1]
    shape = int(row_of.max()) + 1, int(column_of.max()) + 1
    is_mostly_filled = shape[0] * shape[1] <= 2 * len(tokens)
    if is_mostly_filled:
        board = np.full(shape, HOLE_CODE)
        board[row_of, column_of[left]] = tokens.values
        filled, entries = (np.count_nonzero(each != HOLE_CODE) for each in (board, tokens.values))
        if filled == entries:  # no two of them have the same cell
            yield board


def _without_labels(block: Ints) -> Iterator[Ints]:
    """Yield a block, and the block without outer rows and columns of labels or sums.

    >>> [board.tolist() for board in _without_labels(np.array([[1, 4, 5], [3, 2, 5]]))]  # sums
    [[[1, 4, 5], [3, 2, 5]], [[1, 4], [3, 2]]]
    >>> [board.tolist() for board in _without_labels(np.array([[0, 7, 4], [1, 5, 6]]))]  # rows 0, 1
    [[[0, 7, 4], [1, 5, 6]], [[7, 4], [5, 6]]]
    """
    filled = np.flatnonzero((block != EMPTY_CODE).any(axis=0))
    block = block[:, filled[0] : filled[-1] + 1] if len(filled) else block
    rows, columns = block.shape
    for top, bottom, left, right in sorted(itertools.product((0, 1), repeat=4), key=sum):
        across, down = slice(left, columns - right), slice(top, rows - bottom)
        inner = block[down, across]
        if not inner.size:
            continue
        bullets = np.full(len(inner), BULLET_CODE)
        # Whether an edge is left out, its cells, and what these may be: bullets or sums, beside the
        # numbers of rows or columns, from 0 or 1.
        edges = (
            (top, block[0, across], bullets[:0]),
            (bottom, block[-1, across], inner.sum(axis=0)),
            (left, block[down, 0], bullets),
            (right, block[down, -1], inner.sum(axis=1)),
        )
        left_out = [(edge, usual) for is_left_out, edge, usual in edges if is_left_out]
        if all(
            np.array_equal(edge, usual) or (_counts(edge) and edge.min() in (0, 1))
            for edge, usual in left_out
        ):
            yield inner


def _counts(numbers: Ints) -> bool:
    """Return whether numbers, at least two, go up or down by 1 from one to the next."""
    steps = np.diff(numbers)
    return bool(len(steps) and abs(steps[0]) == 1 and (steps == steps[0]).all())


def are_steps(numbers: Ints) -> bool:
    """Return whether numbers are 0, 1, 2 and so on, or 1, 2, 3 and so on, in any order."""
    return bool(len(numbers)) and numbers.min() in (0, 1) and (np.diff(np.sort(numbers)) == 1).all()


def _forms_of_row(cells: Ints) -> Iterator[Form]:
    """Yield cells of a board, row by row, whose sides divide their number; -1 is a hole.

    >>> [(form.area, form.holes) for form in _forms_of_row(np.array([1, 4, -1, 3, 2, 5]))]
    [(6, (2,))]
    """
    is_hole = (cells == -1) | (cells == HOLE_CODE)
    values = cells[~is_hole]
    if len(values) < _MIN_STEPS or not are_steps(values):
        return
    first = int(values.min())
    ids = np.flatnonzero(~is_hole)[np.argsort(values)]
    yield Form(
        Notation.GRID if first else Notation.GRID_FROM_0,
        ids[:, None],
        Naming("{}"),
        first_step=first,
        area=len(cells),
        fills_board=True,
        holes=tuple(np.flatnonzero(is_hole).tolist()),
        zeros=() if first else tuple(ids[:1].tolist()),
    )


# -- lists and tables of numbers ------------------------------------------------------------------


def _forms_listed(tokens: Tokens) -> Iterator[Form]:
    """Yield the forms of the numbers among tokens, also without a few at the beginning or the end.

    Numbers are left out only if something sets them apart from the others that does not stand
    between those, too, or if they are lines above them. They must turn out to be sides of the board
    or the number of its squares (``left_out`` of the form), unless words say what they are.

    >>> def left_out(text):
    ...     forms = _forms_listed(Tokens.of(text))
    ...     return sorted({(form.remarks, form.left_out) for form in forms})
    >>> left_out("2 4\\n0 5 3 6 1 7 2 4")  # a line of its own
    [((), ()), (("without '2 4'",), (2, 4))]
    >>> left_out("0 5 3 6 1 7 2 4 moves 8")  # behind a word
    [((), ()), (("without '8'",), ())]
    >>> left_out("2 4 0 5 3 6 1 7 2 4")  # not set apart
    [((), ())]
    """
    is_number = tokens.kinds == Kind.NUMBER
    numbers = tokens.take(is_number)
    is_behind_word = np.diff(np.flatnonzero(is_number), prepend=-1) > 1
    # What stands between two numbers, and how often.
    gaps = Counter(map(numbers.before, range(1, min(len(numbers), _MAX_SEPARATORS))))
    for ahead, behind in sorted(itertools.product(range(_MAX_AHEAD + 1), repeat=2), key=sum):
        # So many numbers at the beginning and at the end are left out, few of them first.
        keeps_enough = len(numbers) >= max(1, _MAX_AHEAD * (ahead + behind))
        if not keeps_enough:
            continue
        last = len(numbers) - behind
        cuts = [numbers.before(place) for place in (ahead, last) if 0 < place < len(numbers)]
        are_apart = all(_SETS_APART.search(cut) for cut in cuts)
        are_unusual = all(gaps[cut] <= 1 for cut in cuts)  # the same stands nowhere else
        are_lines_above = not behind and "\n" in "".join(cuts)
        if not are_apart or not (are_unusual or are_lines_above):
            continue
        is_kept = np.zeros(len(numbers), dtype=np.bool_)
        is_kept[ahead:last] = True
        left_out = tuple(numbers.values[~is_kept].tolist())
        remarks = (f"without '{' '.join(map(str, left_out[:3]))}'",) if left_out else ()
        if are_unusual and is_behind_word[~is_kept].all():
            left_out = ()  # as words say what they are
        kept = numbers.take(is_kept)
        widths = {*kept.rows[1].tolist()}
        for form in _forms_of_list(kept.values, widths.pop() if len(widths) == 1 else 0):
            yield replace(form, remarks=(*form.remarks, *remarks), left_out=left_out)


def _forms_of_list(values: Ints, width: int) -> Iterator[Form]:
    """Yield numbers as a list, cells, and rows of a table whose columns their values tell apart.

    ``width`` is how many stand on each line, or 0.

    >>> forms = _forms_of_list(np.array([1, 0, 0, 2, 1, 2, 3, 3, 3]), 3)  # step, row and column
    >>> next(form.numbers.tolist() for form in forms if form.notation == "coords")
    [[0, 0], [1, 2], [3, 3]]
    """
    if not len(values):
        return
    widths = {*range(1, _MAX_WIDTH + 1), width} - {0}
    for columns in sorted(widths, key=lambda each: (each != width, each)):
        if len(values) % columns:
            continue
        table = values.reshape(-1, columns)
        if columns == 1:
            yield from forms_of_numbers(values)
        elif len(table) >= _MIN_STEPS:
            yield from _forms_of_table(table)
        elif columns == 2:
            yield from forms_in(Notation.COORDS, table)
    yield from _forms_of_row(values)


def _forms_of_table(table: Ints) -> Iterator[Form]:
    """Yield the forms of a table, without columns that are constant or count its rows.

    >>> [form.numbers.tolist() for form in _forms_of_table(np.array([[1, 0], [2, 5], [3, 6]]))][0]
    [[0], [5], [6]]
    """
    is_label = [bool((column == column[0]).all()) or _counts(column) for column in table.T]
    kept = table[:, np.logical_not(is_label)]
    columns = kept.shape[1]
    if columns == 1:
        yield from forms_in(Notation.IDS, kept)
    pairs = kept if columns == 2 else table  # of which one coordinate may count or stay, too
    if pairs.shape[1] == 2:
        yield from forms_in(Notation.COORDS, pairs)
        for first in (0, 1):
            yield form_of_moves(Notation.MOVES, pairs.reshape(-1, 1), Naming("{}", first))
    if columns == 4 and kept.min() >= 0:
        for variant in Notation.COORDS.variants:
            naming = naming_of(variant, "({}, {})")
            yield form_of_moves(Notation.MOVES, kept.reshape(-1, 2), naming)
    if columns in (2, 3):
        yield from _forms_by_step(kept)
    may_be_labelled_board = 2 < columns < table.shape[1]
    if may_be_labelled_board:
        yield from forms_of_grid(np.where(kept == -1, HOLE_CODE, kept))


def _forms_by_step(table: Ints) -> Iterator[Form]:
    """Yield squares in the order of their steps, which one column holds, each once.

    >>> next(_forms_by_step(np.array([[0, 0, 1], [2, 0, 3], [1, 2, 2]]))).numbers.tolist()
    [[0, 0], [1, 2], [2, 0]]
    """
    for column in reversed(range(table.shape[1])):
        steps = table[:, column]
        if are_steps(steps):
            squares = np.delete(table, column, axis=1)[np.argsort(steps)]
            base = Notation.IDS if squares.shape[1] == 1 else Notation.COORDS
            yield from forms_in(base, squares, first_step=int(steps.min()))


# -- names ----------------------------------------------------------------------------------------


def _forms_named(squares: Ints, numbers: Ints, naming: Naming) -> Iterator[Form]:
    """Yield squares that are named: as they come and as moves, or by their steps.

    Numbers as many as the names, and not in order, are the steps.

    >>> squares, naming = np.array([[3, 2], [1, 3]]), naming_of(Notation.SQUARES)  # c2: 2, a3: 1
    >>> [form.numbers.tolist() for form in _forms_named(squares, np.array([2, 1]), naming)]
    [[[1, 3], [3, 2]]]
    """
    if len(squares) > 1 and len(numbers) == len(squares) and (np.diff(numbers) != 1).any():
        order = np.argsort(numbers, kind="stable")
        steps = numbers[order]
        if steps[0] in (0, 1):
            first = int(steps[0])
            yield Form(Notation.SQUARES, squares[order], naming, steps=steps, first_step=first)
        return
    if not len(squares):
        return
    forms = [Form(Notation.SQUARES, squares, naming)]
    if len(squares) % 2 == 0:
        forms.append(form_of_moves(Notation.MOVES, squares, naming))
    # Where each move begins at the end of the one before, moves come first.
    is_chain = len(squares) > 2 and forms[-1].notation.writes_moves and forms[-1].in_order
    yield from reversed(forms) if is_chain else forms
