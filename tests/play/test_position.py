"""Positions of the playground: whatever is tapped, they stay valid and have an address."""

from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Board, InputError
from kt_cp.play.position import Position, parse_address

SQUARES = st.integers(0, 35) | st.just(30)  # which is the start on one of the boards
ACTIONS = st.one_of(
    st.tuples(
        st.just("with_shape"),
        st.integers(1, 6),
        st.integers(1, 6),
        st.booleans(),
        st.sampled_from(["knight", "zebra", "king"]),
        st.sampled_from(["flat", "torus"]),
    ),
    st.tuples(st.just("toggled_hole"), SQUARES),
    st.tuples(st.just("toggled_end"), st.sampled_from(["start", "end"]), SQUARES),
    st.tuples(st.just("with_step"), SQUARES, st.none() | st.integers(0, 40)),
    st.tuples(st.just("toggled_move"), st.sampled_from(["require", "forbid"]), SQUARES, SQUARES),
    st.tuples(st.just("with_tap"), SQUARES),
    st.tuples(st.just("with_drag"), SQUARES, SQUARES),
)


@settings(max_examples=150)
@given(
    st.sampled_from(
        [
            "6x6",
            "3x4",
            "1 . #\n. . .\n. 8 .\n; kind: closed",
            "......\n" * 5 + "1..4..\n; kind: closed\n; order: a1 c3 b6",
            "......\n" * 6 + "; order: a1 c3 b6",
        ]
    ),
    st.lists(ACTIONS, max_size=40),
)
def test_any_sequence_of_clicks_keeps_the_position_valid_and_its_address_holds_it(
    text: str, clicks: list[tuple[Any, ...]]
) -> None:
    now = Position.parse(text)
    for name, *arguments in clicks:
        squares = arguments[:1] if name == "with_step" else arguments[-2:]
        numbers = [each for each in squares if isinstance(each, int)]
        if name != "with_shape" and max(numbers) >= now.board.area:
            continue
        told = ""
        try:
            now = getattr(now, str(name))(*arguments)
        except InputError as error:
            told = str(error)
        assert not told.startswith("order:")  # no tap asks for an order
        assert Position.at(now.query) == now
        assert parse_address(dict(parse_qsl(now.query)), Position.parse("6x6")) == (now, "")
        assert len({*now.path}) == len(now.path)
        assert {each.split(",")[0] for each in now.labels} == {
            now.board.name(s) for s in range(now.board.area)
        }


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("closed=maybe", "the address has closed=maybe: give closed=true"),
        ("board=<script>", "the address has the board '<script>': give a size such as 8x8"),
        ("board=/etc/passwd", "the address has the board '/etc/passwd': give a size such as 8x8"),
        ("board=99x99", "a board here has at most 20 rows and columns"),
        ("bord=6x6", "the address has 'bord', which is none of board, closed, path, puzzle"),
        ("graph=a-b b-c", "the address has a graph, which has no squares: kt solve"),
        ("board=3x4&path=a3 c2 d4", "a path that ends at c2: square 'd4' is off the board"),
        ("board=3x4&path=a3 b3", "the address has a path that ends at a3: a3 to b3 is no knight"),
        ("board=3x4&path=a3 c2 a3", "ends at c2: a3 is visited twice"),
        ("board=3x4&path=%3Cb%3E", "the address has a path that is left out: "),
    ],
)
def test_a_wrong_address_says_what_is_wrong(query: str, told: str) -> None:
    position, line = parse_address(dict(parse_qsl(query)), Position.parse("6x6"))
    assert told in line
    assert position.board == (Board(3, 4) if "path" in query else Board(6, 6))


def test_a_hole_on_a_square_of_the_order_is_taken_out_of_the_order() -> None:
    position = Position.parse(".....\n" * 5 + "; order: a1 c3 e5")
    assert position.toggled_hole(12).instance.order == (20, 4)


@pytest.mark.parametrize(
    ("tap", "kept_order"),
    [
        (("toggled_hole", "a1"), ["d4", "e5"]),
        (("with_step", "a1", 9), []),
        (("with_step", "a1", None), ["a1", "d4", "e5"]),
        (("toggled_end", "start", "a1"), ["a1", "d4", "e5"]),
    ],
)
def test_a_closed_tour_without_its_start_begins_at_the_first_square_of_the_order(
    tap: tuple[Any, ...], kept_order: list[str]
) -> None:
    position = Position.parse(
        ".....\n.....\n..7..\n.....\n.....\n; kind: closed\n; start: a1\n; order: a1 d4 e5"
    )
    name, *arguments = tap
    a1 = position.board.vertex("a1")
    changed = getattr(position, name)(*(a1 if each == "a1" else each for each in arguments))
    assert [*map(position.board.name, changed.instance.order)] == kept_order
    assert changed.instance.first == (changed.instance.order[0] if kept_order else None)


def test_an_order_is_dropped_where_its_first_square_cannot_be_the_start() -> None:
    text = "5....\n" + ".....\n" * 4 + "; order: a5 c3 e5"
    closed = Position.parse(text).with_shape(5, 5, True, "knight", "flat")
    assert (closed.instance.order, closed.steps) == ((), {5: 0})


def test_a_drag_draws_the_move_from_where_it_began() -> None:
    position = Position.parse("5x5")
    board = position.board
    a1, b3, c5, e4 = (board.vertex(name) for name in ("a1", "b3", "c5", "e4"))
    drawn = position.with_drag(a1, b3)
    assert drawn.path == (a1, b3)
    assert drawn.with_drag(b3, c5).path == (a1, b3, c5)
    assert drawn.with_drag(c5, e4).path == (a1, b3, c5, e4)
    assert drawn.with_drag(a1, board.vertex("c2")).path == (a1, board.vertex("c2"))
    with pytest.raises(InputError, match="b3 to e4 is no knight's move"):
        drawn.with_drag(e4, c5)
