"""What is asked of a tour, in the forms in which people write it."""

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import solve, validate
from kt_cp.board import Board
from kt_cp.count.counting import count_tours, enumerate_tours
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.problem.constraints import Bound, Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import tour_maps
from kt_cp.proof.checker import check
from kt_cp.puzzles.deduction import explain
from kt_cp.puzzles.facts import StepFact
from kt_cp.tour.tour import Tour
from tests.helpers.command import kt
from tests.helpers.oracle import all_tours

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


BOARDS = [Board(3, 4), Board(4, 4, piece="wazir"), Board(4, 4, [0], piece="wazir")]


def tours_in_order(board: Board, closed: bool, order: list[int]) -> set[tuple[int, ...]]:
    """The tours that visit squares in order; a closed one begins at the first, either way."""
    tours = {tuple(tour) for tour in all_tours(Instance(board, closed=closed))}
    if closed:
        starts = [tour.index(order[0]) for tour in tours]
        tours = {(*t[at:], *t[:at]) for t, at in zip(tours, starts, strict=True)}
        tours |= {(tour[0], *tour[:0:-1]) for tour in tours}
    return {tour for tour in tours if [square for square in tour if square in order] == order}


@settings(max_examples=8)
@given(st.sampled_from(BOARDS), st.booleans(), st.integers(2, 5), st.randoms(use_true_random=False))
def test_all_tours_in_an_order_are_enumerated_and_no_other(
    board: Board, closed: bool, count: int, choose: random.Random
) -> None:
    order = choose.sample(board.squares.tolist(), count)
    expected = tours_in_order(board, closed, order)
    found = {tuple(tour) for tour in enumerate_tours(board, closed=closed, order=order)}
    assert found == expected
    result = solve(board, closed=closed, order=order)
    assert bool(result) == bool(expected)
    assert count_tours(board, closed=closed, order=order).count == len(expected)
    if result.tour is not None:
        for deduction in explain(Instance.of(board, closed=closed, order=order)):
            for fact in deduction.facts:
                if isinstance(fact, StepFact):
                    assert all(tour[fact.step - 1] == fact.square for tour in expected)


def test_squares_are_visited_in_order_on_large_boards_and_closed_tours() -> None:
    for closed in (False, True):
        tour = solve("8x8", closed=closed, order=["a1", "c3", "h8", "b2"]).tour
        assert tour is not None
        places = [tour.names.index(name) for name in ("a1", "c3", "h8", "b2")]
        assert all(one < other for one, other in pairwise(places))
        assert places[0] == 0 or not closed


def test_orders_that_no_tour_keeps_are_refuted_with_the_reason() -> None:
    late = solve("8x8", order=["a1", "h8"], end="a1")
    assert late.reason == (
        "in the order a1 and h8: a1 is reached at step 64 at the earliest, and has to be reached "
        "by step 58"
    )
    result = solve("4x8", closed=True, order=["a1", "b3", "c1"], certificate=True)
    assert result.certificate is not None
    assert check(result.certificate)


def test_a_map_keeps_an_order_and_kt_solves_it() -> None:
    instance = Instance.of("5x5", order="a1 c3 e5", forbid=["a1-b3"])
    saved = "\n".join(instance.map_lines())
    assert "; order: a1 c3 e5" in saved
    assert Instance.of(saved) == instance
    typed = kt("solve", "5x5", "--order", "a1 c3 e5", "--format", "squares")
    names = typed.stdout.split()
    assert [name for name in names if name in ("a1", "c3", "e5")] == ["a1", "c3", "e5"]
    assert kt("solve", "-", "--order", "c3 a1", stdin=saved).returncode == 2


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["a1", "a1"], "order: a1 is named twice"),
        (["a1", "z9"], "order: square 'z9' is off the board"),
        (3, r"order 3: give a list, such as \['a1'\]"),
    ],
)
def test_squares_that_are_no_order_are_refused(order: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Instance.of("5x5", order=order)  # type: ignore[arg-type]


def test_an_order_beside_given_steps_of_a_closed_tour_needs_a_start() -> None:
    with pytest.raises(InputError, match="needs a start"):
        Instance.of("6x6", closed=True, givens={"a1": 5}, order=["b1", "c1"])


def test_an_array_may_repeat_the_order_of_a_map() -> None:
    drawn = "\n".join(["...."] * 3 + ["; order: a3 c2"])
    squares = Instance.of(drawn).order
    assert Instance.of(drawn, order=np.array(squares)).order == squares
    assert Instance.of(drawn, order="a3 c2").order == squares
    with pytest.raises(InputError, match="the map has another order: a3 c2"):
        Instance.of(drawn, order=np.array(squares[::-1]))


def test_a_set_of_squares_has_no_order() -> None:
    with pytest.raises(InputError, match=r"give a list, such as \['a1'\], as a set has"):
        solve("8x8", order={"a1", "c3"})


def test_where_a_closed_tour_starts_leaves_it_all_symmetries_of_the_board() -> None:
    for start in (None, "a1"):
        assert len(tour_maps(Instance.of("6x6", closed=True, start=start))) == 8
    assert len(tour_maps(Instance.of("6x6", closed=True, require=["a1-b3"]))) == 1
    assert len(tour_maps(Instance.of("6x6", closed=True, require=["a1-b3", "a1-c2"]))) == 2
