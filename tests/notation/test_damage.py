"""A tour damaged in one known way is reported with that damage, and at its step."""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.notation.notations import Notation
from kt_cp.notation.read import parse_path
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind
from tests.helpers.oracle import naive_faults
from tests.helpers.strategies import tours

IN_ORDER = [
    *(Notation.IDS, Notation.IDS_FROM_1, Notation.SQUARES, Notation.MOVES),
    *(Notation.COORDS, Notation.COORDS_COLUMN_FIRST_FROM_1, Notation.TSPLIB, Notation.JSON),
]


def write_path(board: Board, path: Sequence[int], notation: Notation) -> str:
    """Write any path, valid or not, by a second, plain implementation."""
    pairs = [divmod(square, board.columns) for square in path]
    names = [f"{letters(column)}{board.rows - row}" for row, column in pairs]
    places = [square + 1 - sum(hole < square for hole in board.holes) for square in path]
    match notation:
        case Notation.IDS:
            return " ".join(map(str, path))
        case Notation.IDS_FROM_1:
            return ", ".join(str(square + 1) for square in path)
        case Notation.SQUARES:
            return "-".join(names)
        case Notation.MOVES:
            return " ".join(f"{a}-{b}" for a, b in itertools.pairwise(names))
        case Notation.COORDS:
            return ", ".join(f"({row}, {column})" for row, column in pairs)
        case Notation.COORDS_COLUMN_FIRST_FROM_1:
            return "\n".join(f"{column + 1} {row + 1}" for row, column in pairs)
        case Notation.TSPLIB:
            return "TOUR_SECTION\n" + "\n".join(map(str, places)) + "\n-1\nEOF\n"
    return f'{{"tour": {list(path)}}}'


def letters(column: int) -> str:
    return (chr(96 + column // 26) if column >= 26 else "") + chr(97 + column % 26)


def rows_of(board: Board, cells: list[str]) -> list[list[str]]:
    return [cells[first : first + board.columns] for first in range(0, len(cells), board.columns)]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[Tour, list[int], str, int]:
    """A tour, its path with one thing wrong, what is wrong, and at which place from 0."""
    tour = draw(tours().filter(lambda tour: len(tour) >= 6))
    path = tour.squares.tolist()
    place = draw(st.integers(1, len(path) - 3))
    how = draw(st.sampled_from(["dropped", "doubled", "replaced", "off the board", "exchanged"]))
    if how == "dropped":
        del path[place]
    elif how == "doubled":
        path.insert(place, path[place])
    elif how == "replaced":
        path[place] = path[draw(st.integers(0, place - 1))]
    elif how == "off the board":
        path[place] = tour.board.area + draw(st.integers(0, tour.board.columns - 1))
    else:
        path[place], path[place + 1] = path[place + 1], path[place]
    return tour, path, how, place


@pytest.mark.parametrize("notation", IN_ORDER)
@given(damage=damaged())
def test_the_damage_is_named_at_its_step(
    notation: Notation, damage: tuple[Tour, list[int], str, int]
) -> None:
    tour, path, how, place = damage
    if how == "off the board" and notation in (Notation.TSPLIB, Notation.SQUARES, Notation.MOVES):
        return  # a number beyond the last, or rank 0: both are tried elsewhere
    text = write_path(tour.board, path, notation)
    reading = parse_path(text, tour.board, notation, closed=False)
    found = [(fault.kind, fault.step, fault.squares) for fault in reading.iter_faults()]
    expected = naive_faults(tour.board, path, False)
    if how == "off the board":
        assert (FaultKind.OFF_BOARD, place + 1) in [fault[:2] for fault in found]
        found = [fault for fault in found if fault[0] is not FaultKind.OFF_BOARD]
        expected = [fault for fault in expected if fault[0] != "off-board"]
    assert sorted(found, key=repr) == sorted(
        ((FaultKind(kind), step, squares) for kind, step, squares in expected), key=repr
    )
    kinds = {"dropped": "missing", "doubled": "repeat", "replaced": "repeat"}
    if how in kinds:
        assert kinds[how] in reading.counts


@given(tour=tours().filter(lambda tour: len(tour) >= 6), data=st.data())
def test_a_wrong_number_on_a_numbered_board_is_named(tour: Tour, data: st.DataObject) -> None:
    square = data.draw(st.sampled_from(tour.squares.tolist()))
    step = tour.grid.ravel()[square]
    wrong = data.draw(st.integers(1, len(tour) + 9).filter(lambda number: number != step))
    cells = [str(number or "#") for number in tour.grid.ravel().tolist()]
    cells[square] = str(wrong)
    text = "\n".join(map(" ".join, rows_of(tour.board, cells)))
    reading = parse_path(text, tour.board, "grid", closed=False)
    kinds = {fault.kind: fault for fault in reading.iter_faults()}
    if step < len(tour) or wrong > len(tour):
        assert FaultKind.NO_STEP in kinds
    if wrong <= len(tour):
        assert kinds[FaultKind.SAME_STEP].step == wrong
        assert square in kinds[FaultKind.SAME_STEP].squares
    else:
        assert FaultKind.SAME_STEP not in kinds


def test_a_fault_speaks_the_notation_of_the_input() -> None:
    for text, notation, message in (
        ("1 11 64", "ids-from-1", "step 2 to 3: 11 to 64 is not a knight's move"),
        (
            *("(1, 1) (2, 3) (9, 1)", "coords-from-1"),
            "step 3: square (9, 1) is off the board; 8x8 has (1, 1) to (8, 8)",
        ),
        ("a1 b3 i3", None, "step 3: square i3 is off the board; 8x8 has a8 to h1"),
        ("a1-b3 c3-d5 b3-b4", None, "b3 to b4 is not a knight's move"),
        ("move(1,1,2,3). move(9,9,1,1).", None, "square 9,9 is off the board; 8x8 has 1,1 to 8,8"),
    ):
        assert parse_path(text, "8x8", notation).faults[0].message == message
