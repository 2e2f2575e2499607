"""What a tour tells of itself."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from kt_cp.board.board import Board
from kt_cp.board.symmetry import board_symmetries
from kt_cp.count.classes import enumerate_tours
from kt_cp.count.counting import count_tours
from kt_cp.messages import InputError
from kt_cp.tour.tour import Tour
from tests.helpers.strategies import tours

OPEN = Tour("3x4", [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
ROUND = Tour(Board(3, 3, holes=["b2"]), [0, 5, 6, 1, 8, 3, 2, 7], closed=True)


@given(tours())
def test_its_forms_agree(tour: Tour) -> None:
    squares = list(tour)
    assert tour.squares.tolist() == squares == [tour[place] for place in range(len(tour))]
    assert tour[-1] == squares[-1]
    assert tour[1:3] == squares[1:3]
    assert tour.coords.tolist() == [[*divmod(square, tour.board.columns)] for square in squares]
    assert [tour.grid[row, column] for row, column in tour.coords] == [*range(1, len(tour) + 1)]
    following = [*squares[1:], squares[0]] if tour.closed else squares[1:]
    assert tour.moves.tolist() == [list(move) for move in zip(squares, following, strict=False)]


@given(tours())
def test_it_is_the_same_up_to_symmetry_however_it_is_turned_and_begun(tour: Tour) -> None:
    for images in board_symmetries(tour.board).values():
        turned = Tour(tour.board, images[tour.squares], tour.closed)
        assert tour.same_up_to_symmetry(turned)
        assert tour.same_up_to_symmetry(turned.reversed())
        if tour.closed:
            begun = Tour(tour.board, np.roll(turned.squares, 5), closed=True)
            assert tour.same_up_to_symmetry(begun)


@pytest.mark.parametrize(("size", "closed"), [("3x4", False), ("5x6", True)])
def test_the_classes_are_those_that_are_counted(size: str, closed: bool) -> None:
    classes: list[Tour] = []
    for tour in enumerate_tours(size, closed=closed):
        if not any(tour.same_up_to_symmetry(other) for other in classes):
            classes.append(tour)
    assert len(classes) == count_tours(size, closed=closed, up_to_symmetry=True).count
    assert not classes[0].same_up_to_symmetry(OPEN if closed else ROUND)
    with pytest.raises(InputError, match="5 is not a Tour"):
        OPEN.same_up_to_symmetry(5)  # type: ignore[arg-type]


def test_it_knows_the_names_of_its_squares_and_the_way_back() -> None:
    assert OPEN.names == ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]
    assert OPEN.reversed().squares.tolist() == list(OPEN)[::-1]
    assert ROUND.reversed().squares.tolist() == [0, 7, 2, 3, 8, 1, 6, 5]


def test_it_draws_itself(tmp_path: Path) -> None:
    OPEN.draw(tmp_path / "tour.svg")
    assert (tmp_path / "tour.svg").read_text().startswith("<svg")
    assert OPEN.draw(style="order")._repr_svg_().startswith("<svg")
    assert str(OPEN._repr_svg_()).startswith("<svg")
    with pytest.raises(InputError, match="must end in"):
        OPEN.draw(tmp_path / "tour.txt")


def test_a_board_gives_its_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Board(3, 3, [1]).to_networkx()
    assert sorted(graph) == [0, 2, 3, 4, 5, 6, 7, 8]
    assert sorted(map(sorted, graph.edges)) == [[0, 5], [0, 7], [2, 3], [2, 7], [3, 8], [5, 6]]
    assert Board(2, 4, [1], piece="horse").to_networkx().is_directed()
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(InputError, match="graphs need networkx: pip install networkx"):
        Board(3, 3).to_networkx()
