"""What the tokens of a text may mean: numbered boards, lists, tables, steps and moves.

One principle: a sequence that visits every square of a board once by legal moves is no coincidence.
So numbers and names are taken out of the text in their order, whatever stands between them, and the
few ways to understand them are returned as forms, the likeliest first; `kt_cp.notation.choice`
judges them. Numbers are left out only where they stand beside words, on a line of their own, or are
the sides of the board or the number of its squares, never where they may be squares of the path.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board.maps import file_index
from kt_cp.graph import Graph
from kt_cp.messages import escape_unprintable
from kt_cp.notation.notations import Naming, Notation, naming
from kt_cp.notation.reading import (
    HOLE_CODE,
    Form,
    form_of_moves,
    forms_in,
    forms_of_grid,
    forms_of_numbers,
)
from kt_cp.notation.tokens import BULLET_CODE, EMPTY_CODE, Kind, Tokens, newlines

_MAX_NARROW = 1000  # squares of a board of one row or column
_MAX_ROWS = 1000  # of a board whose columns are told by their places in the lines
_MAX_WIDTH = 12  # columns of a table
_MAX_SCALED = 3  # columns of numbers that may be places in pixels
_MAX_AHEAD = 4  # numbers before or behind a path, such as the sides of the board
_MAX_SEPARATORS = 1000  # separators that are compared
_MIN_STEPS = 3  # which a column that counts has
_MAX_QUOTED, _MAX_QUOTE = 2, 40  # lines that were left out, and their characters


def forms_of_text(text: str | Tokens) -> Iterator[Form]:
    """Yield the forms that a text may have, the likeliest first."""
    tokens = Tokens.of(text) if isinstance(text, str) else text
    numbers = tokens.of_kind(Kind.NUMBER)
    for names, remarks in _selections(tokens, tokens.of_kind(Kind.NAME)):
        squares = np.stack([tokens.files[names], tokens.values[names]], axis=1)
        on_lines = numbers[np.isin(tokens.lines[numbers], tokens.lines[names])]
        for beside in (on_lines, numbers) if len(on_lines) < len(numbers) else (on_lines,):
            for form in _forms_of_squares(squares, tokens.values[beside]):
                yield replace(form, remarks=(*form.remarks, *remarks))
    if len(numbers):
        yield from _drawings(tokens)
        yield from _forms_of_streams(tokens, numbers)


def unusual_forms_of_text(text: str) -> Iterator[Form]:
    """Yield forms of names whose letter and number are apart, and of digits within words."""
    names = _SPREAD_NAME.findall(text)
    if len(names) > _MIN_STEPS:
        squares = [(file_index(letter.lower()) + 1, int(rank)) for letter, rank in names]
        yield from _forms_of_squares(np.array(squares, dtype=np.int64), np.array([], dtype=int))
    digits = re.findall(r"(?<![\d.])\d{1,9}(?!\.?\d)", text)
    if len(digits) > _MIN_STEPS:
        if {*map(len, digits)} == {2}:  # 00 12 20
            digits = [*"".join(digits)]
        yield from _forms_of_stream(np.array(digits, dtype=np.int64), 0)


def forms_of_vertices(tokens: Tokens, graph: Graph) -> Iterator[Form]:
    """Yield the forms of a text about a graph without places, whose vertices are its names.

    Vertices that are numbers are read as the ids of squares are.
    """
    for form in sorted(forms_of_text(tokens), key=lambda form: not form.notation.writes_moves):
        if form.naming.chess:
            yield replace(form, numbers=form.numbers[:, :1], naming=Naming("{}"))
        elif form.notation in (Notation.IDS, Notation.MOVES) and form.naming == Naming("{}"):
            words = [str(number) for number in form.numbers[:, 0].tolist()]
            ids = [graph.locate(word) for word in words]
            numbers = np.array([-1 if each is None else each for each in ids])[:, None]
            notation = Notation.MOVES if form.notation.writes_moves else Notation.SQUARES
            form = replace(form, notation=notation, written=words)
            yield replace(form, numbers=numbers)
            if form.numbers.min() == 0 and numbers.min() < 0:  # as Concorde writes vertices
                remarks = (*form.remarks, "vertices are numbered from 0")
                yield replace(form, remarks=remarks)


def _selections(tokens: Tokens, chosen: Ints) -> Iterator[tuple[Ints, tuple[str, ...]]]:
    """Yield tokens, those on lines whose words recur, and those on lines of the usual words.

    The lines that were left out are quoted in remarks.
    """
    if not len(chosen):
        return
    yield chosen, ()
    if not tokens.words_by_line:
        return
    words = [tokens.words_by_line.get(line, ()) for line in tokens.lines[chosen].tolist()]
    lines = Counter(words[place] for place in tokens.rows(chosen)[1].tolist())
    usual = Counter(words).most_common(1)[0][0]
    sizes = {len(chosen)}
    for kept in ({each for each in lines if lines[each] > 1 or not each}, {usual}):
        is_kept = np.array([each in kept for each in words])
        if np.count_nonzero(is_kept) in sizes or 2 * np.count_nonzero(is_kept) < len(chosen):
            continue
        sizes.add(int(np.count_nonzero(is_kept)))
        left_out = dict.fromkeys(tokens.lines[chosen[~is_kept]].tolist())
        quoted = [tokens.line(line) for line in itertools.islice(left_out, _MAX_QUOTED)]
        cut = [text if len(text) <= _MAX_QUOTE else f"{text[:_MAX_QUOTE]}..." for text in quoted]
        yield chosen[is_kept], tuple(f"without '{escape_unprintable(text)}'" for text in cut)


# -- numbered boards ------------------------------------------------------------------------------


def _drawings(tokens: Tokens) -> Iterator[Form]:
    """Yield the forms of rows of equally many cells, with and without labels around them."""
    cells = np.flatnonzero((tokens.kinds == Kind.NUMBER) | (tokens.kinds == Kind.MARK))
    for chosen, remarks in reversed([*_selections(tokens, cells)]):
        ends_line = np.diff(tokens.lines[chosen], append=-1) != 0
        full = chosen[~(ends_line & (tokens.values[chosen] == EMPTY_CODE))]
        for each in (full, chosen) if len(full) < len(chosen) else (chosen,):
            for form in _forms_of_cells(tokens, each):
                yield replace(form, remarks=remarks)


def _forms_of_cells(tokens: Tokens, chosen: Ints) -> Iterator[Form]:
    """Yield the forms of some cells: all in one row, or in rows; -1 is a hole."""
    values = tokens.values[chosen].copy()
    values[(values == -1) & (tokens.kinds[chosen] == Kind.NUMBER)] = HOLE_CODE
    yield from _cells_in_one_row(values)
    for block in _blocks(tokens, chosen, values):
        is_narrow = min(block.shape) == 1 and block.size > _MAX_NARROW
        for board in () if is_narrow else _without_labels(block):
            if (board >= 0).any():
                yield from forms_of_grid(np.where(board == EMPTY_CODE, HOLE_CODE, board))


def _blocks(tokens: Tokens, chosen: Ints, values: Ints) -> Iterator[Ints]:
    """Yield the rows of the usual length, rows side by side, and rows aligned by their columns."""
    lines, firsts, counts = tokens.rows(chosen)
    has_number = np.add.reduceat(tokens.kinds[chosen] == Kind.NUMBER, firsts) > 0
    sizes = Counter(counts[has_number].tolist())
    usual = max(sizes, key=lambda size: size * sizes[size], default=0)
    is_usual = counts == usual
    block = values[firsts[is_usual, None] + np.arange(usual)]
    if 2 * block.size > len(chosen):
        yield block
    kept = has_number | is_usual  # other lines of marks are frames
    lines, firsts, counts = lines[kept], firsts[kept], counts[kept]
    starts = np.flatnonzero((np.diff(lines, prepend=-9) > 1) | np.diff(counts, prepend=-1) != 0)
    if 1 < len(starts) <= _MAX_WIDTH:
        runs = np.split(np.arange(len(lines)), starts[1:])
        boards = [values[firsts[run, None] + np.arange(counts[run[0]])] for run in runs]
        for height in {len(board) for board in boards} - {1}:
            yield np.concatenate([board for board in boards if len(board) == height], axis=1)
    if len(sizes) > 1 and len(lines) < min(_MAX_ROWS, len(chosen)):
        yield from _aligned(tokens, chosen, values)


def _aligned(tokens: Tokens, chosen: Ints, values: Ints) -> Iterator[Ints]:
    """Yield a board whose rows lack cells, by the columns of characters that the others fill."""
    line_starts = np.concatenate([[0], newlines(tokens.text) + 1])[tokens.lines[chosen]]
    lefts, rights = tokens.starts[chosen] - line_starts, tokens.ends[chosen] - line_starts
    depth = np.zeros(int(rights.max()) + 1, dtype=np.int64)
    np.add.at(depth, lefts, 1)
    np.add.at(depth, rights, -1)
    begins = np.diff(np.cumsum(depth) > 0, prepend=False)
    column_of = (np.cumsum(begins) + 1) // 2 - 1
    row_of = np.unique(tokens.lines[chosen], return_inverse=True)[1]
    shape = int(row_of.max()) + 1, int(column_of.max()) + 1
    if shape[0] * shape[1] <= 2 * len(chosen):
        board = np.full(shape, HOLE_CODE)
        board[row_of, column_of[lefts]] = values
        if np.count_nonzero(board != HOLE_CODE) == np.count_nonzero(values != HOLE_CODE):
            yield board


def _without_labels(block: Ints) -> Iterator[Ints]:
    """Yield a block, and the block without outer rows and columns of labels or sums."""
    filled = np.flatnonzero((block != EMPTY_CODE).any(axis=0))
    block = block[:, filled[0] : filled[-1] + 1] if len(filled) else block
    rows, columns = block.shape
    for top, bottom, left, right in sorted(itertools.product((0, 1), repeat=4), key=sum):
        inner = block[top : rows - bottom, left : columns - right]
        if not inner.size:
            continue
        across, down = slice(left, columns - right), slice(top, rows - bottom)
        marks = np.full(len(inner), BULLET_CODE)
        edges = (
            (top, block[0, across], marks[:0]),
            (bottom, block[-1, across], inner.sum(axis=0)),
            (left, block[down, 0], marks),
            (right, block[down, -1], inner.sum(axis=1)),
        )
        if all(
            np.array_equal(edge, usual) or (len(edge) > 1 and _counts(edge))
            for is_left_out, edge, usual in edges
            if is_left_out
        ):
            yield inner


def _counts(numbers: Ints) -> bool:
    """Return whether numbers count from 0 or 1, up or down."""
    return _counts_rows(numbers) and numbers.min() in (0, 1)


def are_steps(numbers: Ints) -> bool:
    """Return whether numbers are 0, 1, 2 and so on, or 1, 2, 3 and so on, in any order."""
    return bool(len(numbers)) and numbers.min() in (0, 1) and (np.diff(np.sort(numbers)) == 1).all()


def _cells_in_one_row(cells: Ints) -> Iterator[Form]:
    """Yield cells of a board, row by row, whose sides divide their number; -1 is a hole."""
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
        drawn=True,
        zeros=() if first else tuple(ids[:1].tolist()),
    )


# -- lists and tables of numbers ------------------------------------------------------------------


def _forms_of_streams(tokens: Tokens, numbers: Ints) -> Iterator[Form]:
    """Yield the forms of numbers, then without a few before or behind them.

    Those are apart from the others by something else, and must turn out to be sides of the board or
    the number of its squares, unless they stand behind words.
    """
    selections = [
        (chosen, remarks, _separators(tokens, chosen))
        for chosen, remarks in _selections(tokens, numbers)
    ]
    cuts = [(ahead, behind) for ahead in range(_MAX_AHEAD + 1) for behind in range(_MAX_AHEAD + 1)]
    for ahead, behind in sorted(cuts, key=sum):
        for chosen, remarks, usual in selections:
            last = len(chosen) - behind
            ends = ([ahead] if ahead else []) + ([last] if behind else [])
            joints = [(end - 1, end) for end in ends]  # between the path and what is left out
            if len(chosen) < _MAX_AHEAD * (ahead + behind):
                continue
            between = [tokens.between(*chosen[[*joint]].tolist()) for joint in joints]
            if not all(re.search(r"[:={\[(|\])}\n]|[^\W\d]", each) for each in between):
                continue
            kept, cut = chosen[ahead:last], np.delete(chosen, np.s_[ahead:last])
            width = _width(tokens, kept)
            may_be_square = any(usual[each] > 1 for each in between)
            if may_be_square and (behind or not all("\n" in each for each in between)):
                continue
            may_be_square &= not width or width == _width(tokens, cut)
            are_named = (tokens.kinds[cut - 1] == Kind.WORD) & (cut > 0)
            sizes = tuple(tokens.values[cut].tolist())
            words = (f"without '{' '.join(map(str, sizes[:3]))}'",) if sizes else ()
            for form in _forms_of_stream(tokens.values[kept], width):
                yield replace(
                    form,
                    remarks=(*form.remarks, *remarks, *words),
                    sizes=sizes if may_be_square or not are_named.all() else (),
                    may_be_square=may_be_square,
                )


def _width(tokens: Tokens, chosen: Ints) -> int:
    """Return how many of some tokens stand on each of their lines, or 0 if that differs."""
    counts = {*tokens.rows(chosen)[2].tolist()}
    return counts.pop() if len(counts) == 1 else 0


def _separators(tokens: Tokens, chosen: Ints) -> Counter[str]:
    """Return how often each text stands between two of the first tokens."""
    listed = chosen[:_MAX_SEPARATORS].tolist()
    return Counter(itertools.starmap(tokens.between, itertools.pairwise(listed)))


def _forms_of_stream(values: Ints, width: int) -> Iterator[Form]:
    """Yield numbers as a list, cells, and rows of a table whose columns their values tell apart.

    ``width`` is how many stand on each line, or 0.
    """
    if not len(values):
        return
    widths = {each for each in (*range(1, _MAX_WIDTH + 1), width) if each}
    for each in sorted(widths, key=lambda each: (each != width, each)):
        if len(values) % each:
            continue
        table = values.reshape(-1, each)
        if each == 1:
            yield from forms_of_numbers(values)
        elif len(table) >= _MIN_STEPS:
            yield from _columns(table)
        elif each == 2:
            yield from forms_in(Notation.COORDS, table, "({}, {})")
    yield from _cells_in_one_row(values)


def _columns(table: Ints) -> Iterator[Form]:
    """Yield the forms of a table, without columns that are constant or count its rows."""
    is_label = [bool((column == column[0]).all() or _counts_rows(column)) for column in table.T]
    kept = table[:, np.logical_not(is_label)]
    columns = kept.shape[1]
    if columns == 1:
        yield from forms_in(Notation.IDS, kept)
    pairs = kept if columns == 2 else table  # of which one coordinate may count or stay, too
    if pairs.shape[1] == 2:
        yield from forms_in(Notation.COORDS, pairs, "({}, {})")
        for first in (0, 1):
            yield form_of_moves(Notation.MOVES, pairs.reshape(-1, 1), Naming("{}", first))
    if columns == 4 and kept.min() >= 0:
        for variant in Notation.COORDS.variants:
            how = naming(variant, "({}, {})")
            yield form_of_moves(Notation.MOVES, kept.reshape(-1, 2), how)
    if columns in (2, 3):
        yield from _by_step(kept)
    if 2 < columns < table.shape[1]:
        yield from forms_of_grid(np.where(kept == -1, HOLE_CODE, kept))
    if 2 <= columns <= _MAX_SCALED:
        scaled = np.stack([_from_zero(column) for column in kept.T], axis=1)
        if not np.array_equal(scaled, kept):
            yield from _columns(scaled)


def _counts_rows(column: Ints) -> bool:
    """Return whether the numbers of a column go up or down by 1 from row to row."""
    steps = np.diff(column)
    return bool(abs(steps[0]) == 1 and (steps == steps[0]).all())


def _from_zero(column: Ints) -> Ints:
    """Return equally spaced numbers, such as places in pixels, as 0, 1, 2 and so on."""
    values = np.unique(column)
    gaps = np.diff(values)
    if len(values) in (1, len(column)) or gaps.min() != gaps.max():  # others are steps
        return column
    return column if gaps[0] == 1 and values[0] in (0, 1) else (column - values[0]) // gaps[0]


def _by_step(table: Ints) -> Iterator[Form]:
    """Yield squares in the order of their steps, which one column holds, each once."""
    for column in reversed(range(table.shape[1])):
        steps = table[:, column]
        if are_steps(steps):
            squares = np.delete(table, column, axis=1)[np.argsort(steps)]
            base = Notation.IDS if squares.shape[1] == 1 else Notation.COORDS
            pair = "{}" if squares.shape[1] == 1 else "({}, {})"
            yield from forms_in(base, squares, pair, first_step=int(steps.min()))


# -- names ----------------------------------------------------------------------------------------

_SPREAD_NAME = re.compile(r"(?<![^\W_])([A-Za-z])[^\w\n]{1,6}(\d{1,3})(?!\w)")


def _forms_of_squares(squares: Ints, beside: Ints) -> Iterator[Form]:
    """Yield names in the order of the numbers beside them, if these are steps, and as moves."""
    how = naming(Notation.SQUARES)
    if len(beside) == len(squares) > 1 and not (np.diff(beside) == 1).all():
        order = np.argsort(beside, kind="stable")
        steps = beside[order]
        if steps[0] in (0, 1):
            first = int(steps[0])
            yield Form(Notation.SQUARES, squares[order], how, steps=steps, first_step=first)
        return
    yield Form(Notation.SQUARES, squares, how)
    if len(squares) % 2 == 0:
        yield form_of_moves(Notation.MOVES, squares, how)
