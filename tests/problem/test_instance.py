"""What is asked of a tour, in the forms in which people write it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kt_cp import solve, validate
from kt_cp.board.board import Board
from kt_cp.count.counting import count_tours, enumerate_tours
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.problem.constraints import Bound, Move
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import Tour

BOARD = Board(8, 8)


@pytest.mark.parametrize("board", ["8x8", "8 × 8", "\n".join(["." * 8] * 8), BOARD])
def test_an_instance_takes_a_board_as_text(board: Board | str) -> None:
    assert Instance.of(board) == Instance(BOARD)


@pytest.mark.parametrize("square", [36, "36", "e4", "E4", "4,4", (4, 4), [4, 4], np.int8(36)])
def test_a_square_is_an_id_a_name_or_a_pair(square: Any) -> None:
    assert Instance.of(BOARD, start=square).start == 36
    assert Instance.of(BOARD, end=square).end == 36
    if not isinstance(square, list):
        assert Instance.of(BOARD, givens={square: 5}).givens == ((36, 5),)


@pytest.mark.parametrize(
    ("move", "directed"),
    [
        ("a1-c2", False),
        ("a1>c2", True),
        ("56 - 50", False),
        ("7,0>6,2", True),
        (("a1", "c2"), False),
        ((56, 50), False),
        (["a1", (6, 2)], False),
        (((7, 0), "c2"), False),
        (np.array([56, 50]), False),
        (np.array([[7, 0], [6, 2]]), False),
        (Move(56, 50, directed=True), True),
    ],
)
def test_a_move_is_typed_or_a_pair_of_squares(move: Any, directed: bool) -> None:
    wanted = (Move(56, 50, directed),)
    assert Instance.of(BOARD, require=[move]).require == wanted
    assert Instance.of(BOARD, forbid=iter([move])).forbid == wanted
    if isinstance(move, str):
        assert Instance.of(BOARD, require=move).require == wanted


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"start": "i9"}, "start: square 'i9' is off the board: 8x8 has ids 0 to 63, files a to h"),
        (
            {"start": "nowhere!"},
            r"start: 'nowhere!' is not a square: give an id \(0\), a chess name",
        ),
        ({"start": True}, "start: True is not a square"),
        ({"start": 5, "end": 5}, "give another square as the end"),
        ({"closed": True, "end": 5}, "a closed tour has no end"),
        ({"start": 0, "givens": {0: 3}}, "steps 3 and 1 are both given on a8"),
        ({"givens": {0: 0}}, "step 0 on a8: steps run from 1 to 64"),
        ({"closed": "yes"}, "closed 'yes': give True or False"),
        ({"require": Move(56, 50)}, r"required move 56: give a1-b3 \(either direction\) or a1>b3"),
        ({"require": ["a1-a2"]}, "required move 'a1-a2': a1-a2 is not a knight's move"),
        ({"symmetry": "mirror"}, "symmetry 'mirror': give one of half-turn"),
        ({"givens": [1, 2]}, r"givens \[1, 2\]: give the step by square, such as {'a1': 1}"),
        ({"givens": {"a1": "first"}}, "step 'first' on a1: steps run from 1 to 64"),
        ({"givens": {"a1": 3, "b3": 3}}, "step 3 is given twice, on a1 and on b3"),
    ],
)
def test_what_makes_no_sense_is_named_with_what_would(wrong: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Instance.of(BOARD, **wrong)


def test_fields_are_canonical_so_that_one_can_be_replaced() -> None:
    asked = Instance.of("8x8", start="a1", require=["a1-c2"], givens={"e4": 7})
    assert replace(asked, start=None, givens=()) == Instance.of("8x8", require=["a1-c2"])
    assert replace(asked, closed=True) == Instance.of(
        BOARD, closed=True, start=56, require=[(56, 50)], givens={36: 7}
    )
    assert Instance.of(asked) is asked


def test_what_a_constraint_implies_goes_with_it() -> None:
    numbered = Instance.of("5x5", givens={"a1": 1, "c3": 9, "e5": 25})
    assert (numbered.first, numbered.last) == (20, 4)
    assert replace(numbered, givens=()) == Instance.of("5x5")
    assert replace(numbered, givens=()).first is None
    ordered = Instance.of("5x6", closed=True, order=["c3", "a1"])
    assert ordered.first == ordered.board.vertex("c3")
    assert replace(ordered, order=()) == Instance.of("5x6", closed=True)


def test_the_same_problem_in_other_words_is_the_same_instance() -> None:
    numbered = Instance.of("5x5", givens={"c3": 9, "e5": 25, "a1": 1})
    by_ends = Instance.of("5x5", start="a1", end="e5", givens={"c3": 9})
    assert numbered == by_ends
    assert hash(numbered) == hash(by_ends)
    assert numbered.direction_matters == by_ends.direction_matters
    assert len({numbered, by_ends, replace(by_ends, givens=())}) == 2
    ordered = Instance.of("5x6", closed=True, order=["c3", "a1"])
    assert ordered == replace(ordered, start=ordered.first)
    assert by_ends != "5x5"


@pytest.mark.parametrize(
    ("field", "text"),
    {"graph": "8x8", "start": "a1", "end": True, "require": ["a1-c2"], "symmetry": "left"}.items(),
)
def test_an_instance_made_from_text_names_the_function_that_reads_text(
    field: str, text: Any
) -> None:
    with pytest.raises(InputError, match="reads what people type"):
        Instance(**{"graph": BOARD, field: text})


def test_piece_and_topology_are_keywords_where_the_board_is_text() -> None:
    board = Board(4, 8, piece="zebra", topology="cylinder")
    assert Instance.of("4x8", piece="zebra", topology="cylinder") == Instance(board)
    moves: Any = {"piece": "wazir", "topology": "cylinder"}
    tour = solve("2x3", closed=True, **moves).tour
    assert tour is not None
    assert validate("2x3", tour.names, closed=True, **moves)
    assert parse_path(" ".join(tour.names), "2x3", **moves).tour == tour
    assert Tour("2x3", tour.names, closed=True, **moves) == tour
    assert count_tours("2x3", closed=True, **moves).count == len(
        list(enumerate_tours("2x3", closed=True, **moves))
    )
    with pytest.raises(InputError, match="piece: is only for a board given as text"):
        Instance.of(board, piece="zebra")


def test_a_step_on_no_square_is_refused_by_its_step() -> None:
    with pytest.raises(InputError, match="step 3: 99 is no vertex of 8x8"):
        Instance(BOARD, givens=((99, 3),))


def test_a_bound_has_one_of_three_relations_and_a_whole_number() -> None:
    with pytest.raises(InputError, match="relation '<' of a bound: give <=, >= or ="):
        Bound("turns", "<", 30)
    with pytest.raises(InputError, match=r"value 22\.5 of a bound: give a whole number"):
        Bound("turns", "<=", 22.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="give a whole number up to 999,999,999"):
        Bound("turns", "<=", 10**20)  # more than the 64 bits of CP-SAT
