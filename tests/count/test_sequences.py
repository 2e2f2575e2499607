"""Sequences of boards, prefixes of a board, and the recurrences of their numbers of tours."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.count import sequences
from kt_cp.count.counting import Count, count_tours
from kt_cp.count.plan import Plan
from kt_cp.count.sequences import (
    check_growth,
    count_boards,
    count_prefixes,
    find_recurrence,
    shortest_recurrence,
)
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError

# Closed tours of the first k squares of 5 x n, column by column, for k = 18, 20, 22, ..., as in
# A383660 to A383665.
FIRST_SQUARES = [1, 0, 1, 30, 0, 148, 8, 78, 9309]


def one_by_one(sizes: list[str], **how: Any) -> list[Count]:
    return [count_tours(size, **how) for size in sizes]


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(
    "sizes",
    [
        [f"3x{columns}" for columns in range(1, 15)],
        [f"{rows}x4" for rows in range(1, 8)],
        ["4x3", "4x5", "3x8", "4x4"],
        ["5x3", "5x4", "5x5", "5x6"],
    ],
)
def test_a_sweep_counts_each_board_as_it_is_counted_alone(sizes: list[str], closed: bool) -> None:
    assert list(count_boards(sizes, closed=closed)) == one_by_one(sizes, closed=closed)


@pytest.mark.parametrize("in_tables", [True, False])
@pytest.mark.parametrize("piece", ["knight", "king"])
def test_a_sweep_serves_every_piece_in_both_kinds_of_states(
    piece: str, in_tables: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plan_of(*arguments: Any) -> Plan:
        plan = Plan(*arguments)
        plan.suits_tables = in_tables
        return plan

    boards = [Board(3, columns, piece=piece) for columns in range(2, 7)]
    expected = [count_tours(board, closed=True) for board in boards]
    monkeypatch.setattr(sequences, "Plan", plan_of)
    assert list(count_boards(boards, closed=True)) == expected


def test_boards_that_a_limit_leaves_uncounted_are_not_complete() -> None:
    sizes = [f"5x{columns}" for columns in range(3, 30)]
    counts = list(count_boards(sizes, memory_limit=1))
    assert counts[0] == Count(0, True, "directed open")
    assert not counts[-1].complete
    assert counts[-1].note is not None
    assert "memory" in counts[-1].note
    assert len(counts) == len(sizes)


@given(rows=st.integers(1, 5), columns=st.integers(1, 4), closed=st.booleans())
def test_prefixes_are_boards_whose_last_column_is_short(
    rows: int, columns: int, closed: bool
) -> None:
    counted = dict(count_prefixes(Board(rows, columns), closed=closed))
    by_columns = [row * columns + column for column in range(columns) for row in range(rows)]
    for squares, number in counted.items():
        board = Board(rows, columns, by_columns[squares:])
        assert number == count_tours(board, closed=closed).count


def test_there_are_as_many_tours_of_the_first_squares_as_published() -> None:
    counted = dict(count_prefixes("5x7", closed=True))
    assert [counted[squares] for squares in range(18, 36, 2)] == FIRST_SQUARES


def test_prefixes_of_what_they_do_not_support_are_refused() -> None:
    with pytest.raises(InputError, match="leave out constraints"):
        list(count_prefixes("5x5", start="a1"))
    with pytest.raises(InputError, match="board"):
        list(count_prefixes([(1, 2), (2, 3)]))
    with pytest.raises(OutOfTimeError):
        list(count_prefixes("8x30", time_limit=0.2))


@given(st.lists(st.integers(-9, 9), max_size=4), st.data())
def test_the_recurrence_of_a_sequence_is_found_again(
    coefficients: list[int], data: st.DataObject
) -> None:
    order = len(coefficients)
    terms = data.draw(st.lists(st.integers(-50, 50), min_size=order, max_size=order))
    for _ in range(order + 10):
        last = terms[::-1]
        terms.append(sum(c * term for c, term in zip(coefficients, last, strict=False)))
    found = shortest_recurrence(terms)
    assert found is not None
    assert found.order <= order
    assert found.fits(terms)


# The generating function of the closed tours of 3 x n has degree 42 (D. E. Knuth and N. D. Elkies;
# see A070030, which lists every other number). The first two numbers do not fit.
@pytest.mark.exhaustive
def test_the_recurrence_of_closed_tours_of_three_rows_is_proven() -> None:
    sizes = [f"3x{columns}" for columns in range(1, 191)]
    terms = [count.count for count in count_boards(sizes, closed=True)]
    instances = [Instance.of(size, closed=True) for size in sizes]
    found = find_recurrence(instances, terms)
    assert found.recurrence is not None
    assert found.recurrence.coefficients[:4] == (0, 6, 0, 64)
    assert found.recurrence.coefficients[41:] == (131072, 0, 0)
    assert found.is_proven
    fewer = find_recurrence(instances[:120], terms[:120])
    assert fewer.recurrence == found.recurrence
    assert not fewer.is_proven
    assert "not proven, which takes all boards up to n = 186, with 138 states" in str(fewer)


def test_recurrences_need_every_length() -> None:
    for sizes in (["3x3", "3x5"], ["3x3", "4x4"], ["3x4", "3x5", "4x5"], ["3x3"]):
        with pytest.raises(InputError, match="give flat boards that grow by one row or column"):
            check_growth([Instance.of(size) for size in sizes])
    check_growth([Instance.of(size) for size in ("3x3", "4x3", "5x3")])


def test_a_recurrence_is_not_proven_if_the_states_between_columns_take_too_long() -> None:
    instances = [Instance.of(f"4x{columns}") for columns in range(1, 9)]
    found = find_recurrence(instances, [0, 0, 16, 0, 164, 1488, 12756, 62176], time_limit=1e-6)
    assert found.columns is None
    assert not found.is_proven
