"""How the boards of a book are spread over pages. Lengths are in millimeters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kt_cp.board import Board

_MOST_COLUMNS = 3


@dataclass(frozen=True)
class Slot:
    """A board to be put on a page, its index in the book, and how large its squares may be.

    Numbers are legible in squares of the ``least`` side. Several boards share a page if the squares
    of each have the ``usual`` side; no squares are larger than the ``greatest``. ``captions`` are
    the lengths of the texts above the board, each of which is broken into lines.
    """

    index: int
    board: Board
    least: float
    usual: float
    greatest: float
    captions: tuple[float, ...] = ()


@dataclass(frozen=True)
class Frame:
    """The part of a page for boards, the height of the text around each board, and the gaps.

    ``around`` includes one line of each caption, and ``line`` is the height of each further one.
    """

    width: float
    height: float
    around: float
    gap: float
    line: float = 0

    def below(self, head: float) -> Frame:
        """Return the frame that is left below a heading."""
        return replace(self, height=self.height - head)


@dataclass(frozen=True)
class Page:
    """Consecutive boards on a page, from left to right in rows; ``cell`` is the side of a square.

    All squares of a page have the same size.
    """

    slots: tuple[Slot, ...]
    columns: int
    cell: float

    @property
    def rows(self) -> list[tuple[Slot, ...]]:
        """The boards of each row."""
        firsts = range(0, len(self.slots), self.columns)
        return [self.slots[first : first + self.columns] for first in firsts]

    @property
    def is_roomy(self) -> bool:
        """Whether the squares of all boards have the usual side."""
        return all(self.cell >= slot.usual for slot in self.slots)


def paginate(
    slots: Sequence[Slot], frame: Frame, most: int, per_page: int | None = None, head: float = 0
) -> list[Page]:
    """Return pages with all boards in their order; the first one has a heading of height ``head``.

    A page has ``per_page`` boards, or without that as many as are roomy on it, up to ``most``.
    """
    pages: list[Page] = []
    left, room = slots, frame.below(head)
    while left:
        page = _fullest(left, room, most) if per_page is None else _largest(left[:per_page], room)
        pages.append(page)
        left, room = left[len(page.slots) :], frame
    return pages


def _fullest(slots: Sequence[Slot], frame: Frame, most: int) -> Page:
    """Return the page of most boards that is roomy, without a gap in its last row if others follow.

    It has one board if no page is roomy.
    """
    chosen = _largest(slots[:1], frame)
    for count in range(2, min(most, len(slots)) + 1):
        page = _largest(slots[:count], frame)
        is_whole = count % page.columns == 0 or count == len(slots)
        if page.is_roomy and is_whole:
            chosen = page
    return chosen


def _largest(slots: Sequence[Slot], frame: Frame) -> Page:
    """Return the page with these boards whose squares are largest; of several, the widest."""
    columns = range(1, min(_MOST_COLUMNS, len(slots)) + 1)
    pages = [_page(slots, frame, count) for count in columns]
    return max(pages, key=lambda page: (page.cell, page.columns))


def _page(slots: Sequence[Slot], frame: Frame, columns: int) -> Page:
    """Return the page with these boards in a number of columns."""
    greatest = min(slot.greatest for slot in slots)
    rows = Page(tuple(slots), columns, greatest).rows
    width = (frame.width - (columns - 1) * frame.gap) / columns
    lines = sum(max(_further_lines(slot, width) for slot in row) for row in rows)
    text = len(rows) * frame.around + lines * frame.line
    height = frame.height - text - (len(rows) - 1) * frame.gap
    across = max(slot.board.columns for slot in slots)
    down = sum(max(slot.board.rows for slot in row) for row in rows)
    return Page(tuple(slots), columns, min(greatest, width / across, height / down))


def _further_lines(slot: Slot, width: float) -> int:
    """Return how many lines the captions of a board have in a column, beside their first ones."""
    return sum(max(1, math.ceil(length / width)) - 1 for length in slot.captions)
