"""Layout of a book: how its boards are spread over pages. Lengths are in millimeters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kt_cp.board import Board

_MAX_COLUMNS = 3


@dataclass(frozen=True)
class Slot:
    """A board to be put on a page, its index in the book, and the sizes of its squares.

    Numbers are legible in squares of the side ``least``. Several boards share a page only if the
    squares of each have its ``usual`` side; no squares are larger than ``greatest``.
    ``caption_widths`` are those of the texts above the board, each of which is broken into lines.
    """

    index: int
    board: Board
    least: float
    usual: float
    greatest: float
    caption_widths: tuple[float, ...] = ()


@dataclass(frozen=True)
class PageArea:
    """The area of a page for boards, the height of the text of each board, and the gaps.

    ``text_height`` includes one line of each caption, and ``line_height`` is the height of each
    further line.
    """

    width: float
    height: float
    text_height: float
    gap: float
    line_height: float = 0

    def below(self, heading_height: float) -> PageArea:
        """Return the area below a heading."""
        return replace(self, height=self.height - heading_height)


@dataclass(frozen=True)
class Page:
    """Consecutive boards on a page, from left to right in rows; ``cell`` is the side of a square.

    All squares of a page have the same size.
    """

    slots: tuple[Slot, ...]
    columns: int
    cell: float

    @property
    def rows(self) -> list[Sequence[Slot]]:
        """The boards of each row."""
        return _in_rows(self.slots, self.columns)

    @property
    def is_roomy(self) -> bool:
        """Whether the squares of all boards have at least their usual side."""
        return all(self.cell >= slot.usual for slot in self.slots)


def _in_rows(slots: Sequence[Slot], columns: int) -> list[Sequence[Slot]]:
    """Return the slots of each row."""
    return [slots[first : first + columns] for first in range(0, len(slots), columns)]


def paginate(
    slots: Sequence[Slot],
    area: PageArea,
    max_boards: int,
    *,
    per_page: int | None = None,
    heading_height: float = 0,
) -> list[Page]:
    """Return pages with all boards in their order; the first page has a heading.

    A page has ``per_page`` boards or, without that, as many as leave it roomy, up to
    ``max_boards``.
    """
    pages: list[Page] = []
    rest = slots
    while rest:
        page_area = area if pages else area.below(heading_height)
        if per_page is None:
            page = _fullest_page(rest, page_area, max_boards)
        else:
            page = _largest_page(rest[:per_page], page_area)
        pages.append(page)
        rest = rest[len(page.slots) :]
    return pages


def _fullest_page(slots: Sequence[Slot], area: PageArea, max_boards: int) -> Page:
    """Return the roomy page with the most boards; if no page is roomy, the one with one board.

    Its last row is full unless it is the last page.
    """
    fullest = _largest_page(slots[:1], area)
    for count in range(2, min(max_boards, len(slots)) + 1):
        page = _largest_page(slots[:count], area)
        has_full_rows = count % page.columns == 0
        is_last_page = count == len(slots)
        if page.is_roomy and (has_full_rows or is_last_page):
            fullest = page
    return fullest


def _largest_page(slots: Sequence[Slot], area: PageArea) -> Page:
    """Return the page with all of these boards and the largest squares; of several, the widest."""
    columns = range(1, min(_MAX_COLUMNS, len(slots)) + 1)
    pages = [_page(slots, area, count) for count in columns]
    return max(pages, key=lambda page: (page.cell, page.columns))


def _page(slots: Sequence[Slot], area: PageArea, columns: int) -> Page:
    """Return the page with all of these boards in a number of columns."""
    greatest = min(slot.greatest for slot in slots)
    rows = _in_rows(slots, columns)
    column_width = (area.width - (columns - 1) * area.gap) / columns
    lines = sum(max(_further_lines(slot, column_width) for slot in row) for row in rows)
    texts = len(rows) * area.text_height + lines * area.line_height
    height = area.height - texts - (len(rows) - 1) * area.gap
    squares_across = max(slot.board.columns for slot in slots)
    squares_down = sum(max(slot.board.rows for slot in row) for row in rows)
    cell = min(greatest, column_width / squares_across, height / squares_down)
    return Page(tuple(slots), columns, cell)


def _further_lines(slot: Slot, width: float) -> int:
    """Return the number of lines of the captions of a board beyond the first line of each."""
    return sum(
        max(1, math.ceil(caption_width / width)) - 1 for caption_width in slot.caption_widths
    )
