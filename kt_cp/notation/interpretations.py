"""What the tokens of a text may mean: numbered boards, lists, tables, steps and moves.

One principle: a sequence that visits every square of a board once by legal moves is no coincidence.
So numbers and names are taken out of the text in their order, whatever stands between them, and the
few ways to understand them are returned as forms, the likeliest first; `kt_cp.notation.read`
judges them. Numbers are left out only where they stand beside words, on a line of their own, or are
the sides of the board or the number of its squares, never where they may be squares of the path.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.board.maps import file_index
from kt_cp.notation.notations import Naming, Notation, naming
from kt_cp.notation.reading import (
    HOLE_CODE,
    Form,
    Numbering,
    form_of_moves,
    forms_in,
    forms_of_grid,
    forms_of_numbers,
)
from kt_cp.notation.tokens import BULLET_CODE, EMPTY_CODE, Kind, Tokens

_MAX_NARROW = 1000  # squares of a board of one row or column
_MAX_BLOCKS = 20  # runs of equally long rows that are tried
_MAX_WIDTH = 12  # columns of a table
_MAX_SCALED = 3  # columns of numbers that may be places in pixels
_MAX_AHEAD = 4  # numbers before or behind a path, such as the sides of the board
_SOME = 1000  # separators that are compared
_MIN_STEPS = 3  # which a column that counts has


def forms_of_text(text: str | Tokens) -> Iterator[Form]:
    """Yield the forms that a text may have, the likeliest first."""
    tokens = Tokens.of(text) if isinstance(text, str) else text
    if not len(tokens):
        return
    yield from _named(tokens)
    numbers = tokens.of_kind(Kind.NUMBER)
    if len(numbers):
        yield from _drawings(tokens)
        for stream in _streams(tokens, numbers):
            yield from stream.forms()


def unusual_forms_of_text(text: str) -> Iterator[Form]:
    """Yield forms of names whose letter and number are apart, and of digits within words."""
    if re.search(r"[^\W\d]", text):
        yield from _spread_names(text)
    yield from _all_digits(text)


# -- numbered boards ------------------------------------------------------------------------------


def _drawings(tokens: Tokens) -> Iterator[Form]:
    """Yield the forms of rows of equally many cells, with and without labels around them."""
    is_cell = (tokens.kinds == Kind.NUMBER) | (tokens.kinds == Kind.MARK)
    cells = np.flatnonzero(is_cell)
    plain = cells[~beside_words(tokens, cells)]
    ends_line = np.diff(tokens.lines[plain], append=-1) != 0
    full = plain[~(ends_line & (tokens.values[plain] == EMPTY_CODE))]
    tried: set[tuple[int, ...]] = set()
    for chosen in (full, plain, cells):
        key = len(chosen), int(chosen.sum())
        if not len(chosen) or key in tried:
            continue
        tried.add(key)
        yield from _cells_in_one_row(_codes(tokens, chosen))
        for block in _blocks(tokens, chosen):
            if min(block.shape) == 1 and block.size > _MAX_NARROW:
                continue
            for board in _without_labels(_without_empty_edges(block)):
                if (board >= 0).any():
                    yield from forms_of_grid(np.where(board == EMPTY_CODE, HOLE_CODE, board))


def _codes(tokens: Tokens, chosen: Ints) -> Ints:
    """Return the numbers and codes of cells; -1 is a hole."""
    values = tokens.values[chosen].copy()
    values[(values == -1) & (tokens.kinds[chosen] == Kind.NUMBER)] = HOLE_CODE
    return values


def _blocks(tokens: Tokens, chosen: Ints) -> Iterator[Ints]:
    """Yield the runs of equally long rows, the largest first, and those side by side as one."""
    values, is_number = _codes(tokens, chosen), tokens.kinds[chosen] == Kind.NUMBER
    _, firsts, counts = tokens.rows(chosen)
    has_number = np.add.reduceat(is_number, firsts) > 0
    sizes = Counter(counts[has_number].tolist())
    usual = max(sizes, key=lambda size: size * sizes[size]) if sizes else 0
    kept = has_number | (counts == usual)  # other lines of marks are frames
    firsts, counts = firsts[kept], counts[kept]
    if not len(firsts):
        return
    changes = np.flatnonzero(np.diff(counts)) + 1
    runs = [*zip([0, *changes.tolist()], [*changes.tolist(), len(counts)], strict=True)]
    runs.sort(key=lambda run: -int(counts[run[0]]) * (run[1] - run[0]))
    blocks = []
    for start, end in sorted(runs[:_MAX_BLOCKS]):
        places = firsts[start:end, None] + np.arange(counts[start])
        blocks.append(values[places])
    yield from (block for block in blocks if 2 * block.size > len(chosen))
    heights = Counter(len(block) for block in blocks)
    for height, count in heights.items():
        if count > 1 and height > 1:
            yield np.concatenate([block for block in blocks if len(block) == height], axis=1)
    if len(blocks) > 1:
        aligned = _aligned(tokens, chosen, values)
        if aligned is not None:
            yield aligned


def _aligned(tokens: Tokens, chosen: Ints, values: Ints) -> Ints | None:
    """Return a board whose rows lack cells, by the columns of characters that the others fill."""
    lines, _, counts = tokens.rows(chosen)
    row_of = np.repeat(np.arange(len(lines)), counts)
    if len(lines) * 100 < len(chosen) or len(lines) > _SOME:
        return None
    newlines = np.flatnonzero(np.frombuffer(tokens.text.encode("utf-32-le"), dtype="<u4") == 10)
    line_starts = np.concatenate([[0], newlines + 1])[tokens.lines[chosen]]
    lefts, rights = tokens.starts[chosen] - line_starts, tokens.ends[chosen] - line_starts
    order = np.argsort(lefts, kind="stable")
    furthest = np.maximum.accumulate(rights[order])
    is_new = np.concatenate([[True], lefts[order][1:] >= furthest[:-1]])
    columns = np.empty(len(chosen), dtype=np.int64)
    columns[order] = np.cumsum(is_new) - 1
    board = np.full((len(lines), int(columns.max()) + 1), HOLE_CODE)
    if board.size > 2 * len(chosen):
        return None
    board[row_of, columns] = values
    return board if np.count_nonzero(board != HOLE_CODE) >= np.count_nonzero(values >= 0) else None


def _without_empty_edges(block: Ints) -> Ints:
    """Return a block without outer columns of which all cells are empty."""
    while block.shape[1] > 1 and (block[:, -1] == EMPTY_CODE).all():
        block = block[:, :-1]
    while block.shape[1] > 1 and (block[:, 0] == EMPTY_CODE).all():
        block = block[:, 1:]
    return block


def _without_labels(block: Ints) -> Iterator[Ints]:
    """Yield a block, and the block without outer rows and columns of labels or sums."""
    rows, columns = block.shape
    for top, bottom, left, right in sorted(itertools.product((0, 1), repeat=4), key=sum):
        inner = block[top : rows - bottom, left : columns - right]
        if not inner.size:
            continue
        across, down = slice(left, columns - right), slice(top, rows - bottom)
        edges = (
            (top, block[0, across], None),
            (bottom, block[-1, across], inner.sum(axis=0)),
            (left, block[down, 0], np.full(len(inner), BULLET_CODE)),
            (right, block[down, -1], inner.sum(axis=1)),
        )
        if all(_are_labels(edge, sums) for is_left_out, edge, sums in edges if is_left_out):
            yield inner


def _are_labels(numbers: Ints, sums: Ints | None) -> bool:
    """Return whether numbers count from 0 or 1, up or down, or are the given sums or marks."""
    if sums is not None and np.array_equal(numbers, sums):
        return True
    if len(numbers) < 2:
        return False
    steps = np.diff(numbers)
    return bool((np.abs(steps) == 1).all() and (steps == steps[0]).all() and min(numbers) in (0, 1))


# -- streams of numbers ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Stream:
    """Numbers in the order of a text, from which others were left out.

    ``sizes`` are those that should be sides or the number of squares; ``may_be_square`` tells
    whether they are written like the others. ``width`` is how many there are on each line, or 0.
    """

    values: Ints
    width: int
    left_out: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    may_be_square: bool = False

    def forms(self) -> Iterator[Form]:
        """Yield the forms of the numbers as a list, a table, or the cells of a board."""
        if not len(self.values):
            return
        remarks: tuple[str, ...] = ()
        if self.left_out:
            words = " ".join(map(str, self.left_out[:3]))
            remarks = (f"without '{words}'",)
        for form in itertools.chain(
            _tables(self.values, self.width), _cells_in_one_row(self.values)
        ):
            yield replace(
                form,
                remarks=(*form.remarks, *remarks),
                sizes=self.sizes,
                may_be_square=self.may_be_square,
            )


def beside_words(tokens: Tokens, chosen: Ints) -> Mask:
    """Return which tokens stand on a line with words."""
    return np.isin(tokens.lines[chosen], np.array([*tokens.words_by_line], dtype=np.int64))


def _streams(tokens: Tokens, numbers: Ints) -> Iterator[_Stream]:
    """Yield all numbers of a text, then those without some that may be left out."""
    yield _stream(tokens, numbers)
    bases = [numbers]
    for kept in (~beside_words(tokens, numbers), ~_on_odd_lines(tokens, numbers)):
        chosen = numbers[kept]
        if 0 < len(chosen) < len(bases[-1]) and len(chosen) >= len(numbers) // 2:
            bases.append(chosen)
            yield _stream(tokens, chosen)
    for base in bases:
        unlabeled = _without_first_of_lines(tokens, base)
        if unlabeled is not None:
            bases.append(unlabeled)
            yield _stream(tokens, unlabeled)
        if len(bases) > 6:
            break
    for base in bases:
        yield from _without_sizes(tokens, base)


def _stream(tokens: Tokens, chosen: Ints) -> _Stream:
    """Return the stream of some numbers."""
    counts = tokens.rows(chosen)[2]
    width = int(counts[0]) if len(counts) and (counts == counts[0]).all() else 0
    return _Stream(tokens.values[chosen], width)


def _on_odd_lines(tokens: Tokens, chosen: Ints) -> Mask:
    """Return which tokens stand at the top or bottom on lines with words that occur only there."""
    lines = [*dict.fromkeys(tokens.lines[chosen].tolist())]
    uses = Counter(tokens.words_by_line.values())
    sizes = Counter(tokens.lines[chosen].tolist())
    usual = Counter(sizes.values()).most_common(1)[0][0] if sizes else 0
    odd = set()
    for ordered in (lines, lines[::-1]):
        for line in ordered:
            words = tokens.words_by_line.get(line)
            if words is None or uses[words] > 1 or sizes[line] == usual:
                break
            odd.add(line)
    return np.isin(tokens.lines[chosen], np.array([*odd], dtype=np.int64))


def _without_first_of_lines(tokens: Tokens, chosen: Ints) -> Ints | None:
    """Return numbers without labels of lines that count lines or entries; None without labels."""
    _, firsts, counts = tokens.rows(chosen)
    if not (counts > 1).all():
        return None
    labels = tokens.values[chosen[firsts]]
    entries_before = np.concatenate([[0], np.cumsum(counts - 1)[:-1]])
    if len(labels) == 1:  # [1] 0 6 8, where no other number is in brackets
        first = int(chosen[0])
        before = tokens.text[: tokens.starts[first]].rpartition("\n")[2]
        is_label = before.strip() == "[" and tokens.between(first, int(chosen[1])) == "]"
    else:
        is_label = labels[0] in (0, 1) and (
            np.array_equal(labels - labels[0], entries_before)
            or np.array_equal(labels - labels[0], np.arange(len(labels)))
        )
    return np.delete(chosen, firsts) if is_label else None


def _without_sizes(tokens: Tokens, chosen: Ints) -> Iterator[_Stream]:
    """Yield numbers without a few before or behind them that something else separates from them.

    They must turn out to be sides of the board or the number of its squares, unless they stand
    between words.
    """
    count = len(chosen)
    if count < 2 * _MAX_AHEAD:
        return
    listed = chosen[:_SOME].tolist()
    usual = Counter(itertools.starmap(tokens.between, itertools.pairwise(listed)))
    ends = [
        (ahead, behind)
        for ahead, behind in itertools.product(range(_MAX_AHEAD + 1), repeat=2)
        if ahead + behind
    ]
    for ahead, behind in sorted(ends, key=sum):
        last = count - behind
        separators = []
        if ahead:
            separators.append(tokens.between(int(chosen[ahead - 1]), int(chosen[ahead])))
        if behind:
            separators.append(tokens.between(int(chosen[last - 1]), int(chosen[last])))
        is_apart = all(re.search(r"[:={\[(|\])}\n]|[^\W\d]", each) for each in separators)
        if not is_apart:
            continue
        is_unusual = all(usual[each] <= 1 for each in separators)
        if not is_unusual and not all("\n" in each for each in separators):
            continue
        left_out = [*chosen[:ahead].tolist(), *chosen[last:].tolist()]
        beside_words = is_unusual and all(
            index and tokens.kinds[index - 1] == Kind.WORD for index in left_out
        )
        values = tuple(tokens.values[left_out].tolist())
        stream = _stream(tokens, chosen[ahead:last])
        sizes = () if beside_words else values
        yield replace(stream, left_out=values, sizes=sizes, may_be_square=not is_unusual)


def _cells_in_one_row(cells: Ints) -> Iterator[Form]:
    """Yield cells of a board, row by row, whose sides divide their number; -1 is a hole."""
    is_hole = (cells == -1) | (cells == HOLE_CODE)
    values = cells[~is_hole]
    count = len(values)
    if count < _MIN_STEPS or not _are_steps(np.sort(values)):
        return
    first = int(values.min())
    ids = np.flatnonzero(~is_hole)[np.argsort(values)]
    yield Form(
        Notation.GRID if first else Notation.GRID_FROM_0,
        ids[:, None],
        Naming("{}"),
        numbering=Numbering(first=first),
        area=len(cells),
        fills_board=True,
        holes=tuple(np.flatnonzero(is_hole).tolist()),
        drawn=True,
        zeros=() if first else tuple(ids[:1].tolist()),
    )


def _are_steps(numbers: Ints) -> bool:
    """Return whether numbers are 0, 1, 2 and so on, or 1, 2, 3 and so on."""
    return numbers[0] in (0, 1) and bool((np.diff(numbers) == 1).all())


def _tables(values: Ints, width: int) -> Iterator[Form]:
    """Yield numbers as a list, and as rows of a table whose columns their values tell apart."""
    widths = [each for each in range(1, _MAX_WIDTH + 1) if len(values) % each == 0]
    if width > _MAX_WIDTH:
        widths.append(width)
    wide = [each for each in range(_MAX_WIDTH + 1, 65) if len(values) % each == 0]
    for each in sorted([*widths, *wide], key=lambda each: each != width):
        table = values.reshape(-1, each)
        if each == 1:
            yield from forms_of_numbers(values)
        elif len(table) >= _MIN_STEPS:
            yield from _columns(table)
        elif len(table) == 2 and each == 2:
            yield from forms_in(Notation.COORDS, table, "({}, {})")
    if len(values) in (2, 4):
        yield from forms_in(Notation.COORDS, values.reshape(-1, 2), "({}, {})")


def _columns(table: Ints) -> Iterator[Form]:
    """Yield the forms of a table, without columns that are constant or count its rows."""
    changes = np.diff(table, axis=0)
    is_constant = (changes == 0).all(axis=0)
    is_count = (np.abs(changes) == 1).all(axis=0) & (changes == changes[0]).all(axis=0)
    kept = table[:, ~(is_constant | is_count)]
    match kept.shape[1]:
        case 1:
            yield from forms_in(Notation.IDS, kept)
        case 2:
            yield from forms_in(Notation.COORDS, kept, "({}, {})")
            yield from _moves_between(kept.reshape(-1, 1))
        case 4:
            yield from _moves_between(kept.reshape(-1, 2))
    if kept.shape[1] < table.shape[1] == 2:  # one coordinate may count or stay, too
        yield from forms_in(Notation.COORDS, table, "({}, {})")
    if kept.shape[1] in (2, 3):
        yield from _by_step(kept)
    if 2 < kept.shape[1] < table.shape[1]:
        yield from forms_of_grid(np.where(kept == -1, HOLE_CODE, kept))
    scaled = np.stack([_from_zero(column) for column in kept.T], axis=1) if kept.size else kept
    if 2 <= kept.shape[1] <= _MAX_SCALED and not np.array_equal(scaled, kept):
        yield from _columns(scaled)


def _from_zero(column: Ints) -> Ints:
    """Return equally spaced numbers, such as places in pixels, as 0, 1, 2 and so on."""
    ordered = np.sort(column)
    gaps = np.diff(ordered)
    gaps = gaps[gaps > 0]
    has_repeats = 0 < len(gaps) < len(column) - 1  # others are steps
    is_even = has_repeats and gaps.min() == gaps.max()
    is_usual = not is_even or (gaps[0] == 1 and ordered[0] in (0, 1))
    return column if is_usual else (column - ordered[0]) // gaps[0]


def _moves_between(ends: Ints) -> Iterator[Form]:
    """Yield the moves between squares that are given as ids or pairs."""
    if ends.min() < 0:
        return
    if ends.shape[1] == 1:
        for first in (0, 1):
            yield form_of_moves(Notation.MOVES, ends, Naming("{}", first))
        return
    for variant in Notation.COORDS.variants:
        yield form_of_moves(Notation.MOVES, ends, naming(variant, "({}, {})"))


def _by_step(table: Ints) -> Iterator[Form]:
    """Yield squares in the order of their steps, which one column holds, each once."""
    for column in reversed(range(table.shape[1])):
        steps = table[:, column]
        if not _are_steps(np.sort(steps)):
            continue
        squares = np.delete(table, column, axis=1)[np.argsort(steps)]
        base = Notation.IDS if squares.shape[1] == 1 else Notation.COORDS
        pair = "{}" if squares.shape[1] == 1 else "({}, {})"
        numbering = Numbering(first=int(steps.min()))
        yield from forms_in(base, squares, pair, numbering=numbering)


# -- names ----------------------------------------------------------------------------------------


def _named(tokens: Tokens) -> Iterator[Form]:
    """Yield the forms of chess names: in their order, by their steps, and as moves."""
    names = tokens.of_kind(Kind.NAME)
    numbers = tokens.of_kind(Kind.NUMBER)
    plain = names[~beside_words(tokens, names)]
    even = names[~_on_odd_lines(tokens, names)]
    tried = set()
    for chosen in (names, plain, even):
        if not len(chosen) or len(chosen) in tried:
            continue
        tried.add(len(chosen))
        lines = tokens.rows(chosen)[0]
        beside = tokens.values[numbers[np.isin(tokens.lines[numbers], lines)]]
        squares = np.stack([tokens.files[chosen], tokens.values[chosen]], axis=1)
        yield from _forms_of_names(squares, beside)
        if len(beside) and len(tokens.values[numbers]) == len(chosen) != len(beside):
            yield from _forms_of_names(squares, tokens.values[numbers])


def _forms_of_names(squares: Ints, beside: Ints) -> Iterator[Form]:
    """Yield the forms of names, given the numbers beside them."""
    count = len(squares)
    how = naming(Notation.SQUARES)
    if len(beside) == count > 1 and not (np.diff(beside) == 1).all():
        order = np.argsort(beside, kind="stable")
        steps = beside[order]
        if steps[0] in (0, 1):
            numbering = Numbering(steps, int(steps[0]))
            yield Form(Notation.SQUARES, squares[order], how, numbering=numbering)
        return
    yield Form(Notation.SQUARES, squares, how)
    if count % 2 == 0:
        yield form_of_moves(Notation.MOVES, squares, how)


_SPREAD_NAME = re.compile(r"(?<![^\W_])([A-Za-z])[^\w\n]{1,6}(\d{1,3})(?!\w)")


def _spread_names(text: str) -> Iterator[Form]:
    """Yield the forms of names whose letter and number something separates, as in ('a', 1)."""
    found = _SPREAD_NAME.findall(text)
    if len(found) > _MIN_STEPS:
        pairs = [(file_index(letter.lower()) + 1, int(rank)) for letter, rank in found]
        yield from _forms_of_names(np.array(pairs, dtype=np.int64), np.array([], dtype=np.int64))


def _all_digits(text: str) -> Iterator[Form]:
    """Yield the forms of all digits of a text, also those within words, as in R1C1."""
    found = re.findall(r"(?<![\d.])\d{1,9}(?!\.?\d)", text)
    if len(found) > _MIN_STEPS:
        if {*map(len, found)} == {2}:  # 00 12 20
            found = [*"".join(found)]
        yield from _Stream(np.array(found, dtype=np.int64), 0).forms()
