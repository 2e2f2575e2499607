"""Tables as lines of text that fit a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from kt_cp.compare.report.tables import TextTable

_LEAST_LABEL = 12


def table_lines(table: TextTable, width: int) -> Iterator[str]:
    """Yield the lines of a table, which are no longer than ``width`` where a single column fits.

    Columns for which there is no room follow below, with the labels once more. Numbers are never
    cut; long labels lose their beginning where labels would take more than two thirds of the width.

    >>> table = TextTable("Seconds", ("method", "mean", "best"), (("dfs", "1.5", "0.25"),), 1)
    >>> print(*table_lines(table, 12), sep="\\n")
    Seconds
    method mean
    -----------
    dfs     1.5
    <BLANKLINE>
    method best
    -----------
    dfs    0.25
    <BLANKLINE>
    """
    columns = [list(cells) for cells in zip(*table.rows, strict=True)] or [[]] * len(table.columns)
    heads = [
        wrap(head, max(map(len, [*head.split(), *cells])))
        for head, cells in zip(table.columns, columns, strict=True)
    ]
    height = max(map(len, heads))
    texts = [
        [*[""] * (height - len(head)), *head, *cells]
        for head, cells in zip(heads, columns, strict=True)
    ]
    labels = _labels(texts[: table.labels], 2 * width // 3)
    numbers = [[cell.rjust(_widest(text)) for cell in text] for text in texts[table.labels :]]
    gap = 2 if _width([*labels, *numbers], 2) <= width else 1
    yield table.title
    while numbers:
        block = [*labels, numbers.pop(0)]
        while numbers and _width([*block, numbers[0]], gap) <= width:
            block.append(numbers.pop(0))
        lines = [(" " * gap).join(cells).rstrip() for cells in zip(*block, strict=True)]
        yield from [*lines[:height], "-" * _width(block, gap), *lines[height:], ""]


def _labels(columns: Sequence[Sequence[str]], room: int) -> list[list[str]]:
    """Return columns of labels flush left, the widest of them shortened to make them fit."""
    excess = max(0, _width(columns, 1) - room)
    limit = max(_LEAST_LABEL, max(map(_widest, columns)) - excess)
    short = [
        [text if len(text) <= limit else "…" + text[1 - limit :] for text in column]
        for column in columns
    ]
    return [[text.ljust(_widest(column)) for text in column] for column in short]


def _width(columns: Sequence[Sequence[str]], gap: int) -> int:
    return sum(map(_widest, columns)) + gap * (len(columns) - 1)


def _widest(column: Sequence[str]) -> int:
    return max(map(len, column))
