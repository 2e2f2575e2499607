"""How the boards of a book are spread over its pages."""

from dataclasses import replace
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from kt_cp import Board
from kt_cp.draw.book import Page, PageArea, Slot, paginate

A5 = PageArea(width=119, height=170, text_height=20, gap=8)


def slots(*sizes: tuple[int, int], usual: float = 8.5) -> list[Slot]:
    boards = [Board(*size) for size in sizes]
    return [Slot(index, board, 5.5, usual, 14) for index, board in enumerate(boards)]


def counts(pages: list[Page]) -> list[int]:
    return [len(page.slots) for page in pages]


def height_of(page: Page, area: PageArea) -> float:
    boards = sum(max(slot.board.rows for slot in row) for row in page.rows)
    return boards * page.cell + len(page.rows) * (area.text_height + area.gap) - area.gap


def width_of(page: Page, area: PageArea) -> float:
    widest = max(slot.board.columns for slot in page.slots)
    return page.columns * (widest * page.cell + area.gap) - area.gap


@given(
    st.lists(st.tuples(st.integers(1, 16), st.integers(1, 16)), max_size=15),
    st.none() | st.integers(1, 12),
    st.floats(0, 20),
)
def test_boards_keep_their_order_and_fit_on_pages(
    sizes: list[tuple[int, int]], per_page: int | None, head: float
) -> None:
    given_slots = slots(*sizes)
    pages = paginate(given_slots, A5, max_boards=9, per_page=per_page, heading_height=head)
    assert [*chain.from_iterable(page.slots for page in pages)] == given_slots
    for number, page in enumerate(pages):
        area = A5.below(head if number == 0 else 0)
        assert page.cell <= 14
        assert page.cell <= 0 or height_of(page, area) <= area.height + 1e-6
        assert page.cell <= 0 or width_of(page, area) <= area.width + 1e-6
        assert len(page.slots) == 1 or per_page is not None or page.cell >= 8.5


def test_a_page_has_as_many_boards_as_have_squares_of_the_usual_size() -> None:
    assert counts(paginate(slots(*[(6, 6)] * 6), A5, max_boards=9)) == [4, 2]
    assert counts(paginate(slots(*[(6, 6)] * 6, usual=5.5), A5, max_boards=9)) == [6]
    assert counts(paginate(slots((8, 8), (8, 8)), A5, max_boards=9)) == [1, 1]


def test_a_page_has_as_many_boards_as_asked_for() -> None:
    assert counts(paginate(slots(*[(6, 6)] * 6), A5, max_boards=9, per_page=5)) == [5, 1]


def test_squares_are_no_larger_than_the_greatest_and_then_boards_stand_side_by_side() -> None:
    (page,) = paginate(slots((3, 3), (3, 3)), A5, max_boards=9)
    assert (page.cell, page.columns) == (14, 2)


def test_a_row_is_as_high_as_its_highest_board() -> None:
    area = PageArea(width=200, height=100, text_height=0, gap=0)
    (page,) = paginate(slots((2, 9), (5, 9), (5, 9), (2, 9)), area, max_boards=9, per_page=4)
    assert (page.columns, page.cell) == (2, 10)


def test_captions_of_several_lines_leave_less_room_for_the_boards() -> None:
    area = PageArea(width=100, height=100, text_height=0, gap=0, line_height=10)
    slot = Slot(0, Board(5, 5), 5.5, 8.5, 30)
    assert paginate([slot], area, max_boards=9)[0].cell == 20
    long = replace(slot, caption_widths=(90, 250))
    assert paginate([long], area, max_boards=9)[0].cell == 16, "a line and three"
